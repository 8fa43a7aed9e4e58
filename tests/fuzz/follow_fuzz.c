/* follow_fuzz.c -- whatever a server says to who follows a session: lines, each an item.
 *
 * An empty line is a lost connection. The events said only grow; what is shown of an attempt can be made
 * a settlement of and read back; nothing is open when nothing was opened. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/follow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int64_t last;

static void say(void *ctx, const struct vy_follow_said *s)
{
	(void)ctx;
	if (s->what == VY_FOLLOW_EVENT) {
		vy_assert(s->seq > last);
		last = s->seq;
	}
	if (s->attempt && s->attempt->message.n) {
		VY_AUTO_BUF text = VY_BUF_INIT(64 * VY_MIB);
		struct vy_settlement back;
		struct vy_arena mem;
		struct vy_err e = { 0 };

		vy_arena_init(&mem);
		vy_settlement_encode(s->attempt, &text);
		vy_assert(vy_settlement_decode(vy_buf_str(&text), &mem, &back, &e) == 0);
		vy_assert(vy_settlement_pieces(&back) == vy_settlement_pieces(s->attempt));
		vy_arena_fini(&mem);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_follow *f = vy_follow_new();
	struct vy_settlement st;
	struct vy_arena mem;

	last = 0;
	vy_arena_init(&mem);
	for (size_t at = 0; at < n;) {
		const uint8_t *nl = memchr(data + at, '\n', n - at);
		size_t len = nl ? (size_t)(nl - data) - at : n - at;

		if (len == 0) {
			vy_follow_lost(f, say, NULL);
		} else if (vy_follow_take(f, vy_str_n((const char *)data + at, len), say, NULL) !=
			   VY_FOLLOW_OK) {
			vy_assert(!vy_follow_is_live(f));
			vy_assert(!vy_follow_attempt(f, 0, &mem, &st));
			last = vy_follow_last(f) < last ? 0 : last; /* another history */
		}
		at += len + 1;
	}
	vy_follow_free(f);
	vy_arena_fini(&mem);
	return 0;
}
