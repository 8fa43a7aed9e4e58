/* leave.c -- see leave.h. */
#include "tui/app/leave.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TITLE_CELLS 40
#define ID_SHOWN    8

/* As a shell takes it: in quotes where it must be. */
static void add_quoted(struct vy_buf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:@%+=,-";

	if (word[strspn(word, plain)] == '\0') {
		vy_buf_adds(out, word);
		return;
	}
	vy_buf_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'') {
			vy_buf_adds(out, "'\\''");
		} else {
			vy_buf_addc(out, *word);
		}
	}
	vy_buf_addc(out, '\'');
}

static void add_option(struct vy_buf *out, const char *option, const char *value)
{
	if (value) {
		vy_buf_addf(out, " %s ", option);
		add_quoted(out, value);
	}
}

/* The command, with what says where the server is. */
static void add_command(struct vy_buf *out, const struct app_options *o)
{
	vy_buf_adds(out, "vyre-tui");
	add_option(out, "--connect", o->connect);
	add_option(out, "--socket", o->socket);
	add_option(out, "--state-dir", o->state_dir);
}

static void add_title(struct vy_buf *out, const char *title)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(65536);

	vy_utf8_visible(vy_str_c(title), VY_UTF8_LINE, &seen);
	vy_buf_addc(out, '"');
	vy_width_ellipsis(vy_buf_str(&seen), TITLE_CELLS, (struct vy_width){ 0 }, out);
	vy_buf_addc(out, '"');
}

static void add_outcome(struct vy_buf *out, const struct app_state *s, const char *title)
{
	switch ((int)vy_fold_state(s->fold)->state) {
	case VY_STATE_STOPPED:
		vy_buf_addf(out, _("%s is stopped, a message starts it again"), title);
		break;
	case VY_STATE_ASKING: vy_buf_addf(out, _("%s waits for your answer"), title); break;
	default: vy_buf_addf(out, _("%s goes on"), title); break;
	}
}

void leave_words(
	const struct app_state *s, const struct app_options *o, bool is_newest, struct vy_buf *out)
{
	VY_AUTO_BUF command = VY_BUF_INIT(65536), named = VY_BUF_INIT(65536);
	VY_AUTO_BUF title = VY_BUF_INIT(4096), line = VY_BUF_INIT(262144);

	if (s->title && s->title[0]) {
		add_title(&title, s->title);
	} else {
		vy_buf_adds(&title, _("The session"));
	}
	add_command(&command, o);
	vy_buf_addf(&named, "%s %.*s", vy_buf_c(&command), ID_SHOWN, s->session ? s->session : "");
	add_outcome(out, s, vy_buf_c(&title));
	if (is_newest) {
		vy_buf_addf(
			&line, _("%s (from elsewhere: %s)"), vy_buf_c(&command), vy_buf_c(&named));
	}
	vy_buf_addf(out, _("; back to it: %s\n"), vy_buf_c(is_newest ? &line : &named));
}
