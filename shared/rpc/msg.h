/* msg.h -- what the server says is wrong, as an id and what stands in its places (msgs.def).
 *
 * An error is made with a sentence (vy_fail); which one of the table that is, is known by its
 * format. What was put in is read back out of the text, so no caller has to say it twice. A
 * sentence that is in no table has no id, and the wire's kind stands for it. Pure; any thread. */
#ifndef VY_RPC_MSG_H
#define VY_RPC_MSG_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct vy_msg {
	const char *id, *text; /* text: a format of vy_fail() */
};

size_t vy_msg_len(void);
const struct vy_msg *vy_msg_at(size_t i);
const struct vy_msg *vy_msg_of(const struct vy_err *e); /* NULL: none of the table */
const struct vy_msg *vy_msg_find(struct vy_str id);     /* NULL: a server's that knows more */

/* {"1": …, "2": …}: what stands in the places of `format` in `text`; "{}" when it is cut or is not
 * of that format. Appended. */
void vy_msg_args(const char *format, struct vy_str text, struct vy_buf *out);

/* The other way: a format, perhaps translated ("%2$s" says which), with its places filled. False,
 * and nothing appended, when a place has nothing to be filled with. */
bool vy_msg_print(const char *format, const struct vy_json *args, struct vy_buf *out);

#endif
