/* verbs_rows.c -- those who begin with a snapshot, rows as a client folds them, and one who says yes. */
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"
#include "shared/model/ui.h"
#include "tests/play/match.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

/* ---- snapshots ---- */

static struct vy_json *take_snapshot(struct play *p, const char *session)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	char path[128];
	struct conn_ask ask = { "GET", path, NULL, { 0 } };
	struct vy_err e = { 0 };

	snprintf(path, sizeof(path), "/v1/sessions/%s/snapshot", session);
	if (conn_request(p->box.sock, &ask, p->patience_ms, &answer, &e) != 200) {
		play_fail(p, "no snapshot: %s %.300s", e.text, vy_buf_c(&answer));
		return NULL;
	}
	return vy_json_parse(vy_buf_str(&answer), NULL);
}

/* snapshot NAME SESSION [FORM]: a viewer who goes on from a snapshot. */
static bool do_snapshot(struct play *p, const struct words *w)
{
	struct viewer *v = play_add_viewer(p, w->v[1], w->v[2], play_form(w, 3));

	if (!v || !(v->snapshot = take_snapshot(p, v->session))) {
		return false;
	}
	v->has_from = true;
	v->from = v->last = (uint64_t)vy_json_int(v->snapshot, "cur", 0);
	return play_open(p, v);
}

static bool fold_all(struct play *p, const struct viewer *v, struct vy_fold *fold)
{
	struct vy_err e = { 0 };
	bool ok = !v->snapshot || vy_fold_load(fold, v->snapshot, &e) == 0;
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; ok && i < v->n; i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
		struct vy_frame f;

		vy_json_dump(v->v[i].json, &text);
		ok = vy_frame_decode(vy_buf_str(&text), &a, &f, &e) == 0;
		if (ok) {
			vy_fold_apply(fold, &f, NULL);
		}
		vy_arena_reset(&a);
	}
	vy_arena_fini(&a);
	return ok || play_fail(p, "%s", e.text);
}

static struct vy_json *folded(struct play *p, const struct viewer *v)
{
	struct vy_fold *fold = vy_fold_new();
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_jw w = VY_JW(&text);
	bool ok = fold_all(p, v, fold);

	vy_jw_obj(&w);
	vy_fold_encode(fold, false, &w);
	vy_jw_end_obj(&w);
	vy_fold_free(fold);
	return ok ? vy_json_parse(vy_buf_str(&text), NULL) : NULL;
}

/* What it was told of rows, by both ways to apply it, is what the snapshot shows. */
static bool are_told(struct play *p, void *ctx)
{
	const struct viewer *v = ctx;
	VY_AUTO_JSON *snapshot = take_snapshot(p, v->session);
	const struct vy_json *all = vy_json_get(snapshot, "rows"), *mine = v->plane->rows;
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(all); i++) {
		const struct vy_json *row = vy_json_at(all, i);

		if (vy_json_bool(row, "withheld", false)) {
			continue;
		}
		if (!vy_json_equal(row, vy_json_at(mine, n)) ||
			!vy_json_equal(row, vy_ui_row(v->plane->ui, n))) {
			play_pump(p, 50);
			return play_fail(
				p, "row %zu, %.60s, is another", n, vy_json_cstr(row, "key"));
		}
		n++;
	}
	return (n > 0 && n == vy_json_len(mine) && n == vy_ui_len(v->plane->ui)) ||
	       play_fail(p, "it has %zu rows, not %zu", vy_json_len(mine), n);
}

/* rows NAME: what it folded is what the server's snapshot says now; what it was told, in the end. */
static bool do_rows(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (v && v->plane) {
		return play_until(p, are_told, v);
	}
	VY_AUTO_JSON *ours = v ? folded(p, v) : NULL;
	VY_AUTO_JSON *theirs = ours ? take_snapshot(p, v->session) : NULL;

	if (!theirs) {
		return false;
	}
	const struct vy_json *a = vy_json_get(ours, "rows"), *b = vy_json_get(theirs, "rows");
	size_t n = vy_json_len(a) > vy_json_len(b) ? vy_json_len(a) : vy_json_len(b);

	for (size_t i = 0; i < n; i++) {
		VY_AUTO_BUF x = VY_BUF_INIT(CONN_ANSWER_MAX), y = VY_BUF_INIT(CONN_ANSWER_MAX);

		match_text(vy_json_at(a, i), &x);
		match_text(vy_json_at(b, i), &y);
		if (!vy_str_eq(vy_buf_str(&x), vy_buf_str(&y))) {
			return play_fail(p, "row %zu\n  folded   %.600s\n  snapshot %.600s", i,
				vy_buf_c(&x), vy_buf_c(&y));
		}
	}
	return vy_json_int(ours, "cur", -1) == vy_json_int(theirs, "cur", -2) ||
	       play_fail(p, "another cursor");
}

/* ---- one who says yes ---- */

struct attending {
	struct viewer *v;
	const char *decision;
};

static void add_answers(struct vy_json *params, const struct vy_json *ask)
{
	const struct vy_json *questions = vy_json_get(ask, "questions");
	struct vy_json *answers = vy_json_new_obj();

	for (size_t i = 0; i < vy_json_len(questions); i++) {
		const struct vy_json *q = vy_json_at(questions, i);
		const char *name = vy_json_cstr(q, "question");

		if (name) {
			vy_json_set(answers, name,
				vy_json_get(vy_json_at(vy_json_get(q, "options"), 0), "label"));
		}
	}
	if (vy_json_len(questions)) {
		vy_json_set(params, "answers", answers);
	}
	vy_json_free(answers);
}

static bool answer_all(struct play *p, const struct attending *a)
{
	char session[128];

	snprintf(session, sizeof(session), "{\"session\":\"%s\"}", a->v->session);
	if (!play_call(p, "threads.asks", session)) {
		return false;
	}
	VY_AUTO_JSON *list = vy_json_ref(vy_json_get(p->it, "asks"));

	for (size_t i = 0; i < vy_json_len(list); i++) {
		VY_AUTO_JSON *params = vy_json_new_obj();
		VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
		const struct vy_json *ask = vy_json_at(list, i);

		vy_json_set(params, "ask", vy_json_get(ask, "ask"));
		vy_json_set_c(params, "decision", a->decision);
		add_answers(params, ask);
		vy_json_dump(params, &text);
		if (!play_call(p, "threads.answer", vy_buf_c(&text))) {
			return false;
		}
	}
	return true;
}

static bool attended(struct play *p, void *ctx)
{
	const struct attending *a = ctx;

	return answer_all(p, a) && play_is_settled(p, a->v, NULL);
}

/* attend NAME [DECISION]: answers whatever is asked, until the session rests. */
static bool do_attend(struct play *p, const struct words *w)
{
	struct attending a = { play_viewer(p, w->v[1]), w->n > 2 ? w->v[2] : "allow" };
	bool ok = a.v && play_until(p, attended, &a);

	if (ok) {
		a.v->mark = a.v->n;
	}
	return ok;
}

/* The result of the last tool that finished: {ok, status, out} and, where it can be read so, json. */
static struct vy_json *last_result(const struct viewer *v)
{
	struct vy_json *o = vy_json_new_obj();

	for (size_t i = v->n; i > 0; i--) {
		const struct vy_json *data = vy_json_get(v->v[i - 1].json, "data");
		const struct vy_json *result = vy_json_get(data, "result");
		struct vy_str out = vy_json_str(result, "output");

		if (result) {
			out = out.n ? out : vy_json_str(result, "text");
			vy_json_set(o, "ok", vy_json_get(data, "ok"));
			vy_json_set(o, "status", vy_json_get(data, "status"));
			vy_json_set_str(o, "out", out);
			vy_json_take(o, "json", vy_json_parse(out, NULL));
			break;
		}
	}
	return o;
}

/* bash NAME COMMAND…: its session's agent runs it, with a yes; `it` is the result. */
static bool do_bash(struct play *p, const struct words *w)
{
	struct attending a = { play_viewer(p, w->v[1]), "allow" };
	VY_AUTO_JSON *params = vy_json_new_obj();
	VY_AUTO_BUF say = VY_BUF_INIT(VY_MIB), text = VY_BUF_INIT(VY_MIB);

	if (!a.v) {
		return false;
	}
	vy_buf_addf(&say, "bash:%s", w->rest[2]);
	vy_json_set_c(params, "session", a.v->session);
	vy_json_set_str(params, "text", vy_buf_str(&say));
	vy_json_dump(params, &text);
	if (!play_call(p, "threads.send", vy_buf_c(&text)) || !play_until(p, attended, &a)) {
		return false;
	}
	a.v->mark = a.v->n;
	play_it(p, last_result(a.v));
	return true;
}

const struct play_entry verbs_rows[] = {
	{ "bash", 2, do_bash },
	{ "snapshot", 2, do_snapshot },
	{ "rows", 1, do_rows },
	{ "attend", 1, do_attend },
	{ 0 },
};
