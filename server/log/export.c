/* export.c -- see export.h. */
#include "server/log/export.h"

#include <stdlib.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/message.h"
#include "shared/base/ban.h"

struct walk {
	enum vy_export_format format;
	struct vy_buf *out;
	struct vy_err *e;
	struct vy_arena mem, one; /* one: of one event */
	struct vy_message *messages;
	size_t n, cap;
	struct vy_json *by_id; /* message id -> its place above */
	struct vy_json *told;  /* message ids that were written */
	struct vy_json *calls; /* call id -> its first event's data */
	bool is_bad;
};

/* ---- messages by id ---- */

static bool keep_message(void *ctx, const struct store_row *row)
{
	struct walk *w = ctx;
	struct vy_message *m;

	w->messages = vy_grow(w->messages, &w->cap, w->n + 1, sizeof(*w->messages));
	m = &w->messages[w->n];
	if (vy_message_decode(row->message.doc, &w->mem, m, w->e) < 0) {
		w->is_bad = true;
		return false;
	}
	vy_json_set_int(
		w->by_id, vy_arena_dup(&w->mem, m->message.p, m->message.n), (int64_t)w->n++);
	return true;
}

/* Its record, or NULL: there is none, it was taken back, or nobody here may read it. */
static const struct vy_message *readable(struct walk *w, struct vy_str id)
{
	int64_t at = vy_json_int(w->by_id, vy_arena_dup(&w->one, id.p, id.n), -1);
	const struct vy_message *m = at < 0 ? NULL : &w->messages[at];

	return m && m->state != VY_MESSAGE_DELETED && m->enc.n == 0 ? m : NULL;
}

/* ---- events ---- */

static void on_said(struct walk *w, const struct row_journal *r)
{
	const struct vy_message *m = readable(w, r->subject);
	const char *id = vy_arena_dup(&w->one, r->subject.p, r->subject.n);

	if (!m || vy_json_get(w->told, id)) {
		return;
	}
	vy_json_set_bool(w->told, id, true);
	const struct vy_export_item it = { .kind = VY_EXPORT_USER,
		.time = r->time,
		.author = m->author,
		.message = m->message,
		.text = m->text,
		.is_cut = m->bytes > 0 };

	vy_export_item(w->format, &it, w->out);
}

static void on_settled(struct walk *w, const struct row_journal *r)
{
	const struct vy_message *m = readable(w, r->subject);
	struct vy_settlement s;

	if (!m) {
		return;
	}
	if (vy_settlement_decode(r->data, &w->one, &s, w->e) < 0) {
		w->is_bad = true;
		return;
	}
	const struct vy_export_item it = { .kind = VY_EXPORT_ASSISTANT,
		.time = s.started,
		.author = r->actor,
		.message = s.message,
		.parent = s.parent,
		.said = &s };

	vy_export_item(w->format, &it, w->out);
}

/* A call stands where it ended: what was said before it is settled only then. */
static void on_call(struct walk *w, const struct row_journal *r)
{
	VY_AUTO_JSON *data = vy_json_parse(r->data, NULL);
	const char *id = vy_json_cstr(data, "call");
	const struct vy_json *first = id ? vy_json_get(w->calls, id) : NULL;

	if (id && vy_str_is(vy_json_str(data, "phase"), "started")) {
		vy_json_set(w->calls, id, data);
		return;
	}
	if (!first) {
		return;
	}
	const struct vy_export_item it = { .kind = VY_EXPORT_TOOL,
		.time = r->time,
		.parent = vy_json_str(first, "parent"),
		.name = vy_json_str(first, "name"),
		.text = vy_json_str(first, "summary"),
		.status = vy_json_str(data, "status") };

	vy_export_item(w->format, &it, w->out);
	vy_json_del(w->calls, id);
}

static bool on_event(void *ctx, const struct store_row *row)
{
	static const struct {
		const char *type;
		void (*fn)(struct walk *w, const struct row_journal *r);
	} events[] = {
		{ "thread.sent", on_said },
		{ "thread.steered", on_said },
		{ "assistant.message", on_settled },
		{ "assistant.attempt", on_settled },
		{ "thread.tool", on_call },
	};
	struct walk *w = ctx;

	for (size_t i = 0; i < VY_COUNT(events) && row->journal.data.n; i++) {
		if (vy_str_is(row->journal.type, events[i].type)) {
			events[i].fn(w, &row->journal);
			break;
		}
	}
	vy_arena_reset(&w->one);
	return !w->is_bad && !vy_buf_is_over(w->out);
}

/* ---- the whole ---- */

static int write_all(struct log *l, struct walk *w, struct vy_str session, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_MESSAGE, .message = { .session = session } };

	if (log_each(l, &like, keep_message, w, e) < 0 || w->is_bad) {
		return -1;
	}
	like = (struct store_row){ .kind = ROW_JOURNAL, .journal = { .session = session } };
	return log_each(l, &like, on_event, w, e) < 0 || w->is_bad ? -1 : 0;
}

int export_write(struct log *l, const struct vy_export_head *head, enum vy_export_format f,
	struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_JSON *by_id = vy_json_new_obj(), *told = vy_json_new_obj(),
		     *calls = vy_json_new_obj();
	struct walk w = {
		.format = f, .out = out, .e = e, .by_id = by_id, .told = told, .calls = calls
	};
	int rc;

	vy_arena_init(&w.mem);
	vy_arena_init(&w.one);
	vy_export_begin(f, head, out);
	rc = write_all(l, &w, head->session, e);
	vy_export_end(f, out);
	free(w.messages);
	vy_arena_fini(&w.one);
	vy_arena_fini(&w.mem);
	if (rc == 0 && vy_buf_is_over(out)) {
		return vy_fail(e, VY_FULL, "this session is over %d MiB as a document",
			(int)(out->max / VY_MIB));
	}
	return rc;
}
