/* plane.c -- see plane.h. */
#include "tests/play/plane.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/registry.h"
#include "shared/model/ui.h"
#include "shared/base/ban.h"

static const struct plane_kind kinds[] = {
	{ "control", "control.subscribe", "control.event", NULL, "since", "seq" },
	{ "generation", "session.messageGeneration.subscribe", "generation.event", "messages/",
		"after", "id" },
	{ "ui", "session.ui.subscribe", "ui.event", "ui-stream", NULL, NULL },
	{ "follow", "session.follow", "follow.event", "follow", "from", "seq" },
	{ "observe", "session.observe.subscribe", "observe.event", "observe", "after", "cur" },
};

enum { TEXT, REASONING };
static const char *const channels[PLANE_CHANNELS] = { "text", "reasoning" };

const struct plane_kind *plane_find(const char *name)
{
	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			return &kinds[i];
		}
	}
	return NULL;
}

struct plane *plane_new(const struct plane_kind *kind, const char *message, const char *more)
{
	struct plane *p = VY_NEW(struct plane);

	p->kind = kind;
	p->message = vy_strdup(message ? message : "");
	p->more = vy_strdup(more ? more : "");
	p->ids = vy_json_new_obj();
	p->messages = vy_json_new_obj();
	p->rows = vy_json_new_arr();
	p->ui = vy_ui_new();
	journal_init(&p->journal, 0);
	for (int i = 0; i < PLANE_CHANNELS; i++) {
		vy_buf_init(&p->draft[i], 64 * VY_MIB);
	}
	return p;
}

void plane_free(struct plane *p)
{
	if (!p) {
		return;
	}
	free(p->message);
	free(p->more);
	vy_json_free(p->ids);
	vy_json_free(p->messages);
	vy_json_free(p->rows);
	vy_ui_free(p->ui);
	journal_fini(&p->journal);
	for (int i = 0; i < PLANE_CHANNELS; i++) {
		vy_buf_fini(&p->draft[i]);
	}
	free(p);
}

static bool VY_PRINTF(2, 3) wrong(struct plane *p, const char *fmt, ...)
{
	va_list ap;

	if (!p->why[0]) {
		va_start(ap, fmt);
		vsnprintf(p->why, sizeof(p->why), fmt, ap);
		va_end(ap);
	}
	return false;
}

static bool is_type(const struct vy_json *item, const char *type)
{
	return vy_str_is(vy_json_str(item, "type"), type);
}

void plane_opened(struct plane *p)
{
	long long from;

	if (p->openings++ == 0 && strcmp(p->kind->name, "follow") == 0 &&
		vy_parse_i64(vy_str_c(p->place), &from)) {
		p->journal.last = from;
	}
	p->is_whole = p->place[0] != '\0';
	for (int i = 0; i < PLANE_CHANNELS && p->openings == 1 && p->is_whole; i++) {
		p->next[i] = -1;
	}
}

/* ---- messages ---- */

/* The whole message takes the place of what was held of it, unless that is newer. */
static void fold_message(struct plane *p, const struct vy_json *item)
{
	const struct vy_json *m = vy_json_path(item, "data.message");
	const char *id = vy_json_cstr(m, "message");
	int64_t revision = vy_json_int(m, "messageRevision", 0);

	if (!id || revision < 1) {
		wrong(p, "a message event without a message");
	} else if (revision > vy_json_int(vy_json_get(p->messages, id), "messageRevision", 0)) {
		vy_json_take(p->messages, id, vy_json_copy(m));
	}
}

/* The registry says by which plane an event is delivered, and what is in it. */
static bool is_delivered(struct plane *p, const struct vy_json *item, enum vy_delivery by)
{
	enum vy_control_type t = vy_control_type(vy_json_str(item, "type"));
	enum vy_delivery d = t < VY_CONTROL_TYPES ? vy_control_row(t)->delivery : by;

	if (t == VY_CONTROL_TYPES) {
		return wrong(p, "it is in no row of the registry");
	}
	return d == by || d == VY_DELIVERY_BOTH || wrong(p, "it is of another plane");
}

static bool control_step(struct plane *p, const struct vy_json *item)
{
	int64_t seq = vy_json_int(item, "seq", -1);

	if (!is_delivered(p, item, VY_DELIVERY_CONTROL)) {
		return false;
	}

	if (is_type(item, "control.reset")) {
		p->seq = vy_json_path(item, "data.head")
				 ? vy_json_int(vy_json_get(item, "data"), "head", 0)
				 : vy_json_int(item, "head", 0);
		return true;
	}
	if (seq <= p->seq) {
		return wrong(p, "seq %lld behind %lld", (long long)seq, (long long)p->seq);
	}
	if (is_type(item, "session.message.delta.appended") ||
		is_type(item, "session.text-delta")) {
		return wrong(p, "words on the control plane");
	}
	p->seq = seq;
	if (vy_str_starts(vy_json_str(item, "type"), "session.message.")) {
		fold_message(p, item);
	}
	return true;
}

/* ---- a generation ---- */

static bool snapshot(struct plane *p, const struct vy_json *item)
{
	const struct vy_json *index = vy_json_get(item, "index");

	p->snapshots++;
	p->is_whole = true;
	for (int i = 0; i < PLANE_CHANNELS; i++) {
		p->next[i] = vy_json_int(index, channels[i], -1);
		vy_buf_clear(&p->draft[i]);
		vy_buf_addstr(&p->draft[i], vy_json_str(item, channels[i]));
	}
	return (p->next[TEXT] >= 0 && p->next[REASONING] >= 0) ||
	       wrong(p, "a snapshot without its indexes");
}

static bool delta(struct plane *p, const struct vy_json *item)
{
	int i = vy_str_is(vy_json_str(item, "channel"), channels[REASONING]) ? REASONING : TEXT;
	int64_t index = vy_json_int(item, "index", -1);

	if (!p->is_whole) {
		return wrong(p, "a delta in front of its snapshot");
	}
	if (index < 0 || (p->next[i] >= 0 && index != p->next[i])) {
		return wrong(p, "%s delta %lld, not %lld", channels[i], (long long)index,
			(long long)p->next[i]);
	}
	p->next[i] = index + 1;
	p->deltas++;
	vy_buf_addstr(&p->draft[i], vy_json_str(item, "text"));
	return true;
}

/* What was shown while it was written is what it is. */
static bool is_as_drafted(struct plane *p, const struct vy_json *item)
{
	const struct vy_json *m = vy_json_path(item, "data.message");
	struct vy_str text = vy_json_str(m, "text"), mine = vy_buf_str(&p->draft[TEXT]);

	p->is_settled = true;
	fold_message(p, item);
	if (p->snapshots == 0) {
		return true; /* it came with a place of somebody's, and saw no more of it */
	}
	if (vy_json_get(m, "bytes") || !is_type(item, "session.message.completed")) {
		return true; /* too long to be told whole; cut short */
	}
	p->same = vy_str_eq(text, mine);
	return p->same || wrong(p, "the draft is \"%.*s\", the message \"%.*s\"",
				  (int)(mine.n < 100 ? mine.n : 100), mine.p ? mine.p : "",
				  (int)(text.n < 100 ? text.n : 100), text.p ? text.p : "");
}

static bool generation_step(struct plane *p, const struct vy_json *item)
{
	if (p->is_settled) {
		return wrong(p, "something behind the end");
	}
	if (!is_type(item, "snapshot") && !is_delivered(p, item, VY_DELIVERY_GENERATION)) {
		return false;
	}
	if (is_type(item, "session.message.completed") || is_type(item, "session.message.failed")) {
		return is_as_drafted(p, item);
	}
	if (!vy_str_is(vy_json_str(item, "messageId"), p->message)) {
		return wrong(p, "of another message");
	}
	return is_type(item, "snapshot")                         ? snapshot(p, item)
	       : is_type(item, "session.message.delta.appended") ? delta(p, item)
								 : wrong(p, "of no known type");
}

/* ---- rows ---- */

static int64_t row_at(const struct plane *p, struct vy_str key)
{
	for (size_t i = 0; i < vy_json_len(p->rows); i++) {
		if (vy_str_eq(vy_json_str(vy_json_at(p->rows, i), "key"), key)) {
			return (int64_t)i;
		}
	}
	return -1;
}

/* A known row keeps its place, a new one is the last, unless `after` says another. */
static bool upsert(struct plane *p, const struct vy_json *item)
{
	struct vy_json *row = vy_json_copy(vy_json_get(item, "row"));
	const struct vy_json *after = vy_json_get(item, "after");
	int64_t at = row_at(p, vy_json_str(item, "key")), to = at;

	if (at >= 0) {
		const struct vy_json *old = vy_json_at(p->rows, (size_t)at);

		int64_t rev = vy_json_int(row, "rev", 0), was = vy_json_int(old, "rev", 0);

		/* one that went and came again before this was read is as it was */
		if (rev < was || (rev == was && !vy_json_equal(row, old))) {
			wrong(p, "a row's rev does not rise");
		}
		vy_json_del_at(p->rows, (size_t)at);
	}
	if (after) {
		struct vy_str key = vy_json_strval(after);

		to = key.n ? row_at(p, key) + 1 : 0;
		if (key.n && to == 0) {
			wrong(p, "behind a row that is not there");
		}
	} else if (at < 0) {
		to = (int64_t)vy_json_len(p->rows);
	}
	vy_json_insert_take(p->rows, (size_t)to, row);
	return !p->why[0];
}

/* What Vyre's own clients apply rows with, comes to the same list. */
static bool apply_too(struct plane *p, const struct vy_json *item)
{
	int64_t at = row_at(p, vy_json_str(item, "key"));
	struct vy_err e = { 0 };

	if (vy_ui_apply(p->ui, vy_json_str(item, "type"), item, &e) != 0) {
		return wrong(p, "vy_ui: %s", e.text);
	}
	return (vy_ui_len(p->ui) == vy_json_len(p->rows) &&
		       (at < 0 || vy_json_equal(vy_ui_row(p->ui, (size_t)at),
					  vy_json_at(p->rows, (size_t)at)))) ||
	       wrong(p, "vy_ui has another list");
}

static bool fold_row(struct plane *p, const struct vy_json *item)
{
	if (is_type(item, "ui.reset")) {
		vy_json_free(p->rows);
		p->rows = vy_json_copy(vy_json_get(item, "rows"));
		p->is_whole = true;
		return true;
	}
	if (!p->is_whole) {
		return wrong(p, "a row in front of the reset");
	}
	if (is_type(item, "ui.upsert")) {
		return upsert(p, item);
	}
	int64_t at = row_at(p, vy_json_str(item, "key"));

	if (!is_type(item, "ui.remove")) {
		return wrong(p, "of no known type");
	}
	if (at < 0) { /* it came and went again before this was read */
		return true;
	}
	vy_json_del_at(p->rows, (size_t)at);
	return true;
}

static bool ui_step(struct plane *p, const struct vy_json *item)
{
	return fold_row(p, item) && apply_too(p, item);
}

/* ---- lines ---- */

static bool follow_step(struct plane *p, const struct vy_json *item)
{
	return journal_step(&p->journal, item) || wrong(p, "%s", p->journal.why);
}

static bool observe_step(struct plane *p, const struct vy_json *item)
{
	int64_t cur = vy_json_int(item, "cur", 0);

	if (cur && cur <= p->seq) {
		return wrong(p, "line %lld behind %lld", (long long)cur, (long long)p->seq);
	}
	p->seq = cur ? cur : p->seq;
	return true;
}

/* ---- an item ---- */

static bool step(struct plane *p, const struct vy_json *item)
{
	static bool (*const steps[])(struct plane *, const struct vy_json *) = { control_step,
		generation_step, ui_step, follow_step, observe_step };

	return steps[p->kind - kinds](p, item);
}

static void note_place(struct plane *p, const struct vy_json *item)
{
	const struct vy_json *at = p->kind->member ? vy_json_get(item, p->kind->member) : NULL;

	if (strcmp(p->kind->name, "follow") == 0 && !vy_json_get(item, "id")) {
		return; /* no event */
	}
	if (at && vy_json_type(at) == VY_JSON_STR) {
		snprintf(p->place, sizeof(p->place), "%.*s", VY_STR_ARG(vy_json_strval(at)));
	} else if (at) {
		snprintf(p->place, sizeof(p->place), "%lld", (long long)vy_json_intval(at, 0));
	}
}

bool plane_step(struct plane *p, const struct vy_json *item)
{
	const char *id = vy_json_cstr(item, "id");

	if (id && vy_json_get(p->ids, id)) {
		p->doubles++;
		return p->openings > 1 ? false : wrong(p, "%s came twice", id);
	}
	if (id) {
		vy_json_set_bool(p->ids, id, true);
	}
	if (!step(p, item)) {
		return false;
	}
	note_place(p, item);
	return true;
}

void plane_tagged(
	struct plane *p, const struct vy_json *item, struct vy_str event, struct vy_str id)
{
	struct vy_str type = vy_json_str(item, "type");

	if (type.n && event.n && !vy_str_eq(type, event)) {
		wrong(p, "its event is called %.*s", VY_STR_ARG(event));
	}
	if (strcmp(p->kind->name, "generation") == 0) { /* each has both */
		struct vy_str mine = vy_json_str(item, "id");

		if (!event.n || !mine.n || !vy_str_eq(id, mine)) {
			wrong(p, "its event has no name, or another id");
		}
	}
	if (id.n) {
		snprintf(p->place, sizeof(p->place), "%.*s", VY_STR_ARG(id));
	}
}

struct vy_json *plane_message(const struct plane *p, struct vy_str id)
{
	VY_AUTO_BUF key = VY_BUF_INIT(4096);
	struct vy_json *o;

	vy_buf_addstr(&key, id);
	const struct vy_json *m = vy_json_get(p->messages, vy_buf_c(&key));

	if (m) {
		return vy_json_copy(m);
	}
	if (!vy_str_is(id, p->message) || p->snapshots == 0) {
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_set_str(o, "message", id);
	vy_json_set_c(o, "state", "streaming");
	for (int i = 0; i < PLANE_CHANNELS; i++) {
		vy_json_set_str(o, channels[i], vy_buf_str(&p->draft[i]));
	}
	return o;
}
