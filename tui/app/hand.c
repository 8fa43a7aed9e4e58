/* hand.c -- see hand.h. */
#include "tui/app/hand.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/app/copy.h"
#include "tui/app/editor.h"
#include "tui/app/outside.h"
#include "tui/app/print.h"
#include "tui/net/keep.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static void copy(struct screen *screen, const char *dir, struct app_state *s, struct vy_str text,
	bool is_shown)
{
	VY_AUTO_BUF said = VY_BUF_INIT(8192);

	if (is_shown) { /* first: what does not fit is cut off at the end */
		vy_buf_addf(&said, "%.*s · ", VY_STR_ARG(text));
	}
	copy_out(screen, dir, text, &said);
	app_flash(s, vy_buf_c(&said));
}

static void follow(struct screen *screen, const char *dir, struct app_state *s, const char *url)
{
	if (copy_open_link(url)) {
		app_flash(s, _("opened in the browser"));
	} else { /* far away, or no browser: take it along */
		copy(screen, dir, s, vy_str_c(url), false);
	}
}

/* ---- a file in the editor ---- */

/* As it is, in the session's folder, in the home; without git's "a/" and "b/". */
static bool find_file(const struct app_state *s, const char *name, struct vy_buf *path)
{
	const char *cwd = s->cwd ? s->cwd : ".";
	const char *bare = (name[0] == 'a' || name[0] == 'b') && name[1] == '/' ? name + 2 : name;

	if (name[0] == '~' && name[1] == '/' && s->home) {
		vy_buf_clear(path);
		vy_buf_addf(path, "%s%s", s->home, name + 1);
		return access(vy_buf_c(path), R_OK) == 0;
	}
	vy_buf_clear(path);
	vy_buf_addf(path, name[0] == '/' ? "%.0s%s" : "%s/%s", cwd, name);
	if (access(vy_buf_c(path), R_OK) == 0) {
		return true;
	}
	vy_buf_clear(path);
	vy_buf_addf(path, "%s/%s", cwd, bare);
	return bare != name && access(vy_buf_c(path), R_OK) == 0;
}

static const char *path_at(const struct app_effect *fx, size_t i)
{
	const char *path = vy_json_cstr(vy_json_at(fx->params, i), "path");

	return path ? path : "";
}

static int edit(struct screen *screen, struct app_state *s, const struct app_effect *fx)
{
	VY_AUTO_BUF path = VY_BUF_INIT(2 * PATH_MAX), said = VY_BUF_INIT(2 * PATH_MAX);
	struct vy_err e = { 0 };

	size_t i = 0, n = vy_json_len(fx->params);

	while (i < n && !find_file(s, path_at(fx, i), &path)) {
		i++;
	}
	if (i == n) {
		vy_buf_addf(&said, _("no file %s on this machine"), path_at(fx, 0));
		app_flash(s, vy_buf_c(&said));
		return 0;
	}
	int64_t line = vy_json_int(vy_json_at(fx->params, i), "line", 0);

	if (term_edit(s, vy_buf_c(&path), line > 0 ? (size_t)line : 0)) {
		return 0;
	}
	if (screen_suspend(screen, &e) != 0) {
		app_failed(s, e.text);
		return 0;
	}
	if (editor_file(vy_buf_c(&path), line > 0 ? (size_t)line : 0, &e) != 0) {
		app_failed(s, e.text);
	}
	return screen_resume(screen, &e);
}

/* ---- the scrollback ---- */

/* The whole transcript, piece by piece; false: nobody reads it any more. */
static bool write_rows(int fd, const struct app_state *s, const struct print_how *how)
{
	VY_AUTO_BUF out = VY_BUF_INIT(64 * 1024 * 1024);
	bool is_well = true;

	if (vy_fold_older(s->fold)) {
		vy_buf_addf(&out, "%s\n\n", _("-- what was said before is not here now --"));
	}
	for (size_t i = 0; i < vy_fold_len(s->fold) && is_well; i++) {
		print_row(s->fold, i, s->pool, how, &out);
		if (out.len > 65536) {
			is_well = keep_all(fd, vy_buf_str(&out));
			vy_buf_clear(&out);
		}
	}
	return is_well && keep_all(fd, vy_buf_str(&out));
}

static void wait_for_enter(void)
{
	char c = 0;

	while (c != '\n') {
		ssize_t n = read(STDIN_FILENO, &c, 1);

		if (n == 0 || (n < 0 && errno != EINTR)) {
			return;
		}
	}
}

static int print(struct screen *screen, struct app_state *s)
{
	struct print_how how = { .theme = screen_theme(screen),
		.cols = s->cols,
		.with_details = s->with_details,
		.is_ascii = s->is_ascii,
		.now_ms = s->wall_ms };
	VY_AUTO_BUF last = VY_BUF_INIT(4096);
	struct vy_err e = { 0 };

	if (screen_suspend(screen, &e) != 0) {
		app_failed(s, e.text);
		return 0;
	}
	vy_buf_addf(&last, "\n%s", _("-- the whole session is above; enter goes back to it --"));
	if (write_rows(STDOUT_FILENO, s, &how) && keep_all(STDOUT_FILENO, vy_buf_str(&last))) {
		wait_for_enter();
	}
	return screen_resume(screen, &e);
}

/* ---- $PAGER ---- */

static void feed_pager(void *ctx, int fd)
{
	const struct app_state *s = ctx;
	struct print_how how = { .cols = s->cols,
		.with_details = s->with_details,
		.is_ascii = s->is_ascii,
		.is_plain = true, /* whatever the pager does with escapes, it gets none */
		.now_ms = s->wall_ms };

	write_rows(fd, s, &how); /* it may end when it has seen enough */
}

static int page(struct screen *screen, struct app_state *s)
{
	const char *pager = getenv("PAGER");
	bool has_own = pager && *pager;
	struct vy_err e = { 0 };

	if (!has_own) {
		pager = "if command -v less >/dev/null; then exec less; else exec more; fi";
	}
	if (screen_suspend(screen, &e) != 0) {
		app_failed(s, e.text);
		return 0;
	}
	int rc = outside_run(pager, NULL, feed_pager, s, &e);

	if (rc > 0) {
		vy_fail(&e, VY_IO, _("%s ended with a failure"), has_own ? pager : "less");
	}
	if (rc != 0) {
		app_failed(s, e.text);
	}
	return screen_resume(screen, &e);
}

int hand_effect(
	struct screen *screen, const char *dir, struct app_state *s, const struct app_effect *fx)
{
	switch ((int)fx->kind) {
	case APP_COPY: copy(screen, dir, s, vy_str_c(fx->text), fx->word != NULL); return 0;
	case APP_LINK: follow(screen, dir, s, fx->text); return 0;
	case APP_EDIT_FILE: return edit(screen, s, fx);
	case APP_PRINT: return print(screen, s);
	case APP_PAGE: return page(screen, s);
	default: return 0;
	}
}
