/* block_write.c -- writing blocks so that they fit; see block.h.
 *
 * One budget goes through a whole block: its words (64 KiB) and what they cost as JSON, where a
 * control byte takes six. What does not fit is left out from the end of each part on, and counted
 * for the note; names and paths have a small maximum of their own, so that no long first line can
 * starve the rest. */
#include "shared/model/block.h"

#include <string.h>

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define NAME_MAX_BYTES 4096 /* a title, a label, a path */
#define NOTE_MAX       1024
#define COST_MAX       (192 * VY_KIB) /* as JSON: leaves room for the rest of a frame */
#define ITEM_COST      64             /* keys and brackets of one item */

struct budget {
	struct vy_jw *w;
	size_t words, cost;   /* what is left of each */
	size_t given, wanted; /* bytes of words written, and of all there were */
};

static size_t cost_of(unsigned char c)
{
	if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t') {
		return 2;
	}
	return c < 0x20 ? 6 : 1;
}

/* How many bytes of `s` may be written. */
static size_t fit(const struct budget *b, struct vy_str s, size_t max)
{
	size_t at = 0, cost = 0;

	max = max < b->words ? max : b->words;
	while (at < s.n && at < max) {
		cost += cost_of((unsigned char)s.p[at]);
		if (cost > b->cost) {
			break;
		}
		at++;
	}
	return vy_utf8_cut(s, at);
}

static void put_value(struct budget *b, struct vy_str s, size_t max)
{
	struct vy_str cut = vy_str_n(s.p, fit(b, s, max));

	vy_jw_str(b->w, cut);
	b->given += cut.n;
	b->wanted += s.n;
	b->words -= cut.n;
	for (size_t i = 0; i < cut.n; i++) {
		b->cost -= cost_of((unsigned char)cut.p[i]);
	}
}

static void put(struct budget *b, const char *key, struct vy_str s, size_t max)
{
	vy_jw_key(b->w, key);
	put_value(b, s, max);
}

static void put_if(struct budget *b, const char *key, struct vy_str s, size_t max)
{
	if (s.n) {
		put(b, key, s, max);
	}
}

static void put_true(struct budget *b, const char *key, bool is)
{
	if (is) {
		vy_jw_kbool(b->w, key, true);
	}
}

/* May one more item begin? What is not begun is counted by the caller. */
static bool item(struct budget *b)
{
	if (b->cost < ITEM_COST || b->words == 0) {
		return false;
	}
	b->cost -= ITEM_COST;
	return true;
}

/* ---- parts ---- */

static void put_strings(struct budget *b, const char *key, const struct vy_str *s, size_t n)
{
	vy_jw_key(b->w, key);
	vy_jw_arr(b->w);
	for (size_t i = 0; i < n; i++) {
		if (item(b)) {
			put_value(b, s[i], VY_FRAME_TEXT_MAX);
		} else {
			b->wanted += s[i].n;
		}
	}
	vy_jw_end_arr(b->w);
}

/* A placeholder has these members and no other, whatever the value in memory holds. */
static void put_field(struct budget *b, const struct vy_block_field *f)
{
	put(b, "label", f->label, NAME_MAX_BYTES);
	put_if(b, "kind", f->kind, NAME_MAX_BYTES);
	if (f->sealed) {
		vy_jw_key(b->w, "placeholder");
		vy_jw_obj(b->w);
		vy_jw_kbool(b->w, "sealed", true);
		vy_jw_kbool(b->w, "present", f->present);
		vy_jw_kbool(b->w, "valid_format", f->valid_format);
		vy_jw_kbool(b->w, "can_reveal", f->can_reveal);
		vy_jw_end_obj(b->w);
	} else if (f->hidden.n) {
		vy_jw_key(b->w, "placeholder");
		vy_jw_obj(b->w);
		put(b, "hidden", f->hidden, NAME_MAX_BYTES);
		vy_jw_kbool(b->w, "present", f->present);
		vy_jw_end_obj(b->w);
	} else {
		put(b, "value", f->value, VY_FRAME_TEXT_MAX);
	}
}

static void put_fields(struct budget *b, const struct vy_block_field *f, size_t n)
{
	vy_jw_key(b->w, "fields");
	vy_jw_arr(b->w);
	for (size_t i = 0; i < n; i++) {
		if (!item(b)) {
			b->wanted += f[i].label.n + f[i].value.n;
			continue;
		}
		vy_jw_obj(b->w);
		put_field(b, &f[i]);
		vy_jw_end_obj(b->w);
	}
	vy_jw_end_arr(b->w);
}

/* ---- shapes ---- */

static void put_diff(struct budget *b, const struct vy_block *bl)
{
	put(b, "path", bl->diff.path, NAME_MAX_BYTES);
	put_true(b, "created", bl->diff.created);
	put_true(b, "deleted", bl->diff.deleted);
	vy_jw_kint(b->w, "added", bl->diff.added);
	vy_jw_kint(b->w, "removed", bl->diff.removed);
	vy_jw_key(b->w, "hunks");
	vy_jw_arr(b->w);
	for (size_t i = 0; i < bl->diff.n; i++) {
		const struct vy_block_hunk *h = &bl->diff.hunks[i];

		if (!item(b)) {
			for (size_t j = 0; j < h->n; j++) {
				b->wanted += h->lines[j].n;
			}
			continue;
		}
		vy_jw_obj(b->w);
		vy_jw_kint(b->w, "old_start", h->old_start);
		vy_jw_kint(b->w, "new_start", h->new_start);
		put_strings(b, "lines", h->lines, h->n);
		vy_jw_end_obj(b->w);
	}
	vy_jw_end_arr(b->w);
}

static void put_files(struct budget *b, const struct vy_block *bl)
{
	put_if(b, "detail", bl->files.detail, NAME_MAX_BYTES);
	vy_jw_key(b->w, "files");
	vy_jw_arr(b->w);
	for (size_t i = 0; i < bl->files.n; i++) {
		const struct vy_block_file *f = &bl->files.files[i];

		if (!item(b)) {
			b->wanted += f->path.n + f->text.n;
			continue;
		}
		vy_jw_obj(b->w);
		put(b, "path", f->path, NAME_MAX_BYTES);
		if (f->line) {
			vy_jw_kint(b->w, "line", f->line);
		}
		put_if(b, "text", f->text, NAME_MAX_BYTES);
		vy_jw_end_obj(b->w);
	}
	vy_jw_end_arr(b->w);
}

static void put_task(struct budget *b, const struct vy_block *bl)
{
	vy_jw_key(b->w, "items");
	vy_jw_arr(b->w);
	for (size_t i = 0; i < bl->task.n; i++) {
		const struct vy_block_task *t = &bl->task.items[i];

		if (!item(b)) {
			b->wanted += t->text.n;
			continue;
		}
		vy_jw_obj(b->w);
		put(b, "text", t->text, NAME_MAX_BYTES);
		vy_jw_kstr(b->w, "status", vy_str_c(vy_task_status_word(t->status)));
		vy_jw_end_obj(b->w);
	}
	vy_jw_end_arr(b->w);
}

static void put_shape(struct budget *b, const struct vy_block *bl)
{
	switch (bl->kind) {
	case VY_BLOCK_TEXT: put(b, "text", bl->text.text, VY_FRAME_TEXT_MAX); break;
	case VY_BLOCK_TERMINAL:
		put(b, "command", bl->terminal.command, 2 * NAME_MAX_BYTES);
		if (bl->terminal.has_exit) {
			vy_jw_kint(b->w, "exit", bl->terminal.exit);
		}
		put(b, "output", bl->terminal.output, VY_FRAME_TEXT_MAX);
		put_true(b, "truncated", bl->terminal.truncated || b->given < b->wanted);
		break;
	case VY_BLOCK_DIFF: put_diff(b, bl); break;
	case VY_BLOCK_FILES: put_files(b, bl); break;
	case VY_BLOCK_RECORD:
	case VY_BLOCK_DRAFT:
		put(b, "title", bl->record.title, NAME_MAX_BYTES);
		put_fields(b, bl->record.fields, bl->record.n);
		if (bl->kind == VY_BLOCK_DRAFT) {
			put(b, "body", bl->record.body, VY_FRAME_TEXT_MAX);
		}
		break;
	case VY_BLOCK_TASK: put_task(b, bl); break;
	case VY_BLOCK_FLOW_CHANGE:
		put(b, "title", bl->flow.title, NAME_MAX_BYTES);
		put_strings(b, "steps", bl->flow.steps, bl->flow.n);
		break;
	case VY_BLOCK_ANSWER:
		put(b, "text", bl->answer.text, VY_FRAME_TEXT_MAX);
		if (bl->answer.n) {
			put_fields(b, bl->answer.fields, bl->answer.n);
		}
		if (bl->answer.nsources) {
			put_strings(b, "sources", bl->answer.sources, bl->answer.nsources);
		}
		break;
	case VY_BLOCK_SCREEN:
		put(b, "ref", bl->screen.ref, NAME_MAX_BYTES);
		put(b, "mime", bl->screen.mime, NAME_MAX_BYTES);
		vy_jw_kint(b->w, "w", bl->screen.w);
		vy_jw_kint(b->w, "h", bl->screen.h);
		put(b, "alt", bl->screen.alt, NAME_MAX_BYTES);
		break;
	case VY_BLOCK_FIELD: put_field(b, &bl->field); break;
	case VY_BLOCK_FIELD_REF:
		put(b, "record", bl->field_ref.record, NAME_MAX_BYTES);
		put(b, "field", bl->field_ref.field, NAME_MAX_BYTES);
		put_if(b, "label", bl->field_ref.label, NAME_MAX_BYTES);
		break;
	case VY_BLOCK_COUNT: break;
	}
}

/* ---- the note ---- */

static void say_cut(char *out, size_t room, size_t given, size_t wanted)
{
	if (wanted < 10 * VY_KIB) {
		snprintf(out, room, "cut: %zu of %zu bytes", given, wanted);
	} else {
		snprintf(out, room, "cut: %zu.%zu of %zu.%zu KiB", given / VY_KIB,
			given % VY_KIB * 10 / VY_KIB, wanted / VY_KIB,
			wanted % VY_KIB * 10 / VY_KIB);
	}
}

struct vy_str vy_block_cut(struct vy_str s, size_t max, struct vy_arena *a, struct vy_str *note)
{
	size_t n = vy_utf8_cut(s, max);
	char text[96];

	*note = vy_str_n(NULL, 0);
	if (n < s.n) {
		say_cut(text, sizeof(text), n, s.n);
		*note = vy_arena_str(a, vy_str_c(text));
	}
	return vy_str_n(s.p, n);
}

static void put_note(struct vy_jw *w, struct vy_str note, const struct budget *b)
{
	VY_AUTO_BUF out = VY_BUF_INIT(2 * NOTE_MAX);
	char cut[96];

	vy_buf_add(&out, note.p, vy_utf8_cut(note, NOTE_MAX));
	if (b->given < b->wanted) {
		say_cut(cut, sizeof(cut), b->given, b->wanted);
		vy_buf_addf(&out, "%s%s", out.len ? " · " : "", cut);
	}
	if (out.len) {
		vy_jw_kstr(w, "note", vy_buf_str(&out));
	}
}

void vy_block_write(const struct vy_block *bl, struct vy_jw *w)
{
	struct budget b = { .w = w, .words = VY_FRAME_TEXT_MAX, .cost = COST_MAX };

	vy_jw_obj(w);
	vy_jw_kstr(w, "type", vy_str_c(vy_block_word(bl->kind)));
	put_shape(&b, bl);
	if (bl->ref.n && bl->kind != VY_BLOCK_SCREEN) {
		vy_jw_kstr(w, "ref", vy_str_n(bl->ref.p, vy_utf8_cut(bl->ref, VY_ID_MAX)));
	}
	put_note(w, bl->note, &b);
	vy_jw_end_obj(w);
}

/* ---- sealed ---- */

static bool has_key(struct vy_str json, const char *key)
{
	return json.n && memmem(json.p, json.n, key, strlen(key));
}

bool vy_block_seal(struct vy_str json, struct vy_arena *a, struct vy_str *out)
{
	VY_AUTO_BUF text = VY_BUF_INIT(2 * VY_FRAME_MAX);
	struct vy_jw w = VY_JW(&text);
	struct vy_block b;

	*out = json;
	if (!has_key(json, "\"sealed\"") && !has_key(json, "\"hidden\"")) {
		return false;
	}
	VY_AUTO_JSON *v = vy_json_parse(json, NULL);

	if (vy_json_type(v) == VY_JSON_ARR) {
		vy_jw_arr(&w);
		for (size_t i = 0; i < vy_json_len(v); i++) {
			vy_block_read(vy_json_at(v, i), a, &b);
			vy_block_write(&b, &w);
		}
		vy_jw_end_arr(&w);
	} else {
		vy_block_read(v, a, &b);
		vy_block_write(&b, &w);
	}
	*out = vy_arena_str(a, vy_buf_str(&text));
	return true;
}
