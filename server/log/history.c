/* history.c -- see history.h. */
#include "server/log/history.h"

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/message.h"
#include "shared/model/settle.h"
#include "shared/base/ban.h"

struct page {
	struct vy_arena mem;
	size_t limit;
	struct vy_message *v; /* newest first */
	struct vy_str *texts; /* each as JSON */
	size_t n;
	bool more, is_bad, hides_private;
	struct vy_err *e;
};

/* ---- one ---- */

struct found {
	struct vy_arena *mem;
	struct vy_str doc;
};

static bool keep_doc(void *ctx, const struct store_row *row)
{
	struct found *f = ctx;

	f->doc = vy_arena_str(f->mem, row->message.doc);
	return false;
}

int history_message(struct log *l, const char *session, struct vy_str message, struct vy_arena *mem,
	struct vy_message *out, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = vy_str_c(session), .message = message } };
	struct found f = { .mem = mem };

	if (log_each(l, &like, keep_doc, &f, e) < 0) {
		return -1;
	}
	return f.doc.n ? vy_message_decode(f.doc, mem, out, e)
		       : vy_fail(e, VY_NOT_FOUND, "there is no such message");
}

/* ---- which ---- */

static bool keep_one(void *ctx, const struct store_row *row)
{
	struct page *p = ctx;
	struct vy_message m;

	if (vy_message_decode(row->message.doc, &p->mem, &m, p->e) < 0) {
		p->is_bad = true;
		return false;
	}
	if (m.state == VY_MESSAGE_DELETED) {
		return true;
	}
	if (m.enc.n && p->hides_private) {
		m.enc = VY_STR_LIT("true");
	}
	if (p->n == p->limit) {
		p->more = true;
		return false;
	}
	p->v[p->n++] = m;
	return true;
}

static bool keep_position(void *ctx, const struct store_row *row)
{
	*(int64_t *)ctx = row->message.position;
	return false;
}

static int find(struct log *l, const struct history_ask *ask, struct page *p, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = ask->session, .message = ask->before } };
	int64_t position = 0;

	if (ask->before.n) {
		if (log_each(l, &like, keep_position, &position, e) < 0) {
			return -1;
		}
		if (position == 0) {
			return vy_fail(e, VY_NOT_FOUND, "there is no such message");
		}
	}
	like.message.message = vy_str_n(NULL, 0);
	like.message.position = position;
	return log_each(l, &like, keep_one, p, e) < 0 || p->is_bad ? -1 : 0;
}

/* ---- an assistant's words ---- */

struct words {
	struct vy_arena *mem;
	int64_t seq;
	struct vy_str data;
};

static bool keep_data(void *ctx, const struct store_row *row)
{
	struct words *w = ctx;

	if (row->journal.seq == w->seq) {
		w->data = vy_arena_str(w->mem, row->journal.data);
	}
	return false;
}

struct written {
	struct vy_buf *text;
	struct vy_jw *blocks;
};

static void add_blocks(void *ctx, const struct vy_settlement *s)
{
	struct vy_buf *text = ((struct written *)ctx)->text;
	struct vy_jw *blocks = ((struct written *)ctx)->blocks;

	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct vy_settled_block *b = &s->blocks[i];

		vy_jw_obj(blocks);
		vy_jw_kint(blocks, "index", b->index);
		vy_jw_kstr(blocks, "kind", vy_str_c(b->is_reasoning ? "reasoning" : "text"));
		vy_jw_kstr(blocks, "text", b->text);
		vy_jw_end_obj(blocks);
		if (!b->is_reasoning) {
			vy_buf_adds(text, text->len ? HISTORY_BETWEEN : NULL);
			vy_buf_addstr(text, b->text);
		}
	}
}

static int read_settled(struct log *l, const struct vy_message *m, struct vy_arena *mem,
	history_settled_fn *fn, void *ctx, struct vy_err *e)
{
	VY_AUTO_JSON *seqs = m->settled.n ? vy_json_parse(m->settled, e) : NULL;

	for (size_t i = 0; i < vy_json_len(seqs); i++) {
		struct words w = { mem, vy_json_intval(vy_json_at(seqs, i), 0), { NULL, 0 } };
		struct store_row like = { .kind = ROW_JOURNAL, .journal = { .seq = w.seq } };
		struct vy_settlement s;

		if (log_each(l, &like, keep_data, &w, e) < 0) {
			return -1;
		}
		if (w.data.n && vy_settlement_decode(w.data, mem, &s, e) < 0) {
			return vy_wrap(e, "event %lld", (long long)w.seq);
		}
		if (w.data.n) {
			fn(ctx, &s);
		}
	}
	return 0;
}

int history_settled(struct log *l, const struct vy_message *m, history_settled_fn *fn, void *ctx,
	struct vy_err *e)
{
	struct vy_arena mem;
	int rc;

	vy_arena_init(&mem);
	rc = read_settled(l, m, &mem, fn, ctx, e);
	vy_arena_fini(&mem);
	return rc;
}

static int read_words(struct log *l, const struct vy_message *m, struct vy_arena *mem,
	struct vy_buf *text, struct vy_jw *blocks, struct vy_err *e)
{
	return read_settled(l, m, mem, add_blocks, &(struct written){ text, blocks }, e);
}

static bool add_size(void *ctx, const struct store_row *row)
{
	*(size_t *)ctx += row->journal.data.n;
	return false;
}

/* Of its settlements, as they are stored: known before any of them is read into memory. */
static int settled_size(struct log *l, const struct vy_message *m, size_t *size, struct vy_err *e)
{
	VY_AUTO_JSON *seqs = m->settled.n ? vy_json_parse(m->settled, e) : NULL;

	for (size_t i = 0; i < vy_json_len(seqs); i++) {
		struct store_row like = { .kind = ROW_JOURNAL,
			.journal = { .seq = vy_json_intval(vy_json_at(seqs, i), 0) } };

		if (log_each(l, &like, add_size, size, e) < 0) {
			return -1;
		}
	}
	return 0;
}

int history_words(struct log *l, const struct vy_message *m, size_t most, struct vy_buf *text,
	struct vy_buf *blocks, size_t *size, struct vy_err *e)
{
	struct vy_jw w = VY_JW(blocks);
	struct vy_arena mem;
	int rc;

	*size = 0;
	if (settled_size(l, m, size, e) < 0) {
		return -1;
	}
	vy_arena_init(&mem);
	vy_jw_arr(&w);
	rc = *size > most ? 0 : read_words(l, m, &mem, text, &w, e);
	vy_jw_end_arr(&w);
	vy_arena_fini(&mem);
	return rc;
}

static int write_one(struct log *l, const struct vy_message *m, struct vy_arena *mem,
	struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX), list = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_jw blocks = VY_JW(&list), w = VY_JW(out);

	vy_jw_arr(&blocks);
	if (read_words(l, m, mem, &text, &blocks, e) < 0) {
		return -1;
	}
	vy_jw_end_arr(&blocks);
	vy_message_write(m, vy_buf_str(&text), vy_buf_str(&list), &w);
	return 0;
}

/* ---- the page ---- */

static int write_all(struct log *l, struct page *p, struct vy_err *e)
{
	size_t bytes = 0;

	for (size_t i = 0; i < p->n; i++) {
		VY_AUTO_BUF one = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
		struct vy_arena mem;
		int rc;

		vy_arena_init(&mem);
		rc = write_one(l, &p->v[i], &mem, &one, e);
		vy_arena_fini(&mem);
		if (rc < 0) {
			return vy_wrap(e, "message %.*s", VY_STR_ARG(p->v[i].message));
		}
		bytes += one.len;
		if (i > 0 && bytes > HISTORY_PAGE_BYTES) {
			p->n = i;
			p->more = true;
			return 0;
		}
		p->texts[i] = vy_arena_str(&p->mem, vy_buf_str(&one));
	}
	return 0;
}

int history_read(struct log *l, const struct history_ask *ask, struct vy_buf *out, bool *more,
	struct vy_err *e)
{
	struct page p = { .limit = ask->limit, .hides_private = ask->hides_private, .e = e };
	struct vy_jw w = VY_JW(out);
	int rc;

	vy_arena_init(&p.mem);
	p.v = vy_arena_calloc(&p.mem, p.limit + 1, sizeof(*p.v));
	p.texts = vy_arena_calloc(&p.mem, p.limit + 1, sizeof(*p.texts));
	rc = find(l, ask, &p, e);
	rc = rc < 0 ? rc : write_all(l, &p, e);
	if (rc == 0) {
		vy_jw_arr(&w);
		for (size_t i = p.n; i > 0; i--) {
			vy_jw_raw(&w, p.texts[i - 1]);
		}
		vy_jw_end_arr(&w);
		*more = p.more;
	}
	vy_arena_fini(&p.mem);
	return rc;
}
