/* doors_test.c -- what a sealed or hidden field must not say leaves by no door: it is in no log.
 *
 * Blocks that say it all the same go in, as a driver with a fault would send them; then everything that
 * gives something out is read, and what is stored, and searched for the words. */
#include "server/hub/hub.h"

#include "tests/check.h"

#include "server/hub/control.h"
#include "server/hub/follow.h"
#include "server/hub/ui.h"
#include "server/hub/view.h"
#include "server/log/export.h"
#include "server/log/history.h"
#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/io/loop.h"
#include "shared/model/block.h"
#include "shared/model/fold.h"
#include "tests/server/loop_turn.h"
#include "shared/base/ban.h"

#define SECRET "zanzibar"
#define SHOWN  "madagascar"
#define MAX    (16 * VY_MIB)

static const struct {
	const char *name, *block;
} blocks[] = {
	{ "a record",
		"{'type':'record','title':'t','fields':[{'label':'pin','sealed':true,"
		"'present':true,'value':'zanzibar'},{'label':'city','value':'madagascar'}]}" },
	{ "its placeholder with more",
		"{'type':'record','title':'t','fields':[{'label':'pin','value':'zanzibar',"
		"'placeholder':{'sealed':{'ref':'zanzibar'},'present':true,'value':'zanzibar'}},"
		"{'label':'city','value':'madagascar'}]}" },
	{ "hidden by role", "{'type':'record','title':'t','fields':[{'label':'pay','hidden':'role',"
			    "'kind':'money','value':'zanzibar','present':true},{'label':'city',"
			    "'value':'madagascar'}]}" },
	{ "a draft", "{'type':'draft','title':'t','body':'madagascar','fields':[{'label':'to',"
		     "'sealed':true,'value':'zanzibar'}]}" },
	{ "an answer",
		"{'type':'answer','text':'madagascar','fields':[{'label':'to','hidden':'role',"
		"'value':'zanzibar'}]}" },
	{ "a field alone", "{'type':'field','label':'madagascar','kind':'text','sealed':true,"
			   "'value':'zanzibar'}" },
	{ "of a type nobody knows", "{'type':'ledger','text':'madagascar','rows':[{'sealed':true,"
				    "'value':'zanzibar'}]}" },
};

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
	struct control *control;
	struct ui *ui;
	struct follow *follow;
} t;

static void begin(void)
{
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };

	t.loop = vy_loop_new();
	conf.store = t.store = store_mem_new();
	t.log = log_new(&conf, NULL);
	assert_non_null(t.log);
	t.hub = hub_new(t.log, t.loop);
	t.control = control_new(t.log, t.loop, &vy_clock_real);
	t.ui = ui_new(&(struct ui_conf){
		.log = t.log, .hub = t.hub, .loop = t.loop, .clock = &vy_clock_real });
	t.follow = follow_new(t.log, t.loop);
	log_flush(t.log);
}

static void end(void)
{
	follow_free(t.follow);
	ui_free(t.ui);
	control_free(t.control);
	hub_free(t.hub);
	log_free(t.log);
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
}

static void turn(void)
{
	loop_turn(t.loop);
}

/* ---- in ---- */

static void append(struct vy_frame *f)
{
	struct vy_err e = { 0 };

	f->author = VY_STR_LIT("assistant:a");
	f->turn = VY_STR_LIT("T:1");
	if (log_append(t.log, "S", f, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

static char *quoted(const char *block)
{
	char *json = vy_strdup(block);

	for (char *p = json; *p; p++) {
		*p = *p == '\'' ? '"' : *p;
	}
	return json;
}

static void call(const char *block)
{
	char *json = quoted(block);
	VY_AUTO_BUF array = VY_BUF_INIT(MAX);
	struct vy_frame f;

	LOG_PUT(t.log, ROW_SESSION, session, .session = VY_STR_LIT("S"),
		.doc = VY_STR_LIT("{\"session\":\"S\",\"own\":{\"person\":\"ann\"}}"));
	vy_frame_init(&f, VY_KIND_TOOL_STARTED);
	vy_frame_set_c(&f, VY_F_TOOL_ID, "c");
	vy_frame_set_c(&f, VY_F_TOOL, "T");
	vy_frame_set_c(&f, VY_F_KIND, "other");
	vy_frame_set_c(&f, VY_F_SUMMARY, "looks");
	append(&f);
	vy_frame_init(&f, VY_KIND_TOOL_FINISHED);
	vy_frame_set_c(&f, VY_F_TOOL_ID, "c");
	vy_frame_set_bool(&f, VY_F_OK, true);
	vy_frame_set_c(&f, VY_F_STATUS, "completed");
	vy_frame_set_json(&f, VY_F_RESULT, vy_str_c(json));
	append(&f);
	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	vy_frame_set_c(&f, VY_F_MESSAGE, "m");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, "here it is");
	append(&f);
	vy_buf_addf(&array, "[%s]", json);
	vy_frame_init(&f, VY_KIND_TEXT_DONE);
	vy_frame_set_c(&f, VY_F_MESSAGE, "m");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_json(&f, VY_F_BLOCKS, vy_buf_str(&array));
	append(&f);
	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, "waiting");
	append(&f);
	log_flush(t.log);
	free(json);
}

/* ---- out: each door appends all that it gives ---- */

static void ready(void *ctx)
{
	(void)ctx;
}

static void drain(struct view *v, struct vy_buf *out)
{
	for (int i = 0; i < 8; i++) {
		turn();
		while (view_next(v, out) == VIEW_ITEM) {
		}
	}
	view_close(v);
}

static const struct caller ann = { .kind = CALLER_PERSON, .person = "ann" };

static void by_stream(struct vy_buf *out)
{
	struct hub_open o = { .session = "S", .from = 0, .ready = ready };
	struct view v = { .ops = &view_stream, .sub = hub_subscribe(t.hub, &o) };

	view_mind(&v, NULL, &ann, ready, NULL);
	drain(&v, out);
}

static void by_control(struct vy_buf *out)
{
	struct control_open o = { .who = &ann, .has_since = true, .ready = ready };

	o.since = control_head(t.control) - 1;
	for (int64_t back = 1; back < 64; back++) { /* from as far back as there is something */
		struct control_sub *s;
		VY_AUTO_BUF one = VY_BUF_INIT(MAX);

		o.since = control_head(t.control) - back;
		s = control_subscribe(t.control, &o, NULL);
		while (control_next(s, &one)) {
		}
		control_unsubscribe(s);
		if (memmem(one.data, one.len, "control.reset", 13)) {
			break;
		}
		vy_buf_addstr(out, vy_buf_str(&one));
	}
}

static void by_ui(struct vy_buf *out)
{
	struct ui_open o = { .session = "S", .ready = ready };
	struct ui_sub *s = ui_subscribe(t.ui, &o, NULL);

	for (int i = 0; i < 8; i++) {
		turn();
		while (ui_next(s, out)) {
		}
	}
	ui_unsubscribe(s);
}

static void by_follow(struct vy_buf *out)
{
	struct follow_open o = { .session = "S", .attempts = true, .ready = ready };
	struct follow_sub *s = follow_subscribe(t.follow, &o, NULL);

	for (int i = 0; i < 8; i++) {
		turn();
		while (follow_next(s, out) == VIEW_ITEM) {
		}
	}
	follow_unsubscribe(s);
}

static void by_history(struct vy_buf *out)
{
	struct history_ask ask = { .session = VY_STR_LIT("S"), .limit = 50 };
	bool more;

	assert_int_equal(history_read(t.log, &ask, out, &more, NULL), 0);
}

static void by_export(struct vy_buf *out)
{
	static const enum vy_export_format formats[] = { VY_EXPORT_MD, VY_EXPORT_JSONL,
		VY_EXPORT_HTML };

	for (size_t i = 0; i < VY_COUNT(formats); i++) {
		struct vy_export_head head = { .session = VY_STR_LIT("S") };

		assert_int_equal(export_write(t.log, &head, formats[i], out, NULL), 0);
	}
}

static bool fold(void *ctx, struct frame_ref *f)
{
	struct vy_frame frame;
	struct vy_arena mem;

	vy_arena_init(&mem);
	assert_int_equal(vy_frame_decode(frame_ref_str(f), &mem, &frame, NULL), 0);
	vy_fold_apply(ctx, &frame, NULL);
	vy_arena_fini(&mem);
	return true;
}

static void by_snapshot(struct vy_buf *out)
{
	struct vy_fold *f = vy_fold_new();
	struct vy_jw w = VY_JW(out);

	assert_int_equal(log_read(t.log, "S", 0, fold, f, NULL), 0);
	vy_jw_obj(&w);
	vy_fold_encode(f, true, &w);
	vy_jw_end_obj(&w);
	vy_fold_free(f);
}

static bool add_row(void *ctx, const struct store_row *row)
{
	vy_buf_addstr(ctx, row->kind == ROW_JOURNAL   ? row->journal.data
			   : row->kind == ROW_MESSAGE ? row->message.doc
			   : row->kind == ROW_CONTROL ? row->control.doc
						      : row->kv.value);
	return true;
}

static void as_stored(struct vy_buf *out)
{
	static const enum row_kind kinds[] = { ROW_JOURNAL, ROW_MESSAGE, ROW_CONTROL, ROW_KV };

	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		struct store_row like = { .kind = kinds[i] };

		if (kinds[i] == ROW_MESSAGE) {
			like.message.session = VY_STR_LIT("S");
		}
		assert_int_equal(t.store->ops->each(t.store, &like, add_row, out, NULL), 0);
	}
}

static const struct {
	const char *name;
	void (*read)(struct vy_buf *out);
	bool shows_blocks;
} doors[] = {
	{ "the stream", by_stream, true },
	{ "the control plane", by_control, false },
	{ "the UI projection", by_ui, true },
	{ "follow", by_follow, false },
	{ "history", by_history, false },
	{ "export", by_export, false },
	{ "the snapshot", by_snapshot, true },
	{ "what is stored beside frames", as_stored, false },
};

static bool has(const struct vy_buf *b, const char *text)
{
	return b->len && memmem(b->data, b->len, text, strlen(text));
}

static void nothing_leaves(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(blocks); i++) {
		begin();
		call(blocks[i].block);
		for (size_t d = 0; d < VY_COUNT(doors); d++) {
			VY_AUTO_BUF out = VY_BUF_INIT(MAX);

			doors[d].read(&out);
			if (has(&out, SECRET)) {
				fail_msg("%s leaves by %s", blocks[i].name, doors[d].name);
			}
			if (!out.len || (doors[d].shows_blocks && !has(&out, SHOWN))) {
				fail_msg("%s: %s shows nothing", blocks[i].name, doors[d].name);
			}
		}
		end();
	}
}

/* What has no such field is not touched, byte for byte; and twice is once. */
static void the_rest_is_as_it_was(void **state)
{
	static const char *const plain[] = {
		"{\"type\":\"terminal\",\"command\":\"x\",\"output\":\"\\\"sealed\\\":true\"}",
		"{\"type\":\"text\",\"text\":\"hidden\"}",
		"{\"type\":\"record\",\"title\":\"t\",\"fields\":[]}",
	};
	struct vy_arena mem;
	struct vy_str once, twice;

	(void)state;
	vy_arena_init(&mem);
	for (size_t i = 0; i < VY_COUNT(plain); i++) {
		assert_false(vy_block_seal(vy_str_c(plain[i]), &mem, &once) &&
			     !vy_str_is(once, plain[i]));
	}
	for (size_t i = 0; i < VY_COUNT(blocks); i++) {
		char *json = quoted(blocks[i].block);

		vy_block_seal(vy_str_c(json), &mem, &once);
		vy_block_seal(once, &mem, &twice);
		assert_true(vy_str_eq(once, twice));
		free(json);
	}
	vy_arena_fini(&mem);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_leaves),
		cmocka_unit_test(the_rest_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
