/* session_picture.c -- a picture that a tool brought: kept, and named in the block (session_in.h). */
#include "server/session/session_in.h"

#include "server/session/shelf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

void session_keep_picture(struct session *s, struct vy_json *block)
{
	struct vy_str b64 = vy_json_str(block, "b64"), mime = vy_json_str(block, "mime");
	VY_AUTO_BUF raw = VY_BUF_INIT(VY_LINE_MAX);
	char ref[SHELF_REF_MAX];
	struct vy_err e = { 0 };

	if (!vy_str_is(vy_json_str(block, "type"), "screen") || b64.n == 0) {
		return;
	}
	vy_buf_reserve(&raw, b64.n + 1);
	long n = vy_base64_decode(b64, raw.data, b64.n);
	struct vy_str bytes = vy_str_n(raw.data, n > 0 ? (size_t)n : 0);

	if (!shelf_is(mime, bytes)) {
		vy_json_set_c(block, "note", "this picture is broken");
	} else if (shelf_put(s->conf->log, session_str(s), mime, bytes, ref, &e) != 0) {
		vy_json_set_c(block, "note", "this session keeps no more pictures");
	} else {
		vy_json_set_c(block, "ref", ref);
	}
	vy_json_del(block, "b64");
}
