/* vt_clean.c -- see vt_clean.h. */
#include "shared/vt/vt_clean.h"

#include "shared/vt/grid.h"
#include "shared/base/ban.h"

/* A parameter with those that belong to it: from colons, or by counting (38;5;n, 38;2;r;g;b). */
struct group {
	const struct vt_param *p;
	int n;
	bool is_colon;
};

static bool is_color(int v)
{
	return v == 38 || v == 48 || v == 58;
}

static struct group group_at(const struct vt_token *t, int i)
{
	struct group g = { .p = &t->p[i], .n = 1 };

	while (i + g.n < t->n && t->p[i + g.n].joins) {
		g.n++;
	}
	g.is_colon = g.n > 1;
	if (is_color(g.p[0].v) && !g.is_colon && i + 1 < t->n) {
		int need = t->p[i + 1].v == 5 ? 3 : t->p[i + 1].v == 2 ? 5 : 2;

		g.n = i + need < t->n ? need : t->n - i;
	}
	return g;
}

static void add_color(struct group g, struct vy_buf *out)
{
	int kind = g.n > 1 ? g.p[1].v : -1, want = kind == 2 ? 3 : 1;
	int first =
		g.is_colon && kind == 2 && g.n >= 6 ? 3 : 2; /* a colour space may stand between */

	if ((kind != 2 && kind != 5) || first + want > g.n) {
		return;
	}
	vy_buf_addf(out, "%s%d;%d", out->len ? ";" : "", g.p[0].v, kind);
	for (int i = first; i < first + want; i++) {
		vy_buf_addf(out, ";%d", g.p[i].v < 0 ? 0 : g.p[i].v > 255 ? 255 : g.p[i].v);
	}
}

static void set_bit(uint8_t *bits, uint8_t bit, bool on)
{
	*bits = on ? *bits | bit : *bits & (uint8_t)~bit;
}

static void keep_own(int v, uint8_t *own)
{
	switch (v) {
	case 0: *own = 0; break;
	case 2:
	case 22: set_bit(own, VY_VT_DIM, v == 2); break;
	case 8:
	case 28: set_bit(own, VY_VT_CONCEAL, v == 8); break;
	default: break;
	}
}

#define ARGS_MAX  16
#define COUNT_MAX 9999

/* Nothing in it that libvterm would misread? */
static bool is_good(const struct vt_token *t)
{
	for (int i = 0; i < t->n; i++) {
		if (t->p[i].joins || t->p[i].v == 58 || t->p[i].v > COUNT_MAX) {
			return false;
		}
	}
	return t->n <= ARGS_MAX;
}

/* Half a colour would be filled up with what libvterm had before. */
static bool has_whole_colors(const struct vt_token *t)
{
	for (int i = 0; i < t->n;) {
		struct group g = group_at(t, i);

		if (is_color(g.p[0].v) && (g.n < 3 || (g.p[1].v == 2 && g.n < 5))) {
			return false;
		}
		for (int k = 2; is_color(g.p[0].v) && k < g.n; k++) {
			if (g.p[k].v < 0 || g.p[k].v > 255) {
				return false;
			}
		}
		i += g.n;
	}
	return true;
}

static void keep_all(const struct vt_token *t, uint8_t *own)
{
	if (t->n == 0) {
		keep_own(0, own);
	}
	for (int i = 0; i < t->n;) {
		struct group g = group_at(t, i);

		if (!g.is_colon) {
			keep_own(g.p[0].v < 0 ? 0 : g.p[0].v, own);
		}
		i += g.n;
	}
}

static void end_piece(struct vy_buf *piece, struct vy_buf *out)
{
	if (piece->len > 0) {
		vy_buf_addf(out, "\033[%.*sm", VY_STR_ARG(vy_buf_str(piece)));
		vy_buf_clear(piece);
	}
}

struct vy_str vt_clean_sgr(const struct vt_token *t, uint8_t *own, struct vy_buf *room)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1024);
	int in_piece = 0;

	keep_all(t, own);
	if (is_good(t) && has_whole_colors(t)) {
		return t->bytes;
	}
	for (int i = 0; i < t->n;) {
		struct group g = group_at(t, i);
		int v = g.p[0].v < 0 ? 0 : g.p[0].v;

		if (v == 38 || v == 48) {
			add_color(g, &b);
		} else if (v == 4 && g.is_colon) { /* 4:3 is curly, 4:0 off */
			vy_buf_addf(&b, "%s%d", b.len ? ";" : "", g.p[1].v == 0 ? 24 : 4);
		} else if (v != 58 && !g.is_colon) {
			vy_buf_addf(&b, "%s%d", b.len ? ";" : "", v);
		}
		i += g.n;
		in_piece += g.n;
		if (in_piece > ARGS_MAX - 6) { /* the next group may have five */
			end_piece(&b, room);
			in_piece = 0;
		}
	}
	end_piece(&b, room);
	return vy_buf_str(room);
}

struct vy_str vt_clean_csi(const struct vt_token *t, struct vy_buf *room)
{
	if (is_good(t)) {
		return t->bytes;
	}
	vy_buf_adds(room, "\033[");
	if (t->leader) {
		vy_buf_addc(room, t->leader);
	}
	for (int i = 0; i < t->n && i < ARGS_MAX; i++) {
		if (t->p[i].joins) {
			vy_buf_clear(room);
			break;
		}
		vy_buf_addf(room, t->p[i].v >= 0 ? "%s%d" : "%s%.0d", i ? ";" : "",
			t->p[i].v < 0           ? 0
			: t->p[i].v > COUNT_MAX ? COUNT_MAX
						: t->p[i].v);
	}
	if (room->len > 0 && t->intermediate) {
		vy_buf_addc(room, t->intermediate);
	}
	if (room->len > 0) {
		vy_buf_addc(room, t->final);
	}
	return vy_buf_str(room);
}
