/* Any bytes as a transcript of another program: the first of them says which reader gets the rest, whole and
 * from its middle on, and which glance sees it cut. What is told must be whole: each call that was begun ends
 * once, and no text comes without a name. */
#include <stddef.h>
#include <stdint.h>

#include "server/adopt/past.h"
#include "server/provider/adopt.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/frame/check.h"
#include "shared/base/ban.h"

#define SESSION "00000000-0000-4000-8000-000000000000"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	int64_t begun, ended;
};

static void on_said(void *ctx, const struct adopt_said *s)
{
	(void)ctx;
	vy_assert(s->text.n || s->images);
}

static void on_event(void *ctx, const struct agent_event *ev, int64_t time)
{
	struct seen *seen = ctx;

	(void)time;
	seen->begun += ev->kind == AE_TOOL_START;
	seen->ended += ev->kind == AE_TOOL_DONE;
	vy_assert(seen->ended <= seen->begun);
	vy_assert(ev->kind != AE_TEXT || ev->message.n);
}

static void on_over(void *ctx, int64_t time)
{
	(void)ctx;
	(void)time;
}

static void read_one(const struct adopt_kind *kind, struct vy_str text, bool is_rest)
{
	struct seen seen = { 0 };
	const struct adopt_sink sink = { on_said, on_event, on_over, &seen };
	struct adopt_reading r = {
		.text = text, .cwd = VY_STR_LIT("/w"), .is_rest = is_rest, .sink = &sink
	};

	kind->read(&r);
	vy_assert(seen.begun == seen.ended);
}

/* … and each frame that is made of it is one that the log takes. */
static void make_past(const struct adopt_kind *kind, struct vy_str text)
{
	struct adopt_reading r = { .text = text, .cwd = VY_STR_LIT("/w") };
	const struct past_of of = { .session = SESSION,
		.person = VY_STR_LIT("person:ana"),
		.assistant = VY_STR_LIT("assistant:claude"),
		.now = 1 };
	struct past *p = past_new(kind, &r, &of);

	for (size_t i = 0; i < p->n; i++) {
		p->frames[i].session = VY_STR_LIT(SESSION);
		p->frames[i].id = VY_STR_LIT("f");
		vy_assert(vy_frame_check_new(&p->frames[i], NULL) == 0);
	}
	past_free(p);
}

static void look(const struct adopt_kind *kind, struct vy_str text)
{
	static const char *const names[] = { "11111111-2222-4333-8444-555555555501.jsonl",
		"rollout-2026-01-02T03-04-05-11111111-2222-4333-8444-555555555501.jsonl",
		"session-1.jsonl" };
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		size_t half = text.n / 2;
		struct adopt_piece p = { vy_str_c(names[i]), vy_str_n(text.p, half),
			vy_str_from(text, half) };
		struct adopt_glance g = { 0 };

		kind->glance(&p, &a, &g);
	}
	vy_arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0) {
		const struct adopt_kind *kind = adopt_all()[data[0] % 4];
		struct vy_str text = vy_str_n((const char *)data + 1, size - 1);

		read_one(kind, text, false);
		read_one(kind, text, true);
		make_past(kind, text);
		look(kind, text);
	}
	return 0;
}
