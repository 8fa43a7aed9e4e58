/* edit_vim_text.c -- places in a text as vim counts them: lines, ends, classes (edit_vim_core.h). */
#include "tui/view/edit_vim_core.h"

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

enum { CLASS_BLANK, CLASS_SIGN, CLASS_WORD, CLASS_EMOJI, CLASS_CHIP = 1 << 30 };

/* ---- lines ---- */

bool vim_is_end(const struct edit *e, size_t at)
{
	return at >= e->text.len || e->text.data[at] == '\n';
}

size_t vim_line_start(const struct edit *e, size_t at)
{
	const char *nl = at ? memrchr(e->text.data, '\n', at) : NULL;

	return nl ? (size_t)(nl - e->text.data) + 1 : 0;
}

size_t vim_line_end(const struct edit *e, size_t at)
{
	const char *nl =
		at < e->text.len ? memchr(e->text.data + at, '\n', e->text.len - at) : NULL;

	return nl ? (size_t)(nl - e->text.data) : e->text.len;
}

size_t vim_last(const struct edit *e, size_t at)
{
	size_t start = vim_line_start(e, at), end = vim_line_end(e, at);

	return end > start ? edit_before(e, end) : start;
}

static bool is_blank(const struct edit *e, size_t at)
{
	return at < e->text.len && (e->text.data[at] == ' ' || e->text.data[at] == '\t');
}

size_t vim_first_word(const struct edit *e, size_t at)
{
	at = vim_line_start(e, at);
	while (is_blank(e, at)) {
		at++;
	}
	return vim_is_end(e, at) ? vim_last(e, at) : at;
}

size_t vim_line_behind(const struct edit *e, size_t at)
{
	size_t end = vim_line_end(e, at);

	return end < e->text.len ? end + 1 : SIZE_MAX;
}

size_t vim_line_before(const struct edit *e, size_t at)
{
	size_t start = vim_line_start(e, at);

	return start ? vim_line_start(e, start - 1) : SIZE_MAX;
}

bool vim_is_empty_line(const struct edit *e, size_t at)
{
	return vim_is_end(e, at) && vim_line_start(e, at) == at;
}

bool vim_is_blank_line(const struct edit *e, size_t at)
{
	at = vim_line_start(e, at);
	while (is_blank(e, at)) {
		at++;
	}
	return vim_is_end(e, at);
}

bool vim_is_indent(const struct edit *e, size_t at)
{
	size_t i = vim_line_start(e, at);

	while (i < at && is_blank(e, i)) {
		i++;
	}
	return i >= at;
}

/* ---- characters ---- */

struct vy_str vim_cluster(const struct edit *e, size_t at)
{
	return vy_str_n(vy_buf_c(&e->text) + at, edit_behind(e, at) - at);
}

/* Scripts whose letters make words of their own kind: vim's borders between them. */
static unsigned script_of(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
		unsigned class;
	} scripts[] = { { 0x2070, 0x207F, 0x2070 }, { 0x2080, 0x2094, 0x2080 },
		{ 0x2800, 0x28FF, 0x2800 }, { 0x3040, 0x309F, 0x3040 }, { 0x30A0, 0x30FF, 0x30A0 },
		{ 0x3300, 0x9FFF, 0x4E00 }, { 0xAC00, 0xD7A3, 0xAC00 }, { 0xF900, 0xFAFF, 0x4E00 },
		{ 0x20000, 0x2FA1F, 0x4E00 } };

	for (size_t i = 0; i < VY_COUNT(scripts); i++) {
		if (cp >= scripts[i].first && cp <= scripts[i].last) {
			return scripts[i].class;
		}
	}
	return 0;
}

static bool is_word(uint32_t cp)
{
	if (cp < 0x80) {
		return (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') ||
		       (cp >= 'a' && cp <= 'z') || cp == '_';
	}
	if (cp <= 0xFF) {
		return cp >= 0xC0 || cp == 0xAA || cp == 0xB5 || cp == 0xBA;
	}
	return !vy_cp_is_punct(cp);
}

unsigned vim_class(const struct edit *e, size_t at, bool is_big)
{
	uint32_t cp;
	unsigned script;

	if (vim_is_end(e, at)) {
		return CLASS_BLANK;
	}
	if (edit_chip_at(e, at, NULL)) {
		return CLASS_CHIP + (unsigned)at; /* two chips are two words */
	}
	vy_utf8_get(edit_text(e), at, &cp);
	if (cp == ' ' || cp == '\t' || cp == 0xA0 || vy_cp_is_space(cp)) {
		return CLASS_BLANK;
	}
	if (is_big) {
		return CLASS_WORD;
	}
	script = script_of(cp);
	if (script) {
		return script;
	}
	if (cp > 0xFF && vy_cp_is_pictograph(cp)) {
		return CLASS_EMOJI;
	}
	return is_word(cp) ? CLASS_WORD : CLASS_SIGN;
}

/* ---- steps ---- */

int vim_step(const struct edit *e, size_t *at)
{
	if (vim_is_end(e, *at)) {
		if (*at >= e->text.len) {
			return -1;
		}
		++*at;
		return 1;
	}
	*at = edit_behind(e, *at);
	return vim_is_end(e, *at) ? 2 : 0;
}

int vim_back(const struct edit *e, size_t *at)
{
	if (*at == 0) {
		return -1;
	}
	if (e->text.data[*at - 1] == '\n') {
		--*at;
		return 1;
	}
	*at = edit_before(e, *at);
	return 0;
}

/* ---- columns ---- */

static size_t cells_at(const struct edit *e, size_t at, size_t col)
{
	struct vy_str label;

	if (e->text.data[at] == '\t') {
		return VIM_TAB - col % VIM_TAB;
	}
	if (edit_chip_at(e, at, &label)) {
		return vy_width_cells(label, (struct vy_width){ 0 });
	}
	return vy_width_cluster(vim_cluster(e, at), (struct vy_width){ 0 });
}

size_t vim_column(const struct edit *e, size_t at)
{
	size_t col = 0;

	for (size_t i = vim_line_start(e, at); i < at; i = edit_behind(e, i)) {
		col += cells_at(e, i, col);
	}
	return col;
}

size_t vim_at_column(const struct edit *e, size_t line, size_t want)
{
	size_t i = vim_line_start(e, line), col = 0;

	while (!vim_is_end(e, i)) {
		col += cells_at(e, i, col);
		if (col > want) {
			break;
		}
		i = edit_behind(e, i);
	}
	return i;
}
