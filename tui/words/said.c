/* said.c -- see said.h. A new sentence of the server for a person's eyes: one line here. */
#include "tui/words/said.h"

#include <string.h>

#include "tui/words/words.h"
#include "shared/base/ban.h"

static const char *const said[] = {
	/* what became of a turn */
	N_("interrupted"),
	N_("The agent ended."),
	N_("The agent did not answer within 30 seconds of its start, so it was ended."),
	N_("The agent's process is gone."),
	N_("The process that held the agent has lost it."),
	N_("The conversation is being summarised."),
	N_("The agent forgot the conversation so far."),
	N_("This message had reached the agent before it stopped. It was not run again."),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("This folder is not trusted yet: its own agent settings (hooks, MCP servers, "
	   "environment) are left out. /trust, or `vyre-tui trust` here, lets them be used."),
	/* why a message waits */
	N_("the queue is held: release it to go on"),
	N_("the agent is just being ended"),
	N_("live-cap: as many agents as may live are at work; it goes on by itself"),
	N_("slots: as many teammates as may work are at work; it goes on by itself"),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("elsewhere: another program has this conversation open; it goes on when that has "
	   "ended"),
	N_("Handed over to the one that has this conversation open: its answer is there."),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("Another program wrote into this conversation just now. What is said here waits until "
	   "it has been quiet for half a minute; a fork goes on at once."),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("budget: what this session may cost is spent; it goes on with a larger "
	   "budget"),
	N_("As many teammates as may work are at work. This goes on by itself."),
	N_("One agent is at work, and no more may live. This goes on by itself."),
	/* what an agent asks for */
	N_("Run a command"),
	N_("Reach a host on the network"),
	N_("Write to a command that runs"),
	N_("Change files"),
	N_("Carry out the plan?"),
	N_("Write a file"),
	N_("Change a file"),
	N_("Change a notebook"),
	N_("Read a file"),
	N_("Fetch a page"),
	N_("Search the web"),
	N_("A question"),
	N_("A plan"),
	/* and how it may be answered */
	N_("Yes"),
	N_("Yes, and accept edits from now on"),
	N_("Yes, and accept edits"),
	N_("Yes, ask before edits"),
	N_("Yes, and this command again in this session"),
	N_("Yes, and these files again in this session"),
	N_("No, and end the turn"),
	N_("No, keep planning"),
	/* a picture that a tool brought */
	N_("this picture is broken"),
	N_("this session keeps no more pictures"),
	/* what a stream refuses: not an error of a call, which has an id (shared/rpc/msg.h) */
	N_("too many viewers: close one, or try again"),
	N_("vyred is restarting; come again in a moment"),
};

struct vy_str words_said(struct vy_str text)
{
	for (size_t i = 0; i < VY_COUNT(said); i++) {
		if (vy_str_is(text, said[i])) {
			return vy_str_c(_(said[i]));
		}
	}
	return text;
}

/* ---- with something in their places: {1} {2} {3} ---- */

static const char *const noted[] = {
	N_("The model's server answered {1}; trying again ({2} of {3})."),
	N_("The model's server did not answer; trying again ({1} of {2})."),
	N_("{1} agents are at work, and no more may live. This goes on by itself."),
	N_("Waits for a subagent slot: number {1} in line"),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("{1} (process {2}) has this conversation open. What is said here waits until that has "
	   "ended; a fork goes on at once."),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("This session has cost {1}, and its budget is {2}. With a larger one, or none, it "
	   "goes on."),
	N_("The five-hour limit is reached."),
	N_("The weekly limit is reached."),
	N_("The usage limit is reached."),
	N_("The five-hour limit is free again."),
	N_("The weekly limit is free again."),
	N_("The usage limit is free again."),
	N_("{1} % of the five-hour limit is used."),
	N_("{1} % of the weekly limit is used."),
	N_("{1} % of the usage limit is used."),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("{1} says something that this Vyre does not know ({2}). The rest goes on; to see it, "
	   "upgrade Vyre, which was made for version {3}."),
};

#define PLACES 3

/* The words up to the next place, or the end; `place` is its index, -1 at the end. */
static struct vy_str next_words(const char **at, int *place)
{
	struct vy_str words = vy_str_n(*at, strcspn(*at, "{"));
	const char *p = *at + words.n;

	*place = *p && p[1] >= '1' && p[1] <= '0' + PLACES && p[2] == '}' ? p[1] - '1' : -1;
	*at = *place >= 0 ? p + 3 : p;
	return words;
}

static bool is_begun(struct vy_str text, struct vy_str words)
{
	return text.n >= words.n && vy_str_eq(vy_str_n(text.p, words.n), words);
}

/* What stands in the places of `sentence` in `text`; false: it is another one. */
static bool is_of(const char *sentence, struct vy_str text, struct vy_str places[PLACES])
{
	int open = -1, place;

	do {
		struct vy_str words = next_words(&sentence, &place);
		const char *p = open < 0       ? text.p
				: words.n == 0 ? text.p + text.n
					       : memmem(text.p, text.n, words.p, words.n);

		if (!p || !is_begun(vy_str_from(text, (size_t)(p - text.p)), words)) {
			return false;
		}
		if (open >= 0) {
			places[open] = vy_str_n(text.p, (size_t)(p - text.p));
		}
		text = vy_str_from(text, (size_t)(p - text.p) + words.n);
		open = place;
	} while (open >= 0);
	return text.n == 0;
}

static void fill(const char *sentence, const struct vy_str places[PLACES], struct vy_buf *out)
{
	int place;

	do {
		vy_buf_addstr(out, next_words(&sentence, &place));
		if (place >= 0) {
			vy_buf_addstr(out, places[place]);
		}
	} while (place >= 0);
}

bool words_as(const char *sentence, const char *other, struct vy_str text, struct vy_buf *out)
{
	struct vy_str places[PLACES] = { 0 };
	bool is_it = is_of(sentence, text, places);

	if (is_it) {
		fill(other, places, out);
	}
	return is_it;
}

void words_noted(struct vy_str text, struct vy_buf *out)
{
	for (size_t i = 0; i < VY_COUNT(noted); i++) {
		if (words_as(noted[i], _(noted[i]), text, out)) {
			return;
		}
	}
	vy_buf_addstr(out, words_said(text));
}
