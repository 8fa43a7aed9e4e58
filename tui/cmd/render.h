/* render.h -- frames as lines that a person can read, one after the other (vyre-tui tail).
 *
 * Text runs on as it comes; everything else is a line of its own, begun by a mark. All of it is
 * fit for a terminal. Pure: the state is what must be known of the frames before. */
#ifndef CMD_RENDER_H
#define CMD_RENDER_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/frame/frame.h"
#include "tui/cmd/flow.h"

struct render_tool;

struct render {
	bool is_ascii;
	bool is_spoken; /* words in place of marks: for who listens */
	bool has_asks;  /* asks are told by who asked for this */
	struct flow flow;
	bool is_open;              /* inside a running text */
	bool is_reasoning;         /* which is thought, not said */
	char *message;             /* of the running text; NULL */
	int64_t index;             /* its block */
	char last;                 /* the character before; '\n' at the start of a line */
	struct render_tool *tools; /* that have not finished */
	char *recent;              /* id of the tool whose line is the last one; NULL */
};

void render_init(struct render *r, bool is_ascii);
void render_fini(struct render *r);
void render_frame(struct render *r, const struct vy_frame *f, struct vy_buf *out);
/* A line of ours in between. */
void render_note(struct render *r, const char *text, struct vy_buf *out);

#endif
