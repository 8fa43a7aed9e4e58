/* term.c -- see term.h. */
#include "server/wire/term.h"

#include <stdlib.h>
#include <string.h>

#include "server/auth/access.h"
#include "server/hub/hub.h"
#include "server/term/terms.h"
#include "server/wire/beat.h"
#include "shared/base/log.h"
#include "shared/frame/term.h"
#include "shared/base/ban.h"

#define KEYS_MAX (64 * VY_KIB) /* one message of them; a longer paste comes in several */

_Static_assert(TERM_GIVE_MAX <= CHUNK, "a piece is written whole");

struct wire_term {
	struct conn *conn;
	struct term_viewer *viewer;
	struct access_pass *pass;
};

int wire_term_upgrade(struct conn *c, const struct target *t, struct vy_err *e)
{
	struct terms *terms = c->wire->conf.terms;

	if (strcmp(c->grant.term, t->session) != 0) {
		vy_fail(e, VY_DENIED, "this ticket was made for another stream");
		return 403;
	}
	if (c->grant.caller.kind != CALLER_PERSON) {
		vy_fail(e, VY_PERSON_ONLY, "Only a person can look at a terminal");
		return 403;
	}
	if (!terms || !terms_get(terms, vy_str_c(c->grant.term))) {
		vy_fail(e, VY_NOT_FOUND, "there is no such terminal");
		return 404;
	}
	return 0;
}

/* Never from a callback of lws. */
static void wants_write(void *ctx)
{
	struct wire_term *t = ctx;

	lws_callback_on_writable(t->conn->wsi);
}

int wire_term_begin(struct conn *c)
{
	struct wire_term *t = VY_NEW(struct wire_term);
	struct term_view view = {
		.has_from = c->has_from,
		.had_keys = c->grant.had_keys,
		.from = (uint64_t)c->from,
		.ready = wants_write,
		.ctx = t,
	};
	struct vy_err e = { 0 };

	t->conn = c;
	c->term = t;
	c->wire->counts.streams++;
	vy_buf_fini(&c->in);
	vy_buf_init(&c->in, KEYS_MAX);
	t->pass = access_pass_new(
		c->wire->conf.access, &c->grant.caller, c->grant.session, wants_write, t);
	t->viewer = terms_look_at(c->wire->conf.terms, vy_str_c(c->grant.term), &view, &e);
	if (!t->viewer) {
		return stream_close_with(c, c->wsi, e.code == VY_BUSY ? 1013 : 1000, e.text);
	}
	beat_begin(c->wire);
	return 0;
}

void wire_term_free(struct wire_term *t)
{
	if (t) {
		term_viewer_free(t->viewer);
		access_pass_free(t->pass);
		free(t);
	}
}

void wire_term_end_access(struct wire_term *t)
{
	access_end(t->pass);
	lws_callback_on_writable(t->conn->wsi);
}

/* ---- out ---- */

static enum lws_write_protocol write_mode(const struct term_piece *p)
{
	int mode = !p->is_first           ? LWS_WRITE_CONTINUATION
		   : p->what == TERM_TEXT ? LWS_WRITE_TEXT
					  : LWS_WRITE_BINARY;

	return (enum lws_write_protocol)(p->is_last ? mode : mode | LWS_WRITE_NO_FIN);
}

int wire_term_writeable(struct wire_term *t, struct lws *wsi)
{
	static const char pre[LWS_PRE];
	struct conn *c = t->conn;
	struct vy_buf *b = &c->wire->scratch;
	struct term_piece p;
	size_t n;

	if (c->phase != CONN_STREAM) {
		return 0;
	}
	if (!access_ok(t->pass)) {
		return stream_close_with(c, wsi, HUB_ACCESS_ENDED, "access ended");
	}
	if (c->close_code) {
		return stream_close_with(
			c, wsi, c->close_code, c->close_code == HUB_RESTARTING ? "restarting" : "");
	}
	vy_buf_clear(b);
	vy_buf_add(b, pre, sizeof(pre));
	p = term_viewer_next(t->viewer, b);
	if (p.what == TERM_OVER) {
		/* with its session, perhaps, which the pass was not told of yet */
		if (c->wire->conf.access) {
			access_changed(c->wire->conf.access, c->grant.session);
		}
		if (!access_ok(t->pass)) {
			return stream_close_with(c, wsi, HUB_ACCESS_ENDED, "access ended");
		}
		return stream_close_with(c, wsi, 1000, "the terminal was closed");
	}
	if (p.what == TERM_NOTHING) {
		return 0;
	}
	n = b->len - LWS_PRE;
	if (lws_write(wsi, (unsigned char *)b->data + LWS_PRE, n, write_mode(&p)) < (int)n) {
		return -1;
	}
	c->wire->counts.bytes_sent += n;
	lws_callback_on_writable(wsi);
	return 0;
}

/* ---- in ---- */

int wire_term_receive(struct wire_term *t, struct lws *wsi, const void *in, size_t n)
{
	struct conn *c = t->conn;
	struct vy_err e;

	if (c->close_code || c->phase != CONN_STREAM) {
		return 0;
	}
	if (!access_ok(t->pass)) {
		return stream_close_with(c, wsi, HUB_ACCESS_ENDED, "access ended");
	}
	if (lws_is_first_fragment(wsi)) {
		vy_buf_clear(&c->in);
	}
	if (!vy_buf_add(&c->in, in, n)) {
		return stream_close_with(c, wsi, 1009, "a message of keys may have 65536 bytes");
	}
	if (!lws_is_final_fragment(wsi)) {
		return 0;
	}
	if (lws_frame_is_binary(wsi)) {
		term_viewer_type(t->viewer, vy_buf_str(&c->in));
	} else if (c->in.len > VY_TERM_SAY_MAX) {
		return stream_close_with(c, wsi, 1009, "a viewer's message may have 4096 bytes");
	} else if (term_viewer_hear(t->viewer, vy_buf_str(&c->in), &e) != 0) {
		return stream_close_with(c, wsi, 1007, e.text);
	}
	vy_buf_clear(&c->in);
	return 0;
}
