/* keys_menu_test.c -- lists that are chosen from: sessions, models, commands, files (keys_world.h). */
#include "tests/tui/app/keys_world.h"

static const struct keys_row rows[] = {
	{ "the switcher: who needs me first", "key alt-s\n" THREADS "see 1 ◐ docs\nkey enter",
		SWITCHER "open s3\n" },
	{ "found by letters", "key alt-s\n" THREADS "type bch\nsee 1 of 3\nkey enter",
		SWITCHER "open s2\n" },
	{ "the session at hand is not opened again", "key alt-s\n" THREADS "type here\nkey enter",
		SWITCHER },
	{ "esc closes the list before anything else",
		"status working\nkey alt-s\nsee esc close\nkey esc\nsee esc interrupt", SWITCHER },
	{ "its key closes it too", "key alt-s\nkey alt-s\nnot Sessions", SWITCHER },
	{ "a late answer is not heard", "key alt-s\nkey esc\n" THREADS "not docs", SWITCHER },
	{ "no server: it says so", "key alt-s\nfail nobody there\nsee nobody there", SWITCHER },
	{ "what stood in the composer still stands there",
		"type draft\nkey alt-s\n" THREADS "type x\nkey esc\nsee > draft", SWITCHER },
	{ "an ask waits behind the list, no digit answers it",
		"status asking\nask a1\nwait 500\nkey alt-s\nkey 1\nnot Bash wants\nkey esc\nsee "
		"Bash wants",
		"notice ask Bash wants to run: rm x\n" SWITCHER },
	{ "archive, and the list is read again", "key alt-s\n" THREADS "key ctrl-x\nreply {}",
		SWITCHER "query threads.archive {}\n" SWITCHER },
	{ "the list of before is no answer for the archived ones",
		"key alt-s\nkey alt-a\n" THREADS
		"not docs\nreply {\"threads\":[{\"session\":\"s9\",\"title\":\"old\","
		"\"archived\":true}]}\nsee old\n" THREADS "see old\nnot docs",
		SWITCHER "query threads.list {\"filter\":{\"archived\":true}}\n" },
	{ "archived ones on demand", "key alt-s\n" THREADS "key alt-a",
		SWITCHER "query threads.list {\"filter\":{\"archived\":true}}\n" },
	{ "another name",
		"key alt-s\n" THREADS "key ctrl-r\nsee docs\ntype  2\nkey enter\nreply {}",
		SWITCHER "query threads.rename {\"title\":\"docs 2\"}\n" SWITCHER },
	{ "no name is none: nobody is asked",
		"key alt-s\n" THREADS "key ctrl-r\nkey ctrl-u\nkey enter\nsee Another name",
		SWITCHER },
	{ "an agent that tells no prices has no cost, not one of nothing",
		"record {\"session\":\"s1\",\"usage\":{\"used\":100,\"max\":1000}}\n"
		"type /usage\nkey enter\nsee not known: this agent tells no prices",
		"query threads.commands {}\nquery threads.get {}\nquery providers.list {}\n" },
	{ "and one that has cost nothing so far says so",
		"record "
		"{\"session\":\"s1\",\"usage\":{\"used\":100,\"cost_usd\":0.0}}\n"
		"type /usage\nkey enter\nsee $0.00",
		"query threads.commands {}\nquery threads.get {}\nquery providers.list {}\n" },
	{ "how much it thinks stands below the models, and has a list",
		"record {\"session\":\"s1\",\"capabilities\":{\"thinking\":true}}\n"
		"key alt-m\n" MODELS "see How much it thinks  as the agent likes\n"
		"type how\nkey enter\nsee answers at once\ntype 16\nkey enter",
		"query threads.model {}\n"
		"call threads.thinking {\"thinking\":\"on\",\"tokens\":16000}\n" },
	{ "a budget of one's own, and it is in the list then",
		"record "
		"{\"session\":\"s1\",\"thinking\":\"2500\",\"capabilities\":{\"thinking\":true}}\n"
		"type /thinking\nkey enter\nsee ● at most 2500 tokens\ntype 2k\nkey enter",
		"query threads.commands {}\n"
		"call threads.thinking {\"thinking\":\"on\",\"tokens\":2000}\n" },
	{ "off by a word",
		"record {\"session\":\"s1\",\"capabilities\":{\"thinking\":true}}\n"
		"type /thinking off\nkey enter",
		"query threads.commands {}\ncall threads.thinking {\"thinking\":\"off\"}\n" },
	{ "no such budget",
		"record {\"session\":\"s1\",\"capabilities\":{\"thinking\":true}}\n"
		"type /thinking 12\nkey enter\nsee from 1024 to 1000k",
		"query threads.commands {}\n" },
	{ "an agent without the setting",
		"key alt-m\n" MODELS "not How much\nkey esc\ntype /thinking\nkey enter\n"
		"see this agent has no such setting",
		"query threads.model {}\nquery threads.commands {}\n" },
	{ "alt-2 is the second of the list", "key alt-2\n" THREADS, "query threads.list {}\n" },
	{ "alt-9 where there are three", "key alt-9\n" THREADS "see there are 3 sessions",
		"query threads.list {}\n" },
	{ "a new one, and there", "key alt-n\nreply {\"session\":\"s9\"}",
		"start threads.start {}\nopen s9\n" },
	{ "a slash lists commands, ours at once",
		"type /\nsee /new\nsee a new session in this folder",
		"query threads.commands {}\n" },
	{ "the agent's when they came", "type /re\n" COMMANDS "see /review\nsee /rename",
		"query threads.commands {}\n" },
	{ "letters choose, enter does it",
		"type /ren\nsee /rename\nnot /quit\nkey enter\nsee > /rename",
		"query threads.commands {}\n" },
	{ "and with its words", "type /rename a name\nkey enter",
		"query threads.commands {}\ncall threads.rename {\"title\":\"a name\"}\n" },
	{ "one without words is done at once", "type /qu\nkey enter",
		"query threads.commands {}\nquit\n" },
	{ "tab only completes", "type /qu\nkey tab\nsee > /quit", "query threads.commands {}\n" },
	{ "typed whole it is done, though it may have words: the list of modes",
		"type /mode\nkey enter\nsee ● default\nsee ○ plan mode\nkey down\nkey enter",
		"query threads.commands {}\ncall threads.mode {\"mode\":\"acceptEdits\"}\n" },
	{ "the mode that is set already",
		"record {\"session\":\"s1\",\"mode\":\"plan\"}\ntype /mode\nkey enter\nsee ● plan "
		"mode\nkey enter",
		"query threads.commands {}\n" },
	{ "a mode by its name", "type /mode plan\nkey enter",
		"query threads.commands {}\ncall threads.mode {\"mode\":\"plan\"}\n" },
	{ "no such mode", "type /mode bypass\nkey enter\nsee the modes are",
		"query threads.commands {}\n" },
	{ "an agent's command goes to the agent", "type /cos\n" COMMANDS "key enter",
		"query threads.commands {}\nsend steer /cost\n" },
	{ "one that wants words gets them first",
		"type /rev\n" COMMANDS "key enter\nsee > /review\ntype the diff\nkey enter",
		"query threads.commands {}\nsend steer /review the diff\n" },
	{ "clear is the agent's where it has one", "type /clear\n" COMMANDS "key enter",
		"query threads.commands {}\nsend steer /clear\n" },
	{ "and else a new session", "type /clear\nkey enter",
		"query threads.commands {}\nstart threads.start {}\n" },
	{ "what no command is called is sent as it is", "type /zzz\nkey enter",
		"query threads.commands {}\nsend steer /zzz\n" },
	{ "a sentence that begins like one is a message", "type /new things are here\nkey enter",
		"query threads.commands {}\nsend steer /new things are here\n" },
	{ "trust is of the folder", "record {\"cwd\":\"/home/ana/app\"}\ntype /trust\nkey enter",
		"query threads.commands {}\ncall threads.trust {\"cwd\":\"/home/ana/app\"}\n" },
	{ "a server without commands does no harm",
		"type /\nfail no such method\nsee /new\nnot method",
		"query threads.commands {}\n" },
	{ "esc closes it, and it stays closed for this word",
		"type /re\nkey esc\nnot another name\ntype n\nnot another name\nsee > /ren",
		"query threads.commands {}\n" },
	{ "but not for the next", "type /re\nkey esc\nkey ctrl-c\ntype /\nsee /new",
		"query threads.commands {}\nquery threads.commands {}\n" },
	{ "backspace out of it closes it", "type /\nsee /new\nkey backspace\nnot /new",
		"query threads.commands {}\n" },
	{ "what enter ran is in the history",
		"type /mode plan\nkey enter\nkey up\nsee > /mode plan",
		"query threads.commands {}\ncall threads.mode {\"mode\":\"plan\"}\n" },
	{ "an at sign asks for files", "type see @\nsee Files",
		"query files.list {\"limit\":1000}\n" },
	{ "and lists them, folders with a slash", "type @\n" FILES "see src/main.c\nsee tests/",
		"query files.list {\"limit\":1000}\n" },
	{ "all of them told, letters are sought here",
		"type @\n" FILES
		"type smc\nsee src/main.c\nnot README\nkey enter\ntype ok\nkey enter",
		"query files.list {\"limit\":1000}\nsend steer @src/main.c ok\n" },
	{ "some of them told, the server seeks",
		"type @\n" MANY "type ma\n" MANY
		"reply {\"files\":[{\"path\":\"x/ma.c\",\"kind\":\"file\"}],"
		"\"more\":true}\nsee x/ma.c\nkey enter\nkey enter",
		"query files.list {\"limit\":1000}\n"
		"query files.list {\"limit\":1000,\"query\":\"m\"}\n"
		"query files.list {\"limit\":1000,\"query\":\"ma\"}\nsend steer @x/ma.c\n" },
	{ "tab goes into a folder",
		"type @te\n" FILES "key tab\nsee > @tests/\nsee a.t\ntype a\nkey tab\n"
		"see > @tests/a.t",
		"query files.list {\"limit\":1000}\n" },
	{ "lines behind it take the blank's place",
		"type @smc\n" FILES "key enter\ntype :10-20 is odd\nkey enter",
		"query files.list {\"limit\":1000}\nsend steer @src/main.c:10-20 "
		"is odd\n" },
	{ "a name with control bytes is shown with their signs, and named as it is",
		"type @\nreply {\"files\":[{\"path\":\"odd\\u0001 \\u001b[31m.c\",\"kind\":"
		"\"file\"}],\"more\":false}\nsee odd␁ ␛[31m.c\ntype odd\nkey enter\nsee > "
		"@\"odd␁ ␛[31m.c\"\nkey enter",
		"query files.list {\"limit\":1000}\nsend steer @\"odd\001 \033[31m.c\"\n" },
	{ "enter with nothing found sends",
		"type @zzz\nreply {\"files\":[],\"more\":false}\nkey enter",
		"query files.list {\"limit\":1000}\nsend steer @zzz\n" },
	{ "why there are none is said", "type @\nfail the folder is gone\nsee the folder is gone",
		"query files.list {\"limit\":1000}\n" },
	{ "no list while an answer is written",
		"status asking\nask a1\nkey tab\nkey n\ntype /new\nnot a new session",
		"notice ask Bash wants to run: rm x\n" },
};

static void scripts(void **state)
{
	(void)state;
	keys_check(rows, VY_COUNT(rows));
}

CHECK_MAIN(CHECK_TEST(scripts))
