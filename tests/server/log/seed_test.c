/* seed_test.c -- a log that holds nothing any more, made again from the journal: what comes back is what the
 * table of seed_check.h says, at its old cursors; what is live comes behind; a kill leaves all or nothing. */
#include "server/log/seed.h"

#include <signal.h>
#include <sys/wait.h>

#include "server/log/epoch.h"
#include "server/log/row.h"
#include "shared/base/log.h"
#include "tests/server/log/seed_check.h"
#include "tests/server/tempdir.h"
#include "tests/shared/model/sessions.h"
#include "shared/base/ban.h"

/* ---- a life ---- */

static struct vy_buf lines;
static int64_t now;

static void say(const char *kind, const char *author, const char *turn, const char *data)
{
	VY_AUTO_BUF json = VY_BUF_INIT(VY_MIB);

	for (const char *p = data; *p; p++) {
		vy_buf_addc(&json, *p == '\'' ? '"' : *p);
	}
	now += 7;
	vy_buf_addf(&lines,
		"{\"v\":1,\"id\":\"x\",\"cur\":1,\"session\":\"%s\",\"turn\":%s%s%s,"
		"\"type\":\"session.%s\",\"time\":%lld,\"corr\":null,\"data\":{%s}%s%s%s}\n",
		SEED_S, turn ? "\"" : "", turn ? turn : "null", turn ? "\"" : "", kind,
		(long long)now, vy_buf_c(&json), author ? ",\"author\":\"" : "",
		author ? author : "", author ? "\"" : "");
}

#define ANN "person:ann"
#define BOT "assistant:bot"

static void words(const char *message, int block, const char *more, int n)
{
	char data[256];

	for (int i = 0; i < n; i++) {
		snprintf(data, sizeof(data),
			"'message':'%s','index':%d,'text':'w%d \xc3\xa4\xf0\x9f\x98\x80 '%s",
			message, block, i, more);
		say("text-delta", BOT, "T:1", data);
	}
}

static void done(const char *message, int block)
{
	char data[128];

	snprintf(data, sizeof(data), "'message':'%s','index':%d", message, block);
	say("text-done", BOT, "T:1", data);
}

/* Every kind there is, and every way a turn may go. */
static struct vy_str a_life(void)
{
	vy_buf_fini(&lines);
	vy_buf_init(&lines, 64 * VY_MIB);
	now = 1000;
	say("user-message", ANN, "T:1", "'message':'u1','state':'sent','text':'do it','via':'tui'");
	say("status", BOT, "T:1", "'state':'starting','turn':'T:1','model':'opus'");
	say("status", BOT, "T:1", "'state':'working','turn':'T:1'");
	words("m1", 0, ",'reasoning':true", 5);
	done("m1", 0);
	words("m1", 1, "", 12);
	done("m1", 1);
	say("tool-started", BOT, "T:1",
		"'tool_id':'c1','tool':'Bash','kind':'shell','summary':'make'");
	say("ask", BOT, "T:1",
		"'ask_id':'a1','kind':'permission','tool':'Bash','tool_id':'c1','title':'Run it?',"
		"'summary':'make','detail':'make all','options':[{'id':'allow','label':'Yes'}]");
	say("status", BOT, "T:1", "'state':'asking','turn':'T:1'");
	say("user-message", ANN, "T:1",
		"'message':'u2','state':'queued','text':'and then','position':0,'mode':'queue'");
	say("ask-answered", ANN, "T:1", "'ask_id':'a1','decision':'allow','by':'person:ann'");
	say("status", BOT, "T:1", "'state':'working','turn':'T:1'");
	say("tool-progress", BOT, "T:1", "'tool_id':'c1','text':'half','pct':50");
	say("tool-finished", BOT, "T:1",
		"'tool_id':'c1','ok':true,'status':'completed',"
		"'result':{'type':'terminal','command':'make','output':'ok'}");
	say("tool-started", BOT, "T:1",
		"'tool_id':'c2','tool':'Task','kind':'agent','summary':'look','background':true");
	words("s1", 0, ",'parent':'c2'", 4);
	words("m2", 0, "", 4);
	words("s1", 0, ",'parent':'c2'", 4);
	done("m2", 0);
	say("file-changed", BOT, "T:1", "'path':'a.c','op':'edit','added':3,'removed':1");
	say("status", BOT, "T:1",
		"'state':'working','turn':'T:1','tasks':[{'task':'t1','kind':'agent'}]");
	say("status", BOT, "T:1", "'state':'working','turn':'T:1','mode':'plan'");
	say("tool-finished", BOT, "T:1",
		"'tool_id':'c2','ok':false,'status':'failed','result':{'type':'text','text':'no'}");
	say("user-message", ANN, "T:1", "'message':'u3','state':'queued','text':'hm','position':1");
	say("user-message", ANN, "T:1", "'message':'u3','state':'cancelled','text':'hm'");
	say("status", BOT, "T:1",
		"'state':'waiting','turn':'T:1','usage':{'input':1,'output':2},'held':false");
	say("user-message", ANN, "T:2", "'message':'u2','state':'picked-up','text':'and then'");
	say("status", BOT, "T:2", "'state':'working','turn':'T:2'");
	words("m3", 0, "", 6);
	say("status", BOT, "T:2", "'state':'waiting','turn':'T:2','note':'interrupted'");
	say("term-command", ANN, NULL, "'term':'!1','command':'ls','via':'!'");
	say("term-chunk", ANN, NULL, "'term':'!1','offset':0,'b64':'YQ=='");
	say("term-command", ANN, NULL, "'term':'!1','command':'ls','via':'!','exit':-1");
	say("participant-joined", ANN, NULL, "'who':'person:bob','role':'reader'");
	say("reaction", "person:bob", NULL, "'message':'m1','emoji':'+','on':true");
	say("pin", ANN, NULL, "'message':'m1','on':true");
	say("mention", ANN, NULL, "'message':'u1','who':['person:bob']");
	say("fanout", ANN, NULL,
		"'group':'g','message':'u1','members':[{'who':'a','message':'b'}]");
	say("fanout-keep", ANN, NULL, "'group':'g','keep':'b'");
	say("participant-left", ANN, NULL, "'who':'person:bob'");
	say("user-message", ANN, NULL,
		"'message':'p1','state':'sent','enc':{'alg':'x','kid':'k','ct':'zz'}");
	say("status", BOT, NULL, "'state':'waiting','title':'a name'");
	say("status", BOT, NULL,
		"'state':'waiting','compacted':{'trigger':'auto','before':9,'after':1}");
	say("status", NULL, NULL, "'state':'failed','reason':'agent-lost','note':'gone'");
	say("status", NULL, NULL, "'state':'waiting'");
	return vy_buf_str(&lines);
}

static void everything_there_is(void **state)
{
	struct seed_stats st = { 0 };

	(void)state;
	seed_check("a life", a_life(), &st);
	assert_int_equal(st.deltas, 5 + 12 + 4 + 8 + 6);
	assert_int_equal(st.ends, 3);
	print_message("%zu frames, %zu of %zu deltas where they stood, %zu hidden\n", st.frames,
		st.exact, st.deltas, st.hidden);
	assert_int_equal(st.exact, st.deltas);
}

static void in_the_database(void **state)
{
	struct tempdir dir = tempdir_make();
	struct vy_err e = { 0 };
	struct log_store *store = store_sqlite_open(dir.path, NULL, NULL, &e);
	struct seed_stats st = { 0 };

	(void)state;
	assert_non_null(store);
	seed_check_in(store, "a life", a_life(), &st);
	store->ops->close(store);
	tempdir_remove(dir.path);
}

/* Frames as nobody would send them: whatever comes back is whole, valid and in order. */
static void anything(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct log_store *store = store_mem_new();
		struct log *l = seed_open(store);
		struct session s;
		struct seed_frames is;
		size_t n = 0;

		make_session(&s, seed, true);
		for (size_t i = 0; i < FRAMES; i++) {
			struct vy_frame f = s.f[i];

			f.id = vy_str_n(NULL, 0);
			n += log_append(l, SEED_S, &f, NULL) == 0;
		}
		log_flush(l);
		log_free(l);
		seed_empty(store);
		l = seed_open(store);
		seed_read(l, &is);
		assert_int_equal(is.n, n);
		for (size_t i = 0; i < is.n; i++) {
			assert_int_equal(is.v[i].cur, i + 1);
		}
		seed_free(&is);
		log_free(l);
		store->ops->close(store);
		vy_arena_fini(&s.a);
	}
}

/* ---- and on ---- */

static void live_comes_behind(void **state)
{
	struct log_store *store = store_mem_new();
	struct vy_str life = a_life();
	struct seed_frames was, is;
	struct vy_frame f;
	struct log *l = seed_open(store);

	(void)state;
	seed_append(l, life);
	seed_read(l, &was);
	log_free(l);
	seed_empty(store);
	l = seed_open(store);
	vy_frame_init(&f, VY_KIND_STATUS); /* the first touch is a frame, not a reader */
	vy_frame_set_c(&f, VY_F_STATE, "working");
	assert_int_equal(log_append(l, SEED_S, &f, NULL), 0);
	assert_int_equal(f.cur, was.n + 1);
	log_flush(l);
	seed_read(l, &is);
	assert_int_equal(is.n, was.n + 1);
	assert_int_equal(is.v[was.n].cur, was.n + 1);
	assert_true(vy_frame_is(&is.v[was.n], VY_F_STATE, "working"));
	log_free(l);
	seed_free(&was);
	seed_free(&is);
	store->ops->close(store);
}

static bool count_row(void *ctx, const struct store_row *row)
{
	(void)row;
	++*(int *)ctx;
	return true;
}

/* Made again, not once more: no event and no settlement comes of it. */
static void nothing_is_derived_twice(void **state)
{
	struct log_store *store = store_mem_new();
	struct store_row like = { .kind = ROW_JOURNAL };
	struct log *l = seed_open(store);
	int before = 0, after = 0;

	(void)state;
	seed_append(l, a_life());
	log_free(l);
	assert_int_equal(store->ops->each(store, &like, count_row, &before, NULL), 0);
	seed_empty(store);
	for (int i = 0; i < 2; i++) {
		struct vy_frame f;

		l = seed_open(store);
		assert_int_equal(log_floor(l, SEED_S), 1);
		vy_frame_init(&f, VY_KIND_TEXT_DONE); /* lifts to nothing */
		f.author = VY_STR_LIT(BOT);
		vy_frame_set_c(&f, VY_F_MESSAGE, "m9");
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		assert_int_equal(log_append(l, SEED_S, &f, NULL), 0);
		log_flush(l);
		log_free(l);
	}
	assert_int_equal(store->ops->each(store, &like, count_row, &after, NULL), 0);
	assert_int_equal(before, after);
	store->ops->close(store);
}

static void when_there_is_nothing(void **state)
{
	struct log_store *store = store_mem_new();
	struct log *l = seed_open(store);
	struct vy_str life = a_life();

	(void)state;
	assert_int_equal(log_head(l, "never"), 0);
	assert_int_equal(log_floor(l, "never"), 1);
	seed_append(l, life);
	log_free(l);
	l = seed_open(store); /* it holds its frames: nothing to do */
	assert_int_equal(log_exact(l, SEED_S), 0);
	LOG_PUT(l, ROW_SESSION, session, .session = VY_STR_LIT(SEED_S), .doc = VY_STR_LIT("{}"));
	LOG_DEL(l, ROW_SESSION, session, .session = VY_STR_LIT(SEED_S));
	log_flush(l);
	log_free(l);
	l = seed_open(store); /* deleted: its journal is without data */
	assert_int_equal(log_head(l, SEED_S), 0);
	log_free(l);
	store->ops->close(store);
}

struct row_copies {
	struct store_row *v[4096];
	size_t n;
};

static bool keep_copy(void *ctx, const struct store_row *row)
{
	struct row_copies *c = ctx;

	c->v[c->n++] = row_dup(row);
	return true;
}

/* A log that is lost with its head: as far as the journal knows that it went. */
static void the_head_is_lost_too(void **state)
{
	struct log_store *from = store_mem_new(), *to = store_mem_new();
	static const enum row_kind kinds[] = { ROW_KV, ROW_JOURNAL, ROW_MESSAGE };
	struct seed_frames was, is;
	struct seed_stats st = { 0 };
	struct log *l = seed_open(from);

	(void)state;
	seed_append(l, a_life());
	seed_read(l, &was);
	log_free(l);
	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		struct store_row like = { .kind = kinds[i], .message.session = VY_STR_LIT(SEED_S) };
		struct row_copies *c = VY_NEW(struct row_copies);

		if (kinds[i] != ROW_MESSAGE) {
			like = (struct store_row){ .kind = kinds[i] };
		}
		assert_int_equal(from->ops->each(from, &like, keep_copy, c, NULL), 0);
		assert_int_equal(to->ops->begin(to, NULL), 0);
		for (size_t k = 0; k < c->n; k++) {
			assert_int_equal(to->ops->put(to, c->v[k], NULL), 0);
			free(c->v[k]);
		}
		assert_int_equal(to->ops->commit(to, NULL), 0);
		free(c);
	}
	assert_int_equal(epoch_renew(to, NULL), 0);
	l = seed_open(to);
	assert_int_equal(log_head(l, SEED_S), was.n);
	seed_read(l, &is);
	seed_compare("lost", &was, &is, &st);
	log_free(l);
	seed_free(&was);
	seed_free(&is);
	from->ops->close(from);
	to->ops->close(to);
}

/* At most so many, from a person's words on; what is older is history's. */
static void a_long_one(void **state)
{
	struct log_store *store = store_mem_new();
	struct log *l = seed_open(store);
	struct seed_frames is;
	int64_t head;

	(void)state;
	vy_buf_fini(&lines);
	vy_buf_init(&lines, 64 * VY_MIB);
	now = 1000;
	for (int i = 0; i < 40; i++) {
		char data[64];

		snprintf(data, sizeof(data), "'message':'u%d','state':'sent','text':'go'", i);
		say("user-message", ANN, "T:1", data);
		say("status", BOT, "T:1", "'state':'working','turn':'T:1'");
		snprintf(data, sizeof(data), "m%d", i);
		words(data, 0, "", 500);
		say("status", BOT, "T:1", "'state':'waiting','turn':'T:1'");
	}
	seed_append(l, vy_buf_str(&lines));
	head = log_head(l, SEED_S);
	log_free(l);
	seed_empty(store);
	l = seed_open(store);
	assert_int_equal(log_head(l, SEED_S), head);
	assert_true(log_floor(l, SEED_S) > 1);
	assert_true(head - log_floor(l, SEED_S) < SEED_FRAMES);
	assert_true(head - log_floor(l, SEED_S) > SEED_FRAMES / 2);
	seed_read(l, &is);
	assert_int_equal(is.v[0].kind, VY_KIND_USER_MESSAGE);
	for (size_t i = 0; i < is.n; i++) {
		assert_int_not_equal(is.v[i].kind, VY_KIND_HIDDEN);
	}
	seed_free(&is);
	log_free(l);
	store->ops->close(store);
}

/* ---- kill -9 ---- */

static void seed_and_die(const char *path, useconds_t after)
{
	struct log_store *store;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0) {
		usleep(after);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		return;
	}
	vy_log_set_level(VY_LOG_NONE);
	store = store_sqlite_open(path, NULL, NULL, NULL);
	while (store) { /* made and emptied, for as long as it lives */
		struct log_conf conf = {
			.store = store, .clock = &vy_clock_real, .boot_id = "boot"
		};
		struct log *l = log_new(&conf, NULL);

		if (!l || log_floor(l, SEED_S) != 1) {
			_exit(9);
		}
		log_free(l);
		seed_empty(store);
	}
	_exit(8);
}

static void killed_in_the_middle(void **state)
{
	struct tempdir dir = tempdir_make();
	struct log_store *store = store_sqlite_open(dir.path, NULL, NULL, NULL);
	struct seed_frames was, is;
	struct seed_stats st = { 0 };
	struct log *l = seed_open(store);
	uint64_t dice = 7;

	(void)state;
	seed_append(l, a_life());
	seed_read(l, &was);
	log_free(l);
	seed_empty(store);
	for (int i = 0; i < 12; i++) {
		struct store_bounds b;

		store->ops->close(store);
		seed_and_die(dir.path, 500 + chance(&dice, 20000));
		store = store_sqlite_open(dir.path, NULL, NULL, NULL);
		assert_non_null(store);
		assert_int_equal(store->ops->bounds(store, vy_str_c(SEED_S), &b, NULL), 0);
		assert_int_equal(b.head, was.n);
		assert_true(b.floor == 1 || b.floor == b.head + 1); /* all of it, or nothing */
		l = seed_open(store);
		seed_read(l, &is);
		seed_compare("killed", &was, &is, &st);
		seed_free(&is);
		log_free(l);
		if (i % 2) {
			seed_empty(store);
		}
	}
	seed_free(&was);
	store->ops->close(store);
	tempdir_remove(dir.path);
}

/* A store that fails leaves the log as it was, and it is tried again. */
static void a_store_that_fails(void **state)
{
	struct log_store *store = store_mem_new();
	struct log *l = seed_open(store);
	int64_t head;

	(void)state;
	seed_append(l, a_life());
	head = log_head(l, SEED_S);
	log_free(l);
	seed_empty(store);
	for (int k = 1; k < 4; k++) {
		l = seed_open(store);
		store_mem_fail(store, k, 1, VY_RETRY);
		assert_int_equal(log_head(l, SEED_S), head);
		store_mem_fail(store, 1, 0, VY_RETRY);
		assert_int_equal(log_floor(l, SEED_S), 1);
		log_free(l);
		seed_empty(store);
	}
	store->ops->close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_there_is),
		cmocka_unit_test(in_the_database),
		cmocka_unit_test(anything),
		cmocka_unit_test(live_comes_behind),
		cmocka_unit_test(nothing_is_derived_twice),
		cmocka_unit_test(when_there_is_nothing),
		cmocka_unit_test(the_head_is_lost_too),
		cmocka_unit_test(a_long_one),
		cmocka_unit_test(killed_in_the_middle),
		cmocka_unit_test(a_store_that_fails),
	};
	int rc;

	vy_log_set_level(VY_LOG_NONE);
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	vy_buf_fini(&lines);
	return rc;
}
