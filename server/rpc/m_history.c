/* m_history.c -- what was said in a session, behind what its log still holds: by page, or as a document. */
#include "server/log/export.h"
#include "server/log/history.h"
#include "server/rpc/handler.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define EXPORT_INLINE VY_MIB /* more is kept as an output of the session */

static struct vy_json *threads_history(struct rpc_call *c, struct vy_err *e)
{
	const struct history_ask ask = {
		.session = vy_str_c(session_id(c->session)),
		.before = vy_json_str(c->params, "before"),
		.hides_private = c->who->kind != CALLER_PERSON,
		.limit = (size_t)vy_json_int(c->params, "limit", HISTORY_LIMIT),
	};
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_json *messages, *o;
	bool more = false;

	if (history_read(c->house->log, &ask, &text, &more, e) < 0) {
		return NULL;
	}
	messages = vy_json_parse(vy_buf_str(&text), e);
	if (!messages) {
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_take(o, "messages", messages);
	vy_json_set_bool(o, "more", more);
	return o;
}

/* The next one of that format takes its place. */
static void keep(struct rpc_call *c, enum vy_export_format f, struct vy_str text, struct vy_json *o)
{
	char ref[32];

	snprintf(ref, sizeof(ref), "export-%s", vy_export_word(f));
	LOG_PUT(c->house->log, ROW_OUTPUT, output, .session = vy_str_c(session_id(c->session)),
		.ref = vy_str_c(ref), .mime = vy_str_c(vy_export_mime(f)), .bytes = text);
	vy_json_set_c(o, "ref", ref);
	vy_json_set_int(o, "bytes", (int64_t)text.n);
}

static struct vy_json *threads_export(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_JSON *record = session_json(c->session);
	const struct vy_export_head head = {
		.session = vy_str_c(session_id(c->session)),
		.title = vy_json_str(record, "title"),
		.provider = vy_json_str(record, "provider"),
		.model = vy_json_str(record, "model"),
		.created = vy_json_int(record, "created", 0),
	};
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	enum vy_export_format f = VY_EXPORT_MD;
	struct vy_json *o;

	vy_assert(vy_export_parse(vy_json_str(c->params, "format"), &f));
	if (export_write(c->house->log, &head, f, &text, e) < 0) {
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_set_c(o, "format", vy_export_word(f));
	if (text.len > EXPORT_INLINE) {
		keep(c, f, vy_buf_str(&text), o);
	} else {
		vy_json_set_str(o, "text", vy_buf_str(&text));
	}
	return o;
}

const struct rpc_handler m_history[] = {
	{ "threads.export", threads_export },
	{ "threads.history", threads_history },
	{ 0 },
};
