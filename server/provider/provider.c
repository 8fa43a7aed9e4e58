/* provider.c -- the list a step answers with; the only code all drivers share. */
#include "server/provider/provider.h"

#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

void agent_out_init(struct agent_out *out, struct vy_arena *arena)
{
	memset(out, 0, sizeof(*out));
	out->arena = arena;
	vy_buf_init(&out->tell, VY_LINE_MAX);
}

void agent_out_clear(struct agent_out *out)
{
	for (size_t i = 0; i < out->n; i++) {
		vy_json_free(out->events[i].json);
		vy_json_free(out->events[i].call);
	}
	out->n = 0;
	if (out->tell.cap > VY_KIB) {
		vy_buf_fini(&out->tell);
	} else {
		vy_buf_clear(&out->tell);
	}
}

void agent_out_fini(struct agent_out *out)
{
	agent_out_clear(out);
	free(out->events);
	vy_buf_fini(&out->tell);
	memset(out, 0, sizeof(*out));
}

struct agent_event *agent_out_add(struct agent_out *out, enum agent_event_kind kind)
{
	out->events = vy_grow(out->events, &out->cap, out->n + 1, sizeof(*out->events));
	struct agent_event *ev = &out->events[out->n++];

	memset(ev, 0, sizeof(*ev));
	ev->kind = kind;
	return ev;
}

const char *provider_bypass(const char *args)
{
	static const char *const words[] = { "skip-permissions", "bypassPermissions", "--yolo",
		"--bare", "bypass-approvals", "--full-auto", "--permission-mode",
		"--permission-prompt-tool", "danger-full-access", "approval-mode=yolo" };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strstr(args, words[i])) {
			return words[i];
		}
	}
	return NULL;
}
