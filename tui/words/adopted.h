/* adopted.h -- a session and the terminal: the program it was left by, the command that goes on with it
 * there. Pure. */
#ifndef WORDS_ADOPTED_H
#define WORDS_ADOPTED_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"

/* "cd FOLDER && claude --resume ID", as a shell takes it, appended. Of a record, or of a row of
 * threads.adoptable. False: its agent has no such command, or has not begun a conversation. */
bool adopted_command(const struct vy_json *record, struct vy_buf *out);

/* Which program another's session was begun in; empty: it was begun here. */
struct vy_str adopted_from(const struct vy_json *record);

#endif
