/* hook.h -- the person's own command for "needs you": notify_command.
 *
 * Runs it through sh -c in the background, with nothing to read and nothing to print to. What
 * happened comes as environment (VYRE_EVENT is "ask" or "finished", VYRE_TITLE, VYRE_TEXT,
 * VYRE_SESSION), never as part of the command, so no agent's text is ever read by a shell. Nobody waits
 * for it, and it outlives the client. */
#ifndef APP_HOOK_H
#define APP_HOOK_H

struct hook_event {
	const char *event, *session, *title, *text; /* NULL: empty */
};

void hook_run(const char *command, const struct hook_event *ev);

#endif
