/* said.c -- see said.h. A new sentence of the server for a person's eyes: one line here. */
#include "tui/words/said.h"

#include "tui/words/words.h"
#include "shared/base/ban.h"

static const char *const said[] = {
	/* what became of a turn */
	N_("interrupted"),
	N_("The agent ended."),
	N_("The conversation is being summarised."),
	N_("The agent forgot the conversation so far."),
	N_("This message had reached the agent before it stopped. It was not run again."),
	/* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one sentence */
	N_("This folder is not trusted yet: its own agent settings (hooks, MCP servers, "
	   "environment) are left out. /trust, or `vyre-tui trust` here, lets them be used."),
	/* why a message waits */
	N_("the queue is held: release it to go on"),
	N_("the agent is just being ended"),
	/* what an agent asks for */
	N_("Run a command"),
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
