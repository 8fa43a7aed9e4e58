/* adopt_gemini.c -- what Gemini CLI left: a file of records a session; before that, one JSON document.
 *
 * A record is a message, which is written again when it grows (the last one of an id counts), or an
 * order: `$set` with `messages` puts all of them anew, `$rewindTo` takes a message and all behind it back. So
 * the list is made first and then told. */
#include "server/provider/adopt.h"

#include "server/provider/brief.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define OUTPUT_MAX 32768
#define INDEX      1 /* of the answer in a message: its thoughts are 0 */

static const char *const not_typed[] = { "<session_context>", "<system", NULL };

/* ---- the list of messages ---- */

static size_t place_of(const struct vy_json *list, struct vy_str id)
{
	size_t n = vy_json_len(list), i = n;

	while (i > 0) { /* most often the newest */
		if (vy_str_eq(vy_json_str(vy_json_at(list, i - 1), "id"), id)) {
			return i - 1;
		}
		i -= 1;
		if (n - i > 64) {
			break;
		}
	}
	return n;
}

static void put(struct vy_json *list, struct vy_json *message)
{
	struct vy_str id = vy_json_str(message, "id");
	size_t at = id.n ? place_of(list, id) : vy_json_len(list);

	if (at < vy_json_len(list)) {
		vy_json_del_at(list, at);
		vy_json_insert_take(list, at, vy_json_ref(message));
	} else {
		vy_json_add_take(list, vy_json_ref(message));
	}
}

static void put_all(struct vy_json *list, const struct vy_json *messages)
{
	while (vy_json_len(list)) {
		vy_json_del_at(list, vy_json_len(list) - 1);
	}
	for (size_t i = 0; i < vy_json_len(messages); i++) {
		vy_json_add_take(list, vy_json_ref(vy_json_at(messages, i)));
	}
}

static void rewind_to(struct vy_json *list, struct vy_str id)
{
	size_t n = vy_json_len(list), at = n;

	for (size_t i = 0; i < n && at == n; i++) {
		at = vy_str_eq(vy_json_str(vy_json_at(list, i), "id"), id) ? i : n;
	}
	at = at == n ? 0 : at; /* as gemini does: one that is not there takes all */
	while (vy_json_len(list) > at) {
		vy_json_del_at(list, vy_json_len(list) - 1);
	}
}

static void take(struct vy_json *list, struct vy_json *v)
{
	const struct vy_json *set = vy_json_get(v, "$set");
	const struct vy_json *messages = vy_json_get(set ? set : v, "messages");

	if (vy_json_type(messages) == VY_JSON_ARR) {
		put_all(list, messages);
	} else if (vy_json_str(v, "$rewindTo").n) {
		rewind_to(list, vy_json_str(v, "$rewindTo"));
	} else if (!set && vy_json_str(v, "type").n) {
		put(list, v);
	}
}

/* Owned. */
static struct vy_json *messages_of(struct vy_str text, int64_t *skipped)
{
	struct vy_json *list = vy_json_new_arr();
	struct vy_str rest = text, line;
	VY_AUTO_JSON *whole = NULL;

	/* one document over many lines: as it was before records */
	if (memmem(text.p ? text.p : "", text.n < 512 ? text.n : 512, "{\n", 2) == text.p &&
		text.n) {
		whole = text.n <= ADOPT_LINE_MAX * 8 ? vy_json_parse_lenient(text, NULL) : NULL;
		if (whole) {
			take(list, whole);
			return list;
		}
	}
	while (adopt_line(&rest, true, &line)) {
		VY_AUTO_JSON *v = vy_str_trim(line).n ? adopt_object(line) : NULL;

		if (v) {
			take(list, v);
		} else {
			*skipped += vy_str_trim(line).n > 0;
		}
	}
	return list;
}

static bool is_word(const struct vy_json *m, struct vy_str text)
{
	return vy_str_is(vy_json_str(m, "type"), "user") && text.n &&
	       !adopt_is_tagged(text, not_typed);
}

/* ---- a glance ---- */

static void glance(const struct adopt_piece *p, struct vy_arena *a, struct adopt_glance *out)
{
	int64_t skipped = 0;
	int images = 0;
	bool has_words = false;
	VY_AUTO_JSON *list = NULL;

	if (!vy_str_starts(p->name, "session-")) {
		out->is_none = true;
		return;
	}
	out->id = brief_id(adopt_member(p->head, "sessionId", a));
	out->is_none = !out->id.n || vy_str_is(adopt_member(p->head, "kind", a), "subagent");
	list = messages_of(p->head, &skipped);
	for (size_t i = 0; i < vy_json_len(list) && !out->title.n; i++) {
		const struct vy_json *m = vy_json_at(list, i);
		struct vy_str text = adopt_text(vy_json_get(m, "content"), &images, a);

		has_words |= is_word(m, text) || vy_str_is(vy_json_str(m, "type"), "gemini");
		out->title = is_word(m, text) ? text : out->title;
	}
	out->is_none |= !has_words && !p->tail.n;
}

/* ---- a reading ---- */

static const char *kind_of(struct vy_str name)
{
	static const struct {
		const char *name, *kind;
	} rows[] = { { "run_shell_command", "shell" }, { "write_file", "edit" },
		{ "replace", "edit" }, { "read_file", "read" }, { "read_many_files", "read" },
		{ "list_directory", "search" }, { "glob", "search" }, { "grep_search", "search" },
		{ "search_file_content", "search" }, { "google_web_search", "web" },
		{ "web_fetch", "web" }, { "write_todos", "todo" } };

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (vy_str_is(name, rows[i].name)) {
			return rows[i].kind;
		}
	}
	return "other";
}

static struct vy_str output_of(const struct vy_json *call)
{
	const struct vy_json *response = vy_json_path(
		vy_json_at(vy_json_get(call, "result"), 0), "functionResponse.response");
	struct vy_str out = vy_json_str(response, "output"), bad = vy_json_str(response, "error");
	struct vy_str shown = vy_json_str(call, "resultDisplay");

	return out.n ? out : bad.n ? bad : shown;
}

static void tell_one(const struct adopt_sink *sink, const struct vy_json *call, int64_t time)
{
	struct vy_str status = vy_json_str(call, "status"), name = vy_json_str(call, "name");
	struct vy_str about = vy_json_str(vy_json_get(call, "args"), "command");
	struct vy_str shown = brief_cut(output_of(call), OUTPUT_MAX);
	struct vy_arena mem;

	vy_arena_init(&mem);
	struct adopt_call c = { .id = vy_json_str(call, "id"),
		.name = name,
		.about = brief_one_line(about.n ? about : vy_json_str(call, "description"), &mem),
		.kind = kind_of(name),
		.outcome = vy_str_is(status, "error")       ? AGENT_FAILED
			   : vy_str_is(status, "cancelled") ? AGENT_CANCELED
							    : AGENT_OK };

	if (about.n) {
		c.own_block = vy_json_new_obj();
		vy_json_set_c(c.own_block, "type", "terminal");
		vy_json_set_str(c.own_block, "command", brief_cut(about, OUTPUT_MAX / 4));
		vy_json_set_str(c.own_block, "output", shown);
	} else {
		c.own_block = brief_block(shown);
	}
	adopt_tell_call(sink, &c, time);
	vy_arena_fini(&mem);
}

static void tell_thoughts(
	const struct adopt_sink *sink, const struct vy_json *m, struct vy_str id, int64_t time)
{
	const struct vy_json *thoughts = vy_json_get(m, "thoughts");
	const struct adopt_block b = { .message = id, .is_reasoning = true };
	VY_AUTO_BUF text = VY_BUF_INIT(1024 * 1024);

	for (size_t i = 0; i < vy_json_len(thoughts); i++) {
		const struct vy_json *t = vy_json_at(thoughts, i);

		vy_buf_adds(&text, text.len ? "\n\n" : "");
		vy_buf_addstr(&text, vy_json_str(t, "subject"));
		vy_buf_adds(&text, vy_json_str(t, "subject").n ? "\n" : "");
		vy_buf_addstr(&text, vy_json_str(t, "description"));
	}
	adopt_tell(sink, &b, vy_buf_str(&text), time);
}

static void tell(const struct adopt_sink *sink, const struct vy_json *m, struct vy_arena *a)
{
	int64_t time = adopt_time(vy_json_str(m, "timestamp"));
	struct adopt_said s = { .message = brief_id(vy_json_str(m, "id")), .time = time };
	const struct vy_json *calls = vy_json_get(m, "toolCalls");

	s.text = adopt_text(vy_json_get(m, "content"), &s.images, a);
	if (is_word(m, s.text) || (vy_str_is(vy_json_str(m, "type"), "user") && s.images)) {
		sink->said(sink->ctx, &s);
	} else if (vy_str_is(vy_json_str(m, "type"), "gemini")) {
		const struct adopt_block b = { .message = s.message, .index = INDEX };

		tell_thoughts(sink, m, s.message, time);
		adopt_tell(sink, &b, s.text, time);
		for (size_t i = 0; i < vy_json_len(calls); i++) {
			tell_one(sink, vy_json_at(calls, i), time);
		}
	}
}

static void read_all(struct adopt_reading *r)
{
	VY_AUTO_JSON *list = messages_of(r->text, &r->skipped);
	struct vy_arena mem;

	vy_arena_init(&mem);
	for (size_t i = 0; i < vy_json_len(list); i++) {
		tell(r->sink, vy_json_at(list, i), &mem);
		vy_arena_reset(&mem);
	}
	vy_arena_fini(&mem);
}

const struct adopt_kind adopt_gemini = { "gemini", "Gemini CLI", glance, read_all };
