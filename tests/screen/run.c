/* run.c -- screen_run: plays scripts against a program in a terminal and looks at the screen.
 *
 * usage: screen_run SCRIPT.t...    status 0 when all hold; UPDATE=1 rewrites snapshots
 *
 * A script is a line language; README.md here has its words. Nothing sleeps: what is expected is
 * waited for, so a slow machine is slow and no more. The program gets an environment from nothing
 * and a folder of its own ($T, its HOME), which goes when the script ends. */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "tests/screen/run.h"
#include "tui/input/key.h"
#include "shared/base/ban.h"

/* ---- the world the program sees ---- */

static void set_env(struct run *r, const char *name, const char *value)
{
	size_t n = strlen(name);
	VY_AUTO_BUF b = VY_BUF_INIT(65536);
	int at = 0;

	vy_buf_addf(&b, "%s=%s", name, value);
	while (at < r->env_n && !(strncmp(r->env[at], name, n) == 0 && r->env[at][n] == '=')) {
		at++;
	}
	vy_assert(at < RUN_ENV_MAX - 1);
	free(r->env[at]);
	r->env[at] = vy_strdup(vy_buf_c(&b));
	r->env_n = at == r->env_n ? at + 1 : r->env_n;
}

static void keep_env(struct run *r, const char *name)
{
	const char *v = getenv(name);

	if (v) {
		set_env(r, name, v);
	}
}

static void first_env(struct run *r)
{
	static const char *const kept[] = { "PATH", "top_srcdir", "top_builddir", "ASAN_OPTIONS",
		"UBSAN_OPTIONS", "LSAN_OPTIONS", "GCOV_PREFIX" };
	static const char *const below[] = { "RUNTIME_DIR", "STATE_HOME", "CONFIG_HOME",
		"DATA_HOME", "CACHE_HOME" };
	char name[64], path[128];

	for (size_t i = 0; i < VY_COUNT(kept); i++) {
		keep_env(r, kept[i]);
	}
	set_env(r, "TERM", "xterm-256color");
	set_env(r, "COLORTERM", "truecolor");
	set_env(r, "LANG", "C.UTF-8");
	set_env(r, "HOME", r->dir);
	set_env(r, "T", r->dir);
	for (size_t i = 0; i < VY_COUNT(below); i++) {
		snprintf(name, sizeof(name), "XDG_%s", below[i]);
		snprintf(path, sizeof(path), "%s/%s", r->dir, below[i]);
		mkdir(path, 0700);
		set_env(r, name, path);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st, (void)type, (void)f;
	return remove(path);
}

/* Runs a command to its end in $T with the script's environment; its exit status. */
static int shell(struct run *r, const char *command)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (chdir(r->dir) == 0) {
			execle("/bin/sh", "sh", "-c", command, (char *)NULL, r->env);
		}
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void open_terminal(struct run *r)
{
	if (!r->is_open) {
		term_init(&r->term, r->cols, r->rows, r->background);
		r->term.graphics.is_on = r->has_graphics;
		r->is_open = true;
	}
}

static void close_terminal(struct run *r)
{
	if (r->is_open) {
		term_fini(&r->term);
		r->is_open = false;
	}
}

/* ---- acting ---- */

static bool do_size(struct run *r, const struct words *w)
{
	return (run_number(w->v[1], &r->cols) && run_number(w->v[2], &r->rows)) ||
	       run_fail(r, "expected: size COLUMNS ROWS");
}

static bool do_background(struct run *r, const struct words *w)
{
	r->background = (uint32_t)strtoul(w->v[1] + (*w->v[1] == '#'), NULL, 16);
	if (r->is_open) {
		term_set_background(&r->term, r->background);
	}
	return true;
}

/* Of the terminals that are opened from now on. */
static bool do_graphics(struct run *r, const struct words *w)
{
	r->has_graphics = strcmp(w->v[1], "on") == 0;
	return r->has_graphics || strcmp(w->v[1], "off") == 0 ||
	       run_fail(r, "expected: graphics on|off");
}

static bool do_env(struct run *r, const struct words *w)
{
	const char *eq = strchr(w->v[1], '=');
	char name[128];

	if (!eq || eq - w->v[1] >= (long)sizeof(name)) {
		return run_fail(r, "expected: env NAME=VALUE");
	}
	snprintf(name, sizeof(name), "%.*s", (int)(eq - w->v[1]), w->v[1]);
	set_env(r, name, eq + 1);
	return true;
}

static bool do_sh(struct run *r, const struct words *w)
{
	int status = shell(r, w->rest[1]);

	return status == 0 || run_fail(r, "it ended with status %d", status);
}

static bool do_finally(struct run *r, const struct words *w)
{
	if (r->finally_n == RUN_FINALLY_MAX) {
		return run_fail(r, "too many");
	}
	r->finally[r->finally_n++] = vy_strdup(w->rest[1]);
	return true;
}

/* A second run is a second terminal: what the first left is closed. */
static bool do_run(struct run *r, const struct words *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	close_terminal(r);
	open_terminal(r);
	vy_buf_addf(&b, "sh -c 'cd \"$T\" && exec \"$0\" \"$@\"' %s", w->rest[1]);
	r->env[r->env_n] = NULL;
	term_start(&r->term, vy_buf_c(&b), r->env);
	return true;
}

static int vt_key_of(uint32_t code)
{
	static const struct {
		uint32_t code;
		int key;
	} keys[] = { { KEY_ENTER, VY_VT_KEY_ENTER }, { KEY_TAB, VY_VT_KEY_TAB },
		{ KEY_BACKSPACE, VY_VT_KEY_BACKSPACE }, { KEY_ESC, VY_VT_KEY_ESC },
		{ KEY_UP, VY_VT_KEY_UP }, { KEY_DOWN, VY_VT_KEY_DOWN },
		{ KEY_LEFT, VY_VT_KEY_LEFT }, { KEY_RIGHT, VY_VT_KEY_RIGHT },
		{ KEY_HOME, VY_VT_KEY_HOME }, { KEY_END, VY_VT_KEY_END },
		{ KEY_PGUP, VY_VT_KEY_PGUP }, { KEY_PGDN, VY_VT_KEY_PGDN },
		{ KEY_INSERT, VY_VT_KEY_INSERT }, { KEY_DELETE, VY_VT_KEY_DELETE } };

	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		if (keys[i].code == code) {
			return keys[i].key;
		}
	}
	return code >= KEY_F1 && code < KEY_F1 + 12 ? VY_VT_KEY_F1 + (int)(code - KEY_F1)
						    : VY_VT_KEY_NONE;
}

static void press(struct run *r, struct key k)
{
	unsigned mods = (k.mods & KEY_SHIFT ? VY_VT_SHIFT : 0u) |
			(k.mods & KEY_ALT ? VY_VT_ALT : 0u) | (k.mods & KEY_CTRL ? VY_VT_CTRL : 0u);
	int key = vt_key_of(k.code);

	if (key != VY_VT_KEY_NONE) {
		vy_vt_send_key(r->term.vt, key, mods);
	} else {
		vy_vt_send_char(r->term.vt, k.code, mods);
	}
}

/* Names of keys; a word that is none is typed. */
static bool do_key(struct run *r, const struct words *w)
{
	for (int i = 1; i < w->n; i++) {
		struct key k;

		if (key_parse(vy_str_c(w->v[i]), &k)) {
			press(r, k);
		} else {
			term_write(&r->term, vy_str_n(w->v[i], w->len[i]));
		}
	}
	return true;
}

static bool do_type(struct run *r, const struct words *w)
{
	term_write(&r->term, vy_str_n(w->v[1], w->len[1]));
	return true;
}

static bool do_paste(struct run *r, const struct words *w)
{
	vy_vt_send_paste(r->term.vt, vy_str_n(w->v[1], w->len[1]));
	return true;
}

static bool do_resize(struct run *r, const struct words *w)
{
	if (!run_number(w->v[1], &r->cols) || !run_number(w->v[2], &r->rows)) {
		return run_fail(r, "expected: resize COLUMNS ROWS");
	}
	term_resize(&r->term, r->cols, r->rows);
	return true;
}

/* As a hand at the corner of a window makes them: all over, evenly, and not in order. */
static bool do_resizes(struct run *r, const struct words *w)
{
	int n, ms, cols, rows;
	int64_t begin = term_now();

	if (!run_number(w->v[1], &n) || !run_number(w->v[2], &ms) || n < 1) {
		return run_fail(r, "expected: resizes COUNT MS");
	}
	cols = r->cols;
	rows = r->rows;
	for (int i = 1; i <= n; i++) {
		bool is_last = i == n;

		term_resize(&r->term, is_last ? cols : 40 + i * 37 % 120,
			is_last ? rows : 12 + i * 13 % 38);
		do {
			term_pump(&r->term, 2);
		} while (term_now() < begin + (int64_t)ms * i / n);
	}
	return true;
}

static bool do_focus(struct run *r, const struct words *w)
{
	vy_vt_send_focus(r->term.vt, strcmp(w->v[1], "in") == 0);
	return true;
}

/* ---- ending ---- */

static bool has_ended(struct run *r, const struct words *w)
{
	(void)w;
	/* A child of it may hold the terminal open: then silence is the end. */
	bool is_drained = r->term.is_drained || term_now() - r->term.last_ms > 500;

	return (r->term.has_ended && is_drained) || run_fail(r, "the program goes on");
}

/* exit [STATUS|any]: waits until it ends by itself; above 128 it was that signal's number. */
static bool do_exit(struct run *r, const struct words *w)
{
	int want = 0, s;

	bool is_any = w->n > 1 && strcmp(w->v[1], "any") == 0;

	if (w->n > 1 && !is_any && !run_number(w->v[1], &want)) {
		return run_fail(r, "expected: exit STATUS");
	}
	if (!run_await(r, has_ended, w, RUN_WAIT_MS)) {
		return false;
	}
	s = r->term.status;
	s = WIFEXITED(s) ? WEXITSTATUS(s) : 128 + WTERMSIG(s);
	return is_any || s == want || run_fail(r, "it ended with status %d", s);
}

/* Who is about to stop has not yet when its last byte is here; waking it up then does nothing. */
static bool has_stopped(struct run *r, const struct words *w)
{
	siginfo_t info = { 0 };

	(void)w;
	return (waitid(P_PID, (id_t)r->term.pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
		       info.si_pid == r->term.pid) ||
	       run_fail(r, "the program has not stopped");
}

static bool do_signal(struct run *r, const struct words *w)
{
	static const struct {
		const char *name;
		int number;
	} names[] = { { "TERM", SIGTERM }, { "HUP", SIGHUP }, { "INT", SIGINT },
		{ "SEGV", SIGSEGV }, { "ABRT", SIGABRT }, { "BUS", SIGBUS }, { "KILL", SIGKILL },
		{ "STOP", SIGSTOP }, { "CONT", SIGCONT }, { "TSTP", SIGTSTP },
		{ "WINCH", SIGWINCH }, { "USR1", SIGUSR1 } };

	if (strcmp(w->v[1], "CONT") == 0 && !run_await(r, has_stopped, w, RUN_WAIT_MS)) {
		return false;
	}
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (strcmp(w->v[1], names[i].name) == 0) {
			return kill(r->term.pid, names[i].number) == 0 ||
			       run_fail(r, "%s", strerror(errno));
		}
	}
	return run_fail(r, "there is no signal %s here", w->v[1]);
}

static bool do_quit(struct run *r, const struct words *w)
{
	(void)w;
	close_terminal(r);
	return true;
}

/* ---- scripts ---- */

static const struct {
	const char *name;
	int least; /* words, itself too */
	bool needs_program;
	run_verb *run;
} verbs[] = {
	{ "size", 3, false, do_size },
	{ "background", 2, false, do_background },
	{ "graphics", 2, false, do_graphics },
	{ "env", 2, false, do_env },
	{ "sh", 2, false, do_sh },
	{ "finally", 2, false, do_finally },
	{ "run", 2, false, do_run },
	{ "key", 2, true, do_key },
	{ "type", 2, true, do_type },
	{ "paste", 2, true, do_paste },
	{ "focus", 2, true, do_focus },
	{ "resize", 3, true, do_resize },
	{ "resizes", 3, true, do_resizes },
	{ "keep", 1, true, expect_keep },
	{ "wait", 2, true, expect_wait },
	{ "absent", 2, true, expect_absent },
	{ "expect", 2, true, expect_fact },
	{ "snapshot", 2, true, expect_picture },
	{ "signal", 2, true, do_signal },
	{ "exit", 1, true, do_exit },
	{ "quit", 1, true, do_quit },
};

static bool do_line(struct run *r, const char *line)
{
	struct words w;

	if (!words_parse(&w, line, &r->arena)) {
		return run_fail(r, "a quote is not closed");
	}
	for (size_t i = 0; w.n > 0 && i < VY_COUNT(verbs); i++) {
		if (strcmp(w.v[0], verbs[i].name) == 0) {
			if (w.n < verbs[i].least) {
				return run_fail(
					r, "%s wants %d words more", w.v[0], verbs[i].least - w.n);
			}
			if (verbs[i].needs_program && !r->is_open) {
				return run_fail(r, "nothing runs yet");
			}
			return verbs[i].run(r, &w);
		}
	}
	return w.n == 0 || run_fail(r, "\"%s\" is no word of a script", w.v[0]);
}

static void report(struct run *r, int number, const char *line)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 22);

	fprintf(stderr, "%s:%d: %s\n  %s\n", r->path, number, line, vy_buf_c(&r->why));
	if (r->is_open) {
		term_snapshot(&r->term, &b);
		fprintf(stderr, "the screen:\n%s", vy_buf_c(&b));
	}
}

static bool play(struct run *r, FILE *f)
{
	char *line = NULL;
	size_t cap = 0;
	bool ok = true;

	for (int number = 1; ok && getline(&line, &cap, f) > 0; number++) {
		line[strcspn(line, "\n")] = '\0';
		vy_arena_reset(&r->arena);
		ok = do_line(r, line);
		if (!ok) {
			report(r, number, line);
		}
	}
	free(line);
	return ok;
}

static bool run_script(const char *path)
{
	struct run r = { .path = path,
		.cols = 80,
		.rows = 24,
		.background = 0x16181a,
		.dir = "/tmp/vyre-screen.XXXXXX" };
	FILE *f = fopen(path, "re");
	bool ok;

	if (!f || !mkdtemp(r.dir)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	vy_arena_init(&r.arena);
	vy_buf_init(&r.kept, 1 << 22);
	vy_buf_init(&r.why, 1 << 22);
	first_env(&r);
	ok = play(&r, f);
	fclose(f);
	close_terminal(&r);
	r.env[r.env_n] = NULL;
	for (int i = 0; i < r.finally_n; i++) {
		shell(&r, r.finally[i]);
		free(r.finally[i]);
	}
	nftw(r.dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	for (int i = 0; i < r.env_n; i++) {
		free(r.env[i]);
	}
	vy_arena_fini(&r.arena);
	vy_buf_fini(&r.why);
	vy_buf_fini(&r.kept);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = argc > 1;

	signal(SIGPIPE, SIG_IGN);
	for (int i = 1; i < argc; i++) {
		ok = run_script(argv[i]) && ok;
	}
	return ok ? 0 : 1;
}
