/* export.c -- a session as a document, to the standard output. */
#include "shared/base/limits.h"
#include "shared/model/export.h"
#include "tui/cmd/verb.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* A large one comes in pieces. */
static int fetch(struct cmd *c, const char *id, const char *ref, struct vy_err *e)
{
	int64_t at = 0;
	bool more = true;

	while (more) {
		struct vy_json *params = cmd_params(id);

		vy_json_set_c(params, "ref", ref);
		vy_json_set_int(params, "offset", at);
		vy_json_set_int(params, "limit", VY_MIB);
		VY_AUTO_JSON *piece = cmd_read(c, "threads.output", params, e);
		struct vy_str text = vy_json_str(piece, "text");

		if (!piece) {
			return -1;
		}
		out_raw(&c->out, text);
		at += (int64_t)text.n;
		more = vy_json_bool(piece, "more", false) && text.n > 0;
		if (out_flush(&c->out) != 0) {
			return EXIT_FAILED; /* nobody reads any more */
		}
	}
	return EXIT_OK;
}

int verb_export(struct cmd *c, struct vy_err *e)
{
	enum vy_export_format f;
	char id[VY_UUID_LEN + 1];

	if (!vy_export_parse(vy_str_c(c->o->words[0]), &f)) {
		return vy_fail(
			e, VY_BAD_INPUT, _("%s: expected md, jsonl or html"), c->o->words[0]);
	}
	if (cmd_session(c, c->o->n_words > 1 ? c->o->words[1] : NULL, id, e) != 0) {
		return -1;
	}
	struct vy_json *params = cmd_params(id);

	vy_json_set_c(params, "format", vy_export_word(f));
	VY_AUTO_JSON *doc = cmd_read(c, "threads.export", params, e);
	const char *ref = vy_json_cstr(doc, "ref");

	if (!doc) {
		return -1;
	}
	if (ref) {
		return fetch(c, id, ref, e);
	}
	out_raw(&c->out, vy_json_str(doc, "text"));
	return EXIT_OK;
}
