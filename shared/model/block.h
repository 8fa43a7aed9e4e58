/* block.h -- what a tool showed, as a value: one of the few shapes the wire knows (wire 11).
 *
 * On the wire a block is an object whose `type` says the shape. Reading is tolerant: a shape nobody
 * knows becomes a short `text`, a missing or misshapen part is empty, too many items are cut;
 * nothing a peer sends makes it fail. A block's text is at most VY_FRAME_TEXT_MAX, cut between
 * characters with a note that says how much. A sealed or role-hidden field keeps only the members
 * of its placeholder, whatever else came with it. Values live in the arena. Pure; any thread. */
#ifndef VY_MODEL_BLOCK_H
#define VY_MODEL_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"

enum vy_block_kind { /* VY_BLOCK_TEXT, VY_BLOCK_TERMINAL, … */
#define VY_BLOCK(name, word, members) VY_BLOCK_##name,
#include "shared/model/blocks.def"
#undef VY_BLOCK
	VY_BLOCK_COUNT
};

/* Where both starts are 0 it is not known where in the file the lines stand. */
struct vy_block_hunk {
	int64_t old_start, new_start;
	size_t n;
	struct vy_str *lines; /* each begins with ' ', '-' or '+' */
};

struct vy_block_file {
	struct vy_str path, text;
	int64_t line; /* 0: none */
};

enum vy_task_status { VY_TASK_PENDING, VY_TASK_RUNNING, VY_TASK_DONE };

struct vy_block_task {
	struct vy_str text;
	enum vy_task_status status;
};

/* `value` is empty when the field is sealed or hidden. */
struct vy_block_field {
	struct vy_str label, kind, value, hidden; /* hidden: "role", or empty */
	bool sealed, present, valid_format, can_reveal;
};

struct vy_block {
	enum vy_block_kind kind;
	struct vy_str note; /* one quiet line below; empty: none */
	struct vy_str ref;  /* threads.output has the whole; empty: this is it */
	union {
		struct {
			struct vy_str text;
		} text;
		struct {
			struct vy_str command, output;
			bool has_exit, truncated;
			int64_t exit;
		} terminal;
		struct {
			struct vy_str path;
			size_t n;
			struct vy_block_hunk *hunks;
			bool created, deleted;
			int64_t added, removed;
		} diff;
		struct {
			size_t n;
			struct vy_block_file *files;
			struct vy_str detail;
		} files;
		struct {
			size_t n;
			struct vy_block_task *items;
		} task;
		/* record (title, fields), draft (and body) */
		struct {
			struct vy_str title, body;
			size_t n;
			struct vy_block_field *fields;
		} record;
		struct {
			struct vy_str title;
			size_t n;
			struct vy_str *steps;
		} flow;
		struct {
			struct vy_str text;
			size_t n, nsources;
			struct vy_block_field *fields;
			struct vy_str *sources;
		} answer;
		struct {
			struct vy_str ref, mime, alt;
			int64_t w, h;
		} screen;
		struct vy_block_field field;
		struct {
			struct vy_str record, field, label;
		} field_ref;
	};
};

const char *vy_block_word(enum vy_block_kind k); /* "flow-change" */
const char *vy_task_status_word(enum vy_task_status s);

/* Never fails; NULL or no object gives an empty text block. Copies: `v` may die. */
void vy_block_read(const struct vy_json *v, struct vy_arena *a, struct vy_block *out);

/* The same from JSON text. */
void vy_block_parse(struct vy_str json, struct vy_arena *a, struct vy_block *out);

/* Writes one value, texts cut to the limit, placeholders stripped. */
void vy_block_write(const struct vy_block *b, struct vy_jw *w);

/* The block or array of blocks without what sealed and hidden fields must not say, in the arena. False: it
 * has no such field, and *out is as it was. Whatever a log takes in has been through here. */
bool vy_block_seal(struct vy_str json, struct vy_arena *a, struct vy_str *out);

/* A plain text block around borrowed words. */
struct vy_block vy_block_of_text(struct vy_str text);

/* Cuts `s` between characters to `max` bytes; `note` (in the arena) says how much is left out:
 * "cut: 64.0 of 310.2 KiB". An uncut text gets no note. */
struct vy_str vy_block_cut(struct vy_str s, size_t max, struct vy_arena *a, struct vy_str *note);

#endif
