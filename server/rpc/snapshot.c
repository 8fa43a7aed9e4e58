/* snapshot.c -- the rows of a session as a client takes them: whole, or a page of its end. */
#include "server/auth/authority.h"
#include "server/hub/rows.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/fold.h"
#include "shared/base/ban.h"

bool rpc_is_whole(void *ctx, const char *session, const struct vy_fold *fold)
{
	const struct session *s = table_find(ctx, vy_str_c(session), NULL);
	const struct vy_fold_state *st = vy_fold_state(fold);
	const struct record *rec = s ? session_record(s) : NULL;

	return !rec || ((int64_t)st->queued == rec->queued && (int64_t)st->asks == rec->asks &&
			       st->held == rec->held && st->running >= vy_json_len(rec->tasks));
}

static void encode(const struct vy_fold *fold, struct session *s, const struct rpc_conf *house,
	int64_t before, bool is_folded, struct vy_buf *out)
{
	VY_AUTO_JSON *record = session_json(s);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_BODY_MAX);
	struct vy_jw w = VY_JW(out);

	vy_json_dump(record, &text);
	vy_jw_obj(&w);
	vy_jw_key(&w, "record");
	vy_jw_raw(&w, vy_buf_str(&text));
	rows_write(house->log, fold, before, is_folded, &w);
	vy_jw_end_obj(&w);
}

static int may_read(const struct caller *who, const struct record *rec, struct vy_err *e)
{
	struct authority_session as = { rec->session, rec->person, rec->started_by };

	return authority_judge(who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED
		       ? 0
		       : vy_fail(e, VY_NOT_FOUND, "there is no such session");
}

int rpc_snapshot_of(const struct rpc_conf *house, const struct caller *who,
	const struct rpc_snapshot_ask *ask, struct vy_buf *out, struct vy_err *e)
{
	struct session *s = table_find(house->table, vy_str_c(ask->session), e);
	struct rows_ask rows = { .session = ask->session,
		.rows = ask->rows,
		.to = ask->to,
		.is_agent = who->kind != CALLER_PERSON,
		.is_whole = rpc_is_whole,
		.ctx = house->table };
	int64_t before = 0;

	if (!s || may_read(who, session_record(s), e) != 0) {
		return -1;
	}
	struct vy_fold *fold = vy_fold_new();
	int rc = rows_read(house->log, &rows, fold, &before, e);

	if (rc == 0) {
		encode(fold, s, house, before, ask->is_folded, out);
		if (vy_buf_is_over(out)) {
			rc = vy_fail(e, VY_FULL, "this session is too long for one snapshot");
		}
	}
	vy_fold_free(fold);
	return rc;
}
