/* brief.c -- see brief.h. */
#include "server/provider/brief.h"

#include <stdio.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define SPELLED_MAX (192 * VY_KIB) /* of a frame's 256 KiB, spelled as JSON */

struct vy_str brief_cut(struct vy_str s, size_t max)
{
	return s.n <= max ? s : vy_str_n(s.p, vy_utf8_cut(s, max));
}

struct vy_str brief_join(struct vy_str x, struct vy_str y, struct vy_str z, struct vy_arena *a)
{
	const struct vy_str parts[] = { x, y, z };
	char *p = vy_arena_alloc(a, x.n + y.n + z.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		if (parts[i].n) {
			memcpy(p + n, parts[i].p, parts[i].n);
			n += parts[i].n;
		}
	}
	return vy_str_n(p, n);
}

struct vy_str brief_id(struct vy_str raw)
{
	const char *nul = raw.n ? memchr(raw.p, '\0', raw.n) : NULL;

	return brief_cut(nul ? vy_str_n(raw.p, (size_t)(nul - raw.p)) : raw, VY_ID_MAX);
}

size_t brief_piece(struct vy_str text)
{
	size_t spelled = 0, i = 0;

	while (i < text.n && i < VY_FRAME_TEXT_MAX) {
		unsigned char ch = (unsigned char)text.p[i];

		spelled += ch < 0x20 || ch == 0x7f ? 6 : ch == '"' || ch == '\\' ? 2 : 1;
		if (spelled > SPELLED_MAX) {
			break;
		}
		i++;
	}
	if (i == text.n) {
		return i;
	}
	size_t n = vy_utf8_cut(text, i);

	return n ? n : i;
}

static struct vy_str one_line(struct vy_str s, size_t max, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(max + 8);
	bool blank = false;

	for (size_t i = 0; i < s.n && b.len <= max; i++) {
		bool is_blank = s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r';

		if (is_blank) {
			blank = b.len > 0;
			continue;
		}
		if (blank) {
			vy_buf_addc(&b, ' ');
			blank = false;
		}
		vy_buf_addc(&b, s.p[i]);
	}
	if (b.len > max) {
		vy_buf_truncate(&b, vy_utf8_cut(vy_buf_str(&b), max - 3));
		vy_buf_adds(&b, "…");
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

struct vy_str brief_one_line(struct vy_str s, struct vy_arena *a)
{
	return one_line(s, BRIEF_LINE_MAX, a);
}

struct vy_str brief_sentence(struct vy_str s, struct vy_arena *a)
{
	return one_line(s, BRIEF_SENTENCE_MAX, a);
}

struct vy_str brief_path(struct vy_str path, struct vy_str cwd)
{
	while (cwd.n > 1 && cwd.p[cwd.n - 1] == '/') {
		cwd.n--;
	}
	if (cwd.n > 1 && path.n > cwd.n + 1 && memcmp(path.p, cwd.p, cwd.n) == 0 &&
		path.p[cwd.n] == '/') {
		return vy_str_from(path, cwd.n + 1);
	}
	return path;
}

void brief_set(struct vy_json *block, const char *key, struct vy_str s, size_t max)
{
	size_t room = brief_piece(s);
	struct vy_str cut = brief_cut(s, room < max ? room : max);
	char note[80];

	vy_json_set_str(block, key, cut);
	if (cut.n < s.n) {
		snprintf(note, sizeof(note), "cut: %zu of %zu KiB", (cut.n + 1023) / VY_KIB,
			(s.n + 1023) / VY_KIB);
		vy_json_set_c(block, "note", note);
	}
}

struct vy_json *brief_block(struct vy_str text)
{
	struct vy_json *b = vy_json_new_obj();

	vy_json_set_c(b, "type", "text");
	brief_set(b, "text", text, BRIEF_BLOCK_MAX);
	return b;
}

struct vy_str brief_content(const struct vy_json *content, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (vy_json_type(content) == VY_JSON_STR) {
		return vy_json_strval(content);
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		const struct vy_json *part = vy_json_at(content, i);
		struct vy_str type = vy_json_str(part, "type");

		if (b.len) {
			vy_buf_addc(&b, '\n');
		}
		if (vy_str_is(type, "text")) {
			vy_buf_addstr(&b, vy_json_str(part, "text"));
		} else if (vy_str_is(type, "tool_reference")) {
			vy_buf_addstr(&b, vy_json_str(part, "tool_name"));
		} else {
			vy_buf_addf(&b, "[%.*s]", VY_STR_ARG(type));
		}
	}
	return vy_arena_str(a, vy_buf_str(&b));
}
