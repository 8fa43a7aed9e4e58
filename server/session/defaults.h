/* defaults.h -- what a session gets when nobody says: the model of its purpose, the prompts of the box
 * and of its project.
 *
 * A model is, in this order: the one that was asked for; the project's, set by a person, else of the
 * configuration; the purpose's, set by a person; [models] of the configuration; what is built in.
 * A choice says where it comes from. A prompt is a list of revisions, the newest of which counts;
 * taking an old one back makes a new one, so nothing is written over. Pure. */
#ifndef DEFAULTS_H
#define DEFAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

/* ---- models ---- */

#define DEFAULTS_PURPOSES 8

extern const char *const defaults_purposes[DEFAULTS_PURPOSES];

/* What people set: {"": {purpose: model}, project: {…}}. An empty model is the agent's own choice. */
struct vy_json *defaults_models_new(void);
/* model NULL: no more; project NULL: of all. */
void defaults_model_set(
	struct vy_json *set, const char *project, const char *purpose, const char *model);

/* What the configuration says of a purpose in a project's section (project NULL: in the general one):
 * true when it says anything; *model, "" for the agent's own choice. The general section has its
 * built-in value in *model when it says nothing. */
typedef bool defaults_file_fn(
	void *ctx, const char *project, const char *purpose, const char **model);

struct defaults_choice {
	const char *model; /* "": the agent's own choice; borrowed */
	const char *from;  /* project, set, config, default */
};

struct defaults_choice defaults_model(const struct vy_json *set, defaults_file_fn *file, void *ctx,
	const char *project, const char *purpose);

bool defaults_is_model(struct vy_str model); /* one word, no option; or empty */

/* ---- prompts: {rev, revs: [{rev, by, time, bytes}]}, newest first ---- */

#define DEFAULTS_REVS 50

struct vy_json *defaults_revs_new(void);
/* The number of the new one; *dropped: of one that is kept no more, 0 for none. */
int64_t defaults_rev_add(
	struct vy_json *revs, struct vy_str by, int64_t now_ms, size_t bytes, int64_t *dropped);
bool defaults_rev_is_kept(const struct vy_json *revs, int64_t rev);

/* What is appended to the agent's own prompt: the box's, the project's, the session's; those there
 * are, with an empty line between. */
void defaults_system(
	struct vy_str general, struct vy_str project, struct vy_str session, struct vy_buf *out);

#endif
