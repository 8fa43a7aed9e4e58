/* provider.h -- the contract of an agent's driver: what a stranger implements to bring a new agent.
 *
 * A driver is pure. It turns what the agent prints into events in the house's words, and the
 * house's commands into bytes for the agent's stdin; it starts nothing, reads no clock and keeps
 * no secret. Its whole memory is one value, `struct agent`, that encodes and decodes, so a vyred
 * that dies in the middle of a line goes on where the last commit was (wire 12): every transcript
 * cut at every line gives the same events as one run.
 *
 * Around it: server/session/agent.c holds the holder link, cuts lines and calls step(); the turn
 * (server/session/turn.c) eats the events. A driver knows neither. */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"

/* ---- what an agent did ------------------------------------------------------------------ */

/* The comment names the fields an event uses; all others are zero. */
enum agent_event_kind {
	/* Handshake done; an agent of whom that is not said in VY_HELLO_MS is ended. text =
	 * version; json = {model, mode, version, pid, commands [{name, text, hint, kind:
	 * agent|person, aliases?}], models [{id, name, text, efforts?}], account}. */
	AE_READY,

	/* The agent is busy. text = "task" or "agent" when it began by itself, else empty; name =
	 * what the task said that woke it. */
	AE_TURN_BEGIN,
	/* message: taken in (uuid as told). tool = the call behind which a steer was taken; empty
	 * when the message opened the turn. mark = where the agent's own history stood before it. */
	AE_TAKEN,
	/* message: taken back before the agent began it. Told again it needs a new uuid. */
	AE_CAME_BACK,

	/* message, index, text, is_reasoning, parent: one delta, never joined. */
	AE_TEXT,
	/* message, index, is_reasoning, parent: the block is whole. json = its text (a JSON
	 * string) when that is not what the deltas said, else NULL. */
	AE_TEXT_DONE,
	/* message, index, parent: a block of a request that was retried; it never happened. */
	AE_TEXT_VOID,

	/* tool (id), name, tool_kind, text = summary, parent, is_background; message, index: the
	 * block that calls, where the agent tells. */
	AE_TOOL_START,
	AE_TOOL_PROGRESS, /* tool, text */
	/* tool, parent, outcome, json = the result block (wire 11). The picture of a `screen` comes
	 * in it, {mime, b64}: the session keeps it, and names it by a ref. is_background: what the
	 * call began goes on behind it; AE_SUB_GONE ends that. */
	AE_TOOL_DONE,
	AE_FILE_CHANGED, /* tool, name = path, text = create|edit|delete, added, removed */
	AE_TODO,         /* json = task block: the whole list as it is now */
	AE_SUB_GONE, /* tool = its call: that subagent is gone, wherever it worked. Perhaps twice */

	/* request, tool = tool id, parent, json: see below; call = {name, input}: what a yes would
	 * run, for the floor rules. */
	AE_ASK,
	AE_ASK_GONE, /* request: the agent withdrew it, or died */
	/* request, tool, name, json = input: the floor rules judge this call. The house answers
	 * with AC_CHECKED, also when there is nothing to say. is_spawn: it starts a subagent, and
	 * may have to wait for a slot. One of a subagent works in the slot of that one. */
	AE_CHECK,
	AE_CHECK_GONE, /* request, tool: nobody waits for that verdict any more */

	AE_MODE,  /* text = default | acceptEdits | plan */
	AE_MODEL, /* text */
	/* json = {used, max, input, output, cost_usd} as far as known: context now, and tokens
	 * and money of the whole session. cost_usd null: it tells no prices. */
	AE_USAGE,
	AE_TASKS,     /* json = [{task, kind, text, status}]: background work as it is now */
	AE_COMMANDS,  /* json = as in AE_READY: the slash commands changed */
	AE_COMPACTED, /* json = {trigger, before, after} */
	/* text = one quiet line for the person (a retry, a warning). json = {limit: {status,
	 * kind, used (0..1), resets_at (ms)}} when it is about a usage limit, else NULL; of that
	 * a number may be all that changed, and text empty. */
	AE_NOTE,
	AE_SESSION, /* text = the agent's own session id changed (a resume uses it) */
	/* mark: the agent's own history stands here now: a launch can go back to it. Comes at the
	 * end of a turn, and before the end of the process. */
	AE_MARK,
	/* json = {can, changed: [path], added, removed, why?, dry}: what AC_FILES found, or (not dry)
	 * did. can false: why is a sentence. */
	AE_FILES,
	/* message: the name of what was asked (AC_ASIDE, AC_TASK_OUTPUT); outcome; text = the
	 * answer, or why there is none; json of a task's = {total, truncated}. */
	AE_REPLY,

	/* outcome; text = the reason in a sentence when failed; json = {input, output, cost_usd}
	 * of this turn, or NULL. is_limit: it failed since what pays for it has reached its limit. */
	AE_TURN_END,
	/* The agent does not know this session id, or knows it already: launch it again with
	 * is_resume the other way round, once; what was told and not taken is told again under
	 * the same uuid. text = its words, for the second time. Comes from exited(). */
	AE_OTHER_WAY,
	AE_BROKEN /* text: this agent cannot go on; its process has ended or must be ended */
};

/* An ask (json of AE_ASK), as wire 3 and 6 and shared/model/ask.h want it:
 *   {kind: permission|question|plan, tool, title, summary, detail?, blocked_path?, source?,
 *    options: [{id, label, decision: allow|deny, rule?, scope?, scopes?, mode?, rules?,
 *      parts?}],
 *    questions?: [{header, question, multi, free, options: [{label, description}]}],
 *    edit?: {path, shown, was, is, whole?}}
 * `detail` is whole up to 64 KiB: a frame shows the first 4, the row keeps it. `rule`
 * ("Bash(npm test)") is exactly what would be stored and `scope` (session|project|user) where,
 * `scopes` where else a person may have it;
 * of several `rules` has each, and `parts` [{text, rule?}] what a compound command is made of and
 * which of them covers what.
 * `edit` is for the house alone, which may look into the file: words that come in the place of
 * others, or (whole) all there will be. Where it finds them, `detail` is made anew with true lines;
 * the driver's own hunks begin at line 0, which says that nobody knows.
 * An answer's decision is "allow", "deny", "skip" or an option's id; a question has no options
 * and is answered by `answers`. */

enum agent_outcome { AGENT_OK, AGENT_FAILED, AGENT_CANCELED };

/* Texts, tools and asks with a `parent` belong to a subagent. One in the background goes on after
 * AE_TURN_END and speaks between turns; all else is inside a turn. At AE_TURN_END every call of
 * the main thread has had its AE_TOOL_DONE; exited() closes the rest.
 *
 * Everything is borrowed from the arena the step was given; unused fields are zero. */
struct agent_event {
	enum agent_event_kind kind;
	struct vy_str message, text, parent, tool, name, request;
	struct vy_str mark;    /* empty: nothing was said yet */
	const char *tool_kind; /* shell edit read search todo web agent other */
	int64_t index, added, removed;
	enum agent_outcome outcome;
	bool is_reasoning, is_background, is_spawn, is_limit;
	struct vy_json *json, *call; /* owned by the list, freed with it */
};

/* ---- what the house wants of it ---------------------------------------------------------- */

enum agent_command_kind {
	AC_HELLO,     /* first of all: the handshake; json = {model, mode, system, resume} */
	AC_SAY,       /* message = uuid, text, json = images [{mime, b64}], when, context */
	AC_TAKE_BACK, /* message: cancel one not yet taken; AE_CAME_BACK or AE_TAKEN follows */
	AC_INTERRUPT, /* end the turn; what it has not begun comes back as AE_CAME_BACK */
	/* request, decision, text = why or what instead; json = {answers: {question: label |
	 * [labels] | free text}, always: true | {rule, scope}, mode, stop}. A request that is
	 * closed is ignored. No decision: it needs no answer any more. */
	AC_ANSWER,
	/* request; decision = "" (nothing to say), "deny" or "ask"; text = a sentence naming the
	 * rule. */
	AC_CHECKED,
	AC_MODE,      /* text = default | acceptEdits | plan */
	AC_MODEL,     /* text */
	AC_THINKING,  /* json = {on, tokens: most of them, 0 as the agent likes} */
	AC_EFFORT,    /* text = how hard it tries: a word of the model's `efforts` */
	AC_KILL_TASK, /* text = a task of AE_TASKS; AE_TASKS says when it is gone */
	/* message = uuid as told: the files that it changed since then are put back as they were;
	 * json = {dry}: it only says which. AE_FILES follows. */
	AC_FILES,
	/* message: a name for it; AE_REPLY follows, at any time. text = a question beside the
	 * conversation; a task of AE_TASKS, whose output so far is wanted (its end). */
	AC_ASIDE,
	AC_TASK_OUTPUT,
	AC_FORGET, /* message: nobody waits for that answer any more */
	AC_END     /* leave; stdin is closed after it */
};

enum agent_when { AGENT_STEER, AGENT_QUEUE, AGENT_NOW };

struct agent_command {
	enum agent_command_kind kind;
	struct vy_str message, text, request, decision;
	struct vy_str context; /* told before the text and no part of it; empty: nothing */
	enum agent_when when;
	const struct vy_json *json; /* borrowed, may be NULL */
};

/* ---- the driver ---------------------------------------------------------------------------- */

/* The answer of one step. Events in the order they happened; `tell` is whole messages for the
 * agent's stdin, written only after the commit. */
struct agent_out {
	struct vy_arena *arena; /* where the events' strings live */
	struct agent_event *events;
	size_t n, cap;
	struct vy_buf tell;
};

void agent_out_init(struct agent_out *out, struct vy_arena *arena);
void agent_out_clear(struct agent_out *out); /* empty, memory kept */
void agent_out_fini(struct agent_out *out);  /* frees json and tell */
struct agent_event *agent_out_add(struct agent_out *out, enum agent_event_kind kind);

struct agent; /* the driver's state: a value of its own, opaque to the house */

enum agent_stream { AGENT_STDOUT = 1, AGENT_STDERR = 2 };

/* What the person and the screen can count on (caps.def); a missing thing is hidden or explained. An agent
 * of which more is known only once it runs says yes, and says what it lacks when it is wanted. */
struct provider_caps {
#define PROVIDER_CAP(member, name, what) bool member;
#include "server/provider/caps.def"
#undef PROVIDER_CAP
};

/* One configured provider ([provider.NAME] of vyred.conf); strings live as long as the config. */
struct provider_conf {
	const char *name;     /* "claude" */
	const char *kind;     /* "claude", "demo" */
	const char *command;  /* program; NULL: the kind's own */
	const char *args;     /* extra arguments, split at spaces; NULL */
	const char *auth;     /* auth.h; NULL: login */
	const char *fallback; /* what pays when that one has reached its limit; NULL: nothing */
	const char *secret, *fallback_secret; /* their names in the secret store; NULL: the usual */
	const struct vy_json *env;            /* {NAME: value}; NULL */
};

/* What a launch is made of. */
struct provider_launch {
	const struct provider_conf *conf;
	const char *auth;       /* what pays for it (auth.h); NULL: as conf says */
	struct vy_str session;  /* uuid; also the agent's own id where it lets us choose */
	struct vy_str agent_id; /* the agent's own id when it differs or changed; empty: session */
	bool is_resume;         /* a turn was taken before, the agent has it on disk */
	struct vy_str mark;     /* where its history stands (AE_MARK); empty: at its beginning */
	/* Not resumed but made: a copy of that agent's history up to the mark, under the id of this
	 * one. Empty: none. */
	struct vy_str fork_of;
	bool is_trusted;             /* the person trusts this folder (claude.md 2.1) */
	bool is_job;                 /* nobody talks to it: no settings of any person or folder */
	double budget_usd;           /* what is left to be spent; 0: there is no budget */
	const struct vy_json *tools; /* [name]: no others are offered to it; NULL: all */
	struct vy_str model, mode, system, cwd;
	const char *self; /* path of the vyred binary (demo runs `vyred agent-demo`) */
	const char
		*state_dir; /* vyred's own: an agent of ours keeps its memory there; NULL: none */
};

/* argv: NULL-terminated, in the arena. `secret_name` names what must be written to fd 3 from the
 * secret store, NULL for none. `env` holds NAME=value switches of the driver's own, no secrets. */
struct provider_spawn {
	const char **argv;
	const char **env;
	const char *secret_name;
};

struct provider_ops {
	const char *kind;
	const char *tested; /* versions of the agent this driver was tested with */
	struct provider_caps caps;
	bool is_paid;        /* it needs a credential (auth.h) */
	bool knows_built_in; /* the models that are built in for purposes are names of its own */
	/* The file with what it shall keep in mind: in the session's folder; below the home of the
	 * user. NULL: it has none. */
	const char *memory, *memory_user;
	const char *compact; /* the words that make it summarise what was said; NULL: none */

	/* NULL when it can run here, else one sentence how to get it (in the arena). `path` is
	 * the PATH a launch would use. May look at the disk: the only impure verb. */
	const char *(*missing)(
		const struct provider_conf *conf, const char *path, struct vy_arena *a);
	/* NULL, or the word of args= that this driver refuses (a bypass, or what it says itself):
	 * asked when the configuration is read. */
	const char *(*bad_arg)(const char *args, struct vy_arena *a);
	int (*launch)(const struct provider_launch *l, struct provider_spawn *out,
		struct vy_arena *a, struct vy_err *e);

	struct agent *(*new)(const struct provider_launch *l);
	void (*free)(struct agent *a);
	void (*line)(struct agent *a, enum agent_stream stream, struct vy_str line,
		struct agent_out *out);
	void (*command)(struct agent *a, const struct agent_command *c, struct agent_out *out);
	/* A line longer than VY_LINE_MAX was skipped: whatever it opened must still end. `head` is
	 * its beginning, as much as the edge kept (4 KiB is enough): a request found there is
	 * refused, so that the agent does not wait for ever. */
	void (*line_too_long)(
		struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out);
	/* The process ended. Closes what is open in events; text of the last AE_TURN_END (failed)
	 * or AE_BROKEN says why, with the last lines of stderr. */
	void (*exited)(struct agent *a, int status, int signo, struct agent_out *out);

	void (*encode)(const struct agent *a, struct vy_jw *w); /* one object, with a version */
	struct agent *(*decode)(const struct vy_json *v, struct vy_err *e); /* NULL on failure */
};

/* What takes the asks off an agent, of whatever kind: the one list of such words, as parts of a flag, of a mode, of
 * an option, in whatever letters. A driver neither offers nor chooses what holds one, and no agent is started with
 * one, whoever asks. The first that is held; NULL: there is none. */
const char *provider_bypass(struct vy_str words);
const char *const *provider_bypasses(void); /* NULL-terminated */
/* The first word of `args` that holds one, or that is one of `flags`, with a value or without: what a driver refuses
 * in its bad_arg(). In the arena; NULL: there is none. */
const char *provider_bad_arg(
	const char *args, const char *const *flags, size_t n_flags, struct vy_arena *a);

/* registry.c: the one file that lists the drivers. NULL when there is no such kind. */
const struct provider_ops *provider_find(const char *kind);
const struct provider_ops *const *provider_all(void); /* NULL-terminated */

#endif
