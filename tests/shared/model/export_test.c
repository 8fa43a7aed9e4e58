/* export_test.c -- a session as a document: whatever was said is text in it and nothing else. */
#include "tests/check.h"

#include <time.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/model/export.h"
#include "shared/base/ban.h"

/* What somebody could say to get out of where it stands. */
static const char *const hostile[] = {
	"<script>alert(1)</script>",
	"</div></body><img src=x onerror=alert(1)>",
	"\"'><b>",
	"&lt;script&gt;",
	"# a heading\n> a quote\n```\n- a list",
	"``` `` ` ````",
	"\x1B]0;title\x07\x1B[2J",
	"\xE2\x80\xAE right to left",
	"a\r\nb\rc",
	"-->\n]]>",
	"",
};

static void write(enum vy_export_format f, const char *text, struct vy_buf *out)
{
	const struct vy_piece piece = { 0, 0 };
	struct vy_str s = vy_str_c(text);
	const struct vy_settled_block blocks[] = { { 0, true, s, &piece, 1 },
		{ 1, false, s, &piece, 1 } };
	const struct vy_settlement said = { .reason = s, .blocks = blocks, .n_blocks = 2 };
	const struct vy_export_head head = {
		.session = s, .title = s, .provider = s, .model = s, .created = 1764502200000
	};
	const struct vy_export_item items[] = {
		{ VY_EXPORT_USER, 1764502200000, s, s, { NULL, 0 }, s, true, { NULL, 0 },
			{ NULL, 0 }, NULL },
		{ VY_EXPORT_ASSISTANT, 1, s, s, s, { NULL, 0 }, false, { NULL, 0 }, { NULL, 0 },
			&said },
		{ VY_EXPORT_TOOL, 1, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, s, false, s, s, NULL },
	};

	vy_export_begin(f, &head, out);
	for (size_t i = 0; i < VY_COUNT(items); i++) {
		vy_export_item(f, &items[i], out);
	}
	vy_export_end(f, out);
}

/* Every tag of the document is one of ours, and every "&" begins one of five. */
static void check_html(const char *name, const char *doc)
{
	static const char *const tags[] = { "!doctype html>", "html>", "/html>", "head>", "/head>",
		"meta ", "title>", "/title>", "style>", "/style>", "body>", "/body>", "h1>", "/h1>",
		"div>", "div class=\"by\">", "div class=\"sub\">", "div class=\"text\">",
		"div class=\"text user\">", "div class=\"text thinking\">", "div class=\"tool\">",
		"div class=\"cut\">", "/div>" };
	static const char *const entities[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&#39;" };
	int depth = 0;

	for (const char *p = doc; *p; p++) {
		bool is_known = *p != '<' && *p != '&';

		for (size_t i = 0; *p == '<' && i < VY_COUNT(tags); i++) {
			is_known |= strncmp(p + 1, tags[i], strlen(tags[i])) == 0;
		}
		for (size_t i = 0; *p == '&' && i < VY_COUNT(entities); i++) {
			is_known |= strncmp(p, entities[i], strlen(entities[i])) == 0;
		}
		if (!is_known) {
			fail_msg("%s: %.60s", name, p);
		}
		depth += strncmp(p, "<div", 4) == 0 ? 1 : strncmp(p, "</div", 5) == 0 ? -1 : 0;
		check_true(name, depth >= 0);
		check_true(name, (unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t');
	}
	check_int(name, depth, 0);
	check_true(name, strstr(doc, "default-src 'none'") != NULL);
}

/* Its lines begin as ours do: an assistant's text apart, which is Markdown itself. */
static void check_md(const char *name, const char *doc)
{
	check_true(name, strncmp(doc, "# `", 3) == 0);
	for (const char *p = doc; *p; p++) {
		check_true(name, (unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t');
	}
}

static void check_jsonl(const char *name, const char *doc)
{
	int lines = 0;

	while (*doc) {
		size_t n = strcspn(doc, "\n");
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(doc, n), NULL);

		check_true(name, vy_json_cstr(v, "kind") != NULL);
		doc += n + 1;
		lines++;
	}
	check_int(name, lines, 4);
}

static void hostile_text_stays_text(void **state)
{
	static void (*const checks[])(
		const char *name, const char *doc) = { check_md, check_jsonl, check_html };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(hostile); i++) {
		for (int f = 0; f < VY_EXPORT_FORMATS; f++) {
			VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

			write((enum vy_export_format)f, hostile[i], &out);
			checks[f](hostile[i], vy_buf_c(&out));
		}
	}
}

static void as_it_looks(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	(void)state;
	write(VY_EXPORT_MD, "a `b`\n# c", &out);
	check_str("Markdown", vy_buf_c(&out),
		"# `` a `b`\xE2\x90\x8A# c ``\n\n"
		"`` a `b`\xE2\x90\x8A# c `` \xC2\xB7 `` a `b`\xE2\x90\x8A# c `` \xC2\xB7 "
		"2025-11-30 11:30 UTC\n\n"
		"## `` a `b`\xE2\x90\x8A# c `` \xC2\xB7 2025-11-30 11:30 UTC\n\n"
		"> a `b`\n> # c\n\n> [\xE2\x80\xA6]\n\n"
		"### `` a `b`\xE2\x90\x8A# c `` \xC2\xB7 1970-01-01 00:00 UTC\n\n"
		"> a `b`\n> # c\n\na `b`\n# c\n\n*[`` a `b`\xE2\x90\x8A# c ``]*\n\n"
		"- `` a `b`\xE2\x90\x8A# c `` `` a `b`\xE2\x90\x8A# c `` "
		"(`` a `b`\xE2\x90\x8A# c ``)\n\n");
}

/* Every ninth day of some centuries, as the system's calendar has it. */
static void dates(void **state)
{
	(void)state;
	for (int64_t ms = 0; ms < 12000000000000; ms += 9 * 86400000LL + 61000) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_KIB);
		const struct vy_export_head head = { .created = ms };
		time_t s = (time_t)(ms / 1000);
		struct tm tm;
		char want[64];

		vy_export_begin(VY_EXPORT_MD, &head, &out);
		assert_non_null(gmtime_r(&s, &tm));
		strftime(want, sizeof(want), "%Y-%m-%d %H:%M UTC", &tm);
		check_true(want, strstr(vy_buf_c(&out), want) != NULL);
	}
}

CHECK_MAIN(CHECK_TEST(dates), CHECK_TEST(hostile_text_stays_text), CHECK_TEST(as_it_looks))
