/* msg.c -- see msg.h. */
#include "shared/rpc/msg.h"

#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct vy_msg msgs[] = {
#define VY_MSG(id, text) { id, text },
#include "shared/rpc/msgs.def"
#undef VY_MSG
};

#define COUNT (sizeof(msgs) / sizeof(msgs[0]))

size_t vy_msg_len(void)
{
	return COUNT;
}

const struct vy_msg *vy_msg_at(size_t i)
{
	return &msgs[i];
}

const struct vy_msg *vy_msg_of(const struct vy_err *e)
{
	for (size_t i = 0; e->format && i < COUNT; i++) {
		if (strcmp(msgs[i].text, e->format) == 0) {
			return &msgs[i];
		}
	}
	return NULL;
}

const struct vy_msg *vy_msg_find(struct vy_str id)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (vy_str_is(id, msgs[i].id)) {
			return &msgs[i];
		}
	}
	return NULL;
}

/* ---- formats ---- */

/* A piece of a format: words that stand there, or a place. */
struct piece {
	bool is_place;
	struct vy_str words;
	unsigned n; /* "%2$s": 2; 0: the next one */
};

static size_t digits(const char *p, unsigned *n)
{
	size_t i = 0;

	for (*n = 0; p[i] >= '0' && p[i] <= '9' && i < 4; i++) {
		*n = *n * 10 + (unsigned)(p[i] - '0');
	}
	return i;
}

/* False at the end. "%%" is words. */
static bool next(const char **at, struct piece *out)
{
	const char *p = *at;

	*out = (struct piece){ 0 };
	if (!*p) {
		return false;
	}
	if (p[0] == '%' && p[1] == '%') {
		out->words = vy_str_n(p, 1);
		*at = p + 2;
		return true;
	}
	if (p[0] != '%') {
		size_t n = strcspn(p, "%");

		out->words = vy_str_n(p, n);
		*at = p + n;
		return true;
	}
	size_t n = digits(p + 1, &out->n);

	if (n && p[1 + n] == '$') {
		p += n + 1;
	} else {
		out->n = 0;
	}
	p += 1 + strspn(p + 1, ".*0123456789-+lhz");
	out->is_place = true;
	*at = *p ? p + 1 : p;
	return true;
}

static size_t find(struct vy_str in, struct vy_str what)
{
	const char *hit = in.n ? memmem(in.p, in.n, what.p, what.n) : NULL;

	return hit ? (size_t)(hit - in.p) : in.n;
}

/* Of the words behind a place at the format's very end: they are the text's end. */
static size_t end_of_place(const char *behind, struct vy_str text)
{
	struct piece p, after;
	const char *rest = behind;

	if (!next(&rest, &p)) {
		return text.n;
	}
	if (p.is_place) {
		return 0;
	}
	if (next(&rest, &after)) {
		return find(text, p.words);
	}
	return text.n >= p.words.n ? text.n - p.words.n : text.n;
}

static bool read_args(const char *format, struct vy_str text, struct vy_jw *w)
{
	struct piece p;
	unsigned n = 0;

	while (next(&format, &p)) {
		if (!p.is_place) {
			if (text.n < p.words.n ||
				!vy_str_eq(vy_str_n(text.p, p.words.n), p.words)) {
				return false;
			}
			text = vy_str_from(text, p.words.n);
			continue;
		}
		size_t end = end_of_place(format, text);
		char key[16];

		snprintf(key, sizeof(key), "%u", ++n);
		vy_jw_kstr(w, key, vy_str_n(text.p, end));
		text = vy_str_from(text, end);
	}
	return text.n == 0;
}

void vy_msg_args(const char *format, struct vy_str text, struct vy_buf *out)
{
	VY_AUTO_BUF b = VY_BUF_INIT(16 * VY_KIB);
	struct vy_jw w = VY_JW(&b);

	vy_jw_obj(&w);
	bool is_whole = read_args(format, text, &w);

	vy_jw_end_obj(&w);
	if (is_whole && !vy_buf_is_over(&b)) {
		vy_buf_addstr(out, vy_buf_str(&b));
	} else {
		vy_buf_adds(out, "{}");
	}
}

bool vy_msg_print(const char *format, const struct vy_json *args, struct vy_buf *out)
{
	size_t before = out->len;
	struct piece p;
	unsigned n = 0;

	while (next(&format, &p)) {
		char key[16];

		if (!p.is_place) {
			vy_buf_addstr(out, p.words);
			continue;
		}
		n = p.n ? p.n : n + 1;
		snprintf(key, sizeof(key), "%u", n);
		if (vy_json_type(vy_json_get(args, key)) != VY_JSON_STR) {
			vy_buf_truncate(out, before);
			return false;
		}
		vy_buf_addstr(out, vy_json_str(args, key));
	}
	return true;
}
