/* env.c -- see env.h. */
#include "server/session/env.h"

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define ENV_VALUE_MAX 16384 /* longer ones are dropped: no agent needs them */

struct list {
	struct vy_arena *a;
	const char **v;
	size_t n, cap;
};

static bool may_pass(const char *name)
{
	static const char *const names[] = { "PATH", "LANG", "LANGUAGE", "TZ", "SSH_AUTH_SOCK" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return strncmp(name, "LC_", 3) == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(name);
}

static bool fits(struct vy_str value)
{
	return value.n <= ENV_VALUE_MAX && (value.n == 0 || !memchr(value.p, '\0', value.n));
}

/* Puts NAME=value in its place: over an earlier one of that name, else at the end. */
static void put(struct list *l, const char *name, struct vy_str value)
{
	size_t n = strlen(name), i = 0;
	const char *entry = vy_arena_printf(l->a, "%s=%.*s", name, VY_STR_ARG(value));

	while (i < l->n && !(strncmp(l->v[i], name, n) == 0 && l->v[i][n] == '=')) {
		i++;
	}
	if (i == l->n) {
		if (l->n + 1 >= l->cap) {
			const char **grown = vy_arena_calloc(l->a, l->cap * 2, sizeof(*grown));

			memcpy(grown, l->v, l->n * sizeof(*grown));
			l->v = grown;
			l->cap *= 2;
		}
		l->n++;
	}
	l->v[i] = entry;
}

static void drop(struct list *l, const char *name)
{
	size_t n = strlen(name), i = 0;

	while (i < l->n && !(strncmp(l->v[i], name, n) == 0 && l->v[i][n] == '=')) {
		i++;
	}
	if (i < l->n) {
		l->v[i] = l->v[--l->n];
		l->v[l->n] = NULL;
	}
}

static void put_all(struct list *l, const struct vy_json *obj, bool only_allowed)
{
	const char *name;
	struct vy_json *value;

	VY_JSON_EACH (obj, name, value) {
		struct vy_str s = vy_json_strval(value);

		if (vy_json_type(value) == VY_JSON_STR && fits(s) &&
			(!only_allowed || may_pass(name))) {
			put(l, name, s);
		}
	}
}

const char *env_path(const struct env_source *src)
{
	const char *conf = vy_json_cstr(src->conf, "PATH");
	const char *person = vy_json_cstr(src->person, "PATH");

	return conf ? conf : person && *person ? person : src->path;
}

const char *const *env_make(const struct env_source *src, struct vy_arena *a)
{
	struct list l = { a, vy_arena_calloc(a, 32, sizeof(char *)), 0, 32 };

	put(&l, "HOME", vy_str_c(src->home));
	put(&l, "USER", vy_str_c(src->user));
	put(&l, "LOGNAME", vy_str_c(src->user));
	put(&l, "TERM", VY_STR_LIT("dumb"));
	put_all(&l, src->person, true);
	if (src->is_other_user) {
		drop(&l, "SSH_AUTH_SOCK");
	}
	put(&l, "PATH", vy_str_c(env_path(src)));
	put_all(&l, src->conf, false);
	for (size_t i = 0; src->driver && src->driver[i]; i++) {
		const char *eq = strchr(src->driver[i], '=');

		vy_assert(eq != NULL);
		put(&l, vy_arena_dup(a, src->driver[i], (size_t)(eq - src->driver[i])),
			vy_str_c(eq + 1));
	}
	put(&l, "VYRE_SESSION", vy_str_c(src->session));
	if (src->socket) {
		put(&l, "VYRE_SOCKET", vy_str_c(src->socket));
	}
	return l.v;
}

struct vy_json *env_allowed(const struct vy_json *person)
{
	struct vy_json *out = vy_json_new_obj();
	const char *name;
	struct vy_json *value;

	VY_JSON_EACH (person, name, value) {
		if (vy_json_type(value) == VY_JSON_STR && may_pass(name) &&
			fits(vy_json_strval(value))) {
			vy_json_set(out, name, value);
		}
	}
	return out;
}
