/* live_test.c -- the ledger of processes: acts in, decisions out, a line each.
 *
 * A script is words: `limit N`, `busy X`, `idle X`, `seen X` (watched), `spare X`, `leaving X`,
 * `gone X`, `wish X`, `unwish X`, `at N` (the clock), `expire N` (idle for so long), and `room`. */
#include <stdlib.h>
#include <string.h>

#include "server/session/live.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/check.h"

static const struct {
	const char *name, *script, *out;
} rows[] = {
	{ "without a limit everybody goes", "wish a wish b wish c", "go a go b go c" },
	{ "a place is promised once", "limit 1 wish a wish a wish b", "go a go a b at 1" },
	{ "who works is left alone", "limit 1 wish a busy a wish b room", "go a b at 1 full" },
	{ "an idle one makes room", "limit 1 wish a idle a wish b gone a", "go a rest a go b" },
	{ "and nobody is told to wait for it", "limit 1 wish a idle a room wish b room",
		"go a room rest a full" },
	{ "the oldest idle one first",
		"limit 2 wish a wish b at 5 idle b at 9 idle a wish c gone b wish d",
		"go a go b rest b go c rest a" },
	{ "the spare before all, the watched ones last",
		"limit 3 seen a idle b spare c wish d gone c wish e gone b wish f gone a",
		"rest c go d rest b go e rest a go f" },
	{ "first come, first go", "limit 1 busy a wish b wish c wish d gone a gone b gone c",
		"b at 1 c at 2 d at 3 go b c at 1 d at 2 go c d at 1 go d" },
	{ "who leaves the line lets the others up", "limit 1 busy a wish b wish c unwish b",
		"b at 1 c at 2 c at 1" },
	{ "its own place is not to be asked for", "limit 1 busy a wish b busy a wish a",
		"b at 1 go a" },
	{ "a place that was left is another's", "limit 1 idle a wish b wish a",
		"rest a go b a at 1" },
	{ "a higher limit moves the line", "limit 1 busy a wish b wish c limit 3",
		"b at 1 c at 2 go b go c" },
	{ "a lower one lets go who is idle", "limit 3 busy a idle b at 2 idle c limit 1",
		"rest b rest c" },
	{ "no limit any more", "limit 1 busy a wish b limit 0", "b at 1 go b" },
	{ "a start that failed gives its place back", "limit 1 wish a gone a wish b", "go a go b" },
	{ "idle for long enough, in order",
		"at 10 idle a at 20 idle b at 69 expire 60 at 70 expire 60 "
		"at 79 expire 60 at 80 expire 60",
		"due 70 rest a due 80 due 80 rest b due -1" },
	{ "what is not idle any more does not expire", "at 10 idle a at 20 busy a at 90 expire 60",
		"due -1" },
	{ "nor what is looked at; its time begins when nobody does",
		"at 10 idle a at 20 seen a at 90 expire 60 idle a expire 60 at 150 expire 60",
		"due -1 due 150 rest a due -1" },
	{ "said twice is idle since the first time", "at 10 idle a at 20 idle a at 70 expire 60",
		"rest a due -1" },
	{ "a spare expires as well", "at 10 spare a at 70 expire 60", "rest a due -1" },
	{ "minutes of 0 are never", "at 10 idle a at 90000 expire 0", "due -1" },
};

static void say(struct vy_buf *out, const struct live_decision *d)
{
	switch (d->what) {
	case LIVE_GO: vy_buf_addf(out, "go %s ", d->id); break;
	case LIVE_REST: vy_buf_addf(out, "rest %s ", d->id); break;
	case LIVE_WAITS: vy_buf_addf(out, "%s at %lld ", d->id, (long long)d->position); break;
	}
}

static void expire(struct live *l, int64_t now, int64_t idle_ms, struct vy_buf *out)
{
	struct live_decision d;

	while (live_expired(l, now, idle_ms, &d)) {
		say(out, &d);
	}
	vy_buf_addf(out, "due %lld ", (long long)live_due(l, idle_ms));
}

static bool fact(struct live *l, const char *word, const char *id, int64_t now)
{
	static const char *const words[] = { "gone", "busy", "seen", "idle", "spare", "leaving" };

	for (int i = 0; i < (int)VY_COUNT(words); i++) {
		if (strcmp(word, words[i]) == 0) {
			live_is(l, id, (enum live_use)i, now);
			return true;
		}
	}
	return false;
}

static void play(struct live *l, char *script, struct vy_buf *out)
{
	struct live_decision d;
	char *save = NULL;
	int64_t now = 1;

	for (char *w = strtok_r(script, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (strcmp(w, "room") == 0) {
			vy_buf_adds(out, live_has_room(l) ? "room " : "full ");
			continue;
		}
		char *v = strtok_r(NULL, " ", &save);

		assert_non_null(v);
		if (strcmp(w, "limit") == 0) {
			live_limit(l, strtol(v, NULL, 10));
		} else if (strcmp(w, "at") == 0) {
			now = strtol(v, NULL, 10);
		} else if (strcmp(w, "expire") == 0) {
			expire(l, now, strtol(v, NULL, 10), out);
		} else if (strcmp(w, "wish") == 0) {
			live_wish(l, v);
		} else if (strcmp(w, "unwish") == 0) {
			live_unwish(l, v);
		} else if (!fact(l, w, v, now)) {
			fail_msg("no such word: %s", w);
		}
		while (live_next(l, &d)) {
			say(out, &d);
		}
	}
}

static void scripts(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(4096);
		char *script = vy_strdup(rows[i].script);
		struct live *l = live_new();

		play(l, script, &out);
		vy_buf_truncate(&out, out.len - (out.len > 0)); /* the last blank */
		check_str(rows[i].name, vy_buf_c(&out), rows[i].out);
		live_free(l);
		free(script);
	}
}

static void what_outlives(void **state)
{
	struct live *l = live_new();
	VY_AUTO_BUF text = VY_BUF_INIT(4096);

	(void)state;
	live_limit(l, 1);
	live_is(l, "a", LIVE_BUSY, 5);
	live_wish(l, "c");
	live_wish(l, "b");
	live_is(l, "d", LIVE_IDLE, 7);
	live_is(l, "e", LIVE_SPARE, 8);
	uint64_t rev = live_rev(l);
	VY_AUTO_JSON *v = live_encode(l);

	vy_json_dump(v, &text);
	check_str("as it is stored", vy_buf_c(&text),
		"{\"v\":1,\"line\":[\"c\",\"b\"],\"idle\":{\"d\":7}}");
	live_is(l, "d", LIVE_IDLE, 9);
	assert_int_equal(live_rev(l), rev);
	live_idle_since(l, "d", 3);
	assert_int_equal(live_due(l, 10), 13);
	live_idle_since(l, "d", 100); /* the future is none */
	live_idle_since(l, "a", 1);   /* it works */
	assert_int_equal(live_due(l, 10), 13);
	assert_true(live_rev(l) != rev);
	live_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scripts),
		cmocka_unit_test(what_outlives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
