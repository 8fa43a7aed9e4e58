/* outbox.c -- see outbox.h. What is in memory and what is sent; the folder is outbox_disk.c. */
#include "tui/net/outbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "tui/net/outbox_disk.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

#define OUTBOX_MAGIC 0x6f757462u
#define TRIES        3 /* in a row, when an answer got lost and the link did not notice */

struct entry {
	struct outbox *box;
	struct outbox_note note; /* as it is on disk */
	enum outbox_state state;
	struct vy_err why;
	struct rpc_call *call;
	unsigned tries;
	bool is_on_disk;
	TAILQ_ENTRY(entry) link;
};

struct outbox {
	VY_MAGIC;
	struct outbox_disk *disk;
	char *box; /* where it all goes */
	struct outbox_events ev;
	void *ctx;
	struct rpc *rpc;                       /* NULL: held */
	TAILQ_HEAD(entry_list, entry) entries; /* oldest first */
};

/* ---- entries ---- */

static void changed(struct outbox *o, const char *session)
{
	if (o->ev.changed) {
		o->ev.changed(o->ctx, session);
	}
}

static struct entry *find(const struct outbox *o, struct vy_str id)
{
	struct entry *n;

	TAILQ_FOREACH (n, &o->entries, link) {
		if (vy_str_is(id, n->note.id)) {
			return n;
		}
	}
	return NULL;
}

/* Takes the note. Entries that a former client left come in between, by their age. */
static struct entry *insert(struct outbox *o, struct outbox_note *own_note)
{
	struct entry *n = VY_NEW(struct entry), *before;

	n->box = o;
	n->note = *own_note;
	n->is_on_disk = true;
	*own_note = (struct outbox_note){ .made_ms = 0 };
	TAILQ_FOREACH (before, &o->entries, link) {
		if (before->note.made_ms > n->note.made_ms) {
			TAILQ_INSERT_BEFORE(before, n, link);
			return n;
		}
	}
	TAILQ_INSERT_TAIL(&o->entries, n, link);
	return n;
}

static void forget_on_disk(struct entry *n)
{
	if (n->is_on_disk) {
		outbox_disk_del(n->box->disk, &n->note);
		n->is_on_disk = false;
	}
}

static void entry_free(struct entry *n)
{
	rpc_cancel(n->call);
	TAILQ_REMOVE(&n->box->entries, n, link);
	outbox_note_fini(&n->note);
	free(n);
}

static void drop(struct entry *n)
{
	struct outbox *o = n->box;
	char session[VY_UUID_LEN + 1];

	memcpy(session, n->note.session, sizeof(session));
	forget_on_disk(n);
	entry_free(n);
	changed(o, session);
}

/* ---- the life of one ---- */

static void adopt(void *ctx, struct outbox_note *own_note)
{
	insert(ctx, own_note);
}

struct outbox *outbox_new(const char *dir, const char *box, const struct outbox_events *ev,
	void *ctx, struct vy_err *e)
{
	struct outbox *o = VY_NEW(struct outbox);

	VY_MAGIC_SET(o, OUTBOX_MAGIC);
	TAILQ_INIT(&o->entries);
	o->box = vy_strdup(box);
	o->ev = *ev;
	o->ctx = ctx;
	o->disk = outbox_disk_open(dir, e);
	if (!o->disk) {
		outbox_free(o);
		return NULL;
	}
	outbox_disk_adopt(o->disk, box, adopt, o);
	return o;
}

void outbox_free(struct outbox *o)
{
	struct entry *n;

	if (!o) {
		return;
	}
	VY_CHECK(o, OUTBOX_MAGIC);
	while ((n = TAILQ_FIRST(&o->entries))) {
		entry_free(n);
	}
	outbox_disk_close(o->disk);
	free(o->box);
	VY_MAGIC_CLEAR(o);
	free(o);
}

int outbox_add(struct outbox *o, const char *session, struct vy_str text, const char *mode,
	struct vy_json *own_extra, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	struct outbox_note note = { .made_ms = vy_wall_ms(&vy_clock_real),
		.box = vy_strdup(o->box),
		.mode = vy_strdup(mode),
		.text = vy_memdup0(text.p, text.n),
		.text_len = text.n,
		.extra = own_extra };
	const struct entry *last = TAILQ_LAST(&o->entries, entry_list);

	VY_CHECK(o, OUTBOX_MAGIC);
	vy_uuid(note.id);
	snprintf(note.session, sizeof(note.session), "%s", session);
	if (last && note.made_ms <= last->note.made_ms) {
		note.made_ms =
			last->note.made_ms + 1; /* the order is kept though a clock may not */
	}
	if (outbox_disk_add(o->disk, &note, e) != 0) {
		outbox_note_fini(&note);
		return -1;
	}
	memcpy(id, note.id, sizeof(note.id));
	insert(o, &note);
	changed(o, session);
	return 0;
}

/* ---- sending ---- */

static void send_next(struct outbox *o, const char *session);

/* Was that the last word on it? */
static bool is_final(enum vy_code code)
{
	return code != VY_RETRY && code != VY_BUSY && code != VY_IO;
}

static void on_sent(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct entry *n = ctx;
	struct outbox *o = n->box;
	char session[VY_UUID_LEN + 1];

	VY_CHECK(o, OUTBOX_MAGIC);
	memcpy(session, n->note.session, sizeof(session));
	n->call = NULL;
	n->why = *e;
	if (result) {
		n->state = OUTBOX_TAKEN; /* it is in the log, whoever sees it there first */
		forget_on_disk(n);
	} else if (is_final(e->code)) {
		n->state = OUTBOX_REFUSED;
	} else {
		n->state = OUTBOX_WAITING;
		n->tries++;
	}
	changed(o, session);
	send_next(o, session);
}

static void send(struct entry *n)
{
	struct vy_json *params = n->note.extra ? vy_json_copy(n->note.extra) : vy_json_new_obj();

	vy_json_set_c(params, "session", n->note.session);
	vy_json_set_str(params, "text", vy_str_n(n->note.text, n->note.text_len));
	vy_json_set_c(params, "mode", n->note.mode);
	n->state = OUTBOX_SENDING;
	n->call = rpc_call(n->box->rpc, "threads.send", params, n->note.id, 0, on_sent, n);
}

/* The oldest of this session that waits, if none is under way. */
static void send_next(struct outbox *o, const char *session)
{
	struct entry *n;

	TAILQ_FOREACH (n, &o->entries, link) {
		if (!o->rpc || strcmp(n->note.session, session) != 0) {
			continue;
		}
		if (n->state == OUTBOX_SENDING) {
			return;
		}
		if (n->state == OUTBOX_WAITING) {
			if (n->tries < TRIES) {
				send(n);
			}
			return;
		}
	}
}

void outbox_flush(struct outbox *o, struct rpc *rpc)
{
	struct entry *n;

	VY_CHECK(o, OUTBOX_MAGIC);
	o->rpc = rpc;
	TAILQ_FOREACH (n, &o->entries, link) {
		n->tries = 0;
	}
	TAILQ_FOREACH (n, &o->entries, link) {
		send_next(o, n->note.session);
	}
}

void outbox_hold(struct outbox *o)
{
	struct entry *n;

	o->rpc = NULL;
	TAILQ_FOREACH (n, &o->entries, link) {
		if (n->state == OUTBOX_SENDING) {
			rpc_cancel(n->call);
			n->call = NULL;
			n->state = OUTBOX_WAITING;
		}
	}
}

bool outbox_seen(struct outbox *o, struct vy_str message)
{
	struct entry *n = find(o, message);

	if (!n) {
		return false;
	}
	char session[VY_UUID_LEN + 1];

	memcpy(session, n->note.session, sizeof(session));
	drop(n);
	send_next(o, session);
	return true;
}

bool outbox_drop(struct outbox *o, const char *id)
{
	return outbox_seen(o, vy_str_c(id));
}

/* ---- looking ---- */

static bool is_of(const struct entry *n, const char *session)
{
	return !session || strcmp(n->note.session, session) == 0;
}

size_t outbox_count(const struct outbox *o, const char *session)
{
	const struct entry *n;
	size_t count = 0;

	TAILQ_FOREACH (n, &o->entries, link) {
		count += is_of(n, session);
	}
	return count;
}

bool outbox_get(const struct outbox *o, const char *session, size_t i, struct outbox_entry *out)
{
	const struct entry *n;

	TAILQ_FOREACH (n, &o->entries, link) {
		if (!is_of(n, session) || i-- > 0) {
			continue;
		}
		*out = (struct outbox_entry){ .mode = n->note.mode,
			.text = vy_str_n(n->note.text, n->note.text_len),
			.made_ms = n->note.made_ms,
			.state = n->state,
			.why = n->why };
		memcpy(out->id, n->note.id, sizeof(out->id));
		memcpy(out->session, n->note.session, sizeof(out->session));
		return true;
	}
	return false;
}
