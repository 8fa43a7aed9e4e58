/* marks.h -- what a terminal's shell says of itself: a command begins, it has ended, with what, where.
 *
 * Believed is only a report with the terminal's key, which the shell has from our wrapper (rc.h) and
 * nobody else: what a program prints cannot be taken for one, whatever it is, and plain marks (OSC 133)
 * change nothing. While no such report ever came (another shell, or one that went over to another) a
 * line that was typed counts when it is certain: its keys are letters and rubbing out, it began behind
 * the very prompt the first one began behind, and the terminal shows just that line behind it. So what
 * is not echoed, or answers another question than the prompt, is never a command; nor is a line that a
 * history, a completion or the cursor had to do with.
 *
 * A machine: bytes and keys in, events out. State that must outlive a vyred encodes; the typed line does
 * not, and is wiped as soon as it is settled. Redaction is the caller's. Pure. */
#ifndef TERM_MARKS_H
#define TERM_MARKS_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define MARKS_KEY_LEN     32 /* of a key, in hex */
#define MARKS_COMMAND_MAX (16 * 1024)

enum marks_kind {
	MARKS_BEGAN, /* a command, told once */
	MARKS_ENDED, /* the one that began: where its shell knows */
	MARKS_AT     /* the shell is in another folder */
};

struct marks_event {
	enum marks_kind kind;
	struct vy_str command; /* valid UTF-8, may have line ends; began, ended */
	const char *via;       /* "shell", "typed"; began, ended */
	bool has_exit;
	int exit;
	struct vy_str cwd; /* at */
};

typedef void marks_fn(void *ctx, const struct marks_event *ev);

struct marks;

struct marks *marks_new(const char *key); /* "" or NULL: there is none, only what is typed counts */
void marks_free(struct marks *m);
void marks_hear(struct marks *m, struct vy_str bytes, marks_fn *fn, void *ctx); /* of the shell */
void marks_type(struct marks *m, struct vy_str keys);                           /* of a person */

struct vy_json *marks_encode(const struct marks *m);
struct marks *marks_decode(const struct vy_json *o); /* NULL: it is none */

#endif
