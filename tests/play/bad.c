/* bad.c -- see bad.h. One thread; what it says is claude's stream-json, as far as it says that at all. */
#include "tests/play/bad.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/cut.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

struct bad {
	struct vy_cut cut;
	char uuid[64], *script;
	bool is_cut;      /* an interrupt came: the rest of the script is left out */
	bool is_answered; /* a question of ours */
	bool is_stubborn; /* hears nothing that it is told */
	bool is_dumb;     /* nor can anybody tell it */
	int rude;         /* exits so when it is interrupted; -1: it does not */
	int late;         /* exits so when it is told to leave; -1: as it should */
	long n;           /* messages so far */
};

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void put(const char *p, size_t n)
{
	while (n > 0) {
		ssize_t w = write(1, p, n);

		if (w <= 0) {
			_exit(9);
		}
		p += w;
		n -= (size_t)w;
	}
}

/* One line. */
static void say(const char *format, ...)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	va_list ap;

	va_start(ap, format);
	vy_buf_addv(&b, format, ap);
	va_end(ap);
	vy_buf_addc(&b, '\n');
	put(b.data, b.len);
}

/* ---- what it hears ---- */

static void answer(struct vy_str id, const char *response)
{
	say("{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\","
	    "\"request_id\":\"%.*s\",\"response\":%s}}",
		VY_STR_ARG(id), response);
}

static void on_request(struct bad *b, const struct vy_json *line)
{
	struct vy_str id = vy_json_str(line, "request_id");
	struct vy_str what = vy_json_str(vy_json_get(line, "request"), "subtype");

	if (vy_str_is(what, "initialize")) {
		answer(id, "{\"commands\":[],\"models\":[],\"hooks_applied\":true,"
			   "\"claude_code_version\":\"9.9.9\","
			   "\"current_permission_mode\":\"default\"}");
	} else if (vy_str_is(what, "interrupt")) {
		if (b->rude >= 0) {
			_exit(b->rude);
		}
		answer(id, "{\"still_queued\":[],\"cancelled\":[]}");
		b->is_cut = true;
	} else if (vy_str_is(what, "end_session")) {
		answer(id, "{}");
		_exit(b->late >= 0 ? b->late : 0);
	} else {
		answer(id, "{}");
	}
}

static void on_user(struct bad *b, const struct vy_json *line)
{
	struct vy_str text = vy_json_str(vy_json_get(line, "message"), "content");

	snprintf(b->uuid, sizeof(b->uuid), "%.*s", VY_STR_ARG(vy_json_str(line, "uuid")));
	free(b->script);
	b->script = strndup(text.p ? text.p : "", text.n);
}

static void hear(struct bad *b, struct vy_str text)
{
	VY_AUTO_JSON *line = vy_json_parse_lenient(text, NULL);
	struct vy_str type = vy_json_str(line, "type");

	if (b->is_stubborn) {
		return;
	}
	if (vy_str_is(type, "control_request")) {
		on_request(b, line);
	} else if (vy_str_is(type, "user")) {
		on_user(b, line);
	} else if (vy_str_is(type, "control_response")) {
		b->is_answered = true;
	}
}

static void listen_to(struct bad *b, int ms)
{
	struct pollfd p = { 0, POLLIN, 0 };
	char part[65536];
	struct vy_str piece;
	enum vy_cut_got got;

	if (poll(&p, b->is_dumb ? 0 : 1, ms) <= 0) {
		return;
	}
	ssize_t n = read(0, part, sizeof(part));

	if (n <= 0) {
		if (b->is_stubborn) {
			pause();
		}
		_exit(0);
	}
	struct vy_str in = vy_str_n(part, (size_t)n);

	while ((got = vy_cut_next(&b->cut, &in, &piece)) != VY_CUT_MORE) {
		if (got == VY_CUT_PIECE) {
			hear(b, piece);
		}
	}
}

/* ---- what it does ---- */

static void begin(struct bad *b)
{
	say("{\"type\":\"command_lifecycle\",\"command_uuid\":\"%s\",\"state\":\"started\"}",
		b->uuid);
	say("{\"type\":\"system\",\"subtype\":\"init\",\"model\":\"bad\",\"permissionMode\":"
	    "\"default\",\"capabilities\":[\"msg_lifecycle_v1\",\"interrupt_cancel_queued_v1\"],"
	    "\"user_message_uuids\":[\"%s\"]}",
		b->uuid);
}

static void delta(const struct bad *b, const char *words)
{
	(void)b;
	say("{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,"
	    "\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}},\"parent_tool_use_id\":null}",
		words);
}

static void block(struct bad *b)
{
	say("{\"type\":\"stream_event\",\"event\":{\"type\":\"message_start\",\"message\":{\"id\":"
	    "\"m%ld\"}},\"parent_tool_use_id\":null}",
		++b->n);
	say("{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_start\",\"index\":0,"
	    "\"content_block\":{\"type\":\"text\"}},\"parent_tool_use_id\":null}");
	delta(b, "some words ");
}

static void tool(struct bad *b)
{
	say("{\"type\":\"assistant\",\"message\":{\"id\":\"m%ld\",\"role\":\"assistant\","
	    "\"content\":[{\"type\":\"tool_use\",\"id\":\"t%ld\",\"name\":\"Bash\",\"input\":"
	    "{\"command\":\"ls\"}}]},\"parent_tool_use_id\":null}",
		b->n, b->n);
}

/* The Nth question of this turn; 0 and 2 are about the same call. */
static void ask(struct bad *b, long n)
{
	say("{\"type\":\"control_request\",\"request_id\":\"r%ld\",\"request\":{\"subtype\":"
	    "\"can_use_tool\",\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls\"},"
	    "\"tool_use_id\":\"%s%ld\"}}",
		n, n == 1 ? "u" : "t", b->n);
}

static void result(struct bad *b, const char *how)
{
	say("{\"type\":\"result\",\"subtype\":\"%s\",\"is_error\":%s,\"terminal_reason\":\"%s\","
	    "\"total_cost_usd\":0}",
		*how ? "error_during_execution" : "success", *how ? "true" : "false",
		*how ? how : "completed");
	say("{\"type\":\"command_lifecycle\",\"command_uuid\":\"%s\",\"state\":\"completed\"}",
		b->uuid);
}

static void tool_result(const struct bad *b)
{
	say("{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\","
	    "\"tool_use_id\":\"t%ld\",\"content\":\"done\"}]},\"parent_tool_use_id\":null}",
		b->n);
}

/* So many MiB of them, as fast as they are taken. */
static void flood(int fd, const char *line, long mib)
{
	static char many[VY_MIB];
	size_t n = strlen(line), len = 0;

	while (len + n <= sizeof(many)) {
		memcpy(many + len, line, n);
		len += n;
	}
	for (long i = 0; mib < 0 || i < mib; i++) {
		for (size_t at = 0; at < len;) {
			ssize_t w = write(fd, many + at, len - at);

			if (w <= 0) {
				_exit(9);
			}
			at += (size_t)w;
		}
	}
}

#define DELTA                                                                                      \
	"{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,"      \
	"\"delta\":{\"type\":\"text_delta\",\"text\":\"a word or two \"}},"                        \
	"\"parent_tool_use_id\":null}\n"
#define STRANGE "{\"type\":\"from_the_future\",\"payload\":[1,2,3]}\n"

/* Each is a line of a protocol that is not kept. */
static const struct {
	const char *word, *text;
} lines[] = {
	{ "garbage", "this is no JSON at all\n" },
	{ "binary", "\377\376\001\033[2J\n" },
	{ "half", "{\"type\":\"assistant\",\"message\":{\"id\":\"" },
	{ "array", "[1,2,3]\n" },
	{ "number", "7\n" },
	{ "empty", "\n\n{}\n{\"type\":7}\n" },
	{ "future", STRANGE },
	{ "system", "{\"type\":\"system\",\"subtype\":\"from_the_future\",\"x\":{}}\n" },
	{ "event", "{\"type\":\"stream_event\",\"event\":{\"type\":\"from_the_future\"}}\n" },
	{ "types", "{\"type\":\"assistant\",\"message\":7}\n{\"type\":\"user\",\"message\":[]}\n"
		   "{\"type\":\"stream_event\",\"event\":\"x\"}\n{\"type\":\"result\","
		   "\"usage\":[],\"errors\":7,\"total_cost_usd\":\"much\"}\n"
		   "{\"type\":\"control_request\"}\n{\"type\":\"control_response\"}\n" },
	{ "responses", "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\","
		       "\"request_id\":\"vyre-99999\"}}\n{\"type\":\"control_response\","
		       "\"response\":{\"subtype\":\"error\",\"request_id\":\"vyre-1\"}}\n"
		       "{\"type\":\"control_cancel_request\",\"request_id\":\"nobody's\"}\n" },
	{ "requests", "{\"type\":\"control_request\",\"request_id\":\"x1\",\"request\":"
		      "{\"subtype\":\"from_the_future\"}}\n{\"type\":\"control_request\","
		      "\"request_id\":\"x1\",\"request\":{}}\n" },
	{ "results", "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\","
		     "\"tool_use_id\":\"nobody's\",\"content\":\"x\"}]}}\n" },
	{ "mode", "{\"type\":\"system\",\"subtype\":\"status\",\"status\":null,"
		  "\"permissionMode\":\"bypassPermissions\"}\n" },
	{ "deep", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
		  "\n" },
	{ "nul", "{\"type\":\"assistant\",\"message\":{\"id\":\"a\\u0000b\",\"content\":"
		 "[{\"type\":\"text\",\"text\":\"\\ud800\"}]}}\n" },
};

static bool say_line(const char *word)
{
	for (size_t i = 0; i < VY_COUNT(lines); i++) {
		if (strcmp(word, lines[i].word) == 0) {
			put(lines[i].text, strlen(lines[i].text));
			return true;
		}
	}
	return false;
}

/* A line of so many MiB. */
static void long_line(long mib)
{
	put("{\"type\":\"system\",\"x\":\"", 22);
	flood(1, "x", mib);
	put("\"}\n", 3);
}

static void wait_for(struct bad *b, const bool *what)
{
	while (!*what && !b->is_cut) {
		listen_to(b, -1);
	}
}

static void leave(const char *how, long n)
{
	if (strcmp(how, "signal") == 0) {
		signal((int)n, SIG_DFL);
		kill(getpid(), (int)n);
		pause();
	}
	_exit((int)n);
}

static void be(struct bad *b, const char *word, long n)
{
	if (strcmp(word, "stubborn") == 0) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		b->is_stubborn = true;
	} else if (strcmp(word, "rude") == 0) {
		b->rude = (int)n;
	} else if (strcmp(word, "late") == 0) {
		b->late = (int)n;
	} else if (strcmp(word, "closed") == 0) {
		close(1);
	} else if (strcmp(word, "dumb") == 0) {
		close(0);
		b->is_dumb = true;
	}
}

static void pour(const char *word, long n)
{
	if (strcmp(word, "deltas") == 0) {
		flood(1, DELTA, n);
	} else if (strcmp(word, "strange") == 0) {
		flood(1, STRANGE, n);
	} else if (strcmp(word, "noise") == 0) {
		flood(1, "no message of any kind\n", n);
	} else if (strcmp(word, "stderr") == 0) {
		flood(2, "a line of a flood of complaints\n", n);
	} else if (strcmp(word, "long") == 0) {
		long_line(n);
	}
}

static void step(struct bad *b, const char *word, long n)
{
	bool never = false;

	if (say_line(word)) {
		return;
	}
	if (strcmp(word, "begin") == 0) {
		begin(b);
	} else if (strcmp(word, "block") == 0) {
		block(b);
	} else if (strcmp(word, "tool") == 0) {
		tool(b);
	} else if (strcmp(word, "ask") == 0) {
		ask(b, n);
	} else if (strcmp(word, "tooled") == 0) {
		tool_result(b);
	} else if (strcmp(word, "answer") == 0) {
		wait_for(b, &b->is_answered);
		b->is_answered = false;
	} else if (strcmp(word, "result") == 0) {
		result(b, "");
	} else if (strcmp(word, "hang") == 0) {
		wait_for(b, &never);
	} else if (strcmp(word, "exit") == 0 || strcmp(word, "signal") == 0) {
		leave(word, n);
	}
	be(b, word, n);
	pour(word, n);
}

/* "word", "word:number", with blanks between. */
static void run(struct bad *b, char *script)
{
	char *at = script, *word;

	b->is_cut = b->is_answered = false;
	while (!b->is_cut && (word = strsep(&at, " "))) {
		char *number = strchr(word, ':');

		if (number) {
			*number++ = '\0';
		}
		step(b, word, number ? strtol(number, NULL, 10) : 0);
		listen_to(b, 0);
	}
	if (b->is_cut) {
		result(b, "aborted_streaming");
	}
}

int bad_agent(int argc, char **argv)
{
	struct bad b = { .rude = -1, .late = -1 };
	const char *early = argc > 0 && argv[0][0] != '-' ? argv[0] : "";
	char *first = strdup(early);

	vy_cut_init(&b.cut, VY_CUT_LINES, VY_LINE_MAX);
	run(&b, first);
	free(first);
	for (;;) {
		char *script = b.script;

		b.script = NULL;
		if (script) {
			run(&b, script);
			free(script);
		} else {
			listen_to(&b, -1);
		}
	}
}
