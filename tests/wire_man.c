/* wire_man.c -- prints doc/wire.md as the manual page vyre-wire(7), so that both are one text.
 *
 * usage: wire_man FILE
 *
 * Each block of the markdown becomes its like in mdoc; a table becomes a list whose items are its first
 * column, since a page of 80 columns has no room for more. tests/wire_doc_test.sh holds the page
 * against it; `make wire-doc` writes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/text/md.h"
#include "shared/text/utf8.h"

#define DATE  "November 30, 2026"
#define WIDTH 78

/* ---- text ---- */

/* One character as roff reads it. */
static void put_char(uint32_t cp, bool is_code, struct vy_buf *out)
{
	if (cp == '\\') {
		vy_buf_adds(out, "\\e");
	} else if (cp == '-' && is_code) {
		vy_buf_adds(out, "\\-");
	} else if (cp >= 0x80) {
		vy_buf_addf(out, "\\[u%04X]", cp);
	} else {
		vy_buf_addc(out, (char)cp);
	}
}

/* Spans as fonts; a line break stays one. */
static void put_text(const struct vy_md_text *t, struct vy_buf *out)
{
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct vy_md_span *s = &t->spans[i];
		bool is_code = s->style & VY_MD_CODE_SPAN;
		const char *font = s->style & VY_MD_EM                           ? "\\fI"
				   : s->style & (VY_MD_CODE_SPAN | VY_MD_STRONG) ? "\\fB"
										 : NULL;
		struct vy_str text = vy_str_n(t->text.p + s->start, s->end - s->start);

		vy_buf_adds(out, font);
		for (size_t at = 0; at < text.n;) {
			uint32_t cp;

			at += vy_utf8_get(text, at, &cp);
			if (cp == '\\' && at < text.n && text.p[at] == '|') {
				continue; /* the bar of a table's cell */
			}
			put_char(cp, is_code, out);
		}
		vy_buf_adds(out, font ? "\\fR" : NULL);
	}
}

/* A line that begins so would be a request. */
static void put_line(struct vy_str s)
{
	printf("%s%.*s\n", s.n && (s.p[0] == '.' || s.p[0] == '\'') ? "\\&" : "", VY_STR_ARG(s));
}

/* Where a line may end: behind a sentence, or at the last blank before the width. */
static size_t line_of(struct vy_str s)
{
	size_t at = 0, blank = 0;

	while (at < s.n && (at <= WIDTH || blank == 0)) {
		if (s.p[at] == ' ') {
			blank = at;
			if (at > 0 &&
				strchr(".!?", s.p[at - (s.p[at - 1] == ')' && at > 1 ? 2 : 1)])) {
				return at;
			}
		}
		at++;
	}
	return at == s.n && at <= WIDTH ? at : blank ? blank : at;
}

/* Filled anew, to the width; with `breaks` each line of the source begins one of its own. */
static void print_filled(struct vy_str s, bool breaks)
{
	while (s.n > 0) {
		const char *nl = memchr(s.p, '\n', s.n);
		struct vy_str line = vy_str_n(s.p, nl ? (size_t)(nl - s.p) : s.n);

		s = vy_str_from(s, line.n + (nl != NULL));
		while (line.n > 0) {
			size_t n = line_of(line);

			put_line(vy_str_n(line.p, n));
			line = vy_str_from(line, n + 1);
		}
		if (breaks && s.n) {
			puts(".br");
		}
	}
}

/* ---- blocks ---- */

static void print_para(const struct vy_md_block *b)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	bool is_entry = b->text.n_spans && b->text.spans[0].style & VY_MD_STRONG &&
			b->text.spans[0].style & VY_MD_CODE_SPAN;

	put_text(&b->text, &out);
	for (size_t i = 0; !is_entry && i < out.len; i++) {
		if (out.data[i] == '\n') {
			out.data[i] = ' ';
		}
	}
	print_filled(vy_buf_str(&out), is_entry);
}

static void print_heading(const struct vy_md_block *b)
{
	VY_AUTO_BUF out = VY_BUF_INIT(4096);

	put_text(&b->text, &out);
	for (size_t i = 0; b->level <= 2 && i < out.len; i++) {
		if (out.data[i] == '\\' && out.data[i + 1] == '[') { /* a character's name */
			while (out.data[i] != ']') {
				i++;
			}
		} else if (out.data[i] >= 'a' && out.data[i] <= 'z') {
			out.data[i] = (char)(out.data[i] - 'a' + 'A');
		}
	}
	printf(".%s %s\n", b->level <= 2 ? "Sh" : "Ss", vy_buf_c(&out));
}

static void print_code(const struct vy_md_block *b)
{
	struct vy_str s = b->text.text;

	puts(".Bd -literal -offset indent");
	while (s.n > 0) {
		const char *nl = memchr(s.p, '\n', s.n);
		struct vy_str line = vy_str_n(s.p, nl ? (size_t)(nl - s.p) : s.n);
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

		s = vy_str_from(s, line.n + (nl != NULL));
		for (size_t at = 0; at < line.n;) {
			uint32_t cp;

			at += vy_utf8_get(line, at, &cp);
			put_char(cp, true, &out);
		}
		put_line(vy_buf_str(&out));
	}
	puts(".Ed");
}

/* Its words stand behind .It, where a word can be a macro's name: none is one with \& before it. */
static void print_tag(const struct vy_md_text *cell)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	put_text(cell, &out);
	printf(".It");
	for (const char *at = vy_buf_c(&out); *at;) {
		size_t n = strcspn(at, " \n\"");

		printf("%s%.*s", n ? " \\&" : "", (int)n, at);
		at += n;
		if (*at == '"') {
			printf("\\(dq");
		}
		at += *at != '\0';
	}
	putchar('\n');
}

static void print_table(const struct vy_md_block *b)
{
	puts(".Bl -tag -width Ds");
	for (size_t row = 1; row < b->rows; row++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

		print_tag(&b->cells[row * b->cols]);
		for (size_t col = 1; col < b->cols; col++) {
			const struct vy_md_text *cell = &b->cells[row * b->cols + col];

			if (cell->text.n == 0) {
				continue;
			}
			vy_buf_adds(&out, out.len ? "\n" : NULL);
			if (b->cols > 2) {
				put_text(&b->cells[col], &out);
				vy_buf_adds(&out, ": ");
			}
			put_text(cell, &out);
		}
		print_filled(vy_buf_str(&out), true);
	}
	puts(".El");
}

static void print_doc(const struct vy_md_doc *d)
{
	bool in_list = false, wants_pp = false;

	for (size_t i = 0; i < d->n; i++) {
		const struct vy_md_block *b = &d->blocks[i];
		bool is_item = b->box && b->box->kind == VY_MD_ITEM;

		if (in_list && !is_item) {
			puts(".El");
		}
		if (is_item && !in_list) {
			puts(b->box->is_ordered ? ".Bl -enum -compact" : ".Bl -bullet -compact");
		}
		if (is_item && b->box->first == i) {
			puts(".It");
		} else if (wants_pp && b->kind == VY_MD_PARA) {
			puts(".Pp");
		}
		in_list = is_item;
		switch (b->kind) {
		case VY_MD_PARA: print_para(b); break;
		case VY_MD_HEADING:
			if (b->level > 1) { /* the first is the name of the page */
				print_heading(b);
			}
			break;
		case VY_MD_CODE: print_code(b); break;
		case VY_MD_TABLE: print_table(b); break;
		case VY_MD_RULE: break;
		}
		wants_pp = b->kind != VY_MD_HEADING;
	}
	if (in_list) {
		puts(".El");
	}
}

/* ---- the file ---- */

/* Without the lines that are comments: the marks of the tables. */
static bool read_file(const char *path, struct vy_buf *out)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		if (strncmp(line, "<!--", 4) != 0) {
			vy_buf_adds(out, line);
		}
	}
	free(line);
	return f && fclose(f) == 0 && !vy_buf_is_over(out);
}

int main(int argc, char **argv)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MD_MAX);
	struct vy_md_doc doc;
	struct vy_arena a;

	if (argc != 2 || !read_file(argv[1], &text)) {
		fprintf(stderr, "usage: wire_man FILE\n");
		return 2;
	}
	vy_arena_init(&a);
	vy_md_parse(vy_buf_str(&text), VY_MD_BREAKS, &a, &doc);
	puts(".\\\" made from doc/wire.md by tests/wire_man (make wire-doc): not to be edited\n"
	     ".Dd " DATE "\n.Dt VYRE-WIRE 7\n.Os Vyre\n.Sh NAME\n.Nm vyre-wire\n"
	     ".Nd the protocol that vyred speaks\n.Sh DESCRIPTION");
	print_doc(&doc);
	puts(".Sh SEE ALSO\n.Xr vyre-tui 1 ,\n.Xr vyre-holder 8 ,\n.Xr vyred 8");
	vy_arena_fini(&a);
	return fflush(stdout) == 0 ? 0 : 1;
}
