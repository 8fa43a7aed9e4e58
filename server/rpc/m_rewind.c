/* m_rewind.c -- going back: rewind and redo, retry and edit-retry (life.md). A person's alone, with a key. */
#include "server/rpc/handler.h"
#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static struct vy_json *threads_rewind(struct rpc_call *c, struct vy_err *e)
{
	struct session_back b = { .message = vy_json_str(c->params, "message"), .who = c->author };
	bool is_redo = vy_json_bool(c->params, "redo", false);

	if (is_redo == (b.message.n > 0)) {
		vy_fail(e, VY_BAD_INPUT, "params: expected either message or redo");
		return NULL;
	}
	if (vy_json_str(c->params, "files").n &&
		!vy_str_is(vy_json_str(c->params, "files"), "no")) {
		vy_fail(e, VY_UNSUPPORTED, "%s keeps no files to go back to",
			session_record(c->session)->provider);
		return NULL;
	}
	return is_redo ? session_redo(c->session, c->author, e) : session_rewind(c->session, &b, e);
}

/* What is said anew is a message of its own: its id comes of the key, as that of a send does. */
static struct vy_json *retry(struct rpc_call *c, struct vy_str text, struct vy_err *e)
{
	VY_AUTO_BUF seed = VY_BUF_INIT(4 * VY_KIB);
	char uuid[VY_UUID_LEN + 1];
	struct session_back b = {
		.message = vy_json_str(c->params, "message"),
		.who = c->author,
		.text = text,
	};

	vy_buf_addf(&seed, "%s %.*s", c->method->name, VY_STR_ARG(c->key));
	vy_uuid_of(vy_buf_str(&seed), uuid);
	b.uuid = vy_str_c(uuid);
	return session_retry(c->session, &b, e);
}

static struct vy_json *threads_retry(struct rpc_call *c, struct vy_err *e)
{
	return retry(c, vy_str_n(NULL, 0), e);
}

static struct vy_json *threads_edit_retry(struct rpc_call *c, struct vy_err *e)
{
	return retry(c, vy_json_str(c->params, "text"), e);
}

const struct rpc_handler m_rewind[] = {
	{ "threads.rewind", threads_rewind },
	{ "threads.retry", threads_retry },
	{ "threads.edit-retry", threads_edit_retry },
	{ 0 },
};
