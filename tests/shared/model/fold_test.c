/* fold_test.c -- frames to rows: each kind, in the order of a day. */
#include "tests/shared/model/rows.h"

#include "shared/base/hash.h"
#include "shared/base/ban.h"

/* Frames one by one: {kind, data}; cursors 1, 2, 3 and times 1000, 2000, 3000. */
struct step {
	const char *kind, *data;
};

#define MAX_STEPS 14

#define ASK(id, tool)                                                                              \
	"'ask_id':'" id "','kind':'permission','summary':'s','options':[],'tool_id':'" tool "'"
#define FINISHED(id) "'tool_id':'" id "','ok':true,'status':'completed','result':{}"

static const struct {
	const char *name;
	struct step steps[MAX_STEPS];
	const char *want; /* rows, then the state */
} rows[] = {
	{ "nothing", { { 0 } }, "waiting asks=0 running=0" },
	{ "a turn",
		{ { "user-message", "'message':'u1','state':'sent','text':'hello'" },
			{ "status", "'state':'working','turn':'S:1'" },
			{ "text-delta", "'message':'m','index':0,'text':'Hm','reasoning':true" },
			{ "text-delta", "'message':'m','index':0,'text':'.','reasoning':true" },
			{ "text-done", "'message':'m','index':0" },
			{ "text-delta", "'message':'m','index':1,'text':'Hel'" },
			{ "text-delta", "'message':'m','index':1,'text':'lo'" },
			{ "text-done", "'message':'m','index':1" },
			{ "status", "'state':'waiting'" } },
		"you \"hello\" sent\n"
		"thinks \"Hm.\" 3000ms done\n"
		"says \"Hello\" done\n"
		"waiting asks=0 running=0" },
	{ "two messages at once stay two rows",
		{ { "text-delta", "'message':'a','index':0,'text':'1'" },
			{ "text-delta", "'message':'b','index':0,'text':'2'" },
			{ "text-delta", "'message':'a','index':0,'text':'3'" } },
		"says \"13\"\nsays \"2\"\nwaiting asks=0 running=0" },
	{ "blocks without a word before",
		{ { "text-done", "'message':'m','index':0,'blocks':[{'type':'text'}]" },
			{ "text-done", "'message':'n','index':0" } },
		"says \"\" done [{\"type\":\"text\"}]\nwaiting asks=0 running=0" },
	{ "cut short: the last 40 characters go, and nothing comes after",
		{ { "text-delta", "'message':'m','index':0,'text':'keep'" },
			{ "text-delta",
				"'message':'m','index':0,"
				"'text':'"
				"\u00E91234567890123456789012345678901234567\U0001F600\u4E2D'" },
			{ "text-cut", "'message':'m','index':0,'note':'not for all'" },
			{ "text-delta", "'message':'m','index':0,'text':'more'" },
			{ "text-done", "'message':'m','index':0" } },
		"says \"keep\" done cut(not for all)\nwaiting asks=0 running=0" },
	{ "a cut of less than 40",
		{ { "text-delta", "'message':'m','index':0,'text':'short'" },
			{ "text-cut", "'message':'m','index':0,'note':'n'" } },
		"says \"\" done cut(n)\nwaiting asks=0 running=0" },
	{ "expired words",
		{ { "text-delta", "'message':'m','index':0,'expired':true" },
			{ "text-delta", "'message':'m','index':0,'text':'end'" },
			{ "text-delta", "'expired':true" } },
		"says \"end\" expired\nwaiting asks=0 running=0" },

	{ "queued is no row until it is taken, and then stands there",
		{ { "user-message", "'message':'u1','state':'queued','text':'one','queued_at':5" },
			{ "user-message", "'message':'u2','state':'queued','text':'two'" },
			{ "text-delta", "'message':'m','index':0,'text':'busy'" },
			{ "user-message",
				"'message':'u1','state':'picked-up','text':'one','step':3" } },
		"says \"busy\"\nyou \"one\" picked-up step=3\n[] you \"two\" queued\nwaiting "
		"asks=0 running=0" },
	{ "edited and moved in the queue",
		{ { "user-message", "'message':'u1','state':'queued','text':'one'" },
			{ "user-message", "'message':'u2','state':'queued','text':'two'" },
			{ "user-message",
				"'message':'u1','state':'queued','text':'ONE','edited':true" },
			{ "user-message",
				"'message':'u2','state':'queued','text':'two','position':0" },
			{ "user-message",
				"'message':'u3','state':'queued','text':'three','position':1" } },
		"[] you \"two\" queued\n[] you \"three\" queued\n[] you \"ONE\" queued edited\n"
		"waiting asks=0 running=0" },
	{ "taken back from the queue: gone",
		{ { "user-message", "'message':'u1','state':'queued','text':'one'" },
			{ "user-message", "'message':'u1','state':'cancelled','text':'one'" },
			{ "user-message",
				"'message':'u9','state':'cancelled','text':'never seen'" } },
		"waiting asks=0 running=0" },
	{ "an interrupt brings a sent one back, held",
		{ { "user-message", "'message':'u1','state':'sent','text':'one'" },
			{ "user-message",
				"'message':'u1','state':'queued','text':'one','position':0" },
			{ "status", "'state':'waiting','note':'interrupted','held':true" } },
		"notice waiting: interrupted \n[] you \"one\" queued\nwaiting held asks=0 "
		"running=0" },
	{ "released and taken",
		{ { "status", "'state':'waiting','held':true" },
			{ "user-message", "'message':'u1','state':'queued','text':'one'" },
			{ "status", "'state':'waiting','held':false" },
			{ "user-message", "'message':'u1','state':'picked-up','text':'one'" } },
		"you \"one\" picked-up\nwaiting asks=0 running=0" },
	{ "states never go back",
		{ { "user-message", "'message':'u1','state':'picked-up','text':'one'" },
			{ "user-message", "'message':'u1','state':'queued','text':'two'" },
			{ "user-message", "'message':'u1','state':'cancelled','text':'three'" },
			{ "user-message", "'message':'u1','state':'sent','text':'four'" } },
		"you \"one\" picked-up\nwaiting asks=0 running=0" },
	{ "a sent one that is cancelled stays to be seen",
		{ { "user-message", "'message':'u1','state':'sent','text':'one'" },
			{ "user-message", "'message':'u1','state':'cancelled','text':'one'" } },
		"you \"one\" cancelled\nwaiting asks=0 running=0" },
	{ "long and private ones",
		{ { "user-message",
			  "'message':'u1','state':'sent','text':'beg','more':true,'bytes':99999" },
			{ "user-message", "'message':'u2','state':'sent','enc':{'alg':'x'}" } },
		"you \"beg\" sent more\nyou \"\" sent private\nwaiting asks=0 running=0" },

	{ "a tool from start to end",
		{ { "tool-started", "'tool_id':'t','tool':'Bash','kind':'shell','summary':'ls'" },
			{ "tool-progress", "'tool_id':'t','text':'half','pct':50" },
			{ "tool-started",
				"'tool_id':'t','tool':'Twice','kind':'shell','summary':'no'" },
			{ "tool-finished", "'tool_id':'t','ok':true,'status':'completed','result':{"
					   "'type':'text'}" },
			{ "tool-finished",
				"'tool_id':'t','ok':false,'status':'failed','result':{}" },
			{ "tool-progress", "'tool_id':'t','text':'late'" } },
		"tool Bash(ls) completed 50% 3000ms {\"type\":\"text\"}\nwaiting asks=0 "
		"running=0" },
	{ "tools that run",
		{ { "tool-started", "'tool_id':'t','tool':'Bash','kind':'shell','summary':'a'" },
			{ "tool-started", "'tool_id':'b','tool':'Bash','kind':'shell','summary':'b'"
					  ",'background':true" },
			{ "tool-progress", "'tool_id':'t','text':'one'" },
			{ "tool-progress", "'tool_id':'t','text':'two'" } },
		"tool Bash(a) running \"two\"\ntask Bash(b) running\nwaiting asks=0 running=2" },
	{ "an end without a beginning",
		{ { "tool-finished",
			  "'tool_id':'t','ok':false,'status':'canceled','result':{'type':'text'}" },
			{ "tool-progress", "'tool_id':'p','text':'on'" } },
		"tool () canceled 1000ms {\"type\":\"text\"}\ntool () running \"on\"\nwaiting "
		"asks=0 running=1" },
	{ "subagents nest",
		{ { "tool-started", "'tool_id':'a','tool':'Task','kind':'agent','summary':'look'" },
			{ "text-delta", "'message':'m','index':0,'text':'sub','parent':'a'" },
			{ "tool-started", "'tool_id':'b','tool':'Grep','kind':'search','summary':'"
					  "x','parent_tool':'a'" },
			{ "tool-started", "'tool_id':'c','tool':'Deep','kind':'other','summary':'y'"
					  ",'parent_tool':'b'" },
			{ "text-delta", "'message':'n','index':0,'text':'top'" } },
		"tool Task(look) running\n  says \"sub\"\n  tool Grep(x) running\n    tool Deep(y) "
		"running\n"
		"says \"top\"\nwaiting asks=0 running=3" },
	{ "what a person took to answer is told beside",
		{ { "tool-started", "'tool_id':'t','tool':'Bash','kind':'shell','summary':'ls'" },
			{ "ask", ASK("q", "t") }, { "tool-progress", "'tool_id':'t','pct':1" },
			{ "ask-answered", "'ask_id':'q','decision':'allow'" },
			{ "tool-finished", FINISHED("t") } },
		"tool Bash(ls) completed 1% 4000ms waited=2000 {}\nask permission \"s\" answered "
		"allow\nwaiting asks=0 running=0" },
	{ "two asks about one call at a time count once",
		{ { "tool-started", "'tool_id':'t','tool':'Bash','kind':'shell','summary':'ls'" },
			{ "ask", ASK("q", "t") }, { "ask", ASK("r", "t") },
			{ "ask-answered", "'ask_id':'q','decision':'allow'" },
			{ "ask-answered", "'ask_id':'r','decision':'allow'" } },
		"tool Bash(ls) running waited=3000\nask permission \"s\" answered allow\nask "
		"permission \"s\" answered allow\nwaiting asks=0 running=1" },
	{ "an ask inside an agent: it nests there, and the agent waits too",
		{ { "tool-started", "'tool_id':'a','tool':'Task','kind':'agent','summary':'look'" },
			{ "tool-started", "'tool_id':'b','tool':'Bash','kind':'shell','summary':'x'"
					  ",'parent_tool':'a'" },
			{ "ask", ASK("q", "b") },
			{ "ask-answered", "'ask_id':'q','decision':'allow'" },
			{ "ask", ASK("r", "b") } },
		"tool Task(look) running waited=1000…\n  tool Bash(x) running waited=1000…\n  ask "
		"permission \"s\" answered allow\n  ask permission \"s\" open\nwaiting asks=1 "
		"running=2" },
	{ "an ask that comes before its call, and one that the end takes along",
		{ { "ask", ASK("q", "t") },
			{ "tool-started",
				"'tool_id':'t','tool':'Bash','kind':'shell','summary':'ls'" },
			{ "text-done", "'message':'m','index':0" },
			{ "tool-finished", FINISHED("t") },
			{ "ask-answered", "'ask_id':'q','decision':'cancelled'" } },
		"ask permission \"s\" withdrawn cancelled\ntool Bash(ls) completed 2000ms "
		"waited=2000 {}\nwaiting asks=0 running=0" },
	{ "an ask before its call inside an agent nests, too",
		{ { "tool-started", "'tool_id':'a','tool':'Task','kind':'agent','summary':'look'" },
			{ "ask", ASK("q", "b") },
			{ "tool-started", "'tool_id':'b','tool':'Bash','kind':'shell','summary':'x'"
					  ",'parent_tool':'a'" } },
		"tool Task(look) running\n  ask permission \"s\" open\n  tool Bash(x) running "
		"waited=0…\nwaiting asks=1 running=2" },
	{ "a todo call is its list, one a turn",
		{ { "tool-started",
			  "'tool_id':'t1','tool':'TodoWrite','kind':'todo','summary':''" },
			{ "tool-finished", "'tool_id':'t1','ok':true,'status':'completed','result':"
					   "{'type':'task',"
					   "'items':[{'text':'a','status':'running'},{'text':'b','"
					   "status':'pending'}]}" },
			{ "text-delta", "'message':'m','index':0,'text':'working'" },
			{ "tool-started",
				"'tool_id':'t2','tool':'TodoWrite','kind':'todo','summary':''" },
			{ "tool-finished", "'tool_id':'t2','ok':true,'status':'completed','result':"
					   "{'type':'task',"
					   "'items':[{'text':'a','status':'done'},{'text':'b','"
					   "status':'pending'}]}" } },
		"todo 1/2 b\nsays \"working\"\nwaiting asks=0 running=0" },
	{ "a todo call that fails is a call after all, in its place",
		{ { "tool-started",
			  "'tool_id':'t1','tool':'TodoWrite','kind':'todo','summary':''" },
			{ "text-delta", "'message':'m','index':0,'text':'after'" },
			{ "tool-finished", "'tool_id':'t1','ok':false,'status':'failed','result':{'"
					   "type':'text'}" } },
		"tool TodoWrite() failed 2000ms {\"type\":\"text\"}\nsays \"after\"\nwaiting "
		"asks=0 running=0" },

	{ "an ask answered by a person",
		{ { "ask", "'ask_id':'q','kind':'permission','tool':'Bash','summary':'rm "
			   "x','options':[]" },
			{ "status", "'state':'asking'" },
			{ "ask-answered", "'ask_id':'q','decision':'deny','by':'person:p'" },
			{ "ask-answered", "'ask_id':'q','decision':'allow','by':'person:q'" } },
		"ask permission \"rm x\" answered deny by person:p\nasking asks=0 running=0" },
	{ "an answer that nobody had",
		{ { "ask", "'ask_id':'q','kind':'permission','summary':'rm x','options':[]" },
			{ "ask-answered", "'ask_id':'q','decision':'deny'" },
			{ "ask-answered", "'ask_id':'q','decision':'deny','delivered':false" } },
		"ask permission \"rm x\" answered deny delivered=false\nwaiting asks=0 running=0" },
	{ "several open, one taken back",
		{ { "ask", "'ask_id':'q','kind':'permission','summary':'a','options':[]" },
			{ "ask", "'ask_id':'r','kind':'question','summary':'b','options':[],'"
				 "questions':[]" },
			{ "ask-answered", "'ask_id':'q','decision':'cancelled'" },
			{ "ask-answered", "'ask_id':'z','decision':'allow'" } },
		"ask permission \"a\" withdrawn cancelled\nask question \"b\" open\nwaiting asks=1 "
		"running=0" },

	{ "what a status says",
		{ { "status", "'state':'starting'" },
			{ "status", "'state':'waiting','mode':'plan','model':'opus'" },
			{ "status", "'state':'failed','reason':'agent-lost'" },
			{ "status", "'state':'waiting','compacted':{'trigger':'auto'}" },
			{ "status", "'state':'working','stopping':true" } },
		"notice failed:  agent-lost\nnotice waiting:  {\"trigger\":\"auto\"}\n"
		"working stopping asks=0 running=0 plan/opus" },
	{ "files, summed over the turn",
		{ { "file-changed", "'path':'a','op':'create','added':3" },
			{ "file-changed", "'path':'a','op':'edit','added':1,'removed':2" },
			{ "file-changed", "'path':'b','op':'edit'" },
			{ "file-changed", "'path':'a','op':'delete','removed':2" } },
		"file a delete +4 -4\nfile b edit +0 -0\nwaiting asks=0 running=0" },
	{ "a command and its output",
		{ { "term-command", "'term':'t','command':'ls','via':'shell'" },
			{ "term-chunk", "'term':'t','offset':10,'b64':'YQ=='" },
			{ "term-chunk", "'term':'t','offset':11,'b64':'YmM='" },
			{ "term-command", "'term':'t','command':'ls','exit':2" },
			{ "term-command", "'term':'t','command':'ls'" },
			{ "term-command", "'term':'v','command':'pwd','exit':0" } },
		"$ ls exit=2 @10 \"abc\"\n$ ls\n$ pwd exit=0\nwaiting asks=0 running=0" },
	{ "output without a command", { { "term-chunk", "'term':'t','offset':7,'b64':'YQ=='" } },
		"$  @7 \"a\"\nwaiting asks=0 running=0" },
	{ "people, pins, strangers",
		{ { "participant-joined", "'who':'person:q'" },
			{ "user-message", "'message':'u','state':'sent','text':'hi'" },
			{ "text-delta", "'message':'m','index':0,'text':'yo'" },
			{ "pin", "'message':'u','on':true" }, { "pin", "'message':'m','on':true" },
			{ "pin", "'message':'m','on':false" },
			{ "pin", "'message':'nobody','on':true" }, { "telepathy", "'x':1" },
			{ "hidden", "" }, { "reaction", "'message':'u','emoji':'+','on':true" },
			{ "participant-left", "'who':'person:q'" } },
		"person:q joined\nyou \"hi\" sent pinned\nsays \"yo\"\n?telepathy "
		"{\"x\":1}\nperson:q left\n"
		"waiting asks=0 running=0" },

	{ "a rewind folds away, a redo brings back",
		{ { "user-message", "'message':'u1','state':'sent','text':'one'" },
			{ "text-delta", "'message':'m','index':0,'text':'1'" },
			{ "user-message", "'message':'u2','state':'sent','text':'two'" },
			{ "text-delta", "'message':'n','index':0,'text':'2'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':2}" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':4}" } },
		"you \"one\" sent\nsays \"1\"\nyou \"two\" sent\nsays \"2\"\nwaiting asks=0 "
		"running=0" },
	{ "a rewind, and on another way",
		{ { "user-message", "'message':'u1','state':'sent','text':'one'" },
			{ "user-message", "'message':'u2','state':'sent','text':'two'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':1}" },
			{ "user-message", "'message':'u3','state':'sent','text':'three'" },
			{ "status", "'state':'waiting','rewound':{'message':'u1','to':0}" },
			{ "user-message", "'message':'u4','state':'sent','text':'four'" } },
		"you \"four\" sent\nwaiting asks=0 running=0" },
	{ "a redo restores what was seen there, not what was folded before",
		{ { "user-message", "'message':'u1','state':'sent','text':'one'" },
			{ "user-message", "'message':'u2','state':'sent','text':'two'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':1}" },
			{ "user-message", "'message':'u3','state':'sent','text':'three'" },
			{ "status", "'state':'waiting','rewound':{'message':'u1','to':0}" },
			{ "status", "'state':'waiting','rewound':{'message':'u3','to':4}" } },
		"you \"one\" sent\nyou \"three\" sent\nwaiting asks=0 running=0" },
	{ "a rewind to nowhere is none",
		{ { "user-message", "'message':'u1','state':'sent','text':'one'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':7}" },
			{ "status", "'state':'waiting','rewound':{'message':'u2'}" } },
		"you \"one\" sent\nwaiting asks=0 running=0" },
};

static void kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_fold *f = vy_fold_new();
		struct vy_arena a;
		VY_AUTO_BUF got = VY_BUF_INIT(65536);

		vy_arena_init(&a);
		for (size_t j = 0; j < MAX_STEPS && rows[i].steps[j].kind; j++) {
			struct vy_frame fr =
				frame_of(&a, j + 1, rows[i].steps[j].kind, rows[i].steps[j].data);

			vy_fold_apply(f, &fr, NULL);
			vy_arena_reset(&a); /* the fold keeps what it needs */
		}
		tell(f, &got);
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
		vy_arena_fini(&a);
		vy_fold_free(f);
	}
}

/* ---- what a change says ---- */

static struct vy_change applied(
	struct vy_fold *f, struct vy_arena *a, uint64_t cur, const char *kind, const char *data)
{
	struct vy_change ch;
	struct vy_frame fr = frame_of(a, cur, kind, data);

	vy_fold_apply(f, &fr, &ch);
	return ch;
}

static void changes(void **state)
{
	(void)state;
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;

	vy_arena_init(&a);
	struct vy_change c =
		applied(f, &a, 1, "text-delta", "'message':'m','index':0,'text':'h\u00E9'");

	check_true("a new row",
		c.rows && c.row == 0 && c.inserted == 1 && !c.grew && !c.rest && !c.state);
	c = applied(f, &a, 2, "text-delta", "'message':'m','index':0,'text':'llo'");
	check_true(
		"grew from byte 3", c.rows && c.row == 0 && !c.inserted && c.grew && c.from == 3);
	c = applied(f, &a, 3, "text-done", "'message':'m','index':0");
	check_true("changed", c.rows && c.row == 0 && !c.inserted && !c.grew);
	c = applied(f, &a, 4, "text-cut", "'message':'m','index':0,'note':'n'");
	check_true("too late to cut", c.rows && c.row == 0 && c.grew && c.from == 6);
	c = applied(f, &a, 5, "status", "'state':'working'");
	check_true("only the state", !c.rows && c.state);
	c = applied(
		f, &a, 6, "tool-started", "'tool_id':'t','tool':'T','kind':'todo','summary':''");
	check_true("withheld: nothing to see", !c.rows && !c.state);
	c = applied(f, &a, 7, "user-message", "'message':'u','state':'queued','text':'q'");
	check_true("only the queue", !c.rows && c.state);
	c = applied(f, &a, 8, "user-message", "'message':'u','state':'picked-up','text':'q'");
	check_true("out of the queue, in as a row",
		c.rows && c.row == 1 && c.inserted == 1 && c.state);
	c = applied(f, &a, 9, "tool-finished",
		"'tool_id':'t','ok':false,'status':'failed','result':{'type':'text'}");
	check_true("shown in its place", c.rows && c.row == 1 && c.inserted == 1 && c.removed == 0);
	c = applied(f, &a, 10, "ask", "'ask_id':'q','kind':'plan','summary':'s','options':[]");
	check_true("an ask", c.rows && c.row == 3 && c.inserted == 1 && c.state);
	c = applied(f, &a, 11, "status", "'state':'waiting','rewound':{'message':'u','to':7}");
	check_true("two went, one in between stays",
		c.rows && c.row == 2 && c.removed == 2 && c.inserted == 0 && c.rest && c.state);
	c = applied(f, &a, 11, "text-delta", "'message':'z','index':0,'text':'again'");
	check_true("an old cursor", !c.rows && !c.state);
	struct vy_frame hb = frame_of(&a, 0, "heartbeat", "'head':11,'epoch':'E'");

	vy_fold_apply(f, &hb, &c);
	check_true("a heartbeat", !c.rows && !c.state);
	check_int("cursor", (long long)vy_fold_state(f)->cur, 11);
	vy_arena_fini(&a);
	vy_fold_free(f);
}

#define LIST(id, state)                                                                            \
	"'tool_id':'" id "','ok':true,'status':'completed','result':{'type':'task','items':["      \
	"{'text':'a','status':'" state "'}]}"

/* What works in the background goes on between turns, of which its frames are then none. */
static void between_turns(void **state)
{
	static const struct {
		const char *turn, *kind, *data;
	} steps[] = {
		{ "S:1", "status", "'state':'working','turn':'S:1'" },
		{ "S:1", "tool-started",
			"'tool_id':'p','tool':'Task','kind':'agent','summary':'x'" },
		{ "S:1", "file-changed", "'path':'f','op':'create','added':1" },
		{ "S:1", "tool-started",
			"'tool_id':'t1','tool':'T','kind':'todo','parent_tool':'p',"
			"'summary':''" },
		{ "S:1", "tool-finished", LIST("t1", "pending") },
		{ "S:1", "status", "'state':'waiting','turn':'S:1'" },
		{ "", "file-changed", "'path':'f','op':'edit','added':2" },
		{ "", "file-changed", "'path':'f','op':'edit','added':3" },
		{ "", "status", "'state':'waiting','note':'n'" },
		{ "", "tool-started",
			"'tool_id':'t2','tool':'T','kind':'todo','parent_tool':'p',"
			"'summary':''" },
		{ "", "tool-finished", LIST("t2", "running") },
		{ "S:2", "status", "'state':'working','turn':'S:2'" },
		{ "S:2", "file-changed", "'path':'f','op':'edit','added':4" },
		{ "S:2", "tool-started",
			"'tool_id':'t3','tool':'T','kind':'todo','parent_tool':'p',"
			"'summary':''" },
		{ "S:2", "tool-finished", LIST("t3", "done") },
		{ "", "tool-finished", "'tool_id':'p','ok':true,'status':'completed','result':{}" },
	};
	struct vy_fold *f = vy_fold_new();
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(steps); i++) {
		struct vy_frame fr = frame_of(&a, i + 1, steps[i].kind, steps[i].data);

		fr.turn = vy_str_c(steps[i].turn);
		vy_fold_apply(f, &fr, NULL);
	}
	tell(f, &got);
	check_str("one list of its own, and a row for each change between turns", vy_buf_c(&got),
		"tool Task(x) completed 14000ms {}\n"
		"file f create +1 -0\n"
		"  todo 1/1 \n"
		"file f edit +2 -0\n"
		"file f edit +3 -0\n"
		"notice waiting: n \n"
		"file f edit +4 -0\n"
		"working asks=0 running=0");
	check_vstr(
		"the turn is the last one that was begun", vy_fold_state(f)->turn, vy_str_c("S:2"));
	vy_arena_fini(&a);
	vy_fold_free(f);
}

static void finding(void **state)
{
	(void)state;
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;
	size_t i;

	vy_arena_init(&a);
	(void)applied(f, &a, 1, "text-delta", "'message':'m','index':2,'text':'x'");
	(void)applied(f, &a, 2, "ask", "'ask_id':'q','kind':'plan','summary':'s','options':[]");
	(void)applied(f, &a, 3, "user-message", "'message':'u','state':'queued','text':'q'");
	check_true("a row by key", vy_fold_index(f, vy_str_c("m:m:2"), &i) && i == 0);
	check_true("the same", vy_fold_find(f, vy_str_c("m:m:2")) == vy_fold_row(f, 0));
	check_true(
		"no such", !vy_fold_find(f, vy_str_c("m:m:3")) && !vy_fold_find(f, vy_str_c("")));
	check_true("queued has a row and no place",
		vy_fold_find(f, vy_str_c("u:u")) == vy_fold_queued(f, 0) &&
			!vy_fold_index(f, vy_str_c("u:u"), &i));
	check_true("the open ask", vy_fold_ask(f, 0) == vy_fold_row(f, 1) && !vy_fold_ask(f, 1));
	check_true("past the end", !vy_fold_row(f, 2) && !vy_fold_queued(f, 1));
	vy_fold_clear(f);
	check_true("cleared",
		vy_fold_len(f) == 0 && vy_fold_state(f)->cur == 0 && !vy_fold_queued(f, 0));
	(void)applied(f, &a, 1, "text-delta", "'message':'m','index':2,'text':'x'");
	check_int("and goes on", (long long)vy_fold_len(f), 1);
	vy_arena_fini(&a);
	vy_fold_free(f);
}

/* Since when a state lasts: a status that only says more does not start it anew. */
static void since(void **state)
{
	(void)state;
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;

	vy_arena_init(&a);
	(void)applied(f, &a, 1, "status", "'state':'working','turn':'S:1'");
	(void)applied(f, &a, 2, "status", "'state':'working','note':'still'");
	check_int("the same", vy_fold_state(f)->since, 1000);
	(void)applied(f, &a, 3, "status", "'state':'asking'");
	check_int("another", vy_fold_state(f)->since, 3000);
	(void)applied(f, &a, 4, "status", "'state':'asking','turn':'S:2'");
	check_int("another turn", vy_fold_state(f)->since, 4000);
	check_vstr("turn", vy_fold_state(f)->turn, vy_str_c("S:2"));
	vy_arena_fini(&a);
	vy_fold_free(f);
}

/* How long a turn worked: what it waited for a person, or for room on a disk, is not in it. */
static void worked(void **state)
{
	static const struct {
		const char *name, *data;
		uint64_t cur; /* a second each */
		int64_t worked, since;
	} steps[] = {
		{ "it begins", "'state':'working','turn':'S:1'", 1, 0, 1000 },
		{ "it asks, having worked for three seconds", "'state':'asking'", 4, 3000, 4000 },
		{ "a note changes nothing", "'state':'asking','note':'x'", 5, 3000, 4000 },
		{ "it goes on: the wait is not counted", "'state':'working'", 10, 3000, 10000 },
		{ "paused, having worked for five", "'state':'paused'", 12, 5000, 12000 },
		{ "and on", "'state':'working'", 20, 5000, 20000 },
		{ "over", "'state':'waiting'", 21, 0, 21000 },
		{ "the next, which is not named", "'state':'working'", 22, 0, 22000 },
		{ "one that follows at once", "'state':'working','turn':'S:3'", 25, 0, 25000 },
		{ "asks, and is another", "'state':'asking','turn':'S:4'", 26, 0, 26000 },
	};
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(steps); i++) {
		(void)applied(f, &a, steps[i].cur, "status", steps[i].data);
		check_int(steps[i].name, vy_fold_state(f)->worked, steps[i].worked);
		check_int(steps[i].name, vy_fold_state(f)->since, steps[i].since);
	}
	vy_arena_fini(&a);
	vy_fold_free(f);
}

/* A long answer costs what it is long, not its square: 40,000 deltas, and memory moves rarely. */
static void growth_is_linear(void **state)
{
	(void)state;
	enum { N = 40000 };
	struct vy_fold *f = vy_fold_new();
	struct vy_arena a;
	const char *at = NULL;
	int moves = 0;

	vy_arena_init(&a);
	struct vy_frame fr = delta_of(&a, 1, "0123456789");

	for (uint64_t cur = 1; cur <= N; cur++) {
		struct vy_change ch;

		fr.cur = cur;
		vy_fold_apply(f, &fr, &ch);
		check_true("told from where", cur == 1 || (ch.grew && ch.from == (cur - 1) * 10));
		moves += vy_fold_row(f, 0)->message.text.p != at;
		at = vy_fold_row(f, 0)->message.text.p;
	}
	check_int("all of it", (long long)vy_fold_row(f, 0)->message.text.n, 10 * N);
	check_true("memory moved rarely", moves < 60);
	vy_arena_fini(&a);
	vy_fold_free(f);
}

/* ---- what a redo would bring back ---- */

static const struct {
	const char *name;
	struct step steps[MAX_STEPS];
	int want; /* -1: nothing; else messages */
} backs_rows[] = {
	{ "nothing was rewound", { { "user-message", "'message':'u1','state':'sent','text':'1'" } },
		-1 },
	{ "both sides count, a message of blocks once",
		{ { "user-message", "'message':'u1','state':'sent','text':'1'" },
			{ "text-delta", "'message':'m','index':0,'text':'a'" },
			{ "text-delta", "'message':'m','index':1,'text':'b'" },
			{ "user-message", "'message':'u2','state':'sent','text':'2'" },
			{ "status", "'state':'waiting','rewound':{'message':'u1','to':0}" } },
		3 },
	{ "what was said before stays, and does not count",
		{ { "user-message", "'message':'u1','state':'sent','text':'1'" },
			{ "user-message", "'message':'u2','state':'sent','text':'2'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':1}" },
			{ "status", "'state':'waiting'" } },
		1 },
	{ "the next word goes another way",
		{ { "user-message", "'message':'u1','state':'sent','text':'1'" },
			{ "status", "'state':'waiting','rewound':{'message':'u1','to':0}" },
			{ "user-message", "'message':'u2','state':'sent','text':'2'" } },
		-1 },
	{ "and so does one that waits",
		{ { "user-message", "'message':'u1','state':'sent','text':'1'" },
			{ "status", "'state':'waiting','rewound':{'message':'u1','to':0}" },
			{ "user-message", "'message':'u2','state':'queued','text':'2'" } },
		-1 },
	{ "it was brought back",
		{ { "user-message", "'message':'u1','state':'sent','text':'1'" },
			{ "text-delta", "'message':'m','index':0,'text':'a'" },
			{ "user-message", "'message':'u2','state':'sent','text':'2'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':2}" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':3}" } },
		-1 },
	{ "twice: what the second one took",
		{ { "user-message", "'message':'u1','state':'sent','text':'1'" },
			{ "text-delta", "'message':'m','index':0,'text':'a'" },
			{ "user-message", "'message':'u2','state':'sent','text':'2'" },
			{ "status", "'state':'waiting','rewound':{'message':'u2','to':2}" },
			{ "status", "'state':'waiting','rewound':{'message':'u1','to':0}" } },
		2 },
};

static void backs(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(backs_rows); i++) {
		struct vy_fold *f = vy_fold_new();
		struct vy_fold_back back;
		struct vy_arena a;

		vy_arena_init(&a);
		for (size_t j = 0; j < MAX_STEPS && backs_rows[i].steps[j].kind; j++) {
			(void)applied(f, &a, j + 1, backs_rows[i].steps[j].kind,
				backs_rows[i].steps[j].data);
		}
		bool is_there = vy_fold_back(f, &back);

		check_int(
			backs_rows[i].name, is_there ? (int)back.messages : -1, backs_rows[i].want);
		vy_arena_fini(&a);
		vy_fold_free(f);
	}
}

CHECK_MAIN(CHECK_TEST(kinds), CHECK_TEST(backs), CHECK_TEST(changes), CHECK_TEST(between_turns),
	CHECK_TEST(finding), CHECK_TEST(since), CHECK_TEST(worked), CHECK_TEST(growth_is_linear))
