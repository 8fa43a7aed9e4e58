/* adopt_opencode.c -- what opencode left: rows of its database, as server/adopt hands them on.
 *
 * One line a message: {id, data, parts: [{id, data}]}, in their order; `data` is what opencode keeps as JSON
 * (as a string, or as an object). A session stands in no file of its own, so a glance sees a line that is
 * the row of the session: {session, directory, title}. Before the database each of them was a file of JSON; who
 * has only those has an opencode that nobody runs any more. */
#include "server/provider/adopt.h"

#include "server/provider/brief.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define OUTPUT_MAX 32768

static void glance(const struct adopt_piece *p, struct vy_arena *a, struct adopt_glance *out)
{
	VY_AUTO_JSON *v = adopt_object(p->head);

	out->id = vy_arena_str(a, brief_id(vy_json_str(v, "session")));
	out->cwd = vy_arena_str(a, vy_json_str(v, "directory"));
	out->title = vy_arena_str(a, vy_json_str(v, "title"));
	out->is_none = !out->id.n;
}

/* Owned. */
static struct vy_json *data_of(const struct vy_json *row)
{
	struct vy_json *data = vy_json_get(row, "data");

	return vy_json_type(data) == VY_JSON_STR ? adopt_object(vy_json_strval(data))
						 : vy_json_ref(data);
}

static const char *kind_of(struct vy_str name)
{
	static const struct {
		const char *name, *kind;
	} rows[] = { { "bash", "shell" }, { "edit", "edit" }, { "write", "edit" },
		{ "patch", "edit" }, { "read", "read" }, { "list", "search" }, { "glob", "search" },
		{ "grep", "search" }, { "webfetch", "web" }, { "websearch", "web" },
		{ "todowrite", "todo" }, { "todoread", "todo" }, { "task", "agent" } };

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (vy_str_is(name, rows[i].name)) {
			return rows[i].kind;
		}
	}
	return "other";
}

static void tell_call(const struct adopt_sink *sink, const struct vy_json *part, int64_t time)
{
	const struct vy_json *state = vy_json_get(part, "state"),
			     *input = vy_json_get(state, "input");
	const struct vy_json *code = vy_json_path(state, "metadata.exit");
	struct vy_str status = vy_json_str(state, "status"), name = vy_json_str(part, "tool");
	struct vy_str command = vy_json_str(input, "command"), out = vy_json_str(state, "output");
	struct vy_str bad = vy_json_str(state, "error"), title = vy_json_str(state, "title");
	struct vy_arena mem;

	vy_arena_init(&mem);
	struct adopt_call c = { .id = vy_json_str(part, "callID"),
		.name = name,
		.about = brief_one_line(command.n ? command : title, &mem),
		.kind = kind_of(name),
		.outcome = vy_str_is(status, "completed") ? AGENT_OK
			   : vy_str_is(status, "error")   ? AGENT_FAILED
							  : AGENT_CANCELED };

	out = brief_cut(out.n ? out : bad, OUTPUT_MAX);
	if (command.n) {
		c.own_block = vy_json_new_obj();
		vy_json_set_c(c.own_block, "type", "terminal");
		vy_json_set_str(c.own_block, "command", brief_cut(command, OUTPUT_MAX / 4));
		vy_json_set_str(c.own_block, "output", out);
		if (vy_json_type(code) == VY_JSON_INT) {
			vy_json_set_int(c.own_block, "exit", vy_json_intval(code, 0));
		}
	} else {
		c.own_block = brief_block(out);
	}
	adopt_tell_call(sink, &c, time);
	vy_arena_fini(&mem);
}

/* What a person said is in parts, too; some of them opencode made. */
static void tell_word(const struct adopt_sink *sink, const struct vy_json *row, int64_t time)
{
	const struct vy_json *parts = vy_json_get(row, "parts");
	VY_AUTO_BUF text = VY_BUF_INIT(8 * 1024 * 1024);
	struct adopt_said s = { .message = brief_id(vy_json_str(row, "id")), .time = time };

	for (size_t i = 0; i < vy_json_len(parts); i++) {
		VY_AUTO_JSON *p = data_of(vy_json_at(parts, i));

		if (vy_str_is(vy_json_str(p, "type"), "file")) {
			s.images += vy_str_starts(vy_json_str(p, "mime"), "image/");
		} else if (vy_str_is(vy_json_str(p, "type"), "text") &&
			   !vy_json_bool(p, "synthetic", false)) {
			vy_buf_adds(&text, text.len ? "\n" : "");
			vy_buf_addstr(&text, vy_json_str(p, "text"));
		}
	}
	s.text = vy_buf_str(&text);
	if (s.text.n || s.images) {
		sink->said(sink->ctx, &s);
	}
}

static void tell_answer(const struct adopt_sink *sink, const struct vy_json *row, int64_t time)
{
	const struct vy_json *parts = vy_json_get(row, "parts");

	for (size_t i = 0; i < vy_json_len(parts); i++) {
		VY_AUTO_JSON *p = data_of(vy_json_at(parts, i));
		struct vy_str type = vy_json_str(p, "type");
		const struct adopt_block b = { .message = brief_id(vy_json_str(row, "id")),
			.index = (int64_t)i,
			.is_reasoning = vy_str_is(type, "reasoning") };

		if (vy_str_is(type, "text") || b.is_reasoning) {
			adopt_tell(sink, &b, vy_json_str(p, "text"), time);
		} else if (vy_str_is(type, "tool")) {
			tell_call(sink, p, time);
		}
	}
}

static void read_all(struct adopt_reading *r)
{
	struct vy_str rest = r->text, line;

	while (adopt_line(&rest, true, &line)) {
		VY_AUTO_JSON *row = vy_str_trim(line).n ? adopt_object(line) : NULL;
		VY_AUTO_JSON *data = data_of(row);
		int64_t time = vy_json_int(vy_json_get(data, "time"), "created", 0);

		if (!data) {
			r->skipped += vy_str_trim(line).n > 0;
		} else if (vy_str_is(vy_json_str(data, "role"), "user")) {
			tell_word(r->sink, row, time);
		} else if (vy_str_is(vy_json_str(data, "role"), "assistant")) {
			tell_answer(r->sink, row, time);
		}
	}
}

const struct adopt_kind adopt_opencode = { "opencode", "opencode", glance, read_all };
