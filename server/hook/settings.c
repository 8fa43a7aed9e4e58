/* settings.c -- see settings.h.
 *
 * jansson has said that the text is JSON before anything here looks at it, so the walk over its bytes
 * need not judge, only find: a member, its value, the comma before it. A change is one cut or one
 * insertion in the text, and what is left is looked at anew: no position outlives a change. */
#include "server/hook/settings.h"

#include <string.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define CALL_S 15 /* claude gives up then; ours has ended long before (run.c) */

const struct hook_event hook_events[] = {
	{ "SessionStart", NULL, CALL_S },
	{ "UserPromptSubmit", NULL, CALL_S },
	{ "PreToolUse", NULL, CALL_S },
	{ "PostToolUse", "Agent|Task", CALL_S },
	{ "SubagentStop", NULL, CALL_S },
	{ "Stop", NULL, CALL_S },
	{ "SessionEnd", NULL, CALL_S },
	{ 0 },
};

/* ---- a walk over JSON that is known to be JSON ---- */

/* Half open, in bytes of the text. */
struct span {
	size_t at, end;
};

static size_t blank(struct vy_str t, size_t i)
{
	while (i < t.n && strchr(" \t\r\n", t.p[i]) && t.p[i]) {
		i++;
	}
	return i;
}

static size_t string_end(struct vy_str t, size_t i)
{
	for (i++; i < t.n && t.p[i] != '"'; i++) {
		i += t.p[i] == '\\';
	}
	return i + 1;
}

/* Behind the value that begins at i. */
static size_t value_end(struct vy_str t, size_t i)
{
	int depth = 0;

	if (t.p[i] != '"' && t.p[i] != '{' && t.p[i] != '[') {
		while (i < t.n && !strchr(",]} \t\r\n", t.p[i])) {
			i++;
		}
		return i;
	}
	do {
		if (t.p[i] == '"') {
			i = string_end(t, i);
		} else {
			depth +=
				(t.p[i] == '{' || t.p[i] == '[') - (t.p[i] == '}' || t.p[i] == ']');
			i++;
		}
	} while (depth > 0 && i < t.n);
	return i;
}

/* One member or element: all of it, and its value (an element is its own value). */
struct part {
	struct span all, value;
};

/* The next part of the object or array that begins at `box`; *at is 0 at first. False: no more. */
static bool next_part(struct vy_str t, size_t box, size_t *at, struct part *out)
{
	size_t i = blank(t, *at == 0 ? box + 1 : *at);

	if (*at && i < t.n && t.p[i] == ',') {
		i = blank(t, i + 1);
	}
	if (i >= t.n || t.p[i] == '}' || t.p[i] == ']') {
		return false;
	}
	out->all.at = out->value.at = i;
	if (t.p[box] == '{') {
		out->value.at = blank(t, blank(t, string_end(t, i)) + 1);
	}
	out->all.end = out->value.end = *at = value_end(t, out->value.at);
	return true;
}

/* Names are compared as they are written: ours are plain, one spelled with escapes is not found, and
 * what jansson made of the text is asked whether there is one (check()). */
static bool find_member(struct vy_str t, size_t box, const char *name, struct part *out)
{
	size_t at = 0, n = strlen(name);
	bool is_there = false;
	struct part p;

	while (next_part(t, box, &at, &p)) {
		if (p.all.at + n + 2 <= t.n && memcmp(t.p + p.all.at + 1, name, n) == 0 &&
			t.p[p.all.at + 1 + n] == '"') {
			*out = p; /* of several the last one counts, as it does for claude */
			is_there = true;
		}
	}
	return is_there;
}

/* ---- what is ours ---- */

static bool is_event(struct vy_str word)
{
	for (const struct hook_event *h = hook_events; h->name; h++) {
		if (vy_str_is(word, h->name)) {
			return true;
		}
	}
	return false;
}

/* The last three words are "hook run EVENT", and vyred stands before them. */
static bool is_our_line(struct vy_str line)
{
	static const char mark[] = " hook run ";
	const char *text = line.p ? line.p : "";
	const char *at = memmem(text, line.n, mark, strlen(mark));

	return at && memmem(text, (size_t)(at - text), "vyred", 5) &&
	       is_event(vy_str_from(line, (size_t)(at - text) + strlen(mark)));
}

static struct vy_json *part_json(struct vy_str t, struct span s)
{
	return vy_json_parse(vy_str_n(t.p + s.at, s.end - s.at), NULL);
}

static bool is_our_handler(struct vy_str t, struct span s)
{
	VY_AUTO_JSON *v = part_json(t, s);

	return is_our_line(vy_json_str(v, "command"));
}

struct found {
	struct part event, group, handler;
	bool is_only_handler, is_only_group, is_only_event;
};

static size_t count_parts(struct vy_str t, size_t box)
{
	struct part p;
	size_t at = 0, n = 0;

	while (next_part(t, box, &at, &p)) {
		n++;
	}
	return n;
}

static bool find_in_group(struct vy_str t, struct found *f)
{
	struct part handlers;
	size_t at = 0;

	if (t.p[f->group.value.at] != '{' ||
		!find_member(t, f->group.value.at, "hooks", &handlers) ||
		t.p[handlers.value.at] != '[') {
		return false;
	}
	while (next_part(t, handlers.value.at, &at, &f->handler)) {
		if (t.p[f->handler.value.at] == '{' && is_our_handler(t, f->handler.value)) {
			f->is_only_handler = count_parts(t, handlers.value.at) == 1;
			return true;
		}
	}
	return false;
}

/* The first of ours below `hooks`. */
static bool find_ours(struct vy_str t, struct span hooks, struct found *f)
{
	size_t at = 0;

	while (next_part(t, hooks.at, &at, &f->event)) {
		size_t in = 0;

		if (t.p[f->event.value.at] != '[') {
			continue;
		}
		while (next_part(t, f->event.value.at, &in, &f->group)) {
			if (find_in_group(t, f)) {
				f->is_only_group = count_parts(t, f->event.value.at) == 1;
				f->is_only_event = count_parts(t, hooks.at) == 1;
				return true;
			}
		}
	}
	return false;
}

/* ---- changes ---- */

static void replace(struct vy_buf *text, size_t at, size_t end, struct vy_str by)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_LINE_MAX);

	vy_buf_add(&out, text->data, at);
	vy_buf_addstr(&out, by);
	vy_buf_add(&out, text->data + end, text->len - end);
	vy_buf_clear(text);
	vy_buf_addstr(text, vy_buf_str(&out));
}

/* The part goes, with the comma that is one too many then. */
static void cut(struct vy_buf *text, struct span part)
{
	struct vy_str t = vy_buf_str(text);
	size_t at = part.at, end = part.end, behind = blank(t, end);

	while (at > 0 && strchr(" \t\r\n", t.p[at - 1])) {
		at--;
	}
	if (t.p[at - 1] == ',') {
		at--;
	} else if (t.p[behind] == ',') {
		at = part.at;
		end = blank(t, behind + 1);
	} else if (behind == end + 1 && t.p[end] == '\n') {
		end = behind; /* the line's end that was put in with it */
	}
	replace(text, at, end, vy_str_n("", 0));
}

/* How deep the text sets in its first member; two blanks where it does not show. */
static struct vy_str indent_of(struct vy_str t)
{
	size_t i = blank(t, 0) + 1, from = i;

	for (; i < t.n && strchr(" \t\r\n", t.p[i]) && t.p[i]; i++) {
		if (t.p[i] == '\n') {
			from = i + 1;
		}
	}
	return from > blank(t, 0) + 1 && i > from && i - from <= 8 && t.p[i] == '"'
		       ? vy_str_n(t.p + from, i - from)
		       : VY_STR_LIT("  ");
}

static void line_at(struct vy_buf *out, struct vy_str indent, int depth)
{
	vy_buf_addc(out, '\n');
	for (int i = 0; i < depth; i++) {
		vy_buf_addstr(out, indent);
	}
}

/* Behind the last part of the box, or as its only one; `depth` is the part's. */
static void put_in(
	struct vy_buf *text, size_t box, struct vy_str part, struct vy_str indent, int depth)
{
	VY_AUTO_BUF by = VY_BUF_INIT(VY_LINE_MAX);
	struct vy_str t = vy_buf_str(text);
	struct part last = { .all.end = 0 }, p;
	size_t at = 0;

	while (next_part(t, box, &at, &p)) {
		last = p;
	}
	if (last.all.end) {
		vy_buf_addc(&by, ',');
	}
	line_at(&by, indent, depth);
	vy_buf_addstr(&by, part);
	size_t where = last.all.end ? last.all.end : box + 1;

	if (!last.all.end && strchr("]}", t.p[where])) {
		line_at(&by, indent, depth - 1);
	}
	replace(text, where, where, vy_buf_str(&by));
}

static void add_string(struct vy_buf *out, const char *s)
{
	VY_AUTO_JSON *v = vy_json_new_str(vy_str_c(s));

	vy_json_dump(v, out);
}

/* {"matcher": …, "hooks": [{…}]}, its first line not set in. */
static void add_group(
	struct vy_buf *out, const struct hook_event *h, const char *line, struct vy_str indent)
{
	vy_buf_addc(out, '{');
	if (h->matcher) {
		line_at(out, indent, 4);
		vy_buf_adds(out, "\"matcher\": ");
		add_string(out, h->matcher);
		vy_buf_addc(out, ',');
	}
	line_at(out, indent, 4);
	vy_buf_adds(out, "\"hooks\": [");
	line_at(out, indent, 5);
	vy_buf_adds(out, "{ \"type\": \"command\", \"command\": ");
	add_string(out, line);
	vy_buf_addf(out, ", \"timeout\": %d }", h->timeout_s);
	line_at(out, indent, 4);
	vy_buf_addc(out, ']');
	line_at(out, indent, 3);
	vy_buf_addc(out, '}');
}

static void add_event(struct vy_buf *text, const struct hook_event *h, const char *line)
{
	VY_AUTO_BUF group = VY_BUF_INIT(VY_LINE_MAX), member = VY_BUF_INIT(VY_LINE_MAX);
	VY_AUTO_BUF kept = VY_BUF_INIT(64);
	struct part hooks, event;

	vy_buf_addstr(&kept, indent_of(vy_buf_str(text)));
	struct vy_str indent = vy_buf_str(&kept);

	if (!find_member(vy_buf_str(text), blank(vy_buf_str(text), 0), "hooks", &hooks)) {
		put_in(text, blank(vy_buf_str(text), 0), VY_STR_LIT("\"hooks\": {}"), indent, 1);
		vy_assert(
			find_member(vy_buf_str(text), blank(vy_buf_str(text), 0), "hooks", &hooks));
	}
	add_group(&group, h, line, indent);
	if (find_member(vy_buf_str(text), hooks.value.at, h->name, &event)) {
		put_in(text, event.value.at, vy_buf_str(&group), indent, 3);
		return;
	}
	vy_buf_addf(&member, "\"%s\": [", h->name);
	line_at(&member, indent, 3);
	vy_buf_addstr(&member, vy_buf_str(&group));
	line_at(&member, indent, 2);
	vy_buf_addc(&member, ']');
	put_in(text, hooks.value.at, vy_buf_str(&member), indent, 2);
}

/* ---- the whole ---- */

static int check(struct vy_str text, struct vy_err *e)
{
	VY_AUTO_JSON *v = vy_json_parse(text, e);
	const struct vy_json *hooks = vy_json_get(v, "hooks");
	struct vy_json *value;
	const char *name;
	struct part found;

	if (!v) {
		return -1;
	}
	if (vy_json_type(v) != VY_JSON_OBJ) {
		return vy_fail(e, VY_BAD_INPUT, "expected an object");
	}
	if (!hooks) {
		return 0;
	}
	if (vy_json_type(hooks) != VY_JSON_OBJ) {
		return vy_fail(e, VY_BAD_INPUT, "hooks: expected an object");
	}
	if (!find_member(text, blank(text, 0), "hooks", &found)) {
		return vy_fail(e, VY_BAD_INPUT, "hooks: its name is spelled with escapes");
	}
	VY_JSON_EACH (hooks, name, value) {
		if (is_event(vy_str_c(name)) && vy_json_type(value) != VY_JSON_ARR) {
			return vy_fail(e, VY_BAD_INPUT, "hooks.%s: expected an array", name);
		}
		if (is_event(vy_str_c(name)) &&
			!find_member(text, found.value.at, name, &(struct part){ 0 })) {
			return vy_fail(e, VY_BAD_INPUT,
				"hooks.%s: its name is spelled with escapes", name);
		}
	}
	return 0;
}

static void remove_all(struct vy_buf *text)
{
	struct part hooks;
	struct found f;

	while (find_member(vy_buf_str(text), blank(vy_buf_str(text), 0), "hooks", &hooks) &&
		vy_buf_c(text)[hooks.value.at] == '{' &&
		find_ours(vy_buf_str(text), hooks.value, &f)) {
		cut(text, !f.is_only_handler ? f.handler.all
			  : !f.is_only_group ? f.group.all
			  : !f.is_only_event ? f.event.all
					     : hooks.all);
	}
}

static struct vy_str or_none(struct vy_str text)
{
	return blank(text, 0) == text.n ? VY_STR_LIT(HOOK_SETTINGS_NONE) : text;
}

int hook_settings_add(struct vy_str text, const char *program, const char *options,
	struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	text = or_none(text);
	if (check(text, e) != 0) {
		return -1;
	}
	vy_buf_addstr(&b, text);
	remove_all(&b);
	for (const struct hook_event *h = hook_events; h->name; h++) {
		VY_AUTO_BUF line = VY_BUF_INIT(64 * VY_KIB);

		hook_line(&line, program, options, h->name);
		add_event(&b, h, vy_buf_c(&line));
	}
	vy_buf_addstr(out, vy_buf_str(&b));
	return 0;
}

int hook_settings_remove(struct vy_str text, struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (blank(text, 0) == text.n) {
		vy_buf_addstr(out, text);
		return 0;
	}
	if (check(text, e) != 0) {
		return -1;
	}
	vy_buf_addstr(&b, text);
	remove_all(&b);
	vy_buf_addstr(out, vy_buf_str(&b));
	return 0;
}

static const char *our_line_of(const struct vy_json *groups)
{
	for (size_t i = 0; i < vy_json_len(groups); i++) {
		const struct vy_json *handlers = vy_json_get(vy_json_at(groups, i), "hooks");

		for (size_t k = 0; k < vy_json_len(handlers); k++) {
			const char *line = vy_json_cstr(vy_json_at(handlers, k), "command");

			if (line && is_our_line(vy_str_c(line))) {
				return line;
			}
		}
	}
	return NULL;
}

int hook_settings_count(struct vy_str text, struct vy_buf *line, size_t *n, struct vy_err *e)
{
	*n = 0;
	text = or_none(text);
	if (check(text, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *v = vy_json_parse(text, NULL);

	for (const struct hook_event *h = hook_events; h->name; h++) {
		const char *is = our_line_of(vy_json_get(vy_json_get(v, "hooks"), h->name));

		*n += is != NULL;
		if (is && line && line->len == 0) {
			vy_buf_adds(line, is);
		}
	}
	return 0;
}

/* ---- the line ---- */

void hook_word(struct vy_buf *out, const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./+:@%,";

	if (value[0] && strspn(value, plain) == strlen(value)) {
		vy_buf_adds(out, value);
		return;
	}
	vy_buf_addc(out, '\'');
	for (; *value; value++) {
		if (*value == '\'') {
			vy_buf_adds(out, "'\\''");
		} else {
			vy_buf_addc(out, *value);
		}
	}
	vy_buf_addc(out, '\'');
}

void hook_line(struct vy_buf *out, const char *program, const char *options, const char *event)
{
	vy_buf_addf(out, "test ! -x %s || exec %s%s hook run %s", program, program, options, event);
}
