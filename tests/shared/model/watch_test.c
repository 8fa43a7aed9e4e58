/* watch_test.c -- the rules for clients of the control plane: what comes twice, what comes late, what is
 * newer, and where to go on. And that neither order of a list and its events ends otherwise. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/model/watch.h"
#include "shared/base/ban.h"

/* ---- a script: one thing a word, with colons ----
 * r:SESSION:VALUE:SEQ[:ID]  its record is another     x:…  it was put away     d:…  deleted
 * m:MESSAGE:REVISION:SEQ[:ID]     k:SESSION:-:SEQ[:ID]  another event
 * reset:HEAD     head:HEAD     list:ASKED:a1,b2 */

static const char news[] = { [VY_WATCH_NOTHING] = '.',
	[VY_WATCH_RECORD] = 'R',
	[VY_WATCH_GONE] = 'G',
	[VY_WATCH_MESSAGE] = 'M',
	[VY_WATCH_OTHER] = 'O',
	[VY_WATCH_RESET] = '!' };

static struct vy_json *event_of(char kind, char *const *word)
{
	static const struct {
		char kind;
		const char *type;
	} types[] = { { 'r', "session.updated" }, { 'c', "session.created" },
		{ 'x', "session.archived" }, { 'd', "session.deleted" },
		{ 'm', "session.message.completed" }, { 'k', "ask.raised" } };
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	const char *type = "";

	for (size_t i = 0; i < VY_COUNT(types); i++) {
		type = types[i].kind == kind ? types[i].type : type;
	}
	vy_buf_addf(&b, "{\"id\":\"%s%s\",\"seq\":%s,\"type\":\"%s\",\"session\":\"%s\",\"data\":",
		word[3] ? "" : "e", word[3] ? word[3] : word[2], word[2], type, word[0]);
	if (kind == 'm') {
		vy_buf_addf(&b, "{\"message\":{\"message\":\"%s\",\"messageRevision\":%s}}}",
			word[0], word[1]);
	} else {
		vy_buf_addf(&b, "{\"record\":{\"session\":\"%s\",\"v\":%s}}}", word[0],
			word[1][0] == '-' ? "0" : word[1]);
	}
	struct vy_json *e = vy_json_parse(vy_buf_str(&b), NULL);

	check_true(vy_buf_c(&b), e != NULL);
	return e;
}

static int64_t number(const char *word)
{
	return word ? strtoll(word, NULL, 10) : -1;
}

static void read_list(struct vy_watch *w, const char *asked, char *items)
{
	VY_AUTO_JSON *list = vy_json_new_arr();
	char *rest = NULL;

	for (char *i = items ? strtok_r(items, ",", &rest) : NULL; i;
		i = strtok_r(NULL, ",", &rest)) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_str(o, "session", vy_str_n(i, 1));
		vy_json_set_int(o, "v", strtol(i + 1, NULL, 10));
		vy_json_add_take(list, o);
	}
	vy_watch_list(w, list, number(asked));
}

static void step(struct vy_watch *w, char *text, struct vy_buf *out)
{
	char *word[5] = { 0 }, *rest = NULL;
	size_t n = 0;

	for (char *p = strtok_r(text, ":", &rest); p && n < 5; p = strtok_r(NULL, ":", &rest)) {
		word[n++] = p;
	}
	if (!word[0]) {
		return;
	}
	if (strcmp(word[0], "head") == 0) {
		vy_buf_addc(out, vy_watch_head(w, number(word[1])) ? 'H' : 'h');
	} else if (strcmp(word[0], "list") == 0) {
		read_list(w, word[1], word[2]);
		vy_buf_addc(out, 'L');
	} else if (strcmp(word[0], "reset") == 0) {
		VY_AUTO_BUF b = VY_BUF_INIT(200);

		vy_buf_addf(&b, "{\"type\":\"control.reset\",\"data\":{\"head\":%s}}", word[1]);
		VY_AUTO_JSON *e = vy_json_parse(vy_buf_str(&b), NULL);

		vy_buf_addc(out, news[vy_watch_event(w, e)]);
	} else {
		VY_AUTO_JSON *e = event_of(word[0][0], word + 1);

		vy_buf_addc(out, news[vy_watch_event(w, e)]);
	}
}

static void add_known(void *ctx, const struct vy_json *record)
{
	vy_buf_addf(ctx, " %s%lld", vy_json_cstr(record, "session"),
		(long long)vy_json_int(record, "v", -1));
}

/* The news, letter by letter, what is known at the end, and `since`. */
static void play(const char *script, struct vy_buf *out)
{
	struct vy_watch w;
	char *copy = vy_strdup(script), *rest = NULL;

	vy_watch_init(&w);
	for (char *p = strtok_r(copy, " ", &rest); p; p = strtok_r(NULL, " ", &rest)) {
		step(&w, p, out);
	}
	vy_watch_each(&w, add_known, out);
	vy_buf_addf(out, " @%lld", (long long)w.since);
	vy_watch_fini(&w);
	free(copy);
}

static const struct {
	const char *name, *script, *want;
} rows[] = {
	{ "nothing", "", " @-1" },
	{ "the first head: the list is to be read", "head:4", "H @4" },
	{ "a later one: it goes on", "head:4 k:a:-:7 head:9", "HOh @7" },
	{ "the list", "head:4 list:4:a1,b2", "HL a1 b2 @4" },
	{ "a record", "list:4:a1,b2 r:b:3:5", "LR a1 b3 @5" },
	{ "a new session", "list:4:a1 c:b:1:5", "LR a1 b1 @5" },
	{ "put away, deleted", "list:4:a1,b2,c3 x:a:1:5 d:c:-:6", "LGG b2 @6" },
	{ "and there again", "list:4:a1 x:a:1:5 r:a:2:6", "LGR a2 @6" },
	/* by any plane, behind a resume */
	{ "an id comes twice: nothing", "list:4:a1 r:a:2:5 r:a:3:6 r:a:2:5", "LRR. a3 @6" },
	{ "under another seq, too", "r:a:2:5:x r:a:9:8:x", "R. a2 @8" },
	{ "other types alike", "k:a:-:5:x k:a:-:5:x k:b:-:6", "O.O @6" },
	/* messages: the highest revision */
	{ "a message, and its next revision", "m:M:1:5 m:M:2:6", "MM @6" },
	{ "an older one comes late", "m:M:3:7 m:M:2:6", "M. @7" },
	{ "the same one by both planes", "m:M:3:7:x m:M:3:9:y", "M. @9" },
	{ "each by itself", "m:M:3:7 m:N:1:8 m:M:4:9", "MMM @9" },
	/* a list and events, in either order */
	{ "an event before the list that was asked for before it", "head:4 r:a:2:5 list:4:a1,b1",
		"HRL a2 b1 @5" },
	{ "an event that the list knew of", "head:4 r:a:2:5 list:5:a3", "HRL a3 @5" },
	{ "a session that the list has not yet", "head:4 c:b:1:5 list:4:a1", "HRL a1 b1 @5" },
	{ "one that it still has", "head:4 d:a:-:5 list:4:a1,b1", "HGL b1 @5" },
	{ "put away before it was asked for", "head:4 x:a:1:5 list:5:b1", "HGL b1 @5" },
	{ "what it has no more is gone", "list:4:a1,b2 list:6:b3", "LL b3 @-1" },
	{ "two lists under way, the older one last", "head:4 r:a:2:5 list:5:a2,b1 list:4:a1,b1",
		"HRLL a2 b1 @5" },
	/* something was missed */
	{ "a reset", "head:4 list:4:a1 r:a:2:5 reset:90 list:90:a7,c1", "HLR!L a7 c1 @90" },
	{ "back, too: another database", "head:90 reset:3 r:a:1:4", "H!R a1 @4" },
	{ "events behind a reset hold over its list", "list:4:a1 reset:90 r:a:3:91 list:90:a2",
		"L!RL a3 @91" },
};

static void plays(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF got = VY_BUF_INIT(4096);

		play(rows[i].script, &got);
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
	}
}

static void no_events(void **state)
{
	static const char *const texts[] = { "{}", "[]", "3", "null", "{\"type\":3}",
		"{\"type\":\"session.updated\",\"session\":\"a\"}",
		"{\"type\":\"session.updated\",\"session\":\"a\",\"data\":{\"record\":[]}}",
		"{\"type\":\"session.message.created\",\"data\":{\"message\":{}}}" };
	struct vy_watch w;

	(void)state;
	vy_watch_init(&w);
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		VY_AUTO_JSON *e = vy_json_parse(vy_str_c(texts[i]), NULL);

		check_int(texts[i], vy_watch_event(&w, e), VY_WATCH_NOTHING);
	}
	check_int("null", vy_watch_event(&w, NULL), VY_WATCH_NOTHING);
	vy_watch_list(&w, NULL, 0);
	check_true("nothing is known", w.sessions == NULL);
	vy_watch_fini(&w);
}

/* What is remembered has an end, and what is forgotten is the oldest. */
static void bounds(void **state)
{
	struct vy_watch w;

	(void)state;
	vy_watch_init(&w);
	for (int i = 0; i < 3 * VY_WATCH_IDS; i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(200);

		vy_buf_addf(&b,
			"{\"id\":\"i%d\",\"seq\":%d,\"type\":\"session.message.completed\","
			"\"data\":"
			"{\"message\":{\"message\":\"m%d\",\"messageRevision\":1}}}",
			i, i, i);
		VY_AUTO_JSON *e = vy_json_parse(vy_buf_str(&b), NULL);

		check_int("news", vy_watch_event(&w, e), VY_WATCH_MESSAGE);
		check_int("twice", vy_watch_event(&w, e), VY_WATCH_NOTHING);
	}
	check_int("ids", (long long)w.n_ids, VY_WATCH_IDS);
	check_int("messages", (long long)w.n_messages, VY_WATCH_MESSAGES);
	vy_watch_fini(&w);
}

/* ---- any order ends in the truth ----
 *
 * A server of some sessions changes; a client hears the events in order, and lists that were taken at
 * some moment between their asking and their arrival. Connections are cut and go on, sometimes with
 * an event again, sometimes behind a reset. When all has come the client knows what the server does. */

#define SESSIONS 6

struct server {
	int64_t seq, v[SESSIONS]; /* v 0: there is none */
};

static struct vy_json *list_of(const struct server *s)
{
	struct vy_json *list = vy_json_new_arr();

	for (int i = 0; i < SESSIONS; i++) {
		char id[2] = { (char)('a' + i), '\0' };

		if (s->v[i]) {
			struct vy_json *o = vy_json_new_obj();

			vy_json_set_c(o, "session", id);
			vy_json_set_int(o, "v", s->v[i]);
			vy_json_add_take(list, o);
		}
	}
	return list;
}

static int dice(unsigned *seed, int n)
{
	*seed = *seed * 1103515245u + 12345u;
	return (int)(*seed >> 16 & 0x7fff) % n;
}

static struct vy_json *change(struct server *s, unsigned *seed)
{
	int i = dice(seed, SESSIONS);
	char kind = s->v[i] && dice(seed, 4) == 0 ? 'x' : 'r', id[2] = { (char)('a' + i), '\0' };
	char v[24], seq[24];
	char *words[5] = { id, v, seq };

	s->seq += 1 + dice(seed, 3);
	s->v[i] = kind == 'x' ? 0 : s->seq;
	snprintf(v, sizeof(v), "%lld", (long long)s->v[i]);
	snprintf(seq, sizeof(seq), "%lld", (long long)s->seq);
	return event_of(kind, words);
}

#define EVENTS 200

static void orders(void **state)
{
	(void)state;
	for (unsigned run = 1; run <= 300; run++) {
		unsigned seed = run;
		struct server s = { .seq = dice(&seed, 50) };
		struct vy_json *events[EVENTS], *list = NULL;
		struct vy_watch w;
		size_t sent = 0;
		int64_t asked = 0, taken = 0;
		char name[40];

		snprintf(name, sizeof(name), "run %u", run);
		vy_watch_init(&w);
		check_true(name, vy_watch_head(&w, s.seq));
		asked = w.since;
		list = list_of(&s);
		for (size_t made = 0; made < EVENTS; made++) {
			events[made] = change(&s, &seed);
			while (sent <= made && dice(&seed, 3)) {
				vy_watch_event(&w, events[sent++]);
				if (dice(&seed, 6) == 0) { /* once more, behind a cut */
					vy_watch_event(&w, events[sent - 1]);
				}
			}
			if (list && dice(&seed, 4) == 0) { /* it arrives */
				vy_watch_list(&w, list, asked);
				vy_json_free(list);
				list = NULL;
			} else if (!list && dice(&seed, 8) == 0) { /* asked for and taken */
				asked = w.since;
				list = list_of(&s);
				taken++;
			} else if (!list && dice(&seed, 40) == 0) { /* missed: a reset */
				VY_AUTO_BUF b = VY_BUF_INIT(200);

				vy_buf_addf(&b,
					"{\"type\":\"control.reset\",\"data\":{\"head\":%lld}}",
					(long long)s.seq);
				VY_AUTO_JSON *e = vy_json_parse(vy_buf_str(&b), NULL);

				sent = made + 1;
				vy_watch_event(&w, e);
				asked = w.since;
				list = list_of(&s);
			}
		}
		if (list) {
			vy_watch_list(&w, list, asked);
			vy_json_free(list);
		}
		while (sent < EVENTS) {
			vy_watch_event(&w, events[sent++]);
		}
		check_int(name, w.since, s.seq);
		for (int i = 0; i < SESSIONS; i++) {
			char id[2] = { (char)('a' + i), '\0' };
			const struct vy_json *r = vy_watch_record(&w, vy_str_c(id));

			check_int(name, r ? vy_json_int(r, "v", -1) : 0, s.v[i]);
		}
		check_true("lists were taken", taken > 0);
		for (size_t i = 0; i < EVENTS; i++) {
			vy_json_free(events[i]);
		}
		vy_watch_fini(&w);
	}
}

CHECK_MAIN(CHECK_TEST(plays), CHECK_TEST(no_events), CHECK_TEST(bounds), CHECK_TEST(orders))
