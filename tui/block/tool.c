/* tool.c -- a call of a tool: what it is about, how it goes, what came of it (shape.h).
 *
 * One line says all that is needed to read on; what the tool brought is below it, folded. What a
 * reading tool brought is for the agent, and so is what a subagent's tools brought: the person
 * opens it when it matters. */
#include <stdio.h>

#include "tui/block/shape.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define NAME_CELLS  28
#define GIST_CELLS  48  /* of a result that is told on the tool's own line */
#define QUICK_MS    300 /* a shorter time is not worth telling */
#define SAID_MOST   200 /* bytes of what the server says of a call; more is the tool's own */
#define QUIET_LINES 3   /* of words a tool brought, or says while it runs */

static struct vy_block block_of(const struct vy_row_tool *t, struct block_sheet *out)
{
	struct vy_block b = { .kind = VY_BLOCK_TEXT };

	if (t->result.n) {
		vy_block_parse(t->result, &out->arena, &b);
	}
	return b;
}

/* ---- the line ---- */

static enum block_mark mark_for(
	const struct vy_row_tool *t, const struct block_how *how, enum theme_role *role)
{
	switch (t->status) {
	case VY_TOOL_RUNNING:
		if (t->asked) {
			*role = THEME_ASK_BORDER;
			return MARK_ASK;
		}
		*role = THEME_ACCENT;
		return MARK_SPIN0 + (enum block_mark)((unsigned)how->spin % MARK_SPINS);
	case VY_TOOL_FAILED: *role = THEME_ERROR; return MARK_FAILED;
	case VY_TOOL_CANCELED: *role = THEME_DIM; return MARK_CANCELED;
	case VY_TOOL_COMPLETED:
	default: *role = THEME_OK; return MARK_DONE;
	}
}

/* Words that end before x; returns where the next ones may end. */
static int put_right(struct cell_win w, int x, const char *text, enum theme_role role)
{
	return text[0] ? cell_puts_right(w, x, 0, text, theme_ink(role)) - 2 : x;
}

static int put_change(struct cell_win w, int x, const struct vy_block *b)
{
	char text[32];

	if (b->diff.removed) {
		snprintf(text, sizeof(text), "−%lld", (long long)b->diff.removed);
		x = put_right(w, x, text, THEME_ERROR);
		x += b->diff.added > 0; /* the two stand close */
	}
	if (b->diff.added) {
		snprintf(text, sizeof(text), "+%lld", (long long)b->diff.added);
		x = put_right(w, x, text, THEME_OK);
	}
	if (b->diff.created) {
		return put_right(w, x, _("new"), THEME_DIM);
	}
	return b->diff.deleted ? put_right(w, x, _("deleted"), THEME_DIM) : x;
}

static int put_exit(struct cell_win w, int x, const struct vy_block *b, struct block_sheet *out)
{
	char text[64];

	if (!b->terminal.has_exit) {
		return x;
	}
	if (b->terminal.exit == 0) {
		return put_right(w, x, mark_of(out, MARK_OK), THEME_OK);
	}
	snprintf(text, sizeof(text), _("exit %lld"), (long long)b->terminal.exit);
	return put_right(w, x, text, THEME_ERROR);
}

static int put_time(struct cell_win w, int x, const struct vy_row_tool *t, int64_t now_ms)
{
	int64_t took = vy_row_tool_took(t, now_ms);
	bool is_running = t->status == VY_TOOL_RUNNING;
	char text[32];

	if (took < (is_running ? 1000 : QUICK_MS)) {
		return x;
	}
	shape_time(took, !is_running, text, sizeof(text));
	return put_right(w, x, text, THEME_DIM);
}

/* One short line is told beside the tool, not below it. */
static bool is_gist(const struct vy_block *b, struct vy_str *gist)
{
	*gist = b->kind == VY_BLOCK_FILES  ? b->files.detail
		: b->kind == VY_BLOCK_TEXT ? b->text.text
					   : vy_str_n(NULL, 0);
	while (gist->n && gist->p[gist->n - 1] == '\n') {
		gist->n--;
	}
	return gist->n && gist->n <= GIST_CELLS && !memchr(gist->p, '\n', gist->n);
}

static int put_gist(struct cell_win w, int x, const struct vy_block *b, struct block_sheet *out)
{
	struct vy_str gist;
	char text[64];

	if (is_gist(b, &gist)) {
		gist = shape_safe(out, gist, 0);
		return put_right(w, x, vy_arena_dup(&out->arena, gist.p, gist.n), THEME_DIM);
	}
	if (b->kind == VY_BLOCK_FILES && b->files.n) {
		snprintf(text, sizeof(text), words_count("%zu file", "%zu files", b->files.n),
			b->files.n);
		return put_right(w, x, text, THEME_DIM);
	}
	return x;
}

/* What stands at the right end of the line; returns where it begins. */
static int put_outcome(struct cell_win w, const struct vy_row_tool *t, const struct vy_block *b,
	const struct block_how *how, struct block_sheet *out)
{
	int x = w.w - 1;
	char text[32];

	switch (t->status) {
	case VY_TOOL_RUNNING:
		if (t->pct >= 0) {
			snprintf(text, sizeof(text), _("%lld %%"), (long long)t->pct);
			x = put_right(w, x, text, THEME_DIM);
		}
		if (t->asked) {
			return put_right(w, x, _("waits for you"), THEME_DIM);
		}
		break;
	case VY_TOOL_CANCELED: return put_right(w, x, _("stopped"), THEME_DIM);
	case VY_TOOL_FAILED:
	case VY_TOOL_COMPLETED:
	default:
		if (b->kind == VY_BLOCK_DIFF) {
			return put_change(w, x, b);
		}
		if (b->kind == VY_BLOCK_TERMINAL) {
			x = put_exit(w, x, b, out);
		} else if (t->status == VY_TOOL_COMPLETED) {
			x = put_gist(w, x, b, out);
		}
		if (b->kind == VY_BLOCK_FILES) {
			return x; /* reading takes no time worth telling */
		}
	}
	return put_time(w, x, t, how->now_ms);
}

/* ---- a question, a plan: a talk more than a call ---- */

static const struct {
	const char *tool, *name;
} talks[] = { { "AskUserQuestion", N_("Question") }, { "ExitPlanMode", N_("Plan") } };

static const char *talk_of(const struct vy_row_tool *t)
{
	for (size_t i = 0; i < VY_COUNT(talks); i++) {
		if (vy_str_is(t->name, talks[i].tool)) {
			return _(talks[i].name);
		}
	}
	return NULL;
}

/* While it is asked the panel says what, and then the answer does: not once more on this line. */
static bool says_itself(const struct vy_row_tool *t, const struct vy_block *b)
{
	return t->status == VY_TOOL_RUNNING || b->kind == VY_BLOCK_ANSWER;
}

static void put_head(const struct vy_row_tool *t, const struct vy_block *b,
	const struct block_how *how, struct block_sheet *out)
{
	enum theme_role role;
	enum block_mark mark = mark_for(t, how, &role);
	struct cell_win w = shape_head(out, how, mark, role);
	int right = put_outcome(w, t, b, how, out), x = SHAPE_TEXT + shape_indent(how);

	const char *talk = talk_of(t);

	x = shape_put(w, x, talk ? vy_str_c(talk) : t->name,
		right - x < NAME_CELLS ? right - x : NAME_CELLS, theme_bold(THEME_TOOL), out);
	if (!talk || !says_itself(t, b)) {
		x = shape_put(w, x + 2, t->summary, right - x - 2, theme_ink(THEME_TEXT), out);
	}
	block_says(out, SHAPE_TEXT + shape_indent(how), x, BLOCK_NEW);
}

/* ---- what it brought ---- */

/* The last n lines. */
static struct vy_str tail_of(struct vy_str s, int n)
{
	size_t at;

	while (s.n && s.p[s.n - 1] == '\n') {
		s.n--;
	}
	for (at = s.n; at > 0; at--) {
		if (s.p[at - 1] == '\n' && --n == 0) {
			break;
		}
	}
	return vy_str_from(s, at);
}

static void put_words(
	struct vy_str text, enum theme_role role, int left, int limit, struct block_sheet *out)
{
	struct shape_lines lines = {
		.style = theme_ink(role), .left = left, .limit = limit, .is_verbatim = true
	};

	shape_lines(text, &lines, out);
}

static bool is_quiet(
	const struct vy_row_tool *t, const struct vy_block *b, const struct block_how *how)
{
	struct vy_str gist;

	if (how->is_open) {
		return false;
	}
	if (t->status == VY_TOOL_CANCELED || b->kind == VY_BLOCK_FILES) {
		return true;
	}
	if (t->status == VY_TOOL_FAILED) {
		return false;
	}
	if (b->kind == VY_BLOCK_SCREEN) {
		return how->depth > 0; /* a picture is there to be looked at */
	}
	return how->depth > 0 || vy_str_is(t->kind, "read") ||
	       (b->kind == VY_BLOCK_TEXT && is_gist(b, &gist));
}

/* A command of several lines is told by its first: opened, all of it is there to read. */
static void put_command(struct vy_str command, int left, struct block_sheet *out)
{
	if (command.n && memchr(command.p, '\n', command.n)) {
		put_words(command, THEME_TEXT, left, 0, out);
		block_lines(out, 1, 0);
	}
}

static void put_result(const struct vy_row_tool *t, const struct vy_block *b,
	const struct block_how *how, struct block_sheet *out)
{
	int left = SHAPE_BODY + shape_indent(how);
	bool is_bad = t->status == VY_TOOL_FAILED;

	if (b->kind == VY_BLOCK_TERMINAL && how->is_open) {
		put_command(b->terminal.command, left, out);
	}
	if (b->kind == VY_BLOCK_SCREEN && vy_str_eq(b->screen.alt, t->summary)) {
		struct vy_block untold = *b; /* the head has said it */

		untold.screen.alt.n = 0;
		shape_block(&untold, how, left, out);
		return;
	}
	if (b->kind != VY_BLOCK_TEXT) {
		shape_block(b, how, left, out);
		return;
	}
	put_words(b->text.text, is_bad ? THEME_TEXT : THEME_DIM, left,
		how->is_open ? 0
		: is_bad     ? SHAPE_FOLDED
			     : QUIET_LINES,
		out);
	if (b->note.n) {
		put_words(b->note, THEME_DIM, left, 1, out);
	}
}

/* What it printed so far, or what the server says of it: that it waits for a place. */
static void put_progress(
	struct vy_str text, const struct block_how *how, int left, struct block_sheet *out)
{
	VY_AUTO_BUF said = VY_BUF_INIT(8192);

	if (text.n < SAID_MOST && text.n && !memchr(text.p, '\n', text.n)) {
		words_noted(text, &said);
		text = vy_arena_str(&out->arena, vy_buf_str(&said));
	}
	put_words(how->is_open ? text : tail_of(text, QUIET_LINES), THEME_DIM, left,
		how->is_open ? 0 : QUIET_LINES, out);
}

void row_tool(const struct vy_row *row, const struct block_how *how, struct block_sheet *out)
{
	const struct vy_row_tool *t = &row->tool;
	struct vy_block b = block_of(t, out);
	int left = SHAPE_BODY + shape_indent(how);

	put_head(t, &b, how, out);
	out->at = 1;
	if (t->status == VY_TOOL_RUNNING) {
		put_progress(t->progress, how, left, out);
	} else if (t->result.n && !is_quiet(t, &b, how)) {
		put_result(t, &b, how, out);
	}
}
