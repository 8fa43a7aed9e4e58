/* verbs_tell.c -- what is said on the connection that also tells what comes of it, and what somebody was
 * told, as a whole. */
#include <stdio.h>
#include <stdlib.h>
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

/* ---- one connection, many requests ---- */

struct answering {
	struct viewer *v;
	unsigned left; /* so many answers */
	bool is_error; /* one of them was */
};

/* talks NAME socket|talk: a connection of its own on which `asks` says things. A notification is a frame to
 * wait for, its method the kind and its params the data. */
static bool do_talks(struct play *p, const struct words *w)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	enum conn_form form = play_form(w, 2);
	struct viewer *v = conn_is_rpc(form) ? play_add_viewer(p, w->v[1], "-", form) : NULL;
	struct vy_err e = { 0 };

	if (!v) {
		return conn_is_rpc(form) || play_fail(p, "expected: talks NAME socket|talk");
	}
	v->is_talker = v->is_left = true;
	return conn_ask(&v->conn, p->box.sock, form,
		       VY_STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server.info\"}"),
		       p->patience_ms, &answer, &e) == 0 ||
	       play_fail(p, "%s", e.text);
}

/* Answers are taken from what came; all else stays. */
static bool is_answered(struct play *p, void *ctx)
{
	struct answering *a = ctx;

	for (; a->left && vy_json_len(a->v->answers) > 0; a->left--) {
		const struct vy_json *one = vy_json_at(a->v->answers, 0);

		a->is_error |= vy_json_get(one, "error") != NULL;
		play_it(p, vy_json_copy(one));
		vy_json_del_at(a->v->answers, 0);
	}
	return a->left == 0;
}

static void say(struct viewer *v, const char *method, const char *params)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	vy_buf_addf(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		params);
	conn_say(&v->conn, vy_buf_str(&text));
}

/* asks NAME METHOD {…}: `it` is the answer, {result} or {error}. */
static bool do_asks(struct play *p, const struct words *w)
{
	struct answering a = { play_viewer(p, w->v[1]), 1, false };

	if (!a.v || !a.v->is_talker) {
		return a.v && play_fail(p, "%s does not talk", w->v[1]);
	}
	say(a.v, w->v[2], w->n > 3 ? w->rest[3] : "{}");
	return play_until(p, is_answered, &a) || play_fail(p, "no answer came");
}

enum { AT_ONCE = 50 };

/* pours NAME TIMES METHOD {…}: so often, fifty at once; %d is the number of each. None may be refused. */
static bool do_pours(struct play *p, const struct words *w)
{
	struct answering a = { play_viewer(p, w->v[1]), 0, false };
	const char *at = w->n > 4 ? strstr(w->rest[4], "%d") : NULL;
	long long times = 0;

	if (!a.v || !a.v->is_talker || !at || !vy_parse_i64(vy_str_c(w->v[2]), &times)) {
		return a.v && play_fail(p, "expected: pours NAME TIMES METHOD {… %%d …}");
	}
	for (long long i = 0; i < times; i++) {
		VY_AUTO_BUF params = VY_BUF_INIT(CONN_ANSWER_MAX);

		vy_buf_addf(&params, "%.*s%lld%s", (int)(at - w->rest[4]), w->rest[4], i, at + 2);
		say(a.v, w->v[3], vy_buf_c(&params));
		a.left++;
		if (a.left == AT_ONCE || i + 1 == times) {
			if (!play_until(p, is_answered, &a) || a.is_error) {
				return play_fail(p, "number %lld was refused, or not answered", i);
			}
		}
	}
	return true;
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

struct tail {
	const struct viewer *a, *b;
	bool is_all;   /* every item; else the events alone, */
	long long seq; /* behind this one */
};

/* The next one that counts, from `i` on; n when there is none. */
static size_t next_item(const struct tail *t, const struct viewer *v, size_t i, long long seq)
{
	while (i < v->n && !t->is_all &&
		(!vy_json_get(v->v[i].json, "id") || vy_json_int(v->v[i].json, "seq", 0) <= seq)) {
		i++;
	}
	return i;
}

static bool is_tail(struct play *p, void *ctx)
{
	const struct tail *t = ctx;
	size_t n = 0, i = next_item(t, t->a, 0, -1), k = next_item(t, t->b, 0, t->seq);

	while (i < t->a->n && k < t->b->n) {
		if (!vy_json_equal(t->a->v[i].json, t->b->v[k].json)) {
			return play_fail(p, "item %zu of %s is not %s's\n  %.600s", n, t->a->name,
				t->b->name, t->b->v[k].text);
		}
		n++;
		i = next_item(t, t->a, i + 1, -1);
		k = next_item(t, t->b, k + 1, t->seq);
	}
	return (n > 0 && i == t->a->n && k == t->b->n) ||
	       play_fail(p, "%s was told more than %s behind item %zu",
		       i < t->a->n ? t->a->name : t->b->name, i < t->a->n ? t->b->name : t->a->name,
		       n);
}

bool play_same_items(struct play *p, const struct viewer *a, const struct viewer *b)
{
	return play_until(p, is_tail, &(struct tail){ a, b, true, 0 });
}

/* behind NAME OTHER SEQ: the events NAME was told are just those OTHER was told behind that place, in the end. */
static bool do_behind(struct play *p, const struct words *w)
{
	struct tail t = { play_viewer(p, w->v[1]), play_viewer(p, w->v[2]), false, 0 };

	if (!t.a || !t.b || !vy_parse_i64(vy_str_c(w->v[3]), &t.seq)) {
		return t.a && t.b && play_fail(p, "expected: behind NAME OTHER SEQ");
	}
	return play_until(p, is_tail, &t);
}

/* reads NAME PLANE FILE: what somebody else wrote down of that plane, an item a line, judged as if it came. */
static bool do_reads(struct play *p, const struct words *w)
{
	const struct plane_kind *kind = plane_find(w->v[2]);
	struct viewer *v = kind ? play_add_viewer(p, w->v[1], "-", CONN_SOCKET) : NULL;
	char path[1024], *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!v) {
		return kind || play_fail(p, "there is no plane %s", w->v[2]);
	}
	v->is_left = true;
	v->plane = plane_new(kind, NULL, NULL);
	v->plane->journal.is_shown = true;
	snprintf(path, sizeof(path), "%s%s%s", w->v[3][0] == '/' ? "" : p->box.work,
		w->v[3][0] == '/' ? "" : "/", w->v[3]);
	FILE *f = fopen(path, "re");

	if (!f) {
		return play_fail(p, "%s: %m", path);
	}
	while ((n = getline(&line, &room, f)) > 0 && line[n - 1] == '\n') {
		viewer_take(v, vy_str_n(line, (size_t)n - 1));
	}
	free(line);
	fclose(f);
	return v->n > 0 || play_fail(p, "%s", v->why[0] ? v->why : "there is nothing in it");
}

const struct play_entry verbs_tell[] = {
	{ "inline", 4, do_inline },
	{ "talks", 2, do_talks },
	{ "asks", 2, do_asks },
	{ "pours", 4, do_pours },
	{ "held", 1, do_held },
	{ "behind", 3, do_behind },
	{ "reads", 3, do_reads },
	{ 0 },
};
