/* registry.c -- the one file that lists the drivers. A new one is one line here. */
#include "server/provider/provider.h"

#include <string.h>

#include "server/provider/acp.h"
#include "server/provider/claude.h"
#include "server/provider/codex.h"
#include "server/provider/demo.h"
#include "shared/base/ban.h"

static const struct provider_ops *const all[] = { &claude_ops, &codex_ops, &acp_ops, &demo_ops,
	NULL };

const struct provider_ops *const *provider_all(void)
{
	return all;
}

const struct provider_ops *provider_find(const char *kind)
{
	for (size_t i = 0; kind && all[i]; i++) {
		if (strcmp(all[i]->kind, kind) == 0) {
			return all[i];
		}
	}
	return NULL;
}
