/* draft.c -- see draft.h. */
#include "tui/view/draft.h"

#include <stdlib.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- packing ---- */

static struct vy_json *pack_image(const struct edit_image *im)
{
	struct vy_json *part = vy_json_new_obj(), *o = vy_json_new_obj();
	char *b64 = vy_alloc(4 * ((im->data.n + 2) / 3) + 1);

	vy_base64(im->data.p, im->data.n, b64);
	vy_json_set_c(o, "mime", im->mime);
	vy_json_set_c(o, "b64", b64);
	vy_json_set_int(o, "w", im->w);
	vy_json_set_int(o, "h", im->h);
	vy_json_take(part, "image", o);
	free(b64);
	return part;
}

static struct vy_json *pack_chip(const struct edit *e, struct vy_str own, size_t at)
{
	struct edit_image im;

	if (edit_chip_image(e, own, at, &im)) {
		return pack_image(&im);
	}
	struct vy_json *part = vy_json_new_obj();

	vy_json_set_str(part, "pasted", edit_chip_text(e, own, at));
	return part;
}

struct vy_json *draft_pack(const struct composer *c)
{
	struct vy_str s = composer_draft(c);
	bool is_draft = s.p == edit_text(&c->edit).p;
	struct vy_json *doc, *parts;
	size_t from = 0;

	if (s.n == 0) {
		return NULL;
	}
	doc = vy_json_new_obj();
	parts = vy_json_new_arr();
	for (size_t at = 0; at < s.n;) {
		size_t chip = (unsigned char)s.p[at] == 0xEF ? edit_chip_in(&c->edit, s, at) : 0;

		if (!chip) {
			at++;
			continue;
		}
		if (at > from) {
			vy_json_add_take(parts, vy_json_new_str(vy_str_n(s.p + from, at - from)));
		}
		vy_json_add_take(parts, pack_chip(&c->edit, s, at));
		from = at += chip;
	}
	if (s.n > from) {
		vy_json_add_take(parts, vy_json_new_str(vy_str_from(s, from)));
	}
	vy_json_take(doc, "parts", parts);
	vy_json_set_int(doc, "at", (int64_t)(is_draft ? c->edit.at : s.n));
	return doc;
}

/* ---- unpacking ---- */

static void unpack_image(struct edit *e, const struct vy_json *o, struct vy_buf *own)
{
	struct vy_str b64 = vy_json_str(o, "b64");
	const char *mime = vy_json_cstr(o, "mime");
	char *data = vy_alloc(b64.n + 1);
	long n = vy_base64_decode(b64, data, b64.n);
	int64_t w = vy_json_int(o, "w", 0), h = vy_json_int(o, "h", 0);

	if (n > 0 && mime) {
		edit_make_image(e,
			&(struct edit_image){
				mime, vy_str_n(data, (size_t)n), (unsigned)w, (unsigned)h },
			own);
	}
	free(data);
}

static void unpack_part(struct edit *e, const struct vy_json *part, struct vy_buf *own)
{
	const struct vy_json *image = vy_json_get(part, "image");

	if (vy_json_type(part) == VY_JSON_STR) {
		edit_make_text(vy_json_strval(part), own);
	} else if (image) {
		unpack_image(e, image, own);
	} else {
		edit_make_chip(e, vy_json_str(part, "pasted"), own);
	}
}

bool draft_unpack(struct composer *c, const struct vy_json *doc)
{
	const struct vy_json *parts = vy_json_get(doc, "parts");
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);
	int64_t at = vy_json_int(doc, "at", -1);

	if (vy_json_type(parts) != VY_JSON_ARR) {
		return false;
	}
	for (size_t i = 0; i < vy_json_len(parts); i++) {
		unpack_part(&c->edit, vy_json_at(parts, i), &own);
	}
	edit_set_own(&c->edit, vy_buf_str(&own));
	c->at = c->n_history;
	if (at >= 0) {
		edit_move_to(&c->edit, (size_t)at);
	}
	return true;
}
