/* rpc.c -- see rpc.h.
 *
 * A request becomes a `pending`: the answers of its calls, written one by one, sent when the log
 * has committed. Keys of writes that are done but not committed yet stand in a short list beside
 * the store, so a second one in the same loop turn finds them too. */
#include "server/rpc/rpc.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "server/auth/authority.h"
#include "server/files/folder.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/rpc/keys.h"
#include "server/session/table.h"
#include "server/term/terms.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/rpc/envelope.h"
#include "shared/rpc/msg.h"
#include "shared/base/ban.h"

#define ANSWER_MAX VY_RPC_ANSWER_MAX
#define ANSWER_ROOM                                                                                \
	(128 * VY_KIB) /* in a batch, so that each of the others gets at least an error */

struct rpc_method {
	rpc_handler_fn *fn;
	bool has_session, has_ask, has_term; /* are its parameters; an unknown one is ignored */
};

struct rpc {
	struct rpc_conf conf;
	struct vy_methods *methods;
	struct rpc_method *table; /* by the method's place in `methods` */
	struct keys *keys;
	LIST_HEAD(later_list, rpc_later) laters;
	struct folder *folder; /* m_files.c: the list read last */
};

struct pending {
	struct rpc *rpc;
	uint64_t request;
	int status;
	bool has_written; /* some call of it was one that writes */
	bool is_batch;
	size_t open; /* calls that are told later, and who builds it */
	struct vy_jw w;
	struct vy_buf body;
};

/* A call of a pending request that is not answered yet. */
struct rpc_later {
	struct pending *pending; /* NULL: the room is gone */
	struct vy_json *id;      /* NULL: a notification */
	struct key_name *name;   /* the key its answer is kept under; NULL: none */
	struct rpc_later *first; /* whose answer this one waits for; NULL: its own */
	bool *is_told;           /* while its call runs: set when it is told in it */
	LIST_ENTRY(rpc_later) link;
};

/* ---- building ---- */

static rpc_handler_fn *handler_of(const char *method)
{
	static const struct rpc_handler *const families[] = { m_server, m_stream, m_threads,
		m_queue, m_asks, m_files, m_drafts, m_agent, m_history, m_search, m_control,
		m_generation, m_slots, m_rewind, m_models, m_budget, m_term, m_adopt, m_hook };

	for (size_t i = 0; i < VY_COUNT(families); i++) {
		for (const struct rpc_handler *h = families[i]; h->method; h++) {
			if (strcmp(h->method, method) == 0) {
				return h->fn;
			}
		}
	}
	return NULL;
}

struct rpc *rpc_new(const struct rpc_conf *conf)
{
	struct rpc *r = VY_NEW(struct rpc);

	r->conf = *conf;
	r->methods = vy_methods_new();
	r->table = vy_calloc(vy_methods_len(r->methods), sizeof(*r->table));
	for (size_t i = 0; i < vy_methods_len(r->methods); i++) {
		const struct vy_method *m = vy_methods_at(r->methods, i);

		r->table[i].fn = handler_of(m->name);
		r->table[i].has_session = strstr(m->params_text, "session: id") ||
					  strstr(m->params_text, "session?: id");
		r->table[i].has_ask = strstr(m->params_text, "ask: id") != NULL;
		r->table[i].has_term = strstr(m->params_text, "term: id") != NULL;
		vy_assert(r->table[i].fn != NULL);
	}
	r->keys = keys_new(conf->log, conf->clock);
	LIST_INIT(&r->laters);
	return r;
}

/* Whoever owes them an answer may still give it. */
static void drop_laters(struct rpc *r)
{
	struct rpc_later *l;

	while ((l = LIST_FIRST(&r->laters))) {
		struct pending *p = l->pending;

		vy_assert(p != NULL); /* who has none is in no list */
		LIST_REMOVE(l, link);
		l->pending = NULL;
		if (--p->open == 0) {
			vy_buf_fini(&p->body);
			free(p);
		}
	}
}

void rpc_free(struct rpc *r)
{
	if (!r) {
		return;
	}
	drop_laters(r);
	keys_free(r->keys);
	folder_free(r->folder);
	vy_methods_free(r->methods);
	free(r->table);
	free(r);
}

/* ---- judging ---- */

static int judge(struct rpc_call *c, bool names, struct vy_err *e)
{
	const struct record *rec = c->session ? session_record(c->session) : NULL;
	struct authority_session as = { 0 };

	if (rec) {
		as = (struct authority_session){ rec->session, rec->person, rec->started_by };
	}
	switch (authority_judge(
		c->who, c->method->reach, c->method->writes, names, rec ? &as : NULL)) {
	case AUTHORITY_ALLOWED: return 0;
	case AUTHORITY_PERSON_ONLY:
		return vy_fail(e, VY_PERSON_ONLY, "Only a person can call %s", c->method->name);
	case AUTHORITY_DENIED:
		return vy_fail(e, VY_DENIED, "%s may not be called on this session by you",
			c->method->name);
	case AUTHORITY_NO_METHOD:
		return vy_fail(e, VY_UNSUPPORTED, "there is no method %s here", c->method->name);
	case AUTHORITY_NOT_FOUND: break;
	}
	return vy_fail(e, VY_NOT_FOUND, "there is no such %s",
		vy_json_get(c->params, "ask")    ? "question"
		: vy_json_get(c->params, "term") ? "terminal"
						 : "session");
}

bool rpc_may(struct rpc *r, const struct caller *who, const char *session)
{
	struct session *s = NULL;
	struct authority_session as = { 0 };
	struct vy_err e = { 0 };

	if (who->kind == CALLER_UNKNOWN ||
		(who->session[0] && !table_find(r->conf.table, vy_str_c(who->session), &e))) {
		return false;
	}
	if (session[0] && (s = table_find(r->conf.table, vy_str_c(session), &e))) {
		const struct record *rec = session_record(s);

		as = (struct authority_session){ rec->session, rec->person, rec->started_by };
	}
	return authority_judge(who, VY_REACH_ANYONE, false, session[0] != '\0', s ? &as : NULL) ==
	       AUTHORITY_ALLOWED;
}

static int find_session(struct rpc *r, struct rpc_call *c, const struct rpc_method *m, bool *names,
	struct vy_err *e)
{
	struct vy_str id = vy_json_str(c->params, m->has_session ? "session" : "");
	struct vy_str ask = vy_json_str(c->params, m->has_ask ? "ask" : "");
	struct vy_str term = vy_json_str(c->params, m->has_term ? "term" : "");

	*names = id.n > 0 || ask.n > 0 || term.n > 0;
	if (id.n) {
		c->session = table_find(r->conf.table, id, e);
	} else if (ask.n) {
		c->session = table_find_by_ask(r->conf.table, ask, e);
	} else if (term.n) {
		const struct term_facts *f = r->conf.terms ? terms_get(r->conf.terms, term) : NULL;

		vy_fail(e, VY_NOT_FOUND, "there is no such terminal");
		c->session = f ? table_find(r->conf.table, vy_str_c(f->session), e) : NULL;
	}
	/* What is damaged is said as such, to a person; what is not there is judged like what may
	 * not be read. */
	return *names && !c->session && e->code != VY_NOT_FOUND && c->who->kind == CALLER_PERSON
		       ? -1
		       : 0;
}

/* One with that key is under way: its answer is this one's too. 1: joined. */
static int join(struct rpc *r, struct rpc_call *c, const struct key_name *n, struct vy_err *e)
{
	struct rpc_later *l;

	LIST_FOREACH (l, &r->laters, link) {
		if (!l->name || !key_name_is(l->name, n)) {
			continue;
		}
		if (strcmp(l->name->input, n->input) != 0) {
			return vy_fail(e, VY_CONFLICT,
				"this idempotency key was used for another request");
		}
		if (!c->pending) {
			return 0;
		}
		rpc_later(c)->first = l;
		return 1;
	}
	return 0;
}

static struct vy_json *run_handler(
	struct rpc *r, struct rpc_call *c, rpc_handler_fn *fn, struct vy_err *e)
{
	struct vy_json *result = NULL;

	if (!c->method->writes || c->key.n == 0) {
		return fn(c, e);
	}
	struct key_name *name = key_name_new(c->who, c->method->name, c->key, c->params);
	int known = keys_find(r->keys, name, &result, e);

	if (known == 0) {
		known = join(r, c, name, e);
	} else if (known > 0) {
		vy_json_set_bool(result, "replayed", true);
	}
	if (known == 0 && (result = fn(c, e))) {
		keys_keep(r->keys, name, result);
	} else if (known == 0 && c->later && !c->is_told) {
		c->later->name = name; /* kept with its answer */
		name = NULL;
	}
	key_name_free(name);
	return result;
}

/* Caller, reach, schema, access, key, handler: the order wire 2 says. */
static struct vy_json *do_call(
	struct rpc *r, struct rpc_call *c, const struct rpc_method *m, struct vy_err *e)
{
	bool names = false;
	struct vy_err why = { 0 };
	char author[VY_UUID_LEN + CALLER_ID_MAX];

	if (judge(c, false, e) != 0) {
		return NULL;
	}
	if (vy_method_check(c->method, c->params, e) != 0) {
		return NULL;
	}
	if (find_session(r, c, m, &names, &why) != 0) {
		*e = why;
		return NULL;
	}
	if (judge(c, names, e) != 0) {
		return NULL;
	}
	if (c->method->key == VY_KEY_REQUIRED && c->key.n == 0) {
		vy_fail(e, VY_BAD_INPUT, "%s needs an idempotency key", c->method->name);
		return NULL;
	}
	struct log_pause pause;

	if (c->method->writes && log_is_read_only(r->conf.log) && log_pause(r->conf.log, &pause)) {
		vy_fail(e, VY_CORRUPT, "%s", pause.note);
		return NULL;
	}
	caller_author(c->who, author);
	c->author = vy_str_c(author);

	struct vy_json *result = run_handler(r, c, m->fn, e);

	c->author = vy_str_n(NULL, 0); /* it ends here */
	return result;
}

/* ---- answering ---- */

static void write_error(struct vy_jw *w, const struct vy_rpc_call *in, int code,
	const struct vy_err *e, const char *hint)
{
	struct vy_rpc_error err = vy_rpc_error_of(e);
	VY_AUTO_BUF args = VY_BUF_INIT(16 * VY_KIB);

	if (vy_msg_of(e)) {
		vy_msg_args(e->format, err.message, &args);
		err.msg_args = vy_buf_str(&args);
	}

	if (code) {
		err.code = code;
	}
	err.hint = vy_str_c(hint);
	vy_rpc_write_error(w, in->id, &err);
}

/* For what only a person may do the caller is placed once more, as of now. One that has gone
 * meanwhile cannot be, and is no person. */
static int place(
	struct rpc *r, struct rpc_call *c, uint64_t request, struct caller *fresh, struct vy_err *e)
{
	if (c->method->reach != VY_REACH_PERSON) {
		return 0;
	}
	if (!r->conf.place_again(r->conf.ctx, request, fresh)) {
		return vy_fail(e, VY_PERSON_ONLY,
			"Only a person can call %s, and who asked for it has gone",
			c->method->name);
	}
	snprintf(fresh->surface, sizeof(fresh->surface), "%s", c->who->surface);
	c->who = fresh;
	return 0;
}

static const struct rpc_method *method_of(
	struct rpc *r, struct rpc_call *c, struct vy_str name, struct vy_err *e)
{
	size_t at = 0;

	c->method = vy_methods_find(r->methods, name);
	if (!c->method) {
		vy_fail(e, VY_UNSUPPORTED, "there is no method %.*s", VY_STR_ARG(name));
		return NULL;
	}
	while (vy_methods_at(r->methods, at) != c->method) {
		at++;
	}
	return &r->table[at];
}

static struct vy_json *call(struct rpc *r, struct rpc_call *c, struct vy_str method,
	uint64_t request, int *code, struct vy_err *e)
{
	const struct rpc_method *m = method_of(r, c, method, e);
	struct caller fresh;

	if (!m) {
		*code = VY_RPC_NO_METHOD;
		return NULL;
	}
	struct vy_json *result = place(r, c, request, &fresh, e) == 0 ? do_call(r, c, m, e) : NULL;

	c->who = NULL; /* it may have been the one here */
	return result;
}

static void write_answer(struct vy_jw *w, const struct vy_rpc_call *in, int code,
	struct vy_json *own_result, struct vy_err *e, const char *hint)
{
	VY_AUTO_JSON *result = own_result;
	VY_AUTO_BUF text = VY_BUF_INIT(ANSWER_MAX);
	bool fits = true;

	if (!in->id && !in->bad) {
		return; /* a notification */
	}
	if (result && (!vy_json_dump(result, &text) || vy_buf_is_over(&text) ||
			      w->b->len + text.len + ANSWER_ROOM > w->b->max)) {
		fits = false;
		vy_fail(e, VY_FULL, "the answer is over %d MiB: ask for less at a time",
			ANSWER_MAX / VY_MIB);
	}
	if (result && fits) {
		vy_rpc_write_result(w, in->id, vy_buf_str(&text));
	} else {
		write_error(w, in, code, e, hint);
	}
}

static void answer(struct pending *p, const struct caller *who, const struct vy_rpc_call *in,
	struct vy_str key)
{
	struct rpc *r = p->rpc;
	struct rpc_call c = { .house = &r->conf,
		.folder = &r->folder,
		.request = p->request,
		.pending = p,
		.id = in->id,
		.methods = r->methods,
		.who = who,
		.params = in->params,
		.key = in->key.n ? in->key : key };
	struct vy_err e = in->error;
	int code = in->code;
	struct vy_json *result = in->bad ? NULL : call(r, &c, in->method, p->request, &code, &e);

	p->has_written |= c.method && c.method->writes;
	if (c.later && !c.is_told) {
		c.later->is_told = NULL;
	}
	if (!c.later) {
		write_answer(&p->w, in, code, result, &e, c.hint);
	}
}

/* What was answered is true only if it is stored; else the asker must not believe it. */
static void send_pending(void *ctx, bool committed)
{
	struct pending *p = ctx;

	if (!committed) {
		struct vy_rpc_call none = { .bad = true };
		struct vy_jw w = VY_JW(&p->body);
		struct vy_err e = { 0 };

		vy_buf_clear(&p->body);
		vy_fail(&e, VY_IO, "the server could not store this, so it was not done");
		write_error(&w, &none, 0, &e, NULL);
		p->status = 503;
	}
	VY_CRASH(RPC_REPLY);
	p->rpc->conf.reply(p->rpc->conf.ctx, p->request, p->status, vy_buf_str(&p->body));
	VY_CRASH(RPC_REPLIED);
	vy_buf_fini(&p->body);
	free(p);
}

/* All calls of it are answered: it leaves behind the commit. */
static void leave(struct pending *p)
{
	struct rpc *r = p->rpc;
	bool is_durable = r->conf.is_durable(r->conf.ctx);

	if (p->is_batch) {
		vy_jw_end_arr(&p->w);
		if (p->body.len == 2) {
			vy_buf_clear(&p->body); /* nothing but notifications */
		}
	}
	VY_CRASH(RPC_DONE);
	if (!p->has_written && (!is_durable || log_trouble(r->conf.log))) {
		log_after_read(r->conf.log, send_pending, p);
	} else if (is_durable) {
		log_after_sync(r->conf.log, send_pending, p);
	} else {
		log_after(r->conf.log, send_pending, p);
	}
}

static void one_less(struct pending *p)
{
	if (--p->open == 0) {
		leave(p);
	}
}

struct rpc_later *rpc_later(struct rpc_call *c)
{
	struct rpc_later *l = VY_NEW(struct rpc_later);

	vy_assert(c->pending != NULL);
	l->pending = c->pending;
	l->id = c->id ? vy_json_copy(c->id) : NULL;
	l->pending->open++;
	LIST_INSERT_HEAD(&c->pending->rpc->laters, l, link);
	c->later = l;
	l->is_told = &c->is_told;
	return l;
}

static void told_one(struct rpc_later *l, struct vy_json *own_result, const struct vy_err *why)
{
	struct vy_rpc_call in = { .id = l->id };
	struct vy_err e = why ? *why : (struct vy_err){ 0 };

	if (l->is_told) {
		*l->is_told = true;
	}
	if (l->pending) {
		LIST_REMOVE(l, link);
		write_answer(&l->pending->w, &in, 0, own_result, &e, NULL);
		one_less(l->pending);
	} else {
		vy_json_free(own_result);
	}
	key_name_free(l->name);
	vy_json_free(l->id);
	free(l);
}

/* Those that joined have the same, as one that was answered before. */
static void tell_joined(struct rpc *r, const struct rpc_later *first, const struct vy_json *result,
	const struct vy_err *why)
{
	struct rpc_later *l = LIST_FIRST(&r->laters), *next;

	for (; l; l = next) {
		struct vy_json *copy;

		next = LIST_NEXT(l, link);
		if (l->first != first) {
			continue;
		}
		copy = result ? vy_json_copy(result) : NULL;
		if (copy) {
			vy_json_set_bool(copy, "replayed", true);
		}
		told_one(l, copy, why);
	}
}

void rpc_told(struct rpc_later *l, struct vy_json *own_result, const struct vy_err *why)
{
	struct rpc *r = l->pending ? l->pending->rpc : NULL;

	if (r && l->name && own_result) {
		keys_keep(r->keys, l->name, own_result);
	}
	if (r) {
		tell_joined(r, l, own_result, why);
	}
	told_one(l, own_result, why);
}

void rpc_request(struct rpc *r, uint64_t request, const struct caller *who, struct vy_str body,
	struct vy_str key)
{
	struct pending *p = VY_NEW(struct pending);
	struct vy_rpc_batch batch = { 0 };
	struct vy_err e = { 0 };
	int code = 0;

	VY_CRASH(RPC_CAME);
	p->rpc = r;
	p->request = request;
	p->status = 200;
	p->open = 1; /* until all calls were begun */
	p->w = VY_JW(&p->body);
	vy_buf_init(&p->body, ANSWER_MAX);
	if (vy_rpc_parse(body, &batch, &code, &e) != 0) {
		struct vy_rpc_call none = { .bad = true };

		p->status = code == VY_RPC_PARSE_ERROR ? 400 : 200;
		write_error(&p->w, &none, code, &e, NULL);
	} else if (batch.is_batch) {
		p->is_batch = true;
		vy_jw_arr(&p->w);
		for (size_t i = 0; i < batch.n; i++) {
			answer(p, who, &batch.calls[i], vy_str_n(NULL, 0));
		}
	} else {
		answer(p, who, &batch.calls[0], key);
	}
	vy_rpc_batch_fini(&batch);
	one_less(p);
}

int rpc_open(struct rpc *r, const struct rpc_open *o, struct view *out, struct vy_err *e)
{
	struct rpc_call c = { .house = &r->conf,
		.folder = &r->folder,
		.methods = r->methods,
		.who = o->who,
		.params = o->params,
		.open = o,
		.view = out };
	const struct rpc_method *m = method_of(r, &c, vy_str_c(o->method), e);
	VY_AUTO_JSON *result = m ? do_call(r, &c, m, e) : NULL;

	return result ? 0 : -1;
}

int rpc_snapshot(struct rpc *r, const struct caller *who, const struct rpc_snapshot_ask *ask,
	struct vy_buf *out, struct vy_err *e)
{
	return rpc_snapshot_of(&r->conf, who, ask, out, e);
}
