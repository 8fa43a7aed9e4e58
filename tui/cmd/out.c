/* out.c -- see out.h. */
#include "tui/cmd/out.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define FLUSH_AT  (64 * VY_KIB)
#define TITLE_MAX 48

void out_init(struct out *o)
{
	struct winsize ws;
	const char *codeset = nl_langinfo(CODESET);

	*o = (struct out){ .is_tty = isatty(1), .is_err_tty = isatty(2) };
	o->is_ascii = strcmp(codeset, "UTF-8") != 0;
	if (o->is_tty && ioctl(1, TIOCGWINSZ, &ws) == 0) {
		o->cols = ws.ws_col;
	}
	vy_buf_init(&o->text, VY_RPC_ANSWER_MAX);
}

void out_fini(struct out *o)
{
	out_flush(o);
	vy_buf_fini(&o->text);
}

int out_flush(struct out *o)
{
	struct vy_str rest = vy_buf_str(&o->text);

	while (rest.n && !o->is_broken) {
		ssize_t n = write(1, rest.p, rest.n);

		if (n < 0 && errno != EINTR) {
			o->is_broken = true;
		}
		rest = vy_str_from(rest, n > 0 ? (size_t)n : 0);
	}
	vy_buf_clear(&o->text);
	return o->is_broken ? -1 : 0;
}

static void flush_full(struct out *o)
{
	if (o->text.len > FLUSH_AT) {
		out_flush(o);
	}
}

void out_add(struct out *o, struct vy_str text)
{
	if (o->is_tty) {
		vy_utf8_visible(text, VY_UTF8_PROSE, &o->text);
	} else {
		vy_buf_addstr(&o->text, text);
	}
	flush_full(o);
}

void out_raw(struct out *o, struct vy_str text)
{
	vy_buf_addstr(&o->text, text);
	flush_full(o);
}

void out_addf(struct out *o, const char *fmt, ...)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_RPC_BODY_MAX);
	va_list ap;

	va_start(ap, fmt);
	vy_buf_addv(&b, fmt, ap);
	va_end(ap);
	out_add(o, vy_buf_str(&b));
}

/* JSON holds such characters only inside strings, where an escape means the same. */
static void add_escaped(struct vy_buf *out, struct vy_str json)
{
	for (size_t at = 0; at < json.n;) {
		uint32_t cp;
		size_t n = vy_utf8_get(json, at, &cp);

		if ((unsigned char)json.p[at] < 0x7F ||
			vy_utf8_is_visible(vy_str_n(json.p + at, n), VY_UTF8_LINE)) {
			vy_buf_add(out, json.p + at, n);
		} else if (cp < 0x10000) {
			vy_buf_addf(out, "\\u%04x", (unsigned)cp);
		} else {
			vy_buf_addf(out, "\\u%04x\\u%04x",
				(unsigned)(0xD800 + ((cp - 0x10000) >> 10)),
				(unsigned)(0xDC00 + ((cp - 0x10000) & 0x3FF)));
		}
		at += n;
	}
}

void out_json_line(struct out *o, struct vy_str json)
{
	if (o->is_tty) {
		add_escaped(&o->text, json);
	} else {
		vy_buf_addstr(&o->text, json);
	}
	vy_buf_addc(&o->text, '\n');
	flush_full(o);
}

void out_json(struct out *o, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_RPC_ANSWER_MAX);

	vy_json_dump(v, &b);
	out_json_line(o, vy_buf_str(&b));
}

/* ---- words of a row ---- */

char *out_fit(struct vy_str text, size_t cells)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(VY_FRAME_MAX), b = VY_BUF_INIT(VY_FRAME_MAX);

	vy_utf8_visible(text, VY_UTF8_LINE, &seen);
	vy_width_ellipsis(vy_buf_str(&seen), cells, (struct vy_width){ 0 }, &b);
	return vy_buf_take(&b, NULL);
}

char *out_title(const struct vy_json *record)
{
	struct vy_str title = vy_json_str(record, "title");

	return out_fit(title.n ? title : vy_str_c(_("(no title)")), TITLE_MAX);
}

char *out_folder(struct vy_str path)
{
	struct vy_str home = vy_str_c(getenv("HOME"));
	VY_AUTO_BUF b = VY_BUF_INIT(2 * PATH_MAX);

	if (home.n > 1 && path.n >= home.n && memcmp(path.p, home.p, home.n) == 0 &&
		(path.n == home.n || path.p[home.n] == '/')) {
		vy_buf_addc(&b, '~');
		path = vy_str_from(path, home.n);
	}
	vy_buf_addstr(&b, path);
	return out_fit(vy_buf_str(&b), PATH_MAX);
}

/* ---- stderr ---- */

VY_PRINTF(1, 0) static void say(const char *fmt, va_list ap)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX), seen = VY_BUF_INIT(VY_FRAME_MAX);

	vy_buf_addv(&b, fmt, ap);
	vy_utf8_visible(vy_buf_str(&b), VY_UTF8_PROSE, &seen);
	fprintf(stderr, "%s\n", vy_buf_c(&seen));
}

void out_progress(struct out *o, const char *fmt, ...)
{
	va_list ap;

	if (o->is_err_tty) {
		va_start(ap, fmt);
		say(fmt, ap);
		va_end(ap);
	}
}

void out_say(struct out *o, const char *fmt, ...)
{
	va_list ap;

	out_flush(o);
	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

char *out_age(int64_t ms)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64);
	int64_t min = ms / 60000;

	if (min < 1) {
		vy_buf_adds(&b, _("now"));
	} else if (min < 60) {
		vy_buf_addf(&b, _("%lld min"), (long long)min);
	} else if (min < 48 * 60) {
		vy_buf_addf(&b, _("%lld h"), (long long)(min / 60));
	} else {
		vy_buf_addf(&b, _("%lld d"), (long long)(min / (24 * 60)));
	}
	return vy_buf_take(&b, NULL);
}
