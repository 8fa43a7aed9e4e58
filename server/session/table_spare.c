/* table_spare.c -- the warm spare: an agent that is started and greeted before anybody asks for it.
 *
 * A spare is a session that is nobody's yet: its agent runs under the id that the next session then has
 * (claude is told its id when it is launched), it is in no list, nothing it says is written down, and
 * beside its process' row one is stored that says whose that is, so that a vyred that dies leaves one that
 * the next ends. It is for a start just like the last one: what it would be launched with must
 * be, word for word, what the spare was launched with (arguments, environment, folder, user, prompt,
 * credential), and nothing that an agent reads when it starts may have changed since. So it is never
 * another person's, and carries nothing of anybody to anybody else. It counts as live, is let go before
 * any other, and after `idle_minutes`; what the configuration says anew ends it. */
#include "server/session/table_in.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "server/hub/observe.h"
#include "server/log/log.h"
#include "server/session/session_in.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

static void add_stamp(struct vy_buf *b, const char *dir, const char *name)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	struct stat st;

	vy_buf_addf(&path, "%s/%s", dir, name);
	if (stat(vy_buf_c(&path), &st) == 0) {
		vy_buf_addf(b, "%s %lld %lld.%09ld %lld\n", name, (long long)st.st_ino,
			(long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (long long)st.st_size);
	}
}

/* What it read when it started, and does not look at again. */
static void add_stamps(const struct table *t, const struct record *r, struct vy_buf *b)
{
	static const char *const of_folder[] = { "CLAUDE.md", "CLAUDE.local.md", ".mcp.json",
		".claude/CLAUDE.md", ".claude/settings.json", ".claude/settings.local.json",
		".git/HEAD", ".git/index" };
	static const char *const of_home[] = { ".claude/CLAUDE.md", ".claude/settings.json",
		".claude/.credentials.json" };
	const struct agent_user *au = table_agent_user(t);

	add_stamp(b, t->conf.state_dir, "secrets");
	for (size_t i = 0; i < VY_COUNT(of_folder); i++) {
		add_stamp(b, r->cwd, of_folder[i]);
	}
	for (size_t i = 0; !au && i < VY_COUNT(of_home); i++) {
		add_stamp(b, t->conf.home, of_home[i]);
	}
}

/* ---- what outlives us ---- */

#define SPACE VY_STR_LIT("life")
#define NAME  VY_STR_LIT("spare")

static void put_row(struct table *t, const struct record *r)
{
	VY_AUTO_JSON *doc = record_encode(r);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(doc, &text);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = SPACE, .name = NAME, .value = vy_buf_str(&text));
}

static void del_row(struct table *t)
{
	LOG_DEL(t->conf.log, ROW_KV, kv, .space = SPACE, .name = NAME);
}

static bool read_row(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->kv.value, NULL);
	return false;
}

/* An earlier vyred's: it is ended, as the words it was launched with are not known any more. */
struct session *table_spare_boot(struct table *t, struct vy_str id)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = SPACE, .name = NAME } };
	struct vy_json *found = NULL;

	(void)!log_each(t->conf.log, &like, read_row, &found, NULL);
	VY_AUTO_JSON *doc = found;
	struct record *r =
		doc && vy_str_eq(vy_json_str(doc, "session"), id) ? record_decode(doc, NULL) : NULL;
	struct session *s = r ? table_keep(t, session_new(t, r)) : NULL;

	if (s) {
		session_end_spare(s);
	}
	return s;
}

/* ---- the last start ---- */

static struct vy_json *start_json(const struct table_start *st)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "provider", st->provider);
	vy_json_set_str(o, "cwd", st->cwd);
	vy_json_set_str(o, "project", st->project);
	vy_json_set_str(o, "purpose", st->purpose);
	vy_json_set_str(o, "model", st->model);
	vy_json_set_str(o, "system", st->system);
	vy_json_set_str(o, "person", st->person);
	if (st->env) {
		vy_json_take(o, "env", vy_json_copy(st->env));
	}
	return o;
}

static struct table_start start_of(const struct vy_json *o)
{
	return (struct table_start){
		.provider = vy_json_str(o, "provider"),
		.cwd = vy_json_str(o, "cwd"),
		.project = vy_json_str(o, "project"),
		.purpose = vy_json_str(o, "purpose"),
		.model = vy_json_str(o, "model"),
		.system = vy_json_str(o, "system"),
		.person = vy_json_str(o, "person"),
		.env = vy_json_get(o, "env"),
	};
}

/* Of an agent's own, of a job, of a folder that is only that session's, of another mode, of some tools
 * or a budget alone: none. */
static bool can_have(const struct table_start *st)
{
	return st->cwd.n && !st->started_by.n && !st->is_once && !st->tools &&
	       !(st->budget_usd > 0) && (!st->mode.n || vy_str_is(st->mode, "default"));
}

void table_spare_learn(struct table *t, const struct table_start *st)
{
	if (can_have(st)) {
		vy_json_free(t->last_start);
		t->last_start = start_json(st);
	}
}

/* ---- its life ---- */

void table_spare_drop(struct table *t)
{
	struct session *s = t->spare;

	t->spare = NULL;
	if (s) {
		session_end_spare(s);
		VY_CRASH(SPARE_DROPPED);
		vy_log(VY_LOG_INFO, "spare.drop", "session=%s", session_id(s));
	}
}

void table_spare_gone(struct table *t, struct session *s)
{
	t->spare = t->spare == s ? NULL : t->spare;
	vy_log(VY_LOG_INFO, "spare.gone", "session=%s", session_id(s));
	observe_forget(t->conf.observe, session_id(s));
	if (!t->spare) {
		del_row(t);
	}
	table_drop(t, s);
}

void table_spare_gone_as(struct session *s)
{
	table_spare_gone(s->table, s);
}

static void make(void *ctx)
{
	struct table *t = ctx;
	struct table_start st = start_of(t->last_start);
	struct vy_err e = { 0 };
	char id[VY_UUID_LEN + 1];

	if (t->spare || t->is_ending || !table_has_free(t)) {
		return;
	}
	vy_uuid(id);
	struct record *r = record_new(id);

	r->created = r->updated = vy_wall_ms(t->conf.clock);
	if (table_fill(t, r, &st, &e) != 0) {
		record_free(r);
		return;
	}
	struct session *s = table_keep(t, session_new(t, r));

	t->spare = s;
	put_row(t, r);
	vy_buf_clear(&t->spare_key);
	session_warm(s, &t->spare_key);
	add_stamps(t, r, &t->spare_key);
	vy_log(VY_LOG_INFO, "spare.new", "session=%s provider=%s cwd=%s", id, r->provider,
		vy_log_q(r->cwd));
	VY_CRASH(SPARE_NEW);
	if (!session_is_live(s)) { /* it cannot be started: the one who asks is told why */
		table_spare_gone(t, s);
	}
}

void table_spare_want(struct table *t)
{
	if (t->last_start && !t->spare) {
		vy_loop_defer(t->conf.loop, make, t);
	}
}

void table_spare_free(struct table *t)
{
	vy_loop_forget(t->conf.loop, make, t);
	vy_json_free(t->last_start);
	vy_buf_fini(&t->spare_key);
}

/* ---- taken ---- */

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

struct session *table_spare_take(
	struct table *t, struct record **own_r, const struct table_start *st)
{
	struct session *s = t->spare;
	VY_AUTO_BUF key = VY_BUF_INIT(VY_LINE_MAX);

	if (!s || !can_have(st) || !session_can_be_taken(s)) {
		return NULL;
	}
	/* Another person's is not even compared: it would get the spare's socket. */
	if (is_same(session_record(s)->person, (*own_r)->person) &&
		session_key_as(s, *own_r, &key)) {
		add_stamps(t, *own_r, &key);
	}
	if (!key.len || !vy_str_eq(vy_buf_str(&key), vy_buf_str(&t->spare_key))) {
		table_spare_drop(t); /* the last start is another one now */
		return NULL;
	}
	t->spare = NULL;
	del_row(t);
	session_take(s, own_r);
	VY_CRASH(SPARE_TAKEN);
	vy_log(VY_LOG_INFO, "spare.taken", "session=%s", session_id(s));
	return s;
}
