/* config.c -- see config.h. The value itself: its defaults, its end, and what is looked up in it. */
#include "server/main/config.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const char *const purposes[CONFIG_PURPOSES] = { "chat", "agent", "project", "capsule", "job",
	"memory", "planner", "learn" };
static const char *const default_models[CONFIG_PURPOSES] = { "opus", "opus", "opus", "haiku",
	"haiku", "haiku", "haiku", "haiku" };

struct provider_conf *config_provider_add(struct config *c, const char *name)
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

struct config *config_new(void)
{
	struct config *c = VY_NEW(struct config);

	c->retain_hours = 24;
	c->resume_wait_seconds = 60;
	c->log_level = VY_LOG_INFO;
	c->idle_minutes = 10;
	c->orphan_hours = 24;
	c->terminal_hours = 24;
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
	config_provider_add(c, "claude")->kind = vy_strdup("claude");
	config_provider_add(c, "demo")->kind = vy_strdup("demo");
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
		const char *const words[] = { p->name, p->kind, p->command, p->args, p->auth,
			p->fallback, p->secret, p->fallback_secret };

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
		if (strcmp(c->models[i].project, project) == 0 && c->models[i].is_said[k]) {
			return c->models[i].model[k];
		}
	}
	return c->models[0].model[k];
}

bool config_model_said(
	const struct config *c, const char *project, const char *purpose, const char **model)
{
	int k = config_purpose(purpose);
	const struct config_models *of = project ? NULL : &c->models[0];

	for (size_t i = 1; project && i < c->n_models; i++) {
		if (strcmp(c->models[i].project, project) == 0) {
			of = &c->models[i];
		}
	}
	*model = of && k >= 0 ? of->model[k] : NULL;
	if (!of || k < 0 || !of->is_said[k]) {
		return false;
	}
	*model = *model ? *model : "";
	return true;
}

int64_t config_slots(const struct config *c, const char *kind, const char *project)
{
	bool is_teammate = strcmp(kind, "teammate") == 0;
	const struct config_slots *of = project ? NULL : &c->slots[0];

	for (size_t i = 1; project && i < c->n_slots; i++) {
		if (strcmp(c->slots[i].project, project) == 0) {
			of = &c->slots[i];
		}
	}
	return !of ? 0 : is_teammate ? of->teammate : of->subagent;
}
