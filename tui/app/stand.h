/* stand.h -- how the session at hand stands beside its state (words/standing.h), and what of a limit of
 * use is spent: from its record, sooner from a status. Pure. */
#ifndef APP_STAND_H
#define APP_STAND_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "tui/words/standing.h"

struct look;
struct app_state;
struct vy_frame;
struct vy_json;

struct stand {
	struct standing how;
	char *limit; /* the kind of the limit that is nearest its end; owned; NULL */
	double used; /* of it, 0 to 1 */
	int64_t resets;
	char *project; /* owned; NULL: none */
};

void stand_fini(struct stand *st);
void stand_clear(struct stand *st);
void stand_record(struct app_state *s, const struct vy_json *record);
void stand_status(struct app_state *s, const struct vy_frame *status);

/* How it is, if its state leaves that open; PLAIN else. */
enum standing_kind stand_kind(const struct app_state *s);
/* A look over that of the state; false: that one. The word is appended to `word`. */
bool stand_look(const struct app_state *s, bool is_short, struct look *look, struct vy_buf *word);
/* Of a row of a list: its mark and role, over those of its state. */
void stand_look_of(const struct standing *how, struct look *look);
/* Per cent of a limit that are used, from 80 on; 0: less, or that is said otherwise. */
int stand_near_limit(const struct app_state *s);
/* "five-hour limit" of the wire's "five_hour"; owned by the catalogue, or `kind` itself. */
const char *stand_limit_name(const char *kind);

#endif
