/* events_test.c -- a client of standing streams, against a server of few words on the same loop. */
#include "tui/net/events.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/check.h"

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/net/dial.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 20000 /* no measure of anything: when to give a test up */
#define MOST        8

/* ---- a server: the nth connection gets the nth answer ---- */

struct peer {
	struct box *box;
	int fd;
	struct vy_watch *watch;
	struct vy_buf asked;
};

struct box {
	struct vy_loop *loop;
	struct dial *dial;
	struct events *events;
	char dir[64], path[100];
	int listener;
	struct vy_watch *accept;
	const char *answers[MOST]; /* ended by a '.': the connection stays open behind it */
	struct peer peers[MOST];
	size_t n_peers;
	/* the client */
	struct vy_buf got; /* each item as "name id text;" */
	enum events_state state;
	struct vy_err why;
	const char *until;
	bool stops; /* at its first item */
	bool (*is_enough)(struct box *b);
};

static void answer(struct peer *p)
{
	const char *text = p->box->answers[p - p->box->peers];
	size_t n = strlen(text);
	bool stays = n && text[n - 1] == '.';

	n -= stays;
	assert_int_equal(send(p->fd, text, n, MSG_NOSIGNAL), n);
	if (!stays) {
		shutdown(p->fd, SHUT_WR);
	}
}

static void on_readable(void *ctx, int fd, unsigned events)
{
	struct peer *p = ctx;
	char text[4096];
	ssize_t n = recv(fd, text, sizeof(text), MSG_DONTWAIT);

	(void)events;
	if (n <= 0) {
		vy_watch_set(p->watch, 0);
		return;
	}
	vy_buf_add(&p->asked, text, (size_t)n);
	if (strstr(vy_buf_c(&p->asked), "\r\n\r\n")) {
		answer(p);
	}
}

static void on_accept(void *ctx, int fd, unsigned events)
{
	struct box *b = ctx;
	struct peer *p = &b->peers[b->n_peers];

	(void)events;
	assert_true(b->n_peers < MOST && b->answers[b->n_peers]);
	b->n_peers++;
	p->box = b;
	p->fd = accept(fd, NULL, NULL);
	vy_buf_init(&p->asked, 64 * VY_KIB);
	p->watch = vy_loop_watch(b->loop, p->fd, VY_READ, on_readable, p);
}

static void serve(struct box *b)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", b->path);
	b->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(b->listener, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(b->listener, 16), 0);
	b->accept = vy_loop_watch(b->loop, b->listener, VY_READ, on_accept, b);
}

/* ---- a client ---- */

static void on_item(void *ctx, const struct events_item *it)
{
	struct box *b = ctx;

	vy_buf_addf(&b->got, "%.*s %.*s %.*s;", VY_STR_ARG(it->name), VY_STR_ARG(it->id),
		VY_STR_ARG(it->text));
	if (b->stops) {
		events_stop(b->events);
	}
}

static void on_state(void *ctx, enum events_state s, const struct vy_err *why)
{
	struct box *b = ctx;

	b->state = s;
	b->why = why ? *why : (struct vy_err){ .code = VY_OK };
}

static void on_turn(void *ctx)
{
	struct box *b = ctx;

	if (b->is_enough && b->is_enough(b)) {
		vy_loop_stop(b->loop);
	}
}

static void out_of_patience(void *ctx)
{
	vy_loop_stop(((struct box *)ctx)->loop);
}

static bool run(struct box *b, bool (*is_enough)(struct box *b), int64_t ms)
{
	struct vy_timer *t = vy_loop_timer(b->loop, out_of_patience, b);

	vy_timer_set(t, ms);
	b->is_enough = is_enough;
	if (!is_enough || !is_enough(b)) {
		vy_loop_run(b->loop);
	}
	vy_timer_del(t);
	b->is_enough = NULL;
	return is_enough && is_enough(b);
}

static bool has_all(struct box *b)
{
	return strstr(vy_buf_c(&b->got), b->until) != NULL;
}

static bool is_settled(struct box *b)
{
	return b->state == EVENTS_OVER || b->state == EVENTS_LOST;
}

static void begin(struct box *b, const char *const *answers, bool is_served)
{
	struct vy_err e;

	*b = (struct box){ .listener = -1 };
	for (size_t i = 0; i < MOST && answers[i]; i++) {
		b->answers[i] = answers[i];
	}
	snprintf(b->dir, sizeof(b->dir), "/tmp/vyre-events-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	snprintf(b->path, sizeof(b->path), "%s/s", b->dir);
	b->loop = vy_loop_new();
	vy_loop_at_end(b->loop, on_turn, b);
	vy_buf_init(&b->got, 64 * VY_MIB);
	if (is_served) {
		serve(b);
	}
	b->dial = dial_new(b->loop, b->path, &e);
	assert_non_null(b->dial);
}

static void go(struct box *b, enum events_fit (*judge)(void *, const struct events_item *))
{
	struct events_conf conf = { .loop = b->loop,
		.dial = b->dial,
		.clock = &vy_clock_real,
		.path = "/v1/sessions/s/messages/m/stream" };
	struct events_ops ops = { judge, on_item, on_state };

	b->events = events_new(&conf, &ops, b);
}

static void end(struct box *b)
{
	events_free(b->events);
	dial_free(b->dial);
	for (size_t i = 0; i < b->n_peers; i++) {
		vy_watch_del(b->peers[i].watch);
		close(b->peers[i].fd);
		vy_buf_fini(&b->peers[i].asked);
	}
	if (b->listener >= 0) {
		vy_watch_del(b->accept);
		close(b->listener);
		unlink(b->path);
	}
	vy_loop_free(b->loop);
	vy_buf_fini(&b->got);
	assert_int_equal(rmdir(b->dir), 0);
}

#define OK "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nretry: 50\n: hello\n\n"
#define NO "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 58\r\n\r\n"
#define A  "event: a\nid: 1\ndata: {\"n\":1}\n\n"
#define B  "event: b\nid: 2\ndata: {\"n\":2}\n\n"
#define SNAP                                                                                       \
	"event: snapshot\nid: evt_1\ndata: {\"messageId\":\"m\",\"messageRevision\":1,\"state\":"  \
	"\"streaming\",\"text\":\"a\",\"reasoning\":\"\",\"index\":{\"text\":1,\"reasoning\":0}}"  \
	"\n\n"
#define DELTA                                                                                      \
	"event: session.message.delta.appended\nid: evt_2\ndata: "                                 \
	"{\"messageId\":\"m\",\"channel\":\"text\",\"index\":1,\"text\":\"b\"}\n\n"
#define END_                                                                                       \
	"event: session.message.completed\nid: evt_3\ndata: "                                      \
	"{\"data\":{\"message\":{\"message\":\"m\",\"role\":\"assistant\",\"author\":\"a\","       \
	"\"state\":"                                                                               \
	"\"completed\",\"text\":\"ab\",\"blocks\":[],\"messageRevision\":2,\"turn\":\"t\","        \
	"\"created\":1,"                                                                           \
	"\"updated\":2},\"transcriptTargetId\":\"s\",\"producer\":\"a\"}}\n\n"

/* ---- the tests ---- */

/* It comes back behind what it has, over a line that broke in the middle of an item, and stops at the end. */
static void a_life(void **state)
{
	static const char *const answers[] = { OK SNAP "event: session.message.delta.app", OK DELTA,
		OK END_ DELTA ".", NULL };
	struct box b;

	(void)state;
	begin(&b, answers, true);
	go(&b, events_judge_generation);
	assert_true(run(&b, is_settled, PATIENCE_MS));
	assert_int_equal(b.state, EVENTS_OVER);
	assert_int_equal(b.n_peers, 3);
	assert_string_equal(events_last(b.events), "evt_3");
	assert_non_null(strstr(vy_buf_c(&b.got), "snapshot evt_1 {"));
	assert_non_null(strstr(vy_buf_c(&b.got), "appended evt_2 {"));
	assert_non_null(strstr(vy_buf_c(&b.got), "completed evt_3 {"));
	assert_null(strstr(strstr(vy_buf_c(&b.got), "appended") + 1, "appended"));
	assert_non_null(strstr(vy_buf_c(&b.peers[0].asked), "accept: text/event-stream\r\n"));
	assert_null(strstr(vy_buf_c(&b.peers[0].asked), "last-event-id"));
	assert_non_null(strstr(vy_buf_c(&b.peers[1].asked), "last-event-id: evt_1\r\n"));
	assert_non_null(strstr(vy_buf_c(&b.peers[2].asked), "last-event-id: evt_2\r\n"));
	end(&b);
}

static void what_does_not_fit(void **state)
{
	static const struct {
		const char *name, *bad;
	} rows[] = {
		{ "no JSON", "event: a\ndata: {\"n\":\n\n" },
		{ "no object", "event: a\ndata: [1]\n\n" },
		{ "no index", "event: session.message.delta.appended\nid: evt_9\ndata: "
			      "{\"messageId\":\"m\",\"channel\":\"text\",\"text\":\"b\"}\n\n" },
		{ "another channel", "event: session.message.delta.appended\ndata: "
				     "{\"messageId\":\"m\",\"channel\":\"x\",\"index\":1,\"text\":"
				     "\"b\"}\n\n" },
		{ "half an end", "event: session.message.completed\ndata: {\"data\":{}}\n\n" },
		{ "half a snapshot", "event: snapshot\ndata: {\"messageId\":\"m\"}\n\n" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char first[1024], all[1024];
		const char *answers[] = { first, all, all, all, NULL };
		struct box b;

		snprintf(first, sizeof(first), OK SNAP "%s", rows[i].bad);
		snprintf(all, sizeof(all), OK "%s", rows[i].bad);
		begin(&b, answers, true);
		go(&b, events_judge_generation);
		assert_true(run(&b, is_settled, PATIENCE_MS));
		assert_int_equal(b.state, EVENTS_LOST);
		if (b.n_peers != 3 || b.why.code != VY_CORRUPT ||
			strcmp(events_last(b.events), "evt_1") != 0) {
			fail_msg("%s: %zu tries, %s", rows[i].name, b.n_peers, b.why.text);
		}
		assert_non_null(strstr(vy_buf_c(&b.got), "snapshot"));
		assert_int_equal(b.got.len, strchr(vy_buf_c(&b.got), ';') + 1 - b.got.data);
		end(&b);
	}
}

/* The same question of one item, without a line. */
static void judges(void **state)
{
	typedef enum events_fit judge_fn(void *ctx, const struct events_item *it);
	static const struct {
		const char *label;
		judge_fn *judge;
		const char *event, *text;
		enum events_fit want;
	} rows[] = {
#define RESET(x) "{\"cur\":7,\"epoch\":\"E\",\"rows\":[" x "]}"
		{ "rows", events_judge_ui, "ui.reset",
			RESET("{\"key\":\"a\",\"rev\":1,\"kind\":\"message\"}"), EVENTS_FITS },
		{ "no rows", events_judge_ui, "ui.reset", RESET(""), EVENTS_FITS },
		{ "rows that are none", events_judge_ui, "ui.reset", RESET("1"), EVENTS_MISFIT },
		{ "a row without a key", events_judge_ui, "ui.reset",
			RESET("{\"rev\":1,\"kind\":\"message\"}"), EVENTS_MISFIT },
		{ "a reset without rows", events_judge_ui, "ui.reset",
			"{\"cur\":7,\"epoch\":\"E\"}", EVENTS_MISFIT },
		{ "a row", events_judge_ui, "ui.upsert",
			"{\"key\":\"a\",\"rev\":2,\"after\":\"\",\"row\":{\"key\":\"a\",\"rev\":2,"
			"\"kind\":\"tool\"}}",
			EVENTS_FITS },
		{ "no row", events_judge_ui, "ui.upsert", "{\"key\":\"a\",\"rev\":2}",
			EVENTS_MISFIT },
		{ "one less", events_judge_ui, "ui.remove", "{\"key\":\"a\"}", EVENTS_FITS },
		{ "nobody knows which", events_judge_ui, "ui.remove", "{}", EVENTS_MISFIT },
		{ "of a newer server", events_judge_ui, "ui.move", "{}", EVENTS_FITS },
#define SAID(x) "{\"cur\":7,\"epoch\":\"1.1\",\"time\":5,\"dir\":\"in\"" x "}"
		{ "a line", events_judge_observe, "message", SAID(",\"line\":\"{}\",\"new\":1"),
			EVENTS_FITS },
		{ "a tidy one", events_judge_observe, "message",
			SAID(",\"kind\":\"user\",\"summary\":\"\""), EVENTS_FITS },
		{ "neither", events_judge_observe, "message", SAID(""), EVENTS_MISFIT },
		{ "half a tidy one", events_judge_observe, "message", SAID(",\"kind\":\"user\""),
			EVENTS_MISFIT },
		{ "no direction", events_judge_observe, "message",
			"{\"cur\":7,\"epoch\":\"1.1\",\"time\":5,\"dir\":\"up\",\"line\":\"\"}",
			EVENTS_MISFIT },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *v = vy_json_parse(vy_str_c(rows[i].text), NULL);
		struct events_item it = {
			.name = vy_str_c(rows[i].event), .text = vy_str_c(rows[i].text), .json = v
		};

		assert_non_null(v);
		check_int(rows[i].label, rows[i].judge(NULL, &it), rows[i].want);
	}
}

static void how_it_ends(void **state)
{
	static const struct {
		const char *name, *answers[3];
		enum events_state state;
		size_t tries;
		const char *why;
	} rows[] = {
		{ "not found",
			{ NO "{\"error\":{\"message\":\"there is no such message\",\"code\":-1}}" },
			EVENTS_LOST, 1, "there is no such message" },
		{ "access ended",
			{ OK A "event: closed\ndata: {\"code\":4403,\"reason\":\"access "
			       "ended\"}\n\n" },
			EVENTS_LOST, 1, "no longer" },
		{ "refused when it comes back",
			{ OK A, NO "{\"error\":{\"message\":\"there is no such "
				   "message\",\"code\":-1}}" },
			EVENTS_LOST, 2, "there is no such message" },
		{ "done", { OK A "event: closed\ndata: {\"code\":1000}\n\n" }, EVENTS_OVER, 1, "" },
		{ "restarted",
			{ OK A "event: closed\ndata: {\"code\":1012}\n\n.",
				OK B "event: closed\ndata: {\"code\":1000}\n\n" },
			EVENTS_OVER, 2, "" },
		{ "nothing to say", { "HTTP/1.1 204 No Content\r\n\r\n" }, EVENTS_OVER, 1, "" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct box b;

		begin(&b, rows[i].answers, true);
		go(&b, NULL);
		if (!run(&b, is_settled, PATIENCE_MS) || b.state != rows[i].state ||
			b.n_peers != rows[i].tries || !strstr(b.why.text, rows[i].why)) {
			fail_msg("%s: state %d, %zu tries, %s", rows[i].name, (int)b.state,
				b.n_peers, b.why.text);
		}
		end(&b);
	}
}

/* Nobody is there, then somebody is: it is not waited out. */
static void the_server_comes(void **state)
{
	static const char *const answers[] = { OK A ".", NULL };
	struct box b;

	(void)state;
	begin(&b, answers, false);
	go(&b, NULL);
	run(&b, NULL, 30);
	assert_int_equal(b.state, EVENTS_DOWN);
	serve(&b);
	b.until = "a 1 {\"n\":1};";
	assert_true(run(&b, has_all, PATIENCE_MS));
	assert_int_equal(b.state, EVENTS_LIVE);
	end(&b);
}

static void stopped_from_within(void **state)
{
	static const char *const answers[] = { OK A B ".", NULL };
	struct box b;

	(void)state;
	begin(&b, answers, true);
	b.stops = true;
	go(&b, NULL);
	b.until = "a 1 {\"n\":1};";
	assert_true(run(&b, has_all, PATIENCE_MS));
	run(&b, NULL, 50);
	check_str("nothing behind it", vy_buf_c(&b.got), "a 1 {\"n\":1};");
	assert_int_equal(b.n_peers, 1);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_life),
		cmocka_unit_test(what_does_not_fit),
		cmocka_unit_test(judges),
		cmocka_unit_test(how_it_ends),
		cmocka_unit_test(the_server_comes),
		cmocka_unit_test(stopped_from_within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
