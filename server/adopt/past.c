/* past.c -- see past.h. */
#include "server/adopt/past.h"

#include <stdlib.h>

#include "server/guard/redact.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define LINE_MAX  4000 /* a summary, a note */
#define OPEN_MAX  1000
#define PATH_FITS 4096

struct open_text {
	struct vy_str message;
	int64_t index;
};

struct making {
	struct past *p;
	const struct past_of *of;
	struct vy_str person, assistant; /* the past's own */
	struct vy_str turn;              /* that runs; empty: none */
	bool is_open, is_known; /* … and is: the newest word is known, what follows it too */
	int64_t time;
	struct open_text texts[OPEN_MAX];
	size_t n_texts;
	struct vy_str tools[OPEN_MAX];
	size_t n_tools;
	struct vy_str last; /* message of the newest answer */
};

/* ---- frames ---- */

static struct vy_frame *add(struct making *m, enum vy_kind kind)
{
	struct past *p = m->p;
	struct vy_frame *f;

	p->frames = vy_grow(p->frames, &p->cap, p->n + 1, sizeof(*p->frames));
	f = &p->frames[p->n++];
	vy_frame_init(f, kind);
	f->author = m->assistant;
	f->turn = m->turn;
	f->time = m->time;
	return f;
}

static struct vy_str keep(struct making *m, struct vy_str s)
{
	return vy_arena_str(&m->p->mem, s);
}

static struct vy_str cut(struct vy_str s, size_t max)
{
	return vy_str_n(s.p, vy_utf8_cut(s, max));
}

/* What a tool is called with, without what looks like a secret; in the arena. */
static struct vy_str clean(struct making *m, struct vy_str s, size_t max)
{
	VY_AUTO_BUF b = VY_BUF_INIT(s.n * 32 + 64);
	struct vy_str whole = cut(s, max);

	if (whole.n < s.n) {
		guard_redact_cut(whole, &b);
	} else {
		guard_redact(whole, &b);
	}
	return keep(m, cut(vy_buf_str(&b), max));
}

static void status(struct making *m, const char *state)
{
	struct vy_frame *f = add(m, VY_KIND_STATUS);

	vy_frame_set_c(f, VY_F_STATE, state);
	if (m->turn.n) {
		vy_frame_set_str(f, VY_F_TURN, m->turn);
	}
}

static void note(struct making *m, const char *text)
{
	struct vy_frame *f = add(m, VY_KIND_STATUS);

	vy_frame_set_c(f, VY_F_STATE, m->is_open ? "working" : "waiting");
	vy_frame_set_str(f, VY_F_NOTE, keep(m, vy_str_c(text)));
}

/* ---- a turn ---- */

static void end_texts(struct making *m)
{
	for (size_t i = 0; i < m->n_texts; i++) {
		struct vy_frame *f = add(m, VY_KIND_TEXT_DONE);

		vy_frame_set_str(f, VY_F_MESSAGE, m->texts[i].message);
		vy_frame_set_int(f, VY_F_INDEX, m->texts[i].index);
	}
	m->n_texts = 0;
}

static void end_tools(struct making *m)
{
	for (size_t i = 0; i < m->n_tools; i++) {
		struct vy_frame *f = add(m, VY_KIND_TOOL_FINISHED);

		vy_frame_set_str(f, VY_F_TOOL_ID, m->tools[i]);
		vy_frame_set_bool(f, VY_F_OK, false);
		vy_frame_set_c(f, VY_F_STATUS, "canceled");
		vy_frame_set_json(f, VY_F_RESULT,
			VY_STR_LIT("{\"type\":\"text\",\"text\":\"Interrupted.\"}"));
	}
	m->n_tools = 0;
}

static void end_turn(struct making *m)
{
	if (m->is_open) {
		end_texts(m);
		end_tools(m);
		status(m, "waiting");
		m->is_open = false;
	}
}

static void begin_turn(struct making *m)
{
	m->p->turn++;
	m->turn = vy_str_c(
		vy_arena_printf(&m->p->mem, "%s:%lld", m->of->session, (long long)m->p->turn));
	m->is_open = true;
}

static void at(struct making *m, int64_t time)
{
	if (time > 0) {
		m->time = time;
	} else if (m->time == 0) {
		m->time = m->of->now;
	}
}

/* ---- what the reader says ---- */

static bool is_known(struct making *m, struct vy_str message)
{
	return m->of->is_known && message.n && m->of->is_known(m->of->ctx, message);
}

static void on_said(void *ctx, const struct adopt_said *s)
{
	struct making *m = ctx;
	struct vy_str text = s->text;
	size_t fit;

	at(m, s->time);
	m->is_known = is_known(m, s->message);
	m->p->images += s->images;
	if (m->is_known || !s->message.n) {
		end_turn(m);
		return;
	}
	if (!text.n) {
		text = VY_STR_LIT("[picture]");
	}
	if (text.n > VY_SEND_TEXT_MAX) {
		text = cut(text, VY_SEND_TEXT_MAX);
	}
	if (!s->is_steer || !m->is_open) {
		end_turn(m);
		begin_turn(m);
	}
	fit = vy_frame_text_fit(text);
	text = keep(m, text);
	struct vy_frame *f = add(m, VY_KIND_USER_MESSAGE);

	f->author = m->person;
	vy_frame_set_str(f, VY_F_MESSAGE, keep(m, s->message));
	vy_frame_set_c(f, VY_F_STATE, "sent");
	vy_frame_set_str(f, VY_F_TEXT, vy_str_n(text.p, fit));
	if (fit < text.n) {
		vy_frame_set_int(f, VY_F_BYTES, (int64_t)text.n);
		vy_frame_set_bool(f, VY_F_MORE, true);
	}
	if (text.n > VY_FRAME_TEXT_MAX / 4) {
		struct past *p = m->p;

		p->wholes = vy_grow(p->wholes, &p->cap_wholes, p->n_wholes + 1, sizeof(*p->wholes));
		p->wholes[p->n_wholes++] =
			(struct past_whole){ vy_frame_str(f, VY_F_MESSAGE), text };
	}
	if (!s->is_steer) {
		status(m, "working");
	}
}

static size_t find_text(struct making *m, const struct agent_event *ev)
{
	size_t i = 0;

	while (i < m->n_texts &&
		!(m->texts[i].index == ev->index && vy_str_eq(m->texts[i].message, ev->message))) {
		i++;
	}
	return i;
}

static void on_text(struct making *m, const struct agent_event *ev)
{
	struct vy_str rest = ev->text, message;
	size_t i = find_text(m, ev);

	if (i == OPEN_MAX) {
		return;
	}
	if (i == m->n_texts) {
		m->texts[m->n_texts++] = (struct open_text){ keep(m, ev->message), ev->index };
		m->p->messages += !ev->is_reasoning && !vy_str_eq(m->last, ev->message);
		m->last = ev->is_reasoning ? m->last : m->texts[i].message;
	}
	message = m->texts[i].message;
	while (rest.n) {
		size_t fit = vy_frame_text_fit(rest);
		struct vy_frame *f = add(m, VY_KIND_TEXT_DELTA);

		vy_frame_set_str(f, VY_F_MESSAGE, message);
		vy_frame_set_int(f, VY_F_INDEX, ev->index);
		vy_frame_set_str(f, VY_F_TEXT, keep(m, vy_str_n(rest.p, fit)));
		if (ev->is_reasoning) {
			vy_frame_set_bool(f, VY_F_REASONING, true);
		}
		rest = vy_str_from(rest, fit);
	}
}

static void on_text_done(struct making *m, const struct agent_event *ev)
{
	size_t i = find_text(m, ev);

	if (i < m->n_texts) {
		struct vy_frame *f = add(m, VY_KIND_TEXT_DONE);

		vy_frame_set_str(f, VY_F_MESSAGE, m->texts[i].message);
		vy_frame_set_int(f, VY_F_INDEX, m->texts[i].index);
		vy_frame_set_int(f, VY_F_MESSAGES, m->of->messages + m->p->messages);
		m->texts[i] = m->texts[--m->n_texts];
	}
}

static size_t find_tool(struct making *m, struct vy_str id)
{
	size_t i = 0;

	while (i < m->n_tools && !vy_str_eq(m->tools[i], id)) {
		i++;
	}
	return i;
}

static void on_tool(struct making *m, const struct agent_event *ev)
{
	struct vy_frame *f;

	if (find_tool(m, ev->tool) < m->n_tools || m->n_tools == OPEN_MAX) {
		return;
	}
	m->tools[m->n_tools++] = keep(m, ev->tool);
	struct vy_str about = clean(m, ev->text, LINE_MAX), name = cut(ev->name, VY_ID_MAX);

	f = add(m, VY_KIND_TOOL_STARTED);
	vy_frame_set_str(f, VY_F_TOOL_ID, m->tools[m->n_tools - 1]);
	vy_frame_set_str(f, VY_F_TOOL, name.n ? keep(m, name) : VY_STR_LIT("tool"));
	vy_frame_set_c(f, VY_F_KIND, ev->tool_kind ? ev->tool_kind : "other");
	vy_frame_set_str(f, VY_F_SUMMARY, about);
	if (ev->message.n) {
		vy_frame_set_str(f, VY_F_MESSAGE, keep(m, ev->message));
		vy_frame_set_int(f, VY_F_INDEX, ev->index);
	}
}

/* A picture is in the block as bytes, which a frame does not hold. */
static bool is_picture(const struct vy_json *block)
{
	return vy_json_get(block, "b64") != NULL;
}

static struct vy_str block_text(struct making *m, struct vy_json *block)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX);

	if (!block || is_picture(block)) {
		m->p->images += block != NULL;
		return VY_STR_LIT("{\"type\":\"text\",\"text\":\"\"}");
	}
	guard_redact_json(block);
	vy_json_dump(block, &b);
	return vy_buf_is_over(&b) ? VY_STR_LIT("{\"type\":\"text\",\"text\":\"…\"}")
				  : keep(m, vy_buf_str(&b));
}

static void on_tool_done(struct making *m, const struct agent_event *ev)
{
	static const char *const words[] = { "completed", "failed", "canceled" };
	size_t i = find_tool(m, ev->tool);

	if (i == m->n_tools) {
		return;
	}
	struct vy_str result = block_text(m, ev->json);
	struct vy_frame *f = add(m, VY_KIND_TOOL_FINISHED);

	vy_frame_set_str(f, VY_F_TOOL_ID, m->tools[i]);
	vy_frame_set_bool(f, VY_F_OK, ev->outcome == AGENT_OK);
	vy_frame_set_c(f, VY_F_STATUS, words[ev->outcome]);
	vy_frame_set_json(f, VY_F_RESULT, result);
	m->tools[i] = m->tools[--m->n_tools];
}

static void on_file(struct making *m, const struct agent_event *ev)
{
	struct vy_frame *f = add(m, VY_KIND_FILE_CHANGED);

	vy_frame_set_str(f, VY_F_PATH, keep(m, cut(ev->name, PATH_FITS)));
	vy_frame_set_str(f, VY_F_OP, keep(m, ev->text));
	vy_frame_set_int(f, VY_F_ADDED, ev->added);
	vy_frame_set_int(f, VY_F_REMOVED, ev->removed);
}

static void on_event(void *ctx, const struct agent_event *ev, int64_t time)
{
	struct making *m = ctx;
	bool begins = ev->kind == AE_TEXT || ev->kind == AE_TOOL_START;

	at(m, time);
	if (ev->kind == AE_MARK) {
		m->p->mark = ev->mark.n ? keep(m, ev->mark) : m->p->mark;
		return;
	}
	if (ev->kind == AE_COMPACTED) {
		note(m, "The conversation was summarised here.");
		return;
	}
	if (m->is_known || ev->parent.n ||
		(ev->kind == AE_TEXT && find_text(m, ev) == m->n_texts &&
			is_known(m, ev->message))) {
		return;
	}
	if (begins && !m->is_open) { /* nobody said anything before */
		begin_turn(m);
		status(m, "working");
	}
	switch ((int)ev->kind) {
	case AE_TEXT: on_text(m, ev); break;
	case AE_TEXT_DONE: on_text_done(m, ev); break;
	case AE_TOOL_START: on_tool(m, ev); break;
	case AE_TOOL_DONE: on_tool_done(m, ev); break;
	case AE_FILE_CHANGED:
		if (m->is_open) {
			on_file(m, ev);
		}
		break;
	default: break; /* a list of things to do, a check: of its time */
	}
}

static void on_over(void *ctx, int64_t time)
{
	struct making *m = ctx;

	at(m, time);
	end_turn(m);
}

/* ---- all of it ---- */

static void say_what_is_not(struct making *m)
{
	struct past *p = m->p;
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	if (p->is_cut) {
		vy_buf_adds(&b, "its beginning, which is very long, was left out");
	}
	if (p->images) {
		vy_buf_addf(&b, "%s%lld picture%s", b.len ? "; " : "", (long long)p->images,
			p->images == 1 ? "" : "s");
	}
	if (p->skipped) {
		vy_buf_addf(&b, "%s%lld line%s that could not be read", b.len ? "; " : "",
			(long long)p->skipped, p->skipped == 1 ? "" : "s");
	}
	if (b.len) {
		VY_AUTO_BUF all = VY_BUF_INIT(2048);

		vy_buf_addf(&all, "Not taken over: %s.", vy_buf_c(&b));
		note(m, vy_buf_c(&all));
	}
}

struct past *past_new(
	const struct adopt_kind *kind, struct adopt_reading *r, const struct past_of *of)
{
	struct past *p = VY_NEW(struct past);
	struct making *m = VY_NEW(struct making);
	struct adopt_sink sink = { .said = on_said, .event = on_event, .over = on_over, .ctx = m };

	vy_arena_init(&p->mem);
	m->p = p;
	m->of = of;
	m->person = keep(m, of->person);
	m->assistant = keep(m, of->assistant);
	p->turn = of->turn;
	p->is_cut = r->is_rest && of->turn == 0;
	r->sink = &sink;
	kind->read(r);
	r->sink = NULL;
	p->skipped = r->skipped;
	end_turn(m);
	at(m, 0);
	say_what_is_not(m);
	p->messages += of->messages;
	free(m);
	return p;
}

void past_free(struct past *p)
{
	if (p) {
		vy_arena_fini(&p->mem);
		free(p->frames);
		free(p->wholes);
		free(p);
	}
}
