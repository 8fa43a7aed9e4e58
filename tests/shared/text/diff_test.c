/* diff_test.c -- hunks: read, made, printed; words inside lines. */
#include "tests/check.h"

#include "shared/text/diff.h"
#include "shared/base/ban.h"

static void makes_hunks(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int context;
		const char *a, *b, *out;
	} rows[] = {
		{ "the same", 3, "a\nb\n", "a\nb\n", "" },
		{ "both empty", 3, "", "", "" },
		{ "created", 3, "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n" },
		{ "deleted", 3, "a\n", "", "@@ -1 +0,0 @@\n-a\n" },
		{ "one line", 1, "a\nb\nc\nd\n", "a\nx\nc\nd\n",
			"@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n" },
		{ "no context", 0, "a\nb\nc\n", "a\nc\nd\n",
			"@@ -2 +1,0 @@\n-b\n@@ -3,0 +3 @@\n+d\n" },
		{ "near ones share a hunk", 1, "a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n",
			"@@ -1,2 +1,2 @@\n-a\n+x\n b\n@@ -4,2 +4,2 @@\n d\n-e\n+y\n" },
		{ "nearer ones", 1, "a\nb\nc\nd\n", "x\nb\nc\ny\n",
			"@@ -1,4 +1,4 @@\n-a\n+x\n b\n c\n-d\n+y\n" },
		{ "newline taken from the end", 3, "a\nb\n", "a\nb",
			"@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n" },
		{ "newline put to the end", 3, "b", "b\n",
			"@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n" },
		{ "neither has one", 3, "a\nb", "x\nb",
			"@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n" },
		{ "last lines differ, neither has one", 3, "a", "b",
			"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end "
			"of file\n" },
		{ "the end that was the middle", 0, "a\nb", "a\nb\nc",
			"@@ -2 +2,2 @@\n-b\n\\ No newline at end of file\n+b\n+c\n"
			"\\ No newline at end of file\n" },
		{ "a block slides behind the blank line", 0, "f {\n\tx;\n}\n\nh {\n\ty;\n}\n",
			"f {\n\tx;\n}\n\ng {\n\tz;\n}\n\nh {\n\ty;\n}\n",
			"@@ -3,0 +4,4 @@\n+\n+g {\n+\tz;\n+}\n" },
		{ "an item more of a list", 0, "[\n  a,\n  b,\n]\n", "[\n  a,\n  b,\n  b,\n]\n",
			"@@ -3,0 +4 @@\n+  b,\n" },
		{ "returns are part of a line", 0, "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;
		struct vy_diff_file f;
		VY_AUTO_BUF b = VY_BUF_INIT(65536);

		vy_arena_init(&a);
		vy_diff_make(
			vy_str_c(rows[i].a), vy_str_c(rows[i].b), (size_t)rows[i].context, &a, &f);
		check_true(rows[i].name, vy_diff_print(&f, &b));
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
		vy_arena_fini(&a);
	}
}

static void add_line(struct vy_buf *out, const struct vy_diff_line *l)
{
	vy_buf_addstr(out, l->text);
	vy_buf_adds(out, l->no_newline ? "" : "\n");
}

/* The old text with its hunks applied; checks that context and removed lines are really there. */
static void apply(struct vy_str old_text, const struct vy_diff_file *f, struct vy_buf *out)
{
	size_t line = 1, at = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct vy_diff_hunk *h = &f->hunks[i];
		size_t start = h->old_start + (h->old_count == 0);

		for (; line < start; line++) {
			const char *nl = memchr(old_text.p + at, '\n', old_text.n - at);

			check_true("the hunk begins inside the text", nl != NULL);
			vy_buf_add(out, old_text.p + at, (size_t)(nl - old_text.p) + 1 - at);
			at = (size_t)(nl - old_text.p) + 1;
		}
		for (size_t k = 0; k < h->n; k++) {
			VY_AUTO_BUF one = VY_BUF_INIT(65536);

			add_line(&one, &h->lines[k]);
			if (h->lines[k].kind != '+') {
				check_true("the line is there",
					at + one.len <= old_text.n &&
						memcmp(old_text.p + at, vy_buf_c(&one), one.len) ==
							0);
				at += one.len;
				line++;
			}
			if (h->lines[k].kind != '-') {
				vy_buf_addstr(out, vy_buf_str(&one));
			}
		}
	}
	vy_buf_addstr(out, vy_str_from(old_text, at));
}

/* A small generator, so that every run tries the same texts. */
static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16 & 0x7FFF;
}

static void random_text(unsigned *seed, size_t lines, unsigned words, struct vy_buf *out)
{
	vy_buf_clear(out);
	for (size_t i = 0; i < lines; i++) {
		vy_buf_addf(out, "%*s%u\n", (int)(next_random(seed) % 3 * 2), "",
			next_random(seed) % words);
	}
	if (out->len && next_random(seed) % 4 == 0) {
		vy_buf_truncate(out, out->len - 1);
	}
}

/* made hunks turn the old text into the new one, forwards from what was printed and read again */
static void round_trips(void **state)
{
	(void)state;
	unsigned seed = 7;

	for (unsigned round = 0; round < 400; round++) {
		VY_AUTO_BUF a = VY_BUF_INIT(1 << 20);
		VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);
		VY_AUTO_BUF got = VY_BUF_INIT(1 << 20);
		VY_AUTO_BUF printed = VY_BUF_INIT(1 << 20);
		VY_AUTO_BUF again = VY_BUF_INIT(1 << 20);
		struct vy_arena arena;
		struct vy_diff_file f;
		struct vy_diff d;

		random_text(&seed, next_random(&seed) % 40, 2 + round % 9, &a);
		random_text(&seed, next_random(&seed) % 40, 2 + round % 9, &b);
		vy_arena_init(&arena);
		vy_diff_make(vy_buf_str(&a), vy_buf_str(&b), round % 4, &arena, &f);
		apply(vy_buf_str(&a), &f, &got);
		check_vstr("applied", vy_buf_str(&got), vy_buf_str(&b));
		vy_diff_print(&f, &printed);
		vy_diff_parse(vy_buf_str(&printed), &arena, &d);
		check_int("one file, or none", (long long)d.n, f.n > 0);
		if (d.n) {
			vy_diff_print(&d.files[0], &again);
			check_vstr("read as printed", vy_buf_str(&again), vy_buf_str(&printed));
			check_int("added", (long long)d.files[0].added, (long long)f.added);
			check_int("removed", (long long)d.files[0].removed, (long long)f.removed);
		}
		vy_arena_fini(&arena);
	}
}

/* For small texts the edit is a shortest one (counted by the textbook's table). */
static void is_shortest_when_small(void **state)
{
	(void)state;
	unsigned seed = 3;

	for (unsigned round = 0; round < 200; round++) {
		char a[24], b[24];
		size_t table[13][13] = { { 0 } };
		struct vy_arena arena;
		struct vy_diff_file f;
		size_t n = next_random(&seed) % 12, m = next_random(&seed) % 12;

		for (size_t i = 0; i < n; i++) {
			a[2 * i] = (char)('a' + next_random(&seed) % 3);
			a[2 * i + 1] = '\n';
		}
		for (size_t i = 0; i < m; i++) {
			b[2 * i] = (char)('a' + next_random(&seed) % 3);
			b[2 * i + 1] = '\n';
		}
		for (size_t i = 0; i <= n; i++) {
			for (size_t j = 0; j <= m; j++) {
				size_t x = i ? table[i - 1][j] : 0, y = j ? table[i][j - 1] : 0;

				table[i][j] = i && j && a[2 * i - 2] == b[2 * j - 2]
						      ? table[i - 1][j - 1] + 1
					      : x > y ? x
						      : y;
			}
		}
		vy_arena_init(&arena);
		vy_diff_make(vy_str_n(a, 2 * n), vy_str_n(b, 2 * m), 0, &arena, &f);
		check_int("lines changed", (long long)(f.added + f.removed),
			(long long)(n + m - 2 * table[n][m]));
		vy_arena_fini(&arena);
	}
}

static void bounds_its_cost(void **state)
{
	(void)state;
	VY_AUTO_BUF a = VY_BUF_INIT(8 << 20);
	VY_AUTO_BUF b = VY_BUF_INIT(8 << 20);
	VY_AUTO_BUF got = VY_BUF_INIT(8 << 20);
	unsigned seed = 1;
	struct vy_arena arena;
	struct vy_diff_file f;

	random_text(&seed, 60000, 50, &a); /* nothing in common but by chance */
	random_text(&seed, 60000, 50, &b);
	vy_arena_init(&arena);
	vy_diff_make(vy_buf_str(&a), vy_buf_str(&b), 3, &arena, &f);
	apply(vy_buf_str(&a), &f, &got);
	check_true("right all the same", vy_str_eq(vy_buf_str(&got), vy_buf_str(&b)));
	vy_arena_fini(&arena);
}

/* What was read, in one line each. */
static void dump(const struct vy_diff *d, struct vy_buf *out)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct vy_diff_file *f = &d->files[i];

		vy_buf_addf(out, "[%.*s>%.*s%s%s%s%s +%zu-%zu]\n", VY_STR_ARG(f->old_path),
			VY_STR_ARG(f->new_path), f->is_created ? " created" : "",
			f->is_deleted ? " deleted" : "", f->is_renamed ? " renamed" : "",
			f->is_binary ? " binary" : "", f->added, f->removed);
		for (size_t k = 0; k < f->n; k++) {
			const struct vy_diff_hunk *h = &f->hunks[k];

			vy_buf_addf(out, "%zu,%zu %zu,%zu {%.*s}", h->old_start, h->old_count,
				h->new_start, h->new_count, VY_STR_ARG(h->section));
			for (size_t l = 0; l < h->n; l++) {
				vy_buf_addf(out, "|%c%.*s%s", h->lines[l].kind,
					VY_STR_ARG(h->lines[l].text),
					h->lines[l].no_newline ? "$" : "");
			}
			vy_buf_adds(out, "\n");
		}
	}
}

static void reads_unified(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in, *out;
	} rows[] = {
		{ "nothing", "", "" },
		{ "words only", "no diff here\n-- \n+++ x\n", "" },
		{ "plain",
			"--- a/x.c\t2026-11-30\n+++ b/x.c\t2026-11-30\n@@ -1,2 +1,2 @@ int f()\n "
			"a\n-b\n+c\n",
			"[x.c>x.c +1-1]\n1,2 1,2 {int f()}| a|-b|+c\n" },
		{ "a hunk without a file", "@@ -3 +3 @@\n-a\n+b\n",
			"[> +1-1]\n3,1 3,1 {}|-a|+b\n" },
		{ "created",
			"--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
			"[>n created +1-0]\n0,0 1,1 {}|+a$\n" },
		{ "deleted",
			"diff --git a/d b/d\ndeleted file mode 100644\nindex 1..0\n--- a/d\n"
			"+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
			"[d> deleted +0-1]\n1,1 0,0 {}|-a\n" },
		{ "renamed",
			"diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
			"[o>n renamed +0-0]\n" },
		{ "binary",
			"diff --git a/p q.png b/p q.png\nBinary files a/p q.png and b/p q.png "
			"differ\n",
			"[p q.png>p q.png binary +0-0]\n" },
		{ "two files",
			"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
			"diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n",
			"[x>x +1-1]\n1,1 1,1 {}|-a|+b\n[y>y +1-1]\n1,1 1,1 {}|-c|+d\n" },
		{ "two plain files",
			"--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n--- y\n+++ y\n@@ -1 +1 @@\n-c\n+d\n",
			"[x>x +1-1]\n1,1 1,1 {}|-a|+b\n[y>y +1-1]\n1,1 1,1 {}|-c|+d\n" },
		{ "removed lines that look like headers",
			"--- x\n+++ x\n@@ -1,2 +1,2 @@\n--- a\n--- b\n+++ a\n+++ b\n",
			"[x>x +2-2]\n1,2 1,2 {}|--- a|--- b|+++ a|+++ b\n" },
		{ "signature behind the last hunk", "@@ -1 +1 @@\n-a\n+b\n-- \n2.40\n",
			"[> +1-1]\n1,1 1,1 {}|-a|+b\n" },
		{ "a context line that lost its blank", "@@ -1,3 +1,2 @@\n a\n\n-b\n",
			"[> +0-1]\n1,3 1,2 {}| a| |-b\n" },
		{ "a hunk that ends early", "@@ -1,9 +1,9 @@\n a\n-b\n@@ -20 +20 @@\n-c\n+d\n",
			"[> +1-2]\n1,2 1,1 {}| a|-b\n20,1 20,1 {}|-c|+d\n" },
		{ "quoted names",
			"--- \"a/\\303\\244 \\\"b\\\"\"\n+++ \"b/\\303\\244 \\\"b\\\"\"\n@@ -1 +1 "
			"@@\n-a\n+b\n",
			"[ä \"b\">ä \"b\" +1-1]\n1,1 1,1 {}|-a|+b\n" },
		{ "quoted names of git", "diff --git \"a/\\tx\" \"b/\\tx\"\nnew file mode 100644\n",
			"[\tx>\tx created +0-0]\n" },
		{ "numbers beyond all", "@@ -99999999999999999999999 +1 @@\n-a\n", "" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;
		struct vy_diff d;
		VY_AUTO_BUF b = VY_BUF_INIT(65536);

		vy_arena_init(&a);
		vy_diff_parse(vy_str_c(rows[i].in), &a, &d);
		dump(&d, &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
		vy_arena_fini(&a);
	}
}

static void finds_partners(void **state)
{
	(void)state;
	static const char kinds[] = " --+-++ +- ";
	static const int want[] = { -1, 3, -1, 1, 5, 4, -1, -1, -1, -1, -1 };
	struct vy_diff_line lines[sizeof(kinds) - 1];
	struct vy_diff_hunk h = { .lines = lines, .n = VY_COUNT(lines) };

	for (size_t i = 0; i < h.n; i++) {
		lines[i] = (struct vy_diff_line){ .kind = kinds[i] };
	}
	for (size_t i = 0; i < h.n; i++) {
		char name[32];

		snprintf(name, sizeof(name), "line %zu", i);
		check_int(name, (long long)vy_diff_partner(&h, i), want[i]);
	}
	check_int("past the end", (long long)vy_diff_partner(&h, h.n), -1);
}

static void mark(struct vy_str s, const struct vy_diff_range *r, size_t n, struct vy_buf *out)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		vy_buf_addf(out, "%.*s[%.*s]", (int)(r[i].start - at), s.p + at,
			(int)(r[i].end - r[i].start), s.p + r[i].start);
		at = r[i].end;
	}
	vy_buf_addstr(out, vy_str_from(s, at));
}

static void emphasises_words(void **state)
{
	(void)state;
	static const struct {
		const char *name, *a, *b, *out;
	} rows[] = {
		{ "the same", "a b", "a b", "a b / a b" },
		{ "one word", "return old;", "return new;", "return [old]; / return [new];" },
		{ "words beside each other", "keep this one two kept", "keep this x y kept",
			"keep this [one two] kept / keep this [x y] kept" },
		{ "put in", "f(a)", "f(a, b)", "f(a) / f(a[, b])" },
		{ "indent", "  word", "\tword", "[  ]word / [\t]word" },
		{ "ideographs one by one", "中文字典", "中国字典", "中[文]字典 / 中[国]字典" },
		{ "no part of an emoji", "to 👩‍💻 here", "to 👨‍💻 here",
			"to [👩‍💻] here / to [👨‍💻] here" },
		{ "another line", "alpha beta", "gamma delta x", "-" },
		{ "from nothing", "", "word", "-" },
		{ "bad bytes", "a \xFF here it is", "a \xFE here it is",
			"a [\xFF] here it is / a [\xFE] here it is" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;
		struct vy_diff_words w;
		VY_AUTO_BUF b = VY_BUF_INIT(65536);
		struct vy_str x = vy_str_c(rows[i].a), y = vy_str_c(rows[i].b);

		vy_arena_init(&a);
		if (vy_diff_words(x, y, &a, &w)) {
			mark(x, w.old_ranges, w.n_old, &b);
			vy_buf_adds(&b, " / ");
			mark(y, w.new_ranges, w.n_new, &b);
		} else {
			vy_buf_adds(&b, "-");
		}
		check_str(rows[i].name, vy_buf_c(&b), rows[i].out);
		vy_arena_fini(&a);
	}
}

CHECK_MAIN(CHECK_TEST(makes_hunks), CHECK_TEST(round_trips), CHECK_TEST(is_shortest_when_small),
	CHECK_TEST(bounds_its_cost), CHECK_TEST(reads_unified), CHECK_TEST(finds_partners),
	CHECK_TEST(emphasises_words))
