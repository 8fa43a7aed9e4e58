/* menu_files.c -- "@": the files of the session's folder, while one is typed (suggest.h).
 *
 * The server knows what is ignored, and finds; a list that was all there is is searched here. One
 * question at a time: what was typed meanwhile is asked when the answer came. */
#include "tui/app/suggest.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MOST 1000 /* what files.list gives at most */

/* s->menu.about is what was asked last; is_wide: there were more. */
static void ask(struct app_state *s, struct vy_str query, struct app_effects *fx)
{
	struct vy_json *p = menu_ask(s, "files.list", fx);

	vy_json_set_c(p, "session", s->session);
	if (query.n) {
		vy_json_set_str(p, "query", query);
	}
	vy_json_set_int(p, "limit", MOST);
	free(s->menu.about);
	s->menu.about = vy_memdup0(query.p, query.n);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	s->menu.picker.keeps_end = true;
	ask(s, complete_at(&s->composer.edit).query, fx);
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *files = vy_json_get(result, "files");

	(void)fx;
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(files); i++) {
		const struct vy_json *f = vy_json_at(files, i);
		bool is_dir = vy_str_is(vy_json_str(f, "kind"), "dir");
		const char *path = vy_json_cstr(f, "path");
		VY_AUTO_BUF label = VY_BUF_INIT(8192);

		if (!path || !*path) {
			continue;
		}
		vy_buf_addf(
			&label, "%s%s", path, is_dir && path[strlen(path) - 1] != '/' ? "/" : "");
		picker_add(&s->menu.picker,
			&(struct picker_item){ .id = vy_buf_c(&label), .label = vy_buf_c(&label) });
	}
	s->menu.is_wide = vy_json_bool(result, "more", false);
}

static bool follow(struct app_state *s, struct vy_str *sought, struct app_effects *fx)
{
	struct complete_word w = complete_at(&s->composer.edit);
	struct menu *m = &s->menu;

	*sought = w.query;
	if (w.kind != COMPLETE_FILE) {
		return false;
	}
	/* all there is, and so what is in it, was told for a beginning of this word */
	bool is_told = !m->is_wide && vy_str_starts(w.query, m->about);

	if (!m->picker.is_waiting && !m->picker.trouble && !is_told &&
		!vy_str_is(w.query, m->about)) {
		ask(s, w.query, fx);
	}
	return true;
}

static void put(struct app_state *s, const struct picker_item *it, bool goes_on)
{
	struct edit *e = &s->composer.edit;
	struct complete_word w = complete_at(e);

	if (w.kind == COMPLETE_FILE) {
		complete_put(e, &w, vy_str_c(it->id), goes_on);
		s->completed_at = goes_on ? SIZE_MAX : e->at;
	}
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	(void)fx;
	put(s, it, false);
	menu_close(s);
}

/* Into a folder; a file is chosen. */
static void complete(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	size_t n = strlen(it->id);

	if (n && it->id[n - 1] == '/') {
		put(s, it, true);
		menu_follow(s, fx);
	} else {
		choose(s, it, fx);
	}
}

const struct menu_kind menu_files = {
	.title = N_("Files"),
	.empty = N_("no files here"),
	.is_inline = true,
	.fill = fill,
	.reply = reply,
	.follow = follow,
	.choose = choose,
	.complete = complete,
};
