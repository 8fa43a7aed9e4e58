/* outbox.c -- see outbox.h. The files are outbox_store.c's; here is what is said when, to whom. */
#include "tui/net/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tui/net/outbox_store.h"
#include "tui/net/rpc.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define RETRY_FIRST_MS 1000
#define RETRY_MAX_MS   15000
#define TROUBLE_MAX    4096
#define UPLOAD_MS      (10 * 60 * 1000) /* a picture over a slow line */
#define ENVELOPE       1024             /* of a call, beside what the person said */

/* The server remembers a key for a day; a little less, for clocks are not one clock. */
#define KEY_SAFE_MS (VY_KEY_LIFE_MS - 3600 * 1000)

struct entry {
	VY_MAGIC;
	struct outbox *box;
	struct vy_json *doc; /* as on disk */
	char id[VY_UUID_LEN + 1];
	enum outbox_state state;
	bool was_tried; /* perhaps by a former client: the server may have it */
	bool is_old;    /* refused for its age: holds nobody back */
	bool is_news;   /* and `changed` has not told it yet */
	struct vy_err why;
	struct rpc_call *call; /* of SENDING */
	struct vy_json *refs;  /* of the uploads that arrived: [{ref}]; NULL: none yet */
};

struct outbox {
	struct outbox_store *store;
	const struct vy_clock *clock;
	char *target;
	struct outbox_events ev;
	void *ctx;
	struct entry **v; /* oldest first */
	size_t n, cap;
	int64_t order;
	struct rpc *rpc;        /* NULL while held */
	struct vy_timer *timer; /* the next try */
	int64_t retry_ms;
	struct vy_buf trouble;
};

#define ENTRY_MAGIC 0x6f757462u

static struct vy_str session_of(const struct entry *t)
{
	return vy_json_str(t->doc, "session");
}

static const char *mode_of(const struct entry *t)
{
	struct vy_str mode = vy_json_str(t->doc, "mode");

	return vy_str_is(mode, "queue") ? "queue" : vy_str_is(mode, "now") ? "now" : "steer";
}

/* ---- the list ---- */

static struct entry *entry_new(struct outbox *o, const char *id, struct vy_json *own_doc)
{
	struct entry *t = VY_NEW(struct entry);

	VY_MAGIC_SET(t, ENTRY_MAGIC);
	t->box = o;
	t->doc = own_doc;
	snprintf(t->id, sizeof(t->id), "%s", id);
	o->v = vy_grow(o->v, &o->cap, o->n + 1, sizeof(struct entry *));
	o->v[o->n++] = t;
	return t;
}

static void entry_free(struct entry *t)
{
	rpc_cancel(t->call);
	vy_json_free(t->refs);
	vy_json_free(t->doc);
	VY_MAGIC_CLEAR(t);
	free(t);
}

/* o->n when there is none. */
static size_t find(const struct outbox *o, struct vy_str id)
{
	size_t i = 0;

	while (i < o->n && !vy_str_is(id, o->v[i]->id)) {
		i++;
	}
	return i;
}

static bool take_out(struct outbox *o, size_t i)
{
	if (i >= o->n) {
		return false;
	}
	outbox_store_del(o->store, o->v[i]->id);
	entry_free(o->v[i]);
	memmove(&o->v[i], &o->v[i + 1], (o->n - i - 1) * sizeof(struct entry *));
	o->n--;
	return true;
}

/* ---- sending ---- */

/* The server may have forgotten the key: once more could be twice. */
static bool grew_old(const struct entry *t)
{
	return t->was_tried &&
	       vy_wall_ms(t->box->clock) - vy_json_int(t->doc, "made", 0) > KEY_SAFE_MS;
}

static void refuse_old(struct entry *t)
{
	t->state = OUTBOX_REFUSED;
	t->is_old = true;
	vy_fail(&t->why, VY_GONE,
		_("written more than a day ago, and nobody can tell whether it was sent"));
}

static void changed(struct outbox *o, struct vy_str session)
{
	char id[VY_UUID_LEN + 1];

	snprintf(id, sizeof(id), "%.*s", VY_STR_ARG(session));
	if (o->ev.changed) {
		o->ev.changed(o->ctx, id);
	}
}

static bool is_final(enum vy_code code)
{
	return code != VY_RETRY && code != VY_BUSY;
}

static void pump(struct outbox *o);

static void forget_uploads(struct entry *t)
{
	vy_json_free(t->refs);
	t->refs = NULL;
}

/* The entry was sent, or something on the way to it failed. */
static void settle(struct entry *t, const struct vy_err *e)
{
	struct outbox *o = t->box;

	t->why = *e;
	forget_uploads(t);
	if (e->code == VY_OK) {
		t->state = OUTBOX_TAKEN;
		outbox_store_del(o->store, t->id);
		o->retry_ms = RETRY_FIRST_MS;
	} else if (is_final(e->code)) {
		t->state = OUTBOX_REFUSED;
	} else {
		t->state = OUTBOX_WAITING;
		vy_timer_set(o->timer, o->retry_ms);
		o->retry_ms = o->retry_ms * 2 < RETRY_MAX_MS ? o->retry_ms * 2 : RETRY_MAX_MS;
	}
	bool goes_on = t->state != OUTBOX_WAITING;
	char id[VY_UUID_LEN + 1];

	snprintf(id, sizeof(id), "%.*s", VY_STR_ARG(session_of(t)));
	changed(o, vy_str_c(id)); /* may drop the entry */
	if (goes_on) {
		pump(o);
	}
}

static void on_sent(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct entry *t = ctx;

	(void)result;
	VY_CHECK(t, ENTRY_MAGIC);
	t->call = NULL;
	settle(t, e);
}

static struct vy_json *params_of(const struct entry *t)
{
	struct vy_json *params = vy_json_new_obj();
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (vy_json_get(t->doc, "extra"), key, value) {
		vy_json_set(params, key, value);
	}
	vy_json_set(params, "session", vy_json_get(t->doc, "session"));
	vy_json_set(params, "text", vy_json_get(t->doc, "text"));
	vy_json_set_c(params, "mode", mode_of(t));
	if (t->refs) {
		vy_json_set(params, "images", t->refs);
	}
	return params;
}

static void send_next(struct entry *t);

static void on_put(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct entry *t = ctx;
	struct vy_json *image;

	VY_CHECK(t, ENTRY_MAGIC);
	t->call = NULL;
	if (e->code != VY_OK) {
		settle(t, e);
		return;
	}
	image = vy_json_new_obj();
	vy_json_set(image, "ref", vy_json_get(result, "ref"));
	vy_json_add_take(t->refs, image);
	send_next(t);
}

static struct vy_json *put_params(const struct entry *t, const struct vy_json *upload)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set(params, "session", vy_json_get(t->doc, "session"));
	vy_json_set(params, "mime", vy_json_get(upload, "mime"));
	vy_json_set(params, "b64", vy_json_get(upload, "b64"));
	return params;
}

/* First its pictures, one by one, then the message that names them. */
static void send_next(struct entry *t)
{
	const struct vy_json *uploads = vy_json_get(t->doc, "uploads");
	size_t done = vy_json_len(t->refs);

	if (done < vy_json_len(uploads)) {
		char seed[VY_UUID_LEN + 32], key[VY_UUID_LEN + 1];

		t->refs = t->refs ? t->refs : vy_json_new_arr();
		snprintf(seed, sizeof(seed), "%s/%zu", t->id, done);
		vy_uuid_of(vy_str_c(seed), key);
		t->call = rpc_call(t->box->rpc, "files.put",
			put_params(t, vy_json_at(uploads, done)), key, UPLOAD_MS, on_put, t);
	} else {
		t->call = rpc_call(t->box->rpc, "threads.send", params_of(t), t->id, 0, on_sent, t);
	}
}

/* Is it its turn? Nothing said before it to the same session is still on its way. */
static bool may_go(const struct outbox *o, size_t at)
{
	if (o->v[at]->state != OUTBOX_WAITING) {
		return false;
	}
	for (size_t i = 0; i < at; i++) {
		if (o->v[i]->state != OUTBOX_TAKEN && !o->v[i]->is_old &&
			vy_str_eq(session_of(o->v[i]), session_of(o->v[at]))) {
			return false;
		}
	}
	return true;
}

static void pump(struct outbox *o)
{
	for (size_t i = 0; o->rpc && i < o->n; i++) {
		struct entry *t = o->v[i];

		if (!may_go(o, i)) {
			continue;
		}
		if (grew_old(t)) {
			refuse_old(t);
			t->is_news = true;
			vy_timer_set(o->timer, 0);
			continue;
		}
		t->state = OUTBOX_SENDING;
		t->was_tried = true;
		send_next(t);
	}
}

static void on_timer(void *ctx)
{
	struct outbox *o = ctx;

	for (size_t i = 0; i < o->n; i++) {
		if (o->v[i]->is_news) {
			o->v[i]->is_news = false;
			changed(o, session_of(o->v[i]));
			i = (size_t)-1; /* the listener may have changed the list */
		}
	}
	pump(o);
}

void outbox_flush(struct outbox *o, struct rpc *rpc)
{
	o->rpc = rpc;
	pump(o);
}

void outbox_hold(struct outbox *o)
{
	o->rpc = NULL;
	o->retry_ms = RETRY_FIRST_MS;
	for (size_t i = 0; i < o->n; i++) {
		if (o->v[i]->state == OUTBOX_SENDING) {
			rpc_cancel(o->v[i]->call);
			o->v[i]->call = NULL;
			o->v[i]->state = OUTBOX_WAITING;
			forget_uploads(o->v[i]);
		}
	}
}

/* ---- life ---- */

static bool take_left(void *ctx, const char *id, const struct vy_json *doc)
{
	struct outbox *o = ctx;

	if (!vy_str_is(vy_json_str(doc, "box"), o->target) || find(o, vy_str_c(id)) < o->n) {
		return false;
	}
	struct entry *t = entry_new(o, id, vy_json_copy(doc));

	t->was_tried = true;
	if (grew_old(t)) {
		refuse_old(t);
	}
	return true;
}

static int by_age(const void *a, const void *b)
{
	const struct vy_json *x = (*(struct entry *const *)a)->doc;
	const struct vy_json *y = (*(struct entry *const *)b)->doc;
	int64_t d = vy_json_int(x, "made", 0) - vy_json_int(y, "made", 0);

	if (d == 0) {
		d = vy_json_int(x, "order", 0) - vy_json_int(y, "order", 0);
	}
	return d < 0 ? -1 : d > 0;
}

struct outbox *outbox_new(struct vy_loop *l, const struct vy_clock *clock, const char *dir,
	const char *box, const struct outbox_events *ev, void *ctx, struct vy_err *e)
{
	struct outbox_store *store = outbox_store_open(dir, e);

	if (!store) {
		return NULL;
	}
	struct outbox *o = VY_NEW(struct outbox);

	o->store = store;
	o->clock = clock;
	o->target = vy_strdup(box);
	o->ev = *ev;
	o->ctx = ctx;
	o->timer = vy_loop_timer(l, on_timer, o);
	o->retry_ms = RETRY_FIRST_MS;
	vy_buf_init(&o->trouble, TROUBLE_MAX);
	outbox_store_adopt(store, take_left, o, &o->trouble);
	if (o->n) {
		qsort(o->v, o->n, sizeof(struct entry *), by_age);
	}
	return o;
}

void outbox_free(struct outbox *o)
{
	if (!o) {
		return;
	}
	for (size_t i = 0; i < o->n; i++) {
		entry_free(o->v[i]);
	}
	free(o->v);
	vy_timer_del(o->timer);
	outbox_store_close(o->store);
	vy_buf_fini(&o->trouble);
	free(o->target);
	free(o);
}

const char *outbox_trouble(const struct outbox *o)
{
	return o->trouble.len ? vy_buf_c(&o->trouble) : NULL;
}

/* ---- entries ---- */

static size_t upload_bytes(const struct vy_json *uploads)
{
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(uploads); i++) {
		n += vy_json_str(vy_json_at(uploads, i), "b64").n;
	}
	return n;
}

/* Before the pictures are in it: they go by themselves. */
static int check_size(const struct vy_json *doc, struct vy_str text, const struct vy_json *uploads,
	struct vy_err *e)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(VY_RPC_BODY_MAX - ENVELOPE);

	if (text.n > VY_SEND_TEXT_MAX) {
		return vy_fail(e, VY_FULL, _("a message may have 8 MiB, this one has %.1f"),
			(double)text.n / VY_MIB);
	}
	if (!vy_json_dump(doc, &whole)) {
		return vy_fail(e, VY_FULL, _("this message is too long to be sent"));
	}
	if (upload_bytes(uploads) > OUTBOX_UPLOADS_MAX) {
		return vy_fail(e, VY_FULL, _("these pictures are too large for one message"));
	}
	return 0;
}

int outbox_add(struct outbox *o, const char *session, struct vy_str text, const char *mode,
	const struct outbox_with *with, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	struct vy_json *doc = vy_json_new_obj(), *uploads = with ? with->uploads : NULL;

	if (with && with->id) {
		snprintf(id, VY_UUID_LEN + 1, "%s", with->id);
	} else {
		vy_uuid(id);
	}
	vy_json_set_c(doc, "id", id);
	vy_json_set_c(doc, "box", o->target);
	vy_json_set_c(doc, "session", session);
	vy_json_set_c(doc, "mode", mode);
	vy_json_set_str(doc, "text", text);
	vy_json_set_int(doc, "made", vy_wall_ms(o->clock));
	vy_json_set_int(doc, "order", o->order++);
	vy_json_take(doc, "extra", with ? with->extra : NULL);
	int rc = check_size(doc, text, uploads, e);

	vy_json_take(doc, "uploads", uploads);
	if (rc != 0 || outbox_store_put(o->store, id, doc, e) != 0) {
		vy_json_free(doc);
		return -1;
	}
	entry_new(o, id, doc);
	return 0;
}

bool outbox_seen(struct outbox *o, struct vy_str message)
{
	size_t i = find(o, message);
	char session[VY_UUID_LEN + 1];

	if (i >= o->n) {
		return false;
	}
	snprintf(session, sizeof(session), "%.*s", VY_STR_ARG(session_of(o->v[i])));
	take_out(o, i);
	pump(o); /* the answer to a call need not come before the frame */
	return true;
}

bool outbox_drop(struct outbox *o, const char *id)
{
	bool was_there = take_out(o, find(o, vy_str_c(id)));

	pump(o);
	return was_there;
}

size_t outbox_count(const struct outbox *o, const char *session)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		n += !session || vy_str_is(session_of(o->v[i]), session);
	}
	return n;
}

bool outbox_get(const struct outbox *o, const char *session, size_t i, struct outbox_entry *out)
{
	for (size_t k = 0; k < o->n; k++) {
		const struct entry *t = o->v[k];

		if ((session && !vy_str_is(session_of(t), session)) || i-- > 0) {
			continue;
		}
		*out = (struct outbox_entry){
			.mode = mode_of(t),
			.text = vy_json_str(t->doc, "text"),
			.made_ms = vy_json_int(t->doc, "made", 0),
			.state = t->state,
			.why = t->why,
		};
		memcpy(out->id, t->id, sizeof(out->id));
		snprintf(out->session, sizeof(out->session), "%.*s", VY_STR_ARG(session_of(t)));
		return true;
	}
	return false;
}
