/* keys_world.h -- the client's heart in a script: keys and frames in, effects and the screen's words out.
 *
 * A script is lines: "key NAME", "type WORDS", "paste WORDS" (a backslash is a line's end),
 * "wait MS", "status STATE [NOTE]", "queued ID WORDS", "picked ID WORDS", "held", "rewound ID {to: N}", "ask ID", "answered ID",
 * "vim" (vi's keys from now on), "shape bar" or "block" (the cursor's), "down", "live" and "no-server WORDS" (the line to the server), "reply
 * JSON" and "fail WORDS" (the server, to the newest question), "threads N" (it tells of so many
 * sessions), "size COLUMNS ROWS", "click X Y", "wheel LINES X Y", "focus in" or "out", "open SESSION",
 * "see WORDS" (they stand on the screen), "not WORDS" (they do not). What comes out is each effect as
 * a line. */
#ifndef TESTS_KEYS_WORLD_H
#define TESTS_KEYS_WORLD_H

#include "tests/check.h"
#include "tui/app/state.h"

struct keys_world {
	struct app_state s;
	struct cell_grid grid;
	struct screen_cursor cursor;
	struct vy_buf out;
	struct app_tag tag; /* of the newest question to the server */
	int64_t now;
	uint64_t cur;
};

void keys_init(struct keys_world *w);
void keys_fini(struct keys_world *w);
void keys_line(struct keys_world *w, const char *name, char *text);
bool keys_frame_line(struct keys_world *w, const char *verb, const char *a, char *b);
void keys_frame(struct keys_world *w, struct vy_frame *f);
void keys_paint(struct keys_world *w, struct vy_buf *text);

/* A whole script; what came out is the caller's. */
char *keys_play(const char *name, const char *script);

struct keys_row {
	const char *name, *script, *out;
};
void keys_check(const struct keys_row *rows, size_t n);

/* ---- what a server answers ---- */

#define MODELS                                                                                     \
	"reply {\"model\":\"opus\",\"models\":[{\"id\":\"opus\",\"name\":\"Opus\"},"               \
	"{\"id\":\"small\",\"name\":\"Small\",\"text\":\"quick\"}]}\n"

#define THREADS                                                                                    \
	"reply "                                                                                   \
	"{\"threads\":[{\"session\":\"s1\",\"title\":\"here\",\"state\":\"idle\",\"cwd\":\"/"      \
	"src\",\"updated\":9000},"                                                                 \
	"{\"session\":\"s2\",\"title\":\"bench\",\"state\":\"running\",\"cwd\":\"/"                \
	"src\",\"updated\":8000},"                                                                 \
	"{\"session\":\"s3\",\"title\":\"docs\",\"state\":\"waiting\",\"asks\":2,\"cwd\":\"/"      \
	"w\",\"updated\":1}]}\n"

#define COMMANDS                                                                                   \
	"reply {\"commands\":[{\"name\":\"cost\",\"text\":\"what it cost\","                       \
	"\"kind\":\"agent\"},{\"name\":\"review\",\"text\":\"look at it\",\"hint\":\"what\","      \
	"\"kind\":\"person\"},{\"name\":\"clear\",\"text\":\"\",\"kind\":\"agent\"}],\"fresh\":"   \
	"true}\n"
#define FILES                                                                                      \
	"reply {\"files\":[{\"path\":\"src/main.c\",\"kind\":\"file\"},{\"path\":\"README\","      \
	"\"kind\":\"file\"},{\"path\":\"tests\",\"kind\":\"dir\"},{\"path\":\"tests/a.t\","        \
	"\"kind\":\"file\"}],\"more\":false,\"git\":true}\n"
#define MANY "reply {\"files\":[{\"path\":\"a.c\",\"kind\":\"file\"}],\"more\":true}\n"

#define LIST "query threads.list {}\n"
/* What opening the switcher asks: what other programs left, too. */
#define SWITCHER "query threads.adoptable {\"limit\":500}\n" LIST
#define COLUMN   "size 120 30\nsee sessions\n" THREADS /* its question is answered */

#define X10  "xxxxxxxxxx"
#define X90  X10 X10 X10 X10 X10 X10 X10 X10 X10
#define CODE "says m1 Look:\\\\```\\START" X90 "END\\```\n"
#define SAID "picked u1 one\nsays m1 yes\npicked u2 two\nsays m2 no\nstatus waiting\n"

#endif
