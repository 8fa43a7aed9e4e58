/* m_stream.c -- stream.open, and the snapshot a client takes after a reset. */
#include "server/auth/authority.h"
#include "server/auth/ticket.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/arena.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"
#include "shared/base/ban.h"

static struct vy_json *stream_open(struct rpc_call *c, struct vy_err *e)
{
	const char *id = session_id(c->session);
	struct ticket_grant grant = { .caller = *c->who };
	char ticket[TICKET_LEN + 1], path[256];
	struct vy_str epoch = vy_json_str(c->params, "epoch"), as = vy_json_str(c->params, "as");
	int64_t from = vy_json_int(c->params, "from", -1);

	snprintf(grant.session, sizeof(grant.session), "%s", id);
	snprintf(grant.epoch, sizeof(grant.epoch), "%.*s", VY_STR_ARG(epoch));
	vy_random_id(9, grant.viewer);
	if (as.n && as.n < sizeof(grant.caller.surface)) {
		snprintf(
			grant.caller.surface, sizeof(grant.caller.surface), "%.*s", VY_STR_ARG(as));
	}
	if (ticket_issue(c->house->tickets, &grant, ticket, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();
	int n = snprintf(path, sizeof(path), "/v1/streams/stream/session?ticket=%s", ticket);

	if (from >= 0) {
		snprintf(path + n, sizeof(path) - (size_t)n, "&from=%lld", (long long)from);
	}
	vy_json_set_c(o, "session", id);
	vy_json_set_c(o, "ticket", ticket);
	vy_json_set_c(o, "path", path);
	vy_json_set_int(o, "head", log_head(c->house->log, id));
	vy_json_set_int(o, "floor", log_floor(c->house->log, id));
	vy_json_set_c(o, "epoch", log_epoch(c->house->log));
	vy_json_set_c(o, "viewer", grant.viewer);
	return o;
}

const struct rpc_handler m_stream[] = {
	{ "stream.open", stream_open },
	{ 0 },
};

/* ---- the snapshot ---- */

struct folding {
	struct vy_fold *fold;
	struct vy_arena arena;
};

static bool fold_one(void *ctx, struct frame_ref *ref)
{
	struct folding *f = ctx;
	struct vy_frame frame;

	vy_arena_reset(&f->arena);
	if (vy_frame_decode(frame_ref_str(ref), &f->arena, &frame, NULL) == 0) {
		vy_fold_apply(f->fold, &frame, NULL);
	}
	return true;
}

static int may_read(const struct caller *who, const struct record *rec, struct vy_err *e)
{
	struct authority_session as = { rec->session, rec->person, rec->started_by };

	return authority_judge(who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED
		       ? 0
		       : vy_fail(e, VY_NOT_FOUND, "there is no such session");
}

int rpc_snapshot_of(const struct rpc_conf *house, const struct caller *who, const char *session,
	struct vy_buf *out, struct vy_err *e)
{
	struct session *s = table_find(house->table, vy_str_c(session), e);
	struct folding f = { 0 };

	if (!s || may_read(who, session_record(s), e) != 0) {
		return -1;
	}
	f.fold = vy_fold_new();
	vy_arena_init(&f.arena);
	int rc = log_read(house->log, session, log_floor(house->log, session) - 1, fold_one, &f, e);

	if (rc == 0) {
		VY_AUTO_JSON *record = session_json(s);
		VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_BODY_MAX);
		struct vy_jw w = VY_JW(out);

		vy_json_dump(record, &text);
		vy_jw_obj(&w);
		vy_jw_key(&w, "record");
		vy_jw_raw(&w, vy_buf_str(&text));
		vy_fold_encode(f.fold, false, &w);
		vy_jw_kstr(&w, "epoch", vy_str_c(log_epoch(house->log)));
		vy_jw_end_obj(&w);
		if (vy_buf_is_over(out)) {
			rc = vy_fail(e, VY_FULL, "this session is too long for one snapshot");
		}
	}
	vy_fold_free(f.fold);
	vy_arena_fini(&f.arena);
	return rc;
}
