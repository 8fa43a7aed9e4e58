/* m_drafts.c -- what a person has begun to write to a session and not sent: kept here, so that it is
 * there on the next screen too.
 *
 * One draft a person and session, a document of the client's. Nobody is told of a new one: a screen
 * reads it when it opens the session. `if_rev` keeps two screens from writing over each other. */
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static bool read_draft(void *ctx, const struct store_row *row)
{
	struct vy_json **out = ctx;

	*out = vy_json_parse(row->kv.value, NULL);
	return false;
}

/* {draft?, rev, updated}; NULL: there never was one. Owned. */
static int stored(struct rpc_call *c, struct vy_str name, struct vy_json **out, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("draft"), .name = name } };

	*out = NULL;
	return log_each(c->house->log, &like, read_draft, out, e);
}

static void name_of(const struct rpc_call *c, struct vy_buf *out)
{
	vy_buf_addf(out, "%s/%s", session_id(c->session), c->who->person);
}

static struct vy_json *draft_get(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_BUF name = VY_BUF_INIT(1024);
	struct vy_json *kept;

	name_of(c, &name);
	if (stored(c, vy_buf_str(&name), &kept, e) != 0) {
		return NULL;
	}
	if (!kept) {
		kept = vy_json_new_obj();
		vy_json_set_int(kept, "rev", 0);
	}
	return kept;
}

static struct vy_json *draft_set(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_BUF name = VY_BUF_INIT(1024), text = VY_BUF_INIT(VY_DRAFT_MAX);
	struct vy_json *draft = vy_json_get(c->params, "draft");
	struct vy_json *kept = NULL;

	name_of(c, &name);
	if (stored(c, vy_buf_str(&name), &kept, e) != 0) {
		return NULL;
	}
	VY_AUTO_JSON *was = kept, *now = vy_json_new_obj();
	int64_t rev = vy_json_int(was, "rev", 0);

	if (vy_json_int(c->params, "if_rev", rev) != rev) {
		c->hint = "another screen has written it since: read it with threads.draft.get";
		vy_fail(e, VY_CONFLICT, "the draft is at revision %lld", (long long)rev);
		return NULL;
	}
	if (vy_json_type(draft) == VY_JSON_OBJ) {
		vy_json_set(now, "draft", draft);
	}
	vy_json_set_int(now, "rev", rev + 1);
	vy_json_set_int(now, "updated", vy_wall_ms(c->house->clock));
	if (!vy_json_dump(now, &text) || vy_buf_is_over(&text)) {
		vy_fail(e, VY_FULL, "a draft of more than %d MiB is not kept here",
			VY_DRAFT_MAX / VY_MIB);
		return NULL;
	}
	LOG_PUT(c->house->log, ROW_KV, kv, .space = VY_STR_LIT("draft"), .name = vy_buf_str(&name),
		.value = vy_buf_str(&text));
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "rev", rev + 1);
	return o;
}

const struct rpc_handler m_drafts[] = {
	{ "threads.draft.get", draft_get },
	{ "threads.draft.set", draft_set },
	{ 0 },
};
