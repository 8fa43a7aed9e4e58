/* endpoints_test.c -- which path is whose endpoint, and what its arguments become. */
#include "server/wire/endpoints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

static void paths(void **state)
{
	static const struct {
		const char *path, *method, *parts[ENDPOINT_PARTS];
	} rows[] = {
		{ "/v1/sessions/s-1/messages/msg_01/stream", "session.messageGeneration.subscribe",
			{ "s-1", "msg_01" } },
		{ "/v1/sessions/s/messages/a.b:c/stream", "session.messageGeneration.subscribe",
			{ "s", "a.b:c" } },
		{ "/v1/sessions/s/follow", "session.follow", { "s" } },
		{ "/v1/stream", "control.subscribe", { 0 } },
		{ "/v1/sessions/s/ui-stream", "session.ui.subscribe", { "s" } },
		{ "/v1/sessions/s/observe", "session.observe.subscribe", { "s" } },
		{ "/v1/sessions//messages/m/stream", NULL, { 0 } },
		{ "/v1/sessions/s/messages//stream", NULL, { 0 } },
		{ "/v1/sessions/s/messages/m/stream/", NULL, { 0 } },
		{ "/v1/sessions/s/messages/m/n/stream", NULL, { 0 } },
		{ "/v1/sessions/s/messages/m m/stream", NULL, { 0 } },
		{ "/v1/sessions/s/messages/m\x01/stream", NULL, { 0 } },
		{ "/v1/sessions/s/messages/m/strea", NULL, { 0 } },
		{ "/v1/sessions/s/follows", NULL, { 0 } },
		{ "", NULL, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_str parts[ENDPOINT_PARTS] = { { NULL, 0 } };
		const struct endpoint *at = endpoint_find(vy_str_c(rows[i].path), parts);

		if (!at != !rows[i].method || (at && strcmp(at->method, rows[i].method) != 0)) {
			fail_msg("%s: %s", rows[i].path, at ? at->method : "none");
		}
		for (size_t p = 0; at && p < ENDPOINT_PARTS; p++) {
			if (!vy_str_eq(parts[p], vy_str_c(rows[i].parts[p]))) {
				fail_msg("%s: part %zu is %.*s", rows[i].path, p,
					VY_STR_ARG(parts[p]));
			}
		}
	}
}

static void a_part_has_an_end(void **state)
{
	char path[600] = "/v1/sessions/";
	struct vy_str parts[ENDPOINT_PARTS];

	(void)state;
	memset(path + 13, 'a', VY_ID_MAX);
	memcpy(path + 13 + VY_ID_MAX, "/follow", 8);
	assert_non_null(endpoint_find(vy_str_c(path), parts));
	memset(path + 13, 'a', VY_ID_MAX + 1);
	memcpy(path + 14 + VY_ID_MAX, "/follow", 8);
	assert_null(endpoint_find(vy_str_c(path), parts));
}

/* "b" is ahead of "a". */
static bool by_letter(struct vy_str a, struct vy_str b)
{
	return a.n && b.n && a.p[0] > b.p[0];
}

static const struct endpoint number = {
	.path = "/x/{session}/y/{message}",
	.args = { { "from", ENDPOINT_CURSOR }, { "all", ENDPOINT_FLAG },
		{ "view", ENDPOINT_TEXT } },
	.place = "from",
};
static const struct endpoint event = {
	.path = "/x",
	.args = { { "after", ENDPOINT_TEXT } },
	.place = "after",
	.is_ahead = by_letter,
};
static const struct endpoint newest = {
	.path = "/x",
	.args = { { "after", ENDPOINT_TEXT } },
	.place = "after",
};
static const struct endpoint nowhere = { .path = "/x", .args = { { "view", ENDPOINT_TEXT } } };

static void params(void **state)
{
	static const struct {
		const char *name;
		const struct endpoint *at;
		const char *args[3], *last, *is; /* NULL: junk, and … */
		const char *sentence;            /* … how it begins */
	} rows[] = {
		{ "parts", &number, { 0 }, "", "{\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "every kind", &number, { "from=7", "all=1", "view=tidy" }, "",
			"{\"all\":true,\"from\":7,\"message\":\"m\",\"session\":\"s\",\"view\":"
			"\"tidy\"}",
			NULL },
		{ "off", &number, { "all=0" }, "",
			"{\"all\":false,\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "others are none", &number, { "ticket=1", "fro=1", "fromx=2" }, "",
			"{\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "the last of two", &number, { "from=1", "from=2" }, "",
			"{\"from\":2,\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "a header alone", &number, { 0 }, "12",
			"{\"from\":12,\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "a newer header", &number, { "from=9" }, "12",
			"{\"from\":12,\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "a newer URL", &number, { "from=12" }, "9",
			"{\"from\":12,\"message\":\"m\",\"session\":\"s\"}", NULL },
		{ "events in order", &event, { "after=b" }, "c", "{\"after\":\"c\"}", NULL },
		{ "events the other way", &event, { "after=c" }, "b", "{\"after\":\"c\"}", NULL },
		{ "no order: the header", &newest, { "after=c" }, "b", "{\"after\":\"b\"}", NULL },
		{ "no place", &nowhere, { 0 }, "7", "{}", NULL },
		{ "an empty text", &newest, { "after=" }, "", "{\"after\":\"\"}", NULL },
		{ "an empty number", &number, { "from=" }, "", NULL, "from: expected a cursor" },
		{ "a word", &number, { "from=now" }, "", NULL, "from: expected a cursor" },
		{ "no value", &number, { "from" }, "", NULL, "from: expected a cursor" },
		{ "junk in the header", &number, { "from=1" }, "evt", NULL,
			"Last-Event-ID: expected a cursor" },
		{ "no flag", &number, { "all=yes" }, "", NULL, "all: expected 1 or 0" },
	};
	struct vy_str parts[] = { VY_STR_LIT("s"), VY_STR_LIT("m") };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(4096);
		struct vy_str args[3];
		struct vy_err e = { 0 };
		size_t n = 0;

		for (; n < 3 && rows[i].args[n]; n++) {
			args[n] = vy_str_c(rows[i].args[n]);
		}
		VY_AUTO_JSON *o =
			endpoint_params(rows[i].at, parts, args, n, vy_str_c(rows[i].last), &e);

		if (!rows[i].is) {
			if (o || e.code != VY_BAD_INPUT ||
				strncmp(e.text, rows[i].sentence, strlen(rows[i].sentence)) != 0) {
				fail_msg("%s: %s", rows[i].name, e.text);
			}
			continue;
		}
		vy_json_dump_canonical(o, &text);
		if (strcmp(vy_buf_c(&text), rows[i].is) != 0) {
			fail_msg("%s: %s", rows[i].name, vy_buf_c(&text));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),
		cmocka_unit_test(a_part_has_an_end),
		cmocka_unit_test(params),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
