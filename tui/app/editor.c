/* editor.c -- see editor.h. */
#include "tui/app/editor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "tui/app/outside.h"
#include "tui/net/keep.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define OUR_TEXT SIZE_MAX /* as a line: the composer's text, not a file of the person's */

static int read_back(const char *path, struct vy_buf *out, struct vy_err *e)
{
	FILE *f = fopen(path, "re");
	char piece[4096];
	size_t n;

	if (!f) {
		return vy_fail_errno(e, errno, _("reading back %s"), path);
	}
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0) {
		vy_buf_add(out, piece, n);
	}
	fclose(f);
	if (vy_buf_is_over(out)) {
		return vy_fail(e, VY_FULL, _("the text is too long for one message"));
	}
	while (out->len && out->data[out->len - 1] == '\n') {
		vy_buf_truncate(out, out->len - 1);
	}
	return 0;
}

static bool takes_line(const char *editor)
{
	static const char *const known[] = { "vi", "vim", "nvim", "view", "nano", "pico", "emacs",
		"emacsclient", "micro", "kak", "joe", "jmacs", "mg", "ne", "jed" };
	size_t n = strcspn(editor, " \t");
	const char *slash = memrchr(editor, '/', n), *name = slash ? slash + 1 : editor;

	n -= (size_t)(name - editor);
	for (size_t i = 0; i < VY_COUNT(known); i++) {
		if (strlen(known[i]) == n && memcmp(known[i], name, n) == 0) {
			return true;
		}
	}
	return false;
}

static int run(const char *path, size_t at_line, struct vy_err *e)
{
	const char *editor = getenv("VISUAL") ? getenv("VISUAL") : getenv("EDITOR");
	VY_AUTO_BUF line = VY_BUF_INIT(4096);
	int rc;

	if (!editor || !*editor) {
		editor = "vi";
	}
	vy_buf_adds(&line, editor);
	if (at_line && at_line != OUR_TEXT && takes_line(editor)) {
		vy_buf_addf(&line, " +%zu", at_line);
	}
	vy_buf_adds(&line, " \"$1\"");
	rc = outside_run(vy_buf_c(&line), path, NULL, NULL, e);
	if (rc > 0) {
		return vy_fail(e, VY_IO,
			at_line == OUR_TEXT ? _("%s ended with a failure; your text is as it was")
					    : _("%s ended with a failure"),
			editor);
	}
	return rc;
}

int editor_file(const char *path, size_t line, struct vy_err *e)
{
	return run(path, line, e);
}

int editor_run(struct vy_buf *text, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4096);
	struct vy_buf fresh = VY_BUF_INIT(text->max);
	const char *tmp = getenv("TMPDIR");

	vy_buf_addf(&path, "%s/vyre-XXXXXX.md", tmp && tmp[0] == '/' ? tmp : "/tmp");
	int fd = mkostemps(path.data, 3, 0), rc;

	if (fd < 0) {
		return vy_fail_errno(e, errno, _("making %s"), path.data);
	}
	rc = keep_all(fd, vy_buf_str(text)) ? 0 : -1;
	close(fd);
	if (rc != 0) {
		vy_fail_errno(e, errno, _("writing %s"), path.data);
	} else if ((rc = run(path.data, OUR_TEXT, e)) == 0 &&
		   (rc = read_back(path.data, &fresh, e)) == 0) {
		vy_buf_clear(text);
		vy_buf_addstr(text, vy_buf_str(&fresh));
	}
	vy_buf_fini(&fresh);
	unlink(path.data);
	return rc;
}
