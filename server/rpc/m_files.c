/* m_files.c -- files of a session's folder to pick from and to look at, and images to send.
 *
 * Nothing outside the folder is opened, whatever the path or a link says (server/io/inside). The
 * list of a folder is kept for a moment: a picker asks with every key. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/folder.h"
#include "server/files/inside.h"
#include "server/session/shelf.h"
#include "server/rpc/handler.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define LIST_MS   4000 /* how long a list is good */
#define LIST_MOST 1000

/* ---- list ---- */

static struct folder *list_of(struct rpc_call *c, struct vy_err *e)
{
	const char *cwd = session_record(c->session)->cwd;
	struct folder *kept = *c->folder;

	if (kept && strcmp(folder_path(kept), cwd) == 0 &&
		folder_age_ms(kept, c->house->clock) < LIST_MS) {
		return kept;
	}
	folder_free(kept);
	*c->folder = folder_read(cwd, c->house->clock, e);
	return *c->folder;
}

static struct vy_json *files_list(struct rpc_call *c, struct vy_err *e)
{
	size_t most = (size_t)vy_json_int(c->params, "limit", 200);
	struct folder *f = list_of(c, e);

	if (!f) {
		return NULL;
	}
	size_t *at = vy_calloc(most + 1, sizeof(*at));
	size_t n = folder_find(f, vy_json_str(c->params, "query"), most + 1, at);
	struct vy_json *o = vy_json_new_obj(), *list = vy_json_new_arr();

	for (size_t i = 0; i < n && i < most; i++) {
		const struct folder_item *it = folder_at(f, at[i]);
		struct vy_json *file = vy_json_new_obj();

		vy_json_set_str(file, "path", it->path);
		vy_json_set_c(file, "kind", it->is_dir ? "dir" : "file");
		vy_json_add_take(list, file);
	}
	vy_json_take(o, "files", list);
	vy_json_set_bool(o, "more", n > most || folder_is_cut(f));
	vy_json_set_bool(o, "git", folder_is_git(f));
	free(at);
	return o;
}

/* ---- read ---- */

static int open_file(struct rpc_call *c, const char *path, struct stat *st, struct vy_err *e)
{
	int root = inside_root(session_record(c->session)->cwd, e);
	int fd = root >= 0 ? inside_open(root, path, O_RDONLY, 0, e) : -1;

	if (root >= 0) {
		close(root);
	}
	if (fd < 0) {
		return -1;
	}
	if (fstat(fd, st) != 0 || !S_ISREG(st->st_mode)) {
		close(fd);
		return vy_fail(e, VY_BAD_INPUT, "%s is not a file", path);
	}
	return fd;
}

static void set_bytes(struct vy_json *o, struct vy_str bytes)
{
	VY_AUTO_BUF b64 = VY_BUF_INIT(4 * VY_MIB);

	if (vy_utf8_is_valid(bytes) && !(bytes.n && memchr(bytes.p, '\0', bytes.n))) {
		vy_json_set_str(o, "text", bytes);
		return;
	}
	vy_buf_reserve(&b64, bytes.n * 4 / 3 + 8);
	b64.len = vy_base64(bytes.p, bytes.n, b64.data);
	vy_json_set_str(o, "b64", vy_buf_str(&b64));
}

static struct vy_json *read_piece(
	int fd, int64_t total, const struct vy_json *params, struct vy_err *e)
{
	int64_t off = vy_json_int(params, "offset", 0);
	size_t most = (size_t)vy_json_int(params, "max", 256 * VY_KIB);
	VY_AUTO_BUF raw = VY_BUF_INIT(2 * VY_MIB);

	vy_buf_reserve(&raw, most + 1);
	ssize_t n = pread(fd, raw.data, most, off);

	if (n < 0) {
		vy_fail_errno(e, errno, "reading the file");
		return NULL;
	}
	struct vy_str piece = vy_str_n(raw.data, (size_t)n);
	size_t cut = off + n < total ? vy_utf8_unfinished(piece) : 0;
	struct vy_json *o = vy_json_new_obj();

	piece.n -= cut < piece.n ? cut : 0; /* never nothing: the reader would not come on */
	set_bytes(o, piece);
	vy_json_set_int(o, "offset", off);
	vy_json_set_int(o, "bytes", total);
	vy_json_set_bool(o, "more", n > 0 && off + (int64_t)piece.n < total);
	return o;
}

static struct vy_json *files_read(struct rpc_call *c, struct vy_err *e)
{
	char path[4096];
	struct stat st;

	if (inside_path(vy_json_str(c->params, "path"), session_record(c->session)->cwd, path, e) !=
		0) {
		return NULL;
	}
	int fd = open_file(c, path, &st, e);

	if (fd < 0) {
		return NULL;
	}
	struct vy_json *o = read_piece(fd, (int64_t)st.st_size, c->params, e);

	close(fd);
	if (o) {
		vy_json_set_c(o, "path", path);
	}
	return o;
}

/* ---- put ---- */

/* What it says it is, and what the agents take: a wrong one would spoil the whole turn. */
static int is_image(struct vy_str mime, struct vy_str bytes, struct vy_err *e)
{
	const char *kind = shelf_kind(mime);

	if (!kind) {
		return vy_fail(e, VY_UNSUPPORTED,
			"params.mime: expected image/png, image/jpeg, image/gif or image/webp, got "
			"\"%.*s\"",
			VY_STR_ARG(mime));
	}
	return shelf_is(mime, bytes) ? 0
				     : vy_fail(e, VY_BAD_INPUT, "params.b64: this is no %s", kind);
}

/* The same image is kept once, and asking again changes nothing. */
static struct vy_json *files_put(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str b64 = vy_json_str(c->params, "b64"), mime = vy_json_str(c->params, "mime");
	VY_AUTO_BUF raw = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	char ref[SHELF_REF_MAX];

	vy_buf_reserve(&raw, b64.n + 1);
	long n = vy_base64_decode(b64, raw.data, b64.n);

	if (n <= 0) {
		vy_fail(e, VY_BAD_INPUT, "params.b64: this is no base64");
		return NULL;
	}
	struct vy_str bytes = vy_str_n(raw.data, (size_t)n);

	if (is_image(mime, bytes, e) != 0 ||
		shelf_put(c->house->log, vy_str_c(session_id(c->session)), mime, bytes, ref, e) !=
			0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "ref", ref);
	vy_json_set_str(o, "mime", mime);
	vy_json_set_int(o, "bytes", (int64_t)bytes.n);
	return o;
}

const struct rpc_handler m_files[] = {
	{ "files.list", files_list },
	{ "files.read", files_read },
	{ "files.put", files_put },
	{ 0 },
};
