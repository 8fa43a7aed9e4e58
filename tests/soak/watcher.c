/* watcher.c -- see watcher.h. */
#include "tests/soak/watcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum { CALL_MS = 60000 };

struct watcher *watcher_new(struct seat *seat)
{
	struct watcher *w = VY_NEW(struct watcher);
	char name[48];

	snprintf(name, sizeof(name), "of %d by %s", seat->number, conn_words[seat->form]);
	w->v = viewer_new(name, seat->session, seat->form);
	w->v->has_from = true;
	w->seat = seat;
	seat->digest = 0xcbf29ce484222325u;
	return w;
}

void watcher_free(struct watcher *w)
{
	viewer_free(w->v);
	free(w);
}

struct vy_json *watcher_call(const char *sock, const char *method, const char *params)
{
	VY_AUTO_BUF body = VY_BUF_INIT(VY_MIB), answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_err e = { 0 };

	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		params);
	struct conn_ask ask = { "POST", "/v1/rpc", NULL, vy_buf_str(&body) };

	conn_request(sock, &ask, CALL_MS, &answer, &e);
	VY_AUTO_JSON *whole = vy_json_parse(vy_buf_str(&answer), NULL);
	struct vy_json *result = vy_json_get(whole, "result");

	if (!result) {
		fprintf(stderr, "%s %s: %s %.300s\n", method, params, e.text, vy_buf_c(&answer));
	}
	return vy_json_ref(result);
}

static bool subscribe(struct watcher *w, const char *by, int ms)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);
	char ask[256];
	struct vy_err e = { 0 };

	snprintf(ask, sizeof(ask),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stream.subscribe\",\"params\":"
		"{\"session\":\"%s\",\"from\":%llu}}",
		w->v->session, (unsigned long long)w->v->last);
	if (conn_ask(&w->v->conn, by, w->v->form, vy_str_c(ask), ms, &text, &e) != 0) {
		return false;
	}
	VY_AUTO_JSON *answer = vy_json_parse(vy_buf_str(&text), NULL);
	struct vy_str name = vy_json_str(vy_json_get(answer, "result"), "subscription");

	snprintf(w->v->subscription, sizeof(w->v->subscription), "%.*s", VY_STR_ARG(name));
	return name.n > 0;
}

static bool by_ticket(struct watcher *w, const char *sock, const char *by, int ms)
{
	char params[256];
	struct vy_err e = { 0 };

	snprintf(params, sizeof(params), "{\"session\":\"%s\",\"from\":%llu}", w->v->session,
		(unsigned long long)w->v->last);
	VY_AUTO_JSON *ticket = watcher_call(sock, "stream.open", params);

	return ticket && conn_open(&w->v->conn, by, vy_json_cstr(ticket, "path"), w->v->form, NULL,
				 ms, &e) == 0;
}

bool watcher_open(struct watcher *w, const char *sock, const char *by, int ms)
{
	bool ok = conn_is_rpc(w->v->form) ? subscribe(w, by, ms) : by_ticket(w, sock, by, ms);

	if (!ok) {
		conn_close(&w->v->conn);
	}
	return ok;
}

/* FNV-1a. */
static uint64_t add(uint64_t digest, const char *text)
{
	for (; *text; text++) {
		digest = (digest ^ (unsigned char)*text) * 0x100000001b3u;
	}
	return digest;
}

bool watcher_read(struct watcher *w)
{
	bool is_open = viewer_read(w->v);
	uint64_t digest = w->seat->digest;

	for (size_t i = 0; i < w->v->n; i++) {
		const struct seen *s = &w->v->v[i];

		if (s->cur) {
			digest = add(digest, s->text);
			w->seat->pieces++;
			w->seat->is_idle =
				vy_str_is(vy_json_str(s->json, "type"), "session.status") &&
				vy_str_is(vy_json_str(vy_json_get(s->json, "data"), "state"),
					"waiting");
		}
	}
	w->seat->digest = digest;
	w->seat->last = w->v->last;
	w->wait_ms = w->v->n ? 0 : w->wait_ms;
	viewer_forget(w->v);
	return is_open;
}
