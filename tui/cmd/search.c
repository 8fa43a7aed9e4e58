/* search.c -- where something was said: a line a message, the newest first. */
#include <time.h>

#include "tui/cmd/verb.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TIME_MAX 32
#define ID_SHOWN 8

static void print_hit(struct cmd *c, const struct vy_json *hit)
{
	struct vy_str id = vy_json_str(hit, "session"), title = vy_json_str(hit, "title");
	struct vy_str text = vy_json_str(hit, "text");
	time_t at = (time_t)(vy_json_int(hit, "time", 0) / 1000);
	VY_AUTO_BUF line = VY_BUF_INIT(text.n + 1);
	char when[TIME_MAX] = "";
	struct tm tm;

	if (localtime_r(&at, &tm)) {
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm);
	}
	for (size_t i = 0; i < text.n; i++) { /* one line each */
		vy_buf_addc(&line, text.p[i] == '\n' ? ' ' : text.p[i]);
	}
	id.n = id.n < ID_SHOWN ? id.n : ID_SHOWN;
	out_addf(&c->out, "%.*s  %s  %.*s: %s\n", VY_STR_ARG(id), when, VY_STR_ARG(title),
		vy_buf_c(&line));
}

int verb_search(struct cmd *c, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();
	char id[VY_UUID_LEN + 1];

	if (c->o->n_words > 1) {
		if (cmd_session(c, c->o->words[1], id, e) != 0) {
			vy_json_free(params);
			return -1;
		}
		vy_json_set_c(params, "session", id);
	}
	vy_json_set_c(params, "query", c->o->words[0]);
	VY_AUTO_JSON *found = cmd_read(c, "threads.search", params, e);
	const struct vy_json *hits = vy_json_get(found, "hits");

	if (!found) {
		return -1;
	}
	for (size_t i = 0; i < vy_json_len(hits); i++) {
		if (c->o->is_json) {
			out_json(&c->out, vy_json_at(hits, i));
		} else {
			print_hit(c, vy_json_at(hits, i));
		}
	}
	if (vy_json_bool(found, "behind", false)) {
		out_progress(&c->out, "%s", _("The newest words may not be found yet."));
	}
	return vy_json_len(hits) > 0 ? EXIT_OK : EXIT_FAILED;
}
