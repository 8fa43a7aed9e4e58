/* defaults.c -- see defaults.h. */
#include "server/session/defaults.h"

#include "shared/base/ban.h"

const char *const defaults_purposes[DEFAULTS_PURPOSES] = { "chat", "agent", "project", "capsule",
	"job", "memory", "planner", "learn" };

/* ---- models ---- */

struct vy_json *defaults_models_new(void)
{
	return vy_json_new_obj();
}

static const char *key_of(const char *project)
{
	return project ? project : "";
}

void defaults_model_set(
	struct vy_json *set, const char *project, const char *purpose, const char *model)
{
	struct vy_json *of = vy_json_get(set, key_of(project));

	if (!model) {
		vy_json_del(of, purpose);
		if (vy_json_len(of) == 0) {
			vy_json_del(set, key_of(project));
		}
		return;
	}
	if (!of) {
		of = vy_json_new_obj();
		vy_json_take(set, key_of(project), of);
	}
	vy_json_set_c(of, purpose, model);
}

static const char *was_set(const struct vy_json *set, const char *project, const char *purpose)
{
	return vy_json_cstr(vy_json_get(set, key_of(project)), purpose);
}

struct defaults_choice defaults_model(const struct vy_json *set, defaults_file_fn *file, void *ctx,
	const char *project, const char *purpose)
{
	const char *model = project && *project ? was_set(set, project, purpose) : NULL;

	if (model ||
		(project && *project && file(ctx, project, purpose, &model) && model != NULL)) {
		return (struct defaults_choice){ model, "project" };
	}
	model = was_set(set, NULL, purpose);
	if (model) {
		return (struct defaults_choice){ model, "set" };
	}
	bool is_said = file(ctx, NULL, purpose, &model);

	return (struct defaults_choice){ model ? model : "", is_said ? "config" : "default" };
}

bool defaults_is_model(struct vy_str model)
{
	for (size_t i = 0; i < model.n; i++) {
		if ((unsigned char)model.p[i] <= ' ' || model.p[i] == 0x7F) {
			return false;
		}
	}
	return model.n == 0 || model.p[0] != '-';
}

/* ---- prompts ---- */

struct vy_json *defaults_revs_new(void)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "rev", 0);
	vy_json_take(o, "revs", vy_json_new_arr());
	return o;
}

int64_t defaults_rev_add(
	struct vy_json *revs, struct vy_str by, int64_t now_ms, size_t bytes, int64_t *dropped)
{
	int64_t rev = vy_json_int(revs, "rev", 0) + 1;
	struct vy_json *list = vy_json_get(revs, "revs"), *o = vy_json_new_obj();

	vy_json_set_int(o, "rev", rev);
	vy_json_set_str(o, "by", by);
	vy_json_set_int(o, "time", now_ms);
	vy_json_set_int(o, "bytes", (int64_t)bytes);
	vy_json_insert_take(list, 0, o);
	vy_json_set_int(revs, "rev", rev);
	*dropped = 0;
	if (vy_json_len(list) > DEFAULTS_REVS) {
		*dropped = vy_json_int(vy_json_at(list, DEFAULTS_REVS), "rev", 0);
		vy_json_del_at(list, DEFAULTS_REVS);
	}
	return rev;
}

bool defaults_rev_is_kept(const struct vy_json *revs, int64_t rev)
{
	const struct vy_json *list = vy_json_get(revs, "revs");

	for (size_t i = 0; i < vy_json_len(list); i++) {
		if (vy_json_int(vy_json_at(list, i), "rev", 0) == rev) {
			return true;
		}
	}
	return false;
}

void defaults_system(
	struct vy_str general, struct vy_str project, struct vy_str session, struct vy_buf *out)
{
	const struct vy_str parts[] = { general, project, session };

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].n) {
			vy_buf_adds(out, out->len ? "\n\n" : "");
			vy_buf_addstr(out, parts[i]);
		}
	}
}
