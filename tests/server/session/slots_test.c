/* slots_test.c -- slots: by scripts with the news they make, and by chance against what must hold.
 *
 * A line of a script is one of: limit KIND PROJECT N · take KIND PROJECT SESSION HOLDER · give KIND
 * SESSION HOLDER · waits KIND SESSION (all of it that waits goes) · gone KIND SESSION · look. KIND
 * is t or s, PROJECT `-` for none (of limits: the box). The news: +holder (after a wait: +~holder),
 * -holder (out of the line: -~holder), holder@position. */
#include "server/session/slots.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/check.h"

#define FILE_BOX 2 /* what the configuration of these tests allows */

static int64_t by_file(void *ctx, enum slots_kind kind, const char *project)
{
	(void)kind;
	return project ? 0 : *(int64_t *)ctx;
}

/* ---- scripts ---- */

static void draw(const struct slots_news *n, struct vy_buf *out)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct slots_item *it = &n->v[i];
		const char *wave = it->is_of_line ? "~" : "";

		vy_buf_addc(out, ' ');
		if (it->what == SLOTS_QUEUED) {
			vy_buf_addf(out, "%.*s@%lld", VY_STR_ARG(it->who.holder),
				(long long)it->position);
		} else {
			vy_buf_addf(out, "%c%s%.*s", it->what == SLOTS_TAKEN ? '+' : '-', wave,
				VY_STR_ARG(it->who.holder));
		}
	}
}

static enum slots_kind kind_of(const char *word)
{
	return word[0] == 't' ? SLOTS_TEAMMATE : SLOTS_SUBAGENT;
}

static void act(struct slots *s, char *w[6], struct slots_news *n)
{
	struct vy_str third = vy_str_c(w[2]), fourth = vy_str_c(w[3]);

	if (strcmp(w[0], "limit") == 0) {
		slots_set(s, kind_of(w[1]), strcmp(w[2], "-") == 0 ? NULL : w[2], atoll(w[3]), n);
	} else if (strcmp(w[0], "take") == 0) {
		struct slots_who who = { kind_of(w[1]),
			strcmp(w[2], "-") == 0 ? vy_str_c("") : third, fourth, vy_str_c(w[4]) };

		slots_take(s, &who, vy_str_c("a ticket"), 1, n);
	} else if (strcmp(w[0], "give") == 0) {
		slots_give(s, kind_of(w[1]), third, fourth, n);
	} else if (strcmp(w[0], "look") == 0) {
		slots_look(s, n);
	} else {
		slots_give_all(s, kind_of(w[1]), third, strcmp(w[0], "waits") == 0, n);
	}
}

static char *played(const char *script)
{
	int64_t box = FILE_BOX;
	struct slots *s = slots_new(by_file, &box);
	VY_AUTO_BUF out = VY_BUF_INIT(4096);
	struct slots_news n;
	char *text = vy_strdup(script), *line, *rest = text;

	slots_news_init(&n);
	while ((line = strsep(&rest, "\n"))) {
		char *w[6] = { 0 };

		for (size_t i = 0; i < 5 && line; i++) {
			w[i] = strsep(&line, " ");
		}
		slots_news_clear(&n);
		act(s, w, &n);
		vy_buf_addc(&out, '|');
		draw(&n, &out);
	}
	slots_news_fini(&n);
	slots_free(s);
	free(text);
	return vy_buf_take(&out, NULL);
}

static void test_scripts(void **state)
{
	static const struct {
		const char *name, *script, *news;
	} rows[] = {
		{ "room for two", "take s a S 1\ntake s a S 2\ntake s a S 3", "| +1| +2| 3@1" },
		{ "kinds do not know each other", "limit s - 1\ntake s a S 1\ntake t a S 2",
			"|| +1| +2" },
		{ "the same again", "take s a S 1\ntake s a S 1", "| +1|" },
		{ "the oldest first",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s a T 3\ngive s S 1",
			"|| +1| 2@1| 3@2| -1 +~2 3@1" },
		{ "projects in turn",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s a S 3\ntake s b S 4\ngive "
			"s S 1\n"
			"give s S 2\ngive s S 4",
			"|| +1| 2@1| 3@2| 4@2 3@3| -1 +~2 4@1 3@2| -2 +~4 3@1| -4 +~3" },
		{ "one of no project is in turn too",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s a S 3\ntake s - S 4",
			"|| +1| 2@1| 3@2| 4@2 3@3" },
		{ "a full project is passed over",
			"limit s a 1\ntake s a S 1\ntake s a S 2\ntake s b S 3\ntake s b S 4\ngive "
			"s S 3\n"
			"give s S 1",
			"|| +1| 2@1| +3| 4@2| -3 +~4| -1 +~2" },
		{ "both must have room",
			"limit s a 1\nlimit s - 2\ntake s a S 1\ntake s b S 2\ntake s c S 3\ngive "
			"s S 1",
			"||| +1| +2| 3@1| -1 +~3" },
		{ "no limit", "limit s - 0\ntake s a S 1\ntake s a S 2\ntake s a S 3",
			"|| +1| +2| +3" },
		{ "a higher limit moves the line at once",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s b S 3\ntake s a S "
			"4\nlimit s - 3",
			"|| +1| 2@1| 3@2| 4@3| +~2 +~3 4@1" },
		{ "a lower one takes nothing away",
			"take s a S 1\ntake s a S 2\nlimit s - 1\ntake s a S 3\ngive s S 1\ngive s "
			"S 2",
			"| +1| +2|| 3@1| -1| -2 +~3" },
		{ "back to the file's", "limit s - 1\ntake s a S 1\ntake s a S 2\nlimit s - -1",
			"|| +1| 2@1| +~2" },
		{ "out of the line",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s b S 3\ngive s S 2",
			"|| +1| 2@1| 3@2| -~2 3@1" },
		{ "an interrupt: who waits leaves, who works stays",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s a S 3\nwaits s S",
			"|| +1| 2@1| 3@2| -~2 -~3" },
		{ "an end: all of it, and none of its own comes up meanwhile",
			"limit s - 1\ntake s a S 1\ntake s a S 2\ntake s a T 3\ngone s S",
			"|| +1| 2@1| 3@2| -~2 -1 +~3" },
		{ "who is unknown gives nothing back", "give s S 1\ngone s S\nwaits t S\nlook",
			"||||" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *got = played(rows[i].script);

		check_str(rows[i].name, got, rows[i].news);
		free(got);
	}
}

/* ---- shown and stored ---- */

static bool only_s(void *ctx, struct vy_str session)
{
	(void)ctx;
	return vy_str_is(session, "S");
}

static void test_shown(void **state)
{
	int64_t box = 1;
	struct slots *s = slots_new(by_file, &box);
	struct slots_news n;
	struct slots_who first = { SLOTS_SUBAGENT, vy_str_c("a"), vy_str_c("S"), vy_str_c("1") };
	struct slots_who second = { SLOTS_SUBAGENT, vy_str_c("a"), vy_str_c("T"), vy_str_c("2") };
	struct slots_who third = { SLOTS_SUBAGENT, vy_str_c(""), vy_str_c("S"), vy_str_c("3") };
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	(void)state;
	slots_news_init(&n);
	assert_true(slots_take(s, &first, vy_str_c("x"), 5, &n));
	assert_int_equal(n.v[0].ticket.n, 1);
	assert_false(slots_take(s, &second, vy_str_c(""), 6, &n));
	assert_false(slots_take(s, &third, vy_str_c(""), 7, &n));
	slots_set(s, SLOTS_TEAMMATE, "a", 3, &n);
	VY_AUTO_JSON *all = slots_json(s, vy_str_c(""), only_s, NULL);

	vy_json_dump(all, &b);
	check_str("all, to one who may see S alone", vy_buf_c(&b),
		"{\"slots\":["
		"{\"kind\":\"teammate\",\"limit\":1,\"from\":\"config\",\"used\":0,\"waiting\":0},"
		"{\"kind\":\"subagent\",\"limit\":1,\"from\":\"config\",\"used\":1,\"waiting\":2},"
		"{\"kind\":\"teammate\",\"project\":\"a\",\"limit\":3,\"from\":\"set\",\"used\":0,"
		"\"waiting\":0},"
		"{\"kind\":\"subagent\",\"project\":\"a\",\"limit\":0,\"from\":\"config\",\"used\":"
		"1,"
		"\"waiting\":1}],"
		"\"holders\":[{\"kind\":\"subagent\",\"project\":\"a\",\"session\":\"S\","
		"\"holder\":"
		"\"1\",\"since\":5}],"
		"\"waiting\":[{\"kind\":\"subagent\",\"session\":\"S\",\"holder\":\"3\","
		"\"position\":2,\"since\":7}]}");
	assert_int_equal(slots_position(s, SLOTS_SUBAGENT, vy_str_c("S"), vy_str_c("3")), 2);
	assert_true(slots_has(s, SLOTS_SUBAGENT, vy_str_c("S"), vy_str_c("1")));
	assert_false(slots_has(s, SLOTS_SUBAGENT, vy_str_c("S"), vy_str_c("3")));
	assert_true(slots_concerns(s, SLOTS_SUBAGENT, vy_str_c("T")));
	assert_false(slots_concerns(s, SLOTS_TEAMMATE, vy_str_c("T")));
	slots_news_fini(&n);
	slots_free(s);
}

static void test_damaged(void **state)
{
	static const struct {
		const char *name, *doc;
		bool is_good;
	} rows[] = {
		{ "empty", "{}", false },
		{ "of another version", "{\"v\":2}", false },
		{ "nobody", "{\"v\":1}", true },
		{ "a holder without a name",
			"{\"v\":1,\"subagent\":{\"held\":[{\"session\":\"S\"}]}}", false },
		{ "an empty lane", "{\"v\":1,\"teammate\":{\"circle\":[{\"project\":\"a\"}]}}",
			false },
		{ "a place before the first",
			"{\"v\":1,\"teammate\":{\"circle\":[{\"project\":\"a\",\"waiting\":[{"
			"\"session\":"
			"\"S\",\"holder\":\"1\",\"position\":0}]}]}}",
			false },
		{ "a limit of nothing", "{\"v\":1,\"limits\":[{\"kind\":\"x\",\"limit\":1}]}",
			false },
		{ "a limit below none",
			"{\"v\":1,\"limits\":[{\"kind\":\"teammate\",\"limit\":-2}]}", false },
	};
	int64_t box = 1;

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct slots *s = slots_new(by_file, &box);
		VY_AUTO_JSON *doc = vy_json_parse(vy_str_c(rows[i].doc), NULL);

		check_int(rows[i].name, slots_decode(s, doc), rows[i].is_good);
		assert_int_equal(slots_limit(s, SLOTS_TEAMMATE, NULL), 1);
		slots_free(s);
	}
}

/* ---- by chance ---- */

#define RUNS     150
#define ACTS     300
#define PROJECTS 4
#define SESSIONS 6
#define HOLDERS  5
#define PLACES   (SESSIONS * HOLDERS)

/* What the news said of a holder. Its project is that of its session. */
enum told { OUT, IN, WAITS };

struct model {
	enum told told[SLOTS_KINDS][PLACES];
	int64_t position[SLOTS_KINDS][PLACES];
	bool was_first[SLOTS_KINDS][PLACES];
};

static uint64_t dice;

static unsigned roll(unsigned n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (unsigned)(dice >> 33) % n;
}

static const char *const projects[PROJECTS] = { "", "a", "b", "c" };

static const char *project_of(unsigned place)
{
	return projects[(place / HOLDERS) % PROJECTS];
}

static unsigned place_of(const struct slots_who *who)
{
	return (unsigned)(who->session.p[0] - 'A') * HOLDERS + (unsigned)(who->holder.p[0] - '0');
}

static int64_t count(const struct model *m, enum slots_kind k, const char *project)
{
	int64_t n = 0;

	for (unsigned i = 0; i < PLACES; i++) {
		n += m->told[k][i] == IN && (!project || strcmp(project_of(i), project) == 0);
	}
	return n;
}

static bool is_over(const struct model *m, const struct slots *s, enum slots_kind k,
	const char *project, int more)
{
	int64_t limit = slots_limit(s, k, project);

	return limit > 0 && count(m, k, project) + more > limit;
}

/* No one is let in above a limit; nobody is let in, out or moved who is not there. */
static void hear(struct model *m, const struct slots *s, const struct slots_news *n)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct slots_item *it = &n->v[i];
		enum slots_kind k = it->who.kind;
		unsigned at = place_of(&it->who);

		assert_true(vy_str_is(it->who.project, project_of(at)));
		switch (it->what) {
		case SLOTS_TAKEN:
			assert_int_equal(m->told[k][at], it->is_of_line ? WAITS : OUT);
			m->told[k][at] = IN;
			m->was_first[k][at] = false;
			assert_false(is_over(m, s, k, NULL, 0));
			assert_false(*project_of(at) && is_over(m, s, k, project_of(at), 0));
			break;
		case SLOTS_RELEASED:
			assert_int_equal(m->told[k][at], it->is_of_line ? WAITS : IN);
			m->told[k][at] = OUT;
			m->was_first[k][at] = false;
			break;
		case SLOTS_QUEUED:
			assert_int_not_equal(m->told[k][at], IN);
			/* the first of a project is never moved back */
			assert_false(m->was_first[k][at] && it->position > m->position[k][at]);
			m->told[k][at] = WAITS;
			m->position[k][at] = it->position;
			break;
		}
	}
}

static bool is_first(const struct model *m, enum slots_kind k, unsigned place)
{
	for (unsigned i = 0; i < PLACES; i++) {
		if (m->told[k][i] == WAITS && m->position[k][i] < m->position[k][place] &&
			strcmp(project_of(i), project_of(place)) == 0) {
			return false;
		}
	}
	return true;
}

struct seen {
	const struct model *m;
	unsigned held[SLOTS_KINDS], waiting[SLOTS_KINDS];
};

static void see(void *ctx, const struct slots_who *who, int64_t position, int64_t since)
{
	struct seen *x = ctx;
	unsigned at = place_of(who);

	(void)since;
	assert_int_equal(x->m->told[who->kind][at], position ? WAITS : IN);
	assert_int_equal(position, position ? x->m->position[who->kind][at] : 0);
	x->held[who->kind] += position == 0;
	x->waiting[who->kind] += position > 0;
}

static void judge(struct model *m, const struct slots *s)
{
	struct seen x = { .m = m };

	slots_each(s, see, &x);
	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		enum slots_kind kind = (enum slots_kind)k;
		bool at[PLACES + 1] = { false };
		unsigned waiting = 0;

		for (unsigned i = 0; i < PLACES; i++) {
			m->was_first[k][i] = false;
			if (m->told[k][i] != WAITS) {
				continue;
			}
			/* positions are 1 .. n */
			assert_in_range(m->position[k][i], 1, PLACES);
			assert_false(at[m->position[k][i]]);
			at[m->position[k][i]] = true;
			waiting++;
			/* nobody waits for what is free */
			assert_true(is_over(m, s, kind, NULL, 1) ||
				    (*project_of(i) && is_over(m, s, kind, project_of(i), 1)));
			m->was_first[k][i] = is_first(m, kind, i);
		}
		for (unsigned i = 1; i <= waiting; i++) {
			assert_true(at[i]);
		}
		assert_int_equal(waiting, x.waiting[k]);
		assert_int_equal(count(m, kind, NULL), x.held[k]);
	}
}

static void act_by_chance(struct slots *s, struct slots_news *n)
{
	char session[2] = { (char)('A' + roll(SESSIONS)), 0 };
	char holder[2] = { (char)('0' + roll(HOLDERS)), 0 };
	enum slots_kind kind = (enum slots_kind)roll(SLOTS_KINDS);
	unsigned place = (unsigned)(session[0] - 'A') * HOLDERS;
	struct slots_who who = { kind, vy_str_c(project_of(place)), vy_str_c(session),
		vy_str_c(holder) };

	switch (roll(16)) {
	case 0:
		slots_set(s, kind, roll(2) ? projects[1 + roll(PROJECTS - 1)] : NULL,
			(int64_t)roll(6) - 1, n);
		break;
	case 1: slots_give_all(s, kind, who.session, roll(2), n); break;
	case 2: slots_look(s, n); break;
	case 3:
	case 4:
	case 5:
	case 6:
	case 7: slots_give(s, kind, who.session, who.holder, n); break;
	default: slots_take(s, &who, vy_str_c("x"), 1, n); break;
	}
}

static struct slots *reloaded(struct slots *own, int64_t *box)
{
	VY_AUTO_JSON *doc = slots_encode(own);
	struct slots *s = slots_new(by_file, box);

	assert_true(slots_decode(s, doc));
	VY_AUTO_JSON *again = slots_encode(s);

	assert_true(vy_json_equal(doc, again));
	slots_free(own);
	return s;
}

/* In the end everybody gives back, and nobody was left in the line. */
static void run_dry(struct slots *s, struct model *m, struct slots_news *n)
{
	for (unsigned guard = 0; guard < PLACES * SLOTS_KINDS * 2; guard++) {
		for (unsigned k = 0; k < SLOTS_KINDS; k++) {
			for (unsigned i = 0; i < PLACES; i++) {
				char session[2] = { (char)('A' + i / HOLDERS), 0 };
				char holder[2] = { (char)('0' + i % HOLDERS), 0 };

				if (m->told[k][i] == IN) {
					slots_news_clear(n);
					slots_give(s, (enum slots_kind)k, vy_str_c(session),
						vy_str_c(holder), n);
					hear(m, s, n);
					judge(m, s);
					break;
				}
			}
		}
	}
	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		for (unsigned i = 0; i < PLACES; i++) {
			assert_int_equal(m->told[k][i], OUT);
		}
	}
}

static void test_chance(void **state)
{
	struct slots_news n;

	(void)state;
	slots_news_init(&n);
	for (unsigned run = 1; run <= RUNS; run++) {
		int64_t box = 1 + (int64_t)(run % 4);
		struct slots *s = slots_new(by_file, &box);
		struct model m = { .told = { { OUT } } };

		dice = 88172645463325252u + run;
		for (unsigned i = 0; i < ACTS; i++) {
			slots_news_clear(&n);
			act_by_chance(s, &n);
			hear(&m, s, &n);
			judge(&m, s);
			if (roll(20) == 0) {
				s = reloaded(s, &box);
			}
		}
		run_dry(s, &m, &n);
		slots_free(s);
	}
	slots_news_fini(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
