/* m_rewind.c -- going back: rewind and redo, retry and edit-retry, branch and fork (life.md). A person's
 * alone, with a key. What needs the agent or takes its time is told later. */
#include "server/rpc/handler.h"

#include <stdlib.h>

#include "server/session/table.h"
#include "server/session/table_copy.h"
#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- rewind ---- */

static void on_files(void *ctx, struct vy_json *own_answer, const struct vy_err *why)
{
	rpc_told(ctx, own_answer, why);
}

static struct vy_json *with_files(
	struct rpc_call *c, const struct session_back *b, bool is_redo, struct vy_err *e)
{
	struct rpc_later *later = rpc_later(c);
	bool is_dry = vy_str_is(vy_json_str(c->params, "files"), "dry");
	int rc = is_redo ? session_redo_files(c->session, b, on_files, later, e)
			 : session_rewind_files(c->session, b, is_dry, on_files, later, e);

	if (rc != 0) {
		rpc_told(later, NULL, e);
	}
	return NULL;
}

static struct vy_json *threads_rewind(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str files = vy_json_str(c->params, "files");
	struct session_back b = {
		.message = vy_json_str(c->params, "message"), .who = c->author, .key = c->key
	};
	bool is_redo = vy_json_bool(c->params, "redo", false);

	if (is_redo == (b.message.n > 0)) {
		vy_fail(e, VY_BAD_INPUT, "params: expected either message or redo");
		return NULL;
	}
	if (is_redo ? session_redo_has_files(c->session, c->key)
		    : files.n > 0 && !vy_str_is(files, "no")) {
		return with_files(c, &b, is_redo, e);
	}
	return is_redo ? session_redo(c->session, c->author, e) : session_rewind(c->session, &b, e);
}

/* ---- said anew ---- */

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

	vy_buf_addf(
		&seed, "%s %s %.*s", session_id(c->session), c->method->name, VY_STR_ARG(c->key));
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

/* ---- copies ---- */

struct copied {
	struct rpc_later *later;
	struct vy_json *words; /* {text, images?}, beside a branch's record; NULL: a fork */
};

static void on_copied(void *ctx, struct session *made, const struct vy_err *why)
{
	struct copied *x = ctx;
	struct vy_json *o = made ? session_json(made) : NULL;
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (o ? x->words : NULL, key, value) {
		vy_json_set(o, key, value);
	}
	vy_json_free(x->words);
	rpc_told(x->later, o, why);
	free(x);
}

static struct vy_json *copy(struct rpc_call *c, struct vy_json *own_words, struct vy_err *e)
{
	const struct table_copy what = { .from = c->session,
		.person = vy_str_c(c->who->person),
		.message = vy_json_str(c->params, "message") };
	struct copied *x = VY_NEW(struct copied);

	x->later = rpc_later(c);
	x->words = own_words;
	if (table_copy(c->house->table, &what, on_copied, x, e) != 0) {
		on_copied(x, NULL, e);
	}
	return NULL;
}

static struct vy_json *threads_branch(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *words = session_words(c->session, vy_json_str(c->params, "message"), e);

	return words ? copy(c, words, e) : NULL;
}

static struct vy_json *threads_fork(struct rpc_call *c, struct vy_err *e)
{
	return copy(c, NULL, e);
}

const struct rpc_handler m_rewind[] = {
	{ "threads.rewind", threads_rewind },
	{ "threads.retry", threads_retry },
	{ "threads.edit-retry", threads_edit_retry },
	{ "threads.branch", threads_branch },
	{ "threads.fork", threads_fork },
	{ 0 },
};
