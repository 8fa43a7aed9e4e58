/* caller_test.c -- who is at this socket, over process tables written down as they would be. */
#include "server/auth/caller.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/str.h"
#include "shared/base/ban.h"

#define S1 "11111111-1111-4111-8111-111111111111"
#define S2 "22222222-2222-4222-8222-222222222222"
#define H1 "00000000000000a1"
#define H2 "00000000000000a2"
#define HT "00000000000000ee"
#define ME 1000
/* clang-format off */
#define END { .pid = 0 }
#define P(p, up, g, s, c, ...) \
	{ .pid = (p), .ppid = (up), .pgid = (g), .sid = (s), .comm = (c), __VA_ARGS__ }
/* clang-format on */

struct row {
	pid_t pid, ppid, pgid, sid;
	const char *comm;
	const char *hid;    /* "?" : may not be read */
	const char *script; /* run by an interpreter */
	const char *unit;   /* its cgroup; NULL: not told */
	uint64_t born;      /* 0: its pid */
	bool hidden, branded, told;
};

struct table {
	const struct row *rows;
	int looks;
	const struct row *later; /* what the rows become after `switch_at` looks */
	int switch_at;
};

static enum caller_look look(void *ctx, pid_t pid, struct caller_proc *out)
{
	struct table *t = ctx;
	const struct row *r = t->later && t->looks >= t->switch_at ? t->later : t->rows;

	t->looks++;
	for (; r->pid; r++) {
		if (r->pid != pid) {
			continue;
		}
		if (r->hidden) {
			return CALLER_HIDDEN;
		}
		*out = (struct caller_proc){ .pid = pid,
			.ppid = r->ppid,
			.pgid = r->pgid,
			.sid = r->sid,
			.born = r->born ? r->born : (uint64_t)pid };
		snprintf(out->comm, sizeof(out->comm), "%s", r->comm);
		snprintf(out->program, sizeof(out->program), "%s", r->comm);
		snprintf(out->exe, sizeof(out->exe), "%s", r->comm);
		snprintf(out->script, sizeof(out->script), "%s", r->script ? r->script : "");
		snprintf(out->unit, sizeof(out->unit), "%s", r->unit ? r->unit : "");
		out->is_branded = r->branded;
		out->is_told = r->told;
		out->is_env_known = !r->hid || strcmp(r->hid, "?") != 0;
		snprintf(out->hid, sizeof(out->hid), "%s",
			r->hid && out->is_env_known ? r->hid : "");
		return CALLER_READ;
	}
	return CALLER_NO_PROC;
}

/* Two agents and a terminal of ours; vyred is 50, holders 60, 61 and 62. */
static void live(void *ctx, caller_live_each_fn *each, void *arg)
{
	(void)ctx;
	each(arg, &(struct caller_live){ .session = S1,
			  .hid = H1,
			  .person = "ann",
			  .holder = 60,
			  .pid = 70,
			  .pgid = 70,
			  .sid = 70 });
	each(arg, &(struct caller_live){ .session = S2,
			  .hid = H2,
			  .person = "ann",
			  .holder = 61,
			  .pid = 71,
			  .pgid = 71,
			  .sid = 71 });
	each(arg, &(struct caller_live){ .session = S1,
			  .hid = HT,
			  .person = "ann",
			  .holder = 62,
			  .pid = 72,
			  .pgid = 72,
			  .sid = 72,
			  .is_term = true });
}

static const char *const programs[] = { "claude", "codex", "my-agent", NULL };

/* clang-format off */
#define BASE \
	P(1, 0, 1, 1, "systemd"), P(20, 1, 20, 20, "sshd"), P(30, 20, 30, 30, "bash"), \
	P(50, 1, 50, 50, "vyred"), P(60, 50, 60, 60, "vyre-holder", .hid = H1), \
	P(61, 50, 61, 61, "vyre-holder", .hid = H2), P(62, 50, 62, 62, "vyre-holder", .hid = HT), \
	P(70, 60, 70, 70, "agent", .hid = H1), P(71, 61, 71, 71, "agent", .hid = H2), \
	P(72, 62, 72, 72, "bash", .hid = HT)
/* clang-format on */

static const struct {
	const char *name;
	pid_t peer;
	enum caller_kind kind;
	const char *session, *why;
	struct row rows[20];
} cases[] = {
	{ "a shell of a login", 30, CALLER_PERSON, "", "no agent above it", { BASE, END } },
	{ "a tool of an agent", 80, CALLER_AGENT, S1, "a process of an agent",
		{ BASE, P(80, 70, 70, 70, "curl", .hid = H1), END } },
	{ "its own session and group, mark wiped", 81, CALLER_AGENT, S2, "a process of an agent",
		{ BASE, P(80, 71, 80, 80, "sh"), P(81, 80, 81, 81, "curl"), END } },
	{ "double fork: the holder is its parent now", 81, CALLER_AGENT, S1,
		"a process of an agent", { BASE, P(81, 60, 81, 81, "curl"), END } },
	{ "double fork, nohup, mark kept, holder gone", 81, CALLER_AGENT, S1,
		"a process of an agent", { BASE, P(81, 1, 81, 81, "curl", .hid = H1), END } },
	{ "holder gone, mark wiped, group kept", 81, CALLER_AGENT, S2, "a process of an agent",
		{ BASE, P(81, 1, 71, 90, "curl"), END } },
	{ "holder gone, mark wiped, session kept", 81, CALLER_AGENT, S2, "a process of an agent",
		{ BASE, P(81, 1, 81, 71, "curl"), END } },
	{ "all wiped, but vyred took it in", 81, CALLER_UNKNOWN, "", "a stray below vyred",
		{ BASE, P(81, 50, 81, 81, "curl"), END } },
	{ "the mark of a holder nobody knows", 81, CALLER_UNKNOWN, "",
		"marked by a holder that is not known",
		{ BASE, P(81, 30, 81, 30, "curl", .hid = "dead"), END } },
	{ "such a mark on an ancestor", 82, CALLER_UNKNOWN, "",
		"marked by a holder that is not known",
		{ BASE, P(81, 1, 81, 81, "sh", .hid = "dead"), P(82, 81, 82, 82, "curl"), END } },
	{ "a terminal's shell is the person", 72, CALLER_PERSON, "", "no agent above it",
		{ BASE, END } },
	{ "a command in a terminal", 83, CALLER_PERSON, "", "no agent above it",
		{ BASE, P(83, 72, 83, 72, "vyre-tui", .hid = HT), END } },
	{ "an agent that borrows a terminal's mark", 80, CALLER_AGENT, S1, "a process of an agent",
		{ BASE, P(80, 70, 80, 80, "curl", .hid = HT), END } },
	{ "all wiped, holder gone, a vyred outlived: where it was put", 81, CALLER_UNKNOWN, "",
		"in vyred's own cgroup",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service"), END } },
	{ "in a cgroup inside of it", 81, CALLER_UNKNOWN, "", "in vyred's own cgroup",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service/agent-1"),
			END } },
	{ "in an agent's own: that agent, whatever else it wiped", 81, CALLER_AGENT, S2,
		"a process of an agent",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service/h-" H2),
			END } },
	{ "in one inside of it", 81, CALLER_AGENT, S1, "a process of an agent",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service/h-" H1 "/x"),
			END } },
	{ "in one of nobody's", 81, CALLER_UNKNOWN, "", "in vyred's own cgroup",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service/h-" H1 "1"),
			END } },
	{ "in a terminal's, below nothing of it", 81, CALLER_UNKNOWN, "", "in vyred's own cgroup",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service/h-" HT),
			END } },
	{ "left it, its parent did not", 82, CALLER_UNKNOWN, "", "in vyred's own cgroup",
		{ BASE, P(81, 1, 81, 81, "sh", .unit = "/user.slice/vyred.service"),
			P(82, 81, 82, 82, "curl", .unit = "/user.slice/other.service"), END } },
	{ "all wiped, left everything, outlived all: the brand stays", 81, CALLER_UNKNOWN, "",
		"branded as an agent's, of none that is known",
		{ BASE, P(81, 1, 81, 81, "curl", .branded = true), END } },
	{ "only an ancestor has it: root took it off", 82, CALLER_UNKNOWN, "",
		"branded as an agent's, of none that is known",
		{ BASE, P(81, 1, 81, 81, "sh", .branded = true), P(82, 81, 82, 82, "curl"), END } },
	{ "branded, below an agent that is there", 80, CALLER_AGENT, S1, "a process of an agent",
		{ BASE, P(80, 70, 80, 80, "curl", .branded = true), END } },
	{ "branded, in a terminal's place", 83, CALLER_UNKNOWN, "",
		"branded as an agent's, of none that is known",
		{ BASE, P(83, 72, 83, 72, "vyre-tui", .hid = HT, .branded = true), END } },
	{ "another service", 81, CALLER_PERSON, "", "no agent above it",
		{ BASE, P(81, 1, 81, 81, "curl", .unit = "/user.slice/vyred.service2"), END } },
	{ "an agent in it is an agent", 80, CALLER_AGENT, S1, "a process of an agent",
		{ BASE, P(80, 70, 80, 80, "curl", .unit = "/user.slice/vyred.service"), END } },
	{ "a person's terminal in it", 83, CALLER_PERSON, "", "no agent above it",
		{ P(1, 0, 1, 1, "systemd"), P(50, 1, 50, 50, "vyred"),
			P(62, 50, 62, 62, "vyre-holder", .hid = HT,
				.unit = "/user.slice/vyred.service"),
			P(72, 62, 72, 72, "bash", .hid = HT, .unit = "/user.slice/vyred.service"),
			P(83, 72, 83, 72, "vyre-tui", .hid = HT,
				.unit = "/user.slice/vyred.service"),
			END } },
	{ "an agent program in a terminal", 85, CALLER_AGENT, "", "below an agent program",
		{ BASE, P(84, 72, 84, 72, "claude", .hid = HT),
			P(85, 84, 85, 72, "curl", .hid = HT), END } },
	{ "below a claude that vyred did not start", 85, CALLER_AGENT, "", "below an agent program",
		{ BASE, P(84, 30, 84, 30, "claude"), P(85, 84, 85, 30, "bash"), END } },
	{ "an agent program that an interpreter runs", 85, CALLER_AGENT, "",
		"below an agent program",
		{ BASE, P(84, 30, 84, 30, "node", .script = "codex"), P(85, 84, 85, 30, "sh"),
			END } },
	{ "left by such a one, but for its environment", 85, CALLER_AGENT, "",
		"below an agent program", { BASE, P(85, 1, 85, 85, "sh", .told = true), END } },
	{ "below what one left", 86, CALLER_AGENT, "", "below an agent program",
		{ BASE, P(85, 1, 85, 85, "sh", .told = true), P(86, 85, 86, 86, "curl"), END } },
	{ "of an agent of ours, which sets it as well", 80, CALLER_AGENT, S1,
		"a process of an agent", { BASE, P(80, 70, 80, 80, "curl", .told = true), END } },
	{ "a configured agent command", 84, CALLER_AGENT, "", "below an agent program",
		{ BASE, P(84, 30, 84, 30, "my-agent"), END } },
	{ "an agent program below our own agent is our agent", 86, CALLER_AGENT, S1,
		"a process of an agent",
		{ BASE, P(85, 70, 85, 85, "claude"), P(86, 85, 86, 86, "curl"), END } },
	{ "its environment cannot be read", 31, CALLER_UNKNOWN, "",
		"its environment may not be read",
		{ BASE, P(31, 30, 31, 30, "x", .hid = "?"), END } },
	{ "an ancestor's cannot: only its own tells", 32, CALLER_PERSON, "", "no agent above it",
		{ BASE, P(31, 30, 31, 30, "su", .hid = "?"), P(32, 31, 32, 30, "curl"), END } },
	{ "ancestors of others are hidden", 30, CALLER_PERSON, "", "no agent above it",
		{ { .pid = 1, .hidden = true }, { .pid = 20, .hidden = true },
			P(30, 20, 30, 30, "bash"), END } },
	{ "it is gone", 99, CALLER_UNKNOWN, "", "it is gone", { BASE, END } },
	{ "its parent is gone for good", 31, CALLER_UNKNOWN, "", "its ancestors keep changing",
		{ BASE, P(31, 29, 31, 30, "curl"), END } },
	{ "its parent's number was given again", 31, CALLER_UNKNOWN, "",
		"its ancestors keep changing",
		{ BASE, P(29, 1, 29, 29, "cron", .born = 500), P(31, 29, 31, 30, "curl"), END } },
	{ "a circle", 31, CALLER_UNKNOWN, "", "its ancestors have no end",
		{ P(31, 31, 31, 30, "curl"), END } },
	{ "a new process namespace: no parent", 31, CALLER_PERSON, "", "no agent above it",
		{ P(31, 0, 31, 31, "curl"), END } },
};

static struct caller_world world_of(struct table *t)
{
	return (struct caller_world){ .proc = look,
		.live = live,
		.ctx = t,
		.uid = ME,
		.self = 50,
		.person = "ann",
		.unit = "/user.slice/vyred.service",
		.programs = programs };
}

static void places(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(cases); i++) {
		struct table t = { .rows = cases[i].rows };
		struct caller_world w = world_of(&t);
		struct caller_peer peer = { .pid = cases[i].peer, .uid = ME };
		struct caller c = { .surface = "curl" };
		const char *why = NULL;

		caller_place(&c, &peer, &w, &why);
		if (c.kind != cases[i].kind || strcmp(c.session, cases[i].session) != 0 ||
			strcmp(why, cases[i].why) != 0) {
			fail_msg("%s: got %s '%s' (%s)", cases[i].name, caller_kind_name(c.kind),
				c.session, why);
		}
		assert_string_equal(c.person, "ann");
		assert_string_equal(c.device, "local");
		assert_string_equal(c.surface, "curl");
		/* whose program it is can be asked of every chain, however that ends */
		struct caller_proc program = { .program = "" };
		bool is_found = caller_program(&peer, &w, &program);

		if (is_found != (program.program[0] != 0)) {
			fail_msg("%s: found and no program, or the reverse", cases[i].name);
		}
	}
}

static void other_users(void **state)
{
	static const struct row rows[] = { BASE, END };
	struct table t = { .rows = rows };
	struct caller_world w = world_of(&t);
	struct caller_peer root = { .pid = 30, .uid = 0 };
	struct caller c;

	(void)state;
	caller_place(&c, &root, &w, NULL);
	assert_int_equal(c.kind, CALLER_UNKNOWN);
	assert_string_equal(c.person, "");
	assert_int_equal(t.looks, 0);
}

/* A user of the agents' own: placed as what it is of, and never a person. */
static void the_agents_user(void **state)
{
	static const struct row rows[] = { BASE, P(80, 70, 80, 80, "curl"), END };
	struct table t = { .rows = rows };
	struct caller_world w = world_of(&t);
	struct caller_peer shell = { .pid = 30, .uid = 4711 }, tool = { .pid = 80, .uid = 4711 };
	struct caller_peer ours = { .pid = 30, .uid = ME };
	struct caller c;
	const char *why;

	(void)state;
	caller_place(&c, &tool, &w, &why);
	assert_int_equal(c.kind, CALLER_UNKNOWN);
	assert_string_equal(why, "another user's");
	w.has_agents = true;
	w.agents = 4711;
	caller_place(&c, &tool, &w, &why);
	assert_int_equal(c.kind, CALLER_AGENT);
	assert_string_equal(c.session, S1);
	caller_place(&c, &shell, &w, &why);
	assert_int_equal(c.kind, CALLER_UNKNOWN);
	assert_string_equal(why, "the agents' user's");
	assert_string_equal(c.person, "");
	caller_place(&c, &ours, &w, &why);
	assert_int_equal(c.kind, CALLER_PERSON);
}

static void a_number_given_again(void **state)
{
	static const struct row rows[] = { BASE, END };
	struct table t = { .rows = rows };
	struct caller_world w = world_of(&t);
	struct caller_peer peer = { .pid = 30, .uid = ME, .born = 29 };
	struct caller c;

	(void)state;
	caller_place(&c, &peer, &w, NULL);
	assert_int_equal(c.kind, CALLER_UNKNOWN);
	peer.born = 30;
	caller_place(&c, &peer, &w, NULL);
	assert_int_equal(c.kind, CALLER_PERSON);
}

/* The parent dies between two looks and the child is handed to its holder: seen on the second walk. */
static void a_parent_dies_meanwhile(void **state)
{
	static const struct row before[] = { BASE, P(80, 29, 80, 80, "curl"), END };
	static const struct row after[] = { BASE, P(80, 60, 80, 80, "curl"), END };
	struct table t = { .rows = before, .later = after, .switch_at = 2 };
	struct caller_world w = world_of(&t);
	struct caller_peer peer = { .pid = 80, .uid = ME };
	struct caller c;

	(void)state;
	caller_place(&c, &peer, &w, NULL);
	assert_int_equal(c.kind, CALLER_AGENT);
	assert_string_equal(c.session, S1);
}

static void values(void **state)
{
	struct caller a = { .kind = CALLER_PERSON, .person = "ann", .device = "local" };
	struct caller b = a;
	char author[VY_UUID_LEN + CALLER_ID_MAX];

	(void)state;
	snprintf(b.surface, sizeof(b.surface), "curl");
	assert_true(caller_same(&a, &b));
	snprintf(b.device, sizeof(b.device), "phone");
	assert_false(caller_same(&a, &b));
	caller_author(&a, author);
	assert_string_equal(author, "person:ann");
	a.kind = CALLER_AGENT;
	snprintf(a.session, sizeof(a.session), S1);
	caller_author(&a, author);
	assert_string_equal(author, "assistant:" S1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(other_users),
		cmocka_unit_test(the_agents_user),
		cmocka_unit_test(a_number_given_again),
		cmocka_unit_test(a_parent_dies_meanwhile),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
