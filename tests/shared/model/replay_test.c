/* replay_test.c -- random sessions: whatever way the frames come, the same transcript comes out.
 *
 * One by one, merged in any way, or half of it as a snapshot: every row, revision and count is the
 * same. And a viewer that draws only what a change names always shows what is there. */
#include "tests/shared/model/sessions.h"

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/merge.h"
#include "shared/base/ban.h"

enum { ROUNDS = 150 };

/* Everything a fold knows, as it goes into a snapshot. */
static void whole(const struct vy_fold *f, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_fold_encode(f, true, &w);
	vy_jw_end_obj(&w);
	tell(f, out);
}

static struct vy_fold *fold_of(const struct session *s, size_t n)
{
	struct vy_fold *f = vy_fold_new();

	for (size_t i = 0; i < n; i++) {
		vy_fold_apply(f, &s->f[i], NULL);
	}
	return f;
}

static void merged_or_not(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct session s;
		struct vy_merge m;
		uint64_t cuts = seed;
		VY_AUTO_BUF one = VY_BUF_INIT(4 * VY_MIB), two = VY_BUF_INIT(4 * VY_MIB);

		make_session(&s, seed, false);
		struct vy_fold *f = fold_of(&s, FRAMES), *g = vy_fold_new();
		const struct vy_frame *run;

		vy_merge_init(&m);
		for (size_t i = 0; i < FRAMES; i++) {
			/* a replay may end anywhere, so a run may be cut anywhere */
			if (chance(&cuts, 5) && vy_merge_add(&m, &s.f[i])) {
				continue;
			}
			if ((run = vy_merge_take(&m))) {
				vy_fold_apply(g, run, NULL);
			}
			if (!vy_merge_add(&m, &s.f[i])) {
				vy_fold_apply(g, &s.f[i], NULL);
			}
		}
		if ((run = vy_merge_take(&m))) {
			vy_fold_apply(g, run, NULL);
		}
		whole(f, &one);
		whole(g, &two);
		check_str("merged", vy_buf_c(&two), vy_buf_c(&one));
		vy_merge_fini(&m);
		vy_fold_free(f);
		vy_fold_free(g);
		vy_arena_fini(&s.a);
	}
}

/* A client that starts from a snapshot at any frame and folds on is where the others are. */
static void from_a_snapshot_anywhere(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct session s;
		size_t at = 1 + (seed * 37) % (FRAMES - 1);
		struct vy_err e = { 0 };
		VY_AUTO_BUF snap = VY_BUF_INIT(4 * VY_MIB);
		VY_AUTO_BUF one = VY_BUF_INIT(4 * VY_MIB), two = VY_BUF_INIT(4 * VY_MIB);
		struct vy_jw w = VY_JW(&snap);

		make_session(&s, seed, false);
		struct vy_fold *f = fold_of(&s, at), *g = vy_fold_new();

		vy_jw_obj(&w);
		vy_fold_encode(f, true, &w);
		vy_jw_end_obj(&w);
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&snap), &e);

		check_str("is JSON", e.text, "");
		check_int("loads", vy_fold_load(g, v, &e), 0);
		for (size_t i = at; i < FRAMES; i++) {
			vy_fold_apply(f, &s.f[i], NULL);
			vy_fold_apply(g, &s.f[i], NULL);
		}
		whole(f, &one);
		whole(g, &two);
		check_str("folded on", vy_buf_c(&two), vy_buf_c(&one));
		vy_fold_free(f);
		vy_fold_free(g);
		vy_arena_fini(&s.a);
	}
}

/* Without the folded rows: either the shown ones are right, or the fold says that it is stale. */
static void a_lean_snapshot_knows_what_it_lacks(void **state)
{
	(void)state;
	int stale_ones = 0;

	for (uint64_t seed = 1; seed <= 2 * ROUNDS; seed++) {
		struct session s;
		size_t at = 1 + (seed * 37) % (FRAMES - 1);
		struct vy_err e = { 0 };
		VY_AUTO_BUF snap = VY_BUF_INIT(4 * VY_MIB);
		struct vy_jw w = VY_JW(&snap);
		bool stale = false;

		make_session(&s, seed, true);
		struct vy_fold *f = fold_of(&s, at), *g = vy_fold_new();

		vy_jw_obj(&w);
		vy_fold_encode(f, false, &w);
		vy_jw_end_obj(&w);
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&snap), &e);

		check_int("loads", vy_fold_load(g, v, &e), 0);
		for (size_t i = at; i < FRAMES && !stale; i++) {
			struct vy_change ch;

			vy_fold_apply(f, &s.f[i], NULL);
			vy_fold_apply(g, &s.f[i], &ch);
			stale = ch.stale;
		}
		stale_ones += stale;
		if (!stale) {
			for (size_t i = 0; i < vy_fold_len(f); i++) {
				const struct vy_row *r = vy_fold_row(g, i);

				check_true("all there", r != NULL);
				check_vstr("the same rows", r->key, vy_fold_row(f, i)->key);
			}
			check_int("no other", (long long)vy_fold_len(g), (long long)vy_fold_len(f));
		}
		vy_fold_free(f);
		vy_fold_free(g);
		vy_arena_fini(&s.a);
	}
	check_true("both happen", stale_ones > 5 && stale_ones < 2 * ROUNDS - 5);
}

/* ---- a screen that trusts what a change says ---- */

struct screen {
	struct {
		struct vy_str key;
		uint64_t rev;
		char *text;
	} line[FRAMES];
	size_t n;
};

static char *told(const struct vy_row *r)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	tell_row(r, &b);
	return vy_strdup(vy_buf_c(&b));
}

static void draw(struct screen *sc, size_t i, const struct vy_row *r)
{
	free(sc->line[i].text);
	sc->line[i].key = r->key;
	sc->line[i].rev = r->rev;
	sc->line[i].text = told(r);
}

static void follow(struct screen *sc, const struct vy_fold *f, const struct vy_change *ch)
{
	if (!ch->rows) {
		return;
	}
	for (size_t i = 0; i < ch->removed; i++) {
		free(sc->line[ch->row + i].text);
	}
	memmove(&sc->line[ch->row + ch->inserted], &sc->line[ch->row + ch->removed],
		(sc->n - ch->row - ch->removed) * sizeof(sc->line[0]));
	memset(&sc->line[ch->row], 0, ch->inserted * sizeof(sc->line[0]));
	sc->n = sc->n - ch->removed + ch->inserted;
	for (size_t i = ch->row; i < sc->n; i++) {
		const struct vy_row *r = vy_fold_row(f, i);
		bool named = i <= ch->row || i < ch->row + ch->inserted;

		if (named || (ch->rest && (!vy_str_eq(sc->line[i].key, r->key) ||
						  sc->line[i].rev != r->rev))) {
			draw(sc, i, r);
		}
	}
}

static void a_change_says_enough(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct session s;
		struct vy_fold *f = vy_fold_new();
		struct screen sc = { .n = 0 };

		make_session(&s, seed, false);
		for (size_t i = 0; i < FRAMES; i++) {
			struct vy_change ch;

			vy_fold_apply(f, &s.f[i], &ch);
			follow(&sc, f, &ch);
			check_int("as many", (long long)sc.n, (long long)vy_fold_len(f));
			for (size_t j = 0; j < sc.n; j++) {
				char *want = told(vy_fold_row(f, j));

				check_str("what the screen shows", sc.line[j].text, want);
				free(want);
			}
		}
		for (size_t j = 0; j < sc.n; j++) {
			free(sc.line[j].text);
		}
		vy_fold_free(f);
		vy_arena_fini(&s.a);
	}
}

/* ---- snapshots from elsewhere ---- */

static void other_snapshots(void **state)
{
	(void)state;
	static const struct {
		const char *name, *json, *want; /* want "!…": refused so */
	} rows[] = {
		{ "only what wire 4 names",
			"{'record':{'state':'running','mode':'plan','model':'opus','held':true,'"
			"turn':'S:4'},"
			"'rows':[{'key':'m:m:0','kind':'message','message':'m','text':'hi'},"
			"{'key':'u:u','kind':'message','user':true,'message':'u','text':'q','state'"
			":'queued'},"
			"{'key':'ask:q','kind':'ask','ask':{'ask':'q','kind':'plan','state':'open',"
			"'summary':'s'}},"
			"{'key':'tool:t','kind':'tool','tool_id':'t','tool':'T','status':'running'}"
			"],'cur':9,'epoch':'E'}",
			"says \"hi\"\nask plan \"s\" open\ntool T() running\n[] you \"q\" queued\n"
			"working held asks=1 running=1 plan/opus" },
		{ "a row of a newer server",
			"{'record':{'state':'idle'},'cur':1,'rows':[{'key':'h:1','kind':'hologram',"
			"'x':1}]}",
			"?hologram {\"key\":\"h:1\",\"kind\":\"hologram\",\"x\":1}\nwaiting asks=0 "
			"running=0" },
		{ "no rows", "{'cur':1}", "!a snapshot needs rows and cur" },
		{ "no cur", "{'rows':[]}", "!a snapshot needs rows and cur" },
		{ "a row without a key", "{'rows':[{'kind':'message'}],'cur':1}",
			"!a snapshot: a row without a key" },
		{ "a message without an id", "{'rows':[{'key':'k','kind':'message'}],'cur':1}",
			"!a snapshot: row k: has no id" },
		{ "an ask without an id", "{'rows':[{'key':'k','kind':'ask'}],'cur':1}",
			"!a snapshot: an ask without an id" },
		{ "a row twice",
			"{'rows':[{'key':'k','kind':'notice'},{'key':'k','kind':'notice'}],'cur':"
			"1}",
			"!a snapshot: row k: stands there twice" },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_fold *f = vy_fold_new();
		struct vy_err e = { 0 };
		VY_AUTO_BUF got = VY_BUF_INIT(65536);
		VY_AUTO_JSON *v = vy_json_parse(quoted(&a, rows[i].json), &e);

		check_str(rows[i].name, e.text, "");
		if (vy_fold_load(f, v, &e) < 0) {
			vy_buf_addf(&got, "!%s", e.text);
			check_true("nothing is left of it",
				vy_fold_len(f) == 0 && !vy_fold_queued(f, 0));
		} else {
			tell(f, &got);
		}
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
		vy_fold_free(f);
	}
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(merged_or_not), CHECK_TEST(from_a_snapshot_anywhere),
	CHECK_TEST(a_lean_snapshot_knows_what_it_lacks), CHECK_TEST(a_change_says_enough),
	CHECK_TEST(other_snapshots))
