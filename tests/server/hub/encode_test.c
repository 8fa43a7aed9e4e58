/* encode_test.c -- a frame is encoded once, whoever looks: the linker counts (--wrap). */
#include "server/hub/hub.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define VIEWERS 1000
#define FRAMES  50

static int encoded;

bool __real_vy_frame_encode(const struct vy_frame *f, struct vy_buf *out);
bool __wrap_vy_frame_encode(const struct vy_frame *f, struct vy_buf *out);

bool __wrap_vy_frame_encode(const struct vy_frame *f, struct vy_buf *out)
{
	encoded++;
	return __real_vy_frame_encode(f, out);
}

static void on_ready(void *ctx)
{
	(void)ctx;
}

static void say(struct log *log, int i)
{
	char text[32];
	struct vy_frame f;

	snprintf(text, sizeof(text), "word %d", i);
	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.author = VY_STR_LIT("model:demo");
	vy_frame_set_c(&f, VY_F_MESSAGE, "m1");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	assert_int_equal(log_append(log, "s", &f, NULL), 0);
	log_flush(log);
}

/* All that there is for it; the frames are the very ones that the others get. */
static void drain(struct hub_sub *s, struct frame_ref **same, int n)
{
	struct hub_item it;
	int i = 0;

	while (hub_next(s, SIZE_MAX, &it) == HUB_ITEM) {
		if (it.kind == HUB_FRAME && n) {
			same[i] = same[i] ? same[i] : it.frame;
			assert_ptr_equal(same[i], it.frame);
			i++;
		}
		hub_item_done(&it);
	}
	assert_int_equal(i, n);
}

static void once_whatever_the_viewers(void **state)
{
	(void)state;
	static struct hub_sub *subs[VIEWERS];
	struct frame_ref *same[FRAMES] = { NULL };
	struct vy_loop *loop = vy_loop_new();
	struct log_store *store = store_mem_new();
	struct log *log = log_new(
		&(struct log_conf){ .store = store, .clock = &vy_clock_real, .boot_id = "boot" },
		NULL);
	struct hub *hub = hub_new(log, loop);

	log_flush(log);
	for (int i = 0; i < VIEWERS; i++) {
		subs[i] = hub_subscribe(hub,
			&(struct hub_open){
				.session = "s", .from = 0, .is_merged = true, .ready = on_ready });
		drain(subs[i], NULL, 0); /* the heartbeat behind the replay */
	}
	encoded = 0;
	for (int i = 0; i < FRAMES; i++) {
		say(log, i);
	}
	for (int i = 0; i < VIEWERS; i++) {
		drain(subs[i], same, FRAMES);
	}
	assert_int_equal(encoded, FRAMES);
	for (int i = 0; i < VIEWERS; i++) {
		hub_unsubscribe(subs[i]);
	}
	hub_free(hub);
	log_free(log);
	store->ops->close(store);
	vy_loop_free(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(once_whatever_the_viewers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
