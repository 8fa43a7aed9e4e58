/* adopt.c -- see adopt.h: the list of the readers, and what they share. */
#include "server/provider/adopt.h"

#include <string.h>

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct adopt_kind *const kinds[] = { &adopt_claude, &adopt_codex, &adopt_opencode,
	&adopt_gemini, NULL };

const struct adopt_kind *const *adopt_all(void)
{
	return kinds;
}

const struct adopt_kind *adopt_find(struct vy_str kind)
{
	size_t i = 0;

	while (kinds[i] && !vy_str_is(kind, kinds[i]->kind)) {
		i++;
	}
	return kinds[i];
}

/* ---- lines ---- */

bool adopt_line(struct vy_str *rest, bool torn, struct vy_str *line)
{
	const char *nl = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;

	if (!nl && (!torn || !rest->n)) {
		return false;
	}
	*line = vy_str_n(rest->p, nl ? (size_t)(nl - rest->p) : rest->n);
	*rest = vy_str_from(*rest, line->n + (nl ? 1 : 0));
	if (line->n && line->p[line->n - 1] == '\r') {
		line->n--;
	}
	return true;
}

struct vy_json *adopt_object(struct vy_str line)
{
	struct vy_json *v;

	line = vy_str_trim(line);
	if (line.n < 2 || line.n > ADOPT_LINE_MAX || line.p[0] != '{') {
		return NULL;
	}
	v = vy_json_parse_lenient(line, NULL);
	if (v && vy_json_type(v) != VY_JSON_OBJ) {
		vy_json_free(v);
		return NULL;
	}
	return v;
}

/* ---- of bytes that are no whole object ---- */

/* Where the string that begins at s (its quote) ends, quote and all; 0: it does not. */
static size_t string_end(struct vy_str s)
{
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == '\\') {
			i++;
		} else if (s.p[i] == '"') {
			return i + 1;
		}
	}
	return 0;
}

static struct vy_str decode(struct vy_str quoted, struct vy_arena *a)
{
	const char *list = vy_arena_printf(a, "[%.*s]", VY_STR_ARG(quoted));
	VY_AUTO_JSON *v = vy_json_parse_lenient(vy_str_c(list), NULL);

	return vy_arena_str(a, vy_json_strval(vy_json_at(v, 0)));
}

struct vy_str adopt_member(struct vy_str bytes, const char *key, struct vy_arena *a)
{
	char name[64];
	size_t n = (size_t)snprintf(name, sizeof(name), "\"%s\"", key);
	struct vy_str rest = bytes;

	while (rest.n > n) {
		const char *at = memmem(rest.p, rest.n, name, n);

		if (!at) {
			break;
		}
		rest = vy_str_from(rest, (size_t)(at - rest.p) + n);
		while (rest.n && (rest.p[0] == ' ' || rest.p[0] == ':')) {
			rest = vy_str_from(rest, 1);
		}
		size_t end = rest.n && rest.p[0] == '"' ? string_end(rest) : 0;

		if (end > 2 && end < 16 * VY_KIB) {
			return decode(vy_str_n(rest.p, end), a);
		}
	}
	return vy_str_n(NULL, 0);
}

/* ---- times ---- */

static int64_t digits(struct vy_str s, size_t at, size_t n)
{
	int64_t v = 0;

	for (size_t i = at; i < at + n; i++) {
		if (i >= s.n || s.p[i] < '0' || s.p[i] > '9') {
			return -1;
		}
		v = v * 10 + (s.p[i] - '0');
	}
	return v;
}

/* Days since 1970 of a day of the calendar. */
static int64_t days(int64_t y, int64_t m, int64_t d)
{
	y -= m <= 2;
	int64_t era = y / 400, of_era = y % 400;
	int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t adopt_time(struct vy_str s)
{
	int64_t y = digits(s, 0, 4), mo = digits(s, 5, 2), d = digits(s, 8, 2);
	int64_t h = digits(s, 11, 2), mi = digits(s, 14, 2), sec = digits(s, 17, 2);
	int64_t ms = s.n > 20 && s.p[19] == '.' ? digits(s, 20, 3) : 0;

	if (y < 1970 || mo < 1 || mo > 12 || d < 1 || d > 31 || h < 0 || h > 23 || mi < 0 ||
		mi > 59 || sec < 0 || sec > 60) {
		return 0;
	}
	return (((days(y, mo, d) * 24 + h) * 60 + mi) * 60 + sec) * 1000 + (ms > 0 ? ms : 0);
}

/* ---- words ---- */

struct vy_str adopt_text(const struct vy_json *content, int *images, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	if (vy_json_type(content) == VY_JSON_STR) {
		return vy_arena_str(a, vy_json_strval(content));
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		const struct vy_json *part = vy_json_at(content, i);
		struct vy_str type = vy_json_str(part, "type"), text = vy_json_str(part, "text");

		if (vy_str_is(type, "image") || vy_str_is(type, "input_image") ||
			vy_str_is(type, "local_image") || vy_json_get(part, "inlineData")) {
			++*images;
		} else if (text.n) {
			vy_buf_adds(&b, b.len ? "\n" : "");
			vy_buf_addstr(&b, text);
		}
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

bool adopt_is_tagged(struct vy_str text, const char *const *tags)
{
	text = vy_str_trim(text);
	for (size_t i = 0; tags[i]; i++) {
		if (vy_str_starts(text, tags[i])) {
			return true;
		}
	}
	return false;
}

/* ---- events ---- */

void adopt_tell(const struct adopt_sink *sink, const struct adopt_block *b, struct vy_str text,
	int64_t time)
{
	struct agent_event ev = { .kind = AE_TEXT,
		.message = b->message,
		.index = b->index,
		.is_reasoning = b->is_reasoning };

	if (!text.n || !b->message.n) {
		return;
	}
	ev.text = text;
	sink->event(sink->ctx, &ev, time);
	ev.kind = AE_TEXT_DONE;
	ev.text = vy_str_n(NULL, 0);
	sink->event(sink->ctx, &ev, time);
}

void adopt_tell_call(const struct adopt_sink *sink, const struct adopt_call *c, int64_t time)
{
	struct agent_event ev = { .kind = AE_TOOL_START,
		.tool = brief_id(c->id),
		.name = brief_id(c->name),
		.text = c->about.n ? c->about : c->name,
		.tool_kind = c->kind };

	if (ev.tool.n) {
		sink->event(sink->ctx, &ev, time);
		ev = (struct agent_event){ .kind = AE_TOOL_DONE,
			.tool = ev.tool,
			.outcome = c->outcome,
			.json = c->own_block };
		sink->event(sink->ctx, &ev, time);
	}
	vy_json_free(c->own_block);
}
