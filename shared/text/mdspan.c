/* mdspan.c -- see mdspan.h. */
#include "shared/text/mdspan.h"

#include "shared/base/mem.h"
#include "shared/text/entity.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/base/ban.h"

#define TEXT_MAX ((size_t)16 * VY_MD_MAX) /* the mark of a hidden character is longer than it */

void vy_mdspan_init(struct vy_mdspan *m, struct vy_str src, unsigned flags, struct vy_arena *a)
{
	*m = (struct vy_mdspan){
		.a = a, .src = src, .breaks = flags & VY_MD_BREAKS, .text = VY_BUF_INIT(TEXT_MAX)
	};
}

void vy_mdspan_fini(struct vy_mdspan *m)
{
	vy_buf_fini(&m->text);
	free(m->spans);
	m->spans = NULL;
	m->n = m->cap = 0;
}

/* ---- styles ---- */

void vy_mdspan_open_link(struct vy_mdspan *m, struct vy_str target, bool is_image)
{
	if (m->n_links < VY_MDSPAN_LINKS) {
		m->links[m->n_links].target = target;
		m->links[m->n_links].is_image = is_image;
		m->links[m->n_links].id = ++m->last_id;
	}
	m->n_links++;
}

void vy_mdspan_close_link(struct vy_mdspan *m)
{
	m->n_links -= m->n_links > 0;
}

static unsigned style_now(const struct vy_mdspan *m)
{
	unsigned style = (m->strong ? VY_MD_STRONG : 0) | (m->em ? VY_MD_EM : 0) |
			 (m->strike ? VY_MD_STRIKE : 0) | (m->code ? VY_MD_CODE_SPAN : 0);

	for (unsigned i = 0; i < m->n_links && i < VY_MDSPAN_LINKS; i++) {
		style |= m->links[i].is_image ? VY_MD_IMAGE : VY_MD_LINK;
	}
	return style;
}

/* Marks the text from `from` on as a span; grows the last one when nothing differs. */
static void add_span(struct vy_mdspan *m, size_t from, unsigned style, struct vy_str src)
{
	struct vy_md_span span = {
		.start = (uint32_t)from, .end = (uint32_t)m->text.len, .style = style
	};
	struct vy_md_span *last = m->n ? &m->spans[m->n - 1] : NULL;

	if (span.start == span.end) {
		return;
	}
	if (m->n_links > 0) { /* the outermost: an image in a link leads where the link leads */
		span.link = m->links[0].target;
		span.link_id = m->links[0].id;
	}
	if ((uintptr_t)src.p - (uintptr_t)m->src.p < m->src.n) {
		span.src = (uint32_t)(src.p - m->src.p);
		span.src_end = span.src + (uint32_t)src.n;
	}
	if (last && last->style == span.style && last->link_id == span.link_id) {
		last->end = span.end;
		last->src = last->src_end ? last->src : span.src;
		last->src_end = span.src_end ? span.src_end : last->src_end;
		return;
	}
	m->spans = vy_grow(m->spans, &m->cap, m->n + 1, sizeof(*m->spans));
	m->spans[m->n++] = span;
}

/* ---- pieces ---- */

/* Scripts that are written without spaces: a line break between two of theirs is none. */
static bool is_spaceless(uint32_t cp)
{
	return cp >= 0x2E80 && (cp < 0xAC00 || cp > 0xD7FF) && cp != VY_UTF8_BAD &&
	       vy_width_cp(cp, (struct vy_width){ 0 }) == 2 && !vy_cp_is_pictograph(cp);
}

static void put_soft_break(struct vy_mdspan *m, struct vy_str next)
{
	uint32_t before = 0, behind = 0;

	m->soft_break = false;
	if (m->breaks) {
		vy_buf_addc(&m->text, '\n');
		return;
	}
	if (m->text.len && next.n) {
		vy_utf8_prev(vy_buf_str(&m->text), m->text.len, &before);
		vy_utf8_get(next, 0, &behind);
	}
	if (!is_spaceless(before) || !is_spaceless(behind)) {
		vy_buf_addc(&m->text, ' ');
	}
}

void vy_mdspan_put(struct vy_mdspan *m, struct vy_str shown, struct vy_str src, unsigned style)
{
	size_t from = m->text.len;

	if (m->soft_break) {
		put_soft_break(m, shown);
	}
	vy_utf8_visible(shown, VY_UTF8_PROSE, &m->text);
	add_span(m, from, style | style_now(m), src);
}

void vy_mdspan_put_entity(struct vy_mdspan *m, struct vy_str s)
{
	uint32_t cp = vy_entity(s);
	char u[4];

	if (cp == 0) {
		vy_mdspan_put(m, s, s, 0);
	} else if (cp == '\n' || cp == '\t') {
		vy_mdspan_put(m, VY_STR_LIT(" "), s, 0);
	} else {
		vy_mdspan_put(m, vy_str_n(u, vy_utf8_put(cp, u)), s, 0);
	}
}

void vy_mdspan_put_html(struct vy_mdspan *m, struct vy_str tag)
{
	static const char *const breaks[] = { "<br>", "<br/>", "<br />", "<BR>", "<BR/>",
		"<BR />" };

	for (size_t i = 0; i < VY_COUNT(breaks); i++) {
		if (vy_str_is(tag, breaks[i])) {
			vy_mdspan_put(m, VY_STR_LIT("\n"), tag, 0);
			return;
		}
	}
	vy_mdspan_put(m, tag, tag, VY_MD_HTML);
}

void vy_mdspan_drop_newline(struct vy_mdspan *m)
{
	if (m->text.len == 0 || m->text.data[m->text.len - 1] != '\n') {
		return;
	}
	vy_buf_truncate(&m->text, m->text.len - 1);
	m->spans[m->n - 1].end--;
	if (m->spans[m->n - 1].end == m->spans[m->n - 1].start) {
		m->n--;
	}
}

struct vy_md_text vy_mdspan_take(struct vy_mdspan *m)
{
	struct vy_md_text t = { .text = vy_arena_str(m->a, vy_buf_str(&m->text)), .n_spans = m->n };

	if (m->n) {
		struct vy_md_span *spans = vy_arena_calloc(m->a, m->n, sizeof(*spans));

		memcpy(spans, m->spans, m->n * sizeof(*spans));
		t.spans = spans;
	}
	vy_buf_clear(&m->text);
	m->n = 0;
	m->soft_break = false;
	m->strong = m->em = m->strike = m->code = m->n_links = 0;
	return t;
}
