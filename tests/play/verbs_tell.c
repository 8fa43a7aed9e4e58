/* verbs_tell.c -- what is said on the connection that also tells what comes of it, and what somebody was
 * told, as a whole. */
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/match.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

/* ---- said inline: the turn is the answer ---- */

/* inline NAME SESSION KEY TEXT [MODE]: a viewer of that turn; `it` is {status}, with the body of a refusal. */
static bool do_inline(struct play *p, const struct words *w)
{
	VY_AUTO_BUF path = VY_BUF_INIT(1024), head = VY_BUF_INIT(1024), body = VY_BUF_INIT(VY_MIB);
	VY_AUTO_JSON *said = vy_json_new_obj();
	struct viewer *v = play_add_viewer(p, w->v[1], w->v[2], CONN_EVENTS);
	struct vy_err e = { 0 };

	if (!v) {
		return false;
	}
	v->is_inline = v->is_left = true;
	vy_buf_addf(&path, "/v1/sessions/%s/messages", w->v[2]);
	vy_buf_addf(&head, "Idempotency-Key: %s\r\n", w->v[3]);
	vy_json_set_c(said, "text", w->v[4]);
	vy_json_set_c(said, "mode", w->n > 5 ? w->v[5] : NULL);
	vy_json_dump(said, &body);
	struct conn_ask ask = { "POST", vy_buf_c(&path), vy_buf_c(&head), vy_buf_str(&body) };
	int status = conn_post(&v->conn, p->box.sock, &ask, p->patience_ms, &e);

	play_it(p, play_refusal(&v->conn, status == 0 ? 200 : status));
	return status >= 0 || play_fail(p, "%s", e.text);
}

/* ---- what it was told ---- */

static void add_turn(const struct viewer *v, struct vy_json *o)
{
	VY_AUTO_BUF kinds = VY_BUF_INIT(VY_MIB), frames = VY_BUF_INIT(VY_MIB);
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	for (size_t i = 0; i < v->n; i++) {
		const struct vy_json *item = v->v[i].json;
		struct vy_str type = vy_json_str(item, "type");

		if (!v->v[i].cur) {
			vy_json_set(o, vy_json_cstr(item, "type"), vy_json_get(item, "data"));
			continue;
		}
		vy_buf_addf(&frames, "%llu ", (unsigned long long)v->v[i].cur);
		vy_buf_addf(&kinds, "%.*s ", VY_STR_ARG(vy_str_from(type, strlen("session."))));
		if (vy_str_is(type, "session.status")) {
			vy_json_set_str(o, "last", vy_json_str(vy_json_get(item, "data"), "state"));
		}
	}
	viewer_words(v, 0, &text);
	vy_json_set_str(o, "text", vy_buf_str(&text));
	vy_json_set_str(o, "kinds", vy_buf_str(&kinds));
	vy_json_set_str(o, "frames", vy_buf_str(&frames));
}

/* held NAME: `it` is what it has: of a message {text, reasoning}, as far as it saw it written; of a turn
 * {accepted, ended, kinds, frames, text, last}, when it is over. */
static bool is_told(struct play *p, void *ctx)
{
	(void)p;
	return ((struct viewer *)ctx)->conn.fd < 0;
}

static bool do_held(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);
	struct vy_json *o;

	if (!v || (!v->plane && !play_until(p, is_told, v))) {
		return v && play_fail(p, "it is not over");
	}
	o = vy_json_new_obj();
	play_it(p, o);
	if (v->plane) {
		vy_json_set_str(o, "text", vy_buf_str(&v->plane->draft[0]));
		vy_json_set_str(o, "reasoning", vy_buf_str(&v->plane->draft[1]));
	} else {
		add_turn(v, o);
	}
	return true;
}

/* behind NAME OTHER SEQ: NAME was told just what OTHER was told behind that place, in the end. */
struct tail {
	const struct viewer *a, *b;
	long long seq;
};

static bool is_tail(struct play *p, void *ctx)
{
	const struct tail *t = ctx;
	size_t n = 0;

	for (size_t i = 0; i < t->b->n; i++) {
		const struct seen *theirs = &t->b->v[i];

		if (vy_json_int(theirs->json, "seq", 0) <= t->seq) {
			continue;
		}
		if (n == t->a->n || !vy_json_equal(t->a->v[n].json, theirs->json)) {
			return play_fail(p, "item %zu of %s is not this: %.600s", n, t->a->name,
				theirs->text);
		}
		n++;
	}
	return (n > 0 && n == t->a->n) || play_fail(p, "%s has %zu items, %s %zu behind it",
						  t->a->name, t->a->n, t->b->name, n);
}

static bool do_behind(struct play *p, const struct words *w)
{
	struct tail t = { play_viewer(p, w->v[1]), play_viewer(p, w->v[2]), 0 };

	if (!t.a || !t.b || !vy_parse_i64(vy_str_c(w->v[3]), &t.seq)) {
		return t.a && t.b && play_fail(p, "expected: behind NAME OTHER SEQ");
	}
	return play_until(p, is_tail, &t);
}

const struct play_entry verbs_tell[] = {
	{ "inline", 4, do_inline },
	{ "held", 1, do_held },
	{ "behind", 3, do_behind },
	{ 0 },
};
