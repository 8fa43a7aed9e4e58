/* epoch.c -- see epoch.h. Four rows of the space "meta": epoch, boot, clean, starts. */
#include "server/log/epoch.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/ban.h"

#define BOOT_MAX 64

static bool copy_value(void *ctx, const struct store_row *row)
{
	struct vy_buf *out = ctx;

	vy_buf_addstr(out, row->kv.value);
	return false;
}

static int meta_get(struct log_store *s, const char *name, struct vy_buf *out, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("meta"), .name = vy_str_c(name) } };

	vy_buf_clear(out);
	return s->ops->each(s, &like, copy_value, out, e);
}

/* Inside a transaction. */
static int meta_put(struct log_store *s, const char *name, const char *value, struct vy_err *e)
{
	struct store_row row = { .kind = ROW_KV,
		.kv = { VY_STR_LIT("meta"), vy_str_c(name), vy_str_c(value) } };

	return s->ops->put(s, &row, e);
}

static int kernel_boot(char out[BOOT_MAX], struct vy_err *e)
{
	static const char path[] = "/proc/sys/kernel/random/boot_id";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, BOOT_MAX - 1);

	if (n < 0) {
		vy_fail_errno(e, errno, "reading %s", path);
	}
	if (fd >= 0) {
		close(fd);
	}
	if (n < 0) {
		return -1;
	}
	out[n > 0 && out[n - 1] == '\n' ? n - 1 : n] = '\0';
	return 0;
}

static void note_failure(void *ctx, const struct vy_err *failed)
{
	if (failed) {
		*(struct vy_err *)ctx = *failed;
	}
}

/* It must be on the disk before the first frame is: else a power cut could bring back the clean
 * mark of before, together with a log that lost its end. */
static int sync_now(struct log_store *s, struct vy_err *e)
{
	struct vy_err failed = { 0 };

	s->ops->sync(s, note_failure, &failed);
	s->ops->drain(s);
	return failed.code == VY_OK ? 0 : vy_fail(e, failed.code, "%s", failed.text);
}

static int write_open(
	struct log_store *s, const struct epoch *ep, const char *boot, struct vy_err *e)
{
	char starts[24];

	snprintf(starts, sizeof(starts), "%lld", (long long)ep->starts);
	if (s->ops->begin(s, e) < 0 || meta_put(s, "epoch", ep->epoch, e) < 0 ||
		meta_put(s, "boot", boot, e) < 0 || meta_put(s, "clean", "0", e) < 0 ||
		meta_put(s, "starts", starts, e) < 0 || s->ops->commit(s, e) < 0) {
		return -1;
	}
	return sync_now(s, e);
}

int epoch_open(struct log_store *s, const char *boot_id, struct epoch *out, struct vy_err *e)
{
	VY_AUTO_BUF v = VY_BUF_INIT(BOOT_MAX);
	char boot[BOOT_MAX];
	long long starts = 0;
	bool is_same_boot;

	*out = (struct epoch){ 0 };
	if (boot_id) {
		snprintf(boot, sizeof(boot), "%s", boot_id);
	} else if (kernel_boot(boot, e) < 0) {
		return -1;
	}
	if (meta_get(s, "starts", &v, e) < 0) {
		return -1;
	}
	vy_parse_i64(vy_buf_str(&v), &starts);
	out->starts = starts + 1;
	if (meta_get(s, "boot", &v, e) < 0) {
		return -1;
	}
	is_same_boot = vy_str_is(vy_buf_str(&v), boot);
	if (meta_get(s, "clean", &v, e) < 0) {
		return -1;
	}
	out->was_clean = !vy_str_is(vy_buf_str(&v), "0");
	if (meta_get(s, "epoch", &v, e) < 0) {
		return -1;
	}
	if (v.len == STORE_EPOCH_LEN && (out->was_clean || is_same_boot)) {
		memcpy(out->epoch, v.data, STORE_EPOCH_LEN);
	} else {
		vy_random_id(STORE_EPOCH_LEN * 3 / 4, out->epoch);
		out->was_renewed = v.len > 0;
	}
	return write_open(s, out, boot, e);
}

void epoch_read(struct log_store *s, struct epoch *out)
{
	VY_AUTO_BUF v = VY_BUF_INIT(BOOT_MAX);
	long long starts = 0;

	*out = (struct epoch){ 0 };
	if (meta_get(s, "starts", &v, NULL) == 0) {
		vy_parse_i64(vy_buf_str(&v), &starts);
	}
	out->starts = starts + 1;
	if (meta_get(s, "epoch", &v, NULL) == 0 && v.len == STORE_EPOCH_LEN) {
		memcpy(out->epoch, v.data, STORE_EPOCH_LEN);
	} else {
		vy_random_id(STORE_EPOCH_LEN * 3 / 4, out->epoch);
		out->was_renewed = true;
	}
}

int epoch_close(struct log_store *s, struct vy_err *e)
{
	return s->ops->begin(s, e) < 0 || meta_put(s, "clean", "1", e) < 0 ||
			       s->ops->commit(s, e) < 0
		       ? -1
		       : 0;
}

int epoch_renew(struct log_store *s, struct vy_err *e)
{
	char epoch[STORE_EPOCH_LEN + 1];

	vy_random_id(STORE_EPOCH_LEN * 3 / 4, epoch);
	return s->ops->begin(s, e) < 0 || meta_put(s, "epoch", epoch, e) < 0 ||
			       s->ops->commit(s, e) < 0
		       ? -1
		       : 0;
}
