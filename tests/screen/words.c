/* words.c -- see words.h. */
#include "tests/screen/words.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

/* One character of a quoted word; returns what is behind it. */
static const char *quoted_char(const char *p, struct vy_buf *out)
{
	static const char names[] = "ntre0", bytes[] = "\n\t\r\033";
	const char *at;

	if (*p != '\\' || !p[1]) {
		vy_buf_addc(out, *p);
		return p + 1;
	}
	if (p[1] == 'x' && p[2] && p[3]) {
		char hex[3] = { p[2], p[3], '\0' };

		vy_buf_addc(out, (char)strtol(hex, NULL, 16));
		return p + 4;
	}
	at = strchr(names, p[1]);
	vy_buf_addc(out, at ? bytes[at - names] : p[1]);
	return p + 2;
}

bool words_parse(struct words *w, const char *line, struct vy_arena *a)
{
	*w = (struct words){ 0 };
	for (const char *p = line; *p && w->n < WORDS_MAX;) {
		VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);

		if (strchr(" \t\r\n", *p)) {
			p++;
			continue;
		}
		if (*p == '#' && (w->n == 0 || p[1] == ' ')) {
			break;
		}
		w->rest[w->n] = p;
		if (*p == '"') {
			for (p++; *p && *p != '"';) {
				p = quoted_char(p, &b);
			}
			if (*p != '"') {
				return false;
			}
			p++;
		} else {
			while (*p && !strchr(" \t\r\n", *p)) {
				vy_buf_addc(&b, *p++);
			}
		}
		w->len[w->n] = b.len;
		w->v[w->n++] = vy_arena_dup(a, vy_buf_c(&b), b.len);
	}
	return true;
}
