/* edit_vim_move.c -- motions (edit_vim_core.h): where the cursor would go, nothing is changed.
 *
 * Words are walked place by place, the ends of lines among them: an end is blank, so a word never
 * reaches over it, and an empty line is a word of its own for w, b and ge. */
#include "tui/view/edit_vim_core.h"

#include "shared/base/ban.h"

typedef bool motion_fn(struct vim_run *r, struct vim_move *m);

/* ---- in the line ---- */

static bool go_left(struct vim_run *r, struct vim_move *m)
{
	size_t start = vim_line_start(r->e, m->to);

	if (m->to == start) {
		return r->has_op; /* "ch" of nothing writes */
	}
	for (size_t i = 0; i < r->n && m->to > start; i++) {
		m->to = edit_before(r->e, m->to);
	}
	return true;
}

/* The end itself is for an operator and for a selection alone. */
static bool go_right(struct vim_run *r, struct vim_move *m)
{
	bool may_end = r->has_op || r->is_visual;
	size_t most = may_end ? vim_line_end(r->e, m->to) : vim_last(r->e, m->to);

	if (m->to == most) {
		return r->has_op;
	}
	for (size_t i = 0; i < r->n && m->to < most; i++) {
		m->to = edit_behind(r->e, m->to);
	}
	return true;
}

static bool go_start(struct vim_run *r, struct vim_move *m)
{
	m->to = vim_line_start(r->e, m->to);
	return true;
}

static bool go_first_word(struct vim_run *r, struct vim_move *m)
{
	m->to = vim_first_word(r->e, m->to);
	return true;
}

static bool go_end(struct vim_run *r, struct vim_move *m)
{
	for (size_t i = 1; i < r->n; i++) {
		size_t next = vim_line_behind(r->e, m->to);

		if (next == SIZE_MAX) {
			if (i == 1) {
				return false;
			}
			break;
		}
		m->to = next;
	}
	m->to = r->is_visual ? vim_line_end(r->e, m->to) : vim_last(r->e, m->to);
	m->is_inclusive = true;
	r->v->at_ends = !r->has_op;
	return true;
}

/* ---- lines ---- */

/* On a tab the cursor is at its end, but for the first of a selection. */
static size_t goal_of(const struct vim_run *r, size_t at)
{
	size_t col = vim_column(r->e, at);
	bool is_tab = at < r->e->text.len && r->e->text.data[at] == '\t';

	if (is_tab && (!r->is_visual || at > r->v->anchor)) {
		col += VIM_TAB - col % VIM_TAB - 1;
	}
	return col;
}

static bool go_lines(
	struct vim_run *r, struct vim_move *m, size_t (*next)(const struct edit *e, size_t at))
{
	struct edit_vim *v = r->v;
	size_t line = vim_line_start(r->e, m->to), i = 0, to;

	if (v->goal == SIZE_MAX) {
		v->goal = goal_of(r, m->to);
	}
	while (i < r->n && (to = next(r->e, line)) != SIZE_MAX) {
		line = to;
		i++;
	}
	m->is_lines = m->is_vertical = true;
	m->to = v->at_ends ? vim_line_end(r->e, line) : vim_at_column(r->e, line, v->goal);
	return i > 0;
}

static bool go_down(struct vim_run *r, struct vim_move *m)
{
	return go_lines(r, m, vim_line_behind);
}

static bool go_up(struct vim_run *r, struct vim_move *m)
{
	return go_lines(r, m, vim_line_before);
}

static bool go_to_line(struct vim_run *r, struct vim_move *m, bool is_last)
{
	size_t line = is_last ? vim_line_start(r->e, r->e->text.len) : 0, next;

	if (r->has_n) {
		line = 0;
		for (size_t i = 1; i < r->n && (next = vim_line_behind(r->e, line)) != SIZE_MAX;
			i++) {
			line = next;
		}
	}
	m->to = vim_first_word(r->e, line);
	m->is_lines = true;
	return true;
}

static bool go_first_line(struct vim_run *r, struct vim_move *m)
{
	return go_to_line(r, m, false);
}

static bool go_last_line(struct vim_run *r, struct vim_move *m)
{
	return go_to_line(r, m, true);
}

/* ---- words ---- */

static bool is_big(const struct vim_run *r)
{
	return r->c->key == 'W' || r->c->key == 'E' || r->c->key == 'B' ||
	       r->c->key == VIM_PAIR('g', 'E');
}

/* Steps while the class is this one; false at the text's end (or start). */
static bool skip(const struct vim_run *r, size_t *at, unsigned class, bool is_back)
{
	while (vim_class(r->e, *at, is_big(r)) == class) {
		if ((is_back ? vim_back(r->e, at) : vim_step(r->e, at)) < 0) {
			return false;
		}
	}
	return true;
}

/* With an operator the last word ends where its line does. False: there is no further one. */
static bool word_on(const struct vim_run *r, size_t *at, bool is_last)
{
	const struct edit *e = r->e;
	unsigned class = vim_class(e, *at, is_big(r));
	bool stops = r->has_op && is_last, in_last_line = vim_line_end(e, *at) == e->text.len;
	int how = vim_step(e, at);

	if (how < 0 || (how > 0 && in_last_line)) {
		return false;
	}
	if (how > 0 && stops) {
		return true;
	}
	while (class && vim_class(e, *at, is_big(r)) == class) {
		how = vim_step(e, at);
		if (how < 0 || (how > 0 && stops)) {
			return true;
		}
	}
	while (vim_class(e, *at, is_big(r)) == 0 && !vim_is_empty_line(e, *at)) {
		in_last_line = vim_line_end(e, *at) == e->text.len;
		how = vim_step(e, at);
		if (how < 0 || (how > 0 && in_last_line)) {
			return true;
		}
	}
	return true;
}

/* `stays`: at the end of a word already, it is this one (of "cw"). */
static bool word_end(const struct vim_run *r, size_t *at, bool stays)
{
	const struct edit *e = r->e;
	unsigned class = vim_class(e, *at, is_big(r));

	if (vim_step(e, at) < 0) {
		return false;
	}
	if (class && vim_class(e, *at, is_big(r)) == class) {
		if (!skip(r, at, class, false)) {
			return false;
		}
	} else if (!stays || class == 0) {
		if (!skip(r, at, 0, false) || !skip(r, at, vim_class(e, *at, is_big(r)), false)) {
			return false;
		}
	}
	vim_back(e, at);
	return true;
}

static bool go_word_end(struct vim_run *r, struct vim_move *m)
{
	bool ok = true;

	for (size_t i = 0; ok && i < r->n; i++) {
		ok = word_end(r, &m->to, false);
	}
	m->is_inclusive = true;
	return ok || r->has_op || m->to != m->from;
}

/* "cw" on a word is "ce", but for a word's last character. */
static bool change_word(struct vim_run *r, struct vim_move *m)
{
	for (size_t i = 0; i < r->n && word_end(r, &m->to, i == 0); i++) {
	}
	m->is_inclusive = true;
	return true;
}

static bool go_word(struct vim_run *r, struct vim_move *m)
{
	bool ok = true;

	if (r->c->op == 'c' && vim_class(r->e, m->to, true) != 0) {
		return change_word(r, m);
	}
	for (size_t i = 0; ok && i < r->n; i++) {
		ok = word_on(r, &m->to, i + 1 == r->n);
	}
	return ok || r->has_op || m->to != m->from;
}

static bool go_word_back(struct vim_run *r, struct vim_move *m)
{
	const struct edit *e = r->e;

	for (size_t i = 0; i < r->n; i++) {
		if (vim_back(e, &m->to) < 0) {
			return m->to != m->from;
		}
		while (vim_class(e, m->to, is_big(r)) == 0 && !vim_is_empty_line(e, m->to)) {
			if (vim_back(e, &m->to) < 0) {
				return true;
			}
		}
		if (vim_is_empty_line(e, m->to)) {
			continue;
		}
		if (skip(r, &m->to, vim_class(e, m->to, is_big(r)), true)) {
			vim_step(e, &m->to);
		}
	}
	return true;
}

/* ge, gE: back to the end of a word. */
static bool go_end_back(struct vim_run *r, struct vim_move *m)
{
	const struct edit *e = r->e;

	m->is_inclusive = true;
	for (size_t i = 0; i < r->n; i++) {
		unsigned class = vim_class(e, m->to, is_big(r));

		if (vim_back(e, &m->to) < 0) {
			return m->to != m->from;
		}
		if (class && !skip(r, &m->to, class, true)) {
			return true;
		}
		while (vim_class(e, m->to, is_big(r)) == 0 && !vim_is_empty_line(e, m->to)) {
			if (vim_back(e, &m->to) < 0) {
				return true;
			}
		}
	}
	return true;
}

/* ---- paragraphs ---- */

/* To the next empty line behind (before) lines that are not. */
static bool go_paragraph(struct vim_run *r, struct vim_move *m)
{
	bool is_back = r->c->key == '{';
	size_t line = vim_line_start(r->e, m->to), to;

	for (size_t i = 0; i < r->n; i++) {
		bool was_text = false;

		for (bool is_first = true;; is_first = false) {
			bool is_empty = vim_is_empty_line(r->e, line);

			if (!is_first && was_text && is_empty) {
				break;
			}
			was_text |= !is_empty;
			to = is_back ? vim_line_before(r->e, line) : vim_line_behind(r->e, line);
			if (to == SIZE_MAX) {
				if (i + 1 < r->n) {
					return false;
				}
				break;
			}
			line = to;
		}
	}
	m->to = line;
	if (!is_back && vim_line_end(r->e, line) == r->e->text.len &&
		!vim_is_empty_line(r->e, line)) {
		m->to = vim_last(r->e, line);
		m->is_inclusive = true;
	}
	return true;
}

/* ---- all of them ---- */

/* "dd" and its like: so many lines from here; more than there are is fine, from the last it is not. */
static bool go_these_lines(struct vim_run *r, struct vim_move *m)
{
	m->is_lines = true;
	for (size_t i = 1; i < r->n; i++) {
		size_t next = vim_line_behind(r->e, m->to);

		if (next == SIZE_MAX && i == 1) {
			return false;
		}
		m->to = next == SIZE_MAX ? m->to : next;
	}
	if (r->c->op != 'y') {
		m->to = vim_first_word(r->e, m->to);
	}
	return true;
}

/* What was selected when the command was given, as much of it from here. */
static bool go_area(struct vim_run *r, struct vim_move *m)
{
	const struct edit_vim_cmd *c = r->c;

	m->is_lines = c->is_lines;
	for (size_t i = 0; i < c->area_rows; i++) {
		size_t next = vim_line_behind(r->e, m->to);

		if (next == SIZE_MAX) {
			break;
		}
		m->to = next;
	}
	for (size_t i = 1; i < c->area_chars && !vim_is_end(r->e, m->to); i++) {
		m->to = edit_behind(r->e, m->to);
	}
	m->is_inclusive = true;
	return true;
}

static bool go_left_over_lines(struct vim_run *r, struct vim_move *m)
{
	for (size_t i = 0; i < r->n; i++) {
		if (vim_back(r->e, &m->to) < 0) {
			return m->to != m->from;
		}
		if (!r->has_op && vim_is_end(r->e, m->to)) {
			m->to = vim_last(r->e, m->to);
		}
	}
	return true;
}

static bool go_right_over_lines(struct vim_run *r, struct vim_move *m)
{
	for (size_t i = 0; i < r->n; i++) {
		size_t was = m->to;
		int how = vim_step(r->e, &m->to);

		if (how == 2 && !r->has_op && !r->is_visual) {
			how = vim_step(r->e, &m->to);
		}
		if (how < 0) {
			m->to = was;
			return r->has_op || m->to != m->from;
		}
	}
	return true;
}

bool vim_motion(struct vim_run *r, struct vim_move *m)
{
	static const struct {
		uint32_t key;
		motion_fn *go;
	} motions[] = { { 'h', go_left }, { 'l', go_right }, { 'j', go_down }, { 'k', go_up },
		{ '0', go_start }, { '^', go_first_word }, { '$', go_end }, { 'w', go_word },
		{ 'W', go_word }, { 'e', go_word_end }, { 'E', go_word_end }, { 'b', go_word_back },
		{ 'B', go_word_back }, { VIM_PAIR('g', 'e'), go_end_back },
		{ VIM_PAIR('g', 'E'), go_end_back }, { VIM_PAIR('g', 'g'), go_first_line },
		{ 'G', go_last_line }, { '{', go_paragraph }, { '}', go_paragraph },
		{ 'f', vim_find }, { 'F', vim_find }, { 't', vim_find }, { 'T', vim_find },
		{ ';', vim_find }, { ',', vim_find }, { '%', vim_match },
		{ KEY_BACKSPACE, go_left_over_lines }, { ' ', go_right_over_lines },
		{ VIM_LINE, go_these_lines }, { VIM_AREA, go_area } };

	*m = (struct vim_move){ .from = r->e->at, .to = r->e->at };
	for (size_t i = 0; i < VY_COUNT(motions); i++) {
		if (motions[i].key == r->c->key) {
			return motions[i].go(r, m);
		}
	}
	return vim_object(r, m);
}
