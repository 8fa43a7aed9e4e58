/* keys_test.c -- the client's heart: keys and frames in, effects and the screen's words out.
 *
 * A script is lines: "key NAME", "type WORDS", "paste WORDS" (a backslash is a line's end),
 * "wait MS", "status STATE", "queued ID WORDS", "picked ID WORDS", "held", "rewound ID {to: N}", "ask ID", "answered ID",
 * "vim" (vi's keys from now on), "shape bar" or "block" (the cursor's), "down", "live" and "no-server WORDS" (the line to the server), "reply
 * JSON" and "fail WORDS" (the server, to the newest question), "threads N" (it tells of so many
 * sessions), "size COLUMNS ROWS", "click X Y", "wheel LINES X Y", "focus in" or "out", "open SESSION",
 * "see WORDS" (they stand on the screen), "not WORDS" (they do not). What comes out is each effect as
 * a line. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/app/state.h"

struct world {
	struct app_state s;
	struct cell_grid grid;
	struct screen_cursor cursor;
	struct vy_buf out;
	struct app_tag tag; /* of the newest question to the server */
	int64_t now;
	uint64_t cur;
};

static void show_effects(struct world *w, struct app_effects *fx)
{
	static const char *const names[] = { "send", "call", "query", "start", "open", "put",
		"reread", "drop", "retry", "notice", "redraw", "suspend", "mouse", "editor",
		"edit-text", "clipboard", "paste", "image", "copy", "edit-file", "link", "print",
		"page", "quit" };

	for (size_t i = 0; i < fx->n; i++) {
		const struct app_effect *e = &fx->v[i];

		if (e->kind == APP_QUERY || e->kind == APP_START) {
			w->tag = e->tag;
		}
		struct vy_buf params = VY_BUF_INIT(4096);

		vy_buf_addf(&w->out, "%s%s%s", names[e->kind], e->word ? " " : "",
			e->word ? e->word : "");
		if (e->text) {
			vy_buf_addf(&w->out, " %s", e->text);
		}
		if (e->params) {
			vy_json_del(e->params, "session");
			vy_json_dump_canonical(e->params, &params);
			vy_buf_addf(&w->out, " %s", vy_buf_c(&params));
		}
		vy_buf_addc(&w->out, '\n');
		vy_buf_fini(&params);
	}
	app_effects_fini(fx);
}

static void frame(struct world *w, struct vy_frame *f)
{
	struct app_effects fx = { 0 };

	f->cur = ++w->cur;
	f->time = 1000 + w->now;
	app_frame(&w->s, f, &fx);
	show_effects(w, &fx);
}

static bool frame_line(struct world *w, const char *verb, const char *a, char *b)
{
	struct vy_frame f;

	if (strcmp(verb, "status") == 0 || strcmp(verb, "held") == 0) {
		vy_frame_init(&f, VY_KIND_STATUS);
		vy_frame_set_c(&f, VY_F_STATE, verb[0] == 's' ? a : "waiting");
		if (verb[0] == 'h') {
			vy_frame_set_bool(&f, VY_F_HELD, true);
		}
	} else if (strcmp(verb, "queued") == 0 || strcmp(verb, "picked") == 0) {
		vy_frame_init(&f, VY_KIND_USER_MESSAGE);
		vy_frame_set_c(&f, VY_F_MESSAGE, a);
		vy_frame_set_c(&f, VY_F_STATE, verb[0] == 'q' ? "queued" : "picked-up");
		for (char *p = b; *p; p++) {
			*p = *p == '\\' ? '\n' : *p;
		}
		vy_frame_set_c(&f, VY_F_TEXT, b);
		f.author = VY_STR_LIT("person:ana");
	} else if (strcmp(verb, "rewound") == 0) {
		vy_frame_init(&f, VY_KIND_STATUS);
		vy_frame_set_c(&f, VY_F_STATE, "waiting");
		vy_frame_set_json(&f, VY_F_REWOUND, vy_str_c(b));
	} else if (strcmp(verb, "says") == 0) {
		vy_frame_init(&f, VY_KIND_TEXT_DELTA);
		vy_frame_set_c(&f, VY_F_MESSAGE, a);
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		for (char *p = b; *p; p++) {
			*p = *p == '\\' ? '\n' : *p;
		}
		vy_frame_set_c(&f, VY_F_TEXT, b);
	} else if (strcmp(verb, "ask") == 0 || strcmp(verb, "cut") == 0) {
		vy_frame_init(&f, VY_KIND_ASK);
		vy_frame_set_c(&f, VY_F_ASK_ID, a);
		vy_frame_set_c(&f, VY_F_KIND, "permission");
		vy_frame_set_c(&f, VY_F_TOOL, "Bash");
		vy_frame_set_c(&f, VY_F_TITLE, "Bash wants to run");
		vy_frame_set_c(&f, VY_F_SUMMARY, "rm x");
		vy_frame_set_json(&f, VY_F_OPTIONS,
			VY_STR_LIT("[{\"id\":\"allow\",\"label\":\"Yes\",\"decision\":\"allow\"},"
				   "{\"id\":\"deny\",\"label\":\"No\",\"decision\":\"deny\"}]"));
		if (verb[0] == 'c') {
			vy_frame_set_c(&f, VY_F_DETAIL, "rm x");
			vy_frame_set_bool(&f, VY_F_MORE, true);
		}
	} else if (strcmp(verb, "answered") == 0) {
		vy_frame_init(&f, VY_KIND_ASK_ANSWERED);
		vy_frame_set_c(&f, VY_F_ASK_ID, a);
		vy_frame_set_c(&f, VY_F_DECISION, "allow");
		vy_frame_set_c(&f, VY_F_BY, "person:li");
	} else {
		return false;
	}
	frame(w, &f);
	return true;
}

static void paint(struct world *w, struct vy_buf *text)
{
	struct app_effects fx = { 0 };

	app_time(&w->s, w->now, 1000 + w->now);
	app_paint(&w->s, &w->grid, &w->cursor);
	column_ask(&w->s, &fx);
	show_effects(w, &fx);
	screen_dump_grid(&w->grid, &w->cursor, text);
}

static bool key_line(struct world *w, const char *verb, char *rest)
{
	struct app_effects fx = { 0 };
	struct key_event ev = { .kind = KEY_EV_KEY };

	app_time(&w->s, w->now, 1000 + w->now);
	if (strcmp(verb, "key") == 0) {
		if (!key_parse(vy_str_c(rest), &ev.key)) {
			fail_msg("no key %s", rest);
		}
		if (strlen(rest) == 1) {
			ev.text = vy_str_c(rest);
		}
		app_key(&w->s, &ev, &fx);
	} else if (strcmp(verb, "type") == 0) {
		for (char *p = rest; *p; p++) {
			ev.key = (struct key){ .code = (unsigned char)*p };
			ev.text = vy_str_n(p, 1);
			app_key(&w->s, &ev, &fx);
		}
	} else if (strcmp(verb, "paste") == 0) {
		for (char *p = rest; *p; p++) {
			*p = *p == '\\' ? '\n' : *p;
		}
		ev.kind = KEY_EV_PASTE;
		ev.text = vy_str_c(rest);
		app_key(&w->s, &ev, &fx);
	} else {
		return false;
	}
	show_effects(w, &fx);
	return true;
}

static void event(struct world *w, const struct key_event *ev)
{
	struct app_effects fx = { 0 };

	app_time(&w->s, w->now, 1000 + w->now);
	app_key(&w->s, ev, &fx);
	show_effects(w, &fx);
}

static void mouse(struct world *w, enum key_mouse_kind kind, int x, int y)
{
	event(w, &(struct key_event){ .kind = KEY_EV_MOUSE,
			 .mouse = { .kind = kind, .button = 1, .x = x, .y = y } });
}

/* Of the terminal: "size", "click", "press", "drag", "wheel", "tilt", "shift-wheel", "focus". */
static bool terminal_line(struct world *w, const char *verb, char *rest)
{
	int n[3] = { 0 };

	for (char *p = rest, *end; *p; p = end) {
		n[0] = n[1], n[1] = n[2], n[2] = (int)strtol(p, &end, 10);
		if (end == p) {
			break;
		}
	}
	if (strcmp(verb, "size") == 0) {
		cell_grid_resize(&w->grid, n[1], n[2]);
	} else if (strcmp(verb, "click") == 0) {
		mouse(w, KEY_MOUSE_PRESS, n[1], n[2]);
		mouse(w, KEY_MOUSE_RELEASE, n[1], n[2]);
	} else if (strcmp(verb, "press") == 0) {
		mouse(w, KEY_MOUSE_PRESS, n[1], n[2]);
	} else if (strcmp(verb, "drag") == 0) {
		for (int i = 0; i < n[0]; i++) {
			mouse(w, KEY_MOUSE_DRAG, n[1], n[2]);
		}
	} else if (strcmp(verb, "wheel") == 0) {
		for (int i = 0; i < abs(n[0]); i++) {
			mouse(w, n[0] < 0 ? KEY_MOUSE_WHEEL_UP : KEY_MOUSE_WHEEL_DOWN, n[1], n[2]);
		}
	} else if (strcmp(verb, "tilt") == 0) {
		mouse(w, n[0] < 0 ? KEY_MOUSE_WHEEL_LEFT : KEY_MOUSE_WHEEL_RIGHT, n[1], n[2]);
	} else if (strcmp(verb, "shift-wheel") == 0) {
		event(w, &(struct key_event){ .kind = KEY_EV_MOUSE,
				 .mouse = { .kind = n[0] < 0 ? KEY_MOUSE_WHEEL_UP
							     : KEY_MOUSE_WHEEL_DOWN,
					 .mods = KEY_SHIFT,
					 .x = n[1],
					 .y = n[2] } });
	} else if (strcmp(verb, "focus") == 0) {
		event(w, &(struct key_event){
				 .kind = KEY_EV_FOCUS, .value = strcmp(rest, "in") == 0 });
	} else {
		return false;
	}
	return true;
}

/* The server's answer to the newest question: "reply JSON", "fail WORDS". */
static bool reply_line(struct world *w, const char *verb, const char *rest)
{
	struct vy_err e = { 0 };
	struct app_effects fx = { 0 };
	bool is_reply = strcmp(verb, "reply") == 0;

	if (!is_reply && strcmp(verb, "fail") != 0) {
		return false;
	}
	VY_AUTO_JSON *result = is_reply ? vy_json_parse(vy_str_c(rest), &e) : NULL;

	if (!result) {
		vy_fail(&e, VY_RETRY, "%s", rest);
	}
	app_time(&w->s, w->now, 1000 + w->now);
	app_reply(&w->s, w->tag, result, &e, &fx);
	show_effects(w, &fx);
	return true;
}

/* Sessions t1, t2 …, the newest first. */
static void threads_line(struct world *w, int n)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	vy_buf_adds(&b, "{\"threads\":[");
	for (int i = 1; i <= n; i++) {
		vy_buf_addf(&b,
			"%s{\"session\":\"t%d\",\"title\":\"name "
			"%d\",\"state\":\"idle\",\"updated\":%d}",
			i > 1 ? "," : "", i, i, 9000 - i);
	}
	vy_buf_adds(&b, "]}");
	reply_line(w, "reply", vy_buf_c(&b));
}

static void line(struct world *w, const char *name, char *text)
{
	char *rest = strchr(text, ' '), *third;

	if (rest) {
		*rest++ = '\0';
	} else {
		rest = text + strlen(text);
	}
	if (strcmp(text, "goes") == 0) { /* queue_after_interrupt = go */
		w->s.queue_goes = true;
		return;
	}
	if (strcmp(text, "wait") == 0) {
		w->now += strtol(rest, NULL, 10);
		return;
	}
	if (strcmp(text, "see") == 0 || strcmp(text, "not") == 0) {
		struct vy_buf screen = VY_BUF_INIT(1 << 20);

		paint(w, &screen);
		if ((strstr(screen.data, rest) != NULL) != (text[0] == 's')) {
			fail_msg("%s: %s \"%s\" in\n%s", name, text, rest, screen.data);
		}
		vy_buf_fini(&screen);
		return;
	}
	if (strcmp(text, "down") == 0 || strcmp(text, "live") == 0) {
		bool is_live = text[0] == 'l';

		app_set_line(&w->s, is_live ? APP_LIVE : APP_DOWN, is_live ? -1 : w->now, NULL);
		return;
	}
	if (strcmp(text, "record") == 0) {
		VY_AUTO_JSON *record = vy_json_parse(vy_str_c(rest), NULL);

		app_record(&w->s, record);
		return;
	}
	if (strcmp(text, "shape") == 0) { /* of the cursor, as painted now */
		VY_AUTO_BUF seen = VY_BUF_INIT(65536);
		const char *is;

		paint(w, &seen);
		is = w->cursor.shape == SCREEN_CURSOR_BLOCK ? "block" : "bar";
		check_str(name, is, rest);
		return;
	}
	if (strcmp(text, "vim") == 0) {
		composer_set_vim(&w->s.composer, true);
		return;
	}
	if (strcmp(text, "no-server") == 0) {
		app_time(&w->s, w->now, 1000 + w->now);
		app_no_server(&w->s, rest);
		return;
	}
	if (strcmp(text, "threads") == 0) {
		threads_line(w, (int)strtol(rest, NULL, 10));
		return;
	}
	if (strcmp(text, "open") == 0) {
		app_state_open(&w->s, rest);
		return;
	}
	if (reply_line(w, text, rest) || key_line(w, text, rest) || terminal_line(w, text, rest)) {
		return;
	}
	third = strchr(rest, ' ');
	if (third) {
		*third++ = '\0';
	}
	if (!frame_line(w, text, rest, third ? third : rest + strlen(rest))) {
		fail_msg("no line %s", text);
	}
}

static void world_init(struct world *w)
{
	*w = (struct world){ .out = VY_BUF_INIT(65536), .now = 10000 };
	app_state_init(&w->s, (struct vy_width){ 0 });
	app_state_open(&w->s, "s1");
	app_time(&w->s, w->now, w->now);
	app_set_line(&w->s, APP_LIVE, -1, NULL);
	cell_grid_init(&w->grid, w->s.pool, 90, 24);
	app_paint(&w->s, &w->grid, &w->cursor);
}

static void world_fini(struct world *w)
{
	cell_grid_fini(&w->grid);
	app_state_fini(&w->s);
	vy_buf_fini(&w->out);
}

static char *play(const char *name, const char *script)
{
	struct world w;
	char *copy = vy_strdup(script), *rest = copy, *next;

	world_init(&w);
	while ((next = strsep(&rest, "\n"))) {
		if (*next) {
			line(&w, name, next);
		}
	}
	char *out = vy_buf_take(&w.out, NULL);

	world_fini(&w);
	free(copy);
	return out;
}

#define MODELS                                                                                     \
	"reply {\"model\":\"opus\",\"models\":[{\"id\":\"opus\",\"name\":\"Opus\"},"               \
	"{\"id\":\"small\",\"name\":\"Small\",\"text\":\"quick\"}]}\n"

#define THREADS                                                                                    \
	"reply "                                                                                   \
	"{\"threads\":[{\"session\":\"s1\",\"title\":\"here\",\"state\":\"idle\",\"cwd\":\"/"      \
	"src\",\"updated\":9000},"                                                                 \
	"{\"session\":\"s2\",\"title\":\"bench\",\"state\":\"running\",\"cwd\":\"/"                \
	"src\",\"updated\":8000},"                                                                 \
	"{\"session\":\"s3\",\"title\":\"docs\",\"state\":\"waiting\",\"asks\":2,\"cwd\":\"/"      \
	"w\",\"updated\":1}]}\n"

#define COMMANDS                                                                                   \
	"reply {\"commands\":[{\"name\":\"cost\",\"text\":\"what it cost\","                       \
	"\"kind\":\"agent\"},{\"name\":\"review\",\"text\":\"look at it\",\"hint\":\"what\","      \
	"\"kind\":\"person\"},{\"name\":\"clear\",\"text\":\"\",\"kind\":\"agent\"}],\"fresh\":"   \
	"true}\n"
#define FILES                                                                                      \
	"reply {\"files\":[{\"path\":\"src/main.c\",\"kind\":\"file\"},{\"path\":\"README\","      \
	"\"kind\":\"file\"},{\"path\":\"tests\",\"kind\":\"dir\"},{\"path\":\"tests/a.t\","        \
	"\"kind\":\"file\"}],\"more\":false,\"git\":true}\n"
#define MANY "reply {\"files\":[{\"path\":\"a.c\",\"kind\":\"file\"}],\"more\":true}\n"

#define LIST   "query threads.list {}\n"
#define COLUMN "size 120 30\nsee sessions\n" THREADS /* its question is answered */

#define X10  "xxxxxxxxxx"
#define X90  X10 X10 X10 X10 X10 X10 X10 X10 X10
#define CODE "says m1 Look:\\\\```\\START" X90 "END\\```\n"

static const struct {
	const char *name, *script, *out;
} rows[] = {
	{ "vi: esc of insert mode is no interrupt, the next one is",
		"vim\nstatus working\ntype abc\nsee insert\nsee esc normal mode\nkey esc\n"
		"see normal\nsee esc interrupt\nkey esc",
		"call threads.interrupt {}\n" },
	{ "vi: esc drops what is selected or half typed first",
		"vim\nstatus working\ntype abc\nkey esc\ntype 2d\nsee normal 2d\nsee esc drop\n"
		"key esc\nsee esc interrupt\ntype v\nsee visual\nkey esc\nsee > abc",
		"" },
	{ "vi: enter sends from normal mode, and the next is written at once",
		"vim\ntype one twoo\nkey esc\ntype x0cwTWO\nkey esc\nkey enter\nsee insert\n"
		"type hi\nsee > hi",
		"send steer TWO two\n" },
	{ "vi: enter sends no half of a command",
		"vim\ntype ab\nkey esc\ntype d\nkey enter\nsee > ab", "" },
	{ "vi: k in the first line is the up key",
		"vim\ntype one\nkey enter\ntype x\nkey esc\ntype k\nsee > one\ntype j\nsee > x",
		"send steer one\n" },
	{ "vi: k edits what waits, as up does",
		"vim\nstatus working\nqueued m1 later\nkey esc\ntype k\nsee > later\nsee insert",
		"" },
	{ "vi: a digit answers the ask in an empty composer, a count does not",
		"vim\nstatus asking\nask a1\nwait 500\ntype ab\nkey esc\nwait 500\ntype 2x\n"
		"see Bash wants\nkey ctrl-c\nwait 500\nkey 1",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"allow\"}\n" },
	{ "vi: help where nothing is written, its keys too",
		"vim\nkey esc\nkey ?\nsee The composer\nkey pgdn\n"
		"see vi's keys, in normal mode\nsee select characters, lines",
		"" },
	{ "vi: ctrl-u scrolls in normal mode and deletes nothing",
		"vim\ntype ab\nkey esc\nkey ctrl-d\nsee > ab\nkey ctrl-u\nsee browse:\nkey esc\n"
		"see > ab",
		"" },
	{ "vi: the cursor is a bar where it writes, a block where it does not",
		"shape bar\nvim\nshape bar\ntype ab\nkey esc\nshape block\ntype v\nshape block\n"
		"type c\nshape bar\nkey esc\ntype i\nshape bar",
		"" },
	{ "vi: esc and a key, faster than told apart",
		"vim\ntype ab\nkey alt-x\nsee > a\nnot > ab\nshape block\ntype A\ntype c\n"
		"key alt-b\nsee > ac\nshape bar",
		"" },
	{ "vi: the register + is the clipboard",
		"vim\ntype ab cd\nkey esc\ntype 0yw\ntype \"+yw\ntype \"ayw\ntype w\ntype \"*dw",
		"copy ab \ncopy cd\n" },
	{ "vi: a sign begins a text", "vim\nkey esc\ntype !ls\nsee insert\nsee runs it", "" },
	{ "vi: ctrl-r is redo in normal mode, history else",
		"vim\ntype ab\nkey esc\ntype xu\nsee > ab\nkey ctrl-r\nsee > a\nnot > ab", "" },
	{ "vi: a paste in normal mode is written where the cursor is",
		"vim\ntype ab\nkey esc\npaste X\nsee > aXb\nsee normal", "" },
	{ "vi: in a list the keys are the list's",
		"vim\nkey esc\nkey alt-s\n" THREADS "type x\n"
		"see 0 of 3\nkey esc\nsee normal",
		"query threads.list {}\n" },
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
		COLUMN "key alt-s\n" THREADS "key esc\nsee 1 ◐ docs", LIST LIST },
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
		LIST LIST },
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
	{ "the switcher: who needs me first", "key alt-s\n" THREADS "see 1 ◐ docs\nkey enter",
		"query threads.list {}\nopen s3\n" },
	{ "found by letters", "key alt-s\n" THREADS "type bch\nsee 1 of 3\nkey enter",
		"query threads.list {}\nopen s2\n" },
	{ "the session at hand is not opened again", "key alt-s\n" THREADS "type here\nkey enter",
		"query threads.list {}\n" },
	{ "esc closes the list before anything else",
		"status working\nkey alt-s\nsee esc close\nkey esc\nsee esc interrupt",
		"query threads.list {}\n" },
	{ "its key closes it too", "key alt-s\nkey alt-s\nnot Sessions",
		"query threads.list {}\n" },
	{ "a late answer is not heard", "key alt-s\nkey esc\n" THREADS "not docs",
		"query threads.list {}\n" },
	{ "no server: it says so", "key alt-s\nfail nobody there\nsee nobody there",
		"query threads.list {}\n" },
	{ "what stood in the composer still stands there",
		"type draft\nkey alt-s\n" THREADS "type x\nkey esc\nsee > draft",
		"query threads.list {}\n" },
	{ "an ask waits behind the list, no digit answers it",
		"status asking\nask a1\nwait 500\nkey alt-s\nkey 1\nnot Bash wants\nkey esc\nsee "
		"Bash wants",
		"notice ask Bash wants to run: rm x\nquery threads.list {}\n" },
	{ "archive, and the list is read again", "key alt-s\n" THREADS "key ctrl-x\nreply {}",
		"query threads.list {}\nquery threads.archive {}\nquery threads.list {}\n" },
	{ "the list of before is no answer for the archived ones",
		"key alt-s\nkey alt-a\n" THREADS
		"not docs\nreply {\"threads\":[{\"session\":\"s9\",\"title\":\"old\","
		"\"archived\":true}]}\nsee old\n" THREADS "see old\nnot docs",
		"query threads.list {}\nquery threads.list {\"filter\":{\"archived\":true}}\n" },
	{ "archived ones on demand", "key alt-s\n" THREADS "key alt-a",
		"query threads.list {}\nquery threads.list {\"filter\":{\"archived\":true}}\n" },
	{ "another name",
		"key alt-s\n" THREADS "key ctrl-r\nsee docs\ntype  2\nkey enter\nreply {}",
		"query threads.list {}\nquery threads.rename {\"title\":\"docs 2\"}\nquery "
		"threads.list {}\n" },
	{ "no name is none: nobody is asked",
		"key alt-s\n" THREADS "key ctrl-r\nkey ctrl-u\nkey enter\nsee Another name", LIST },
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
/* ---- going back ---- */
#define SAID "picked u1 one\nsays m1 yes\npicked u2 two\nsays m2 no\nstatus waiting\n"
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
	{ "help for a list", "key alt-s\nkey f1\nsee A list\nsee menu-rename",
		"query threads.list {}\n" },
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
	{ "the turn's seconds are its own: not what a person took to answer",
		"status working\nwait 42000\nsee working 0:42\nstatus asking\nwait 60000\nsee asks "
		"you\nstatus working\nsee working 0:42\nwait 3000\nsee working 0:45",
		"" },
	{ "long code is wrapped, or cut at the edge: w",
		CODE "see END\nkey pgup\nkey w\nsee are cut\nsee START\nsee ›\nnot END\nkey "
		     "w\nsee are wrapped\nsee START\nsee END",
		"" },
	{ "a command does it too", CODE "see END\ntype /lines\nkey enter\nsee are cut\nnot END",
		"query threads.commands {}\n" },
	{ "cut code slides, and back",
		CODE "see START\nkey pgup\nkey w\nsee are cut\nkey right\nwait 9000\nsee "
		     "sideways\nsee ‹\nsee END\nnot "
		     "START\nkey left\nsee START\nnot END\nsee browse:",
		"" },
	{ "it stays where it is while more comes",
		CODE "see START\nkey pgup\nkey w\nsee are cut\nkey right\nsays m1 \\\\And "
		     "more.\nkey end\nsee And "
		     "more\nsee END\nnot START\nkey esc\nsee END\nnot START",
		"" },
	{ "wrapped code does not slide: a selection begins",
		CODE "see START\nkey pgup\nkey right\nsee selecting:", "" },
	{ "of what fits neither",
		"says m1 ab\nsee ab\nkey pgup\nkey w\nsee are cut\nkey right\nsee esc drop", "" },
	{ "a search brings what is hidden into sight",
		CODE "see START\nkey pgup\nkey w\nnot END\nkey /\ntype END\nsee match 1 of 1\nsee "
		     "‹\nsee END",
		"" },
	{ "the cursor too, and what is selected is whole",
		CODE "see START\nkey pgup\nkey w\nsee are cut\nkey v\nkey v\nkey down\nkey "
		     "down\nkey ctrl-e\nsee "
		     "END\nkey ctrl-a\nsee START\nkey ctrl-e\nkey y",
		"copy Look:\n\nSTART" X90 "END\n" },
	{ "the wheel that tilts, and the one with shift, slide what they are over",
		CODE "see START\ntype /lines\nkey enter\nsee are cut\ntilt 1 20 4\nsee ‹\nnot "
		     "START\ntilt -1 20 "
		     "4\nsee START\nshift-wheel 1 20 4\nnot START\nshift-wheel -1 20 4\nsee START",
		"query threads.commands {}\n" },
	{ "a drag at the edge slides what is cut, there and back, and all of it is selected",
		CODE "see START\ntype /lines\nkey enter\nsee are cut\npress 6 4\ndrag 9 89 4\nsee "
		     "END\nnot "
		     "START\ndrag 9 6 4\nsee START\nnot END\ndrag 9 89 4\nkey y",
		"query threads.commands {}\ncopy START" X90 "END\n" },
	{ "and nothing beside it",
		CODE
		"see START\ntype /lines\nkey enter\nsee are cut\ntilt 1 20 2\nsee START\nnot ‹",
		"query threads.commands {}\n" },
};

static void scripts(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *out = play(rows[i].name, rows[i].script);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
	}
}

/* Any size at all is drawn, and below the smallest one line says so. */
/* Every window, empty and with all that can stand above the composer. */
static void every_size(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	for (int crowded = 0; crowded < 3; crowded++) { /* 2: and a list is open */
		for (int i = 0; crowded == 1 && i < 7; i++) {
			char id[] = { 'm', (char)('1' + i), '\0' },
			     words[] = "some words that wait";

			frame_line(&w, "queued", id, words);
		}
		if (crowded == 1) {
			frame_line(&w, "held", "", NULL);
			frame_line(&w, "ask", "a1", NULL);
		} else if (crowded == 2) {
			char open[] = "key alt-s", threads[] = THREADS;

			line(&w, "every size", open);
			threads[strcspn(threads, "\n")] = '\0';
			line(&w, "every size", threads);
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
	world_fini(&w);
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
		struct world w;

		world_init(&w);
		app_time(&w.s, 1000000, 1000000);
		frame_line(&w, "status", times[i].status, NULL);
		if (times[i].down >= 0) {
			app_set_line(&w.s, APP_DOWN, 1000000 - times[i].down, NULL);
		}
		if (app_next_ms(&w.s) != times[i].next) {
			fail_msg("%s: %lld, not %lld", times[i].name, (long long)app_next_ms(&w.s),
				(long long)times[i].next);
		}
		world_fini(&w);
	}
}

/* Who wants no motion gets none: nothing turns, and nothing wakes the client to turn it. */
static void stillness(void **state)
{
	struct vy_frame f;
	struct world w;

	(void)state;
	for (int still = 0; still < 2; still++) {
		VY_AUTO_BUF first = VY_BUF_INIT(1 << 20);
		VY_AUTO_BUF later = VY_BUF_INIT(1 << 20);

		world_init(&w);
		w.s.is_still = still;
		vy_frame_init(&f, VY_KIND_TOOL_STARTED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, "t");
		vy_frame_set_c(&f, VY_F_TOOL, "Bash");
		vy_frame_set_c(&f, VY_F_KIND, "shell");
		vy_frame_set_c(&f, VY_F_SUMMARY, "sleep 9");
		frame(&w, &f);
		paint(&w, &first);
		check_int("wakes up to turn", app_next_ms(&w.s) == 100, !still);
		w.now += 200;
		paint(&w, &later);
		check_int("turned", strcmp(vy_buf_c(&first), vy_buf_c(&later)) != 0, !still);
		world_fini(&w);
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
