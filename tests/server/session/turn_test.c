/* turn_test.c -- scenarios of a turn: acts and events in, effects out, each a short line.
 *
 * The lines are those of turn_world.h. Every scenario is run again with an encode and decode after
 * each line: the same effects must come out. */
#include <stdlib.h>

#include "tests/server/session/turn_world.h"

#define TOLD "say m1 hi\nstarted\n"
#define TOLD_OUT                                                                                   \
	"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\nstatus#1 working\n"            \
	"> SAY m1 \"hi\"\n"
#define LIVE "say m1 hi\nstarted\ntaken m1\n"
#define LIVE_OUT                                                                                   \
	"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\nstatus#1 working\n"            \
	"> SAY m1 \"hi\"\n"
#define REST     LIVE "end ok\n"
#define REST_OUT LIVE_OUT "status#1 waiting\n"

static const struct {
	const char *name, *script, *out;
} rows[] = {
	{ "a first message starts the agent", LIVE "text a\nend ok",
		LIVE_OUT "text-delta#1 \"a\"\ntext-done#1\nstatus#1 waiting\n" },
	{ "a second message begins a turn at once", REST "say m2 more",
		REST_OUT "user-message#2 m2 sent \"more\"\nstatus#2 working\n> SAY m2 \"more\"\n" },
	{ "a steer goes to the agent and is taken at a step",
		LIVE "tool t1\nsay m2 also\ntool-done t1\ntaken m2\nend ok",
		LIVE_OUT
		"tool-started#1 t1\nuser-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
		"tool-finished#1 t1 completed\nuser-message#1 m2 picked-up \"also\" step 1\n"
		"status#1 waiting\n" },
	{ "a steer that comes too late is a turn of its own",
		LIVE "say m2 also\nend ok\ntaken m2\nbegin \ntext b\nend ok",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\nstatus#1 waiting\n"
			 "user-message#2 m2 picked-up \"also\"\nstatus#2 working\n"
			 "text-delta#2 \"b\"\ntext-done#2\nstatus#2 waiting\n" },
	{ "queued ones go one a turn",
		LIVE "say-queue m2 two\nsay-queue m3 three\nend ok\ntaken m2\n"
		     "end ok\ntaken m3\nend ok",
		LIVE_OUT
		"user-message m2 queued \"two\"\nuser-message m3 queued \"three\"\n"
		"status#1 waiting\n> SAY m2 \"two\"\nuser-message#2 m2 picked-up \"two\"\n"
		"status#2 working\nstatus#2 waiting\n> SAY m3 \"three\"\n"
		"user-message#3 m3 picked-up \"three\"\nstatus#3 working\nstatus#3 waiting\n" },
	{ "an interrupt holds the queue; release lets it go",
		LIVE "say-queue m2 two\nesc\nend canceled\nsay m3 x\nrelease\ntaken m2",
		LIVE_OUT
		"user-message m2 queued \"two\"\n> INTERRUPT\n"
		"status#1 waiting \"interrupted\" held\nuser-message m3 queued \"x\"\n"
		"status waiting released\n> SAY m2 \"two\"\n"
		"user-message#2 m2 picked-up \"two\"\nstatus#2 working\n> SAY m3 \"x\"\n" },
	{ "a steer that an interrupt brought back is told again under a new uuid",
		LIVE "say m2 also\nesc\nback m2\nend canceled\nrelease\ntaken u1",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n> INTERRUPT\n"
			 "status#1 waiting \"interrupted\" held\nstatus waiting released\n"
			 "> SAY u1 \"also\"\nuser-message#2 m2 picked-up \"also\"\n"
			 "status#2 working\n" },
	{ "an interrupt finishes tools and withdraws asks",
		LIVE "tool t1\nask r1\nesc\nend canceled",
		LIVE_OUT "tool-started#1 t1\nask#1 a1\nstatus#1 asking\n> INTERRUPT\n"
			 "ask-answered#1 a1 cancelled \ntool-finished#1 t1 canceled\n"
			 "status#1 waiting \"interrupted\"\n" },
	{ "an ask is answered once", LIVE "ask r1\nanswer a1 yes\nanswer a1 deny",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\n> ANSWER r1 yes\n"
			 "ask-answered#1 a1 yes person:ana\nstatus#1 working\n"
			 "already yes by person:ana\n" },
	{ "several asks are open at once", LIVE "ask r1\nask r2\nanswer a2 allow\nanswer a1 deny",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\nask#1 a2\n> ANSWER r2 allow\n"
			 "ask-answered#1 a2 allow person:ana\n> ANSWER r1 deny\n"
			 "ask-answered#1 a1 deny person:ana\nstatus#1 working\n" },
	{ "an answer after a withdrawal is too late", LIVE "ask r1\nask-gone r1\nanswer a1 allow",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\nask-answered#1 a1 cancelled \n"
			 "status#1 working\n! gone\n" },
	{ "an answer that never arrived is said, once, and to who asks again",
		LIVE
		"ask r1\nask r2\nanswer a1 yes\ntold a1 3\nanswer a2 deny\ntold a2 4\nuntold 4\n"
		"gone \nuntold 1\nanswer a1 yes\nanswer a2 allow",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\nask#1 a2\n> ANSWER r1 yes\n"
			 "ask-answered#1 a1 yes person:ana\n> ANSWER r2 deny\n"
			 "ask-answered#1 a2 deny person:ana\nstatus#1 working\n"
			 "ask-answered#1 a2 deny person:ana lost\n"
			 "status#1 failed (agent-lost) \"The agent ended.\"\nstatus#1 waiting\n"
			 "already yes by person:ana\nalready deny by person:ana lost\n" },
	{ "a mode goes with the answer to a plan alone",
		LIVE "ask r1\nanswer-mode a1 yes\nanswer a1 yes\nask-plan r2\nanswer-mode a2 yes",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\n! bad_input\n> ANSWER r1 yes\n"
			 "ask-answered#1 a1 yes person:ana\nstatus#1 working\nask#1 a2\n"
			 "status#1 asking\n> ANSWER r2 yes\nask-answered#1 a2 yes person:ana\n"
			 "status#1 working\n" },
	{ "an unknown decision is refused", LIVE "ask r1\nanswer a1 maybe",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\n! bad_input\n" },
	{ "a waiting one is edited, moved and taken back",
		LIVE "say-queue m2 two\nsay-queue m3 three\nedit m2 zwei\nmove m3 m2\nunqueue m2",
		LIVE_OUT "user-message m2 queued \"two\"\nuser-message m3 queued \"three\"\n"
			 "user-message m2 queued \"zwei\"\nuser-message m3 queued \"three\" at 0\n"
			 "user-message m2 cancelled \"zwei\"\n" },
	{ "a told steer is taken back when the agent gives it",
		LIVE "say m2 also\nunqueue m2\nback m2\nend ok",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n> TAKE_BACK m2\n"
			 "user-message m2 cancelled \"also\"\nstatus#1 waiting\n" },
	{ "a told steer is edited: back, changed, told anew",
		LIVE "say m2 also\nedit m2 rather\nback m2\ntaken u1",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n> TAKE_BACK m2\n"
			 "user-message m2 queued \"rather\"\n> SAY u1 \"rather\"\n"
			 "user-message#1 m2 picked-up \"rather\" step 0\n" },
	{ "a wish outlives the agent",
		LIVE "say m2 also\nsay m3 x\nunqueue m2\nedit m3 y\ngone it died",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
			 "user-message m3 queued \"x\"\n> SAY m3 \"x\"\n> TAKE_BACK m2\n"
			 "> TAKE_BACK m3\nuser-message m2 cancelled \"also\"\n"
			 "user-message m3 queued \"y\"\n"
			 "status#1 failed (agent-lost) \"it died\"\nstatus#1 waiting held\n" },
	{ "a move counts what the agent was told too",
		LIVE "say m2 a\nsay-queue m3 b\nsay-queue m4 c\nmove m4 m3",
		LIVE_OUT "user-message m2 queued \"a\"\n> SAY m2 \"a\"\n"
			 "user-message m3 queued \"b\"\nuser-message m4 queued \"c\"\n"
			 "user-message m4 queued \"c\" at 1\n" },
	{ "a word that has its turn is not the queue's",
		"say m1 hi\nsay m2 x\nedit m1 ho\nunqueue m1\nsend-now m1\nmove m1\nmove m2 m1",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"user-message m2 queued \"x\"\n! conflict\n! conflict\n! conflict\n! conflict\n"
		"! conflict\n" },
	{ "at the limit another credential goes on with the turn",
		LIVE "limit on paid otherwise\ngone it ended\nstarted\ntaken u1\ntext a\nend ok",
		LIVE_OUT "status#1 working \"paid otherwise\"\n> end 1500\n> start\n"
			 "status#1 starting\nstatus#1 working\n> SAY u1 \"hi\"\n"
			 "text-delta#1 \"a\"\ntext-done#1\nstatus#1 waiting\n" },
	{ "what was done before is not done again",
		LIVE "tool t1\ntool-done t1\nlimit on paid otherwise\ngone\nstarted\ntaken u1",
		LIVE_OUT
		"tool-started#1 t1\ntool-finished#1 t1 completed\n"
		"status#1 working \"paid otherwise\"\n> end 1500\n> start\n"
		"status#1 starting\nstatus#1 working\n> SAY u1 ([Your last answer …) \"hi\"\n" },
	{ "steers that were taken are told again behind it, what waited waits",
		LIVE "say m2 also\ntaken m2\nsay-queue m3 then\nlimit on paid otherwise\ngone\n"
		     "started\ntaken u1\ntaken u2\nend ok\ntaken m3",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
			 "user-message#1 m2 picked-up \"also\" step 0\n"
			 "user-message m3 queued \"then\"\nstatus#1 working \"paid otherwise\"\n"
			 "> end 1500\n> start\n"
			 "status#1 starting\nstatus#1 working\n> SAY u1 \"hi\"\n> SAY u2 \"also\"\n"
			 "status#1 waiting\n"
			 "> SAY m3 \"then\"\nuser-message#2 m3 picked-up \"then\"\n"
			 "status#2 working\n" },
	{ "the second one is used up too",
		LIVE "limit on paid otherwise\ngone\nstarted\ntaken u1\nlimit hold it waits\n"
		     "release\ntaken u2",
		LIVE_OUT
		"status#1 working \"paid otherwise\"\n> end 1500\n> start\n"
		"status#1 starting\nstatus#1 working\n> SAY u1 \"hi\"\n"
		"user-message m1 queued \"hi\" at 0\nstatus#1 failed (limit) \"it waits\"\n"
		"status#1 waiting held\nstatus paused (limit) until 7\n"
		"status waiting released\n> SAY u2 \"hi\"\n"
		"user-message#2 m1 picked-up \"hi\"\nstatus#2 working\n" },
	{ "without another one the words wait, before all else",
		LIVE "say-queue m2 two\nlimit hold it waits\nsay m3 x\nrelease\ntaken u1\nend ok",
		LIVE_OUT "user-message m2 queued \"two\"\nuser-message m1 queued \"hi\" at 0\n"
			 "status#1 failed (limit) \"it waits\"\nstatus#1 waiting held\n"
			 "status paused (limit) until 7\nuser-message m3 queued \"x\"\n"
			 "status waiting released\n> SAY u1 \"hi\"\n"
			 "user-message#2 m1 picked-up \"hi\"\nstatus#2 working\n"
			 "> SAY m3 \"x\"\nstatus#2 waiting\n" },
	{ "one that the agent takes behind the limit comes back behind the first",
		LIVE "say m2 also\nlimit hold it waits\nbegin \ntaken m2\nlimit hold it waits",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
			 "user-message m1 queued \"hi\" at 0\n"
			 "status#1 failed (limit) \"it waits\"\nstatus#1 waiting held\n"
			 "status paused (limit) until 7\nuser-message#2 m2 picked-up \"also\"\n"
			 "status#2 working\nuser-message m2 queued \"also\" at 1\n"
			 "status#2 failed (limit) \"it waits\"\nstatus#2 waiting held\n"
			 "status paused (limit) until 7\n" },
	{ "what waits for a limit can be taken back",
		LIVE "limit hold it waits\nunqueue m1\nsay m2 x",
		LIVE_OUT
		"user-message m1 queued \"hi\" at 0\nstatus#1 failed (limit) \"it waits\"\n"
		"status#1 waiting held\nstatus paused (limit) until 7\n"
		"user-message m1 cancelled \"hi\"\nstatus waiting released\n"
		"user-message#2 m2 sent \"x\"\nstatus#2 working\n> SAY m2 \"x\"\n" },
	{ "a turn the agent began itself has nothing to be told again",
		REST "begin task\nlimit on paid otherwise\ngone\nsay m2 x",
		REST_OUT "status#2 working origin task\nstatus#2 working \"paid otherwise\"\n"
			 "status#2 failed (limit)\nstatus#2 waiting\n> end 1500\n"
			 "user-message#3 m2 sent \"x\"\n> start\nstatus#3 starting\n" },
	{ "a stop while it changes over keeps the word", LIVE "limit on paid otherwise\nstop\ngone",
		LIVE_OUT
		"status#1 working \"paid otherwise\"\n> end 1500\nstatus#1 working stopping\n"
		"> end 5000\nuser-message m1 queued \"hi\" at 0\n"
		"status#1 waiting \"interrupted\" held\nstatus stopped\n" },
	{ "an interrupt while it changes over too",
		LIVE "limit on paid otherwise\nesc\ngone\nrelease",
		LIVE_OUT
		"status#1 working \"paid otherwise\"\n> end 1500\n> INTERRUPT\n"
		"user-message m1 queued \"hi\" at 0\nstatus#1 waiting \"interrupted\" held\n"
		"status waiting released\n> start\nstatus#2 starting\n" },
	{ "the limit of a turn that is interrupted is its end", LIVE "esc\nlimit on paid otherwise",
		LIVE_OUT "> INTERRUPT\nstatus#1 failed (agent-error) \"its own words\"\n"
			 "status#1 waiting\n" },
	{ "an empty queue is not held, and says so",
		LIVE "say-queue m2 two\nesc\nend canceled\nunqueue m2\nsay m3 x",
		LIVE_OUT "user-message m2 queued \"two\"\n> INTERRUPT\n"
			 "status#1 waiting \"interrupted\" held\n"
			 "user-message m2 cancelled \"two\"\nstatus waiting released\n"
			 "user-message#2 m3 sent \"x\"\nstatus#2 working\n> SAY m3 \"x\"\n" },
	{ "what is sent now after an interrupt goes when the turn is over",
		LIVE "say-queue m2 two\ntool t1\nesc\nsay-now m3 x\nesc\nend canceled",
		LIVE_OUT "user-message m2 queued \"two\"\ntool-started#1 t1\n> INTERRUPT\n"
			 "user-message m3 queued \"x\"\ntool-finished#1 t1 canceled\n"
			 "status#1 waiting \"interrupted\" held\n> SAY m3 \"x\"\n" },
	{ "a taken one cannot be taken back", LIVE "unqueue m1", LIVE_OUT "! conflict\n" },
	{ "an unknown one is not found", LIVE "unqueue m7", LIVE_OUT "! not_found\n" },
	{ "a lost agent ends the turn as such, and holds what waits",
		LIVE "tool t1\nsay-queue m2 two\ngone it died",
		LIVE_OUT "tool-started#1 t1\nuser-message m2 queued \"two\"\n"
			 "tool-finished#1 t1 canceled\nstatus#1 failed (agent-lost) \"it died\"\n"
			 "status#1 waiting held\n" },
	{ "after a lost agent an untaken word keeps its uuid",
		LIVE "say m2 also\ngone it died\nrelease\nstarted\ntaken m2",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
			 "status#1 failed (agent-lost) \"it died\"\nstatus#1 waiting held\n"
			 "status waiting released\n> start\nstatus#2 starting\n> SAY m2 \"also\"\n"
			 "user-message#2 m2 picked-up \"also\"\nstatus#2 working\n" },
	{ "an agent that cannot start leaves the word held", "say m1 hi\ngone not installed",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"user-message m1 queued \"hi\" at 0\n"
		"status#1 failed (agent-lost) \"not installed\"\nstatus#1 waiting held\n" },
	{ "a stop says so first, and ends after the turn's end", LIVE "tool t1\nstop\ngone ",
		LIVE_OUT "tool-started#1 t1\nstatus#1 working stopping\n> end 5000\n"
			 "tool-finished#1 t1 canceled\nstatus#1 waiting \"interrupted\"\n"
			 "status stopped\n" },
	{ "a stopped session goes on with the next word", REST "stop\ngone \nsay m2 more\nstarted",
		REST_OUT "status waiting stopping\n> end 5000\nstatus stopped\n"
			 "user-message#2 m2 sent \"more\"\n> start\nstatus#2 starting\n"
			 "status#2 working\n> SAY m2 \"more\"\n" },
	{ "a resting agent is no stop, and what came meanwhile goes on",
		REST "rest\nsay m2 more\ngone \nstarted\ntaken m2",
		REST_OUT "> end 1500\nuser-message m2 queued \"more\"\n> start\nstatus#2 starting\n"
			 "> SAY m2 \"more\"\nuser-message#2 m2 picked-up \"more\"\n"
			 "status#2 working\n" },
	{ "a stop of a resting agent stops it", REST "rest\nstop\ngone ",
		REST_OUT "> end 1500\nstatus waiting stopping\n> end 5000\nstatus stopped\n" },
	{ "an agent with something to do is not let go",
		REST "tasks [{\"task\":\"1\"}]\nrest\ntasks []\ntool t1 parent\nrest\ntool-done "
		     "t1\nrest",
		REST_OUT "status waiting tasks 1\nstatus waiting tasks 0\ntool-started t1\n"
			 "tool-finished t1 completed\n> end 1500\n" },
	{ "tasks end with the agent that has them",
		REST "tasks [{\"task\":\"1\"}]\ngone it crashed",
		REST_OUT "status waiting tasks 1\nstatus waiting tasks 0\n"
			 "status waiting \"it crashed\"\n" },
	{ "a late steer is not let go either", LIVE "say m2 x\nend ok\nrest\ntaken m2",
		LIVE_OUT "user-message m2 queued \"x\"\n> SAY m2 \"x\"\nstatus#1 waiting\n"
			 "user-message#2 m2 picked-up \"x\"\nstatus#2 working\n" },
	{ "launched the wrong way round, but to be stopped", "say m1 hi\nstop\nagain",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"status#1 starting stopping\n> end 5000\nuser-message m1 queued \"hi\" at 0\n"
		"status#1 waiting \"interrupted\" held\nstatus stopped\n" },
	{ "a failed turn is said, then it is the person's turn", LIVE "end failed limit reached",
		LIVE_OUT "status#1 failed (agent-error) \"limit reached\"\nstatus#1 waiting\n" },
	{ "a turn the agent began itself has an origin", REST "begin task\ntext x\nend ok",
		REST_OUT "status#2 working origin task\ntext-delta#2 \"x\"\ntext-done#2\n"
			 "status#2 waiting\n" },
	{ "esc before the agent is there takes the word back",
		"say m1 hi\nesc\nstarted\nrelease\ntaken m1",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"user-message m1 queued \"hi\" at 0\nstatus#1 waiting \"interrupted\" held\n"
		"status waiting released\n> SAY m1 \"hi\"\n"
		"user-message#2 m1 picked-up \"hi\"\nstatus#2 working\n" },
	{ "esc before the agent took the word: no end of the turn will come",
		TOLD "esc\nback m1\nrelease\ntaken u1",
		TOLD_OUT
		"> INTERRUPT\nuser-message m1 queued \"hi\" at 0\n"
		"status#1 waiting \"interrupted\" held\nstatus waiting released\n"
		"> SAY u1 \"hi\"\nuser-message#2 m1 picked-up \"hi\"\nstatus#2 working\n" },
	{ "a word the agent does not want waits for a key", TOLD "back m1",
		TOLD_OUT "user-message m1 queued \"hi\" at 0\nstatus#1 waiting held\n" },
	{ "a steer the agent does not want is not told for ever",
		LIVE "say m2 also\nback m2\nend ok",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
			 "status#1 working held\nstatus#1 waiting held\n" },
	{ "the agent begins by itself just as we do",
		TOLD "begin task\ntext x\nend ok\ntaken m1\nend ok",
		TOLD_OUT "text-delta#1 \"x\"\ntext-done#1\nstatus#1 waiting\n"
			 "user-message#2 m1 picked-up \"hi\"\nstatus#2 working\n"
			 "status#2 waiting\n" },
	{ "a turn that ends without a receipt took its word all the same", TOLD "end ok\nsay m2 x",
		TOLD_OUT "status#1 waiting\nuser-message#2 m2 sent \"x\"\nstatus#2 working\n"
			 "> SAY m2 \"x\"\n" },
	{ "a background agent's ask outlives the turn; its answer ends the one it is in",
		LIVE "ask r1 parent\nend ok\nanswer a1 allow",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\nstatus#1 waiting\n"
			 "status#2 working origin agent\nstatus#2 asking\n> ANSWER r1 allow\n"
			 "ask-answered#2 a1 allow person:ana\nstatus#2 waiting\n" },
	{ "what is said while a background agent asks joins the turn",
		REST "ask r1 parent\nsay m2 x\ntaken m2\nanswer a1 allow\nend ok",
		REST_OUT "status#2 working origin agent\nask#2 a1\nstatus#2 asking\n"
			 "user-message m2 queued \"x\"\n> SAY m2 \"x\"\n"
			 "user-message#2 m2 picked-up \"x\" step 0\n> ANSWER r1 allow\n"
			 "ask-answered#2 a1 allow person:ana\nstatus#2 working\n"
			 "status#2 waiting\n" },
	{ "esc while only a background agent asks ends at once", REST "ask r1 parent\nesc",
		REST_OUT "status#2 working origin agent\nask#2 a1\nstatus#2 asking\n> INTERRUPT\n"
			 "ask-answered#2 a1 cancelled \nstatus#2 waiting \"interrupted\"\n" },
	{ "esc with nothing running does nothing", REST "esc", REST_OUT },
	{ "now interrupts the order", LIVE "say-queue m2 two\nsay-now m3 three",
		LIVE_OUT "user-message m2 queued \"two\"\nuser-message m3 queued \"three\"\n"
			 "> SAY m3 \"three\" now\n" },
	{ "a mode is said and told", LIVE "mode plan\nis-mode default",
		LIVE_OUT
		"status#1 working mode plan\n> MODE \"plan\"\nstatus#1 working mode default\n" },
	{ "a mode that came while the agent started is told when it is there",
		"say m1 hi\nmode plan\nstarted\nmode default",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"status#1 starting mode plan\n> MODE \"plan\"\nstatus#1 working\n"
		"> SAY m1 \"hi\"\nstatus#1 working mode default\n> MODE \"default\"\n" },
	{ "a mode that is not ours is refused", "mode bypassPermissions", "! bad_input\n" },
	{ "launched the wrong way round, it is started once more",
		"say m1 hi\nstarted\nagain\nstarted\ntaken m1",
		LIVE_OUT "> start\nstatus#1 starting\n> SAY m1 \"hi\"\n" },
	{ "a process that never came to be is asked for again, and nobody sees it",
		"say m1 hi\nunborn\nstarted\ntaken m1",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n> start\n"
		"status#1 working\n> SAY m1 \"hi\"\n" },
	{ "one that was stopped before it came to be is stopped", "say m1 hi\nstop\nunborn",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"status#1 starting stopping\n> end 5000\nuser-message m1 queued \"hi\" at 0\n"
		"status#1 waiting \"interrupted\" held\nstatus stopped\n" },
	{ "a subagent's call outlives the turn", LIVE "tool t1 parent\nend ok\ntool-done t1",
		LIVE_OUT "tool-started#1 t1\nstatus#1 waiting\ntool-finished t1 completed\n" },
	{ "what works in the background is of no turn between two, and of the one that runs",
		LIVE
		"tool t1 parent\ntext a t0\nend ok\ntext b t0\ntool-progress t1 c\ntool-done t1\n"
		"tool t2 parent\nfile x\nsay m2 more\ntaken m2\ntext d t0\ntool-done t2\nend ok\n"
		"text e t0\ngone it died",
		LIVE_OUT
		"tool-started#1 t1\ntext-delta#1 \"a\"\nstatus#1 waiting\ntext-delta \"b\"\n"
		"tool-progress\ntool-finished t1 completed\ntool-started t2\nfile-changed\n"
		"user-message#2 m2 sent \"more\"\nstatus#2 working\n> SAY m2 \"more\"\n"
		"text-delta#2 \"d\"\ntool-finished#2 t2 completed\nstatus#2 waiting\n"
		"text-delta \"e\"\ntext-done\nstatus waiting \"it died\"\n" },
	{ "a mode that changes while a turn waits for its process ends nothing",
		"no-places soon\nsay m1 hi\nmode plan\ngo\nstarted\ntaken m1\nend ok\nmode default",
		"user-message#1 m1 sent \"hi\"\n> want\nstatus waiting mode plan\n> "
		"start\nstatus#1 "
		"starting\n"
		"status#1 working\n> SAY m1 \"hi\"\nstatus#1 waiting\nstatus waiting mode default\n"
		"> MODE \"default\"\n" },
	{ "no place: a word waits in the queue, its number moves, then it goes",
		REST "rest\ngone \nno-places\nsay m2 x\nwaits 2\nwaits 2\nwaits 1\ngo\nstarted\n"
		     "taken m2",
		REST_OUT "> end 1500\nstatus waiting (idle)\nuser-message m2 queued \"x\"\n> want\n"
			 "status paused (live-cap) \"2 are at work\"\nstatus paused (live-cap)\n"
			 "> start\nstatus#2 starting\n> SAY m2 \"x\"\n"
			 "user-message#2 m2 picked-up \"x\"\nstatus#2 working\n" },
	{ "a budget is spent in a turn: it is cut, what waits is not held, and goes on with more",
		LIVE "say-queue m2 x\nspent enough\ncut\ncut\nend canceled\nsay m3 y\nspent",
		"user-message#1 m1 sent \"hi\"\n"
		"> start\n"
		"status#1 starting\n"
		"status#1 working\n"
		"> SAY m1 \"hi\"\n"
		"user-message m2 queued \"x\"\n"
		"> INTERRUPT\n"
		"status#1 waiting \"interrupted\"\n"
		"status paused (budget) \"enough\"\n"
		"user-message m3 queued \"y\"\n"
		"status waiting\n"
		"> SAY m2 \"x\"\n" },
	{ "spent at the end of a turn: it pauses", LIVE "spent enough\nend ok\ncut\nspent",
		"user-message#1 m1 sent \"hi\"\n"
		"> start\n"
		"status#1 starting\n"
		"status#1 working\n"
		"> SAY m1 \"hi\"\n"
		"status#1 waiting\n"
		"status paused (budget) \"enough\"\n"
		"status waiting\n" },
	{ "spent at rest, and it rests: it is still paused",
		REST "spent enough\nrest\ngone \nsay m2 x\nspent\nspent",
		"user-message#1 m1 sent \"hi\"\n"
		"> start\n"
		"status#1 starting\n"
		"status#1 working\n"
		"> SAY m1 \"hi\"\n"
		"status#1 waiting\n"
		"status paused (budget) \"enough\"\n"
		"> end 1500\n"
		"user-message m2 queued \"x\"\n"
		"status waiting\n"
		"> start\n"
		"status#2 starting\n" },
	{ "spent while a word waits for a place: it wants none any more",
		REST "rest\ngone \nno-places\nsay m2 x\nwaits 1\nspent enough\ngo",
		"user-message#1 m1 sent \"hi\"\n"
		"> start\n"
		"status#1 starting\n"
		"status#1 working\n"
		"> SAY m1 \"hi\"\n"
		"status#1 waiting\n"
		"> end 1500\n"
		"status waiting (idle)\n"
		"user-message m2 queued \"x\"\n"
		"> want\n"
		"status paused (live-cap) \"2 are at work\"\n"
		"> unwant\n"
		"status paused (budget)\n"
		"status paused (budget) \"enough\"\n" },
	{ "spent before its agent is there: the word is in the queue again",
		"say m1 hi\nspent enough\ncut\nstarted\nspent",
		"user-message#1 m1 sent \"hi\"\n"
		"> start\n"
		"status#1 starting\n"
		"user-message m1 queued \"hi\" at 0\n"
		"status#1 waiting \"interrupted\"\n"
		"status paused (budget) \"enough\"\n"
		"status waiting\n"
		"> SAY m1 \"hi\"\n" },
	{ "a teammate's slot first, then a place: each line says so",
		REST "rest\ngone \nno-places\nsay m2 x\nwaits 1 slots\nwaits 1\ngo",
		REST_OUT
		"> end 1500\nstatus waiting (idle)\nuser-message m2 queued \"x\"\n> want\n"
		"status paused (slots) \"2 are at work\"\n"
		"status paused (live-cap) \"2 are at work\"\n> start\nstatus#2 starting\n" },
	{ "no place: taken back, nothing is wanted any more",
		REST "rest\ngone \nno-places\nsay m2 x\nwaits 1\nunqueue m2\ngo",
		REST_OUT "> end 1500\nstatus waiting (idle)\nuser-message m2 queued \"x\"\n> want\n"
			 "status paused (live-cap) \"2 are at work\"\n"
			 "user-message m2 cancelled \"x\"\n> unwant\nstatus waiting\n" },
	{ "no place: stopped, what waits is held",
		REST "rest\ngone \nno-places\nsay m2 x\nwaits 1\nstop\ngo\nrelease",
		REST_OUT "> end 1500\nstatus waiting (idle)\nuser-message m2 queued \"x\"\n> want\n"
			 "status paused (live-cap) \"2 are at work\"\n> unwant\n"
			 "status waiting held\nstatus stopped\nstatus waiting released\n> want\n" },
	{ "a place in a moment is a start",
		"no-places soon\nsay m1 hi\nsoon\ngo\nstarted\ntaken m1",
		"user-message#1 m1 sent \"hi\"\n> want\nstatus#1 starting\n> start\n"
		"status#1 working\n> SAY m1 \"hi\"\n" },
	{ "a place in a moment, interrupted", "no-places soon\nsay m1 hi\nsoon\nesc\ngo",
		"user-message#1 m1 sent \"hi\"\n> want\nstatus#1 starting\n"
		"user-message m1 queued \"hi\" at 0\nstatus#1 waiting \"interrupted\" held\n> "
		"unwant\n" },
	{ "a job is finished, and goes on with another word",
		REST "rest done\ngone \nsay m2 x\nstarted\ntaken m2\nend ok\nrest done\ngone ",
		REST_OUT
		"> end 1500\nstatus finished (done)\nuser-message#2 m2 sent \"x\"\n> start\n"
		"status#2 starting\nstatus#2 working\n> SAY m2 \"x\"\nstatus#2 waiting\n"
		"> end 1500\nstatus finished (done)\n" },
	{ "a restart is not said", REST "rest restart\ngone ", REST_OUT "> end 1500\n" },
	{ "a tool is finished once", LIVE "tool t1\ntool-done t1\ntool-done t1\nend ok",
		LIVE_OUT "tool-started#1 t1\ntool-finished#1 t1 completed\nstatus#1 waiting\n" },
};

static void scenarios(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *out = turn_world_play(rows[i].script, false);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
	}
}

static void scenarios_cut_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *out = turn_world_play(rows[i].script, true);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
	}
}

/* In 300 of them, a dash in front would come some four times. */
static void an_ask_is_no_option_of_a_command(void **state)
{
	struct turn_world w;
	char line[32] = "say m1 hi";

	(void)state;
	turn_world_init(&w);
	turn_world_step(&w, line);
	snprintf(line, sizeof(line), "started");
	turn_world_step(&w, line);
	for (int i = 0; i < 300; i++) {
		snprintf(line, sizeof(line), "ask r%d", i);
		turn_world_step(&w, line);
		assert_int_not_equal(w.ask[0][0], '-');
		assert_int_equal(strlen(w.ask[0]), 12);
		w.n_asks = 0;
		snprintf(line, sizeof(line), "ask-gone r%d", i);
		turn_world_step(&w, line);
		w.n_asks = 0;
	}
	turn_world_fini(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scenarios),
		cmocka_unit_test(scenarios_cut_everywhere),
		cmocka_unit_test(an_ask_is_no_option_of_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
