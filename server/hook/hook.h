/* hook.h -- vyred hook: what a claude in a terminal calls, and how it comes to.
 *
 * "vyred hook install" writes hooks into a person's claude settings (settings.h), only when a person
 * asks; "remove" takes them out without a trace; "status" says how it stands. "vyred hook run EVENT"
 * is what claude then calls: it judges a tool by the floor rules itself, and tells vyred, when one is
 * there, of the rest. It does nothing in a session of vyred, whose rules are asked already, waits for
 * nobody longer than HOOK_WAIT_MS, and always ends with 0: a vyred that is gone stops no claude.
 *
 * What it says to vyred has no more weight than who it is: a process below an agent (caller.h).
 * Each is the whole of a short-lived program. */
#ifndef HOOK_H
#define HOOK_H

#define HOOK_WAIT_MS 2000

struct hook_conf {
	const char *state_dir, *config; /* absolute */
	const char *socket;             /* NULL: <state_dir>/vyred.sock */
	/* What was said on the command line; NULL: it was not. Written into the settings as well. */
	const char *said_state_dir, *said_config;
};

/* The words behind "vyred hook". The exit status: 0, 1 (it failed, and was said), 2 (wrong use). */
int hook_main(const struct hook_conf *c, const char *const *words, int n);

/* run.c */
int hook_run(const struct hook_conf *c, const char *event);

#endif
