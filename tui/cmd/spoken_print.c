/* spoken_print.c -- an ask as lines of plain words (spoken.h). A change is told line by line, what a
 * rule would cover part by part; nothing is said by where it stands or by a sign. */
#include "shared/base/limits.h"
#include "shared/text/diff.h"
#include "shared/text/utf8.h"
#include "tui/cmd/render_block.h"
#include "tui/cmd/spoken_in.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct {
	const char *scope, *words;
} scopes[] = { { "session", N_("in this session") }, { "project", N_("in this project") },
	{ "user", N_("in all your projects") } };

bool spoken_is_scope(struct vy_str word)
{
	for (size_t i = 0; i < VY_COUNT(scopes); i++) {
		if (vy_str_is(word, scopes[i].scope)) {
			return true;
		}
	}
	return false;
}

static const char *where(struct vy_str scope)
{
	for (size_t i = 0; i < VY_COUNT(scopes); i++) {
		if (vy_str_is(scope, scopes[i].scope)) {
			return _(scopes[i].words);
		}
	}
	return "";
}

/* ---- what is asked ---- */

static void tell_line(const struct vy_diff_line *l, size_t number, struct vy_buf *out)
{
	bool is_old = l->kind == '-';

	vy_buf_adds(out, "  ");
	if (number == 0) {
		vy_buf_addf(
			out, is_old ? _("removed: %.*s") : _("added: %.*s"), VY_STR_ARG(l->text));
	} else {
		vy_buf_addf(out, is_old ? _("line %zu removed: %.*s") : _("line %zu added: %.*s"),
			number, VY_STR_ARG(l->text));
	}
	vy_buf_addc(out, '\n');
}

static void tell_hunk(const struct vy_diff_hunk *h, struct vy_buf *out)
{
	bool is_known = h->old_start + h->new_start > 0;
	size_t old_no = h->old_start, new_no = h->new_start;

	for (size_t i = 0; i < h->n; i++) {
		char kind = h->lines[i].kind;

		if (kind != ' ') {
			tell_line(&h->lines[i], !is_known ? 0 : kind == '-' ? old_no : new_no, out);
		}
		old_no += kind != '+';
		new_no += kind != '-';
	}
}

static bool tell_change(struct vy_str detail, struct vy_buf *out)
{
	struct vy_arena a;
	struct vy_diff d;

	vy_arena_init(&a);
	vy_diff_parse(detail, &a, &d);
	bool is_change = vy_str_starts(detail, "--- ") && d.n > 0;

	for (size_t i = 0; is_change && i < d.n; i++) {
		for (size_t k = 0; k < d.files[i].n; k++) {
			tell_hunk(&d.files[i].hunks[k], out);
		}
	}
	vy_arena_fini(&a);
	return is_change;
}

/* "Run a command: make test", and below it all there is to know. */
void spoken_head(const struct vy_ask *a, struct vy_buf *out)
{
	struct vy_str title = a->title.n ? words_said(a->title) : a->tool;

	vy_buf_addf(out, "%.*s%s%.*s\n", VY_STR_ARG(title), title.n && a->summary.n ? ": " : "",
		VY_STR_ARG(a->summary));
	if (a->detail.n && !vy_str_eq(a->detail, a->summary) && !tell_change(a->detail, out)) {
		render_indented(a->detail, "  ", false, out);
	}
	if (a->blocked_path.n) {
		vy_buf_addf(out, _("the path in question: %.*s"), VY_STR_ARG(a->blocked_path));
		vy_buf_addc(out, '\n');
	}
	if (a->source.n) {
		vy_buf_addf(out, _("asked by %.*s"), VY_STR_ARG(a->source));
		vy_buf_addc(out, '\n');
	}
	if (a->more) {
		vy_buf_addf(out, "%s\n", _("cut here: there is more of it than can be shown"));
	}
}

static void question_head(const struct spoken *s, struct vy_buf *out)
{
	const struct vy_json *q = spoken_question(s);
	struct vy_str header = vy_json_str(q, "header");

	vy_buf_addstr(out, header);
	if (vy_json_len(s->questions) > 1) {
		vy_buf_adds(out, header.n ? ", " : "");
		vy_buf_addf(out, _("%zu of %zu"), s->at + 1, vy_json_len(s->questions));
	}
	vy_buf_addf(out, "%s%.*s\n", header.n || vy_json_len(s->questions) > 1 ? ": " : "",
		VY_STR_ARG(vy_json_str(q, "question")));
}

/* ---- the choices ---- */

static void tell_parts(const struct vy_json *parts, struct vy_buf *out)
{
	for (size_t i = 0; i < vy_json_len(parts); i++) {
		const struct vy_json *p = vy_json_at(parts, i);
		struct vy_str rule = vy_json_str(p, "rule");
		const char *none = _("no rule: it will be asked again");

		rule = rule.n ? rule : vy_str_c(none);
		vy_buf_addf(out, "     %.*s: %.*s\n", VY_STR_ARG(vy_json_str(p, "text")),
			VY_STR_ARG(rule));
	}
}

static void tell_option(size_t number, const struct vy_json *o, struct vy_buf *out)
{
	struct vy_str rule = vy_json_str(o, "rule"), scope = vy_json_str(o, "scope");
	const struct vy_json *parts = vy_json_get(o, "parts");

	if (rule.n) {
		vy_buf_addf(out, "  %zu  %s%s%s: %.*s\n", number, _("Always"), scope.n ? " " : "",
			where(scope), VY_STR_ARG(rule));
		tell_parts(parts, out);
		return;
	}
	struct vy_str label = vy_json_str(o, "label");

	label = vy_str_is(label, "No") ? vy_str_c(_("No, and say")) : words_said(label);
	vy_buf_addf(out, "  %zu  %.*s\n", number, VY_STR_ARG(label));
}

static void tell_label(size_t number, const struct vy_json *o, struct vy_buf *out)
{
	struct vy_str more = vy_json_str(o, "description");

	vy_buf_addf(out, "  %zu  %.*s%s%.*s\n", number, VY_STR_ARG(vy_json_str(o, "label")),
		more.n ? ": " : "", VY_STR_ARG(more));
}

void spoken_print(const struct spoken *s, struct vy_buf *out)
{
	const struct vy_json *q = spoken_question(s);
	const struct vy_json *list = q ? vy_json_get(q, "options") : s->options;
	VY_AUTO_BUF text = VY_BUF_INIT(VY_FRAME_MAX * 8);

	vy_buf_addf(&text, "%s ", _("Question:"));
	if (q) {
		question_head(s, &text);
	} else {
		vy_buf_addstr(&text, vy_buf_str(&s->head));
	}
	for (size_t i = 0; i < vy_json_len(list); i++) {
		(q ? tell_label : tell_option)(i + 1, vy_json_at(list, i), &text);
	}
	if (q && spoken_is_free(q)) {
		vy_buf_addf(&text, "  %zu  %s\n", spoken_choices(s), _("Other…"));
	}
	vy_utf8_visible(vy_buf_str(&text), VY_UTF8_PROSE, out);
}

/* ---- how ---- */

/* The number of the first choice that can hold elsewhere; 0: none can. */
static size_t scoped(const struct spoken *s)
{
	for (size_t i = 0; i < vy_json_len(s->options); i++) {
		if (vy_json_len(vy_json_get(vy_json_at(s->options, i), "scopes")) > 1) {
			return i + 1;
		}
	}
	return 0;
}

void spoken_hint(const struct spoken *s, struct vy_buf *out)
{
	const struct vy_json *q = spoken_question(s);
	size_t number = scoped(s);

	if (q) {
		vy_buf_adds(
			out, vy_json_bool(q, "multi", false)
				     ? _("type numbers and enter, as in 1 3; /skip leaves it out")
				     : _("type a number and enter; /skip leaves it out"));
	} else if (number) {
		vy_buf_addf(out,
			_("type a number and enter to answer; \"%zu project\" or \"%zu user\" says "
			  "where the rule holds"),
			number, number);
	} else {
		vy_buf_adds(out, _("type a number and enter to answer"));
	}
}
