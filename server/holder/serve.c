/* serve.c -- the holder's answers to a vyred; see holder.h.
 *
 * Whatever a vyred asks twice is answered twice and done once. CREDIT and ACK only ever grow. */
#include <stdio.h>
#include <string.h>

#include "server/holder/holder.h"
#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum {
	OUT_PIECE = 32 * VY_KIB,   /* bytes in one OUT */
	OUT_QUEUED = 256 * VY_KIB, /* waiting for the socket: enough to keep it busy */
};

static struct vy_str text(const char *s)
{
	return vy_str_c(s);
}

static void refuse(struct peer *p, const char *why, bool is_end)
{
	struct msg m = { .type = MSG_REFUSED };

	m.refused.text = text(why);
	m.refused.is_end = is_end;
	peer_send(p, &m);
}

/* The last word to a peer. */
static void turn_away(struct peer *p, const char *why)
{
	refuse(p, why, true);
	peer_flush(p);
	peer_close(p);
}

/* ---- attach ---- */

static enum msg_state state_of(const struct holder *h)
{
	switch ((enum holder_phase)h->phase.now) {
	case HOLDER_RUNNING: return MSG_RUNNING;
	case HOLDER_EXITED: return MSG_EXITED;
	default: return MSG_EMPTY;
	}
}

static void hello(struct holder *h, struct peer *p)
{
	struct msg m = { .type = MSG_HELLO };
	uint32_t pid = state_of(h) == MSG_EMPTY ? 0 : (uint32_t)h->child.pid;

	m.hello.proto = MSG_PROTO;
	m.hello.hid = text(h->conf.hid);
	m.hello.state = (uint8_t)state_of(h);
	m.hello.pid = m.hello.pgid = m.hello.sid = pid; /* it leads its session and its group */
	m.hello.floor = spool_floor(h->spool);
	m.hello.end = spool_end(h->spool);
	m.hello.in_next = h->input.next;
	m.hello.status = h->status;
	m.hello.signal = h->signo;
	peer_send(p, &m);
}

static void on_attach(struct holder *h, struct peer *p, const struct msg *m)
{
	struct peer *other = holder_vyred(h);
	uint64_t from = m->attach.from;

	if (!vy_equal_ct(m->attach.token, h->conf.token, MSG_TOKEN_LEN)) {
		turn_away(p, "this is not the holder's token");
		return;
	}
	if (m->attach.epoch < h->epoch) {
		turn_away(p, "a vyred that started later has this holder");
		return;
	}
	if (other) {
		turn_away(other, "another vyred took this holder over");
	}
	h->epoch = m->attach.epoch;
	h->alone_since = -1;
	p->is_attached = true;
	from = from > spool_floor(h->spool) ? from : spool_floor(h->spool);
	from = from < spool_end(h->spool) ? from : spool_end(h->spool);
	p->sent = p->credit = from;
	VY_CRASH(HOLDER_HELLO);
	hello(h, p);
}

/* ---- what an attached vyred says ---- */

void serve_started(struct holder *h)
{
	struct peer *p = holder_vyred(h);
	struct msg m = { .type = MSG_STARTED };

	if (!p) {
		return;
	}
	switch ((enum holder_phase)h->phase.now) {
	case HOLDER_REFUSED: refuse(p, h->refusal, false); return;
	case HOLDER_RUNNING:
	case HOLDER_EXITED:
		VY_CRASH(HOLDER_STARTED);
		m.started.pid = m.started.pgid = m.started.sid = (uint32_t)h->child.pid;
		peer_send(p, &m);
		return;
	default: return; /* told when it is known */
	}
}

static void on_in(struct holder *h, struct peer *p, const struct msg *m)
{
	VY_CRASH(HOLDER_IN);
	if (input_add(&h->input, m->in.seq, m->in.bytes) == INPUT_FULL) {
		turn_away(p, "the child does not read its input");
	}
}

static void on_ack(struct holder *h, struct peer *p, uint64_t off)
{
	if (off > p->sent) {
		turn_away(p, "ACK of bytes that were not sent");
		return;
	}
	VY_CRASH(HOLDER_ACK);
	spool_forget(h->spool, off);
	holder_has_room(h);
}

static void on_bye(struct holder *h, struct peer *p)
{
	VY_CRASH(HOLDER_BYE);
	h->let_go = true;
	peer_close(p);
}

static void dispatch(struct holder *h, struct peer *p, struct msg *m)
{
	switch (m->type) {
	case MSG_START: holder_start(h, m); return;
	case MSG_CREDIT: p->credit = m->credit.off > p->credit ? m->credit.off : p->credit; return;
	case MSG_ACK: on_ack(h, p, m->ack.off); return;
	case MSG_IN: on_in(h, p, m); return;
	case MSG_SIGNAL: holder_signal(h, m->signal.sig, m->signal.tree != 0); return;
	case MSG_RESIZE: child_resize(&h->child, m->resize.cols, m->resize.rows); return;
	case MSG_BYE: on_bye(h, p); return;
	default: return; /* of a later release: skipped */
	}
}

void serve_message(struct holder *h, struct peer *p, struct vy_str body)
{
	struct msg m;
	struct vy_err e;

	if (msg_decode(body, &m, &e) < 0) {
		turn_away(p, e.text);
	} else if (p->is_attached != (m.type != MSG_ATTACH)) {
		turn_away(p, "the first message must be ATTACH, and no other");
	} else if (m.type == MSG_ATTACH) {
		on_attach(h, p, &m);
	} else {
		dispatch(h, p, &m);
	}
}

/* ---- what a vyred may have ---- */

static void pump_inacks(struct holder *h, struct peer *p)
{
	struct msg m = { .type = MSG_INACK };
	uint64_t due = input_due(&h->input);

	if (due > p->inacked) {
		VY_CRASH(HOLDER_INACK);
		m.inack.seq = due - 1;
		p->inacked = due;
		peer_send(p, &m);
	}
}

static void send_out(struct peer *p, uint64_t off, int stream, struct vy_str bytes)
{
	struct msg m = { .type = MSG_OUT };

	m.out.off = off;
	m.out.stream = (uint8_t)stream;
	m.out.bytes = bytes;
	peer_send(p, &m);
}

/* A stream that was closed is told where its bytes end, as an OUT without bytes. */
static void pump_ends(struct holder *h, struct peer *p)
{
	for (int i = 0; i < CHILD_OUTS; i++) {
		bool is_there = i == CHILD_OUT || !h->child.is_pty;

		if (is_there && h->out_ended[i] && !p->end_sent[i] && p->sent >= h->out_end[i]) {
			p->end_sent[i] = true;
			send_out(p, p->sent, MSG_STDOUT + i, text(""));
		}
	}
}

static bool may_send(const struct holder *h, const struct peer *p)
{
	return !p->is_deaf && p->sent < spool_end(h->spool) && p->sent < p->credit;
}

static void pump_output(struct holder *h, struct peer *p)
{
	static char piece[OUT_PIECE];

	while (p->fd >= 0 && may_send(h, p) && peer_unsent(p) < OUT_QUEUED) {
		uint64_t may = p->credit - p->sent;
		size_t room = may < sizeof(piece) ? (size_t)may : sizeof(piece);
		struct vy_err e;
		int stream = 0;
		long n = spool_read(h->spool, p->sent, piece, room, &stream, &e);

		if (n <= 0) {
			turn_away(p, n < 0 ? e.text : "the spool has a hole");
			return;
		}
		send_out(p, p->sent, stream, vy_str_n(piece, (size_t)n));
		p->sent += (uint64_t)n;
		pump_ends(h, p);
	}
	pump_ends(h, p);
}

void serve_pump(struct holder *h)
{
	struct peer *p = holder_vyred(h);
	struct msg m = { .type = MSG_EXIT };

	if (!p) {
		return;
	}
	pump_inacks(h, p);
	pump_output(h, p);
	if (p->fd >= 0 && !p->exit_sent && p->sent == spool_end(h->spool) && holder_is_told(h)) {
		VY_CRASH(HOLDER_EXIT);
		p->exit_sent = true;
		m.exit.status = h->status;
		m.exit.signal = h->signo;
		peer_send(p, &m);
	}
}

bool serve_wants(const struct holder *h, const struct peer *p)
{
	return peer_unsent(p) > 0 || (p->is_attached && may_send(h, p));
}
