/* session_offer.c -- what an agent offers (commands, models), also before it was started here.
 *
 * An agent says it when it starts. The last word of one of that kind in that folder is kept in the
 * store, so that a new session has a menu before its first message. */
#include "server/session/session_in.h"

#include "server/log/log.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static void name_of(const struct session *s, struct vy_buf *out)
{
	vy_buf_addf(out, "%s %s", s->record->provider, s->record->cwd);
}

void session_keep_offer(struct session *s, const struct vy_json *said)
{
	static const char *const parts[] = { "commands", "models" };
	VY_AUTO_JSON *keep = session_offer(s);
	VY_AUTO_BUF name = VY_BUF_INIT(8192), text = VY_BUF_INIT(VY_MIB);

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		if (vy_json_get(said, parts[i])) {
			vy_json_set(keep, parts[i], vy_json_get(said, parts[i]));
		}
	}
	vy_json_del(keep, "fresh");
	name_of(s, &name);
	if (vy_json_dump(keep, &text) && !vy_buf_is_over(&text)) {
		LOG_PUT(s->conf->log, ROW_KV, kv, .space = VY_STR_LIT("offer"),
			.name = vy_buf_str(&name), .value = vy_buf_str(&text));
	}
}

static bool read_offer(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->kv.value, NULL);
	return false;
}

struct vy_json *session_offer(const struct session *s)
{
	VY_AUTO_JSON *facts = turn_facts(s->turn);
	VY_AUTO_BUF name = VY_BUF_INIT(8192);
	struct vy_json *offer = NULL, *own = vy_json_get(facts, "commands");

	name_of(s, &name);
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("offer"), .name = vy_buf_str(&name) } };

	if (log_each(s->conf->log, &like, read_offer, &offer, NULL) != 0 || !offer) {
		offer = vy_json_new_obj();
	}
	if (own) {
		vy_json_set(offer, "commands", own);
	}
	vy_json_set_bool(offer, "fresh", own != NULL);
	return offer;
}

struct vy_json *session_tasks(const struct session *s)
{
	VY_AUTO_JSON *facts = turn_facts(s->turn);
	struct vy_json *tasks = vy_json_get(facts, "tasks");

	struct vy_json *list = tasks ? vy_json_copy(tasks) : vy_json_new_arr();

	session_shell_tasks(s, list);
	return list;
}
