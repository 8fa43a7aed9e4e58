/* auth.c -- see auth.h. */
#include "server/provider/auth.h"

#include <stdio.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const struct {
	const char *word, *says;
	bool has_secret;
} ways[] = {
	{ "login", "the subscription", false },
	{ "setup-token", "the subscription", true },
	{ "api-key", "the API key", true },
};

static size_t find(const char *word)
{
	size_t i = 0;

	while (i < VY_COUNT(ways) && (!word || strcmp(ways[i].word, word) != 0)) {
		i++;
	}
	return i;
}

bool auth_is(const char *word)
{
	return find(word) < VY_COUNT(ways);
}

bool auth_has_secret(const char *word)
{
	size_t i = find(word);

	return i < VY_COUNT(ways) && ways[i].has_secret;
}

const char *auth_of(const struct provider_conf *pc)
{
	return pc->auth ? pc->auth : "login";
}

bool auth_secret(const struct provider_conf *pc, const char *auth, char out[AUTH_SECRET_MAX])
{
	bool is_second = pc->fallback && strcmp(auth, auth_of(pc)) != 0;
	const char *said = is_second ? pc->fallback_secret : pc->secret;

	out[0] = '\0';
	if (!auth_has_secret(auth)) {
		return false;
	}
	if (said) {
		snprintf(out, AUTH_SECRET_MAX, "%s", said);
	} else if (is_second) {
		snprintf(out, AUTH_SECRET_MAX, "%s-%s", pc->name, auth);
	} else {
		snprintf(out, AUTH_SECRET_MAX, "%s", pc->name);
	}
	return true;
}

const char *auth_says(const char *word)
{
	size_t i = find(word);

	return i < VY_COUNT(ways) ? ways[i].says : "the agent's own credential";
}
