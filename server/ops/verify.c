/* verify.c -- vyred verify: is the journal as it was written?
 *
 * Only vyred can read a database that it holds, so a running one is asked, run by run
 * (server.verify); without one the database is read by ourselves. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "server/log/journal.h"
#include "server/ops/call.h"
#include "server/ops/ops.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- a running vyred ---- */

static int ask_run(const char *socket, struct journal_walk *w, struct vy_err *e)
{
	VY_AUTO_BUF params = VY_BUF_INIT(4 * VY_KIB);
	char hash[2 * VY_SHA256_LEN + 1];

	vy_hex(w->hash, sizeof(w->hash), hash);
	vy_buf_addf(&params, "{\"after\":{\"seq\":%lld,\"hash\":\"%s\"}}", (long long)w->seq, hash);
	VY_AUTO_JSON *r = ops_call(socket, "server.verify", vy_buf_c(&params), e);
	const struct vy_json *at = vy_json_get(r, "after");
	const char *why = vy_json_cstr(r, "why");

	if (!r) {
		return -1;
	}
	w->rows += vy_json_int(r, "rows", 0);
	w->erased += vy_json_int(r, "erased", 0);
	w->bad = vy_json_int(r, "bad", 0);
	snprintf(w->why, sizeof(w->why), "%s", why ? why : "");
	w->is_full = vy_json_bool(r, "more", false);
	w->seq = vy_json_int(at, "seq", w->seq);
	if (vy_hex_decode(vy_json_str(at, "hash"), w->hash, sizeof(w->hash)) != VY_SHA256_LEN) {
		return vy_fail(e, VY_BUG, "the server does not say where it stands");
	}
	return 0;
}

/* ---- alone ---- */

static int walk_alone(const char *state_dir, struct journal_walk *w, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4 * VY_KIB);
	struct log_store *store;
	struct store_row like;
	struct stat st;
	int rc;

	if (!vy_buf_addf(&path, "%s/vyre.db", state_dir) || stat(vy_buf_c(&path), &st) != 0) {
		return vy_fail(e, VY_NOT_FOUND, "there is no database in %s", state_dir);
	}
	store = store_sqlite_open_read(state_dir, e);
	if (!store) {
		return -1;
	}
	do {
		journal_walk_run(w, &like);
		rc = store->ops->each(store, &like, journal_look, w, e);
	} while (rc == 0 && w->is_full);
	store->ops->close(store);
	return rc;
}

static int walk(const char *state_dir, const char *socket, struct journal_walk *w, struct vy_err *e)
{
	do {
		if (ask_run(socket, w, e) < 0) {
			return e->code == VY_GONE && w->seq == 0 ? walk_alone(state_dir, w, e) : -1;
		}
	} while (w->is_full);
	return 0;
}

int ops_verify(const char *state_dir, const char *socket)
{
	VY_AUTO_BUF own = VY_BUF_INIT(4 * VY_KIB);
	struct journal_walk w = { 0 };
	struct vy_err e = { 0 };

	vy_buf_addf(&own, "%s/vyred.sock", state_dir);
	if (walk(state_dir, socket ? socket : vy_buf_c(&own), &w, &e) < 0) {
		fprintf(stderr, "vyred: %s\n", e.text);
		return 1;
	}
	if (w.bad != 0) {
		printf("row %lld does not fit: %s\n", (long long)w.bad, w.why);
	}
	printf("%lld rows %sfit (%lld erased)\n", (long long)w.rows, w.bad != 0 ? "before it " : "",
		(long long)w.erased);
	return w.bad != 0;
}
