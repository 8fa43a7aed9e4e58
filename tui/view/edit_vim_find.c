/* edit_vim_find.c -- motions to a character of the line, and to the bracket that belongs to one. */
#include "tui/view/edit_vim_core.h"

#include "shared/base/ban.h"

/* ---- f F t T ; , ---- */

static uint32_t other_way(uint32_t key)
{
	switch (key) {
	case 'f': return 'F';
	case 'F': return 'f';
	case 't': return 'T';
	default: return 't';
	}
}

/* The n-th such cluster from here; false: there are fewer. */
static bool seek(const struct vim_run *r, bool is_back, bool skips_next, size_t *at)
{
	struct vy_str want = vy_str_n(r->v->found, r->v->n_found);
	size_t start = vim_line_start(r->e, *at), n = r->n;
	bool is_first = true;

	while (n) {
		if (is_back ? *at == start : vim_is_end(r->e, *at)) {
			return false;
		}
		*at = is_back ? edit_before(r->e, *at) : edit_behind(r->e, *at);
		if (vim_is_end(r->e, *at)) {
			return false;
		}
		if (vy_str_eq(vim_cluster(r->e, *at), want) && !(is_first && skips_next)) {
			n--;
		}
		is_first = false;
	}
	return true;
}

bool vim_find(struct vim_run *r, struct vim_move *m)
{
	struct edit_vim *v = r->v;
	uint32_t key = r->c->key;
	bool is_repeat = key == ';' || key == ',';

	if (!is_repeat) {
		v->find = key;
		v->n_found = r->c->n_arg;
		memcpy(v->found, r->c->arg, sizeof(v->found));
	} else if (!v->find) {
		return false;
	}
	key = key == ';' ? v->find : key == ',' ? other_way(v->find) : key;
	bool is_back = key == 'F' || key == 'T', is_till = key == 't' || key == 'T';

	/* "t" again would stay where it is: it goes on to the next one */
	if (!seek(r, is_back, is_repeat && is_till && r->n == 1, &m->to)) {
		return false;
	}
	if (is_till) {
		m->to = is_back ? edit_behind(r->e, m->to) : edit_before(r->e, m->to);
	}
	m->is_inclusive = !is_back;
	return true;
}

/* ---- brackets ---- */

static const char brackets[] = "()[]{}";

static size_t bracket_of(const struct edit *e, size_t at)
{
	const char *p = at < e->text.len ? strchr(brackets, e->text.data[at]) : NULL;

	return p && *p ? (size_t)(p - brackets) : SIZE_MAX;
}

size_t vim_partner(const struct edit *e, size_t at)
{
	size_t which = bracket_of(e, at), depth = 0;
	bool is_back = which % 2;

	for (size_t i = at; which != SIZE_MAX && i < e->text.len; i += is_back ? (size_t)-1 : 1) {
		if (e->text.data[i] == brackets[which]) {
			depth++;
		} else if (e->text.data[i] == brackets[which ^ 1] && --depth == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}

/* "50%": so many of a hundred lines down. */
static bool go_percent(struct vim_run *r, struct vim_move *m)
{
	size_t lines = 1, line = 0;

	for (size_t i = 0; i < r->e->text.len; i++) {
		lines += r->e->text.data[i] == '\n';
	}
	if (r->n > 100) {
		return false;
	}
	for (size_t i = 1; i < (r->n * lines + 99) / 100; i++) {
		line = vim_line_behind(r->e, line);
	}
	m->to = vim_first_word(r->e, line);
	m->is_lines = true;
	return true;
}

bool vim_match(struct vim_run *r, struct vim_move *m)
{
	if (r->has_n) {
		return go_percent(r, m);
	}
	while (bracket_of(r->e, m->to) == SIZE_MAX) {
		if (vim_is_end(r->e, m->to)) {
			return false;
		}
		m->to = edit_behind(r->e, m->to);
	}
	size_t to = vim_partner(r->e, m->to);

	m->to = to == SIZE_MAX ? m->from : to;
	m->is_inclusive = true;
	return to != SIZE_MAX;
}
