/* rc_test.c -- bash, zsh and fish as they are here, under a PTY: a person's own files are read and kept,
 * what is run is reported with its status, and nobody but the shell has the key. A shell that is not
 * installed is skipped, by name. */
#include "tests/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/term/rc.h"
#include "shared/base/ban.h"

#define STEP_MS 20000

struct world {
	char home[128], state[160];
	const char *shell;
	struct vy_arena a;
	struct rc rc;
	pid_t pid;
	int fd;
	struct marks *marks;
	struct vy_buf events, out;
	int prompts; /* reports of one, seen in the bytes */
};

static void on_event(void *ctx, const struct marks_event *ev)
{
	struct world *w = ctx;

	if (ev->kind == MARKS_BEGAN) {
		vy_buf_addf(&w->events, "[%.*s]", VY_STR_ARG(ev->command));
	} else if (ev->kind == MARKS_ENDED) {
		vy_buf_addf(&w->events, ev->has_exit ? "(%d)" : "(?)", ev->exit);
	}
}

static void write_home(struct world *w, const char *name, const char *text)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", w->home, name);
	for (char *p = path + strlen(w->home) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char *find(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "/usr/bin/%s", name);
	if (access(path, X_OK) != 0) {
		snprintf(path, sizeof(path), "/bin/%s", name);
	}
	return access(path, X_OK) == 0 ? path : NULL;
}

static bool make(struct world *w, const char *name)
{
	memset(w, 0, sizeof(*w));
	w->shell = find(name);
	if (!w->shell) {
		fprintf(stderr, "%s is not here: skipped\n", name);
		return false;
	}
	snprintf(w->home, sizeof(w->home), "/tmp/vyre-rc-test.XXXXXX");
	assert_non_null(mkdtemp(w->home));
	snprintf(w->state, sizeof(w->state), "%s/state", w->home);
	assert_int_equal(mkdir(w->state, 0700), 0);
	vy_arena_init(&w->a);
	vy_buf_init(&w->events, 1 << 16);
	vy_buf_init(&w->out, 4 << 20);
	return true;
}

static void begin(struct world *w)
{
	struct vy_err e = { 0 };
	char home[160];
	struct winsize ws = { .ws_row = 24, .ws_col = 200 };

	snprintf(home, sizeof(home), "HOME=%s", w->home);
	const char *env[16] = { home, "TERM=xterm-256color", "PATH=/usr/bin:/bin", "USER=someone",
		"LANG=C.UTF-8" };
	size_t n = 5;

	check_int("prepared", rc_prepare(w->state, w->shell, env, &w->a, &w->rc, &e), 0);
	for (size_t i = 0; w->rc.env[i]; i++) {
		env[n++] = w->rc.env[i];
	}
	w->marks = marks_new(w->rc.key);
	w->pid = forkpty(&w->fd, NULL, NULL, &ws);
	assert_true(w->pid >= 0);
	if (w->pid == 0) {
		if (chdir(w->home) == 0) {
			execve(w->shell, (char **)w->rc.argv, (char **)env);
		}
		_exit(99);
	}
}

/* Reads until `what` was shown, or for a prompt; false: it took too long, or there is no more. */
static bool read_on(struct world *w, const char *what, int prompts)
{
	char buf[4096], key[64];

	snprintf(key, sizeof(key), ";%s;P;", w->rc.key);
	for (int left = STEP_MS; left > 0; left -= 20) {
		struct pollfd p = { .fd = w->fd, .events = POLLIN };
		ssize_t n;

		if (what ? w->out.len && memmem(w->out.data, w->out.len, what, strlen(what)) != NULL
			 : w->prompts >= prompts) {
			return true;
		}
		if (poll(&p, 1, 20) <= 0) {
			continue;
		}
		n = read(w->fd, buf, sizeof(buf));
		if (n <= 0) {
			return false;
		}
		vy_buf_add(&w->out, buf, (size_t)n);
		marks_hear(w->marks, vy_str_n(buf, (size_t)n), on_event, w);
		w->prompts = 0;
		for (const char *at = w->out.data;
			(at = memmem(
				 at, (size_t)(w->out.data + w->out.len - at), key, strlen(key)));
			at++) {
			w->prompts++;
		}
	}
	return false;
}

static void type(struct world *w, const char *keys)
{
	assert_int_equal(write(w->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
	marks_type(w->marks, vy_str_c(keys));
}

/* Types a line at a prompt and waits for the next one. */
static void line(struct world *w, const char *text)
{
	int at = w->prompts;

	type(w, text);
	type(w, "\r");
	if (!read_on(w, NULL, at + 1)) {
		check_print("shown", vy_buf_str(&w->out), w->out.len);
		fail_msg("no prompt behind: %s", text);
	}
}

static void remove_all(const char *path)
{
	char cmd[300];

	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", path);
	assert_int_equal(system(cmd), 0);
}

static void done(struct world *w)
{
	if (w->pid > 0) {
		kill(w->pid, SIGKILL);
		waitpid(w->pid, NULL, 0);
		close(w->fd);
	}
	marks_free(w->marks);
	vy_arena_fini(&w->a);
	vy_buf_fini(&w->events);
	vy_buf_fini(&w->out);
	remove_all(w->home);
}

static bool shown(const struct world *w, const char *what)
{
	return memmem(w->out.data, w->out.len, what, strlen(what)) != NULL;
}

static void check_shown(const char *name, const struct world *w, const char *what, bool want)
{
	if (shown(w, what) != want) {
		check_print("shown", vy_buf_str(&w->out), w->out.len);
	}
	check_int(name, shown(w, what), want);
}

static int keys_left(const struct world *w)
{
	char cmd[300];
	int n = -1;

	snprintf(cmd, sizeof(cmd), "ls '%s/shell/key' | wc -l", w->state);
	FILE *f = popen(cmd, "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &n), 1);
	pclose(f);
	return n;
}

/* Nothing a child can see holds the key. */
static void no_key_outside(struct world *w, const char *look)
{
	size_t from = w->out.len;
	struct vy_str seen;

	line(w, look);
	seen = vy_str_from(vy_buf_str(&w->out), from);
	for (const char *p = seen.p;
		p && (p = memmem(p, (size_t)(seen.p + seen.n - p), w->rc.key, 32)); p++) {
		check_true("only in reports", p - seen.p >= 6 && memcmp(p - 6, "]7337;", 6) == 0);
	}
}

static void forge(struct world *w)
{
	vy_buf_clear(&w->events);
	line(w, "printf '\\033]7337;00112233445566778899aabbccddeeff;C;rm -rf /\\a'");
	line(w, "printf '\\033]133;C\\a\\033]133;D;0\\a'");
	check_true("its own words only", !memmem(vy_buf_c(&w->events), w->events.len, "[rm", 3));
}

static void bash(void **state)
{
	(void)state;
	struct world w;

	if (!make(&w, "bash")) {
		return;
	}
	write_home(&w, ".bash_profile", "FROM=profile; . ~/.bashrc\n");
	write_home(&w, ".profile", "FROM=wrong\n");
	write_home(&w, ".bash_logout", "echo good-bye-then >~/left\n");
	write_home(&w, ".bashrc",
		"HISTCONTROL=ignoreboth\nPS1='me\\$ '\nPROMPT_COMMAND='seen=$?'\n"
		"trap 'traced=$BASH_COMMAND' DEBUG\nfunction twice { echo \"$1$1\"; }\n");
	begin(&w);
	check_true("the first prompt", read_on(&w, NULL, 1));
	check_int("the key's file is gone", keys_left(&w), 0);
	line(&w, "echo $FROM; shopt -q login_shell && echo is-login; twice ab");
	check_shown("its own files", &w, "profile\r\n", true);
	check_shown("a login shell", &w, "is-login\r\n", true);
	check_shown("their functions", &w, "abab\r\n", true);
	check_true("the very first", memmem(vy_buf_c(&w.events), w.events.len, "[echo $FROM", 11));
	vy_buf_clear(&w.events);
	line(&w, "(exit 7)");
	line(&w, "echo seen-$seen status-$?");
	check_shown("PROMPT_COMMAND is kept", &w, "seen-7", true);
	check_shown("and $?", &w, "status-7", true);
	line(&w, "(exit 5)");
	line(&w, "echo trap-$traced");
	check_shown("so is the DEBUG trap", &w, "trap-echo trap", true);
	check_str("told", vy_buf_c(&w.events),
		"[(exit 7)](7)[echo seen-$seen status-$?](0)[(exit 5)](5)[echo trap-$traced](0)");
	vy_buf_clear(&w.events);
	line(&w, "true");
	line(&w, "true"); /* the history has it once */
	line(&w, " echo private");
	line(&w, "");
	line(&w, "echo \"a;b\\\\c\"");
	check_str("twice; never what is private", vy_buf_c(&w.events),
		"[true](0)[true](0)[echo \"a;b\\\\c\"](0)");
	line(&w, "history | grep -c ' true$'");
	check_shown("and the history is as it would be", &w, "\a1\r\n", true);
	vy_buf_clear(&w.events);
	type(&w, "for i in 1 2\rdo echo n$i\r");
	line(&w, "done");
	check_str("more than a line", vy_buf_c(&w.events), "[for i in 1 2; do echo n$i; done](0)");
	vy_buf_clear(&w.events);
	type(&w, "bash --norc\r");
	check_true("a shell in it", read_on(&w, "bash-5", 0));
	type(&w, "echo in-$((1+1))ner\r");
	check_true("is another", read_on(&w, "in-2ner", 0));
	line(&w, "exit 3");
	check_str("is one command", vy_buf_c(&w.events), "[bash --norc](3)");
	no_key_outside(
		&w, "env; cat /proc/$$/environ /proc/$$/cmdline; sh -c 'env; set'; ls -R ~/state");
	forge(&w);
	vy_buf_clear(&w.events);
	line(&w, "set -x; true; set +x");
	line(&w, "(echo sub)");
	check_str("traced; a subshell", vy_buf_c(&w.events),
		"[set -x; true; set +x](0)[(echo sub)](0)");
	type(&w, "exec bash --norc\r");
	vy_buf_clear(&w.out);
	check_true("another shell in its place", read_on(&w, "bash-5", 0));
	vy_buf_clear(&w.events);
	type(&w, "echo after-$((1+1))\r");
	check_true("goes on", read_on(&w, "after-2", 0));
	check_str("says nothing", vy_buf_c(&w.events), "");
	done(&w);
}

static void bash_logs_out(void **state)
{
	(void)state;
	struct world w;
	char path[256];
	int status;

	if (!make(&w, "bash")) {
		return;
	}
	write_home(&w, ".bash_logout", "echo x >~/left\n");
	write_home(&w, ".bashrc", "PROMPT_COMMAND=(true 'a=1')\n");
	write_home(&w, ".profile", ". ~/.bashrc\n");
	begin(&w);
	check_true("the first prompt", read_on(&w, NULL, 1));
	line(&w, "declare -p PROMPT_COMMAND a");
	check_shown("an array stays one", &w, "[2]=\"a=1\"", true);
	type(&w, "exit 4\r");
	(void)read_on(&w, "never", 0);
	assert_int_equal(waitpid(w.pid, &status, 0), w.pid);
	w.pid = 0;
	check_int("its status", WEXITSTATUS(status), 4);
	snprintf(path, sizeof(path), "%s/left", w.home);
	check_int("its last file was read", access(path, F_OK), 0);
	snprintf(path, sizeof(path), "%s/.bash_history", w.home);
	check_int("its history is where it was", access(path, F_OK), 0);
	close(w.fd);
	done(&w);
}

static void zsh(void **state)
{
	(void)state;
	struct world w;

	if (!make(&w, "zsh")) {
		return;
	}
	write_home(&w, ".zshenv", "A=env\n");
	write_home(&w, ".zprofile", "B=profile\n");
	write_home(&w, ".zlogin", "D=login\n");
	write_home(&w, ".zshrc",
		"C=rc; PS1='me%# '; setopt histignorespace; HISTSIZE=50\n"
		"precmd() { seen=$?; }\npreexec() { ran=$1; }\n"
		"precmd_functions+=(mine); mine() { m=1 }\n");
	begin(&w);
	check_true("the first prompt", read_on(&w, NULL, 1));
	check_int("the key's file is gone", keys_left(&w), 0);
	line(&w, "echo $A-$B-$C-$D-${ZDOTDIR-none}-$m");
	check_shown("its own files", &w, "env-profile-rc-login-none-1", true);
	vy_buf_clear(&w.events);
	line(&w, "(exit 7)");
	line(&w, "echo seen-$seen status-$? \"ran-$ran\"");
	check_shown("precmd and preexec are kept", &w, "seen-7 status-7 ran-echo seen", true);
	line(&w, "");
	line(&w, " echo private");
	line(&w, "true");
	line(&w, "true");
	type(&w, "for i in 1 2\rdo echo n$i\r");
	line(&w, "done");
	check_str("told", vy_buf_c(&w.events),
		"[(exit 7)](7)[echo seen-$seen status-$? \"ran-$ran\"](0)[true](0)[true](0)"
		"[for i in 1 2\ndo echo n$i\ndone](0)");
	vy_buf_clear(&w.events);
	type(&w, "zsh -f\r");
	vy_buf_clear(&w.out);
	type(&w, "echo in-$((1+1))ner\r");
	check_true("a shell in it", read_on(&w, "in-2ner", 0));
	w.prompts = 0;
	line(&w, "exit 3");
	check_str("is one command", vy_buf_c(&w.events), "[zsh -f](3)");
	no_key_outside(
		&w, "env; cat /proc/$$/environ /proc/$$/cmdline; sh -c 'env; set'; ls -R ~/state");
	no_key_outside(&w, "typeset | grep -a vyre_key");
	forge(&w);
	done(&w);
}

static void zsh_with_a_folder(void **state)
{
	(void)state;
	struct world w;
	char zdot[300];

	if (!make(&w, "zsh")) {
		return;
	}
	write_home(&w, "z/.zshrc", "PS1='me%# '; echo from-$ZDOTDIR\n");
	snprintf(zdot, sizeof(zdot), "export ZDOTDIR=%s/z\n", w.home);
	write_home(&w, ".zshenv", zdot);
	begin(&w);
	check_true("the first prompt", read_on(&w, NULL, 1));
	check_shown("a folder that its .zshenv names", &w, "/z\r\n", true);
	line(&w, "false");
	check_str("told", vy_buf_c(&w.events), "[false](1)");
	done(&w);
}

static void fish(void **state)
{
	(void)state;
	struct world w;

	if (!make(&w, "fish")) {
		return;
	}
	write_home(&w, ".config/fish/config.fish",
		"set -g C rc\nfunction fish_prompt; echo -n 'me> '; end\n"
		"function mine --on-event fish_preexec; set -g ran $argv[1]; end\n");
	begin(&w);
	check_true("the first prompt", read_on(&w, NULL, 1));
	check_int("the key's file is gone", keys_left(&w), 0);
	line(&w, "echo \"$C ran-$ran\"");
	check_shown("its own files and events", &w, "rc ran-echo", true);
	vy_buf_clear(&w.events);
	line(&w, "sh -c 'exit 7'");
	line(&w, "echo status-$status");
	check_shown("$status is kept", &w, "status-7", true);
	line(&w, " echo private");
	line(&w, "true");
	line(&w, "true");
	line(&w, "echo 'a;b\\\\c'");
	check_str("told", vy_buf_c(&w.events),
		"[sh -c 'exit 7'](7)[echo status-$status](0)[true](0)[true](0)[echo "
		"'a;b\\\\c'](0)");
	vy_buf_clear(&w.events);
	no_key_outside(
		&w, "env; cat /proc/$fish_pid/environ /proc/$fish_pid/cmdline; sh -c 'env; set'");
	forge(&w);
	done(&w);
}

static void others_are_plain(void **state)
{
	(void)state;
	struct rc rc;
	struct vy_arena a;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	check_int("sh", rc_prepare("/nowhere", "/bin/sh", NULL, &a, &rc, &e), 0);
	check_str("its argument", rc.argv[1], "-l");
	check_true("no more", rc.argv[2] == NULL && rc.env[0] == NULL && rc.key[0] == '\0');
	check_int("csh", rc_prepare("/nowhere", "/bin/csh", NULL, &a, &rc, &e), 0);
	check_true("has none", rc.argv[1] == NULL);
	check_int("no folder", rc_prepare("/nowhere", "/bin/bash", NULL, &a, &rc, &e), -1);
	check_str("a plain one then", rc.argv[1], "-l");
	check_true("without a key", rc.key[0] == '\0' && rc.env[0] == NULL);
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(bash), CHECK_TEST(bash_logs_out), CHECK_TEST(zsh),
	CHECK_TEST(zsh_with_a_folder), CHECK_TEST(fish), CHECK_TEST(others_are_plain))
