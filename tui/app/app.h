/* app.h -- the screen: opens or continues a session and lets a person talk.
 *
 * app_run() returns the program's exit code after the terminal has been put back as it was. */
#ifndef APP_H
#define APP_H

#include <stdbool.h>

struct keymap;
struct settings;

/* What the command line said; every string may be NULL. Borrowed for the whole run. */
struct app_options {
	const char *session; /* id or title; NULL: the newest of this folder */
	bool is_new;         /* --new */
	bool is_term;        /* its terminal, on the whole screen and nothing else */
	const char
		*adopt; /* the list of sessions is open, with these words sought ("": none); NULL */
	const char *provider;            /* --provider */
	const char *model;               /* --model */
	const char *cwd;                 /* --cwd, made absolute; else where we are */
	const char *connect;             /* --connect URL */
	const char *socket;              /* --socket */
	const char *state_dir;           /* --state-dir */
	const struct settings *settings; /* of tui.conf; NULL: the defaults */
	const struct keymap *keymap;     /* the same */
	const char *trouble;             /* what is wrong in it, in a sentence; NULL */
};

int app_run(const struct app_options *o);

#endif
