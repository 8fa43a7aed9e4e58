/* session_fuzz.c -- whatever a store holds for a session: it is refused, or the session goes on.
 *
 * The first byte chooses: 'r' a record, else a turn. A turn that was read is driven through acts
 * and events that touch every part of it, and must come back from its own encoding the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/session/record.h"
#include "server/session/turn.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define TEXT_MAX (64 * VY_MIB)

static void record(const struct vy_json *v)
{
	struct vy_err e = { 0 };
	struct record *r = record_decode(v, &e);

	if (!r) {
		vy_assert(e.code != VY_OK);
		return;
	}
	VY_AUTO_JSON *once = record_encode(r);
	struct record *again = record_decode(once, &e);

	vy_assert(again != NULL);
	VY_AUTO_JSON *twice = record_encode(again);

	vy_assert(vy_json_equal(once, twice));
	record_free(again);
	record_free(r);
}

static void comes_back(const struct turn *t)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *once = turn_encode(t);
	struct turn *again = turn_decode(once, &e);

	vy_assert(again != NULL);
	VY_AUTO_JSON *twice = turn_encode(again);

	vy_assert(vy_json_equal(once, twice));
	turn_free(again);
}

/* Names that stand in the value, so that acts and events find what they are about. */
static struct vy_str name_in(const struct vy_json *v, const char *list, const char *key)
{
	return vy_json_str(vy_json_at(vy_json_get(v, list), 0), key);
}

static void hear(struct turn *t, struct agent_event ev, struct effects *fx)
{
	turn_heard(t, &ev, fx);
}

static void drive(struct turn *t, const struct vy_json *v, struct effects *fx)
{
	struct vy_str word = vy_json_str(vy_json_at(vy_json_path(v, "queue.items"), 0), "message");
	struct vy_str ask = name_in(v, "asks", "ask"), request = name_in(v, "asks", "request");
	struct turn_answer answer = { .ask = ask, .decision = VY_STR_LIT("allow") };
	struct turn_say say = { .message = VY_STR_LIT("00000000-0000-4000-8000-000000000001"),
		.text = VY_STR_LIT("x"),
		.author = VY_STR_LIT("person:a") };
	struct turn_outcome was;

	(void)turn_say(t, &say, fx, NULL);
	(void)turn_edit(t, word, VY_STR_LIT("y"), fx, NULL);
	turn_started(t, fx);
	hear(t, (struct agent_event){ .kind = AE_TAKEN, .message = word }, fx);
	hear(t, (struct agent_event){ .kind = AE_CAME_BACK, .message = word }, fx);
	hear(t, (struct agent_event){ .kind = AE_ASK_GONE, .request = request }, fx);
	hear(t, (struct agent_event){ .kind = AE_TOOL_DONE, .tool = name_in(v, "tools", "id") },
		fx);
	hear(t,
		(struct agent_event){
			.kind = AE_TEXT_DONE, .message = name_in(v, "blocks", "message") },
		fx);
	(void)turn_answer(t, &answer, &was, fx, NULL);
	(void)turn_release(t, fx, NULL);
	(void)turn_interrupt(t, fx, NULL);
	hear(t, (struct agent_event){ .kind = AE_TURN_END, .outcome = AGENT_CANCELED }, fx);
	(void)turn_unqueue(t, word, fx, NULL);
	(void)turn_stop(t, 0, fx, NULL);
	turn_gone(t, vy_str_n(NULL, 0), fx);
	vy_assert(!turn_is_busy(t) && turn_asks(t) == 0 && !turn_has_process(t));
}

static void turn(const struct vy_json *v)
{
	struct vy_err e = { 0 };
	struct turn *t = turn_decode(v, &e);
	struct vy_arena a;
	struct effects fx;

	if (!t) {
		vy_assert(e.code != VY_OK);
		return;
	}
	comes_back(t);
	vy_arena_init(&a);
	effects_init(&fx, &a);
	drive(t, v, &fx);
	effects_fini(&fx);
	comes_back(t);
	vy_json_free(turn_facts(t));
	vy_json_free(turn_queue_json(t));
	turn_free(t);
	vy_arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n == 0) {
		return 0;
	}
	VY_AUTO_JSON *v = vy_json_parse(vy_str_n((const char *)data + 1, n - 1), NULL);

	(data[0] == 'r' ? record : turn)(v);
	return 0;
}
