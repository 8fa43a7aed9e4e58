/* gate.c -- see gate.h. */
#include "server/wire/gate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

/* "host:port", "[v6]:port", or without the port. False for anything else. */
static bool split(struct vy_str s, struct vy_str *host, struct vy_str *port)
{
	const char *end = s.n ? s.p + s.n : s.p, *colon;

	*port = vy_str_n(NULL, 0);
	if (s.n && s.p[0] == '[') {
		const char *close = memchr(s.p, ']', s.n);

		if (!close || (close + 1 != end && close[1] != ':')) {
			return false;
		}
		*host = vy_str_n(s.p + 1, (size_t)(close - s.p) - 1);
		colon = close + 1 == end ? NULL : close + 1;
	} else {
		colon = s.n ? memchr(s.p, ':', s.n) : NULL;
		*host = vy_str_n(s.p, colon ? (size_t)(colon - s.p) : s.n);
	}
	if (colon) {
		*port = vy_str_n(colon + 1, (size_t)(end - colon) - 1);
	}
	return host->n > 0 && (!colon || port->n > 0);
}

static bool port_of(struct vy_str s, uint16_t *out)
{
	long long n;

	if (!vy_parse_i64(s, &n) || n < 0 || n > 65535 || s.p[0] < '0' || s.p[0] > '9') {
		return false;
	}
	*out = (uint16_t)n;
	return true;
}

enum where { NOT_AN_ADDRESS, ELSEWHERE, LOOPBACK };

static enum where look(struct vy_str host, struct gate_addr *out)
{
	struct in_addr v4;
	struct in6_addr v6;

	if (host.n >= sizeof(out->host)) {
		return NOT_AN_ADDRESS;
	}
	if (host.n == strlen("localhost") && strncasecmp(host.p, "localhost", host.n) == 0) {
		host = vy_str_c("127.0.0.1");
	}
	memcpy(out->host, host.p, host.n);
	out->host[host.n] = '\0';
	if (inet_pton(AF_INET, out->host, &v4) == 1) {
		out->is_v6 = false;
		return (ntohl(v4.s_addr) >> 24) == 127 ? LOOPBACK : ELSEWHERE;
	}
	if (inet_pton(AF_INET6, out->host, &v6) == 1) {
		out->is_v6 = true;
		return IN6_IS_ADDR_LOOPBACK(&v6) ? LOOPBACK : ELSEWHERE;
	}
	return NOT_AN_ADDRESS;
}

int gate_parse(struct vy_str addr_port, struct gate_addr *out, struct vy_err *e)
{
	struct vy_str host, port;
	enum where where;

	*out = (struct gate_addr){ .port = 0 };
	if (!split(addr_port, &host, &port) || !port.n || !port_of(port, &out->port) ||
		(where = look(host, out)) == NOT_AN_ADDRESS) {
		return vy_fail(e, VY_BAD_INPUT,
			"listen: expected ADDRESS:PORT such as 127.0.0.1:7780 or [::1]:7780, got "
			"\"%.*s\"",
			VY_STR_ARG(addr_port));
	}
	if (where == ELSEWHERE) {
		return vy_fail(e, VY_BAD_INPUT,
			"listen: %.*s is not this machine alone, and nothing is encrypted there: "
			"listen on 127.0.0.1 and come in through ssh -L, or leave it off",
			VY_STR_ARG(addr_port));
	}
	return 0;
}

int gate_check(struct vy_str host, struct vy_str origin, struct vy_err *e)
{
	struct vy_str name, port;
	struct gate_addr at;

	if (!host.n || !split(host, &name, &port) || look(name, &at) != LOOPBACK) {
		return vy_fail(e, VY_DENIED,
			"the Host \"%.*s\" is not this listener: use its loopback address",
			VY_STR_ARG(host));
	}
	if (origin.n && (!vy_str_starts(origin, "http://") ||
				!vy_str_eq(vy_str_from(origin, strlen("http://")), host))) {
		return vy_fail(e, VY_DENIED,
			"pages of another origin (\"%.*s\") may not come in here",
			VY_STR_ARG(origin));
	}
	return 0;
}
