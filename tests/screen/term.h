/* term.h -- a program in a terminal of its own: a PTY on one side, the emulator on the other. */
#ifndef TESTS_SCREEN_TERM_H
#define TESTS_SCREEN_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/buf.h"
#include "shared/vt/vt.h"
#include "tests/screen/graphics.h"

struct term {
	struct vy_vt *vt;
	pid_t pid; /* 0: none was started */
	int fd;    /* the PTY; -1 once it is closed */
	bool has_ended;
	bool is_drained; /* nobody has the other side open: all was read */
	int status;      /* of waitpid, when it has ended */
	int64_t last_ms; /* when it last wrote */
	int64_t bytes;   /* that it wrote so far */
	size_t bells;
	struct vy_buf clipboard;
	struct vy_buf osc; /* the last other one, "9;text" */
	struct graphics graphics;
};

int64_t term_now(void);
void term_init(struct term *t, int cols, int rows, uint32_t background);
void term_fini(struct term *t); /* ends the program and all of its group */

void term_set_background(struct term *t, uint32_t background); /* what it answers from now on */

/* Starts `sh -c "exec COMMAND"` with just this environment. */
void term_start(struct term *t, const char *command, char *const env[]);
void term_pump(struct term *t, int ms);               /* takes in what comes within that time */
bool term_is_steady(const struct term *t);            /* not in the middle of a frame */
void term_write(struct term *t, struct vy_str bytes); /* to the program */
void term_resize(struct term *t, int cols, int rows);

/* The visible rows as text, "\n" behind each, trailing blanks off. */
void term_text(const struct term *t, struct vy_buf *out);
/* Glyph and style lanes with a legend, as tui/ink/screen_dump.c makes them. */
void term_snapshot(const struct term *t, struct vy_buf *out);

#endif
