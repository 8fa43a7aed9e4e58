/* status.c -- one line for a prompt or a status bar. */
#include "tui/cmd/verb.h"
#include "tui/words/pause.h"
#include "tui/words/standing.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct counts {
	int64_t sessions, working, asks, failed, resting, waiting;
};

static struct counts count(const struct vy_json *threads)
{
	struct counts n = { .sessions = (int64_t)vy_json_len(threads) };

	for (size_t i = 0; i < vy_json_len(threads); i++) {
		const struct vy_json *t = vy_json_at(threads, i);
		struct vy_str state = vy_json_str(t, "state");
		struct standing st;

		n.working += vy_str_is(state, "running") || vy_str_is(state, "starting");
		n.failed += vy_str_is(state, "failed");
		standing_read(t, &st);
		n.resting += st.kind == STANDING_RESTS;
		n.waiting += standing_waits(&st);
		n.asks += vy_json_int(t, "asks", 0) > 0;
	}
	return n;
}

static void comma(struct out *out, bool *is_first)
{
	out_addf(out, "%s", *is_first ? "" : ", ");
	*is_first = false;
}

static void print_line(struct out *out, const struct counts *n, const struct vy_json *paused)
{
	bool is_first = true;

	if (paused) {
		comma(out, &is_first);
		out_addf(out, "%s", words_pause_short(vy_json_str(paused, "reason")));
	}

	if (n->asks) {
		comma(out, &is_first);
		out_addf(out,
			words_count("%lld needs you", "%lld need you", (unsigned long)n->asks),
			(long long)n->asks);
	}
	if (n->working) {
		comma(out, &is_first);
		out_addf(out, words_count("%lld works", "%lld work", (unsigned long)n->working),
			(long long)n->working);
	}
	if (n->waiting) {
		comma(out, &is_first);
		out_addf(out, words_count("%lld waits", "%lld wait", (unsigned long)n->waiting),
			(long long)n->waiting);
	}
	if (n->failed) {
		comma(out, &is_first);
		out_addf(out, words_count("%lld failed", "%lld failed", (unsigned long)n->failed),
			(long long)n->failed);
	}
	comma(out, &is_first);
	out_addf(out, words_count("%lld session", "%lld sessions", (unsigned long)n->sessions),
		(long long)n->sessions);
	out_addf(out, "\n");
}

int verb_status(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_JSON *list = cmd_read(c, "threads.list", NULL, e);

	if (!list) {
		return -1;
	}
	struct counts n = count(vy_json_get(list, "threads"));

	if (!c->o->is_json) {
		print_line(&c->out, &n, vy_json_get(list, "paused"));
		return EXIT_OK;
	}
	VY_AUTO_JSON *info = cmd_read(c, "server.info", NULL, e);

	if (!info) {
		return -1;
	}
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_int(o, "sessions", n.sessions);
	vy_json_set_int(o, "working", n.working);
	vy_json_set_int(o, "asking", n.asks);
	vy_json_set_int(o, "failed", n.failed);
	vy_json_set_int(o, "resting", n.resting);
	vy_json_set_int(o, "waiting", n.waiting);
	vy_json_set(o, "version", vy_json_get(info, "version"));
	vy_json_set(o, "paused", vy_json_get(list, "paused"));
	vy_json_set(o, "started", vy_json_get(info, "started"));
	vy_json_set_c(o, "socket", dial_target(c->net.dial));
	out_json(&c->out, o);
	return EXIT_OK;
}
