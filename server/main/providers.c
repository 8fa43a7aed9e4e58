/* providers.c -- see providers.h. */
#include "server/main/providers.h"

#include <stdlib.h>
#include <string.h>

#include "server/hub/control.h"
#include "server/main/config.h"
#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct seen {
	char *name, *kind, *command, *args, *auth, *fallback;
	char *why; /* it cannot be used; NULL: it can */
};

struct providers {
	struct seen *v;
	size_t n;
};

static void look(struct providers *p, const struct config *c, const char *path)
{
	struct vy_arena mem;

	p->n = c->n_providers;
	p->v = vy_calloc(p->n + 1, sizeof(*p->v));
	vy_arena_init(&mem);
	for (size_t i = 0; i < p->n; i++) {
		const struct provider_conf *pc = &c->providers[i];

		p->v[i] = (struct seen){ .name = vy_strdup(pc->name),
			.kind = vy_strdup(pc->kind),
			.command = vy_strdup(pc->command),
			.args = vy_strdup(pc->args),
			.auth = vy_strdup(pc->auth),
			.fallback = vy_strdup(pc->fallback),
			.why = vy_strdup(provider_find(pc->kind)->missing(pc, path, &mem)) };
	}
	vy_arena_fini(&mem);
}

static void forget(struct providers *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->v[i].name);
		free(p->v[i].kind);
		free(p->v[i].command);
		free(p->v[i].args);
		free(p->v[i].auth);
		free(p->v[i].fallback);
		free(p->v[i].why);
	}
	free(p->v);
}

static const struct seen *find(const struct providers *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++) {
		if (strcmp(p->v[i].name, name) == 0) {
			return &p->v[i];
		}
	}
	return NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same(const struct seen *a, const struct seen *b)
{
	return is_same_text(a->kind, b->kind) && is_same_text(a->command, b->command) &&
	       is_same_text(a->args, b->args) && is_same_text(a->auth, b->auth) &&
	       is_same_text(a->fallback, b->fallback) && is_same_text(a->why, b->why);
}

struct providers *providers_new(const struct config *c, const char *path)
{
	struct providers *p = VY_NEW(struct providers);

	look(p, c, path);
	return p;
}

void providers_free(struct providers *p)
{
	if (p) {
		forget(p);
		free(p);
	}
}

void providers_read(
	struct providers *p, const struct config *c, const char *path, struct control *control)
{
	struct providers was = *p;

	look(p, c, path);
	for (size_t i = 0; i < p->n; i++) {
		const struct seen *now = &p->v[i], *before = find(&was, now->name);

		if (!before || !is_same(before, now)) {
			control_provider(control, now->name, now->why);
		}
	}
	for (size_t i = 0; i < was.n; i++) {
		if (!find(p, was.v[i].name)) {
			control_provider(control, was.v[i].name, "it is not configured any more");
		}
	}
	forget(&was);
}
