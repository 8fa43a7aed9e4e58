/* ui_stage_test.c -- whatever happens in a session, and however seldom somebody looks: what a client
 * has made of the events is what the server's fold shows.
 *
 * Viewers of all paces apply what they are given, come, go and come back; the order of rows is
 * judged at each step, all of them whenever a viewer is behind on nothing. */
#include "server/hub/ui_stage.h"

#include <stdlib.h>

#include "server/hub/ui_draw.h"
#include "shared/model/ui.h"
#include "tests/shared/model/sessions.h"
#include "shared/base/ban.h"

enum { VIEWERS = 5, ROUNDS = 150 };

struct viewer {
	struct ui_place place;
	struct vy_ui *ui;
	unsigned pace; /* of ten chances to read one event */
	size_t events, bytes;
};

static void come(struct viewer *v, unsigned pace)
{
	vy_ui_free(v->ui);
	*v = (struct viewer){ .ui = vy_ui_new(), .pace = pace };
}

static bool take(struct ui_stage *s, struct viewer *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64 * VY_MIB);
	struct vy_err e = { 0 };

	if (!ui_stage_next(s, &v->place, &b)) {
		return false;
	}
	VY_AUTO_JSON *ev = vy_json_parse(vy_buf_str(&b), &e);

	if (!ev || vy_ui_apply(v->ui, vy_json_str(ev, "type"), ev, &e) != 0) {
		fail_msg("%s: %s", e.text, vy_buf_c(&b));
	}
	v->events++;
	v->bytes += b.len;
	return true;
}

/* The rows that a reader of `f` is to have, from `base` on; keys alone, or all of them. */
static void shown(const struct vy_fold *f, bool keys, struct vy_buf *out)
{
	size_t n = vy_fold_len(f);

	for (size_t i = 0; i < n + vy_fold_state(f)->queued; i++) {
		const struct vy_row *r = i < n ? vy_fold_row(f, i) : vy_fold_queued(f, i - n);

		if (keys) {
			vy_buf_addstr(out, r->key);
		} else {
			ui_draw(r, out);
		}
		vy_buf_addc(out, '\n');
	}
}

static void has(const struct vy_ui *u, struct vy_buf *out)
{
	for (size_t i = 0; i < vy_ui_len(u); i++) {
		vy_json_dump(vy_ui_row(u, i), out);
		vy_buf_addc(out, '\n');
	}
}

/* What the viewer has, as the server draws it: through the same writer. */
static void same(const char *what, const struct vy_fold *f, const struct vy_ui *u)
{
	VY_AUTO_BUF want = VY_BUF_INIT(64 * VY_MIB), got = VY_BUF_INIT(64 * VY_MIB);
	VY_AUTO_BUF line = VY_BUF_INIT(64 * VY_MIB);

	shown(f, false, &line);
	for (struct vy_str rest = vy_buf_str(&line);
		rest.n;) { /* numbers and keys as JSON has them */
		const char *lf = memchr(rest.p, '\n', rest.n);
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(rest.p, (size_t)(lf - rest.p)), NULL);

		vy_json_dump(v, &want);
		vy_buf_addc(&want, '\n');
		rest = vy_str_from(rest, (size_t)(lf - rest.p) + 1);
	}
	has(u, &got);
	check_str(what, vy_buf_c(&got), vy_buf_c(&want));
}

static struct vy_fold *fold_to(const struct session *s, size_t n)
{
	struct vy_fold *f = vy_fold_new();

	for (size_t i = 0; i < n; i++) {
		vy_fold_apply(f, &s->f[i], NULL);
	}
	return f;
}

/* As a page of the log gives it: without what was folded away. */
static struct vy_fold *lean_to(const struct session *s, size_t n)
{
	VY_AUTO_BUF text = VY_BUF_INIT(16 * VY_MIB);
	struct vy_jw w = VY_JW(&text);
	struct vy_fold *f = fold_to(s, n);
	struct vy_err e = { 0 };

	vy_jw_obj(&w);
	vy_fold_encode(f, false, &w);
	vy_jw_end_obj(&w);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&text), &e);

	if (vy_fold_load(f, v, &e) != 0) {
		fail_msg("%s", e.text);
	}
	return f;
}

/* ---- at any cut ---- */

static void look(struct ui_stage *s, struct viewer *v, uint64_t *seed, const struct vy_fold *f,
	bool is_still)
{
	while (chance(seed, 10) < v->pace && take(s, v)) {
	}
	if (is_still && !ui_stage_has(s, &v->place)) {
		same("caught up", f, v->ui);
	}
}

static int renewals;

static void play(uint64_t seed)
{
	static const unsigned paces[VIEWERS] = { 10, 9, 7, 3, 1 };
	struct viewer v[VIEWERS] = { 0 };
	struct session in;
	uint64_t luck = seed * 7919;

	make_session(&in, seed, seed % 2);
	size_t at = chance(&luck, FRAMES / 2);
	bool is_lean = seed % 4 == 1; /* of one where what is folded away is over */
	struct ui_stage *s = ui_stage_new((is_lean ? lean_to : fold_to)(&in, at), "epoch0123456");
	struct vy_fold *f = fold_to(&in, at); /* the frames, folded by themselves */
	int64_t now = 1000;

	for (size_t i = 0; i < VIEWERS; i++) {
		come(&v[i], paces[i]);
	}
	for (; at < FRAMES; at++) {
		vy_fold_apply(f, &in.f[at], NULL);
		if (!ui_stage_apply(s, &in.f[at], 100, now)) {
			ui_stage_renew(s, fold_to(&in, at + 1));
			renewals++;
		}
		now += chance(&luck, 30);
		bool is_still = ui_stage_tick(s, now) == UI_NEVER;

		for (size_t i = 0; i < VIEWERS; i++) {
			if (chance(&luck, 40) == 0) {
				come(&v[i], paces[i]);
			}
			look(s, &v[i], &luck, f, is_still);
		}
	}
	now += 60 * 1000;
	assert_true(ui_stage_tick(s, now) == UI_NEVER);
	for (size_t i = 0; i < VIEWERS; i++) {
		while (take(s, &v[i])) {
		}
		same("in the end", f, v[i].ui);
		vy_ui_free(v[i].ui);
	}
	ui_stage_free(s);
	vy_fold_free(f);
	vy_arena_fini(&in.a);
}

static void at_any_cut(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		play(seed);
	}
	assert_true(renewals > 0);
}

/* ---- what it costs ---- */

static struct vy_frame word(struct vy_arena *a, uint64_t cur, const char *text)
{
	return delta_of(a, cur, text);
}

/* A text that grows piece by piece for a long time: what is sent is bounded by the time, and the one
 * who reads nothing meanwhile gets it once. */
static void a_text_that_grows(void **state)
{
	enum { PIECES = 20000 };
	struct ui_stage *s = ui_stage_new(vy_fold_new(), "e");
	struct viewer fast = { 0 }, slow = { 0 };
	struct vy_arena a;
	int64_t now = 0;

	(void)state;
	vy_arena_init(&a);
	come(&fast, 10);
	come(&slow, 10);
	assert_true(take(s, &slow) && !take(s, &slow));
	for (uint64_t i = 1; i <= PIECES; i++) {
		struct vy_frame f = word(&a, i, "ten bytes ");

		assert_true(ui_stage_apply(s, &f, 250, now));
		now += 2;
		ui_stage_tick(s, now);
		while (take(s, &fast)) {
		}
	}
	now += 1000;
	ui_stage_tick(s, now);
	while (take(s, &fast)) {
	}
	/* 40 seconds, 200 KB at last: at most a MiB a second, and not its square (2 GB) */
	assert_true(fast.events > 100 && fast.events < 1000);
	assert_true(fast.bytes < (size_t)(now / 1000) * VY_MIB);
	while (take(s, &slow)) {
	}
	check_int("slow", (long long)slow.events, 2);
	check_int("the words", (long long)vy_json_str(vy_ui_row(slow.ui, 0), "text").n,
		(long long)PIECES * 10);
	vy_ui_free(fast.ui);
	vy_ui_free(slow.ui);
	ui_stage_free(s);
	vy_arena_fini(&a);
}

/* Of many rows that change again and again, who is behind gets each once. */
static void who_is_behind(void **state)
{
	enum { TOOLS = 100, TIMES = 50 };
	struct ui_stage *s = ui_stage_new(vy_fold_new(), "e");
	struct viewer v = { 0 };
	struct vy_arena a;
	uint64_t cur = 0;

	(void)state;
	vy_arena_init(&a);
	come(&v, 10);
	assert_true(take(s, &v));
	for (unsigned i = 0; i < TOOLS; i++) {
		struct vy_frame f = frame_of(&a, ++cur, "tool-started",
			vy_arena_printf(
				&a, "'tool_id':'t%u','tool':'T','kind':'shell','summary':'s'", i));

		assert_true(ui_stage_apply(s, &f, 200, (int64_t)cur));
	}
	for (unsigned i = 0; i < TOOLS * TIMES; i++) {
		struct vy_frame f = frame_of(&a, ++cur, "tool-progress",
			vy_arena_printf(&a, "'tool_id':'t%u','text':'p%u'", i % TOOLS, i));

		assert_true(ui_stage_apply(s, &f, 200, (int64_t)cur * 100));
		ui_stage_tick(s, (int64_t)cur * 100);
	}
	while (take(s, &v)) {
	}
	check_int("events", (long long)v.events, 1 + TOOLS);
	vy_ui_free(v.ui);
	ui_stage_free(s);
	vy_arena_fini(&a);
}

/* ---- the window ---- */

static void a_window(void **state)
{
	struct vy_fold *f = vy_fold_new();
	struct ui_stage *s;
	struct viewer v = { 0 };
	struct vy_arena a;
	uint64_t cur = 0;
	bool is_full = false;

	(void)state;
	vy_arena_init(&a);
	for (unsigned i = 0; i < UI_ROWS_MAX; i++) {
		struct vy_frame fr = frame_of(&a, ++cur, "status", "'state':'waiting','note':'n'");

		vy_fold_apply(f, &fr, NULL);
	}
	s = ui_stage_new(f, "e");
	come(&v, 10);
	assert_true(take(s, &v));
	check_int("the newest", (long long)vy_ui_len(v.ui), UI_ROWS_MAX / 2);
	/* the next stands at the end */
	struct vy_frame late = frame_of(&a, ++cur, "status", "'state':'waiting','note':'late'");

	assert_true(ui_stage_apply(s, &late, 100, 0));
	assert_true(take(s, &v) && !take(s, &v));
	check_int("one more", (long long)vy_ui_len(v.ui), UI_ROWS_MAX / 2 + 1);
	while (!is_full) {
		struct vy_frame fr = frame_of(&a, ++cur, "status", "'state':'waiting','note':'n'");

		is_full = !ui_stage_apply(s, &fr, 100, 0);
	}
	assert_in_range(cur, UI_ROWS_MAX + UI_ROWS_MAX / 2, UI_ROWS_MAX + UI_ROWS_MAX / 2 + 2);
	ui_stage_renew(s, vy_fold_new());
	assert_true(take(s, &v) && !take(s, &v));
	check_int("anew", (long long)vy_ui_len(v.ui), 0);
	vy_ui_free(v.ui);
	ui_stage_free(s);
	vy_arena_fini(&a);
}

/* Rows that are large: a reset has the newest of them, and goes on from there. */
static void large_rows(void **state)
{
	enum { ROWS = 100, PIECES = 4 };
	char *text = vy_alloc(60 * VY_KIB);
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;
	struct viewer v = { 0 };
	uint64_t cur = 0;

	(void)state;
	vy_arena_init(&a);
	memset(text, 'x', 60 * VY_KIB - 1);
	for (unsigned i = 0; i < ROWS; i++) {
		for (unsigned k = 0; k < PIECES; k++) {
			struct vy_frame fr = delta_of(&a, ++cur, text);

			vy_frame_set_c(&fr, VY_F_MESSAGE, vy_arena_printf(&a, "m%u", i));
			vy_fold_apply(f, &fr, NULL);
		}
	}
	struct ui_stage *s = ui_stage_new(f, "e");

	come(&v, 10);
	assert_true(take(s, &v) && !take(s, &v));
	assert_in_range(v.bytes, UI_RESET_MAX / 2, UI_RESET_MAX + VY_MIB);
	assert_in_range(vy_ui_len(v.ui), 30, 40);
	check_vstr("the newest", vy_json_str(vy_ui_row(v.ui, vy_ui_len(v.ui) - 1), "key"),
		VY_STR_LIT("m:m99:0"));
	struct vy_frame fr = delta_of(&a, ++cur, "more");

	vy_frame_set_c(&fr, VY_F_MESSAGE, "m0"); /* which is not in the list */
	assert_true(ui_stage_apply(s, &fr, 100, 1));
	assert_true(ui_stage_tick(s, 10000) == UI_NEVER && !take(s, &v));
	vy_frame_set_c(&fr, VY_F_MESSAGE, "m99");
	fr.cur = ++cur;
	assert_true(ui_stage_apply(s, &fr, 100, 20000));
	assert_true(ui_stage_tick(s, 30000) == UI_NEVER && take(s, &v) && !take(s, &v));
	check_int("grown", (long long)vy_json_str(vy_ui_row(v.ui, vy_ui_len(v.ui) - 1), "text").n,
		PIECES * (60LL * VY_KIB - 1) + 4);
	vy_ui_free(v.ui);
	ui_stage_free(s);
	vy_arena_fini(&a);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_any_cut),
		cmocka_unit_test(a_text_that_grows),
		cmocka_unit_test(who_is_behind),
		cmocka_unit_test(a_window),
		cmocka_unit_test(large_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
