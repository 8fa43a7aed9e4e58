/* table_copy.c -- see table_copy.h. Two rounds over the source's frames (copy.h), then its outputs, then
 * its marks, record and turn in one commit. */
#include "server/session/table_copy.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/copy.h"
#include "server/session/rewind.h"
#include "server/session/session_in.h"
#include "server/session/table_in.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/codec.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define SPACE      "copy"
#define LOOK_STEP  1000 /* frames a turn of the loop: looked at, …  */
#define COPY_STEP  64   /* … and copied, … */
#define COPY_BYTES (256 * VY_KIB)
#define EXPORTS    "export-"

enum step { STEP_LOOK, STEP_COPY, STEP_OUTPUTS };

struct copying {
	struct table *table;
	struct copy copy;
	enum step step;
	bool is_busy;  /* the source, when it began */
	int64_t after; /* of the source: read so far */
	int64_t head;
	struct rewind_mark mark; /* where its agent begins; slices are mem's */
	struct vy_str fork_of;
	struct record *record;   /* of the copy */
	struct vy_json *outputs; /* refs that are still to be copied */
	struct vy_arena mem, one;
	struct frame_ref **refs; /* read in this step */
	size_t n, cap, bytes;
	struct vy_timer *soon;
	int64_t began; /* ms */
	table_copied_fn *fn;
	void *ctx;
};

static void go_on(void *ctx);

/* ---- its end ---- */

void table_copy_free(struct copying *c)
{
	if (!c) {
		return;
	}
	vy_timer_del(c->soon);
	for (size_t i = 0; i < c->n; i++) {
		frame_unref(c->refs[i]);
	}
	free(c->refs);
	copy_fini(&c->copy);
	record_free(c->record);
	vy_json_free(c->outputs);
	vy_arena_fini(&c->mem);
	vy_arena_fini(&c->one);
	free(c);
}

static void mark_half(struct copying *c, bool is_half)
{
	struct log *l = c->table->conf.log;

	if (is_half) {
		LOG_PUT(l, ROW_KV, kv, .space = VY_STR_LIT(SPACE), .name = vy_str_c(c->copy.to),
			.value = vy_str_c(c->copy.from));
	} else {
		LOG_DEL(l, ROW_KV, kv, .space = VY_STR_LIT(SPACE), .name = vy_str_c(c->copy.to));
	}
}

static void finish(struct copying *c, struct session *made, const struct vy_err *why)
{
	c->table->copying = NULL;
	if (!made) {
		LOG_DEL(c->table->conf.log, ROW_SESSION, session, .session = vy_str_c(c->copy.to));
		mark_half(c, false);
	}
	c->fn(c->ctx, made, why);
	table_copy_free(c);
}

/* ---- frames ---- */

static bool keep_ref(void *ctx, struct frame_ref *ref)
{
	struct copying *c = ctx;
	size_t most = c->step == STEP_LOOK ? LOOK_STEP : COPY_STEP;

	c->refs = vy_grow(c->refs, &c->cap, c->n + 1, sizeof(struct frame_ref *));
	c->refs[c->n++] = frame_ref(ref);
	c->bytes += frame_ref_str(ref).n;
	c->after = ref->cur;
	return c->n < most && (c->step == STEP_LOOK || c->bytes < COPY_BYTES) && c->after < c->head;
}

static void look(struct copying *c, struct vy_str bytes)
{
	static const char status[] = "\"session.status\"";
	struct vy_frame f;

	if (memmem(bytes.p, bytes.n, status, sizeof(status) - 1) &&
		vy_frame_decode(bytes, &c->one, &f, NULL) == 0) {
		copy_look(&c->copy, &f);
	}
}

static int append(struct copying *c, struct vy_frame *f, struct vy_err *e)
{
	struct vy_err why = { 0 };

	if (log_append(c->table->conf.log, c->copy.to, f, &why) == 0) {
		return 0;
	}
	if (why.code == VY_BAD_INPUT) { /* what an older vyred wrote, and this one would not */
		vy_log(VY_LOG_WARN, "session.copy", "session=%s kind=%s why=%s", c->copy.to,
			vy_kind_word(f->kind), vy_log_q(why.text));
		return 0;
	}
	*e = why;
	return -1;
}

static int copy_one(struct copying *c, struct vy_str bytes, struct vy_err *e)
{
	struct vy_frame f, out, end;

	if (vy_frame_decode(bytes, &c->one, &f, NULL) != 0 ||
		!copy_frame(&c->copy, &f, &c->one, &out)) {
		return 0;
	}
	while (copy_before(&c->copy, &out, &c->one, &end)) {
		end.time = out.time;
		if (append(c, &end, e) != 0) {
			return -1;
		}
	}
	return append(c, &out, e);
}

/* One step over the frames. 1: there are more. */
static int step_frames(struct copying *c, struct vy_err *e)
{
	const struct store_reading how = { .merge_to = c->head, .is_whole = true };
	int rc = 0;

	c->n = c->bytes = 0;
	if (c->after < c->head && log_read_as(c->table->conf.log, c->copy.from, c->after, &how,
					  keep_ref, c, e) != 0) {
		return -1;
	}
	size_t n = c->n;

	for (size_t i = 0; i < n; i++) {
		struct vy_str bytes = frame_ref_str(c->refs[i]);

		if (c->step == STEP_LOOK) {
			look(c, bytes);
		} else {
			rc = rc == 0 ? copy_one(c, bytes, e) : rc;
		}
		frame_unref(c->refs[i]);
		vy_arena_reset(&c->one);
	}
	c->n = 0;
	return rc != 0 ? -1 : n > 0 && c->after < c->head;
}

/* ---- outputs ---- */

static bool add_ref(void *ctx, const struct store_row *row)
{
	if (!vy_str_starts(row->output.ref, EXPORTS) && !vy_str_starts(row->output.ref, "undo/")) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_str(o, "ref", row->output.ref);
		vy_json_set_str(o, "mime", row->output.mime);
		vy_json_add_take(ctx, o);
	}
	return true;
}

static int list_outputs(struct copying *c, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_OUTPUT,
		.output = { .session = vy_str_c(c->copy.from) } };

	return log_each(c->table->conf.log, &like, add_ref, c->outputs, e);
}

/* One of them; 1: there are more. */
static int step_outputs(struct copying *c, struct vy_err *e)
{
	struct log *l = c->table->conf.log;
	size_t n = vy_json_len(c->outputs);
	const struct vy_json *o = n ? vy_json_at(c->outputs, n - 1) : NULL;
	struct vy_str ref = vy_json_str(o, "ref"), from = vy_str_c(c->copy.from);
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_SEND_TEXT_MAX * 2);
	int64_t total = 0;

	if (!o) {
		return 0;
	}
	if (log_output(l, from, ref, 0, NULL, 0, &total, e) < 0 ||
		!vy_buf_reserve(&bytes, (size_t)total)) {
		return -1;
	}
	int64_t got = log_output(l, from, ref, 0, bytes.data, (size_t)total, &total, e);

	if (got < 0) {
		return -1;
	}
	LOG_PUT(l, ROW_OUTPUT, output, .session = vy_str_c(c->copy.to), .ref = ref,
		.mime = vy_json_str(o, "mime"), .bytes = vy_str_n(bytes.data, (size_t)got));
	vy_json_del_at(c->outputs, n - 1);
	return n > 1;
}

/* ---- marks, record, turn ---- */

struct marking {
	struct copying *c;
	char space[64];
	struct vy_json *rows; /* [message, mark] */
};

static bool add_mark(void *ctx, const struct store_row *row)
{
	struct marking *m = ctx;
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "message", row->kv.name);
	vy_json_set_str(o, "mark", row->kv.value);
	vy_json_add_take(m->rows, o);
	return true;
}

static bool is_there(void *ctx, const struct store_row *row)
{
	(void)row;
	*(bool *)ctx = true;
	return true;
}

/* Histories only grow, so a mark of the source's is as good for the copy. */
static void put_mark(struct copying *c, const char *space, const struct vy_json *o)
{
	struct store_row said = { .kind = ROW_MESSAGE,
		.message = {
			.session = vy_str_c(c->copy.to), .message = vy_json_str(o, "message") } };
	struct rewind_mark mark;
	bool is_copied = false;

	if (!rewind_mark_read(vy_json_str(o, "mark"), &c->one, &mark) ||
		log_row(c->table->conf.log, &said, is_there, &is_copied, NULL) != 0 || !is_copied) {
		return;
	}
	VY_AUTO_JSON *v = rewind_mark_json(&mark);
	VY_AUTO_BUF text = VY_BUF_INIT(4 * VY_KIB);

	vy_json_dump(v, &text);
	LOG_PUT(c->table->conf.log, ROW_KV, kv, .space = vy_str_c(space),
		.name = vy_json_str(o, "message"), .value = vy_buf_str(&text));
}

static void put_marks(struct copying *c)
{
	VY_AUTO_JSON *rows = vy_json_new_arr();
	struct marking m = { .c = c, .rows = rows };
	char space[64];

	snprintf(m.space, sizeof(m.space), REWIND_SPACE "%s", c->copy.from);
	snprintf(space, sizeof(space), REWIND_SPACE "%s", c->copy.to);
	struct store_row like = { .kind = ROW_KV, .kv = { .space = vy_str_c(m.space) } };

	(void)!log_each(c->table->conf.log, &like, add_mark, &m, NULL);
	for (size_t i = 0; i < vy_json_len(rows); i++) {
		put_mark(c, space, vy_json_at(rows, i));
		vy_arena_reset(&c->one);
	}
}

static int end_frames(struct copying *c, struct vy_err *e)
{
	struct vy_frame f;

	while (copy_end(&c->copy, &c->one, &f)) {
		f.time = vy_wall_ms(c->table->conf.clock);
		if (append(c, &f, e) != 0) {
			return -1;
		}
		vy_arena_reset(&c->one);
	}
	return 0;
}

/* All of it is one commit, and the session is there. */
static int make(struct copying *c, struct session **made, struct vy_err *e)
{
	struct turn_past past = {
		.at = c->mark.at,
		.fork_of = c->fork_of,
		.chapter = c->mark.chapter,
		.mode = vy_str_c(c->record->mode),
		.model = vy_str_c(c->record->model),
		.thinking = vy_str_c(c->record->thinking),
	};

	log_quiet(c->table->conf.log, true);
	int rc = end_frames(c, e);

	log_quiet(c->table->conf.log, false);
	if (rc != 0) {
		return -1;
	}
	past.number = c->copy.turn;
	past.messages = c->copy.messages;
	put_marks(c);
	*made = table_keep(c->table, session_new(c->table, c->record));
	c->record = NULL;
	session_begin_from(*made, &past);
	mark_half(c, false);
	VY_CRASH(COPY_DONE);
	return 0;
}

/* ---- the steps ---- */

static int step(struct copying *c, struct session **made, struct vy_err *e)
{
	int rc;

	if (c->step == STEP_OUTPUTS) {
		rc = step_outputs(c, e);
		return rc == 0 ? make(c, made, e) : rc < 0 ? -1 : 0;
	}
	log_quiet(c->table->conf.log, true);
	rc = step_frames(c, e);
	log_quiet(c->table->conf.log, false);
	VY_CRASH(COPY_STEP);
	if (rc != 0) {
		return rc < 0 ? -1 : 0;
	}
	if (c->step == STEP_LOOK) {
		copy_looked(&c->copy, c->is_busy);
		c->after = log_floor(c->table->conf.log, c->copy.from) - 1;
		c->step = STEP_COPY;
		return 0;
	}
	c->step = STEP_OUTPUTS;
	return list_outputs(c, e);
}

static void go_on(void *ctx)
{
	struct copying *c = ctx;
	struct session *made = NULL;
	struct vy_err e = { 0 };

	if (log_trouble(c->table->conf.log) != NULL) {
		vy_fail(&e, VY_IO, "the server could not store this, so it was not done");
		finish(c, NULL, &e);
	} else if (step(c, &made, &e) != 0) {
		finish(c, NULL, &e);
	} else if (made) {
		vy_log(VY_LOG_INFO, "session.copied", "session=%s from=%s turns=%lld ms=%lld",
			c->copy.to, c->copy.from, (long long)c->copy.turn,
			(long long)(vy_boot_ms(c->table->conf.clock) - c->began));
		finish(c, made, NULL);
	} else {
		vy_timer_set(c->soon, 0); /* in a turn of the loop of its own */
	}
}

/* ---- the beginning ---- */

/* "X (fork)", and nothing of what only the other one is. */
static struct record *record_of(struct copying *c, struct session *s, struct vy_str person,
	struct vy_str message, struct vy_err *e)
{
	VY_AUTO_JSON *doc = record_encode(s->record);
	VY_AUTO_BUF title = VY_BUF_INIT(4 * VY_KIB);
	struct record *r = record_decode(doc, e);

	if (!r) {
		return NULL;
	}
	char **own[] = { &r->turn, &r->agent_id, &r->started_by };

	for (size_t i = 0; i < VY_COUNT(own); i++) {
		record_set(own[i], vy_str_n(NULL, 0));
	}
	if (r->title) {
		vy_buf_addf(&title, "%s (fork)", r->title);
		record_set(&r->title, vy_buf_str(&title));
	}
	record_set(&r->session, vy_str_c(c->copy.to));
	record_set(&r->state, VY_STR_LIT("idle"));
	record_set(&r->person, person);
	r->created = r->updated = vy_wall_ms(c->table->conf.clock);
	r->asks = r->queued = r->messages = 0;
	r->spent_usd = 0; /* it has the same budget, for itself */
	r->held = r->is_archived = r->is_once = r->is_deleted = false;
	vy_json_free(r->tasks);
	r->tasks = NULL;
	vy_json_free(r->forked_from);
	vy_json_free(r->adopted); /* its history is a copy of ours */
	r->adopted = NULL;
	r->forked_from = vy_json_new_obj();
	vy_json_set_c(r->forked_from, "session", c->copy.from);
	if (message.n) {
		vy_json_set_str(r->forked_from, "message", message);
	}
	return r;
}

int table_copy(struct table *t, const struct table_copy *what, table_copied_fn *fn, void *ctx,
	struct vy_err *e)
{
	struct copying *c;
	struct session_origin origin = { .upto = INT64_MAX };
	char id[VY_UUID_LEN + 1];

	if (t->copying) {
		return vy_fail(e, VY_BUSY, "another copy is just being made: wait a moment");
	}
	c = VY_NEW(struct copying);
	c->table = t;
	c->fn = fn;
	c->ctx = ctx;
	c->outputs = vy_json_new_arr();
	c->soon = vy_loop_timer(t->conf.loop, go_on, c);
	vy_arena_init(&c->mem);
	vy_arena_init(&c->one);
	vy_uuid(id);
	copy_init(&c->copy, vy_str_c(session_id(what->from)), vy_str_c(id), UINT64_MAX);
	if (session_origin_of(what->from, what->message, &c->mem, &origin, e) != 0 ||
		!(c->record = record_of(c, what->from, what->person, what->message, e))) {
		table_copy_free(c);
		return -1;
	}
	c->head = log_head(t->conf.log, c->copy.from);
	c->after = log_floor(t->conf.log, c->copy.from) - 1;
	c->copy.upto = origin.upto < c->head ? (uint64_t)origin.upto : (uint64_t)c->head;
	c->is_busy = !what->message.n && session_is_busy(what->from);
	c->mark = origin.mark;
	c->fork_of = origin.fork_of;
	c->began = vy_boot_ms(t->conf.clock);
	t->copying = c;
	mark_half(c, true);
	vy_timer_set(c->soon, 0);
	return 0;
}

/* ---- at boot ---- */

static bool add_half(void *ctx, const struct store_row *row)
{
	vy_json_add_take(ctx, vy_json_new_str(row->kv.name));
	return true;
}

void table_copy_clean(struct table *t)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = VY_STR_LIT(SPACE) } };
	VY_AUTO_JSON *list = vy_json_new_arr();

	(void)!log_each(t->conf.log, &like, add_half, list, NULL);
	for (size_t i = 0; i < vy_json_len(list); i++) {
		struct vy_str id = vy_json_strval(vy_json_at(list, i));

		vy_log(VY_LOG_INFO, "session.half_copy", "session=%.*s", VY_STR_ARG(id));
		LOG_DEL(t->conf.log, ROW_SESSION, session, .session = id);
		LOG_DEL(t->conf.log, ROW_KV, kv, .space = VY_STR_LIT(SPACE), .name = id);
	}
}
