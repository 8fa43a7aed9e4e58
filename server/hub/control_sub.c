/* control_sub.c -- one reader of the control plane (control.h): what it wants, where it stands. */
#include <stdlib.h>

#include "server/auth/authority.h"
#include "server/hub/control_in.h"
#include "server/log/log.h"
#include "server/log/row.h"
#include "shared/base/clock.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

/* ---- a subscription ---- */

/* Named whole, or by its beginning up to a dot. */
static bool is_type(struct vy_str word)
{
	for (int t = 0; t < VY_CONTROL_TYPES; t++) {
		struct vy_str at = vy_str_c(vy_control_row((enum vy_control_type)t)->word);
		bool is_group = word.n > 1 && word.p[word.n - 1] == '.' && word.n < at.n;

		if (vy_str_eq(at, word) || (is_group && memcmp(at.p, word.p, word.n) == 0)) {
			return true;
		}
	}
	return false;
}

static int read_filter(struct control_sub *s, const struct vy_json *filter, struct vy_err *e)
{
	const struct vy_json *types = vy_json_get(filter, "types");

	s->session = vy_strdup(vy_json_cstr(filter, "session"));
	s->project = vy_strdup(vy_json_cstr(filter, "project"));
	for (size_t i = 0; i < vy_json_len(types); i++) {
		struct vy_str word = vy_json_strval(vy_json_at(types, i));

		if (i >= TYPES_MOST || !is_type(word)) {
			return vy_fail(e, VY_BAD_INPUT,
				"params.filter.types: there is no control event \"%.*s\"",
				VY_STR_ARG(word));
		}
		s->types[s->n_types++] = vy_memdup0(word.p, word.n);
	}
	return 0;
}

static void page_clear(struct control_sub *s)
{
	while (s->page_at < s->page_n) {
		free(s->page[s->page_at++]);
	}
}

static void sub_free(struct control_sub *s)
{
	page_clear(s);
	free(s->session);
	free(s->project);
	for (size_t i = 0; i < s->n_types; i++) {
		free(s->types[i]);
	}
	VY_MAGIC_CLEAR(s);
	free(s);
}

struct control_sub *control_subscribe(
	struct control *c, const struct control_open *o, struct vy_err *e)
{
	struct control_sub *s = VY_NEW(struct control_sub);

	VY_CHECK(c, CONTROL_MAGIC);
	VY_MAGIC_SET(s, SUB_MAGIC);
	s->control = c;
	s->who = *o->who;
	s->ready = o->ready;
	s->ctx = o->ctx;
	s->at = o->has_since ? o->since : c->head;
	s->wants_reset = s->at < c->kept - 1 || s->at > c->head;
	if (read_filter(s, o->filter, e) != 0) {
		sub_free(s);
		return NULL;
	}
	TAILQ_INSERT_TAIL(&c->subs, s, link);
	s->is_dry = true;
	control_make_due(s);
	return s;
}

void control_unsubscribe(struct control_sub *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, SUB_MAGIC);
	if (s->is_due) {
		TAILQ_REMOVE(&s->control->due, s, in_due);
	}
	TAILQ_REMOVE(&s->control->subs, s, link);
	sub_free(s);
}

/* ---- what it gets ---- */

static bool wants_type(const struct control_sub *s, const char *word)
{
	for (size_t i = 0; i < s->n_types; i++) {
		size_t n = strlen(s->types[i]);
		bool is_group = s->types[i][n - 1] == '.';

		if (is_group ? strncmp(word, s->types[i], n) == 0
			     : strcmp(word, s->types[i]) == 0) {
			return true;
		}
	}
	return s->n_types == 0;
}

/* Of a session that is gone its end is told, and nothing else any more. */
static bool is_for(const struct control_sub *s, const struct known *k, enum vy_control_type type)
{
	struct authority_session as = { k->session, k->person, k->started_by };
	bool is_ones = k->session[0] != '\0'; /* a session's */

	return (!k->is_gone || type == VY_CONTROL_SESSION_DELETED) &&
	       (!s->session || strcmp(s->session, k->session) == 0) &&
	       (!s->project || (k->project && strcmp(s->project, k->project) == 0)) &&
	       wants_type(s, vy_control_row(type)->word) &&
	       authority_judge(&s->who, VY_REACH_ANYONE, false, is_ones, is_ones ? &as : NULL) ==
		       AUTHORITY_ALLOWED;
}

static void write_reset(struct control_sub *s, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);
	int64_t head = s->control->head;
	char id[40];

	s->wants_reset = false;
	s->at = head;
	snprintf(id, sizeof(id), "evt_reset.%llx", (unsigned long long)head);
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "id", vy_str_c(id));
	vy_jw_kint(&w, "seq", head);
	vy_jw_kstr(&w, "type", vy_str_c(vy_control_row(VY_CONTROL_CONTROL_RESET)->word));
	vy_jw_kint(&w, "time", vy_wall_ms(s->control->clock));
	vy_jw_key(&w, "data");
	vy_jw_obj(&w);
	vy_jw_kint(&w, "head", head);
	vy_jw_end_obj(&w);
	vy_jw_end_obj(&w);
}

/* ---- from the store ---- */

static bool add_to_page(void *ctx, const struct store_row *row)
{
	struct control_sub *s = ctx;

	if (row->control.seq < s->control->floor) {
		s->page[s->page_n++] = row_dup(row);
	}
	return s->page_n < PAGE_ROWS && row->control.seq < s->control->floor;
}

static const struct row_control *next_row(struct control_sub *s)
{
	struct store_row like = { .kind = ROW_CONTROL, .control = { .seq = s->at + 1 } };
	struct vy_err e = { 0 };

	if (s->page_at == s->page_n) {
		s->page_at = s->page_n = 0;
		if (log_each(s->control->log, &like, add_to_page, s, &e) < 0) {
			vy_log(VY_LOG_ERROR, "control.read", "err=%s", vy_log_q(e.text));
		}
	}
	return s->page_at < s->page_n ? &s->page[s->page_at]->control : NULL;
}

/* Of a session that is gone its end says whose it was. */
static struct known *known_of_row(struct control *c, const struct row_control *r)
{
	VY_AUTO_JSON *doc = r->own.n ? vy_json_parse(r->doc, NULL) : NULL;
	VY_AUTO_JSON *own = r->own.n ? vy_json_parse(r->own, NULL) : NULL;
	VY_AUTO_BUF id = VY_BUF_INIT(VY_ID_MAX + 1);
	struct known *k;

	vy_buf_addstr(&id, r->own.n ? vy_json_str(doc, "session") : r->session);
	k = control_known(c, vy_buf_c(&id));
	control_find_known(c, k);
	if (own && !k->person) {
		control_learn(k, own);
		k->is_gone = true;
	}
	return k;
}

/* Appends what is sent of it, if that is anything to this reader. */
static bool give_row(struct control_sub *s, const struct row_control *r, struct vy_buf *out)
{
	struct control *c = s->control;
	struct control_event ev = {
		.type = vy_control_type(r->type), .seq = r->seq, .doc = r->doc
	};
	struct vy_err e = { 0 };
	struct known *k;

	if (ev.type == VY_CONTROL_TYPES) {
		return false; /* it went with its session */
	}
	k = known_of_row(c, r);
	ev.session = k->session;
	if (!is_for(s, k, ev.type)) {
		return false;
	}
	if (control_event_draw(c->log, &ev, out, &e) < 0) {
		vy_log(VY_LOG_ERROR, "control.event", "session=%s type=%.*s err=%s", k->session,
			VY_STR_ARG(r->type), vy_log_q(e.text));
		return false;
	}
	return true;
}

/* The next one before the ring; false: there is none. */
static bool take_kept(struct control_sub *s, struct vy_buf *out)
{
	const struct row_control *r;
	bool has_any = false;

	while (!has_any && s->at < s->control->floor - 1 && (r = next_row(s))) {
		s->at = r->seq;
		has_any = give_row(s, r, out);
		free(s->page[s->page_at++]);
	}
	if (!has_any && s->at < s->control->floor - 1) {
		s->at = s->control->floor - 1; /* nothing more could be read there */
	}
	return has_any;
}

int64_t control_at(const struct control_sub *s)
{
	return s->at;
}

bool control_next(struct control_sub *s, struct vy_buf *out)
{
	struct control *c = s->control;

	VY_CHECK(s, SUB_MAGIC);
	s->is_dry = false;
	if (s->wants_reset || s->at < c->kept - 1) {
		page_clear(s);
		write_reset(s, out);
		return true;
	}
	if (s->at < c->floor - 1 && take_kept(s, out)) {
		return true;
	}
	while (s->at < c->head) {
		const struct item *it = *control_slot(c, ++s->at);

		if (it->len && is_for(s, it->of, it->type)) {
			vy_buf_add(out, it->bytes, it->len);
			return true;
		}
	}
	s->is_dry = true;
	return false;
}
