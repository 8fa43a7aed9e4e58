/* verbs_box.c -- the machine and its accidents: files, a start, a kill, a signal, an end. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/holder/procfs.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

/* ---- files and commands ---- */

static bool write_file(struct play *p, const char *path, const char *text, mode_t mode)
{
	FILE *f = fopen(path, "we");
	bool ok = f && fputs(text, f) >= 0;

	ok = f && fclose(f) == 0 && ok && chmod(path, mode) == 0;
	return ok || play_fail(p, "%s: %m", path);
}

static bool do_config(struct play *p, const struct words *w)
{
	(void)w;
	return write_file(p, p->box.config, play_body(p), 0600);
}

static bool do_file(struct play *p, const struct words *w)
{
	return write_file(p, w->v[1], play_body(p), 0644);
}

static bool do_script(struct play *p, const struct words *w)
{
	return write_file(p, w->v[1], play_body(p), 0755);
}

static struct vy_json *outcome(int status, struct vy_buf *text)
{
	struct vy_json *o = vy_json_new_obj();

	while (text->len && text->data[text->len - 1] == '\n') {
		vy_buf_truncate(text, text->len - 1);
	}
	vy_json_set_int(o, "status", status);
	vy_json_set_str(o, "out", vy_buf_str(text));
	vy_json_take(o, "json", vy_json_parse(vy_buf_str(text), NULL));
	return o;
}

static bool shell(struct play *p, const struct words *w, bool must)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	int status = box_shell(&p->box, w->rest[1], &out);

	play_it(p, outcome(status, &out));
	return status == 0 || !must || play_fail(p, "status %d", status);
}

static bool do_sh(struct play *p, const struct words *w)
{
	return shell(p, w, true);
}

static bool do_try(struct play *p, const struct words *w)
{
	return shell(p, w, false);
}

/* Without it the script is skipped. */
static bool do_needs(struct play *p, const struct words *w)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	if (box_shell(&p->box, w->rest[1], &out) != 0) {
		printf("%s: skipped: needs %s\n", p->path, w->rest[1]);
		p->is_skipped = true;
	}
	return true;
}

static bool do_env(struct play *p, const struct words *w)
{
	box_env(&p->box, w->v[1], w->n > 2 ? w->v[2] : "");
	return true;
}

/* ---- vyred's life ---- */

#define REVIVALS 100

static bool do_under(struct play *p, const struct words *w)
{
	free((char *)(uintptr_t)p->box.under);
	p->box.under = w->n > 1 ? vy_strdup(w->rest[1]) : NULL;
	return true;
}

static bool starts(struct play *p, const struct words *w)
{
	if (p->box.vyred) {
		return play_fail(p, "vyred runs already");
	}
	box_start(&p->box, &w->v[1], w->n - 1);
	return true;
}

static bool ready_or_ended(struct play *p, void *ctx)
{
	(void)ctx;
	return p->box.is_ended || box_answers(&p->box);
}

/* Waits until the one that was started listens. */
static bool becomes_ready(struct play *p)
{
	if (!play_until(p, ready_or_ended, NULL)) {
		return play_fail(p, "vyred does not listen");
	}
	if (p->box.is_ended) {
		return play_fail(p, "vyred ended with status %d", p->box.status);
	}
	play_reopen(p);
	return true;
}

bool play_revive(struct play *p)
{
	bool ok = false;

	if (p->is_steady && p->box.is_ended && !p->is_reviving) {
		p->is_reviving = true;
		for (int i = 0; !ok && p->box.is_ended && i < REVIVALS; i++) { /* it falls again */
			box_start(&p->box, NULL, 0);
			ok = becomes_ready(p);
		}
		p->is_reviving = false;
	}
	return ok;
}

static bool do_start(struct play *p, const struct words *w)
{
	return starts(p, w) && (becomes_ready(p) || play_revive(p));
}

/* steady [off]: from now on a vyred that falls is started again by itself. */
static bool do_steady(struct play *p, const struct words *w)
{
	p->is_steady = w->n < 2;
	return true;
}

/* fall N [after]: the next vyred dies before (behind) its Nth doing. */
static bool do_fall(struct play *p, const struct words *w)
{
	long long n;

	if (!vy_parse_i64(vy_str_c(w->v[1]), &n)) {
		return play_fail(p, "expected: fall N [after]");
	}
#ifdef __SANITIZE_ADDRESS__
	printf("%s: skipped: nothing can be preloaded below ASan\n", p->path);
	p->is_skipped = true;
#endif
	p->box.fall = (long)n;
	p->box.falls_after = w->n > 2;
	return true;
}

/* tries NAME: starts it and waits until it listens or has ended; NAME is yes or no. */
static bool do_tries(struct play *p, const struct words *w)
{
	unlink(p->box.err);
	box_start(&p->box, NULL, 0);
	if (!play_until(p, ready_or_ended, NULL)) {
		return play_fail(p, "it neither listens nor ends");
	}
	play_set(p, w->v[1], p->box.is_ended ? "no" : "yes");
	return true;
}

/* Not waited for: a script that kills it while it starts. */
static bool do_launch(struct play *p, const struct words *w)
{
	return starts(p, w);
}

static bool ended(struct play *p, void *ctx)
{
	(void)ctx;
	return p->box.is_ended;
}

static bool wait_for_end(struct play *p)
{
	return play_until(p, ended, NULL) || play_fail(p, "vyred does not end");
}

/* A start that must fail: `it` is its status and what it said. */
static bool do_refused(struct play *p, const struct words *w)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	char command[256];

	unlink(p->box.err);
	if (!starts(p, w) || !wait_for_end(p)) {
		return false;
	}
	snprintf(command, sizeof(command), "cat '%s'", p->box.err);
	box_shell(&p->box, command, &out);
	play_it(p, outcome(p->box.status, &out));
	return p->box.status != 0 || play_fail(p, "it ended with 0");
}

static int signal_of(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} rows[] = { { "KILL", SIGKILL }, { "TERM", SIGTERM }, { "INT", SIGINT }, { "HUP", SIGHUP },
		{ "USR1", SIGUSR1 }, { "STOP", SIGSTOP }, { "CONT", SIGCONT } };

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (strcmp(rows[i].name, name) == 0) {
			return rows[i].number;
		}
	}
	return 0;
}

static bool kill_vyred(struct play *p)
{
	if (!p->box.vyred) {
		return play_fail(p, "no vyred runs");
	}
	kill(p->box.vyred, SIGKILL);
	return wait_for_end(p);
}

static pid_t pid_of(struct play *p, const char *word)
{
	long long n;
	pid_t pid = 0;

	if (strcmp(word, "vyred") == 0) {
		return p->box.vyred;
	}
	if (vy_parse_i64(vy_str_c(word), &n)) {
		return (pid_t)n;
	}
	return box_count(&p->box, word, &pid) > 0 ? pid : 0;
}

/* kill vyred | PID | NAME: by SIGKILL; vyred is also waited for. */
static bool do_kill(struct play *p, const struct words *w)
{
	pid_t pid;

	if (strcmp(w->v[1], "vyred") == 0) {
		return kill_vyred(p);
	}
	pid = pid_of(p, w->v[1]);
	return (pid > 0 && kill(pid, SIGKILL) == 0) || play_fail(p, "there is no %s", w->v[1]);
}

static bool do_signal(struct play *p, const struct words *w)
{
	pid_t pid = pid_of(p, w->v[1]);
	int signo = w->n > 2 ? signal_of(w->v[2]) : 0;

	return (pid > 0 && signo && kill(pid, signo) == 0) ||
	       play_fail(p, "expected: signal PROCESS NAME, of one that is there");
}

/* ends [STATUS|any]: vyred ends by itself. */
static bool do_ends(struct play *p, const struct words *w)
{
	long long want = 0;

	if (w->n > 1 && strcmp(w->v[1], "any") == 0) {
		return wait_for_end(p);
	}
	if (w->n > 1 && !vy_parse_i64(vy_str_c(w->v[1]), &want)) {
		return play_fail(p, "expected: ends [STATUS]");
	}
	return wait_for_end(p) &&
	       (p->box.status == want || play_fail(p, "status %d", p->box.status));
}

/* ---- who is there ---- */

static bool is_alive(pid_t pid)
{
	struct procfs_stat st;

	return procfs_stat(pid, &st) == 0 && st.state != 'Z';
}

static bool do_alive(struct play *p, const struct words *w)
{
	pid_t pid = pid_of(p, w->v[1]);

	return (pid > 0 && is_alive(pid)) || play_fail(p, "%s is not alive", w->v[1]);
}

static bool is_gone(struct play *p, void *ctx)
{
	pid_t pid = pid_of(p, ctx);

	return pid <= 0 || !is_alive(pid);
}

static bool do_gone(struct play *p, const struct words *w)
{
	return play_until(p, is_gone, (void *)(uintptr_t)w->v[1]) ||
	       play_fail(p, "%s is still there", w->v[1]);
}

static bool is_alone(struct play *p, void *ctx)
{
	(void)ctx;
	return box_count(&p->box, "", NULL) == 0;
}

/* Nothing of ours runs but vyred. */
static bool do_alone(struct play *p, const struct words *w)
{
	VY_AUTO_BUF out = VY_BUF_INIT(65536);
	char command[128];
	pid_t pid = 0;

	(void)w;
	if (play_until(p, is_alone, NULL)) {
		return true;
	}
	box_count(&p->box, "", &pid);
	snprintf(command, sizeof(command), "tr '\\0' ' ' </proc/%d/cmdline; ls -l /proc/%d/fd",
		(int)pid, (int)pid);
	box_shell(&p->box, command, &out);
	return play_fail(p, "there is still %d: %s", (int)pid, vy_buf_c(&out));
}

static bool do_nowhere(struct play *p, const struct words *w)
{
	VY_AUTO_BUF where = VY_BUF_INIT(8192);
	VY_AUTO_BUF it = VY_BUF_INIT(64 * VY_MIB);

	if (p->it) {
		vy_json_dump(p->it, &it);
	}
	if (box_text_holds(vy_buf_str(&it), w->v[1])) {
		return play_fail(p, "it holds it");
	}
	for (size_t i = 0; i < p->n_viewers; i++) {
		for (size_t k = 0; k < p->viewers[i]->n; k++) {
			if (box_text_holds(vy_str_c(p->viewers[i]->v[k].text), w->v[1])) {
				return play_fail(p, "viewer %s saw it: %s", p->viewers[i]->name,
					p->viewers[i]->v[k].text);
			}
		}
	}
	return !box_holds(&p->box, w->v[1], &where) ||
	       play_fail(p, "it is in %s", vy_buf_c(&where));
}

/* ---- accidents ---- */

/* Some time passes, for accidents to fall anywhere: never for something to be ready. */
static void pass(struct play *p, int ms)
{
	for (int i = 0; i < ms; i++) {
		play_pump(p, 1);
	}
}

static bool do_sometime(struct play *p, const struct words *w)
{
	long long most = 0;

	if (!vy_parse_i64(vy_str_c(w->v[1]), &most)) {
		return play_fail(p, "expected: sometime MILLISECONDS");
	}
	pass(p, (int)play_random(p, (uint32_t)most + 1));
	return true;
}

/* chaos TIMES MS [stops]: vyred is killed at a random moment of so long, and started; one time in
 * four it is killed again while it starts; with `stops`, one in four while it ends by itself. */
static bool do_chaos(struct play *p, const struct words *w)
{
	struct words none = { .n = 1 };
	long long times, most;

	if (!vy_parse_i64(vy_str_c(w->v[1]), &times) || !vy_parse_i64(vy_str_c(w->v[2]), &most)) {
		return play_fail(p, "expected: chaos TIMES MILLISECONDS");
	}
	while (times-- > 0) {
		pass(p, (int)play_random(p, (uint32_t)most + 1));
		if (w->n > 3 && play_random(p, 4) == 0) {
			kill(p->box.vyred, SIGTERM);
			pass(p, (int)play_random(p, 30));
		}
		if (p->box.vyred && !kill_vyred(p)) {
			return false;
		}
		if (play_random(p, 4) == 0) {
			box_start(&p->box, NULL, 0);
			pass(p, (int)play_random(p, 60));
			if (p->box.vyred && !kill_vyred(p)) {
				return false;
			}
		}
		if (!do_start(p, &none)) {
			return false;
		}
	}
	return true;
}

const struct play_entry verbs_box[] = {
	{ "config", 0, do_config },
	{ "file", 1, do_file },
	{ "script", 1, do_script },
	{ "sh", 1, do_sh },
	{ "try", 1, do_try },
	{ "needs", 1, do_needs },
	{ "env", 1, do_env },
	{ "under", 0, do_under },
	{ "start", 0, do_start },
	{ "steady", 0, do_steady },
	{ "fall", 1, do_fall },
	{ "launch", 0, do_launch },
	{ "tries", 1, do_tries },
	{ "refused", 0, do_refused },
	{ "kill", 1, do_kill },
	{ "signal", 2, do_signal },
	{ "ends", 0, do_ends },
	{ "alive", 1, do_alive },
	{ "gone", 1, do_gone },
	{ "alone", 0, do_alone },
	{ "nowhere", 1, do_nowhere },
	{ "sometime", 1, do_sometime },
	{ "chaos", 2, do_chaos },
	{ 0 },
};
