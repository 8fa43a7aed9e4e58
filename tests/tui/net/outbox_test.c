/* outbox_test.c -- what was said survives: kills, torn files, a full disk, other clients. */
#include "tests/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "tui/net/outbox.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

#define BOX  "/run/box.sock"
#define S1   "11111111-1111-4111-8111-111111111111"
#define S2   "22222222-2222-4222-8222-222222222222"
#define HOUR (3600 * 1000LL)

/* ---- a server that answers when the test says so ------------------------------------------- */

struct rpc_call {
	char key[VY_UUID_LEN + 1], session[VY_UUID_LEN + 1], text[64], mode[16];
	char method[32], images[128], b64[32];
	bool has_images, is_cancelled;
	rpc_done_fn *fn;
	void *ctx;
};

static struct rpc_call calls[64];
static size_t n_calls;
static struct rpc *const a_server = (struct rpc *)&calls;

struct rpc_call *rpc_call(struct rpc *r, const char *method, struct vy_json *own_params,
	const char *key, int64_t timeout_ms, rpc_done_fn *fn, void *ctx)
{
	struct rpc_call *c = &calls[n_calls++];

	(void)r;
	(void)timeout_ms;
	assert_true(n_calls <= VY_COUNT(calls));
	*c = (struct rpc_call){ .fn = fn, .ctx = ctx };
	snprintf(c->method, sizeof(c->method), "%s", method);
	if (strcmp(method, "files.put") == 0) {
		snprintf(c->key, sizeof(c->key), "%s", key);
		snprintf(c->b64, sizeof(c->b64), "%s", vy_json_cstr(own_params, "b64"));
		vy_json_free(own_params);
		return c;
	}
	assert_string_equal(method, "threads.send");
	snprintf(c->key, sizeof(c->key), "%s", key);
	snprintf(c->session, sizeof(c->session), "%s", vy_json_cstr(own_params, "session"));
	snprintf(c->text, sizeof(c->text), "%s", vy_json_cstr(own_params, "text"));
	snprintf(c->mode, sizeof(c->mode), "%s", vy_json_cstr(own_params, "mode"));
	VY_AUTO_BUF images = VY_BUF_INIT(sizeof(c->images) - 1);

	vy_json_dump(vy_json_get(own_params, "images"), &images);
	snprintf(c->images, sizeof(c->images), "%s", vy_buf_c(&images));
	c->has_images = vy_json_len(vy_json_get(own_params, "images")) == 1;
	vy_json_free(own_params);
	return c;
}

void rpc_cancel(struct rpc_call *c)
{
	if (c) {
		c->is_cancelled = true;
	}
}

static void arrived(size_t i, const char *ref)
{
	VY_AUTO_JSON *result = vy_json_new_obj();
	struct vy_err e = { 0 };

	vy_json_set_c(result, "ref", ref);
	assert_false(calls[i].is_cancelled);
	calls[i].fn(calls[i].ctx, result, &e);
}

static void answer(size_t i, enum vy_code code, const char *why)
{
	struct vy_err e = { .code = code };

	snprintf(e.text, sizeof(e.text), "%s", why);
	assert_false(calls[i].is_cancelled);
	calls[i].fn(calls[i].ctx, NULL, &e);
}

/* ---- the stage ------------------------------------------------------------------------------ */

static int64_t wall = 1000 * HOUR;

static int64_t wall_ms(void *ctx)
{
	(void)ctx;
	return wall;
}

static const struct vy_clock a_clock = { wall_ms, wall_ms, NULL };
static char changes[1024];

static void on_changed(void *ctx, const char *session)
{
	size_t n = strlen(changes);

	(void)ctx;
	snprintf(changes + n, sizeof(changes) - n, "%c", session[0]);
}

struct stage {
	struct tempdir dir;
	struct vy_loop *loop;
	char outbox[TEMPDIR_MAX + 64];
};

static void stage_init(struct stage *st)
{
	st->dir = tempdir_make();
	st->loop = vy_loop_new();
	snprintf(st->outbox, sizeof(st->outbox), "%s/state/vyre/outbox", st->dir.path);
	n_calls = 0;
	changes[0] = '\0';
}

static void stage_fini(struct stage *st)
{
	vy_loop_free(st->loop);
	tempdir_remove(st->dir.path);
}

static struct outbox *open_box(struct stage *st, const char *box)
{
	static const struct outbox_events ev = { on_changed };
	struct vy_err e = { 0 };
	struct outbox *o = outbox_new(st->loop, &a_clock, st->outbox, box, &ev, NULL, &e);

	if (!o) {
		fail_msg("outbox_new: %s", e.text);
	}
	return o;
}

static void say(struct outbox *o, const char *session, const char *text, char id[VY_UUID_LEN + 1])
{
	struct vy_err e = { 0 };

	if (outbox_add(o, session, vy_str_c(text), "steer", NULL, id, &e) != 0) {
		fail_msg("outbox_add: %s", e.text);
	}
}

/* "text/state …" of all entries: waiting, sending, taken, refused by their first letter. */
static const char *shown(struct outbox *o)
{
	static char out[1024];
	struct outbox_entry t;
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; outbox_get(o, NULL, i, &t); i++) {
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%.*s/%c", i ? " " : "",
			VY_STR_ARG(t.text), "wstr"[t.state]);
	}
	return out;
}

/* Files in the folder whose name ends so. */
static size_t files(const struct stage *st, const char *end)
{
	DIR *d = opendir(st->outbox);
	const struct dirent *ent;
	size_t n = 0, len = strlen(end);

	assert_non_null(d);
	while ((ent = readdir(d))) {
		size_t l = strlen(ent->d_name);

		n += l > len && strcmp(ent->d_name + l - len, end) == 0;
	}
	closedir(d);
	return n;
}

/* The first one, whole. */
static char *file_path(const struct stage *st, const char *end)
{
	DIR *d = opendir(st->outbox);
	const struct dirent *ent;
	static char path[2 * TEMPDIR_MAX];

	assert_non_null(d);
	path[0] = '\0';
	while ((ent = readdir(d))) {
		size_t l = strlen(ent->d_name);

		if (l > strlen(end) && strcmp(ent->d_name + l - strlen(end), end) == 0) {
			snprintf(path, sizeof(path), "%s/%s", st->outbox, ent->d_name);
		}
	}
	closedir(d);
	return path;
}

/* ---- sending -------------------------------------------------------------------------------- */

static void one_after_the_other(void **unused)
{
	struct stage st;
	char a[VY_UUID_LEN + 1], b[VY_UUID_LEN + 1], c[VY_UUID_LEN + 1];

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	say(o, S1, "a", a);
	say(o, S1, "b", b);
	say(o, S2, "c", c);
	check_int("nothing leaves without a server", (long long)n_calls, 0);
	outbox_flush(o, a_server);
	check_str("one of each session", shown(o), "a/s b/w c/s");
	check_str("its key is its id", calls[0].key, a);
	check_str("its mode", calls[0].mode, "steer");
	outbox_flush(o, a_server);
	check_int("no second call of it", (long long)n_calls, 2);
	answer(0, VY_OK, "");
	check_str("then the next", shown(o), "a/t b/s c/s");
	check_str("told", changes, "1");
	check_int("what the server has needs no file", (long long)files(&st, ".msg"), 2);
	assert_true(outbox_seen(o, vy_str_c(a)));
	assert_false(outbox_seen(o, vy_str_c(a)));
	assert_true(outbox_seen(o, vy_str_c(b))); /* the frame before the answer */
	assert_true(calls[2].is_cancelled);
	check_str("the rest", shown(o), "c/s");
	check_int("by session", (long long)outbox_count(o, S1), 0);
	check_int("by session", (long long)outbox_count(o, S2), 1);
	outbox_free(o);
	stage_fini(&st);
}

static void lost_and_refused(void **unused)
{
	struct stage st;
	char a[VY_UUID_LEN + 1], b[VY_UUID_LEN + 1];
	struct outbox_entry t;

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	say(o, S1, "a", a);
	say(o, S1, "b", b);
	outbox_flush(o, a_server);
	answer(0, VY_RETRY, "nobody answers");
	check_str("it waits", shown(o), "a/w b/w");
	assert_true(outbox_get(o, S1, 0, &t));
	check_str("and says why", t.why.text, "nobody answers");
	outbox_flush(o, a_server);
	check_str("the same key again", calls[1].key, a);
	outbox_hold(o);
	check_str("held", shown(o), "a/w b/w");
	assert_true(calls[1].is_cancelled);
	outbox_flush(o, a_server);
	answer(2, VY_FULL, "the queue is full");
	check_str("what came after it waits for the person", shown(o), "a/r b/w");
	check_int("the words stay on disk", (long long)files(&st, ".msg"), 2);
	assert_true(outbox_drop(o, a));
	assert_false(outbox_drop(o, a));
	check_str("settled", shown(o), "b/s");
	check_int("gone from the disk", (long long)files(&st, ".msg"), 1);
	outbox_free(o);
	stage_fini(&st);
}

static void stop_loop(void *ctx)
{
	vy_loop_stop(ctx);
}

static void tries_again_by_itself(void **unused)
{
	struct stage st;
	char a[VY_UUID_LEN + 1];

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);
	struct vy_timer *end = vy_loop_timer(st.loop, stop_loop, st.loop);

	say(o, S1, "a", a);
	outbox_flush(o, a_server);
	answer(0, VY_BUSY, "not now");
	vy_timer_set(end, 1500);
	vy_loop_run(st.loop);
	check_str("sent again", shown(o), "a/s");
	vy_timer_del(end);
	outbox_free(o);
	stage_fini(&st);
}

static void what_goes_along(void **unused)
{
	struct stage st;
	char a[VY_UUID_LEN + 1];
	struct vy_err e = { 0 };
	struct vy_json *extra = vy_json_parse(VY_STR_LIT("{\"images\":[{\"ref\":\"x\"}]}"), NULL);

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	assert_int_equal(outbox_add(o, S1, VY_STR_LIT("look"), "queue",
				 &(struct outbox_with){ .extra = extra }, a, &e),
		0);
	outbox_free(o);
	o = open_box(&st, BOX);
	outbox_flush(o, a_server);
	assert_true(calls[0].has_images);
	check_str("mode", calls[0].mode, "queue");
	check_str("session", calls[0].session, S1);
	outbox_free(o);
	stage_fini(&st);
}

/* ---- limits --------------------------------------------------------------------------------- */

static void too_long(void **unused)
{
	struct stage st;
	char id[VY_UUID_LEN + 1], *text = vy_alloc(VY_SEND_TEXT_MAX + 1);
	struct vy_err e = { 0 };

	(void)unused;
	stage_init(&st);
	memset(text, 'x', VY_SEND_TEXT_MAX + 1);
	struct outbox *o = open_box(&st, BOX);

	assert_int_equal(
		outbox_add(o, S1, vy_str_n(text, VY_SEND_TEXT_MAX + 1), "steer", NULL, id, &e), -1);
	assert_int_equal(e.code, VY_FULL);
	assert_int_equal(
		outbox_add(o, S1, vy_str_n(text, VY_SEND_TEXT_MAX), "steer", NULL, id, &e), 0);
	memset(text, 1, VY_SEND_TEXT_MAX); /* as JSON six times as long */
	assert_int_equal(
		outbox_add(o, S1, vy_str_n(text, VY_SEND_TEXT_MAX), "steer", NULL, id, &e), -1);
	assert_int_equal(e.code, VY_FULL);
	check_int("one is kept", (long long)files(&st, ".msg"), 1);
	free(text);
	outbox_free(o);
	stage_fini(&st);
}

static void a_full_disk(void **unused)
{
	struct stage st;
	char id[VY_UUID_LEN + 1], text[5000];
	struct vy_err e = { 0 };
	struct rlimit was, small;

	(void)unused;
	stage_init(&st);
	memset(text, 'x', sizeof(text));
	struct outbox *o = open_box(&st, BOX);

	getrlimit(RLIMIT_FSIZE, &was);
	small = was;
	small.rlim_cur = 2000;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	int rc = outbox_add(o, S1, vy_str_n(text, sizeof(text)), "steer", NULL, id, &e);

	setrlimit(RLIMIT_FSIZE, &was);
	assert_int_equal(rc, -1);
	check_int("nothing half is left", (long long)files(&st, ".msg"), 0);
	check_int("nothing is listed", (long long)outbox_count(o, NULL), 0);
	outbox_free(o);
	stage_fini(&st);
}

/* ---- who comes later ------------------------------------------------------------------------ */

/* Another client of this user, which said "a" and "b", and "x" in another box. `late` is a child of its
 * that has all its descriptors and outlives it, as one does that was forked a moment ago. */
struct other {
	pid_t pid, late;
	char b[VY_UUID_LEN + 1], a[VY_UUID_LEN + 1];
};

static void be_another(struct stage *st, int to)
{
	struct other me = { .pid = getpid() };
	char x[VY_UUID_LEN + 1];

	say(open_box(st, "/run/other.sock"), S1, "x", x);
	struct outbox *o = open_box(st, BOX);

	say(o, S1, "a", me.a);
	say(o, S1, "b", me.b);
	me.late = fork();
	if (me.late != 0 && write(to, &me, sizeof(me)) != sizeof(me)) {
		_exit(1);
	}
	for (;;) {
		pause();
	}
}

static struct other another_client(struct stage *st)
{
	struct other who = { 0 };
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();

	if (pid == 0) {
		be_another(st, ends[1]);
	}
	assert_int_equal(read(ends[0], &who, sizeof(who)), sizeof(who));
	close(ends[0]);
	close(ends[1]);
	return who;
}

static void the_next_client(void **unused)
{
	struct stage st;
	struct outbox_entry t;
	struct stat sb;

	(void)unused;
	stage_init(&st);
	struct other who = another_client(&st);
	struct outbox *o = open_box(&st, BOX);

	check_str("those of a client that runs are its own", shown(o), "");
	outbox_free(o);
	kill(who.pid, SIGKILL);
	waitpid(who.pid, NULL, 0);
	o = open_box(&st, BOX);
	check_str("of this box, in their order", shown(o), "a/w b/w");
	assert_true(outbox_get(o, S1, 1, &t));
	check_str("with their keys", t.id, who.b);
	outbox_drop(o, who.a);
	outbox_drop(o, who.b);
	outbox_free(o);
	kill(who.late, SIGKILL);
	check_int("the other box's is still there", (long long)files(&st, ".msg"), 1);
	check_int("and one lock, its", (long long)files(&st, ".lock"), 1);
	assert_int_equal(stat(st.outbox, &sb), 0);
	check_int("the folder is private", sb.st_mode & 0777, 0700);
	assert_int_equal(stat(file_path(&st, ".msg"), &sb), 0);
	check_int("the file is private", sb.st_mode & 0777, 0600);
	stage_fini(&st);
}

static void too_old_to_know(void **unused)
{
	struct stage st;
	char a[VY_UUID_LEN + 1], b[VY_UUID_LEN + 1];

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	say(o, S1, "old", a);
	outbox_free(o);
	wall += 24 * HOUR;
	o = open_box(&st, BOX);
	check_str("the person decides", shown(o), "old/r");
	say(o, S1, "new", b);
	outbox_flush(o, a_server);
	check_str("nobody waits for it", shown(o), "old/r new/s");
	check_int("and it is not sent", (long long)n_calls, 1);
	check_str("but the new one", calls[0].text, "new");
	outbox_free(o);
	stage_fini(&st);
}

/* Every way a write can be cut short, and a flipped bit: aside with a sentence, never sent. */
static void torn_files(void **unused)
{
	struct stage st;
	char id[VY_UUID_LEN + 1], whole[2048];

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	say(o, S1, "please", id);
	outbox_free(o);
	char path[2 * TEMPDIR_MAX];

	snprintf(path, sizeof(path), "%s", file_path(&st, ".msg"));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, whole, sizeof(whole));

	close(fd);
	unlink(path);
	assert_true(n > 100);
	for (ssize_t cut = 0; cut <= n; cut++) {
		bool is_whole = cut == n;

		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		assert_int_equal(write(fd, whole, (size_t)cut), cut);
		close(fd);
		o = open_box(&st, BOX);
		check_int("entries", (long long)outbox_count(o, NULL), is_whole);
		assert_true(is_whole == !outbox_trouble(o));
		check_int("aside", (long long)files(&st, ".bad"), !is_whole);
		if (!is_whole) {
			assert_non_null(strstr(outbox_trouble(o), file_path(&st, ".bad")));
			unlink(file_path(&st, ".bad"));
		}
		outbox_free(o);
	}
	whole[n - 10] ^= 1;
	unlink(file_path(&st, ".msg"));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, whole, (size_t)n), n);
	close(fd);
	o = open_box(&st, BOX);
	check_int("a flipped bit", (long long)outbox_count(o, NULL), 0);
	check_int("is seen", (long long)files(&st, ".bad"), 1);
	outbox_free(o);
	stage_fini(&st);
}

/* A client is killed at any moment: what add() returned for is there, whole, and nothing is torn. */
static void say_until_killed(struct stage *st, int to)
{
	struct vy_err e = { 0 };
	struct vy_loop *l = vy_loop_new(); /* the parent's is the parent's */
	static const struct outbox_events ev = { NULL };
	struct outbox *o = outbox_new(l, &a_clock, st->outbox, BOX, &ev, NULL, &e);
	char id[VY_UUID_LEN + 1];

	for (int i = 0; o && i < 10000; i++) {
		if (outbox_add(o, S1, VY_STR_LIT("again"), "steer", NULL, id, &e) != 0 ||
			write(to, id, sizeof(id)) != sizeof(id)) {
			break;
		}
		if (i % 3 == 0) {
			outbox_drop(o, id);
			id[0] = '-'; /* told as gone */
			if (write(to, id, sizeof(id)) != sizeof(id)) {
				break;
			}
		}
	}
	_exit(1);
}

static struct vy_json *two_pictures(void)
{
	return vy_json_parse(VY_STR_LIT("[{\"mime\":\"image/png\",\"b64\":\"AAAA\"},"
					"{\"mime\":\"image/gif\",\"b64\":\"BBBB\"}]"),
		NULL);
}

/* Pictures wait on disk with their words, are put one by one, and the message names them. */
static void pictures(void **unused)
{
	struct stage st;
	struct vy_err e = { 0 };
	char a[VY_UUID_LEN + 1], b[VY_UUID_LEN + 1], key[VY_UUID_LEN + 1];
	struct outbox_with with = { .uploads = two_pictures() };

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	assert_int_equal(outbox_add(o, S1, VY_STR_LIT("look"), "steer", &with, a, &e), 0);
	outbox_free(o); /* said offline; another client sends it */
	o = open_box(&st, BOX);
	say(o, S1, "after", b);
	outbox_flush(o, a_server);
	check_int("one call", (long long)n_calls, 1);
	check_str("the first picture", calls[0].b64, "AAAA");
	snprintf(key, sizeof(key), "%s", calls[0].key);
	arrived(0, "r1");
	check_str("the second", calls[1].b64, "BBBB");
	check_true("a key each", strcmp(calls[1].key, key) != 0);
	outbox_hold(o); /* the line went down between them */
	check_str("still there", shown(o), "look/w after/w");
	outbox_flush(o, a_server);
	check_str("from the first again", calls[2].b64, "AAAA");
	check_str("with its key", calls[2].key, key);
	arrived(2, "r1");
	arrived(3, "r2");
	check_str("then the words", calls[4].text, "look");
	check_str("by reference", calls[4].images, "[{\"ref\":\"r1\"},{\"ref\":\"r2\"}]");
	check_str("its own key", calls[4].key, a);
	check_int("nothing before it is there", (long long)n_calls, 5);
	answer(4, VY_OK, "");
	check_str("then what was said after", calls[5].text, "after");
	check_str("without pictures", calls[5].images, "");
	outbox_free(o);
	stage_fini(&st);
}

static void a_picture_is_refused(void **unused)
{
	struct stage st;
	struct vy_err e = { 0 };
	char a[VY_UUID_LEN + 1];
	struct outbox_with with = { .uploads = two_pictures() };

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	assert_int_equal(outbox_add(o, S1, VY_STR_LIT("look"), "steer", &with, a, &e), 0);
	outbox_flush(o, a_server);
	answer(0, VY_BAD_INPUT, "no picture");
	check_str("refused", shown(o), "look/r");
	check_int("nothing was sent", (long long)n_calls, 1);
	assert_true(outbox_drop(o, a));
	outbox_free(o);
	stage_fini(&st);
}

static void too_many_pictures(void **unused)
{
	struct stage st;
	struct vy_err e = { 0 };
	char a[VY_UUID_LEN + 1];
	size_t n = OUTBOX_UPLOADS_MAX / 2 + 1;
	char *b64 = vy_alloc(n + 1);
	struct outbox_with with = { .uploads = vy_json_new_arr() };

	(void)unused;
	stage_init(&st);
	struct outbox *o = open_box(&st, BOX);

	memset(b64, 'A', n);
	for (int i = 0; i < 2; i++) {
		struct vy_json *one = vy_json_new_obj();

		vy_json_set_c(one, "mime", "image/png");
		vy_json_set_c(one, "b64", b64);
		vy_json_add_take(with.uploads, one);
	}
	check_int("both", outbox_add(o, S1, VY_STR_LIT("x"), "steer", &with, a, &e), -1);
	check_int("code", e.code, VY_FULL);
	with.uploads = vy_json_new_arr();
	struct vy_json *one = vy_json_new_obj();

	vy_json_set_c(one, "mime", "image/png");
	vy_json_set_c(one, "b64", b64);
	vy_json_add_take(with.uploads, one);
	check_int("one", outbox_add(o, S1, VY_STR_LIT("x"), "steer", &with, a, &e), 0);
	outbox_free(o);
	o = open_box(&st, BOX);
	check_int("and read again", (long long)outbox_count(o, S1), 1);
	outbox_drop(o, a);
	outbox_free(o);
	free(b64);
	stage_fini(&st);
}

static void killed(void **unused)
{
	struct stage st;

	(void)unused;
	stage_init(&st);
	for (int round = 0; round < 12; round++) {
		int ends[2];
		char ids[VY_UUID_LEN + 1], last[VY_UUID_LEN + 1] = "";
		size_t kept = 0;

		assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
		pid_t pid = fork();

		if (pid == 0) {
			say_until_killed(&st, ends[1]);
		}
		close(ends[1]);
		for (int i = 0; i < 5 + 7 * round; i++) { /* then somewhere in the next one */
			assert_int_equal(read(ends[0], ids, sizeof(ids)), sizeof(ids));
			kept += ids[0] == '-' ? (size_t)-1 : 1;
			memcpy(last, ids, sizeof(last));
		}
		usleep((useconds_t)(random() % 2000));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		while (read(ends[0], ids, sizeof(ids)) == sizeof(ids)) {
			kept += ids[0] == '-' ? (size_t)-1 : 1;
			memcpy(last, ids, sizeof(last));
		}
		close(ends[0]);
		struct outbox *o = open_box(&st, BOX);
		size_t have = outbox_count(o, NULL);

		/* it may have been killed between the disk and its word about it */
		assert_true(have + 1 >= kept && have <= kept + 1);
		for (size_t i = outbox_count(o, NULL); i-- > 0;) {
			struct outbox_entry t;

			assert_true(outbox_get(o, NULL, i, &t));
			check_vstr("whole", t.text, VY_STR_LIT("again"));
			outbox_drop(o, t.id);
		}
		outbox_free(o);
		unlink(file_path(&st, ".bad")); /* the one write that was cut, if it was */
		check_int("no entry is left", (long long)files(&st, ".msg"), 0);
		check_int("nor a lock", (long long)files(&st, ".lock"), 0);
	}
	stage_fini(&st);
}

static void no_folder(void **unused)
{
	struct stage st;
	struct vy_err e = { 0 };
	static const struct outbox_events ev = { NULL };

	(void)unused;
	stage_init(&st);
	assert_null(outbox_new(st.loop, &a_clock, "/proc/nowhere/outbox", BOX, &ev, NULL, &e));
	assert_true(e.code != VY_OK && e.text[0]);
	stage_fini(&st);
}

CHECK_MAIN(CHECK_TEST(one_after_the_other), CHECK_TEST(lost_and_refused),
	CHECK_TEST(tries_again_by_itself), CHECK_TEST(what_goes_along), CHECK_TEST(pictures),
	CHECK_TEST(a_picture_is_refused), CHECK_TEST(too_many_pictures), CHECK_TEST(too_long),
	CHECK_TEST(a_full_disk), CHECK_TEST(the_next_client), CHECK_TEST(too_old_to_know),
	CHECK_TEST(torn_files), CHECK_TEST(killed), CHECK_TEST(no_folder))
