/* standing_test.c -- when a standing stream comes back, from where, and when it does not any more. */
#include "shared/frame/standing.h"

#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/frame/backoff.h"
#include "shared/base/ban.h"

/* Each word is an event: "go", "open", "item:ID", "last:ID", "bad", "byte", "bye:CODE", "end", "no:STATUS", "path",
 * "stop", "+MS" (time passes, and a tick), "retry:MS". What is done: O open, C close, D deliver, W wait, E end, G give up. */
static const struct {
	const char *name, *events, *does, *last;
	enum vy_standing_state state;
} rows[] = {
	{ "a life", "go open item:a item:b last:c", "O D D DCE ", "c", VY_STANDING_OVER },
	{ "nothing behind the last", "go open last:c item:d end +100000", "O DCE ", "c",
		VY_STANDING_OVER },
	{ "cut, with progress", "go open item:a end open item:b", "O D O D ", "a b",
		VY_STANDING_LIVE },
	{ "cut, without", "go open end", "O W ", "", VY_STANDING_WAITING },
	{ "nobody there", "go end +125 end +250 end +1000", "O W O W O W O ", "",
		VY_STANDING_OPENING },
	{ "not before it is due", "go end +124", "O W ", "", VY_STANDING_WAITING },
	{ "the path appears", "go end path", "O W O ", "", VY_STANDING_OPENING },
	{ "dead", "go open item:a +69999 +1", "O D CO ", "a", VY_STANDING_OPENING },
	{ "a comment is life", "go open item:a +69999 byte +69999 +1", "O D CO ", "a",
		VY_STANDING_OPENING },
	{ "dead while it opens", "go +70000", "O CW ", "", VY_STANDING_WAITING },
	{ "an item without a place", "go open item:a item: end", "O D D O ", "a",
		VY_STANDING_OPENING },
	{ "access ended", "go open item:a bye:4403 +100000", "O D CG ", "a", VY_STANDING_LOST },
	{ "it is restarting", "go open item:a bye:1012", "O D CW ", "a", VY_STANDING_WAITING },
	{ "later", "go open item:a bye:1013 +125", "O D CW O ", "a", VY_STANDING_OPENING },
	{ "done without a last one", "go open item:a bye:1000", "O D CE ", "a", VY_STANDING_OVER },
	{ "not found", "go no:404", "O CG ", "", VY_STANDING_LOST },
	{ "junk", "go no:400", "O CG ", "", VY_STANDING_LOST },
	{ "no such thing there", "go no:501", "O CG ", "", VY_STANDING_LOST },
	{ "no more", "go no:410", "O CG ", "", VY_STANDING_LOST },
	{ "too many", "go no:503 +125", "O CW O ", "", VY_STANDING_OPENING },
	{ "nothing to say", "go no:204", "O CE ", "", VY_STANDING_OVER },
	{ "one that does not fit", "go open item:a bad +125 open item:b", "O D CW O D ", "a b",
		VY_STANDING_LIVE },
	{ "that never fits", "go open bad +125 open bad +250 open bad +9999", "O CW O CW O CG ", "",
		VY_STANDING_LOST },
	{ "stopped", "go open item:a stop end item:b +100000", "O D C ", "a", VY_STANDING_IDLE },
	{ "stopped while it waits", "go end stop +100000 path", "O W ", "", VY_STANDING_IDLE },
	{ "and on", "go open item:a stop go open", "O D C O ", "a", VY_STANDING_LIVE },
	{ "as the server asks", "go open retry:1000 end +499 +1", "O W O ", "",
		VY_STANDING_OPENING },
	{ "but not too often", "go open retry:0 end +24 +1", "O W O ", "", VY_STANDING_OPENING },
	{ "nor never", "go open retry:99999999 end +7500", "O W O ", "", VY_STANDING_OPENING },
};

static bool is(const char *word, const char *name, const char **arg)
{
	size_t n = strlen(name);

	*arg = word + n;
	return strncmp(word, name, n) == 0 && (word[n] == ':' || word[n] == '\0') &&
	       ((*arg += word[n] == ':'), true);
}

static struct vy_standing_event event_of(const char *word, int64_t *now)
{
	static const struct {
		const char *name;
		enum vy_standing_event_type type;
	} names[] = {
		{ "go", VY_STANDING_START },
		{ "open", VY_STANDING_OPENED },
		{ "item", VY_STANDING_ITEM },
		{ "last", VY_STANDING_ITEM },
		{ "bad", VY_STANDING_MISFIT },
		{ "byte", VY_STANDING_BYTES },
		{ "bye", VY_STANDING_GOODBYE },
		{ "end", VY_STANDING_CLOSED },
		{ "no", VY_STANDING_REFUSED },
		{ "path", VY_STANDING_PATH },
		{ "stop", VY_STANDING_STOP },
		{ "retry", VY_STANDING_RETRY },
	};
	struct vy_standing_event ev = { .type = VY_STANDING_TICK };
	const char *arg = "";

	if (word[0] == '+') {
		*now += strtoll(word + 1, NULL, 10);
	}
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (is(word, names[i].name, &arg)) {
			ev.type = names[i].type;
			ev.is_last = word[0] == 'l';
			ev.id = vy_str_c(arg);
			ev.code = (int)strtol(arg, NULL, 10);
			ev.ms = strtoll(arg, NULL, 10);
			break;
		}
	}
	ev.now_ms = *now;
	return ev;
}

static void lives(void **state)
{
	static const char letters[] = " DOCWEG";

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char events[256], does[128] = "", last[64] = "", *save = NULL;
		struct vy_standing s;
		int64_t now = 1000;

		snprintf(events, sizeof(events), "%s", rows[i].events);
		vy_standing_init(&s, NULL);
		for (char *w = strtok_r(events, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
			struct vy_standing_event ev = event_of(w, &now);
			struct vy_standing_out out;
			size_t n = strlen(does);

			vy_standing_step(&s, &ev, &out);
			for (size_t k = 0; k < out.n; k++) {
				does[n++] = letters[out.e[k]];
				if (out.e[k] == VY_STANDING_DO_WAIT) {
					assert_int_equal(vy_standing_due(&s), s.due_ms);
				}
			}
			if (out.n) {
				does[n++] = ' ';
			}
			does[n] = '\0';
			if (ev.type == VY_STANDING_CLOSED && s.last[0] && !last[0] &&
				strchr(rows[i].last, ' ')) {
				snprintf(last, sizeof(last), "%.20s ", s.last);
			}
			if (ev.type == VY_STANDING_MISFIT && s.last[0]) {
				snprintf(last, sizeof(last), "%.20s ", s.last);
			}
		}
		size_t n = strlen(last);

		snprintf(last + n, sizeof(last) - n, "%.20s", s.last);
		check_str(rows[i].name, does, rows[i].does);
		check_str(rows[i].name, last, rows[i].last);
		if (s.state != rows[i].state) {
			fail_msg("%s: state %d", rows[i].name, (int)s.state);
		}
	}
}

static void when_to_wait(void **state)
{
	static const struct {
		unsigned tries;
		uint32_t random;
		int64_t ms;
	} waits[] = {
		{ 1, 0, 125 },
		{ 1, 125, 250 },
		{ 2, 0, 250 },
		{ 3, 0, 500 },
		{ 6, 0, 4000 },
		{ 7, 0, 7500 },
		{ 99, 7500, 15000 },
		{ 4000000000u, UINT32_MAX, 7500 + UINT32_MAX % 7501 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(waits); i++) {
		assert_int_equal(
			vy_backoff_ms(VY_BACKOFF_FIRST_MS, waits[i].tries, waits[i].random),
			waits[i].ms);
	}
}

static void from_a_place(void **state)
{
	char much[VY_SSE_ID_MAX + 10];
	struct vy_standing s;

	(void)state;
	vy_standing_init(&s, "evt_1");
	assert_string_equal(s.last, "evt_1");
	assert_int_equal(vy_standing_due(&s), INT64_MAX);
	memset(much, 'x', sizeof(much) - 1);
	much[sizeof(much) - 1] = '\0';
	vy_standing_init(&s, much);
	assert_string_equal(s.last, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lives),
		cmocka_unit_test(when_to_wait),
		cmocka_unit_test(from_a_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
