/* crowd.h -- who looks at a terminal: whose keys count, and which size it has (wire 15).
 *
 * The size is the smallest of each side over those who look, until one takes: then that one's while it
 * looks. One holds the keyboard: the opener at first, then who took it last; when that one leaves, the
 * one that is left does; of several nobody until one takes, the next one comes, or that one comes again: a claim goes before who has it
 * only because nobody had. A
 * terminal that nobody looks at keeps its size. Viewers are numbers that their owner gives. Pure. */
#ifndef TERM_CROWD_H
#define TERM_CROWD_H

#include <stdbool.h>
#include <stddef.h>

#define CROWD_MAX 32

struct crowd_one {
	unsigned id;         /* never 0 */
	unsigned cols, rows; /* 0: it did not say yet */
};

struct crowd {
	struct crowd_one all[CROWD_MAX];
	size_t n;
	unsigned keys;  /* who holds the keyboard; 0: nobody */
	bool is_taken;  /* … since it opened, took or claimed it */
	unsigned taken; /* whose size counts alone; 0: everybody's */
};

/* false: there are too many. */
bool crowd_add(struct crowd *c, unsigned id, bool claims_keys);
void crowd_del(struct crowd *c, unsigned id);
void crowd_resize(struct crowd *c, unsigned id, unsigned cols, unsigned rows);
void crowd_take(struct crowd *c, unsigned id);
bool crowd_has_keys(const struct crowd *c, unsigned id);
/* false: nobody said one, so it stays as it is. */
bool crowd_size(const struct crowd *c, unsigned *cols, unsigned *rows);

#endif
