/* row.c -- rows as JSON, from one table a kind; see row.h. */
#include "shared/model/row.h"

#include "shared/model/members.h"
#include "shared/base/ban.h"

static const char *const kind_words[] = {
	[VY_ROW_MESSAGE] = "message",
	[VY_ROW_THINKING] = "thinking",
	[VY_ROW_TOOL] = "tool",
	[VY_ROW_ASK] = "ask",
	[VY_ROW_TODO] = "todo",
	[VY_ROW_TASK] = "task",
	[VY_ROW_NOTICE] = "notice",
	[VY_ROW_FILE] = "file",
	[VY_ROW_TERM_COMMAND] = "term-command",
	[VY_ROW_PARTICIPANT] = "participant",
	[VY_ROW_EXTENSION] = "extension",
};

static const char *const message_words[] = {
	[VY_MESSAGE_QUEUED] = "queued",
	[VY_MESSAGE_SENT] = "sent",
	[VY_MESSAGE_PICKED_UP] = "picked-up",
	[VY_MESSAGE_CANCELLED] = "cancelled",
};

static const char *const status_words[] = {
	[VY_TOOL_RUNNING] = "running",
	[VY_TOOL_COMPLETED] = "completed",
	[VY_TOOL_FAILED] = "failed",
	[VY_TOOL_CANCELED] = "canceled",
};

const char *vy_row_kind_word(enum vy_row_kind k)
{
	return kind_words[k];
}

const char *vy_message_state_word(enum vy_message_state s)
{
	return message_words[s];
}

bool vy_message_state_parse(struct vy_str word, enum vy_message_state *out)
{
	int s = vy_word_index(message_words, VY_COUNT(message_words), word);

	if (s >= 0) {
		*out = (enum vy_message_state)s;
	}
	return s >= 0;
}

const char *vy_tool_status_word(enum vy_tool_status s)
{
	return status_words[s];
}

bool vy_tool_status_parse(struct vy_str word, enum vy_tool_status *out)
{
	int s = vy_word_index(status_words, VY_COUNT(status_words), word);

	if (s >= 0) {
		*out = (enum vy_tool_status)s;
	}
	return s >= 0;
}

int64_t vy_row_tool_took(const struct vy_row_tool *t, int64_t now_ms)
{
	int64_t end = t->finished ? t->finished : t->asked ? t->asked : now_ms;
	int64_t took = end - t->started - t->waited;

	return !t->started ? -1 : took > 0 ? took : 0;
}

/* ---- the tables ---- */

#define ROW struct vy_row
static const struct vy_member common[] = {
	VY_MEMBER_STR(ROW, key, "key"),
	VY_MEMBER_CUR(ROW, rev, "rev"),
	VY_MEMBER_ENUM(ROW, kind, "kind", kind_words),
	VY_MEMBER_CUR(ROW, first, "first"),
	VY_MEMBER_CUR(ROW, last, "last"),
	VY_MEMBER_STR(ROW, turn, "turn"),
	VY_MEMBER_STR(ROW, author, "author"),
	VY_MEMBER_STR(ROW, acts_for, "acts_for"),
	VY_MEMBER_STR(ROW, parent, "parent"),
	VY_MEMBER_INT(ROW, time, "time", 0),
	VY_MEMBER_INT(ROW, time_last, "time_last", 0),
	VY_MEMBER_BOOL(ROW, expired, "expired"),
	VY_MEMBER_BOOL(ROW, pinned, "pinned"),
	VY_MEMBER_BOOL(ROW, withheld, "withheld"),
	VY_MEMBER_BOOL(ROW, folded, "folded"),
};

static const struct vy_member message[] = {
	VY_MEMBER_BOOL(ROW, message.is_user, "user"),
	VY_MEMBER_STR(ROW, message.message, "message"),
	VY_MEMBER_INT(ROW, message.index, "index", 0),
	VY_MEMBER_STR(ROW, message.text, "text"),
	VY_MEMBER_BOOL(ROW, message.done, "done"),
	VY_MEMBER_BOOL(ROW, message.cut, "cut"),
	VY_MEMBER_STR(ROW, message.note, "note"),
	VY_MEMBER_JSON(ROW, message.blocks, "blocks"),
	VY_MEMBER_ENUM(ROW, message.state, "state", message_words),
	VY_MEMBER_INT(ROW, message.queued_at, "queued_at", 0),
	VY_MEMBER_INT(ROW, message.step, "step", -1),
	VY_MEMBER_INT(ROW, message.bytes, "bytes", 0),
	VY_MEMBER_BOOL(ROW, message.edited, "edited"),
	VY_MEMBER_BOOL(ROW, message.more, "more"),
	VY_MEMBER_BOOL(ROW, message.is_private, "private"),
	VY_MEMBER_STR(ROW, message.via, "via"),
	VY_MEMBER_STR(ROW, message.mode, "mode"),
	VY_MEMBER_JSON(ROW, message.images, "images"),
	VY_MEMBER_STR(ROW, message.reason, "reason"),
};

static const struct vy_member thinking[] = {
	VY_MEMBER_STR(ROW, thinking.message, "message"),
	VY_MEMBER_INT(ROW, thinking.index, "index", 0),
	VY_MEMBER_STR(ROW, thinking.text, "text"),
	VY_MEMBER_BOOL(ROW, thinking.done, "done"),
	VY_MEMBER_INT(ROW, thinking.ms, "ms", 0),
};

static const struct vy_member tool[] = {
	VY_MEMBER_STR(ROW, tool.tool_id, "tool_id"),
	VY_MEMBER_STR(ROW, tool.name, "tool"),
	VY_MEMBER_STR(ROW, tool.kind, "tool_kind"),
	VY_MEMBER_STR(ROW, tool.summary, "summary"),
	VY_MEMBER_ENUM(ROW, tool.status, "status", status_words),
	VY_MEMBER_INT(ROW, tool.started, "started", 0),
	VY_MEMBER_INT(ROW, tool.finished, "finished", 0),
	VY_MEMBER_INT(ROW, tool.waited, "waited", 0),
	VY_MEMBER_INT(ROW, tool.asked, "asked", 0),
	VY_MEMBER_STR(ROW, tool.progress, "progress"),
	VY_MEMBER_INT(ROW, tool.pct, "pct", -1),
	VY_MEMBER_INT(ROW, tool.bytes, "bytes", -1),
	VY_MEMBER_JSON(ROW, tool.result, "result"),
};

static const struct vy_member todo[] = {
	VY_MEMBER_JSON(ROW, todo.items, "items"),
	VY_MEMBER_INT(ROW, todo.done, "done", 0),
	VY_MEMBER_INT(ROW, todo.total, "total", 0),
	VY_MEMBER_STR(ROW, todo.now, "now"),
};

static const struct vy_member notice[] = {
	VY_MEMBER_STR(ROW, notice.state, "state"),
	VY_MEMBER_STR(ROW, notice.note, "note"),
	VY_MEMBER_STR(ROW, notice.reason, "reason"),
	VY_MEMBER_JSON(ROW, notice.compacted, "compacted"),
};

static const struct vy_member file[] = {
	VY_MEMBER_STR(ROW, file.path, "path"),
	VY_MEMBER_STR(ROW, file.op, "op"),
	VY_MEMBER_INT(ROW, file.added, "added", 0),
	VY_MEMBER_INT(ROW, file.removed, "removed", 0),
};

static const struct vy_member term[] = {
	VY_MEMBER_STR(ROW, term.term, "term"),
	VY_MEMBER_STR(ROW, term.command, "command"),
	VY_MEMBER_STR(ROW, term.via, "via"),
	VY_MEMBER_STR(ROW, term.surface, "surface"),
	VY_MEMBER_BOOL(ROW, term.has_exit, "has_exit"),
	VY_MEMBER_INT(ROW, term.exit, "exit", 0),
	VY_MEMBER_BYTES(ROW, term.output, "b64"),
	VY_MEMBER_CUR(ROW, term.offset, "offset"),
};

static const struct vy_member participant[] = {
	VY_MEMBER_STR(ROW, participant.who, "who"),
	VY_MEMBER_STR(ROW, participant.role, "role"),
	VY_MEMBER_BOOL(ROW, participant.joined, "joined"),
};

static const struct vy_member extension[] = {
	VY_MEMBER_STR(ROW, extension.word, "word"),
	VY_MEMBER_JSON(ROW, extension.data, "data"),
};
#undef ROW

static const struct {
	const struct vy_member *m;
	size_t n;
} kinds[] = {
	[VY_ROW_MESSAGE] = { message, VY_COUNT(message) },
	[VY_ROW_THINKING] = { thinking, VY_COUNT(thinking) },
	[VY_ROW_TOOL] = { tool, VY_COUNT(tool) },
	[VY_ROW_ASK] = { NULL, 0 }, /* an object of its own: ask.c knows it */
	[VY_ROW_TODO] = { todo, VY_COUNT(todo) },
	[VY_ROW_TASK] = { tool, VY_COUNT(tool) },
	[VY_ROW_NOTICE] = { notice, VY_COUNT(notice) },
	[VY_ROW_FILE] = { file, VY_COUNT(file) },
	[VY_ROW_TERM_COMMAND] = { term, VY_COUNT(term) },
	[VY_ROW_PARTICIPANT] = { participant, VY_COUNT(participant) },
	[VY_ROW_EXTENSION] = { extension, VY_COUNT(extension) },
};

/* ---- both ways ---- */

void vy_row_encode(const struct vy_row *r, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_members_write(common, VY_COUNT(common), r, w);
	if (r->kind == VY_ROW_ASK) {
		vy_jw_key(w, "ask");
		vy_ask_encode(&r->ask, w);
	} else {
		vy_members_write(kinds[r->kind].m, kinds[r->kind].n, r, w);
	}
	vy_jw_end_obj(w);
}

/* The id without which a row of that kind is none. */
static struct vy_str id_of(const struct vy_row *r)
{
	switch (r->kind) {
	case VY_ROW_MESSAGE: return r->message.message;
	case VY_ROW_THINKING: return r->thinking.message;
	case VY_ROW_TOOL:
	case VY_ROW_TASK: return r->tool.tool_id;
	case VY_ROW_ASK: return r->ask.id;
	case VY_ROW_TERM_COMMAND: return r->term.term;
	case VY_ROW_TODO:
	case VY_ROW_NOTICE:
	case VY_ROW_FILE:
	case VY_ROW_PARTICIPANT:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
	return r->key;
}

int vy_row_decode(const struct vy_json *v, struct vy_arena *a, struct vy_row *out, struct vy_err *e)
{
	struct vy_str kind = vy_json_str(v, "kind");

	*out = (struct vy_row){ 0 };
	vy_members_read(common, VY_COUNT(common), v, a, out);
	if (out->key.n == 0) {
		return vy_fail(e, VY_BAD_INPUT, "a row without a key");
	}
	if (vy_word_index(kind_words, VY_COUNT(kind_words), kind) < 0) {
		out->kind = VY_ROW_EXTENSION; /* from a newer server */
		out->extension.word = vy_arena_str(a, kind);
		out->extension.data = vy_json_text(v, a);
	} else if (out->kind == VY_ROW_ASK) {
		if (vy_ask_decode(vy_json_get(v, "ask"), a, &out->ask, e) < 0) {
			return -1;
		}
	} else {
		vy_members_read(kinds[out->kind].m, kinds[out->kind].n, v, a, out);
	}
	return id_of(out).n ? 0
			    : vy_fail(e, VY_BAD_INPUT, "row %.*s: has no id", VY_STR_ARG(out->key));
}
