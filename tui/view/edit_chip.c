/* edit_chip.c -- what stands in a text as one piece: long pastes and pictures (edit_core.h).
 *
 * A chip lives as long as a mark of it stands anywhere: in the text, in undo and redo, in the kill
 * ring. Nobody counts; edit_collect() looks when a new one needs the room. */
#include "tui/view/edit_core.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define OBJECT     "\xEF\xBF\xBC" /* U+FFFC */
#define OBJECT_LEN 3
#define FIRST      0xF0000u /* a private plane: nobody types these */
#define CHIPS_MAX  4096

/* ---- marks ---- */

static struct edit_chip *chip_of(const struct edit *e, struct vy_str s, size_t at)
{
	uint32_t cp = 0;

	if (at + EDIT_MARK_LEN > s.n || memcmp(s.p + at, OBJECT, OBJECT_LEN) != 0) {
		return NULL;
	}
	vy_utf8_get(s, at + OBJECT_LEN, &cp);
	if (cp < FIRST || cp - FIRST >= e->n_chips || e->chips[cp - FIRST].kind == EDIT_CHIP_FREE) {
		return NULL;
	}
	return &e->chips[cp - FIRST];
}

/* The next chip of s at or behind *at, which is moved to its mark; NULL: none. */
static struct edit_chip *next_chip(const struct edit *e, struct vy_str s, size_t *at)
{
	while (e->n_chips && *at + EDIT_MARK_LEN <= s.n) {
		const char *p = memchr(s.p + *at, OBJECT[0], s.n - *at);

		if (!p) {
			return NULL;
		}
		*at = (size_t)(p - s.p);
		struct edit_chip *c = chip_of(e, s, *at);

		if (c) {
			return c;
		}
		++*at;
	}
	return NULL;
}

struct edit_chip *edit_chip(const struct edit *e, size_t at)
{
	return chip_of(e, edit_text(e), at);
}

size_t edit_chip_at(const struct edit *e, size_t at, struct vy_str *label)
{
	const struct edit_chip *c = edit_chip(e, at);

	if (c && label) {
		*label = vy_str_c(c->label);
	}
	return c ? EDIT_MARK_LEN : 0;
}

size_t edit_chip_in(const struct edit *e, struct vy_str own, size_t at)
{
	return chip_of(e, own, at) ? EDIT_MARK_LEN : 0;
}

struct vy_str edit_chip_text(const struct edit *e, struct vy_str own, size_t at)
{
	const struct edit_chip *c = chip_of(e, own, at);

	return c && c->kind == EDIT_CHIP_TEXT ? vy_str_n(c->data, c->n) : vy_str_n(NULL, 0);
}

/* ---- labels ---- */

static void label_text(struct edit_chip *c, size_t chars)
{
	if (c->lines > 1) {
		snprintf(c->label, sizeof(c->label),
			words_count("[pasted %zu line]", "[pasted %zu lines]", c->lines), c->lines);
	} else {
		snprintf(c->label, sizeof(c->label),
			words_count("[pasted %zu character]", "[pasted %zu characters]", chars),
			chars);
	}
}

static void format_size(size_t n, char *out, size_t room)
{
	if (n < 1000 * 1000) {
		snprintf(out, room, "%zu kB", (n + 999) / 1000);
	} else {
		snprintf(out, room, "%zu.%zu MB", n / 1000000, n / 100000 % 10);
	}
}

static void label_image(struct edit_chip *c)
{
	char size[32];

	format_size(c->n, size, sizeof(size));
	if (c->w && c->h) {
		snprintf(c->label, sizeof(c->label), _("[image %u · %u×%u · %s]"), c->number, c->w,
			c->h, size);
	} else {
		snprintf(c->label, sizeof(c->label), _("[image %u · %s]"), c->number, size);
	}
}

void edit_renumber(struct edit *e)
{
	struct vy_str s = edit_text(e);
	unsigned n = 0;
	struct edit_chip *c;

	for (size_t i = 0; i < e->n_chips; i++) {
		e->chips[i].is_used = false;
	}
	for (size_t at = 0; (c = next_chip(e, s, &at)); at += EDIT_MARK_LEN) {
		if (c->kind == EDIT_CHIP_IMAGE && !c->is_used) {
			c->is_used = true;
			c->number = ++n;
			label_image(c);
		}
	}
}

/* ---- the whole ---- */

static void put_chip(const struct edit_chip *c, struct vy_buf *out)
{
	if (c->kind == EDIT_CHIP_TEXT) {
		vy_buf_add(out, c->data, c->n);
	} else {
		vy_buf_addf(out, "[image %u]", c->number); /* the agent's word: English */
	}
}

bool edit_open(const struct edit *e, struct vy_str s, struct vy_buf *out)
{
	const struct edit_chip *c;
	size_t from = 0;

	for (size_t at = 0; (c = next_chip(e, s, &at)); at = from) {
		vy_buf_add(out, s.p + from, at - from);
		put_chip(c, out);
		from = at + EDIT_MARK_LEN;
	}
	vy_buf_addstr(out, vy_str_from(s, from));
	return !vy_buf_is_over(out);
}

bool edit_whole(const struct edit *e, struct vy_buf *out)
{
	return edit_open(e, edit_text(e), out);
}

size_t edit_whole_size(const struct edit *e, struct vy_str s)
{
	const struct edit_chip *c;
	size_t n = s.n;

	for (size_t at = 0; (c = next_chip(e, s, &at)); at += EDIT_MARK_LEN) {
		n += (c->kind == EDIT_CHIP_TEXT ? c->n : 16) - EDIT_MARK_LEN;
	}
	return n;
}

size_t edit_size(const struct edit *e)
{
	struct vy_str s = edit_text(e);
	const struct edit_chip *c;
	size_t n = s.n;

	for (size_t at = 0; (c = next_chip(e, s, &at)); at += EDIT_MARK_LEN) {
		n += c->n;
	}
	return n;
}

bool edit_chip_image(const struct edit *e, struct vy_str own, size_t at, struct edit_image *out)
{
	const struct edit_chip *c = chip_of(e, own, at);

	if (!c || c->kind != EDIT_CHIP_IMAGE) {
		return false;
	}
	*out = (struct edit_image){ c->mime, vy_str_n(c->data, c->n), c->w, c->h };
	return true;
}

bool edit_image(const struct edit *e, size_t i, struct edit_image *out)
{
	struct vy_str s = edit_text(e);
	const struct edit_chip *c;

	for (size_t at = 0; (c = next_chip(e, s, &at)); at += EDIT_MARK_LEN) {
		if (c->kind == EDIT_CHIP_IMAGE && c->number == i + 1) {
			return edit_chip_image(e, s, at, out);
		}
	}
	return false;
}

/* ---- life ---- */

static void use_all(const struct edit *e, const char *p, size_t n)
{
	struct edit_chip *c;

	for (size_t at = 0; (c = next_chip(e, vy_str_n(p, n), &at)); at += EDIT_MARK_LEN) {
		c->is_used = true;
	}
}

static void use_changes(const struct edit *e, const struct edit_change *list)
{
	for (const struct edit_change *c = list; c; c = c->next) {
		use_all(e, c->removed, c->n_removed);
		use_all(e, c->added, c->n_added);
	}
}

static void free_chip(struct edit *e, struct edit_chip *c)
{
	e->chip_bytes -= c->n;
	free(c->data);
	*c = (struct edit_chip){ 0 };
}

/* Lets go of the chips whose mark stands nowhere, nor in `own`. */
static void collect(struct edit *e, struct vy_str own)
{
	for (size_t i = 0; i < e->n_chips; i++) {
		e->chips[i].is_used = false;
	}
	use_all(e, own.p, own.n);
	use_all(e, e->text.data, e->text.len);
	use_changes(e, e->undo);
	use_changes(e, e->redo);
	for (size_t i = 0; i < EDIT_KILLS; i++) {
		use_all(e, e->kills[i].p, e->kills[i].n);
	}
	for (size_t i = 0; i < EDIT_REGS; i++) {
		use_all(e, e->regs[i].p, e->regs[i].n);
	}
	for (size_t i = 0; i < e->n_chips; i++) {
		if (e->chips[i].kind != EDIT_CHIP_FREE && !e->chips[i].is_used) {
			free_chip(e, &e->chips[i]);
		}
	}
}

static size_t free_slot(const struct edit *e)
{
	size_t i = 0;

	while (i < e->n_chips && e->chips[i].kind != EDIT_CHIP_FREE) {
		i++;
	}
	return i;
}

static bool put_mark(size_t i, struct vy_buf *own)
{
	char mark[4];

	vy_buf_adds(own, OBJECT);
	return vy_buf_add(own, mark, vy_utf8_put(FIRST + (uint32_t)i, mark));
}

/* Appends its mark to `own`; the content is the edit's from now on, or freed. */
static bool keep(struct edit *e, const struct edit_chip *chip, struct vy_buf *own)
{
	if (e->chip_bytes + chip->n > EDIT_KEEP || e->n_chips >= CHIPS_MAX) {
		collect(e, vy_buf_str(own));
	}
	if (e->chip_bytes + chip->n > EDIT_KEEP) { /* undo goes before a new paste is refused */
		edit_forget(e);
		collect(e, vy_buf_str(own));
	}
	size_t i = free_slot(e);

	if (e->chip_bytes + chip->n > EDIT_KEEP || i >= CHIPS_MAX) {
		free(chip->data);
		return false;
	}
	if (i == e->n_chips) {
		e->chips = vy_realloc(e->chips, ++e->n_chips * sizeof(*e->chips));
	}
	e->chips[i] = *chip;
	e->chip_bytes += chip->n;
	return put_mark(i, own);
}

void edit_chips_fini(struct edit *e)
{
	for (size_t i = 0; i < e->n_chips; i++) {
		free(e->chips[i].data);
	}
	free(e->chips);
}

/* ---- pasting ---- */

/* A newline at the end begins no line. */
static size_t lines_of(struct vy_str s)
{
	size_t n = s.n && s.p[s.n - 1] != '\n';

	for (const char *p = s.p; s.n && (p = memchr(p, '\n', (size_t)(s.p + s.n - p))); p++) {
		n++;
	}
	return n;
}

static bool is_long(struct vy_str s)
{
	return lines_of(s) > EDIT_CHIP_LINES || s.n > EDIT_CHIP_CHARS * 4 ||
	       vy_utf16_len(s) > EDIT_CHIP_CHARS;
}

bool edit_make_chip(struct edit *e, struct vy_str text, struct vy_buf *own)
{
	VY_AUTO_BUF copy = VY_BUF_INIT(EDIT_MAX);

	if (text.n > EDIT_MAX) {
		return false;
	}
	text = edit_clean(text, true, &copy);
	struct edit_chip c = { .kind = EDIT_CHIP_TEXT,
		.data = vy_memdup0(text.p, text.n),
		.n = text.n,
		.lines = lines_of(text) };

	label_text(&c, c.lines > 1 ? 0 : vy_utf16_len(text));
	return keep(e, &c, own);
}

/* The same picture once more is that picture: it has one number, and is sent once. */
static bool put_same(const struct edit *e, const struct edit_image *image, struct vy_buf *own)
{
	for (size_t i = 0; i < e->n_chips; i++) {
		const struct edit_chip *c = &e->chips[i];

		if (c->kind == EDIT_CHIP_IMAGE && vy_str_eq(vy_str_n(c->data, c->n), image->data)) {
			return put_mark(i, own);
		}
	}
	return false;
}

bool edit_make_image(struct edit *e, const struct edit_image *image, struct vy_buf *own)
{
	if (put_same(e, image, own)) {
		return true;
	}
	struct edit_chip c = { .kind = EDIT_CHIP_IMAGE,
		.data = vy_memdup0(image->data.p, image->data.n),
		.n = image->data.n,
		.w = image->w,
		.h = image->h };

	snprintf(c.mime, sizeof(c.mime), "%s", image->mime);
	return keep(e, &c, own);
}

static bool put_made(struct edit *e, bool is_made, const struct vy_buf *own)
{
	if (!is_made) {
		e->text.over = true;
		return false;
	}
	return edit_replace(e, e->at, 0, vy_buf_str(own), EDIT_OTHER);
}

bool edit_paste_chip(struct edit *e, struct vy_str text)
{
	VY_AUTO_BUF own = VY_BUF_INIT(64);
	bool fits = edit_whole_size(e, edit_text(e)) + text.n <= EDIT_MAX;

	return put_made(e, fits && edit_make_chip(e, text, &own), &own);
}

bool edit_add_image(struct edit *e, const struct edit_image *image)
{
	VY_AUTO_BUF own = VY_BUF_INIT(64);
	struct edit_image last;
	bool fits = !edit_image(e, EDIT_IMAGES - 1, &last);

	return put_made(e, fits && edit_make_image(e, image, &own), &own);
}

void edit_paste(struct edit *e, struct vy_str text)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);

	if (is_long(text)) {
		edit_paste_chip(e, text);
	} else if (text.n) {
		edit_replace(e, e->at, 0, edit_clean(text, false, &own), EDIT_OTHER);
	}
}

/* ---- opening ---- */

bool edit_chip_near(const struct edit *e, size_t *at)
{
	*at = e->at;
	if (edit_chip(e, *at)) {
		return true;
	}
	*at -= EDIT_MARK_LEN;
	return e->at >= EDIT_MARK_LEN && edit_chip(e, *at);
}

bool edit_open_chip(struct edit *e)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);
	struct vy_str text;
	size_t at;

	if (!edit_chip_near(e, &at) || !(text = edit_chip_text(e, edit_text(e), at)).p) {
		return false;
	}
	return edit_replace(e, at, EDIT_MARK_LEN, edit_clean(text, false, &own), EDIT_OTHER);
}

/* ---- from outside and back ---- */

#define NAME     "[image "
#define NAME_LEN 7

/* Appends the mark of the picture whose name begins at byte `at`; its length, 0: it is none. */
static size_t put_named(const struct edit *e, struct vy_str s, size_t at, struct vy_buf *own)
{
	struct vy_str text = edit_text(e);
	const struct edit_chip *c;
	unsigned number = 0;
	size_t end = at + NAME_LEN;

	while (end < s.n && s.p[end] >= '0' && s.p[end] <= '9' && end - at < NAME_LEN + 4) {
		number = number * 10 + (unsigned)(s.p[end++] - '0');
	}
	if (end >= s.n || s.p[end] != ']') {
		return 0;
	}
	for (size_t i = 0; (c = next_chip(e, text, &i)); i += EDIT_MARK_LEN) {
		if (c->kind == EDIT_CHIP_IMAGE && c->number == number) {
			vy_buf_add(own, text.p + i, EDIT_MARK_LEN);
			return end + 1 - at;
		}
	}
	return 0;
}

void edit_rewrite(struct edit *e, struct vy_str whole)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);
	size_t from = 0;

	for (const char *p = whole.p; whole.n;) {
		p = memmem(p, (size_t)(whole.p + whole.n - p), NAME, NAME_LEN);
		if (!p) {
			break;
		}
		size_t at = (size_t)(p - whole.p), kept = own.len, n;

		edit_make_text(vy_str_n(whole.p + from, at - from), &own);
		n = put_named(e, whole, at, &own);
		if (n) {
			from = at + n;
			p += n;
		} else {
			vy_buf_truncate(&own, kept);
			p += NAME_LEN;
		}
	}
	edit_make_text(vy_str_from(whole, from), &own);
	edit_set_own(e, vy_buf_str(&own));
}
