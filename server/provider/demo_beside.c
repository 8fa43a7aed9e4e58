/* demo_beside.c -- what the demo is asked beside its conversation, and what it makes of what was said
 * so far. */
#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define OUTPUT_END (8 * VY_KIB) /* as claude */

/* A question that begins with "hang" is never answered: it can only be taken back. */
void demo_beside_question(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_str question = vy_json_str(req, "question");

	if (vy_str_starts(question, "hang")) {
		return;
	}
	struct vy_json *r = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);

	vy_buf_addf(&text, "Beside: %.*s", VY_STR_ARG(question));
	vy_json_set_str(r, "response", vy_buf_str(&text));
	vy_json_set_bool(r, "synthetic", false);
	demo_out_reply(&d->main, id, r);
}

/* Its end, as of now. */
void demo_beside_output(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_str task = vy_json_str(req, "task_id");

	for (size_t i = 0; i < d->tasks.n; i++) {
		struct vy_str all, end;

		if (!vy_str_is(task, d->tasks.v[i].id)) {
			continue;
		}
		demo_shell_read(d->tasks.v[i].child);
		all = vy_buf_str(&d->tasks.v[i].child->out);
		end = all.n > OUTPUT_END ? vy_str_from(all, all.n - OUTPUT_END) : all;
		struct vy_json *r = vy_json_new_obj();

		vy_json_set_str(r, "output", end);
		vy_json_set_int(r, "total_bytes", (int64_t)all.n);
		vy_json_set_bool(r, "truncated", end.n < all.n);
		demo_out_reply(&d->main, id, r);
		return;
	}
	demo_out_refuse(&d->main, id, "no such task");
}

/* It tries as hard as its script. */
void demo_beside_settings(struct demo *d, struct vy_str id, const struct vy_json *req)
{
	struct vy_str word = vy_json_str(vy_json_get(req, "settings"), "effortLevel");

	if (word.n && !vy_str_is(word, "low") && !vy_str_is(word, "medium") &&
		!vy_str_is(word, "high")) {
		demo_out_refuse(&d->main, id, "there is no such effort");
	} else {
		demo_out_reply(&d->main, id, NULL);
	}
}

/* It remembers nothing, so nothing is what it forgets. */
bool demo_compact(struct demo *d, struct vy_str text)
{
	if (!vy_str_is(text, "/compact") && !vy_str_starts(text, "/compact ")) {
		return false;
	}
	demo_out_status(&d->main, "compacting");
	demo_out_compacted(&d->main, "manual", 12000, 1200);
	return true;
}
