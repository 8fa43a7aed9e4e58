/* acp_fuzz.c -- whatever an agent of the Agent Client Protocol prints: the driver answers with events that make sense, with
 * whole JSON lines for the agent, and with a state that survives being written down. A line that
 * begins with "!" came on stderr, with "^" was too long; "?" answers the newest request, "#" sends
 * an interrupt, "+" a word of a person, "="
 * the hello; all others came on stdout. */
#include <stdint.h>
#include <string.h>

#include "server/provider/acp.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct run {
	struct agent *agent;
	struct vy_json *calls;       /* open ones, as a set */
	char request[VY_ID_MAX * 4]; /* the newest */
	bool is_check, in_turn;
};

/* ---- what makes sense ---- */

static const char *key_of(struct vy_str id, char key[VY_ID_MAX + 1])
{
	vy_assert(id.n <= VY_ID_MAX);
	memcpy(key, id.n ? id.p : "", id.n);
	key[id.n] = '\0';
	return key;
}

static void check(struct run *r, const struct agent_event *ev)
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
		key_of(ev->tool, key);
		vy_assert(!vy_json_get(r->calls, key) && ev->text.n > 0 && ev->tool_kind);
		vy_json_set_bool(r->calls, key, true);
		break;
	case AE_TOOL_DONE:
		key_of(ev->tool, key);
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

static void end_step(struct run *r, struct agent_out *out)
{
	struct vy_str told = vy_buf_str(&out->tell);

	for (size_t i = 0; i < out->n; i++) {
		check(r, &out->events[i]);
	}
	while (told.n) {
		const char *nl = memchr(told.p, '\n', told.n);

		vy_assert(nl != NULL);
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(told.p, (size_t)(nl - told.p)), NULL);

		vy_assert(vy_str_is(vy_json_str(v, "jsonrpc"), "2.0"));
		told = vy_str_from(told, (size_t)(nl - told.p) + 1);
	}
	agent_out_fini(out);
}

/* Written down and read again, it is the same. */
static void cut(struct run *r)
{
	VY_AUTO_BUF a = VY_BUF_INIT(64 * VY_MIB), b = VY_BUF_INIT(64 * VY_MIB);
	struct vy_jw wa = VY_JW(&a), wb = VY_JW(&b);

	acp_ops.encode(r->agent, &wa);
	VY_AUTO_JSON *again = vy_json_parse(vy_buf_str(&a), NULL);
	struct agent *twin = acp_ops.decode(again, NULL);

	vy_assert(twin != NULL);
	acp_ops.encode(twin, &wb);
	vy_assert(vy_str_eq(vy_buf_str(&a), vy_buf_str(&b)));
	acp_ops.free(r->agent);
	r->agent = twin;
}

static void answer(struct run *r, struct agent_out *out)
{
	VY_AUTO_JSON *json = vy_json_parse(
		VY_STR_LIT("{\"always\":true,\"answers\":{\"q\":[\"a\",\"b\"]}}"), NULL);
	struct agent_command cmd = { .kind = r->is_check ? AC_CHECKED : AC_ANSWER,
		.request = vy_str_c(r->request),
		.decision = vy_str_c(r->is_check ? "deny" : "allow"),
		.json = json };

	acp_ops.command(r->agent, &cmd, out);
}

static void step(struct run *r, struct vy_str line)
{
	struct vy_arena a;
	struct agent_out out;

	vy_arena_init(&a);
	agent_out_init(&out, &a);
	if (vy_str_starts(line, "!")) {
		acp_ops.line(r->agent, AGENT_STDERR, vy_str_from(line, 1), &out);
	} else if (vy_str_starts(line, "^")) {
		acp_ops.line_too_long(r->agent, VY_LINE_MAX + 1, vy_str_from(line, 1), &out);
	} else if (vy_str_starts(line, "?")) {
		answer(r, &out);
	} else if (vy_str_starts(line, "#")) {
		acp_ops.command(r->agent, &(struct agent_command){ .kind = AC_INTERRUPT }, &out);
	} else if (vy_str_starts(line, "+")) {
		struct agent_command say = { .kind = AC_SAY,
			.message = VY_STR_LIT("00000000-0000-4000-8000-000000000002"),
			.text = VY_STR_LIT("hi") };

		acp_ops.command(r->agent, &say, &out);
	} else if (vy_str_starts(line, "=")) {
		acp_ops.command(r->agent, &(struct agent_command){ .kind = AC_HELLO }, &out);
	} else {
		acp_ops.line(r->agent, AGENT_STDOUT, line, &out);
	}
	end_step(r, &out);
	vy_arena_fini(&a);
}

static void leave(struct run *r)
{
	struct vy_arena a;
	struct agent_out out;

	vy_arena_init(&a);
	agent_out_init(&out, &a);
	acp_ops.exited(r->agent, 1, 0, &out);
	end_step(r, &out);
	vy_arena_fini(&a);
	vy_assert(vy_json_len(r->calls) == 0 && !r->in_turn);
	acp_ops.free(r->agent);
	vy_json_free(r->calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct provider_conf conf = {
		.name = "acp", .kind = "acp", .command = "agent"
	};
	const struct provider_launch l = { .conf = &conf,
		.session = VY_STR_LIT("s"),
		.cwd = VY_STR_LIT("/w"),
		.is_trusted = n % 2 };
	struct run r = { .agent = acp_ops.new(&l), .calls = vy_json_new_obj() };
	struct vy_str rest = vy_str_n((const char *)data, n);

	for (int lines = 0; rest.n && lines < 200; lines++) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		size_t len = nl ? (size_t)(nl - rest.p) : rest.n;

		step(&r, vy_str_n(rest.p, len));
		if ((n + (size_t)lines) % 4 == 0) {
			cut(&r);
		}
		rest = vy_str_from(rest, len + 1);
	}
	leave(&r);
	return 0;
}
