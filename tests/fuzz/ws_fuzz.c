/* ws_fuzz.c -- whatever a viewer says on a session's WebSocket: it is refused with a sentence, passed
 * over, or it is one subscription, from where it said.
 *
 * The first byte chooses one frame a message or several; each line of the rest is a message. (What the
 * control WebSocket hears is RPC: rpc_fuzz.) */
#include <stdint.h>
#include <string.h>

#include "server/auth/caller.h"
#include "server/wire/peer.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/server/wire/fake_hub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { FRAMES = 3 };

static void wants_write(void *ctx)
{
	(void)ctx;
}

static bool is_subscribe(struct vy_str text)
{
	VY_AUTO_JSON *v = vy_json_parse(text, NULL);

	return vy_json_type(v) == VY_JSON_OBJ && vy_str_is(vy_json_str(v, "t"), "subscribe");
}

/* Everything it gets, to the end or to where it waits; never without end. */
static void take_all(struct peer *p)
{
	enum peer_got got = PEER_MORE;
	int messages = 0;

	while (got == PEER_MORE || got == PEER_MESSAGE) {
		VY_AUTO_BUF out = VY_BUF_INIT(2 * PEER_MESSAGE_MAX);

		got = peer_take(p, &out);
		vy_assert(got != PEER_MESSAGE || out.len > 0);
		vy_assert(++messages < 4 * FRAMES);
	}
	vy_assert(peer_sent(p) <= FRAMES + 2); /* and a heartbeat, or a reset */
}

static void hear(struct peer *p, struct hub *hub, struct vy_str text)
{
	struct vy_err e = { 0 };
	unsigned before = fake_hub_subscribers((struct fake_hub *)hub);
	int rc = peer_hear(p, text, &e);
	unsigned after = fake_hub_subscribers((struct fake_hub *)hub);

	vy_assert(rc == 0 || e.text[0] != '\0');
	vy_assert(after <= 1 && after >= before);
	vy_assert(after == before || (rc == 0 && is_subscribe(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct caller ann = { .kind = CALLER_PERSON, .person = "ann" };
	static struct vy_loop *loop;
	static struct hub *hub;
	struct vy_str rest = vy_str_n((const char *)data, n);

	if (!loop) {
		loop = vy_loop_new();
		hub = fake_hub_new(loop);
		for (int i = 0; i < FRAMES; i++) {
			fake_hub_push((struct fake_hub *)hub, VY_STR_LIT("{\"frame\":1}"));
		}
	}
	struct peer *p = peer_new(&(struct peer_conf){ .hub = hub,
		.loop = loop,
		.who = &ann,
		.form = n && data[0] & 1 ? PEER_LINES : PEER_SINGLE,
		.session = "s",
		.viewer = "v",
		.wants_write = wants_write });

	for (rest = vy_str_from(rest, 1); rest.n > 0;) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		struct vy_str text = vy_str_n(rest.p, nl ? (size_t)(nl - rest.p) : rest.n);

		hear(p, hub, text);
		rest = vy_str_from(rest, text.n + 1);
	}
	take_all(p);
	peer_free(p);
	vy_assert(fake_hub_subscribers((struct fake_hub *)hub) == 0);
	return 0;
}
