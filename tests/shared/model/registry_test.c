/* registry_test.c -- the table of control events, walked: what each is drawn from makes it, what is
 * made fits its schema, and no word of an answer gets there before the answer is whole. */
#include "tests/check.h"

#include "shared/frame/codec.h"
#include "shared/model/registry.h"
#include "shared/model/settle.h"
#include "shared/rpc/schema.h"
#include "shared/base/ban.h"

static struct vy_arena mem;

static struct vy_frame frame(const char *kind, const char *data)
{
	struct vy_frame f;
	struct vy_err e = { 0 };
	static int n;
	const char *line = vy_arena_printf(&mem,
		"{\"v\":1,\"id\":\"f%d\",\"cur\":%d,\"session\":\"S\",\"turn\":\"S:1\","
		"\"type\":\"session.%s\",\"time\":9,\"data\":%s,\"author\":\"assistant:a\"}",
		n + 1, n + 1, kind, data);

	n++;
	if (vy_frame_decode(vy_str_c(line), &mem, &f, &e) < 0) {
		fail_msg("%s: %s", line, e.text);
	}
	return f;
}

/* ---- what was said ---- */

struct heard {
	int times[VY_CONTROL_TYPES];
	struct vy_buf words, ids;
	const char *from;
};

static bool names(const char *list, const char *word)
{
	for (const char *p = list; (p = strstr(p, word)); p++) {
		char end = p[strlen(word)];

		if ((p == list || p[-1] == ' ') && (!end || end == ' ')) {
			return true;
		}
	}
	return false;
}

static void hear(void *ctx, const struct vy_control *ev)
{
	struct heard *h = ctx;
	const struct vy_control_row *row = vy_control_row(ev->type);
	struct vy_err e = { 0 };
	VY_AUTO_JSON *data = vy_json_parse(ev->data, &e);
	const struct vy_schema *schema = vy_schema_parse(vy_str_c(row->data), &mem, &e);

	if (!schema || !data || vy_schema_check_whole(schema, data, "data", &e) != 0) {
		fail_msg("%s: %s: %.*s", row->word, e.text, VY_STR_ARG(ev->data));
	}
	if (!names(row->from, h->from)) {
		fail_msg("%s came of %s, not of %s", row->word, h->from, row->from);
	}
	h->times[ev->type]++;
	vy_buf_addf(&h->words, "%s ", row->word);
	vy_buf_addf(&h->ids, "%.*s ", VY_STR_ARG(ev->id));
}

static void heard_init(struct heard *h)
{
	*h = (struct heard){ 0 };
	vy_buf_init(&h->words, 1 << 20);
	vy_buf_init(&h->ids, 1 << 20);
}

static void heard_fini(struct heard *h)
{
	vy_buf_fini(&h->words);
	vy_buf_fini(&h->ids);
}

static void lifted(struct heard *h, struct vy_lift *l, const struct vy_frame *f)
{
	struct vy_event ev;

	if (vy_lift(l, f, &mem, &ev)) {
		h->from = ev.type;
		vy_control_of_event(VY_STR_LIT("evt_x"), &ev, f, &mem, hear, h);
	}
}

/* ---- frames ---- */

static const struct {
	const char *name;
	struct {
		const char *kind, *data;
	} frames[5];
	const char *want; /* in this order */
} rows[] = {
	{ "a turn",
		{ { "status", "{\"state\":\"starting\",\"turn\":\"S:1\"}" },
			{ "status", "{\"state\":\"working\",\"turn\":\"S:1\"}" },
			{ "status", "{\"state\":\"waiting\",\"usage\":{\"used\":4,\"max\":9}}" } },
		"session.state session.run.started session.state session.run.completed "
		"session.usage session.state " },
	{ "a turn that was cut short",
		{ { "status", "{\"state\":\"working\"}" },
			{ "status", "{\"state\":\"waiting\",\"note\":\"interrupted\"}" } },
		"session.run.started session.state session.run.cancelled session.state " },
	{ "a turn that failed",
		{ { "status", "{\"state\":\"working\"}" },
			{ "status", "{\"state\":\"failed\",\"reason\":\"agent-lost\"}" },
			{ "status", "{\"state\":\"waiting\"}" } },
		"session.run.started session.state session.state session.run.failed "
		"session.state " },
	{ "an ask",
		{ { "ask", "{\"ask_id\":\"q\",\"kind\":\"permission\",\"tool\":\"Bash\","
			   "\"summary\":\"ls\",\"options\":[{}]}" },
			{ "ask-answered",
				"{\"ask_id\":\"q\",\"decision\":\"allow\",\"by\":\"person:p\"}" } },
		"ask.raised ask.answered " },
	{ "the queue",
		{ { "user-message", "{\"message\":\"m\",\"state\":\"queued\",\"text\":\"a\","
				    "\"mode\":\"queue\",\"position\":0}" },
			{ "user-message",
				"{\"message\":\"m\",\"state\":\"picked-up\",\"text\":\"a\"}" },
			{ "user-message", "{\"message\":\"n\",\"state\":\"picked-up\",\"step\":1,"
					  "\"text\":\"a\"}" },
			{ "user-message",
				"{\"message\":\"o\",\"state\":\"cancelled\",\"text\":\"a\"}" },
			{ "status", "{\"state\":\"waiting\",\"held\":true}" } },
		"session.queue.changed session.queue.changed session.queue.changed "
		"session.queue.changed session.queue.changed " },
	{ "said at once: the queue is as it was",
		{ { "user-message", "{\"message\":\"m\",\"state\":\"sent\",\"text\":\"a\"}" } },
		"" },
	{ "mode and model, which say nothing of the state",
		{ { "status", "{\"state\":\"waiting\",\"mode\":\"plan\"}" },
			{ "status", "{\"state\":\"waiting\",\"model\":\"m1\"}" } },
		"session.mode.changed session.model.changed " },
	{ "compacted, rewound",
		{ { "status", "{\"state\":\"waiting\",\"compacted\":{\"trigger\":\"auto\","
			      "\"before\":9,\"after\":2}}" },
			{ "status", "{\"state\":\"waiting\",\"rewound\":{\"message\":\"m\","
				    "\"to\":3}}" } },
		"session.compacted session.rewound " },
	{ "words, calls and their output",
		{ { "text-delta", "{\"message\":\"m\",\"index\":0,\"text\":\"zanzibar\"}" },
			{ "text-done", "{\"message\":\"m\",\"index\":0}" },
			{ "tool-started", "{\"tool_id\":\"t\",\"tool\":\"Bash\","
					  "\"kind\":\"shell\",\"summary\":\"ls\"}" },
			{ "tool-progress", "{\"tool_id\":\"t\",\"text\":\"zanzibar\"}" },
			{ "tool-finished", "{\"tool_id\":\"t\",\"ok\":true,"
					   "\"status\":\"completed\",\"result\":{}}" } },
		"" },
};

static void run_rows(struct heard *all)
{
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_lift l = { 0 };
		struct heard h;

		heard_init(&h);
		for (size_t n = 0; n < VY_COUNT(rows[i].frames) && rows[i].frames[n].kind; n++) {
			struct vy_frame f = frame(rows[i].frames[n].kind, rows[i].frames[n].data);

			lifted(&h, &l, &f);
		}
		check_str(rows[i].name, vy_buf_c(&h.words), rows[i].want);
		for (int t = 0; t < VY_CONTROL_TYPES; t++) {
			all->times[t] += h.times[t];
		}
		heard_fini(&h);
	}
}

/* ---- messages ---- */

static void changed(struct heard *h, struct vy_message *m, enum vy_message_change c)
{
	struct vy_control_message in = { .id = VY_STR_LIT("evt_m"),
		.session = VY_STR_LIT("S"),
		.change = c,
		.m = m,
		.text = VY_STR_LIT("hello"),
		.blocks = VY_STR_LIT("[{\"index\":0,\"kind\":\"text\",\"text\":\"hello\"}]") };

	h->from = "message";
	vy_control_of_message(&in, &mem, hear, h);
}

static void run_messages(struct heard *h)
{
	struct vy_message m = { 0 };
	struct vy_frame delta =
		frame("text-delta", "{\"message\":\"a\",\"index\":0,\"text\":\"zanzibar\"}");
	struct vy_frame queued = frame("user-message",
		"{\"message\":\"u\",\"state\":\"queued\",\"text\":\"hi\",\"mode\":\"queue\"}");
	struct vy_frame edited = frame("user-message",
		"{\"message\":\"u\",\"state\":\"queued\",\"text\":\"ho\",\"mode\":\"queue\","
		"\"edited\":true}");
	struct vy_frame again = frame(
		"user-message", "{\"message\":\"u\",\"state\":\"cancelled\",\"text\":\"ho\"}");

	changed(h, &m, vy_message_streams(&m, &delta));
	changed(h, &m, vy_message_settled(&m, vy_str_c(""), 7, 20, &mem));
	changed(h, &m, vy_message_rewind(&m, 30, 0, 30));
	m = (struct vy_message){ 0 };
	changed(h, &m, vy_message_streams(&m, &delta));
	changed(h, &m, vy_message_settled(&m, VY_STR_LIT("interrupted"), 8, 20, &mem));
	m = (struct vy_message){ 0 };
	changed(h, &m, vy_message_said(&m, &queued));
	changed(h, &m, vy_message_said(&m, &edited));
	changed(h, &m, vy_message_said(&m, &again));
}

/* ---- records ---- */

#define LIMIT    "{\"status\":\"rejected\",\"kind\":\"five_hour\",\"used\":1.0,\"resets_at\":5}"
#define TASK(id) "{\"task\":\"" id "\",\"kind\":\"shell\",\"text\":\"x\",\"status\":\"running\"}"

/* A record has all its members; a row says those that count. */
static struct vy_json *record_of(const char *row)
{
	static const char all[] =
		"{\"session\":\"S\",\"title\":null,\"provider\":\"demo\",\"driver\":\"demo\","
		"\"model\":null,"
		"\"mode\":\"default\",\"thinking\":null,\"purpose\":\"chat\",\"auth\":\"login\","
		"\"cwd\":\"/\","
		"\"project\":null,\"state\":\"idle\",\"turn\":null,\"process\":null,\"reason\":"
		"null,\"wait\":null,\"created\":1,\"updated\":1,"
		"\"usage\":null,"
		"\"context\":{\"used\":0,\"max\":0},\"limits\":null,\"capabilities\":null,"
		"\"tasks\":[],"
		"\"asks\":0,\"queued\":0,\"messages\":0,\"held\":false,\"archived\":false}";
	VY_AUTO_JSON *some = row ? vy_json_parse(vy_str_c(row), NULL) : NULL;
	struct vy_json *o = row ? vy_json_parse(vy_str_c(all), NULL) : NULL, *value;
	const char *key;

	VY_JSON_EACH (some, key, value) {
		vy_json_set(o, key, value);
	}
	return o;
}

static const struct {
	const char *name, *was, *is;
	bool is_new;
	const char *want;
} records[] = {
	{ "started", NULL, "{\"session\":\"S\",\"state\":\"idle\"}", true, "session.created " },
	{ "first seen", NULL, "{\"session\":\"S\",\"archived\":true}", false, "session.updated " },
	{ "written again", "{\"session\":\"S\",\"updated\":1}", "{\"session\":\"S\",\"updated\":2}",
		false, "" },
	{ "renamed", "{\"session\":\"S\",\"title\":\"a\"}", "{\"session\":\"S\",\"title\":\"b\"}",
		false, "session.updated " },
	{ "put away", "{\"session\":\"S\",\"archived\":false}",
		"{\"session\":\"S\",\"archived\":true}", false, "session.archived " },
	{ "taken back", "{\"session\":\"S\",\"archived\":true}",
		"{\"session\":\"S\",\"archived\":false}", false, "session.updated " },
	{ "put away and renamed later", "{\"session\":\"S\",\"archived\":true,\"title\":\"a\"}",
		"{\"session\":\"S\",\"archived\":true,\"title\":\"b\"}", false,
		"session.updated " },
	{ "deleted", "{\"session\":\"S\"}", NULL, false, "session.deleted " },
	{ "a limit", "{\"session\":\"S\",\"limits\":null}",
		"{\"session\":\"S\",\"limits\":" LIMIT "}", false,
		"session.updated session.limit " },
	{ "no limit any more", "{\"session\":\"S\",\"limits\":" LIMIT "}",
		"{\"session\":\"S\",\"limits\":null}", false, "session.updated " },
	{ "tasks", "{\"session\":\"S\",\"tasks\":[" TASK("a") "]}",
		"{\"session\":\"S\",\"tasks\":[" TASK("b") "]}", false,
		"session.updated session.task.started session.task.finished " },
};

static void run_records(struct heard *all)
{
	for (size_t i = 0; i < VY_COUNT(records); i++) {
		VY_AUTO_JSON *was = record_of(records[i].was);
		VY_AUTO_JSON *is = record_of(records[i].is);
		struct heard h;

		heard_init(&h);
		h.from = "record";
		vy_control_of_record(was, is, records[i].is_new, &mem, hear, &h);
		check_str(records[i].name, vy_buf_c(&h.words), records[i].want);
		for (int t = 0; t < VY_CONTROL_TYPES; t++) {
			all->times[t] += h.times[t];
		}
		heard_fini(&h);
	}
}

static void run_providers(struct heard *all)
{
	all->from = "server";
	vy_control_of_provider(VY_STR_LIT("p"), VY_STR_LIT(""), &mem, hear, all);
	vy_control_of_provider(VY_STR_LIT("p"), VY_STR_LIT("no"), &mem, hear, all);
	assert_int_equal(all->times[VY_CONTROL_PROVIDER_CHANGED], 2);
	struct vy_control_defaults d = { VY_STR_LIT("model"), VY_STR_LIT("a"), VY_STR_LIT("chat"),
		0 };

	vy_control_of_defaults(&d, &mem, hear, all);
	d = (struct vy_control_defaults){ VY_STR_LIT("prompt"), VY_STR_LIT(""), VY_STR_LIT(""), 3 };
	vy_control_of_defaults(&d, &mem, hear, all);
}

static void run_slots(struct heard *all)
{
	struct vy_control_slot slot = { VY_CONTROL_SLOT_QUEUED, VY_STR_LIT("subagent"),
		VY_STR_LIT("a"), VY_STR_LIT("S"), VY_STR_LIT("call"), 2, false };

	all->from = "slots";
	vy_control_of_slot(&slot, &mem, hear, all);
	slot = (struct vy_control_slot){ VY_CONTROL_SLOT_TAKEN, VY_STR_LIT("teammate"),
		VY_STR_LIT(""), VY_STR_LIT("S"), VY_STR_LIT("S"), 0, true };
	vy_control_of_slot(&slot, &mem, hear, all);
	slot.type = VY_CONTROL_SLOT_RELEASED;
	slot.has_waited = false;
	vy_control_of_slot(&slot, &mem, hear, all);
}

static void run_terms(struct heard *all)
{
	struct vy_control_term term = { .type = VY_CONTROL_TERM_OPENED,
		.session = VY_STR_LIT("S"),
		.term = VY_STR_LIT("T"),
		.pid = 7,
		.cols = 80,
		.rows = 24 };

	all->from = "terms";
	vy_control_of_term(&term, &mem, hear, all);
	term.type = VY_CONTROL_TERM_ENDED;
	term.has_code = true;
	vy_control_of_term(&term, &mem, hear, all);
	term.signal = 9;
	term.why = VY_STR_LIT("so it is");
	vy_control_of_term(&term, &mem, hear, all);
	term.type = VY_CONTROL_TERM_CLOSED;
	vy_control_of_term(&term, &mem, hear, all);
}

/* ---- the tests ---- */

static void the_table(void **state)
{
	struct heard all;

	(void)state;
	heard_init(&all);
	run_rows(&all);
	run_messages(&all);
	run_records(&all);
	run_providers(&all);
	run_slots(&all);
	run_terms(&all);
	for (int t = 0; t < VY_CONTROL_TYPES; t++) {
		const struct vy_control_row *row = vy_control_row((enum vy_control_type)t);
		bool is_drawn = row->persistence == VY_PERSISTENCE_KEPT;
		struct vy_err e = { 0 };

		assert_int_equal(vy_control_type(vy_str_c(row->word)), t);
		if (!vy_schema_parse(vy_str_c(row->data), &mem, &e)) {
			fail_msg("%s: %s", row->word, e.text);
		}
		if (is_drawn != (all.times[t] > 0)) {
			fail_msg("%s: said %d times", row->word, all.times[t]);
		}
		if (row->delivery == VY_DELIVERY_GENERATION && all.times[t]) {
			fail_msg("%s on the control plane", row->word);
		}
	}
	assert_int_equal(vy_control_type(VY_STR_LIT("session.none")), VY_CONTROL_TYPES);
	heard_fini(&all);
}

/* Events of one frame are told apart by id. */
static void ids(void **state)
{
	struct vy_lift l = { 0 };
	struct vy_frame f = frame("status", "{\"state\":\"working\"}");
	struct heard h;

	(void)state;
	heard_init(&h);
	lifted(&h, &l, &f);
	check_str("ids", vy_buf_c(&h.ids), "evt_x evt_x.1 ");
	heard_fini(&h);
}

/* A private message's event carries no words, for there are none. */
static void private(void **state)
{
	struct vy_message m = { 0 };
	struct vy_frame f = frame("user-message", "{\"message\":\"m\",\"state\":\"queued\",\"enc\":"
						  "{\"ct\":\"?\"},\"mode\":\"queue\"}");
	struct heard h;

	(void)state;
	heard_init(&h);
	changed(&h, &m, vy_message_said(&m, &f));
	check_str("private", vy_buf_c(&h.words), "session.message.created ");
	heard_fini(&h);
}

static int up(void **state)
{
	(void)state;
	vy_arena_init(&mem);
	return 0;
}

static int down(void **state)
{
	(void)state;
	vy_arena_fini(&mem);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table),
		cmocka_unit_test(ids),
		cmocka_unit_test(private),
	};

	return cmocka_run_group_tests(tests, up, down);
}
