/* vt_osc.c -- see vt_osc.h. */
#include "shared/vt/vt_osc.h"

#include "shared/base/ban.h"

static struct vy_str until(struct vy_str s, char sep, struct vy_str *rest)
{
	const char *p = s.n ? memchr(s.p, sep, s.n) : NULL;
	size_t n = p ? (size_t)(p - s.p) : s.n;

	*rest = vy_str_from(s, n + 1);
	return vy_str_n(s.p, n);
}

/* key=value:key=value; of these only id means something to us */
static struct vy_str id_of(struct vy_str params)
{
	while (params.n > 0) {
		struct vy_str one = until(params, ':', &params);

		if (vy_str_starts(one, "id=")) {
			return vy_str_from(one, 3);
		}
	}
	return vy_str_n(NULL, 0);
}

struct vt_osc vt_osc_parse(struct vy_str body)
{
	struct vt_osc o = { .kind = VT_OSC_OTHER };

	if (!body.p) {
		return o;
	}
	struct vy_str number = until(body, ';', &o.text);

	if (vy_str_is(number, "0") || vy_str_is(number, "2")) {
		o.kind = VT_OSC_TITLE;
	} else if (vy_str_is(number, "8")) {
		o.which = id_of(until(o.text, ';', &o.text));
		o.kind = VT_OSC_LINK;
	} else if (vy_str_is(number, "10") && vy_str_is(o.text, "?")) {
		o.kind = VT_OSC_FG_QUERY;
	} else if (vy_str_is(number, "11") && vy_str_is(o.text, "?")) {
		o.kind = VT_OSC_BG_QUERY;
	} else if (vy_str_is(number, "52")) {
		o.which = until(o.text, ';', &o.text);
		o.kind = vy_str_is(o.text, "?") ? VT_OSC_CLIPBOARD_QUERY : VT_OSC_CLIPBOARD;
	}
	return o;
}
