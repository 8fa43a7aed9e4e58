/* screen_backend.h -- for the back ends of screen.h only: what one has to do.
 *
 * A back end embeds struct screen first. Verbs it does not need are NULL. */
#ifndef INK_SCREEN_BACKEND_H
#define INK_SCREEN_BACKEND_H

#include "tui/ink/screen.h"

struct screen_ops {
	void (*close)(struct screen *s);
	int (*suspend)(struct screen *s, struct vy_err *e);
	int (*resume)(struct screen *s, struct vy_err *e);
	void (*size)(struct screen *s, int *cols, int *rows);
	void (*cell)(const struct screen *s, int *w, int *h);
	int (*fd)(const struct screen *s);
	struct theme_env (*theme_env)(const struct screen *s);
	bool (*is_pending)(const struct screen *s);
	void (*set_theme)(struct screen *s, struct theme t);
	void (*set_mouse)(struct screen *s, bool on);
	int (*present)(struct screen *s, const struct cell_grid *g, struct screen_cursor c,
		struct vy_err *e);
	int (*flush)(struct screen *s, struct vy_err *e);
	void (*redraw)(struct screen *s);
	void (*send)(struct screen *s, struct vy_str bytes);
};

struct screen {
	const struct screen_ops *ops;
	struct theme theme; /* as it was set last */
};

#endif
