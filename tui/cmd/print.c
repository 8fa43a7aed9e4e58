/* print.c -- see print.h. */
#include "tui/cmd/print.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "shared/text/utf8.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void print_end(struct print *p)
{
	if (p->is_mid_line) {
		putc('\n', p->text);
		p->is_mid_line = false;
	}
	fflush(p->text);
}

static void put(FILE *f, struct vy_str text, unsigned keep)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_MIB);

	vy_utf8_visible(text, keep, &b);
	fwrite(vy_buf_c(&b), 1, b.len, f);
}

/* One line beside the words: a mark, then text. */
static void side(struct print *p, const char *mark, struct vy_str text)
{
	if (!p->side) {
		return;
	}
	print_end(p);
	fputs(mark, p->side);
	put(p->side, text, VY_UTF8_PROSE);
	putc('\n', p->side);
	fflush(p->side);
}

static void say(struct print *p, const struct vy_frame *f)
{
	struct vy_str text = vy_frame_str(f, VY_F_TEXT);

	if (vy_frame_bool(f, VY_F_REASONING) || text.n == 0) {
		return;
	}
	put(p->text, text, VY_UTF8_PROSE);
	p->is_mid_line = text.p[text.n - 1] != '\n';
	fflush(p->text);
}

static void user(struct print *p, const struct vy_frame *f)
{
	if (vy_frame_is(f, VY_F_STATE, "sent") || vy_frame_is(f, VY_F_STATE, "picked-up")) {
		side(p, "> ", vy_frame_str(f, VY_F_TEXT));
	}
}

static void tool(struct print *p, const struct vy_frame *f)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8 * VY_KIB);

	vy_buf_addstr(&b, vy_frame_str(f, VY_F_TOOL));
	vy_buf_addc(&b, ' ');
	vy_buf_addstr(&b, vy_frame_str(f, VY_F_SUMMARY));
	side(p, "* ", vy_buf_str(&b));
}

static void tool_end(struct print *p, const struct vy_frame *f)
{
	if (!vy_frame_bool(f, VY_F_OK)) {
		side(p, "  ",
			vy_frame_is(f, VY_F_STATUS, "canceled") ? vy_str_c(_("canceled"))
								: vy_str_c(_("failed")));
	}
}

static void ask(struct print *p, const struct vy_frame *f)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8 * VY_KIB);

	vy_buf_addstr(&b, vy_frame_str(f, VY_F_SUMMARY));
	vy_buf_adds(&b, "  (vyre-tui answer ");
	vy_buf_addstr(&b, vy_frame_str(f, VY_F_ASK_ID));
	vy_buf_adds(&b, " allow|deny)");
	side(p, "? ", vy_buf_str(&b));
}

static void answered(struct print *p, const struct vy_frame *f)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8 * VY_KIB);

	vy_buf_addstr(&b, vy_frame_str(f, VY_F_DECISION));
	if (vy_frame_has(f, VY_F_BY)) {
		vy_buf_addc(&b, ' ');
		vy_buf_addstr(&b, vy_frame_str(f, VY_F_BY));
	}
	side(p, "  ", vy_buf_str(&b));
}

/* Only what says more than that it goes on. */
static void status(struct print *p, const struct vy_frame *f)
{
	static const char *const quiet[] = { "starting", "working", "waiting", "asking" };
	VY_AUTO_BUF b = VY_BUF_INIT(8 * VY_KIB);
	struct vy_str state = vy_frame_str(f, VY_F_STATE), note = vy_frame_str(f, VY_F_NOTE);
	bool is_quiet = false;

	for (size_t i = 0; i < VY_COUNT(quiet); i++) {
		is_quiet |= vy_str_is(state, quiet[i]);
	}
	if (is_quiet && note.n == 0) {
		return;
	}
	if (!is_quiet) {
		vy_buf_addstr(&b, state);
		vy_buf_adds(&b, note.n ? ": " : "");
	}
	vy_buf_addstr(&b, note);
	side(p, "-- ", vy_buf_str(&b));
}

static void as_json(struct print *p, const struct vy_frame *f)
{
	VY_AUTO_BUF b = VY_BUF_INIT(2 * VY_FRAME_MAX);

	if (vy_frame_encode(f, &b)) {
		fwrite(b.data, 1, b.len, p->text);
		putc('\n', p->text);
		fflush(p->text);
	}
}

void print_frame(struct print *p, const struct vy_frame *f)
{
	if (p->is_json) {
		as_json(p, f);
		return;
	}
	switch ((int)f->kind) {
	case VY_KIND_USER_MESSAGE: user(p, f); break;
	case VY_KIND_TEXT_DELTA: say(p, f); break;
	case VY_KIND_TEXT_DONE: print_end(p); break;
	case VY_KIND_TEXT_CUT: side(p, "-- ", vy_frame_str(f, VY_F_NOTE)); break;
	case VY_KIND_TOOL_STARTED: tool(p, f); break;
	case VY_KIND_TOOL_FINISHED: tool_end(p, f); break;
	case VY_KIND_TERM_COMMAND: side(p, "$ ", vy_frame_str(f, VY_F_COMMAND)); break;
	case VY_KIND_ASK: ask(p, f); break;
	case VY_KIND_ASK_ANSWERED: answered(p, f); break;
	case VY_KIND_STATUS: status(p, f); break;
	default: break;
	}
}
