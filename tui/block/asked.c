/* asked.c -- what an ask is about: a change as a diff, a plan as markdown, a command as it is (shape.h).
 * Its panel shows it before it is answered, its row when it is opened afterwards. */
#include <stdio.h>

#include "shared/text/diff.h"
#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* Every line of the text is one of the diff: nothing that would happen may be passed over. */
static bool is_all_diff(struct vy_str text, const struct vy_diff *d)
{
	size_t seen = 0, lines = 0;

	for (size_t i = 0; i < d->n; i++) {
		seen += 2; /* the paths */
		for (size_t k = 0; k < d->files[i].n; k++) {
			const struct vy_diff_hunk *h = &d->files[i].hunks[k];

			seen += 1 + h->n;
			for (size_t j = 0; j < h->n; j++) {
				seen += h->lines[j].no_newline;
			}
		}
	}
	for (size_t i = 0; i < text.n; i++) {
		lines += text.p[i] == '\n' || i + 1 == text.n;
	}
	return d->n > 0 && vy_str_starts(text, "--- ") && seen == lines;
}

static struct vy_block block_of(const struct vy_diff_file *f, struct vy_arena *a)
{
	struct vy_block b = { .kind = VY_BLOCK_DIFF,
		.diff = { .path = f->new_path.n ? f->new_path : f->old_path,
			.n = f->n,
			.hunks = vy_arena_calloc(a, f->n, sizeof(*b.diff.hunks)),
			.added = (int64_t)f->added,
			.removed = (int64_t)f->removed } };

	for (size_t k = 0; k < f->n; k++) {
		const struct vy_diff_hunk *from = &f->hunks[k];
		struct vy_block_hunk *to = &b.diff.hunks[k];

		*to = (struct vy_block_hunk){ .old_start = (int64_t)from->old_start,
			.new_start = (int64_t)from->new_start,
			.n = from->n,
			.lines = vy_arena_calloc(a, from->n, sizeof(*to->lines)) };
		for (size_t j = 0; j < from->n; j++) {
			to->lines[j] = vy_str_c(vy_arena_printf(
				a, "%c%.*s", from->lines[j].kind, VY_STR_ARG(from->lines[j].text)));
		}
	}
	return b;
}

static void put_file(const struct vy_diff_file *f, int left, struct block_sheet *out)
{
	const struct block_how how = { .cols = out->grid.cols, .is_open = true };
	struct vy_block b = block_of(f, &out->arena);
	struct cell_win w = block_lines(out, 1, left);
	char added[32], removed[32];

	snprintf(removed, sizeof(removed), "−%lld", (long long)b.diff.removed);
	snprintf(added, sizeof(added), "+%lld ", (long long)b.diff.added);

	int x = cell_puts_right(w, w.w, 0, removed, theme_ink(THEME_ERROR));

	x = cell_puts_right(w, x, 0, added, theme_ink(THEME_OK));
	int end = shape_put_path(w, 0, b.diff.path, x - 2, theme_bold(THEME_ASK_BODY), out);

	block_says(out, left, left + end, BLOCK_NEW);
	shape_block(&b, &how, left, out);
}

static bool put_diff(struct vy_str text, int left, struct block_sheet *out)
{
	struct vy_diff d;

	vy_diff_parse(text, &out->arena, &d);
	if (!is_all_diff(text, &d)) {
		return false;
	}
	for (size_t i = 0; i < d.n; i++) {
		put_file(&d.files[i], left, out);
	}
	return true;
}

void shape_asked(const struct vy_ask *a, int left, struct block_sheet *out)
{
	struct vy_str text = a->detail.n ? a->detail : a->summary;
	struct shape_lines lines = {
		.style = theme_bold(THEME_ASK_BODY), .left = left, .is_verbatim = true
	};

	if (a->kind == VY_ASK_PLAN) {
		shape_markdown(text, true, theme_ink(THEME_TEXT), left, out);
	} else if (!put_diff(text, left, out)) {
		shape_lines(text, &lines, out);
	}
}

void shape_asked_facts(const struct vy_ask *a, int left, struct block_sheet *out)
{
	if (a->blocked_path.n) {
		shape_words(vy_str_c(vy_arena_printf(&out->arena, _("the path in question: %.*s"),
				    VY_STR_ARG(a->blocked_path))),
			THEME_WARN, left, 0, out);
	}
	if (a->source.n) {
		shape_words(vy_str_c(vy_arena_printf(
				    &out->arena, _("asked by %.*s"), VY_STR_ARG(a->source))),
			THEME_DIM, left, 0, out);
	}
	if (a->more) {
		shape_words(vy_str_c(_("cut here: there is more of it than can be shown")),
			THEME_WARN, left, 0, out);
	}
}
