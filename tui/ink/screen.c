/* screen.c -- see screen.h: hands each verb to the back end; what is the same for all is done here. */
#include "tui/ink/screen.h"

#include "shared/base/buf.h"
#include "tui/ink/screen_backend.h"
#include "shared/base/ban.h"

void screen_close(struct screen *s)
{
	if (s) {
		s->ops->close(s);
	}
}

int screen_suspend(struct screen *s, struct vy_err *e)
{
	return s->ops->suspend ? s->ops->suspend(s, e) : 0;
}

int screen_resume(struct screen *s, struct vy_err *e)
{
	return s->ops->resume ? s->ops->resume(s, e) : 0;
}

void screen_size(struct screen *s, int *cols, int *rows)
{
	s->ops->size(s, cols, rows);
}

void screen_cell(const struct screen *s, int *w, int *h)
{
	*w = *h = 0;
	if (s->ops->cell) {
		s->ops->cell(s, w, h);
	}
}

int screen_fd(const struct screen *s)
{
	return s->ops->fd ? s->ops->fd(s) : -1;
}

struct theme_env screen_theme_env(const struct screen *s)
{
	return s->ops->theme_env ? s->ops->theme_env(s) : (struct theme_env){ .colors = -1 };
}

bool screen_is_pending(const struct screen *s)
{
	return s->ops->is_pending && s->ops->is_pending(s);
}

void screen_set_theme(struct screen *s, struct theme t)
{
	s->theme = t;
	if (s->ops->set_theme) {
		s->ops->set_theme(s, t);
	}
}

struct theme screen_theme(const struct screen *s)
{
	return s->theme;
}

void screen_set_mouse(struct screen *s, bool on)
{
	if (s->ops->set_mouse) {
		s->ops->set_mouse(s, on);
	}
}

int screen_present(
	struct screen *s, const struct cell_grid *g, struct screen_cursor c, struct vy_err *e)
{
	return s->ops->present(s, g, c, e);
}

int screen_flush(struct screen *s, struct vy_err *e)
{
	return s->ops->flush ? s->ops->flush(s, e) : 0;
}

void screen_redraw(struct screen *s)
{
	if (s->ops->redraw) {
		s->ops->redraw(s);
	}
}

void screen_send(struct screen *s, struct vy_str bytes)
{
	if (s->ops->send) {
		s->ops->send(s, bytes);
	}
}

void screen_bell(struct screen *s)
{
	screen_send(s, VY_STR_LIT("\a"));
}

void screen_title(struct screen *s, struct vy_str title)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	vy_buf_adds(&b, "\033]2;");
	for (size_t i = 0; i < title.n && b.len < 512; i++) {
		unsigned char c = (unsigned char)title.p[i];
		/* C1 too, which in UTF-8 begins with C2 */
		bool is_c1 = c == 0xc2 && i + 1 < title.n && (unsigned char)title.p[i + 1] < 0xa0;

		i += is_c1;
		if (c >= 0x20 && c != 0x7f && !is_c1) {
			vy_buf_addc(&b, (char)c);
		}
	}
	vy_buf_adds(&b, "\033\\");
	screen_send(s, vy_buf_str(&b));
}
