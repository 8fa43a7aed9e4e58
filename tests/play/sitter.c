/* sitter.c -- see sitter.h. */
#include "tests/play/sitter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

struct sitter *sitter_new(const char *name, const char *term)
{
	struct sitter *s = VY_NEW(struct sitter);

	snprintf(s->name, sizeof(s->name), "%s", name);
	snprintf(s->term, sizeof(s->term), "%s", term);
	s->conn.fd = -1;
	vy_term_viewer_init(&s->at);
	vy_buf_init(&s->log, SITTER_LOG_MAX);
	return s;
}

void sitter_free(struct sitter *s)
{
	conn_close(&s->conn);
	vy_vt_free(s->vt);
	vy_buf_fini(&s->log);
	free(s);
}

static void wrong(struct sitter *s, const char *what)
{
	if (!s->why[0]) {
		snprintf(s->why, sizeof(s->why), "%s: %s", s->name, what);
	}
}

int sitter_open(struct sitter *s, const char *sock, const char *path, int ms, struct vy_err *e)
{
	int status;

	vy_term_opened(&s->at);
	status = conn_open(&s->conn, sock, path, CONN_SINGLE, NULL, ms, e);
	s->has_come |= status == 0;
	return status;
}

/* ---- what comes ---- */

static void feed(struct sitter *s, const struct vy_term_effect *e)
{
	if (s->vt) {
		vy_vt_feed(s->vt, e->bytes);
	}
	if (!e->is_prologue && !vy_buf_addstr(&s->log, e->bytes)) {
		wrong(s, "more came than is kept");
	}
}

static void reset(struct sitter *s, const struct vy_term_effect *e)
{
	vy_vt_free(s->vt);
	s->vt = s->is_light ? NULL : vy_vt_new((int)e->cols, (int)e->rows, 0, NULL);
	vy_buf_clear(&s->log);
	s->log_from = s->at.at;
}

static void does(struct sitter *s, const struct vy_term_effect *e)
{
	switch (e->what) {
	case VY_TERM_DO_RESET: reset(s, e); break;
	case VY_TERM_DO_SIZE:
		if (s->vt) {
			vy_vt_resize(s->vt, (int)e->cols, (int)e->rows);
		}
		break;
	case VY_TERM_DO_FEED: feed(s, e); break;
	case VY_TERM_DO_AGAIN: wrong(s, e->text); break;
	case VY_TERM_DO_KEYS:
	case VY_TERM_DO_EXIT: break;
	}
}

static void on_message(void *ctx, struct vy_str message, int64_t id)
{
	struct sitter *s = ctx;
	struct vy_term_out out = { 0 };
	struct vy_term_msg m;
	struct vy_err e;

	(void)id;
	if (s->conn.is_binary) {
		vy_term_bytes(&s->at, message, &out);
	} else {
		if (vy_term_read(message, true, &m, &e) == 0 && m.type == VY_TERM_HELLO) {
			s->hellos++;
			s->screens += m.has_prologue;
		}
		vy_term_text(&s->at, message, &out);
	}
	for (size_t i = 0; i < out.n; i++) {
		does(s, &out.e[i]);
	}
}

void sitter_read(struct sitter *s)
{
	(void)conn_read(&s->conn, on_message, s);
}

/* ---- what it says ---- */

void sitter_keys(struct sitter *s, struct vy_str keys)
{
	if (s->conn.fd >= 0) {
		conn_bytes(&s->conn, keys);
	}
}

void sitter_say(struct sitter *s, const struct vy_term_msg *m)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_TERM_SAY_MAX);

	vy_term_write(m, false, &b);
	if (s->conn.fd >= 0) {
		conn_text(&s->conn, vy_buf_str(&b));
	}
}
