/* print.h -- frames as lines of text, as they come; the plainest of all views.
 *
 * What the assistant says goes to `text`, all else to `side` (NULL: nowhere); they may be the same.
 * With is_json a frame is one line of JSON on `text` instead. */
#ifndef CMD_PRINT_H
#define CMD_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "shared/frame/frame.h"

struct print {
	FILE *text, *side;
	bool is_json;
	bool is_mid_line; /* words of the assistant stand on the last line */
};

void print_frame(struct print *p, const struct vy_frame *f);
void print_end(struct print *p); /* ends a line that is open */

#endif
