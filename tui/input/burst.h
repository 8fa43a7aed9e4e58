/* burst.h -- a paste from a terminal that does not say so.
 *
 * Nobody types three lines in one read. Where pastes come in brackets this machine does nothing;
 * where none was ever seen, a chunk of bytes that only a paste can be is held, with what follows it
 * at once, and given out as one paste: so its line ends send nothing, and it is one edit. Owns no
 * clock: burst_wait_ms() and burst_timeout(), as key.h. Pure. */
#ifndef INPUT_BURST_H
#define INPUT_BURST_H

#include "tui/input/key.h"

struct burst {
	bool has_brackets; /* set by who sees a paste in brackets */
	bool is_on;
	bool was_cr;
	size_t total; /* bytes of it, also what was cut off */
	struct vy_buf held;
};

void burst_init(struct burst *b);
void burst_fini(struct burst *b);

/* True: the bytes are held, and no key. `is_ground`: the key machine is inside of nothing. What was
 * held before may be given out first, in this call. */
bool burst_takes(struct burst *b, struct vy_str bytes, bool is_ground, key_fn *emit, void *ctx);
int burst_wait_ms(const struct burst *b); /* -1: nothing is held */
void burst_timeout(struct burst *b, key_fn *emit, void *ctx);

#endif
