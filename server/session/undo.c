/* undo.c -- see undo.h. */
#include "server/session/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define LIST_BYTES VY_MIB
#define LIST_MIME  "application/json"
#define BYTES_MIME "application/octet-stream"

/* ---- a file ---- */

/* Its bytes; *mode 0: it is not there. */
static int read_file(const char *path, struct vy_buf *out, mode_t *mode, struct vy_err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	*mode = 0;
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		return 0;
	}
	if (fd < 0) {
		return vy_fail(e, VY_CONFLICT, "%s cannot be kept, so it is not put back: %s", path,
			strerror(errno));
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return vy_fail(e, VY_CONFLICT, "%s cannot be kept, so it is not put back: %s", path,
			"no plain file");
	}
	char part[65536];
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) > 0 && vy_buf_add(out, part, (size_t)n)) {
	}
	close(fd);
	*mode = (st.st_mode & 07777) | 0100000;
	return n < 0 ? vy_fail(e, VY_CONFLICT, "%s cannot be kept, so it is not put back: %s", path,
			       "it cannot be read")
		     : 0;
}

static void digest(struct vy_str bytes, mode_t mode, char out[2 * VY_SHA256_LEN + 1])
{
	uint8_t sum[VY_SHA256_LEN];

	out[0] = '\0';
	if (mode) {
		vy_sha256(bytes.n ? bytes.p : "", bytes.n, sum);
		vy_hex(sum, sizeof(sum), out);
	}
}

/* ---- rows ---- */

static void ref_of(char out[128], const char *name, size_t i)
{
	snprintf(out, 128, "undo/%s/%zu", name, i);
}

static void put(struct log *l, struct vy_str session, const char *ref, const char *mime,
	struct vy_str bytes)
{
	LOG_PUT(l, ROW_OUTPUT, output, .session = session, .ref = vy_str_c(ref),
		.mime = vy_str_c(mime), .bytes = bytes);
}

static void put_list(
	struct log *l, struct vy_str session, const char *name, const struct vy_json *list)
{
	VY_AUTO_BUF text = VY_BUF_INIT(LIST_BYTES);
	char ref[128];

	snprintf(ref, sizeof(ref), "undo/%s", name);
	vy_json_dump(list, &text);
	put(l, session, ref, LIST_MIME, vy_buf_str(&text));
}

static int get(
	struct log *l, struct vy_str session, const char *ref, struct vy_buf *out, struct vy_err *e)
{
	int64_t total = 0;

	if (log_output(l, session, vy_str_c(ref), 0, NULL, 0, &total, e) < 0 ||
		!vy_buf_reserve(out, (size_t)total)) {
		return -1;
	}
	int64_t n = log_output(l, session, vy_str_c(ref), 0, out->data, (size_t)total, &total, e);

	out->len = n > 0 ? (size_t)n : 0;
	return n < 0 ? -1 : 0;
}

static struct vy_json *get_list(
	struct log *l, struct vy_str session, const char *name, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(LIST_BYTES);
	char ref[128];

	snprintf(ref, sizeof(ref), "undo/%s", name);
	return get(l, session, ref, &text, e) == 0 ? vy_json_parse(vy_buf_str(&text), e) : NULL;
}

/* ---- kept ---- */

static int too_much(struct vy_err *e)
{
	return vy_fail(e, VY_FULL,
		"the files that would change are over %d MiB or %d in number: they could not be "
		"brought back",
		UNDO_BYTES / VY_MIB, UNDO_FILES);
}

/* All are read before anything is staged. */
struct kept {
	struct vy_buf bytes;
	mode_t mode;
};

static int read_all(const struct vy_json *paths, struct kept *v, struct vy_err *e)
{
	size_t room = UNDO_BYTES;

	for (size_t i = 0; i < vy_json_len(paths); i++) {
		struct vy_str path = vy_json_strval(vy_json_at(paths, i));

		if (!vy_str_starts(path, "/")) {
			return vy_fail(e, VY_CONFLICT,
				"%s cannot be kept, so it is not put back: %s", "a file",
				"its path is relative");
		}
		if (read_file(path.p, &v[i].bytes, &v[i].mode, e) != 0) {
			return -1;
		}
		if (vy_buf_is_over(&v[i].bytes) || v[i].bytes.len > room) {
			return too_much(e);
		}
		room -= v[i].bytes.len;
	}
	return 0;
}

static void put_all(struct log *l, struct vy_str session, const char *name,
	const struct vy_json *paths, const struct kept *v)
{
	VY_AUTO_JSON *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(paths); i++) {
		struct vy_json *o = vy_json_new_obj();
		char ref[128];

		vy_json_set(o, "path", vy_json_at(paths, i));
		vy_json_set_int(o, "mode", v[i].mode);
		vy_json_add_take(list, o);
		ref_of(ref, name, i);
		if (v[i].mode) {
			put(l, session, ref, BYTES_MIME, vy_buf_str(&v[i].bytes));
		}
	}
	put_list(l, session, name, list);
}

int undo_keep(struct log *l, struct vy_str session, const char *name, const struct vy_json *paths,
	struct vy_err *e)
{
	size_t n = vy_json_len(paths);
	struct kept *v;
	int rc;

	if (n > UNDO_FILES) {
		return too_much(e);
	}
	v = vy_calloc(n + 1, sizeof(*v));
	for (size_t i = 0; i < n; i++) {
		vy_buf_init(&v[i].bytes, UNDO_BYTES + 1);
	}
	rc = read_all(paths, v, e);
	if (rc == 0) {
		put_all(l, session, name, paths, v);
	}
	for (size_t i = 0; i < n; i++) {
		vy_buf_fini(&v[i].bytes);
	}
	free(v);
	return rc;
}

void undo_seal(struct log *l, struct vy_str session, const char *name)
{
	VY_AUTO_JSON *list = get_list(l, session, name, NULL);

	for (size_t i = 0; i < vy_json_len(list); i++) {
		VY_AUTO_BUF bytes = VY_BUF_INIT(UNDO_BYTES + 1);
		struct vy_json *o = vy_json_at(list, i);
		char sum[2 * VY_SHA256_LEN + 1];
		mode_t mode;

		if (read_file(vy_json_cstr(o, "path"), &bytes, &mode, NULL) == 0) {
			digest(vy_buf_str(&bytes), mode, sum);
			vy_json_set_c(o, "after", sum);
		}
	}
	if (list) {
		put_list(l, session, name, list);
	}
}

int undo_check(struct log *l, struct vy_str session, const char *name, struct vy_err *e)
{
	VY_AUTO_JSON *list = get_list(l, session, name, e);

	for (size_t i = 0; i < vy_json_len(list); i++) {
		VY_AUTO_BUF bytes = VY_BUF_INIT(UNDO_BYTES + 1);
		const struct vy_json *o = vy_json_at(list, i);
		char sum[2 * VY_SHA256_LEN + 1];
		mode_t mode;

		if (!vy_json_get(o, "after")) {
			continue;
		}
		if (read_file(vy_json_cstr(o, "path"), &bytes, &mode, e) != 0) {
			return -1;
		}
		digest(vy_buf_str(&bytes), mode, sum);
		if (!vy_str_is(vy_json_str(o, "after"), sum)) {
			return vy_fail(e, VY_CONFLICT,
				"%s was changed since it was put back: move it away, then redo",
				vy_json_cstr(o, "path"));
		}
	}
	return list ? 0 : -1;
}

/* ---- written ---- */

static void beside(const char *path, char out[4200])
{
	snprintf(out, 4200, "%s.vyre-redo", path);
}

static int write_beside(const char *path, mode_t mode, struct vy_str bytes, struct vy_err *e)
{
	char tmp[4200];

	beside(path, tmp);
	(void)unlink(tmp);
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		return vy_fail_errno(e, errno, "writing %s", path);
	}
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n <= 0) {
			int err = errno;

			close(fd);
			(void)unlink(tmp);
			return vy_fail_errno(e, err, "writing %s", path);
		}
		bytes = vy_str_from(bytes, (size_t)n);
	}
	(void)!fchmod(fd, mode & 07777);
	return close(fd) == 0 ? 0 : vy_fail_errno(e, errno, "writing %s", path);
}

static int write_one(struct log *l, struct vy_str session, const char *name, size_t i,
	const struct vy_json *o, struct vy_err *e)
{
	VY_AUTO_BUF bytes = VY_BUF_INIT(UNDO_BYTES + 1);
	mode_t mode = (mode_t)vy_json_int(o, "mode", 0);
	char ref[128];

	ref_of(ref, name, i);
	if (!mode) {
		return 0;
	}
	return get(l, session, ref, &bytes, e) != 0
		       ? -1
		       : write_beside(vy_json_cstr(o, "path"), mode, vy_buf_str(&bytes), e);
}

static void move_one(const struct vy_json *o)
{
	const char *path = vy_json_cstr(o, "path");
	char tmp[4200];

	beside(path, tmp);
	if (vy_json_int(o, "mode", 0)) {
		(void)rename(tmp, path);
	} else {
		(void)unlink(path);
	}
}

int undo_write(struct log *l, struct vy_str session, const char *name, struct vy_err *e)
{
	VY_AUTO_JSON *list = get_list(l, session, name, e);
	size_t n = vy_json_len(list);

	for (size_t i = 0; i < n; i++) {
		if (write_one(l, session, name, i, vy_json_at(list, i), e) == 0) {
			continue;
		}
		for (size_t k = 0; k < i; k++) {
			char tmp[4200];

			beside(vy_json_cstr(vy_json_at(list, k), "path"), tmp);
			(void)unlink(tmp);
		}
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		move_one(vy_json_at(list, i));
	}
	return list ? 0 : -1;
}

/* ---- dropped ---- */

struct dropping {
	char prefix[160];
	struct vy_json *refs;
};

static bool add_ref(void *ctx, const struct store_row *row)
{
	struct dropping *d = ctx;
	size_t n = strlen(d->prefix);
	struct vy_str ref = row->output.ref;

	if (vy_str_starts(ref, d->prefix) && (ref.n == n || ref.p[n] == '/')) {
		vy_json_add_take(d->refs, vy_json_new_str(ref));
	}
	return true;
}

void undo_drop(struct log *l, struct vy_str session, const char *name)
{
	VY_AUTO_JSON *refs = vy_json_new_arr();
	struct dropping d = { .refs = refs };
	struct store_row like = { .kind = ROW_OUTPUT, .output = { .session = session } };

	snprintf(d.prefix, sizeof(d.prefix), "undo/%s", name);
	(void)!log_each(l, &like, add_ref, &d, NULL);
	for (size_t i = 0; i < vy_json_len(refs); i++) {
		LOG_DEL(l, ROW_OUTPUT, output, .session = session,
			.ref = vy_json_strval(vy_json_at(refs, i)));
	}
}
