/* ui.c -- see ui.h. The list is an array of rows; a hash finds one by its key. */
#include "shared/model/ui.h"

#include <stdlib.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct ui_row {
	char *key;
	int64_t rev;
	struct vy_json *row;
	UT_hash_handle hh;
};

struct vy_ui {
	struct ui_row **rows;
	size_t n, cap;
	struct ui_row *by_key;
	int64_t cur, before;
	bool is_reset;
};

struct vy_ui *vy_ui_new(void)
{
	return VY_NEW(struct vy_ui);
}

static struct ui_row *find(const struct vy_ui *u, struct vy_str key)
{
	struct ui_row *r = NULL;

	if (u->by_key && key.n) {
		HASH_FIND(hh, u->by_key, key.p, key.n, r);
	}
	return r;
}

/* From the end: what changes is nearly always new. */
static size_t index_of(const struct vy_ui *u, const struct ui_row *r)
{
	size_t i = u->n;

	while (i > 0 && u->rows[i - 1] != r) {
		i--;
	}
	return i - 1;
}

static void take_out(struct vy_ui *u, size_t at)
{
	memmove(&u->rows[at], &u->rows[at + 1], (u->n - at - 1) * sizeof(struct ui_row *));
	u->n--;
}

static void put_in(struct vy_ui *u, size_t at, struct ui_row *r)
{
	u->rows = vy_grow(u->rows, &u->cap, u->n + 1, sizeof(struct ui_row *));
	memmove(&u->rows[at + 1], &u->rows[at], (u->n - at) * sizeof(struct ui_row *));
	u->rows[at] = r;
	u->n++;
}

static void drop(struct vy_ui *u, struct ui_row *r)
{
	HASH_DEL(u->by_key, r);
	vy_json_free(r->row);
	free(r->key);
	free(r);
}

static void clear(struct vy_ui *u)
{
	while (u->n) {
		drop(u, u->rows[--u->n]);
	}
}

void vy_ui_free(struct vy_ui *u)
{
	if (u) {
		clear(u);
		free(u->rows);
		free(u);
	}
}

static struct ui_row *add(struct vy_ui *u, size_t at, struct vy_str key)
{
	struct ui_row *r = VY_NEW(struct ui_row);

	r->key = vy_memdup0(key.p, key.n);
	HASH_ADD_KEYPTR(hh, u->by_key, r->key, key.n, r);
	put_in(u, at, r);
	return r;
}

static void set(struct ui_row *r, int64_t rev, const struct vy_json *row)
{
	if (!r->row || rev > r->rev) {
		vy_json_free(r->row);
		r->row = vy_json_copy(row);
		r->rev = rev;
	}
}

/* ---- the events ---- */

static int reset(struct vy_ui *u, const struct vy_json *data, struct vy_err *e)
{
	const struct vy_json *rows = vy_json_get(data, "rows");

	if (vy_json_type(rows) != VY_JSON_ARR) {
		return vy_fail(e, VY_BAD_INPUT, "ui.reset: it has no rows");
	}
	for (size_t i = 0; i < vy_json_len(rows); i++) {
		if (!vy_json_str(vy_json_at(rows, i), "key").n) {
			return vy_fail(e, VY_BAD_INPUT, "ui.reset: a row without a key");
		}
	}
	clear(u);
	for (size_t i = 0; i < vy_json_len(rows); i++) {
		const struct vy_json *row = vy_json_at(rows, i);
		struct vy_str key = vy_json_str(row, "key");
		struct ui_row *r = find(u, key);

		set(r ? r : add(u, u->n, key), vy_json_int(row, "rev", 1), row);
	}
	u->cur = vy_json_int(data, "cur", 0);
	u->before = vy_json_int(data, "before", 0);
	u->is_reset = true;
	return 0;
}

/* Behind the row that `after` names, as an index; SIZE_MAX: there is none such. */
static size_t place_of(const struct vy_ui *u, struct vy_str after)
{
	const struct ui_row *r = find(u, after);

	return after.n == 0 ? 0 : r ? index_of(u, r) + 1 : SIZE_MAX;
}

static int upsert(struct vy_ui *u, const struct vy_json *data, struct vy_err *e)
{
	struct vy_str key = vy_json_str(data, "key"), after = vy_json_str(data, "after");
	const struct vy_json *row = vy_json_get(data, "row");
	bool is_placed = vy_json_type(vy_json_get(data, "after")) == VY_JSON_STR;
	struct ui_row *r = find(u, key);
	size_t to = is_placed ? place_of(u, after) : u->n;

	if (!key.n || vy_json_type(row) != VY_JSON_OBJ) {
		return vy_fail(e, VY_BAD_INPUT, "ui.upsert: it has no key or no row");
	}
	if (to == SIZE_MAX || (is_placed && vy_str_eq(after, key))) {
		return vy_fail(e, VY_BAD_INPUT, "ui.upsert: there is no row %.*s to stand behind",
			VY_STR_ARG(after));
	}
	if (!r) {
		r = add(u, to, key);
	} else if (is_placed) {
		size_t at = index_of(u, r);

		take_out(u, at);
		put_in(u, at < to ? to - 1 : to, r);
	}
	set(r, vy_json_int(data, "rev", vy_json_int(row, "rev", 1)), row);
	return 0;
}

static void remove_row(struct vy_ui *u, const struct vy_json *data)
{
	struct ui_row *r = find(u, vy_json_str(data, "key"));

	if (r) {
		take_out(u, index_of(u, r));
		drop(u, r);
	}
}

int vy_ui_apply(struct vy_ui *u, struct vy_str type, const struct vy_json *data, struct vy_err *e)
{
	if (vy_str_is(type, "ui.reset")) {
		return reset(u, data, e);
	}
	if (!u->is_reset) {
		return vy_fail(e, VY_BAD_INPUT, "%.*s: a ui.reset comes first", VY_STR_ARG(type));
	}
	if (vy_str_is(type, "ui.upsert")) {
		return upsert(u, data, e);
	}
	if (vy_str_is(type, "ui.remove")) {
		remove_row(u, data);
	}
	return 0;
}

/* ---- reading ---- */

size_t vy_ui_len(const struct vy_ui *u)
{
	return u->n;
}

const struct vy_json *vy_ui_row(const struct vy_ui *u, size_t i)
{
	return i < u->n ? u->rows[i]->row : NULL;
}

int64_t vy_ui_cur(const struct vy_ui *u)
{
	return u->cur;
}

int64_t vy_ui_before(const struct vy_ui *u)
{
	return u->before;
}
