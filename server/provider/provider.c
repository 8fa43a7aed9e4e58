/* provider.c -- what drivers share of the contract: the list a step answers with, and what no agent may be told. */
#include "server/provider/provider.h"

#include <string.h>
#include <strings.h>

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

/* ---- what takes the asks away ---- */

/* The longest first, where one holds another: it is said to a person. */
static const char *const bypasses[] = { "bypassPermissions", "bypass-approvals", "bypass",
	"skip-permissions", "skip-permission", "danger-full-access", "full-access", "full_access",
	"fullaccess", "danger", "yolo", "dontAsk", "dont-ask", "full-auto", "auto-approve",
	"auto_approve", "autoapprove", "approval_policy", "sandbox_mode", "--permission-mode",
	"--permission-prompt-tool", "--bare", NULL };

const char *const *provider_bypasses(void)
{
	return bypasses;
}

static bool holds(struct vy_str s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++) {
		if (strncasecmp(s.p + i, word, n) == 0) {
			return true;
		}
	}
	return false;
}

const char *provider_bypass(struct vy_str words)
{
	size_t i = 0;

	while (bypasses[i] && !holds(words, bypasses[i])) {
		i++;
	}
	return bypasses[i];
}

const char *provider_bad_arg(
	const char *args, const char *const *flags, size_t n_flags, struct vy_arena *a)
{
	while (args && args[strspn(args, " \t")]) {
		args += strspn(args, " \t");
		struct vy_str word = vy_str_n(args, strcspn(args, " \t"));
		struct vy_str name = vy_str_n(args, strcspn(args, " \t="));
		bool is_bad = provider_bypass(word) != NULL;

		for (size_t i = 0; i < n_flags && !is_bad; i++) {
			is_bad = vy_str_is(name, flags[i]);
		}
		if (is_bad) {
			return vy_arena_dup(a, word.p, word.n);
		}
		args += word.n;
	}
	return NULL;
}
