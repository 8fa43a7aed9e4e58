/* keys_back_test.c -- going back, asking beside, and what is asked before it is done (keys_world.h). */
#include "tests/tui/app/keys_world.h"

static const struct keys_row rows[] = {
	{ "esc twice where nothing is written opens the list",
		SAID "see esc esc go back\nkey esc\nsee esc go back\nnot esc esc\nkey esc\nsee Go "
		     "back to\nsee two\nsee one",
		"" },
	{ "esc twice, too slowly, is esc once", SAID "key esc\nwait 2000\nkey esc\nnot Go back to",
		"" },
	{ "vi: esc twice in normal mode, not out of insert mode",
		"vim\n" SAID "key esc\nkey esc\nnot Go back to\nkey esc\nsee Go back to", "" },
	{ "another key between them is none of it",
		SAID "key esc\nkey ctrl-o\nkey esc\nnot Go back to", "" },
	{ "esc twice with a text does nothing", SAID "type hi\nkey esc\nkey esc\nnot Go back to",
		"" },
	{ "the second esc of an interrupt opens nothing",
		SAID "status working\nkey esc\nstatus waiting\nkey esc\nnot Go back to",
		"call threads.interrupt {}\nnotice finished your turn\n" },
	{ "what waits, and what an agent says, is nothing to go back to",
		"says m hi\nqueued u later\nstatus waiting\nkey esc\nkey esc\nnot Go back to", "" },
	{ "the files are asked for, then it goes back; the draft is in the history",
		SAID "type my draft\nkey alt-z\nkey down\nkey enter\nsee Go back to: one\nsee "
		     "asking which\nreply "
		     "{\"files\":{\"can\":true,\"changed\":[\"a.c\",\"b.c\"],\"added\":12,"
		     "\"removed\":4}}\nsee 2 files +12 −4\nkey down\nkey enter\nreply "
		     "{\"message\":\"u1\",\"to\":0,\"text\":\"one\",\"files\":{\"can\":true,"
		     "\"changed\":[\"a.c\",\"b.c\"],\"added\":12,\"removed\":4}}\nrewound u1 "
		     "{\"to\":0}\nsee > one\nsee 4 messages are folded away   alt-Z bring "
		     "back\nsee 2 files are as they were\nkey ctrl-u\nkey up\nsee > my draft",
		"query threads.rewind {\"files\":\"dry\",\"message\":\"u1\"}\nquery threads.rewind "
		"{\"files\":\"restore\",\"message\":\"u1\"}\n" },
	{ "files that cannot be put back are no choice",
		SAID "key alt-z\nkey enter\nfail the agent keeps no copies\nsee the agent keeps no "
		     "copies\nkey down\nkey enter\nkey down\nkey down\nkey enter",
		"query threads.rewind {\"files\":\"dry\",\"message\":\"u2\"}\nquery threads.branch "
		"{\"message\":\"u2\"}\n" },
	{ "what was folded away is brought back, and the words go with it",
		SAID "key alt-z\nkey enter\nreply {}\nkey enter\nreply {\"text\":\"two\"}\nrewound "
		     "u2 {\"to\":2}\nsee > two\nkey alt-Z\nreply {}\nrewound u2 {\"to\":4}\nnot > "
		     "two\nsee two\nnot folded away",
		"query threads.rewind {\"files\":\"dry\",\"message\":\"u2\"}\nquery threads.rewind "
		"{\"files\":\"no\",\"message\":\"u2\"}\nquery threads.rewind {\"redo\":true}\n" },
	{ "chosen before it is known which files would change, it waits for that",
		SAID "key alt-z\nkey enter\nkey enter\nsee in a moment\nreply {}\nreply "
		     "{\"text\":\"two\"}\nsee > two",
		"query threads.rewind {\"files\":\"dry\",\"message\":\"u2\"}\nquery threads.rewind "
		"{\"files\":\"no\",\"message\":\"u2\"}\n" },
	{ "there is nothing to bring back once another word was said",
		SAID "rewound u2 {\"to\":2}\nsee folded away\npicked u3 three\nnot folded "
		     "away\nkey alt-Z\nsee nothing is folded away here",
		"" },
	{ "said otherwise: sent in its place, given up by esc, there again when it is refused",
		SAID "see type here\nkey tab\nsee browse\nkey [\nkey e\nsee > two\nsee esc give "
		     "up\nkey esc\nnot > two\nsee type here\nkey tab\nsee browse\nkey [\nkey "
		     "e\ntype !\nkey enter\nnot > two\nfail a turn runs\nsee > two!\nsee a turn "
		     "runs\nwait 9000\nkey enter\nreply {}\nnot > two!",
		"query threads.edit-retry {\"message\":\"u2\",\"text\":\"two!\"}\nquery "
		"threads.edit-retry {\"message\":\"u2\",\"text\":\"two!\"}\n" },
	{ "said otherwise, and cleared: the next words are a message",
		SAID "see type here\nkey tab\nsee browse\nkey [\nkey e\nsee > two\nkey ctrl-c\nnot "
		     "> two\nnot esc give up\ntype hi\nkey enter",
		"send steer hi\n" },
	{ "browsing: only one's own messages can be gone back to",
		SAID "see type here\nkey tab\nsee browse\nkey z\nsee none of your messages", "" },
	{ "browsing: from one of one's own",
		SAID "see type here\nkey tab\nsee browse\nkey [\nkey f\nreply "
		     "{\"session\":\"S2\",\"text\":\"two\"}\nkey R\nsee Say again: two\nkey enter",
		"query threads.branch {\"message\":\"u2\"}\nopen S2\nput two\nquery threads.retry "
		"{}\n" },
	{ "by its words: said again, and a copy of it all",
		SAID "type /retry \nkey enter\ntype /fork \nkey enter\nreply {\"session\":\"S2\"}",
		"query threads.commands {}\nquery threads.retry {}\nquery threads.commands "
		"{}\nquery threads.fork {}\nopen S2\n" },
	/* ---- side questions, and the small acts ---- */
	{ "a side question leaves the composer alone, and is asked by enter",
		SAID
		"type my draft\nkey alt-a\ntype why?\nsee ? why?\nsee > my draft\nkey enter\n"
		"see asking\nsee esc cancel\nreply {\"answer\":\"because\"}\nsee because\n"
		"see esc close\nkey alt-c\nkey esc\nnot because\nsee > my draft\nkey alt-a\nsee "
		"because",
		"query threads.aside {\"question\":\"why?\"}\ncopy because\n" },
	{ "given up while it waits: its words are there again, its answer is nobody's",
		SAID "type /btw why?\nkey enter\nsee asking\nkey esc\nnot asking\nsee ? why?\n"
		     "reply {\"answer\":\"because\"}\nnot because\nkey esc\nsee type here",
		"query threads.commands {}\nquery threads.aside {\"question\":\"why?\"}\nquery "
		"threads.aside {\"cancel\":true}\n" },
	{ "closed while it waits, its answer is told; not in another session",
		SAID "key alt-a\ntype why?\nkey enter\nkey alt-a\nreply {\"answer\":\"because\"}\n"
		     "see is answered; alt-a shows it\nkey alt-a\nsee because\nopen S2\nkey alt-a\n"
		     "not because",
		"query threads.aside {\"question\":\"why?\"}\n" },
	{ "what the server says instead of an answer stands in its place",
		SAID "key alt-a\ntype why?\nkey enter\nfail no side questions here\nsee no side "
		     "questions here\nkey alt-c\nsee nothing to copy",
		"query threads.aside {\"question\":\"why?\"}\n" },
	{ "a key asks before it compacts, its words do not",
		SAID "key alt-c\nkey enter\nkey alt-c\nkey down\nkey enter\ntype the tests\nkey "
		     "enter\nfail a turn runs\nsee a turn runs",
		"query threads.compact {}\nquery threads.compact {\"hint\":\"the tests\"}\n" },
	{ "effort: a word, none, or an agent without",
		"key alt-e\nsee no such setting\nrecord {\"capabilities\":{\"effort\":true}}\n"
		"type /effort high\nkey enter\ntype /effort auto\nkey enter",
		"query threads.commands {}\ncall threads.model {\"effort\":\"high\"}\nquery "
		"threads.commands {}\ncall threads.model {\"effort\":\"\"}\n" },
	/* ---- what the agent cannot is hidden, or said ---- */
	{ "an agent that cannot go back: no key offers it, each says it",
		"record {\"session\":\"s1\",\"capabilities\":{\"rewind\":false}}\n" SAID
		"not go back\nkey esc\nkey esc\nnot Go back to\nkey alt-z\nsee this agent cannot "
		"go back in a conversation\nnot Go back to\nwait 9000\ntype /rewind\nkey enter\n"
		"see cannot go back\nwait 9000\ntype /retry \nkey enter\nsee cannot go back",
		"query threads.commands {}\nquery threads.commands {}\n" },
	{ "nor while browsing; a copy it can make is offered still",
		"record {\"session\":\"s1\",\"capabilities\":{\"rewind\":false}}\n" SAID
		"key tab\nkey [\nnot go back\nsee f fork\nkey e\nsee cannot go back in a "
		"conversation\nnot > two",
		"" },
	{ "an agent that cannot copy itself",
		"record {\"session\":\"s1\",\"capabilities\":{\"fork\":false}}\n" SAID
		"key tab\nkey [\nsee go back\nnot fork\nkey f\nsee this agent cannot copy a "
		"conversation\nkey esc\nwait 9000\ntype /fork \nkey enter\nsee cannot copy",
		"query threads.commands {}\n" },
	{ "an agent that takes no side questions: what is typed is no question",
		"record {\"session\":\"s1\",\"capabilities\":{\"aside\":false}}\n"
		"key alt-a\nsee this agent takes no side questions\ntype why?\nkey enter",
		"send steer why?\n" },
	{ "a record that says nothing of it: it is tried",
		"record {\"session\":\"s1\"}\n" SAID "see go back\nkey alt-a\ntype why?\nkey enter",
		"query threads.aside {\"question\":\"why?\"}\n" },
	{ "an agent without models says so",
		"key alt-m\nreply {\"model\":null,\"models\":null}\nsee the agent names none",
		"query threads.model {}\n" },
	{ "an agent that does not steer: the word waits, and is seen to",
		"record {\"session\":\"s1\",\"capabilities\":{\"steer\":false}}\nstatus working\n"
		"type later\nkey enter\nqueued u9 later\nsee ⧗ later\nsee next turn",
		"send steer later\n" },
	{ "pictures that an agent cannot see",
		"picked u1 look\nstatus working standin takes no images: they were left out.\n"
		"see takes no images: they were left out",
		"" },
	{ "what a task prints, of an agent that does not show it",
		"record {\"session\":\"s1\",\"tasks\":[{\"task\":\"t1\",\"kind\":\"shell\","
		"\"text\":\"make\",\"status\":\"running\"}]}\ntype /tasks\nkey enter\nsee make\n"
		"key enter\nfail standin does not show what its tasks print\nsee standin does not "
		"show what its tasks print",
		"query threads.commands {}\nquery threads.task_output {\"task\":\"t1\"}\n" },
};

static void scripts(void **state)
{
	(void)state;
	keys_check(rows, VY_COUNT(rows));
}

CHECK_MAIN(CHECK_TEST(scripts))
