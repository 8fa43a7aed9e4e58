/* tidy.c -- see tidy.h. */
#include "tui/app/tidy.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/model/state.h"
#include "tui/net/keep.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

#define DAY_MS     (24 * 3600 * 1000LL)
#define OWNERS     "owners"
#define OWNERS_MAX (1024 * 1024)
#define TOLD_MAX   (2 * 1024 * 1024) /* a longer draft is never the server's too */
#define DRAFT_END  ".draft"

/* ---- what the server knows ---- */

struct tidying {
	const struct tidy_known *known;
	struct vy_json *lives;  /* {session: it lives} */
	struct vy_json *owners; /* {session: epoch}, as it was */
	struct vy_json *fresh;  /* as it will be */
	int removed;
};

static bool is_living(const struct vy_json *record)
{
	enum vy_record r = VY_RECORD_IDLE;

	vy_record_parse(vy_json_str(record, "state"), &r);
	return !vy_json_bool(record, "archived", false) && r != VY_RECORD_STOPPED &&
	       r != VY_RECORD_FAILED;
}

static void add_known(struct tidying *t, const struct vy_json *records)
{
	for (size_t i = 0; i < vy_json_len(records); i++) {
		const struct vy_json *r = vy_json_at(records, i);
		const char *id = vy_json_cstr(r, "session");

		if (id) {
			vy_json_set_bool(t->lives, id, is_living(r));
		}
	}
}

/* ---- one file ---- */

enum folder { DRAFTS, PASTES };

/* The session in a file's name: "SESSION.draft", "SESSION-….txt". */
static bool session_of(enum folder f, const char *name, char out[VY_UUID_LEN + 1])
{
	size_t n = strlen(name);
	const char *end = name + VY_UUID_LEN;

	if (n <= VY_UUID_LEN || !vy_is_uuid(vy_str_n(name, VY_UUID_LEN)) ||
		(f == DRAFTS ? strcmp(end, DRAFT_END) != 0 : *end != '-')) {
		return false;
	}
	memcpy(out, name, VY_UUID_LEN);
	out[VY_UUID_LEN] = '\0';
	return true;
}

static bool is_old(const struct tidying *t, int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       st.st_mtime * 1000LL < t->known->now_ms - TIDY_DAYS * DAY_MS;
}

/* Has the server this draft too? */
static bool is_told(const char *dir, const char *name)
{
	VY_AUTO_BUF text = VY_BUF_INIT(TOLD_MAX);
	VY_AUTO_JSON *doc =
		keep_read(dir, name, &text) ? vy_json_parse(vy_buf_str(&text), NULL) : NULL;

	return vy_json_bool(doc, "sent", false);
}

static bool goes(const struct tidying *t, enum folder f, const char *path, const char *name,
	const char *session)
{
	bool is_known = vy_json_get(t->lives, session) != NULL;

	if (!is_known) {
		return vy_str_is(vy_json_str(t->owners, session), t->known->epoch);
	}
	return !vy_json_bool(t->lives, session, true) && (f == PASTES || is_told(path, name));
}

static void note_owner(struct tidying *t, const char *session)
{
	if (vy_json_get(t->lives, session)) {
		vy_json_set_c(t->fresh, session, t->known->epoch);
	} else if (vy_json_get(t->owners, session)) {
		vy_json_set_str(t->fresh, session, vy_json_str(t->owners, session));
	}
}

static void look_at(struct tidying *t, enum folder f, int dir, const char *path, const char *name)
{
	char session[VY_UUID_LEN + 1] = "";
	bool has_session = session_of(f, name, session);
	bool is_shown = t->known->shown && strcmp(session, t->known->shown) == 0;

	/* ".NAME.XXXXXX": a write that a crash cut off */
	bool may_go = has_session ? !is_shown && goes(t, f, path, name, session)
				  : name[0] == '.' && name[1] && name[1] != '.';

	if (may_go && t->removed < TIDY_REMOVED && is_old(t, dir, name) &&
		unlinkat(dir, name, 0) == 0) {
		t->removed++;
	} else if (has_session) {
		note_owner(t, session);
	}
}

/* ---- the folders ---- */

/* False: there are more files than are looked at. */
static bool look_through(struct tidying *t, enum folder f, const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *e;
	int n = 0;

	while (d && n < TIDY_LOOKED && (e = readdir(d))) {
		look_at(t, f, dirfd(d), path, e->d_name);
		n++;
	}
	if (d) {
		closedir(d);
	}
	return n < TIDY_LOOKED;
}

static void put_path(struct vy_buf *out, const char *state_dir, const char *name)
{
	vy_buf_clear(out);
	vy_buf_addf(out, "%s/%s", state_dir, name);
}

static void write_owners(const char *drafts, const struct vy_json *owners)
{
	VY_AUTO_BUF text = VY_BUF_INIT(OWNERS_MAX);
	struct vy_err e;

	/* not written: the next start looks again, and nothing goes that was not noted */
	if (access(drafts, F_OK) == 0 && vy_json_dump(owners, &text) &&
		keep_write(drafts, OWNERS, vy_buf_str(&text), &e) != 0) {
		return;
	}
}

int tidy_folders(const char *state_dir, const struct tidy_known *k)
{
	VY_AUTO_BUF drafts = VY_BUF_INIT(8192), pastes = VY_BUF_INIT(8192);
	VY_AUTO_BUF text = VY_BUF_INIT(OWNERS_MAX);
	VY_AUTO_JSON *lives = vy_json_new_obj(), *fresh = vy_json_new_obj();
	VY_AUTO_JSON *owners = NULL;
	struct tidying t = { .known = k, .lives = lives, .fresh = fresh };

	put_path(&drafts, state_dir, "drafts");
	put_path(&pastes, state_dir, "pastes");
	if (keep_read(vy_buf_c(&drafts), OWNERS, &text)) {
		owners = vy_json_parse(vy_buf_str(&text), NULL);
	}
	t.owners = owners;
	add_known(&t, k->sessions);
	add_known(&t, k->archived);
	bool is_all = look_through(&t, DRAFTS, vy_buf_c(&drafts));

	is_all &= look_through(&t, PASTES, vy_buf_c(&pastes));
	if (k->shown) {
		note_owner(&t, k->shown); /* what is written in it comes later */
	}
	if (is_all) {
		write_owners(vy_buf_c(&drafts), fresh);
	}
	return t.removed;
}

/* ---- asking ---- */

struct tidy {
	struct tidy_conf conf;
	struct vy_timer *timer;
	struct rpc_call *call;
	bool has_begun;
	char session[VY_UUID_LEN + 1];
	char epoch[64];
	struct vy_json *sessions;
};

static bool was_today(const struct tidy *t)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	struct stat st;

	put_path(&path, t->conf.state_dir, "drafts/" OWNERS);
	return stat(vy_buf_c(&path), &st) == 0 &&
	       st.st_mtime * 1000LL > vy_wall_ms(&vy_clock_real) - DAY_MS;
}

static void on_archived(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct tidy *t = ctx;

	t->call = NULL;
	if (e->code == VY_OK && vy_json_get(result, "threads")) {
		tidy_folders(
			t->conf.state_dir, &(struct tidy_known){ .epoch = t->epoch,
						   .sessions = vy_json_get(t->sessions, "threads"),
						   .archived = vy_json_get(result, "threads"),
						   .shown = t->session,
						   .now_ms = vy_wall_ms(&vy_clock_real) });
	}
	vy_json_free(t->sessions);
	t->sessions = NULL;
}

static void on_sessions(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct tidy *t = ctx;
	struct vy_json *params = vy_json_new_obj(), *filter = vy_json_new_obj();

	t->call = NULL;
	vy_json_set_bool(filter, "archived", true);
	vy_json_take(params, "filter", filter);
	if (e->code != VY_OK || !vy_json_get(result, "threads")) {
		vy_json_free(params);
		return;
	}
	t->sessions = vy_json_copy(result);
	t->call = rpc_call(t->conf.rpc, "threads.list", params, NULL, 0, on_archived, t);
}

static void on_info(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct tidy *t = ctx;
	struct vy_str epoch = vy_json_str(result, "epoch");

	t->call = NULL;
	if (e->code == VY_OK && epoch.n && epoch.n < sizeof(t->epoch)) {
		memcpy(t->epoch, epoch.p, epoch.n);
		t->call = rpc_call(
			t->conf.rpc, "threads.list", vy_json_new_obj(), NULL, 0, on_sessions, t);
	}
}

static void on_timer(void *ctx)
{
	struct tidy *t = ctx;

	if (!was_today(t)) {
		t->call = rpc_call(t->conf.rpc, "server.info", NULL, NULL, 0, on_info, t);
	}
}

struct tidy *tidy_new(const struct tidy_conf *conf)
{
	struct tidy *t = VY_NEW(struct tidy);

	t->conf = *conf;
	snprintf(t->session, sizeof(t->session), "%s", conf->session);
	t->timer = vy_loop_timer(conf->loop, on_timer, t);
	return t;
}

void tidy_free(struct tidy *t)
{
	if (t) {
		rpc_cancel(t->call);
		vy_timer_del(t->timer);
		vy_json_free(t->sessions);
		free(t);
	}
}

void tidy_line_up(struct tidy *t)
{
	if (!t->has_begun) {
		t->has_begun = true;
		vy_timer_set(t->timer, t->conf.wait_ms);
	}
}
