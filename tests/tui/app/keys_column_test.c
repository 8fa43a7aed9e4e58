/* keys_column_test.c -- the list of sessions beside the chat, and the line to the server (keys_world.h). */
#include "tests/tui/app/keys_world.h"

static const struct keys_row rows[] = {
	{ "the column: from 120 columns on, who needs me first",
		"size 119 30\nnot sessions\n" COLUMN
		"see 1 ◐ docs          needs you\nsee 2 ○ here\nsee 3 ● bench           working",
		LIST },
	{ "it is read once, not with each painting", COLUMN "see docs\nwait 60000\nsee docs",
		LIST },
	{ "its key hides it, and brings it where there is less room",
		COLUMN "key alt-l\nnot docs\nsize 90 24\nnot docs\nkey alt-l\nsee docs\nkey alt-l\n"
		       "not docs",
		LIST LIST },
	{ "a window too small for it says so",
		"size 63 20\nsee type here\nkey alt-l\nsee needs 64 columns\nnot sessions", "" },
	{ "and has it once it is larger",
		"size 63 20\nsee type here\nkey alt-l\nsize 64 20\nsee sessions", LIST },
	{ "alt-1 is what stands there, and asks nobody", COLUMN "key alt-1", LIST "open s3\n" },
	{ "alt-2 is where we are", COLUMN "key alt-2", LIST },
	{ "alt-4 is not there", COLUMN "key alt-4\n" THREADS "see there are 3 sessions",
		LIST LIST },
	{ "our own row is true at once, and the others are asked for",
		COLUMN "status working\nsee 2 ● here            working\n" THREADS
		       "status waiting\nsee 2 ○ here",
		LIST LIST "notice finished your turn\n" LIST },
	{ "an ask of ours, too, and nothing moves before the answer",
		COLUMN "status asking\nask a1\nsee 2 ◐ here          needs you",
		LIST "notice ask Bash wants to run: rm x\n" LIST },
	{ "while one question is out there is no second",
		COLUMN "status working\nsee here\nstatus waiting\nsee here\nstatus working\nsee "
		       "here\n" THREADS "see here",
		LIST LIST "notice finished your turn\n" LIST },
	{ "the terminal gets the focus", COLUMN "focus out\nfocus in\nsee docs", LIST LIST },
	{ "no line, no question; then one", "down\nsize 120 30\nsee sessions\nlive\nsee sessions",
		LIST },
	{ "another session: the list stays, and is read anew",
		COLUMN "open s2\nsee 3 ● bench\nsee docs", LIST LIST },
	{ "one that the list does not know stands below", COLUMN "open s9\nsee 4 ○ new session",
		LIST LIST },
	{ "the switcher's answer is the column's",
		COLUMN "key alt-s\n" THREADS "key esc\nsee 1 ◐ docs", LIST SWITCHER },
	{ "more than fit are counted, and the wheel brings them",
		"size 120 12\nsee sessions\nthreads 20\nsee 9 ○ name 9\nnot name 10\nsee … 12 "
		"more\n"
		"wheel 2 5 5\nsee name 15\nnot name 16\nnot name 6\nclick 5 3\nwheel -9 5 5\nsee 1 "
		"○ name 1\n"
		"wheel 99 5 5\nsee name 20\nsee new session",
		LIST "open t8\n" },
	{ "the wheel beside it is the transcript's",
		"size 120 12\nsee sessions\nthreads 20\nsee name 1\nwheel 2 50 5\nsee 1 ○ name 1",
		LIST },
	{ "the line that counts them opens the switcher",
		"size 120 12\nsee sessions\nthreads 20\nsee … 12 more\nclick 5 11\nsee Sessions",
		LIST SWITCHER },
	{ "a click goes there", COLUMN "see docs\nclick 5 4", LIST "open s2\n" },
	{ "on our own nowhere, nor below", COLUMN "see docs\nclick 5 3\nclick 5 1\nclick 5 9",
		LIST },
	{ "beside it, it is the chat's", COLUMN "see docs\nclick 40 4", LIST },
	{ "what was said and not shown here is counted",
		"size 120 30\nsee sessions\nreply "
		"{\"threads\":[{\"session\":\"s2\",\"title\":\"bench\",\"state\":"
		"\"idle\",\"messages\":3}]}\nsee bench             3 new\n"
		"open s2\nrecord {\"session\":\"s2\",\"title\":\"bench\",\"messages\":3}\nnot 3 "
		"new\nopen s1\n"
		"see sessions\nreply "
		"{\"threads\":[{\"session\":\"s2\",\"title\":\"bench\",\"state\":"
		"\"idle\",\"messages\":4}]}\nsee bench             1 new",
		LIST LIST LIST },
	{ "why there is no server is said until there is one",
		"down\nno-server bad line 3\nsee bad line 3\nwait 900\nkey x\nsee bad line 3\n"
		"live\nnot bad line 3",
		"" },
	{ "a start that failed while another's worked is not said",
		"live\nno-server another vyred\nnot another vyred", "" },
	{ "a passing line passes by the next key, once it could be read",
		"down\nno-server bad line 3\nkey x\nsee bad line 3\nwait 1000\nkey x\n"
		"not bad line 3",
		"" },
	{ "and after its time", "down\nno-server bad line 3\nwait 8000\nnot bad line 3", "" },
	{ "another line's news stays when the server is back",
		"down\nkey ctrl-c\nsee again to leave\nlive\nsee again to leave", "" },
};

static void scripts(void **state)
{
	(void)state;
	keys_check(rows, VY_COUNT(rows));
}

CHECK_MAIN(CHECK_TEST(scripts))
