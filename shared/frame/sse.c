/* sse.c -- see sse.h. Lines that lie whole in what came are read where they are; only the rest of a
 * chunk is copied. */
#include "shared/frame/sse.h"

#include <string.h>

#include "shared/base/ban.h"

static const char mark[] = "\xef\xbb\xbf";
#define MARK_LEN 3

void vy_sse_init(struct vy_sse *s, size_t max)
{
	*s = (struct vy_sse){ .max = max };
	vy_buf_init(&s->line, max + VY_SSE_NAME_MAX);
	vy_buf_init(&s->data, max + 1); /* with the line feed that is dropped */
	vy_buf_init(&s->name, VY_SSE_NAME_MAX);
	vy_buf_init(&s->id, VY_SSE_ID_MAX);
}

void vy_sse_fini(struct vy_sse *s)
{
	vy_buf_fini(&s->line);
	vy_buf_fini(&s->data);
	vy_buf_fini(&s->name);
	vy_buf_fini(&s->id);
}

void vy_sse_reset(struct vy_sse *s)
{
	size_t max = s->max;

	vy_sse_fini(s);
	vy_sse_init(s, max);
}

static int too_long(struct vy_sse *s, struct vy_err *e)
{
	s->is_dead = true;
	return vy_fail(e, VY_FULL, "an event of the stream is too long to be taken");
}

/* ---- lines ---- */

static void dispatch(struct vy_sse *s, const struct vy_sse_out *out)
{
	struct vy_sse_event ev = {
		.name = vy_buf_str(&s->name), .data = vy_buf_str(&s->data), .id = vy_buf_str(&s->id)
	};

	if (ev.data.n == 0) {
		vy_buf_clear(&s->name);
		return;
	}
	ev.data.n--; /* the last line's feed */
	if (ev.name.n == 0) {
		ev.name = VY_STR_LIT("message");
	}
	out->event(out->ctx, &ev);
	vy_buf_clear(&s->data);
	vy_buf_clear(&s->name);
}

static void set_retry(const struct vy_sse_out *out, struct vy_str value)
{
	long long ms;

	for (size_t i = 0; i < value.n; i++) {
		if (value.p[i] < '0' || value.p[i] > '9') {
			return;
		}
	}
	if (out->retry && value.n && vy_parse_i64(value, &ms)) {
		out->retry(out->ctx, ms);
	}
}

static bool set(struct vy_buf *b, struct vy_str value)
{
	vy_buf_clear(b);
	b->over = false;
	return vy_buf_addstr(b, value);
}

static int field(struct vy_sse *s, struct vy_str name, struct vy_str value,
	const struct vy_sse_out *out, struct vy_err *e)
{
	bool fits = true;

	if (vy_str_is(name, "data")) {
		fits = vy_buf_addstr(&s->data, value) && vy_buf_addc(&s->data, '\n');
	} else if (vy_str_is(name, "event")) {
		fits = set(&s->name, value);
	} else if (vy_str_is(name, "id")) {
		fits = (value.n && memchr(value.p, '\0', value.n)) || set(&s->id, value);
	} else if (vy_str_is(name, "retry")) {
		set_retry(out, value);
	}
	return fits ? 0 : too_long(s, e);
}

static int line(
	struct vy_sse *s, struct vy_str text, const struct vy_sse_out *out, struct vy_err *e)
{
	const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
	struct vy_str name = vy_str_n(text.p, colon ? (size_t)(colon - text.p) : text.n);
	struct vy_str value = vy_str_from(text, name.n + 1);

	if (text.n == 0) {
		dispatch(s, out);
		return 0;
	}
	if (name.n == 0) {
		return 0; /* a comment */
	}
	if (value.n && value.p[0] == ' ') {
		value = vy_str_from(value, 1);
	}
	return field(s, name, value, out, e);
}

/* ---- bytes ---- */

/* The mark may come in pieces; what only began like one is text after all. */
static struct vy_str skip_mark(struct vy_sse *s, struct vy_str in)
{
	while (!s->has_begun && in.n) {
		if (in.p[0] != mark[s->mark]) {
			vy_buf_add(&s->line, mark, s->mark);
			s->has_begun = true;
		} else {
			s->has_begun = ++s->mark == MARK_LEN;
			in = vy_str_from(in, 1);
		}
	}
	return in;
}

static size_t to_line_end(struct vy_str in)
{
	const char *lf = memchr(in.p, '\n', in.n);
	size_t n = lf ? (size_t)(lf - in.p) : in.n;
	const char *cr = n ? memchr(in.p, '\r', n) : NULL;

	return cr ? (size_t)(cr - in.p) : n;
}

int vy_sse_feed(
	struct vy_sse *s, struct vy_str bytes, const struct vy_sse_out *out, struct vy_err *e)
{
	struct vy_str in = skip_mark(s, bytes);
	int rc = 0;

	if (s->is_dead) {
		return too_long(s, e);
	}
	while (in.n && rc == 0) {
		size_t n;

		if (s->after_cr && in.p[0] == '\n') {
			in = vy_str_from(in, 1);
			s->after_cr = false;
			continue;
		}
		s->after_cr = false;
		n = to_line_end(in);
		if (n == in.n) {
			return vy_buf_addstr(&s->line, in) ? 0 : too_long(s, e);
		}
		struct vy_str text = vy_str_n(in.p, n);

		if (s->line.len) {
			if (!vy_buf_addstr(&s->line, text)) {
				return too_long(s, e);
			}
			text = vy_buf_str(&s->line);
		}
		s->after_cr = in.p[n] == '\r';
		in = vy_str_from(in, n + 1);
		rc = line(s, text, out, e);
		vy_buf_clear(&s->line);
		if (!s->has_begun) {
			return rc; /* it was reset meanwhile */
		}
	}
	return rc;
}
