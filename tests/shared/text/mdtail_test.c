/* mdtail_test.c -- what is settled stays, and what is half typed does not flash. */
#include "tests/check.h"

#include "shared/text/md.h"
#include "shared/text/mdtail.h"
#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tests/shared/text/mddump.h"
#include "shared/base/ban.h"

static void settles(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in, *out; /* "|" at each border */
	} rows[] = {
		{ "nothing", "", "" },
		{ "half a line", "abc", "abc" },
		{ "a line", "abc\n", "abc\n" },
		{ "blank line", "abc\n\n", "abc\n\n|" },
		{ "blank lines at the top", "\n\nabc\n\n", "\n\nabc\n\n|" },
		{ "paragraphs", "a\n\nb\n\nc", "a\n\n|b\n\n|c" },
		{ "a heading needs its blank line too", "# a\nb\n\nc", "# a\nb\n\n|c" },
		{ "open fence", "```\na\n\nb\n\n", "```\na\n\nb\n\n" },
		{ "closed fence", "```\na\n\nb\n```\n\nc", "```\na\n\nb\n```\n\n|c" },
		{ "another fence inside", "````\n```\n\n~~~\n\n````\n\nc",
			"````\n```\n\n~~~\n\n````\n\n|c" },
		{ "a quoted fence ends with its quote", "> ```\n\nx\n\n", "> ```\n\n|x\n\n|" },
		{ "list", "- a\n\n- b\n\n", "- a\n\n- b\n\n" },
		{ "list and what ends it", "- a\n\nb", "- a\n\n|b" },
		{ "list and a second paragraph", "- a\n\n  b\n\nc", "- a\n\n  b\n\n|c" },
		{ "not yet sure", "- a\n\n*", "- a\n\n*" },
		{ "sure", "- a\n\n**", "- a\n\n|**" },
		{ "a number is not sure", "1. a\n\n12", "1. a\n\n12" },
		{ "one with its dot neither", "1. a\n\n12.", "1. a\n\n12." },
		{ "a fraction is", "1. a\n\n1.5", "1. a\n\n|1.5" },
		{ "lazy line", "- a\nb\n\nc", "- a\nb\n\n|c" },
		{ "fence in an item", "- a\n  ```\n\n  b\n\nc", "- a\n  ```\n\n  b\n\n|c" },
		{ "fence behind a list", "1. a\n  ```\n\nb\n\n  ```\n\nc",
			"1. a\n  ```\n\nb\n\n  ```\n\n|c" },
		{ "quotes are apart", "> a\n\n> b\n\n", "> a\n\n|> b\n\n|" },
		{ "indented code may go on", "    a\n\n    b\n\nc", "    a\n\n    b\n\n|c" },
		{ "table", "|a|\n|-|\n|b|\n\nc", "|a|\n|-|\n|b|\n\n|c" },
		{ "rule", "***\n\na", "***\n\n|a" },
		{ "returns", "a\r\n\r\nb", "a\r\n\r\n|b" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_mdtail t = { 0 };
		struct vy_str s = vy_str_c(rows[i].in);
		VY_AUTO_BUF b = VY_BUF_INIT(4096);
		size_t from = 0;

		while (vy_mdtail_next(&t, s)) {
			vy_buf_add(&b, s.p + from, t.border - from);
			vy_buf_adds(&b, "|");
			from = t.border;
		}
		vy_buf_addstr(&b, vy_str_from(s, from));
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
	}
}

/* A long fence is cut between its lines, and each piece behind its opening line has the code. */
static void cuts_long_fences(void **state)
{
	(void)state;
	static const struct {
		const char *name, *head, *line, *end;
		size_t lines;
		int cuts;
	} rows[] = {
		{ "short", "```c\n", "x\n", "```\n", 60, 0 },
		{ "long", "```c\n", "x = 1;\n", "```\n\nText\n\n", 200, 3 },
		{ "under its text", "Text:\n  ~~~ py\n", "  x\n", "  ~~~\nText\n\n", 200, 3 },
		{ "under a list", "- a\n\n- b\n```\n", "``\n", "```\n", 200, 3 },
		{ "never between blank lines", "```\n", "\n", "```\n", 200, 0 },
		{ "not in an item", "- a\n  ```\n", "  x\n", "  ```\n", 200, 0 },
		{ "open", "```\n", "# no heading\n", "", 130, 2 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(65536), code = VY_BUF_INIT(65536),
			    want = VY_BUF_INIT(65536);
		struct vy_mdtail t = { 0 }, grown = { 0 };
		struct vy_arena a;
		int cuts = 0;

		vy_buf_adds(&text, rows[i].head);
		for (size_t k = 0; k < rows[i].lines; k++) {
			vy_buf_adds(&text, rows[i].line);
		}
		vy_buf_adds(&text, rows[i].end);
		vy_arena_init(&a);
		for (bool more = true; more;) {
			VY_AUTO_BUF piece = VY_BUF_INIT(65536);
			struct vy_md_doc doc;
			size_t from = t.border;

			vy_buf_addstr(&piece, vy_mdtail_open(&t, vy_buf_str(&text)));
			more = vy_mdtail_next(&t, vy_buf_str(&text));
			vy_buf_add(&piece, text.data + from, (more ? t.border : text.len) - from);
			vy_md_parse(vy_buf_str(&piece), 0, &a, &doc);
			for (size_t k = 0; k < doc.n; k++) {
				if (doc.blocks[k].kind == VY_MD_CODE && doc.blocks[k].text.text.n) {
					vy_buf_addstr(&code, doc.blocks[k].text.text);
					vy_buf_adds(&code, "\n");
				}
			}
			cuts += more && vy_mdtail_open(&t, vy_buf_str(&text)).n > 0;
		}
		struct vy_md_doc whole;

		vy_md_parse(vy_buf_str(&text), 0, &a, &whole);
		for (size_t k = 0; k < whole.n; k++) {
			if (whole.blocks[k].kind == VY_MD_CODE) {
				vy_buf_addstr(&want, whole.blocks[k].text.text);
				vy_buf_adds(&want, "\n");
			}
		}
		check_int(rows[i].name, cuts, rows[i].cuts);
		check_vstr(rows[i].name, vy_buf_str(&code), vy_buf_str(&want));
		for (size_t n = 0; n <= text.len; n++) { /* however it came */
			while (vy_mdtail_next(&grown, vy_str_n(text.data, n))) {
			}
		}
		check_int(rows[i].name, (long long)grown.border, (long long)t.border);
		vy_arena_fini(&a);
	}
}

static void holds_back_what_is_half_typed(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in, *out;
	} rows[] = {
		{ "nothing", "", "" }, { "plain", "abc", "abc" }, { "a lone star", "a *", "a " },
		{ "emphasis", "a *b", "a *b*" }, { "strong", "a **b c", "a **b c**" },
		{ "half closed", "a **b*", "a **b**" }, { "closed", "a **b** c", "a **b** c" },
		{ "in each other", "**a *b", "**a *b***" },
		{ "inner closed", "**a *b* c", "**a *b* c**" },
		{ "blank at the end", "**a ", "**a**" }, { "times", "2 * 3", "2 * 3" },
		{ "all of them", "(Tools: *) b", "(Tools: *) b" }, { "snake", "a_b", "a_b" },
		{ "underscores", "_a b", "_a b_" }, { "struck", "~~a", "~~a~~" },
		{ "about", "~5 min", "~5 min" }, { "code", "a `b*c", "a `b*c`" },
		{ "code of two", "``a`", "``a``" },
		{ "code that begins with a blank", "`` `a", "`` `a ``" },
		{ "code in strong", "**a `b", "**a `b`**" }, { "empty code", "a `", "a " },
		{ "open bracket", "see [the", "see " }, { "bracket closed", "see [the]", "see " },
		{ "was no link", "see [1] and", "see [1] and" },
		{ "target", "see [the](http://x", "see [the]()" },
		{ "target in strong", "**[a](b", "**[a]()**" }, { "title", "[a](b \"c d", "[a]()" },
		{ "whole link", "[a](b) c", "[a](b) c" }, { "no target", "[a](b c", "[a](b c" },
		{ "image", "x ![a](b", "x ![a]()" }, { "mark of an image", "wow!", "wow" },
		{ "strong before a bracket", "a **[b", "a" },
		{ "pointed link", "see <http://x", "see " }, { "less than", "a < b", "a < b" },
		{ "bare link with marks", "https://a.b/_c", "https://a.b/_c" },
		{ "bare link begins", "see http", "see " },
		{ "bare link without its host", "see https://a.", "see " },
		{ "bare link and a dot", "https://a.b/c.", "https://a.b/c" },
		{ "bare link in strong", "**https://a.b", "**https://a.b**" },
		{ "a word that begins so", "a hat", "a hat" }, { "entity", "a &am", "a " },
		{ "and", "a & b", "a & b" }, { "backslash", "a \\", "a " },
		{ "escaped", "a \\*b", "a \\*b" },
		{ "fence without its language", "a\n\n```p", "a\n\n" },
		{ "fence", "```py\nx *y", "```py\nx *y" },
		{ "fence about to close", "```\nx\n``", "```\nx\n" },
		{ "fence closed", "```\nx\n```", "```\nx\n" },
		{ "other fence inside", "```\nx\n~~", "```\nx\n~~" },
		{ "two ticks of a fence", "a\n``", "a\n" }, { "bullet", "a\n\n-", "a\n\n" },
		{ "bullet and blank", "- a\n- ", "- a\n" }, { "task", "- [x", "" },
		{ "number", "1. a\n2", "1. a\n" }, { "heading", "a\n\n##", "a\n\n" },
		{ "heading with strong", "# a **b", "# a **b**" },
		{ "finished heading", "# a **b\n", "# a **b\n" }, { "underline", "a\n--", "a\n" },
		{ "strong over a line with a mark", "**a\n-", "**a**" },
		{ "quote", "> *a\n> b", "> *a\n> b*" }, { "quote sign", "a\n\n>", "a\n\n" },
		{ "head of a table", "a\n\n| b", "a\n\n" }, { "head, whole", "| a | b |\n", "" },
		{ "delimiter", "| a |\n|--", "" },
		{ "delimiter, whole but for its end", "| a |\n|---|", "" },
		{ "table", "| a |\n|---|\n", "| a |\n|---|\n" },
		{ "half a row", "| a |\n|---|\n| b", "| a |\n|---|\n" },
		{ "no table", "a | b\nc", "a | b\nc" }, { "bar in code", "`a|b` c", "`a|b` c" },
		{ "closed paragraph keeps its marks", "**a\n\n", "**a\n\n" },
		{ "definition begins", "[a]:", "" },
		{ "definition", "[a]: http", "[a]: http" }, /* of which nothing is seen */
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(4096);

		vy_mdtail_show(vy_str_c(rows[i].in), &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
	}
}

/* Openers that stay alone for long are text: a stray star does not slant a whole page. */
static void gives_up(void **state)
{
	(void)state;
	VY_AUTO_BUF in = VY_BUF_INIT(4096);
	VY_AUTO_BUF out = VY_BUF_INIT(4096);

	vy_buf_adds(&in, "*args [x ");
	while (in.len < 400) {
		vy_buf_adds(&in, "word ");
	}
	vy_mdtail_show(vy_buf_str(&in), &out);
	check_str("as it is", vy_buf_c(&out),
		"*args [x word word word word word word word word word word "
		"word word word word word word word word word word word word word word word word "
		"word word "
		"word word word word word word word word word word word word word word word word "
		"word word "
		"word word word word word word word word word word word word word word word word "
		"word word "
		"word word word word word word word word word word word word word word word");
}

static const char sample[] =
	"# A *tour* of `code`\n\n"
	"First **bold _and_ more**, ~~gone~~, a [link *in* it](http://x.y/_z \"t\"), an\n"
	"![image](pic.png), `a ``b` and ``c ` d``, 2 * 3 < 4 &amp; 5, \\*no\\*, "
	"https://a.b/c_d_e. Or\n"
	"see www.a.b: how?\n"
	"Second line & more<br>after a break. ***both***!\n\n"
	"Setext **title**\n---\n\n"
	"1. one\n2. two **x**\n   - [ ] open\n   - [x] done\n\n     a paragraph [a](b)\n3. three\n"
	"   ```sh\n   ls -l | grep \"x\" *\n\n   ``\n   ```\n\n"
	"- loose\n\n- items\n\n"
	"Prose 12 begins with\n12 and 13\n\n"
	"```c++\nint **x; // `y`\n\n  ~~~\n- no list\n```\n"
	"Then at once.\n\n"
	"> quote *it*\n> more\n>> deeper\n\n"
	"| head | **b** |\n|------|:-:|\n| 中文 | `x` |\n| 🟢 e\u0301 | [l](m) |\n\n"
	"***\n\n"
	"    indented *code*\n\n"
	"中文**粗体**字，\n还有👨‍👩‍👧。\n\n"
	"~~~\ntilde\n~~~\n\nThe end.\n";

/* Every byte more gives the same borders and perhaps new ones; all at once gives the same. */
static void borders_stay(void **state)
{
	(void)state;
	struct vy_mdtail grown = { 0 };
	struct vy_str all = vy_str_n(sample, sizeof(sample) - 1);
	size_t borders[64] = { 0 }, n = 0;

	for (size_t len = 0; len <= all.n; len++) {
		while (vy_mdtail_next(&grown, vy_str_n(all.p, len))) {
			check_true("only forwards", n == 0 || grown.border > borders[n - 1]);
			borders[n++] = grown.border;
		}
	}
	check_int("all of them", (long long)n, 12);
	for (size_t len = 0; len <= all.n; len++) {
		struct vy_mdtail fresh = { 0 };
		size_t k = 0;

		while (vy_mdtail_next(&fresh, vy_str_n(all.p, len))) {
			check_int("the same border", (long long)fresh.border,
				(long long)borders[k++]);
		}
		check_true("no earlier, no later",
			k == n || borders[k] > len ||
				(k < n && fresh.border == (k ? borders[k - 1] : 0)));
	}
}

/* The pieces, parsed one by one, give what the whole gives. */
static void pieces_are_the_whole(void **state)
{
	(void)state;
	struct vy_str all = vy_str_n(sample, sizeof(sample) - 1);
	struct vy_mdtail t = { 0 };
	VY_AUTO_BUF whole = VY_BUF_INIT(65536);
	VY_AUTO_BUF pieces = VY_BUF_INIT(65536);
	size_t from = 0;

	mddump(all, 0, &whole);
	while (vy_mdtail_next(&t, all)) {
		mddump(vy_str_n(all.p + from, t.border - from), 0, &pieces);
		from = t.border;
	}
	mddump(vy_str_from(all, from), 0, &pieces);
	check_str("piece by piece", vy_buf_c(&pieces), vy_buf_c(&whole));
}

/* The characters of a document, each with its style before it: what a reader sees of it. */
static void see_text(const struct vy_md_text *t, char kind, struct vy_buf *out)
{
	for (size_t i = 0; i < t->n_spans; i++) {
		for (size_t k = t->spans[i].start; k < t->spans[i].end; k++) {
			vy_buf_addc(out, kind);
			vy_buf_addc(out, (char)('0' + t->spans[i].style));
			vy_buf_addc(out, t->text.p[k]);
		}
	}
}

static void see(struct vy_str src, struct vy_buf *out)
{
	struct vy_arena a;
	struct vy_md_doc doc;

	vy_arena_init(&a);
	vy_md_parse(src, 0, &a, &doc);
	for (size_t i = 0; i < doc.n; i++) {
		const struct vy_md_block *b = &doc.blocks[i];
		bool last = i + 1 == doc.n;

		see_text(&b->text, b->kind == VY_MD_HEADING ? 'p' : "phctr"[b->kind], out);
		for (size_t c = 0; c < b->rows * b->cols; c++) {
			see_text(&b->cells[c], 't', out);
		}
		if (!last) {
			vy_buf_adds(out, "\n");
		}
	}
	vy_arena_fini(&a);
}

/* Nothing that was shown is ever taken back: no mark appears, no style changes, no row goes. */
static void nothing_flashes(void **state)
{
	(void)state;
	struct vy_str all = vy_str_n(sample, sizeof(sample) - 1);
	VY_AUTO_BUF whole = VY_BUF_INIT(65536);

	see(all, &whole);
	for (size_t len = 0; len <= all.n; len++) {
		struct vy_str prefix = vy_str_n(all.p, len);
		VY_AUTO_BUF shown = VY_BUF_INIT(65536);
		VY_AUTO_BUF seen = VY_BUF_INIT(65536);

		prefix.n -= vy_utf8_unfinished(prefix);
		vy_mdtail_show(prefix, &shown);
		see(vy_buf_str(&shown), &seen);
		while (seen.len &&
			(seen.data[seen.len - 1] == ' ' || seen.data[seen.len - 1] == '\n')) {
			vy_buf_truncate(&seen, seen.len - (seen.data[seen.len - 1] == ' ' ? 3 : 1));
		}
		if (seen.len > whole.len ||
			memcmp(seen.data ? seen.data : "", whole.data, seen.len)) {
			fprintf(stderr, "at byte %zu, shown: …%.60s\n", len,
				vy_buf_c(&shown) + (shown.len > 60 ? shown.len - 60 : 0));
			check_vstr("a beginning of the whole", vy_buf_str(&seen),
				vy_str_n(whole.data, seen.len));
		}
	}
}

static size_t rows_of(struct vy_str src)
{
	static const struct vy_wrap how = { .cells = 30 };
	struct vy_arena a;
	struct vy_md_doc doc;
	size_t n = 0;

	vy_arena_init(&a);
	vy_md_parse(src, 0, &a, &doc);
	for (size_t i = 0; i < doc.n; i++) {
		struct vy_wrap_row row = { 0 };

		n += doc.blocks[i].rows;
		while (doc.blocks[i].kind != VY_MD_TABLE &&
			vy_wrap_next(&how, doc.blocks[i].text.text, &row)) {
			n++;
		}
	}
	vy_arena_fini(&a);
	return n;
}

/* Byte by byte the transcript only grows: no row goes, and those of settled pieces are counted once
 * and stay. */
static void rows_never_shrink(void **state)
{
	(void)state;
	struct vy_str all = vy_str_n(sample, sizeof(sample) - 1);
	struct vy_mdtail t = { 0 };
	size_t settled = 0, from = 0, before = 0;

	for (size_t len = 0; len <= all.n; len++) {
		struct vy_str prefix = vy_str_n(all.p, len);
		VY_AUTO_BUF shown = VY_BUF_INIT(65536);

		while (vy_mdtail_next(&t, prefix)) {
			settled += rows_of(vy_str_n(all.p + from, t.border - from));
			from = t.border;
		}
		vy_mdtail_show(vy_str_from(prefix, from), &shown);
		size_t rows = settled + rows_of(vy_buf_str(&shown));

		if (rows < before) {
			fail_msg("at byte %zu: %zu rows became %zu", len, before, rows);
		}
		before = rows;
	}
	check_int("and all are there", (long long)before, (long long)rows_of(all));
}

/* One line that begins with a letter is not parsed to be shown; behind another paragraph it is. */
static void one_line_is_a_paragraph(void **state)
{
	static const char *const pieces[] = { "a", "word ", "**", "*", "_", "`", "``", "[", "](",
		")", "|", "\\", "http://x", "www.", "<b>", "<", "&amp;", "&", "  ", "\t", "é", "中",
		"~~", "!", "1. ", "- ", "#", ":", "=", "---", "|-", "😀", "\xff", "\xc2\xa0" };
	unsigned dice = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		VY_AUTO_BUF behind = VY_BUF_INIT(4096), alone = VY_BUF_INIT(4096);
		VY_AUTO_BUF tail = VY_BUF_INIT(4096);

		vy_buf_adds(&tail, "p\n\na");
		for (int k = i % 12; k >= 0; k--) {
			dice = dice * 1103515245u + 12345u;
			vy_buf_adds(&tail, pieces[(dice >> 16) % VY_COUNT(pieces)]);
		}
		vy_mdtail_show(vy_buf_str(&tail), &behind);
		vy_mdtail_show(vy_str_from(vy_buf_str(&tail), 3), &alone);
		check_vstr(
			vy_buf_c(&tail), vy_buf_str(&alone), vy_str_from(vy_buf_str(&behind), 3));
	}
}

CHECK_MAIN(CHECK_TEST(one_line_is_a_paragraph), CHECK_TEST(rows_never_shrink), CHECK_TEST(settles),
	CHECK_TEST(cuts_long_fences), CHECK_TEST(holds_back_what_is_half_typed),
	CHECK_TEST(gives_up), CHECK_TEST(borders_stay), CHECK_TEST(pieces_are_the_whole),
	CHECK_TEST(nothing_flashes))
