/* places.c -- see places.h. The tables say what is protected; a new place is one row. */
#include "server/guard/places.h"

#include <fnmatch.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define PARTS_MAX 256

/* Files by their name, and by the folder they are in (NULL: any). */
static const struct {
	const char *rule, *folder, *name;
} files[] = {
	{ "agent-settings", ".claude", "settings.json" },
	{ "agent-settings", ".claude", "settings.local.json" },
	{ "agent-settings", ".claude", ".credentials.json" },
	{ "agent-settings", NULL, ".claude.json" },
	{ "agent-settings", NULL, ".mcp.json" },
	{ "agent-settings", NULL, "managed-settings.json" },
	{ "vyre-configuration", "vyre", "vyred.conf" },
};

/* Spellings that a program's text should not hold. */
static const struct {
	const char *rule, *text;
} spellings[] = {
	{ "agent-settings", ".claude/settings" },
	{ "agent-settings", ".claude.json" },
	{ "agent-settings", ".mcp.json" },
	{ "agent-settings", "managed-settings.json" },
	{ "vyre-state", "vyred.sock" },
	{ "vyre-state", "vyre.db" },
	{ "vyre-configuration", "vyred.conf" },
};

/* ---- a path ---- */

struct parts {
	struct vy_str v[PARTS_MAX];
	size_t n;
};

static void add_parts(struct parts *to, struct vy_str path)
{
	while (path.n) {
		const char *slash = memchr(path.p, '/', path.n);
		struct vy_str part = vy_str_n(path.p, slash ? (size_t)(slash - path.p) : path.n);

		path = vy_str_from(path, part.n + 1);
		if (part.n == 0 || vy_str_is(part, ".")) {
			continue;
		}
		if (vy_str_is(part, "..")) {
			to->n -= to->n > 0;
		} else if (to->n < PARTS_MAX) {
			to->v[to->n++] = part;
		}
	}
}

/* What a path may begin with, and what stands for it. */
static bool add_variable(
	struct parts *to, struct vy_str *path, const char *name, struct vy_str value)
{
	size_t n = strlen(name);

	if (!vy_str_starts(*path, name) || (path->n > n && path->p[n] != '/')) {
		return false;
	}
	add_parts(to, value);
	*path = vy_str_from(*path, n);
	return true;
}

struct vy_str guard_path(
	struct vy_str path, struct vy_str from, const struct guard_context *c, struct vy_arena *a)
{
	struct parts p = { .n = 0 };
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (vy_str_starts(path, "file://")) {
		path = vy_str_from(path, 7);
	}
	if (!vy_str_starts(path, "/") && !add_variable(&p, &path, "~", c->home) &&
		!add_variable(&p, &path, "$HOME", c->home) &&
		!add_variable(&p, &path, "${HOME}", c->home) &&
		!add_variable(&p, &path, "$CLAUDE_CONFIG_DIR", c->agent_config_dir) &&
		!add_variable(&p, &path, "${CLAUDE_CONFIG_DIR}", c->agent_config_dir) &&
		!add_variable(&p, &path, "$PWD", from)) {
		add_parts(&p, from);
	}
	add_parts(&p, path);
	for (size_t i = 0; i < p.n; i++) {
		vy_buf_addc(&b, '/');
		vy_buf_addstr(&b, p.v[i]);
	}
	if (p.n == 0) {
		vy_buf_addc(&b, '/');
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

/* ---- is it protected ---- */

static bool is_in(struct vy_str path, struct vy_str folder)
{
	while (folder.n > 1 && folder.p[folder.n - 1] == '/') {
		folder.n--;
	}
	return folder.n > 1 && path.n >= folder.n && memcmp(path.p, folder.p, folder.n) == 0 &&
	       (path.n == folder.n || path.p[folder.n] == '/');
}

/* The last part, and what is before it. */
static struct vy_str last_part(struct vy_str path, struct vy_str *before)
{
	size_t from = path.n;

	while (from > 0 && path.p[from - 1] != '/') {
		from--;
	}
	*before = vy_str_n(path.p, from ? from - 1 : 0);
	return vy_str_from(path, from);
}

/* A part may hold wildcards: then it is what it could match. */
static bool could_be(struct vy_str part, const char *name)
{
	char pattern[256];

	if (vy_str_is(part, name)) {
		return true;
	}
	if (part.n >= sizeof(pattern) || !part.n ||
		(!memchr(part.p, '*', part.n) && !memchr(part.p, '?', part.n) &&
			!memchr(part.p, '[', part.n)) ||
		vy_str_is(part, "*")) {
		return false;
	}
	memcpy(pattern, part.p, part.n);
	pattern[part.n] = '\0';
	return fnmatch(pattern, name, FNM_PERIOD) == 0;
}

static const char *file_rule(struct vy_str path)
{
	struct vy_str above, folder, name = last_part(path, &above);

	folder = last_part(above, &above);
	for (size_t i = 0; i < VY_COUNT(files); i++) {
		if (could_be(name, files[i].name) &&
			(!files[i].folder || could_be(folder, files[i].folder))) {
			return files[i].rule;
		}
	}
	return NULL;
}

static bool is_settings(struct vy_str path)
{
	struct vy_str above, name = last_part(path, &above);

	return vy_str_starts(name, "settings") || vy_str_starts(name, ".credentials");
}

const char *guard_place(struct vy_str path, enum guard_use use, const struct guard_context *c)
{
	bool is_own = is_in(c->cwd, c->state_dir) && is_in(path, c->cwd);
	struct vy_str above;

	if (is_in(path, c->state_dir) && !is_own) {
		return "vyre-state";
	}
	if (use == GUARD_READ) {
		return NULL;
	}
	if (c->config_file.n && vy_str_eq(path, c->config_file)) {
		return "vyre-configuration";
	}
	if (is_in(path, c->agent_config_dir) && is_settings(path)) {
		return "agent-settings";
	}
	if (use == GUARD_REPLACE && is_in(c->state_dir, path)) {
		return "vyre-state";
	}
	if (use == GUARD_REPLACE && is_in(c->config_file, path)) {
		return "vyre-configuration";
	}
	if (use >= GUARD_FILL && could_be(last_part(path, &above), ".claude")) {
		return "agent-settings";
	}
	return file_rule(path);
}

const char *guard_place_in_text(struct vy_str text, const struct guard_context *c)
{
	for (size_t i = 0; i < VY_COUNT(spellings); i++) {
		if (text.n &&
			memmem(text.p, text.n, spellings[i].text, strlen(spellings[i].text))) {
			return spellings[i].rule;
		}
	}
	if (text.n && c->state_dir.n > 1 &&
		memmem(text.p, text.n, c->state_dir.p, c->state_dir.n) &&
		!is_in(c->cwd, c->state_dir)) {
		return "vyre-state";
	}
	return NULL;
}
