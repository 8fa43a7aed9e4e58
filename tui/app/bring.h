/* bring.h -- what comes into the composer from outside: an editor, the clipboard, files.
 *
 * The state asks by effects, what comes goes to app_attach() or into the text. Loop thread only;
 * the editor blocks, as it has the terminal meanwhile. */
#ifndef APP_BRING_H
#define APP_BRING_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "tui/app/state.h"

struct bring;
struct screen;
struct vy_loop;

struct bring_conf {
	struct vy_loop *loop;
	struct app_state *state;
	struct screen *screen;
	const char *state_dir;
	bool is_local;              /* the agent sees this machine's files */
	void (*changed)(void *ctx); /* the state is another: draw */
	void *ctx;
};

struct bring *bring_new(const struct bring_conf *conf); /* all of it borrowed */
void bring_free(struct bring *b);                       /* NULL is fine */

/* -1: the terminal could not be taken back. */
VY_MUST_USE int bring_editor(struct bring *b);
/* Another text in $EDITOR; saved, app_edited() has it and its effects are in `fx`. */
VY_MUST_USE int bring_edit(
	struct bring *b, const char *was, struct app_tag tag, struct app_effects *fx);
void bring_clipboard(struct bring *b);
/* The picture of this path, in place of so many bytes before the cursor; nothing when it is none. */
void bring_picture(struct bring *b, const char *path, size_t instead_of);
/* A paste that no message holds becomes a file, and its path stands in the text. */
void bring_paste(struct bring *b, struct vy_str text);

#endif
