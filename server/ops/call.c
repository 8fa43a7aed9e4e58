/* call.c -- see call.h. One request and "Connection: close": what comes until the end is the answer. */
#include "server/ops/call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 10000

static int dial(const char *socket_path, int patience_ms, struct vy_err *e)
{
	const struct timeval patience = { .tv_sec = patience_ms / 1000,
		.tv_usec = patience_ms % 1000 * 1000 };
	struct sockaddr_un at;

	if (vy_sock_addr(socket_path, &at, e) != 0) {
		return -1;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		return vy_fail_errno(e, errno, "making a socket");
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0) {
		int why = errno;

		close(fd);
		return why == ENOENT || why == ECONNREFUSED
			       ? vy_fail(e, VY_GONE, "no server listens at %s", socket_path)
			       : vy_fail_errno(e, why, "connecting to %s", socket_path);
	}
	return fd;
}

static int say(int fd, struct vy_str text, struct vy_err *e)
{
	while (text.n) {
		ssize_t n = send(fd, text.p, text.n, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR) {
			return vy_fail_errno(e, errno, "asking the server");
		}
		text = vy_str_from(text, n > 0 ? (size_t)n : 0);
	}
	return 0;
}

static int hear(int fd, struct vy_buf *out, int patience_ms, struct vy_err *e)
{
	ssize_t n = 1;

	while (n != 0) {
		if (!vy_buf_reserve(out, 16 * VY_KIB)) {
			return vy_fail(e, VY_FULL, "the answer of the server is too long");
		}
		n = read(fd, out->data + out->len, 16 * VY_KIB);
		if (n < 0 && errno != EINTR) {
			return errno == EAGAIN
				       ? vy_fail(e, VY_RETRY, "the server has not answered in %d s",
						 patience_ms / 1000)
				       : vy_fail_errno(e, errno, "hearing the server");
		}
		out->len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Behind the head of the answer, however long the head says it is. */
static struct vy_str body_of(struct vy_str answer)
{
	const char *at = memmem(answer.p, answer.n, "\r\n\r\n", 4);

	return at ? vy_str_from(answer, (size_t)(at - answer.p) + 4) : vy_str_n(NULL, 0);
}

static struct vy_json *result_of(struct vy_str answer, struct vy_err *e)
{
	VY_AUTO_JSON *v = vy_json_parse(body_of(answer), NULL);
	const struct vy_json *error = vy_json_get(v, "error");
	const char *why = vy_json_cstr(error, "message");

	if (!vy_json_get(v, "result")) {
		vy_fail(e, vy_json_int(error, "code", 0) == -32006 ? VY_UNSUPPORTED : VY_IO, "%s",
			why ? why : "the server answers in a way that this vyred does not know");
		return NULL;
	}
	return vy_json_ref(vy_json_get(v, "result"));
}

struct vy_json *ops_call_within(const char *socket_path, const char *method, const char *params,
	int patience_ms, struct vy_err *e)
{
	VY_AUTO_BUF body = VY_BUF_INIT(64 * VY_KIB), out = VY_BUF_INIT(65 * VY_KIB),
		    in = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_json *result = NULL;
	int fd = dial(socket_path, patience_ms, e);

	if (fd < 0) {
		return NULL;
	}
	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		params);
	vy_buf_addf(&out,
		"POST /v1/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		"Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		body.len, vy_buf_c(&body));
	if (say(fd, vy_buf_str(&out), e) == 0 && hear(fd, &in, patience_ms, e) == 0) {
		result = result_of(vy_buf_str(&in), e);
	}
	close(fd);
	return result;
}

struct vy_json *ops_call(
	const char *socket_path, const char *method, const char *params, struct vy_err *e)
{
	return ops_call_within(socket_path, method, params, PATIENCE_MS, e);
}
