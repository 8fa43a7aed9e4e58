/* claude_stream.c -- see claude_stream.h. Of what was told only the length and a hash are kept:
 * enough to see whether the whole block begins with it. */
#include "server/provider/claude_stream.h"

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define OPEN_MAX 256 /* messages and blocks a mad agent may hold open */

/* ---- what was told ---- */

static int64_t hash_more(int64_t hash, struct vy_str s)
{
	uint64_t h = (uint64_t)hash;

	for (size_t i = 0; i < s.n; i++) {
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u; /* FNV-1a */
	}
	return (int64_t)h;
}

static bool begins_with_told(const struct claude_block *b, struct vy_str whole)
{
	return b->length <= (int64_t)whole.n &&
	       hash_more(0, vy_str_n(whole.p, (size_t)b->length)) == b->hash;
}

/* ---- events ---- */

static struct agent_event *block_event(struct agent_out *out, enum agent_event_kind kind,
	const struct claude_message *m, const struct claude_block *b)
{
	struct agent_event *ev = agent_out_add(out, kind);

	ev->message = vy_arena_str(out->arena, fields_str(m->id));
	ev->parent = vy_arena_str(out->arena, fields_str(m->parent));
	ev->index = b->index;
	ev->is_reasoning = b->kind == CLAUDE_THINKING;
	return ev;
}

/* One delta; over the frame's limit it is several, cut between characters. */
static void tell(struct agent_out *out, const struct claude_message *m, struct claude_block *b,
	struct vy_str text)
{
	b->length += (int64_t)text.n;
	b->hash = hash_more(b->hash, text);
	while (text.n) {
		size_t n = brief_piece(text);

		block_event(out, AE_TEXT, m, b)->text =
			vy_arena_str(out->arena, vy_str_n(text.p, n));
		text = vy_str_from(text, n);
	}
}

static bool is_words(const struct claude_block *b)
{
	return b->kind == CLAUDE_TEXT || b->kind == CLAUDE_THINKING;
}

static void finish(struct agent_out *out, const struct claude_message *m, struct claude_block *b,
	struct vy_str whole)
{
	struct vy_str instead = { NULL, 0 };

	b->is_final = true;
	if (!is_words(b)) {
		return;
	}
	if (begins_with_told(b, whole)) {
		tell(out, m, b, vy_str_from(whole, (size_t)b->length));
	} else if (b->kind == CLAUDE_TEXT) {
		instead = whole;
	}
	if (b->length == 0) {
		return;
	}
	struct agent_event *ev = block_event(out, AE_TEXT_DONE, m, b);

	ev->json = instead.n ? vy_json_new_str(instead) : NULL;
}

/* ---- messages ---- */

static struct claude_message *message_new(struct claude *c, struct vy_str parent, struct vy_str id)
{
	struct claude_message *m = claude_message_find(c, parent);

	if (!m) {
		if (c->messages.n >= OPEN_MAX) {
			fields_list_del(&c->messages, &claude_message_set, 0);
		}
		m = fields_list_add(&c->messages, &claude_message_set);
	}
	fields_free(&claude_message_set, m);
	fields_str_set(&m->id, id);
	fields_str_set(&m->parent, parent);
	return m;
}

static struct claude_block *block_new(struct claude_message *m, int64_t index, int64_t kind)
{
	if (m->blocks.n >= OPEN_MAX) {
		fields_list_del(&m->blocks, &claude_block_set, 0);
	}
	struct claude_block *b = fields_list_add(&m->blocks, &claude_block_set);

	b->index = index;
	b->kind = kind;
	if (m->next <= index) {
		m->next = index + 1;
	}
	return b;
}

void claude_stream_end(struct claude *c, bool is_kept, struct agent_out *out)
{
	struct claude_message *m = claude_message_find(c, vy_str_n(NULL, 0));

	if (!m) {
		return;
	}
	for (size_t i = 0; i < m->blocks.n; i++) {
		struct claude_block *b = &m->blocks.v[i];

		if (!b->is_final && is_words(b) && b->length > 0) {
			block_event(out, is_kept ? AE_TEXT_DONE : AE_TEXT_VOID, m, b);
		}
	}
	claude_stream_forget(c, vy_str_n(NULL, 0));
}

void claude_stream_forget(struct claude *c, struct vy_str parent)
{
	struct claude_message *m = claude_message_find(c, parent);

	if (m) {
		fields_list_del(&c->messages, &claude_message_set, (size_t)(m - c->messages.v));
	}
}

/* ---- the stream ---- */

static enum claude_block_kind kind_of(struct vy_str type)
{
	return vy_str_is(type, "text")       ? CLAUDE_TEXT
	       : vy_str_is(type, "thinking") ? CLAUDE_THINKING
	       : vy_str_is(type, "tool_use") ? CLAUDE_CALL
					     : CLAUDE_OTHER;
}

static struct claude_block *block_at(struct claude_message *m, int64_t index)
{
	for (size_t i = 0; m && i < m->blocks.n; i++) {
		if (m->blocks.v[i].index == index) {
			return &m->blocks.v[i];
		}
	}
	return NULL;
}

static void on_block_start(
	struct claude_message *m, const struct vy_json *event, struct agent_out *out)
{
	const struct vy_json *content = vy_json_get(event, "content_block");
	enum claude_block_kind kind = kind_of(vy_json_str(content, "type"));
	int64_t index = vy_json_int(event, "index", -1);

	if (index < 0 || block_at(m, index)) {
		return;
	}
	struct claude_block *b = block_new(m, index, kind);

	if (kind == CLAUDE_TEXT) {
		tell(out, m, b, vy_json_str(content, "text"));
	} else if (kind == CLAUDE_THINKING) {
		tell(out, m, b, vy_json_str(content, "thinking"));
	}
}

static void on_delta(struct claude_message *m, const struct vy_json *event, struct agent_out *out)
{
	const struct vy_json *delta = vy_json_get(event, "delta");
	struct vy_str type = vy_json_str(delta, "type");
	struct claude_block *b = block_at(m, vy_json_int(event, "index", -1));

	if (!b || b->is_final) {
		return;
	}
	if (b->kind == CLAUDE_TEXT && vy_str_is(type, "text_delta")) {
		tell(out, m, b, vy_json_str(delta, "text"));
	} else if (b->kind == CLAUDE_THINKING && vy_str_is(type, "thinking_delta")) {
		tell(out, m, b, vy_json_str(delta, "thinking"));
	}
}

void claude_stream_event(struct claude *c, const struct vy_json *event, struct agent_out *out)
{
	struct vy_str type = vy_json_str(event, "type");

	if (vy_str_is(type, "message_start")) {
		claude_stream_end(c, false, out);
		struct claude_message *m = message_new(c, vy_str_n(NULL, 0),
			brief_id(vy_json_str(vy_json_get(event, "message"), "id")));

		m->is_streaming = true;
		return;
	}
	struct claude_message *m = claude_message_find(c, vy_str_n(NULL, 0));

	if (!m || !m->is_streaming) {
		return;
	}
	if (vy_str_is(type, "content_block_start")) {
		on_block_start(m, event, out);
	} else if (vy_str_is(type, "content_block_delta")) {
		on_delta(m, event, out);
	}
}

/* ---- whole blocks ---- */

/* The streamed block that this whole one completes: the first of its kind not yet complete. */
static struct claude_block *streamed(struct claude_message *m, enum claude_block_kind kind)
{
	for (size_t i = 0; m->is_streaming && i < m->blocks.n; i++) {
		if (!m->blocks.v[i].is_final && m->blocks.v[i].kind == kind) {
			return &m->blocks.v[i];
		}
	}
	return NULL;
}

int64_t claude_stream_block(struct claude *c, struct vy_str parent, struct vy_str message,
	enum claude_block_kind kind, struct vy_str text, struct agent_out *out)
{
	struct claude_message *m = claude_message_find(c, parent);

	if (!m || !vy_str_eq(fields_str(m->id), message)) {
		if (m && !parent.n) {
			claude_stream_end(c, false, out);
		}
		m = message_new(c, parent, message);
	}
	struct claude_block *b = streamed(m, kind);

	b = b ? b : block_new(m, m->next, kind);
	int64_t index = b->index;

	finish(out, m, b, text);
	return index;
}
