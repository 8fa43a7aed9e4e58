/* places.c -- see places.h. A path is cut into parts once, and each row of places.def is laid
 * against them. */
#include "server/guard/places.h"

#include <stdint.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define PATH_LONGEST 4096 /* the kernel takes none that is longer */
#define PARTS_MAX    512

/* What claude itself lets its agent write below its folder. */
#define CLAUDE_MAY                                                                                 \
	"plans projects/*/memory skills commands agents output-styles rules todos tasks tmp "      \
	"CLAUDE.md agent-memory"

enum where { ANYWHERE, HOME, ROOT };

struct place {
	const char *rule;
	enum where where;
	const char *path;
	enum guard_verdict read, write;
	const char *but;
};

#define N                                          GUARD_NOTHING
#define A                                          GUARD_ASK
#define D                                          GUARD_DENY
#define PLACE(rule, where, path, read, write, but) { rule, where, path, read, write, but },
static const struct place places[] = {
#include "server/guard/places.def"
};
#undef PLACE
#undef N
#undef A
#undef D

/* ---- a path ---- */

/* Parts of `path` behind what `b` holds; b stays a tidy absolute path without a "/" at its end. */
static void add_parts(struct vy_buf *b, struct vy_str path)
{
	while (path.n) {
		const char *slash = memchr(path.p, '/', path.n);
		struct vy_str part = vy_str_n(path.p, slash ? (size_t)(slash - path.p) : path.n);

		path = vy_str_from(path, part.n + 1);
		if (part.n == 0 || vy_str_is(part, ".")) {
			continue;
		}
		if (vy_str_is(part, "..")) {
			while (b->len > 0 && b->data[b->len - 1] != '/') {
				vy_buf_truncate(b, b->len - 1);
			}
			vy_buf_truncate(b, b->len ? b->len - 1 : 0);
			continue;
		}
		vy_buf_addc(b, '/');
		vy_buf_addstr(b, part);
	}
}

/* "~", "~/x", "~name/x": what stands for it; the rest of the path is left in *path. */
static bool add_tilde(
	struct vy_buf *b, struct vy_str *path, struct vy_str from, const struct guard_context *c)
{
	size_t n = 0;

	if (!vy_str_starts(*path, "~")) {
		return false;
	}
	while (n < path->n && path->p[n] != '/') {
		n++;
	}
	struct vy_str name = vy_str_n(path->p + 1, n - 1);

	if (name.n == 0) {
		add_parts(b, c->home);
	} else if (vy_str_is(name, "+")) {
		add_parts(b, from);
	} else if (vy_str_is(name, "root")) {
		add_parts(b, VY_STR_LIT("/root"));
	} else {
		add_parts(b, VY_STR_LIT("/home"));
		add_parts(b, name);
	}
	*path = vy_str_from(*path, n);
	return true;
}

struct vy_str guard_path(
	struct vy_str path, struct vy_str from, const struct guard_context *c, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)3 * PATH_LONGEST);

	if (vy_str_starts(path, "file:/")) {
		path = vy_str_from(path, vy_str_starts(path, "file://") ? 7 : 5);
	}
	if (!vy_str_starts(path, "/") && !add_tilde(&b, &path, from, c)) {
		add_parts(&b, from);
	}
	add_parts(&b, path);
	if (b.len && memchr(b.data, GUARD_ANYTHING[0], b.len)) {
		size_t n = 1;

		for (size_t i = 1; i < b.len; i++) { /* two of them are one */
			if (b.data[i] != GUARD_ANYTHING[0] || b.data[i - 1] != GUARD_ANYTHING[0]) {
				b.data[n++] = b.data[i];
			}
		}
		vy_buf_truncate(&b, n);
	}
	return b.len ? vy_arena_str(a, vy_buf_str(&b)) : VY_STR_LIT("/");
}

bool guard_is_in(struct vy_str path, struct vy_str folder)
{
	while (folder.n > 1 && folder.p[folder.n - 1] == '/') {
		folder.n--;
	}
	return folder.n > 1 && path.n >= folder.n && memcmp(path.p, folder.p, folder.n) == 0 &&
	       (path.n == folder.n || path.p[folder.n] == '/');
}

/* ---- wildcards ---- */

/* One "[…]" at p[*at]: does it hold ch? *at moves behind it; a "[" without end is itself. */
static bool bracket(struct vy_str p, size_t *at, char ch)
{
	size_t i = *at + 1;
	bool is_not = i < p.n && (p.p[i] == '!' || p.p[i] == '^'), is_in = false;

	i += is_not;
	for (size_t first = i; i < p.n && (p.p[i] != ']' || i == first); i++) {
		if (i + 2 < p.n && p.p[i + 1] == '-' && p.p[i + 2] != ']') {
			is_in |= ch >= p.p[i] && ch <= p.p[i + 2];
			i += 2;
		} else {
			is_in |= ch == p.p[i];
		}
	}
	if (i >= p.n) {
		(*at)++;
		return ch == '[';
	}
	*at = i + 1;
	return is_in != is_not;
}

static bool is_star(char ch)
{
	return ch == '*' || ch == GUARD_ANYTHING[0];
}

bool guard_glob(struct vy_str p, struct vy_str name)
{
	size_t i = 0, k = 0, star = 0, back = 0;
	bool has_star = false;

	if (name.n && name.p[0] == '.' && p.n && guard_is_any("*?[", p.p[0])) {
		return false; /* a shell's wildcard leaves names alone that begin with a dot */
	}
	while (k < name.n) {
		size_t next = i + 1;

		if (i < p.n && is_star(p.p[i])) {
			has_star = true;
			star = ++i;
			back = k;
		} else if (i < p.n &&
			   (p.p[i] == '?' || p.p[i] == name.p[k] ||
				   (p.p[i] == '[' && (next = i, bracket(p, &next, name.p[k]))))) {
			i = p.p[i] == '[' && p.p[i] != name.p[k] ? next : i + 1;
			k++;
		} else if (has_star) {
			i = star;
			k = ++back;
		} else {
			return false;
		}
	}
	while (i < p.n && is_star(p.p[i])) {
		i++;
	}
	return i == p.n;
}

/* ---- a row against a path ---- */

struct parts {
	struct vy_str v[PARTS_MAX];
	size_t n, home; /* home: the first part behind a user's home; 0: in none */
	uint64_t first; /* the characters that parts begin with, a bit for each 64 together */
	bool is_wild;
};

enum fit { NO, MAYBE, YES };

static bool has_any(struct vy_str s, const char *set)
{
	for (; *set; set++) {
		if (s.n && memchr(s.p, *set, s.n)) {
			return true;
		}
	}
	return false;
}

static size_t plain_length(struct vy_str s)
{
	size_t n = 0;

	while (n < s.n && !is_star(s.p[n]) && s.p[n] != '?' && s.p[n] != '[') {
		n++;
	}
	return n;
}

/* Both may hold wildcards; what the row's stand for is any name. */
/* Of what is known too little is left to say that it might be this. */
static bool is_vague(struct vy_str part)
{
	size_t known = 0;

	for (size_t i = 0; i < part.n; i++) {
		known += !is_star(part.p[i]) && part.p[i] != '.';
	}
	return known < 2 && memchr(part.p, GUARD_ANYTHING[0], part.n);
}

static enum fit part_fits(struct vy_str part, struct vy_str row, bool is_wild, bool is_last)
{
	bool is_row_wild = memchr(row.p, '*', row.n) != NULL;

	if (!is_wild || !has_any(part, "*?[" GUARD_ANYTHING)) {
		if (!is_row_wild) {
			return vy_str_eq(part, row) ? YES : NO;
		}
		return guard_glob(row, part) ? YES : NO;
	}
	if (is_vague(part) && (!is_last || !vy_str_is(part, GUARD_ANYTHING))) {
		return NO; /* "$dir/settings.json": any folder there is */
	}
	enum fit fit = memchr(part.p, GUARD_ANYTHING[0], part.n) ? MAYBE : YES;

	if (!is_row_wild) {
		return guard_glob(part, row) ? fit : NO;
	}
	size_t a = plain_length(part), b = plain_length(row);

	return memcmp(part.p, row.p, a < b ? a : b) == 0 ? fit : NO;
}

static struct vy_str next_part(struct vy_str *path)
{
	const char *slash = path->n ? memchr(path->p, '/', path->n) : NULL;
	struct vy_str part = vy_str_n(path->p, slash ? (size_t)(slash - path->p) : path->n);

	*path = vy_str_from(*path, part.n + 1);
	return part;
}

struct laid {
	enum fit fit;
	size_t n;     /* parts of the path that were laid against the row's */
	size_t left;  /* parts of the row that are left, where the path ended */
	size_t until; /* the part behind */
};

static struct laid lay(const struct parts *p, size_t from, struct vy_str row)
{
	struct laid l = { .fit = YES, .until = from };

	while (row.n) {
		struct vy_str part = next_part(&row);

		if (l.until == p->n) {
			l.left++;
			continue;
		}
		enum fit fit = part_fits(
			p->v[l.until], part, p->is_wild, row.n == 0 && l.until + 1 == p->n);

		if (fit == NO) {
			l.fit = NO;
			return l;
		}
		l.fit = fit < l.fit ? fit : l.fit;
		l.until++;
		l.n++;
	}
	return l;
}

static bool is_exempt(const struct parts *p, size_t from, const char *but)
{
	struct vy_str list = vy_str_c(but);

	while (list.n) {
		const char *blank = memchr(list.p, ' ', list.n);
		struct vy_str one = vy_str_n(list.p, blank ? (size_t)(blank - list.p) : list.n);
		struct laid l = lay(p, from, one);

		if (l.fit == YES && l.left == 0 && l.n > 0) {
			return true;
		}
		list = vy_str_from(list, one.n + 1);
	}
	return false;
}

/* Seen at a glance: they begin with other letters. */
static bool differs(const struct parts *p, size_t from, const char *row)
{
	char ch = from < p->n ? p->v[from].p[0] : *row;

	return ch != *row && *row != '*' && !guard_is_any("*?[" GUARD_ANYTHING, ch);
}

/* Does a use of the path touch what the row protects? */
static enum fit touches(
	const struct parts *p, size_t from, const struct place *row, enum guard_use use)
{
	struct vy_str path = vy_str_c(row->path);
	bool is_tree = path.p[path.n - 1] == '/';
	struct laid l;

	if (differs(p, from, row->path)) {
		return NO;
	}
	path.n -= is_tree;
	l = lay(p, from, path);
	if (l.fit == NO || (l.n == 0 && p->n > 0 && from < p->n)) {
		return NO;
	}
	if (l.left == 0 && l.until < p->n) {
		return is_tree && !is_exempt(p, l.until, row->but) ? l.fit : NO;
	}
	if (l.left == 0 && !is_tree && row->but && guard_glob(vy_str_c(row->but), p->v[p->n - 1])) {
		return NO; /* of a file, its name */
	}
	if (l.left == 0) { /* it itself; of a folder, what is in it */
		return !is_tree || use >= GUARD_FILL || use == GUARD_COPY ? l.fit : NO;
	}
	if (use == GUARD_REPLACE) { /* it is in what is moved or gone */
		return l.n || row->where == ROOT || from ? l.fit : NO;
	}
	if (l.left == 1 && l.n) {
		return use == GUARD_FILL || use == GUARD_COPY ? l.fit : NO;
	}
	return NO;
}

/* A name of its own anywhere: "*.json", "$name" and "$name.json" are not taken to mean it. */
static bool is_too_wide(struct vy_str part, const char *name)
{
	return (has_any(part, GUARD_ANYTHING) && plain_length(part) < 2) ||
	       (*name != '.' && has_any(part, "*?[" GUARD_ANYTHING));
}

static enum fit touches_anywhere(const struct parts *p, const struct place *row, enum guard_use use)
{
	size_t slashes = 0;
	enum fit best = NO;
	bool is_tree = row->path[strlen(row->path) - 1] == '/';

	for (const char *s = row->path; *s; s++) {
		slashes += *s == '/' && s[1];
	}
	if (p->n == 0) {
		return NO;
	}
	if (!is_tree && use != GUARD_FILL && use != GUARD_REPLACE && use != GUARD_COPY) {
		size_t from = p->n - slashes - 1; /* only its last parts can be the file */

		if (p->n <= slashes || is_too_wide(p->v[from], row->path)) {
			return NO;
		}
		return touches(p, from, row, use);
	}
	for (size_t from = 0; from < p->n && best != YES; from++) {
		enum fit fit = NO;

		if (is_tree || from + slashes + 1 >= p->n) {
			fit = touches(p, from, row, use);
		}
		if (is_too_wide(p->v[from], row->path)) {
			fit = NO;
		}
		best = fit > best ? fit : best;
	}
	return best;
}

static uint64_t bit(char ch)
{
	return (uint64_t)1 << ((unsigned char)ch & 63);
}

static void cut(struct vy_str path, const struct guard_context *c, struct parts *p)
{
	p->n = p->home = 0;
	p->first = 0;
	p->is_wild = has_any(path, "*?[" GUARD_ANYTHING);
	struct vy_str rest = vy_str_from(path, 1);

	while (rest.n && p->n < PARTS_MAX) {
		p->v[p->n++] = next_part(&rest);
		p->first |= bit(p->v[p->n - 1].p[0]);
	}
	if (guard_is_in(path, c->home)) {
		for (size_t i = 0; i < c->home.n; i++) {
			p->home += c->home.p[i] == '/' && i + 1 < c->home.n;
		}
	} else if (p->n > 0 && vy_str_is(p->v[0], "root")) {
		p->home = 1;
	} else if (p->n > 1 && (vy_str_is(p->v[0], "home") || vy_str_is(p->v[0], "Users"))) {
		p->home = 2;
	}
}

static void try_row(const struct parts *p, const struct place *row, enum guard_use use,
	struct guard_found *best)
{
	enum guard_verdict v = use <= GUARD_COPY ? row->read : row->write;
	enum fit fit = NO;

	if (v <= best->verdict || (use == GUARD_MARK && row->read != GUARD_NOTHING) ||
		(use == GUARD_REPLACE && v != GUARD_DENY && row->where == ANYWHERE)) {
		return;
	}
	switch (row->where) {
	case ANYWHERE: fit = touches_anywhere(p, row, use); break;
	case HOME: fit = p->home ? touches(p, p->home, row, use) : NO; break;
	case ROOT: fit = touches(p, 0, row, use); break;
	}
	v = fit == MAYBE ? GUARD_ASK : v;
	if (fit != NO && v > best->verdict) {
		*best = (struct guard_found){ v, row->rule };
	}
}

/* A row for a path that is known only now. */
static void try_own(const struct parts *p, const char *rule, struct vy_str path, bool is_tree,
	enum guard_verdict read, const char *but, enum guard_use use, struct guard_found *best)
{
	char text[PATH_LONGEST + 2];

	while (path.n > 1 && path.p[path.n - 1] == '/') {
		path.n--;
	}
	if (path.n < 2 || path.n >= PATH_LONGEST || path.p[0] != '/') {
		return;
	}
	snprintf(text, sizeof(text), "%.*s%s", (int)(path.n - 1), path.p + 1, is_tree ? "/" : "");
	const struct place row = { rule, ROOT, text, read, GUARD_DENY, but };

	try_row(p, &row, use, best);
}

/* Of a process: its own things are an agent's own. */
static bool is_own_process(const struct parts *p)
{
	return p->n > 1 && vy_str_is(p->v[0], "proc") &&
	       (vy_str_is(p->v[1], "self") || vy_str_is(p->v[1], "thread-self") ||
		       vy_str_is(p->v[1], "$$"));
}

struct guard_found guard_place(
	struct vy_str path, enum guard_use use, const struct guard_context *c)
{
	bool is_own = guard_is_in(c->cwd, c->state_dir) && guard_is_in(path, c->cwd);
	struct guard_found best = { GUARD_NOTHING, NULL };
	struct parts p;

	if (path.n == 0 || path.n > PATH_LONGEST) {
		return best;
	}
	cut(path, c, &p);
	if (!is_own) {
		try_own(&p, "vyre-state", c->state_dir, true, GUARD_DENY, NULL, use, &best);
	}
	try_own(&p, "vyre-configuration", c->config_file, false, GUARD_NOTHING, NULL, use, &best);
	if (!guard_is_in(c->cwd, c->agent_config_dir)) {
		try_own(&p, "agent-settings", c->agent_config_dir, true, GUARD_NOTHING, CLAUDE_MAY,
			use, &best);
	}
	if (is_own_process(&p)) {
		return best;
	}
	for (size_t i = 0; i < VY_COUNT(places) && best.verdict != GUARD_DENY; i++) {
		try_row(&p, &places[i], use, &best);
	}
	return best;
}

/* ---- in a text ---- */

/* Spellings that a program which writes should not hold. */
static const struct {
	const char *rule, *text;
} spellings[] = {
	{ "agent-settings", ".claude/settings" },
	{ "agent-settings", ".claude.json" },
	{ "agent-settings", ".mcp.json" },
	{ "agent-settings", "managed-settings.json" },
	{ "agent-settings", ".codex/config.toml" },
	{ "agent-settings", ".gemini/settings.json" },
	{ "vyre-configuration", "vyred.conf" },
};

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
		!guard_is_in(c->cwd, c->state_dir)) {
		return "vyre-state";
	}
	return NULL;
}
