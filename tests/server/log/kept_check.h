/* kept_check.h -- frames of a session go in, and the log is emptied: what remains is the journal, and the
 * history and an export say all that was said and done, whichever agent it was (seed_check.h has the rest).
 *
 *	kept_check("its name in a failure", lines);     encoded frames with their times, one a line */
#ifndef TESTS_KEPT_CHECK_H
#define TESTS_KEPT_CHECK_H

#include "server/log/export.h"
#include "server/log/history.h"
#include "tests/server/log/seed_check.h"

#define KEPT_PAGE 100

struct kept {
	struct vy_buf history; /* all strings of it */
	struct vy_buf words;   /* all strings of the export */
	size_t rows, calls;
};

static inline void kept_strings(const struct vy_json *v, struct vy_buf *out)
{
	const char *key;
	struct vy_json *value;

	if (vy_json_type(v) == VY_JSON_STR) {
		vy_buf_addstr(out, vy_json_strval(v));
		vy_buf_addc(out, '\n');
	}
	for (size_t i = 0; vy_json_type(v) == VY_JSON_ARR && i < vy_json_len(v); i++) {
		kept_strings(vy_json_at(v, i), out);
	}
	if (vy_json_type(v) == VY_JSON_OBJ) {
		VY_JSON_EACH (v, key, value) {
			kept_strings(value, out);
		}
	}
}

static inline void kept_history(struct log *l, struct kept *k)
{
	char before[VY_ID_MAX + 1] = "";
	bool more = true;

	while (more) {
		VY_AUTO_BUF page = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
		struct history_ask ask = { .session = VY_STR_LIT(SEED_S),
			.before = vy_str_c(before),
			.limit = KEPT_PAGE };
		struct vy_err e = { 0 };

		if (history_read(l, &ask, &page, &more, &e) != 0) {
			fail_msg("the history: %s", e.text);
		}
		VY_AUTO_JSON *list = vy_json_parse(vy_buf_str(&page), NULL);

		kept_strings(list, &k->history);
		snprintf(before, sizeof(before), "%.*s",
			VY_STR_ARG(vy_json_str(vy_json_at(list, 0), "message")));
	}
}

static inline void kept_export(struct log *l, struct kept *k)
{
	const struct vy_export_head head = { .session = VY_STR_LIT(SEED_S) };
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_err e = { 0 };
	size_t from = 0;

	if (export_write(l, &head, VY_EXPORT_JSONL, &text, &e) != 0) {
		fail_msg("the export: %s", e.text);
	}
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\n') {
			VY_AUTO_JSON *v = vy_json_parse(vy_str_n(text.data + from, i - from), NULL);

			kept_strings(v, &k->words);
			from = i + 1;
		}
	}
}

static inline bool kept_has(const struct vy_buf *all, struct vy_str text)
{
	return text.n == 0 || (all->len && memmem(all->data, all->len, text.p, text.n));
}

static inline void kept_row(const char *name, const struct vy_row *r, struct kept *k)
{
	if (r->folded || r->withheld || r->parent.n) {
		return;
	}
	if (r->kind == VY_ROW_MESSAGE && !r->message.cut && r->message.state != VY_MESSAGE_QUEUED &&
		r->message.state != VY_MESSAGE_CANCELLED) {
		k->rows++;
		if (!kept_has(&k->history, r->message.text)) {
			fail_msg("%s: the history lacks \"%.*s\"", name,
				VY_STR_ARG(r->message.text));
		}
		if (!kept_has(&k->words, r->message.text)) {
			fail_msg(
				"%s: the export lacks \"%.*s\"", name, VY_STR_ARG(r->message.text));
		}
	} else if (r->kind == VY_ROW_TOOL && r->tool.summary.n <= 500) {
		k->calls++;
		if (!kept_has(&k->words, r->tool.summary)) {
			fail_msg("%s: the export lacks the call \"%.*s\"", name,
				VY_STR_ARG(r->tool.summary));
		}
	}
}

static inline size_t kept_check(const char *name, struct vy_str lines)
{
	struct log_store *store = store_mem_new();
	struct kept k = { .history = VY_BUF_INIT(VY_RPC_ANSWER_MAX),
		.words = VY_BUF_INIT(VY_RPC_ANSWER_MAX) };
	struct seed_frames was;
	struct log *l = seed_open(store);

	seed_append(l, lines);
	seed_read(l, &was);
	log_free(l);
	seed_empty(store);
	l = seed_open(store);
	kept_history(l, &k);
	kept_export(l, &k);
	struct vy_fold *f = seed_fold(&was);

	for (size_t i = 0; i < vy_fold_len(f); i++) {
		kept_row(name, vy_fold_row(f, i), &k);
	}
	vy_fold_free(f);
	seed_free(&was);
	log_free(l);
	store->ops->close(store);
	vy_buf_fini(&k.history);
	vy_buf_fini(&k.words);
	return k.rows + k.calls;
}

#endif
