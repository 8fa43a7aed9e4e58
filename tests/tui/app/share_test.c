/* share_test.c -- one draft on two sides: who gives way to whom.
 *
 * A script is words: "open:REV:sent|dirty", "up", "down", "ours:TEXT" (the person writes), "now:TEXT" (in this very
 * turn), "wait"
 * (the pause is over), "has:REV:TEXT" (the server answers a read), "set:REV" and "err:CODE" (it
 * answers a write, or fails). What happens is told as words too: get, put:TEXT@REV, theirs:TEXT,
 * other:TEXT, mark:REV:sent|dirty, cancel. */
#include "tests/check.h"

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tui/app/share.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

struct rpc_call {
	rpc_done_fn *fn;
	void *ctx;
	bool is_under_way;
};

static struct {
	struct vy_loop *loop;
	struct share *share;
	struct rpc_call call;
	char ours[64];
	bool is_unseen; /* ours was changed in this very turn */
	struct vy_buf told;
} w;

static void tell(const char *fmt, const char *a, long long n)
{
	if (w.told.len) {
		vy_buf_addc(&w.told, ' ');
	}
	if (strchr(fmt, '@')) {
		vy_buf_addf(&w.told, "put:%s@%lld", a, n);
	} else {
		vy_buf_addf(&w.told, "%s%s", fmt, a);
	}
}

static const char *text_of(const struct vy_json *draft)
{
	const struct vy_json *parts = vy_json_get(draft, "parts");

	return vy_json_len(parts) ? vy_json_strval(vy_json_at(parts, 0)).p : "-";
}

/* ---- the server ---- */

struct rpc_call *rpc_call(struct rpc *r, const char *method, struct vy_json *own_params,
	const char *key, int64_t timeout_ms, rpc_done_fn *fn, void *ctx)
{
	(void)r;
	(void)timeout_ms;
	check_true("one call at a time", !w.call.is_under_way);
	check_str("session", vy_json_cstr(own_params, "session"), "s1");
	if (strcmp(method, "threads.draft.get") == 0) {
		tell("get", "", 0);
	} else {
		check_str("method", method, "threads.draft.set");
		check_true("a write has a key", key != NULL);
		tell("@", text_of(vy_json_get(own_params, "draft")),
			vy_json_int(own_params, "if_rev", -9));
	}
	vy_json_free(own_params);
	w.call = (struct rpc_call){ fn, ctx, true };
	return &w.call;
}

void rpc_cancel(struct rpc_call *c)
{
	if (c) {
		check_true("it is under way", c->is_under_way);
		c->is_under_way = false;
		tell("cancel", "", 0);
	}
}

static void answer(struct vy_json *own_result, enum vy_code code)
{
	struct vy_err e = { .code = code };

	check_true("somebody asked", w.call.is_under_way);
	w.call.is_under_way = false;
	w.call.fn(w.call.ctx, own_result, &e);
	vy_json_free(own_result);
}

static struct vy_json *doc_of(const char *text)
{
	struct vy_json *doc = vy_json_new_obj(), *parts = vy_json_new_arr();

	vy_json_add_take(parts, vy_json_new_str(vy_str_c(text)));
	vy_json_take(doc, "parts", parts);
	return doc;
}

/* ---- the person ---- */

static void on_look(void *ctx)
{
	(void)ctx;
	if (w.is_unseen) {
		w.is_unseen = false;
		share_changed(w.share);
	}
}

static bool on_ours(void *ctx, struct vy_json **out)
{
	(void)ctx;
	if (strcmp(w.ours, "giant") == 0) {
		return false;
	}
	*out = w.ours[0] ? doc_of(w.ours) : NULL;
	return true;
}

static void on_theirs(void *ctx, const struct vy_json *draft)
{
	(void)ctx;
	tell("theirs:", text_of(draft), 0);
	snprintf(w.ours, sizeof(w.ours), "%s", draft ? text_of(draft) : "");
}

static void on_other(void *ctx, const struct vy_json *draft)
{
	(void)ctx;
	tell("other:", text_of(draft), 0);
}

static void on_settled(void *ctx)
{
	struct share_mark m = share_mark(w.share);
	char text[64];

	(void)ctx;
	snprintf(text, sizeof(text), "%lld:%s", (long long)m.rev, m.is_sent ? "sent" : "dirty");
	tell("mark:", text, 0);
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* Until the pause of typing is over. */
static void rest(void)
{
	struct vy_timer *t = vy_loop_timer(w.loop, stop, w.loop);

	vy_timer_set(t, 30);
	vy_loop_run(w.loop);
	vy_timer_del(t);
}

static void has(char *rest_of)
{
	char *text = strchr(rest_of, ':');
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "rev", strtol(rest_of, NULL, 10));
	if (text && text[1]) {
		vy_json_take(o, "draft", doc_of(text + 1));
	}
	answer(o, VY_OK);
}

static void word(char *s)
{
	char *arg = strchr(s, ':');

	if (arg) {
		*arg++ = '\0';
	}
	if (strcmp(s, "open") == 0) {
		share_open(w.share, "s1",
			(struct share_mark){ strtol(arg, NULL, 10), strstr(arg, "sent") != NULL });
	} else if (strcmp(s, "up") == 0) {
		share_up(w.share);
	} else if (strcmp(s, "down") == 0) {
		share_down(w.share);
	} else if (strcmp(s, "ours") == 0) {
		snprintf(w.ours, sizeof(w.ours), "%s", arg);
		share_changed(w.share);
	} else if (strcmp(s, "now") == 0) {
		snprintf(w.ours, sizeof(w.ours), "%s", arg);
		w.is_unseen = true;
	} else if (strcmp(s, "wait") == 0) {
		rest();
	} else if (strcmp(s, "has") == 0) {
		has(arg);
	} else if (strcmp(s, "set") == 0) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_int(o, "rev", strtol(arg, NULL, 10));
		answer(o, VY_OK);
	} else if (strcmp(s, "conflict") == 0) {
		answer(NULL, VY_CONFLICT);
	} else if (strcmp(s, "unknown") == 0) {
		answer(NULL, VY_NOT_FOUND);
	} else if (strcmp(s, "full") == 0) {
		answer(NULL, VY_FULL);
	} else {
		fail_msg("no word %s", s);
	}
}

static const struct {
	const char *name, *script, *told;
} rows[] = {
	{ "nothing anywhere", "open:-1:sent up has:0:", "get theirs:- mark:0:sent" },
	{ "the server's comes to an empty screen", "open:-1:sent up has:3:hello",
		"get theirs:hello mark:3:sent" },
	{ "the same as before is left alone", "open:3:sent up has:3:hello", "get" },
	{ "another machine went on", "open:3:sent up has:4:more", "get theirs:more mark:4:sent" },
	{ "another machine sent it", "open:3:sent up has:4:", "get theirs:- mark:4:sent" },
	{ "what is typed goes there after a pause",
		"open:0:sent up has:0: ours:a ours:ab wait set:1", "get put:ab@0 mark:1:sent" },
	{ "and nothing without a change", "open:0:sent up has:0: wait", "get" },
	{ "typed while offline", "open:2:sent ours:a wait up has:2:x set:3",
		"get put:a@2 mark:3:sent" },
	{ "left by a client that was killed", "open:2:dirty up has:2:x set:3",
		"get put:-@2 mark:3:sent" },
	{ "both went on: ours stays, theirs is not lost",
		"open:2:sent ours:a wait up has:5:b set:6",
		"get other:b mark:5:dirty put:a@5 mark:6:sent" },
	{ "both wrote the same", "open:2:sent ours:a wait up has:5:a set:6",
		"get mark:5:dirty put:a@5 mark:6:sent" },
	{ "typed before the first answer", "open:-1:sent up ours:a has:4:b wait set:5",
		"get other:b mark:4:dirty put:a@4 mark:5:sent" },
	{ "another screen in between", "open:0:sent up has:0: ours:a wait conflict has:7:b set:8",
		"get put:a@0 get other:b mark:7:dirty put:a@7 mark:8:sent" },
	{ "typed on while it is written",
		"open:0:sent up has:0: ours:a wait ours:ab set:1 wait set:2",
		"get put:a@0 mark:1:dirty put:ab@1 mark:2:sent" },
	{ "the line goes down in the middle", "open:0:sent up has:0: ours:a wait down up set:1",
		"get put:a@0 cancel put:a@0 mark:1:sent" },
	{ "a server that knows no drafts is left alone",
		"open:-1:sent up unknown ours:a wait down up wait", "get" },
	{ "too large: here it stays, and is tried again when it changed",
		"open:0:sent up has:0: ours:a wait full wait ours:b wait set:1",
		"get put:a@0 put:b@0 mark:1:sent" },
	{ "a giant does not go there", "open:0:sent up has:0: ours:giant wait", "get" },
	{ "typed in the turn the answer came in", "open:-1:sent up now:a has:4:b wait set:5",
		"get other:b mark:4:dirty put:a@4 mark:5:sent" },
	{ "or the receipt", "open:0:sent up has:0: ours:a wait now:ab set:1 wait set:2",
		"get put:a@0 mark:1:dirty put:ab@1 mark:2:sent" },
	{ "another session: nothing of the old one comes", "open:0:sent up open:5:sent has:5:x",
		"get cancel get" },
};

static void scripts(void **state)
{
	static const struct share_events ev = { on_look, on_ours, on_theirs, on_other, on_settled };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *copy = vy_strdup(rows[i].script), *rest_of = copy, *s;

		memset(&w, 0, sizeof(w));
		vy_buf_init(&w.told, 4096);
		w.loop = vy_loop_new();
		w.share = share_new(w.loop, (struct rpc *)&w, 5, &ev, NULL);
		while ((s = strsep(&rest_of, " "))) {
			word(s);
		}
		check_str(rows[i].name, vy_buf_c(&w.told), rows[i].told);
		share_free(w.share);
		vy_loop_free(w.loop);
		vy_buf_fini(&w.told);
		free(copy);
	}
}

CHECK_MAIN(CHECK_TEST(scripts))
