/* rows.h -- a fold as text, for tests: what a reader of the transcript would tell. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "tests/shared/frame/frames.h"

#include "shared/model/fold.h"

static inline void tell_message(const struct vy_row *r, struct vy_buf *out)
{
	const struct vy_row_message *m = &r->message;

	vy_buf_addf(out, "%s \"%.*s\"", m->is_user ? "you" : "says", VY_STR_ARG(m->text));
	if (m->is_user) {
		vy_buf_addf(out, " %s", vy_message_state_word(m->state));
	}
	vy_buf_addf(out, "%s%s%s%s%s", m->done && !m->is_user ? " done" : "",
		m->edited ? " edited" : "", m->more ? " more" : "", m->is_private ? " private" : "",
		m->cut ? " cut" : "");
	if (m->note.n) {
		vy_buf_addf(out, "(%.*s)", VY_STR_ARG(m->note));
	}
	if (m->step >= 0 && m->is_user) {
		vy_buf_addf(out, " step=%lld", (long long)m->step);
	}
	if (m->blocks.n) {
		vy_buf_addf(out, " %.*s", VY_STR_ARG(m->blocks));
	}
}

static inline void tell_tool(const struct vy_row *r, struct vy_buf *out)
{
	const struct vy_row_tool *t = &r->tool;

	vy_buf_addf(out, "%s %.*s(%.*s) %s", vy_row_kind_word(r->kind), VY_STR_ARG(t->name),
		VY_STR_ARG(t->summary), vy_tool_status_word(t->status));
	if (t->progress.n) {
		vy_buf_addf(out, " \"%.*s\"", VY_STR_ARG(t->progress));
	}
	if (t->pct >= 0) {
		vy_buf_addf(out, " %lld%%", (long long)t->pct);
	}
	if (t->finished) {
		vy_buf_addf(out, " %lldms", (long long)(t->finished - t->started));
	}
	if (t->waited || t->asked) {
		vy_buf_addf(out, " waited=%lld%s", (long long)t->waited, t->asked ? "…" : "");
	}
	vy_buf_addf(out, "%s%.*s", t->result.n ? " " : "", VY_STR_ARG(t->result));
}

static inline void tell_ask(const struct vy_row *r, struct vy_buf *out)
{
	const struct vy_ask *a = &r->ask;

	vy_buf_addf(out, "ask %s \"%.*s\" %s", vy_ask_kind_word(a->kind), VY_STR_ARG(a->summary),
		vy_ask_state_word(a->state));
	if (a->decision.n) {
		vy_buf_addf(out, " %.*s", VY_STR_ARG(a->decision));
	}
	if (a->by.n) {
		vy_buf_addf(out, " by %.*s", VY_STR_ARG(a->by));
	}
	if (a->delivered.n) {
		vy_buf_addf(out, " delivered=%.*s", VY_STR_ARG(a->delivered));
	}
}

static inline void tell_row(const struct vy_row *r, struct vy_buf *out)
{
	switch (r->kind) {
	case VY_ROW_MESSAGE: tell_message(r, out); break;
	case VY_ROW_THINKING:
		vy_buf_addf(out, "thinks \"%.*s\" %lldms%s", VY_STR_ARG(r->thinking.text),
			(long long)r->thinking.ms, r->thinking.done ? " done" : "");
		break;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: tell_tool(r, out); break;
	case VY_ROW_ASK: tell_ask(r, out); break;
	case VY_ROW_TODO:
		vy_buf_addf(out, "todo %lld/%lld %.*s", (long long)r->todo.done,
			(long long)r->todo.total, VY_STR_ARG(r->todo.now));
		break;
	case VY_ROW_NOTICE:
		vy_buf_addf(out, "notice %.*s: %.*s %.*s%.*s", VY_STR_ARG(r->notice.state),
			VY_STR_ARG(r->notice.note), VY_STR_ARG(r->notice.reason),
			VY_STR_ARG(r->notice.compacted));
		break;
	case VY_ROW_FILE:
		vy_buf_addf(out, "file %.*s %.*s +%lld -%lld", VY_STR_ARG(r->file.path),
			VY_STR_ARG(r->file.op), (long long)r->file.added,
			(long long)r->file.removed);
		break;
	case VY_ROW_TERM_COMMAND:
		vy_buf_addf(out, "$ %.*s", VY_STR_ARG(r->term.command));
		if (r->term.has_exit) {
			vy_buf_addf(out, " exit=%lld", (long long)r->term.exit);
		}
		if (r->term.output.n) {
			vy_buf_addf(out, " @%llu \"%.*s\"", (unsigned long long)r->term.offset,
				VY_STR_ARG(r->term.output));
		}
		break;
	case VY_ROW_PARTICIPANT:
		vy_buf_addf(out, "%.*s %s", VY_STR_ARG(r->participant.who),
			r->participant.joined ? "joined" : "left");
		break;
	case VY_ROW_EXTENSION:
		vy_buf_addf(out, "?%.*s %.*s", VY_STR_ARG(r->extension.word),
			VY_STR_ARG(r->extension.data));
		break;
	case VY_ROW_COUNT: break;
	}
	vy_buf_addf(out, "%s%s", r->expired ? " expired" : "", r->pinned ? " pinned" : "");
}

/* One row a line, nested by two blanks; then the queue and the state. */
static inline void tell(const struct vy_fold *f, struct vy_buf *out)
{
	const struct vy_fold_state *s = vy_fold_state(f);

	for (size_t i = 0; i < vy_fold_len(f); i++) {
		const struct vy_row *r = vy_fold_row(f, i);

		vy_buf_addf(out, "%*s", (int)(2 * vy_fold_depth(f, r)), "");
		tell_row(r, out);
		vy_buf_addc(out, '\n');
	}
	for (size_t i = 0; i < s->queued; i++) {
		vy_buf_adds(out, "[] ");
		tell_row(vy_fold_queued(f, i), out);
		vy_buf_addc(out, '\n');
	}
	vy_buf_addf(out, "%s%s%s asks=%zu running=%zu", vy_state_word(s->state),
		s->held ? " held" : "", s->stopping ? " stopping" : "", s->asks, s->running);
	if (s->mode.n || s->model.n) {
		vy_buf_addf(out, " %.*s/%.*s", VY_STR_ARG(s->mode), VY_STR_ARG(s->model));
	}
}

#endif
