/* ls.c -- the sessions, one a line. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "shared/text/width.h"
#include "tui/cmd/verb.h"
#include "tui/net/session.h"
#include "tui/words/adopted.h"
#include "tui/words/pause.h"
#include "tui/words/standing.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define COLUMNS 6 /* id, state, age, agent, title, folder */

struct line {
	char *cell[COLUMNS];
};

static const char *state_word(const struct vy_json *t)
{
	struct vy_str state = vy_json_str(t, "state");

	if (vy_json_int(t, "asks", 0) > 0) {
		return _("needs you");
	}
	return vy_str_is(state, "starting")  ? _("starting")
	       : vy_str_is(state, "running") ? _("working")
	       : vy_str_is(state, "idle")    ? _("idle")
	       : vy_str_is(state, "stopped") ? _("stopped")
	       : vy_str_is(state, "failed")  ? _("failed")
					     : "?";
}

/* Beside its state: that it rests, what it waits for. */
static char *state_of(const struct vy_json *t, int64_t now)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1024);
	struct standing st;

	standing_read(t, &st);
	if (vy_json_int(t, "asks", 0) > 0 || !standing_words(&st, now, true, &b)) {
		return vy_strdup(state_word(t));
	}
	return vy_buf_take(&b, NULL);
}

/* And the program it was begun in, when that was not here. */
static char *agent_of(const struct vy_json *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1024);
	char *agent = out_fit(vy_json_str(t, "provider"), 16);

	vy_buf_adds(&b, agent);
	if (adopted_from(t).n) {
		vy_buf_addf(&b, _(" (terminal: %.*s)"), VY_STR_ARG(adopted_from(t)));
	}
	free(agent);
	return vy_buf_take(&b, NULL);
}

static struct line make_line(const struct vy_json *t, int64_t now)
{
	struct vy_str id = vy_json_str(t, "session");

	return (struct line){ {
		vy_memdup0(id.p, id.n < 8 ? id.n : 8),
		state_of(t, now),
		out_age(now - vy_json_int(t, "updated", now)),
		agent_of(t),
		out_title(t),
		out_folder(vy_json_str(t, "cwd")),
	} };
}

static size_t cells(const char *s)
{
	return vy_width_cells(vy_str_c(s), (struct vy_width){ 0 });
}

static void print_lines(struct out *out, const struct line *lines, size_t n)
{
	size_t wide[COLUMNS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < COLUMNS; k++) {
			size_t w = cells(lines[i].cell[k]);

			wide[k] = w > wide[k] ? w : wide[k];
		}
	}
	for (size_t i = 0; i < n; i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(65536), cut = VY_BUF_INIT(65536);

		for (size_t k = 0; k < COLUMNS; k++) {
			vy_buf_adds(&b, lines[i].cell[k]);
			for (size_t w = cells(lines[i].cell[k]); k + 1 < COLUMNS && w < wide[k] + 2;
				w++) {
				vy_buf_addc(&b, ' ');
			}
		}
		vy_width_ellipsis(vy_buf_str(&b), out->cols ? out->cols : b.len,
			(struct vy_width){ 0 }, &cut);
		out_add(out, vy_buf_str(&cut));
		out_addf(out, "\n");
	}
}

static void print(struct out *out, const struct vy_json *threads)
{
	size_t n = vy_json_len(threads);
	struct line *lines = vy_calloc(n + 1, sizeof(*lines));
	int64_t now = vy_wall_ms(&vy_clock_real);

	for (size_t i = 0; i < n; i++) {
		lines[i] = make_line(vy_json_at(threads, i), now);
	}
	print_lines(out, lines, n);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < COLUMNS; k++) {
			free(lines[i].cell[k]);
		}
	}
	free(lines);
}

/* --cwd: only those of that folder. */
static struct vy_json *filter(struct cmd *c, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj(), *by;
	char *cwd;

	if (!c->o->cwd) {
		return params;
	}
	cwd = session_folder(c->o->cwd, e);
	if (!cwd) {
		vy_json_free(params);
		return NULL;
	}
	by = vy_json_new_obj();
	vy_json_set_c(by, "cwd", cwd);
	vy_json_take(params, "filter", by);
	free(cwd);
	return params;
}

int verb_ls(struct cmd *c, struct vy_err *e)
{
	struct vy_json *params = filter(c, e);
	VY_AUTO_JSON *list = params ? cmd_read(c, "threads.list", params, e) : NULL;
	const struct vy_json *threads = vy_json_get(list, "threads");

	if (!list) {
		return -1;
	}
	if (!c->o->is_json) {
		print(&c->out, threads);
	}
	const struct vy_json *paused = vy_json_get(list, "paused");

	if (paused) {
		out_say(&c->out, "vyre-tui: %.*s",
			VY_STR_ARG(words_pause(
				vy_json_str(paused, "reason"), vy_json_str(paused, "note"))));
	}
	for (size_t i = 0; c->o->is_json && i < vy_json_len(threads); i++) {
		out_json(&c->out, vy_json_at(threads, i));
	}
	if (vy_json_len(threads) == 0) {
		out_progress(&c->out, "%s", _("There are no sessions yet (vyre-tui starts one)."));
	}
	return EXIT_OK;
}
