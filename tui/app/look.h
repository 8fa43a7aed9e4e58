/* look.h -- how a session's state is shown wherever it is: a mark, a word, a colour. Pure. */
#ifndef APP_LOOK_H
#define APP_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/model/state.h"
#include "tui/ink/theme.h"

struct look {
	const char *mark, *word; /* one cell; in the person's language */
	enum theme_role role;
	bool counts; /* how long it has been so is worth a number */
};

struct look look_of(enum vy_state state, bool is_stopping);

/* "now", "3 min", "2 h", "5 d": how long ago. */
void look_age(int64_t ms, char *out, size_t room);
/* A folder with the home shortened to "~"; home may be NULL. Appends. */
void look_folder(const char *cwd, const char *home, struct vy_buf *out);

#endif
