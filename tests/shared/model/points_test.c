/* points_test.c -- frames in, points out: which messages can be gone back to, and what came of them. */
#include "shared/base/arena.h"
#include "shared/frame/codec.h"
#include "tests/check.h"
#include "shared/model/points.h"

#define STEPS 12

struct step {
	const char *kind, *author, *data; /* ' stands for " */
};

static const struct {
	const char *name;
	struct step steps[STEPS];
	const char *want; /* "id files added removed|…", the newest first */
} rows[] = {
	{ "nothing was said", { { NULL, NULL, NULL } }, "" },
	{ "the newest first",
		{ { "user-message", "person:a", "'message':'u1','state':'sent','text':'one'" },
			{ "user-message", "person:a",
				"'message':'u2','state':'picked-up','text':'2'" } },
		"u2: ; u1: ; " },
	{ "what waits and what was taken back is none",
		{ { "user-message", "person:a", "'message':'u1','state':'queued','text':'one'" },
			{ "user-message", "person:a",
				"'message':'u2','state':'queued','text':'2'" },
			{ "user-message", "person:a",
				"'message':'u2','state':'cancelled','text':'2'" } },
		"" },
	{ "an agent's words are none",
		{ { "user-message", "agent:s1", "'message':'u1','state':'sent','text':'one'" },
			{ "text-delta", "model:m", "'message':'m','index':0,'text':'hi'" } },
		"" },
	{ "diffs of tools, each of its own turn, a path once",
		{ { "user-message", "person:a", "'message':'u1','state':'sent','text':'one'" },
			{ "tool-started", "model:m",
				"'tool_id':'t1','tool':'Edit','kind':'edit','summary':'a'" },
			{ "tool-finished", "model:m",
				"'tool_id':'t1','ok':true,'status':'completed','result':{'type':'"
				"diff',"
				"'path':'a.c','added':3,'removed':1,'hunks':[]}" },
			{ "tool-started", "model:m",
				"'tool_id':'t2','tool':'Edit','kind':'edit','summary':'a'" },
			{ "tool-finished", "model:m",
				"'tool_id':'t2','ok':true,'status':'completed','result':{'type':'"
				"diff',"
				"'path':'a.c','added':2,'removed':0,'hunks':[]}" },
			{ "user-message", "person:a",
				"'message':'u2','state':'sent','text':'two'" },
			{ "tool-started", "model:m",
				"'tool_id':'t3','tool':'Edit','kind':'edit','summary':'b'" },
			{ "tool-finished", "model:m",
				"'tool_id':'t3','ok':false,'status':'failed','result':{'type':'"
				"diff',"
				"'path':'b.c','added':9,'removed':9,'hunks':[]}" } },
		"u2: ; u1: a.c +5 -1 ; " },
	{ "what the agent tells of files goes before the diffs of the same",
		{ { "user-message", "person:a", "'message':'u1','state':'sent','text':'one'" },
			{ "tool-started", "model:m",
				"'tool_id':'t1','tool':'Edit','kind':'edit','summary':'a'" },
			{ "tool-finished", "model:m",
				"'tool_id':'t1','ok':true,'status':'completed','result':{'type':'"
				"diff',"
				"'path':'/w/a.c','added':3,'removed':1,'hunks':[]}" },
			{ "file-changed", "model:m",
				"'path':'a.c','op':'update','added':3,'removed':1" },
			{ "file-changed", "model:m",
				"'path':'b.c','op':'create','added':7,'removed':0" } },
		"u1: a.c +3 -1 b.c +7 -0 ; " },
	{ "what was rewound is no point any more",
		{ { "user-message", "person:a", "'message':'u1','state':'sent','text':'one'" },
			{ "user-message", "person:a",
				"'message':'u2','state':'sent','text':'two'" },
			{ "status", "person:a",
				"'state':'waiting','rewound':{'message':'u2','to':1}" } },
		"u1: ; " },
};

static void apply(struct vy_fold *f, struct vy_arena *a, uint64_t cur, const struct step *st)
{
	VY_AUTO_BUF text = VY_BUF_INIT(65536);
	struct vy_frame frame;
	struct vy_err e = { 0 };

	vy_buf_addf(&text,
		"{'v':1,'id':'e','cur':%d,'session':'S','turn':'S:1','type':'session.%s',"
		"'time':%d,'author':'%s','data':{%s}}",
		(int)cur, st->kind, (int)cur * 1000, st->author, st->data);
	for (char *p = text.data; *p; p++) {
		*p = *p == '\'' ? '"' : *p;
	}
	if (vy_frame_decode(vy_arena_str(a, vy_buf_str(&text)), a, &frame, &e) < 0) {
		fail_msg("%s: %s", st->kind, e.text);
	}
	vy_fold_apply(f, &frame, NULL);
}

static void test_points(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_fold *f = vy_fold_new();
		VY_AUTO_BUF got = VY_BUF_INIT(65536);
		struct vy_points p;
		struct vy_arena a;

		vy_arena_init(&a);
		vy_points_init(&p);
		for (size_t k = 0; k < STEPS && rows[i].steps[k].kind; k++) {
			apply(f, &a, k + 1, &rows[i].steps[k]);
		}
		vy_points_read(&p, f);
		for (size_t k = 0; k < p.n; k++) {
			vy_buf_addf(&got, "%.*s: ", VY_STR_ARG(p.v[k].message));
			for (size_t j = 0; j < p.v[k].files; j++) {
				const struct vy_point_file *one = &p.files[p.v[k].file + j];

				vy_buf_addf(&got, "%.*s +%d -%d ", VY_STR_ARG(one->path),
					(int)one->added, (int)one->removed);
			}
			vy_buf_adds(&got, "; ");
		}
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
		vy_points_fini(&p);
		vy_fold_free(f);
		vy_arena_fini(&a);
	}
}

CHECK_MAIN(CHECK_TEST(test_points))
