/* draft.h -- what stands in a composer, as a document to keep.
 *
 *	{"parts": ["look at ", {"pasted": "…"}, " and ", {"image": {"mime", "b64", "w", "h"}}], "at": 12}
 *
 * "at" is the cursor, a byte of the text as edit_text() gives it. Pure. */
#ifndef VIEW_DRAFT_H
#define VIEW_DRAFT_H

#include "shared/base/json.h"
#include "tui/view/composer.h"

/* NULL: nothing stands there. */
struct vy_json *draft_pack(const struct composer *c);
/* Puts it there: the text as it was, its chips as chips; undo brings back what it takes the place
 * of. False, and nothing changed, when the document is none. */
bool draft_unpack(struct composer *c, const struct vy_json *doc);

#endif
