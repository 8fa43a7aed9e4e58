/* config_keys.c -- see config_keys.h.
 *
 * Plain keys are facts in one table: section, key, how to read it, where it goes. Sections with a
 * name of their own (slots, models, providers) have a reader each. */
#include "server/main/config_keys.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "server/io/secret.h"
#include "server/provider/auth.h"
#include "server/wire/gate.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- kinds of values ---- */

static int read_text(const char *key, const char *value, void *at, struct vy_err *e)
{
	char **s = at;

	(void)key;
	(void)e;
	free(*s);
	*s = *value ? vy_strdup(value) : NULL;
	return 0;
}

static int read_listen(const char *key, const char *value, void *at, struct vy_err *e)
{
	struct gate_addr where;

	return *value && gate_parse(vy_str_c(value), &where, e) != 0 ? -1
								     : read_text(key, value, at, e);
}

/* A guard that is asked for and not there is worse than none. */
static int read_tls(const char *key, const char *value, void *at, struct vy_err *e)
{
	return *value ? vy_fail(e, VY_BAD_INPUT,
				"%s: this vyred does not speak TLS yet: come in through ssh", key)
		      : read_text(key, value, at, e);
}

/* Whether there is such a user, and vyred may become it, is seen when it is looked up. */
static int read_user(const char *key, const char *value, void *at, struct vy_err *e)
{
	size_t n = strlen(value);

	return n > 32 || strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_-") != n ||
			       (n > 0 && strchr("-0123456789", value[0]))
		       ? vy_fail(e, VY_BAD_INPUT, "%s: expected the name of a user, got \"%s\"",
				 key, value)
		       : read_text(key, value, at, e);
}

static int read_bool(const char *key, const char *value, void *at, struct vy_err *e)
{
	bool yes = strcmp(value, "yes") == 0;

	if (!yes && strcmp(value, "no") != 0) {
		return vy_fail(e, VY_BAD_INPUT, "%s: expected yes or no, got \"%s\"", key, value);
	}
	*(bool *)at = yes;
	return 0;
}

static int read_count(const char *key, const char *value, void *at, struct vy_err *e)
{
	long long n;

	if (!vy_parse_i64(vy_str_c(value), &n) || n < 0 || n > 1000000) {
		return vy_fail(e, VY_BAD_INPUT,
			"%s: expected a whole number from 0 to 1000000, got \"%s\"", key, value);
	}
	*(int64_t *)at = n;
	return 0;
}

static int read_amount(const char *key, const char *value, void *at, struct vy_err *e)
{
	char *end;
	double d = strtod(value, &end);

	if (!*value || *end || !isfinite(d) || d < 0 || d > 1000000) {
		return vy_fail(e, VY_BAD_INPUT,
			"%s: expected a number from 0 to 1000000, got \"%s\"", key, value);
	}
	*(double *)at = d;
	return 0;
}

static int read_level(const char *key, const char *value, void *at, struct vy_err *e)
{
	if (!vy_log_parse_level(value, at)) {
		return vy_fail(e, VY_BAD_INPUT,
			"%s: expected debug, info, warn, error or none, got \"%s\"", key, value);
	}
	return 0;
}

static int read_words(const char *key, const char *value, const char *no, const char *yes, void *at,
	struct vy_err *e)
{
	if (strcmp(value, no) != 0 && strcmp(value, yes) != 0) {
		return vy_fail(
			e, VY_BAD_INPUT, "%s: expected %s or %s, got \"%s\"", key, no, yes, value);
	}
	*(bool *)at = strcmp(value, yes) == 0;
	return 0;
}

static int read_durability(const char *key, const char *value, void *at, struct vy_err *e)
{
	return read_words(key, value, "normal", "full", at, e);
}

static int read_hold_or_go(const char *key, const char *value, void *at, struct vy_err *e)
{
	return read_words(key, value, "hold", "go", at, e);
}

static const struct plain_key {
	const char *section, *key;
	int (*read)(const char *key, const char *value, void *at, struct vy_err *e);
	size_t at;
} plain_keys[] = {
#define KEY(section, key, read, member)                                                            \
	{                                                                                          \
		section, key, read, offsetof(struct config, member)                                \
	}
	KEY("server", "listen", read_listen, listen),
	KEY("server", "tls_cert", read_tls, tls_cert),
	KEY("server", "tls_key", read_tls, tls_key),
	KEY("server", "durability", read_durability, is_full_durability),
	KEY("server", "retain_hours", read_amount, retain_hours),
	KEY("server", "resume_wait_seconds", read_count, resume_wait_seconds),
	KEY("server", "log_level", read_level, log_level),
	KEY("sessions", "idle_minutes", read_amount, idle_minutes),
	KEY("sessions", "orphan_hours", read_amount, orphan_hours),
	KEY("sessions", "terminal_hours", read_amount, terminal_hours),
	KEY("sessions", "max_live", read_count, max_live),
	KEY("sessions", "warm_spare", read_bool, warm_spare),
	KEY("sessions", "agents_may_start", read_bool, agents_may_start),
	KEY("sessions", "queue_after_interrupt", read_hold_or_go, goes_on_after_interrupt),
	KEY("sessions", "queue_after_limit", read_hold_or_go, goes_on_after_limit),
	KEY("sessions", "user", read_user, user),
#undef KEY
};

/* ---- sections with a name of their own ---- */

static struct config_slots *slots_of(struct config *c, const char *project)
{
	size_t i = project ? 1 : 0;

	while (i < c->n_slots && project && strcmp(c->slots[i].project, project) != 0) {
		i++;
	}
	if (i == c->n_slots) {
		c->slots = vy_realloc(c->slots, (i + 1) * sizeof(*c->slots));
		/* what it does not say is bounded by the box alone */
		c->slots[i] = (struct config_slots){ .project = vy_strdup(project) };
		c->n_slots++;
	}
	return &c->slots[i];
}

static int read_slot(
	struct config_slots *slots, const char *key, const char *value, struct vy_err *e)
{
	if (strcmp(key, "teammate") == 0) {
		return read_count(key, value, &slots->teammate, e);
	}
	if (strcmp(key, "subagent") == 0) {
		return read_count(key, value, &slots->subagent, e);
	}
	return vy_fail(e, VY_BAD_INPUT,
		"no key %s in a slots section: expected teammate or subagent", key);
}

static struct config_models *models_of(struct config *c, const char *project)
{
	size_t i = project ? 1 : 0;

	while (i < c->n_models && project && strcmp(c->models[i].project, project) != 0) {
		i++;
	}
	if (i == c->n_models) {
		c->models = vy_realloc(c->models, (i + 1) * sizeof(*c->models));
		memset(&c->models[i], 0, sizeof(c->models[i]));
		c->models[i].project = vy_strdup(project);
		c->n_models++;
	}
	return &c->models[i];
}

static int read_model(
	struct config_models *models, const char *key, const char *value, struct vy_err *e)
{
	int purpose = config_purpose(key);

	if (purpose < 0) {
		return vy_fail(e, VY_BAD_INPUT,
			"no purpose %s: expected chat, agent, project, capsule, job, memory, "
			"planner or learn",
			key);
	}
	if (*value == '-' || strpbrk(value, " \t")) {
		return vy_fail(e, VY_BAD_INPUT, "%s: expected the name of one model, got \"%s\"",
			key, value);
	}
	models->is_said[purpose] = true;
	return read_text(key, value, &models->model[purpose], e);
}

static bool looks_secret(const char *name)
{
	static const char *const words[] = { "KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL" };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strcasestr(name, words[i])) {
			return true;
		}
	}
	return false;
}

static int read_env(struct provider_conf *p, const char *name, const char *value, struct vy_err *e)
{
	if (!*name || strchr(name, '=')) {
		return vy_fail(
			e, VY_BAD_INPUT, "env.: expected the name of a variable behind the dot");
	}
	if (looks_secret(name)) {
		return vy_fail(e, VY_BAD_INPUT,
			"env.%s looks like a secret: keep it with `vyred secret set`, not in "
			"this file",
			name);
	}
	struct vy_json *env = p->env ? (struct vy_json *)(uintptr_t)p->env : vy_json_new_obj();

	vy_json_set_c(env, name, value);
	p->env = env;
	return 0;
}

static int set_word(const char **at, const char *value)
{
	free((char *)(uintptr_t)*at);
	*at = *value ? vy_strdup(value) : NULL;
	return 0;
}

/* The driver knows best what it may not be told; it is asked once both words are there. */
static int ask_driver(const struct provider_conf *p, struct vy_err *e)
{
	const struct provider_ops *ops = p->kind ? provider_find(p->kind) : NULL;
	struct vy_arena a;
	int rc = 0;

	if (!ops || !p->args) {
		return 0;
	}
	vy_arena_init(&a);
	const char *bad = ops->bad_arg(p->args, &a);

	if (bad) {
		rc = vy_fail(e, VY_BAD_INPUT,
			"args: \"%s\" is not for [provider.%s] to say: vyre gives it itself, or "
			"never",
			bad, p->name);
	}
	vy_arena_fini(&a);
	return rc;
}

static int read_kind(struct provider_conf *p, const char *value, struct vy_err *e)
{
	VY_AUTO_BUF known = VY_BUF_INIT(1024);

	if (provider_find(value)) {
		set_word(&p->kind, value);
		return ask_driver(p, e);
	}
	for (const struct provider_ops *const *ops = provider_all(); *ops; ops++) {
		vy_buf_addf(&known, "%s%s", known.len ? " or " : "", (*ops)->kind);
	}
	return vy_fail(e, VY_BAD_INPUT,
		"kind: there is no driver \"%s\" in this build: expected %s", value,
		vy_buf_c(&known));
}

/* What pays when the other cannot is another one. */
static int two_ways(const struct provider_conf *p, struct vy_err *e)
{
	return p->fallback && strcmp(p->fallback, auth_of(p)) == 0
		       ? vy_fail(e, VY_BAD_INPUT,
				 "fallback: %s is what auth says already: expected another one, or "
				 "none",
				 p->fallback)
		       : 0;
}

static int read_auth(struct provider_conf *p, const char *value, struct vy_err *e)
{
	if (!auth_is(value)) {
		return vy_fail(e, VY_BAD_INPUT,
			"auth: expected login, setup-token or api-key, got \"%s\"", value);
	}
	set_word(&p->auth, value);
	return two_ways(p, e);
}

static int read_fallback(struct provider_conf *p, const char *value, struct vy_err *e)
{
	bool is_none = strcmp(value, "none") == 0;

	if (!is_none && !auth_has_secret(value)) {
		return vy_fail(e, VY_BAD_INPUT,
			"fallback: expected api-key, setup-token or none, got \"%s\"", value);
	}
	set_word(&p->fallback, is_none ? "" : value);
	return two_ways(p, e);
}

static int read_secret(const char **at, const char *key, const char *value, struct vy_err *e)
{
	return *value && !secret_is_name(value)
		       ? vy_fail(e, VY_BAD_INPUT,
				 "%s: expected the name of a secret, up to 64 of a-z, 0-9, \"-\", "
				 "\"_\" and \".\": what it is, `vyred secret set` reads",
				 key)
		       : set_word(at, value);
}

static int read_provider(
	struct provider_conf *p, const char *key, const char *value, struct vy_err *e)
{
	if (strcmp(key, "kind") == 0) {
		return read_kind(p, value, e);
	}
	if (strcmp(key, "command") == 0) {
		if (*value != '/' && strchr(value, '/')) {
			return vy_fail(e, VY_BAD_INPUT,
				"command: expected the name of a program or an absolute path, got "
				"\"%s\"",
				value);
		}
		return set_word(&p->command, value);
	}
	if (strcmp(key, "args") == 0) {
		const char *bypass = provider_bypass(vy_str_c(value));

		if (bypass) {
			return vy_fail(e, VY_BAD_INPUT,
				"args: \"%s\" would take the guard off the agent, which vyre "
				"never does",
				bypass);
		}
		set_word(&p->args, value);
		return ask_driver(p, e);
	}
	if (strcmp(key, "auth") == 0) {
		return read_auth(p, value, e);
	}
	if (strcmp(key, "fallback") == 0) {
		return read_fallback(p, value, e);
	}
	if (strcmp(key, "secret") == 0) {
		return read_secret(&p->secret, key, value, e);
	}
	if (strcmp(key, "fallback_secret") == 0) {
		return read_secret(&p->fallback_secret, key, value, e);
	}
	if (strncmp(key, "env.", 4) == 0) {
		return read_env(p, key + 4, value, e);
	}
	return vy_fail(e, VY_BAD_INPUT,
		"no key %s in [provider.%s]: expected kind, command, args, auth, secret, fallback, "
		"fallback_secret or env.NAME",
		key, p->name);
}

static int read_plain(
	struct config *c, const char *section, const char *key, const char *value, struct vy_err *e)
{
	VY_AUTO_BUF known = VY_BUF_INIT(1024);

	for (size_t i = 0; i < VY_COUNT(plain_keys); i++) {
		const struct plain_key *k = &plain_keys[i];

		if (strcmp(k->section, section) == 0) {
			if (strcmp(k->key, key) == 0) {
				return k->read(key, value, (char *)c + k->at, e);
			}
			vy_buf_addf(&known, "%s%s", known.len ? ", " : "", k->key);
		}
	}
	return vy_fail(e, VY_BAD_INPUT, "no key %s in [%s]: expected one of %s", key, section,
		vy_buf_c(&known));
}

/* ---- a section, a key ---- */

/* What stands behind "prefix."; NULL when the section is another, "" when nothing does. */
static const char *name_in(const char *section, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(section, prefix, n) == 0 && section[n] == '.' ? section + n + 1 : NULL;
}

int config_section(struct config *c, const char *name, struct vy_err *e)
{
	const char *provider = name_in(name, "provider"), *slots = name_in(name, "slots"),
		   *models = name_in(name, "models");

	if (provider && *provider) {
		config_provider_add(c, provider);
	} else if (slots && *slots) {
		slots_of(c, slots);
	} else if (models && *models) {
		models_of(c, models);
	} else if (strcmp(name, "slots") != 0 && strcmp(name, "models") != 0 &&
		   strcmp(name, "server") != 0 && strcmp(name, "sessions") != 0) {
		return vy_fail(e, VY_BAD_INPUT,
			"no section [%s]: expected server, sessions, slots, models or "
			"provider.NAME",
			name);
	}
	return 0;
}

int config_key(
	struct config *c, const char *section, const char *key, const char *value, struct vy_err *e)
{
	const char *provider = name_in(section, "provider");

	if (!*section) {
		return vy_fail(e, VY_BAD_INPUT,
			"expected a section such as [server] before the first key, got %s", key);
	}
	if (provider) {
		return read_provider(config_provider_add(c, provider), key, value, e);
	}
	if (strcmp(section, "slots") == 0 || name_in(section, "slots")) {
		return read_slot(slots_of(c, name_in(section, "slots")), key, value, e);
	}
	if (strcmp(section, "models") == 0 || name_in(section, "models")) {
		return read_model(models_of(c, name_in(section, "models")), key, value, e);
	}
	return read_plain(c, section, key, value, e);
}
