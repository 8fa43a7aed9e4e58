/* journal.c -- see journal.h. */
#include "tests/play/journal.h"

#include <stdarg.h>
#include <stdio.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void journal_init(struct journal *j, int64_t from)
{
	*j = (struct journal){ .last = from,
		.live = vy_json_new_obj(),
		.settled = vy_json_new_obj(),
		.ended = vy_json_new_obj(),
		.owed = vy_json_new_obj() };
}

void journal_fini(struct journal *j)
{
	vy_json_free(j->live);
	vy_json_free(j->settled);
	vy_json_free(j->ended);
	vy_json_free(j->owed);
}

static bool VY_PRINTF(2, 3) wrong(struct journal *j, const char *fmt, ...)
{
	va_list ap;

	if (!j->why[0]) {
		va_start(ap, fmt);
		vsnprintf(j->why, sizeof(j->why), fmt, ap);
		va_end(ap);
	}
	return false;
}

size_t journal_units(struct vy_str s, int64_t units)
{
	size_t i = 0;

	while (i < s.n && units > 0) {
		unsigned char c = (unsigned char)s.p[i];
		size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;

		units -= n == 4 ? 2 : 1;
		i += n;
	}
	return i < s.n ? i : s.n;
}

/* ---- pieces ---- */

static void add_piece(
	struct vy_json *to, int64_t block, struct vy_str kind, struct vy_str text, int64_t time)
{
	struct vy_json *piece = vy_json_new_arr();

	vy_json_add_take(piece, vy_json_new_int(block));
	vy_json_add_take(piece, vy_json_new_str(kind));
	vy_json_add_take(piece, vy_json_new_str(text));
	vy_json_add_take(piece, vy_json_new_int(time));
	vy_json_add_take(to, piece);
}

/* One run of a block's pieces; `at` is which of them comes next, `time` when the last one came. */
static void add_run(struct vy_json *to, const struct vy_json *block, const char *key, size_t *at,
	int64_t n, int64_t *time)
{
	const struct vy_json *pairs = vy_json_get(block, key);
	struct vy_str text = vy_json_str(block, "text");

	for (; n > 0 && *at < vy_json_len(pairs); n--, ++*at) {
		const struct vy_json *pair = vy_json_at(pairs, *at);
		const struct vy_json *next = vy_json_at(pairs, *at + 1);
		size_t from = journal_units(text, vy_json_intval(vy_json_at(pair, 0), 0));
		size_t to_byte =
			next ? journal_units(text, vy_json_intval(vy_json_at(next, 0), 0)) : text.n;

		*time += vy_json_intval(vy_json_at(pair, 1), 0);
		add_piece(to, vy_json_int(block, "index", 0), vy_json_str(block, "kind"),
			vy_str_n(text.p + from, to_byte > from ? to_byte - from : 0), *time);
	}
}

enum { BLOCKS_MAX = 256 };

/* A compact stream taken apart: `times` of a baseline, `stream` of a settlement. */
static struct vy_json *pieces(const struct vy_json *of, const char *key, int64_t started)
{
	const struct vy_json *blocks = vy_json_get(of, "blocks"), *order = vy_json_get(of, "order");
	struct vy_json *out = vy_json_new_arr();
	size_t at[BLOCKS_MAX] = { 0 }, n = vy_json_len(order ? order : blocks);
	int64_t time = started;

	for (size_t i = 0; i < n; i++) {
		const struct vy_json *run = vy_json_at(order, i);
		size_t block = run ? (size_t)vy_json_intval(vy_json_at(run, 0), 0) : i;
		const struct vy_json *b = block < BLOCKS_MAX ? vy_json_at(blocks, block) : NULL;

		if (b) {
			add_run(out, b, key, &at[block],
				run ? vy_json_intval(vy_json_at(run, 1), 0)
				    : (int64_t)vy_json_len(vy_json_get(b, key)),
				&time);
		}
	}
	return out;
}

/* ---- attempts ---- */

static bool start(struct journal *j, const char *id, const struct vy_json *item)
{
	const struct vy_json *base = vy_json_get(item, "baseline");
	struct vy_json *have =
		base ? pieces(base, "times", vy_json_int(item, "time", 0)) : vy_json_new_arr();
	bool fits = !base || (int64_t)vy_json_len(have) == vy_json_int(base, "chunks", -1);

	vy_json_take(j->live, id, have);
	if (vy_json_int(item, "started_after_seq", INT64_MAX) > j->last) {
		return wrong(j, "an attempt begins behind an event nobody saw");
	}
	return fits || wrong(j, "a baseline has other chunks than it says");
}

static bool chunk(struct journal *j, struct vy_json *attempt, const struct vy_json *item)
{
	const struct vy_json *delta = vy_json_get(item, "delta");

	add_piece(attempt, vy_json_int(delta, "block", 0), vy_json_str(delta, "kind"),
		vy_json_str(delta, "text"), vy_json_int(item, "time", 0));
	j->chunks++;
	return true;
}

/* What was seen on its way is what was settled, and the end names that. */
static bool is_as_settled(
	struct journal *j, const char *id, const struct vy_json *seen, const struct vy_json *names)
{
	const struct vy_json *s = vy_json_get(j->settled, id), *want = vy_json_get(s, "pieces");

	if (vy_json_get(j->ended, id)) {
		return wrong(j, "an attempt ends twice");
	}
	if (!vy_str_eq(vy_json_str(names, "type"), vy_json_str(s, "type")) ||
		vy_json_int(names, "seq", -1) != vy_json_int(s, "seq", 0)) {
		return wrong(j, "an end names another settlement");
	}
	vy_json_set_bool(j->ended, id, true);
	j->ends++;
	if (vy_json_len(want) != vy_json_len(seen)) {
		return wrong(j, "settled in %zu pieces, seen in %zu", vy_json_len(want),
			vy_json_len(seen));
	}
	for (size_t i = 0; i < vy_json_len(want); i++) {
		if (!vy_json_equal(vy_json_at(want, i), vy_json_at(seen, i))) {
			return wrong(j, "piece %zu was settled otherwise than seen", i);
		}
	}
	return true;
}

/* Who writes down what a client shows has the settlement behind the end that it replaces. */
static bool end(struct journal *j, const char *id, struct vy_json *seen, const struct vy_json *item)
{
	if (!vy_str_is(vy_json_str(item, "outcome"), "committed")) {
		j->abandoned++;
		return true;
	}
	if (vy_json_get(j->settled, id)) {
		return is_as_settled(j, id, seen, vy_json_get(item, "settlement"));
	}
	if (!j->is_shown || vy_json_get(j->owed, id)) {
		return wrong(j, "an end without its settlement");
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set(o, "seen", seen);
	vy_json_take(o, "names", vy_json_copy(vy_json_get(item, "settlement")));
	vy_json_take(j->owed, id, o);
	return true;
}

static bool attempt_step(struct journal *j, const struct vy_json *item)
{
	const char *id = vy_json_cstr(item, "attempt");
	struct vy_json *attempt = vy_json_get(j->live, id ? id : "");
	int64_t index = vy_json_int(item, "index", -1);

	if (id && vy_str_is(vy_json_str(item, "type"), "attempt.start")) {
		return start(j, id, item);
	}
	if (!attempt) {
		return wrong(j, "of an attempt that did not start");
	}
	if (index != (int64_t)vy_json_len(attempt)) {
		return wrong(j, "chunk or end %lld of an attempt, not %zu", (long long)index,
			vy_json_len(attempt));
	}
	if (vy_json_get(item, "delta")) {
		return chunk(j, attempt, item);
	}
	VY_AUTO_JSON *seen = vy_json_ref(attempt);

	vy_json_del(j->live, id);
	return end(j, id, seen, item);
}

/* ---- events ---- */

static bool settlement(struct journal *j, const struct vy_json *item)
{
	const struct vy_json *data = vy_json_get(item, "data");
	const char *id = vy_json_cstr(data, "attempt");
	struct vy_json *s = vy_json_new_obj();

	vy_json_set_str(s, "type", vy_json_str(item, "type"));
	vy_json_set_int(s, "seq", vy_json_int(item, "seq", 0));
	vy_json_take(s, "pieces", pieces(data, "stream", vy_json_int(data, "started", 0)));
	vy_json_take(j->settled, id ? id : "", s);
	j->cut += vy_str_is(vy_json_str(item, "type"), "assistant.attempt");
	VY_AUTO_JSON *owed = vy_json_ref(vy_json_get(j->owed, id ? id : ""));

	if (!owed) {
		return true;
	}
	vy_json_del(j->owed, id);
	return is_as_settled(j, id, vy_json_get(owed, "seen"), vy_json_get(owed, "names"));
}

bool journal_step(struct journal *j, const struct vy_json *item)
{
	struct vy_str type = vy_json_str(item, "type");
	int64_t seq = vy_json_int(item, "seq", -1), after = vy_json_int(item, "after", -1);

	if (vy_str_is(type, "follow.open")) { /* what it held of attempts is void */
		vy_json_free(j->live);
		j->live = vy_json_new_obj();
		return true;
	}
	if (vy_str_starts(type, "attempt.")) {
		return attempt_step(j, item);
	}
	if (vy_str_starts(type, "follow.")) {
		return true; /* about the connection */
	}
	if (after != j->last || seq <= j->last) {
		return wrong(j, "event %lld behind %lld, where %lld was the last", (long long)seq,
			(long long)after, (long long)j->last);
	}
	j->last = seq;
	return !vy_str_starts(type, "assistant.") || settlement(j, item);
}
