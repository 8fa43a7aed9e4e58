/* sse_fuzz.c -- server-sent events of any bytes: cut anywhere they are the same events, and within bounds.
 *
 * The first byte says how the rest is cut; fed whole, by that, and byte by byte it gives the same text. */
#include <stdint.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/frame/sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define MOST 64

static void on_event(void *ctx, const struct vy_sse_event *ev)
{
	vy_assert(ev->data.n <= MOST && ev->id.n <= VY_SSE_ID_MAX && ev->name.n > 0);
	vy_assert(ev->id.n == 0 || !memchr(ev->id.p, '\0', ev->id.n));
	vy_buf_addstr(ctx, ev->name);
	vy_buf_addc(ctx, '|');
	vy_buf_addstr(ctx, ev->id);
	vy_buf_addc(ctx, '|');
	vy_buf_addstr(ctx, ev->data);
	vy_buf_addc(ctx, ';');
}

static void on_retry(void *ctx, int64_t ms)
{
	vy_assert(ms >= 0);
	vy_buf_addf(ctx, "retry %lld;", (long long)ms);
}

/* False: too long somewhere, which is only known as far as it was cut then. */
static bool run(struct vy_str in, size_t piece, struct vy_buf *got)
{
	const struct vy_sse_out out = { on_event, on_retry, got };
	struct vy_sse s;
	bool ok = true;

	vy_sse_init(&s, MOST);
	for (size_t at = 0; at < in.n && ok; at += piece) {
		size_t n = in.n - at < piece ? in.n - at : piece;

		ok = vy_sse_feed(&s, vy_str_n(in.p + at, n), &out, NULL) == 0;
	}
	vy_sse_fini(&s);
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(16 * VY_MIB), some = VY_BUF_INIT(16 * VY_MIB);
	VY_AUTO_BUF bytes = VY_BUF_INIT(16 * VY_MIB);
	struct vy_str in = vy_str_n((const char *)data + 1, n ? n - 1 : 0);

	if (n == 0) {
		return 0;
	}
	bool a = run(in, in.n ? in.n : 1, &whole), b = run(in, data[0] % 16 + 1, &some);
	bool c = run(in, 1, &bytes);

	if (a && b && c) {
		vy_assert(vy_str_eq(vy_buf_str(&whole), vy_buf_str(&some)));
		vy_assert(vy_str_eq(vy_buf_str(&whole), vy_buf_str(&bytes)));
	}
	return 0;
}
