/* follow_line_test.c -- the follow view and the client's machine over a bad line: items are lost, come
 * twice, come late, the connection and vyred go away at any moment. What the client says of the
 * journal is always what an undisturbed reader has, and what it shows of an attempt is always a beginning
 * of what was settled, all of it at its end. */
#include "tests/server/hub/follow_world.h"

#include "shared/base/log.h"
#include "shared/model/follow.h"
#include "shared/base/ban.h"

#define SEEDS 300
#define STEPS 120

/* ---- chance ---- */

static uint32_t chance_at;

static unsigned chance(unsigned n)
{
	chance_at ^= chance_at << 13;
	chance_at ^= chance_at >> 17;
	chance_at ^= chance_at << 5;
	return chance_at % n;
}

/* ---- an attempt as a text ---- */

static void add_delta(void *ctx, const struct vy_frame *d)
{
	vy_buf_addf(ctx, "%lld%s:%.*s@%lld|", (long long)vy_frame_int(d, VY_F_INDEX, 0),
		vy_frame_bool(d, VY_F_REASONING) ? "r" : "", VY_STR_ARG(vy_frame_str(d, VY_F_TEXT)),
		(long long)d->time);
}

/* ---- the client ---- */

struct seen { /* of an attempt, at one time */
	char *id, *text;
	bool is_end;
	struct seen *next;
};

struct client {
	struct follow_sub *sub;
	struct vy_follow *machine;
	struct vy_buf events; /* "1 2 5 " */
	struct seen *seen;
	struct vy_buf late; /* an item that comes once more, later */
	unsigned reopened, attempts;
	bool is_bad;
};

static void say(void *ctx, const struct vy_follow_said *s)
{
	struct client *c = ctx;
	VY_AUTO_BUF text = VY_BUF_INIT(1 << 20);
	struct seen *seen;

	if (s->what == VY_FOLLOW_EVENT) {
		vy_buf_addf(&c->events, "%lld ", (long long)s->seq);
	}
	if (!s->attempt) {
		return;
	}
	vy_settlement_deltas(s->attempt, add_delta, &text);
	seen = VY_NEW(struct seen);
	seen->id = vy_memdup0(s->attempt->attempt.p, s->attempt->attempt.n);
	seen->text = vy_strdup(vy_buf_c(&text));
	seen->is_end = s->what == VY_FOLLOW_ENDED;
	seen->next = c->seen;
	c->seen = seen;
	c->attempts += s->what == VY_FOLLOW_GROWN;
}

static void ready(void *ctx)
{
	(void)ctx;
}

static void dial(struct client *c)
{
	struct follow_open o = { .session = "S",
		.from = vy_follow_last(c->machine),
		.epoch = vy_follow_epoch(c->machine),
		.attempts = true,
		.ready = ready };
	struct vy_err e = { 0 };

	c->sub = follow_subscribe(t.follow, &o, &e);
	check_str("subscribes", e.text, "");
	c->reopened++;
}

static void redial(struct client *c)
{
	vy_follow_lost(c->machine, say, c);
	follow_unsubscribe(c->sub);
	dial(c);
}

static void give(struct client *c, struct vy_str item)
{
	switch (vy_follow_take(c->machine, item, say, c)) {
	case VY_FOLLOW_OK: break;
	case VY_FOLLOW_AGAIN:
		if (!c->is_bad) {
			fail_msg("missing: %s: %.*s", vy_follow_why(c->machine), VY_STR_ARG(item));
		}
		redial(c);
		break;
	case VY_FOLLOW_RESET: fail_msg("there is one history"); break;
	}
}

/* Takes `n` items by a line that does what it likes. */
static void pump(struct client *c, unsigned n, bool is_bad)
{
	while (n-- > 0) {
		VY_AUTO_BUF item = VY_BUF_INIT(64 << 20);
		unsigned fate = is_bad ? chance(40) : 40;

		if (follow_next(c->sub, &item) != VIEW_ITEM) {
			return;
		}
		if (fate == 0) {
			continue; /* lost */
		}
		if (fate == 1) {
			give(c, vy_buf_str(&item));
		} else if (fate == 2) {
			vy_buf_clear(&c->late);
			vy_buf_addstr(&c->late, vy_buf_str(&item));
		} else if (fate == 3 && c->late.len) {
			give(c, vy_buf_str(&c->late));
		} else if (fate == 4) {
			redial(c);
			continue;
		}
		give(c, vy_buf_str(&item));
	}
}

/* ---- what happens ---- */

static void happens(void)
{
	static const char *const words[] = { "d m# 0 ab", "d m# 0r é", "d m# 1 😀x", "d m# 0 c|",
		"dt s# 0 x", "dt s# 0 y|", "du s# 1 z|", "call t", "call u", "done t|", "gone u|",
		"cut m#|", "waiting|", "working|", "interrupted|", "starting;working|",
		"failed why|", "stopped|", "|" };
	static unsigned message;
	unsigned i = chance(4) ? chance(8) : chance(VY_COUNT(words));
	char line[64];

	message += chance(12) == 0;
	snprintf(line, sizeof(line), "%s", words[i]);
	for (char *p = line; (p = strchr(p, '#'));) {
		*p = (char)('0' + message % 3);
	}
	happen_to("S", line);
	if (chance(20) == 0) {
		happen_to("T", "working|waiting|");
	}
}

static void restart(struct client *c)
{
	vy_follow_lost(c->machine, say, c);
	follow_unsubscribe(c->sub);
	log_flush(t.log);
	end();
	begin();
	dial(c);
}

/* ---- the truth ---- */

struct truth {
	struct vy_buf events;
	struct vy_arena mem;
	struct vy_json *all; /* attempt → its deltas */
};

static bool read_event(void *ctx, const struct store_row *row)
{
	struct truth *tr = ctx;
	const struct row_journal *r = &row->journal;
	VY_AUTO_BUF text = VY_BUF_INIT(1 << 20);
	struct vy_settlement st;
	struct vy_err e = { 0 };

	vy_buf_addf(&tr->events, "%lld ", (long long)r->seq);
	if (!vy_str_starts(r->type, "assistant.")) {
		return true;
	}
	if (vy_settlement_decode(r->data, &tr->mem, &st, &e) < 0) {
		fail_msg("%s", e.text);
	}
	vy_settlement_deltas(&st, add_delta, &text);
	vy_json_set_str(
		tr->all, vy_arena_dup(&tr->mem, st.attempt.p, st.attempt.n), vy_buf_str(&text));
	return true;
}

static void judge(const char *name, struct client *c, bool is_whole)
{
	struct truth tr = { .all = vy_json_new_obj() };
	struct store_row like = { .kind = ROW_JOURNAL, .journal = { .session = VY_STR_LIT("S") } };
	struct vy_err e = { 0 };
	size_t ended = 0;

	vy_arena_init(&tr.mem);
	vy_buf_init(&tr.events, 1 << 20);
	check_int(name, log_each(t.log, &like, read_event, &tr, &e), 0);
	check_str(name, vy_buf_c(&c->events), vy_buf_c(&tr.events));
	for (const struct seen *s = c->seen; s; s = s->next) {
		struct vy_str whole = vy_json_str(tr.all, s->id);

		if (!whole.n || !vy_str_starts(whole, s->text) ||
			(s->is_end && whole.n != strlen(s->text))) {
			fail_msg("%s: %s:\n shown   %s\n settled %.*s", name, s->id, s->text,
				VY_STR_ARG(whole));
		}
		ended += s->is_end;
	}
	if (is_whole) {
		check_int(name, (long long)ended, (long long)vy_json_len(tr.all));
	}
	vy_json_free(tr.all);
	vy_buf_fini(&tr.events);
	vy_arena_fini(&tr.mem);
}

/* ---- the tests ---- */

static void client_init(struct client *c)
{
	*c = (struct client){ .machine = vy_follow_new() };
	vy_buf_init(&c->events, 1 << 20);
	vy_buf_init(&c->late, 64 << 20);
	dial(c);
}

static void client_fini(struct client *c)
{
	struct seen *s;

	follow_unsubscribe(c->sub);
	vy_follow_free(c->machine);
	vy_buf_fini(&c->events);
	vy_buf_fini(&c->late);
	while ((s = c->seen)) {
		c->seen = s->next;
		free(s->id);
		free(s->text);
		free(s);
	}
}

static void run(uint32_t seed, bool is_bad)
{
	struct client c;
	char name[32];

	snprintf(name, sizeof(name), "%s %u", is_bad ? "bad" : "good", seed);
	chance_at = seed * 2654435761u + 1;
	client_init(&c);
	c.is_bad = is_bad;
	pump(&c, 2, false); /* it is there from the start */
	for (int i = 0; i < STEPS; i++) {
		happens();
		pump(&c, chance(6), is_bad);
		if (is_bad && chance(60) == 0) {
			restart(&c);
		}
		if (is_bad && seed % 50 == 0 && i == STEPS / 2) { /* a reader who sleeps */
			for (int k = 0; k < FOLLOW_ITEMS + 10; k++) {
				happen_to("S", "d m0 0 z|");
			}
		}
	}
	happen_to("S", "stopped|");
	pump(&c, 100000, false);
	redial(&c);
	pump(&c, 100000, false);
	judge(name, &c, !is_bad);
	client_fini(&c);
}

static void over_a_bad_line(void **state)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		run(seed, true);
		teardown(state);
		setup(state);
	}
}

static void over_a_good_line(void **state)
{
	for (uint32_t seed = 1; seed <= SEEDS / 10; seed++) {
		run(seed, false);
		teardown(state);
		setup(state);
	}
}

/* The connection is lost behind every single item there is, in turn. */
static void cut_at_every_point(void **state)
{
	static const char *const script =
		"working|d m 0 a|d m 0 b;call t|dt s 0 x|d m 0 c|dt s 0 y;done t|"
		"d n 0 d|cut n|d n 0 e|interrupted|";

	for (unsigned at = 0; at < 40; at++) {
		for (unsigned how = 0; how < 3; how++) {
			struct client c;
			unsigned n = 0;
			const char *p = script;

			client_init(&c);
			c.is_bad = true;
			while (*p) {
				char part[64];
				size_t len = strcspn(p, "|") + 1;

				snprintf(part, sizeof(part), "%.*s", (int)len, p);
				happen_to("S", part);
				p += len;
				for (;;) {
					VY_AUTO_BUF item = VY_BUF_INIT(1 << 20);

					if (follow_next(c.sub, &item) != VIEW_ITEM) {
						break;
					}
					n++;
					if (how != 1 || n != at) { /* 1: that one is lost */
						give(&c, vy_buf_str(&item));
					}
					if (how == 2 && n == at) {
						restart(&c);
					} else if (how == 0 && n == at) {
						redial(&c);
					}
				}
			}
			redial(&c);
			pump(&c, 1000, false);
			judge("cut", &c, false);
			client_fini(&c);
			teardown(state);
			setup(state);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(over_a_good_line, setup, teardown),
		cmocka_unit_test_setup_teardown(over_a_bad_line, setup, teardown),
		cmocka_unit_test_setup_teardown(cut_at_every_point, setup, teardown),
	};

	vy_log_set_level(VY_LOG_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
