/* payer_test.c -- who pays: by scripts, each cut and gone on with from its encoded state at every step.
 *
 * A line of a script is one of: said AUTH STATUS RESETS · reached AUTH · of (who pays for a start) · next
 * AUTH (a turn ended by the limit of that) · wait SESSION UNTIL · none SESSION (waits no more) · due ·
 * at TIME. Behind `=` stands what comes of it. Times are minutes; the provider is "box". */
#include <inttypes.h>
#include <stdlib.h>

#include "server/session/payer.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/check.h"

#define MIN ((int64_t)60 * 1000)

struct stage {
	struct payer *p;
	struct provider_conf conf;
	bool has_second;
	int64_t now;
};

static void draw_time(struct vy_buf *out, int64_t ms)
{
	vy_buf_addf(out, " %" PRId64, ms / MIN);
}

static void draw_next(const struct stage *st, const char *auth, struct vy_buf *out)
{
	struct payer_next n = payer_next(st->p, &st->conf, auth, st->has_second, st->now);

	vy_buf_addf(out, " %s", n.auth ? n.auth : "-");
	draw_time(out, n.until);
	vy_buf_adds(out, n.is_guess ? "?" : "");
}

static void said(struct stage *st, char *w[4], struct vy_buf *out)
{
	VY_AUTO_JSON *limit = vy_json_new_obj();

	vy_json_set_c(limit, "status", w[2]);
	vy_json_set_c(limit, "kind", "five_hour");
	vy_json_set_int(limit, "resets_at", atoll(w[3]) * MIN);
	vy_buf_adds(out, payer_heard(st->p, "box", w[1], limit, st->now) ? " news" : " known");
}

static void act(struct stage *st, char *w[4], struct vy_buf *out)
{
	if (strcmp(w[0], "said") == 0) {
		said(st, w, out);
	} else if (strcmp(w[0], "reached") == 0) {
		draw_time(out, payer_reached(st->p, "box", w[1], st->now));
	} else if (strcmp(w[0], "of") == 0) {
		vy_buf_addf(out, " %s", payer_of(st->p, &st->conf, st->has_second, st->now));
	} else if (strcmp(w[0], "next") == 0) {
		draw_next(st, w[1], out);
	} else if (strcmp(w[0], "wait") == 0) {
		payer_wait(st->p, w[1], atoll(w[2]) * MIN);
	} else if (strcmp(w[0], "none") == 0) {
		vy_buf_adds(out, payer_wait_no_more(st->p, w[1]) ? " yes" : " no");
	} else if (strcmp(w[0], "due") == 0) {
		char *session;

		while ((session = payer_take_due(st->p, st->now))) {
			vy_buf_addf(out, " %s", session);
			free(session);
		}
		draw_time(out, payer_due(st->p));
	} else if (strcmp(w[0], "at") == 0) {
		st->now = atoll(w[1]) * MIN;
	} else {
		fail_msg("no verb %s", w[0]);
	}
}

static void cut(struct stage *st)
{
	VY_AUTO_JSON *v = payer_encode(st->p);
	struct vy_err e = { 0 };

	payer_free(st->p);
	st->p = payer_decode(v, &e);
	if (!st->p) {
		fail_msg("%s", e.text);
	}
}

static const struct {
	const char *name, *auth, *fallback;
	bool has_second;
	const char *script;
} rows[] = {
	{ "nothing known", NULL, NULL, false, "of= login;due= 0;next login= - 0" },
	{ "one alone", "api-key", NULL, false,
		"said api-key rejected 30= news;of= api-key;next api-key= - 30" },
	{ "the second while the first is used up", NULL, "api-key", true,
		"of= login;said login rejected 30= news;next login= api-key 30;of= api-key;at 29=;"
		"of= api-key;at 30=;of= login" },
	{ "its secret is not there", NULL, "api-key", false,
		"said login rejected 30= news;next login= - 30;of= login" },
	{ "a limit that does not say until when", "setup-token", "api-key", true,
		"reached setup-token= 5;next setup-token= api-key 5?;of= api-key;at 5=;of= "
		"setup-token" },
	{ "one that says", "setup-token", "api-key", true,
		"said setup-token rejected 90= news;reached setup-token= 90;at 89=;reached "
		"setup-token= 90" },
	{ "in the past", "setup-token", "api-key", true,
		"at 100=;said setup-token rejected 90= news;of= setup-token;reached setup-token= "
		"105;"
		"of= api-key" },
	{ "by a clock that is wrong", "setup-token", "api-key", true,
		"said setup-token rejected 99999= news;of= setup-token;reached setup-token= 5" },
	{ "both used up", NULL, "api-key", true,
		"said login rejected 30= news;of= api-key;reached api-key= 5;next api-key= - 5?;"
		"of= login;at 6=;next login= api-key 30;of= api-key" },
	{ "back to the first", NULL, "api-key", true,
		"said login rejected 30= news;at 31=;reached api-key= 36;next api-key= login 36?" },
	{ "a word behind the limit makes it free", NULL, "api-key", true,
		"said login rejected 30= news;of= api-key;said login allowed 330= news;of= login" },
	{ "nearly", NULL, "api-key", true,
		"said login allowed_warning 30= news;of= login;next login= api-key 0" },
	{ "said twice", NULL, NULL, false,
		"said login allowed 30= news;said login allowed 30= known;said login allowed 31= "
		"news;"
		"said login rejected 31= news;said login rejected 31= known" },
	{ "of a credential that is not configured any more", "api-key", "setup-token", true,
		"said login rejected 30= news;of= api-key;next login= api-key 30" },
	{ "who waits", NULL, NULL, false,
		"wait a 30=;wait b 20=;due= 20;wait b 40=;due= 30;at 30=;due= a 40;none a= no;none "
		"b= yes;"
		"due= 0" },
	{ "of two that are used up the sooner one counts", NULL, "api-key", true,
		"said login rejected 3= news;reached api-key= 5;next api-key= - 3;next login= - 3;"
		"said api-key rejected 2= news;next login= - 2" },
	{ "all at once", NULL, NULL, false, "wait a 1=;wait b 2=;at 9=;due= a b 0" },
};

static void play(size_t i, bool is_cut)
{
	struct stage st = { .p = payer_new(), .has_second = rows[i].has_second };
	char *script = vy_strdup(rows[i].script), *rest = script, *line;

	st.conf = (struct provider_conf){
		.name = "box", .kind = "claude", .auth = rows[i].auth, .fallback = rows[i].fallback
	};
	while ((line = strsep(&rest, ";"))) {
		char *want = strchr(line, '='), *w[4] = { "", "", "", "" }, *word;
		VY_AUTO_BUF got = VY_BUF_INIT(4096);

		*want++ = '\0';
		for (size_t k = 0; k < 4 && (word = strsep(&line, " ")); k++) {
			w[k] = word;
		}
		act(&st, w, &got);
		if (strcmp(vy_buf_c(&got), want) != 0) {
			fail_msg("%s: %s %s: got \"%s\", expected \"%s\"", rows[i].name, w[0], w[1],
				vy_buf_c(&got), want);
		}
		if (is_cut) {
			cut(&st);
		}
	}
	free(script);
	payer_free(st.p);
}

static void test_scripts(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		play(i, false);
		play(i, true);
	}
}

/* What was said last is there for whoever asks, also behind a restart; what is damaged is said. */
static void test_limit(void **state)
{
	VY_AUTO_JSON *limit = vy_json_parse(
		VY_STR_LIT("{\"status\":\"allowed\",\"kind\":\"five_hour\",\"used\":0.5,"
			   "\"resets_at\":60000}"),
		NULL);
	VY_AUTO_JSON *bad = vy_json_parse(VY_STR_LIT("{\"known\":[{}]}"), NULL);
	struct stage st = { .p = payer_new() };
	struct vy_err e = { 0 };

	(void)state;
	assert_true(payer_heard(st.p, "box", "login", limit, 0));
	cut(&st);
	assert_true(vy_json_equal(payer_limit(st.p, "box", "login"), limit));
	assert_null(payer_limit(st.p, "box", "api-key"));
	assert_null(payer_limit(st.p, "other", "login"));
	payer_free(st.p);
	assert_null(payer_decode(bad, &e));
	check_str("damaged", e.text, "what is known of limits is damaged");
}

int main(void)
{
	static const struct CMUnitTest tests[] = { CHECK_TEST(test_scripts),
		CHECK_TEST(test_limit) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
