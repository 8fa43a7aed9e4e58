/* heard.c -- see heard.h. */
#include "server/ops/heard.h"

#include <stdlib.h>
#include <string.h>

#include "server/provider/provider.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

void heard_init(struct heard *t, const char *session, const char *turn)
{
	memset(t, 0, sizeof(*t));
	t->session = vy_strdup(session);
	t->turn = vy_strdup(turn);
	vy_buf_init(&t->words, VY_MIB);
}

void heard_fini(struct heard *t)
{
	free(t->session);
	free(t->turn);
	free(t->ask);
	free(t->about);
	free(t->odd_mode);
	free(t->note);
	vy_buf_fini(&t->words);
	memset(t, 0, sizeof(*t));
}

bool heard_is_mode(struct vy_str word)
{
	return vy_str_is(word, "default") || vy_str_is(word, "acceptEdits") ||
	       vy_str_is(word, "plan");
}

static void keep(char **at, const char *s)
{
	free(*at);
	*at = vy_strdup(s);
}

static void on_status(struct heard *t, const struct vy_json *data)
{
	struct vy_str state = vy_json_str(data, "state");
	const struct vy_json *launch = vy_json_get(data, "launch");

	if (vy_json_cstr(data, "note")) {
		keep(&t->note, vy_json_cstr(data, "note"));
	}
	t->is_resumed |= vy_json_bool(launch, "resumed", false);
	t->is_failed |= vy_str_is(state, "failed") || vy_str_is(state, "paused");
	t->is_over |= t->is_failed || vy_str_is(state, "waiting") || vy_str_is(state, "stopped");
}

static void on_ask(struct heard *t, const struct vy_json *data)
{
	const struct vy_json *options = vy_json_get(data, "options");

	t->asks++;
	keep(&t->ask, vy_json_cstr(data, "ask_id"));
	keep(&t->about, vy_json_cstr(data, "summary"));
	for (size_t i = 0; i < vy_json_len(options); i++) {
		const struct vy_json *o = vy_json_at(options, i);
		const char *id = vy_json_cstr(o, "id"), *label = vy_json_cstr(o, "label");
		struct vy_str mode = vy_json_str(o, "mode");

		if (mode.n && !heard_is_mode(mode)) {
			keep(&t->odd_mode, vy_json_cstr(o, "mode"));
		} else if (provider_bypass(vy_str_c(id)) || provider_bypass(vy_str_c(label))) {
			keep(&t->odd_mode, label ? label : id);
		}
	}
}

static void on_answered(struct heard *t, const struct vy_json *data)
{
	t->withdrawn += vy_str_is(vy_json_str(data, "decision"), "cancelled");
	if (t->ask && vy_str_is(vy_json_str(data, "ask_id"), t->ask)) {
		keep(&t->ask, NULL);
	}
}

void heard_frame(struct heard *t, const struct vy_json *frame)
{
	const struct vy_json *data = vy_json_get(frame, "data");
	struct vy_str type = vy_json_str(frame, "type");

	t->foreign += !vy_str_is(vy_json_str(frame, "session"), t->session);
	if (vy_str_is(type, "session.status") && vy_str_is(vy_json_str(data, "state"), "stopped")) {
		t->is_stopped = true;
	}
	if (!vy_str_is(vy_json_str(frame, "turn"), t->turn)) {
		return;
	}
	if (vy_str_is(type, "session.status")) {
		on_status(t, data);
	} else if (vy_str_is(type, "session.text-delta")) {
		if (!vy_json_bool(data, "reasoning", false)) {
			t->pieces++;
			vy_buf_addstr(&t->words, vy_json_str(data, "text"));
		}
	} else if (vy_str_is(type, "session.tool-started")) {
		t->shells += vy_str_is(vy_json_str(data, "kind"), "shell");
	} else if (vy_str_is(type, "session.tool-finished")) {
		bool is_ok = vy_json_bool(data, "ok", false);

		t->done += is_ok;
		t->failed += !is_ok;
	} else if (vy_str_is(type, "session.ask")) {
		on_ask(t, data);
	} else if (vy_str_is(type, "session.ask-answered")) {
		on_answered(t, data);
	}
}
