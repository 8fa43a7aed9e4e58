/* judge.h -- one judgement while it is made; between rules.c, tools.c, line.c, wrap.c and the tables of
 * what programs do (runs.c, files.c, destroy.c, source.c). Private to the room.
 *
 * Each part looks at a call from its side and says what it finds with judge_say(); the strongest
 * finding stays, the first of equals. Nothing here fails, and all work is bounded: by the length of
 * the line, by the depth of lines in lines and by what is left of `lines`. */
#ifndef GUARD_JUDGE_H
#define GUARD_JUDGE_H

#include "server/guard/expand.h"
#include "server/guard/places.h"
#include "server/guard/rules.h"
#include "server/guard/words.h"
#include "shared/base/limits.h"

struct judge {
	struct guard_scope scope;
	enum guard_verdict verdict;
	const char *rule;
	struct vy_str what; /* that broke it */
	int depth;
	int piped;       /* commands that were looked at for what they print */
	int lines;       /* shell lines that may still be read; then every word counts */
	bool is_remote;  /* it runs on another machine: only what it destroys is looked at */
	bool lists_ours; /* the numbers of processes of Vyre or an agent were looked up */
};

/* A program and what it is called with; every word expanded. */
struct call {
	struct vy_str program; /* without its folder */
	const struct vy_str *v;
	size_t n;
	struct vy_str here;  /* what it reads from its here-document */
	struct vy_str piped; /* what is piped into it, where that is known */
	bool is_piped;
	bool is_piped_unknown;   /* something is, and it was decoded or fetched just now */
	bool is_piped_from_ours; /* a list of Vyre's or an agent's processes is */
};

/* ---- rules.c ---- */

void judge_say(struct judge *j, enum guard_verdict verdict, const char *rule, struct vy_str what);
void judge_path(struct judge *j, struct vy_str path, enum guard_use use);
static inline bool judge_is_done(const struct judge *j)
{
	return j->verdict == GUARD_DENY;
}

/* ---- tools.c ---- */

void judge_tool(struct judge *j, struct vy_str tool, const struct vy_json *input);
void judge_patch(struct judge *j, struct vy_str text); /* the files a patch changes */

/* ---- line.c ---- */

void judge_line(struct judge *j, struct vy_str line);
void judge_every_word(struct judge *j, struct vy_str text); /* of what could not be read */
void judge_words(struct judge *j, struct call *call);       /* v[0] is the program, or a wrapper */

/* NAME=value: known from here on. `at`: where the value begins. */
void judge_assign(struct judge *j, struct vy_str word, size_t at);
void judge_joined(struct judge *j, const struct vy_str *v, size_t n); /* the words as one line */

/* ---- wrap.c ---- */

/* Is the program one that runs another? Then *c is that one, or *is_done: all was said about it. */
bool judge_unwrap(struct judge *j, struct call *c, bool *is_done);
void judge_found(const struct guard_strs *words, struct vy_buf *out); /* what find would find */

/* ---- what a call does ---- */

void judge_runs(
	struct judge *j, const struct call *c); /* runs.c: what it starts, whom it signals */
void judge_loose(struct judge *j, const struct vy_str *words, size_t n); /* runs.c, in any order */
void judge_files(struct judge *j, const struct call *c);   /* files.c: what it reads and writes */
void judge_destroy(struct judge *j, const struct call *c); /* destroy.c */
void judge_gone(struct judge *j, struct vy_str path);      /* destroy.c: a folder that is removed */
void judge_source(struct judge *j, const struct call *c);  /* source.c: an interpreter's program */
void judge_program(struct judge *j, struct vy_str text);   /* source.c: the text of one */

/* ---- words ---- */

static inline bool is_flag(struct vy_str w)
{
	return w.n > 1 && w.p[0] == '-';
}

struct vy_str judge_base(struct vy_str path); /* rules.c: the last part */
bool judge_holds(struct vy_str s, const char *word);
/* Is it one of `list`, words with a blank between? */
bool judge_is_one_of(struct vy_str s, const char *list);
/* "-r" among letters as "-xrf", or as `word` ("--recursive"). */
bool judge_has_flag(const struct vy_str *v, size_t n, char letter, const char *word);

#endif
