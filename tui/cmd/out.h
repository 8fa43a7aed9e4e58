/* out.h -- where a command prints: stdout, and stderr for a person who looks on.
 *
 * Text of others reaches a terminal only with its control bytes made visible, JSON only with them
 * escaped; into a file or a pipe it goes as it is. Printed at once or at the next out_flush();
 * when nobody reads any more (EPIPE) is_broken is set and the rest is dropped. */
#ifndef CMD_OUT_H
#define CMD_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct out {
	bool is_tty;     /* stdout */
	bool is_err_tty; /* stderr: progress may go there */
	bool is_ascii;   /* the terminal's character set has no marks of ours */
	bool is_broken;
	size_t cols; /* of the terminal; 0: not one */
	struct vy_buf text;
};

void out_init(struct out *o);
void out_fini(struct out *o); /* flushes */

void out_add(struct out *o, struct vy_str text); /* made visible where it must be */
void out_addf(struct out *o, const char *fmt, ...) VY_PRINTF(2, 3); /* the same */
void out_raw(struct out *o, struct vy_str text);                    /* it is fit already */
void out_json(struct out *o, const struct vy_json *v);              /* one line */
void out_json_line(struct out *o, struct vy_str json);              /* encoded already */

/* Words of a row, owned: one line, visible, not longer than `cells`; the title of a session's record;
 * a folder, with ~ for home. */
char *out_fit(struct vy_str text, size_t cells);
char *out_title(const struct vy_json *record);
char *out_folder(struct vy_str path);
char *out_age(int64_t ms); /* "now", "3 min", "2 h", "5 d" */

/* 0, or -1 when nobody reads any more or the disk is full. */
int out_flush(struct out *o);

/* A line on stderr, only when that is a terminal. */
void out_progress(struct out *o, const char *fmt, ...) VY_PRINTF(2, 3);
/* A line on stderr in any case. */
void out_say(struct out *o, const char *fmt, ...) VY_PRINTF(2, 3);

#endif
