/* patch.c -- see patch.h. The work is shared/text/diff's; here it gets claude's names, and from them those of the wire. */
#include "server/provider/patch.h"

#include <string.h>

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/text/diff.h"
#include "shared/base/ban.h"

#define CONTEXT   3
#define LINES_MAX 2000 /* of one diff */

static struct vy_json *line_of(const struct vy_diff_line *l, struct vy_arena *a)
{
	char *p = vy_arena_alloc(a, l->text.n + 1);

	p[0] = l->kind;
	if (l->text.n) {
		memcpy(p + 1, l->text.p, l->text.n);
	}
	return vy_json_new_str(vy_str_n(p, l->text.n + 1));
}

struct vy_json *patch_make(
	struct vy_str before, struct vy_str after, bool is_piece, struct vy_arena *a)
{
	struct vy_json *patch = vy_json_new_arr();
	struct vy_diff_file f;

	vy_diff_make(before, after, CONTEXT, a, &f);
	for (size_t i = 0; i < f.n; i++) {
		struct vy_json *h = vy_json_new_obj(), *lines = vy_json_new_arr();

		vy_json_set_int(h, "oldStart", is_piece ? 0 : (int64_t)f.hunks[i].old_start);
		vy_json_set_int(h, "newStart", is_piece ? 0 : (int64_t)f.hunks[i].new_start);
		for (size_t k = 0; k < f.hunks[i].n; k++) {
			vy_json_add_take(lines, line_of(&f.hunks[i].lines[k], a));
		}
		vy_json_take(h, "lines", lines);
		vy_json_add_take(patch, h);
	}
	return patch;
}

static void nowhere(struct vy_diff_file *f, struct vy_arena *a)
{
	struct vy_diff_hunk *hunks = vy_arena_calloc(a, f->n + 1, sizeof(*hunks));

	for (size_t i = 0; i < f->n; i++) {
		hunks[i] = f->hunks[i];
		hunks[i].old_start = hunks[i].new_start = 0;
	}
	f->hunks = hunks;
}

void patch_print(struct vy_str path, struct vy_str before, struct vy_str after, struct vy_arena *a,
	struct vy_buf *out)
{
	bool is_cut = before.n && before.p[before.n - 1] != '\n' && after.n &&
		      after.p[after.n - 1] != '\n';
	struct vy_diff_file f;

	if (is_cut) {
		before = brief_join(before, VY_STR_LIT("\n"), vy_str_n(NULL, 0), a);
		after = brief_join(after, VY_STR_LIT("\n"), vy_str_n(NULL, 0), a);
	}
	vy_diff_make(before, after, CONTEXT, a, &f);
	f.is_created = before.n == 0;
	f.old_path = f.is_created ? vy_str_n(NULL, 0) : path;
	f.new_path = path;
	if (!f.is_created) {
		nowhere(&f, a);
	}
	vy_diff_print(&f, out);
}

struct vy_json *patch_hunks(const struct vy_json *patch, struct patch_change *change)
{
	struct vy_json *hunks = vy_json_new_arr();
	size_t bytes = 0, count = 0;

	for (size_t i = 0; i < vy_json_len(patch); i++) {
		const struct vy_json *h = vy_json_at(patch, i), *from = vy_json_get(h, "lines");
		struct vy_json *to = vy_json_new_obj(), *lines = vy_json_new_arr();

		vy_json_set_int(to, "old_start", vy_json_int(h, "oldStart", 0));
		vy_json_set_int(to, "new_start", vy_json_int(h, "newStart", 0));
		for (size_t k = 0; k < vy_json_len(from); k++) {
			struct vy_str line = vy_json_strval(vy_json_at(from, k));
			char kind = line.n ? line.p[0] : ' ';

			change->added += kind == '+';
			change->removed += kind == '-';
			bytes += line.n + 8;
			if ((kind == ' ' || kind == '+' || kind == '-') && ++count <= LINES_MAX &&
				bytes <= VY_FRAME_TEXT_MAX) {
				vy_json_add_take(lines, vy_json_new_str(line));
			}
		}
		vy_json_take(to, "lines", lines);
		vy_json_add_take(hunks, to);
	}
	return hunks;
}
