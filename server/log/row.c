/* row.c -- see row.h. One table knows where the slices of each kind are, its key first. */
#include "server/log/row.h"

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define AT(m) offsetof(struct store_row, m)

/* The first `keys` slices are the key; a tell's seq belongs to its key too, that of a
 * journal or control row is it. */
static const struct row_shape {
	unsigned keys, n;
	size_t at[11];
} shapes[ROW_KINDS] = {
	[ROW_SESSION] = { 1, 4,
		{ AT(session.session), AT(session.project), AT(session.state), AT(session.doc) } },
	[ROW_LIVE] = { 1, 6,
		{ AT(live.hid), AT(live.session), AT(live.token), AT(live.driver_state),
			AT(live.turn_state), AT(live.extra) } },
	[ROW_TELL] = { 1, 2, { AT(tell.hid), AT(tell.bytes) } },
	[ROW_ASK] = { 1, 3, { AT(ask.ask), AT(ask.session), AT(ask.doc) } },
	[ROW_QUEUE] = { 2, 3, { AT(queue.session), AT(queue.queued), AT(queue.doc) } },
	[ROW_KEY] = { 3, 5,
		{ AT(key.scope), AT(key.method), AT(key.key), AT(key.input), AT(key.result) } },
	[ROW_OUTPUT] = { 2, 4,
		{ AT(output.session), AT(output.ref), AT(output.mime), AT(output.bytes) } },
	[ROW_KV] = { 2, 3, { AT(kv.space), AT(kv.name), AT(kv.value) } },
	[ROW_JOURNAL] = { 0, 11,
		{ AT(journal.session), AT(journal.id), AT(journal.type), AT(journal.actor),
			AT(journal.chain), AT(journal.subject), AT(journal.turn), AT(journal.data),
			AT(journal.data_hash), AT(journal.prev), AT(journal.hash) } },
	[ROW_MESSAGE] = { 2, 3, { AT(message.session), AT(message.message), AT(message.doc) } },
	[ROW_CONTROL] = { 0, 4,
		{ AT(control.session), AT(control.type), AT(control.own), AT(control.doc) } },
};

static struct vy_str slice(const struct store_row *r, size_t at)
{
	return *(const struct vy_str *)((const char *)r + at);
}

static const struct row_shape *shape_of(const struct store_row *r)
{
	vy_assert((unsigned)r->kind < ROW_KINDS);
	return &shapes[r->kind];
}

size_t row_bytes(const struct store_row *r)
{
	const struct row_shape *s = shape_of(r);
	size_t n = 0;

	for (unsigned i = 0; i < s->n; i++) {
		n += slice(r, s->at[i]).n;
	}
	return n;
}

struct store_row *row_dup(const struct store_row *r)
{
	const struct row_shape *s = shape_of(r);
	struct store_row *copy = vy_alloc(sizeof(*copy) + row_bytes(r));
	char *to = (char *)(copy + 1);

	*copy = *r;
	for (unsigned i = 0; i < s->n; i++) {
		struct vy_str *at = (struct vy_str *)((char *)copy + s->at[i]);

		if (at->n) {
			memcpy(to, at->p, at->n);
		}
		at->p = to;
		to += at->n;
	}
	return copy;
}

bool row_same(const struct store_row *a, const struct store_row *b)
{
	const struct row_shape *s = shape_of(a);

	if (a->kind != b->kind || (a->kind == ROW_TELL && a->tell.seq != b->tell.seq) ||
		(a->kind == ROW_JOURNAL && a->journal.seq != b->journal.seq) ||
		(a->kind == ROW_CONTROL && a->control.seq != b->control.seq)) {
		return false;
	}
	for (unsigned i = 0; i < s->keys; i++) {
		if (!vy_str_eq(slice(a, s->at[i]), slice(b, s->at[i]))) {
			return false;
		}
	}
	return true;
}

static uint64_t mix(uint64_t h, const void *p, size_t n) /* FNV-1a */
{
	const unsigned char *at = p;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ at[i]) * 0x100000001b3;
	}
	return h;
}

uint64_t row_hash(const struct store_row *r)
{
	const struct row_shape *s = shape_of(r);
	uint64_t h = 0xcbf29ce484222325 ^ (uint64_t)r->kind;
	int64_t seq = r->kind == ROW_TELL      ? r->tell.seq
		      : r->kind == ROW_JOURNAL ? r->journal.seq
		      : r->kind == ROW_CONTROL ? r->control.seq
					       : 0;

	h = mix(h, &seq, sizeof(seq));
	for (unsigned i = 0; i < s->keys; i++) {
		struct vy_str key = slice(r, s->at[i]);

		h = mix(mix(h, key.p, key.n), "", 1);
	}
	return h;
}

static bool fits(struct vy_str have, struct vy_str want)
{
	return want.n == 0 || vy_str_eq(have, want);
}

bool row_like(const struct store_row *r, const struct store_row *like)
{
	if (r->kind != like->kind) {
		return false;
	}
	switch (r->kind) {
	case ROW_SESSION:
		return fits(r->session.session, like->session.session) &&
		       fits(r->session.project, like->session.project) &&
		       fits(r->session.state, like->session.state);
	case ROW_LIVE:
		return fits(r->live.hid, like->live.hid) &&
		       fits(r->live.session, like->live.session);
	case ROW_TELL: return fits(r->tell.hid, like->tell.hid) && r->tell.seq >= like->tell.seq;
	case ROW_ASK:
		return fits(r->ask.ask, like->ask.ask) && fits(r->ask.session, like->ask.session) &&
		       (r->ask.is_open || !like->ask.is_open);
	case ROW_QUEUE:
		return fits(r->queue.session, like->queue.session) &&
		       fits(r->queue.queued, like->queue.queued);
	case ROW_KEY:
		return fits(r->key.scope, like->key.scope) &&
		       fits(r->key.method, like->key.method) && fits(r->key.key, like->key.key);
	case ROW_OUTPUT:
		return fits(r->output.session, like->output.session) &&
		       fits(r->output.ref, like->output.ref);
	case ROW_KV: return fits(r->kv.space, like->kv.space) && fits(r->kv.name, like->kv.name);
	case ROW_JOURNAL:
		return r->journal.seq >= like->journal.seq &&
		       fits(r->journal.session, like->journal.session);
	case ROW_MESSAGE:
		return fits(r->message.session, like->message.session) &&
		       fits(r->message.message, like->message.message) &&
		       (like->message.position == 0 ||
			       r->message.position < like->message.position);
	case ROW_CONTROL: return r->control.seq >= like->control.seq;
	case ROW_KINDS: break;
	}
	return false;
}

/* The session whose row this is and goes with; empty for what belongs to none, or stays. */
static struct vy_str session_of(const struct store_row *r)
{
	switch (r->kind) {
	case ROW_SESSION: return r->session.session;
	case ROW_LIVE: return r->live.session;
	case ROW_ASK: return r->ask.session;
	case ROW_QUEUE: return r->queue.session;
	case ROW_OUTPUT: return r->output.session;
	case ROW_MESSAGE: return r->message.session;
	case ROW_KV:
		return vy_str_is(r->kv.space, ROW_DERIVED) || vy_str_is(r->kv.space, ROW_SEEDED)
			       ? r->kv.name
			       : vy_str_n(NULL, 0);
	case ROW_TELL:
	case ROW_KEY:
	case ROW_JOURNAL:
	case ROW_CONTROL:
	case ROW_KINDS: break;
	}
	return vy_str_n(NULL, 0);
}

bool row_dies_with(const struct store_row *r, const struct store_row *del)
{
	switch (del->kind) {
	case ROW_SESSION: return vy_str_eq(session_of(r), del->session.session);
	case ROW_LIVE:
		return row_same(r, del) ||
		       (r->kind == ROW_TELL && vy_str_eq(r->tell.hid, del->live.hid));
	case ROW_TELL:
		return r->kind == ROW_TELL && vy_str_eq(r->tell.hid, del->tell.hid) &&
		       r->tell.seq <= del->tell.seq;
	case ROW_KEY: return r->kind == ROW_KEY && r->key.expires < del->key.expires;
	case ROW_CONTROL: return r->kind == ROW_CONTROL && r->control.seq <= del->control.seq;
	case ROW_ASK:
	case ROW_QUEUE:
	case ROW_OUTPUT:
	case ROW_MESSAGE:
	case ROW_KV: return row_same(r, del);
	case ROW_JOURNAL:
	case ROW_KINDS: break;
	}
	return false;
}

static int by_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_text(struct vy_str a, struct vy_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : by_number((int64_t)a.n, (int64_t)b.n);
}

int row_order(const struct store_row *a, const struct store_row *b)
{
	const struct row_shape *s = shape_of(a);
	int c = 0;

	switch (a->kind) {
	case ROW_SESSION: c = by_number(b->session.updated, a->session.updated); break;
	case ROW_ASK: c = by_number(a->ask.raised, b->ask.raised); break;
	case ROW_QUEUE:
		c = by_text(a->queue.session, b->queue.session);
		c = c ? c : by_number(a->queue.position, b->queue.position);
		break;
	case ROW_TELL:
		c = by_text(a->tell.hid, b->tell.hid);
		c = c ? c : by_number(a->tell.seq, b->tell.seq);
		break;
	case ROW_JOURNAL: c = by_number(a->journal.seq, b->journal.seq); break;
	case ROW_CONTROL: c = by_number(a->control.seq, b->control.seq); break;
	case ROW_MESSAGE:
		c = by_text(a->message.session, b->message.session);
		c = c ? c : by_number(b->message.position, a->message.position);
		break;
	case ROW_LIVE:
	case ROW_KEY:
	case ROW_OUTPUT:
	case ROW_KV:
	case ROW_KINDS: break;
	}
	for (unsigned i = 0; c == 0 && i < s->keys; i++) {
		c = by_text(slice(a, s->at[i]), slice(b, s->at[i]));
	}
	return c;
}
