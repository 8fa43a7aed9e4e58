/* spoken.h -- an ask for who listens: lines of plain words with numbers, answered by typing one.
 *
 * A permission and a plan are one line a choice; a form is one question after the other, several
 * numbers where several may be chosen, and words of one's own where they are taken: they are asked
 * for, so no other line is ever an answer. What was skipped is left out. A value; init/fini.
 * Pure. */
#ifndef CMD_SPOKEN_H
#define CMD_SPOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/model/ask.h"

struct spoken {
	char *ask;                 /* its id; NULL: none is at hand */
	struct vy_json *options;   /* [] of a form */
	struct vy_json *questions; /* NULL of others */
	struct vy_json *answers;   /* {question: label | [labels]} so far */
	struct vy_json *picked;    /* labels of the question at hand, while words are wanted too */
	struct vy_buf head;        /* what is asked, in words; of a form: nothing */
	size_t at;                 /* question at hand */
	size_t words_for;          /* number of the choice that wants words; 0: none does */
	bool is_over;              /* answered: no line is one any more */
};

enum spoken_outcome {
	SPOKEN_NOTHING, /* the line is no answer */
	SPOKEN_NOTE,    /* nothing was answered yet: `note` says what is wanted */
	SPOKEN_NEXT,    /* the next question: print it */
	SPOKEN_ANSWER   /* `own_params` are those of threads.answer */
};

void spoken_init(struct spoken *s);
void spoken_fini(struct spoken *s);

/* The ask at hand from now on; NULL: none. */
void spoken_take(struct spoken *s, const struct vy_ask *a);
/* What is asked and its choices, fit for a terminal, appended. */
void spoken_print(const struct spoken *s, struct vy_buf *out);
/* How to answer it, appended: one line without its end. */
void spoken_hint(const struct spoken *s, struct vy_buf *out);

enum spoken_outcome spoken_line(
	struct spoken *s, struct vy_str line, struct vy_json **own_params, const char **note);

#endif
