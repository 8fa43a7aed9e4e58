/* look.h -- how things look the same wherever they are shown: states, ages, folders, lines. Pure. */
#ifndef APP_LOOK_H
#define APP_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/model/state.h"
#include "tui/ink/cell.h"
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

/* Text of the server's or an agent's on one line, at most `cells` wide; the cells it takes. */
int look_line(struct cell_win w, int x, int y, struct vy_str text, int cells, struct cell_style s);
/* What does not fit goes by whole hints (two blanks are between), from the end: half a hint is none. */
void look_fit(struct vy_buf *hints, struct cell_pool *pool, int cells);

#endif
