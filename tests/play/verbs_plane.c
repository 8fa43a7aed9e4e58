/* verbs_plane.c -- those who are told of something else than frames (plane.h). */
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/match.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

/* ---- coming ---- */

/* What it is opened with: further params and its place. */
static struct vy_json *params_of(const struct plane *pl)
{
	struct vy_json *o = vy_json_parse(vy_str_c(pl->more[0] ? pl->more : "{}"), NULL);
	long long n;

	if (pl->place[0] && pl->kind->place) {
		if (vy_parse_i64(vy_str_c(pl->place), &n)) {
			vy_json_set_int(o, pl->kind->place, n);
		} else {
			vy_json_set_c(o, pl->kind->place, pl->place);
		}
	}
	return o;
}

/* A subscription of the line socket or the control WebSocket. */
static int subscribe(struct play *p, struct viewer *v, const char *sock, int ms, struct vy_err *e)
{
	VY_AUTO_BUF ask = VY_BUF_INIT(8192), text = VY_BUF_INIT(CONN_ANSWER_MAX);
	const struct plane *pl = v->plane;
	VY_AUTO_JSON *params = params_of(pl);

	if (v->session[0] != '-') {
		vy_json_set_c(params, "session", v->session);
	}
	if (pl->message[0]) {
		vy_json_set_c(params, "message", pl->message);
	}
	vy_buf_addf(&ask,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":", pl->kind->method);
	vy_json_dump(params, &ask);
	vy_buf_addc(&ask, '}');
	if (conn_ask(&v->conn, sock, v->form, vy_buf_str(&ask), ms, &text, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *answer = vy_json_parse(vy_buf_str(&text), NULL);
	struct vy_json *result = vy_json_get(answer, "result");
	struct vy_str name = vy_json_str(result, "subscription");

	play_it(p, vy_json_ref(result ? result : vy_json_get(answer, "error")));
	snprintf(v->subscription, sizeof(v->subscription), "%.*s", VY_STR_ARG(name));
	if (!name.n) {
		vy_fail(e, VY_DENIED, "%.*s", VY_STR_ARG(vy_json_str(p->it, "message")));
		return 403;
	}
	if (!pl->place[0] && strcmp(pl->kind->name, "control") == 0) { /* who heard nothing yet */
		snprintf(v->plane->place, sizeof(v->plane->place), "%lld",
			(long long)vy_json_int(result, "head", 0));
	}
	return 0;
}

/* A connection of its own, whose params stand in the URL. Who comes back by events says its place as
 * Last-Event-ID. */
static int get(struct viewer *v, const char *sock, int ms, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	const struct plane *pl = v->plane;
	bool is_back = v->form == CONN_EVENTS && (pl->openings > 1 || pl->is_by_id);
	VY_AUTO_JSON *params = params_of(pl);
	struct vy_json *value;
	const char *name;
	char mark = '?';

	if (pl->kind->path) {
		vy_buf_addf(&path, "/v1/sessions/%s/%s", v->session, pl->kind->path);
	} else {
		vy_buf_adds(&path, "/v1/stream"); /* of all sessions */
	}
	if (pl->message[0]) {
		vy_buf_addf(&path, "%s/stream", pl->message);
	}
	VY_JSON_EACH (params, name, value) {
		if (is_back && pl->kind->place && strcmp(name, pl->kind->place) == 0) {
			continue;
		}
		vy_buf_addf(&path, "%c%s=", mark, name);
		if (vy_json_type(value) == VY_JSON_BOOL) {
			vy_buf_addc(&path, vy_json_bool(params, name, false) ? '1' : '0');
		} else {
			match_text(value, &path);
		}
		mark = '&';
	}
	return conn_open(
		&v->conn, sock, vy_buf_c(&path), v->form, is_back ? pl->place : NULL, ms, e);
}

int play_open_plane(struct play *p, struct viewer *v, const char *sock, int ms, struct vy_err *e)
{
	plane_opened(v->plane);
	return conn_is_rpc(v->form) ? subscribe(p, v, sock, ms, e) : get(v, sock, ms, e);
}

/* hears NAME PLANE SESSION|- FORM [of MESSAGE] [from|last PLACE] [with {…}]: further params. */
static struct viewer *hearer(struct play *p, const struct words *w)
{
	const struct plane_kind *kind = plane_find(w->v[2]);
	const char *message = "", *from = "", *more = "";
	bool is_by_id = false;
	struct viewer *v;

	for (int i = 4; i + 1 < w->n; i++) {
		if (strcmp(w->v[i], "of") == 0) {
			message = w->v[++i];
		} else if (strcmp(w->v[i], "from") == 0 || strcmp(w->v[i], "last") == 0) {
			is_by_id = strcmp(w->v[i], "last") == 0;
			from = w->v[++i];
		} else if (strcmp(w->v[i], "with") == 0) {
			more = w->rest[++i]; /* to the end of the line */
			break;
		}
	}
	if (!kind) {
		play_fail(p, "there is no plane %s", w->v[2]);
		return NULL;
	}
	v = play_add_viewer(p, w->v[1], w->v[3], play_form(w, 4));
	if (v) {
		v->plane = plane_new(kind, message, more);
		v->plane->is_by_id = is_by_id;
		snprintf(v->plane->place, sizeof(v->plane->place), "%s", from);
	}
	return v;
}

static bool do_hears(struct play *p, const struct words *w)
{
	struct viewer *v = hearer(p, w);

	return v && play_open(p, v);
}

/* refuses TEXT NAME PLANE SESSION …: as hears, but it is refused with such a sentence. */
static bool do_refuses(struct play *p, const struct words *w)
{
	struct words rest = *w;
	struct vy_err e = { 0 };

	memmove(&rest.v[1], &rest.v[2], sizeof(rest.v[0]) * (size_t)(rest.n - 2));
	rest.n--;
	struct viewer *v = hearer(p, &rest);

	if (!v) {
		return false;
	}
	v->is_left = true;
	int status = play_open_plane(p, v, p->box.sock, p->patience_ms, &e);
	VY_AUTO_JSON *said = play_refusal(&v->conn, status);
	const char *sentence = conn_is_rpc(v->form)
				       ? e.text
				       : vy_json_cstr(vy_json_path(said, "body.error"), "message");

	conn_close(&v->conn);
	return (status > 0 && sentence && strstr(sentence, w->v[1])) ||
	       play_fail(p, "%d: %s", status, e.text);
}

/* ---- what it holds ---- */

static const struct plane *plane_of(struct play *p, const char *name)
{
	const struct viewer *v = play_viewer(p, name);

	if (v && !v->plane) {
		play_fail(p, "%s sees frames", name);
	}
	return v ? v->plane : NULL;
}

/* holds NAME MESSAGE FACT…: what it knows of a message, at last. */
struct holding {
	struct play *p;
	const struct plane *plane;
	const struct words *w;
};

static bool does_hold(struct play *p, void *ctx)
{
	const struct holding *h = ctx;
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	play_it(p, plane_message(h->plane, vy_str_c(h->w->v[2])));
	for (int i = 3; i < h->w->n; i++) {
		if (!p->it || !match_fact(p->it, h->w->v[i], &why)) {
			return play_fail(
				p, "%s", p->it ? vy_buf_c(&why) : "it knows nothing of it");
		}
	}
	return p->it != NULL;
}

static bool do_holds(struct play *p, const struct words *w)
{
	struct holding h = { p, plane_of(p, w->v[1]), w };

	return h.plane && play_until(p, does_hold, &h);
}

/* agree NAME SESSION: each message it holds is what the session's history says of it. */
static const char *message_differs(const struct vy_json *mine, const struct vy_json *history)
{
	static const char *const members[] = { "state", "text", "role", "author",
		"messageRevision" };

	for (size_t i = 0; i < VY_COUNT(members); i++) {
		const struct vy_json *a = vy_json_get(mine, members[i]),
				     *b = vy_json_get(history, members[i]);

		if (strcmp(members[i], "text") == 0 && vy_json_get(mine, "bytes")) {
			continue; /* cut: the history has it */
		}
		if (a != b && !vy_json_equal(a, b)) {
			return members[i];
		}
	}
	return NULL;
}

struct agreeing {
	const struct plane *plane;
	const char *session;
};

static bool does_agree(struct play *p, void *ctx)
{
	const struct agreeing *a = ctx;
	char params[128];
	size_t common = 0;

	snprintf(params, sizeof(params), "{\"session\":\"%s\",\"limit\":200}", a->session);
	if (!play_call(p, "threads.history", params)) {
		return false;
	}
	const struct vy_json *all = vy_json_get(p->it, "messages");

	for (size_t i = 0; i < vy_json_len(all); i++) {
		const struct vy_json *theirs = vy_json_at(all, i);
		const struct vy_json *mine =
			vy_json_get(a->plane->messages, vy_json_cstr(theirs, "message"));
		const char *what = mine ? message_differs(mine, theirs) : NULL;

		if (what) {
			return play_fail(p, "of message %s the %s differs",
				vy_json_cstr(theirs, "message"), what);
		}
		common += mine != NULL;
	}
	return common > 0 || play_fail(p, "it knows no message of that session");
}

static bool do_agree(struct play *p, const struct words *w)
{
	struct agreeing a = { plane_of(p, w->v[1]), w->v[2] };

	return a.plane && play_until(p, does_agree, &a);
}

struct likening {
	const struct plane *a, *b;
};

/* Their keys, kinds and words: how often a row was told is one's own. */
static bool is_alike(struct play *p, void *ctx)
{
	const struct likening *l = ctx;
	size_t n = vy_json_len(l->a->rows);

	if (vy_json_len(l->a->messages) > 0) {
		return vy_json_equal(l->a->messages, l->b->messages) ||
		       play_fail(p, "they know other messages");
	}
	if (n == 0 || n != vy_json_len(l->b->rows)) {
		return play_fail(p, "one has %zu rows, one %zu", n, vy_json_len(l->b->rows));
	}
	for (size_t i = 0; i < n; i++) {
		VY_AUTO_JSON *a = vy_json_copy(vy_json_at(l->a->rows, i));
		VY_AUTO_JSON *b = vy_json_copy(vy_json_at(l->b->rows, i));

		vy_json_del(a, "rev");
		vy_json_del(b, "rev");
		if (!vy_json_equal(a, b)) {
			return play_fail(p, "row %s differs", vy_json_cstr(a, "key"));
		}
	}
	return true;
}

/* alike NAME NAME: both hold the same rows, or messages, at last. */
static bool do_alike(struct play *p, const struct words *w)
{
	struct likening l = { plane_of(p, w->v[1]), plane_of(p, w->v[2]) };

	return l.a && l.b && play_until(p, is_alike, &l);
}

static const struct seen *last_such(struct play *p, const char *name, const struct words *w)
{
	const struct viewer *v = play_viewer(p, name);
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	for (size_t i = v ? v->n : 0; i > 0; i--) {
		const struct seen *s = &v->v[i - 1];
		bool fits = vy_str_is(vy_json_str(s->json, "type"), w->v[3]);

		for (int k = 4; k < w->n && fits; k++) {
			fits = match_fact(s->json, w->v[k], &why);
		}
		if (fits) {
			return s;
		}
	}
	play_fail(p, "%s was not told of it", name);
	return NULL;
}

/* twin NAME NAME TYPE FACT…: both were told of it in the same words. */
static bool do_twin(struct play *p, const struct words *w)
{
	static const char *const members[] = { "id", "type", "session", "time", "data" };
	const struct seen *a = last_such(p, w->v[1], w), *b = a ? last_such(p, w->v[2], w) : NULL;

	for (size_t i = 0; a && b && i < VY_COUNT(members); i++) {
		const struct vy_json *x = vy_json_get(a->json, members[i]);

		if (!x || !vy_json_equal(x, vy_json_get(b->json, members[i]))) {
			return play_fail(p, "its %s differs", members[i]);
		}
	}
	return a && b;
}

static struct vy_json *numbers(const struct viewer *v)
{
	struct vy_json *o = vy_json_new_obj();
	const struct plane *pl = v->plane;

	vy_json_set_int(o, "doubles", pl->doubles);
	vy_json_set_int(o, "snapshots", pl->snapshots);
	vy_json_set_int(o, "deltas", pl->deltas);
	vy_json_set_int(o, "same", pl->same);
	vy_json_set_int(o, "openings", pl->openings);
	vy_json_set_int(o, "comments", v->conn.comments);
	vy_json_set_int(o, "beats", v->beats);
	vy_json_set_int(o, "retry", v->conn.retry);
	vy_json_set_int(o, "items", (int64_t)v->n);
	vy_json_set_int(o, "rows", (int64_t)vy_json_len(pl->rows));
	vy_json_set_int(o, "ends", pl->journal.ends);
	vy_json_set_int(o, "abandoned", pl->journal.abandoned);
	vy_json_set_int(o, "settled", (int64_t)vy_json_len(pl->journal.settled));
	vy_json_set_int(o, "cut", pl->journal.cut);
	vy_json_set_int(o, "chunks", pl->journal.chunks);
	vy_json_set_int(o, "owed", (int64_t)vy_json_len(pl->journal.owed));
	vy_json_set_int(o, "live", (int64_t)vy_json_len(pl->journal.live));
	vy_json_set_int(o, "goodbye", v->goodbye);
	return o;
}

struct numbering {
	const struct viewer *v;
	const char *fact;
};

static bool is_number(struct play *p, void *ctx)
{
	const struct numbering *n = ctx;
	VY_AUTO_JSON *o = numbers(n->v);
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	return match_fact(o, n->fact, &why) || play_fail(p, "%s", vy_buf_c(&why));
}

/* number NAME WHAT OPERATOR-AND-VALUE: `number G snapshots =1`, at last. */
static bool do_number(struct play *p, const struct words *w)
{
	struct numbering n = { .v = play_viewer(p, w->v[1]) };
	char fact[128];

	snprintf(fact, sizeof(fact), ".%s%s", w->v[2], w->v[3]);
	n.fact = fact;
	return n.v && plane_of(p, w->v[1]) && play_until(p, is_number, &n);
}

const struct play_entry verbs_plane[] = {
	{ "hears", 3, do_hears },
	{ "refuses", 4, do_refuses },
	{ "holds", 2, do_holds },
	{ "agree", 2, do_agree },
	{ "alike", 2, do_alike },
	{ "twin", 3, do_twin },
	{ "number", 3, do_number },
	{ 0 },
};
