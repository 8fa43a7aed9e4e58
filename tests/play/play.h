/* play.h -- a script being played: what main.c reads and the verbs act on (README.md has the words).
 *
 * `it` is what the last verb found: an RPC's result, the frame a wait met, what a command printed. */
#ifndef TESTS_PLAY_PLAY_H
#define TESTS_PLAY_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "tests/play/box.h"
#include "tests/play/viewer.h"
#include "tests/screen/words.h"

struct sitter;
struct term;

#define PLAY_VIEWERS 16
#define PLAY_DEEP    4

struct play {
	const char *path;
	char **lines;
	size_t n_lines, at;
	struct {
		size_t line;
		long left;
		char *name, *words; /* of each: owned; what is left of its words, NULL of repeat */
	} loops[PLAY_DEEP];
	int depth;

	struct box box;
	struct viewer *viewers[PLAY_VIEWERS];
	size_t n_viewers;
	struct sitter *sitters[PLAY_VIEWERS]; /* at terminals */
	size_t n_sitters;
	struct vy_json *vars; /* $NAME → string */
	struct vy_json *kept; /* transcripts */
	struct vy_json *it;
	struct term *screen; /* somebody sits there; NULL: nobody */
	int lock_fd;         /* of the database; 0: none */
	bool has_disk;       /* of its own, in our own name space */
	char *screen_command;
	unsigned screen_kills;
	unsigned pressed_again; /* return, since the words still stood there */
	const char *key;        /* of the next call; in the arena of the line before: copied */
	uint64_t random;
	int patience_ms;
	bool is_skipped;
	bool is_steady;   /* a vyred that fell is started again, what got no answer is said again */
	bool is_reviving; /* that is under way */
	bool is_sitting;  /* somebody is being attached to a terminal */
	unsigned cuts;    /* who left a terminal, since the storm began */
	struct vy_arena arena; /* of the line at hand */
	struct vy_buf why;     /* what went wrong */
};

typedef bool play_verb(struct play *p, const struct words *w);

struct play_entry {
	const char *name;
	int least; /* words behind it */
	play_verb *fn;
};

extern const struct play_entry verbs_box[], verbs_call[], verbs_rows[], verbs_view[], verbs_come[],
	verbs_plane[], verbs_tell[], verbs_store[], verbs_person[], verbs_chaos[], verbs_screen[],
	verbs_fault[], verbs_term[];

/* Says why a verb does not hold; returns false. */
bool play_fail(struct play *p, const char *fmt, ...) VY_PRINTF(2, 3);

/* ---- waiting: the world goes on meanwhile ---- */

typedef bool play_holds(struct play *p, void *ctx);
bool play_until(struct play *p, play_holds *holds, void *ctx); /* false: patience is over */
void play_pump(struct play *p, int ms);                        /* once, at most so long */

uint32_t play_random(struct play *p, uint32_t below);
void play_it(struct play *p, struct vy_json *own_value);
void play_set(struct play *p, const char *name, const char *value);

/* The indented lines behind the one at hand, tabs off; they are taken. In the arena. */
const char *play_body(struct play *p);

/* ---- verbs that others use ---- */

void play_resit(struct play *p);      /* who stays at a terminal comes back */
void play_end_screen(struct play *p); /* by SIGKILL; NULL is fine */

/* The result is `it`; false with the error as `it` (kind "" when nobody answered). */
bool play_call(struct play *p, const char *method, const char *params);
struct viewer *play_viewer(struct play *p, const char *name); /* NULL: said */
enum conn_form play_form(const struct words *w, int at);      /* the first word that is one */
bool play_open(struct play *p, struct viewer *v);             /* from where it stands */
bool play_is_settled(struct play *p, struct viewer *v, const char *state); /* NULL: any rest */
struct viewer *play_add_viewer(struct play *p, const char *name, const char *session,
	enum conn_form form); /* NULL: said */
/* The same of one that has a plane; 0, -1 nobody answered, or a status. */
int play_open_plane(struct play *p, struct viewer *v, const char *sock, int ms, struct vy_err *e);
/* Both were told the same, item by item, in the end. */
bool play_same_items(struct play *p, const struct viewer *a, const struct viewer *b);
struct vy_json *play_refusal(const struct conn *c, int status); /* {status, body} */
void play_reopen(struct play *p); /* who lost the server, comes back */
void play_rejoin(struct play *p); /* who was cut on $PROXY, comes back */
bool play_revive(struct play *p); /* steady, and vyred is gone: it is started */

#endif
