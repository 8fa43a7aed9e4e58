/* replay_test.c -- random sessions: whatever way the frames come, the same transcript comes out.
 *
 * One by one, merged in any way, or half of it as a snapshot: every row, revision and count is the
 * same. And a viewer that draws only what a change names always shows what is there. */
#include "tests/shared/model/rows.h"

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/merge.h"
#include "shared/base/ban.h"

enum { FRAMES = 120, ROUNDS = 150 };

struct session {
	struct vy_arena a;
	struct vy_frame f[FRAMES];
};

/* Raised by each rewind of a session that has `eras`: what is said after it has new ids, as in
 * life, where the agent has ended what was folded away. Without, ids come back in any way. */
static unsigned era;

static const char *pick(uint64_t *seed, const char *const *from, uint32_t n)
{
	return from[chance(seed, n)];
}

static struct vy_frame text(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	struct vy_frame f = delta_of(a, cur, "");

	vy_frame_set_c(&f, VY_F_MESSAGE, vy_arena_printf(a, "m%u.%u", 1 + chance(seed, 2), era));
	vy_frame_set_int(&f, VY_F_INDEX, chance(seed, 2));
	vy_frame_set_str(&f, VY_F_TEXT, random_text(a, seed, 10));
	if (chance(seed, 3) == 0) {
		vy_frame_set_bool(&f, VY_F_REASONING, true);
	}
	if (chance(seed, 12) == 0) {
		vy_frame_set_bool(&f, VY_F_EXPIRED, true);
		vy_frame_del(&f, VY_F_TEXT);
	}
	return f;
}

static struct vy_frame user(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	static const char *const states[] = { "sent", "queued", "queued", "picked-up",
		"cancelled" };
	struct vy_frame f = frame_of(a, cur, "user-message",
		vy_arena_printf(a, "'message':'u%u.%u','state':'%s','text':'w%u'", chance(seed, 6),
			era, pick(seed, states, 5), chance(seed, 9)));

	if (chance(seed, 3) == 0) {
		vy_frame_set_int(&f, VY_F_POSITION, chance(seed, 3));
	}
	return f;
}

static struct vy_frame tool(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	unsigned id = chance(seed, 5);

	switch (chance(seed, 3)) {
	case 0:
		return frame_of(a, cur, "tool-started",
			vy_arena_printf(a,
				"'tool_id':'t%u.%u','tool':'T','kind':'%s','summary':'s%s", id, era,
				chance(seed, 3) ? "shell" : "todo",
				chance(seed, 3) ? "'" : "','parent_tool':'t0'"));
	case 1:
		return frame_of(a, cur, "tool-progress",
			vy_arena_printf(
				a, "'tool_id':'t%u.%u','text':'p%u'", id, era, chance(seed, 99)));
	default:
		return frame_of(a, cur, "tool-finished",
			vy_arena_printf(a,
				"'tool_id':'t%u.%u','ok':true,'status':'completed','result':{'type'"
				":'%"
				"s'"
				",'items':[{'text':'i','status':'done'}]}",
				id, era, chance(seed, 2) ? "task" : "text"));
	}
}

static struct vy_frame other(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	unsigned id = chance(seed, 3);

	switch (chance(seed, 9)) {
	case 0:
		return frame_of(a, cur, "ask",
			vy_arena_printf(a,
				"'ask_id':'q%u.%u','kind':'plan','summary':'s','options':[],"
				"'tool_id':'t%u.%u'",
				id, era, chance(seed, 3), era));
	case 1:
		return frame_of(a, cur, "ask-answered",
			vy_arena_printf(a, "'ask_id':'q%u.%u','decision':'allow','by':'person:p'",
				id, era));
	case 2:
		return frame_of(a, cur, "status",
			vy_arena_printf(a, "'state':'waiting','rewound':{'message':'u','to':%u}",
				chance(seed, (uint32_t)cur)));
	case 3: return frame_of(a, cur, "status", "'state':'working','held':true,'mode':'plan'");
	case 4: return frame_of(a, cur, "file-changed", "'path':'a','op':'edit','added':2");
	case 5:
		return frame_of(a, cur, "text-done",
			vy_arena_printf(
				a, "'message':'m%u.%u','index':%u", 1 + id % 2, era, id % 2));
	case 6:
		return frame_of(a, cur, "term-command",
			vy_arena_printf(a, "'term':'x%u.%u','command':'c'", id % 2, era));
	case 7: return frame_of(a, cur, "hidden", "");
	default:
		return frame_of(a, cur, "text-cut",
			vy_arena_printf(a, "'message':'m%u.%u','index':%u,'note':'n'", 1 + id % 2,
				era, id % 2));
	}
}

/* A run of what merges is more likely than anything else, as in life. */
static void make_session(struct session *s, uint64_t seed, bool eras)
{
	int64_t offset = 0;
	size_t i = 1;

	vy_arena_init(&s->a);
	era = 0;
	s->f[0] = frame_of(&s->a, 1, "status", "'state':'starting'");
	while (i < FRAMES) {
		struct vy_frame f;
		uint32_t what = chance(&seed, 10), run = 1 + chance(&seed, 6);

		for (uint32_t k = 0; k < (what < 5 ? run : 1) && i < FRAMES; k++, i++) {
			uint64_t cur = i + 1;

			if (what < 4) {
				struct vy_frame again = text(&s->a, &seed, cur);

				if (k > 0 &&
					!vy_frame_is_expired(&f)) { /* goes on in the same block */
					again = f;
					again.cur = cur;
					again.id = vy_str_c(vy_arena_printf(
						&s->a, "e%llu", (unsigned long long)cur));
					again.time = (int64_t)cur * 1000;
					vy_frame_set_str(
						&again, VY_F_TEXT, random_text(&s->a, &seed, 10));
				}
				f = again;
			} else if (what == 4) {
				f = frame_of(&s->a, cur, "term-chunk",
					vy_arena_printf(&s->a,
						"'term':'x0.%u','offset':0,'b64':'YWJj'", era));
				vy_frame_set_int(&f, VY_F_OFFSET, offset);
				offset += 3;
			} else if (what == 5) {
				f = user(&s->a, &seed, cur);
			} else if (what < 8) {
				f = tool(&s->a, &seed, cur);
			} else {
				f = other(&s->a, &seed, cur);
			}
			f.turn = vy_str_c(vy_arena_printf(&s->a, "S:%u", era));
			check_int("a frame", vy_frame_check(&f, NULL), 0);
			s->f[i] = f;
			era += eras && vy_frame_has(&f, VY_F_REWOUND);
		}
	}
}

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
