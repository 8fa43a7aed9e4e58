/* export.h -- a session as a document: Markdown, JSON lines, or one HTML file that needs nothing else.
 *
 *	vy_export_begin(VY_EXPORT_HTML, &head, out);
 *	vy_export_item(VY_EXPORT_HTML, &item, out);   each
 *	vy_export_end(VY_EXPORT_HTML, out);
 *
 * Whatever people, agents and tools said is text and stays text: in HTML it is escaped (and the
 * document forbids scripts and the network by itself), in Markdown a person's words are a quotation
 * and one-line facts are code that they cannot end. What an eye cannot see or a terminal would obey
 * becomes a mark in both; JSON has it escaped. Private messages are the caller's to leave out. Pure. */
#ifndef VY_MODEL_EXPORT_H
#define VY_MODEL_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"
#include "shared/model/settle.h"

enum vy_export_format { VY_EXPORT_MD, VY_EXPORT_JSONL, VY_EXPORT_HTML, VY_EXPORT_FORMATS };

/* "md", "jsonl", "html" */
bool vy_export_parse(struct vy_str word, enum vy_export_format *out);
const char *vy_export_word(enum vy_export_format f);
const char *vy_export_mime(enum vy_export_format f);

struct vy_export_head {
	struct vy_str session, title, provider, model;
	int64_t created;
};

enum vy_export_kind { VY_EXPORT_USER, VY_EXPORT_ASSISTANT, VY_EXPORT_TOOL };

struct vy_export_item {
	enum vy_export_kind kind;
	int64_t time;
	struct vy_str author;
	struct vy_str message;      /* USER, ASSISTANT */
	struct vy_str parent;       /* a subagent's: the call it works for */
	struct vy_str text;         /* USER: what was said; TOOL: what it was called with, a line */
	bool is_cut;                /* USER: the text goes on */
	struct vy_str name, status; /* TOOL: "Bash", "completed" */
	const struct vy_settlement *said; /* ASSISTANT */
};

void vy_export_begin(
	enum vy_export_format f, const struct vy_export_head *head, struct vy_buf *out);
void vy_export_item(enum vy_export_format f, const struct vy_export_item *it, struct vy_buf *out);
void vy_export_end(enum vy_export_format f, struct vy_buf *out);

#endif
