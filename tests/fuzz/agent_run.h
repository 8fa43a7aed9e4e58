/* agent_run.h -- a driver hears whatever an agent prints, for the fuzz targets of the drivers.
 *
 * It must answer with events that make sense, with whole JSON lines for the agent, and with a state
 * that survives being written down. A line of the input that begins with "!" came on stderr, with "^"
 * was too long; "?" answers the newest request, "#" sends an interrupt, "+" a word of a person, "=" the
 * hello; all others came on stdout. */
#ifndef FUZZ_AGENT_RUN_H
#define FUZZ_AGENT_RUN_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "server/provider/provider.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"

typedef bool agent_run_line_fn(const struct vy_json *line); /* is it one of its protocol? */

struct agent_run {
	const struct provider_ops *ops;
	agent_run_line_fn *is_line;
	struct agent *agent;
	struct vy_json *calls;       /* open ones, as a set */
	char request[VY_ID_MAX * 4]; /* the newest */
	bool is_check, in_turn;
};

/* ---- what makes sense ---- */

static inline const char *agent_run_key_of(struct vy_str id, char key[VY_ID_MAX + 1])
{
	vy_assert(id.n <= VY_ID_MAX);
	memcpy(key, id.n ? id.p : "", id.n);
	key[id.n] = '\0';
	return key;
}

static inline void agent_run_check(struct agent_run *r, const struct agent_event *ev)
{
	char key[VY_ID_MAX + 1];

	vy_assert(vy_utf8_is_valid(ev->text) && vy_utf8_is_valid(ev->name));
	switch (ev->kind) {
	case AE_TEXT: vy_assert(ev->text.n > 0 && ev->text.n <= VY_FRAME_TEXT_MAX); break;
	case AE_TURN_BEGIN:
		vy_assert(!r->in_turn);
		r->in_turn = true;
		break;
	case AE_TURN_END:
		vy_assert(r->in_turn && (ev->outcome != AGENT_FAILED || ev->text.n > 0));
		r->in_turn = false;
		break;
	case AE_TOOL_START:
		agent_run_key_of(ev->tool, key);
		vy_assert(!vy_json_get(r->calls, key) && ev->text.n > 0 && ev->tool_kind);
		vy_json_set_bool(r->calls, key, true);
		break;
	case AE_TOOL_DONE:
		agent_run_key_of(ev->tool, key);
		vy_assert(vy_json_get(r->calls, key) && vy_json_cstr(ev->json, "type"));
		vy_json_del(r->calls, key);
		break;
	case AE_ASK:
	case AE_CHECK:
		r->is_check = ev->kind == AE_CHECK;
		snprintf(r->request, sizeof(r->request), "%.*s", VY_STR_ARG(ev->request));
		break;
	default: break;
	}
}

static inline void agent_run_end_step(struct agent_run *r, struct agent_out *out)
{
	struct vy_str told = vy_buf_str(&out->tell);

	for (size_t i = 0; i < out->n; i++) {
		agent_run_check(r, &out->events[i]);
	}
	while (told.n) {
		const char *nl = memchr(told.p, '\n', told.n);

		vy_assert(nl != NULL);
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(told.p, (size_t)(nl - told.p)), NULL);

		vy_assert(r->is_line(v));
		told = vy_str_from(told, (size_t)(nl - told.p) + 1);
	}
	agent_out_fini(out);
}

/* Written down and read again, it is the same. */
static inline void agent_run_cut(struct agent_run *r)
{
	VY_AUTO_BUF a = VY_BUF_INIT(64 * VY_MIB), b = VY_BUF_INIT(64 * VY_MIB);
	struct vy_jw wa = VY_JW(&a), wb = VY_JW(&b);

	r->ops->encode(r->agent, &wa);
	VY_AUTO_JSON *again = vy_json_parse(vy_buf_str(&a), NULL);
	struct agent *twin = r->ops->decode(again, NULL);

	vy_assert(twin != NULL);
	r->ops->encode(twin, &wb);
	vy_assert(vy_str_eq(vy_buf_str(&a), vy_buf_str(&b)));
	r->ops->free(r->agent);
	r->agent = twin;
}

static inline void agent_run_answer(struct agent_run *r, struct agent_out *out)
{
	VY_AUTO_JSON *json = vy_json_parse(
		VY_STR_LIT("{\"always\":true,\"answers\":{\"q\":[\"a\",\"b\"]}}"), NULL);
	struct agent_command cmd = { .kind = r->is_check ? AC_CHECKED : AC_ANSWER,
		.request = vy_str_c(r->request),
		.decision = vy_str_c(r->is_check ? "deny" : "allow"),
		.json = json };

	r->ops->command(r->agent, &cmd, out);
}

static inline void agent_run_step(struct agent_run *r, struct vy_str line)
{
	struct vy_arena a;
	struct agent_out out;

	vy_arena_init(&a);
	agent_out_init(&out, &a);
	if (vy_str_starts(line, "!")) {
		r->ops->line(r->agent, AGENT_STDERR, vy_str_from(line, 1), &out);
	} else if (vy_str_starts(line, "^")) {
		r->ops->line_too_long(r->agent, VY_LINE_MAX + 1, vy_str_from(line, 1), &out);
	} else if (vy_str_starts(line, "?")) {
		agent_run_answer(r, &out);
	} else if (vy_str_starts(line, "#")) {
		r->ops->command(r->agent, &(struct agent_command){ .kind = AC_INTERRUPT }, &out);
	} else if (vy_str_starts(line, "+")) {
		struct agent_command say = { .kind = AC_SAY,
			.message = VY_STR_LIT("00000000-0000-4000-8000-000000000002"),
			.text = VY_STR_LIT("hi") };

		r->ops->command(r->agent, &say, &out);
	} else if (vy_str_starts(line, "=")) {
		r->ops->command(r->agent, &(struct agent_command){ .kind = AC_HELLO }, &out);
	} else {
		r->ops->line(r->agent, AGENT_STDOUT, line, &out);
	}
	agent_run_end_step(r, &out);
	vy_arena_fini(&a);
}

static inline void agent_run_leave(struct agent_run *r)
{
	struct vy_arena a;
	struct agent_out out;

	vy_arena_init(&a);
	agent_out_init(&out, &a);
	r->ops->exited(r->agent, 1, 0, &out);
	agent_run_end_step(r, &out);
	vy_arena_fini(&a);
	vy_assert(vy_json_len(r->calls) == 0 && !r->in_turn);
	r->ops->free(r->agent);
	vy_json_free(r->calls);
}

/* All of the input; with `is_begun` the driver was told hello and a word first. */
static inline void agent_run(const struct provider_ops *ops, const struct provider_launch *l,
	agent_run_line_fn *is_line, bool is_begun, struct vy_str input)
{
	struct agent_run r = {
		.ops = ops, .is_line = is_line, .agent = ops->new (l), .calls = vy_json_new_obj()
	};
	size_t n = input.n;

	if (is_begun) {
		agent_run_step(&r, VY_STR_LIT("="));
		agent_run_step(&r, VY_STR_LIT("+"));
	}
	for (int lines = 0; input.n && lines < 200; lines++) {
		const char *nl = memchr(input.p, '\n', input.n);
		size_t len = nl ? (size_t)(nl - input.p) : input.n;

		agent_run_step(&r, vy_str_n(input.p, len));
		if ((n + (size_t)lines) % 4 == 0) {
			agent_run_cut(&r);
		}
		input = vy_str_from(input, len + 1);
	}
	agent_run_leave(&r);
}

#endif
