/* errand_test.c -- which frames are those of what somebody said, and when that is over. */
#include "server/hub/errand.h"

#include "tests/check.h"

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

/* A frame as a word: "u:STATE" of our message, "o:STATE" of another, "d" words, "w" waiting, "k" working, "f" failed,
 * "h" a status that holds the queue; behind "@" its turn. */
static void frame_of(const char *word, struct vy_frame *f, char turn[16])
{
	const char *at = strchr(word, '@');
	bool is_ours = word[0] == 'u';

	snprintf(turn, 16, "%s", at ? at + 1 : "");
	if (word[1] == ':') {
		static char state[16];

		snprintf(state, sizeof(state), "%.*s",
			at ? (int)(at - word) - 2 : (int)strlen(word + 2), word + 2);
		vy_frame_init(f, VY_KIND_USER_MESSAGE);
		f->author = VY_STR_LIT("person:ann");
		vy_frame_set_c(f, VY_F_MESSAGE, is_ours ? "m" : "other");
		vy_frame_set_c(f, VY_F_STATE, state);
		vy_frame_set_c(f, VY_F_TEXT, "please");
	} else if (word[0] == 'd') {
		vy_frame_init(f, VY_KIND_TEXT_DELTA);
		f->author = VY_STR_LIT("assistant:a");
		vy_frame_set_c(f, VY_F_MESSAGE, "a");
		vy_frame_set_int(f, VY_F_INDEX, 0);
		vy_frame_set_c(f, VY_F_TEXT, "x");
	} else {
		vy_frame_init(f, VY_KIND_STATUS);
		vy_frame_set_c(f, VY_F_STATE,
			word[0] == 'k'   ? "working"
			: word[0] == 'f' ? "failed"
					 : "waiting");
		if (word[0] == 'h') {
			vy_frame_set_bool(f, VY_F_HELD, true);
		}
	}
	f->turn = vy_str_c(turn);
}

static const struct {
	const char *name, *frames, *given; /* the numbers of those that are */
	const char *reason;
} rows[] = {
	{ "at once", "u:sent@1 k@1 d@1 w@1 u:sent@2", "0 1 2 3 ", "done" },
	{ "its turn is not over", "u:sent@1 k@1 d@1", "0 1 2 ", NULL },
	{ "it fails", "u:sent@1 k@1 f@1 w@1", "0 1 2 3 ", "done" },
	{ "what is of no turn", "u:sent@1 k@1 d d@1 k w@1", "0 1 3 5 ", "done" },
	{ "steered in", "u:queued d@1 d@1 u:picked-up@1 d@1 w@1", "0 3 4 5 ", "done" },
	{ "steered, but too late", "u:queued d@1 w@1 u:picked-up@2 k@2 d@2 w@2", "0 3 4 5 6 ",
		"done" },
	{ "queued behind another", "u:queued d@1 w@1 o:picked-up@2 k@2 w@2 u:picked-up@3 k@3 w@3",
		"0 6 7 8 ", "done" },
	{ "edited meanwhile", "u:queued u:queued u:picked-up@2 w@2", "0 1 2 3 ", "done" },
	{ "taken back", "u:queued d@1 u:cancelled w@1", "0 2 ", "taken-back" },
	{ "another one is", "u:queued o:cancelled u:picked-up@1 w@1", "0 2 3 ", "done" },
	{ "an interrupt holds it", "u:queued d@1 h@1 w@1", "0 2 ", "held" },
	{ "it was in the turn that was interrupted", "u:sent@1 d@1 h@1", "0 1 2 ", "done" },
	{ "back in the queue", "u:sent@1 d@1 u:queued w@1 u:picked-up@2 w@2", "0 1 2 4 5 ",
		"done" },
	{ "a turn that is named later", "u:sent k@4 d@4 w@4", "0 1 2 3 ", "done" },
};

static void steps(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char frames[256], given[128] = "", *save = NULL, turn[16];
		struct errand er;
		int n = 0;

		snprintf(frames, sizeof(frames), "%s", rows[i].frames);
		errand_init(&er, VY_STR_LIT("m"));
		for (char *w = strtok_r(frames, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
			struct vy_frame f;
			size_t len = strlen(given);

			frame_of(w, &f, turn);
			if (errand_step(&er, &f)) {
				snprintf(given + len, sizeof(given) - len, "%d ", n);
			}
			n++;
		}
		check_str(rows[i].name, given, rows[i].given);
		check_str(rows[i].name, er.reason ? er.reason : "",
			rows[i].reason ? rows[i].reason : "");
	}
}

/* ---- as a view ---- */

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
} t;

static int setup(void **state)
{
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };

	(void)state;
	t.loop = vy_loop_new();
	conf.store = t.store = store_mem_new();
	t.log = log_new(&conf, NULL);
	t.hub = hub_new(t.log, t.loop);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	hub_free(t.hub);
	log_free(t.log);
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
	return 0;
}

static void stop(void *ctx)
{
	(void)ctx;
	vy_loop_stop(t.loop);
}

static void happens(const char *words)
{
	char all[256], *save = NULL, turn[16];

	snprintf(all, sizeof(all), "%s", words);
	for (char *w = strtok_r(all, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		struct vy_frame f;

		frame_of(w, &f, turn);
		assert_int_equal(log_append(t.log, "S", &f, NULL), 0);
	}
	log_flush(t.log);
	vy_loop_defer(t.loop, stop, NULL);
	vy_loop_run(t.loop);
}

static void on_ready(void *ctx)
{
	++*(int *)ctx;
}

/* The cursors of what it gives, and how it ended. */
static const char *reads(struct view *v)
{
	static char out[256];
	VY_AUTO_BUF one = VY_BUF_INIT(VY_MIB);
	struct view_tag tag;

	out[0] = '\0';
	while (vy_buf_clear(&one), v->ops->next(v->sub, &one) == VIEW_ITEM) {
		VY_AUTO_JSON *item = vy_json_parse(vy_buf_str(&one), NULL);
		size_t n = strlen(out);

		v->ops->tag(v->sub, &tag);
		if (tag.event) {
			assert_string_equal(tag.event, vy_json_cstr(item, "type"));
			snprintf(out + n, sizeof(out) - n, "%s of %s", vy_json_cstr(item, "reason"),
				vy_json_cstr(item, "turn") ? vy_json_cstr(item, "turn") : "none");
		} else {
			snprintf(out + n, sizeof(out) - n, "%.20s ", tag.id);
		}
	}
	return out;
}

static int opens(struct view *v, const char *message, bool is_held, int *readies, struct vy_err *e)
{
	struct errand_open o = { .log = t.log,
		.hub = t.hub,
		.session = "S",
		.message = vy_str_c(message),
		.is_held = is_held,
		.ready = on_ready,
		.ctx = readies };

	return errand_open(&o, v, e);
}

static void as_it_happens(void **state)
{
	struct view v = { 0 };
	int readies = 0;

	(void)state;
	happens("u:queued d@1");
	assert_int_equal(opens(&v, "m", false, &readies, NULL), 0);
	check_str("its own", reads(&v), "1 ");
	readies = 0;
	happens("w@1 u:picked-up@2 k@2 d@2");
	assert_true(readies > 0);
	check_str("its turn", reads(&v), "4 5 6 ");
	happens("w@2 u:sent@3");
	check_str("to its end", reads(&v), "7 done of 2");
	assert_int_equal(v.ops->code(v.sub), HUB_DONE);
	v.ops->close(v.sub);
	assert_int_equal(opens(&v, "m", false, &readies, NULL), 0);
	check_str("once more", reads(&v), "1 4 5 6 7 done of 2");
	v.ops->close(v.sub);
}

static void in_a_held_queue(void **state)
{
	struct view v = { 0 };
	int readies = 0;

	(void)state;
	happens("h@1 u:queued");
	assert_int_equal(opens(&v, "m", true, &readies, NULL), 0);
	check_str("at once", reads(&v), "2 held of none");
	v.ops->close(v.sub);
	happens("u:picked-up@2 w@2");
	assert_int_equal(opens(&v, "m", true, &readies, NULL), 0);
	check_str("it was let go", reads(&v), "2 3 4 done of 2");
	v.ops->close(v.sub);
}

static void what_is_none(void **state)
{
	struct vy_err e = { 0 };
	struct view v = { 0 };
	int readies = 0;

	(void)state;
	happens("u:sent@1 d@1");
	assert_int_equal(opens(&v, "x", false, &readies, &e), -1);
	assert_int_equal(e.code, VY_NOT_FOUND);
	assert_int_equal(opens(&v, "a", false, &readies, &e), -1); /* the assistant's */
	assert_int_equal(e.code, VY_NOT_FOUND);
	assert_int_equal(opens(&v, "m", false, &readies, &e), 0);
	hub_close_session(t.hub, "S", NULL, HUB_ACCESS_ENDED);
	check_str("closed", reads(&v), "");
	assert_int_equal(v.ops->code(v.sub), HUB_ACCESS_ENDED);
	v.ops->close(v.sub);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps),
		T(as_it_happens),
		T(in_a_held_queue),
		T(what_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
