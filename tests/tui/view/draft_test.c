/* draft_test.c -- what stands in a composer, to a document and back: the same text, chips, cursor. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/view/draft.h"

static const struct edit_image png = { "image/png", { "\0\1\2\3", 4 }, 4, 3 };

static void type(struct composer *c, const char *text)
{
	edit_insert(&c->edit, vy_str_c(text));
}

static void fill_nothing(struct composer *c)
{
	(void)c;
}

static void fill_text(struct composer *c)
{
	type(c, "one\n中👩‍👩‍👧 \"two\"");
}

static void fill_cursor(struct composer *c)
{
	type(c, "one two");
	edit_word_left(&c->edit);
}

static void fill_chips(struct composer *c)
{
	type(c, "see ");
	edit_paste_chip(&c->edit, VY_STR_LIT("a\nb\xEF\xBF\xBC"));
	type(c, " and ");
	edit_add_image(&c->edit, &png);
	edit_paste_chip(&c->edit, VY_STR_LIT("x"));
	edit_left(&c->edit);
}

static void fill_walking(struct composer *c)
{
	composer_remember(c, VY_STR_LIT("before"));
	type(c, "the draft ");
	edit_paste_chip(&c->edit, VY_STR_LIT("chip"));
	composer_back(c);
}

static const struct {
	const char *name;
	void (*fill)(struct composer *c);
	const char *doc;
} rows[] = {
	{ "nothing", fill_nothing, NULL },
	{ "a text", fill_text,
		"{\"at\":31,\"parts\":[\"one\\n中👩‍👩‍👧 \\\"two\\\"\"]}" },
	{ "the cursor", fill_cursor, "{\"at\":4,\"parts\":[\"one two\"]}" },
	{ "chips", fill_chips,
		"{\"at\":23,\"parts\":[\"see \",{\"pasted\":\"a\\nb\xEF\xBF\xBC\"},\" and \","
		"{\"image\":{\"b64\":\"AAECAw==\",\"h\":3,\"mime\":\"image/png\",\"w\":4}},"
		"{\"pasted\":\"x\"}]}" },
	{ "the draft, not the line recalled", fill_walking,
		"{\"at\":17,\"parts\":[\"the draft \",{\"pasted\":\"chip\"}]}" },
};

static char *dump(const struct vy_json *doc)
{
	struct vy_buf b = VY_BUF_INIT(65536);

	vy_json_dump_canonical(doc, &b);
	return vy_buf_take(&b, NULL);
}

static void there_and_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct composer a, b;

		composer_init(&a);
		composer_init(&b);
		rows[i].fill(&a);
		struct vy_json *doc = draft_pack(&a), *again;

		if (!rows[i].doc) {
			assert_null(doc);
		} else {
			char *text = dump(doc), *text_again;

			check_str(rows[i].name, text, rows[i].doc);
			type(&b, "what stood there");
			assert_true(draft_unpack(&b, doc));
			again = draft_pack(&b);
			text_again = dump(again);
			check_str(rows[i].name, text_again, text);
			edit_undo(&b.edit);
			check_str("undone", vy_buf_c(&b.edit.text), "what stood there");
			free(text);
			free(text_again);
			vy_json_free(again);
		}
		vy_json_free(doc);
		composer_fini(&a);
		composer_fini(&b);
	}
}

/* Whatever stands in the file, the composer is usable after it. */
static void bad_documents(void **state)
{
	static const char *const docs[] = { "{}", "{\"parts\":7}", "{\"parts\":[7,null,{},[]]}",
		"{\"parts\":[\"ab\"],\"at\":99}", "{\"parts\":[\"中\"],\"at\":1}",
		"{\"parts\":[{\"image\":{\"mime\":\"image/png\",\"b64\":\"!\"}}]}",
		"{\"parts\":[{\"image\":{\"b64\":\"AAEC\",\"w\":-1}}]}",
		"{\"parts\":[\"\xEF\xBF\xBC\xF3\xB0\x80\x80\",{\"pasted\":\"x\"}],\"at\":5}" };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(docs); i++) {
		struct composer c;
		VY_AUTO_JSON *doc = vy_json_parse(vy_str_c(docs[i]), NULL);

		assert_non_null(doc);
		composer_init(&c);
		draft_unpack(&c, doc);
		assert_true(c.edit.at <= c.edit.text.len);
		for (int k = 0; k < 9; k++) {
			edit_left(&c.edit);
		}
		type(&c, "ok ");
		check_vstr(docs[i], vy_str_n(c.edit.text.data, 3), VY_STR_LIT("ok "));
		composer_fini(&c);
	}
}

CHECK_MAIN(CHECK_TEST(there_and_back), CHECK_TEST(bad_documents))
