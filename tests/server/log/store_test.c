/* store_test.c -- the promises of store.h, each kept by both engines. */
#include "server/log/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "server/log/epoch.h"
#include "shared/base/buf.h"
#include "shared/base/log.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

static struct tempdir dir;
static struct log_store *store;
static struct epoch epoch;

static int open_sqlite(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	dir = tempdir_make();
	store = store_sqlite_open(dir.path, NULL, NULL, &e);
	if (!store) {
		fail_msg("%s", e.text);
	}
	assert_int_equal(epoch_open(store, "boot", &epoch, NULL), 0);
	return 0;
}

static int open_mem(void **state)
{
	(void)state;
	dir.path[0] = '\0';
	store = store_mem_new();
	assert_int_equal(epoch_open(store, "boot", &epoch, NULL), 0);
	return 0;
}

static int close_it(void **state)
{
	(void)state;
	store->ops->close(store);
	if (dir.path[0]) {
		tempdir_remove(dir.path);
	}
	return 0;
}

/* ---- helpers ---- */

static void begin(void)
{
	assert_int_equal(store->ops->begin(store, NULL), 0);
}

static void commit(void)
{
	assert_int_equal(store->ops->commit(store, NULL), 0);
}

/* Frames prev+1 … prev+n, each "f<cur>". */
static int append(struct vy_str session, int64_t prev, int n, const char *ep, struct vy_err *e)
{
	struct store_frame frames[64];
	char text[64][24];

	for (int i = 0; i < n; i++) {
		snprintf(text[i], sizeof(text[i]), "f%lld", (long long)(prev + 1 + i));
		frames[i] = (struct store_frame){ prev + 1 + i, vy_str_c(text[i]), 1 };
	}
	return store->ops->append(store, session, prev, ep, frames, (size_t)n, e);
}

static void append_now(struct vy_str session, int64_t prev, int n)
{
	begin();
	assert_int_equal(append(session, prev, n, epoch.epoch, NULL), 0);
	commit();
}

struct collect {
	struct vy_buf text;
	int most;
};

static bool add_frame(void *ctx, const struct store_frame *f)
{
	struct collect *c = ctx;

	vy_buf_addf(&c->text, "%lld=%.*s ", (long long)f->cur, VY_STR_ARG(f->bytes));
	return --c->most > 0;
}

static void check_read(struct vy_str session, int64_t from, int most, const char *want)
{
	struct collect c = { VY_BUF_INIT(65536), most };

	assert_int_equal(store->ops->read(store, session, from, NULL, add_frame, &c, NULL), 0);
	assert_string_equal(vy_buf_c(&c.text), want);
	vy_buf_fini(&c.text);
}

static void check_bounds(struct vy_str session, int64_t head, int64_t floor, int64_t frames)
{
	struct store_bounds b;

	assert_int_equal(store->ops->bounds(store, session, &b, NULL), 0);
	assert_int_equal(b.head, head);
	assert_int_equal(b.floor, floor);
	assert_int_equal(b.frames, frames);
}

static void put(const struct store_row *row)
{
	begin();
	assert_int_equal(store->ops->put(store, row, NULL), 0);
	commit();
}

static void del(const struct store_row *row)
{
	begin();
	assert_int_equal(store->ops->del(store, row, NULL), 0);
	commit();
}

#define ROW(KIND, member, ...) (&(struct store_row){ .kind = KIND, .member = { __VA_ARGS__ } })

/* Every field of a row in one line, so a test compares rows as text. */
static bool add_row(void *ctx, const struct store_row *r)
{
	struct vy_buf *b = ctx;

#define T(s) VY_STR_ARG(s)
	switch (r->kind) {
	case ROW_SESSION:
		vy_buf_addf(b, "[%.*s %.*s %.*s %lld %d %.*s]", T(r->session.session),
			T(r->session.project), T(r->session.state), (long long)r->session.updated,
			r->session.is_archived, T(r->session.doc));
		break;
	case ROW_LIVE:
		vy_buf_addf(b, "[%.*s %.*s %zu %lld %.*s %.*s %.*s]", T(r->live.hid),
			T(r->live.session), r->live.token.n, (long long)r->live.off,
			T(r->live.driver_state), T(r->live.turn_state), T(r->live.extra));
		break;
	case ROW_TELL:
		vy_buf_addf(b, "[%.*s %lld %.*s]", T(r->tell.hid), (long long)r->tell.seq,
			T(r->tell.bytes));
		break;
	case ROW_ASK:
		vy_buf_addf(b, "[%.*s %.*s %d %lld %.*s]", T(r->ask.ask), T(r->ask.session),
			r->ask.is_open, (long long)r->ask.raised, T(r->ask.doc));
		break;
	case ROW_QUEUE:
		vy_buf_addf(b, "[%.*s %.*s %lld %.*s]", T(r->queue.session), T(r->queue.queued),
			(long long)r->queue.position, T(r->queue.doc));
		break;
	case ROW_KEY:
		vy_buf_addf(b, "[%.*s %.*s %.*s %.*s %.*s %lld]", T(r->key.scope), T(r->key.method),
			T(r->key.key), T(r->key.input), T(r->key.result),
			(long long)r->key.expires);
		break;
	case ROW_OUTPUT:
		vy_buf_addf(b, "[%.*s %.*s %.*s %zu]", T(r->output.session), T(r->output.ref),
			T(r->output.mime), r->output.bytes.n);
		break;
	case ROW_KV:
		vy_buf_addf(b, "[%.*s %.*s %.*s]", T(r->kv.space), T(r->kv.name), T(r->kv.value));
		break;
	case ROW_JOURNAL:
		vy_buf_addf(b, "[%lld %.*s %.*s %.*s]", (long long)r->journal.seq,
			T(r->journal.session), T(r->journal.type), T(r->journal.data));
		break;
	case ROW_MESSAGE:
		vy_buf_addf(b, "[%.*s %.*s %lld %.*s]", T(r->message.session),
			T(r->message.message), (long long)r->message.position, T(r->message.doc));
		break;
	case ROW_CONTROL:
		vy_buf_addf(b, "[%lld %.*s %.*s %.*s]", (long long)r->control.seq,
			T(r->control.session), T(r->control.type), T(r->control.doc));
		break;
	case ROW_KINDS: break;
	}
#undef T
	return true;
}

static void check_rows_at(const char *name, const struct store_row *like, const char *want)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	assert_int_equal(store->ops->each(store, like, add_row, &b, NULL), 0);
	if (strcmp(vy_buf_c(&b), want) != 0) {
		fail_msg("%s:\n got  %s\n want %s", name, vy_buf_c(&b), want);
	}
}
#define check_rows(like, want) check_rows_at(#like, like, want)

/* ---- frames ---- */

static void test_a_log_grows(void **state)
{
	(void)state;
	check_bounds(S("a"), 0, 1, 0);
	check_read(S("a"), 1, 99, "");
	append_now(S("a"), 0, 2);
	append_now(S("b"), 0, 1);
	append_now(S("a"), 2, 3);
	check_bounds(S("a"), 5, 1, 5);
	check_bounds(S("b"), 1, 1, 1);
	check_read(S("a"), 1, 99, "1=f1 2=f2 3=f3 4=f4 5=f5 ");
	check_read(S("a"), 4, 99, "4=f4 5=f5 ");
	check_read(S("a"), 2, 2, "2=f2 3=f3 ");
	check_read(S("a"), 6, 99, "");
	check_read(S("b"), 1, 99, "1=f1 ");
}

static void test_a_wrong_predecessor_is_refused(void **state)
{
	static const struct {
		const char *name;
		int64_t prev;
		const char *epoch;
	} rows[] = {
		{ "again", 0, NULL },
		{ "before the head", 2, NULL },
		{ "past the head", 4, NULL },
		{ "another history", 3, "anotherepoch" },
	};

	(void)state;
	append_now(S("a"), 0, 3);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };

		begin();
		assert_int_equal(
			store->ops->put(store, ROW(ROW_KV, kv, S("x"), S("with it"), S("1")), NULL),
			0);
		if (append(S("a"), rows[i].prev, 1, rows[i].epoch ? rows[i].epoch : epoch.epoch,
			    &e) != -1) {
			fail_msg("%s: taken", rows[i].name);
		}
		assert_int_equal(e.code, VY_CONFLICT);
		check_bounds(S("a"), 3, 1, 3);
		check_rows(
			ROW(ROW_KV, kv, .space = S("x")), ""); /* the whole transaction is gone */
	}
	begin();
	assert_int_equal(append(S("new"), 1, 1, epoch.epoch, NULL), -1);
	check_bounds(S("new"), 0, 1, 0);
	append_now(S("a"), 3, 1); /* and the log goes on */
}

/* What a store knows of its own last commit does not hide what another one wrote since. */
static void test_another_one_wrote(void **state)
{
	struct log_store *first = store, *other = store_sqlite_open(dir.path, NULL, NULL, NULL);
	struct vy_err e = { 0 };

	(void)state;
	assert_non_null(other);
	append_now(S("a"), 0, 3);
	append_now(S("a"), 3, 1);
	store = other;
	append_now(S("a"), 4, 2);
	store = first;
	begin();
	assert_int_equal(append(S("a"), 4, 1, epoch.epoch, &e), -1);
	assert_int_equal(e.code, VY_CONFLICT);
	append_now(S("a"), 6, 1);
	store = other;
	assert_int_equal(epoch_renew(store, NULL), 0);
	store = first;
	begin();
	assert_int_equal(append(S("a"), 7, 1, epoch.epoch, &e), -1);
	assert_int_equal(e.code, VY_CONFLICT);
	other->ops->close(other);
}

static void test_two_appends_in_one_transaction(void **state)
{
	(void)state;
	begin();
	assert_int_equal(append(S("a"), 0, 2, epoch.epoch, NULL), 0);
	assert_int_equal(append(S("a"), 2, 2, epoch.epoch, NULL), 0);
	commit();
	check_bounds(S("a"), 4, 1, 4);
}

static void test_rollback_forgets(void **state)
{
	(void)state;
	begin();
	assert_int_equal(append(S("a"), 0, 2, epoch.epoch, NULL), 0);
	store->ops->rollback(store);
	check_bounds(S("a"), 0, 1, 0);
	append_now(S("a"), 0, 1);
	check_read(S("a"), 1, 9, "1=f1 ");
}

static void test_trim(void **state)
{
	struct store_bounds b;

	(void)state;
	append_now(S("a"), 0, 9);
	begin();
	assert_int_equal(store->ops->trim(store, S("a"), 7, NULL), 0);
	commit();
	check_bounds(S("a"), 9, 7, 3);
	assert_int_equal(store->ops->bounds(store, S("a"), &b, NULL), 0);
	assert_int_equal(b.bytes, 6);
	check_read(S("a"), 1, 9, "7=f7 8=f8 9=f9 ");
	begin();
	assert_int_equal(store->ops->trim(store, S("a"), 3, NULL), 0); /* never back */
	commit();
	check_bounds(S("a"), 9, 7, 3);
	begin();
	assert_int_equal(store->ops->trim(store, S("a"), 100, NULL), 0); /* to nothing */
	commit();
	check_bounds(S("a"), 9, 10, 0);
	append_now(S("a"), 9, 1); /* cursors go on */
	check_read(S("a"), 1, 9, "10=f10 ");
	check_bounds(S("a"), 10, 10, 1);
}

/* ---- rows ---- */

static void test_sessions(void **state)
{
	(void)state;
	put(ROW(ROW_SESSION, session, S("s1"), S("{\"a\":1}"), S("p"), S("idle"), 10, false));
	put(ROW(ROW_SESSION, session, S("s2"), S("{}"), S("q"), S("idle"), 30, true));
	put(ROW(ROW_SESSION, session, S("s3"), S("{}"), S("p"), S("running"), 20, false));
	check_rows(ROW(ROW_SESSION, session, .session = S("")),
		"[s2 q idle 30 1 {}][s3 p running 20 0 {}][s1 p idle 10 0 {\"a\":1}]");
	check_rows(ROW(ROW_SESSION, session, .session = S("s3")), "[s3 p running 20 0 {}]");
	check_rows(ROW(ROW_SESSION, session, .session = S("s9")), "");
	check_rows(ROW(ROW_SESSION, session, .project = S("p")),
		"[s3 p running 20 0 {}][s1 p idle 10 0 {\"a\":1}]");
	check_rows(ROW(ROW_SESSION, session, .project = S("p"), .state = S("idle")),
		"[s1 p idle 10 0 {\"a\":1}]");
	put(ROW(ROW_SESSION, session, S("s1"), S("{\"a\":2}"), S("p"), S("idle"), 40, false));
	check_rows(ROW(ROW_SESSION, session, .session = S("s1")), "[s1 p idle 40 0 {\"a\":2}]");
}

static void test_live_and_tell(void **state)
{
	struct vy_str token =
		vy_str_n("\0\1\2\3\4\5\6\7\0\1\2\3\4\5\6\7\0\1\2\3\4\5\6\7\0\1\2\3\4\5\6\7", 32);

	(void)state;
	put(ROW(ROW_LIVE, live, S("h1"), S("s1"), token, 5, S("{d}"), S("{t}"), S("{x}")));
	put(ROW(ROW_LIVE, live, S("h2"), S("s1"), token, 0, S(""), S(""), S("")));
	put(ROW(ROW_LIVE, live, S("h3"), S("s2"), token, 0, S(""), S(""), S("")));
	check_rows(
		ROW(ROW_LIVE, live, .session = S("s1")), "[h1 s1 32 5 {d} {t} {x}][h2 s1 32 0   ]");
	check_rows(ROW(ROW_LIVE, live, .hid = S("h3")), "[h3 s2 32 0   ]");
	put(ROW(ROW_LIVE, live, S("h1"), S("s1"), token, 900, S("{e}"), S("{t}"), S("{x}")));
	check_rows(ROW(ROW_LIVE, live, .hid = S("")),
		"[h1 s1 32 900 {e} {t} {x}][h2 s1 32 0   ][h3 s2 32 0   ]");

	for (int i = 4; i >= 1; i--) {
		put(ROW(ROW_TELL, tell, S("h1"), i, S("say\n")));
	}
	put(ROW(ROW_TELL, tell, S("h3"), 1, S("other")));
	check_rows(ROW(ROW_TELL, tell, .hid = S("h1"), .seq = 3), "[h1 3 say\n][h1 4 say\n]");
	del(ROW(ROW_TELL, tell, .hid = S("h1"), .seq = 2));
	check_rows(ROW(ROW_TELL, tell, .hid = S("")), "[h1 3 say\n][h1 4 say\n][h3 1 other]");
	del(ROW(ROW_LIVE, live, .hid = S("h1")));
	check_rows(ROW(ROW_TELL, tell, .hid = S("")), "[h3 1 other]");
	check_rows(ROW(ROW_LIVE, live, .session = S("s1")), "[h2 s1 32 0   ]");
}

static void test_asks_and_queue(void **state)
{
	(void)state;
	put(ROW(ROW_ASK, ask, S("k2"), S("s1"), true, 20, S("{2}")));
	put(ROW(ROW_ASK, ask, S("k1"), S("s1"), true, 10, S("{1}")));
	put(ROW(ROW_ASK, ask, S("k3"), S("s2"), false, 15, S("{3}")));
	check_rows(ROW(ROW_ASK, ask, .ask = S("")),
		"[k1 s1 1 10 {1}][k3 s2 0 15 {3}][k2 s1 1 20 {2}]");
	check_rows(ROW(ROW_ASK, ask, .is_open = true), "[k1 s1 1 10 {1}][k2 s1 1 20 {2}]");
	check_rows(ROW(ROW_ASK, ask, .session = S("s2")), "[k3 s2 0 15 {3}]");
	check_rows(ROW(ROW_ASK, ask, .session = S("s2"), .is_open = true), "");
	check_rows(ROW(ROW_ASK, ask, .ask = S("k2")), "[k2 s1 1 20 {2}]");
	put(ROW(ROW_ASK, ask, S("k2"), S("s1"), false, 20, S("{allowed}")));
	check_rows(ROW(ROW_ASK, ask, .is_open = true), "[k1 s1 1 10 {1}]");
	del(ROW(ROW_ASK, ask, .ask = S("k3")));
	check_rows(ROW(ROW_ASK, ask, .session = S("s2")), "");

	put(ROW(ROW_QUEUE, queue, S("s1"), S("q1"), 2, S("one")));
	put(ROW(ROW_QUEUE, queue, S("s1"), S("q2"), 1, S("two")));
	put(ROW(ROW_QUEUE, queue, S("s2"), S("q1"), 1, S("other")));
	check_rows(ROW(ROW_QUEUE, queue, .session = S("s1")), "[s1 q2 1 two][s1 q1 2 one]");
	check_rows(ROW(ROW_QUEUE, queue, .session = S("s1"), .queued = S("q1")), "[s1 q1 2 one]");
	check_rows(ROW(ROW_QUEUE, queue, .session = S("")),
		"[s1 q2 1 two][s1 q1 2 one][s2 q1 1 other]");
	del(ROW(ROW_QUEUE, queue, .session = S("s1"), .queued = S("q2")));
	check_rows(ROW(ROW_QUEUE, queue, .session = S("")), "[s1 q1 2 one][s2 q1 1 other]");
}

static void test_keys(void **state)
{
	struct vy_str hash = vy_str_c("hash");

	(void)state;
	put(ROW(ROW_KEY, key, S("p/d"), S("threads.send"), S("k"), hash, S("{}"), 100));
	put(ROW(ROW_KEY, key, S("p/e"), S("threads.send"), S("k"), hash, S("{}"), 200));
	put(ROW(ROW_KEY, key, S("p/d"), S("threads.start"), S("k"), hash, S("{}"), 300));
	check_rows(ROW(ROW_KEY, key, .scope = S("p/d"), .method = S("threads.send"), .key = S("k")),
		"[p/d threads.send k hash {} 100]");
	check_rows(ROW(ROW_KEY, key, .scope = S("p/f"), .method = S("threads.send"), .key = S("k")),
		"");
	del(ROW(ROW_KEY, key, .expires = 200));
	check_rows(ROW(ROW_KEY, key, .scope = S("")),
		"[p/d threads.start k hash {} 300][p/e threads.send k hash {} 200]");
}

static void test_outputs(void **state)
{
	char out[8];
	int64_t total = 0;
	struct vy_err e = { 0 };

	(void)state;
	put(ROW(ROW_OUTPUT, output, S("s1"), S("r1"), S("text/plain"), S("0123456789")));
	put(ROW(ROW_OUTPUT, output, S("s1"), S("r0"), S("image/png"), S("")));
	check_rows(ROW(ROW_OUTPUT, output, .session = S("s1")),
		"[s1 r0 image/png 0][s1 r1 text/plain 0]");
#define READ(ref, off, n) store->ops->output(store, S("s1"), S(ref), off, out, n, &total, &e)
	assert_int_equal(READ("r1", 0, 8), 8);
	assert_memory_equal(out, "01234567", 8);
	assert_int_equal(READ("r1", 8, 8), 2);
	assert_memory_equal(out, "89", 2);
	assert_int_equal(total, 10);
	assert_int_equal(READ("r1", 10, 8), 0);
	assert_int_equal(READ("r1", 1000, 8), 0);
	assert_int_equal(READ("r0", 0, 8), 0);
	assert_int_equal(READ("r9", 0, 8), -1);
	assert_int_equal(e.code, VY_NOT_FOUND);
#undef READ
	del(ROW(ROW_OUTPUT, output, .session = S("s1"), .ref = S("r1")));
	check_rows(ROW(ROW_OUTPUT, output, .session = S("s1")), "[s1 r0 image/png 0]");
}

static void test_kv(void **state)
{
	(void)state;
	put(ROW(ROW_KV, kv, S("trust"), S("/b"), S("2")));
	put(ROW(ROW_KV, kv, S("trust"), S("/a"), S("1")));
	put(ROW(ROW_KV, kv, S("draft"), S("/a"), S("x")));
	check_rows(ROW(ROW_KV, kv, .space = S("trust")), "[trust /a 1][trust /b 2]");
	check_rows(ROW(ROW_KV, kv, .space = S("trust"), .name = S("/b")), "[trust /b 2]");
	put(ROW(ROW_KV, kv, S("trust"), S("/b"), S("3")));
	del(ROW(ROW_KV, kv, .space = S("trust"), .name = S("/a")));
	check_rows(ROW(ROW_KV, kv, .space = S("trust")), "[trust /b 3]");
	check_rows(ROW(ROW_KV, kv, .space = S("draft")), "[draft /a x]");
}

/* In their order, put once, the oldest go; of a session that goes the numbers stay. */
static void test_control(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	put(ROW(ROW_CONTROL, control, 7, S("a"), S("t.x"), S(""), S("one")));
	put(ROW(ROW_CONTROL, control, 8, S("b"), S("t.y"), S("{}"), S("two")));
	put(ROW(ROW_CONTROL, control, 9, S("a"), S("t.x"), S(""), S("three")));
	check_rows(ROW(ROW_CONTROL, control, 0), "[7 a t.x one][8 b t.y two][9 a t.x three]");
	check_rows(ROW(ROW_CONTROL, control, 9), "[9 a t.x three]");
	begin();
	assert_int_equal(
		store->ops->put(store,
			ROW(ROW_CONTROL, control, 9, S("a"), S("t.x"), S(""), S("other")), &e),
		-1);
	put(ROW(ROW_SESSION, session, S("a"), S("{}"), S(""), S("idle")));
	del(ROW(ROW_SESSION, session, S("a")));
	check_rows(ROW(ROW_CONTROL, control, 0), "[7   ][8 b t.y two][9   ]");
	del(ROW(ROW_CONTROL, control, 8));
	check_rows(ROW(ROW_CONTROL, control, 0), "[9   ]");
}

static void test_a_session_goes_whole(void **state)
{
	static const char *const sessions[] = { "s1", "s2" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct vy_str s = vy_str_c(sessions[i]);
		struct vy_str h = vy_str_c(i ? "h2" : "h1"), k = vy_str_c(i ? "k2" : "k1");

		append_now(s, 0, 3);
		put(ROW(ROW_SESSION, session, s, S("{}"), S(""), S("idle"), 1, false));
		put(ROW(ROW_LIVE, live, h, s, S("t"), 0, S(""), S(""), S("")));
		put(ROW(ROW_TELL, tell, h, 1, S("x")));
		put(ROW(ROW_ASK, ask, k, s, true, 1, S("{}")));
		put(ROW(ROW_QUEUE, queue, s, S("q"), 1, S("{}")));
		put(ROW(ROW_OUTPUT, output, s, S("r"), S(""), S("b")));
	}
	del(ROW(ROW_SESSION, session, .session = S("s1")));
	check_bounds(S("s1"), 0, 1, 0);
	check_read(S("s1"), 1, 9, "");
	check_bounds(S("s2"), 3, 1, 3);
	check_rows(ROW(ROW_SESSION, session, .session = S("")), "[s2  idle 1 0 {}]");
	check_rows(ROW(ROW_LIVE, live, .hid = S("")), "[h2 s2 1 0   ]");
	check_rows(ROW(ROW_TELL, tell, .hid = S("")), "[h2 1 x]");
	check_rows(ROW(ROW_ASK, ask, .ask = S("")), "[k2 s2 1 1 {}]");
	check_rows(ROW(ROW_QUEUE, queue, .session = S("")), "[s2 q 1 {}]");
	check_rows(ROW(ROW_OUTPUT, output, .session = S("s1")), "");
	check_rows(ROW(ROW_OUTPUT, output, .session = S("s2")), "[s2 r  0]");
}

/* ---- the epoch ---- */

static void test_epochs(void **state)
{
	static const struct {
		const char *name, *boot;
		bool ends_clean; /* the start before this one did */
		bool same_epoch;
	} rows[] = {
		{ "killed, same boot", "boot", false, true },
		{ "ended, same boot", "boot", true, true },
		{ "ended, next boot", "boot2", true, true },
		{ "the machine went down", "boot3", false, false },
		{ "killed after that", "boot3", false, true },
	};
	struct epoch was = epoch, now;

	(void)state;
	assert_int_equal(strlen(epoch.epoch), STORE_EPOCH_LEN);
	assert_int_equal(epoch.starts, 1);
	assert_true(epoch.was_clean && !epoch.was_renewed);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (rows[i].ends_clean) {
			assert_int_equal(epoch_close(store, NULL), 0);
		}
		assert_int_equal(epoch_open(store, rows[i].boot, &now, NULL), 0);
		if ((strcmp(was.epoch, now.epoch) == 0) != rows[i].same_epoch ||
			now.was_clean != rows[i].ends_clean ||
			now.was_renewed == rows[i].same_epoch || now.starts != was.starts + 1) {
			fail_msg("%s: %s then %s", rows[i].name, was.epoch, now.epoch);
		}
		was = now;
	}
	assert_int_equal(epoch_renew(store, NULL), 0);
	assert_int_equal(epoch_open(store, "boot3", &now, NULL), 0);
	assert_string_not_equal(was.epoch, now.epoch);
}

int main(void)
{
#define BOTH(fn)                                                                                   \
	{ #fn " (sqlite)", fn, open_sqlite, close_it, NULL },                                      \
	{                                                                                          \
#fn " (mem)", fn, open_mem, close_it, NULL                                         \
	}
	const struct CMUnitTest tests[] = {
		BOTH(test_a_log_grows),
		BOTH(test_a_wrong_predecessor_is_refused),
		{ "another_one_wrote (sqlite)", test_another_one_wrote, open_sqlite, close_it,
			NULL },
		BOTH(test_two_appends_in_one_transaction),
		BOTH(test_rollback_forgets),
		BOTH(test_trim),
		BOTH(test_sessions),
		BOTH(test_live_and_tell),
		BOTH(test_asks_and_queue),
		BOTH(test_keys),
		BOTH(test_outputs),
		BOTH(test_kv),
		BOTH(test_control),
		BOTH(test_a_session_goes_whole),
		BOTH(test_epochs),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
