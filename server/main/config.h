/* config.h -- vyred.conf: one INI file, read into one value.
 *
 * Every key has a default, so a missing file is a valid configuration. A broken line fails with
 * one sentence that names file, line and what was expected, and changes nothing. Nothing here is
 * a secret: a key that looks like one is refused and pointed to `vyred secret set`. Pure but for
 * config_read, which reads the file. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/provider.h"
#include "shared/base/err.h"
#include "shared/base/log.h"
#include "shared/base/str.h"

#define CONFIG_PURPOSES 8

/* A model per purpose; `project` is NULL in [models], else the name of [models.PROJECT]. */
struct config_models {
	char *project;
	char *model[CONFIG_PURPOSES];  /* by config_purpose(), NULL: the agent's own choice */
	bool is_said[CONFIG_PURPOSES]; /* in the file; else it is the default */
};

struct config_slots {
	char *project; /* NULL: of the box, all projects together */
	int64_t teammate, subagent;
};

struct config {
	/* [server] */
	char *listen; /* "ADDR:PORT"; NULL: no TCP */
	char *tls_cert, *tls_key;
	bool is_full_durability;
	double retain_hours;
	int64_t resume_wait_seconds;
	enum vy_log_level log_level;
	/* [sessions] */
	double idle_minutes, orphan_hours;
	double terminal_hours; /* a terminal that is quiet and that nobody looks at stays so long; 0: for ever */
	int64_t max_live;
	bool warm_spare, agents_may_start;
	bool goes_on_after_interrupt; /* queue_after_interrupt=go */
	bool goes_on_after_limit;     /* queue_after_limit=go */
	char *user;                   /* whom agents run as; NULL: vyred's own */
	/* [slots], [models] and their projects; the first of each is the general one */
	struct config_slots *slots;
	size_t n_slots;
	struct config_models *models;
	size_t n_models;
	/* [provider.NAME]; claude and demo are always there */
	struct provider_conf *providers;
	size_t n_providers;
};

/* All defaults; hand it back with config_free. */
struct config *config_new(void);
void config_free(struct config *c); /* NULL is fine */

/* config_file.c. Reads `text`; `path` is for the sentences only. NULL on failure. */
struct config *config_parse(const char *path, struct vy_str text, struct vy_err *e);

/* Reads the file. A file that is not there gives the defaults, unless `must_exist`. */
struct config *config_read(const char *path, bool must_exist, struct vy_err *e);

/* The one of that name, made when there is none. Valid until the next one is made. */
struct provider_conf *config_provider_add(struct config *c, const char *name);

/* NULL when no provider has that name. */
const struct provider_conf *config_provider(const struct config *c, const char *name);

/* The model for a purpose in a project (either may be NULL); NULL: the agent's own default. */
const char *config_model(const struct config *c, const char *project, const char *purpose);

/* How many of a kind ("teammate", "subagent") may work at once; project NULL: on the box. 0: no limit, or
 * none of its own. */
int64_t config_slots(const struct config *c, const char *kind, const char *project);

/* What that very section says (project NULL: [models]): true when it says anything, *model "" for the
 * agent's own choice. What [models] does not say has its default in *model. */
bool config_model_said(
	const struct config *c, const char *project, const char *purpose, const char **model);

/* Index of a purpose's name in config_models.model, -1 when there is none. */
int config_purpose(const char *name);

#endif
