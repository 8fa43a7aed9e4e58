/* points.c -- see points.h. */
#include "shared/model/points.h"

#include <stdlib.h>

#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

void vy_points_init(struct vy_points *p)
{
	*p = (struct vy_points){ 0 };
	vy_arena_init(&p->arena);
}

void vy_points_fini(struct vy_points *p)
{
	free(p->v);
	free(p->files);
	vy_arena_fini(&p->arena);
}

/* ---- reading ---- */

bool vy_points_is_one(const struct vy_row *row)
{
	const struct vy_row_message *m = &row->message;
	bool is_person = row->author.n == 0 || vy_str_starts(row->author, "person:");

	return row->kind == VY_ROW_MESSAGE && m->is_user && is_person && row->parent.n == 0 &&
	       (m->state == VY_MESSAGE_SENT || m->state == VY_MESSAGE_PICKED_UP);
}

static size_t images_of(const struct vy_row_message *m)
{
	VY_AUTO_JSON *list = m->images.n ? vy_json_parse(m->images, NULL) : NULL;

	return vy_json_len(list);
}

static struct vy_point *begin(struct vy_points *p, const struct vy_row *row)
{
	p->v = vy_grow(p->v, &p->cap, p->n + 1, sizeof(*p->v));
	p->v[p->n] = (struct vy_point){ .message = row->message.message,
		.text = row->message.text,
		.images = images_of(&row->message),
		.time = row->time,
		.file = p->n_files };
	return &p->v[p->n++];
}

/* A path that comes twice is one file. */
static void add_file(struct vy_points *p, struct vy_point *at, struct vy_str path, int64_t added,
	int64_t removed)
{
	struct vy_point_file *f = NULL;

	for (size_t i = at->file; i < p->n_files && !f; i++) {
		f = vy_str_eq(p->files[i].path, path) ? &p->files[i] : NULL;
	}
	if (!f) {
		p->files = vy_grow(p->files, &p->cap_files, p->n_files + 1, sizeof(*p->files));
		f = &p->files[p->n_files++];
		*f = (struct vy_point_file){ .path = vy_arena_str(&p->arena, path) };
		at->files++;
	}
	f->added += added;
	f->removed += removed;
	at->added += added;
	at->removed += removed;
}

static void add_diff(struct vy_points *p, struct vy_point *at, const struct vy_row_tool *t)
{
	VY_AUTO_JSON *block = NULL;

	if (t->status != VY_TOOL_COMPLETED || !t->result.n) {
		return;
	}
	block = vy_json_parse(t->result, NULL);
	if (vy_str_is(vy_json_str(block, "type"), "diff") && vy_json_str(block, "path").n) {
		add_file(p, at, vy_json_str(block, "path"), vy_json_int(block, "added", 0),
			vy_json_int(block, "removed", 0));
	}
}

/* The rows of one turn: [from, end). */
static void read_files(
	struct vy_points *p, struct vy_point *at, const struct vy_fold *f, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		const struct vy_row *row = vy_fold_row(f, i);

		if (row->kind == VY_ROW_FILE) {
			add_file(p, at, row->file.path, row->file.added, row->file.removed);
		}
	}
	if (at->files) {
		return; /* the diffs are of the same */
	}
	for (size_t i = from; i < end; i++) {
		const struct vy_row *row = vy_fold_row(f, i);

		if (row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK) {
			add_diff(p, at, &row->tool);
		}
	}
}

void vy_points_read(struct vy_points *p, const struct vy_fold *f)
{
	size_t end = vy_fold_len(f);

	p->n = p->n_files = 0;
	vy_arena_reset(&p->arena);
	for (size_t i = end; i-- > 0;) {
		const struct vy_row *row = vy_fold_row(f, i);

		if (vy_points_is_one(row)) {
			read_files(p, begin(p, row), f, i + 1, end);
			end = i;
		}
	}
}
