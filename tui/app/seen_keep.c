/* seen_keep.c -- see seen_keep.h. */
#include "tui/app/seen_keep.h"

#include "tui/net/keep.h"
#include "shared/base/ban.h"

#define NAME     "seen"
#define FILE_MAX (1024 * 1024)

void seen_keep_read(struct seen_keep *k, struct seen *s)
{
	VY_AUTO_BUF text = VY_BUF_INIT(FILE_MAX);

	if (keep_read(k->state_dir, NAME, &text)) {
		VY_AUTO_JSON *packed = vy_json_parse(vy_buf_str(&text), NULL);

		seen_merge(s, packed);
	}
}

void seen_keep_turn(struct seen_keep *k, struct seen *s)
{
	VY_AUTO_BUF text = VY_BUF_INIT(FILE_MAX);
	struct vy_err e = { 0 };

	if (k->rev == s->rev) {
		return;
	}
	k->rev = s->rev;
	seen_keep_read(k, s);
	VY_AUTO_JSON *packed = seen_pack(s);

	if (vy_json_dump(packed, &text) &&
		keep_write(k->state_dir, NAME, vy_buf_str(&text), &e) != 0) {
		return; /* what is unread is told too high the next time, no more */
	}
}
