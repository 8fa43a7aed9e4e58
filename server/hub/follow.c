/* follow.c -- see follow.h. What a session's frames say of its attempts is attempts.c, how the log is
 * read for it follow_read.c.
 *
 * Items of the ring are numbered by their arrival: that number is where a baseline is cut. One that begins
 * with a digit is the number of an event, which each follower reads for itself: it may be megabytes. */
#include "server/hub/follow.h"

#include <stdlib.h>

#include "server/hub/follow_in.h"
#include "shared/base/jw.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

/* ---- waking ---- */

static void work_off(void *ctx)
{
	struct follow *f = ctx;
	struct follow_sub *s;

	f->is_deferred = false;
	while ((s = TAILQ_FIRST(&f->due))) {
		TAILQ_REMOVE(&f->due, s, in_due);
		s->is_due = false;
		s->ready(s->ctx);
	}
}

static void make_due(struct follow_sub *s)
{
	struct follow *f = s->follow;

	if (s->is_dry && !s->is_due) {
		s->is_dry = false;
		s->is_due = true;
		TAILQ_INSERT_TAIL(&f->due, s, in_due);
	}
	if (!f->is_deferred && !TAILQ_EMPTY(&f->due)) {
		f->is_deferred = true;
		vy_loop_defer(f->loop, work_off, f);
	}
}

static void wake(struct followed *fd)
{
	struct follow_sub *s;

	TAILQ_FOREACH (s, &fd->subs, link) {
		make_due(s);
	}
}

static void drop_baselines(struct follow_sub *s)
{
	struct drawn *d;

	while ((d = STAILQ_FIRST(&s->drawn))) {
		STAILQ_REMOVE_HEAD(&s->drawn, link);
		free(d);
	}
}

static enum view_got close_with(struct follow_sub *s, int code)
{
	s->code = code;
	drop_baselines(s);
	return VIEW_CLOSED;
}

static void end_all(struct followed *fd, int code)
{
	struct follow_sub *s;

	TAILQ_FOREACH (s, &fd->subs, link) {
		if (!s->code) {
			close_with(s, code);
			make_due(s);
		}
	}
}

/* ---- what is committed ---- */

static struct followed *find(const struct follow *f, const char *session)
{
	struct followed *fd;

	HASH_FIND_STR(f->followed, session, fd);
	return fd;
}

/* The live ones begin again: what was open is void. */
static void begin_again(struct followed *fd)
{
	struct follow_sub *s;

	TAILQ_FOREACH (s, &fd->subs, link) {
		if (s->phase == FOLLOW_LIVE && s->wants_attempts) {
			s->phase = FOLLOW_OPENING;
			drop_baselines(s);
		}
	}
}

static void on_committed(void *ctx, const char *session, int64_t head)
{
	struct follow *f = ctx;
	struct followed *fd = find(f, session);
	struct vy_err e = { 0 };

	VY_CHECK(f, FOLLOW_MAGIC);
	if (!fd) {
		return;
	}
	if (head == 0) {
		end_all(fd, HUB_ACCESS_ENDED);
		return;
	}
	switch (follow_read(fd, &e)) {
	case FOLLOW_NOTHING: return;
	case FOLLOW_MORE: break;
	case FOLLOW_AGAIN: begin_again(fd); break;
	case FOLLOW_FAILED:
		vy_log(VY_LOG_ERROR, "follow.read", "session=%s err=%s", session, vy_log_q(e.text));
		end_all(fd, HUB_TRY_LATER);
		return;
	}
	wake(fd);
}

/* ---- items that are the view's own ---- */

static void write_open(struct follow_sub *s, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", VY_STR_LIT("follow.open"));
	vy_jw_kstr(&w, "epoch", vy_str_c(log_epoch(s->follow->log)));
	vy_jw_kint(&w, "head", s->of->seq);
	vy_jw_end_obj(&w);
}

static void write_reset(struct follow_sub *s, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", VY_STR_LIT("follow.reset"));
	vy_jw_kstr(&w, "reason", vy_str_c(s->reset));
	vy_jw_kint(&w, "head", s->of->seq);
	vy_jw_kstr(&w, "epoch", vy_str_c(log_epoch(s->follow->log)));
	vy_jw_end_obj(&w);
}

static void write_live(struct follow_sub *s, size_t attempts, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", VY_STR_LIT("follow.live"));
	vy_jw_kint(&w, "seq", s->given);
	if (s->wants_attempts) {
		vy_jw_kint(&w, "revision", attempts_revision(s->of->attempts));
		vy_jw_kint(&w, "attempts", (int64_t)attempts);
	}
	vy_jw_end_obj(&w);
}

/* ---- what comes next ---- */

static void add_drawn(void *ctx, struct vy_str json)
{
	struct follow_sub *s = ctx;
	struct drawn *d = vy_alloc(sizeof(*d) + json.n);

	d->n = json.n;
	memcpy(d->bytes, json.p, json.n);
	STAILQ_INSERT_TAIL(&s->drawn, d, link);
}

/* It has all events: the cut. */
static void join(struct follow_sub *s)
{
	const struct attempts_out out = { NULL, add_drawn, s };
	VY_AUTO_BUF live = VY_BUF_INIT(1024);
	size_t n = 0;

	s->phase = FOLLOW_LIVE;
	if (s->wants_attempts) {
		s->at = s->of->arrived;
		n = attempts_baselines(s->of->attempts, &out);
	}
	write_live(s, n, &live);
	add_drawn(s, vy_buf_str(&live));
}

static enum view_got fail(struct follow_sub *s, const struct vy_err *e)
{
	vy_log(VY_LOG_ERROR, "follow.event", "session=%s err=%s", s->of->session,
		vy_log_q(e->text));
	return close_with(s, HUB_TRY_LATER);
}

/* VIEW_EMPTY: it has all that there are. */
static enum view_got give_past(struct follow_sub *s, struct vy_buf *out)
{
	struct vy_err e = { 0 };
	int rc = s->seq < s->of->seq ? follow_event(s, s->of->seq, out, &e) : 0;

	return rc < 0 ? fail(s, &e) : rc > 0 ? VIEW_ITEM : VIEW_EMPTY;
}

static enum view_got give_drawn(struct follow_sub *s, struct vy_buf *out)
{
	struct drawn *d = STAILQ_FIRST(&s->drawn);

	STAILQ_REMOVE_HEAD(&s->drawn, link);
	vy_buf_add(out, d->bytes, d->n);
	free(d);
	return VIEW_ITEM;
}

/* The ring's next; what is an event already held is passed over. */
static enum view_got give_live(struct follow_sub *s, struct vy_buf *out)
{
	const struct followed *fd = s->of;

	while (s->at < fd->arrived) {
		const struct frame_ref *it = ring_get(&fd->ring, ++s->at);
		struct vy_str bytes = frame_ref_str(it);
		struct vy_err e = { 0 };
		long long seq;
		int rc;

		if (!vy_parse_i64(bytes, &seq)) {
			vy_buf_addstr(out, bytes);
			return VIEW_ITEM;
		}
		rc = seq > s->seq ? follow_event(s, seq, out, &e) : 0;
		s->at -= s->seq < seq; /* that was one before it */
		if (rc != 0) {
			return rc < 0 ? fail(s, &e) : VIEW_ITEM;
		}
	}
	return VIEW_EMPTY;
}

static bool is_off_the_ring(const struct follow_sub *s)
{
	int64_t first = ring_first(&s->of->ring);

	return s->at < s->of->arrived && (first == 0 || s->at < first - 1);
}

static enum view_got step(struct follow_sub *s, struct vy_buf *out)
{
	enum view_got got;

	if (s->phase == FOLLOW_LIVE && s->wants_attempts && is_off_the_ring(s)) {
		s->phase = FOLLOW_OPENING;
		drop_baselines(s);
	}
	if (s->phase == FOLLOW_OPENING) {
		s->phase = FOLLOW_PAST;
		write_open(s, out);
		return VIEW_ITEM;
	}
	if (s->phase == FOLLOW_PAST) {
		got = give_past(s, out);
		if (got != VIEW_EMPTY) {
			return got;
		}
		join(s);
	}
	if (!STAILQ_EMPTY(&s->drawn)) {
		return give_drawn(s, out);
	}
	return s->wants_attempts ? give_live(s, out) : give_past(s, out);
}

/* Every item begins with its type. */
static void note_name(struct follow_sub *s, struct vy_str item)
{
	struct vy_str type = vy_str_from(item, strlen("{\"type\":\""));
	const char *end = type.n ? memchr(type.p, '"', type.n) : NULL;

	snprintf(s->name, sizeof(s->name), "%.*s", end ? (int)(end - type.p) : 0, type.p);
}

enum view_got follow_next(struct follow_sub *s, struct vy_buf *out)
{
	size_t before = out->len;
	enum view_got got;

	VY_CHECK(s, SUB_MAGIC);
	s->is_dry = s->was_event = false;
	if (s->code) {
		return VIEW_CLOSED;
	}
	if (s->reset) {
		write_reset(s, out);
		close_with(s, HUB_DONE);
		got = VIEW_ITEM;
	} else {
		got = step(s, out);
		s->is_dry = got == VIEW_EMPTY;
	}
	note_name(s, vy_str_from(vy_buf_str(out), before));
	return got;
}

int follow_code(const struct follow_sub *s)
{
	return s->code;
}

/* ---- life ---- */

struct follow *follow_new(struct log *log, struct vy_loop *loop)
{
	struct follow *f = VY_NEW(struct follow);

	VY_MAGIC_SET(f, FOLLOW_MAGIC);
	f->log = log;
	f->loop = loop;
	TAILQ_INIT(&f->due);
	log_on_committed(log, on_committed, f);
	return f;
}

void follow_free(struct follow *f)
{
	if (!f) {
		return;
	}
	VY_CHECK(f, FOLLOW_MAGIC);
	vy_assert(f->followed == NULL);
	log_on_committed(f->log, NULL, f);
	vy_loop_forget(f->loop, work_off, f);
	VY_MAGIC_CLEAR(f);
	free(f);
}

static struct followed *followed_make(struct follow *f, const char *session, int64_t seq)
{
	struct followed *fd = find(f, session);

	if (!fd) {
		fd = VY_NEW(struct followed);
		fd->follow = f;
		fd->session = vy_strdup(session);
		fd->seq = seq;
		fd->events = log_events(f->log);
		TAILQ_INIT(&fd->subs);
		ring_init(&fd->ring, FOLLOW_ITEMS, FOLLOW_BYTES);
		HASH_ADD_KEYPTR(hh, f->followed, fd->session, strlen(fd->session), fd);
	}
	return fd;
}

static void leave(struct followed *fd, bool is_live)
{
	if (is_live && --fd->n_live == 0) {
		follow_forget(fd);
	}
	if (TAILQ_EMPTY(&fd->subs)) {
		HASH_DEL(fd->follow->followed, fd);
		ring_fini(&fd->ring);
		free(fd->session);
		free(fd);
	}
}

/* Is `from` of a history that is not this one? */
static const char *judge(const struct follow *f, const struct follow_open *o, int64_t head)
{
	if (o->epoch && *o->epoch && strcmp(o->epoch, log_epoch(f->log)) != 0) {
		return "epoch";
	}
	return o->from > head ? "ahead" : NULL;
}

struct follow_sub *follow_subscribe(struct follow *f, const struct follow_open *o, struct vy_err *e)
{
	struct follow_sub *s;
	struct followed *fd;
	int64_t head;

	VY_CHECK(f, FOLLOW_MAGIC);
	if (follow_head(f->log, &head, e) < 0) {
		return NULL;
	}
	fd = followed_make(f, o->session, head);
	if (o->attempts && fd->n_live++ == 0 && follow_rebuild(fd, e) < 0) {
		leave(fd, true);
		return NULL;
	}
	s = VY_NEW(struct follow_sub);
	VY_MAGIC_SET(s, SUB_MAGIC);
	s->follow = f;
	s->of = fd;
	s->wants_attempts = o->attempts;
	s->seq = s->given = o->from;
	s->reset = judge(f, o, head);
	s->ready = o->ready;
	s->ctx = o->ctx;
	s->is_dry = true;
	STAILQ_INIT(&s->drawn);
	TAILQ_INSERT_TAIL(&fd->subs, s, link);
	make_due(s);
	return s;
}

void follow_unsubscribe(struct follow_sub *s)
{
	struct followed *fd;

	if (!s) {
		return;
	}
	VY_CHECK(s, SUB_MAGIC);
	fd = s->of;
	if (s->is_due) {
		TAILQ_REMOVE(&s->follow->due, s, in_due);
	}
	TAILQ_REMOVE(&fd->subs, s, link);
	drop_baselines(s);
	leave(fd, s->wants_attempts);
	VY_MAGIC_CLEAR(s);
	free(s);
}

void follow_close(struct follow *f, const char *session, int code)
{
	struct followed *fd, *next;

	HASH_ITER (hh, f->followed, fd, next) {
		if (!session || strcmp(session, fd->session) == 0) {
			end_all(fd, code);
		}
	}
}

void follow_counts(const struct follow *f, struct follow_counts *out)
{
	*out = (struct follow_counts){ HASH_COUNT(f->followed), f->frames };
}

/* ---- as a view ---- */

static enum view_got next_of(void *sub, struct vy_buf *out)
{
	return follow_next(sub, out);
}

static int code_of(void *sub)
{
	return follow_code(sub);
}

static void close_of(void *sub)
{
	follow_unsubscribe(sub);
}

/* Its name is its type; an event is a place to go on behind. */
static void tag_of(void *sub, struct view_tag *out)
{
	const struct follow_sub *s = sub;

	out->event = s->name;
	if (s->was_event) {
		snprintf(out->id, sizeof(out->id), "%lld", (long long)s->given);
	}
}

const struct view_ops view_follow = {
	.method = "follow.event", .next = next_of, .code = code_of, .close = close_of, .tag = tag_of
};
