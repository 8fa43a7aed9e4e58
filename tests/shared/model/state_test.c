/* state_test.c -- the words of session states, and the moves of the two machines. */
#include "tests/check.h"

#include "shared/model/state.h"
#include "shared/base/ban.h"

static void words(void **state)
{
	(void)state;
	static const struct {
		const char *record, *frame;
	} rows[] = {
		{ "starting", "starting" },
		{ "idle", "waiting" },
		{ "running", "working" },
		{ "waiting", "asking" },
		{ "stopped", "stopped" },
		{ "failed", "failed" },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		enum vy_record r;
		enum vy_state s;

		check_true(rows[i].record, vy_record_parse(vy_str_c(rows[i].record), &r));
		check_str(rows[i].record, vy_state_word(vy_record_state(r)), rows[i].frame);
		check_true(rows[i].frame, vy_state_parse(vy_str_c(rows[i].frame), &s));
		check_str(rows[i].frame, vy_record_word(vy_state_record(s)), rows[i].record);
	}
	enum vy_state s;
	enum vy_record r;

	check_true("finished", vy_state_parse(vy_str_c("finished"), &s) &&
				       vy_state_record(s) == VY_RECORD_STOPPED);
	check_true("paused",
		vy_state_parse(vy_str_c("paused"), &s) && vy_state_record(s) == VY_RECORD_IDLE);
	check_true("idle is no frame's word", !vy_state_parse(vy_str_c("idle"), &s));
	check_true("working is no record's", !vy_record_parse(vy_str_c("working"), &r));
}

/* What the wire shows, from the two machines: every combination. */
static void records(void **state)
{
	(void)state;
	static const struct {
		enum vy_process p;
		enum vy_turn t;
		enum vy_record end, want;
	} rows[] = {
		{ VY_PROCESS_ABSENT, VY_TURN_IDLE, VY_RECORD_IDLE, VY_RECORD_IDLE },
		{ VY_PROCESS_ABSENT, VY_TURN_IDLE, VY_RECORD_STOPPED, VY_RECORD_STOPPED },
		{ VY_PROCESS_ABSENT, VY_TURN_IDLE, VY_RECORD_FAILED, VY_RECORD_FAILED },
		{ VY_PROCESS_STARTING, VY_TURN_IDLE, VY_RECORD_FAILED, VY_RECORD_STARTING },
		{ VY_PROCESS_LIVE, VY_TURN_IDLE, VY_RECORD_FAILED, VY_RECORD_IDLE },
		{ VY_PROCESS_LIVE, VY_TURN_RUNNING, VY_RECORD_FAILED, VY_RECORD_RUNNING },
		{ VY_PROCESS_LIVE, VY_TURN_ASKING, VY_RECORD_IDLE, VY_RECORD_WAITING },
		{ VY_PROCESS_STOPPING, VY_TURN_RUNNING, VY_RECORD_STOPPED, VY_RECORD_RUNNING },
		{ VY_PROCESS_STOPPING, VY_TURN_IDLE, VY_RECORD_STOPPED, VY_RECORD_STOPPED },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int("record", vy_record_of(rows[i].p, rows[i].t, rows[i].end), rows[i].want);
	}
}

static void moves(void **state)
{
	(void)state;
	/* rows: from; columns: to */
	static const char *const process[] = { "11..", "1111", "1.11", "1..1" };
	static const char *const turn[] = { "11.", "111", "111" };
	struct vy_err e;

	for (unsigned from = 0; from < VY_PROCESS_COUNT; from++) {
		for (unsigned to = 0; to < VY_PROCESS_COUNT; to++) {
			struct vy_sm m = vy_process_sm((enum vy_process)from);

			check_int(vy_sm_name(&m), vy_sm_move(&m, to, &e) == 0,
				process[from][to] == '1');
			check_int(vy_sm_name(&m), m.now, process[from][to] == '1' ? to : from);
		}
	}
	for (unsigned from = 0; from < VY_TURN_COUNT; from++) {
		for (unsigned to = 0; to < VY_TURN_COUNT; to++) {
			struct vy_sm m = vy_turn_sm((enum vy_turn)from);

			check_int(
				vy_sm_name(&m), vy_sm_move(&m, to, &e) == 0, turn[from][to] == '1');
		}
	}
}

static void invariant(void **state)
{
	(void)state;
	check_true("at rest", !vy_machines_wrong(VY_PROCESS_ABSENT, VY_TURN_IDLE, 0));
	check_true("asking", !vy_machines_wrong(VY_PROCESS_LIVE, VY_TURN_ASKING, 2));
	check_true("ending", !vy_machines_wrong(VY_PROCESS_STOPPING, VY_TURN_RUNNING, 0));
	check_str("no process", vy_machines_wrong(VY_PROCESS_ABSENT, VY_TURN_RUNNING, 0),
		"a turn runs without a process");
	check_str("no ask", vy_machines_wrong(VY_PROCESS_LIVE, VY_TURN_ASKING, 0),
		"a turn asks and no ask is open");
	check_str("no turn", vy_machines_wrong(VY_PROCESS_LIVE, VY_TURN_RUNNING, 1),
		"an ask is open and no turn asks");
}

CHECK_MAIN(CHECK_TEST(words), CHECK_TEST(records), CHECK_TEST(moves), CHECK_TEST(invariant))
