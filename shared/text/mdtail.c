/* mdtail.c -- see mdtail.h.
 *
 * Borders: a border is a place behind a blank line (or before a line that surely begins something
 * new) where no fence, list or indented code of the top level is open. Whether one is open is asked
 * of the parser itself: it gets the tail up to there and a probe line "x" behind it, and where the
 * probe ends up tells. A list or a fence is asked about once and then passed by its own rule. */
#include "shared/text/mdtail.h"

#include <string.h>

#include "shared/base/arena.h"
#include "shared/text/md.h"
#include "shared/text/mdhold.h"
#include "shared/text/mdline.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

enum mode {
	MODE_LOOK,  /* the next blank line may be a border */
	MODE_LIST,  /* a list (or indented code): only a line that ends it is */
	MODE_FENCE, /* passed until it closes */
};

#define PATIENCE    16 /* questions without a border before they get rarer */
#define FENCE_LINES 64 /* of an open fence, then there may be a border */

/* ---- borders ---- */

/* `tail` begins with what stands before it: `before` bytes. */
static void look_for_fence(
	struct vy_mdtail *t, struct vy_str tail, size_t before, const struct vy_md_block *b)
{
	struct vy_str line = vy_mdline_at(tail, b->src);
	char fence = 0;

	t->fence_len = vy_mdline_fence(vy_mdline_bare(line), &fence);
	t->fence = fence;
	if (t->fence_len && b->src >= before) {
		t->mode = MODE_FENCE;
		t->lines = 0;
		t->fence_at = t->border + b->src - before;
	}
}

static bool is_in_list(const struct vy_md_block *b)
{
	const struct vy_md_box *box = b->box;

	while (box && box->up) {
		box = box->up;
	}
	return box && box->kind == VY_MD_ITEM;
}

/* Asks whether the text before `at` is settled; sets the mode when it is not. */
static bool is_settled(struct vy_mdtail *t, struct vy_str text, size_t at)
{
	struct vy_str open = vy_mdtail_open(t, text);
	struct vy_arena a;
	struct vy_md_doc doc;
	VY_AUTO_BUF tail = VY_BUF_INIT(open.n + at - t->border + 2);

	if (at == t->asked || (t->tries >= PATIENCE && at - t->border < t->patience)) {
		return false;
	}
	t->asked = at;
	t->tries++;
	t->patience = (at - t->border) / 4 * 5;
	vy_buf_addstr(&tail, open);
	vy_buf_add(&tail, text.p + t->border, at - t->border);
	vy_buf_adds(&tail, "x\n");
	vy_arena_init(&a);
	vy_md_parse(vy_buf_str(&tail), 0, &a, &doc);
	vy_assert(doc.n > 0); /* the probe is there, wherever it went */
	const struct vy_md_block *probe = &doc.blocks[doc.n - 1], *last = probe - 1;
	bool settled = false;

	if (probe->kind == VY_MD_CODE && probe->is_fenced && !probe->box) {
		look_for_fence(t, vy_buf_str(&tail), open.n, probe);
	} else if (probe->kind != VY_MD_PARA || probe->box || !vy_str_is(probe->text.text, "x")) {
		settled = false; /* not understood: ask again further on */
	} else if (t->mode == MODE_LOOK && doc.n > 1 &&
		   (is_in_list(last) || (last->kind == VY_MD_CODE && !last->is_fenced))) {
		t->mode = MODE_LIST;
		t->asked = 0; /* of the line that begins here it is another question */
	} else {
		settled = true;
	}
	vy_arena_fini(&a);
	return settled;
}

/* Does this line, behind a blank one, surely end a list? A growing one may not say yet. */
static bool ends_list(struct vy_str line, bool whole)
{
	size_t digits = 0;

	if (line.n == 0 || line.p[0] == ' ' || line.p[0] == '\t' || line.p[0] == '\r') {
		return false;
	}
	if (strchr("-+*", line.p[0]) && line.p[0]) {
		return line.n > 1 ? line.p[1] != ' ' && line.p[1] != '\t' : false;
	}
	while (digits < line.n && line.p[digits] >= '0' && line.p[digits] <= '9') {
		digits++;
	}
	if (digits == 0 || digits > 9) {
		return true;
	}
	if (digits == line.n) {
		return whole;
	}
	if (line.p[digits] != '.' && line.p[digits] != ')') {
		return true;
	}
	return digits + 1 < line.n && line.p[digits + 1] != ' ' && line.p[digits + 1] != '\t';
}

static bool found(struct vy_mdtail *t, size_t border)
{
	*t = (struct vy_mdtail){ .border = border, .at = border };
	return true;
}

static bool may_open_fence(struct vy_str line)
{
	size_t indent = vy_mdline_indent(line);
	char fence;

	return indent < 4 && vy_mdline_fence(vy_str_from(line, indent), &fence) > 0;
}

static bool closes_fence(const struct vy_mdtail *t, struct vy_str line)
{
	size_t indent = vy_mdline_indent(line);

	return indent < 4 && line.n >= indent &&
	       vy_mdline_closes(vy_str_from(line, indent), t->fence, t->fence_len);
}

struct vy_str vy_mdtail_open(const struct vy_mdtail *t, struct vy_str text)
{
	return vy_str_n(text.p + t->open, t->open_n);
}

/* Behind a line of code that is not blank: the blank ones at a fence's end are no lines of it. */
static bool cut_fence(struct vy_mdtail *t, struct vy_str text, size_t next, bool blank)
{
	if (++t->lines < FENCE_LINES || blank) {
		return false;
	}
	*t = (struct vy_mdtail){ .border = next,
		.at = next,
		.mode = MODE_FENCE,
		.has_text = true,
		.fence = t->fence,
		.fence_len = t->fence_len,
		.fence_at = t->fence_at,
		.open = t->fence_at,
		.open_n = vy_mdline_next(text, t->fence_at) - t->fence_at };
	return true;
}

bool vy_mdtail_next(struct vy_mdtail *t, struct vy_str text)
{
	while (t->at < text.n) {
		struct vy_str line = vy_mdline_at(text, t->at);
		size_t next = vy_mdline_next(text, t->at);
		bool whole = text.p[next - 1] == '\n', blank = vy_mdline_is_blank(line);

		if (t->mode == MODE_LIST && t->after_blank && ends_list(line, whole) &&
			is_settled(t, text, t->at)) {
			return found(t, t->at);
		}
		if (!whole) {
			return false;
		}
		if (t->mode == MODE_FENCE && closes_fence(t, line)) {
			t->mode = MODE_LOOK;
		} else if (t->mode == MODE_FENCE && cut_fence(t, text, next, blank)) {
			return true;
		} else if (t->mode == MODE_LOOK && blank && t->has_text &&
			   is_settled(t, text, next)) {
			return found(t, next);
		} else if (t->mode != MODE_FENCE && may_open_fence(line)) {
			is_settled(t, text, next); /* only to learn whether one is open now */
		}
		t->has_text |= !blank;
		t->after_blank = blank;
		t->at = next;
	}
	return false;
}

/* ---- what is shown of the tail ---- */

/* The tail as far as it was decided on, and its last block. */
struct show {
	struct vy_str s;
	struct vy_arena a;
	struct vy_md_doc doc;
};

static const struct vy_md_block *parse(struct show *w)
{
	vy_arena_reset(&w->a);
	vy_md_parse(w->s, 0, &w->a, &w->doc);
	return w->doc.n ? &w->doc.blocks[w->doc.n - 1] : NULL;
}

static size_t last_line(struct vy_str s)
{
	return vy_mdline_start(s, s.n);
}

static bool is_only(struct vy_str s, const char *set)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\0' || !strchr(set, s.p[i])) {
			return false;
		}
	}
	return true;
}

/* A line being typed that has nothing but marks yet: of a list, a heading, a rule, a fence. */
static bool is_only_marks(struct vy_str line)
{
	struct vy_str bare = vy_mdline_bare(line);
	char one[] = { bare.n ? bare.p[0] : '\0', ' ', '\0' };

	if (bare.n == 0) {
		return line.n > 0 && !vy_mdline_is_blank(line);
	}
	if (strchr("-=*_+#`~", one[0])) {
		return is_only(bare, one);
	}
	return bare.n <= 9 && is_only(bare, "0123456789");
}

/* In a fence: the opening line until its language is known, what may be the closing one. */
static void hold_fence(struct show *w, const struct vy_md_block *b)
{
	size_t line = last_line(w->s);
	struct vy_str bare = vy_mdline_bare(vy_mdline_at(w->s, line));
	char fence[] = { '\0', '\0' };

	vy_mdline_fence(vy_mdline_bare(vy_mdline_at(w->s, b->src)), fence);
	if (line == b->src || is_only(bare, fence)) {
		w->s.n = line;
	}
}

static bool has_bar(struct vy_str line)
{
	bool code = false;

	if (line.n == 0 || !memchr(line.p, '|', line.n)) {
		return false;
	}
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] == '\\') {
			i++;
		} else if (line.p[i] == '`') {
			code = !code;
		} else if (line.p[i] == '|' && !code) {
			return true;
		}
	}
	return false;
}

/* A first line with bars, and nothing yet that says that no table follows. */
static bool may_be_table(struct vy_str s, const struct vy_md_block *b)
{
	size_t second = vy_mdline_next(s, b->src);

	if (!has_bar(vy_mdline_at(s, b->src))) {
		return false;
	}
	if (second == s.n) {
		return true;
	}
	struct vy_str line = vy_mdline_at(s, second);

	return vy_mdline_next(s, second) == s.n && s.p[s.n - 1] != '\n' &&
	       is_only(vy_mdline_bare(line), "|:- ");
}

/* A table is shown row by whole row, from the moment its second line is whole. */
static void hold_table(struct show *w, const struct vy_md_block *b)
{
	size_t line = last_line(w->s);

	if (line == w->s.n || line < b->src) {
		return;
	}
	w->s.n = vy_mdline_next(w->s, b->src) == line ? b->src : line;
}

/* Is the last line part of this block, or separated from it by blank lines only? */
static bool reaches(struct vy_str s, const struct vy_md_block *b, size_t line)
{
	return b->src_end >= line ||
	       is_only(vy_str_n(s.p + b->src_end, line - b->src_end), " \t\r\n");
}

/* Returns the last block of what is left. */
static const struct vy_md_block *hold_structure(struct show *w)
{
	const struct vy_md_block *b = parse(w);
	size_t line = last_line(w->s), whole = w->s.n;

	if (b && b->kind == VY_MD_CODE && b->is_fenced && line < w->s.n && reaches(w->s, b, line)) {
		hold_fence(w, b);
	} else if (line < w->s.n && is_only_marks(vy_mdline_at(w->s, line))) {
		w->s.n = line;
	}
	return w->s.n == whole ? b : parse(w);
}

/* Takes more inline text with the next byte. */
static bool is_growing(struct vy_str s, const struct vy_md_block *b)
{
	return b->kind == VY_MD_PARA || (b->kind == VY_MD_HEADING && s.p[s.n - 1] != '\n');
}

/* It begins with a letter: no mark of a block does. */
bool vy_mdtail_is_line(struct vy_str tail)
{
	bool is_letter = tail.n && (tail.p[0] | 0x20) >= 'a' && (tail.p[0] | 0x20) <= 'z';

	return is_letter && !memchr(tail.p, '\n', tail.n) && !memchr(tail.p, '\r', tail.n) &&
	       !memchr(tail.p, '\0', tail.n) && vy_utf8_valid(tail, 0) == tail.n;
}

void vy_mdtail_show(struct vy_str tail, struct vy_buf *out)
{
	VY_AUTO_BUF closers = VY_BUF_INIT(4096);
	struct show w = { .s = tail };

	if (vy_mdtail_is_line(tail)) {
		size_t n = has_bar(tail) ? 0 : vy_mdhold(tail, &closers);

		vy_buf_add(out, tail.p, n);
		vy_buf_addstr(out, vy_buf_str(&closers));
		return;
	}
	vy_arena_init(&w.a);
	const struct vy_md_block *b = hold_structure(&w);

	if (b && b->kind == VY_MD_TABLE && b->src_end == w.s.n) {
		hold_table(&w, b);
	} else if (b && b->kind == VY_MD_PARA && b->src_end == w.s.n && may_be_table(w.s, b)) {
		w.s.n = b->src;
	} else if (b && b->src_end == w.s.n && is_growing(w.s, b)) {
		w.s.n = b->src + vy_mdhold(vy_str_from(w.s, b->src), &closers);
	}
	size_t line = last_line(w.s);

	if (closers.len == 0 && line < w.s.n && is_only_marks(vy_mdline_at(w.s, line)) &&
		!(b && b->kind == VY_MD_CODE)) {
		w.s.n = line;
	}
	vy_buf_addstr(out, w.s);
	vy_buf_addstr(out, vy_buf_str(&closers));
	vy_arena_fini(&w.a);
}
