/* adopt_claude.c -- what Claude Code left: a file of lines a session, linked by parentUuid.
 *
 * The conversation is the chain from the newest line of the main thread back to its beginning;
 * branches that were rewound drop out of it by themselves. Beside it stand the lines that the
 * chain misses: parallel calls and their results (by the answer they belong to), words said while a
 * turn ran, and what came before a summary (by logicalParentUuid). Words and calls are told by the
 * driver's own machines, so ids, results and diffs are as they were live. */
#include "server/provider/adopt.h"

#include <stdlib.h>
#include <uthash.h>

#include "server/provider/brief.h"
#include "server/provider/claude_state.h"
#include "server/provider/claude_stream.h"
#include "server/provider/claude_tool.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const char *const not_typed[] = { "<command-name>", "<command-message>", "<local-command",
	"<task-notification>", "<system-reminder>", "<bash-input>", "<bash-stdout>",
	"[Request interrupted by user", NULL };

/* ---- a glance ---- */

static bool is_word(const struct vy_json *line)
{
	return vy_str_is(vy_json_str(line, "type"), "user") &&
	       !vy_json_bool(line, "isMeta", false) &&
	       !vy_json_bool(line, "isCompactSummary", false);
}

struct seen {
	struct vy_str custom, generated, last, first;
	bool is_main, is_side, has_words;
};

static void see(
	const struct vy_json *line, struct seen *s, struct adopt_glance *out, struct vy_arena *a)
{
	struct vy_str type = vy_json_str(line, "type"), cwd = vy_json_str(line, "cwd");
	int images = 0;

	if (cwd.n && !out->cwd.n) {
		out->cwd = vy_arena_str(a, cwd);
	}
	if (vy_str_is(type, "custom-title")) {
		s->custom = vy_arena_str(a, vy_json_str(line, "customTitle"));
	} else if (vy_str_is(type, "ai-title")) {
		s->generated = vy_arena_str(a, vy_json_str(line, "aiTitle"));
	} else if (vy_str_is(type, "summary") && !s->generated.n) {
		s->generated = vy_arena_str(a, vy_json_str(line, "summary"));
	} else if (vy_str_is(type, "last-prompt")) {
		s->last = vy_arena_str(a, vy_json_str(line, "lastPrompt"));
	} else if (vy_str_is(type, "user") || vy_str_is(type, "assistant")) {
		bool is_side = vy_json_bool(line, "isSidechain", false);

		s->is_side |= is_side;
		s->is_main |= !is_side;
		s->has_words = true;
		if (is_word(line) && !s->first.n && !is_side) {
			struct vy_str text =
				adopt_text(vy_json_path(line, "message.content"), &images, a);

			s->first = adopt_is_tagged(text, not_typed) ? s->first : text;
		}
	}
}

/* Cheap first: most bytes of a file are in lines that say nothing to a list. */
static bool says_much(struct vy_str line, const struct seen *s, const struct adopt_glance *g)
{
	static const char *const titles[] = { "-title\"", "\"last-prompt\"", "\"summary\"" };

	for (size_t i = 0; i < VY_COUNT(titles); i++) {
		if (line.n < 4096 && memmem(line.p, line.n, titles[i], strlen(titles[i]))) {
			return true;
		}
	}
	return (!g->cwd.n || !s->first.n || !s->has_words) &&
	       (memmem(line.p, line.n, "\"user\"", 6) ||
		       memmem(line.p, line.n, "\"assistant\"", 11));
}

static void see_all(struct vy_str bytes, bool torn, struct seen *s, struct adopt_glance *out,
	struct vy_arena *a)
{
	struct vy_str line;

	while (adopt_line(&bytes, torn, &line)) {
		VY_AUTO_JSON *v = says_much(line, s, out) ? adopt_object(line) : NULL;

		if (v) {
			see(v, s, out, a);
		}
	}
}

static void glance(const struct adopt_piece *p, struct vy_arena *a, struct adopt_glance *out)
{
	static const char ending[] = ".jsonl";
	size_t n = sizeof(ending) - 1;
	struct seen s = { 0 };

	out->id = p->name.n > n ? vy_str_n(p->name.p, p->name.n - n) : vy_str_n(NULL, 0);
	if (!vy_is_uuid(out->id)) { /* a subagent's, or none of its sessions */
		out->is_none = true;
		return;
	}
	see_all(p->head, true, &s, out, a);
	if (p->tail.n) {
		struct vy_str cut, rest = p->tail;

		(void)adopt_line(&rest, true, &cut); /* it begins in the middle of a line */
		see_all(rest, true, &s, out, a);
	}
	if (!out->cwd.n) { /* in a line that is longer than what we saw */
		out->cwd = adopt_member(p->head, "cwd", a);
	}
	out->title = s.custom.n      ? s.custom
		     : s.generated.n ? s.generated
		     : s.last.n      ? s.last
				     : s.first;
	out->is_none = (s.is_side && !s.is_main) || (!s.has_words && !p->tail.n);
}

/* ---- a reading: lines and their chain ---- */

struct row {
	const char *uuid; /* its key; NULL: none */
	struct vy_json *v;
	struct row *up; /* found by parentUuid */
	bool is_in;     /* of the conversation */
	UT_hash_handle hh;
};

struct answer {
	const char *id; /* of a message in the chain, or a line's uuid */
	UT_hash_handle hh;
};

struct reading {
	struct adopt_reading *r;
	struct row *rows;
	size_t n, cap;
	struct row *by_uuid;
	struct answer *answers;
	struct claude *claude;
	struct agent_out out;
	struct vy_arena mem;
	char *open; /* the message whose blocks are being told */
};

/* What links the chain and says nothing: its links are kept, not the snapshots of prompts in it. */
static void slim(struct vy_json *v)
{
	const struct vy_json *attachment = vy_json_get(v, "attachment");

	if (attachment && !vy_str_is(vy_json_str(attachment, "type"), "queued_command")) {
		vy_json_del(v, "attachment");
	}
	vy_json_del(v, "rendered");
	vy_json_del(v, "shape");
	vy_json_del(v, "snapshot");
}

static void load(struct reading *x)
{
	struct vy_str rest = x->r->text, line;

	while (adopt_line(&rest, true, &line)) {
		struct vy_json *v = vy_str_trim(line).n ? adopt_object(line) : NULL;

		if (v) {
			slim(v);
			x->rows = vy_grow(x->rows, &x->cap, x->n + 1, sizeof(*x->rows));
			x->rows[x->n++] = (struct row){ .v = v };
		} else if (vy_str_trim(line).n) {
			x->r->skipped++;
		}
	}
	for (size_t i = 0; i < x->n; i++) { /* the array stands still now */
		struct row *row = &x->rows[i], *old = NULL;

		row->uuid = vy_json_cstr(row->v, "uuid");
		if (row->uuid) {
			HASH_FIND_STR(x->by_uuid, row->uuid, old);
		}
		if (row->uuid && !old) {
			HASH_ADD_KEYPTR(hh, x->by_uuid, row->uuid, strlen(row->uuid), row);
		}
	}
}

static struct row *find(struct reading *x, const char *uuid)
{
	struct row *row = NULL;

	if (uuid) {
		HASH_FIND_STR(x->by_uuid, uuid, row);
	}
	return row;
}

static void add_answer(struct reading *x, const char *id)
{
	struct answer *old = NULL;

	if (id) {
		HASH_FIND_STR(x->answers, id, old);
	}
	if (id && !old) {
		old = VY_NEW(struct answer);
		old->id = id;
		HASH_ADD_KEYPTR(hh, x->answers, id, strlen(id), old);
	}
}

static bool has_answer(struct reading *x, const char *id)
{
	struct answer *a = NULL;

	if (id) {
		HASH_FIND_STR(x->answers, id, a);
	}
	return a != NULL;
}

static bool is_main(const struct row *row)
{
	struct vy_str type = vy_json_str(row->v, "type");

	return (vy_str_is(type, "user") || vy_str_is(type, "assistant")) &&
	       !vy_json_bool(row->v, "isSidechain", false);
}

/* Back from a line to the beginning; a line that was met already ends it, whatever it points at. */
static void walk(struct reading *x, struct row *row)
{
	while (row && !row->is_in) {
		const char *up = vy_json_cstr(row->v, "parentUuid");

		row->is_in = true;
		if (is_main(row)) {
			add_answer(x, vy_json_cstr(vy_json_get(row->v, "message"), "id"));
		}
		row = find(x, up ? up : vy_json_cstr(row->v, "logicalParentUuid"));
	}
}

/* What the chain misses: parts of its answers, and results of their calls. */
static void complete(struct reading *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct row *row = &x->rows[i];
		bool is_part = is_main(row) &&
			       has_answer(x, vy_json_cstr(vy_json_get(row->v, "message"), "id"));

		row->is_in |= is_part;
		if (row->is_in && row->uuid) {
			add_answer(x, row->uuid);
		}
	}
	for (size_t i = 0; i < x->n; i++) {
		const char *of = vy_json_cstr(x->rows[i].v, "sourceToolAssistantUUID");

		x->rows[i].is_in |= is_main(&x->rows[i]) && has_answer(x, of);
	}
}

/* Of what was added to a file that is known: all of it. A file without links is as it stands. */
static void choose(struct reading *x)
{
	size_t last = x->n;
	bool has_links = false;

	for (size_t i = 0; i < x->n; i++) {
		if (is_main(&x->rows[i])) {
			last = i;
			has_links |= vy_json_cstr(x->rows[i].v, "parentUuid") != NULL;
		}
	}
	if (last == x->n) {
		return;
	}
	if (x->r->is_rest || !has_links) {
		for (size_t i = 0; i < x->n; i++) {
			x->rows[i].is_in = true;
		}
		return;
	}
	walk(x, &x->rows[last]);
	complete(x);
}

/* ---- a reading: what is told ---- */

static void drain(struct reading *x, int64_t time)
{
	for (size_t i = 0; i < x->out.n; i++) {
		x->r->sink->event(x->r->sink->ctx, &x->out.events[i], time);
	}
	agent_out_clear(&x->out);
	vy_arena_reset(&x->mem);
}

static void said(struct reading *x, const struct adopt_said *s)
{
	if (!s->text.n && !s->images) {
		return;
	}
	claude_stream_end(x->claude, true, &x->out);
	if (!s->is_steer) {
		claude_tool_cancel_all(x->claude, &x->out);
	}
	drain(x, s->time);
	x->r->sink->said(x->r->sink->ctx, s);
}

static void on_user(struct reading *x, const struct row *row, int64_t time)
{
	const struct vy_json *content = vy_json_path(row->v, "message.content");
	struct adopt_said s = { .message = brief_id(vy_json_str(row->v, "uuid")), .time = time };
	struct vy_arena mem;

	vy_json_set(row->v, "tool_use_result", vy_json_get(row->v, "toolUseResult"));
	claude_tool_results(x->claude, row->v, &x->out);
	drain(x, time);
	if (!is_word(row->v)) {
		return;
	}
	vy_arena_init(&mem);
	s.text = adopt_text(content, &s.images, &mem);
	if (vy_str_starts(s.text, "[Request interrupted by user")) {
		claude_stream_end(x->claude, true, &x->out);
		claude_tool_cancel_all(x->claude, &x->out);
		drain(x, time);
		x->r->sink->over(x->r->sink->ctx, time);
	} else if (!adopt_is_tagged(s.text, not_typed)) {
		said(x, &s);
	}
	vy_arena_fini(&mem);
}

static void on_block(struct reading *x, struct vy_str message, const struct vy_json *b)
{
	struct vy_str type = vy_json_str(b, "type"), nothing = { NULL, 0 };

	if (vy_str_is(type, "text")) {
		claude_stream_block(
			x->claude, nothing, message, CLAUDE_TEXT, vy_json_str(b, "text"), &x->out);
	} else if (vy_str_is(type, "thinking")) {
		claude_stream_block(x->claude, nothing, message, CLAUDE_THINKING,
			vy_json_str(b, "thinking"), &x->out);
	} else if (vy_str_is(type, "tool_use")) {
		int64_t index = claude_stream_block(
			x->claude, nothing, message, CLAUDE_CALL, nothing, &x->out);
		struct agent_event *ev = claude_tool_start(x->claude, nothing, b, &x->out);

		if (ev) {
			ev->message = vy_arena_str(&x->mem, message);
			ev->index = index;
		}
	} else {
		claude_stream_block(x->claude, nothing, message, CLAUDE_OTHER, nothing, &x->out);
	}
}

static void on_assistant(struct reading *x, const struct row *row, int64_t time)
{
	const struct vy_json *message = vy_json_get(row->v, "message");
	const struct vy_json *content = vy_json_get(message, "content");
	struct vy_str id = brief_id(vy_json_str(message, "id"));

	if (!id.n) { /* older lines */
		id = brief_id(vy_json_str(row->v, "uuid"));
	}
	if (!id.n) { /* nothing could ever be said of it */
		x->r->skipped++;
		return;
	}
	if (vy_json_type(content) == VY_JSON_STR) {
		const struct adopt_block b = { .message = id };

		adopt_tell(x->r->sink, &b, vy_json_strval(content), time);
		return;
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		on_block(x, id, vy_json_at(content, i));
	}
	drain(x, time);
}

static void on_attachment(struct reading *x, const struct row *row, int64_t time)
{
	const struct vy_json *at = vy_json_get(row->v, "attachment");
	struct adopt_said s = { .time = time, .is_steer = true };
	struct vy_arena mem;

	if (!vy_str_is(vy_json_str(at, "type"), "queued_command")) {
		return;
	}
	vy_arena_init(&mem);
	s.message = brief_id(vy_json_str(at, "source_uuid"));
	s.text = adopt_text(vy_json_get(at, "prompt"), &s.images, &mem);
	if (!adopt_is_tagged(s.text, not_typed)) {
		said(x, &s);
	}
	vy_arena_fini(&mem);
}

static void tell(struct reading *x, const struct row *row)
{
	struct vy_str type = vy_json_str(row->v, "type");
	int64_t time = adopt_time(vy_json_str(row->v, "timestamp"));

	if (vy_json_bool(row->v, "isSidechain", false)) {
		return;
	}
	if (vy_str_is(type, "user")) {
		on_user(x, row, time);
	} else if (vy_str_is(type, "assistant")) {
		on_assistant(x, row, time);
	} else if (vy_str_is(type, "attachment")) {
		on_attachment(x, row, time);
	} else if (vy_str_is(vy_json_str(row->v, "subtype"), "compact_boundary")) {
		struct agent_event ev = { .kind = AE_COMPACTED };
		VY_AUTO_JSON *v = vy_json_new_obj();

		vy_json_set_str(v, "trigger",
			vy_json_str(vy_json_get(row->v, "compactMetadata"), "trigger"));
		ev.json = v;
		x->r->sink->event(x->r->sink->ctx, &ev, time);
	}
}

static void read_all(struct adopt_reading *r)
{
	const struct provider_launch launch = { .cwd = r->cwd };
	struct reading x = { .r = r };
	const char *last = NULL;
	struct answer *a, *tmp;

	vy_arena_init(&x.mem);
	agent_out_init(&x.out, &x.mem);
	x.claude = claude_new(&launch);
	load(&x);
	choose(&x);
	for (size_t i = 0; i < x.n; i++) {
		if (x.rows[i].is_in) {
			tell(&x, &x.rows[i]);
			last = is_main(&x.rows[i]) && x.rows[i].uuid ? x.rows[i].uuid : last;
		}
	}
	claude_stream_end(x.claude, true, &x.out);
	claude_tool_cancel_all(x.claude, &x.out);
	agent_out_add(&x.out, AE_MARK)->mark = brief_id(vy_str_c(last));
	drain(&x, 0);
	claude_free(x.claude);
	agent_out_fini(&x.out);
	vy_arena_fini(&x.mem);
	HASH_ITER (hh, x.answers, a, tmp) {
		HASH_DEL(x.answers, a);
		free(a);
	}
	HASH_CLEAR(hh, x.by_uuid);
	for (size_t i = 0; i < x.n; i++) {
		vy_json_free(x.rows[i].v);
	}
	free(x.rows);
}

const struct adopt_kind adopt_claude = { "claude", "Claude Code", glance, read_all };
