/* model_fuzz.c -- whatever frames come, the fold stands; whatever JSON comes, the values read it.
 *
 * The first byte chooses: 's' a snapshot, 'b' a block, 'q' a queue, 'a' an ask, 'u' a list of UI
 * events; else frames, one a line, as a stream with `vyre.lines` brings them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"
#include "shared/model/queue.h"
#include "shared/model/ui.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define OUT_MAX (16 * VY_MIB)

static void encode(const struct vy_fold *f, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_fold_encode(f, true, &w);
	vy_jw_end_obj(&w);
}

/* A snapshot of it, loaded, is the same; every row is within reach. */
static void comes_back(const struct vy_fold *f)
{
	struct vy_fold *g = vy_fold_new();
	struct vy_err e = { 0 };
	VY_AUTO_BUF one = VY_BUF_INIT(OUT_MAX);
	VY_AUTO_BUF two = VY_BUF_INIT(OUT_MAX);

	encode(f, &one);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), &e);

	vy_assert(v != NULL && vy_fold_load(g, v, &e) == 0);
	encode(g, &two);
	VY_AUTO_JSON *u = vy_json_parse(vy_buf_str(&two), &e);

	vy_assert(vy_json_equal(v, u)); /* but for the blanks in what is kept as JSON */
	vy_assert(vy_fold_len(f) == vy_fold_len(g));
	for (size_t i = 0; i < vy_fold_len(f); i++) {
		size_t at;
		const struct vy_row *r = vy_fold_row(f, i);

		vy_assert(vy_fold_index(f, r->key, &at) && at == i);
		vy_assert(vy_str_eq(r->key, vy_fold_row(g, i)->key));
		(void)vy_fold_depth(f, r);
	}
	vy_fold_free(g);
}

static void frames(struct vy_str s)
{
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;
	bool good = true;

	vy_arena_init(&a);
	while (s.n) {
		const char *nl = memchr(s.p, '\n', s.n);
		size_t n = nl ? (size_t)(nl - s.p) : s.n;
		struct vy_frame fr;
		struct vy_change ch = { 0 };
		size_t before = vy_fold_len(f);

		/* not checked on purpose: the fold must stand what a check would refuse */
		if (vy_frame_decode(vy_str_n(s.p, n), &a, &fr, NULL) == 0) {
			good = good && vy_frame_check(&fr, NULL) == 0;
			vy_fold_apply(f, &fr, &ch);
			vy_assert(vy_fold_len(f) == before + ch.inserted - ch.removed);
			vy_assert(!ch.rows || ch.row <= vy_fold_len(f));
		}
		vy_arena_reset(&a);
		s = vy_str_from(s, n + (nl != NULL));
	}
	if (good) {
		comes_back(f);
	}
	vy_arena_fini(&a);
	vy_fold_free(f);
}

static void snapshot(const struct vy_json *v)
{
	struct vy_fold *f = vy_fold_new();

	if (vy_fold_load(f, v, NULL) == 0) {
		comes_back(f);
	}
	vy_fold_free(f);
}

static void block(const struct vy_json *v)
{
	struct vy_arena a;
	struct vy_block b;
	VY_AUTO_BUF one = VY_BUF_INIT(VY_FRAME_MAX);
	VY_AUTO_BUF two = VY_BUF_INIT(VY_FRAME_MAX);
	struct vy_jw w = VY_JW(&one), x = VY_JW(&two);

	vy_arena_init(&a);
	vy_block_read(v, &a, &b);
	vy_block_write(&b, &w);
	vy_assert(!vy_buf_is_over(&one));
	vy_block_parse(vy_buf_str(&one), &a, &b);
	vy_block_write(&b, &x);
	vy_assert(vy_str_eq(vy_buf_str(&one), vy_buf_str(&two)));
	vy_arena_fini(&a);
}

static void queue(const struct vy_json *v)
{
	struct vy_queue q, r;
	VY_AUTO_BUF one = VY_BUF_INIT(OUT_MAX);
	struct vy_jw w = VY_JW(&one);

	if (vy_queue_decode(&q, v, NULL) < 0) {
		return;
	}
	(void)vy_queue_next(&q, true);
	vy_queue_encode(&q, &w);
	VY_AUTO_JSON *again = vy_json_parse(vy_buf_str(&one), NULL);

	vy_assert(vy_queue_decode(&r, again, NULL) == 0 && r.n == q.n);
	vy_queue_fini(&q);
	vy_queue_fini(&r);
}

static void ask(const struct vy_json *v)
{
	struct vy_arena a;
	struct vy_ask k;
	struct vy_ask_option o;
	bool already;

	vy_arena_init(&a);
	if (vy_ask_decode(v, &a, &k, NULL) == 0) {
		for (size_t i = 0; vy_ask_option(&k, i, &a, &o); i++) {
			vy_assert(!o.id.n || vy_ask_takes(&k, o.id));
		}
		(void)!vy_ask_answer(
			&k, VY_STR_LIT("allow"), VY_STR_LIT("person:p"), 1, &already, NULL);
	}
	vy_arena_fini(&a);
}

/* What is refused changes nothing, and each row stands there once. */
static void ui(const struct vy_json *events)
{
	struct vy_ui *u = vy_ui_new();

	for (size_t i = 0; i < vy_json_len(events); i++) {
		const struct vy_json *ev = vy_json_at(events, i);
		size_t before = vy_ui_len(u);

		if (vy_ui_apply(u, vy_json_str(ev, "type"), ev, NULL) != 0) {
			vy_assert(vy_ui_len(u) == before);
		}
		for (size_t k = 0; k < vy_ui_len(u); k++) {
			vy_assert(vy_json_type(vy_ui_row(u, k)) == VY_JSON_OBJ);
		}
	}
	vy_assert(!vy_ui_row(u, vy_ui_len(u)));
	vy_ui_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str s = vy_str_n((const char *)data, n);

	if (n == 0) {
		return 0;
	}
	if (!memchr("sbqau", data[0], 5)) {
		frames(s);
		return 0;
	}
	VY_AUTO_JSON *v = vy_json_parse(vy_str_from(s, 1), NULL);

	switch (data[0]) {
	case 's': snapshot(v); break;
	case 'b': block(v); break;
	case 'q': queue(v); break;
	case 'u': ui(v); break;
	default: ask(v);
	}
	return 0;
}
