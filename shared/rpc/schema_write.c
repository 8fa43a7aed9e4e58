/* schema_write.c -- see schema.h: as JSON Schema. */
#include "shared/base/limits.h"
#include "shared/rpc/schema.h"
#include "shared/rpc/schema_in.h"
#include "shared/base/ban.h"

static void write_bounds(
	const struct vy_schema *s, struct vy_jw *w, const char *least, const char *most)
{
	if (s->has_min) {
		vy_jw_kint(w, least, s->min);
	}
	if (s->has_max) {
		vy_jw_kint(w, most, s->max);
	}
}

static bool all_words(const struct vy_schema *s)
{
	for (const struct vy_schema *o = s->first; o; o = o->next) {
		if (o->type != WORD) {
			return false;
		}
	}
	return true;
}

static void write_union(const struct vy_schema *s, struct vy_jw *w)
{
	bool words = all_words(s);

	vy_jw_key(w, words ? "enum" : "anyOf");
	vy_jw_arr(w);
	for (const struct vy_schema *o = s->first; o; o = o->next) {
		if (words) {
			vy_jw_str(w, o->word);
		} else {
			vy_schema_write(o, w);
		}
	}
	vy_jw_end_arr(w);
}

static void write_members(const struct vy_schema *s, struct vy_jw *w)
{
	vy_jw_key(w, "properties");
	vy_jw_obj(w);
	for (const struct vy_schema *m = s->first; m; m = m->next) {
		char key[VY_ID_MAX];

		snprintf(key, sizeof(key), "%.*s", VY_STR_ARG(m->name));
		vy_jw_key(w, key);
		vy_schema_write(m, w);
	}
	vy_jw_end_obj(w);
	vy_jw_key(w, "required");
	vy_jw_arr(w);
	for (const struct vy_schema *m = s->first; m; m = m->next) {
		if (!m->optional) {
			vy_jw_str(w, m->name);
		}
	}
	vy_jw_end_arr(w);
}

void vy_schema_write(const struct vy_schema *s, struct vy_jw *w)
{
	vy_jw_obj(w);
	if (vy_schema_words[s->type].json) {
		vy_jw_kstr(w, "type", vy_str_c(vy_schema_words[s->type].json));
	}
	switch (s->type) {
	case STR: write_bounds(s, w, "minLength", "maxLength"); break;
	case ID:
		vy_jw_kint(w, "minLength", 1);
		vy_jw_kint(w, "maxLength", VY_ID_MAX);
		break;
	case INT:
	case NUM: write_bounds(s, w, "minimum", "maximum"); break;
	case WORD: vy_jw_kstr(w, "const", s->word); break;
	case OBJ: write_members(s, w); break;
	case LIST:
		write_bounds(s, w, "minItems", "maxItems");
		vy_jw_key(w, "items");
		vy_schema_write(s->first, w);
		break;
	case UNION: write_union(s, w); break;
	case MAP:
		if (s->first) {
			vy_jw_key(w, "additionalProperties");
			vy_schema_write(s->first, w);
		}
		break;
	case ANY:
	case BOOL:
	case NIL: break;
	}
	vy_jw_end_obj(w);
}
