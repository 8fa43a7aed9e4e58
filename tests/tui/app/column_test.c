/* column_test.c -- when the sessions stand beside the chat, in what order, with what; and what is kept
 * of each: how much of it was shown, and where it was read. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/app/column.h"
#include "tui/app/places.h"
#include "tui/app/state.h"
#include "tui/ink/screen.h"
#include "shared/base/ban.h"

static void widths(void **state)
{
	static const struct {
		const char *name;
		enum column_wish wish;
		int cols, want;
	} rows[] = {
		{ "by itself, too narrow", COLUMN_AUTO, 119, 0 },
		{ "by itself", COLUMN_AUTO, 120, 30 },
		{ "it takes a quarter, and then no more", COLUMN_AUTO, 400, 32 },
		{ "wanted", COLUMN_ON, 100, 25 },
		{ "wanted, in 80", COLUMN_ON, 80, 24 },
		{ "the least there is", COLUMN_ON, 64, 24 },
		{ "the chat needs the rest", COLUMN_ON, 63, 0 },
		{ "a small one", COLUMN_ON, 40, 0 },
		{ "unwanted", COLUMN_OFF, 400, 0 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, column_cols(rows[i].wish, rows[i].cols), rows[i].want);
	}
}

/* ---- the list ---- */

#define NOW 10000000

static void orders(void **state)
{
	static const struct {
		const char *name, *threads, *want;
	} rows[] = {
		{ "nothing", "[]", "" },
		{ "the newest first", "[{'session':'a','updated':1},{'session':'b','updated':2}]",
			"b a" },
		{ "who asks before all",
			"[{'session':'a','updated':3},{'session':'b','updated':1,'asks':1},"
			"{'session':'c','updated':2,'asks':3}]",
			"c b a" },
		{ "what was put away after all",
			"[{'session':'a','updated':9,'archived':true,'asks':1},{'session':'b'}]",
			"b a" },
		{ "at the same time: as the server has them",
			"[{'session':'a'},{'session':'b'},{'session':'c'}]", "a b c" },
		{ "what is no session is left out", "[1,{'title':'x'},null,{'session':'b'}]", "b" },
		{ "no list", "3", "" },
	};
	struct roster r;
	struct seen seen;

	(void)state;
	roster_init(&r);
	seen_init(&seen);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(4096), got = VY_BUF_INIT(4096);

		vy_buf_addf(&text, "{\"threads\":%s}", rows[i].threads);
		for (size_t k = 0; k < text.len; k++) {
			text.data[k] = text.data[k] == '\'' ? '"' : text.data[k];
		}
		VY_AUTO_JSON *answer = vy_json_parse(vy_buf_str(&text), NULL);

		check_true(rows[i].name, answer != NULL);
		roster_read(&r, answer, &seen);
		for (size_t k = 0; k < r.n; k++) {
			vy_buf_addf(&got, "%s%.*s", k ? " " : "", VY_STR_ARG(r.rows[k].session));
		}
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
	}
	seen_fini(&seen);
	roster_fini(&r);
}

static void asides(void **state)
{
	static const struct {
		const char *name;
		struct roster_row row;
		const char *want, *brief;
	} rows[] = {
		{ "at rest", { .state = VY_STATE_WAITING, .updated = NOW - 300000 }, "5 min",
			"5 min" },
		{ "it works", { .state = VY_STATE_WORKING }, "working", "working" },
		{ "it works, and said something", { .state = VY_STATE_WORKING, .news = 2 }, "2 new",
			"2 new" },
		{ "it failed, whatever it said", { .state = VY_STATE_FAILED, .news = 2 }, "failed",
			"failed" },
		{ "it asks, whatever it said", { .state = VY_STATE_ASKING, .asks = 1, .news = 2 },
			"needs you", "needs you" },
		{ "it asks twice", { .state = VY_STATE_ASKING, .asks = 2 }, "needs you · 2",
			"needs you" },
		{ "put away", { .state = VY_STATE_ASKING, .asks = 2, .is_archived = true },
			"archived", "archived" },
		{ "nobody knows since when", { .state = VY_STATE_WAITING }, "now", "now" },
		{ "about to stop", { .state = VY_STATE_WAITING, .is_stopping = true }, "stopping",
			"stopping" },
	};
	char got[80];

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		roster_aside(&rows[i].row, NOW, false, got, sizeof(got));
		check_str(rows[i].name, got, rows[i].want);
		roster_aside(&rows[i].row, NOW, true, got, sizeof(got));
		check_str(rows[i].name, got, rows[i].brief);
	}
}

/* ---- the control plane tells ---- */

struct world {
	struct app_state s;
	struct cell_grid grid;
	size_t asked; /* threads.list, so far */
};

static void world_init(struct world *w)
{
	*w = (struct world){ 0 };
	app_state_init(&w->s, (struct vy_width){ 0 });
	app_state_open(&w->s, "s0");
	app_set_line(&w->s, APP_LIVE, -1, NULL);
	cell_grid_init(&w->grid, w->s.pool, 140, 60);
}

static void world_fini(struct world *w)
{
	cell_grid_fini(&w->grid);
	app_state_fini(&w->s);
}

/* What it shows; and what the painting wanted is counted. */
static void paint(struct world *w, struct vy_buf *out)
{
	struct app_effects fx = { 0 };
	struct screen_cursor cursor;

	app_stale(&w->s);
	app_paint(&w->s, &w->grid, &cursor);
	column_ask(&w->s, &fx);
	w->asked += fx.n;
	app_effects_fini(&fx);
	if (out) {
		vy_buf_clear(out);
		screen_dump_grid(&w->grid, NULL, out);
	}
}

VY_PRINTF(1, 2)
static struct vy_json *json_of(const char *fmt, ...)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	va_list ap;

	va_start(ap, fmt);
	vy_buf_addv(&b, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < b.len; i++) {
		b.data[i] = b.data[i] == '\'' ? '"' : b.data[i];
	}
	struct vy_json *v = vy_json_parse(vy_buf_str(&b), NULL);

	check_true(vy_buf_c(&b), v != NULL);
	return v;
}

static void tell(struct world *w, int seq, const char *type, const char *session, const char *more)
{
	VY_AUTO_JSON *e = json_of("{'id':'e%d','seq':%d,'type':'%s','session':'%s','data':{"
				  "'record':{'session':'%s'%s}}}",
		seq, seq, type, session, session, more);

	column_event(&w->s, e);
}

static void list(struct world *w, const char *threads)
{
	VY_AUTO_JSON *answer = json_of("{'threads':%s}", threads);

	column_reply(&w->s, w->s.column.serial, answer);
}

static void check_sees(struct world *w, const char *want, bool is_there)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(VY_MIB);

	paint(w, &seen);
	check_true(want, (strstr(vy_buf_c(&seen), want) != NULL) == is_there);
}

static void told(void **state)
{
	struct world w;
	char title[80];

	(void)state;
	world_init(&w);
	column_told(&w.s, COLUMN_COMING);
	paint(&w, NULL);
	check_int("nothing is asked for before it is there", (long long)w.asked, 0);
	column_begins(&w.s, 10);
	paint(&w, NULL);
	check_int("then the list, once", (long long)w.asked, 1);
	column_stale(&w.s);
	tell(&w, 11, "session.updated", "s1", ",'title':'early','updated':5");
	list(&w, "[{'session':'s0','updated':9},{'session':'s1','title':'late','updated':4}]");
	check_sees(&w, "early", true);
	tell(&w, 12, "session.created", "s2", ",'title':'brand new','updated':6");
	check_sees(&w, "brand new", true);
	tell(&w, 13, "session.updated", "s2", ",'title':'brand new','updated':7,'asks':1");
	check_sees(&w, "needs you", true);
	app_title(&w.s, title, sizeof(title));
	check_str("the title counts it", title, "(1) vyre");
	check_sees(&w, "1 other needs you", false); /* the list says it */
	cell_grid_resize(&w.grid, 80, 24);
	check_sees(&w, "1 other needs you alt-s", true);
	tell(&w, 113, "session.updated", "s0", ",'updated':7,'asks':1");
	check_sees(&w, "1 other needs you alt-s", true); /* not our own */
	tell(&w, 213, "session.updated", "s0", ",'updated':8");
	cell_grid_resize(&w.grid, 140, 60);
	tell(&w, 114, "session.updated", "s2", ",'title':'brand new','updated':8,'messages':3");
	check_sees(&w, "needs you", false);
	check_sees(&w, "3 new", true);
	app_title(&w.s, title, sizeof(title));
	check_str("and then not", title, "vyre");
	seen_set(&w.s.seen, "s2", 2);
	check_sees(&w, "1 new", true);
	tell(&w, 114, "session.updated", "s2", ",'title':'again','updated':9");
	check_sees(&w, "again", false);
	tell(&w, 115, "session.archived", "s2", ",'archived':true");
	check_sees(&w, "brand new", false);
	check_int("nothing was asked for again", (long long)w.asked, 1);
	column_told(&w.s, COLUMN_ALONE); /* a cut, and it goes on */
	app_set_line(&w.s, APP_DOWN, 0, NULL);
	app_set_line(&w.s, APP_LIVE, -1, NULL);
	column_told(&w.s, COLUMN_COMING);
	column_begins(&w.s, 20);
	paint(&w, NULL);
	check_int("nor behind a cut", (long long)w.asked, 1);
	VY_AUTO_JSON *reset = json_of("{'type':'control.reset','data':{'head':140}}");

	column_event(&w.s, reset);
	paint(&w, NULL);
	check_int("a reset: once more", (long long)w.asked, 2);
	column_event(&w.s, reset);
	paint(&w, NULL);
	check_int("one more behind it: that list is too old", (long long)w.asked, 3);
	list(&w, "[{'session':'s0'},{'session':'s9','title':'the ninth'}]");
	check_sees(&w, "the ninth", true);
	check_sees(&w, "early", false);
	column_told(&w.s, COLUMN_ALONE); /* it is no more: as without it */
	column_stale(&w.s);
	paint(&w, NULL);
	check_int("alone it asks", (long long)w.asked, 4);
	world_fini(&w);
}

/* A list that did not come is asked for again, when there is a reason to. */
static void list_failed(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	column_begins(&w.s, 10);
	paint(&w, NULL);
	column_reply(&w.s, w.s.column.serial, NULL);
	paint(&w, NULL);
	check_int("not in a loop", (long long)w.asked, 1);
	column_stale(&w.s);
	paint(&w, NULL);
	check_int("but then", (long long)w.asked, 2);
	world_fini(&w);
}

static void press(struct world *w, const char *name)
{
	struct key_event ev = { .kind = KEY_EV_KEY };
	struct app_effects fx = { 0 };

	check_true(name, key_parse(vy_str_c(name), &ev.key));
	app_key(&w->s, &ev, &fx);
	app_effects_fini(&fx);
}

/* The switcher shows what is known at once, and what happens while it is open. */
static void switcher(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	cell_grid_resize(&w.grid, 80, 24);
	column_begins(&w.s, 10);
	paint(&w, NULL);
	list(&w, "[{'session':'s0','updated':9},{'session':'s1','title':'one','updated':4},"
		 "{'session':'s2','title':'two','updated':3}]");
	press(&w, "alt-s");
	check_sees(&w, "Sessions", true);
	check_sees(&w, "two", true);
	press(&w, "down");
	press(&w, "down");
	check_str("chosen", picker_chosen(&w.s.menu.picker)->id, "s2");
	tell(&w, 11, "session.updated", "s1", ",'title':'uno','updated':10,'asks':1");
	check_sees(&w, "uno", true);
	check_sees(&w, "needs you", true);
	check_str("still chosen", picker_chosen(&w.s.menu.picker)->id, "s2");
	tell(&w, 12, "session.deleted", "s1", "");
	check_sees(&w, "uno", false);
	press(&w, "esc");
	tell(&w, 13, "session.updated", "s2", ",'title':'zwei','updated':11");
	check_sees(&w, "zwei", false); /* it is closed, and there is no column */
	world_fini(&w);
}

#define SESSIONS 50
#define EVENTS   1000

/* Fifty sessions, a thousand events, each seen: the list was read once, and what is known in the end
 * is what the server would list. */
static void no_polling(void **state)
{
	VY_AUTO_BUF all = VY_BUF_INIT(VY_MIB);
	struct roster want = { 0 };
	struct world w;
	int64_t updated[SESSIONS], messages[SESSIONS] = { 0 }, asks[SESSIONS] = { 0 };
	unsigned dice = 7;

	(void)state;
	world_init(&w);
	column_begins(&w.s, 1);
	paint(&w, NULL);
	for (int i = 0; i < SESSIONS; i++) {
		updated[i] = i;
		vy_buf_addf(&all, "%s{'session':'s%d','title':'t%d','updated':%d}", i ? "," : "[",
			i, i, i);
	}
	vy_buf_addc(&all, ']');
	list(&w, vy_buf_c(&all));
	for (int e = 0; e < EVENTS; e++) {
		char id[16], more[160];

		dice = dice * 1103515245u + 12345u;
		int i = (int)(dice >> 16) % SESSIONS;

		updated[i] = 1000 + e;
		messages[i] += dice >> 12 & 1;
		asks[i] = dice >> 13 & 1;
		snprintf(id, sizeof(id), "s%d", i);
		snprintf(more, sizeof(more),
			",'title':'t%d','updated':%lld,'messages':%lld,'asks':%lld,'state':'%s'", i,
			(long long)updated[i], (long long)messages[i], (long long)asks[i],
			e % 2 ? "running" : "idle");
		tell(&w, 2 + e, "session.updated", id, more);
		column_stale(&w.s); /* all that asked for the list before */
		paint(&w, NULL);
	}
	check_int("read once", (long long)w.asked, 1);
	vy_buf_clear(&all);
	for (int i = 0; i < SESSIONS; i++) {
		vy_buf_addf(&all,
			"%s{'session':'s%d','title':'t%d','updated':%lld,'messages':%lld,"
			"'asks':%lld}",
			i ? "," : "[", i, i, (long long)updated[i], (long long)messages[i],
			(long long)asks[i]);
	}
	vy_buf_addc(&all, ']');
	VY_AUTO_JSON *answer = json_of("{'threads':%s}", vy_buf_c(&all));

	roster_init(&want);
	roster_read(&want, answer, &w.s.seen);
	check_int("as many", (long long)w.s.column.roster.n, SESSIONS);
	for (size_t i = 0; i < want.n; i++) {
		const struct roster_row *a = &want.rows[i], *b = &w.s.column.roster.rows[i];

		check_vstr("in that order", b->session, a->session);
		check_int("asks", b->asks, a->asks);
		check_int("news", b->news, a->news);
	}
	roster_fini(&want);
	world_fini(&w);
}

/* ---- what was shown ---- */

static void counts(void **state)
{
	struct seen a, b;
	uint64_t rev;

	(void)state;
	seen_init(&a);
	seen_init(&b);
	check_int("nobody knows it", seen_get(&a, "s"), 0);
	seen_set(&a, "s", 3);
	rev = a.rev;
	seen_set(&a, "s", 2);
	seen_set(&a, "s", 3);
	seen_set(&a, "t", 0);
	check_int("it only rises", seen_get(&a, "s"), 3);
	check_int("that was no change", (long long)a.rev, (long long)rev);
	seen_set(&b, "s", 5);
	seen_set(&b, "u", 1);
	VY_AUTO_JSON *packed = seen_pack(&b);

	seen_merge(&a, packed);
	check_int("another client saw more", seen_get(&a, "s"), 5);
	check_int("or other ones", seen_get(&a, "u"), 1);
	check_int("that was no change of ours", (long long)a.rev, (long long)rev);
	VY_AUTO_JSON *bad = vy_json_parse(VY_STR_LIT("{\"s\":\"x\",\"u\":-4,\"v\":{}}"), NULL);

	seen_merge(&a, bad);
	seen_merge(&a, NULL);
	check_int("what makes no sense is passed over", seen_get(&a, "s"), 5);
	for (int i = 0; i < SEEN_MAX + 10; i++) {
		char id[24];

		snprintf(id, sizeof(id), "n%d", i);
		seen_set(&a, id, 1);
		seen_set(&a, "s", 6 + i);
	}
	check_int("there is an end to it", (long long)a.n, SEEN_MAX);
	check_int("who was shown last stays", seen_get(&a, "s"), 6 + SEEN_MAX + 9);
	check_int("who was not, does not", seen_get(&a, "n0"), 0);
	seen_fini(&a);
	seen_fini(&b);
}

/* ---- where it was read ---- */

static void places(void **state)
{
	struct places p = { 0 };
	struct transcript_place at = { .key = vy_strdup("u:1"), .mark = 7 };

	(void)state;
	places_keep(&p, "a", &at);
	check_true("it was handed over", at.key == NULL);
	check_int("it is there", (long long)places_find(&p, "a")->mark, 7);
	check_true("of that one alone", places_find(&p, "b") == NULL);
	at = (struct transcript_place){ .key = vy_strdup("u:2"), .mark = 8 };
	places_keep(&p, "a", &at);
	check_int("the last counts", (long long)places_find(&p, "a")->mark, 8);
	check_int("and is one", (long long)p.n, 1);
	places_keep(&p, "a", &at);
	check_true("read to the end: none", places_find(&p, "a") == NULL);
	for (int i = 0; i <= PLACES_MAX; i++) {
		char id[16];

		snprintf(id, sizeof(id), "s%d", i);
		at = (struct transcript_place){ .key = vy_strdup("u:1"), .mark = (size_t)i };
		places_keep(&p, id, &at);
	}
	check_true("the oldest goes", places_find(&p, "s0") == NULL);
	check_int("the others stay", (long long)places_find(&p, "s1")->mark, 1);
	check_int("there is an end to it", (long long)p.n, PLACES_MAX);
	places_fini(&p);
}

CHECK_MAIN(CHECK_TEST(widths), CHECK_TEST(orders), CHECK_TEST(asides), CHECK_TEST(told),
	CHECK_TEST(list_failed), CHECK_TEST(switcher), CHECK_TEST(no_polling), CHECK_TEST(counts),
	CHECK_TEST(places))
