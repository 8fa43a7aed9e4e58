/* keys_world.c -- see keys_world.h. */
#include "tests/tui/app/keys_world.h"

#include "shared/base/mem.h"

static void show_effects(struct keys_world *w, struct app_effects *fx)
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

void keys_frame(struct keys_world *w, struct vy_frame *f)
{
	struct app_effects fx = { 0 };

	f->cur = ++w->cur;
	f->time = 1000 + w->now;
	app_frame(&w->s, f, &fx);
	show_effects(w, &fx);
}

bool keys_frame_line(struct keys_world *w, const char *verb, const char *a, char *b)
{
	struct vy_frame f;

	if (strcmp(verb, "status") == 0 || strcmp(verb, "held") == 0) {
		vy_frame_init(&f, VY_KIND_STATUS);
		vy_frame_set_c(&f, VY_F_STATE, verb[0] == 's' ? a : "waiting");
		if (b && *b) {
			vy_frame_set_c(&f, VY_F_NOTE, b);
		}
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
	keys_frame(w, &f);
	return true;
}

void keys_paint(struct keys_world *w, struct vy_buf *text)
{
	struct app_effects fx = { 0 };

	app_time(&w->s, w->now, 1000 + w->now);
	app_paint(&w->s, &w->grid, &w->cursor);
	column_ask(&w->s, &fx);
	show_effects(w, &fx);
	screen_dump_grid(&w->grid, &w->cursor, text);
}

static bool key_line(struct keys_world *w, const char *verb, char *rest)
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

static void event(struct keys_world *w, const struct key_event *ev)
{
	struct app_effects fx = { 0 };

	app_time(&w->s, w->now, 1000 + w->now);
	app_key(&w->s, ev, &fx);
	show_effects(w, &fx);
}

static void mouse(struct keys_world *w, enum key_mouse_kind kind, int x, int y)
{
	event(w, &(struct key_event){ .kind = KEY_EV_MOUSE,
			 .mouse = { .kind = kind, .button = 1, .x = x, .y = y } });
}

/* Of the terminal: "size", "click", "press", "drag", "wheel", "tilt", "shift-wheel", "focus". */
static bool terminal_line(struct keys_world *w, const char *verb, char *rest)
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
static bool reply_line(struct keys_world *w, const char *verb, const char *rest)
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
static void threads_line(struct keys_world *w, int n)
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

void keys_line(struct keys_world *w, const char *name, char *text)
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

		keys_paint(w, &screen);
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

		keys_paint(w, &seen);
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
	if (!keys_frame_line(w, text, rest, third ? third : rest + strlen(rest))) {
		fail_msg("no line %s", text);
	}
}

void keys_init(struct keys_world *w)
{
	*w = (struct keys_world){ .out = VY_BUF_INIT(65536), .now = 10000 };
	app_state_init(&w->s, (struct vy_width){ 0 });
	app_state_open(&w->s, "s1");
	app_time(&w->s, w->now, w->now);
	app_set_line(&w->s, APP_LIVE, -1, NULL);
	cell_grid_init(&w->grid, w->s.pool, 90, 24);
	app_paint(&w->s, &w->grid, &w->cursor);
}

void keys_fini(struct keys_world *w)
{
	cell_grid_fini(&w->grid);
	app_state_fini(&w->s);
	vy_buf_fini(&w->out);
}

char *keys_play(const char *name, const char *script)
{
	struct keys_world w;
	char *copy = vy_strdup(script), *rest = copy, *next;

	keys_init(&w);
	while ((next = strsep(&rest, "\n"))) {
		if (*next) {
			keys_line(&w, name, next);
		}
	}
	char *out = vy_buf_take(&w.out, NULL);

	keys_fini(&w);
	free(copy);
	return out;
}

void keys_check(const struct keys_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *out = keys_play(rows[i].name, rows[i].script);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
	}
}
