/* adopt.c -- sessions that other programs left: listed, made ours; and a session's way back into a
 * terminal. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "tui/cmd/verb.h"
#include "tui/net/session.h"
#include "tui/words/adopted.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LIMIT 1000

/* ---- the list ---- */

/* Begins its id so, or is in its title or folder, in any case. */
static bool is_meant(const struct vy_json *row, const char *words)
{
	const char *title = vy_json_cstr(row, "title"), *cwd = vy_json_cstr(row, "cwd");

	return !words || vy_str_starts(vy_json_str(row, "id"), words) ||
	       vy_str_is(vy_json_str(row, "provider"), words) ||
	       (title && strcasestr(title, words)) || (cwd && strcasestr(cwd, words));
}

static struct vy_json *ask(struct cmd *c, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_int(params, "limit", LIMIT);
	if (c->o->cwd) {
		char *cwd = session_folder(c->o->cwd, e);

		if (!cwd) {
			vy_json_free(params);
			return NULL;
		}
		vy_json_set_c(params, "cwd", cwd);
		free(cwd);
	}
	return cmd_read(c, "threads.adoptable", params, e);
}

static void print_row(struct out *out, const struct vy_json *row, int64_t now)
{
	struct vy_str id = vy_json_str(row, "id"), ours = vy_json_str(row, "session");
	char *age = out_age(now - vy_json_int(row, "updated", now)), *title = out_title(row);
	char *folder = out_folder(vy_json_str(row, "cwd"));

	out_addf(out, "%.8s  %-8.*s  %-8s  %s  %s%s", id.n ? id.p : "",
		VY_STR_ARG(vy_json_str(row, "provider")), age, title, folder,
		ours.n                             ? _("  (here already)")
		: vy_json_bool(row, "open", false) ? _("  (open elsewhere)")
		: vy_json_bool(row, "gone", false) ? _("  (its folder is gone)")
						   : "");
	out_addf(out, "\n");
	free(age);
	free(title);
	free(folder);
}

static void print_all(struct cmd *c, const struct vy_json *list, const char *words)
{
	const struct vy_json *rows = vy_json_get(list, "sessions");
	int64_t now = vy_wall_ms(&vy_clock_real);
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(rows); i++) {
		const struct vy_json *row = vy_json_at(rows, i);

		if (!is_meant(row, words)) {
			continue;
		}
		n++;
		if (c->o->is_json) {
			out_json(&c->out, row);
		} else {
			print_row(&c->out, row, now);
		}
	}
	if (n == 0) {
		out_progress(
			&c->out, "%s", _("Nothing was left by claude, codex, opencode or gemini."));
	}
}

/* ---- one of it ---- */

/* The only one that is meant; NULL: none, or several. */
static const struct vy_json *the_one(const struct vy_json *list, const char *words, size_t *n)
{
	const struct vy_json *rows = vy_json_get(list, "sessions"), *found = NULL;

	*n = 0;
	for (size_t i = 0; i < vy_json_len(rows); i++) {
		const struct vy_json *row = vy_json_at(rows, i);

		if (vy_str_is(vy_json_str(row, "id"), words)) {
			*n = 1;
			return row;
		}
		if (is_meant(row, words)) {
			found = row;
			++*n;
		}
	}
	return *n == 1 ? found : NULL;
}

static int adopt(struct cmd *c, const struct vy_json *row, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_str(params, "provider", vy_json_str(row, "provider"));
	vy_json_set_str(params, "id", vy_json_str(row, "id"));
	VY_AUTO_JSON *made = cmd_write(c, "threads.adopt", params, e);

	if (!made) {
		return -1;
	}
	if (c->o->is_json) {
		out_json(&c->out, made);
	} else {
		out_addf(&c->out, "%.*s\n", VY_STR_ARG(vy_json_str(made, "session")));
	}
	if (vy_json_bool(row, "open", false)) {
		out_progress(&c->out, "%s",
			_("It is open elsewhere: what you say waits until that has ended. vyre-tui "
			  "fork "
			  "goes on at once."));
	}
	return EXIT_OK;
}

int verb_adopt(struct cmd *c, struct vy_err *e)
{
	const char *words = c->o->n_words ? c->o->words[0] : NULL;
	VY_AUTO_JSON *list = ask(c, e);
	size_t n = 0;

	if (!list) {
		return -1;
	}
	const struct vy_json *row = words ? the_one(list, words, &n) : NULL;

	if (row) {
		return adopt(c, row, e);
	}
	if (words && n == 0) {
		return vy_fail(e, VY_NOT_FOUND,
			_("nothing that was left is called %s (vyre-tui adopt lists it)"), words);
	}
	print_all(c, list, words);
	return EXIT_OK;
}

/* ---- back into a terminal ---- */

/* Ours lets go of it first; while it works it does not. */
static int let_go(struct cmd *c, const char *id, const struct vy_json *record, struct vy_err *e)
{
	struct vy_str state = vy_json_str(record, "state"), is = vy_json_str(record, "process");

	if (vy_str_is(state, "running") || vy_str_is(state, "waiting") ||
		vy_json_int(record, "asks", 0) > 0) {
		return vy_fail(e, VY_BUSY,
			_("it is at work: wait for the end of its turn, or interrupt it"));
	}
	if (is.n == 0 || vy_str_is(is, "absent")) {
		return 0;
	}
	VY_AUTO_JSON *done = cmd_write(c, "threads.stop", cmd_params(id), e);

	return done ? 0 : -1;
}

int verb_resume(struct cmd *c, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];
	VY_AUTO_BUF line = VY_BUF_INIT(65536);

	if (cmd_session(c, c->o->n_words ? c->o->words[0] : NULL, id, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *record = cmd_read(c, "threads.get", cmd_params(id), e);

	if (!record) {
		return -1;
	}
	if (!adopted_command(record, &line)) {
		return vy_fail(e, VY_UNSUPPORTED,
			_("this agent has no command that goes on with a session in a terminal"));
	}
	if (let_go(c, id, record, e) != 0) {
		return -1;
	}
	if (c->o->is_json) {
		VY_AUTO_JSON *o = cmd_params(id);

		vy_json_set_str(o, "command", vy_buf_str(&line));
		out_json(&c->out, o);
	} else {
		out_addf(&c->out, "%s\n", vy_buf_c(&line));
	}
	return EXIT_OK;
}
