/* paint_ascii.c -- see paint_ascii.h. The marks of our own screens have a look-alike each; text of
 * people that ASCII cannot say becomes "?", honestly lost rather than guessed. */
#include "tui/ink/paint_ascii.h"

#include "shared/base/ban.h"

/* A glyph, the character that stands for it, a space. */
static const char table[] = "╭+ ╮+ ╰+ ╯+ ┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ ─- ━- │| ┃| ▌| ▎| ▏| "
			    "●* ○o ◐* ◔* ◌o •* ✻* ✓v ✔v ✕x ✗x ☑x ☐. ›> ‹< ▸> ▾v ▶> "
			    "⏵> "
			    "⏸= "
			    "⎇@ …~ ·. −- –- —- “\" ”\" ‘' ’' ↑^ ↓v ←< →> ⏎< ↺< █# ▓# ▒# ░. ×x "
			    "◦- ▪+ ⋯~ ⧗~ ‖= "
			    "⚠! ⏳~ ⌛~ ≈~ ≤< ≥> ⇧^ ⠋| ⠙/ ⠹- ⠸\\ ⠼| ⠴/ ⠦- ⠧\\ ⠇| ⠏/ ";

void paint_ascii(struct vy_str cluster, int width, struct vy_buf *out)
{
	char mark = '?';

	for (const char *p = table; *p;) {
		const char *end = strchr(p, ' ');

		if (vy_str_eq(cluster, vy_str_n(p, (size_t)(end - p) - 1))) {
			mark = end[-1];
			break;
		}
		p = end + 1;
	}
	vy_buf_addc(out, mark);
	if (width == 2) {
		vy_buf_addc(out, mark == '?' ? '?' : ' ');
	}
}
