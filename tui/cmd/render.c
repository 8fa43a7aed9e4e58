/* render.c -- see render.h. What a tool showed is render_block.c's. */
#include "tui/cmd/render.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/cmd/render_block.h"
#include "tui/words/said.h"
#include "tui/words/pause.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct render_tool {
	char *id, *label;
	bool is_said; /* its words are an ask's: not once more here */
	struct render_tool *next;
};

enum mark { USER, WAITS, GONE_, THINKS, TOOL, ASK, FACT, FILE_, GOOD, BAD };

static const char *mark(const struct render *r, enum mark m)
{
	static const char *const words[] = { N_("You said:"), N_("Note:"), N_("Note:"),
		N_("Thinking:"), N_("Tool:"), N_("Question:"), N_("Note:"), N_("File:"),
		N_("Done:"), N_("Failed:") };
	static const char *const fine[] = { "›", "…", "✗", "✻", "●", "?", "·", "±", "✓", "✗" };
	static const char *const plain[] = { ">", "...", "x", "~", "*", "?", "-", "+", "ok", "x" };

	return r->is_spoken ? _(words[m]) : (r->is_ascii ? plain : fine)[m];
}

void render_init(struct render *r, bool is_ascii)
{
	*r = (struct render){ .is_ascii = is_ascii, .last = '\n' };
	flow_init(&r->flow, false);
}

static void tool_free(struct render_tool *t)
{
	free(t->id);
	free(t->label);
	free(t);
}

void render_fini(struct render *r)
{
	struct render_tool *t;

	while ((t = r->tools)) {
		r->tools = t->next;
		tool_free(t);
	}
	flow_fini(&r->flow);
	free(r->message);
	free(r->recent);
}

/* ---- lines ---- */

static void close_text(struct render *r, struct vy_buf *out)
{
	size_t was = out->len;

	flow_end(&r->flow, out);
	if (out->len > was) {
		r->last = out->data[out->len - 1];
	}
	if (r->last != '\n') {
		vy_buf_addc(out, '\n');
		r->last = '\n';
	}
	r->is_open = false;
}

/* A mark, and text behind it; further lines stand below the first. */
static void line(struct render *r, enum mark m, struct vy_str text, struct vy_buf *out)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(4 * VY_FRAME_MAX);

	close_text(r, out);
	free(r->recent);
	r->recent = NULL;
	vy_utf8_visible(text, VY_UTF8_PROSE, &seen);
	vy_buf_addf(out, "%s ", mark(r, m));
	render_indented(vy_buf_str(&seen), "  ", true, out);
}

static void linef(struct render *r, enum mark m, struct vy_buf *out, const char *fmt, ...)
	VY_PRINTF(4, 5);

static void linef(struct render *r, enum mark m, struct vy_buf *out, const char *fmt, ...)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);
	va_list ap;

	va_start(ap, fmt);
	vy_buf_addv(&b, fmt, ap);
	va_end(ap);
	line(r, m, vy_buf_str(&b), out);
}

void render_note(struct render *r, const char *text, struct vy_buf *out)
{
	line(r, FACT, vy_str_c(text), out);
}

/* ---- words ---- */

static void line_with_pictures(
	struct render *r, struct vy_str text, struct vy_str images, struct vy_buf *out)
{
	VY_AUTO_JSON *list = images.n ? vy_json_parse(images, NULL) : NULL;
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);
	size_t n = vy_json_len(list);

	vy_buf_addstr(&b, text);
	if (n > 0) {
		vy_buf_adds(&b, text.n ? "\n" : "");
		vy_buf_addf(&b, words_count("[%zu picture]", "[%zu pictures]", n), n);
	}
	line(r, USER, vy_buf_str(&b), out);
}

static void user_message(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	struct vy_str text = vy_frame_str(f, VY_F_TEXT);

	if (text.n == 0 && vy_frame_has(f, VY_F_ENC)) {
		text = vy_str_c(_("private message"));
	}
	if (vy_frame_is(f, VY_F_STATE, "queued")) {
		linef(r, WAITS, out, _("waits: %.*s"), VY_STR_ARG(text));
	} else if (vy_frame_is(f, VY_F_STATE, "cancelled")) {
		linef(r, GONE_, out, _("taken back: %.*s"), VY_STR_ARG(text));
	} else {
		line_with_pictures(r, text, vy_frame_str(f, VY_F_IMAGES), out);
	}
}

static void text_delta(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	struct vy_str message = vy_frame_str(f, VY_F_MESSAGE);
	int64_t index = vy_frame_int(f, VY_F_INDEX, 0);
	bool is_same =
		r->is_open && r->message && vy_str_is(message, r->message) && index == r->index;
	size_t was;

	if (!is_same) {
		close_text(r, out);
		free(r->message);
		r->message = vy_memdup0(message.p, message.n);
		r->index = index;
		r->is_open = true;
		r->is_reasoning = vy_frame_bool(f, VY_F_REASONING);
		if (r->is_reasoning) {
			vy_buf_addf(out, "%s ", mark(r, THINKS));
			r->last = ' ';
		} else if (r->is_spoken) {
			vy_buf_addf(out, "%s ", _("Assistant:"));
			r->last = ' ';
		}
		free(r->recent);
		r->recent = NULL;
	}
	was = out->len;
	flow_add(&r->flow, vy_frame_str(f, VY_F_TEXT), out);
	if (out->len > was) {
		r->last = out->data[out->len - 1];
	}
}

/* ---- tools ---- */

static void tool_started(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	struct render_tool *t = VY_NEW(struct render_tool);
	struct vy_str id = vy_frame_str(f, VY_F_TOOL_ID);
	VY_AUTO_BUF label = VY_BUF_INIT(VY_FRAME_MAX);

	vy_buf_addf(&label, "%.*s %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_TOOL)),
		VY_STR_ARG(vy_frame_str(f, VY_F_SUMMARY)));
	t->is_said = r->is_spoken && (vy_frame_is(f, VY_F_TOOL, "AskUserQuestion") ||
					     vy_frame_is(f, VY_F_TOOL, "ExitPlanMode"));
	if (t->is_said) {
		close_text(r, out);
	} else {
		line(r, TOOL, vy_buf_str(&label), out);
	}
	t->id = vy_memdup0(id.p, id.n);
	t->label = vy_buf_take(&label, NULL);
	t->next = r->tools;
	r->tools = t;
	r->recent = vy_strdup(t->id);
}

static struct render_tool *take_tool(struct render *r, struct vy_str id)
{
	for (struct render_tool **at = &r->tools; *at; at = &(*at)->next) {
		if (vy_str_is(id, (*at)->id)) {
			struct render_tool *t = *at;

			*at = t->next;
			return t;
		}
	}
	return NULL;
}

static void tool_finished(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	struct vy_str id = vy_frame_str(f, VY_F_TOOL_ID);
	struct render_tool *t = take_tool(r, id);
	struct vy_arena a;

	close_text(r, out);
	if (t && !t->is_said &&
		!(r->recent && vy_str_is(id, r->recent))) { /* others came in between */
		line(r, TOOL, vy_str_c(t->label), out);
	}
	vy_arena_init(&a);
	if (!vy_frame_bool(f, VY_F_OK)) {
		vy_buf_addf(out, "  %s %s\n", mark(r, BAD),
			vy_frame_is(f, VY_F_STATUS, "canceled") ? _("canceled") : _("failed"));
	}
	render_block(vy_frame_str(f, VY_F_RESULT), "    ", &a, out);
	vy_arena_fini(&a);
	if (t) {
		tool_free(t);
	}
}

/* ---- asks ---- */

static void ask(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	VY_AUTO_JSON *options = vy_json_parse(vy_frame_str(f, VY_F_OPTIONS), NULL);
	struct vy_str id = vy_frame_str(f, VY_F_ASK_ID);
	VY_AUTO_BUF words = VY_BUF_INIT(VY_FRAME_MAX);

	for (size_t i = 0; i < vy_json_len(options); i++) {
		struct vy_str word = vy_json_str(vy_json_at(options, i), "id");

		vy_buf_addf(&words, "%s%.*s", i ? "|" : "", VY_STR_ARG(word));
	}
	if (r->is_spoken) {
		struct vy_str title = words_said(vy_frame_str(f, VY_F_TITLE));

		linef(r, ASK, out, "%.*s%s%.*s", VY_STR_ARG(title), title.n ? ": " : "",
			VY_STR_ARG(vy_frame_str(f, VY_F_SUMMARY)));
		return;
	}
	linef(r, ASK, out, "%.*s %.*s\n(vyre-tui answer %.*s %s)",
		VY_STR_ARG(vy_frame_str(f, VY_F_TOOL)), VY_STR_ARG(vy_frame_str(f, VY_F_SUMMARY)),
		VY_STR_ARG(id), words.len ? words.data : mark(r, WAITS));
}

static const char *outcome(struct vy_str decision)
{
	static const struct {
		const char *decision, *words;
	} known[] = { { "deny", N_("denied") }, { "skip", N_("skipped") },
		{ "cancelled", N_("no longer asked") },
		{ "superseded", N_("answered in another way") } };

	for (size_t i = 0; i < VY_COUNT(known); i++) {
		if (vy_str_is(decision, known[i].decision)) {
			return _(known[i].words);
		}
	}
	return _("allowed");
}

static void ask_answered(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	struct vy_str by = vy_frame_str(f, VY_F_BY);

	if (vy_frame_has(f, VY_F_DELIVERED) && !vy_frame_bool(f, VY_F_DELIVERED)) {
		render_note(r, _("answered, but the agent was gone"), out);
		return;
	}
	if (r->is_spoken) {
		const char *words = outcome(vy_frame_str(f, VY_F_DECISION));
		size_t cut = vy_str_starts(by, "person:") ? strlen("person:") : 0;

		if (by.n) {
			linef(r, FACT, out, _("%s, by %.*s"), words, (int)(by.n - cut), by.p + cut);
		} else {
			render_note(r, words, out);
		}
		return;
	}
	linef(r, FACT, out, "%.*s%s%.*s", VY_STR_ARG(vy_frame_str(f, VY_F_DECISION)),
		by.n ? ", " : "", VY_STR_ARG(by));
}

/* ---- the session ---- */

/* Beside the log: sessions wait, or do not any more. */
static void pause(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	if (vy_frame_is(f, VY_F_STATE, "paused")) {
		line(r, BAD, words_pause(vy_frame_str(f, VY_F_REASON), vy_frame_str(f, VY_F_NOTE)),
			out);
	} else {
		render_note(r, _("it goes on"), out);
	}
}

static void status(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	if (f->cur == 0) {
		pause(r, f, out);
		return;
	}

	struct vy_str state = vy_frame_str(f, VY_F_STATE), note = vy_frame_str(f, VY_F_NOTE);
	struct vy_str reason = vy_frame_str(f, VY_F_REASON), mode = vy_frame_str(f, VY_F_MODE);
	bool is_usual = vy_str_is(state, "starting") || vy_str_is(state, "waiting") ||
			vy_str_is(state, "working") || vy_str_is(state, "asking");

	if (!is_usual) {
		linef(r, vy_str_is(state, "failed") ? BAD : FACT, out, "%.*s%s%.*s",
			VY_STR_ARG(state), reason.n ? ": " : "", VY_STR_ARG(reason));
	}
	if (note.n) {
		VY_AUTO_BUF words = VY_BUF_INIT(VY_FRAME_MAX);

		words_noted(note, &words);
		line(r, FACT, vy_buf_str(&words), out);
	}
	if (mode.n) {
		linef(r, FACT, out, _("mode: %.*s"), VY_STR_ARG(mode));
	}
	if (vy_frame_bool(f, VY_F_STOPPING)) {
		render_note(r, _("stopping"), out);
	}
	if (vy_frame_bool(f, VY_F_HELD)) {
		render_note(r, _("the queue is held"), out);
	}
	if (vy_frame_has(f, VY_F_COMPACTED)) {
		render_note(r, _("the agent's memory was compacted"), out);
	}
	if (vy_frame_has(f, VY_F_REWOUND)) {
		render_note(r, _("rewound"), out);
	}
}

static void term_command(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	linef(r, TOOL, out, "! %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_COMMAND)));
}

static void file_changed(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	linef(r, FILE_, out, "%.*s %.*s +%lld -%lld", VY_STR_ARG(vy_frame_str(f, VY_F_OP)),
		VY_STR_ARG(vy_frame_str(f, VY_F_PATH)), (long long)vy_frame_int(f, VY_F_ADDED, 0),
		(long long)vy_frame_int(f, VY_F_REMOVED, 0));
}

static void expired(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	if (f->kind != VY_KIND_TEXT_DELTA && f->kind != VY_KIND_TEXT_DONE) {
		linef(r, FACT, out, _("(%s: its words were removed)"), vy_kind_word(f->kind));
	}
}

void render_frame(struct render *r, const struct vy_frame *f, struct vy_buf *out)
{
	if (vy_frame_is_expired(f)) {
		expired(r, f, out);
		return;
	}
	switch ((int)f->kind) {
	case VY_KIND_USER_MESSAGE: user_message(r, f, out); break;
	case VY_KIND_TEXT_DELTA: text_delta(r, f, out); break;
	case VY_KIND_TEXT_DONE: close_text(r, out); break;
	case VY_KIND_TEXT_CUT: line(r, FACT, vy_frame_str(f, VY_F_NOTE), out); break;
	case VY_KIND_TOOL_STARTED: tool_started(r, f, out); break;
	case VY_KIND_TOOL_FINISHED: tool_finished(r, f, out); break;
	case VY_KIND_ASK:
		if (r->has_asks) {
			close_text(r, out);
		} else {
			ask(r, f, out);
		}
		break;
	case VY_KIND_ASK_ANSWERED: ask_answered(r, f, out); break;
	case VY_KIND_STATUS: status(r, f, out); break;
	case VY_KIND_TERM_COMMAND: term_command(r, f, out); break;
	case VY_KIND_FILE_CHANGED: file_changed(r, f, out); break;
	case VY_KIND_PARTICIPANT_JOINED:
		linef(r, FACT, out, _("%.*s joined"), VY_STR_ARG(vy_frame_str(f, VY_F_WHO)));
		break;
	case VY_KIND_PARTICIPANT_LEFT:
		linef(r, FACT, out, _("%.*s left"), VY_STR_ARG(vy_frame_str(f, VY_F_WHO)));
		break;
	case VY_KIND_UNKNOWN: linef(r, FACT, out, "(%.*s)", VY_STR_ARG(f->word)); break;
	default: break; /* progress, reactions, presence: for a screen */
	}
}
