/* session_place.c -- where in its file a change stands that is asked about: the file is looked into,
 * inside the session's folder alone, and never a big one (server/files/place.h). */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/inside.h"
#include "server/files/place.h"
#include "server/guard/redact.h"
#include "server/session/session_in.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define FILE_MOST   VY_MIB            /* that is read to find the words of an edit */
#define WHOLE_MOST  (256 * VY_KIB)    /* and of a file that is written anew: both are compared */
#define DETAIL_MOST VY_FRAME_TEXT_MAX /* more is for the driver to cut */

/* A regular file of the session's folder, if it is small enough. */
static bool read_file(const struct session *s, struct vy_str path, size_t most, struct vy_buf *out)
{
	char inner[4096];
	struct stat st;
	int root = -1, fd = -1;
	bool ok = false;

	if (inside_path(path, s->record->cwd, inner, NULL) == 0) {
		root = inside_root(s->record->cwd, NULL);
	}
	fd = root >= 0 ? inside_open(root, inner, O_RDONLY, 0, NULL) : -1;
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= 0 &&
		(size_t)st.st_size <= most && vy_buf_reserve(out, most + 1)) {
		ssize_t n = read(fd, out->data, most + 1);

		ok = n >= 0 && n == st.st_size;
		out->len = ok ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
	if (root >= 0) {
		close(root);
	}
	return ok;
}

/* What stands in the file already is nothing that is asked about: of that no secret is shown. Of what is
 * to be written only those that any ask loses (guard/redact.h). */
static void redact_file(struct vy_str diff, struct vy_buf *out)
{
	bool in_key = false;

	while (diff.n) {
		const char *nl = memchr(diff.p, '\n', diff.n);
		struct vy_str line = vy_str_n(diff.p, nl ? (size_t)(nl - diff.p) : diff.n);

		diff = vy_str_from(diff, line.n + (nl != NULL));
		if (line.n == 0 || (line.p[0] != ' ' && line.p[0] != '-')) {
			vy_buf_addstr(out, line);
		} else if (!guard_redact_line(&in_key, line, false, out)) {
			vy_buf_addc(out, line.p[0]); /* the lines are still as many */
		}
		vy_buf_adds(out, nl ? "\n" : "");
	}
}

static void place(const struct session *s, struct vy_json *ask, const struct vy_json *edit)
{
	struct place_change c = { .path = vy_json_str(edit, "shown"),
		.was = vy_json_str(edit, "was"),
		.is = vy_json_str(edit, "is"),
		.is_whole = vy_json_bool(edit, "whole", false) };
	size_t most = c.is_whole ? WHOLE_MOST : FILE_MOST;
	VY_AUTO_BUF file = VY_BUF_INIT(FILE_MOST + 2);
	VY_AUTO_BUF detail = VY_BUF_INIT(DETAIL_MOST);
	struct vy_arena a;

	vy_arena_init(&a);
	if (c.is.n <= most && read_file(s, vy_json_str(edit, "path"), most, &file) &&
		place_print(&c, vy_buf_str(&file), &a, &detail)) {
		VY_AUTO_BUF shown = VY_BUF_INIT(DETAIL_MOST * 4);

		redact_file(vy_buf_str(&detail), &shown);
		vy_json_set_str(ask, "detail", vy_buf_str(&shown));
	}
	vy_arena_fini(&a);
}

void session_place(const struct session *s, struct vy_json *ask)
{
	const struct vy_json *edit = vy_json_get(ask, "edit");

	if (edit) {
		place(s, ask, edit);
		vy_json_del(ask, "edit");
	}
}
