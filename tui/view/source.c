/* source.c -- see source.h. */
#include "tui/view/source.h"

#include "shared/base/limits.h"
#include "shared/model/block.h"
#include "shared/text/md.h"
#include "shared/text/utf8.h"
#include "shared/vt/vt.h"
#include "shared/base/ban.h"

#define WIDE 1000 /* columns of the terminal that reads an output: longer lines go on */

struct writer {
	struct vy_buf *out;
	bool reveal;
	struct vy_arena arena;
};

/* ---- what may not be obeyed ---- */

static const char *const c0[] = { "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS",
	"TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN",
	"ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US" };

static const struct {
	uint32_t cp;
	const char *name;
} named[] = {
	{ 0x00AD, "SOFT HYPHEN" },
	{ 0x061C, "ARABIC LETTER MARK" },
	{ 0x115F, "HANGUL CHOSEONG FILLER" },
	{ 0x1160, "HANGUL JUNGSEONG FILLER" },
	{ 0x180E, "MONGOLIAN VOWEL SEPARATOR" },
	{ 0x200B, "ZERO WIDTH SPACE" },
	{ 0x200C, "ZERO WIDTH NON-JOINER" },
	{ 0x200D, "ZERO WIDTH JOINER" },
	{ 0x200E, "LEFT-TO-RIGHT MARK" },
	{ 0x200F, "RIGHT-TO-LEFT MARK" },
	{ 0x2028, "LINE SEPARATOR" },
	{ 0x2029, "PARAGRAPH SEPARATOR" },
	{ 0x202A, "LEFT-TO-RIGHT EMBEDDING" },
	{ 0x202B, "RIGHT-TO-LEFT EMBEDDING" },
	{ 0x202C, "POP DIRECTIONAL FORMATTING" },
	{ 0x202D, "LEFT-TO-RIGHT OVERRIDE" },
	{ 0x202E, "RIGHT-TO-LEFT OVERRIDE" },
	{ 0x2060, "WORD JOINER" },
	{ 0x2066, "LEFT-TO-RIGHT ISOLATE" },
	{ 0x2067, "RIGHT-TO-LEFT ISOLATE" },
	{ 0x2068, "FIRST STRONG ISOLATE" },
	{ 0x2069, "POP DIRECTIONAL ISOLATE" },
	{ 0x3164, "HANGUL FILLER" },
	{ 0xFEFF, "ZERO WIDTH NO-BREAK SPACE" },
	{ 0xFFA0, "HALFWIDTH HANGUL FILLER" },
};

static const char *name_of(uint32_t cp)
{
	for (size_t i = 0; i < VY_COUNT(named); i++) {
		if (named[i].cp == cp) {
			return named[i].name;
		}
	}
	return cp >= 0xE0000 && cp <= 0xE007F ? "TAG" : NULL;
}

/* One character that a screen does not show as it is. */
static void add_named(struct vy_buf *out, struct vy_str bytes, uint32_t cp)
{
	const char *name = name_of(cp);

	if (cp == VY_UTF8_BAD && !vy_str_is(bytes, "\xEF\xBF\xBD")) {
		for (size_t i = 0; i < bytes.n; i++) {
			vy_buf_addf(out, "⟨byte %02X⟩", (unsigned char)bytes.p[i]);
		}
	} else if (cp < 0x20) {
		vy_buf_addf(out, "⟨%s⟩", c0[cp]);
	} else if (cp == 0x7F) {
		vy_buf_adds(out, "⟨DEL⟩");
	} else {
		vy_buf_addf(out, "⟨U+%04X%s%s⟩", (unsigned)cp, name ? " " : "", name ? name : "");
	}
}

static bool is_control(uint32_t cp)
{
	return (cp < 0x20 && cp != '\n' && cp != '\t') || (cp >= 0x7F && cp < 0xA0);
}

static void add(struct writer *w, struct vy_str s)
{
	uint32_t cp;
	size_t from = 0;

	for (size_t at = 0, n; at < s.n; at += n) {
		n = vy_utf8_get(s, at, &cp);
		bool is_odd = is_control(cp) || (cp == VY_UTF8_BAD && n != 3) || cp == VY_UTF8_BAD;

		if (w->reveal && !is_odd && cp >= 0x80) {
			is_odd = name_of(cp) != NULL;
		}
		if (!is_odd) {
			continue;
		}
		vy_buf_add(w->out, s.p + from, at - from);
		from = at + n;
		if (w->reveal) {
			add_named(w->out, vy_str_n(s.p + at, n), cp);
		} else if (cp == VY_UTF8_BAD) {
			vy_buf_adds(w->out, "\xEF\xBF\xBD");
		}
	}
	vy_buf_add(w->out, s.p + from, s.n - from);
}

static void add_line(struct writer *w, struct vy_str s)
{
	while (s.n && s.p[s.n - 1] == '\n') {
		s.n--;
	}
	if (s.n) {
		add(w, s);
		vy_buf_addc(w->out, '\n');
	}
}

/* ---- blocks ---- */

/* What a terminal would have shown, long lines whole. */
static void add_output(struct writer *w, struct vy_str bytes)
{
	if (w->reveal) {
		add_line(w, bytes);
		return;
	}
	struct vy_vt_lines l = vy_vt_plain(bytes, WIDE, SIZE_MAX, &w->arena);

	for (size_t i = 0; i < l.n; i++) {
		for (size_t k = 0; k < l.lines[i].n; k++) {
			add(w, l.lines[i].runs[k].text);
		}
		if (i + 1 == l.n || !l.lines[i + 1].continues) {
			vy_buf_addc(w->out, '\n');
		}
		for (int x = l.lines[i].cells;
			x < WIDE - 1 && i + 1 < l.n && l.lines[i + 1].continues; x++) {
			vy_buf_addc(w->out, ' '); /* blanks before the wrap */
		}
	}
}

static void add_diff(struct writer *w, const struct vy_block *b)
{
	vy_buf_adds(w->out, "--- ");
	add(w, b->diff.created ? VY_STR_LIT("/dev/null") : b->diff.path);
	vy_buf_adds(w->out, "\n+++ ");
	add(w, b->diff.deleted ? VY_STR_LIT("/dev/null") : b->diff.path);
	vy_buf_addc(w->out, '\n');
	for (size_t i = 0; i < b->diff.n; i++) {
		const struct vy_block_hunk *h = &b->diff.hunks[i];
		size_t olds = 0, news = 0;

		for (size_t k = 0; k < h->n; k++) {
			char kind = h->lines[k].n ? h->lines[k].p[0] : ' ';

			olds += kind != '+';
			news += kind != '-';
		}
		vy_buf_addf(w->out, "@@ -%lld,%zu +%lld,%zu @@\n", (long long)h->old_start, olds,
			(long long)h->new_start, news);
		for (size_t k = 0; k < h->n; k++) {
			add(w, h->lines[k]);
			vy_buf_addc(w->out, '\n');
		}
	}
}

static void add_file(struct writer *w, const struct vy_block_file *f)
{
	add(w, f->path);
	if (f->line > 0) {
		vy_buf_addf(w->out, ":%lld", (long long)f->line);
	}
	if (f->text.n) {
		vy_buf_adds(w->out, memchr(f->text.p, '\n', f->text.n) ? "\n" : ": ");
		add(w, f->text);
	}
	vy_buf_addc(w->out, '\n');
}

static void add_field(struct writer *w, const struct vy_block_field *f)
{
	add(w, f->label);
	vy_buf_adds(w->out, ": ");
	add_line(w, f->sealed || f->hidden.n ? VY_STR_LIT("…") : f->value);
}

static void add_tasks(struct writer *w, const struct vy_block *b)
{
	for (size_t i = 0; i < b->task.n; i++) {
		vy_buf_adds(w->out, b->task.items[i].status == VY_TASK_DONE ? "- [x] " : "- [ ] ");
		add_line(w, b->task.items[i].text);
	}
}

static void add_record(struct writer *w, const struct vy_block *b)
{
	add_line(w, b->record.title);
	for (size_t i = 0; i < b->record.n; i++) {
		add_field(w, &b->record.fields[i]);
	}
	add_line(w, b->record.body);
}

static void add_answer(struct writer *w, const struct vy_block *b)
{
	add_line(w, b->answer.text);
	for (size_t i = 0; i < b->answer.n; i++) {
		add_field(w, &b->answer.fields[i]);
	}
	for (size_t i = 0; i < b->answer.nsources; i++) {
		add_line(w, b->answer.sources[i]);
	}
}

static void add_command(struct writer *w, struct vy_str command, struct vy_str output)
{
	if (command.n) {
		vy_buf_adds(w->out, "$ ");
		add_line(w, command);
	}
	add_output(w, output);
}

static void add_flow(struct writer *w, const struct vy_block *b)
{
	add_line(w, b->flow.title);
	for (size_t i = 0; i < b->flow.n; i++) {
		vy_buf_adds(w->out, "- ");
		add_line(w, b->flow.steps[i]);
	}
}

static void add_block(struct writer *w, const struct vy_block *b)
{
	switch (b->kind) {
	case VY_BLOCK_TEXT: add_line(w, b->text.text); break;
	case VY_BLOCK_TERMINAL: add_command(w, b->terminal.command, b->terminal.output); break;
	case VY_BLOCK_DIFF: add_diff(w, b); break;
	case VY_BLOCK_FILES:
		for (size_t i = 0; i < b->files.n; i++) {
			add_file(w, &b->files.files[i]);
		}
		add_line(w, b->files.detail);
		break;
	case VY_BLOCK_TASK: add_tasks(w, b); break;
	case VY_BLOCK_RECORD:
	case VY_BLOCK_DRAFT: add_record(w, b); break;
	case VY_BLOCK_FLOW_CHANGE: add_flow(w, b); break;
	case VY_BLOCK_ANSWER: add_answer(w, b); break;
	case VY_BLOCK_SCREEN: add_line(w, b->screen.alt); break;
	case VY_BLOCK_FIELD: add_field(w, &b->field); break;
	case VY_BLOCK_FIELD_REF:
		add_line(w, b->field_ref.label.n ? b->field_ref.label : b->field_ref.field);
		break;
	case VY_BLOCK_COUNT: break;
	}
	add_line(w, b->note);
}

static void add_blocks(struct writer *w, struct vy_str json)
{
	VY_AUTO_JSON *list = json.n ? vy_json_parse(json, NULL) : NULL;

	for (size_t i = 0; i < vy_json_len(list); i++) {
		struct vy_block b;

		vy_block_read(vy_json_at(list, i), &w->arena, &b);
		add_block(w, &b);
	}
}

/* ---- rows ---- */

static void add_tool(struct writer *w, const struct vy_row_tool *t)
{
	struct vy_block b = { .kind = VY_BLOCK_TEXT };

	if (t->result.n) {
		vy_block_parse(t->result, &w->arena, &b);
	}
	if (b.kind != VY_BLOCK_TERMINAL || b.terminal.command.n == 0) {
		add(w, t->name);
		vy_buf_addc(w->out, ' ');
		add(w, t->summary);
		vy_buf_addc(w->out, '\n');
	}
	if (b.kind == VY_BLOCK_SCREEN && vy_str_eq(b.screen.alt, t->summary)) {
		b.screen.alt.n = 0; /* it is called so above */
	}
	if (t->result.n) {
		add_block(w, &b);
	} else {
		add_line(w, t->progress);
	}
}

static void add_ask(struct writer *w, const struct vy_ask *a)
{
	add_line(w, a->title);
	add_line(w, a->summary);
	add_line(w, a->detail);
	add_line(w, a->message);
}

static void add_row(struct writer *w, const struct vy_row *r)
{
	switch (r->kind) {
	case VY_ROW_MESSAGE:
		add_line(w, r->message.text);
		add_blocks(w, r->message.blocks);
		break;
	case VY_ROW_THINKING: add_line(w, r->thinking.text); break;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: add_tool(w, &r->tool); break;
	case VY_ROW_ASK: add_ask(w, &r->ask); break;
	case VY_ROW_TODO: {
		struct vy_block b;

		vy_block_parse(r->todo.items, &w->arena, &b);
		add_block(w, &b);
		break;
	}
	case VY_ROW_NOTICE:
		add_line(w, r->notice.note);
		add_line(w, r->notice.reason);
		break;
	case VY_ROW_FILE: add_line(w, r->file.path); break;
	case VY_ROW_TERM_COMMAND: add_command(w, r->term.command, r->term.output); break;
	case VY_ROW_PARTICIPANT: add_line(w, r->participant.who); break;
	case VY_ROW_EXTENSION:
		add_line(w, r->extension.word);
		add_line(w, r->extension.data);
		break;
	case VY_ROW_COUNT: break;
	}
}

static void write_row(const struct vy_row *row, bool reveal, struct vy_buf *out)
{
	struct writer w = { .out = out, .reveal = reveal };

	vy_arena_init(&w.arena);
	if (!row->expired) {
		add_row(&w, row);
	}
	vy_arena_fini(&w.arena);
	while (out->len && out->data[out->len - 1] == '\n') {
		vy_buf_truncate(out, out->len - 1);
	}
}

void source_row(const struct vy_row *row, struct vy_buf *out)
{
	write_row(row, false, out);
}

void source_reveal(const struct vy_row *row, struct vy_buf *out)
{
	write_row(row, true, out);
}

/* ---- code ---- */

/* The new side of a change. */
static void add_new_text(struct writer *w, const struct vy_block *b)
{
	for (size_t i = 0; i < b->diff.n; i++) {
		for (size_t k = 0; k < b->diff.hunks[i].n; k++) {
			struct vy_str line = b->diff.hunks[i].lines[k];

			if (line.n == 0 || line.p[0] != '-') {
				add(w, line.n ? vy_str_from(line, 1) : line);
				vy_buf_addc(w->out, '\n');
			}
		}
	}
}

static bool code_of_block(struct writer *w, const struct vy_block *b, size_t i)
{
	switch (b->kind) {
	case VY_BLOCK_TERMINAL:
		if (i == 0) {
			add(w, b->terminal.command);
		}
		return i == 0 && b->terminal.command.n > 0;
	case VY_BLOCK_DIFF:
		if (i == 0) {
			add_new_text(w, b);
		}
		return i == 0;
	case VY_BLOCK_FILES:
		if (i < b->files.n && b->files.files[i].text.n) {
			add(w, b->files.files[i].text);
			return true;
		}
		return false;
	default: return false;
	}
}

static bool code_of_words(struct writer *w, struct vy_str text, size_t i)
{
	struct vy_md_doc doc;

	vy_md_parse(text, 0, &w->arena, &doc);
	for (size_t k = 0; k < doc.n; k++) {
		if (doc.blocks[k].kind == VY_MD_CODE && i-- == 0) {
			add(w, doc.blocks[k].text.text);
			return true;
		}
	}
	return false;
}

bool source_code(const struct vy_row *row, size_t i, struct vy_buf *out)
{
	struct writer w = { .out = out };
	struct vy_block b = { .kind = VY_BLOCK_TEXT };
	bool is_there = false;

	vy_arena_init(&w.arena);
	switch ((int)row->kind) {
	case VY_ROW_MESSAGE: is_there = code_of_words(&w, row->message.text, i); break;
	case VY_ROW_THINKING: is_there = code_of_words(&w, row->thinking.text, i); break;
	case VY_ROW_TOOL:
	case VY_ROW_TASK:
		vy_block_parse(row->tool.result, &w.arena, &b);
		is_there = code_of_block(&w, &b, i);
		break;
	case VY_ROW_TERM_COMMAND:
		add(&w, row->term.command);
		is_there = i == 0;
		break;
	default: break;
	}
	vy_arena_fini(&w.arena);
	return is_there && !row->expired;
}

/* ---- for a search ---- */

bool source_each(const struct vy_row *r, source_fn *fn, void *ctx)
{
	if (r->expired) {
		return false;
	}
	switch (r->kind) {
	case VY_ROW_MESSAGE:
		return fn(ctx, r->message.text, false) || fn(ctx, r->message.blocks, true);
	case VY_ROW_THINKING: return fn(ctx, r->thinking.text, false);
	case VY_ROW_TOOL:
	case VY_ROW_TASK:
		return fn(ctx, r->tool.name, false) || fn(ctx, r->tool.summary, false) ||
		       fn(ctx, r->tool.progress, false) || fn(ctx, r->tool.result, true);
	case VY_ROW_ASK:
		return fn(ctx, r->ask.title, false) || fn(ctx, r->ask.summary, false) ||
		       fn(ctx, r->ask.detail, false) || fn(ctx, r->ask.message, false);
	case VY_ROW_TODO: return fn(ctx, r->todo.items, true);
	case VY_ROW_NOTICE:
		return fn(ctx, r->notice.note, false) || fn(ctx, r->notice.reason, false);
	case VY_ROW_TERM_COMMAND:
		return fn(ctx, r->term.command, false) || fn(ctx, r->term.output, false);
	case VY_ROW_FILE: return fn(ctx, r->file.path, false);
	case VY_ROW_PARTICIPANT: return fn(ctx, r->participant.who, false);
	case VY_ROW_EXTENSION: return fn(ctx, r->extension.data, false);
	case VY_ROW_COUNT: break;
	}
	return false;
}
