/* verbs_come.c -- those who watch: they come, by whatever way, and leave. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/play.h"
#include "tests/play/promise.h"
#include "shared/base/ban.h"

enum { VIA_MS = 2000 }; /* the others are not read meanwhile */

/* Where frames come as notifications, there is no ticket: the subscription is the stream. */
static int open_by_rpc(struct play *p, struct viewer *v, const char *sock, int ms, struct vy_err *e)
{
	VY_AUTO_BUF ask = VY_BUF_INIT(1024), text = VY_BUF_INIT(CONN_ANSWER_MAX);

	vy_buf_addf(&ask,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stream.subscribe\",\"params\":"
		"{\"session\":\"%s\"",
		v->session);
	if (v->has_from) {
		vy_buf_addf(&ask, ",\"from\":%llu", (unsigned long long)v->last);
	}
	if (v->with_epoch && v->epoch[0]) {
		vy_buf_addf(&ask, ",\"epoch\":\"%s\"", v->epoch);
	}
	vy_buf_adds(&ask, "}}");
	if (conn_ask(&v->conn, sock, v->form, vy_buf_str(&ask), ms, &text, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *answer = vy_json_parse(vy_buf_str(&text), NULL);
	struct vy_str name = vy_json_str(vy_json_get(answer, "result"), "subscription");

	play_it(p, vy_json_ref(vy_json_get(answer, "result")));
	snprintf(v->subscription, sizeof(v->subscription), "%.*s", VY_STR_ARG(name));
	if (!name.n) {
		vy_fail(e, VY_DENIED, "%s", vy_buf_c(&text));
		return 403;
	}
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	return promise_keeps(VY_STR_LIT("stream.subscribe"), p->it, &why)
		       ? 0
		       : vy_fail(e, VY_BUG, "%s", vy_buf_c(&why));
}

static int open_by_ticket(
	struct play *p, struct viewer *v, const char *sock, int ms, struct vy_err *e)
{
	VY_AUTO_BUF params = VY_BUF_INIT(1024);

	vy_buf_addf(&params, "{\"session\":\"%s\"", v->session);
	if (v->has_from) {
		vy_buf_addf(&params, ",\"from\":%llu", (unsigned long long)v->last);
	}
	if (v->with_epoch && v->epoch[0]) {
		vy_buf_addf(&params, ",\"epoch\":\"%s\"", v->epoch);
	}
	vy_buf_addc(&params, '}');
	if (!play_call(p, "stream.open", vy_buf_c(&params))) {
		return -2;
	}
	if (v->conn.fd >= 0) {
		return 0; /* a vyred fell in between, and this one came back with all others */
	}
	return conn_open(&v->conn, sock, vy_json_cstr(p->it, "path"), v->form, NULL, ms, e);
}

bool play_open(struct play *p, struct viewer *v)
{
	const char *sock = v->is_via ? vy_json_cstr(p->vars, "PROXY") : p->box.sock;
	int ms = v->is_via ? VIA_MS : p->patience_ms;
	struct vy_err e = { 0 };

	v->is_left = false;
	int status = v->plane               ? play_open_plane(p, v, sock, ms, &e)
		     : conn_is_rpc(v->form) ? open_by_rpc(p, v, sock, ms, &e)
					    : open_by_ticket(p, v, sock, ms, &e);

	if (status == -2) {
		return false; /* said by the call */
	}
	/* who fell just now takes it in again when it is back; who was cut comes once more */
	v->losses += status < 0;
	return status == 0 || (status < 0 && (p->is_steady || v->is_via)) ||
	       play_fail(p, "%s", e.text);
}

/* Whose message is settled does not come back. */
static bool is_done(const struct viewer *v)
{
	return v->plane && v->plane->is_settled;
}

void play_reopen(struct play *p)
{
	for (size_t i = 0; i < p->n_viewers; i++) {
		struct viewer *v = p->viewers[i];

		if (v->conn.fd >= 0) {
			viewer_read(v); /* what the dead one still sent */
		}
		if (v->conn.fd < 0 && !v->is_left && !is_done(v)) {
			play_open(p, v);
		}
	}
}

/* One at a time: what is said to the others meanwhile is read in between. */
void play_rejoin(struct play *p)
{
	for (size_t i = 0; i < p->n_viewers && p->box.vyred; i++) {
		struct viewer *v = p->viewers[i];

		if (v->is_via && v->conn.fd < 0 && !v->is_left && !is_done(v)) {
			VY_AUTO_JSON *it = vy_json_ref(p->it);

			v->losses++;
			play_open(p, v);
			play_it(p, vy_json_ref(it));
			return;
		}
	}
}

/* A name that was used is somebody new. */
static void forget(struct play *p, const char *name)
{
	for (size_t i = 0; i < p->n_viewers; i++) {
		if (strcmp(p->viewers[i]->name, name) == 0) {
			viewer_free(p->viewers[i]);
			p->viewers[i] = p->viewers[--p->n_viewers];
			return;
		}
	}
}

struct viewer *play_add_viewer(
	struct play *p, const char *name, const char *session, enum conn_form form)
{
	forget(p, name);
	if (p->n_viewers == PLAY_VIEWERS) {
		play_fail(p, "too many viewers");
		return NULL;
	}
	return p->viewers[p->n_viewers++] = viewer_new(name, session, form);
}

enum conn_form play_form(const struct words *w, int at)
{
	for (; at < w->n; at++) {
		for (int form = 0; form < CONN_FORMS; form++) {
			if (strcmp(w->v[at], conn_words[form]) == 0) {
				return (enum conn_form)form;
			}
		}
	}
	return CONN_SINGLE;
}

/* viewer NAME SESSION [from N|none] [epoch E] [FORM] */
static bool do_viewer(struct play *p, const struct words *w)
{
	enum conn_form form = play_form(w, 3);
	const char *epoch = "";
	long long from = 0;
	bool has_from = true;

	for (int i = 3; i + 1 < w->n; i++) {
		if (strcmp(w->v[i], "from") == 0) {
			has_from = vy_parse_i64(vy_str_c(w->v[++i]), &from);
		} else if (strcmp(w->v[i], "epoch") == 0) {
			epoch = w->v[++i];
		}
	}
	struct viewer *v = play_add_viewer(p, w->v[1], w->v[2], form);

	if (!v) {
		return false;
	}
	v->has_from = has_from;
	v->from = v->last = (uint64_t)from;
	v->with_epoch = epoch[0] != '\0';
	snprintf(v->epoch, sizeof(v->epoch), "%s", epoch);
	return play_open(p, v);
}

static bool do_cut(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (v) {
		conn_close(&v->conn);
		v->is_left = true;
	}
	return v != NULL;
}

static bool do_back(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	return v && play_open(p, v);
}

static bool do_slow(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (v) {
		v->is_slow = strcmp(w->v[0], "slow") == 0;
	}
	return v != NULL;
}

static bool is_closed(struct play *p, void *ctx)
{
	(void)p;
	return ((struct viewer *)ctx)->conn.fd < 0;
}

/* over NAME: vyred ended it, by whatever word. */
static bool do_over(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (!v || !play_until(p, is_closed, v)) {
		return v && play_fail(p, "it is open");
	}
	v->is_left = true;
	return true;
}

/* closed NAME CODE: vyred said goodbye with it. */
static bool do_closed(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);
	long long code = 0;

	if (!v || !vy_parse_i64(vy_str_c(w->v[2]), &code)) {
		return false;
	}
	if (!play_until(p, is_closed, v)) {
		return play_fail(p, "it is open");
	}
	v->is_left = true;
	return v->conn.code == code || play_fail(p, "it was closed with %d", v->conn.code);
}

/* {status, body} of a stream that was refused. */
struct vy_json *play_refusal(const struct conn *c, int status)
{
	struct vy_json *o = vy_json_new_obj(), *body = vy_json_parse(vy_buf_str(&c->in), NULL);

	vy_json_set_int(o, "status", status);
	vy_json_take(o, "body", body ? body : vy_json_new_str(vy_buf_str(&c->in)));
	return o;
}

/* open STATUS PATH [FORM]: a stream that is refused so; `it` is {status, body}. */
static bool do_open(struct play *p, const struct words *w)
{
	struct conn c = { .fd = -1 };
	struct vy_err e = { 0 };
	long long want = 0;
	int status = conn_open(&c, p->box.sock, w->v[2], play_form(w, 3), NULL, p->patience_ms, &e);

	play_it(p, play_refusal(&c, status));
	conn_close(&c);
	if (!vy_parse_i64(vy_str_c(w->v[1]), &want)) {
		return play_fail(p, "expected: open STATUS PATH");
	}
	return status == want || play_fail(p, "%d %s", status, e.text);
}

/* raw "BYTES": to the socket as they are; `it` is what came back until it hung up. */
static bool do_raw(struct play *p, const struct words *w)
{
	VY_AUTO_BUF in = VY_BUF_INIT(CONN_ANSWER_MAX);
	char room[4096];
	int fd = conn_dial(p->box.sock, p->patience_ms, NULL);
	ssize_t n;

	if (fd < 0) {
		return play_fail(p, "nobody listens");
	}
	n = send(fd, w->v[1], w->len[1], MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	while (n > 0 && (n = recv(fd, room, sizeof(room), 0)) > 0) {
		vy_buf_add(&in, room, (size_t)n);
	}
	close(fd);
	play_it(p, vy_json_new_str(vy_buf_str(&in)));
	return true;
}

const struct play_entry verbs_come[] = {
	{ "viewer", 2, do_viewer },
	{ "cut", 1, do_cut },
	{ "back", 1, do_back },
	{ "slow", 1, do_slow },
	{ "fast", 1, do_slow },
	{ "closed", 2, do_closed },
	{ "over", 1, do_over },
	{ "open", 2, do_open },
	{ "raw", 1, do_raw },
	{ 0 },
};
