/* twin.c -- see twin.h. */
#include "shared/frame/twin.h"

#include <string.h>

#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define DIGITS_MAX 18

void vy_twin_init(struct vy_twin *t)
{
	*t = (struct vy_twin){ 0 };
	vy_buf_init(&t->line, VY_FRAME_MAX);
	vy_arena_init(&t->arena);
}

void vy_twin_fini(struct vy_twin *t)
{
	vy_buf_fini(&t->line);
	vy_arena_fini(&t->arena);
}

/* ---- the one read whole ---- */

static bool lies_in(struct vy_str line, struct vy_str s)
{
	return s.n > 0 && s.p >= line.p && s.p + s.n <= line.p + line.n;
}

static struct vy_str between(const char *from, const char *to)
{
	return vy_str_n(from, (size_t)(to - from));
}

/* Behind `key`, which comes at or after `at`; NULL: it does not. */
static const char *behind(const char *at, const char *end, const char *key)
{
	const char *p = memmem(at, (size_t)(end - at), key, strlen(key));

	return p ? p + strlen(key) : NULL;
}

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9') {
		p++;
	}
	return p;
}

/* A line that says it twice means the other one, or it stands in what nobody knows. */
static bool is_once(struct vy_str line, const char *key)
{
	const char *end = line.p + line.n, *p = behind(line.p, end, key);

	return p && !behind(p, end, key);
}

/* A key cannot stand inside a text: there its quotes are escaped. */
static bool take_apart(struct vy_twin *t)
{
	struct vy_str line = vy_buf_str(&t->line), text = vy_frame_str(&t->frame, VY_F_TEXT);
	const char *end = line.p + line.n, *cur, *time;

	if (t->frame.kind != VY_KIND_TEXT_DELTA || t->frame.span != 1 ||
		!lies_in(line, t->frame.id) || !lies_in(line, text)) {
		return false;
	}
	cur = behind(t->frame.id.p + t->frame.id.n, text.p, "\",\"cur\":");
	time = cur ? behind(cur, text.p, ",\"time\":") : NULL;
	if (!time || !is_once(line, "\"cur\":") || !is_once(line, "\"time\":")) {
		return false;
	}
	t->parts[0] = between(line.p, t->frame.id.p);
	t->parts[1] = between(t->frame.id.p + t->frame.id.n, cur);
	t->parts[2] = between(skip_digits(cur, end), time);
	t->parts[3] = between(skip_digits(time, end), text.p);
	t->parts[4] = between(text.p + text.n, end);
	return true;
}

void vy_twin_note(struct vy_twin *t, struct vy_str line)
{
	if (line.n > 4 * VY_KIB || memchr(line.p, '\\', line.n)) {
		return;
	}
	vy_arena_reset(&t->arena);
	vy_buf_clear(&t->line);
	t->is_set = vy_buf_addstr(&t->line, line) &&
		    vy_frame_decode(vy_buf_str(&t->line), &t->arena, &t->frame, NULL) == 0 &&
		    take_apart(t);
}

/* ---- its twins ---- */

struct reader {
	const char *p, *end;
};

static bool skip(struct reader *r, struct vy_str part)
{
	if ((size_t)(r->end - r->p) < part.n || memcmp(r->p, part.p, part.n) != 0) {
		return false;
	}
	r->p += part.n;
	return true;
}

static bool read_number(struct reader *r, int64_t *n)
{
	const char *end = skip_digits(r->p, r->end);
	int64_t sum = 0;

	if (end == r->p || end - r->p > DIGITS_MAX || (*r->p == '0' && end - r->p > 1)) {
		return false;
	}
	while (r->p < end) {
		sum = sum * 10 + (*r->p++ - '0');
	}
	*n = sum;
	return true;
}

/* As it stands in the frame: nothing in it is escaped. */
static bool is_plain(struct vy_str s)
{
	unsigned char all = 0;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 || c == '"' || c == '\\') {
			return false;
		}
		all |= c;
	}
	return all < 0x80 || vy_utf8_is_valid(s);
}

const struct vy_frame *vy_twin_read(struct vy_twin *t, struct vy_str line)
{
	struct reader r = { line.p, line.p + line.n };
	struct vy_str id, text;
	int64_t cur, time;

	if (!t->is_set || !skip(&r, t->parts[0])) {
		return NULL;
	}
	id = between(r.p, r.p);
	while (r.p < r.end && *r.p != '"') {
		r.p++;
	}
	id.n = (size_t)(r.p - id.p);
	if (!skip(&r, t->parts[1]) || !read_number(&r, &cur) || !skip(&r, t->parts[2]) ||
		!read_number(&r, &time) || !skip(&r, t->parts[3]) ||
		(size_t)(r.end - r.p) <= t->parts[4].n) {
		return NULL;
	}
	text = vy_str_n(r.p, (size_t)(r.end - r.p) - t->parts[4].n);
	r.p += text.n;
	if (!skip(&r, t->parts[4]) || id.n == 0 || id.n > VY_ID_MAX || cur == 0 || !is_plain(id) ||
		!is_plain(text)) {
		return NULL;
	}
	t->frame.id = id;
	t->frame.cur = (uint64_t)cur;
	t->frame.time = time;
	vy_frame_set_str(&t->frame, VY_F_TEXT, text);
	return &t->frame;
}
