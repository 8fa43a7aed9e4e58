/* term.c -- see term.h. */
#include "shared/frame/term.h"

#include <stdio.h>

#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define OFFSET_MAX ((uint64_t)1 << 53) /* a number of JSON that everybody reads exactly */

/* ---- text ---- */

static void write_code(struct vy_jw *w, const char *key, bool has, int n)
{
	vy_jw_key(w, key);
	if (has) {
		vy_jw_int(w, n);
	} else {
		vy_jw_null(w);
	}
}

static void write_size(struct vy_jw *w, const struct vy_term_msg *m)
{
	vy_jw_kint(w, "cols", m->cols);
	vy_jw_kint(w, "rows", m->rows);
}

static void write_hello(struct vy_jw *w, const struct vy_term_msg *m)
{
	vy_jw_kint(w, "offset", (int64_t)m->offset);
	vy_jw_kint(w, "floor", (int64_t)m->floor);
	vy_jw_kint(w, "end", (int64_t)m->end);
	write_size(w, m);
	vy_jw_kint(w, "pid", m->pid);
	vy_jw_kbool(w, "prologue", m->has_prologue);
	vy_jw_kbool(w, "keys", m->has_keys);
}

static const char *const words[] = {
	[VY_TERM_UNKNOWN] = "",
	[VY_TERM_HELLO] = "hello",
	[VY_TERM_EXIT] = "exit",
	[VY_TERM_RESIZE] = "resize",
	[VY_TERM_TAKE] = "take",
};

void vy_term_write(const struct vy_term_msg *m, bool from_server, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "t", vy_str_c(words[m->type]));
	switch (m->type) {
	case VY_TERM_UNKNOWN: break;
	case VY_TERM_HELLO: write_hello(&w, m); break;
	case VY_TERM_EXIT:
		write_code(&w, "status", m->has_status, m->status);
		write_code(&w, "signal", m->has_signal, m->signal);
		if (m->why[0]) {
			vy_jw_kstr(&w, "why", vy_str_c(m->why));
		}
		break;
	case VY_TERM_RESIZE:
		if (from_server) {
			vy_jw_kint(&w, "offset", (int64_t)m->offset);
		}
		write_size(&w, m);
		break;
	case VY_TERM_TAKE:
		if (from_server) {
			vy_jw_kbool(&w, "keys", m->has_keys);
		}
		break;
	}
	vy_jw_end_obj(&w);
}

static int read_offset(const struct vy_json *o, const char *key, uint64_t *out, struct vy_err *e)
{
	int64_t n = 0;

	if (vy_json_need_int(o, "message.", key, &n, e) != 0) {
		return -1;
	}
	if (n < 0 || (uint64_t)n > OFFSET_MAX) {
		return vy_fail(e, VY_BAD_INPUT, "message.%s: is no offset", key);
	}
	*out = (uint64_t)n;
	return 0;
}

static int read_side(const struct vy_json *o, const char *key, unsigned *out, struct vy_err *e)
{
	int64_t n = 0;

	if (vy_json_need_int(o, "message.", key, &n, e) != 0) {
		return -1;
	}
	if (n < 1 || n > VY_TERM_SIDE_MAX) {
		return vy_fail(
			e, VY_BAD_INPUT, "message.%s: expected 1 to %d", key, VY_TERM_SIDE_MAX);
	}
	*out = (unsigned)n;
	return 0;
}

static int read_size(const struct vy_json *o, struct vy_term_msg *m, struct vy_err *e)
{
	return read_side(o, "cols", &m->cols, e) != 0 || read_side(o, "rows", &m->rows, e) != 0 ? -1
												: 0;
}

static int read_hello(const struct vy_json *o, struct vy_term_msg *m, struct vy_err *e)
{
	if (read_offset(o, "offset", &m->offset, e) != 0 ||
		read_offset(o, "floor", &m->floor, e) != 0 ||
		read_offset(o, "end", &m->end, e) != 0 || read_size(o, m, e) != 0) {
		return -1;
	}
	if (m->floor > m->offset || m->offset > m->end) {
		return vy_fail(e, VY_BAD_INPUT, "message.offset: lies outside of floor and end");
	}
	m->pid = vy_json_int(o, "pid", 0);
	m->has_prologue = vy_json_bool(o, "prologue", false);
	m->has_keys = vy_json_bool(o, "keys", false);
	return 0;
}

static void read_exit(const struct vy_json *o, struct vy_term_msg *m)
{
	struct vy_str why = vy_json_str(o, "why");

	m->has_status = vy_json_type(vy_json_get(o, "status")) == VY_JSON_INT;
	m->status = (int)vy_json_int(o, "status", 0);
	m->has_signal = vy_json_type(vy_json_get(o, "signal")) == VY_JSON_INT;
	m->signal = (int)vy_json_int(o, "signal", 0);
	why.n = why.n < sizeof(m->why) ? why.n : sizeof(m->why) - 1;
	why.n -= vy_utf8_unfinished(why);
	snprintf(m->why, sizeof(m->why), "%.*s", VY_STR_ARG(why));
}

static enum vy_term_type type_of(struct vy_str word)
{
	for (size_t i = VY_TERM_HELLO; i < VY_COUNT(words); i++) {
		if (vy_str_is(word, words[i])) {
			return (enum vy_term_type)i;
		}
	}
	return VY_TERM_UNKNOWN;
}

static bool is_said_by(enum vy_term_type t, bool server)
{
	return server || t == VY_TERM_RESIZE || t == VY_TERM_TAKE;
}

int vy_term_read(struct vy_str text, bool from_server, struct vy_term_msg *out, struct vy_err *e)
{
	VY_AUTO_JSON *o = vy_json_parse(text, e);
	struct vy_str word;

	*out = (struct vy_term_msg){ 0 };
	if (!o) {
		return -1;
	}
	if (vy_json_need_str(o, "message.", "t", &word, e) != 0) {
		return -1;
	}
	out->type = type_of(word);
	if (!is_said_by(out->type, from_server)) {
		out->type = VY_TERM_UNKNOWN;
	}
	switch (out->type) {
	case VY_TERM_UNKNOWN: break;
	case VY_TERM_HELLO: return read_hello(o, out, e);
	case VY_TERM_EXIT: read_exit(o, out); break;
	case VY_TERM_RESIZE:
		return from_server && read_offset(o, "offset", &out->offset, e) != 0
			       ? -1
			       : read_size(o, out, e);
	case VY_TERM_TAKE: out->has_keys = vy_json_bool(o, "keys", false); break;
	}
	return 0;
}

/* ---- bytes ---- */

void vy_term_head(uint64_t offset, unsigned char out[VY_TERM_HEAD])
{
	for (int i = VY_TERM_HEAD - 1; i >= 0; i--) {
		out[i] = (unsigned char)(offset & 0xFF);
		offset >>= 8;
	}
}

bool vy_term_split(struct vy_str message, uint64_t *offset, struct vy_str *bytes)
{
	uint64_t n = 0;

	if (message.n < VY_TERM_HEAD) {
		return false;
	}
	for (size_t i = 0; i < VY_TERM_HEAD; i++) {
		n = n << 8 | (unsigned char)message.p[i];
	}
	*offset = n;
	*bytes = vy_str_from(message, VY_TERM_HEAD);
	return true;
}

/* ---- a viewer ---- */

void vy_term_viewer_init(struct vy_term_viewer *v)
{
	*v = (struct vy_term_viewer){ 0 };
}

bool vy_term_from(const struct vy_term_viewer *v, uint64_t *from)
{
	bool has = v->has_at && !v->wants_prologue;

	if (has) {
		*from = v->at;
	}
	return has;
}

void vy_term_opened(struct vy_term_viewer *v)
{
	if (v->wants_prologue) {
		v->has_at = false; /* it never came, so nothing is known */
	}
	v->is_open = v->wants_prologue = v->is_broken = false;
}

static struct vy_term_effect *does(struct vy_term_out *out, enum vy_term_do what)
{
	struct vy_term_effect *e = &out->e[out->n++];

	*e = (struct vy_term_effect){ .what = what };
	return e;
}

static void again(struct vy_term_viewer *v, struct vy_term_out *out, const char *why)
{
	v->is_broken = true;
	does(out, VY_TERM_DO_AGAIN)->text = why;
}

static void size(struct vy_term_viewer *v, struct vy_term_out *out, enum vy_term_do what,
	const struct vy_term_msg *m)
{
	struct vy_term_effect *e = does(out, what);

	e->cols = v->cols = m->cols;
	e->rows = v->rows = m->rows;
}

static void keys(struct vy_term_viewer *v, struct vy_term_out *out, bool has)
{
	if (has != v->has_keys) {
		v->has_keys = has;
		does(out, VY_TERM_DO_KEYS);
	}
}

/* Its screen is known there: it had all of it before. */
static bool stands_at(const struct vy_term_viewer *v, uint64_t offset)
{
	return v->has_at && !v->wants_prologue && v->at == offset;
}

static void hello(struct vy_term_viewer *v, struct vy_term_out *out, const struct vy_term_msg *m)
{
	if (!m->has_prologue && m->offset != 0 && !stands_at(v, m->offset)) {
		v->has_at = false; /* a blank one from there would be wrong, and silently */
		again(v, out, "the server goes on where this screen is not");
		return;
	}
	v->is_open = true;
	v->floor = m->floor;
	v->end = m->end;
	v->pid = m->pid;
	if (m->has_prologue || !stands_at(v, m->offset)) {
		size(v, out, VY_TERM_DO_RESET, m);
	} else if (m->cols != v->cols || m->rows != v->rows) {
		size(v, out, VY_TERM_DO_SIZE, m);
	}
	v->wants_prologue = m->has_prologue;
	v->has_at = true;
	v->at = m->offset;
	keys(v, out, m->has_keys);
}

static void resized(struct vy_term_viewer *v, struct vy_term_out *out, const struct vy_term_msg *m)
{
	if (m->offset > v->at) {
		again(v, out, "a size came before the bytes it follows");
	} else if (m->offset == v->at && (m->cols != v->cols || m->rows != v->rows)) {
		size(v, out, VY_TERM_DO_SIZE, m);
	}
}

void vy_term_text(struct vy_term_viewer *v, struct vy_str message, struct vy_term_out *out)
{
	struct vy_term_msg m;
	struct vy_err e;

	out->n = 0;
	if (v->is_broken) {
		return;
	}
	if (vy_term_read(message, true, &m, &e) != 0) {
		again(v, out, "the server sent what is no message of a terminal");
	} else if (m.type == VY_TERM_UNKNOWN) {
		return;
	} else if (m.type == VY_TERM_HELLO) {
		hello(v, out, &m);
	} else if (!v->is_open || v->wants_prologue) {
		again(v, out, "the server left out what comes first");
	} else if (m.type == VY_TERM_RESIZE) {
		resized(v, out, &m);
	} else if (m.type == VY_TERM_TAKE) {
		keys(v, out, m.has_keys);
	} else {
		v->exit = m;
		if (!v->has_ended) {
			does(out, VY_TERM_DO_EXIT);
		}
		v->has_ended = true;
	}
}

static void prologue(
	struct vy_term_viewer *v, uint64_t offset, struct vy_str bytes, struct vy_term_out *out)
{
	if (offset != v->at) {
		again(v, out, "the state the server sent is another offset's");
		return;
	}
	v->wants_prologue = false;
	struct vy_term_effect *e = does(out, VY_TERM_DO_FEED);

	e->bytes = bytes;
	e->is_prologue = true;
}

void vy_term_bytes(struct vy_term_viewer *v, struct vy_str message, struct vy_term_out *out)
{
	uint64_t offset;
	struct vy_str bytes;

	out->n = 0;
	if (v->is_broken) {
		return;
	}
	if (!vy_term_split(message, &offset, &bytes)) {
		again(v, out, "the server sent bytes without their offset");
	} else if (!v->is_open) {
		again(v, out, "the server left out what comes first");
	} else if (v->wants_prologue) {
		prologue(v, offset, bytes, out);
	} else if (offset > v->at) {
		again(v, out, "bytes are missing");
	} else if (bytes.n > v->at - offset) {
		bytes = vy_str_from(bytes, (size_t)(v->at - offset));
		v->at += bytes.n;
		v->end = v->end > v->at ? v->end : v->at;
		does(out, VY_TERM_DO_FEED)->bytes = bytes;
	}
}
