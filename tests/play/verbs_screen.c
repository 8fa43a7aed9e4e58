/* verbs_screen.c -- one person at a terminal: a program in a PTY, what is typed, what it shows. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/play.h"
#include "tests/screen/term.h"
#include "shared/base/ban.h"

enum { COLS = 100, ROWS = 30, LET_BE_MS = 300 };

#define BACKGROUND 0x16181a

static bool screen_is_gone(struct play *p, void *ctx)
{
	(void)ctx;
	return p->box.screen == 0 || p->screen->has_ended;
}

static bool text_is_there(const struct play *p, const char *text)
{
	VY_AUTO_BUF all = VY_BUF_INIT(VY_MIB);

	if (p->screen) {
		term_text(p->screen, &all);
	}
	return strstr(vy_buf_c(&all), text) != NULL;
}

void play_end_screen(struct play *p)
{
	if (p->screen) {
		kill(p->screen->pid, SIGKILL);
		play_until(p, screen_is_gone, NULL); /* the box waits for it, or the terminal */
		p->screen->pid = 0;
		term_fini(p->screen);
		free(p->screen);
		p->screen = NULL;
	}
}

static void start_screen(struct play *p)
{
	play_end_screen(p);
	p->screen = VY_NEW(struct term);
	term_init(p->screen, COLS, ROWS, BACKGROUND);
	box_env(&p->box, "TERM", "xterm-256color");
	term_start(p->screen, p->screen_command, p->box.env);
	p->box.screen = p->screen->pid;
}

/* screen COMMAND…: somebody runs that, and again whenever it ends while they wait for something. */
static bool do_screen(struct play *p, const struct words *w)
{
	free(p->screen_command);
	p->screen_command = vy_strdup(w->rest[1]);
	start_screen(p);
	return true;
}

/* It found nobody there and said so: a person tries once more. */
static void keep_screen(struct play *p)
{
	if (p->screen && screen_is_gone(p, NULL)) {
		start_screen(p);
	}
}

/* endscreen: by kill -9. */
static bool do_endscreen(struct play *p, const struct words *w)
{
	(void)w;
	p->screen_kills += p->screen != NULL;
	play_end_screen(p);
	return true;
}

static bool do_type(struct play *p, const struct words *w)
{
	if (!p->screen) {
		return play_fail(p, "there is no screen");
	}
	term_write(p->screen, vy_str_n(w->v[1], w->len[1]));
	return true;
}

static bool is_shown(struct play *p, void *ctx)
{
	keep_screen(p);
	return text_is_there(p, ctx);
}

static bool fail_with_screen(struct play *p, const char *why)
{
	VY_AUTO_BUF all = VY_BUF_INIT(VY_MIB);

	if (p->screen) {
		term_text(p->screen, &all);
	}
	return play_fail(p, "%s; the screen:\n%s", why, vy_buf_c(&all));
}

static bool do_shows(struct play *p, const struct words *w)
{
	return play_until(p, is_shown, (void *)(uintptr_t)w->v[1]) ||
	       fail_with_screen(p, "it is not shown");
}

/* ---- a message that is insisted on ---- */

struct insisting {
	const struct viewer *v;
	const char *text;
	int64_t since; /* it stands in the composer; 0: it does not */
};

static bool has_message(const struct viewer *v, const char *text)
{
	for (size_t i = v->n; i > 0; i--) {
		const struct vy_json *data = vy_json_get(v->v[i - 1].json, "data");

		if (vy_str_is(vy_json_str(v->v[i - 1].json, "type"), "session.user-message") &&
			vy_str_is(vy_json_str(data, "text"), text)) {
			return true;
		}
	}
	return false;
}

/* A person who finds the words still in front of them, and nowhere else, presses the key again. */
static bool is_said(struct play *p, void *ctx)
{
	struct insisting *in = ctx;
	char line[512];

	if (has_message(in->v, in->text)) {
		return true;
	}
	keep_screen(p);
	snprintf(line, sizeof(line), "> %s", in->text);
	if (!text_is_there(p, line)) {
		in->since = 0;
	} else if (!in->since) {
		in->since = term_now();
	} else if (term_now() - in->since > LET_BE_MS) {
		term_write(p->screen, VY_STR_LIT("\r"));
		in->since = 0;
		p->pressed_again++;
	}
	return false;
}

/* insists VIEWER "TEXT": in the end the log has that message, whatever became of its writer. */
static bool do_insists(struct play *p, const struct words *w)
{
	struct insisting in = { play_viewer(p, w->v[1]), w->v[2], 0 };

	return in.v && (play_until(p, is_said, &in) ||
			       fail_with_screen(p, "it is neither in the log nor on the screen"));
}

/* once VIEWER N "TEXT": for each I up to N there is exactly one message "TEXT I". */
static bool do_once(struct play *p, const struct words *w)
{
	const struct viewer *v = play_viewer(p, w->v[1]);
	VY_AUTO_JSON *messages = vy_json_new_obj(); /* text → id */
	long long n = 0;

	if (!v || !vy_parse_i64(vy_str_c(w->v[2]), &n)) {
		return v && play_fail(p, "expected: once VIEWER N TEXT");
	}
	for (size_t i = 0; i < v->n; i++) {
		const struct vy_json *data = vy_json_get(v->v[i].json, "data");
		const char *text = vy_json_cstr(data, "text"), *id = vy_json_cstr(data, "message");

		if (!vy_str_is(vy_json_str(v->v[i].json, "type"), "session.user-message") ||
			!text) {
			continue;
		}
		if (vy_json_get(messages, text) && !vy_str_is(vy_json_str(messages, text), id)) {
			return play_fail(p, "there are two messages \"%s\"", text);
		}
		vy_json_set_c(messages, text, id);
	}
	for (long long i = 1; i <= n; i++) {
		char text[512];

		snprintf(text, sizeof(text), "%s %lld", w->v[3], i);
		if (!vy_json_get(messages, text)) {
			return play_fail(p, "there is no message \"%s\"", text);
		}
	}
	if (p->screen_kills) {
		printf("kills %u of the client (%u times the key was pressed again)\n",
			p->screen_kills, p->pressed_again);
	}
	return true;
}

const struct play_entry verbs_screen[] = {
	{ "screen", 1, do_screen },
	{ "endscreen", 0, do_endscreen },
	{ "type", 1, do_type },
	{ "shows", 1, do_shows },
	{ "insists", 2, do_insists },
	{ "once", 3, do_once },
	{ 0 },
};
