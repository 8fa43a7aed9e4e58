/* parts.c -- see parts.h. */
#include "shared/frame/parts.h"

#include "shared/base/ban.h"

void vy_parts_init(struct vy_parts *p, struct vy_str json)
{
	vy_scan_init(&p->s, json, NULL); /* numbers need no arena */
	p->ok = vy_scan_open(&p->s, '[');
}

bool vy_parts_next(struct vy_parts *p, size_t *len)
{
	int64_t n = -1;

	if (!p->ok) {
		return false;
	}
	if (!vy_scan_item(&p->s)) {
		p->ok = vy_scan_end(&p->s);
		return false;
	}
	p->ok = vy_scan_int(&p->s, &n) && n >= 0;
	*len = p->ok ? (size_t)n : 0;
	return p->ok;
}

static bool is_b64(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '+' || c == '/';
}

long vy_b64_len(struct vy_str s)
{
	size_t n = s.n;

	while (n > 0 && s.n - n < 2 && s.p[n - 1] == '=') {
		n--;
	}
	for (size_t i = 0; i < n; i++) {
		if (!is_b64(s.p[i])) {
			return -1;
		}
	}
	return s.n % 4 == 0 ? (long)(n * 3 / 4) : -1;
}
