/* gallery.h -- brings the pictures that are in sight.
 *
 * What the album wants next is fetched from the server piece by piece, developed by a child
 * (ink/develop.h), and, where the terminal draws pictures itself, sent there in small pieces
 * between paints: nothing here waits, and no piece is so large that a key would. One picture at a
 * time. Whether the terminal can is asked once, and known when its answers come. Loop thread only. */
#ifndef APP_GALLERY_H
#define APP_GALLERY_H

#include <stdbool.h>

#include "tui/app/settings.h"
#include "tui/ink/album.h"
#include "tui/input/key.h"

struct gallery;
struct rpc;
struct screen;
struct vy_loop;

struct gallery_conf {
	struct vy_loop *loop;
	struct rpc *rpc;
	struct screen *screen;
	struct album *album;
	const struct settings *settings;
	void (*changed)(void *ctx); /* the album is another: draw */
	void *ctx;
};

struct gallery *gallery_new(const struct gallery_conf *conf); /* all of it borrowed; asks */
void gallery_free(struct gallery *g);                      /* the terminal forgets; NULL is fine */
void gallery_open(struct gallery *g, const char *session); /* borrowed; the album was cleared */

/* Before each paint of so many rows: how pictures are shown here and now. */
void gallery_wear(struct gallery *g, int rows);
void gallery_event(struct gallery *g, const struct key_event *ev); /* any; the terminal's answers */
void gallery_turn(struct gallery *g); /* at the end of a loop turn: what can be done is done */
/* The terminal was another's, or is trusted no more: what it draws itself is sent again. */
void gallery_again(struct gallery *g);

#endif
