/* gate_test.c -- where a plain listener may stand, and whom it lets in. */
#include "server/wire/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/ban.h"

static void addresses(void **state)
{
	static const struct {
		const char *in, *host;
		int port;
		const char *says; /* NULL: fine */
	} rows[] = {
		{ "127.0.0.1:7780", "127.0.0.1", 7780, NULL },
		{ "127.9.9.9:1", "127.9.9.9", 1, NULL },
		{ "[::1]:0", "::1", 0, NULL },
		{ "localhost:65535", "127.0.0.1", 65535, NULL },
		{ "LocalHost:80", "127.0.0.1", 80, NULL },
		{ "0.0.0.0:7780", NULL, 0, "ssh -L" },
		{ "192.168.1.2:7780", NULL, 0, "nothing is encrypted" },
		{ "[::]:7780", NULL, 0, "ssh -L" },
		{ "[2001:db8::1]:1", NULL, 0, "ssh -L" },
		{ "example.org:80", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1:", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1:x", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1:-1", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1:+1", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1:65536", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1:7780 ", NULL, 0, "expected ADDRESS:PORT" },
		{ "::1:7780", NULL, 0, "expected ADDRESS:PORT" },
		{ "[::1]7780", NULL, 0, "expected ADDRESS:PORT" },
		{ "[::1", NULL, 0, "expected ADDRESS:PORT" },
		{ ":7780", NULL, 0, "expected ADDRESS:PORT" },
		{ "", NULL, 0, "expected ADDRESS:PORT" },
		{ "127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1:1", NULL,
			0, "expected ADDRESS:PORT" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct gate_addr at;
		struct vy_err e = { .code = VY_OK };
		int rc = gate_parse(vy_str_c(rows[i].in), &at, &e);

		if (rows[i].says) {
			if (rc != -1 || e.code != VY_BAD_INPUT || !strstr(e.text, rows[i].says)) {
				fail_msg("%s: %d %s", rows[i].in, rc, e.text);
			}
			continue;
		}
		if (rc != 0 || strcmp(at.host, rows[i].host) != 0 || at.port != rows[i].port) {
			fail_msg("%s: %d %s %d", rows[i].in, rc, at.host, at.port);
		}
	}
}

static void visitors(void **state)
{
	static const struct {
		const char *name, *host, *origin;
		int rc;
	} rows[] = {
		{ "a program", "127.0.0.1:7780", "", 0 },
		{ "a program by name", "localhost:7780", "", 0 },
		{ "by six", "[::1]:7780", "", 0 },
		{ "without a port", "localhost", "", 0 },
		{ "a page of ours", "localhost:7780", "http://localhost:7780", 0 },
		{ "a name that was bent to here", "evil.example:7780", "", -1 },
		{ "a name that begins well", "localhost.evil.example", "", -1 },
		{ "an address that begins well", "127.0.0.1.evil.example", "", -1 },
		{ "no host", "", "", -1 },
		{ "a page of another port", "localhost:7780", "http://localhost:3000", -1 },
		{ "a page of elsewhere", "localhost:7780", "https://evil.example", -1 },
		{ "a page of nowhere", "localhost:7780", "null", -1 },
		{ "a page by another name", "localhost:7780", "http://127.0.0.1:7780", -1 },
		{ "a secure page of ours", "localhost:7780", "https://localhost:7780", -1 },
		{ "an origin past reading", "localhost:7780", "(too long)", -1 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { .code = VY_OK };
		int rc = gate_check(vy_str_c(rows[i].host), vy_str_c(rows[i].origin), &e);

		if (rc != rows[i].rc || (rc != 0 && e.code != VY_DENIED)) {
			fail_msg("%s: %d %s", rows[i].name, rc, e.text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(visitors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
