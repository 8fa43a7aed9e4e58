/* copy.c -- see copy.h. */
#include "server/session/copy.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/state.h"
#include "shared/base/ban.h"

void copy_init(struct copy *c, struct vy_str from, struct vy_str to, uint64_t upto)
{
	*c = (struct copy){
		.from = vy_memdup0(from.p, from.n),
		.to = vy_memdup0(to.p, to.n),
		.upto = upto,
		.tools = vy_json_new_obj(),
		.asks = vy_json_new_obj(),
		.blocks = vy_json_new_obj(),
	};
}

void copy_fini(struct copy *c)
{
	free(c->from);
	free(c->to);
	free(c->rewinds);
	vy_json_free(c->tools);
	vy_json_free(c->asks);
	vy_json_free(c->blocks);
	*c = (struct copy){ 0 };
}

/* ---- what stands ---- */

/* As of `as_of`, as shared/model/fold has it: behind the last rewind before that, or seen where that
 * one went back to. */
static bool stands(const struct copy *c, uint64_t cur, uint64_t as_of)
{
	for (size_t i = c->n; i-- > 0;) {
		if (c->rewinds[i].at > as_of) {
			continue;
		}
		if (cur >= c->rewinds[i].at) {
			break;
		}
		as_of = c->rewinds[i].to;
	}
	return cur <= as_of;
}

bool copy_sees(const struct copy *c, uint64_t cur)
{
	return cur <= c->upto && stands(c, cur, UINT64_MAX);
}

void copy_look(struct copy *c, const struct vy_frame *f)
{
	if (f->kind != VY_KIND_STATUS) {
		return;
	}
	if (!vy_frame_has(f, VY_F_REWOUND)) {
		if (vy_frame_is(f, VY_F_STATE, "waiting")) {
			c->whole = f->cur;
		}
		return;
	}
	VY_AUTO_JSON *v = vy_json_parse(vy_frame_str(f, VY_F_REWOUND), NULL);
	int64_t to = vy_json_int(v, "to", -1);

	if (to >= 0 && (uint64_t)to < f->cur) {
		c->rewinds = vy_grow(c->rewinds, &c->cap, c->n + 1, sizeof(*c->rewinds));
		c->rewinds[c->n++] = (struct copy_rewind){ f->cur, (uint64_t)to };
		c->whole = f->cur;
	}
}

void copy_looked(struct copy *c, bool is_busy)
{
	if (is_busy && c->whole < c->upto) {
		c->upto = c->whole;
	}
}

/* ---- a frame ---- */

/* "SOURCE:7" → "COPY:7". */
static struct vy_str turn_of(struct copy *c, struct vy_str turn, struct vy_arena *a)
{
	size_t n = strlen(c->from);
	long long number = 0;

	if (turn.n <= n + 1 || memcmp(turn.p, c->from, n) != 0 ||
		!vy_parse_i64(vy_str_from(turn, n + 1), &number)) {
		return vy_str_n(NULL, 0);
	}
	c->turn = number > c->turn ? number : c->turn;
	return vy_str_c(vy_arena_printf(a, "%s:%lld", c->to, number));
}

/* What a status says for good; all else was of its time. */
static bool status(const struct vy_frame *f, struct vy_frame *out)
{
	static const enum vy_fid kept[] = { VY_F_NOTE, VY_F_REASON, VY_F_COMPACTED, VY_F_ORIGIN };
	bool is_said = vy_frame_has(f, VY_F_NOTE) || vy_frame_has(f, VY_F_COMPACTED);
	bool is_turn = vy_frame_is(f, VY_F_STATE, "waiting") ||
		       vy_frame_is(f, VY_F_STATE, "working") ||
		       vy_frame_is(f, VY_F_STATE, "asking") || vy_frame_is(f, VY_F_STATE, "failed");

	if (vy_frame_has(f, VY_F_REWOUND) || (!is_turn && !is_said)) {
		return false;
	}
	vy_frame_set_str(
		out, VY_F_STATE, is_turn ? vy_frame_str(f, VY_F_STATE) : VY_STR_LIT("waiting"));
	for (size_t i = 0; i < VY_COUNT(kept); i++) {
		struct vy_str s = vy_frame_str(f, kept[i]);

		if (s.n && kept[i] == VY_F_COMPACTED) {
			vy_frame_set_json(out, kept[i], s);
		} else if (s.n && (kept[i] != VY_F_REASON || is_turn)) {
			vy_frame_set_str(out, kept[i], s);
		}
	}
	if (out->turn.n) {
		vy_frame_set_str(out, VY_F_TURN, out->turn);
	}
	return true;
}

static const char *key(const struct vy_frame *f, enum vy_fid id, struct vy_arena *a)
{
	struct vy_str s = vy_frame_str(f, id);

	return vy_arena_printf(a, "%.*s", VY_STR_ARG(s));
}

static const char *block_key(const struct vy_frame *f, struct vy_arena *a)
{
	return vy_arena_printf(
		a, "%lld %s", (long long)vy_frame_int(f, VY_F_INDEX, 0), key(f, VY_F_MESSAGE, a));
}

/* What it opens, and what it ends. */
static void note(struct copy *c, const struct vy_frame *f, struct vy_arena *a)
{
	switch ((int)f->kind) {
	case VY_KIND_TOOL_STARTED: vy_json_set_bool(c->tools, key(f, VY_F_TOOL_ID, a), true); break;
	case VY_KIND_TOOL_FINISHED: vy_json_del(c->tools, key(f, VY_F_TOOL_ID, a)); break;
	case VY_KIND_ASK: vy_json_set_bool(c->asks, key(f, VY_F_ASK_ID, a), true); break;
	case VY_KIND_ASK_ANSWERED: vy_json_del(c->asks, key(f, VY_F_ASK_ID, a)); break;
	case VY_KIND_TEXT_DELTA:
		vy_json_take(c->blocks, block_key(f, a), vy_json_new_str(f->author));
		break;
	case VY_KIND_TEXT_DONE:
		c->messages = vy_frame_int(f, VY_F_MESSAGES, c->messages);
		vy_json_del(c->blocks, block_key(f, a));
		break;
	case VY_KIND_TEXT_CUT: vy_json_del(c->blocks, block_key(f, a)); break;
	default: break;
	}
}

/* Ends of what the copy does not have. */
static bool is_orphan(struct copy *c, const struct vy_frame *f, struct vy_arena *a)
{
	switch ((int)f->kind) {
	case VY_KIND_TOOL_FINISHED:
	case VY_KIND_TOOL_PROGRESS: return !vy_json_get(c->tools, key(f, VY_F_TOOL_ID, a));
	case VY_KIND_ASK_ANSWERED:
		return !vy_frame_has(f, VY_F_DELIVERED) &&
		       !vy_json_get(c->asks, key(f, VY_F_ASK_ID, a));
	case VY_KIND_TEXT_DONE:
	case VY_KIND_TEXT_CUT: return !vy_json_get(c->blocks, block_key(f, a));
	case VY_KIND_USER_MESSAGE:
		return vy_frame_is(f, VY_F_STATE, "queued") ||
		       vy_frame_is(f, VY_F_STATE, "cancelled");
	case VY_KIND_HIDDEN: return true;
	default: return false;
	}
}

bool copy_frame(struct copy *c, const struct vy_frame *f, struct vy_arena *a, struct vy_frame *out)
{
	if (!copy_sees(c, f->cur) || is_orphan(c, f, a)) {
		return false;
	}
	*out = *f;
	if (f->kind == VY_KIND_STATUS) {
		vy_frame_init(out, VY_KIND_STATUS);
		out->time = f->time;
		out->author = f->author;
		out->acts_for = f->acts_for;
	}
	out->cur = 0;
	out->span = 1;
	out->id = out->session = out->corr = vy_str_n(NULL, 0);
	out->turn = turn_of(c, f->turn, a);
	vy_frame_del(out, VY_F_PARTS);
	if (vy_frame_is(f, VY_F_STATE, "picked-up")) { /* that it waited is not the copy's */
		vy_frame_set_c(out, VY_F_STATE, "sent");
		vy_frame_del(out, VY_F_QUEUED_AT);
		vy_frame_del(out, VY_F_VIA);
		vy_frame_del(out, VY_F_STEP);
	}
	return f->kind != VY_KIND_STATUS || status(f, out);
}

/* ---- the end ---- */

static const char *first(const struct vy_json *o)
{
	struct vy_json *v;
	const char *k;

	VY_JSON_EACH (o, k, v) {
		return k;
	}
	return NULL;
}

static void begin(struct copy *c, enum vy_kind kind, struct vy_arena *a, struct vy_frame *out)
{
	vy_frame_init(out, kind);
	if (c->last > 0) {
		out->turn = vy_str_c(vy_arena_printf(a, "%s:%lld", c->to, (long long)c->last));
	}
}

static void end_block(struct copy *c, const char *k, struct vy_arena *a, struct vy_frame *out)
{
	const char *blank = strchr(k, ' ');
	long long index = 0;

	begin(c, VY_KIND_TEXT_DONE, a, out);
	(void)vy_parse_i64(vy_str_n(k, (size_t)(blank - k)), &index);
	out->author = vy_arena_str(a, vy_json_str(c->blocks, k));
	vy_frame_set_str(out, VY_F_MESSAGE, vy_arena_str(a, vy_str_c(blank + 1)));
	vy_frame_set_int(out, VY_F_INDEX, index);
	vy_json_del(c->blocks, vy_arena_printf(a, "%s", k));
}

static void end_tool(struct copy *c, const char *k, struct vy_arena *a, struct vy_frame *out)
{
	const char *id = vy_arena_printf(a, "%s", k);

	begin(c, VY_KIND_TOOL_FINISHED, a, out);
	vy_frame_set_c(out, VY_F_TOOL_ID, id);
	vy_frame_set_bool(out, VY_F_OK, false);
	vy_frame_set_c(out, VY_F_STATUS, "canceled");
	vy_frame_set_json(
		out, VY_F_RESULT, VY_STR_LIT("{\"type\":\"text\",\"text\":\"canceled\"}"));
	vy_json_del(c->tools, id);
}

/* What the newest turn left open, one after the other, and that it is over. */
static bool end_turn(struct copy *c, struct vy_arena *a, struct vy_frame *out)
{
	const char *k;

	if ((k = first(c->blocks)) != NULL) {
		end_block(c, k, a, out);
	} else if ((k = first(c->tools)) != NULL) {
		end_tool(c, k, a, out);
	} else if ((k = first(c->asks)) != NULL) {
		const char *id = vy_arena_printf(a, "%s", k);

		begin(c, VY_KIND_ASK_ANSWERED, a, out);
		vy_frame_set_c(out, VY_F_ASK_ID, id);
		vy_frame_set_c(out, VY_F_DECISION, "cancelled");
		vy_json_del(c->asks, id);
	} else if (c->is_open) {
		c->is_open = false;
		begin(c, VY_KIND_STATUS, a, out);
		vy_frame_set_c(out, VY_F_STATE, vy_state_word(VY_STATE_WAITING));
		if (out->turn.n) {
			vy_frame_set_str(out, VY_F_TURN, out->turn);
		}
	} else {
		return false;
	}
	return true;
}

static int64_t number_of(const struct copy *c, struct vy_str turn)
{
	size_t n = strlen(c->to) + 1;
	long long number = 0;

	return turn.n > n && vy_parse_i64(vy_str_from(turn, n), &number) ? number : 0;
}

bool copy_before(struct copy *c, const struct vy_frame *f, struct vy_arena *a, struct vy_frame *out)
{
	int64_t turn = number_of(c, f->turn);

	if (turn > 0 && turn != c->last && c->is_open) {
		return end_turn(c, a, out);
	}
	if (turn > 0) {
		c->last = turn;
		c->is_open = f->kind != VY_KIND_STATUS || !vy_frame_is(f, VY_F_STATE, "waiting");
	}
	note(c, f, a);
	return false;
}

bool copy_end(struct copy *c, struct vy_arena *a, struct vy_frame *out)
{
	if (c->upto) { /* it ends, also when it has no turn at all */
		c->upto = 0;
		c->is_open = true;
	}
	return end_turn(c, a, out);
}
