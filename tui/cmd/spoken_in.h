/* spoken_in.h -- what the two halves of spoken*.c share. */
#ifndef CMD_SPOKEN_IN_H
#define CMD_SPOKEN_IN_H

#include <stdbool.h>

#include "tui/cmd/spoken.h"

void spoken_head(const struct vy_ask *a, struct vy_buf *out);  /* what is asked */
const struct vy_json *spoken_question(const struct spoken *s); /* at hand; NULL: it is no form */
size_t spoken_choices(const struct spoken *s);                 /* of the question at hand */
bool spoken_is_free(const struct vy_json *question); /* the last choice: one's own words */
bool spoken_is_scope(struct vy_str word);            /* session, project, user: typed as they are */

#endif
