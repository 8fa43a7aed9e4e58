/* session_memory.c -- `#` words of a person: a line in the file that the agent reads as its memory.
 *
 * The project's file is in the session's folder and opened inside it alone; the user's is below the
 * home. A line that stands there last already is not written twice: a caller who had no answer asks
 * again. The agent that runs is told with the next message; a new one reads it. */
#include "server/session/session_in.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/inside.h"
#include "server/io/agent_user.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define MEMORY_MAX (4 * VY_MIB) /* of the file */

/* "- text\n"; further lines are indented, so that it stays one entry. */
static void entry_of(struct vy_str text, struct vy_buf *out)
{
	vy_buf_adds(out, "- ");
	for (size_t i = 0; i < text.n; i++) {
		vy_buf_addc(out, text.p[i]);
		if (text.p[i] == '\n') {
			vy_buf_adds(out, "  ");
		}
	}
	vy_buf_addc(out, '\n');
}

static struct vy_str trimmed(struct vy_str s)
{
	while (s.n && memchr(" \t\r\n", s.p[0], 4)) {
		s = vy_str_from(s, 1);
	}
	while (s.n && memchr(" \t\r\n", s.p[s.n - 1], 4)) {
		s.n--;
	}
	return s;
}

/* 1: it is there; 0: it may be appended, behind a newline when `*needs_line`; -1: not that file. */
static int look_at_end(
	int fd, const char *path, struct vy_str entry, bool *needs_line, struct vy_err *e)
{
	VY_AUTO_BUF tail = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		return vy_fail(e, VY_BAD_INPUT, "%s is not a file", path);
	}
	if (st.st_size > MEMORY_MAX) {
		return vy_fail(
			e, VY_FULL, "%s has more than %d MiB already", path, MEMORY_MAX / VY_MIB);
	}
	size_t n = (size_t)st.st_size < entry.n ? (size_t)st.st_size : entry.n;

	vy_buf_reserve(&tail, n + 1);
	ssize_t got = pread(fd, tail.data, n, st.st_size - (off_t)n);

	*needs_line = got > 0 && tail.data[got - 1] != '\n';
	return got == (ssize_t)entry.n && memcmp(tail.data, entry.p, entry.n) == 0;
}

/* 1: it was written, 0: it was there. */
static int append(
	const char *folder, const char *path, struct vy_str entry, bool *is_new, struct vy_err *e)
{
	int root = inside_root(folder, e), fd = -1, rc = -1;
	bool needs_line = false;
	struct vy_err why = { 0 };

	if (root < 0) {
		return -1;
	}
	fd = inside_open(root, path, O_RDWR | O_APPEND, 0, &why);
	*is_new = fd < 0 && why.code == VY_NOT_FOUND;
	if (*is_new) {
		fd = inside_open(root, path, O_RDWR | O_APPEND | O_CREAT, 0644, &why);
	}
	close(root);
	if (fd < 0) {
		if (e) {
			*e = why;
		}
		return -1;
	}
	rc = look_at_end(fd, path, entry, &needs_line, e);
	if (rc == 0) {
		VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);

		vy_buf_adds(&text, needs_line ? "\n" : "");
		vy_buf_addstr(&text, entry);
		rc = write(fd, text.data, text.len) == (ssize_t)text.len
			     ? 1
			     : vy_fail_errno(e, errno, "writing %s", path);
	} else if (rc == 1) {
		rc = 0;
	}
	close(fd);
	return rc;
}

static void say(
	struct session *s, struct vy_str author, const char *path, bool is_new, struct vy_str text)
{
	struct effect *e = effects_add(&s->fx, FX_FRAME);
	VY_AUTO_BUF told = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	vy_frame_init(&e->frame, VY_KIND_FILE_CHANGED);
	e->frame.author = vy_arena_str(&s->arena, author);
	vy_frame_set_str(&e->frame, VY_F_PATH, vy_arena_str(&s->arena, vy_str_c(path)));
	vy_frame_set_c(&e->frame, VY_F_OP, is_new ? "create" : "edit");
	vy_frame_set_int(&e->frame, VY_F_ADDED, 1);
	vy_frame_set_int(&e->frame, VY_F_REMOVED, 0);
	vy_buf_addf(&told, "The user added this to the memory file %s, to be kept in mind:\n%.*s\n",
		path, VY_STR_ARG(text));
	turn_add_context(s->turn, vy_buf_str(&told));
	session_run(s);
}

static const char *file_of(const struct session *s, bool is_users)
{
	const struct provider_ops *driver = provider_find(s->record->driver);

	return !driver ? NULL : is_users ? driver->memory_user : driver->memory;
}

int session_remember(struct session *s, struct vy_str text, bool is_users, struct vy_str author,
	const char **path, struct vy_err *e)
{
	const char *folder = is_users ? s->conf->home : s->record->cwd;
	VY_AUTO_BUF entry = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	bool is_new = false;

	text = trimmed(text);
	*path = file_of(s, is_users);
	if (!*path) {
		return vy_fail(e, VY_UNSUPPORTED, "%s keeps no such memory", s->record->provider);
	}
	if (is_users && table_agent_user(s->table)) {
		return vy_fail(e, VY_UNSUPPORTED,
			"agents are the user %s here: what that user is to remember is written in "
			"its own home, by that user",
			table_agent_user(s->table)->name);
	}
	if (text.n == 0 || memchr(text.p, '\0', text.n)) {
		return vy_fail(e, VY_BAD_INPUT, "params.text: expected some words, got none");
	}
	entry_of(text, &entry);
	int rc = append(folder, *path, vy_buf_str(&entry), &is_new, e);

	if (rc > 0) {
		say(s, author, *path, is_new, text);
	}
	return rc < 0 ? -1 : 0;
}
