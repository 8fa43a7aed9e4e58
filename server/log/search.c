/* search.c -- see search.h: reads what is new from the journal, hands it to the worker, asks. */
#include "server/log/search.h"

#include <stdlib.h>

#include "server/io/work.h"
#include "server/log/search_db.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/model/message.h"
#include "shared/model/settle.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define SOON_MS    300 /* behind an event: several come together */
#define TROUBLE_MS 3000
#define JOB_ROWS   200            /* events a job, and bytes of words */
#define JOB_BYTES  (128 * VY_KIB) /* the worker's other jobs are waited for by commits */
#define LATER_MS   30000          /* behind a disk that is full, or busy */
#define MATCH_MAX  16384
#define WORDS_MAX  32

struct search {
	struct log *log;
	struct vy_loop *loop;
	struct work *work;
	char *path, *epoch;
	struct db *writer; /* the worker's, while a job runs */
	struct db *reader;
	struct vy_timer *soon;
	int64_t mark;         /* everything up to this event is in it */
	struct vy_json *gone; /* sessions to be forgotten */
	bool is_open, is_busy, is_broken;
	bool is_merging; /* what was forgotten may still stand in the file */
};

enum job_kind { JOB_OPEN, JOB_ADD, JOB_FORGET, JOB_MERGE, JOB_CLOSE };
struct job {
	enum job_kind kind;
	struct search *s;
	struct vy_arena mem;
	struct search_item *items;
	size_t n, cap, bytes, rows;
	int64_t mark;
	struct vy_json *sessions; /* OPEN: known to the index; FORGET: to go */
	bool more;                /* MERGE */
};

static void go_on(struct search *s);

/* ---- a job ---- */

static struct job *job_new(struct search *s, enum job_kind kind)
{
	struct job *j = VY_NEW(struct job);

	j->kind = kind;
	j->s = s;
	j->mark = s->mark;
	j->sessions = vy_json_new_arr();
	vy_arena_init(&j->mem);
	return j;
}

static void job_free(struct job *j)
{
	vy_arena_fini(&j->mem);
	vy_json_free(j->sessions);
	free(j->items);
	free(j);
}

static void add_session(void *ctx, struct vy_str session)
{
	vy_json_add_take(ctx, vy_json_new_str(session));
}

static int forget_all(struct job *j, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(j->sessions); i++) {
		if (search_db_forget(j->s->writer, vy_json_strval(vy_json_at(j->sessions, i)), e) <
			0) {
			return -1;
		}
	}
	return 0;
}

/* On the worker; nobody else touches the writer. */
static int run(void *ctx, struct vy_err *e)
{
	struct job *j = ctx;
	struct search *s = j->s;
	int rc;

	switch (j->kind) {
	case JOB_OPEN:
		s->writer = search_db_open(s->path, s->epoch, &j->mark, e);
		return s->writer ? search_db_sessions(s->writer, add_session, j->sessions, e) : -1;
	case JOB_ADD: return search_db_add(s->writer, j->items, j->n, j->mark, e);
	case JOB_FORGET: return forget_all(j, e);
	case JOB_MERGE:
		rc = search_db_merge(s->writer, e);
		j->more = rc > 0;
		return rc < 0 ? -1 : 0;
	case JOB_CLOSE:
		db_close(s->writer);
		s->writer = NULL;
		return 0;
	}
	return 0;
}

static bool is_there(void *ctx, const struct store_row *row)
{
	(void)row;
	*(bool *)ctx = true;
	return false;
}

/* What was deleted while nobody could tell the index. */
static void find_gone(struct search *s, const struct vy_json *known)
{
	for (size_t i = 0; i < vy_json_len(known); i++) {
		struct vy_str id = vy_json_strval(vy_json_at(known, i));
		struct store_row like = { .kind = ROW_SESSION, .session = { .session = id } };
		bool there = false;

		if (log_each(s->log, &like, is_there, &there, NULL) == 0 && !there) {
			vy_json_add_take(s->gone, vy_json_new_str(id));
		}
	}
}

static void succeeded(struct search *s, struct job *j)
{
	switch (j->kind) {
	case JOB_OPEN:
		s->is_open = s->is_merging = true;
		s->mark = j->mark;
		find_gone(s, j->sessions);
		break;
	case JOB_ADD: s->mark = j->mark; break;
	case JOB_FORGET: s->is_merging = true; break;
	case JOB_MERGE: s->is_merging = j->more; break;
	case JOB_CLOSE: break;
	}
}

/* The sessions themselves are well, whatever becomes of their index. */
static void failed(struct search *s, struct job *j, const struct vy_err *e)
{
	bool may_pass = e->code == VY_FULL || e->code == VY_RETRY || e->code == VY_IO;

	vy_log(VY_LOG_WARN, "search", "err=%s", vy_log_q(e->text));
	if (!may_pass) {
		s->is_broken = true; /* until the next start */
		return;
	}
	for (size_t i = 0; j->kind == JOB_FORGET && i < vy_json_len(j->sessions); i++) {
		vy_json_add_take(s->gone, vy_json_ref(vy_json_at(j->sessions, i)));
	}
	vy_timer_set(s->soon, LATER_MS);
}

static void done(void *ctx, int rc, const struct vy_err *e)
{
	struct job *j = ctx;
	struct search *s = j->s;

	s->is_busy = false;
	if (rc < 0) {
		failed(s, j, e);
	} else {
		succeeded(s, j);
		go_on(s);
	}
	job_free(j);
}

static void give(struct search *s, struct job *own_j)
{
	s->is_busy = true;
	work_add(s->work, run, done, own_j);
}

/* ---- what is new ---- */

static void add_item(
	struct job *j, const struct row_journal *r, const char *role, struct vy_str text)
{
	struct search_item *it;

	j->items = vy_grow(j->items, &j->cap, j->n + 1, sizeof(*j->items));
	it = &j->items[j->n++];
	*it = (struct search_item){ r->seq, r->time, vy_arena_str(&j->mem, r->session),
		vy_arena_str(&j->mem, r->subject), vy_str_c(role), vy_arena_str(&j->mem, text) };
	j->bytes += text.n;
}

static void add_settled(struct job *j, const struct row_journal *r)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_ATTEMPT_TEXT_MAX * 2);
	struct vy_settlement s;
	struct vy_arena mem;

	vy_arena_init(&mem);
	if (vy_settlement_decode(r->data, &mem, &s, NULL) == 0) {
		for (size_t i = 0; i < s.n_blocks; i++) {
			if (!s.blocks[i].is_reasoning) {
				vy_buf_addstr(&text, s.blocks[i].text);
				vy_buf_addc(&text, '\n');
			}
		}
	}
	vy_arena_fini(&mem);
	if (text.len) {
		add_item(j, r, "assistant", vy_buf_str(&text));
	}
}

static bool take_event(void *ctx, const struct store_row *row)
{
	struct job *j = ctx;
	const struct row_journal *r = &row->journal;

	j->mark = r->seq;
	if (r->data.n && vy_str_starts(r->type, "assistant.")) {
		add_settled(j, r);
	} else if (r->data.n &&
		   (vy_str_is(r->type, "thread.sent") || vy_str_is(r->type, "thread.steered"))) {
		add_item(j, r, "user", vy_str_n(NULL, 0)); /* its words are in its record */
	}
	return ++j->rows < JOB_ROWS && j->bytes < JOB_BYTES;
}

struct record {
	struct vy_arena *mem;
	struct vy_message m;
};

static bool take_record(void *ctx, const struct store_row *row)
{
	struct record *r = ctx;

	if (vy_message_decode(row->message.doc, r->mem, &r->m, NULL) < 0) {
		r->m = (struct vy_message){ 0 };
	}
	return false;
}

static void fill_in(struct search *s, struct job *j)
{
	for (size_t i = 0; i < j->n; i++) {
		struct search_item *it = &j->items[i];
		struct store_row like = { .kind = ROW_MESSAGE,
			.message = { .session = it->session, .message = it->message } };
		struct record r = { .mem = &j->mem };

		if (it->text.n == 0 && log_each(s->log, &like, take_record, &r, NULL) == 0 &&
			r.m.enc.n == 0) {
			it->text = r.m.text;
		}
	}
}

/* The next thing to do, if there is one. */
static void go_on(struct search *s)
{
	struct store_row like = { .kind = ROW_JOURNAL, .journal = { .seq = s->mark + 1 } };
	struct job *j;

	if (s->is_busy || s->is_broken) {
		return;
	}
	if (!s->is_open) {
		give(s, job_new(s, JOB_OPEN));
		return;
	}
	if (vy_json_len(s->gone) > 0) {
		j = job_new(s, JOB_FORGET);
		vy_json_free(j->sessions);
		j->sessions = s->gone;
		s->gone = vy_json_new_arr();
		give(s, j);
		return;
	}
	if (s->is_merging) {
		give(s, job_new(s, JOB_MERGE));
		return;
	}
	j = job_new(s, JOB_ADD);
	if (log_each(s->log, &like, take_event, j, NULL) < 0 || j->mark == s->mark) {
		if (log_trouble(s->log)) {
			vy_timer_set(s->soon, TROUBLE_MS); /* it may be staged and not stored */
		}
		job_free(j);
		return;
	}
	fill_in(s, j);
	give(s, j);
}

static void on_soon(void *ctx)
{
	go_on(ctx);
}

/* An event was staged, or the end of a session. */
static void on_event(void *ctx, struct vy_str deleted)
{
	struct search *s = ctx;

	if (deleted.n) {
		vy_json_add_take(s->gone, vy_json_new_str(deleted));
	}
	if (!vy_timer_is_set(s->soon)) {
		vy_timer_set(s->soon, SOON_MS);
	}
}

/* ---- asking ---- */

/* Each word as a phrase of its own; a quote in it is doubled. */
static size_t match_of(struct vy_str query, struct vy_buf *out)
{
	size_t n = 0;

	for (size_t at = 0; at < query.n && n < WORDS_MAX;) {
		size_t from = at;

		while (at < query.n && !strchr(" \t\r\n", query.p[at])) {
			at++;
		}
		struct vy_str word = vy_str_n(query.p + from, at - from);

		at++;
		if (vy_utf16_len(word) < SEARCH_WORD_MIN) {
			continue;
		}
		vy_buf_adds(out, n++ ? " \"" : "\"");
		for (size_t i = 0; i < word.n; i++) {
			vy_buf_adds(out, word.p[i] == '"' ? "\"" : NULL);
			vy_buf_addc(out, word.p[i]);
		}
		vy_buf_addc(out, '"');
	}
	return n;
}

struct once {
	struct search *s;
	search_fn *fn;
	void *ctx;
	struct vy_json *seen;
};

/* It may have been rewound since. */
static bool is_said(struct search *s, const struct search_hit *hit)
{
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = hit->session, .message = hit->message } };
	struct vy_arena mem;
	struct record r = { .mem = &mem };
	bool is;

	vy_arena_init(&mem);
	is = log_each(s->log, &like, take_record, &r, NULL) == 0 && r.m.revision > 0 &&
	     r.m.state != VY_MESSAGE_DELETED;
	vy_arena_fini(&mem);
	return is;
}

static bool pass_once(void *ctx, const struct search_hit *hit)
{
	struct once *o = ctx;
	VY_AUTO_BUF key = VY_BUF_INIT(VY_KIB);

	vy_buf_addf(&key, "%.*s %.*s", VY_STR_ARG(hit->session), VY_STR_ARG(hit->message));
	if (vy_json_get(o->seen, vy_buf_c(&key))) {
		return true;
	}
	vy_json_set_bool(o->seen, vy_buf_c(&key), true);
	return !is_said(o->s, hit) || o->fn(o->ctx, hit);
}

int search_find(struct search *s, struct vy_str query, search_fn *fn, void *ctx, bool *behind,
	struct vy_err *e)
{
	VY_AUTO_BUF match = VY_BUF_INIT(MATCH_MAX);
	VY_AUTO_JSON *seen = vy_json_new_obj();
	struct once o = { s, fn, ctx, seen };

	if (match_of(query, &match) == 0 || vy_buf_is_over(&match)) {
		return vy_fail(e, VY_BAD_INPUT,
			"params.query: expected a word of at least %d "
			"characters",
			SEARCH_WORD_MIN);
	}
	if (s->is_broken) {
		return vy_fail(e, VY_UNSUPPORTED,
			"the index of the search cannot be used; vyred.log "
			"says why");
	}
	*behind = !s->is_open || s->is_busy || vy_timer_is_set(s->soon);
	if (!s->is_open) {
		return 0; /* it is being made */
	}
	if (!s->reader && !(s->reader = search_db_open_read(s->path, e))) {
		return -1;
	}
	return search_db_find(s->reader, vy_buf_str(&match), pass_once, &o, e);
}

/* ---- life ---- */

struct search *search_new(
	struct log *log, struct vy_loop *loop, struct work *work, const char *state_dir)
{
	struct search *s = VY_NEW(struct search);
	VY_AUTO_BUF path = VY_BUF_INIT(4 * VY_KIB);

	vy_buf_addf(&path, "%s/search.db", state_dir);
	s->log = log;
	s->loop = loop;
	s->work = work;
	s->path = vy_buf_take(&path, NULL);
	s->epoch = vy_strdup(log_epoch(log));
	s->gone = vy_json_new_arr();
	s->soon = vy_loop_timer(loop, on_soon, s);
	log_on_event(log, on_event, s);
	go_on(s);
	return s;
}

void search_free(struct search *s)
{
	if (!s) {
		return;
	}
	log_on_event(s->log, NULL, NULL);
	s->is_broken = true; /* nothing new is begun */
	work_add(s->work, run, done, job_new(s, JOB_CLOSE));
	work_drain(s->work);
	db_close(s->reader);
	vy_timer_del(s->soon);
	vy_json_free(s->gone);
	free(s->path);
	free(s->epoch);
	free(s);
}
