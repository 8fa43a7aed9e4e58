/* state.c -- see state.h. */
#include "shared/model/state.h"

#include <stddef.h>

#include "shared/base/ban.h"

static const struct {
	const char *word;
	enum vy_record record;
} states[] = {
#define VY_STATE(name, word, record) [VY_STATE_##name] = { word, VY_RECORD_##record },
#include "shared/model/states.def"
#undef VY_STATE
};

static const struct {
	const char *word;
	enum vy_state state;
} records[] = {
	[VY_RECORD_STARTING] = { "starting", VY_STATE_STARTING },
	[VY_RECORD_IDLE] = { "idle", VY_STATE_WAITING },
	[VY_RECORD_RUNNING] = { "running", VY_STATE_WORKING },
	[VY_RECORD_WAITING] = { "waiting", VY_STATE_ASKING },
	[VY_RECORD_STOPPED] = { "stopped", VY_STATE_STOPPED },
	[VY_RECORD_FAILED] = { "failed", VY_STATE_FAILED },
};

const char *vy_state_word(enum vy_state s)
{
	return states[s].word;
}

bool vy_state_parse(struct vy_str word, enum vy_state *out)
{
	for (unsigned i = 0; i < VY_STATE_COUNT; i++) {
		if (vy_str_is(word, states[i].word)) {
			*out = (enum vy_state)i;
			return true;
		}
	}
	return false;
}

enum vy_record vy_state_record(enum vy_state s)
{
	return states[s].record;
}

const char *vy_record_word(enum vy_record r)
{
	return records[r].word;
}

bool vy_record_parse(struct vy_str word, enum vy_record *out)
{
	for (unsigned i = 0; i < VY_RECORD_COUNT; i++) {
		if (vy_str_is(word, records[i].word)) {
			*out = (enum vy_record)i;
			return true;
		}
	}
	return false;
}

enum vy_state vy_record_state(enum vy_record r)
{
	return records[r].state;
}

bool vy_is_rest(struct vy_str reason)
{
	return vy_str_is(reason, "idle") || vy_str_is(reason, "restart") ||
	       vy_str_is(reason, "rewind") || vy_str_is(reason, "done");
}

/* ---- the machines ---- */

static const struct vy_sm_state process_states[] = {
	[VY_PROCESS_ABSENT] = { "absent", VY_BIT(VY_PROCESS_STARTING) },
	[VY_PROCESS_STARTING] = { "starting",
		VY_BIT(VY_PROCESS_LIVE) | VY_BIT(VY_PROCESS_STOPPING) | VY_BIT(VY_PROCESS_ABSENT) },
	[VY_PROCESS_LIVE] = { "live", VY_BIT(VY_PROCESS_STOPPING) | VY_BIT(VY_PROCESS_ABSENT) },
	[VY_PROCESS_STOPPING] = { "stopping", VY_BIT(VY_PROCESS_ABSENT) },
};

static const struct vy_sm_state turn_states[] = {
	[VY_TURN_IDLE] = { "idle", VY_BIT(VY_TURN_RUNNING) },
	[VY_TURN_RUNNING] = { "running", VY_BIT(VY_TURN_ASKING) | VY_BIT(VY_TURN_IDLE) },
	[VY_TURN_ASKING] = { "asking", VY_BIT(VY_TURN_RUNNING) | VY_BIT(VY_TURN_IDLE) },
};

struct vy_sm vy_process_sm(enum vy_process now)
{
	return (struct vy_sm){ process_states, VY_PROCESS_COUNT, now };
}

struct vy_sm vy_turn_sm(enum vy_turn now)
{
	return (struct vy_sm){ turn_states, VY_TURN_COUNT, now };
}

enum vy_record vy_record_of(enum vy_process p, enum vy_turn t, enum vy_record end)
{
	if (p == VY_PROCESS_STARTING) {
		return VY_RECORD_STARTING;
	}
	if (p == VY_PROCESS_ABSENT) {
		return end;
	}
	switch (t) {
	case VY_TURN_RUNNING: return VY_RECORD_RUNNING;
	case VY_TURN_ASKING: return VY_RECORD_WAITING;
	case VY_TURN_IDLE:
	case VY_TURN_COUNT: break;
	}
	return p == VY_PROCESS_STOPPING ? end : VY_RECORD_IDLE;
}

const char *vy_machines_wrong(enum vy_process p, enum vy_turn t, unsigned open_asks)
{
	if (t != VY_TURN_IDLE && p != VY_PROCESS_LIVE && p != VY_PROCESS_STOPPING) {
		return "a turn runs without a process";
	}
	if (t == VY_TURN_ASKING && open_asks == 0) {
		return "a turn asks and no ask is open";
	}
	if (t != VY_TURN_ASKING && open_asks > 0) {
		return "an ask is open and no turn asks";
	}
	return NULL;
}
