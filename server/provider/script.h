/* script.h -- the script language of the demo: what a prompt may order it to do.
 *
 * A script is one or more steps joined by " ;; "; a step is NAME or NAME:ARGUMENT, some with
 * options key=value. It may stand at the end of a prompt ("please say:3"). The same words drive
 * the stand-in for the model's API (tests/doubles), so demo and real agents can be driven alike:
 *
 *   say:N [words=W] [delay=MS]  N words, W a delta        markdown          a sample of everything
 *   echo:TEXT                   exactly TEXT              big:BYTES         in deltas of 4 KiB
 *   think[:N] [delay=MS]        N thoughts, then text     slow:SECONDS      a word every 200 ms
 *   hang[:SECONDS]              a message and silence     drop              half a text, retried
 *   maxtokens · refuse          odd ends                  err:STATUS[*TIMES] [retry=S]
 *   bash:CMD · bashbg:CMD       a shell command           read:PATH
 *   write:PATH[=CONTENT]        "\n" is a newline         edit:PATH|OLD|NEW
 *   todo · ask · plan[:TEXT] · planfile[:TEXT]            multi · multi2    several calls at once
 *   agent[bg|fg][:SCRIPT]       " ,, " for " ;; "         tool:NAME {JSON}  any call at all
 *   pace:N [rate=R]             N words, R a second by the clock; each 50th says when it left
 *   images                      counts the prompt's images       spend:USD         costs that much
 *   recall                      the messages it remembers, in order
 *
 * Steps that only speak join the step behind them into one message. Pure; slices are of the text
 * that was parsed. */
#ifndef PROVIDER_SCRIPT_H
#define PROVIDER_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"

enum script_verb {
	SCRIPT_SAY,
	SCRIPT_ECHO,
	SCRIPT_MARKDOWN,
	SCRIPT_BIG,
	SCRIPT_THINK,
	SCRIPT_SLOW,
	SCRIPT_PACE,
	SCRIPT_IMAGES,
	SCRIPT_SPEND,
	SCRIPT_RECALL,
	/* from here on a message ends with the step */
	SCRIPT_HANG,
	SCRIPT_DROP,
	SCRIPT_MAXTOKENS,
	SCRIPT_REFUSE,
	SCRIPT_ERR,
	SCRIPT_BASH,
	SCRIPT_BASHBG,
	SCRIPT_READ,
	SCRIPT_WRITE,
	SCRIPT_EDIT,
	SCRIPT_TODO,
	SCRIPT_ASK,
	SCRIPT_PLAN,
	SCRIPT_PLANFILE,
	SCRIPT_AGENT,
	SCRIPT_AGENTBG,
	SCRIPT_AGENTFG,
	SCRIPT_MULTI,
	SCRIPT_MULTI2,
	SCRIPT_TOOL,
	SCRIPT_VERBS
};

struct script_step {
	enum script_verb verb;
	struct vy_str arg;             /* without options */
	int64_t words, delay_ms, rate; /* of the options; -1: not given */
	double retry_s;                /* -1: not given */
};

struct script {
	struct script_step *steps;
	size_t n;
};

/* false when the text holds no script; `out` is empty then. */
bool script_parse(struct vy_str text, struct vy_arena *a, struct script *out);

bool script_is_speech(enum script_verb v);
const char *script_word(enum script_verb v);

/* The part of `s` before `sep`, taken off it together with `sep`; all of it when there is none. */
struct vy_str script_until(struct vy_str *s, char sep);

/* The number a text begins with, else `none`. */
double script_number(struct vy_str s, double none);

#endif
