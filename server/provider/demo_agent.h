/* demo_agent.h -- the demo as a program: what it knows, and the parts it is made of.
 *
 * One thread, told as a story: a turn is a function that runs from top to bottom, and each place
 * where it waits (a pause between words, an answer, a command) is demo_wait(), which meanwhile
 * hears stdin, writes stdout and minds the children. So an interrupt is noticed at once wherever
 * the story stands. Functions that can be cut answer false when they were; the caller then goes
 * back up to the turn, which says how it ended.
 *
 *   demo_main.c   options, the loop of turns          demo_play.c   messages and steps
 *   demo_calls.c  steps that call a tool
 *   demo_link.c   waiting, stdin, the control protocol  demo_tools.c  calls: hook, ask, run, result
 *   demo_pace.c   words by the clock                demo_rules.c  what need not be asked about
 *   demo_shell.c  commands, in front and behind        demo_tour.c   the tour
 *   demo_beside.c questions beside it, /compact
 *   demo_past.c   what it remembers, on disk */
#ifndef PROVIDER_DEMO_AGENT_H
#define PROVIDER_DEMO_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/provider/demo_out.h"
#include "server/provider/fields.h"
#include "server/provider/script.h"
#include "shared/base/arena.h"
#include "shared/base/cut.h"
#include "shared/base/json.h"

#define DEMO_DELAY_MS 5

enum demo_priority { DEMO_NEXT, DEMO_LATER, DEMO_NOW };

/* A person's message that waits. */
struct demo_said {
	char *uuid, *text;
	int64_t priority, images;
};

/* A command that runs, in front or behind. */
struct demo_child {
	pid_t pid; /* 0: none */
	int fd;    /* its output; -1 when it ended */
	int status;
	bool is_ended;
	struct vy_buf out;
};

struct demo_task {
	char *id, *tool, *what;
	struct demo_child *child;
};

/* A subagent sent to the background; it speaks when nothing else does. */
struct demo_errand {
	char *task, *tool, *script;
};

/* Its memory, a line an entry (demo_past.c). */
struct demo_past {
	char **v;
	size_t n, cap;
	bool is_copy; /* of another session, and not yet written */
	int64_t files;
};

struct demo {
	struct demo_where main;
	struct demo_lines lines;
	struct demo_past past;
	char *session, *model, *mode, *dir; /* dir: where demo_past keeps its file; NULL: nowhere */
	char life[12]; /* random, in ids: a resumed session must not use them twice */
	char *hook;    /* callback id of PreToolUse; NULL: none */
	bool is_fast, is_first, in_turn;
	bool is_cut;    /* the turn was interrupted */
	bool wants_now; /* a message that may not wait: the turn ends behind this call */
	bool is_dying;  /* a signal, or told to leave */
	bool has_stdin;
	int status; /* of the program, when it is dying */
	int signals;
	struct vy_cut cut;
	struct vy_buf out;
	size_t sent;           /* bytes of out that are written */
	struct vy_arena arena; /* of the turn */
	struct vy_json *seen;  /* set: uuids taken in any life */
	struct vy_json *gone;  /* set: uuids this process has heard of */
	struct vy_json *turn_uuids;
	struct vy_json *replies;  /* request id → response, until it is looked for */
	struct vy_json *failures; /* err steps: how often each was tried */
	struct vy_json *rules;    /* ["Bash(npm test)"]: always */
	char *open_request;
	char *last_plan;
	int64_t images; /* of the newest prompt */
	int64_t limit,
		limit_after; /* usage limit: until then (s), behind so many messages; 0: none */
	int64_t api_status;  /* why the turn failed: an HTTP status, -1 a refusal; 0: it did not */
	int64_t next_request, next_message, next_call, next_task;
	struct demo_usage usage;
	struct script script; /* of this turn; a steered one takes its place */
	size_t at;            /* next step */
	bool has_new_script;
	FIELD_LIST_OF(struct demo_said) said;
	FIELD_LIST_OF(struct demo_task) tasks;
	FIELD_LIST_OF(struct demo_errand) errands;
	FIELD_LIST_OF(struct demo_said) notices; /* text: what a task said at its end */
	struct demo_child front;
};

/* ---- demo_link.c ---- */

void demo_link_open(struct demo *d);
/* Until something happened, or the time is over (-1: no limit). Flushes stdout first. */
void demo_wait(struct demo *d, int64_t ms);
bool demo_pause(struct demo *d, int64_t ms); /* false when the turn was cut meanwhile */
void demo_flush(struct demo *d);             /* all of it, unless it is dying */
bool demo_is_cut(const struct demo *d);
char *demo_request_id(struct demo *d); /* in the arena */
/* The response to a request that was just printed; NULL when it was cut, withdrawn or refused.
 * Borrowed until the turn's end. */
const struct vy_json *demo_await(struct demo *d, const char *id);
void demo_life(const struct demo *d, const char *uuid, const char *state);
/* The next waiting message that may be taken at a tool boundary, else NULL. */
struct demo_said *demo_steer(struct demo *d);
void demo_said_del(struct demo *d, struct demo_said *s);
void demo_set_mode(struct demo *d, struct vy_str mode);

/* ---- demo_past.c ---- */

/* The memory of session `from` (a copy when it is not this one), up to the place `at` (NULL: all of
 * it). false: it has no such place. */
bool demo_past_open(struct demo *d, const char *from, const char *at);
void demo_past_fini(struct demo *d);
bool demo_past_is_known(const struct demo *d); /* was there a session of this id before? */
void demo_past_word(struct demo *d, struct vy_str uuid, const char *text); /* taken */
void demo_past_line(struct demo *d, const char *id);
const char *demo_past_told(struct demo *d); /* what it remembers; in the arena */
/* A file is about to be changed. */
void demo_past_file(struct demo *d, struct vy_str path, bool was_there, struct vy_str before);
/* Files changed since that word was taken, into `changed`, and back as they were. false: it knows no
 * such word, or one could not be written. */
bool demo_past_restore(struct demo *d, struct vy_str uuid, bool is_dry, struct vy_json *changed);

/* ---- demo_shell.c ---- */

/* A command in front: output and wait status in d->front, which the caller clears. false: cut. */
bool demo_shell(struct demo *d, const char *command);
void demo_shell_clear(struct demo_child *c);
/* One behind. */
void demo_shell_behind(struct demo *d, const char *command, const char *tool, const char *what);
void demo_shell_reap(struct demo *d); /* after SIGCHLD */
void demo_shell_read(struct demo_child *c);
void demo_shell_kill(struct demo *d);
struct vy_json *demo_tasks(const struct demo *d);
void demo_task_new_id(struct demo *d, char out[32]);
bool demo_task_stop(struct demo *d, struct vy_str id);

/* ---- demo_tools.c ---- */

struct demo_call {
	const char *id, *name;
	struct vy_json *input;
};

struct demo_done {
	struct vy_str text;             /* what the model reads; in the arena */
	const struct vy_json *response; /* of the ask, if there was one */
	bool is_error;
};

/* From the hook to the result line. false: the turn was cut. */
bool demo_call(struct demo *d, const struct demo_where *w, const struct demo_call *call,
	struct demo_done *done);

#define DEMO_CALLS_MAX 4

/* The calls of one message. */
struct demo_calls {
	struct demo_call v[DEMO_CALLS_MAX];
	size_t n;
};

/* ---- demo_play.c ---- */

/* A message of the model, being written. */
struct demo_message {
	const struct demo_where *w;
	const char *id;
	int64_t index;
};

void demo_message_begin(struct demo *d, const struct demo_where *w, struct demo_message *m);
void demo_message_end(struct demo *d, struct demo_message *m, const char *stop_reason);
/* The end of a block whose deltas made `whole`; !goes_on: it was cut. */
void demo_message_said(
	struct demo *d, struct demo_message *m, bool is_thought, struct vy_str whole, bool goes_on);
/* A block in pieces, one delta each, `delay` ms apart. false: cut; then the block is closed. */
bool demo_message_words(struct demo *d, struct demo_message *m, bool is_thought,
	const struct vy_str *pieces, size_t n, int64_t delay);
/* A tool_use block; the call is run later. */
struct demo_call demo_message_call(
	struct demo *d, struct demo_message *m, const char *name, struct vy_json *own_input);

/* The i-th word of what the demo says when it has nothing to say. */
const char *demo_word(int64_t i);

/* Text as pieces of one word each, blanks behind; in the arena. */
struct vy_str *demo_pieces(struct demo *d, struct vy_str text, size_t *n);

/* Runs d->script from d->at; for a subagent its own. false: cut. `last` is what was said last. */
bool demo_play(struct demo *d, const struct demo_where *w, const struct script *own);
/* One message of words, and its end; delay -1: in one piece. */
bool demo_say(struct demo *d, const struct demo_where *w, struct vy_str text, int64_t delay);
/* Steers in what waits; true when it brought a new script. */
bool demo_boundary(struct demo *d);

/* ---- demo_pace.c ---- */

/* A block of n words, `rate` a second by the clock and not by pauses that add up; each 50th and the
 * last is "mk<microseconds of CLOCK_MONOTONIC>z", read when it was written. false: cut. */
bool demo_pace(struct demo *d, struct demo_message *m, int64_t n, int64_t rate);

/* ---- demo_rules.c ---- */

/* permission_suggestions of a call; owned. */
struct vy_json *demo_rules_suggest(struct demo *d, const struct demo_call *call, bool is_edit);
bool demo_rules_allow(struct demo *d, struct vy_str command); /* it need not be asked about */
void demo_rules_learn(struct demo *d, const struct vy_json *updates); /* of an answer */

/* ---- demo_calls.c ---- */

/* The tool_use blocks that a step orders; a step that orders none adds none. */
void demo_calls_add(
	struct demo *d, struct demo_message *m, const struct script_step *s, struct demo_calls *c);

/* ---- demo_beside.c ---- */

void demo_beside_question(struct demo *d, struct vy_str id, const struct vy_json *req);
void demo_beside_output(struct demo *d, struct vy_str id, const struct vy_json *req);
void demo_beside_settings(struct demo *d, struct vy_str id, const struct vy_json *req);
/* False: the words are no /compact. */
bool demo_compact(struct demo *d, struct vy_str text);

/* ---- demo_tour.c ---- */

bool demo_tour(struct demo *d);

#endif
