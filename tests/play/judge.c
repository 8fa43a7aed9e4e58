/* judge.c -- see judge.h. Small sets and maps are JSON objects: they print themselves. */
#include "tests/play/judge.h"

#include <stdio.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

static bool no(struct vy_buf *why, const struct viewer *v, const struct seen *s, const char *what)
{
	vy_buf_addf(why, "viewer %s: %s: %.400s", v->name, what, s ? s->text : "");
	return false;
}

/* ---- whole ---- */

struct whole {
	struct vy_json *messages; /* id → state */
	struct vy_json *blocks;   /* "message/index" → is done */
	struct vy_json *tools;    /* id → is finished */
	struct vy_json *asks;     /* id → is answered */
	struct vy_json *turns;    /* turn → index of its last frame */
};

static const char *message_step(struct whole *w, const struct vy_json *data)
{
	const char *id = vy_json_cstr(data, "message"), *state = vy_json_cstr(data, "state");
	struct vy_str was = vy_json_str(w->messages, id ? id : "");

	if (!id || !state) {
		return "a message without an id or a state";
	}
	bool is_limited = vy_str_is(was, "picked-up") && strcmp(state, "queued") == 0 &&
			  vy_str_is(vy_json_str(data, "reason"), "limit");

	if ((vy_str_is(was, "picked-up") && !is_limited) || vy_str_is(was, "cancelled")) {
		return "said again after its end";
	}
	if (vy_str_is(was, "sent") && strcmp(state, "queued") != 0) {
		return "sent twice"; /* one that was sent may come back into the queue */
	}
	if (!was.n && strcmp(state, "sent") != 0 && strcmp(state, "queued") != 0) {
		return "never waited";
	}
	vy_json_set_c(w->messages, id, state);
	return NULL;
}

static const char *block_step(struct whole *w, const struct vy_json *data, bool is_end)
{
	char id[512];

	snprintf(id, sizeof(id), "%.*s/%lld", VY_STR_ARG(vy_json_str(data, "message")),
		(long long)vy_json_int(data, "index", -1));
	if (vy_json_bool(w->blocks, id, false)) {
		return "the block was done";
	}
	vy_json_set_bool(w->blocks, id, is_end);
	return NULL;
}

/* Things that open once and close once. */
static const char *pair_step(struct vy_json *set, const char *id, bool is_end)
{
	const struct vy_json *was = id ? vy_json_get(set, id) : NULL;

	if (!id || (was && !is_end)) {
		return "began twice";
	}
	if (is_end && !was) {
		return "ended without a beginning";
	}
	if (is_end && vy_json_bool(set, id, true)) {
		return "ended twice";
	}
	vy_json_set_bool(set, id, is_end);
	return NULL;
}

static const char *whole_step(struct whole *w, const struct vy_json *frame, size_t i)
{
	const struct vy_json *data = vy_json_get(frame, "data");
	struct vy_str type = vy_json_str(frame, "type");
	const char *turn = vy_json_cstr(frame, "turn");

	if (turn) {
		vy_json_set_int(w->turns, turn, (int64_t)i);
	}
	if (vy_str_is(type, "session.user-message")) {
		return message_step(w, data);
	}
	if (vy_str_is(type, "session.text-delta")) {
		return block_step(w, data, false);
	}
	if (vy_str_is(type, "session.text-done") || vy_str_is(type, "session.text-cut")) {
		return block_step(w, data, true);
	}
	if (vy_str_is(type, "session.tool-started")) {
		return pair_step(w->tools, vy_json_cstr(data, "tool_id"), false);
	}
	if (vy_str_is(type, "session.tool-finished")) {
		return pair_step(w->tools, vy_json_cstr(data, "tool_id"), true);
	}
	if (vy_str_is(type, "session.ask")) {
		return pair_step(w->asks, vy_json_cstr(data, "ask_id"), false);
	}
	if (vy_str_is(type, "session.ask-answered")) {
		if (vy_json_get(data, "delivered")) { /* more about an answer that was given */
			return vy_json_bool(w->asks, vy_json_cstr(data, "ask_id"), false)
				       ? NULL
				       : "was lost before it was answered";
		}
		return pair_step(w->asks, vy_json_cstr(data, "ask_id"), true);
	}
	return NULL;
}

static bool all_true(
	const struct viewer *v, const struct vy_json *set, const char *what, struct vy_buf *why)
{
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (set, key, value) {
		if (!vy_json_bool(set, key, false)) {
			vy_buf_addf(why, "viewer %s: %s: %s", v->name, what, key);
			return false;
		}
	}
	return true;
}

static bool turns_ended(const struct viewer *v, const struct vy_json *turns, struct vy_buf *why)
{
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (turns, key, value) {
		const struct seen *s = &v->v[vy_json_intval(value, 0)];
		struct vy_str state = vy_json_str(vy_json_get(s->json, "data"), "state");

		if (!vy_str_is(vy_json_str(s->json, "type"), "session.status") ||
			!vy_str_is(state, "waiting")) {
			return no(why, v, s, "a turn's last word is not `status waiting`");
		}
	}
	return true;
}

static bool each_step(const struct viewer *v, struct whole *w, struct vy_buf *why)
{
	uint64_t next = 1;

	for (size_t i = 0; i < v->n; i++) {
		const struct seen *s = &v->v[i];
		const char *what = s->cur ? whole_step(w, s->json, i) : NULL;

		if (s->cur && s->cur != next++) {
			what = "not the next cursor";
		}
		if (what) {
			return no(why, v, s, what);
		}
	}
	return true;
}

bool judge_whole(const struct viewer *v, struct vy_buf *why)
{
	struct whole w = { vy_json_new_obj(), vy_json_new_obj(), vy_json_new_obj(),
		vy_json_new_obj(), vy_json_new_obj() };
	bool ok = each_step(v, &w, why) && all_true(v, w.blocks, "a block that is not done", why) &&
		  all_true(v, w.tools, "a tool that never finished", why) &&
		  all_true(v, w.asks, "an ask that nobody answered", why) &&
		  turns_ended(v, w.turns, why);

	vy_json_free(w.messages);
	vy_json_free(w.blocks);
	vy_json_free(w.tools);
	vy_json_free(w.asks);
	vy_json_free(w.turns);
	return ok;
}

/* ---- same ---- */

static const struct seen *at_cursor(const struct viewer *v, size_t *from, uint64_t cur)
{
	while (*from < v->n && v->v[*from].cur < cur) {
		++*from;
	}
	return *from < v->n && v->v[*from].cur == cur ? &v->v[*from] : NULL;
}

bool judge_same(const struct viewer *a, const struct viewer *b, struct vy_buf *why)
{
	size_t j = 0, common = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct seen *s = a->v[i].cur ? at_cursor(b, &j, a->v[i].cur) : NULL;

		if (s && strcmp(s->text, a->v[i].text) != 0) {
			vy_buf_addf(why, "frame %llu: viewer %s has %.600s\nviewer %s has %.600s",
				(unsigned long long)s->cur, a->name, a->v[i].text, b->name,
				s->text);
			return false;
		}
		common += s != NULL;
	}
	if (a->last != b->last || common == 0) {
		vy_buf_addf(why, "viewer %s is at %llu, viewer %s at %llu", a->name,
			(unsigned long long)a->last, b->name, (unsigned long long)b->last);
		return false;
	}
	return true;
}

/* ---- transcript ---- */

static bool is_among(const char *word, const char *const *list, size_t n)
{
	while (n > 0 && strcmp(word, list[n - 1]) != 0) {
		n--;
	}
	return n > 0;
}

/* An id as the number under which it came up first. */
static struct vy_json *renamed(struct vy_json *names, struct vy_str id)
{
	VY_AUTO_BUF key = VY_BUF_INIT(4096);
	char name[32];

	vy_buf_addstr(&key, id);
	if (!vy_json_get(names, vy_buf_c(&key))) {
		vy_json_set_int(names, vy_buf_c(&key), (int64_t)vy_json_len(names) + 1);
	}
	snprintf(name, sizeof(name), "#%lld", (long long)vy_json_int(names, vy_buf_c(&key), 0));
	return vy_json_new_str(vy_str_c(name));
}

static struct vy_json *bare(struct vy_json *names, const char *key, const struct vy_json *v)
{
	static const char *const ids[] = { "message", "tool_id", "ask_id", "parent", "parent_tool",
		"reply_to", "ref", "turn" };
	static const char *const times[] = { "queued_at", "usage", "bytes" };
	struct vy_json *out, *value;
	const char *name;

	switch (vy_json_type(v)) {
	case VY_JSON_OBJ:
		out = vy_json_new_obj();
		VY_JSON_EACH (v, name, value) {
			if (!is_among(name, times, VY_COUNT(times))) {
				vy_json_take(out, name, bare(names, name, value));
			}
		}
		return out;
	case VY_JSON_ARR:
		out = vy_json_new_arr();
		for (size_t i = 0; i < vy_json_len(v); i++) {
			vy_json_add_take(out, bare(names, key, vy_json_at(v, i)));
		}
		return out;
	case VY_JSON_STR:
		return is_among(key, ids, VY_COUNT(ids)) ? renamed(names, vy_json_strval(v))
							 : vy_json_copy(v);
	default: return vy_json_copy(v);
	}
}

void judge_transcript(const struct viewer *v, struct vy_buf *out)
{
	VY_AUTO_JSON *names = vy_json_new_obj();

	for (size_t i = 0; i < v->n; i++) {
		VY_AUTO_JSON *whole = vy_json_parse(vy_str_c(v->v[i].text), NULL);
		VY_AUTO_JSON *line = bare(names, "", whole);

		if (v->v[i].cur) {
			vy_json_dump_canonical(line, out);
			vy_buf_addc(out, '\n');
		}
	}
}

static struct vy_str line_of(struct vy_str *s)
{
	const char *end = s->n ? memchr(s->p, '\n', s->n) : NULL;
	struct vy_str line = vy_str_n(s->p, end ? (size_t)(end - s->p) : s->n);

	*s = vy_str_from(*s, line.n + 1);
	return line;
}

bool judge_equal(struct vy_str got, struct vy_str want, struct vy_buf *why)
{
	for (int n = 1; got.n || want.n; n++) {
		struct vy_str a = line_of(&got), b = line_of(&want);

		if (!vy_str_eq(a, b)) {
			vy_buf_addf(why, "frame %d\n   got %.*s\n  want %.*s", n,
				(int)(a.n < 700 ? a.n : 700), a.p ? a.p : "",
				(int)(b.n < 700 ? b.n : 700), b.p ? b.p : "");
			return false;
		}
	}
	return true;
}
