/* notice.c -- see notice.h. */
#include "tui/ink/notice.h"

#include <string.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

static bool starts(const char *s, const char *with)
{
	return s && strncmp(s, with, strlen(with)) == 0;
}

enum notice_way notice_way_of(const struct notice_env *env)
{
	bool is_777 = starts(env->term, "rxvt") || starts(env->term, "foot") ||
		      (env->vte_version && *env->vte_version) ||
		      starts(env->term_program, "vscode");

	return is_777 ? NOTICE_OSC777 : NOTICE_OSC9;
}

/* One line of visible characters. In OSC 777 a ";" parts the fields, and OSC 9 takes a number with
 * one behind it for another command: it becomes a comma. */
static void add_text(struct vy_buf *out, struct vy_str text)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(16 * NOTICE_TEXT_MAX);

	text.n = vy_utf8_cut(text, NOTICE_TEXT_MAX);
	vy_utf8_visible(text, VY_UTF8_LINE, &clean);
	for (size_t i = 0; i < clean.len; i++) {
		vy_buf_addc(out, clean.data[i] == ';' ? ',' : clean.data[i]);
	}
}

void notice_add(enum notice_way way, bool in_tmux, struct vy_str title, struct vy_str text,
	struct vy_buf *out)
{
	vy_buf_adds(out, in_tmux ? "\033Ptmux;\033" : "");
	vy_buf_adds(out, way == NOTICE_OSC777 ? "\033]777;notify;" : "\033]9;");
	add_text(out, title);
	vy_buf_adds(out, way == NOTICE_OSC777 ? ";" : ": ");
	add_text(out, text);
	vy_buf_adds(out, in_tmux ? "\a\033\\" : "\a");
}
