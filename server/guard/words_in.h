/* words_in.h -- between words.c (the grammar) and words_chars.c (what is inside of a word).
 *
 * One reader reads one line, or the text of one substitution, from `at` on; what it finds joins
 * `out`, which all readers of a line share. Private to the two. */
#ifndef GUARD_WORDS_IN_H
#define GUARD_WORDS_IN_H

#include "server/guard/words.h"
#include "shared/base/buf.h"

#define HERES_MAX  8
#define FRAMES_MAX 32

struct list {
	struct vy_str *v;
	size_t n, cap;
};

/* A here-document that was announced and begins behind the line's end. */
struct here {
	struct vy_str delimiter;
	size_t command; /* HERE_OPEN: the one that is being read */
	bool is_raw;    /* nothing in it is substituted */
};

struct pipe {
	size_t from, until;
};

enum frame_kind { FRAME_SHELL, FRAME_GROUP, FRAME_CASE, FRAME_ARRAY };

struct frame {
	enum frame_kind kind;
	size_t from;      /* its first command */
	size_t shell;     /* the one outside of it */
	struct pipe pipe; /* what comes in */
	size_t function;  /* its number + 1; 0: it is none's body */
	bool is_pattern;  /* of a case: patterns are read, up to ")" */
};

enum role { ROLE_WORD, ROLE_WRITE, ROLE_COPY, ROLE_READ, ROLE_HERE, ROLE_HERE_STRING };

struct reader {
	struct vy_str in;
	size_t at;
	struct vy_arena *a;
	struct guard_commands *out;
	size_t *cap, *ahead; /* of out->v; of all readers of this line together */
	int depth;
	size_t shell;
	struct list words, writes, reads;
	struct vy_str here_string;
	struct vy_buf word;
	bool in_word, is_quoted;
	enum role role; /* of the next word */
	struct here heres[HERES_MAX];
	size_t n_heres;
	struct frame frames[FRAMES_MAX];
	size_t n_frames;
	struct pipe pipe;   /* what comes into the next command */
	size_t last_from;   /* where the last command, or group, began */
	size_t function;    /* a name was read: its number + 1 */
	struct vy_str name; /* of an array */
};

#define HERE_OPEN ((size_t)-1)

/* ---- words.c ---- */

void words_run(struct reader *r, char closer); /* reads up to `closer` or the end */
size_t words_new_shell(struct reader *r);

/* ---- words_chars.c ---- */

static inline char words_peek(const struct reader *r, size_t ahead)
{
	return r->at + ahead < r->in.n ? r->in.p[r->at + ahead] : '\0';
}

static inline void words_keep(struct reader *r, char ch)
{
	vy_buf_addc(&r->word, ch);
	r->in_word = true;
}

/* Each begins behind the character that it is about, and ends behind its end. */
void words_substitution(struct reader *r, char mark); /* $( <( >( */
void words_backquoted(struct reader *r, bool is_in_quotes);
void words_dollar(struct reader *r, bool is_in_quotes);
void words_double_quoted(struct reader *r);
void words_single_quoted(struct reader *r);
void words_arithmetic(struct reader *r);                  /* up to "))" */
bool words_is_arithmetic(struct reader *r, size_t ahead); /* from there on it ends in "))" */
void words_here_document(struct reader *r, const struct here *h);

#endif
