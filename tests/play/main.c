/* main.c -- play: plays scenario scripts against a real vyred (README.md).
 *
 * usage: play [--seed N] [--keep] [--set NAME=VALUE]... SCRIPT.play...
 *                                           0 when all hold, 77 when all were skipped
 *        play call|post|line|get|raw …      from wherever it is run: a script's agent (once.h)
 *        play bad-agent …                   an agent that keeps no rule (bad.h)
 *        play acp-agent FILE                an agent of the Agent Client Protocol (acp.h)
 *
 * One script, one box: a temporary folder, a vyred, and nothing that is left when it is over. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/acp.h"
#include "tests/play/bad.h"
#include "tests/play/once.h"
#include "tests/play/play.h"
#include "tests/play/sitter.h"
#include "tests/screen/term.h"
#include "shared/base/ban.h"

#ifdef __SANITIZE_ADDRESS__
#define PATIENCE_MS 120000
#else
#define PATIENCE_MS 30000
#endif

bool play_fail(struct play *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vy_buf_clear(&p->why);
	vy_buf_addv(&p->why, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- waiting ---- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void play_pump(struct play *p, int ms)
{
	struct pollfd fds[2 * PLAY_VIEWERS + 1];
	nfds_t n = 0;

	for (size_t i = 0; i < p->n_viewers; i++) {
		if (p->viewers[i]->conn.fd >= 0 && !p->viewers[i]->is_slow) {
			fds[n++] = (struct pollfd){ p->viewers[i]->conn.fd, POLLIN, 0 };
		}
	}
	for (size_t i = 0; i < p->n_sitters; i++) {
		if (p->sitters[i]->conn.fd >= 0 && !p->sitters[i]->is_slow) {
			fds[n++] = (struct pollfd){ p->sitters[i]->conn.fd, POLLIN, 0 };
		}
	}
	if (p->screen && p->screen->fd >= 0 && !p->screen->is_drained) {
		fds[n++] = (struct pollfd){ p->screen->fd, POLLIN, 0 };
	}
	poll(fds, n, ms);
	if (p->screen) {
		term_pump(p->screen, 0);
	}
	for (size_t i = 0; i < p->n_viewers; i++) {
		if (p->viewers[i]->conn.fd >= 0 && !p->viewers[i]->is_slow) {
			viewer_read(p->viewers[i]);
		}
	}
	for (size_t i = 0; i < p->n_sitters; i++) {
		if (p->sitters[i]->conn.fd >= 0 && !p->sitters[i]->is_slow) {
			sitter_read(p->sitters[i]);
		}
	}
	box_reap(&p->box);
}

/* Nothing is worth waiting for any more. */
static bool is_any_wrong(const struct play *p)
{
	for (size_t i = 0; i < p->n_viewers; i++) {
		if (p->viewers[i]->why[0]) {
			return true;
		}
	}
	for (size_t i = 0; i < p->n_sitters; i++) {
		if (p->sitters[i]->why[0]) {
			return true;
		}
	}
	return false;
}

bool play_until(struct play *p, play_holds *holds, void *ctx)
{
	int64_t end = now_ms() + p->patience_ms;

	while (!holds(p, ctx)) {
		if (now_ms() > end || is_any_wrong(p)) {
			return false;
		}
		play_pump(p, 5);
		play_revive(p);
		play_rejoin(p);
		play_resit(p);
	}
	return true;
}

/* ---- values ---- */

uint32_t play_random(struct play *p, uint32_t below)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return below ? (uint32_t)(p->random >> 16) % below : 0;
}

void play_it(struct play *p, struct vy_json *own_value)
{
	vy_json_free(p->it);
	p->it = own_value;
}

void play_set(struct play *p, const char *name, const char *value)
{
	vy_json_set_c(p->vars, name, value);
}

/* ---- lines ---- */

static bool is_name_char(char c, bool is_first)
{
	return c == '_' || (c >= 'A' && c <= 'Z') || (!is_first && c >= '0' && c <= '9');
}

/* $NAME is what the script set; any other $ stands for itself. */
static void expand(struct play *p, const char *line, struct vy_buf *out)
{
	while (*line) {
		char name[64];
		size_t n = 0;

		if (*line != '$') {
			vy_buf_addc(out, *line++);
			continue;
		}
		while (n < sizeof(name) - 1 && is_name_char(line[1 + n], n == 0)) {
			name[n] = line[1 + n];
			n++;
		}
		name[n] = '\0';
		if (n && vy_json_get(p->vars, name)) {
			vy_buf_addstr(out, vy_json_str(p->vars, name));
			line += n + 1;
		} else {
			vy_buf_addc(out, *line++);
		}
	}
}

const char *play_body(struct play *p)
{
	VY_AUTO_BUF raw = VY_BUF_INIT(VY_MIB), out = VY_BUF_INIT(VY_MIB);

	while (p->at + 1 < p->n_lines && p->lines[p->at + 1][0] == '\t') {
		vy_buf_addf(&raw, "%s\n", p->lines[++p->at] + 1);
	}
	expand(p, vy_buf_c(&raw), &out);
	return vy_arena_dup(&p->arena, vy_buf_c(&out), out.len);
}

static bool repeat(struct play *p, const struct words *w)
{
	long long n = 0;

	if (p->depth == PLAY_DEEP || !vy_parse_i64(vy_str_c(w->v[1]), &n) || n < 1) {
		return play_fail(p, "expected: repeat TIMES … again");
	}
	p->loops[p->depth].line = p->at;
	p->loops[p->depth++].left = (long)n - 1;
	return true;
}

/* The next word of `each` is its variable. False: there is none left. */
static bool next_word(struct play *p)
{
	char *words = p->loops[p->depth - 1].words, *end = strchr(words, ' ');

	if (!*words) {
		return false;
	}
	if (end) {
		*end++ = '\0';
	}
	play_set(p, p->loops[p->depth - 1].name, words);
	end = vy_strdup(end ? end + strspn(end, " ") : "");
	free(words);
	p->loops[p->depth - 1].words = end;
	return true;
}

/* each NAME WORD… */
static bool each(struct play *p, const struct words *w)
{
	if (p->depth == PLAY_DEEP) {
		return play_fail(p, "too many loops in one another");
	}
	p->loops[p->depth].line = p->at;
	p->loops[p->depth].name = vy_strdup(w->v[1]);
	p->loops[p->depth++].words = vy_strdup(w->rest[2]);
	return next_word(p);
}

static bool again(struct play *p)
{
	if (p->depth == 0) {
		return play_fail(p, "again without repeat");
	}
	if (p->loops[p->depth - 1].words ? next_word(p) : p->loops[p->depth - 1].left-- > 0) {
		p->at = p->loops[p->depth - 1].line;
	} else {
		p->depth--;
		free(p->loops[p->depth].name);
		free(p->loops[p->depth].words);
		p->loops[p->depth].name = p->loops[p->depth].words = NULL;
	}
	return true;
}

/* if A = B … fi: passed over when they differ. */
static bool only_if(struct play *p, const struct words *w)
{
	if (strcmp(w->v[1], w->v[3]) != 0) {
		while (p->at + 1 < p->n_lines && strcmp(p->lines[p->at], "fi") != 0) {
			p->at++;
		}
	}
	return true;
}

static const struct play_entry *find_verb(const char *name)
{
	static const struct play_entry *const tables[] = { verbs_box, verbs_call, verbs_rows,
		verbs_view, verbs_come, verbs_plane, verbs_tell, verbs_store, verbs_person,
		verbs_chaos, verbs_screen, verbs_fault, verbs_term };

	for (size_t i = 0; i < VY_COUNT(tables); i++) {
		for (const struct play_entry *v = tables[i]; v->name; v++) {
			if (strcmp(v->name, name) == 0) {
				return v;
			}
		}
	}
	return NULL;
}

static bool play_line(struct play *p)
{
	VY_AUTO_BUF line = VY_BUF_INIT(VY_MIB);
	const struct play_entry *v;
	struct words w;

	expand(p, p->lines[p->at], &line);
	vy_arena_reset(&p->arena);
	vy_buf_clear(&p->why);
	if (!words_parse(&w, vy_arena_dup(&p->arena, vy_buf_c(&line), line.len), &p->arena)) {
		return play_fail(p, "a quote is left open");
	}
	if (w.n == 0) {
		return true;
	}
	if (strcmp(w.v[0], "repeat") == 0 && w.n == 2) {
		return repeat(p, &w);
	}
	if (strcmp(w.v[0], "each") == 0 && w.n > 2) {
		return each(p, &w);
	}
	if (strcmp(w.v[0], "if") == 0 && w.n == 4) {
		return only_if(p, &w);
	}
	if (strcmp(w.v[0], "fi") == 0) {
		return true;
	}
	if (strcmp(w.v[0], "again") == 0) {
		return again(p);
	}
	v = find_verb(w.v[0]);
	if (!v || w.n - 1 < v->least) {
		return play_fail(p, "no such verb, or too few words behind it");
	}
	box_further();
	return v->fn(p, &w);
}

/* ---- what is shown when a line does not hold ---- */

static void show_viewer(const struct viewer *v)
{
	size_t from = v->n > 12 ? v->n - 12 : 0;

	fprintf(stderr, "viewer %s: at %llu, %s, code %d\n", v->name, (unsigned long long)v->last,
		v->conn.fd >= 0 ? "open" : "closed", v->conn.code);
	if (v->why[0]) {
		fprintf(stderr, "  %s\n", v->why);
	}
	for (size_t i = from; i < v->n; i++) {
		fprintf(stderr, "  %llu %.300s\n", (unsigned long long)v->v[i].cur, v->v[i].text);
	}
}

static void show_log(const struct box *b)
{
	char command[256];
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	snprintf(command, sizeof(command), "tail -n 30 '%s' | cut -c -400", b->err);
	box_shell((struct box *)(uintptr_t)b, command, &out);
	fprintf(stderr, "vyred said:\n%s", vy_buf_c(&out));
}

static void show(struct play *p, size_t line)
{
	VY_AUTO_BUF it = VY_BUF_INIT(VY_MIB);

	fprintf(stderr, "%s:%zu: %s\n  %s\n", p->path, line + 1, p->lines[line], vy_buf_c(&p->why));
	if (p->it) {
		vy_json_dump(p->it, &it);
		fprintf(stderr, "it: %.1000s\n", vy_buf_c(&it));
	}
	for (size_t i = 0; i < p->n_viewers; i++) {
		show_viewer(p->viewers[i]);
	}
	show_log(&p->box);
}

/* ---- one script ---- */

static bool read_lines(struct play *p)
{
	FILE *f = fopen(p->path, "re");
	size_t cap = 0, room = 0;
	char *line = NULL;
	ssize_t n;

	if (!f) {
		fprintf(stderr, "%s: %m\n", p->path);
		return false;
	}
	while ((n = getline(&line, &room, f)) >= 0) {
		p->lines = vy_grow(p->lines, &cap, p->n_lines + 1, sizeof(*p->lines));
		n -= n > 0 && line[n - 1] == '\n';
		p->lines[p->n_lines++] = vy_memdup0(line, (size_t)n);
	}
	free(line);
	fclose(f);
	return true;
}

#define SETS_MAX 8

static struct {
	const char *v[SETS_MAX]; /* NAME=VALUE, of the command line */
	int n;
} sets;

/* $POINTS are vyred's places to die at, $HOLDER_POINTS those of holders (shared/base/crash.h). */
static void set_points(struct play *p)
{
	VY_AUTO_BUF vyred = VY_BUF_INIT(65536), holder = VY_BUF_INIT(65536);

	for (int i = 0; i < VY_CRASH_POINTS_ALL; i++) {
		const char *name = vy_crash_name((enum vy_crash_point)i);
		struct vy_buf *to = strncmp(name, "holder.", 7) == 0 ? &holder : &vyred;

		vy_buf_addf(to, "%s%s", to->len ? " " : "", name);
	}
	play_set(p, "POINTS", vy_buf_c(&vyred));
	play_set(p, "HOLDER_POINTS", vy_buf_c(&holder));
}

static void first_vars(struct play *p, uint64_t seed)
{
	char text[32];

	set_points(p);
	for (int i = 0; i < sets.n; i++) {
		const char *eq = strchr(sets.v[i], '=');
		char *name = vy_memdup0(sets.v[i], eq ? (size_t)(eq - sets.v[i]) : 0);

		play_set(p, name, eq ? eq + 1 : "");
		free(name);
	}

	snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
	play_set(p, "SEED", text);
	play_set(p, "T", p->box.dir);
	play_set(p, "WORK", p->box.work);
	play_set(p, "STATE", p->box.state);
	play_set(p, "SOCK", p->box.sock);
	play_set(p, "CONFIG", p->box.config);
	play_set(p, "PLAY", p->box.play);
	play_set(p, "BIN", p->box.bin);
}

static bool viewers_hold(struct play *p)
{
	for (size_t i = 0; i < p->n_viewers; i++) {
		if (p->viewers[i]->why[0]) {
			return play_fail(p, "%s", p->viewers[i]->why);
		}
	}
	for (size_t i = 0; i < p->n_sitters; i++) {
		if (p->sitters[i]->why[0]) {
			return play_fail(p, "%s", p->sitters[i]->why);
		}
	}
	return true;
}

static bool has_ended(struct play *p, void *ctx)
{
	(void)ctx;
	return p->box.is_ended;
}

/* Whatever it went through, it ends in good order. */
static bool vyred_ends_well(struct play *p)
{
	if (!p->box.vyred) {
		return true;
	}
	kill(p->box.vyred, SIGTERM);
	p->is_steady = false;
	if (!play_until(p, has_ended, NULL)) {
		return play_fail(p, "told to end, vyred does not");
	}
	return p->box.status == 0 ||
	       play_fail(p, "told to end, vyred ended with %d", p->box.status);
}

/* Whatever was done to vyred, its journal is one chain; a script that damages the database itself says
 * so otherwise. */
static bool journal_fits(struct play *p)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	box_shell(&p->box,
		"test ! -f \"$STATE/vyre.db\" || $BIN/vyred verify --state-dir \"$STATE\"", &out);
	return !strstr(vy_buf_c(&out), "does not fit") ||
	       play_fail(p, "the journal: %s", vy_buf_c(&out));
}

static void play_free(struct play *p)
{
	for (size_t i = 0; i < p->n_viewers; i++) {
		viewer_free(p->viewers[i]);
	}
	for (size_t i = 0; i < p->n_sitters; i++) {
		sitter_free(p->sitters[i]);
	}
	for (int i = 0; i < PLAY_DEEP; i++) {
		free(p->loops[i].name);
		free(p->loops[i].words);
	}
	for (size_t i = 0; i < p->n_lines; i++) {
		free(p->lines[i]);
	}
	free(p->lines);
	free(p->screen_command);
	vy_json_free(p->vars);
	vy_json_free(p->kept);
	vy_json_free(p->it);
	free((char *)(uintptr_t)p->box.under);
	vy_arena_fini(&p->arena);
	vy_buf_fini(&p->why);
}

/* 0, 1 or 77. */
static int play_script(const char *path, const char *self, uint64_t seed, bool keep)
{
	struct play p = { .path = path, .patience_ms = PATIENCE_MS, .random = seed | 1 };
	int64_t began = now_ms();
	bool ok = read_lines(&p);

	box_init(&p.box, self);
	p.vars = vy_json_new_obj();
	p.kept = vy_json_new_obj();
	vy_arena_init(&p.arena);
	vy_buf_init(&p.why, 65536);
	first_vars(&p, seed);
	for (; ok && p.at < p.n_lines && !p.is_skipped; p.at++) {
		size_t line = p.at;

		ok = play_line(&p) && viewers_hold(&p) &&
		     (p.at + 1 < p.n_lines || (vyred_ends_well(&p) && journal_fits(&p)));
		if (!ok) {
			show(&p, line);
		}
	}
	play_end_screen(&p);
	if (p.has_disk) {
		umount2(p.box.state, MNT_DETACH);
	}
	box_fini(&p.box, keep);
	printf("%s: %s (seed %llu, %lld ms)\n", path,
		!ok            ? "FAILED"
		: p.is_skipped ? "skipped"
			       : "ok",
		(unsigned long long)seed, (long long)(now_ms() - began));
	fflush(stdout);
	play_free(&p);
	return !ok ? 1 : p.is_skipped ? 77 : 0;
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
	uint64_t seed = 0;
	bool keep = false, any_played = false, any_failed = false;
	int at = 1;

	signal(SIGPIPE, SIG_IGN);
	if (argc > 2 && strcmp(argv[1], "bad-agent") == 0) {
		return bad_agent(argc - 2, argv + 2);
	}
	if (argc > 2 && strcmp(argv[1], "acp-agent") == 0) {
		return acp_agent(argc - 2, argv + 2);
	}
	if (argc > 3 && once_has(argv[1])) {
		return once_run(argv[1], argv + 2, argc - 2, PATIENCE_MS);
	}
	for (; at < argc && argv[at][0] == '-'; at++) {
		if (strcmp(argv[at], "--keep") == 0) {
			keep = true;
		} else if (strcmp(argv[at], "--seed") == 0 && at + 1 < argc) {
			seed = strtoull(argv[++at], NULL, 10);
		} else if (strcmp(argv[at], "--set") == 0 && at + 1 < argc && sets.n < SETS_MAX) {
			sets.v[sets.n++] = argv[++at];
		}
	}
	for (; at < argc; at++) {
		uint64_t mine = seed;
		int status;

		if (!seed) {
			vy_random(&mine, 4);
			mine &= 0xFFFFFFFF;
		}
		status = play_script(argv[at], argv[0], mine, keep);
		any_failed |= status == 1;
		any_played |= status != 77;
	}
	return any_failed ? 1 : any_played ? 0 : 77;
}
