/* verbs_view.c -- those who watch: what they wait for and how what they saw is compared. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/judge.h"
#include "tests/play/match.h"
#include "tests/play/play.h"
#include "tests/screen/term.h"
#include "shared/base/ban.h"

struct viewer *play_viewer(struct play *p, const char *name)
{
	for (size_t i = 0; i < p->n_viewers; i++) {
		if (strcmp(p->viewers[i]->name, name) == 0) {
			return p->viewers[i];
		}
	}
	play_fail(p, "there is no viewer %s", name);
	return NULL;
}

/* ---- waiting ---- */

struct looking {
	struct viewer *v;
	const struct words *w;
	int facts;
	size_t at;
};

static bool is_kind(const struct seen *s, const char *kind)
{
	struct vy_str type = vy_json_str(s->json, "type");

	return strcmp(kind, "any") == 0 || vy_str_is(type, kind) ||
	       (vy_str_starts(type, "session.") && vy_str_is(vy_str_from(type, 8), kind));
}

static bool frame_fits(const struct seen *s, const struct words *w, int facts)
{
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	if (!is_kind(s, w->v[facts - 1])) {
		return false;
	}
	for (int i = facts; i < w->n; i++) {
		if (!match_fact(s->json, w->v[i], &why)) {
			return false;
		}
	}
	return true;
}

static bool has_come(struct play *p, void *ctx)
{
	struct looking *l = ctx;

	for (; l->at < l->v->n; l->at++) {
		if (frame_fits(&l->v->v[l->at], l->w, l->facts)) {
			l->v->mark = l->at + 1;
			play_it(p, vy_json_ref(l->v->v[l->at].json));
			return true;
		}
	}
	return false;
}

/* wait NAME KIND FACT...: the next such frame behind the last one waited for. */
static bool do_wait(struct play *p, const struct words *w)
{
	struct looking l = { play_viewer(p, w->v[1]), w, 3, 0 };

	if (!l.v) {
		return false;
	}
	l.at = l.v->mark;
	return play_until(p, has_come, &l) || play_fail(p, "no such frame came");
}

/* count NAME N KIND FACT...: among all it saw. */
static bool do_count(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);
	long long want = -1, n = 0;

	if (!v || !vy_parse_i64(vy_str_c(w->v[2]), &want)) {
		return v && play_fail(p, "expected: count VIEWER N KIND FACT…");
	}
	for (size_t i = 0; i < v->n; i++) {
		n += frame_fits(&v->v[i], w, 4);
	}
	return n == want || play_fail(p, "there are %lld", n);
}

static bool do_rewind(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (v) {
		v->mark = 0;
	}
	return v != NULL;
}

enum { ASK_HEAD_MS = 20 };

/* By the last status in the log it saw: while a commit is held (the storage is slow) a record may be ahead
 * of what is stored. True for one who saw none. */
static bool was_told_of_rest(const struct viewer *v)
{
	for (size_t i = v->n; i > 0; i--) {
		const struct seen *s = &v->v[i - 1];
		struct vy_str state = vy_json_str(vy_json_get(s->json, "data"), "state");

		if (s->cur && is_kind(s, "status") && state.n) {
			return vy_str_is(state, "waiting") || vy_str_is(state, "stopped") ||
			       vy_str_is(state, "failed");
		}
	}
	return true;
}

/* Nothing moves in its session, and it saw everything. */
bool play_is_settled(struct play *p, struct viewer *v, const char *want)
{
	char params[128];

	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", v->session);
	if (!play_call(p, "threads.get", params)) {
		return false;
	}
	struct vy_str state = vy_json_str(p->it, "state");

	if (want ? !vy_str_is(state, want)
		 : !vy_str_is(state, "idle") && !vy_str_is(state, "failed") &&
				!vy_str_is(state, "stopped")) {
		return play_fail(p, "the session is %.*s", VY_STR_ARG(state));
	}
	if (!want && vy_str_is(state, "idle") && vy_json_int(p->it, "queued", 0) > 0 &&
		!vy_json_bool(p->it, "held", false)) {
		return play_fail(p, "the next turn is about to begin");
	}
	if (!want && !was_told_of_rest(v)) {
		return play_fail(p, "the session rests, and it was not told");
	}
	if (v->last == v->asked_at && term_now() < v->asked_ms + ASK_HEAD_MS) {
		return false; /* a ticket that nobody uses is there for a while: not too many of them */
	}
	v->asked_at = v->last;
	v->asked_ms = term_now();
	return play_call(p, "stream.open", params) &&
	       ((uint64_t)vy_json_int(p->it, "head", -1) == v->last ||
		       play_fail(p, "it is at %llu of %lld", (unsigned long long)v->last,
			       (long long)vy_json_int(p->it, "head", -1)));
}

struct settling {
	struct viewer *v;
	const char *state;
};

static bool is_settled(struct play *p, void *ctx)
{
	const struct settling *s = ctx;

	return play_is_settled(p, s->v, s->state);
}

/* settle NAME [STATE]: what is waited for next is yet to come. */
static bool do_settle(struct play *p, const struct words *w)
{
	struct settling s = { play_viewer(p, w->v[1]), w->n > 2 ? w->v[2] : NULL };
	bool ok = s.v && play_until(p, is_settled, &s);

	if (ok) {
		s.v->mark = s.v->n;
	}
	return ok;
}

static bool has_reset(struct play *p, void *ctx)
{
	(void)p;
	return ((struct viewer *)ctx)->resets > 0;
}

/* reset NAME [behind|ahead|epoch] */
static bool do_reset(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (!v || !play_until(p, has_reset, v)) {
		return v && play_fail(p, "no reset came");
	}
	return w->n < 3 || strcmp(w->v[2], v->reason) == 0 ||
	       play_fail(p, "it was reset, for it is %s", v->reason);
}

static bool is_overtaken(struct play *p, void *ctx)
{
	struct viewer *v = ctx;

	return v->resets > 0 || play_is_settled(p, v, NULL);
}

/* overtaken NAME: it was reset, since it is behind; or it has all in spite of that. */
static bool do_overtaken(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (!v || !play_until(p, is_overtaken, v)) {
		return false;
	}
	return v->resets == 0 || strcmp(v->reason, "behind") == 0 ||
	       play_fail(p, "it was reset, for it is %s", v->reason);
}

/* ---- comparing ---- */

static bool do_whole(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	return v && judge_whole(v, &p->why);
}

struct pair {
	struct viewer *a, *b;
};

static bool are_level(struct play *p, void *ctx)
{
	const struct pair *pr = ctx;

	(void)p;
	return pr->a->last == pr->b->last;
}

static bool do_same(struct play *p, const struct words *w)
{
	struct pair pr = { play_viewer(p, w->v[1]), play_viewer(p, w->v[2]) };

	if (!pr.a || !pr.b) {
		return false;
	}
	if (pr.a->plane && pr.b->plane) {
		return play_same_items(p, pr.a, pr.b);
	}
	play_until(p, are_level, &pr);
	return judge_same(pr.a, pr.b, &p->why);
}

/* keep VIEWER as NAME; equal VIEWER NAME: the run it watched is that one again. */
static bool do_keep(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (v) {
		judge_transcript(v, &text);
		vy_json_set_str(p->kept, w->v[3], vy_buf_str(&text));
	}
	return v != NULL;
}

static bool do_equal(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (!v) {
		return false;
	}
	if (!vy_json_get(p->kept, w->v[2])) {
		return play_fail(p, "nothing was kept as %s", w->v[2]);
	}
	judge_transcript(v, &text);
	return judge_equal(vy_buf_str(&text), vy_json_str(p->kept, w->v[2]), &p->why);
}

/* says NAME TEXT: all words of assistants, one after the other, hold it. */
static bool do_says(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (!v) {
		return false;
	}
	viewer_words(v, 0, &text);
	return strstr(vy_buf_c(&text), w->v[2]) ||
	       play_fail(p, "it is not in \"%.500s\"", vy_buf_c(&text));
}

static bool do_show(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	for (size_t i = 0; v && i < v->n; i++) {
		printf("%llu %s\n", (unsigned long long)v->v[i].cur, v->v[i].text);
	}
	return v != NULL;
}

const struct play_entry verbs_view[] = {
	{ "wait", 2, do_wait },
	{ "count", 3, do_count },
	{ "rewind", 1, do_rewind },
	{ "settle", 1, do_settle },
	{ "reset", 1, do_reset },
	{ "overtaken", 1, do_overtaken },
	{ "whole", 1, do_whole },
	{ "same", 2, do_same },
	{ "keep", 3, do_keep },
	{ "equal", 2, do_equal },
	{ "says", 2, do_says },
	{ "show", 1, do_show },
	{ 0 },
};
