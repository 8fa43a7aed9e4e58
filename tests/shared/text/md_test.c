/* md_test.c -- markdown as blocks and spans of ours. */
#include "tests/check.h"

#include "shared/text/md.h"
#include "tests/shared/text/mddump.h"
#include "shared/base/ban.h"

struct row {
	const char *name, *in, *out;
};

static void check_rows(const struct row *rows, size_t n, unsigned flags)
{
	for (size_t i = 0; i < n; i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(1024 * 1024);

		mddump(vy_str_c(rows[i].in), flags, &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
	}
}

static void knows_blocks(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "empty", "", "" },
		{ "paragraphs", "one\n\ntwo\n", "p: one\np: two\n" },
		{ "headings", "# one\n## *two*\nthree\n===\n",
			"h1: one\nh2: <i>two</>\nh1: three\n" },
		{ "rule", "a\n\n---\nb", "p: a\nrule\np: b\n" },
		{ "quote in quote", "> a\n> > b\n> c", "> p: a\n> > p: b c\n" },
		{ "fence", "```c++ title\nint x;\n\n  y\n```\nafter",
			"code(c++): int x;\\n\\n  y\np: after\n" },
		{ "fence closed by the last byte", "```\na\n```", "code(): a\n" },
		{ "fence never closed", "```sh\nls", "code(sh): ls\n" },
		{ "tildes inside", "```\na\n~~~\nb\n```\nafter",
			"code(): a\\n~~~\\nb\np: after\n" },
		{ "indented opener", "  ```c\n  a\n    b\n  ```", "code(c): a\\n  b\n" },
		{ "empty fence", "```\n```\n", "code(): \n" },
		{ "code by four blanks", "    a\n\n    b\n", "code4(): a\\n\\nb\n" },
		{ "raw HTML is text", "<div onclick=x>\nhi</div>\n",
			"p: <h><div onclick=x></> hi<h></div></>\n" },
		{ "a comment hides nothing", "a <!-- rm -rf --> b",
			"p: a <h><!-- rm -rf --></> b\n" },
		{ "hard breaks", "a  \nb\\\nc<br>d", "p: a\\nb\\nc\\nd\n" },
		{ "soft break", "a\nb", "p: a b\n" },
		{ "soft break of Chinese", "中文\n字", "p: 中文字\n" },
		{ "soft break of Korean", "한국\n어", "p: 한국 어\n" },
		{ "link definitions vanish", "[a]\n\n[a]: http://x\n", "p: <a=http://x>a</>\n" },
	};
	check_rows(rows, VY_COUNT(rows), 0);
	static const struct row breaks[] = {
		{ "kept on demand", "a\nb", "p: a\\nb\n" },
	};
	check_rows(breaks, VY_COUNT(breaks), VY_MD_BREAKS);
}

static void knows_lists(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "bullets", "- a\n- b\n", "- p: a\n- p: b\n" },
		{ "loose", "* a\n\n* b\n", "*~ p: a\n*~ p: b\n" },
		{ "numbers keep their start", "9) a\n9) b\n", "9)/10 p: a\n10)/10 p: b\n" },
		{ "a fence between ends the list", "1. a\n```\nx\n```\n123. b\n",
			"1./1 p: a\ncode(): x\n123./123 p: b\n" },
		{ "tasks", "- [ ] a\n- [x] b\n- [X] c\n- [y] d",
			"-[ ] p: a\n-[x] p: b\n-[x] p: c\n- p: [y] d\n" },
		{ "two paragraphs in one", "- a\n\n  b\n- c", "-~ p: a\n_ p: b\n-~ p: c\n" },
		{ "nested", "- a\n  1. b\n     - c\n- d",
			"- p: a\n_ 1./1 p: b\n_ _ - p: c\n- p: d\n" },
		{ "five levels", "- 1\n  - 2\n    - 3\n      - 4\n        - 5",
			"- p: 1\n_ - p: 2\n_ _ - p: 3\n_ _ _ - p: 4\n_ _ _ _ - p: 5\n" },
		{ "a list at once in a list", "- - a\n  - b", "- - p: a\n_ - p: b\n" },
		{ "empty item", "-\n- b\n", "- p: \n- p: b\n" },
		{ "code in an item", "- a\n  ```sh\n  ls\n  ```\n", "- p: a\n_ code(sh): ls\n" },
		{ "item that is code", "- ```\n  ls\n  ```\n", "- code(): ls\n" },
		{ "heading in an item", "1. # a\n   b", "1./1 h1: a\n_ p: b\n" },
		{ "quote in an item", "- > a\n  > b", "- > p: a b\n" },
		{ "list in a quote", "> - a\n> - b\n", "> - p: a\n> - p: b\n" },
		{ "table in an item", "- x\n\n  |a|\n  |-|\n  |b|\n",
			"-~ p: x\n_ table .\n  a\n  b\n" },
	};
	check_rows(rows, VY_COUNT(rows), 0);
}

static void knows_tables(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "alignment", "|a|b|c|d|\n|-|:-|:-:|-:|\n|1|2|3|4|\n",
			"table .<^>\n  a|b|c|d\n  1|2|3|4\n" },
		{ "no body", "a|b\n-|-\n", "table ..\n  a|b\n" },
		{ "short and long rows", "|a|b|\n|-|-|\n|1|\n|1|2|3|\n",
			"table ..\n  a|b\n  1|\n  1|2\n" },
		{ "styles in cells", "|**a**|`b|c`|\n|-|-|\n|<br>|[x](y)|\n",
			"table ..\n  <b>a</>|<c>b|c</>\n  \\n|<a=y>x</>\n" },
		{ "a short delimiter in code is left alone", "|\n|-\n```\n\n```\n|\n-|",
			"table .\n  \n  ```\ncode(): |\\n-|\n" },
		{ "an escaped bar", "|a\\|b|\n|-|\n", "table .\n  a|b\n" },
		{ "an empty head", "| | |\n|-|-|\n|a|b|\n", "table ..\n  |\n  a|b\n" },
		{ "then prose", "|a|\n|-|\n|1|\n\nend", "table .\n  a\n  1\np: end\n" },
		{ "emoji", "|s|\n|-|\n|🟢|\n|❌|\n", "table .\n  s\n  🟢\n  ❌\n" },
	};
	check_rows(rows, VY_COUNT(rows), 0);
}

static void knows_spans(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "styles", "a **b** *c* `d` ~~e~~ ***f***",
			"p: a <b>b</> <i>c</> <c>d</> <s>e</> <bi>f</>\n" },
		{ "styles in each other", "**a *b* c**", "p: <b>a </><bi>b</><b> c</>\n" },
		{ "link", "[a *b*](http://x \"t\")", "p: <a=http://x>a </><ia=http://x>b</>\n" },
		{ "two links beside each other", "[a](x)[b](x)", "p: <a=x>a</><a=x>b</>\n" },
		{ "image", "![alt](pic.png)", "p: <L=pic.png>alt</>\n" },
		{ "image in a link", "[![alt](pic.png)](http://x)", "p: <aL=http://x>alt</>\n" },
		{ "bare links", "see https://a.b/c?d=e, www.a.b or me@x.org",
			"p: see <a=https://a.b/c?d=e>https://a.b/c?d=e</>, "
			"<a=http://www.a.b>www.a.b</> or "
			"<a=mailto:me@x.org>me@x.org</>\n" },
		{ "pointed link", "<https://a.b>", "p: <a=https://a.b>https://a.b</>\n" },
		{ "escapes", "\\*a\\* \\_b", "p: *a* _b\n" },
		{ "entities", "&lt;&amp;&eacute;&#233;&#xe9;&hellip;&nope;&#0;",
			"p: <&ééé…&nope;\uFFFD\n" },
		{ "entities in targets", "[a](x?b=1&amp;c=2)", "p: <a=x?b=1&c=2>a</>\n" },
		{ "snake case", "a_b_c and 2 * 3 * 4", "p: a_b_c and 2 * 3 * 4\n" },
		{ "a style ends with its block", "*www.a.b*+\n\nx",
			"p: <ia=http://www.a.b*+>www.a.b*+</>\np: x\n" },
		{ "code keeps its marks", "`` a`*b* ``", "p: <c>a`*b*</>\n" },
	};
	check_rows(rows, VY_COUNT(rows), 0);
}

/* Nothing that comes out may command a terminal or deceive a reader. */
static void is_safe_for_a_screen(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "escape", "a\033[2Jb", "p: a␛[2Jb\n" },
		{ "escape as a number", "a&#27;[2J&#x9b;", "p: a␛[2J⟨U+009B⟩\n" },
		{ "override as a number", "&#x202E;txt", "p: ⟨U+202E⟩txt\n" },
		{ "newline as a number", "a&#10;b", "p: a b\n" },
		{ "in a target", "[a](<x\033y&#27;>)", "p: <a=x␛y␛>a</>\n" },
		{ "in code", "```\033x\n\033[0m\n```", "code(␛x): ␛[0m\n" },
		{ "bad bytes", "a\xFF**\xE4**", "p: a\uFFFD<b>\uFFFD</>\n" },
	};
	check_rows(rows, VY_COUNT(rows), 0);
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	mddump(VY_STR_LIT("a\0b"), 0, &b);
	check_str("NUL", vy_buf_c(&b), "p: a␀b\n");
}

static void bounds_what_it_is_given(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_md_doc doc;
	VY_AUTO_BUF b = VY_BUF_INIT(4 * 1024 * 1024);

	vy_arena_init(&a);
	for (int i = 0; i < 3000; i++) {
		vy_buf_adds(&b, "> ");
	}
	vy_buf_adds(&b, "deep");
	vy_md_parse(vy_buf_str(&b), 0, &a, &doc);
	check_int("one block", (long long)doc.n, 1);
	check_int("in so many boxes", vy_md_depth(&doc.blocks[0], VY_MD_QUOTE), VY_MD_DEPTH);

	vy_buf_clear(&b); /* 500 columns, 3000 rows of one cell: md4c would make 1,500,000 */
	for (int i = 0; i < 500; i++) {
		vy_buf_adds(&b, "|a");
	}
	vy_buf_adds(&b, "|\n");
	for (int i = 0; i < 500; i++) {
		vy_buf_adds(&b, "|-");
	}
	vy_buf_adds(&b, "|\n");
	for (int i = 0; i < 3000; i++) {
		vy_buf_adds(&b, "|\n");
	}
	vy_md_parse(vy_buf_str(&b), 0, &a, &doc);
	check_true("shown as it is", doc.n == 1 && doc.blocks[0].kind == VY_MD_PARA);

	vy_buf_clear(&b);
	while (b.len <= VY_MD_MAX) {
		vy_buf_adds(&b, "a *b*\n\n");
	}
	vy_buf_adds(&b, "*end*");
	vy_md_parse(vy_buf_str(&b), 0, &a, &doc);
	const struct vy_md_block *last = &doc.blocks[doc.n - 1];

	check_true("what is past the maximum is shown as it is",
		last->text.text.n > 5 &&
			memcmp(last->text.text.p + last->text.text.n - 5, "*end*", 5) == 0);
	vy_arena_fini(&a);
}

/* The source of each block, in its own words. */
static void knows_where_blocks_came_from(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{ "paragraph", "\na\nb\n\nc", "[a\nb\n][c]" },
		{ "headings", "# a\nb\n===\nc", "[# a\n][b\n===\n][c]" },
		{ "fence", "x\n```c\n\na\n\n```\ny", "[x\n][```c\n\na\n\n```\n][y]" },
		{ "empty fence, rule", "a\n\n```\n```\n---\n***\nb",
			"[a\n][```\n```\n][---\n][***\n][b]" },
		{ "setext of one dash", "> a\n> -\n\nb", "[> a\n> -\n][b]" },
		{ "setext, then a rule", "a\n---\n---\n", "[a\n---\n][---\n]" },
		{ "items", "- a\n  b\n-\n- c\n", "[- a\n  b\n][-\n][- c\n]" },
		{ "table", "|a|\n|-|\n|b|\n\nc", "[|a|\n|-|\n|b|\n][c]" },
		{ "table with an empty head", "x\n\n| | |\n|-|-|\n||b|\n\nc",
			"[x\n][| | |\n|-|-|\n||b|\n][c]" },
		{ "table with empty rows", "|a|\n|-|\n||\n|b|\n\nc", "[|a|\n|-|\n||\n|b|\n][c]" },
		{ "table of a head", "|a|\n|-|\n\nc", "[|a|\n|-|\n][c]" },
		{ "quote", "> a\n> b\n\nc", "[> a\n> b\n][c]" },
		{ "fence in an item", "- ```\n  a\n  ```\n- b", "[- ```\n  a\n  ```\n][- b]" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;
		struct vy_md_doc doc;
		VY_AUTO_BUF b = VY_BUF_INIT(4096);

		vy_arena_init(&a);
		vy_md_parse(vy_str_c(rows[i].in), 0, &a, &doc);
		for (size_t k = 0; k < doc.n; k++) {
			vy_buf_addf(&b, "[%.*s]", (int)(doc.blocks[k].src_end - doc.blocks[k].src),
				rows[i].in + doc.blocks[k].src);
		}
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
		vy_arena_fini(&a);
	}
}

static void knows_where_spans_came_from(void **state)
{
	(void)state;
	static const char src[] = "a **b**&amp;`c` \\*";
	struct vy_arena a;
	struct vy_md_doc doc;
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	vy_arena_init(&a);
	vy_md_parse(vy_str_c(src), 0, &a, &doc);
	for (size_t i = 0; i < doc.blocks[0].text.n_spans; i++) {
		const struct vy_md_span *s = &doc.blocks[0].text.spans[i];

		vy_buf_addf(&b, "[%.*s]", (int)(s->src_end - s->src), src + s->src);
	}
	check_str("without their marks", vy_buf_c(&b), "[a ][b][&amp;][c][ \\*]");
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(knows_blocks), CHECK_TEST(knows_lists), CHECK_TEST(knows_tables),
	CHECK_TEST(knows_spans), CHECK_TEST(is_safe_for_a_screen),
	CHECK_TEST(bounds_what_it_is_given), CHECK_TEST(knows_where_blocks_came_from),
	CHECK_TEST(knows_where_spans_came_from))
