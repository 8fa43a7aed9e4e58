/* queue_test.c -- what waits: people's acts, the agent's acts, and what never happens. */
#include "tests/check.h"

#include "shared/model/queue.h"
#include "shared/base/ban.h"

/* ---- a script: words that act; what stands in the queue comes out as "a b* c!" ----
 *
 *	+a (queue)  ~a (steer)  ^a (now)  told:a  taken:a  back:a  cancel:a  drop:a  edit:a  now:a
 *	move:a,b  end:a  hold  release  allback
 *
 * "*" behind a name: told; "!": urgent; "[held] " in front. A refusal ends the script. */
static int add(struct vy_queue *q, const char *id, enum vy_send_mode mode, struct vy_err *e)
{
	const struct vy_queue_item it = {
		.message = vy_str_c(id), .text = vy_str_c("text"), .mode = mode
	};

	return vy_queue_add(q, &it, e);
}

static int act(struct vy_queue *q, const char *word, struct vy_err *e)
{
	const char *colon = strchr(word, ':');
	struct vy_str id = vy_str_c(colon ? colon + 1 : word + 1), before = vy_str_c(NULL);
	const char *comma = strchr(word, ',');

	if (comma) {
		before = vy_str_c(comma + 1);
		id.n = (size_t)(comma - id.p);
	}
	switch (word[0]) {
	case '+': return add(q, id.p, VY_SEND_QUEUE, e);
	case '~': return add(q, id.p, VY_SEND_STEER, e);
	case '^': return add(q, id.p, VY_SEND_NOW, e);
	default: break;
	}
	if (strncmp(word, "told", 4) == 0) {
		return vy_queue_told(q, id, e);
	}
	if (strncmp(word, "taken", 5) == 0) {
		return vy_queue_taken(q, id, e);
	}
	if (strncmp(word, "back", 4) == 0) {
		return vy_queue_came_back(q, id, e);
	}
	if (strncmp(word, "cancel", 6) == 0) {
		return vy_queue_cancelled(q, id, e);
	}
	if (strncmp(word, "drop", 4) == 0) {
		return vy_queue_unqueue(q, id, e);
	}
	if (strncmp(word, "edit", 4) == 0) {
		return vy_queue_edit(q, id, vy_str_c("edited"), e);
	}
	if (strncmp(word, "now", 3) == 0) {
		return vy_queue_send_now(q, id, e);
	}
	if (strncmp(word, "move", 4) == 0 || strncmp(word, "end", 3) == 0) {
		return vy_queue_move(q, id, before, e);
	}
	if (strcmp(word, "hold") == 0) {
		vy_queue_hold(q);
	} else if (strcmp(word, "release") == 0) {
		vy_queue_release(q);
	} else if (strcmp(word, "allback") == 0) {
		(void)vy_queue_all_came_back(q);
	} else {
		fail_msg("no such word: %s", word);
	}
	return 0;
}

static void show(const struct vy_queue *q, struct vy_buf *out)
{
	vy_buf_adds(out, q->held ? "[held]" : "");
	for (size_t i = 0; i < q->n; i++) {
		const struct vy_queue_item *it = &q->items[i];

		vy_buf_addf(out, "%s%.*s%s%s%s", out->len ? " " : "", VY_STR_ARG(it->message),
			it->edited ? "'" : "", it->urgent ? "!" : "",
			it->state == VY_ITEM_TOLD ? "*" : "");
	}
}

static const struct {
	const char *name, *script, *queue, *idle, *busy, *error; /* idle, busy: who is next then */
} rows[] = {
	{ "nothing", "", "", NULL, NULL, NULL },
	{ "in order", "+a +b", "a b", "a", NULL, NULL },
	{ "steering goes into the turn", "+a ~b", "a b", "a", "b", NULL },
	{ "now goes first", "+a ~b ^c", "a b c!", "c", "c", NULL },
	{ "now goes while held", "+a ^b hold", "[held] a b!", "b", "b", NULL },
	{ "the others do not", "+a ~b hold", "[held] a b", NULL, NULL, NULL },
	{ "until released", "+a hold release", "a", "a", NULL, NULL },
	{ "sent now", "+a +b now:b", "a b!", "b", "b", NULL },
	{ "told, it goes no second time", "+a ~b told:b", "a b*", NULL, NULL, NULL },
	{ "one turn at a time", "+a +b told:a", "a* b", NULL, NULL, NULL },
	{ "taken, the next goes", "+a +b told:a taken:a", "b", "b", NULL, NULL },
	{ "taken without being told", "+a taken:a", "", NULL, NULL, NULL },
	{ "moved", "+a +b +c move:c,a", "c a b", "c", NULL, NULL },
	{ "moved down", "+a +b +c move:a,c", "b a c", "b", NULL, NULL },
	{ "moved to the end", "+a +b end:a", "b a", "b", NULL, NULL },
	{ "moved before itself", "+a +b move:b,b", "a b", "a", NULL, NULL },
	{ "edited", "+a edit:a", "a'", "a", NULL, NULL },
	{ "taken back by a person", "+a +b drop:a", "b", "b", NULL, NULL },
	{ "back in its place", "+a +b +c told:b back:b", "a b c", "a", NULL, NULL },
	{ "an interrupt", "~a ~b told:a told:b allback hold", "[held] a b", NULL, NULL, NULL },
	{ "what came back waits for a key", "^a told:a back:a hold", "[held] a", NULL, NULL, NULL },
	{ "told twice", "+a told:a told:a", "a*", NULL, NULL, NULL },
	{ "back twice", "+a told:a back:a back:a", "a", "a", NULL, NULL },

	{ "the same id again", "+a +a", "a", "a", NULL, "that message was sent before" },
	{ "the id of one that was taken", "+a taken:a +a", "", NULL, NULL,
		"that message was sent before" },
	{ "no id", "+", "", NULL, NULL, "a message needs an id of 1 to 256 bytes" },
	{ "edit what was told", "+a told:a edit:a", "a*", NULL, NULL,
		"that message is no longer waiting: say anew what is to change" },
	{ "edit what was taken", "+a taken:a edit:a", "", NULL, NULL,
		"that message is no longer waiting: say anew what is to change" },
	{ "drop what was told", "+a told:a drop:a", "a*", NULL, NULL,
		"that message is no longer waiting: say anew what is to change" },
	{ "drop what never was", "+a drop:b", "a", "a", NULL, "no such message is waiting" },
	{ "move before what was told", "+a +b told:a move:b,a", "a* b", NULL, NULL,
		"params.before: that message is no longer waiting: say anew what is to change" },
	{ "taken twice", "+a taken:a taken:a", "", NULL, NULL,
		"that message left the queue before" },
	{ "back after it was taken", "+a taken:a back:a", "", NULL, NULL,
		"that message left the queue before" },
	{ "told after it was cancelled", "+a cancel:a told:a", "", NULL, NULL,
		"that message left the queue before" },
	{ "told what never was", "told:a", "", NULL, NULL, "no such message in the queue" },
};

static struct vy_str name_of(const struct vy_queue_item *it)
{
	return it ? it->message : vy_str_c("nobody");
}

static void scripts(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_queue q;
		struct vy_err e = { 0 };
		VY_AUTO_BUF got = VY_BUF_INIT(4096);
		char script[256];

		vy_queue_init(&q);
		snprintf(script, sizeof(script), "%s", rows[i].script);
		for (char *save, *w = strtok_r(script, " ", &save); w;
			w = strtok_r(NULL, " ", &save)) {
			if (act(&q, w, &e) < 0) {
				break;
			}
		}
		show(&q, &got);
		check_str(rows[i].name, vy_buf_c(&got), rows[i].queue);
		check_str(rows[i].name, e.text, rows[i].error ? rows[i].error : "");
		check_vstr(rows[i].name, name_of(vy_queue_next(&q, false)),
			vy_str_c(rows[i].idle ? rows[i].idle : "nobody"));
		check_vstr(rows[i].name, name_of(vy_queue_next(&q, true)),
			vy_str_c(rows[i].busy ? rows[i].busy : "nobody"));
		vy_queue_fini(&q);
	}
}

static void has_an_end(void **state)
{
	(void)state;
	struct vy_queue q;
	struct vy_err e = { 0 };
	char id[32];

	vy_queue_init(&q);
	for (int i = 0; i < VY_QUEUE_MAX; i++) {
		snprintf(id, sizeof(id), "m%d", i);
		check_int(id, add(&q, id, VY_SEND_QUEUE, &e), 0);
	}
	check_int("one more", add(&q, "more", VY_SEND_QUEUE, &e), -1);
	check_int("is a limit", e.code, VY_FULL);
	check_str(
		"said so", e.text, "200 messages are waiting: take one back or let some go first");
	/* of those that left only the newest are remembered, and memory does not grow */
	for (int i = 0; i < VY_QUEUE_MAX; i++) {
		snprintf(id, sizeof(id), "m%d", i);
		check_int(id, vy_queue_taken(&q, vy_str_c(id), &e), 0);
	}
	check_int("the newest",
		vy_queue_taken(&q, vy_str_c("m199"), &e) < 0 && e.code == VY_CONFLICT, 1);
	check_int("the oldest",
		vy_queue_taken(&q, vy_str_c("m0"), &e) < 0 && e.code == VY_NOT_FOUND, 1);
	vy_queue_fini(&q);
}

static void encoded(const struct vy_queue *q, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_queue_encode(q, &w);
}

/* Any history: after each act the queue equals its decoded twin, and no item ever comes twice. */
static void any_history_comes_back(void **state)
{
	(void)state;
	static const char *const verbs[] = { "+", "~", "^",
		"told:", "taken:", "back:", "cancel:", "drop:", "edit:", "now:", "end:", "hold",
		"release", "allback" };
	uint32_t seed = 1;

	for (int round = 0; round < 40; round++) {
		struct vy_queue q;

		vy_queue_init(&q);
		for (int i = 0; i < 120; i++) {
			char word[32];
			struct vy_queue twin;
			struct vy_err e = { 0 };
			VY_AUTO_BUF one = VY_BUF_INIT(VY_MIB), two = VY_BUF_INIT(VY_MIB);

			seed = seed * 1664525u + 1013904223u;
			const char *verb = verbs[(seed >> 16) % VY_COUNT(verbs)];

			snprintf(word, sizeof(word), "%s%s", verb,
				verb[1] && verb[strlen(verb) - 1] != ':'
					? ""
					: (const char *[]){
						  "a", "b", "c", "d", "e" }[(seed >> 24) % 5]);
			(void)act(&q, word, &e);
			encoded(&q, &one);
			VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), &e);

			check_int(word, vy_queue_decode(&twin, v, &e), 0);
			encoded(&twin, &two);
			check_str(word, vy_buf_c(&two), vy_buf_c(&one));
			for (size_t j = 0; j < q.n; j++) {
				check_true(
					word, vy_queue_find(&q, q.items[j].message) == &q.items[j]);
			}
			vy_queue_fini(&twin);
		}
		vy_queue_fini(&q);
	}
}

static void everything_of_an_item(void **state)
{
	(void)state;
	struct vy_queue q, r;
	struct vy_err e = { 0 };
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	const struct vy_queue_item it = { .message = vy_str_c("m"),
		.text = vy_str_c("\"words\"\n"),
		.images = vy_str_c("[{\"ref\":\"r\"}]"),
		.author = vy_str_c("person:p"),
		.surface = vy_str_c("tui"),
		.mode = VY_SEND_STEER,
		.queued_at = 99 };

	vy_queue_init(&q);
	check_int("added", vy_queue_add(&q, &it, &e), 0);
	check_int("told", vy_queue_told(&q, it.message, &e), 0);
	check_int("back", vy_queue_came_back(&q, it.message, &e), 0);
	check_int("told again", vy_queue_told(&q, it.message, &e), 0);
	encoded(&q, &b);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&b), &e);

	check_int("decodes", vy_queue_decode(&r, v, &e), 0);
	check_vstr("text", r.items[0].text, it.text);
	check_vstr("images", r.items[0].images, it.images);
	check_vstr("author", r.items[0].author, it.author);
	check_vstr("surface", r.items[0].surface, it.surface);
	check_int("mode", r.items[0].mode, VY_SEND_STEER);
	check_int("state", r.items[0].state, VY_ITEM_TOLD);
	check_int("tells", r.items[0].tells, 2);
	check_int("when", r.items[0].queued_at, 99);
	vy_queue_fini(&q);
	vy_queue_fini(&r);
	VY_AUTO_JSON *bad = vy_json_parse(VY_STR_LIT("{\"items\":[{\"text\":\"no id\"}]}"), &e);

	check_int("a broken one", vy_queue_decode(&q, bad, &e), -1);
	check_str("says so", e.text, "a stored queue: a message needs an id of 1 to 256 bytes");
}

CHECK_MAIN(CHECK_TEST(scripts), CHECK_TEST(has_an_end), CHECK_TEST(any_history_comes_back),
	CHECK_TEST(everything_of_an_item))
