/* rooms.c -- see server_in.h: builds every room, and is what they ask of each other through us. */
#include "server/main/server_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/adopt/attic.h"
#include "server/auth/proc.h"
#include "server/auth/ticket.h"
#include "server/hub/control.h"
#include "server/hub/follow.h"
#include "server/hub/hub.h"
#include "server/hub/observe.h"
#include "server/hub/ui.h"
#include "server/io/cgroup.h"
#include "server/io/peercred.h"
#include "server/io/secret.h"
#include "server/log/log.h"
#include "server/main/config.h"
#include "server/main/living.h"
#include "server/main/providers.h"
#include "server/provider/tidy.h"
#include "server/rpc/rpc.h"
#include "server/session/slots.h"
#include "server/session/table.h"
#include "server/term/terms.h"
#include "server/wire/wire.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/model/registry.h"
#include "shared/base/ban.h"

/* ---- what rooms ask of each other through us ------------------------------------------------ */

static const struct provider_conf *provider_named(void *ctx, const char *name)
{
	return config_provider(((struct server *)ctx)->config, name);
}

static const struct provider_conf *provider_at(void *ctx, size_t i)
{
	const struct config *c = ((struct server *)ctx)->config;

	return i < c->n_providers ? &c->providers[i] : NULL;
}

static bool model_said(void *ctx, const char *project, const char *purpose, const char **model)
{
	return config_model_said(((struct server *)ctx)->config, project, purpose, model);
}

static void defaults_changed(
	void *ctx, const char *what, const char *project, const char *purpose, int64_t rev)
{
	struct vy_control_defaults d = { vy_str_c(what), vy_str_c(project), vy_str_c(purpose),
		rev };

	control_of_defaults(((struct server *)ctx)->control, &d);
}

static int64_t slot_limit(void *ctx, const char *kind, const char *project)
{
	return config_slots(((struct server *)ctx)->config, kind, project);
}

static void slot_changed(void *ctx, const struct slots_item *it)
{
	static const enum vy_control_type types[] = { [SLOTS_TAKEN] = VY_CONTROL_SLOT_TAKEN,
		[SLOTS_RELEASED] = VY_CONTROL_SLOT_RELEASED,
		[SLOTS_QUEUED] = VY_CONTROL_SLOT_QUEUED };
	struct vy_control_slot slot = {
		.type = types[it->what],
		.kind = vy_str_c(slots_word(it->who.kind)),
		.project = it->who.project,
		.session = it->who.session,
		.holder = it->who.holder,
		.position = it->position,
		.has_waited = it->is_of_line,
	};

	control_of_slot(((struct server *)ctx)->control, &slot);
}

static bool goes_on(void *ctx)
{
	return ((struct server *)ctx)->config->goes_on_after_interrupt;
}

/* Half a second is an idle time, too. */
static void life_of(void *ctx, struct table_life *out)
{
	const struct config *c = ((struct server *)ctx)->config;

	out->max_live = c->max_live;
	out->idle_ms = (int64_t)(c->idle_minutes * 60000);
	out->idle_ms += out->idle_ms == 0 && c->idle_minutes > 0;
	out->has_spare = c->warm_spare;
}

static void on_viewers(void *ctx, const char *session, int viewers)
{
	(void)viewers;
	table_viewers(((struct server *)ctx)->table, session);
}

/* Bounded by the reader of the configuration. */
static uint32_t orphan_seconds(void *ctx)
{
	return (uint32_t)(((struct server *)ctx)->config->orphan_hours * 3600);
}

static bool is_durable(void *ctx)
{
	return ((struct server *)ctx)->config->is_full_durability;
}

static bool agents_may_start(void *ctx)
{
	return ((struct server *)ctx)->config->agents_may_start;
}

static const char *socket_open(void *ctx, const char *session, const char *person)
{
	struct server *s = ctx;
	struct vy_err e = { 0 };
	const char *path = s->wire ? wire_agent_socket_open(s->wire, session, person, &e) : NULL;

	if (!path) {
		vy_log(VY_LOG_WARN, "agent.socket", "session=%s why=%s", session, vy_log_q(e.text));
	}
	return path;
}

static void socket_close(void *ctx, const char *session)
{
	struct server *s = ctx;

	if (s->wire) {
		wire_agent_socket_close(s->wire, session);
	}
}

static int secret_of(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e)
{
	return secret_get(((struct server *)ctx)->paths.state_dir, name, out, e);
}

static bool has_secret(void *ctx, const char *name)
{
	return secret_is_there(((struct server *)ctx)->paths.state_dir, name);
}

static bool goes_on_after_limit(void *ctx)
{
	return ((struct server *)ctx)->config->goes_on_after_limit;
}

static const struct agent_user *agent_user_of(void *ctx)
{
	struct server *s = ctx;

	return s->agents.name ? &s->agents : NULL;
}

static int viewers_of(void *ctx, const char *session)
{
	return hub_viewers(((struct server *)ctx)->hub, session);
}

static const char *state_word(void *ctx, const char *session)
{
	return table_state_word(((struct server *)ctx)->table, session);
}

static bool place_again(void *ctx, uint64_t request, struct caller *out)
{
	return wire_place_again(((struct server *)ctx)->wire, request, out);
}

/* As what it is known: by the name that is an agent program's. */
static bool above(void *ctx, uint64_t request, struct rpc_program *out)
{
	struct server *s = ctx;
	struct caller_peer peer;
	struct caller_proc p;

	if (!wire_peer(s->wire, request, &peer) || !caller_program(&peer, &s->world, &p)) {
		return false;
	}
	*out = (struct rpc_program){ .pid = p.pid, .born = p.born };
	snprintf(out->program, sizeof(out->program), "%s", p.script[0] ? p.script : p.program);
	return true;
}

static int subscribe(void *ctx, uint64_t request, view_open_fn *open, void *open_ctx,
	char name[RPC_SUBSCRIPTION_MAX], struct vy_err *e)
{
	return wire_subscribe(((struct server *)ctx)->wire, request, open, open_ctx, name, e);
}

static bool unsubscribe(void *ctx, uint64_t request, struct vy_str name)
{
	return wire_unsubscribe(((struct server *)ctx)->wire, request, name);
}

static bool may(void *ctx, const struct caller *who, const char *session)
{
	return rpc_may(((struct server *)ctx)->rpc, who, session);
}

static void owner_changed(void *ctx, const char *session)
{
	access_changed(((struct server *)ctx)->access, session);
}

static void reply(void *ctx, uint64_t request, int status, struct vy_str body)
{
	wire_reply(((struct server *)ctx)->wire, request, status, body);
}

static void on_call(void *ctx, const struct wire_request *r)
{
	rpc_request(((struct server *)ctx)->rpc, r->id, r->who, r->body, r->key);
}

static int on_snapshot(void *ctx, const struct caller *who, const struct rpc_snapshot_ask *ask,
	struct vy_buf *out, struct vy_err *e)
{
	return rpc_snapshot(((struct server *)ctx)->rpc, who, ask, out, e);
}

static int on_view(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e)
{
	struct rpc_open o = { .who = v->who,
		.method = v->method,
		.params = v->params,
		.ready = v->ready,
		.ctx = v->ready_ctx };

	return rpc_open(((struct server *)ctx)->rpc, &o, out, e);
}

static void live_processes(void *ctx, caller_live_each_fn *each, void *arg)
{
	struct server *s = ctx;

	living_each(s->table, s->terms, each, arg);
}

/* ---- terminals ---- */

static int64_t keep_ms(void *ctx)
{
	return (int64_t)(((struct server *)ctx)->config->terminal_hours * 3600000);
}

static void tell_term(struct server *s, enum vy_control_type type, const struct term_facts *f)
{
	struct vy_control_term term = {
		.type = type,
		.session = vy_str_c(f->session),
		.term = vy_str_c(f->id),
		.why = vy_str_c(f->why),
		.pid = f->pid,
		.cols = f->cols,
		.rows = f->rows,
		.has_code = f->has_code,
		.status = f->status,
		.signal = f->signal,
	};

	control_of_term(s->control, &term);
}

static void term_opened(void *ctx, const struct term_facts *f)
{
	tell_term(ctx, VY_CONTROL_TERM_OPENED, f);
}

static void term_ended(void *ctx, const struct term_facts *f)
{
	tell_term(ctx, VY_CONTROL_TERM_ENDED, f);
}

static void term_closed(void *ctx, const struct term_facts *f)
{
	tell_term(ctx, VY_CONTROL_TERM_CLOSED, f);
}

static void term_marked(void *ctx, const struct term_facts *f, const struct marks_event *ev)
{
	struct server *s = ctx;
	struct vy_err e = { 0 };
	struct session *session = table_find(s->table, vy_str_c(f->session), &e);

	if (session) {
		session_term_marked(session, f, ev);
	}
}

static const struct terms_ops terms_ops = {
	.opened = term_opened,
	.ended = term_ended,
	.closed = term_closed,
	.marked = term_marked,
};

/* ---- building ----------------------------------------------------------------------------- */

/* Where its agents keep their sessions, as the configuration tells them; NULL: where they like. */
static const char *told(struct server *s, const char *provider, const char *variable)
{
	const struct provider_conf *pc = config_provider(s->config, provider);

	return pc ? vy_json_cstr(pc->env, variable) : NULL;
}

static struct attic *build_attic(struct server *s)
{
	const struct attic_conf ac = {
		.loop = s->loop,
		.work = s->work,
		.state_dir = s->paths.state_dir,
		.home = s->agents.name ? s->agents.home : s->me.home,
		.claude_dir = told(s, "claude", "CLAUDE_CONFIG_DIR"),
		.codex_dir = told(s, "codex", "CODEX_HOME"),
		.data_dir = told(s, "opencode", "XDG_DATA_HOME"),
		.uid = s->agents.name ? s->agents.uid : geteuid(),
	};

	return attic_new(&ac);
}

static struct table *build_table(struct server *s)
{
	struct table_conf tc = {
		.loop = s->loop,
		.terms = s->terms,
		.observe = s->observe,
		.log = s->log,
		.clock = &vy_clock_real,
		.state_dir = s->paths.state_dir,
		.attic = s->attic,
		.config_file = s->paths.config,
		.self = s->me.program,
		.home = s->me.home,
		.user = s->me.user,
		.path = s->me.path,
		.shell = s->me.shell,
		.orphan_s = orphan_seconds,
		.life = life_of,
		.provider = provider_named,
		.provider_at = provider_at,
		.model = model_said,
		.defaults = defaults_changed,
		.slot_limit = slot_limit,
		.slot = slot_changed,
		.goes_on = goes_on,
		.goes_on_after_limit = goes_on_after_limit,
		.socket_open = socket_open,
		.socket_close = socket_close,
		.secret = secret_of,
		.has_secret = has_secret,
		.agent_user = agent_user_of,
		.viewers = viewers_of,
		.ctx = s,
	};

	return table_new(&tc);
}

static struct rpc *build_rpc(struct server *s)
{
	struct rpc_conf rc = {
		.log = s->log,
		.hub = s->hub,
		.control = s->control,
		.ui = s->ui,
		.follow = s->follow,
		.observe = s->observe,
		.table = s->table,
		.attic = s->attic,
		.tickets = s->tickets,
		.terms = s->terms,
		.backup = s->backup,
		.search = s->search,
		.clock = &vy_clock_real,
		.version = PACKAGE_VERSION,
		.started_ms = vy_wall_ms(&vy_clock_real),
		.provider = provider_at,
		.path = s->me.path,
		.agents_may_start = agents_may_start,
		.is_durable = is_durable,
		.place_again = place_again,
		.above = above,
		.subscribe = subscribe,
		.unsubscribe = unsubscribe,
		.reply = reply,
		.ctx = s,
	};

	return rpc_new(&rc);
}

void server_build_rooms(struct server *s)
{
	s->hub = hub_new(s->log, s->loop);
	s->control = control_new(s->log, s->loop, &vy_clock_real);
	s->providers = providers_new(s->config, s->me.path);
	s->access = access_new(s->loop, may, s);
	control_on_owner(s->control, owner_changed, s);
	s->follow = follow_new(s->log, s->loop);
	s->tickets = ticket_table_new(&vy_clock_real);
	s->observe = observe_new(&(struct observe_conf){ .loop = s->loop,
		.clock = &vy_clock_real,
		.starts = log_starts(s->log),
		.tidy = tidy_line });
	s->terms = terms_new(&(struct terms_conf){ .loop = s->loop,
		.log = s->log,
		.clock = &vy_clock_real,
		.state_dir = s->paths.state_dir,
		.orphan_s = orphan_seconds,
		.keep_ms = keep_ms,
		.ops = &terms_ops,
		.ctx = s });
	s->attic = build_attic(s);
	s->table = build_table(s);
	hub_on_viewers(s->hub, on_viewers, s);
	struct ui_conf uc = {
		.log = s->log,
		.hub = s->hub,
		.loop = s->loop,
		.clock = &vy_clock_real,
		.is_whole = rpc_is_whole,
		.ctx = s->table,
	};

	s->ui = ui_new(&uc);
	s->rpc = build_rpc(s);
	hub_on_state(s->hub, state_word, s);
}

/* Only when systemd started this very process: else the cgroup is whose we were started from. */
static const char *own_unit(struct server *s)
{
	const char *pid = getenv("SYSTEMD_EXEC_PID");
	long long n;

	if (!pid || !vy_parse_i64(vy_str_c(pid), &n) || n != getpid()) {
		return NULL;
	}
	long len = peercred_cgroup(getpid(), s->unit, sizeof(s->unit));

	return len > 1 && (size_t)len < sizeof(s->unit) ? s->unit : NULL;
}

/* The socket is not in the folder that is ours by the lock. */
static bool is_apart(const struct server *s)
{
	size_t n = strlen(s->paths.state_dir);

	return strncmp(s->socket, s->paths.state_dir, n) != 0 || s->socket[n] != '/' ||
	       strchr(s->socket + n + 1, '/');
}

/* rpc.sock, beside the main socket. */
static int open_line(struct server *s, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	const char *slash = strrchr(s->socket, '/');

	vy_buf_addf(&path, "%.*srpc.sock", slash ? (int)(slash - s->socket) + 1 : 0, s->socket);
	return wire_listen_line(s->wire, vy_buf_c(&path), e);
}

int server_open_wire(struct server *s, struct vy_err *e)
{
	const char *listen = s->paths.listen ? s->paths.listen : s->config->listen;

	s->world.proc = proc_read;
	s->world.live = live_processes;
	s->world.ctx = s;
	s->world.uid = getuid();
	s->world.self = getpid();
	s->world.person = s->me.user;
	s->world.unit = own_unit(s);
	cgroup_open(s->world.unit);
	struct wire_conf wc = {
		.loop = s->loop,
		.clock = &vy_clock_real,
		.hub = s->hub,
		.tickets = s->tickets,
		.terms = s->terms,
		.world = &s->world,
		.access = s->access,
		.call = on_call,
		.snapshot = on_snapshot,
		.view = on_view,
		.ctx = s,
	};

	s->wire = wire_new(&wc, e);
	if (!s->wire || wire_listen_unix(s->wire, s->socket, is_apart(s), e) != 0 ||
		open_line(s, e) != 0) {
		return -1;
	}
	return listen ? wire_listen_tcp(s->wire, listen, e) : 0;
}
