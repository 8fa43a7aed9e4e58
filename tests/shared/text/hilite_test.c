/* hilite_test.c -- colours for code, line by line. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/text/hilite.h"
#include "shared/text/hilite_lang.h"
#include "shared/base/ban.h"

/* One letter for each role, in the order of the enum. */
static const char letters[] = "-csenktfCvpgy.hAR@";

/* The text with "k{…}" round what has a role; the state goes from line to line. */
static const char *coloured(const char *lang, const char *text, struct vy_buf *out)
{
	const struct vy_hilite_lang *l = vy_hilite_lang(vy_str_c(lang));
	struct vy_hilite_state st = { 0 };
	struct vy_str s = vy_str_c(text);

	vy_buf_clear(out);
	check_true(lang, l != NULL);
	for (size_t at = 0; at < s.n;) {
		const char *nl = memchr(s.p + at, '\n', s.n - at);
		size_t end = nl ? (size_t)(nl - s.p) : s.n, done = 0;
		struct vy_hilite_span spans[64];
		size_t n = vy_hilite_line(
			l, vy_str_n(s.p + at, end - at), &st, spans, VY_COUNT(spans));

		for (size_t i = 0; i < n; i++) {
			vy_buf_add(out, s.p + at + done, spans[i].start - done);
			vy_buf_addf(out, "%c{%.*s}", letters[spans[i].role],
				(int)(spans[i].end - spans[i].start), s.p + at + spans[i].start);
			done = spans[i].end;
		}
		vy_buf_add(out, s.p + at + done, end - at - done);
		vy_buf_adds(out, nl ? "\n" : "");
		at = end + 1;
	}
	return vy_buf_c(out);
}

static const struct {
	const char *lang, *in, *out;
} rows[] = {
	{ "c", "#include <a.h> // x\nstatic int f(size_t n) { return MAX + 0x1F; }",
		"p{#include} s{<a.h>} c{// x}\n"
		"k{static} t{int} f{f}(t{size_t} n) { k{return} C{MAX} + n{0x1F}; }" },
	{ "c", "/* a\nb */ char *s = \"x\\n%d\"; '\\''",
		"c{/* a}\nc{b */} t{char} *s = s{\"x}e{\\n}s{%d\"}; s{'}e{\\'}s{'}" },
	{ "c", "\"open\nx = 1.5e-3f;", "s{\"open}\nx = n{1.5e-3f};" },
	{ "c", "\"joined\\\nhere\" x", "s{\"joined}e{\\}\ns{here\"} x" },
	{ "c++", "auto r = R\"x(a\n)y\" )x\" + 1'000; std::Foo<int> f;",
		"k{auto} r = s{R\"x(a}\ns{)y\" )x\"} + n{1'000}; std::t{Foo}<t{int}> f;" },
	{ "python", "@dec\ndef f(self, x=None): # c\n    return rb'\\d' + f\"{x}\"",
		"p{@dec}\nk{def} f{f}(C{self}, x=C{None}): c{# c}\n    k{return} s{rb'}e{\\d}s{'} "
		"+ s{f\"{x}\"}" },
	{ "py", "\"\"\"doc\n\"quoted\"\n\"\"\" + 'x'",
		"s{\"\"\"doc}\ns{\"quoted\"}\ns{\"\"\"} + s{'x'}" },
	{ "js", "const re = /a[/]b/g, d = a / b / c; // x",
		"k{const} re = s{/a[/]b/g}, d = a / b / c; c{// x}" },
	{ "js", "`a ${f({x: `in ${1}`})} b\nc` + d",
		"s{`a }e{${}f{f}({x: s{`in }e{${}n{1}e{}}s{`}})e{}}s{ b}\ns{c`} + d" },
	{ "ts", "export type A = Map<string, number>;\n@Input() name?: string;",
		"k{export} k{type} t{A} = t{Map}<t{string}, t{number}>;\np{@Input}() name?: "
		"t{string};" },
	{ "json", "{\"a\\n\": [1, -2.5e+3, true, \"x\"], \"b\" : null}",
		"{y{\"a\\n\"}: [n{1}, -n{2.5e+3}, C{true}, s{\"x\"}], y{\"b\"} : C{null}}" },
	{ "json", "\"a\"\"b\": 1", "s{\"a\"}y{\"b\"}: n{1}" },
	{ "sh", "FOO=1 make -j$(nproc) \"x $HOME ${a:-b}\" # c\nif test -f a.if; then echo a#b; fi",
		"v{FOO}=1 f{make} -j$(f{nproc}) s{\"x }v{$HOME}s{ }v{${a:-b}}s{\"} c{# c}\n"
		"k{if} f{test} -f a.if; k{then} f{echo} a#b; k{fi}" },
	{ "bash", "cat <<'END' | wc\n$x # no\nEND\nls",
		"f{cat} k{<<'END'} | f{wc}\ns{$x # no}\nk{END}\nf{ls}" },
	{ "bash", "cat <<-E\n\ta\n\tE\necho <<<x; echo $((1 << 2))",
		"f{cat} k{<<-E}\ns{\ta}\nk{\tE}\nf{echo} <<<x; f{echo} $((f{1} << 2))" },
	{ "go", "func (s *T) Do(x int) error { return fmt.Errorf(`a\nb`, 'x') }",
		"k{func} (s *t{T}) f{Do}(x t{int}) t{error} { k{return} "
		"fmt.f{Errorf}(s{`a}\ns{b`}, "
		"s{'x'}) }" },
	{ "rust", "#[derive(Debug)]\nfn f<'a>(x: &'a str) -> Vec<u8> { println!(\"{}\", 'x'); }",
		"p{#[derive(Debug)]}\nk{fn} f<v{'a}>(x: &v{'a} t{str}) -> t{Vec}<t{u8}> { "
		"f{println}!(s{\"{}\"}, s{'x'}); }" },
	{ "rust", "/* a /* b */ c */ r#\"x\n\"y\"# 1..2",
		"c{/* a /* b */ c */} s{r#\"x}\ns{\"y\"#} n{1}..n{2}" },
	{ "html", "<!-- a\nb --><p class=\"x\" id=y data-z='1'>a &amp; b</p><br/>",
		"c{<!-- a}\nc{b -->}g{<p} y{class}=s{\"x\"} y{id}=s{y} y{data-z}=s{'1'}g{>}a "
		"e{&amp;} bg{</p><br/>}" },
	{ "html",
		"<script src=a>let x = `1\n${y}`;\n</script><style>\na { color: red }\n</style><b>",
		"g{<script} y{src}=s{a}g{>}k{let} x = "
		"s{`1}\ne{${}ye{}}s{`};\ng{</script><style>}\n"
		"g{a} { y{color}: red }\ng{</style><b>}" },
	{ "xml", "<?xml version=\"1.0\"?>\n<a\n b=\"c\nd\"/>",
		"g{<?xml} y{version}=s{\"1.0\"}g{?>}\ng{<a}\n y{b}=s{\"c}\ns{d\"}g{/>}" },
	{ "css",
		"/* x\n*/ a.b:hover, #id { color: #fff; margin: 1.5em calc(1px + 2%) }\n@media "
		"print { p { top: 0 } }",
		"c{/* x}\nc{*/} g{a.b}:g{hover}, g{#id} { y{color}: n{#fff}; y{margin}: n{1.5em} "
		"f{calc}(n{1px} + n{2}%) }\n"
		"k{@media} g{print} { p { y{top}: n{0} } }" },
	{ "sql", "SELECT count(*), 'it''s' FROM \"t\" -- c\nWHERE a = NULL::text;",
		"k{SELECT} f{count}(*), s{'it''s'} k{FROM} s{\"t\"} c{-- c}\nk{WHERE} a = "
		"C{NULL}::t{text};" },
	{ "yaml", "--- # c\na: 1\n- b: \"x: y\" # d\n  'c d': [yes, &r 2, *r]\ne: !!int {f: g}",
		"@{---} c{# c}\ny{a}: n{1}\n.{-} y{b}: s{\"x: y\"} c{# d}\n  y{'c d'}: [C{yes}, "
		"v{&r} n{2}, v{*r}]\n"
		"y{e}: t{!!int} {y{f}: g}" },
	{ "yaml", "run: |-\n  a: b\n\n   c\nd: http://x",
		"y{run}: .{|-}\n  s{a: b}\n\n   s{c}\ny{d}: http://x" },
	{ "toml",
		"[a.b] # c\nk = \"v\" # d\n'x y' = [1, true]\ns = \"\"\"a\nb\"\"\"\nt = { u = "
		"2026-11-30 }",
		"h{[a.b]} c{# c}\ny{k} = s{\"v\"} c{# d}\ny{'x y'} = [n{1}, C{true}]\ny{s} = "
		"s{\"\"\"a}\ns{b\"\"\"}\n"
		"y{t} = { y{u} = n{2026-11-30} }" },
	{ "ini", "; c\n[s]\na=b c", "c{; c}\nh{[s]}\ny{a}=b c" },
	{ "diff", "diff --git a/x b/x\n--- a/x\n@@ -1 +1 @@ f\n-a\n+b\n c",
		"@{diff --git a/x b/x}\n@{--- a/x}\n@{@@ -1 +1 @@ f}\nR{-a}\nA{+b}\n c" },
	{ "md", "# T *x*\n> 1. a `c` **b** [l](u)\n```sh\nls # x\n```\n- d",
		"h{# T *x*}\n.{>} .{1.} a s{`c`} k{**b**} y{[l]}s{(u)}\n.{```sh}\ns{ls # "
		"x}\n.{```}\n.{-} d" },
	{ "make",
		"CC ?= gcc # c\nall: $(OBJ:.c=.o) x.h\n\t@echo \"$(CC)\" $@\nifeq "
		"($(A),1)\n-include b.mk",
		"y{CC} ?= gcc c{# c}\nf{all}: v{$(OBJ:.c=.o)} x.h\n\t@echo s{\"$(CC)\"} v{$@}\n"
		"k{ifeq} (v{$(A)},1)\nk{-include} b.mk" },
	{ "dockerfile", "FROM a AS b\nRUN x $Y", "k{FROM} a k{AS} b\nk{RUN} x v{$Y}" },
	{ "ruby", "def f(x) @a = :b # c\nend", "k{def} f{f}(x) p{@a} = :b c{# c}\nk{end}" },
};

static void colours(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_str(rows[i].lang, coloured(rows[i].lang, rows[i].in, &b), rows[i].out);
	}
}

static void finds_languages(void **state)
{
	(void)state;
	static const struct {
		const char *word, *path, *name;
	} names[] = {
		{ "C++", "src/a.hpp", "C++" },
		{ "py", "x.PY", "Python" },
		{ "shell", "/home/u/.bashrc", "Shell" },
		{ "mk", "lib/Makefile", "Makefile" },
		{ "docker", "Dockerfile", "Dockerfile" },
		{ "yml", ".github/x.yml", "YAML" },
		{ "htm", "a.b.html", "HTML" },
	};
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		check_str(names[i].word, vy_hilite_name(vy_hilite_lang(vy_str_c(names[i].word))),
			names[i].name);
		check_str(names[i].path,
			vy_hilite_name(vy_hilite_lang_of_path(vy_str_c(names[i].path))),
			names[i].name);
	}
	static const char *const unknown[] = { "", " ", "c h", "klingon", "c+" };

	for (size_t i = 0; i < VY_COUNT(unknown); i++) {
		check_true(unknown[i], vy_hilite_lang(vy_str_c(unknown[i])) == NULL);
		check_true(unknown[i], vy_hilite_lang_of_path(vy_str_c(unknown[i])) == NULL);
	}
	check_true("a hidden file has no ending", vy_hilite_lang_of_path(vy_str_c(".c")) == NULL);
}

static void is_sorted(const char *name, const struct vy_hl_words *w)
{
	for (size_t i = 1; i < w->n; i++) {
		if (strcmp(w->at[i - 1], w->at[i]) >= 0) {
			fail_msg("%s: \"%s\" stands before \"%s\"", name, w->at[i - 1], w->at[i]);
		}
	}
}

static void tables_are_sorted(void **state)
{
	(void)state;
	for (size_t i = 0; vy_hl_langs[i]; i++) {
		const struct vy_hilite_lang *l = vy_hl_langs[i];

		is_sorted(l->name, &l->keywords);
		is_sorted(l->name, &l->types);
		is_sorted(l->name, &l->constants);
		is_sorted(l->name, &l->builtins);
	}
}

/* A line with more spans than there is room for keeps the first ones. */
static void stops_at_the_room(void **state)
{
	(void)state;
	struct vy_hilite_span spans[2];
	struct vy_hilite_state st = { 0 };
	size_t n = vy_hilite_line(
		vy_hilite_lang(vy_str_c("c")), vy_str_c("1 2 3 /* 4"), &st, spans, 2);

	check_int("two", (long long)n, 2);
	check_int("the second", spans[1].start, 2);
	check_true("the state knows the rest", st.mode != 0);
	static char wide[3 * VY_HILITE_LINE_MAX];

	for (size_t i = 0; i < sizeof(wide); i += 3) {
		memcpy(wide + i, "中", 3);
	}
	memcpy(wide, "/*0", 3);
	st = (struct vy_hilite_state){ 0 };
	n = vy_hilite_line(
		vy_hilite_lang(vy_str_c("c")), vy_str_n(wide, sizeof(wide)), &st, spans, 2);
	check_int("one span", (long long)n, 1);
	check_int("that ends behind a whole character", spans[0].end, VY_HILITE_LINE_MAX / 3 * 3);
}

CHECK_MAIN(CHECK_TEST(colours), CHECK_TEST(finds_languages), CHECK_TEST(tables_are_sorted),
	CHECK_TEST(stops_at_the_room))
