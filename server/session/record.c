/* record.c -- see record.h. Plain strings are facts in one table, read and written by it. */
#include "server/session/record.h"

#include <stddef.h>
#include <stdlib.h>

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define TITLE_CHARS 60

struct text_field {
	const char *key;
	size_t at;
};

#define FIELD(name)                                                                                \
	{                                                                                          \
#name, offsetof(struct record, name)                                               \
	}
static const struct text_field shown[] = { FIELD(session), FIELD(title), FIELD(provider),
	FIELD(driver), FIELD(model), FIELD(model_from), FIELD(mode), FIELD(thinking), FIELD(effort),
	FIELD(purpose), FIELD(auth), FIELD(cwd), FIELD(project), FIELD(state), FIELD(turn),
	FIELD(process), FIELD(reason) };
static const struct text_field own[] = { FIELD(person), FIELD(started_by), FIELD(agent_id),
	FIELD(system), FIELD(told_auth) };
#undef FIELD

static char **text_at(const struct record *r, const struct text_field *f)
{
	return (char **)((char *)(uintptr_t)r + f->at);
}

struct record *record_new(const char *session)
{
	struct record *r = VY_NEW(struct record);

	r->session = vy_strdup(session);
	r->mode = vy_strdup("default");
	r->state = vy_strdup("idle");
	r->process = vy_strdup("absent");
	return r;
}

void record_free(struct record *r)
{
	if (!r) {
		return;
	}
	for (size_t i = 0; i < VY_COUNT(shown); i++) {
		free(*text_at(r, &shown[i]));
	}
	for (size_t i = 0; i < VY_COUNT(own); i++) {
		free(*text_at(r, &own[i]));
	}
	vy_json_free(r->usage);
	vy_json_free(r->limits);
	vy_json_free(r->capabilities);
	vy_json_free(r->tasks);
	vy_json_free(r->forked_from);
	vy_json_free(r->adopted);
	vy_json_free(r->env);
	vy_json_free(r->tools);
	free(r->wait_kind);
	free(r);
}

void record_set(char **at, struct vy_str value)
{
	char *fresh = value.n ? vy_memdup0(value.p, value.n) : NULL;

	free(*at);
	*at = fresh;
}

static void write_texts(
	struct vy_json *o, const struct record *r, const struct text_field *f, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *s = *text_at(r, &f[i]);

		if (s) {
			vy_json_set_c(o, f[i].key, s);
		} else {
			vy_json_set_null(o, f[i].key);
		}
	}
}

static void read_texts(
	const struct vy_json *o, struct record *r, const struct text_field *f, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		record_set(text_at(r, &f[i]), vy_json_str(o, f[i].key));
	}
}

static void set_or_null(struct vy_json *o, const char *key, struct vy_json *v)
{
	if (v) {
		vy_json_set(o, key, v);
	} else {
		vy_json_set_null(o, key);
	}
}

static struct vy_json *context_json(const struct record *r)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "used", vy_json_int(r->usage, "used", 0));
	vy_json_set_int(o, "max", vy_json_int(r->usage, "max", 0));
	return o;
}

static struct vy_json *wait_json(const struct record *r)
{
	struct vy_json *o = r->wait_kind ? vy_json_new_obj() : NULL;

	if (o) {
		vy_json_set_c(o, "kind", r->wait_kind);
		vy_json_set_int(o, "position", r->wait_position);
	}
	return o;
}

struct vy_json *record_json(const struct record *r, int viewers, const char *epoch)
{
	struct vy_json *o = vy_json_new_obj();

	write_texts(o, r, shown, VY_COUNT(shown));
	VY_AUTO_JSON *wait = wait_json(r);

	set_or_null(o, "wait", wait);
	vy_json_set_int(o, "created", r->created);
	vy_json_set_int(o, "updated", r->updated);
	set_or_null(o, "usage", r->usage);
	vy_json_take(o, "context", context_json(r));
	set_or_null(o, "limits", r->limits);
	set_or_null(o, "capabilities", r->capabilities);
	vy_json_take(o, "tasks", r->tasks ? vy_json_ref(r->tasks) : vy_json_new_arr());
	vy_json_set_int(o, "viewers", viewers);
	vy_json_set_int(o, "asks", r->asks);
	vy_json_set_int(o, "queued", r->queued);
	vy_json_set_int(o, "messages", r->messages);
	vy_json_set_bool(o, "held", r->held);
	if (r->until > 0) {
		vy_json_set_int(o, "until", r->until);
	} else {
		vy_json_set_null(o, "until");
	}
	if (r->budget_usd > 0) {
		vy_json_take(o, "budget_usd", vy_json_new_real(r->budget_usd));
	} else {
		vy_json_set_null(o, "budget_usd");
	}
	vy_json_set_bool(o, "archived", r->is_archived);
	vy_json_set_c(o, "agent_session", r->agent_id);
	vy_json_set(o, "forked_from", r->forked_from);
	vy_json_set(o, "adopted", r->adopted);
	vy_json_set_c(o, "epoch", epoch);
	return o;
}

struct vy_json *record_encode(const struct record *r)
{
	struct vy_json *o = record_json(r, 0, NULL), *mine = vy_json_new_obj();

	write_texts(mine, r, own, VY_COUNT(own));
	vy_json_set(mine, "env", r->env);
	vy_json_set(mine, "tools", r->tools);
	vy_json_take(mine, "spent_usd", vy_json_new_real(r->spent_usd));
	if (r->adopted) {
		vy_json_set_int(mine, "adopted_upto", r->adopted_upto);
	}
	vy_json_set_bool(mine, "once", r->is_once);
	vy_json_set_bool(mine, "titled", r->is_titled);
	vy_json_set_bool(mine, "told_of_trust", r->was_told_of_trust);
	vy_json_set_bool(mine, "deleted", r->is_deleted);
	vy_json_take(o, "own", mine);
	return o;
}

static struct vy_json *kept(const struct vy_json *o, const char *key)
{
	struct vy_json *v = vy_json_get(o, key);

	return vy_json_type(v) == VY_JSON_NULL ? NULL : vy_json_ref(v);
}

struct record *record_decode(const struct vy_json *v, struct vy_err *e)
{
	const struct vy_json *mine = vy_json_get(v, "own");

	if (!vy_is_uuid(vy_json_str(v, "session"))) {
		vy_fail(e, VY_CORRUPT, "a stored record is damaged");
		return NULL;
	}
	struct record *r = record_new("");

	read_texts(v, r, shown, VY_COUNT(shown));
	read_texts(mine, r, own, VY_COUNT(own));
	record_set(&r->wait_kind, vy_json_str(vy_json_get(v, "wait"), "kind"));
	r->wait_position = vy_json_int(vy_json_get(v, "wait"), "position", 0);
	r->created = vy_json_int(v, "created", 0);
	r->updated = vy_json_int(v, "updated", 0);
	r->asks = vy_json_int(v, "asks", 0);
	r->queued = vy_json_int(v, "queued", 0);
	r->messages = vy_json_int(v, "messages", 0);
	r->held = vy_json_bool(v, "held", false);
	r->until = vy_json_int(v, "until", 0);
	r->is_archived = vy_json_bool(v, "archived", false);
	r->usage = kept(v, "usage");
	r->limits = kept(v, "limits");
	r->capabilities = kept(v, "capabilities");
	r->tasks = kept(v, "tasks");
	r->forked_from = kept(v, "forked_from");
	r->adopted = kept(v, "adopted");
	r->env = kept(mine, "env");
	r->tools = kept(mine, "tools");
	r->budget_usd = vy_json_num(v, "budget_usd", 0);
	r->spent_usd = vy_json_num(mine, "spent_usd", 0);
	r->adopted_upto = vy_json_int(mine, "adopted_upto", 0);
	r->is_once = vy_json_bool(mine, "once", false);
	r->is_titled = vy_json_bool(mine, "titled", false);
	r->was_told_of_trust = vy_json_bool(mine, "told_of_trust", false);
	r->is_deleted = vy_json_bool(mine, "deleted", false);
	if (!r->provider || !r->driver || !r->cwd || !r->mode || !r->state || !r->purpose) {
		vy_fail(e, VY_CORRUPT, "the stored record of %s is damaged", r->session);
		record_free(r);
		return NULL;
	}
	return r;
}

char *record_title_from(struct vy_str text)
{
	size_t n = 0, chars = 0;

	while (text.n && (text.p[0] == ' ' || text.p[0] == '\n' || text.p[0] == '\t')) {
		text = vy_str_from(text, 1);
	}
	while (n < text.n && text.p[n] != '\n' && text.p[n] != '\r') {
		if (((unsigned char)text.p[n] & 0xC0) != 0x80 && ++chars > TITLE_CHARS) {
			break;
		}
		n++;
	}
	if (n == 0) {
		return NULL;
	}
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	vy_utf8_visible(vy_str_n(text.p, n), VY_UTF8_LINE, &b);
	if (chars > TITLE_CHARS) {
		vy_buf_adds(&b, "…");
	}
	return vy_buf_take(&b, NULL);
}
