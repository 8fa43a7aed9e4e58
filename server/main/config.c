/* config.c -- see config.h. The only file that knows inih.
 *
 * Plain keys are facts in one table: section, key, how to read it, where it goes. inih tells a
 * handler neither the line nor a new section, so the reader counts lines, and a section is
 * "named twice" when one that was left comes again. */
#include "server/main/config.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define CONFIG_MAX      (256 * 1024)
#define CONFIG_LINE_MAX 198 /* inih's own buffer is 200: a longer line would be cut unseen */

static const char *const purposes[CONFIG_PURPOSES] = { "chat", "agent", "project", "capsule", "job",
	"memory", "planner", "learn" };
static const char *const default_models[CONFIG_PURPOSES] = { "opus", "opus", "opus", "haiku",
	"haiku", "haiku", "haiku", "haiku" };

struct reading {
	struct config *c;
	const char *path;
	struct vy_str rest;
	int line;
	char **seen; /* sections, in order of appearance */
	size_t n_seen, cap_seen;
	struct vy_err *e;
	bool failed;
};

static int wrong(struct reading *r, const char *fmt, ...) VY_PRINTF(2, 3);

static int wrong(struct reading *r, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	if (r->failed) {
		return 0;
	}
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	vy_fail(r->e, VY_BAD_INPUT, "%s:%d: %s", r->path, r->line, text);
	r->failed = true;
	return 0;
}

/* ---- kinds of values ---- */

static int read_text(struct reading *r, const char *key, const char *value, void *at)
{
	char **s = at;

	(void)r;
	(void)key;
	free(*s);
	*s = *value ? vy_strdup(value) : NULL;
	return 1;
}

/* A guard that is asked for and not there is worse than none. */
static int read_user(struct reading *r, const char *key, const char *value, void *at)
{
	return *value ? wrong(r, "%s: this vyred cannot run agents as another user yet", key)
		      : read_text(r, key, value, at);
}

static int read_bool(struct reading *r, const char *key, const char *value, void *at)
{
	bool yes = strcmp(value, "yes") == 0;

	if (!yes && strcmp(value, "no") != 0) {
		return wrong(r, "%s: expected yes or no, got \"%s\"", key, value);
	}
	*(bool *)at = yes;
	return 1;
}

static int read_count(struct reading *r, const char *key, const char *value, void *at)
{
	long long n;

	if (!vy_parse_i64(vy_str_c(value), &n) || n < 0 || n > 1000000) {
		return wrong(
			r, "%s: expected a whole number from 0 to 1000000, got \"%s\"", key, value);
	}
	*(int64_t *)at = n;
	return 1;
}

static int read_amount(struct reading *r, const char *key, const char *value, void *at)
{
	char *end;
	double d = strtod(value, &end);

	if (!*value || *end || !isfinite(d) || d < 0 || d > 1000000) {
		return wrong(r, "%s: expected a number from 0 to 1000000, got \"%s\"", key, value);
	}
	*(double *)at = d;
	return 1;
}

static int read_level(struct reading *r, const char *key, const char *value, void *at)
{
	if (!vy_log_parse_level(value, at)) {
		return wrong(
			r, "%s: expected debug, info, warn, error or none, got \"%s\"", key, value);
	}
	return 1;
}

static int read_words(struct reading *r, const char *key, const char *value, const char *no,
	const char *yes, void *at)
{
	if (strcmp(value, no) != 0 && strcmp(value, yes) != 0) {
		return wrong(r, "%s: expected %s or %s, got \"%s\"", key, no, yes, value);
	}
	*(bool *)at = strcmp(value, yes) == 0;
	return 1;
}

static int read_durability(struct reading *r, const char *key, const char *value, void *at)
{
	return read_words(r, key, value, "normal", "full", at);
}

static int read_after_interrupt(struct reading *r, const char *key, const char *value, void *at)
{
	return read_words(r, key, value, "hold", "go", at);
}

static const struct plain_key {
	const char *section, *key;
	int (*read)(struct reading *r, const char *key, const char *value, void *at);
	size_t at;
} plain_keys[] = {
#define KEY(section, key, read, member)                                                            \
	{                                                                                          \
		section, key, read, offsetof(struct config, member)                                \
	}
	KEY("server", "listen", read_text, listen),
	KEY("server", "tls_cert", read_text, tls_cert),
	KEY("server", "tls_key", read_text, tls_key),
	KEY("server", "durability", read_durability, is_full_durability),
	KEY("server", "retain_hours", read_amount, retain_hours),
	KEY("server", "resume_wait_seconds", read_count, resume_wait_seconds),
	KEY("server", "log_level", read_level, log_level),
	KEY("sessions", "idle_minutes", read_amount, idle_minutes),
	KEY("sessions", "orphan_hours", read_amount, orphan_hours),
	KEY("sessions", "max_live", read_count, max_live),
	KEY("sessions", "warm_spare", read_bool, warm_spare),
	KEY("sessions", "agents_may_start", read_bool, agents_may_start),
	KEY("sessions", "queue_after_interrupt", read_after_interrupt, goes_on_after_interrupt),
	KEY("sessions", "user", read_user, user),
#undef KEY
};

/* ---- sections with a name of their own ---- */

static int read_slot(struct reading *r, const char *project, const char *key, const char *value)
{
	struct config *c = r->c;
	size_t i = 0;

	while (i < c->n_slots &&
		(project ? !c->slots[i].project || strcmp(c->slots[i].project, project) != 0
			 : c->slots[i].project != NULL)) {
		i++;
	}
	if (i == c->n_slots) {
		c->slots = vy_realloc(c->slots, (i + 1) * sizeof(*c->slots));
		c->slots[i] = c->slots[0];
		c->slots[i].project = vy_strdup(project);
		c->n_slots++;
	}
	if (strcmp(key, "teammate") == 0) {
		return read_count(r, key, value, &c->slots[i].teammate);
	}
	if (strcmp(key, "subagent") == 0) {
		return read_count(r, key, value, &c->slots[i].subagent);
	}
	return wrong(r, "no key %s in a slots section: expected teammate or subagent", key);
}

static int read_model(struct reading *r, const char *project, const char *key, const char *value)
{
	struct config *c = r->c;
	int purpose = config_purpose(key);
	size_t i = 0;

	if (purpose < 0) {
		return wrong(r,
			"no purpose %s: expected chat, agent, project, capsule, job, memory, "
			"planner or learn",
			key);
	}
	while (i < c->n_models &&
		(project ? !c->models[i].project || strcmp(c->models[i].project, project) != 0
			 : c->models[i].project != NULL)) {
		i++;
	}
	if (i == c->n_models) {
		c->models = vy_realloc(c->models, (i + 1) * sizeof(*c->models));
		memset(&c->models[i], 0, sizeof(c->models[i]));
		c->models[i].project = vy_strdup(project);
		c->n_models++;
	}
	return read_text(r, key, value, &c->models[i].model[purpose]);
}

static struct provider_conf *provider_of(struct config *c, const char *name)
{
	struct provider_conf *p = (struct provider_conf *)(uintptr_t)config_provider(c, name);

	if (!p) {
		c->providers = vy_realloc(c->providers, (c->n_providers + 1) * sizeof(*p));
		p = &c->providers[c->n_providers++];
		memset(p, 0, sizeof(*p));
		p->name = vy_strdup(name);
	}
	return p;
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

static int read_env(struct reading *r, struct provider_conf *p, const char *name, const char *value)
{
	if (!*name || strchr(name, '=')) {
		return wrong(r, "env.: expected the name of a variable behind the dot");
	}
	if (looks_secret(name)) {
		return wrong(r,
			"env.%s looks like a secret: keep it with `vyred secret set`, not in "
			"this file",
			name);
	}
	struct vy_json *env = p->env ? (struct vy_json *)(uintptr_t)p->env : vy_json_new_obj();

	vy_json_set_c(env, name, value);
	p->env = env;
	return 1;
}

/* No agent is ever started with its guard switched off, whoever asks. */
static const char *bypass_in(const char *args)
{
	static const char *const words[] = { "skip-permissions", "bypassPermissions", "--yolo",
		"--bare", "bypass-approvals", "--full-auto", "--permission-mode",
		"--permission-prompt-tool" };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strstr(args, words[i])) {
			return words[i];
		}
	}
	return NULL;
}

static int set_word(const char **at, const char *value)
{
	free((char *)(uintptr_t)*at);
	*at = *value ? vy_strdup(value) : NULL;
	return 1;
}

/* The driver knows best what it may not be told; it is asked once both words are there. */
static int ask_driver(struct reading *r, const struct provider_conf *p)
{
	const struct provider_ops *ops = p->kind ? provider_find(p->kind) : NULL;
	struct vy_arena a;
	int rc = 1;

	if (!ops || !p->args) {
		return 1;
	}
	vy_arena_init(&a);
	const char *bad = ops->bad_arg(p->args, &a);

	if (bad) {
		rc = wrong(r,
			"args: \"%s\" is not for [provider.%s] to say: vyre gives it itself, or "
			"never",
			bad, p->name);
	}
	vy_arena_fini(&a);
	return rc;
}

static int read_provider(struct reading *r, const char *name, const char *key, const char *value)
{
	struct provider_conf *p = provider_of(r->c, name);

	if (strcmp(key, "kind") == 0) {
		if (!provider_find(value)) {
			return wrong(r, "kind: there is no driver \"%s\" in this build", value);
		}
		set_word(&p->kind, value);
		return ask_driver(r, p);
	}
	if (strcmp(key, "command") == 0) {
		return set_word(&p->command, value);
	}
	if (strcmp(key, "args") == 0) {
		const char *bypass = bypass_in(value);

		if (bypass) {
			return wrong(r,
				"args: \"%s\" would take the guard off the agent, which vyre "
				"never does",
				bypass);
		}
		set_word(&p->args, value);
		return ask_driver(r, p);
	}
	if (strcmp(key, "auth") == 0) {
		if (strcmp(value, "login") != 0 && strcmp(value, "setup-token") != 0 &&
			strcmp(value, "api-key") != 0) {
			return wrong(r, "auth: expected login, setup-token or api-key, got \"%s\"",
				value);
		}
		return set_word(&p->auth, value);
	}
	if (strncmp(key, "env.", 4) == 0) {
		return read_env(r, p, key + 4, value);
	}
	return wrong(r,
		"no key %s in [provider.%s]: expected kind, command, args, auth or env.NAME", key,
		name);
}

/* ---- the file ---- */

static int enter_section(struct reading *r, const char *section)
{
	if (r->n_seen && strcmp(r->seen[r->n_seen - 1], section) == 0) {
		return 1;
	}
	for (size_t i = 0; i < r->n_seen; i++) {
		if (strcmp(r->seen[i], section) == 0) {
			return wrong(r, "[%s] is named twice: put its keys in one place", section);
		}
	}
	r->seen = vy_grow(r->seen, &r->cap_seen, r->n_seen + 1, sizeof(*r->seen));
	r->seen[r->n_seen++] = vy_strdup(section);
	return 1;
}

static int read_plain(struct reading *r, const char *section, const char *key, const char *value)
{
	bool known_section = false;

	for (size_t i = 0; i < VY_COUNT(plain_keys); i++) {
		const struct plain_key *k = &plain_keys[i];

		if (strcmp(k->section, section) != 0) {
			continue;
		}
		known_section = true;
		if (strcmp(k->key, key) == 0) {
			return k->read(r, key, value, (char *)r->c + k->at);
		}
	}
	if (!known_section) {
		return wrong(r,
			"no section [%s]: expected server, sessions, slots, models or "
			"provider.NAME",
			section);
	}
	return wrong(r, "no key %s in [%s]", key, section);
}

static int on_key(void *ctx, const char *section, const char *key, const char *value)
{
	struct reading *r = ctx;

	if (r->failed || !enter_section(r, section)) {
		return 0;
	}
	if (strncmp(section, "provider.", 9) == 0 && section[9]) {
		return read_provider(r, section + 9, key, value);
	}
	if (strcmp(section, "slots") == 0 || strncmp(section, "slots.", 6) == 0) {
		return read_slot(r, section[5] ? section + 6 : NULL, key, value);
	}
	if (strcmp(section, "models") == 0 || strncmp(section, "models.", 7) == 0) {
		return read_model(r, section[6] ? section + 7 : NULL, key, value);
	}
	return read_plain(r, section, key, value);
}

/* inih's fgets: one line of the text; counts it. */
static char *next_line(char *out, int room, void *ctx)
{
	struct reading *r = ctx;

	if (r->rest.n == 0 || r->failed) {
		return NULL;
	}
	const char *nl = memchr(r->rest.p, '\n', r->rest.n);
	size_t n = nl ? (size_t)(nl - r->rest.p) + 1 : r->rest.n;

	r->line++;
	if (n > CONFIG_LINE_MAX || n >= (size_t)room) {
		wrong(r, "this line is longer than %d bytes", CONFIG_LINE_MAX);
		return NULL;
	}
	memcpy(out, r->rest.p, n);
	out[n] = '\0';
	r->rest = vy_str_from(r->rest, n);
	return out;
}

struct config *config_parse(const char *path, struct vy_str text, struct vy_err *e)
{
	struct reading r = { .c = config_new(), .path = path, .rest = text, .e = e };
	int line = ini_parse_stream(next_line, &r, on_key, &r);

	if (line != 0 && !r.failed) {
		r.line = line > 0 ? line : r.line;
		wrong(&r, "expected [section], key = value, or a comment");
	}
	for (size_t i = 0; i < r.c->n_providers && !r.failed; i++) {
		if (!r.c->providers[i].kind) {
			wrong(&r, "[provider.%s] has no kind: say which driver it is",
				r.c->providers[i].name);
		}
	}
	for (size_t i = 0; i < r.n_seen; i++) {
		free(r.seen[i]);
	}
	free(r.seen);
	if (r.failed) {
		config_free(r.c);
		return NULL;
	}
	return r.c;
}

static int read_file(const char *path, struct vy_buf *b, struct vy_err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0) {
		return errno == ENOENT ? vy_fail(e, VY_NOT_FOUND, "%s is not there", path)
				       : vy_fail_errno(e, errno, "reading %s", path);
	}
	for (;;) {
		if (!vy_buf_reserve(b, 4096)) {
			rc = vy_fail(e, VY_BAD_INPUT, "%s is larger than %d KiB", path,
				CONFIG_MAX / 1024);
			break;
		}
		ssize_t n = read(fd, b->data + b->len, 4096);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			rc = vy_fail_errno(e, errno, "reading %s", path);
		}
		if (n <= 0) {
			break;
		}
		b->len += (size_t)n;
		b->data[b->len] = '\0';
	}
	close(fd);
	return rc;
}

struct config *config_read(const char *path, bool must_exist, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(CONFIG_MAX);
	struct vy_err why = { 0 };

	if (read_file(path, &b, &why) != 0) {
		if (why.code == VY_NOT_FOUND && !must_exist) {
			return config_new();
		}
		vy_fail(e, why.code, "%s", why.text);
		return NULL;
	}
	return config_parse(path, vy_buf_str(&b), e);
}

/* ---- the value ---- */

struct config *config_new(void)
{
	struct config *c = VY_NEW(struct config);

	c->retain_hours = 24;
	c->resume_wait_seconds = 60;
	c->log_level = VY_LOG_INFO;
	c->idle_minutes = 10;
	c->orphan_hours = 24;
	c->max_live = 6;
	c->slots = VY_NEW(struct config_slots);
	c->n_slots = 1;
	c->slots[0].teammate = 6;
	c->slots[0].subagent = 8;
	c->models = VY_NEW(struct config_models);
	c->n_models = 1;
	for (size_t i = 0; i < CONFIG_PURPOSES; i++) {
		c->models[0].model[i] = vy_strdup(default_models[i]);
	}
	provider_of(c, "claude")->kind = vy_strdup("claude");
	provider_of(c, "demo")->kind = vy_strdup("demo");
	return c;
}

void config_free(struct config *c)
{
	if (!c) {
		return;
	}
	for (size_t i = 0; i < c->n_slots; i++) {
		free(c->slots[i].project);
	}
	for (size_t i = 0; i < c->n_models; i++) {
		free(c->models[i].project);
		for (size_t k = 0; k < CONFIG_PURPOSES; k++) {
			free(c->models[i].model[k]);
		}
	}
	for (size_t i = 0; i < c->n_providers; i++) {
		struct provider_conf *p = &c->providers[i];
		const char *const words[] = { p->name, p->kind, p->command, p->args, p->auth };

		for (size_t k = 0; k < VY_COUNT(words); k++) {
			free((char *)(uintptr_t)words[k]);
		}
		vy_json_free((struct vy_json *)(uintptr_t)p->env);
	}
	free(c->slots);
	free(c->models);
	free(c->providers);
	free(c->listen);
	free(c->tls_cert);
	free(c->tls_key);
	free(c->user);
	free(c);
}

const struct provider_conf *config_provider(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->n_providers; i++) {
		if (strcmp(c->providers[i].name, name) == 0) {
			return &c->providers[i];
		}
	}
	return NULL;
}

int config_purpose(const char *name)
{
	for (int i = 0; i < CONFIG_PURPOSES; i++) {
		if (strcmp(purposes[i], name) == 0) {
			return i;
		}
	}
	return -1;
}

const char *config_model(const struct config *c, const char *project, const char *purpose)
{
	int k = config_purpose(purpose ? purpose : "chat");

	if (k < 0) {
		return NULL;
	}
	for (size_t i = c->n_models; project && i-- > 1;) {
		if (strcmp(c->models[i].project, project) == 0 && c->models[i].model[k]) {
			return c->models[i].model[k];
		}
	}
	return c->models[0].model[k];
}
