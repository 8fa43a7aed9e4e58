/* ask_rules.c -- see ask_rules.h. */
#include "tui/view/ask_rules.h"

#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/block/shape.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define INDENT 2
#define GAP    2
#define WIDE   56 /* cells from which a rule stands beside its part, else below it */

/* ---- reading ---- */

static void add(struct ask_rules *r, struct vy_str part, struct vy_str rule)
{
	if (r->n < ASK_RULES_MAX) {
		r->v[r->n++] = (struct ask_rule){ part, rule };
	}
}

static bool has_rule(const struct ask_rules *r, struct vy_str rule)
{
	for (size_t i = 0; i < r->n; i++) {
		if (vy_str_eq(r->v[i].rule, rule)) {
			return true;
		}
	}
	return false;
}

static void read_table(struct vy_str parts, const struct vy_json *rules, struct vy_str only,
	struct vy_arena *mem, struct ask_rules *r)
{
	VY_AUTO_JSON *list = parts.n ? vy_json_parse(parts, NULL) : NULL;

	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *p = vy_json_at(list, i);

		add(r, vy_arena_str(mem, vy_json_str(p, "text")),
			vy_arena_str(mem, vy_json_str(p, "rule")));
	}
	for (size_t i = 0; i < vy_json_len(rules); i++) {
		struct vy_str rule = vy_json_strval(vy_json_at(rules, i));

		if (!has_rule(r, rule)) {
			add(r, vy_str_n(NULL, 0), vy_arena_str(mem, rule));
		}
	}
	if (r->n && !vy_json_len(rules) && only.n && !has_rule(r, only)) {
		add(r, vy_str_n(NULL, 0), only);
	}
}

static void read_scopes(const struct vy_ask_option *o, struct vy_arena *mem, struct ask_rules *r)
{
	VY_AUTO_JSON *list = o->scopes.n ? vy_json_parse(o->scopes, NULL) : NULL;

	for (size_t i = 0; i < vy_json_len(list) && r->n_scopes < ASK_RULES_SCOPES; i++) {
		struct vy_str scope = vy_json_strval(vy_json_at(list, i));

		if (vy_str_eq(scope, o->scope)) {
			r->scope = r->n_scopes;
		}
		r->scopes[r->n_scopes++] = vy_arena_str(mem, scope);
	}
	r->own = o->scope;
	if (r->n_scopes && !vy_str_eq(r->scopes[r->scope], o->scope)) {
		r->n_scopes = 0; /* what it would be is not among them: nothing to choose from */
	}
}

void ask_rules_read(const struct vy_ask_option *o, struct vy_arena *mem, struct ask_rules *out)
{
	VY_AUTO_JSON *rules = o->rules.n ? vy_json_parse(o->rules, NULL) : NULL;

	*out = (struct ask_rules){ 0 };
	read_table(o->parts, rules, o->rule, mem, out);
	read_scopes(o, mem, out);
}

/* ---- where ---- */

void ask_rules_next_scope(struct ask_rules *r)
{
	r->scope = r->n_scopes ? (r->scope + 1) % r->n_scopes : 0;
}

struct vy_str ask_rules_scope(const struct ask_rules *r)
{
	return r->n_scopes ? r->scopes[r->scope] : vy_str_n(NULL, 0);
}

struct vy_str ask_rules_where(const struct ask_rules *r)
{
	static const struct {
		const char *scope, *words;
	} known[] = { { "project", N_("in this project") }, { "session", N_("in this session") },
		{ "user", N_("in all your projects") } };
	struct vy_str scope = r->n_scopes ? r->scopes[r->scope] : r->own;

	for (size_t i = 0; i < VY_COUNT(known); i++) {
		if (vy_str_is(scope, known[i].scope)) {
			return vy_str_c(_(known[i].words));
		}
	}
	return scope;
}

/* ---- drawing ---- */

/* The whole of it, from line y on, below itself where it does not fit. */
static void put_rule(
	struct vy_str rule, enum theme_role role, int x, int y, struct block_sheet *out)
{
	struct vy_str safe = shape_safe(out, rule, VY_UTF8_LINE);
	int room = out->grid.cols - x;
	struct vy_wrap how = { .cells = (unsigned)(room > 1 ? room : 1),
		.width = cell_pool_width(out->grid.pool) };
	struct vy_wrap_row row = { 0 };
	struct turn_text turn;

	turn_text(&turn, safe, cell_pool_is_straight(out->grid.pool), &out->arena);
	for (; vy_wrap_next(&how, safe, &row); y++) {
		if (y == out->lines) {
			block_lines(out, 1, 0);
		}
		turn_put(block_line(out, y), x, 0, &turn, row.start, row.end, theme_ink(role));
		block_says_nothing(out); /* each column is turned by itself */
	}
}

static struct vy_str part_of(const struct ask_rule *r, struct block_sheet *out)
{
	return r->part.n ? shape_safe(out, r->part, VY_UTF8_LINE) : vy_str_c(_("also stored"));
}

/* A part and its rule: beside it, behind the longest part or in the middle, or below it. */
static void put_part(const struct ask_rule *r, int column, struct block_sheet *out)
{
	bool is_beside = out->grid.cols >= WIDE;
	struct cell_win w = block_lines(out, 1, 0);
	int room = (is_beside ? column - GAP : w.w) - INDENT;
	int y = is_beside ? out->lines - 1 : out->lines;

	turn_piece(w, 0, INDENT,
		shape_put(w, INDENT, part_of(r, out), room,
			theme_ink(r->part.n ? THEME_TEXT : THEME_DIM), out));
	block_says_nothing(out);
	put_rule(r->rule.n ? r->rule : vy_str_c(_("no rule: it will be asked again")),
		r->rule.n ? THEME_CODE : THEME_WARN, is_beside ? column : 2 * INDENT, y, out);
}

/* Cells of the longest part, half of the width at most; 0: there are none, only rules. */
static int widest_part(const struct ask_rules *r, struct block_sheet *out)
{
	int widest = 0, most = (out->grid.cols - INDENT) / 2;
	bool has_parts = false;

	for (size_t i = 0; i < r->n; i++) {
		int cells = cell_width(out->grid.pool, part_of(&r->v[i], out));

		has_parts |= r->v[i].part.n > 0;
		widest = cells > widest ? cells : widest;
	}
	return !has_parts ? 0 : widest < most ? widest : most;
}

void ask_rules_draw(const struct ask_rules *r, struct block_sheet *out)
{
	int widest = r->n ? widest_part(r, out) : 0;

	if (r->n == 0) {
		return;
	}
	/* TRANSLATORS: the choice "Always" stores these rules "in this project" */
	shape_words(vy_str_c(vy_arena_printf(&out->arena, _("\"Always\" stores %.*s:"),
			    VY_STR_ARG(ask_rules_where(r)))),
		THEME_DIM, 0, 0, out);
	for (size_t i = 0; i < r->n; i++) {
		if (widest) {
			put_part(&r->v[i], INDENT + widest + GAP, out);
		} else {
			put_rule(r->v[i].rule, THEME_CODE, INDENT, out->lines, out);
		}
	}
}
