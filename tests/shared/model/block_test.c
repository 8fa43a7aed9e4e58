/* block_test.c -- blocks: read whatever comes, write what fits, and no secret past a placeholder. */
#include "tests/shared/frame/frames.h"

#include "shared/frame/check.h"
#include "shared/model/block.h"
#include "shared/rpc/schema.h"
#include "shared/base/ban.h"

/* in → read → written; the same again must change nothing. */
static const struct {
	const char *name, *in, *out;
} rows[] = {
	{ "text", "{'type':'text','text':'hi'}", "{'type':'text','text':'hi'}" },
	{ "terminal", "{'type':'terminal','command':'ls','output':'a\\nb','exit':0}",
		"{'type':'terminal','command':'ls','exit':0,'output':'a\\nb'}" },
	{ "terminal that runs on",
		"{'type':'terminal','command':'ls','output':'','truncated':true,'ref':'r1'}",
		"{'type':'terminal','command':'ls','output':'','truncated':true,'ref':'r1'}" },
	{ "a negative exit", "{'type':'terminal','command':'x','output':'','exit':-9}",
		"{'type':'terminal','command':'x','exit':-9,'output':''}" },
	{ "diff",
		"{'type':'diff','path':'a.c','created':true,'added':1,'removed':0,"
		"'hunks':[{'old_start':0,'new_start':1,'lines':['+x',' y']}]}",
		"{'type':'diff','path':'a.c','created':true,'added':1,'removed':0,"
		"'hunks':[{'old_start':0,'new_start':1,'lines':['+x',' y']}]}" },
	{ "files",
		"{'type':'files','files':[{'path':'a','line':3,'text':'t'},{'path':'b'},'c'],'"
		"detail':'d'}",
		"{'type':'files','detail':'d','files':[{'path':'a','line':3,'text':'t'},{'path':'b'"
		"},{'path':'c'}]}" },
	{ "task",
		"{'type':'task','items':[{'text':'a','status':'done'},{'text':'b','status':'"
		"running'},"
		"{'text':'c'},'d']}",
		"{'type':'task','items':[{'text':'a','status':'done'},{'text':'b','status':'"
		"running'},"
		"{'text':'c','status':'pending'},{'text':'d','status':'pending'}]}" },
	{ "record", "{'type':'record','title':'t','fields':[{'label':'l','kind':'k','value':'v'}]}",
		"{'type':'record','title':'t','fields':[{'label':'l','kind':'k','value':'v'}]}" },
	{ "draft", "{'type':'draft','title':'t','fields':[],'body':'b'}",
		"{'type':'draft','title':'t','fields':[],'body':'b'}" },
	{ "flow-change", "{'type':'flow-change','title':'t','steps':['a',{'title':'b'}]}",
		"{'type':'flow-change','title':'t','steps':['a','b']}" },
	{ "answer", "{'type':'answer','text':'a','sources':['s',{'url':'u'}]}",
		"{'type':'answer','text':'a','sources':['s','u']}" },
	{ "screen", "{'type':'screen','ref':'r','mime':'image/png','w':3,'h':4,'alt':'a'}",
		"{'type':'screen','ref':'r','mime':'image/png','w':3,'h':4,'alt':'a'}" },
	{ "field-ref", "{'type':'field-ref','record':'r','field':'f'}",
		"{'type':'field-ref','record':'r','field':'f'}" },
	{ "field", "{'type':'field','label':'l','value':'v'}",
		"{'type':'field','label':'l','value':'v'}" },
	{ "a note stays", "{'type':'text','text':'hi','note':'visible to everyone in this chat'}",
		"{'type':'text','text':'hi','note':'visible to everyone in this chat'}" },

	{ "sealed: nothing beside the placeholder",
		"{'type':'field','label':'card','kind':'iban','value':'DE1','raw':'DE1',"
		"'placeholder':{'sealed':true,'present':true,'valid_format':true,'can_reveal':"
		"false,'value':'DE1'}}",
		"{'type':'field','label':'card','kind':'iban','placeholder':{'sealed':true,'"
		"present':true,"
		"'valid_format':true,'can_reveal':false}}" },
	{ "sealed, told flatly",
		"{'type':'record','title':'t','fields':[{'label':'l','sealed':'iban',"
		"'present':true,'value':'DE1'}]}",
		"{'type':'record','title':'t','fields':[{'label':'l','placeholder':{'sealed':true,'"
		"present':true,"
		"'valid_format':false,'can_reveal':false}}]}" },
	{ "hidden by role",
		"{'type':'field','label':'pay','placeholder':{'hidden':'role','kind':'money',"
		"'present':true,'can_reveal':true,'value':'5'},'value':'5'}",
		"{'type':'field','label':'pay','kind':'money','placeholder':{'hidden':'role','"
		"present':true}}" },

	{ "a shape nobody knows, with words", "{'type':'hologram','title':'T','data':{'deep':[1]}}",
		"{'type':'text','text':'T'}" },
	{ "without words", "{'type':'hologram','data':{'deep':[1]}}",
		"{'type':'text','text':'(hologram: this version cannot show it)'}" },
	{ "no shape", "{'x':1}", "{'type':'text','text':''}" },
	{ "no object", "[1,2]", "{'type':'text','text':''}" },
	{ "no JSON", "{'type':", "{'type':'text','text':''}" },
	{ "nothing", "", "{'type':'text','text':''}" },
	{ "parts of another type", "{'type':'diff','path':5,'hunks':{'a':1},'added':'x','note':7}",
		"{'type':'diff','path':'','added':0,'removed':0,'hunks':[]}" },
	{ "items of another type", "{'type':'task','items':[1,null,[],{'status':'odd'}]}",
		"{'type':'task','items':[{'text':'','status':'pending'},{'text':'','status':'"
		"pending'},"
		"{'text':'','status':'pending'},{'text':'','status':'pending'}]}" },
};

static struct vy_str written(struct vy_arena *a, const struct vy_block *b)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&out);

	vy_block_write(b, &w);
	check_true("fits", !vy_buf_is_over(&out));
	return vy_arena_str(a, vy_buf_str(&out));
}

/* What is written is what the table of shapes says, and nothing else. */
static void fits_its_row(const char *name, const struct vy_block *b, struct vy_str json)
{
	static const char *const members[] = {
#define VY_BLOCK(name, word, members) members,
#include "shared/model/blocks.def"
#undef VY_BLOCK
	};
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	VY_AUTO_JSON *v = vy_json_parse(json, NULL);
	struct vy_arena a;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	vy_buf_addf(&text, "{type: str, %s, ref?: str, note?: str}", members[b->kind]);
	const struct vy_schema *s = vy_schema_parse(vy_buf_str(&text), &a, &e);

	check_true(name, s && vy_schema_check_whole(s, v, "block", &e) == 0);
	check_str(name, e.text, "");
	vy_arena_fini(&a);
}

static void shapes(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_block b;

		vy_block_parse(quoted(&a, rows[i].in), &a, &b);
		struct vy_str once = written(&a, &b);

		check_vstr(rows[i].name, once, quoted(&a, rows[i].out));
		fits_its_row(rows[i].name, &b, once);
		vy_block_parse(once, &a, &b);
		check_vstr(rows[i].name, written(&a, &b), once);
	}
	vy_arena_fini(&a);
}

/* A value that a careless caller left beside a seal does not leave. */
static void a_seal_holds_in_memory_too(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_block b = { .kind = VY_BLOCK_FIELD,
		.field = { .label = vy_str_c("l"), .value = vy_str_c("secret"), .sealed = true } };

	vy_arena_init(&a);
	check_true("sealed", !strstr(written(&a, &b).p, "secret"));
	b.field.sealed = false;
	b.field.hidden = vy_str_c("role");
	check_true("hidden", !strstr(written(&a, &b).p, "secret"));
	vy_arena_fini(&a);
}

/* ---- sizes: whatever the words, the block fits into a frame and says what it lacks ---- */

static struct vy_str many(struct vy_arena *a, const char *bit, size_t times)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	for (size_t i = 0; i < times; i++) {
		vy_buf_adds(&b, bit);
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

static void big_blocks_fit(void **state)
{
	(void)state;
	static const struct {
		const char *name, *bit;
		size_t times;
		const char *note;
	} sizes[] = {
		{ "just enough", "x", VY_FRAME_TEXT_MAX - 2, NULL },
		{ "one too much", "x", VY_FRAME_TEXT_MAX - 1, "cut: 64.0 of 64.0 KiB" },
		{ "much too much", "x", 300 * VY_KIB, "cut: 64.0 of 300.0 KiB" },
		{ "between characters", "\u4E2D", 30000, "cut: 63.9 of 87.8 KiB" },
		{ "control bytes", "\x01", VY_FRAME_TEXT_MAX - 2, "cut: 32.0 of 64.0 KiB" },
		{ "quotes", "\"", VY_FRAME_TEXT_MAX - 2, NULL },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(sizes); i++) {
		struct vy_block b = { .kind = VY_BLOCK_TERMINAL,
			.ref = vy_str_c("r"),
			.terminal = { .command = vy_str_c("ls"),
				.output = many(&a, sizes[i].bit, sizes[i].times) } };
		struct vy_block c;
		struct vy_err e = { 0 };
		struct vy_frame f = frame_of(
			&a, 1, "tool-finished", "'tool_id':'t','ok':true,'status':'completed'");
		struct vy_str json = written(&a, &b);

		vy_frame_set_json(&f, VY_F_RESULT, json);
		check_int(sizes[i].name, vy_frame_check(&f, &e), 0);
		vy_block_parse(json, &a, &c);
		check_vstr(sizes[i].name, c.note, vy_str_c(sizes[i].note));
		check_int(sizes[i].name, c.terminal.truncated, sizes[i].note != NULL);
		check_vstr("the way to the rest stays", c.ref, b.ref);
		check_vstr("a beginning", c.terminal.output,
			vy_str_n(b.terminal.output.p, c.terminal.output.n));
	}
	vy_arena_fini(&a);
}

static void long_lists_fit(void **state)
{
	(void)state;
	enum { N = 4000 };
	struct vy_arena a;
	struct vy_block c;

	vy_arena_init(&a);
	struct vy_str *lines = vy_arena_calloc(&a, N, sizeof(*lines));
	struct vy_block_hunk hunk = { 1, 1, N, lines };
	struct vy_block b = { .kind = VY_BLOCK_DIFF,
		.note = vy_str_c("careful"),
		.diff = { .path = vy_str_c("p"), .n = 1, .hunks = &hunk } };

	for (size_t i = 0; i < N; i++) {
		lines[i] = vy_str_c("+0123456789012345678901234567890");
	}
	struct vy_str json = written(&a, &b);

	check_true("fits", json.n < 200 * VY_KIB);
	vy_block_parse(json, &a, &c);
	check_true("most of it", c.diff.hunks[0].n > 1000 && c.diff.hunks[0].n < N);
	check_vstr("both notes", c.note, vy_str_c("careful · cut: 63.9 of 125.0 KiB"));
	vy_arena_fini(&a);
}

static void cuts(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_str note;

	vy_arena_init(&a);
	check_vstr("short", vy_block_cut(vy_str_c("abc"), 3, &a, &note), vy_str_c("abc"));
	check_int("no note", (long long)note.n, 0);
	check_vstr("cut", vy_block_cut(vy_str_c("ab\u00E9"), 3, &a, &note), vy_str_c("ab"));
	check_vstr("note", note, vy_str_c("cut: 2 of 4 bytes"));
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(shapes), CHECK_TEST(a_seal_holds_in_memory_too), CHECK_TEST(big_blocks_fit),
	CHECK_TEST(long_lists_fit), CHECK_TEST(cuts))
