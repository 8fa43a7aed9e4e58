/* turn_random_test.c -- what must hold of a turn whatever people and the agent do.
 *
 * Two agents play. The mad one says anything at any time: nothing may assert, and what the frames
 * say must still make sense. The sane one keeps to the driver's contract: then no word is lost,
 * nothing sticks, and every turn's last word is `status waiting`. Each script is played once as it
 * is and once with an encode and decode after each line; the same effects must come out. */
#include <stdlib.h>

#include "server/session/turn_state.h"
#include "shared/base/mem.h"
#include "tests/server/session/turn_world.h"

#define SCRIPTS  600
#define STEPS    70
#define WORDS    40
#define TOOLS    200
#define ROOM     128
#define LINE_LEN 64

/* ---- chance ---- */

static uint64_t dice;

static unsigned roll(unsigned n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (unsigned)(dice >> 33) % n;
}

/* ---- what the frames said so far ---- */

enum word_state { UNSAID, SENT, QUEUED, PICKED_UP, CANCELLED };

struct word {
	enum word_state state;
	bool is_told;  /* the agent has it, and has not given it back */
	bool may_wait; /* a limit came between: though it was picked up, it may wait again */
};

struct told {
	char alias[8];
	unsigned word;
	bool is_recalled;
};

struct story {
	struct turn_world w;
	bool is_sane;  /* the agent: what it was told is looked after */
	unsigned said; /* words so far: w1 .. */
	struct word words[WORDS + 1];
	bool tool_open[TOOLS], tool_was[TOOLS], ask_open[TURN_WORLD_MADE];
	unsigned tools;
	char status[16];
	int64_t status_turn;
	/* the agent's own view */
	struct told told[ROOM];
	size_t n_told;
	bool is_in_turn, is_interrupted, is_to_end, is_ready;
	unsigned requests;
	char script[STEPS * 4][LINE_LEN];
	size_t n_lines;
};

static enum word_state state_of(struct vy_str s)
{
	return vy_str_is(s, "sent")        ? SENT
	       : vy_str_is(s, "queued")    ? QUEUED
	       : vy_str_is(s, "picked-up") ? PICKED_UP
					   : CANCELLED;
}

static unsigned number(struct vy_str s)
{
	long long n = 0;

	vy_parse_i64(vy_str_from(s, 1), &n);
	return (unsigned)n;
}

static void see_word(struct story *st, const struct vy_frame *f)
{
	unsigned m = number(vy_str_c(turn_world_alias(&st->w, vy_frame_str(f, VY_F_MESSAGE))));
	struct word *w = &st->words[m];
	enum word_state to = state_of(vy_frame_str(f, VY_F_STATE));

	assert_true(m >= 1 && m <= WORDS);
	assert_true(w->state != CANCELLED);
	assert_true(w->state != PICKED_UP || !st->is_sane ||
		    ((to == QUEUED || to == CANCELLED) && w->may_wait));
	w->may_wait &= to != QUEUED;
	assert_true(to != SENT || w->state == UNSAID);
	assert_true(to != PICKED_UP || w->state != UNSAID);
	assert_true((to == PICKED_UP || to == SENT) == (f->turn.n > 0));
	w->state = to;
}

static void see_frame(struct story *st, const struct vy_frame *f)
{
	struct vy_str id = vy_frame_str(f, VY_F_TOOL_ID);
	unsigned t = id.n ? number(id) : 0;

	switch ((int)f->kind) {
	case VY_KIND_USER_MESSAGE: see_word(st, f); break;
	case VY_KIND_TOOL_STARTED:
		assert_false(st->tool_open[t]);
		st->tool_open[t] = true;
		break;
	case VY_KIND_TOOL_FINISHED:
		assert_true(st->tool_open[t]);
		st->tool_open[t] = false;
		break;
	case VY_KIND_ASK: {
		size_t i = 0;

		while (i < st->w.n_asks && !vy_str_is(vy_frame_str(f, VY_F_ASK_ID), st->w.ask[i])) {
			i++;
		}
		assert_true(i < TURN_WORLD_MADE && !st->ask_open[i]);
		st->ask_open[i] = true;
		break;
	}
	case VY_KIND_ASK_ANSWERED: {
		size_t i = 0;

		while (!vy_str_is(vy_frame_str(f, VY_F_ASK_ID), st->w.ask[i])) {
			i++;
		}
		assert_true(st->ask_open[i]);
		st->ask_open[i] = false;
		break;
	}
	case VY_KIND_STATUS:
		snprintf(st->status, sizeof(st->status), "%.*s",
			VY_STR_ARG(vy_frame_str(f, VY_F_STATE)));
		break;
	default: break;
	}
}

static void see_command(struct story *st, const struct agent_command *c)
{
	switch ((int)c->kind) {
	case AC_SAY: {
		if (!st->is_sane) {
			break;
		}
		struct told *t = &st->told[st->n_told++];

		assert_true(st->n_told < ROOM);
		snprintf(t->alias, sizeof(t->alias), "%s", turn_world_alias(&st->w, c->message));
		t->word = number(c->text);
		t->is_recalled = false;
		assert_false(st->words[t->word].is_told);
		st->words[t->word].is_told = true;
		break;
	}
	case AC_TAKE_BACK:
		for (size_t i = 0; i < st->n_told; i++) {
			if (strcmp(st->told[i].alias, turn_world_alias(&st->w, c->message)) == 0) {
				st->told[i].is_recalled = true;
			}
		}
		break;
	case AC_INTERRUPT:
		st->is_interrupted = st->is_in_turn;
		for (size_t i = 0; i < st->n_told; i++) {
			st->told[i].is_recalled = true;
		}
		break;
	default: break;
	}
}

static void seen(struct turn_world *w, const struct effect *e)
{
	struct story *st = w->ctx;

	if (e->kind == FX_FRAME) {
		see_frame(st, &e->frame);
	} else if (e->kind == FX_COMMAND) {
		see_command(st, &e->command);
	} else if (e->kind == FX_START) {
		st->is_ready = false;
	} else if (e->kind == FX_END) {
		st->is_to_end = true;
	}
}

/* ---- after each line ---- */

static void check_now(struct story *st)
{
	const struct turn *t = st->w.t;
	const char *wrong = vy_machines_wrong(t->process, t->turn, (unsigned)t->n_asks);

	if (wrong) {
		fail_msg("%s", wrong);
	}
	assert_true(t->first == NULL || vy_queue_find(&t->queue, vy_str_c(t->first)) != NULL);
	assert_true(!t->is_interrupting || t->turn != VY_TURN_IDLE);
	assert_true(t->queue.n > 0 || !t->queue.held || t->turn != VY_TURN_IDLE);
	if (!turn_is_busy(t) && st->status[0]) {
		assert_string_not_equal(st->status, "working");
		assert_string_not_equal(st->status, "asking");
	}
	assert_true(strcmp(st->status, "paused") != 0 || t->place > 0 || t->until > 0 || t->spent);
	assert_true(t->wants || (t->place == 0 && !t->is_soon));
	assert_true(!t->wants || (t->process == VY_PROCESS_ABSENT && t->queue.n > 0));
	if (t->turn == VY_TURN_ASKING) {
		assert_string_equal(st->status, "asking");
	}
	if (t->process == VY_PROCESS_ABSENT) {
		assert_true(t->n_tools == 0 && t->n_blocks == 0 && t->n_asks == 0);
	}
}

static void forget_told(struct story *st, size_t i, bool is_back)
{
	if (is_back) {
		st->words[st->told[i].word].is_told = false;
	}
	memmove(&st->told[i], &st->told[i + 1], (st->n_told - i - 1) * sizeof(st->told[0]));
	st->n_told--;
}

static void line(struct story *st, const char *fmt, ...) VY_PRINTF(2, 3);

static void line(struct story *st, const char *fmt, ...)
{
	char text[LINE_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	assert_true(st->n_lines < VY_COUNT(st->script));
	memcpy(st->script[st->n_lines++], text, sizeof(text));
	turn_world_step(&st->w, text);
	check_now(st);
}

/* ---- people ---- */

static unsigned some_word(const struct story *st)
{
	return st->said ? 1 + roll(st->said) : 1;
}

static void person_acts(struct story *st)
{
	static const char *const say[] = { "say", "say", "say-queue", "say-now" };
	unsigned m = some_word(st);

	switch (roll(12)) {
	case 0:
	case 1:
	case 2:
	case 3:
		if (st->said < WORDS) {
			m = ++st->said;
			line(st, "%s m%u w%u", say[roll(4)], m, m);
		}
		break;
	case 4: line(st, "edit m%u w%u", m, m); break;
	case 5: line(st, "unqueue m%u", m); break;
	case 6: line(st, "send-now m%u", m); break;
	case 7: line(st, roll(2) ? "move m%u m%u" : "move m%u", m, some_word(st)); break;
	case 8: line(st, "release"); break;
	case 9: line(st, "esc"); break;
	case 10:
		if (st->w.n_asks) {
			line(st, "answer a%u %s", 1 + roll((unsigned)st->w.n_asks),
				roll(2) ? "allow" : "yes");
		}
		break;
	default: line(st, roll(4) ? "mode plan" : roll(2) ? "rest" : "stop"); break;
	}
}

/* ---- who gives out places ---- */

static void places_are_given(struct story *st)
{
	static const char *const say[] = { "go", "go", "waits 1", "waits 2 slots", "soon",
		"leave-line" };

	line(st, "%s", say[roll(VY_COUNT(say))]);
}

/* ---- the sane agent ---- */

/* What it took in this turn it did not do: that is told again. */
static void did_nothing(struct story *st)
{
	const struct vy_queue *took = &st->w.t->spoken;

	for (size_t i = 0; i < took->n; i++) {
		struct word *w = &st->words[number(took->items[i].text)];

		w->is_told = false;
		w->may_wait = true;
	}
}

static void agent_takes(struct story *st)
{
	char alias[8];

	memcpy(alias, st->told[0].alias, sizeof(alias));
	forget_told(st, 0, st->w.t->is_switching); /* what it takes on its way out it will not do */
	st->is_in_turn = true;
	line(st, "taken %s", alias);
}

static void agent_gives_back(struct story *st, size_t i)
{
	char alias[8];

	memcpy(alias, st->told[i].alias, sizeof(alias));
	forget_told(st, i, true);
	line(st, "back %s", alias);
}

static void agent_is_limited(struct story *st)
{
	const struct turn *t = st->w.t;

	st->is_in_turn = false;
	if (t->process == VY_PROCESS_LIVE && t->turn != VY_TURN_IDLE && !t->is_interrupting &&
		!t->broken && !t->is_aside) { /* else it is the end, as any other */
		did_nothing(st);
	}
	line(st, roll(2) ? "limit on it goes on" : "limit hold it waits");
}

static void agent_ends_turn(struct story *st)
{
	if (!st->is_interrupted && !st->is_to_end && roll(8) == 0) {
		agent_is_limited(st);
		return;
	}
	const char *how = st->is_interrupted ? "canceled" : roll(5) ? "ok" : "failed it broke";

	for (size_t i = st->n_told; st->is_interrupted && i-- > 0;) {
		if (st->told[i].is_recalled) {
			agent_gives_back(st, i);
		}
	}
	st->is_in_turn = st->is_interrupted = false;
	line(st, "end %s", how);
}

static void agent_dies(struct story *st)
{
	while (st->n_told) {
		forget_told(st, 0, true);
	}
	st->is_in_turn = st->is_interrupted = st->is_to_end = st->is_ready = false;
	line(st, roll(2) ? "gone " : "gone it died");
}

static void agent_works(struct story *st)
{
	const struct turn *t = st->w.t;

	switch (roll(7)) {
	case 0: line(st, "text hello"); break;
	case 1: line(st, "text-done"); break;
	case 2:
		if (st->tools + 1 < TOOLS) {
			line(st, roll(4) ? "tool t%u" : "tool t%u parent", ++st->tools);
		}
		break;
	case 3:
		if (t->n_tools) {
			line(st, "tool-done %s", t->tools[roll((unsigned)t->n_tools)].id);
		}
		break;
	case 4:
		if (!st->is_interrupted && st->w.n_asks + 2 < TURN_WORLD_MADE) {
			line(st, "ask r%u", ++st->requests);
		}
		break;
	case 5:
		if (t->n_asks) {
			line(st, "ask-gone %s", t->asks[roll((unsigned)t->n_asks)].request);
		}
		break;
	default: agent_ends_turn(st); break;
	}
}

/* Between turns it takes what it was told, wakes by itself, or its background asks. */
static void agent_rests(struct story *st)
{
	unsigned what = roll(8);

	if (st->n_told && what < 5) {
		agent_takes(st);
	} else if (what == 5) {
		st->is_in_turn = true;
		line(st, "begin task");
	} else if (what == 6 && st->w.n_asks + 2 < TURN_WORLD_MADE) {
		line(st, "ask r%u parent", ++st->requests);
	} else if (what == 7 && st->w.t->n_asks) {
		line(st, "ask-gone %s", st->w.t->asks[0].request);
	}
}

static void sane_agent_acts(struct story *st)
{
	const struct turn *t = st->w.t;

	if (t->process == VY_PROCESS_ABSENT) {
		return;
	}
	if (t->process == VY_PROCESS_STARTING) {
		st->is_ready = true;
		line(st, "started");
		return;
	}
	if (st->is_to_end && roll(3) == 0) {
		agent_dies(st);
		return;
	}
	if (st->is_ready && !st->is_in_turn && !st->is_to_end && roll(40) == 0) {
		while (st->n_told) {
			forget_told(st, 0, true);
		}
		line(st, "again");
		return;
	}
	for (size_t i = 0; i < st->n_told; i++) {
		if (st->told[i].is_recalled && !st->is_interrupted && roll(2)) {
			agent_gives_back(st, i);
			return;
		}
	}
	switch (roll(30)) {
	case 0: agent_dies(st); break;
	case 1: line(st, "broken it cannot"); break;
	case 2:
		if (st->n_told) {
			agent_gives_back(st, roll((unsigned)st->n_told)); /* it does not want it */
		}
		break;
	default:
		if (st->is_in_turn && st->n_told && roll(4) == 0) {
			agent_takes(st);
		} else if (st->is_in_turn) {
			agent_works(st);
		} else {
			agent_rests(st);
		}
	}
}

/* ---- the mad one ---- */

static void mad_agent_acts(struct story *st)
{
	static const char *const say[] = { "started", "gone", "gone it died", "again", "unborn",
		"begin ", "begin task", "text x", "text x parent", "text-done", "void", "end ok",
		"end failed why", "end canceled", "limit on it goes on", "limit hold it waits",
		"is-mode plan", "is-mode default", "broken", "tasks [{\"task\":\"1\"}]",
		"tasks []" };

	switch (roll(8)) {
	case 0: line(st, "taken m%u", some_word(st)); break;
	case 1: line(st, "back m%u", some_word(st)); break;
	case 2:
		if (st->tools + 1 < TOOLS) {
			line(st, roll(2) ? "tool t%u" : "tool t%u parent", ++st->tools);
		}
		break;
	case 3: line(st, "tool-done t%u", 1 + roll(st->tools + 1)); break;
	case 4:
		if (st->w.n_asks + 2 < TURN_WORLD_MADE) {
			line(st, roll(2) ? "ask r%u" : "ask r%u parent", ++st->requests);
		}
		break;
	case 5: line(st, "ask-gone r%u", 1 + roll(st->requests + 1)); break;
	default: line(st, "%s", say[roll(VY_COUNT(say))]); break;
	}
}

/* ---- to the end ---- */

/* People let go, and the agent does what it has to: then nothing may be left over. */
static void wind_down(struct story *st)
{
	for (unsigned i = 0; i < STEPS; i++) {
		const struct turn *t = st->w.t;

		if (t->process == VY_PROCESS_STARTING) {
			line(st, "started");
		} else if (t->wants) {
			line(st, "go");
		} else if (st->is_to_end && t->process != VY_PROCESS_ABSENT) {
			agent_dies(st);
		} else if (t->n_asks) {
			line(st, "ask-gone %s", t->asks[0].request);
		} else if (st->is_in_turn) {
			agent_ends_turn(st);
		} else if (st->n_told) {
			st->told[0].is_recalled ? agent_gives_back(st, 0) : agent_takes(st);
		} else if (t->queue.held) {
			line(st, "release");
		} else if (t->queue.n == 0) {
			break;
		} else {
			fail_msg("it is stuck: %s, %zu wait", turn_state(t), t->queue.n);
		}
	}
	assert_false(turn_is_busy(st->w.t));
	assert_int_equal(st->w.t->queue.n, 0);
	for (unsigned m = 1; m <= st->said; m++) {
		const struct word *w = &st->words[m];

		if (w->state != CANCELLED && !w->is_told) {
			fail_msg("the word m%u is lost", m);
		}
		assert_true(w->state != QUEUED && w->state != UNSAID);
	}
}

static void play_again_cut_everywhere(struct story *st)
{
	VY_AUTO_BUF script = VY_BUF_INIT(1 << 20);
	char *out;

	for (size_t i = 0; i < st->n_lines; i++) {
		vy_buf_addf(&script, "%s\n", st->script[i]);
	}
	out = turn_world_play(vy_buf_c(&script), true);
	check_str(vy_buf_c(&script), out, vy_buf_c(&st->w.out));
	free(out);
}

static struct story *now; /* for the one that reads why it failed */

static void play(uint64_t seed, void (*agent)(struct story *st), bool is_sane)
{
	struct story *st = VY_NEW(struct story);

	now = st;
	dice = seed * 0x9E3779B97F4A7C15u + 1;
	turn_world_init(&st->w);
	st->w.seen = seen;
	st->w.ctx = st;
	st->is_sane = is_sane;
	turn_set_goes_on(st->w.t, false);
	if (roll(2)) {
		line(st, roll(2) ? "no-places" : "no-places soon");
	}
	for (unsigned i = 0; i < STEPS; i++) {
		if (roll(3) == 0) {
			person_acts(st);
		} else if (st->w.t->wants && roll(2)) {
			places_are_given(st);
		} else if (roll(25) == 0) { /* money */
			line(st, roll(3) ? "spent x" : "spent");
			line(st, roll(3) ? "cut" : "spent");
		} else {
			agent(st);
		}
	}
	if (is_sane) {
		line(st, "spent");
		wind_down(st);
	}
	play_again_cut_everywhere(st);
	turn_world_fini(&st->w);
	free(st);
	now = NULL;
}

static void tell_script(void)
{
	for (size_t i = 0; now && i < now->n_lines; i++) {
		print_message("  %s\n", now->script[i]);
	}
}

static int tell_why(void **state)
{
	(void)state;
	if (now) {
		tell_script();
		print_message("%s", vy_buf_c(&now->w.out));
		now = NULL;
	}
	return 0;
}

static void a_sane_agent_loses_no_word(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SCRIPTS; seed++) {
		play(seed, sane_agent_acts, true);
	}
}

static void a_mad_agent_breaks_nothing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SCRIPTS; seed++) {
		play(seed, mad_agent_acts, false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_sane_agent_loses_no_word, tell_why),
		cmocka_unit_test_teardown(a_mad_agent_breaks_nothing, tell_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
