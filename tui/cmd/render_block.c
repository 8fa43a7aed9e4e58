/* render_block.c -- see render_block.h. */
#include "tui/cmd/render_block.h"

#include <string.h>

#include "shared/base/limits.h"
#include "shared/model/block.h"
#include "shared/text/utf8.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LINES_HEAD 12
#define LINES_TAIL 6

void render_indented(struct vy_str text, const char *indent, bool is_begun, struct vy_buf *out)
{
	do {
		const char *nl = text.n ? memchr(text.p, '\n', text.n) : NULL;
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		vy_buf_adds(out, is_begun || n == 0 ? "" : indent);
		vy_buf_add(out, text.p, n);
		vy_buf_addc(out, '\n');
		text = vy_str_from(text, n + 1);
		is_begun = false;
	} while (text.n);
}

static size_t count_lines(struct vy_str s)
{
	size_t n = s.n && s.p[s.n - 1] != '\n';

	for (size_t i = 0; i < s.n; i++) {
		n += s.p[i] == '\n';
	}
	return n;
}

/* The first `n` lines. */
static struct vy_str head(struct vy_str s, size_t n)
{
	size_t at = 0;

	while (at < s.n && n > 0) {
		n -= s.p[at++] == '\n';
	}
	return vy_str_n(s.p, at);
}

/* Text of others: made visible, indented, its middle left out when it is long. */
static void add_text(struct vy_str text, const char *indent, struct vy_buf *out)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(4 * VY_FRAME_MAX);
	struct vy_str all;
	size_t n;

	vy_utf8_visible(text, VY_UTF8_PROSE, &seen);
	all = vy_buf_str(&seen);
	n = count_lines(all);
	if (n == 0) {
		return;
	}
	if (n <= LINES_HEAD + LINES_TAIL + 1) {
		render_indented(all, indent, false, out);
		return;
	}
	struct vy_str first = head(all, LINES_HEAD);
	struct vy_str rest = vy_str_from(all, head(all, n - LINES_TAIL).n);

	render_indented(first, indent, false, out);
	vy_buf_adds(out, indent);
	vy_buf_addf(out, _("(%zu lines)"), n - LINES_HEAD - LINES_TAIL);
	vy_buf_addc(out, '\n');
	render_indented(rest, indent, false, out);
}

static void add_terminal(const struct vy_block *b, const char *indent, struct vy_buf *out)
{
	add_text(b->terminal.output, indent, out);
	if (b->terminal.has_exit && b->terminal.exit != 0) {
		vy_buf_adds(out, indent);
		vy_buf_addf(out, _("exit %lld"), (long long)b->terminal.exit);
		vy_buf_addc(out, '\n');
	}
}

static void add_diff(const struct vy_block *b, const char *indent, struct vy_buf *out)
{
	VY_AUTO_BUF t = VY_BUF_INIT(4 * VY_FRAME_MAX);

	vy_buf_addf(&t, "%.*s +%lld -%lld\n", VY_STR_ARG(b->diff.path), (long long)b->diff.added,
		(long long)b->diff.removed);
	for (size_t i = 0; i < b->diff.n; i++) {
		const struct vy_block_hunk *h = &b->diff.hunks[i];

		if (h->new_start > 0 || h->old_start > 0) {
			vy_buf_addf(&t, _("line %lld:"), (long long)h->new_start);
			vy_buf_addc(&t, '\n');
		}
		for (size_t k = 0; k < h->n; k++) {
			vy_buf_addstr(&t, h->lines[k]);
			vy_buf_addc(&t, '\n');
		}
	}
	add_text(vy_buf_str(&t), indent, out);
}

static void add_files(const struct vy_block *b, const char *indent, struct vy_buf *out)
{
	VY_AUTO_BUF t = VY_BUF_INIT(4 * VY_FRAME_MAX);

	for (size_t i = 0; i < b->files.n; i++) {
		const struct vy_block_file *f = &b->files.files[i];

		vy_buf_addstr(&t, f->path);
		if (f->line) {
			vy_buf_addf(&t, ":%lld", (long long)f->line);
		}
		vy_buf_addf(&t, "%s%.*s\n", f->text.n ? ": " : "", VY_STR_ARG(f->text));
	}
	vy_buf_addstr(&t, b->files.detail);
	add_text(vy_buf_str(&t), indent, out);
}

static void add_tasks(const struct vy_block *b, const char *indent, struct vy_buf *out)
{
	static const char *const boxes[] = { "[ ]", "[>]", "[x]" };
	VY_AUTO_BUF t = VY_BUF_INIT(4 * VY_FRAME_MAX);

	for (size_t i = 0; i < b->task.n; i++) {
		vy_buf_addf(&t, "%s %.*s\n", boxes[b->task.items[i].status],
			VY_STR_ARG(b->task.items[i].text));
	}
	add_text(vy_buf_str(&t), indent, out);
}

/* Placeholders of sealed and hidden fields have no value. */
static void add_fields(struct vy_str title, const struct vy_block_field *fields, size_t n,
	struct vy_str body, const char *indent, struct vy_buf *out)
{
	VY_AUTO_BUF t = VY_BUF_INIT(4 * VY_FRAME_MAX);

	vy_buf_addf(&t, "%.*s%s", VY_STR_ARG(title), title.n ? "\n" : "");
	for (size_t i = 0; i < n; i++) {
		struct vy_str value = fields[i].value;

		if (fields[i].sealed || fields[i].hidden.n) {
			value = vy_str_c(_("(hidden)"));
		}
		vy_buf_addf(&t, "%.*s: %.*s\n", VY_STR_ARG(fields[i].label), VY_STR_ARG(value));
	}
	vy_buf_addstr(&t, body);
	add_text(vy_buf_str(&t), indent, out);
}

static void add_steps(const struct vy_block *b, const char *indent, struct vy_buf *out)
{
	VY_AUTO_BUF t = VY_BUF_INIT(4 * VY_FRAME_MAX);

	vy_buf_addf(&t, "%.*s\n", VY_STR_ARG(b->flow.title));
	for (size_t i = 0; i < b->flow.n; i++) {
		vy_buf_addf(&t, "%zu. %.*s\n", i + 1, VY_STR_ARG(b->flow.steps[i]));
	}
	add_text(vy_buf_str(&t), indent, out);
}

static void add_picture(struct vy_str alt, const char *indent, struct vy_buf *out)
{
	VY_AUTO_BUF t = VY_BUF_INIT(VY_FRAME_MAX);

	vy_buf_addf(&t, "%s%s%.*s", _("picture"), alt.n ? ": " : "", VY_STR_ARG(alt));
	add_text(vy_buf_str(&t), indent, out);
}

void render_block(struct vy_str json, const char *indent, struct vy_arena *a, struct vy_buf *out)
{
	struct vy_block b;
	const struct vy_str none = { 0 };

	vy_block_parse(json, a, &b);
	switch (b.kind) {
	case VY_BLOCK_TERMINAL: add_terminal(&b, indent, out); break;
	case VY_BLOCK_DIFF: add_diff(&b, indent, out); break;
	case VY_BLOCK_FILES: add_files(&b, indent, out); break;
	case VY_BLOCK_TASK: add_tasks(&b, indent, out); break;
	case VY_BLOCK_RECORD:
	case VY_BLOCK_DRAFT:
		add_fields(b.record.title, b.record.fields, b.record.n, b.record.body, indent, out);
		break;
	case VY_BLOCK_ANSWER:
		add_fields(b.answer.text, b.answer.fields, b.answer.n, none, indent, out);
		break;
	case VY_BLOCK_FLOW_CHANGE: add_steps(&b, indent, out); break;
	case VY_BLOCK_SCREEN: add_picture(b.screen.alt, indent, out); break;
	case VY_BLOCK_FIELD: add_fields(none, &b.field, 1, none, indent, out); break;
	case VY_BLOCK_FIELD_REF: add_text(b.field_ref.label, indent, out); break;
	case VY_BLOCK_TEXT:
	case VY_BLOCK_COUNT: add_text(b.text.text, indent, out); break;
	}
	add_text(b.note, indent, out);
}
