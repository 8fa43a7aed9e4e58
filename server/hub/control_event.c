/* control_event.c -- see control_event.h. */
#include "server/hub/control_event.h"

#include "server/hub/lifecycle.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

#define TRIM_EVERY 1024
#define OLD_SHIFT  30 /* how an earlier vyred counted: from its start's number, shifted */
#define SPACE      "control"

/* ---- as it is sent ---- */

void control_event_write(
	const struct vy_control *ev, const char *session, int64_t seq, struct vy_buf *doc)
{
	struct vy_jw w = VY_JW(doc);
	char id[32];

	snprintf(id, sizeof(id), "evt_%llx", (unsigned long long)seq);
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "id", ev->id.n ? ev->id : vy_str_c(id));
	vy_jw_kint(&w, "seq", seq);
	vy_jw_kstr(&w, "type", vy_str_c(vy_control_row(ev->type)->word));
	vy_jw_kint(&w, "time", ev->time);
	if (session[0]) {
		vy_jw_kstr(&w, "session", vy_str_c(session));
	}
	vy_jw_key(&w, "data");
	vy_jw_raw(&w, ev->data);
	vy_jw_end_obj(&w);
}

/* ---- a message's ---- */

/* VY_MESSAGE_SAME: it is no message's. */
static enum vy_message_change change_of(enum vy_control_type type)
{
	int c = VY_MESSAGE_CREATED;

	while (c <= VY_MESSAGE_IS_DELETED && lifecycle_type((enum vy_message_change)c) != type) {
		c++;
	}
	return c <= VY_MESSAGE_IS_DELETED ? (enum vy_message_change)c : VY_MESSAGE_SAME;
}

static int draw_message(struct log *log, const struct control_event *ev, struct vy_arena *mem,
	struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF data = VY_BUF_INIT(CONTROL_DOC), id = VY_BUF_INIT(4 * VY_KIB);
	struct vy_message m = { 0 };

	if (vy_message_decode(ev->doc, mem, &m, e) < 0 ||
		lifecycle_data(log, ev->session, &m, change_of(ev->type), &data, e) < 0) {
		return -1;
	}
	lifecycle_id(ev->session, m.message, m.revision, &id);
	struct vy_control said = { ev->type, vy_buf_str(&id), m.updated, vy_buf_str(&data) };

	control_event_write(&said, ev->session, ev->seq, out);
	return 0;
}

int control_event_draw(
	struct log *log, const struct control_event *ev, struct vy_buf *out, struct vy_err *e)
{
	struct vy_arena mem;
	int rc;

	if (change_of(ev->type) == VY_MESSAGE_SAME) {
		vy_buf_addstr(out, ev->doc);
		return 0;
	}
	vy_arena_init(&mem);
	rc = draw_message(log, ev, &mem, out, e);
	vy_arena_fini(&mem);
	return rc;
}

/* ---- as it is kept ---- */

static bool keep_first(void *ctx, const struct store_row *row)
{
	*(int64_t *)ctx = row->control.seq;
	return false;
}

static bool keep_last(void *ctx, const struct store_row *row)
{
	*(int64_t *)ctx = row->control.seq;
	return true;
}

static bool is_ours(void *ctx, const struct store_row *row)
{
	struct log *log = *(struct log **)ctx;

	if (vy_str_is(row->kv.value, log_epoch(log))) {
		*(struct log **)ctx = NULL;
	}
	return false;
}

static bool has_rows_of_this_epoch(struct log *log)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT(SPACE), .name = VY_STR_LIT("epoch") } };
	struct log *found = log;

	return log_each(log, &like, is_ours, &found, NULL) == 0 && !found;
}

static void begin_anew(struct log *log, const struct vy_clock *clock, int64_t last, int64_t *head)
{
	int64_t now = vy_wall_ms(clock), old = log_starts(log) << OLD_SHIFT;

	*head = last > now ? last : now;
	*head = *head > old ? *head : old;
	if (log_is_read_only(log)) {
		return;
	}
	LOG_DEL(log, ROW_CONTROL, control, .seq = last);
	LOG_PUT(log, ROW_KV, kv, .space = VY_STR_LIT(SPACE), .name = VY_STR_LIT("epoch"),
		.value = vy_str_c(log_epoch(log)));
}

void control_event_open(
	struct log *log, const struct vy_clock *clock, int64_t *floor, int64_t *head)
{
	struct store_row like = { .kind = ROW_CONTROL };
	int64_t first = 0, last = 0;
	struct vy_err e = { 0 };
	int rc = log_each(log, &like, keep_first, &first, &e);

	like.control.seq = -1;
	rc = rc < 0 ? rc : log_each(log, &like, keep_last, &last, &e);
	if (rc < 0) {
		vy_log(VY_LOG_ERROR, "control.open", "err=%s", vy_log_q(e.text));
	}
	if (rc < 0 || last == 0 || !has_rows_of_this_epoch(log)) {
		begin_anew(log, clock, last, head);
		*floor = *head + 1;
		return;
	}
	*floor = first;
	*head = last;
}

void control_event_keep(
	struct log *log, const struct control_event *ev, struct vy_str own, int64_t *floor)
{
	bool is_its_end = own.n > 0;

	LOG_PUT(log, ROW_CONTROL, control, .seq = ev->seq,
		.session = is_its_end ? vy_str_n(NULL, 0) : vy_str_c(ev->session),
		.type = vy_str_c(vy_control_row(ev->type)->word), .own = own, .doc = ev->doc);
	if (ev->seq % TRIM_EVERY == 0 && ev->seq - *floor >= CONTROL_EVENTS) {
		LOG_DEL(log, ROW_CONTROL, control, .seq = ev->seq - CONTROL_EVENTS);
		*floor = ev->seq - CONTROL_EVENTS + 1;
	}
}
