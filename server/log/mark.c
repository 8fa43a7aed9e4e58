/* mark.c -- see mark.h.
 *
 *	{"upto", "since", "open": [[first frame, step], …], …lift's members} */
#include "server/log/mark.h"

#include "server/log/log.h"
#include "shared/base/jw.h"
#include "shared/base/ban.h"

void mark_parse(struct mark *m, struct vy_str doc)
{
	*m = (struct mark){ .doc = doc.n ? vy_json_parse(doc, NULL) : NULL };
	m->upto = vy_json_int(m->doc, "upto", 0);
	m->since = vy_json_int(m->doc, "since", 0);
	vy_lift_decode(m->doc, &m->lift);
}

static void write_open(const struct vy_settle *settle, struct vy_jw *w)
{
	int64_t from, at_step;

	vy_jw_key(w, "open");
	vy_jw_arr(w);
	for (size_t i = 0; vy_settle_open(settle, i, &from, &at_step); i++) {
		vy_jw_arr(w);
		vy_jw_int(w, from);
		vy_jw_int(w, at_step);
		vy_jw_end_arr(w);
	}
	vy_jw_end_arr(w);
}

void mark_write(int64_t upto, const struct vy_settle *settle, const struct vy_lift *lift,
	struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kint(&w, "upto", upto);
	vy_jw_kint(&w, "since", vy_settle_since(settle));
	write_open(settle, &w);
	vy_lift_encode(lift, &w);
	vy_jw_end_obj(&w);
}

void mark_fini(struct mark *m)
{
	vy_json_free(m->doc);
	m->doc = NULL;
}

int64_t mark_after(const struct mark *m, int64_t floor)
{
	int64_t from = m->since > 0 ? m->since : m->upto + 1;

	return (from < floor ? floor : from) - 1;
}

bool mark_opens(const struct mark *m, int64_t cur, int64_t *at_step)
{
	const struct vy_json *open = vy_json_get(m->doc, "open");

	for (size_t i = 0; i < vy_json_len(open); i++) {
		const struct vy_json *pair = vy_json_at(open, i);

		if (vy_json_intval(vy_json_at(pair, 0), 0) == cur) {
			*at_step = vy_json_intval(vy_json_at(pair, 1), 0);
			return true;
		}
	}
	return false;
}

static bool take(void *ctx, const struct store_row *row)
{
	mark_parse(ctx, row->kv.value);
	return false;
}

int mark_read(struct log *l, const char *session, struct mark *out, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT(ROW_DERIVED), .name = vy_str_c(session) } };

	mark_parse(out, vy_str_n(NULL, 0));
	return log_each(l, &like, take, out, e);
}
