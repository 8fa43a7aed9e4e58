/* flow.h -- text that comes in pieces, made fit for a terminal as it comes.
 *
 * What a character means may depend on its neighbours (a joiner between two pictographs is fine,
 * alone it is shown as a mark), so the last cluster waits for what follows it. The pieces that come
 * out are together what vy_utf8_visible() makes of the whole. Pure. */
#ifndef CMD_FLOW_H
#define CMD_FLOW_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

struct flow {
	struct vy_buf held;
	bool is_raw; /* nobody will obey it: through as it is */
};

void flow_init(struct flow *f, bool is_raw);
void flow_fini(struct flow *f);
void flow_add(struct flow *f, struct vy_str text, struct vy_buf *out);
void flow_end(struct flow *f, struct vy_buf *out); /* no more comes: what waited goes out */

#endif
