/* acp.c -- see acp.h. One thread. */
#include "tests/play/acp.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct acp {
	struct vy_buf in;
	const char *file;
	char session[64];
	long calls, requests;
	bool is_cancelled;
	long waits_for;        /* the request of ours that is not answered; -1: none */
	struct vy_json *heard; /* its answer */
};

static void put(struct vy_json *own)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	vy_json_set_c(own, "jsonrpc", "2.0");
	vy_json_dump(own, &b);
	vy_buf_addc(&b, '\n');
	vy_json_free(own);
	for (size_t at = 0; at < b.len;) {
		ssize_t n = write(1, b.data + at, b.len - at);

		if (n <= 0) {
			_exit(9);
		}
		at += (size_t)n;
	}
}

/* JSON of a format, whose %s are words without quotes. */
static struct vy_json *made(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct vy_json *made(const char *format, ...)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	va_list ap;

	va_start(ap, format);
	vy_buf_addv(&b, format, ap);
	va_end(ap);
	struct vy_json *v = vy_json_parse(vy_buf_str(&b), NULL);

	if (!v) {
		_exit(8);
	}
	return v;
}

static void answer(const struct vy_json *line, struct vy_json *own_result)
{
	struct vy_json *v = vy_json_new_obj();

	vy_json_set(v, "id", vy_json_get(line, "id"));
	vy_json_take(v, "result", own_result);
	put(v);
}

static void refuse(const struct vy_json *line, const char *why)
{
	struct vy_json *v =
		made("{\"error\":{\"code\":-32603,\"message\":\"Internal error\",\"data\":{"
		     "\"details\":\"%s\"}}}",
			why);

	vy_json_set(v, "id", vy_json_get(line, "id"));
	put(v);
}

static void update(const struct acp *a, struct vy_json *own)
{
	struct vy_json *v = made(
		"{\"method\":\"session/update\",\"params\":{\"sessionId\":\"%s\"}}", a->session);

	vy_json_take(vy_json_get(v, "params"), "update", own);
	put(v);
}

static void chunk(const struct acp *a, const char *kind, const char *text)
{
	struct vy_json *u =
		made("{\"sessionUpdate\":\"%s\",\"content\":{\"type\":\"text\"}}", kind);

	vy_json_set_c(vy_json_get(u, "content"), "text", text);
	update(a, u);
}

/* ---- hearing while it works ---- */

static void hear_one(struct acp *a, const struct vy_json *v)
{
	if (vy_str_is(vy_json_str(v, "method"), "session/cancel")) {
		a->is_cancelled = true;
	} else if (!vy_json_get(v, "method") && vy_json_int(v, "id", -1) == a->waits_for) {
		a->waits_for = -1;
		vy_json_free(a->heard);
		a->heard = vy_json_ref(vy_json_get(v, "result"));
	} else if (vy_json_get(v, "method") && vy_json_get(v, "id")) {
		refuse(v, "one thing at a time");
	}
}

/* Reads what has come within ms (-1: whenever it comes). The next line, owned; NULL: none yet. */
static struct vy_json *next_line(struct acp *a, int ms)
{
	struct pollfd fd = { .fd = 0, .events = POLLIN };
	char part[65536];

	for (;;) {
		const char *nl = a->in.len ? memchr(a->in.data, '\n', a->in.len) : NULL;

		if (nl) {
			size_t len = (size_t)(nl - a->in.data);
			struct vy_json *v = vy_json_parse(vy_str_n(a->in.data, len), NULL);

			vy_buf_consume(&a->in, len + 1);
			return v;
		}
		if (poll(&fd, 1, ms) <= 0) {
			return NULL;
		}
		ssize_t n = read(0, part, sizeof(part));

		if (n <= 0) {
			_exit(0);
		}
		vy_buf_add(&a->in, part, (size_t)n);
	}
}

static void rest(struct acp *a, int ms)
{
	VY_AUTO_JSON *v = next_line(a, ms);

	if (v) {
		hear_one(a, v);
	}
}

static const struct vy_json *ask(struct acp *a, struct vy_json *own)
{
	a->waits_for = a->requests++;
	vy_json_set_int(own, "id", a->waits_for);
	put(own);
	while (a->waits_for >= 0) {
		rest(a, -1);
	}
	return a->heard;
}

/* ---- what it does ---- */

static bool may(struct acp *a, const char *id, const char *kind, const char *about)
{
	struct vy_json *q =
		made("{\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"%s\","
		     "\"toolCall\":{\"toolCallId\":\"%s\",\"kind\":\"%s\",\"status\":\"pending\"},"
		     "\"options\":[{\"optionId\":\"ever\",\"name\":\"Always\",\"kind\":\"allow_"
		     "always\"},"
		     "{\"optionId\":\"once\",\"name\":\"This time\",\"kind\":\"allow_once\"},"
		     "{\"optionId\":\"nay\",\"name\":\"No\",\"kind\":\"reject_once\"}]}}",
			a->session, id, kind);

	vy_json_set_c(vy_json_path(q, "params.toolCall"), "title", about);
	const struct vy_json *r = ask(a, q);

	return vy_str_is(vy_json_strval(vy_json_path(r, "outcome.optionId")), "once");
}

static void call(struct acp *a, const char *kind, const char *about, bool asks)
{
	bool is_edit = strcmp(kind, "edit") == 0;
	char id[32];

	snprintf(id, sizeof(id), "call_%ld", ++a->calls);
	struct vy_json *u =
		made("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"%s\",\"kind\":\"%s\","
		     "\"status\":\"%s\",\"rawInput\":{}}",
			id, kind, asks ? "pending" : "in_progress");

	vy_json_set_c(u, "title", about);
	vy_json_set_c(vy_json_get(u, "rawInput"), is_edit ? "path" : "command", about);
	update(a, u);
	for (int i = 0; !asks && i < 500 && !a->is_cancelled; i++) {
		rest(a, 10);
	}
	bool is_done = !a->is_cancelled && (!asks || may(a, id, kind, about));

	u = made("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"%s\",\"status\":\"%s\","
		 "\"content\":[%s]}",
		id, is_done ? "completed" : "failed",
		!is_done ? ""
		: is_edit
			? "{\"type\":\"diff\",\"path\":\"/w/x\",\"oldText\":\"one\\n\",\"newText\":"
			  "\"two\\n\"}"
			: "{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"ran\"}"
			  "}");
	if (!a->is_cancelled) {
		update(a, u);
	} else {
		vy_json_free(u);
	}
}

static void words(struct acp *a, const char *n)
{
	for (long i = strtol(n, NULL, 10); i > 0 && !a->is_cancelled; i--) {
		chunk(a, "agent_message_chunk", "word ");
		rest(a, 5);
	}
}

static void form(struct acp *a)
{
	const struct vy_json *r =
		ask(a, made("{\"method\":\"elicitation/"
			    "create\",\"params\":{\"mode\":\"form\",\"sessionId\":\"%s\","
			    "\"message\":\"Which?\",\"requestedSchema\":{\"type\":\"object\","
			    "\"properties\":{\"q\":"
			    "{\"type\":\"string\",\"oneOf\":[{\"const\":\"Red\"},{\"const\":"
			    "\"Blue\"}]}}}}}",
			       a->session));
	struct vy_str q = vy_json_strval(vy_json_path(r, "content.q"));

	chunk(a, "agent_message_chunk", vy_str_is(q, "Blue") ? "It is blue." : "It is not blue.");
}

static void act(struct acp *a, const char *word, const char *about)
{
	if (strcmp(word, "say") == 0 || strcmp(word, "think") == 0) {
		chunk(a, *word == 's' ? "agent_message_chunk" : "agent_thought_chunk", about);
	} else if (strcmp(word, "words") == 0) {
		words(a, about);
	} else if (strcmp(word, "run") == 0 || strcmp(word, "sneak") == 0) {
		call(a, "execute", about, *word == 'r');
	} else if (strcmp(word, "write") == 0) {
		call(a, "edit", about, true);
	} else if (strcmp(word, "plan") == 0) {
		update(a, made("{\"sessionUpdate\":\"plan\",\"entries\":[{\"content\":\"Do it\","
			       "\"status\":\"in_progress\"}]}"));
	} else if (strcmp(word, "form") == 0) {
		form(a);
	} else if (strcmp(word, "hang") == 0) {
		while (!a->is_cancelled) {
			rest(a, -1);
		}
	} else if (strcmp(word, "exit") == 0) {
		_exit((int)strtol(about, NULL, 10));
	}
}

static void prompt(struct acp *a, const struct vy_json *line)
{
	const struct vy_json *blocks = vy_json_path(line, "params.prompt");
	struct vy_str text = vy_json_str(vy_json_at(blocks, vy_json_len(blocks) - 1), "text");
	char *script = vy_memdup0(text.p, text.n), *at = script;

	a->is_cancelled = false;
	while (at && !a->is_cancelled) {
		char *next = strstr(at, " ;; "), *colon;

		if (next) {
			*next = '\0';
			next += 4;
		}
		colon = strchr(at, ':');
		if (colon) {
			*colon = '\0';
		}
		act(a, at, colon ? colon + 1 : "");
		at = next;
	}
	free(script);
	answer(line,
		made("{\"stopReason\":\"%s\",\"usage\":{\"inputTokens\":3,\"outputTokens\":4}}",
			a->is_cancelled ? "cancelled" : "end_turn"));
}

/* ---- its sessions ---- */

static bool knows(const struct acp *a, struct vy_str id)
{
	FILE *f = fopen(a->file, "re");
	char line[64];
	bool found = false;

	while (f && fgets(line, sizeof(line), f)) {
		found |= vy_str_eq(vy_str_trim(vy_str_c(line)), id);
	}
	if (f) {
		fclose(f);
	}
	return found;
}

static void begin(struct acp *a, const struct vy_json *line)
{
	struct vy_str id = vy_json_strval(vy_json_path(line, "params.sessionId"));
	const char *modes = "\"modes\":{\"currentModeId\":\"default\",\"availableModes\":["
			    "{\"id\":\"default\"},{\"id\":\"plan\"},{\"id\":\"yolo\"}]}";

	if (!id.n) {
		FILE *f = fopen(a->file, "ae");

		snprintf(a->session, sizeof(a->session), "agent-%ld", (long)getpid());
		if (!f || fprintf(f, "%s\n", a->session) < 0 || fclose(f) != 0) {
			_exit(7);
		}
		answer(line, made("{\"sessionId\":\"%s\",%s}", a->session, modes));
		return;
	}
	if (!knows(a, id)) {
		refuse(line, "no such session");
		return;
	}
	snprintf(a->session, sizeof(a->session), "%.*s", VY_STR_ARG(id));
	chunk(a, "user_message_chunk", "told again");
	chunk(a, "agent_message_chunk", "told again");
	answer(line, made("{%s}", modes));
}

static void on_line(struct acp *a, const struct vy_json *line)
{
	struct vy_str method = vy_json_str(line, "method");

	if (vy_str_is(method, "initialize")) {
		answer(line, made("{\"protocolVersion\":1,\"agentInfo\":{\"name\":\"stand-in\","
				  "\"version\":"
				  "\"1\"},\"agentCapabilities\":{\"loadSession\":true}}"));
	} else if (vy_str_is(method, "session/new") || vy_str_is(method, "session/load")) {
		begin(a, line);
	} else if (vy_str_is(method, "session/prompt")) {
		prompt(a, line);
	} else if (vy_str_is(method, "session/set_mode")) {
		answer(line, vy_json_new_obj());
	} else if (vy_json_get(line, "id") && method.n) {
		refuse(line, "what is that?");
	}
}

int acp_agent(int argc, char **argv)
{
	struct acp a = { .in = VY_BUF_INIT(VY_LINE_MAX),
		.file = argc > 0 ? argv[0] : "/dev/null",
		.waits_for = -1 };

	for (;;) {
		VY_AUTO_JSON *v = next_line(&a, -1);

		if (v) {
			on_line(&a, v);
		}
	}
}
