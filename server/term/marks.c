/* marks.c -- see marks.h.
 *
 * A report is OSC 7337 ; key ; P ; status ; folder (a prompt is shown) or OSC 7337 ; key ; C ; command,
 * ended by BEL or ST. In its words \\ is a backslash, \n a line end, \t a tab; no other control. */
#include "server/term/marks.h"

#include "server/term/marks_typed.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define PREFIX   "]7337;"
#define BODY_MAX (2 * MARKS_COMMAND_MAX + 8192)
#define CWD_MAX  4096

enum scan {
	S_OUTSIDE,
	S_ESC,
	S_PREFIX, /* `n` bytes of it are there */
	S_BODY,
	S_BODY_ESC
};

struct marks {
	char key[MARKS_KEY_LEN + 1];
	enum scan scan;
	size_t n;
	struct vy_buf body;
	bool is_known; /* a report came: the shell speaks for itself */
	struct vy_buf command, cwd;
	struct typed typed;
};

struct marks *marks_new(const char *key)
{
	struct marks *m = VY_NEW(struct marks);

	snprintf(m->key, sizeof(m->key), "%s", key ? key : "");
	vy_buf_init(&m->body, BODY_MAX);
	vy_buf_init(&m->command, MARKS_COMMAND_MAX);
	vy_buf_init(&m->cwd, CWD_MAX);
	typed_init(&m->typed);
	return m;
}

void marks_free(struct marks *m)
{
	if (m) {
		vy_wipe(m->key, sizeof(m->key));
		vy_buf_fini(&m->body);
		vy_buf_fini(&m->command);
		vy_buf_fini(&m->cwd);
		typed_fini(&m->typed);
		free(m);
	}
}

/* ---- words of a report ---- */

static struct vy_str until(struct vy_str *rest)
{
	const char *p = rest->n ? memchr(rest->p, ';', rest->n) : NULL;
	size_t n = p ? (size_t)(p - rest->p) : rest->n;
	struct vy_str s = vy_str_n(rest->p, n);

	*rest = vy_str_from(*rest, n + 1);
	return s;
}

/* A longer one is cut, never inside of a character. */
static void plain(struct vy_str in, size_t max, struct vy_buf *out)
{
	VY_AUTO_BUF raw = VY_BUF_INIT(in.n + 1);
	VY_AUTO_BUF text = VY_BUF_INIT(3 * in.n + 1);

	for (size_t i = 0; i < in.n; i++) {
		char c = in.p[i];

		if (c == '\\' && i + 1 < in.n) {
			c = in.p[++i];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
		}
		vy_buf_addc(&raw, c);
	}
	vy_utf8_clean(vy_buf_str(&raw), &text);
	vy_buf_clear(out);
	vy_buf_add(out, vy_buf_c(&text), vy_utf8_cut(vy_buf_str(&text), max));
}

/* ---- events ---- */

static void tell(struct marks *m, struct marks_event ev, marks_fn *fn, void *ctx)
{
	ev.command = vy_buf_str(&m->command);
	ev.cwd = vy_buf_str(&m->cwd);
	fn(ctx, &ev);
}

static void on_prompt(struct marks *m, struct vy_str rest, marks_fn *fn, void *ctx)
{
	struct marks_event ended = { .kind = MARKS_ENDED, .via = "shell" };
	struct vy_str status = until(&rest);
	VY_AUTO_BUF cwd = VY_BUF_INIT(CWD_MAX);
	long long exit = 0;

	if (m->command.len > 0) {
		ended.has_exit = vy_parse_i64(status, &exit) && exit >= 0 && exit <= 255;
		ended.exit = ended.has_exit ? (int)exit : 0;
		tell(m, ended, fn, ctx);
		vy_buf_clear(&m->command);
	}
	plain(rest, CWD_MAX - 1, &cwd);
	if (!vy_str_eq(vy_buf_str(&cwd), vy_buf_str(&m->cwd))) {
		vy_buf_clear(&m->cwd);
		vy_buf_addstr(&m->cwd, vy_buf_str(&cwd));
		tell(m, (struct marks_event){ .kind = MARKS_AT }, fn, ctx);
	}
}

static void on_command(struct marks *m, struct vy_str rest, marks_fn *fn, void *ctx)
{
	plain(rest, MARKS_COMMAND_MAX - 1, &m->command);
	struct vy_str c = vy_str_trim(vy_buf_str(&m->command));

	if (c.n == 0) { /* it has begun, and is nobody's to know */
		vy_buf_clear(&m->command);
		return;
	}
	vy_buf_truncate(&m->command, (size_t)(c.p + c.n - m->command.data));
	vy_buf_consume(&m->command, (size_t)(c.p - m->command.data));
	tell(m, (struct marks_event){ .kind = MARKS_BEGAN, .via = "shell" }, fn, ctx);
}

static void on_report(struct marks *m, marks_fn *fn, void *ctx)
{
	struct vy_str rest = vy_buf_str(&m->body), key = until(&rest), kind;

	if (!m->key[0] || key.n != MARKS_KEY_LEN || !vy_equal_ct(key.p, m->key, key.n) ||
		vy_buf_is_over(&m->body)) {
		return;
	}
	kind = until(&rest);
	if (!m->is_known) {
		m->is_known = true;
		typed_forget(&m->typed);
	}
	if (vy_str_is(kind, "P")) {
		on_prompt(m, rest, fn, ctx);
	} else if (vy_str_is(kind, "C")) {
		on_command(m, rest, fn, ctx);
	}
}

/* ---- bytes ---- */

static void begin_body(struct marks *m)
{
	m->scan = S_BODY;
	vy_buf_fini(&m->body);
	vy_buf_init(&m->body, BODY_MAX);
}

static void end_body(struct marks *m, bool whole, marks_fn *fn, void *ctx)
{
	m->scan = S_OUTSIDE;
	if (whole) {
		on_report(m, fn, ctx);
	}
	vy_buf_fini(&m->body);
	vy_buf_init(&m->body, BODY_MAX);
}

static void step(struct marks *m, char c, marks_fn *fn, void *ctx)
{
	switch (m->scan) {
	case S_OUTSIDE: m->scan = c == '\033' ? S_ESC : S_OUTSIDE; return;
	case S_ESC:
		m->scan = c == PREFIX[0] ? S_PREFIX : c == '\033' ? S_ESC : S_OUTSIDE;
		m->n = 1;
		return;
	case S_PREFIX:
		if (c != PREFIX[m->n]) {
			m->scan = c == '\033' ? S_ESC : S_OUTSIDE;
		} else if (++m->n == sizeof(PREFIX) - 1) {
			begin_body(m);
		}
		return;
	case S_BODY:
		if (c == '\033') {
			m->scan = S_BODY_ESC;
		} else if ((unsigned char)c < 0x20) {
			end_body(m, c == '\a', fn, ctx);
		} else {
			vy_buf_addc(&m->body, c);
		}
		return;
	case S_BODY_ESC:
		end_body(m, c == '\\', fn, ctx);
		if (c != '\\') {
			m->scan = S_ESC;
			step(m, c, fn, ctx);
		}
		return;
	}
}

static void on_typed(struct marks *m, struct vy_str line, marks_fn *fn, void *ctx)
{
	vy_buf_clear(&m->command);
	vy_buf_add(&m->command, line.p, line.n < MARKS_COMMAND_MAX ? line.n : 0);
	if (m->command.len > 0) {
		tell(m, (struct marks_event){ .kind = MARKS_BEGAN, .via = "typed" }, fn, ctx);
	}
	vy_buf_clear(&m->command); /* how it ends nobody says */
}

void marks_hear(struct marks *m, struct vy_str bytes, marks_fn *fn, void *ctx)
{
	for (size_t i = 0; i < bytes.n; i++) {
		if (m->scan == S_OUTSIDE && m->is_known) { /* far, as a rule */
			const char *p = memchr(bytes.p + i, '\033', bytes.n - i);

			if (!p) {
				return;
			}
			i = (size_t)(p - bytes.p);
		}
		step(m, bytes.p[i], fn, ctx);
		if (!m->is_known && typed_hear(&m->typed, bytes.p[i])) {
			on_typed(m, typed_line(&m->typed), fn, ctx);
			typed_settle(&m->typed);
		}
	}
}

void marks_type(struct marks *m, struct vy_str keys)
{
	for (size_t i = 0; !m->is_known && i < keys.n; i++) {
		typed_key(&m->typed, keys.p[i]);
	}
}

/* ---- over a restart ---- */

static void set_bytes(struct vy_json *o, const char *name, struct vy_str s)
{
	char *hex = vy_alloc(2 * s.n + 1);

	vy_hex(s.p, s.n, hex);
	vy_json_set_c(o, name, hex);
	vy_wipe(hex, 2 * s.n);
	free(hex);
}

static bool get_bytes(const struct vy_json *o, const char *name, struct vy_buf *out)
{
	struct vy_str hex = vy_json_str(o, name);

	if (hex.n / 2 >= out->max || !vy_buf_reserve(out, hex.n / 2 + 1)) {
		return false;
	}
	long n = hex.n ? vy_hex_decode(hex, out->data, hex.n / 2) : 0;

	out->len = n > 0 ? (size_t)n : 0;
	out->data[out->len] = '\0';
	return n >= 0;
}

struct vy_json *marks_encode(const struct marks *m)
{
	struct vy_json *o = vy_json_new_obj();
	struct vy_str prompt = typed_prompt(&m->typed);

	vy_json_set_c(o, "key", m->key);
	vy_json_set_bool(o, "known", m->is_known);
	vy_json_set_int(o, "scan", m->scan);
	vy_json_set_int(o, "at", (int64_t)m->n);
	set_bytes(o, "body", vy_buf_str(&m->body));
	set_bytes(o, "command", vy_buf_str(&m->command));
	set_bytes(o, "cwd", vy_buf_str(&m->cwd));
	set_bytes(o, "prompt", prompt);
	return o;
}

struct marks *marks_decode(const struct vy_json *o)
{
	struct vy_str key = vy_json_str(o, "key");
	int64_t scan = vy_json_int(o, "scan", -1), n = vy_json_int(o, "at", -1);

	if ((key.n && key.n != MARKS_KEY_LEN) || scan < S_OUTSIDE || scan > S_BODY_ESC || n < 0 ||
		n >= (int64_t)sizeof(PREFIX)) {
		return NULL;
	}
	struct marks *m = marks_new(NULL);
	VY_AUTO_BUF prompt = VY_BUF_INIT(TYPED_PROMPT_MAX + 1);

	memcpy(m->key, key.n ? key.p : "", key.n);
	m->scan = (enum scan)scan;
	m->n = (size_t)n;
	m->is_known = vy_json_bool(o, "known", false);
	if (!get_bytes(o, "body", &m->body) || !get_bytes(o, "command", &m->command) ||
		!get_bytes(o, "cwd", &m->cwd) || !get_bytes(o, "prompt", &prompt) ||
		!vy_utf8_is_valid(vy_buf_str(&m->command)) ||
		!vy_utf8_is_valid(vy_buf_str(&m->cwd))) {
		marks_free(m);
		return NULL;
	}
	typed_resume(&m->typed, vy_buf_str(&prompt));
	return m;
}
