/* keys_test.c -- what is written and sent, asks, the queue, history (keys_world.h). */
#include "tests/tui/app/keys_world.h"

static const struct keys_row rows[] = {
	{ "enter sends, and the field is empty at once", "type hello\nkey enter\nnot hello",
		"send steer hello\n" },
	{ "alt-q queues", "type later\nkey alt-q", "send queue later\n" },
	{ "an ampersand queues", "type &later\nkey enter", "send queue later\n" },
	{ "an exclamation mark runs", "type !make test\nkey enter\nnot make",
		"call threads.shell {\"command\":\"make test\"}\n" },
	{ "a hash remembers, and says where",
		"type #  use tabs\nkey enter\nreply {\"path\":\"/p/NOTES.md\"}\nsee added to "
		"/p/NOTES.md",
		"query threads.remember {\"text\":\"use tabs\"}\n" },
	{ "a blank in front makes a message of it", "type  !make\nkey enter",
		"send steer  !make\n" },
	{ "an issue's number is no memory", "type #12 is broken\nkey enter",
		"send steer #12 is broken\n" },
	{ "nor is a document", "type # Title\nkey ctrl-j\ntype text\nkey enter",
		"send steer # Title\ntext\n" },
	{ "a path is a message", "type /usr/bin is full\nkey enter",
		"query threads.commands {}\nsend steer /usr/bin is full\n" },
	{ "the agent's command goes to the agent", "type /review now\nkey enter",
		"query threads.commands {}\nsend steer /review now\n" },
	{ "a sign alone does nothing, and stays", "type !\nkey enter\nsee $ !", "" },
	{ "every newline key",
		"type a\nkey alt-enter\ntype b\nkey shift-enter\ntype c\nkey ctrl-enter\n"
		"type d\\\nkey enter\ntype e\nkey enter",
		"send steer a\nb\nc\nd\ne\n" },
	{ "an answer may begin with a sign",
		"status asking\nask a1\nkey tab\nkey n\ntype !no\nkey enter",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"deny\",\"message\":\"!no\"}\n" },
	{ "what ctrl-c cleared is in the history", "type hello\nkey ctrl-c\nkey up\nsee > hello",
		"" },
	{ "nothing to send sends nothing", "key enter\ntype  \nkey enter", "" },
	{ "a backslash breaks the line", "type a\\\nkey enter\ntype b\nkey enter",
		"send steer a\nb\n" },
	{ "ctrl-j breaks the line", "type a\nkey ctrl-j\ntype b\nkey enter", "send steer a\nb\n" },
	{ "esc interrupts at the first press", "status working\nsee esc interrupt\nkey esc",
		"call threads.interrupt {}\n" },
	{ "esc with nothing running does nothing", "status waiting\nkey esc", "" },
	{ "esc folds an ask before it interrupts",
		"status asking\nask a1\nsee esc fold\nkey esc\nsee esc interrupt\nkey esc",
		"notice ask Bash wants to run: rm x\ncall threads.interrupt {}\n" },
	{ "shift-tab goes round the modes", "key shift-tab",
		"call threads.mode {\"mode\":\"acceptEdits\"}\n" },
	{ "typing goes on beside an ask, and is not an answer",
		"status asking\nask a1\ntype 1 is fine\nkey enter",
		"notice ask Bash wants to run: rm x\nsend steer 1 is fine\n" },
	{ "a digit answers after a moment of rest", "status asking\nask a1\nwait 500\nkey 1",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"allow\"}\n" },
	{ "what a frame had no room for is fetched, once",
		"status asking\ncut a1\nsee cut here\nstatus asking\nreply "
		"{\"asks\":[{\"ask\":\"a1\",\"detail\":\"rm x\\nrm y\"}]}\nsee rm y\nnot cut here",
		"query threads.asks {}\nnotice ask Bash wants to run: rm x\n" },
	{ "and when it does not come, that is said",
		"status asking\ncut a1\nfail away\nsee cut here\nsee rm x",
		"query threads.asks {}\nnotice ask Bash wants to run: rm x\n" },
	{ "a digit at once is a stray key", "status asking\nask a1\nwait 100\nkey 1\nsee 1",
		"notice ask Bash wants to run: rm x\n" },
	{ "letters answer only with the focus",
		"status asking\nask a1\nwait 500\nkey y\nkey backspace\nkey tab\nkey y",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"allow\"}\n" },
	{ "no, and say: the next words are the answer",
		"status asking\nask a1\nkey tab\nkey n\nsee say what to do instead\ntype use "
		"mv\nkey enter",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"deny\",\"message\":\"use "
		"mv\"}\n" },
	{ "answered elsewhere, it closes and says by whom",
		"status asking\nask a1\nsee Bash wants to run\nanswered a1\nnot tab to answer\n"
		"see by li",
		"notice ask Bash wants to run: rm x\n" },
	{ "up in an empty field edits the newest queued one",
		"status working\nqueued m1 one\nqueued m2 two\nkey up\ntype !\nkey enter",
		"call threads.edit {\"queued\":\"m2\",\"text\":\"two!\"}\n" },
	{ "up again is the one above it, down comes back and then lets go",
		"status working\nqueued m1 one\nqueued m2 two\nkey up\nsee ▸ two\nkey up\nsee > "
		"one\nsee ▸ one\nkey down\nsee > two\nkey down\nsee > type here\nnot ▸",
		"" },
	{ "moving on keeps a change",
		"status working\nqueued m1 one\nqueued m2 two\nkey up\ntype !\nkey up\nsee > one",
		"call threads.edit {\"queued\":\"m2\",\"text\":\"two!\"}\n" },
	{ "up in a message of lines goes to its line above first",
		"status working\nqueued m1 one\nqueued m2 a\\b\nkey up\nkey up\nsee > a\nkey "
		"up\nsee > one",
		"" },
	{ "the picked one moves, goes now, comes back",
		"status working\nqueued m1 one\nqueued m2 two\nqueued m3 three\nkey up\nkey "
		"up\nkey alt-up\nkey alt-down\nkey alt-.\nnot ▸\nkey up\nkey up\nkey "
		"ctrl-x\nsee > two\nnot ▸",
		"call threads.move {\"before\":\"m1\",\"queued\":\"m2\"}\n"
		"call threads.move {\"queued\":\"m2\"}\n"
		"call threads.send_now {\"queued\":\"m2\"}\n"
		"call threads.unqueue {\"queued\":\"m2\"}\n" },
	{ "the first does not move up, the last not down",
		"status working\nqueued m1 one\nqueued m2 two\nkey alt-down\nkey up\nkey up\nkey "
		"alt-up",
		"" },
	{ "a changed one that goes now goes with the change",
		"status working\nqueued m1 one\nkey up\ntype !\nkey alt-.",
		"call threads.unqueue {\"queued\":\"m1\"}\nsend now one!\n" },
	{ "taken in while it is changed: the change stays, and that is said",
		"status working\nqueued m1 one\nkey up\ntype !\npicked m1 one\nsee taken in\nsee > "
		"one!",
		"" },
	{ "the fifth and the sixth are counted, and can be picked",
		"status working\nqueued m1 1\nqueued m2 2\nqueued m3 3\nqueued m4 4\nqueued m5 "
		"5\nqueued m6 6\nsee and 2 more\nnot ⧗ 6\nkey up\nsee ▸ 6",
		"" },
	{ "esc gives an edit up",
		"status working\nqueued m1 one\nkey up\nkey esc\nnot puts it back", "" },
	{ "ctrl-x takes back and keeps the words",
		"status working\nqueued m1 one\nkey ctrl-x\nkey enter",
		"call threads.unqueue {\"queued\":\"m1\"}\nsend steer one\n" },
	{ "after an interrupt the queue is held",
		"status working\nqueued m1 one\nkey esc\nheld\nsee 1 queued, held",
		"call threads.interrupt {}\nnotice finished your turn\n" },
	{ "or goes on, where that was chosen; another's interrupt holds it",
		"goes\nstatus working\nqueued m1 one\nkey esc\nheld\nheld",
		"call threads.interrupt {}\ncall threads.release {}\nnotice finished your turn\n" },
	{ "a held queue goes on enter", "status waiting\nqueued m1 one\nheld\nsee held\nkey enter",
		"call threads.release {}\n" },
	{ "ctrl-c clears first, and there is a way back",
		"type hello\nkey ctrl-c\nnot > hello\n"
		"key ctrl-_\nsee > hello",
		"" },
	{ "ctrl-c twice leaves", "key ctrl-c\nkey ctrl-c", "quit\n" },
	{ "ctrl-c once, then late, does not", "key ctrl-c\nwait 3000\nkey ctrl-c", "" },
	{ "history comes back with up",
		"type one\nkey enter\ntype two\nkey enter\nkey up\nkey up\nsee > one",
		"send steer one\nsend steer two\n" },
	{ "help and back", "key f1\nsee The composer\nsee send after\nkey esc\nnot send after",
		"" },
	{ "keys tell what they are, until esc",
		"type /keys\nkey esc\nkey enter\nsee press any key\nkey shift-enter\nsee "
		"shift-enter arrives: new line\n"
		"key f9\nsee f9 arrives; it is bound to nothing\nkey q\nsee q arrives, and is "
		"typed\nkey esc\n"
		"see do again\ntype hello\nsee > hello",
		"query threads.commands {}\n" },
	{ "help names the actions, to the end", "key f1\nsee queue-drop\nkey end\nsee suspend",
		"" },
	{ "help for a list", "key alt-s\nkey f1\nsee A list\nsee menu-rename", SWITCHER },
	{ "help while browsing goes back there",
		"key pgup\nkey ?\nsee The transcript\nkey q\nsee browse:", "" },
	{ "a letter leaves browse mode and is typed", "key pgup\nkey h\ntype i\nsee > hi", "" },
	{ "ctrl-v asks the clipboard", "key ctrl-v", "clipboard\n" },
	{ "a dropped picture's path asks for the picture, and stays until it comes",
		"paste '/tmp/a b.png' \nsee > '/tmp/a b.png'", "image /tmp/a b.png\n" },
	{ "a path for an answer stays a path",
		"status asking\nask a1\nkey tab\nkey n\npaste /tmp/a.png\nsee > /tmp/a.png",
		"notice ask Bash wants to run: rm x\n" },
	{ "tab opens a chip, undo closes it",
		"paste 1\\2\\3\\4\\5\\6\\7\\8\\9\\10\\11\nsee tab opens\nkey tab\nsee 11\nnot "
		"[pasted\n"
		"key ctrl-_\nsee [pasted 11 lines]",
		"" },
	{ "tab goes to the ask before it opens a chip",
		"status asking\nask a1\npaste 1\\2\\3\\4\\5\\6\\7\\8\\9\\10\\11\nnot tab "
		"opens\nkey tab\nkey y\nsee [pasted 11 lines]",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"allow\"}\n" },
	{ "backspace cuts a chip, yank brings it back",
		"paste 1\\2\\3\\4\\5\\6\\7\\8\\9\\10\\11\nkey backspace\nnot [pasted\nsee ctrl-y "
		"brings\n"
		"key ctrl-y\nsee [pasted 11 lines]",
		"" },
	{ "ctrl-r lists what was said, the newest first, once",
		"type one\nkey enter\ntype two\nkey enter\ntype one\nkey enter\nkey ctrl-r\nsee "
		"Said before\n"
		"key enter\nsee > one",
		"send steer one\nsend steer two\nsend steer one\n" },
	{ "letters seek in it, ctrl-r goes on",
		"type fix a\nkey enter\ntype fix b\nkey enter\ntype none\nkey enter\nkey "
		"ctrl-r\ntype fix\n"
		"key ctrl-r\nkey enter\nsee > fix a",
		"send steer fix a\nsend steer fix b\nsend steer none\n" },
	{ "what stood there is sought, and comes back with down",
		"type make it\nkey enter\ntype other\nkey enter\ntype make\nkey ctrl-r\nkey enter\n"
		"see > make it\nkey down\nkey down\nsee > make",
		"send steer make it\nsend steer other\n" },
	{ "esc leaves the text as it was",
		"type one\nkey enter\ntype draft\nkey ctrl-r\nkey esc\nsee > draft",
		"send steer one\n" },
	{ "a long paste is a chip", "paste 1\rx\nsee >", "" },
};

static void scripts(void **state)
{
	(void)state;
	keys_check(rows, VY_COUNT(rows));
}

/* Any size at all is drawn, and below the smallest one line says so. */
/* Every window, empty and with all that can stand above the composer. */
static void every_size(void **state)
{
	struct keys_world w;

	(void)state;
	keys_init(&w);
	for (int crowded = 0; crowded < 3; crowded++) { /* 2: and a list is open */
		for (int i = 0; crowded == 1 && i < 7; i++) {
			char id[] = { 'm', (char)('1' + i), '\0' },
			     words[] = "some words that wait";

			keys_frame_line(&w, "queued", id, words);
		}
		if (crowded == 1) {
			keys_frame_line(&w, "held", "", NULL);
			keys_frame_line(&w, "ask", "a1", NULL);
		} else if (crowded == 2) {
			char open[] = "key alt-s", threads[] = THREADS;

			keys_line(&w, "every size", open);
			threads[strcspn(threads, "\n")] = '\0';
			keys_line(&w, "every size", threads);
		}
		for (int cols = 1; cols < 130; cols += 3) {
			for (int rows_ = 1; rows_ < 50; rows_++) {
				cell_grid_resize(&w.grid, cols, rows_);
				app_paint(&w.s, &w.grid, &w.cursor);
				if (w.cursor.visible) {
					assert_in_range(w.cursor.x, 0, cols - 1);
					assert_in_range(w.cursor.y, 0, rows_ - 1);
				}
			}
		}
	}
	keys_fini(&w);
}

/* When the look changes by itself: nothing wakes up for less. */
static void it_wakes_up_only_for_a_change(void **state)
{
	static const struct {
		const char *name, *status;
		int64_t down; /* for so long; -1: up */
		int64_t next;
	} times[] = {
		{ "nothing happens", "waiting", -1, -1 },
		{ "somebody is waited for", "asking", -1, -1 },
		{ "a second of work", "working", -1, 1000 },
		{ "a blip", "waiting", 500, 1500 },
		{ "down, said once", "waiting", 2000, 58000 },
		{ "down, said by the minute", "waiting", 150000, 30000 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(times); i++) {
		struct keys_world w;

		keys_init(&w);
		app_time(&w.s, 1000000, 1000000);
		keys_frame_line(&w, "status", times[i].status, NULL);
		if (times[i].down >= 0) {
			app_set_line(&w.s, APP_DOWN, 1000000 - times[i].down, NULL);
		}
		if (app_next_ms(&w.s) != times[i].next) {
			fail_msg("%s: %lld, not %lld", times[i].name, (long long)app_next_ms(&w.s),
				(long long)times[i].next);
		}
		keys_fini(&w);
	}
}

/* Who wants no motion gets none: nothing turns, and nothing wakes the client to turn it. */
static void stillness(void **state)
{
	struct vy_frame f;
	struct keys_world w;

	(void)state;
	for (int still = 0; still < 2; still++) {
		VY_AUTO_BUF first = VY_BUF_INIT(1 << 20);
		VY_AUTO_BUF later = VY_BUF_INIT(1 << 20);

		keys_init(&w);
		w.s.is_still = still;
		vy_frame_init(&f, VY_KIND_TOOL_STARTED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, "t");
		vy_frame_set_c(&f, VY_F_TOOL, "Bash");
		vy_frame_set_c(&f, VY_F_KIND, "shell");
		vy_frame_set_c(&f, VY_F_SUMMARY, "sleep 9");
		keys_frame(&w, &f);
		keys_paint(&w, &first);
		check_int("wakes up to turn", app_next_ms(&w.s) == 100, !still);
		w.now += 200;
		keys_paint(&w, &later);
		check_int("turned", strcmp(vy_buf_c(&first), vy_buf_c(&later)) != 0, !still);
		keys_fini(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scripts),
		cmocka_unit_test(every_size),
		cmocka_unit_test(it_wakes_up_only_for_a_change),
		cmocka_unit_test(stillness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
