/* m_server.c -- server.info, server.backup, server.verify, rpc.discover, providers.list. */
#include "server/log/backup.h"
#include "server/log/journal.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/rpc/protocol.h"
#include "shared/base/ban.h"

static struct vy_json *limits_json(void)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "frame", VY_FRAME_MAX);
	vy_json_set_int(o, "frame_text", VY_FRAME_TEXT_MAX);
	vy_json_set_int(o, "body", VY_RPC_BODY_MAX);
	vy_json_set_int(o, "text", VY_SEND_TEXT_MAX);
	vy_json_set_int(o, "queue", VY_QUEUE_MAX);
	vy_json_set_int(o, "batch", VY_RPC_BATCH_MAX);
	return o;
}

static struct vy_json *rpc_discover(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_BODY_MAX);
	struct vy_jw w = VY_JW(&text);

	vy_methods_discover(c->methods, &w);
	return vy_json_parse(vy_buf_str(&text), e);
}

static struct vy_json *provider_json(
	const struct rpc_call *c, const struct provider_conf *pc, const char *path)
{
	const struct provider_ops *ops = provider_find(pc->kind);
	struct vy_json *o = vy_json_new_obj();
	struct vy_arena a;

	vy_arena_init(&a);
	const char *missing = ops->missing(pc, path, &a);

	vy_json_set_c(o, "name", pc->name);
	vy_json_set_c(o, "driver", pc->kind);
	vy_json_set_bool(o, "available", missing == NULL);
	vy_json_set_c(o, "why", missing);
	vy_json_set_c(o, "version", ops->tested);
	if (ops->is_paid && c->who->kind == CALLER_PERSON) {
		vy_json_take(o, "credentials", table_credentials(c->house->table, pc));
	}
	vy_arena_fini(&a);
	return o;
}

/* Where a person's programs are; another caller may not have us look for files. */
static struct vy_json *providers_json(const struct rpc_call *c)
{
	struct vy_json *list = vy_json_new_arr();
	const struct provider_conf *pc;
	const char *path = vy_json_cstr(vy_json_get(c->params, "env"), "PATH");

	if (!path || c->who->kind != CALLER_PERSON) {
		path = c->house->path;
	}
	for (size_t i = 0; (pc = c->house->provider(c->house->ctx, i)); i++) {
		vy_json_add_take(list, provider_json(c, pc, path));
	}
	return list;
}

static struct vy_json *providers_list(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *o = vy_json_new_obj();

	(void)e;
	vy_json_take(o, "providers", providers_json(c));
	return o;
}

struct vy_json *rpc_paused(const struct rpc_call *c)
{
	struct log_pause pause;
	struct vy_json *o;

	if (c->who->kind == CALLER_UNKNOWN || !log_pause(c->house->log, &pause)) {
		return NULL; /* it names files of ours */
	}
	o = vy_json_new_obj();
	vy_json_set_c(o, "reason", pause.reason);
	vy_json_set_c(o, "note", pause.note);
	return o;
}

static struct vy_json *server_info(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *o = vy_json_new_obj(), *protocol = vy_json_new_obj();

	(void)e;
	vy_json_set_int(protocol, "min", VY_PROTOCOL_MIN);
	vy_json_set_int(protocol, "max", VY_PROTOCOL_MAX);
	vy_json_set_c(o, "name", "vyred");
	vy_json_set_c(o, "version", c->house->version);
	vy_json_take(o, "protocol", protocol);
	vy_json_set_int(o, "methods", (int64_t)vy_methods_len(c->methods));
	vy_json_take(o, "limits", limits_json());
	vy_json_set_int(
		o, "sessions", c->who->kind == CALLER_UNKNOWN ? 0 : table_count(c->house->table));
	vy_json_take(o, "providers", providers_json(c));
	vy_json_set_int(o, "started", c->house->started_ms);
	vy_json_set_c(o, "epoch", log_epoch(c->house->log));
	vy_json_take(o, "paused", rpc_paused(c));
	return o;
}

/* With a path it begins one; either way it says how the last one goes. */
static struct vy_json *server_backup(struct rpc_call *c, struct vy_err *e)
{
	static const char *const words[] = { "none", "running", "done", "failed" };
	const char *path = vy_json_cstr(c->params, "path");
	struct backup_view v;

	if (!c->house->backup) {
		vy_fail(e, VY_UNSUPPORTED, "this server makes no backups");
		return NULL;
	}
	if (path && backup_start(c->house->backup, path, e) != 0) {
		return NULL;
	}
	backup_look(c->house->backup, &v);

	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "state", words[v.state]);
	vy_json_set_c(o, "path", v.path);
	vy_json_set_int(o, "copied", v.copied);
	vy_json_set_int(o, "total", v.total);
	vy_json_set_c(o, "why", v.why);
	return o;
}

/* A run of the journal, from where the last one ended; "rows" and "erased" are this run's. */
static struct vy_json *server_verify(struct rpc_call *c, struct vy_err *e)
{
	const struct vy_json *from = vy_json_get(c->params, "after");
	struct journal_walk w = { .seq = vy_json_int(from, "seq", 0) };
	char hash[2 * VY_SHA256_LEN + 1];
	struct store_row like;

	if (from &&
		vy_hex_decode(vy_json_str(from, "hash"), w.hash, sizeof(w.hash)) != VY_SHA256_LEN) {
		vy_fail(e, VY_BAD_INPUT, "params.after.hash: expected 64 hexadecimal digits");
		return NULL;
	}
	journal_walk_run(&w, &like);
	if (log_each(c->house->log, &like, journal_look, &w, e) < 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj(), *at = vy_json_new_obj();

	vy_hex(w.hash, sizeof(w.hash), hash);
	vy_json_set_int(o, "rows", w.rows);
	vy_json_set_int(o, "erased", w.erased);
	vy_json_set_bool(o, "more", w.is_full);
	vy_json_set_int(at, "seq", w.seq);
	vy_json_set_c(at, "hash", hash);
	vy_json_take(o, "after", at);
	if (w.bad != 0) {
		vy_json_set_int(o, "bad", w.bad);
		vy_json_set_c(o, "why", w.why);
	}
	return o;
}

const struct rpc_handler m_server[] = {
	{ "server.verify", server_verify },
	{ "server.backup", server_backup },
	{ "server.info", server_info },
	{ "rpc.discover", rpc_discover },
	{ "providers.list", providers_list },
	{ 0 },
};
