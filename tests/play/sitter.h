/* sitter.h -- somebody who sits at a terminal of a session: its stream, judged, and an emulator.
 *
 * Beside the emulator every byte is kept by its offset, from the first one that came on: what was
 * skipped (a screen took its place) is a hole, and how often that was is counted. */
#ifndef TESTS_PLAY_SITTER_H
#define TESTS_PLAY_SITTER_H

#include "shared/frame/term.h"
#include "shared/vt/vt.h"
#include "tests/play/conn.h"

#define SITTER_LOG_MAX (256u << 20)

struct sitter {
	char name[32], term[64];
	struct conn conn;
	struct vy_term_viewer at;
	struct vy_vt *vt;  /* NULL: no hello came */
	struct vy_buf log; /* of the shell's bytes since the last hole, */
	uint64_t log_from; /* … the first of them */
	unsigned cols,
		rows; /* what it said of its room; said again on each connection; 0: nothing */
	unsigned hellos, screens; /* those that came with one */
	bool is_slow;             /* its socket is not read */
	bool is_faithful;         /* comes back whenever it is cut */
	bool has_come;            /* a connection was made */
	bool is_light;            /* no emulator: what comes is kept alone */
	char why[256];            /* the first thing that was wrong; empty: nothing */
};

struct sitter *sitter_new(const char *name, const char *term);
void sitter_free(struct sitter *s);

/* 0, an HTTP status, or -1. The path is term.open's or term.attach's. */
int sitter_open(struct sitter *s, const char *sock, const char *path, int ms, struct vy_err *e);
void sitter_read(struct sitter *s);
void sitter_keys(struct sitter *s, struct vy_str keys);
void sitter_say(struct sitter *s, const struct vy_term_msg *m);

#endif
