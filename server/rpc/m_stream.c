/* m_stream.c -- stream.open, stream.send. */
#include "server/auth/authority.h"
#include "server/auth/ticket.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
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

/* As much of a private message as a frame has room for, whatever else stands beside alg, kid and ct. */
#define ENC_MAX (200 * VY_KIB)

/* A client's client may have a member of its own there, and it is relayed; but not so deep that no
 * reader could take the frame it is in. */
#define ENC_DEPTH 8

static bool is_flat(const struct vy_json *v, int levels)
{
	const char *key;
	struct vy_json *value;

	for (size_t i = 0; vy_json_type(v) == VY_JSON_ARR && i < vy_json_len(v); i++) {
		if (levels == 0 || !is_flat(vy_json_at(v, i), levels - 1)) {
			return false;
		}
	}
	if (vy_json_type(v) == VY_JSON_OBJ) {
		VY_JSON_EACH (v, key, value) {
			if (levels == 0 || !is_flat(value, levels - 1)) {
				return false;
			}
		}
	}
	return true;
}

static int check_enc(const struct vy_json *enc, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(ENC_MAX);

	if (is_flat(enc, ENC_DEPTH) && vy_json_dump(enc, &text) && !vy_buf_is_over(&text)) {
		return 0;
	}
	return vy_fail(e, VY_BAD_INPUT, "params.enc: at most %d KiB and %d levels are allowed",
		ENC_MAX / VY_KIB, ENC_DEPTH);
}

/* As a room has it: with one person in it, the session's assistant answers what is not private and
 * mentions nobody else. */
static struct vy_json *stream_send(struct rpc_call *c, struct vy_err *e)
{
	struct session_say w = {
		.message = vy_json_str(c->params, "message"),
		.text = vy_json_str(c->params, "text"),
		.author = c->author,
		.surface = vy_str_c(c->who->surface),
		.reply_to = vy_json_str(c->params, "reply_to"),
		.parent = vy_json_str(c->params, "parent"),
		.mentions = vy_json_get(c->params, "mentions"),
		.enc = vy_json_get(c->params, "enc"),
		.when = AGENT_STEER,
	};

	if (vy_json_type(w.enc) == VY_JSON_NULL) {
		w.enc = NULL;
	}
	if ((w.text.n > 0) == (w.enc != NULL)) {
		vy_fail(e, VY_BAD_INPUT, "params: expected either text or enc");
		return NULL;
	}
	return w.enc && check_enc(w.enc, e) != 0 ? NULL : session_say(c->session, &w, e);
}

const struct rpc_handler m_stream[] = {
	{ "stream.send", stream_send },
	{ "stream.open", stream_open },
	{ 0 },
};
