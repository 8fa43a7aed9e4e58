/* block.c -- reading blocks; see block.h. Writing is in block_write.c. */
#include "shared/model/block.h"

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/members.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define ITEMS_MAX 5000 /* of any list: a frame of 256 KiB holds fewer that say something */

static const char *const words[] = {
#define VY_BLOCK(name, word, members) [VY_BLOCK_##name] = (word),
#include "shared/model/blocks.def"
#undef VY_BLOCK
};

static const char *const task_words[] = {
	[VY_TASK_PENDING] = "pending",
	[VY_TASK_RUNNING] = "running",
	[VY_TASK_DONE] = "done",
};

const char *vy_block_word(enum vy_block_kind k)
{
	return words[k];
}

const char *vy_task_status_word(enum vy_task_status s)
{
	return task_words[s];
}

/* ---- parts ---- */

static struct vy_str str(const struct vy_json *v, const char *key, struct vy_arena *a)
{
	struct vy_str s = vy_json_str(v, key);

	return s.n ? vy_arena_str(a, s) : vy_str_n(NULL, 0);
}

static size_t list(const struct vy_json *v, const char *key, const struct vy_json **out)
{
	const struct vy_json *l = vy_json_get(v, key);
	size_t n = vy_json_type(l) == VY_JSON_ARR ? vy_json_len(l) : 0;

	*out = l;
	return n < ITEMS_MAX ? n : ITEMS_MAX;
}

/* A string, or what an object in its place calls itself. */
static struct vy_str said(const struct vy_json *v, struct vy_arena *a)
{
	static const char *const names[] = { "text", "title", "label", "name", "url" };
	struct vy_str s = vy_json_strval(v);

	for (size_t i = 0; i < VY_COUNT(names) && s.n == 0; i++) {
		s = vy_json_str(v, names[i]);
	}
	return s.n ? vy_arena_str(a, s) : vy_str_n(NULL, 0);
}

static struct vy_str *strings(
	const struct vy_json *v, const char *key, struct vy_arena *a, size_t *n)
{
	const struct vy_json *l;

	*n = list(v, key, &l);
	struct vy_str *out = vy_arena_calloc(a, *n, sizeof(*out));

	for (size_t i = 0; i < *n; i++) {
		out[i] = said(vy_json_at(l, i), a);
	}
	return out;
}

/* A placeholder may stand as a member of its own or among the field's; it has no value. */
static void read_field(const struct vy_json *v, struct vy_arena *a, struct vy_block_field *f)
{
	const struct vy_json *p = vy_json_get(v, "placeholder");
	const struct vy_json *from = vy_json_type(p) == VY_JSON_OBJ ? p : v;

	*f = (struct vy_block_field){ .label = str(v, "label", a), .kind = str(v, "kind", a) };
	f->sealed = vy_json_type(vy_json_get(from, "sealed")) > VY_JSON_NULL;
	f->hidden = str(from, "hidden", a);
	if (!f->sealed && !f->hidden.n) {
		f->value = from == p ? vy_str_n(NULL, 0) : str(v, "value", a);
		return;
	}
	f->present = vy_json_bool(from, "present", false);
	if (f->sealed) {
		f->hidden = vy_str_n(NULL, 0);
		f->valid_format = vy_json_bool(from, "valid_format", false);
		f->can_reveal = vy_json_bool(from, "can_reveal", false);
	} else if (f->kind.n == 0) {
		f->kind = str(from, "kind", a);
	}
}

static struct vy_block_field *fields(const struct vy_json *v, struct vy_arena *a, size_t *n)
{
	const struct vy_json *l;

	*n = list(v, "fields", &l);
	struct vy_block_field *out = vy_arena_calloc(a, *n, sizeof(*out));

	for (size_t i = 0; i < *n; i++) {
		read_field(vy_json_at(l, i), a, &out[i]);
	}
	return out;
}

/* ---- shapes ---- */

static void read_terminal(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	b->terminal.command = str(v, "command", a);
	b->terminal.output = str(v, "output", a);
	b->terminal.has_exit = vy_json_type(vy_json_get(v, "exit")) == VY_JSON_INT;
	b->terminal.exit = vy_json_int(v, "exit", 0);
	b->terminal.truncated = vy_json_bool(v, "truncated", false);
}

static void read_diff(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	const struct vy_json *hunks;

	b->diff.path = str(v, "path", a);
	b->diff.created = vy_json_bool(v, "created", false);
	b->diff.deleted = vy_json_bool(v, "deleted", false);
	b->diff.added = vy_json_int(v, "added", 0);
	b->diff.removed = vy_json_int(v, "removed", 0);
	b->diff.n = list(v, "hunks", &hunks);
	b->diff.hunks = vy_arena_calloc(a, b->diff.n, sizeof(*b->diff.hunks));
	for (size_t i = 0; i < b->diff.n; i++) {
		const struct vy_json *from = vy_json_at(hunks, i);
		struct vy_block_hunk *h = &b->diff.hunks[i];

		h->old_start = vy_json_int(from, "old_start", 0);
		h->new_start = vy_json_int(from, "new_start", 0);
		h->lines = strings(from, "lines", a, &h->n);
	}
}

static void read_files(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	const struct vy_json *l;

	b->files.detail = str(v, "detail", a);
	b->files.n = list(v, "files", &l);
	b->files.files = vy_arena_calloc(a, b->files.n, sizeof(*b->files.files));
	for (size_t i = 0; i < b->files.n; i++) {
		const struct vy_json *from = vy_json_at(l, i);

		b->files.files[i] = (struct vy_block_file){
			.path = vy_json_type(from) == VY_JSON_STR ? said(from, a)
								  : str(from, "path", a),
			.text = str(from, "text", a),
			.line = vy_json_int(from, "line", 0),
		};
	}
}

static void read_task(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	const struct vy_json *l;

	b->task.n = list(v, "items", &l);
	b->task.items = vy_arena_calloc(a, b->task.n, sizeof(*b->task.items));
	for (size_t i = 0; i < b->task.n; i++) {
		const struct vy_json *from = vy_json_at(l, i);
		int s = vy_word_index(
			task_words, VY_COUNT(task_words), vy_json_str(from, "status"));

		b->task.items[i].text = said(from, a);
		b->task.items[i].status = s < 0 ? VY_TASK_PENDING : (enum vy_task_status)s;
	}
}

static void read_answer(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	b->answer.text = str(v, "text", a);
	b->answer.fields = fields(v, a, &b->answer.n);
	b->answer.sources = strings(v, "sources", a, &b->answer.nsources);
}

static void read_screen(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	b->screen.ref = str(v, "ref", a);
	b->screen.mime = str(v, "mime", a);
	b->screen.alt = str(v, "alt", a);
	b->screen.w = vy_json_int(v, "w", 0);
	b->screen.h = vy_json_int(v, "h", 0);
}

/* A shape from a newer peer: its own words if it has some, never its JSON. */
static void read_stranger(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	struct vy_str type = vy_json_str(v, "type");

	b->kind = VY_BLOCK_TEXT;
	b->text.text = said(v, a);
	if (b->text.text.n == 0 && type.n) {
		b->text.text = vy_str_c(vy_arena_printf(a, "(%.*s: this version cannot show it)",
			(int)vy_utf8_cut(type, 64), type.p));
	}
}

static void read_shape(const struct vy_json *v, struct vy_arena *a, struct vy_block *b)
{
	switch (b->kind) {
	case VY_BLOCK_TEXT: b->text.text = str(v, "text", a); break;
	case VY_BLOCK_TERMINAL: read_terminal(v, a, b); break;
	case VY_BLOCK_DIFF: read_diff(v, a, b); break;
	case VY_BLOCK_FILES: read_files(v, a, b); break;
	case VY_BLOCK_RECORD:
	case VY_BLOCK_DRAFT:
		b->record.title = str(v, "title", a);
		b->record.fields = fields(v, a, &b->record.n);
		if (b->kind == VY_BLOCK_DRAFT) {
			b->record.body = str(v, "body", a);
		}
		break;
	case VY_BLOCK_TASK: read_task(v, a, b); break;
	case VY_BLOCK_FLOW_CHANGE:
		b->flow.title = str(v, "title", a);
		b->flow.steps = strings(v, "steps", a, &b->flow.n);
		break;
	case VY_BLOCK_ANSWER: read_answer(v, a, b); break;
	case VY_BLOCK_SCREEN: read_screen(v, a, b); break;
	case VY_BLOCK_FIELD: read_field(v, a, &b->field); break;
	case VY_BLOCK_FIELD_REF:
		b->field_ref.record = str(v, "record", a);
		b->field_ref.field = str(v, "field", a);
		b->field_ref.label = str(v, "label", a);
		break;
	case VY_BLOCK_COUNT: break;
	}
}

void vy_block_read(const struct vy_json *v, struct vy_arena *a, struct vy_block *out)
{
	int kind = vy_word_index(words, VY_COUNT(words), vy_json_str(v, "type"));

	*out = (struct vy_block){ .kind = kind < 0 ? VY_BLOCK_TEXT : (enum vy_block_kind)kind };
	out->note = str(v, "note", a);
	if (out->kind != VY_BLOCK_SCREEN) { /* a picture's own ref is its file */
		out->ref = str(v, "ref", a);
	}
	if (kind < 0) {
		read_stranger(v, a, out);
	} else {
		read_shape(v, a, out);
	}
}

void vy_block_parse(struct vy_str json, struct vy_arena *a, struct vy_block *out)
{
	VY_AUTO_JSON *v = json.n ? vy_json_parse(json, NULL) : NULL;

	vy_block_read(v, a, out);
}

struct vy_block vy_block_of_text(struct vy_str text)
{
	return (struct vy_block){ .kind = VY_BLOCK_TEXT, .text.text = text };
}
