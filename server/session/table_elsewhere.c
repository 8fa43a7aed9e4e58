/* table_elsewhere.c -- one writer: a session whose conversation another has open waits for its end.
 *
 * The ledger (elsewhere.h) knows who that is; here are its edges: a look at /proc and at a file when a
 * process is wanted for a conversation that was begun before, a pidfd for each process that matters,
 * and one timer for files that nobody known is writing. While nothing waits and no claude is bound
 * there is neither. What changes is stored with what it comes from. */
#include "server/session/session_in.h"
#include "server/session/table_in.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server/io/openers.h"
#include "server/io/peercred.h"
#include "server/log/log.h"
#include "server/session/rewind.h"
#include "server/session/table_adopt.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define SPACE VY_STR_LIT("elsewhere")
#define NAME  VY_STR_LIT("ledger")

#define LOOK_AGAIN_MS 1000 /* where the kernel has no pidfd, and then only while something waits */

static const char *const agents[] = { "claude", "codex", "gemini", "opencode", NULL };

/* A process whose end matters. */
struct table_eye {
	LIST_ENTRY(table_eye) link;
	struct table *t;
	struct elsewhere_proc proc;
	int fd;
	struct vy_watch *watch;
};

/* ---- what outlives us ---- */

static void stage(void *ctx)
{
	struct table *t = ctx;
	VY_AUTO_JSON *v = elsewhere_encode(t->elsewhere);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	t->elsewhere_rev = elsewhere_rev(t->elsewhere);
	vy_json_dump(v, &text);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = SPACE, .name = NAME, .value = vy_buf_str(&text));
	VY_CRASH(ELSEWHERE_STAGED);
}

void table_elsewhere_keep(struct table *t)
{
	if (t->elsewhere_rev != elsewhere_rev(t->elsewhere)) {
		vy_loop_defer(t->conf.loop, stage, t);
	}
}

/* ---- whose end matters ---- */

static bool is_alive(const struct elsewhere_proc *p)
{
	struct peercred_proc now;

	return peercred_proc((pid_t)p->pid, &now, NULL) == 0 && now.born == p->born;
}

static void arm(struct table *t);

static void eye_close(struct table_eye *eye)
{
	LIST_REMOVE(eye, link);
	vy_watch_del(eye->watch);
	if (eye->fd >= 0) {
		close(eye->fd);
	}
	free(eye);
}

static void on_end(void *ctx, int fd, unsigned events)
{
	struct table_eye *eye = ctx;
	struct table *t = eye->t;
	struct elsewhere_proc p = eye->proc;

	(void)fd;
	(void)events;
	eye_close(eye);
	table_elsewhere_gone(t, &p);
}

void table_elsewhere_watch(struct table *t, const struct elsewhere_proc *p)
{
	struct table_eye *eye;

	LIST_FOREACH (eye, &t->eyes, link) {
		if (eye->proc.pid == p->pid && eye->proc.born == p->born) {
			return;
		}
	}
	eye = VY_NEW(struct table_eye);
	eye->t = t;
	eye->proc = *p;
	eye->fd = (int)syscall(SYS_pidfd_open, (pid_t)p->pid, 0);
	LIST_INSERT_HEAD(&t->eyes, eye, link);
	/* It may have ended, and its number be another's, before we had hold of it. */
	if (eye->fd >= 0 && is_alive(p)) {
		eye->watch = vy_loop_watch(t->conf.loop, eye->fd, VY_READ, on_end, eye);
	}
	arm(t);
}

/* Nobody asks for the end of that one any more. */
static bool is_watched_for(const struct table *t, const struct elsewhere_proc *p)
{
	const struct elsewhere_wait *w;

	for (size_t i = 0; (w = elsewhere_waiting(t->elsewhere, i)); i++) {
		if (w->by.pid == p->pid && w->by.born == p->born) {
			return true;
		}
	}
	return elsewhere_by(t->elsewhere, p) != NULL;
}

static void tidy_eyes(struct table *t)
{
	struct table_eye *eye, *next;

	for (eye = LIST_FIRST(&t->eyes); eye; eye = next) {
		next = LIST_NEXT(eye, link);
		if (!is_watched_for(t, &eye->proc)) {
			eye_close(eye);
		}
	}
	arm(t);
}

/* The first file to be quiet; and what has no pidfd is looked at once a second. */
static void arm(struct table *t)
{
	const struct elsewhere_wait *w;
	const struct table_eye *eye;
	int64_t now = vy_wall_ms(t->conf.clock), due = -1;

	for (size_t i = 0; (w = elsewhere_waiting(t->elsewhere, i)); i++) {
		if (w->by.pid == 0 && (due < 0 || w->until_ms < due)) {
			due = w->until_ms;
		}
	}
	LIST_FOREACH (eye, &t->eyes, link) {
		if (!eye->watch && (due < 0 || now + LOOK_AGAIN_MS < due)) {
			due = now + LOOK_AGAIN_MS;
		}
	}
	vy_timer_set(t->quiet, due < 0 ? -1 : due > now ? due - now : 0);
}

/* ---- who waits ---- */

/* Those that wait for it, or for quiet that may have come, look again. */
static void wake(struct table *t, const struct elsewhere_proc *by)
{
	int64_t now = vy_wall_ms(t->conf.clock);
	VY_AUTO_JSON *ids = vy_json_new_arr();
	const struct elsewhere_wait *w;

	for (size_t i = 0; (w = elsewhere_waiting(t->elsewhere, i)); i++) {
		bool is_due = by ? w->by.pid == by->pid && w->by.born == by->born
				 : w->by.pid == 0 && w->until_ms <= now;

		if (is_due) {
			vy_json_add_take(ids, vy_json_new_str(vy_str_c(w->session)));
		}
	}
	for (size_t i = 0; i < vy_json_len(ids); i++) {
		struct vy_err e = { 0 };
		struct session *s = table_find(t, vy_json_strval(vy_json_at(ids, i)), &e);

		if (s && session_wants(s)) {
			table_want(t, s);
		} else {
			elsewhere_unwait(t->elsewhere, vy_json_strval(vy_json_at(ids, i)));
		}
	}
	tidy_eyes(t);
	table_elsewhere_keep(t);
}

/* A hook that had printed its words could not say so: it left a file of the token's name. */
static void read_receipts(struct table *t)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	const struct dirent *d;

	vy_buf_addf(&path, "%s/handed", t->conf.state_dir);
	size_t n = path.len;
	DIR *dir = opendir(vy_buf_c(&path));

	while (dir && (d = readdir(dir))) {
		if (d->d_name[0] == '.') {
			continue;
		}
		table_hook_handed(t, vy_str_c(d->d_name));
		vy_buf_truncate(&path, n);
		vy_buf_addf(&path, "/%s", d->d_name);
		(void)unlink(vy_buf_c(&path));
	}
	if (dir) {
		closedir(dir);
	}
}

/* All its slots are free, and what it wrote is accounted for. */
static void let_go(struct table *t, const struct elsewhere_proc *p)
{
	const struct elsewhere_bound *b = elsewhere_by(t->elsewhere, p);
	int64_t now = vy_wall_ms(t->conf.clock);
	const struct elsewhere_wait *w;

	if (b) {
		elsewhere_explain(t->elsewhere, vy_str_c(b->conversation), now, now);
		table_slot_give_all(t, SLOTS_SUBAGENT, b->conversation, false);
		elsewhere_unbind(t->elsewhere, p);
	}
	for (size_t i = 0; (w = elsewhere_waiting(t->elsewhere, i)); i++) {
		if (w->by.pid == p->pid && w->by.born == p->born) {
			elsewhere_explain(t->elsewhere, vy_str_c(w->conversation), now, now);
		}
	}
}

/* It lives on, and goes on with another conversation: before that is bound, and behind it. */
void table_elsewhere_moves(struct table *t, const struct elsewhere_proc *p)
{
	let_go(t, p);
}

void table_elsewhere_moved(struct table *t, const struct elsewhere_proc *p)
{
	wake(t, p);
}

void table_elsewhere_gone(struct table *t, const struct elsewhere_proc *p)
{
	vy_log(VY_LOG_INFO, "elsewhere.gone", "pid=%lld", (long long)p->pid);
	read_receipts(t);
	let_go(t, p);
	wake(t, p);
}

static void on_quiet(void *ctx)
{
	struct table *t = ctx;
	struct table_eye *eye, *next;

	for (eye = LIST_FIRST(&t->eyes); eye; eye = next) {
		next = LIST_NEXT(eye, link);
		if (!eye->watch && !is_alive(&eye->proc)) {
			struct elsewhere_proc p = eye->proc;

			eye_close(eye);
			table_elsewhere_gone(t, &p);
			next = LIST_FIRST(&t->eyes); /* others may be gone with it */
		}
	}
	wake(t, NULL);
}

/* ---- the look ---- */

/* The conversation that its next start goes on with; empty: a new one, or a copy. */
static struct vy_str conversation_of(struct session *s)
{
	const struct record *r = session_record(s);

	if (!turn_is_taken(s->turn) || turn_rewind(s->turn)->fork_of) {
		return vy_str_n(NULL, 0);
	}
	return vy_str_c(r->agent_id ? r->agent_id : r->session); /* as drivers do */
}

/* One whose hook says what it has open has nothing else open, whatever it was started with. */
static struct elsewhere_proc proc_of(const struct table *t, const struct opener *o)
{
	const struct elsewhere_proc p = { o->pid, o->born };

	return elsewhere_by(t->elsewhere, &p) ? (struct elsewhere_proc){ 0 } : p;
}

static void look(struct table *t, struct session *s, struct elsewhere_is *is, char program[64])
{
	struct vy_str id = conversation_of(s);
	const char *given = table_adopt_file(session_record(s));
	const struct elsewhere_bound *b = elsewhere_of(t->elsewhere, id);
	struct elsewhere_seen seen = { .now_ms = vy_wall_ms(t->conf.clock),
		.explained_ms = elsewhere_explained(t->elsewhere, id) };
	char *path = given ? realpath(given, NULL) : NULL;
	struct openers found = { .named.pid = 0 };
	struct stat st;

	program[0] = '\0';
	if (b && is_alive(&b->proc)) {
		seen.bound = b->proc;
		snprintf(program, 64, "%s", b->program);
	} else {
		openers_find(&(struct openers_ask){ .id = id, .path = path, .programs = agents },
			&found);
		seen.named = proc_of(t, &found.named);
		seen.has_file = proc_of(t, &found.has_file);
		snprintf(program, 64, "%s",
			found.named.pid ? found.named.program : found.has_file.program);
	}
	if (path && stat(path, &st) == 0) {
		seen.grew_ms = st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
	}
	free(path);
	elsewhere_judge(&seen, is);
}

bool table_elsewhere_lets(struct table *t, struct session *s)
{
	struct elsewhere_is is = { .what = ELSEWHERE_NOWHERE };
	struct vy_str id = vy_str_c(session_id(s));
	char program[64] = "";

	if (conversation_of(s).n) {
		look(t, s, &is, program);
	}
	if (is.what == ELSEWHERE_NOWHERE) {
		if (elsewhere_unwait(t->elsewhere, id)) {
			vy_log(VY_LOG_INFO, "elsewhere.over", "session=%s", session_id(s));
			table_adopt_catch_up(
				t, s); /* what was said there comes before what was said here */
			table_elsewhere_keep(t);
			VY_CRASH(ELSEWHERE_OVER);
		}
		return true;
	}
	VY_AUTO_BUF note = VY_BUF_INIT(1024);

	elsewhere_wait(t->elsewhere, id, conversation_of(s), &is);
	if (is.by.pid) {
		table_elsewhere_watch(t, &is.by);
	}
	arm(t);
	elsewhere_say(&is, program, &note);
	vy_log(VY_LOG_INFO, "elsewhere.waits", "session=%s pid=%lld", session_id(s),
		(long long)is.by.pid);
	session_waits(s, "elsewhere", 1, vy_buf_c(&note));
	table_elsewhere_keep(t);
	VY_CRASH(ELSEWHERE_WAITS);
	return false;
}

/* It would have to wait; who waits already does. */
bool table_is_elsewhere(struct table *t, struct session *s)
{
	struct elsewhere_is is;
	char program[64];

	if (session_is_live(s) || turn_has_process(s->turn) || !conversation_of(s).n) {
		return false;
	}
	if (elsewhere_wait_of(t->elsewhere, vy_str_c(session_id(s)))) {
		return true;
	}
	look(t, s, &is, program);
	return is.what != ELSEWHERE_NOWHERE;
}

void table_elsewhere_unwait(struct table *t, struct session *s)
{
	if (elsewhere_unwait(t->elsewhere, vy_str_c(session_id(s)))) {
		tidy_eyes(t);
		table_elsewhere_keep(t);
	}
}

/* Its own agent is gone: what that wrote last is no stranger's. */
void table_elsewhere_left(struct table *t, struct session *s)
{
	int64_t now = vy_wall_ms(t->conf.clock);

	if (session_record(s)->adopted && conversation_of(s).n) {
		elsewhere_explain(t->elsewhere, conversation_of(s), now, now);
		table_elsewhere_keep(t);
	}
}

/* ---- life ---- */

static bool read_ledger(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->kv.value, NULL);
	return false;
}

void table_elsewhere_open(struct table *t)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = SPACE, .name = NAME } };
	struct vy_json *found = NULL;
	struct vy_err e = { 0 };

	LIST_INIT(&t->eyes);
	t->elsewhere = elsewhere_new();
	t->quiet = vy_loop_timer(t->conf.loop, on_quiet, t);
	if (log_each(t->conf.log, &like, read_ledger, &found, &e) != 0) {
		vy_log(VY_LOG_ERROR, "elsewhere", "why=%s", vy_log_q(e.text));
	}
	VY_AUTO_JSON *doc = found;

	if (doc && !elsewhere_decode(t->elsewhere, doc)) {
		vy_log(VY_LOG_ERROR, "elsewhere", "why=damaged");
	}
	t->elsewhere_rev = elsewhere_rev(t->elsewhere);
}

/* What ended while no vyred was there has ended; what waits is looked at anew. */
void table_elsewhere_boot(struct table *t)
{
	const struct elsewhere_bound *b;
	const struct elsewhere_wait *w;
	VY_AUTO_JSON *ids = vy_json_new_arr();

	for (size_t i = 0; (b = elsewhere_at(t->elsewhere, i));) {
		struct elsewhere_proc p = b->proc;

		if (is_alive(&p)) {
			table_elsewhere_watch(t, &p);
			i++;
		} else {
			let_go(t, &p);
		}
	}
	read_receipts(t);
	for (size_t i = 0; (w = elsewhere_waiting(t->elsewhere, i)); i++) {
		if (w->by.pid && !is_alive(&w->by)) {
			int64_t now = vy_wall_ms(t->conf.clock);

			elsewhere_explain(t->elsewhere, vy_str_c(w->conversation), now, now);
		}
		vy_json_add_take(ids, vy_json_new_str(vy_str_c(w->session)));
	}
	for (size_t i = 0; i < vy_json_len(ids); i++) {
		struct vy_err e = { 0 };
		struct vy_str id = vy_json_strval(vy_json_at(ids, i));
		struct session *s = table_find(t, id, &e);

		if (s && session_wants(s)) {
			table_want(t, s);
		} else {
			elsewhere_unwait(t->elsewhere, id);
		}
	}
	arm(t);
	table_elsewhere_keep(t);
}

void table_elsewhere_free(struct table *t)
{
	while (!LIST_EMPTY(&t->eyes)) {
		eye_close(LIST_FIRST(&t->eyes));
	}
	vy_loop_forget(t->conf.loop, stage, t);
	vy_timer_del(t->quiet);
	elsewhere_free(t->elsewhere);
}
