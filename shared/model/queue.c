/* queue.c -- see queue.h. */
#include "shared/model/queue.h"

#include "shared/base/mem.h"
#include "shared/model/members.h"
#include "shared/base/ban.h"

static const char *const mode_words[] = {
	[VY_SEND_STEER] = "steer",
	[VY_SEND_QUEUE] = "queue",
	[VY_SEND_NOW] = "now",
};

static const char *const state_words[] = {
	[VY_ITEM_WAITING] = "waiting",
	[VY_ITEM_TOLD] = "told",
};

static const struct vy_member members[] = {
	VY_MEMBER_STR(struct vy_queue_item, message, "message"),
	VY_MEMBER_STR(struct vy_queue_item, text, "text"),
	VY_MEMBER_JSON(struct vy_queue_item, images, "images"),
	VY_MEMBER_STR(struct vy_queue_item, author, "author"),
	VY_MEMBER_STR(struct vy_queue_item, surface, "surface"),
	VY_MEMBER_STR(struct vy_queue_item, reply_to, "reply_to"),
	VY_MEMBER_STR(struct vy_queue_item, parent, "parent"),
	VY_MEMBER_ENUM(struct vy_queue_item, mode, "mode", mode_words),
	VY_MEMBER_ENUM(struct vy_queue_item, state, "state", state_words),
	VY_MEMBER_INT(struct vy_queue_item, queued_at, "queued_at", 0),
	VY_MEMBER_INT(struct vy_queue_item, tells, "tells", 0),
	VY_MEMBER_BOOL(struct vy_queue_item, edited, "edited"),
	VY_MEMBER_BOOL(struct vy_queue_item, urgent, "urgent"),
};

/* ---- the value ---- */

static struct vy_str keep(struct vy_str s)
{
	return s.n ? vy_str_n(vy_memdup0(s.p, s.n), s.n) : vy_str_n(NULL, 0);
}

static void drop(struct vy_str *s)
{
	free((char *)(uintptr_t)s->p);
	*s = vy_str_n(NULL, 0);
}

static void item_fini(struct vy_queue_item *it)
{
	drop(&it->message);
	drop(&it->text);
	drop(&it->images);
	drop(&it->author);
	drop(&it->surface);
	drop(&it->reply_to);
	drop(&it->parent);
}

void vy_queue_init(struct vy_queue *q)
{
	*q = (struct vy_queue){ 0 };
}

void vy_queue_fini(struct vy_queue *q)
{
	for (size_t i = 0; i < q->n; i++) {
		item_fini(&q->items[i]);
	}
	for (size_t i = 0; i < VY_COUNT(q->gone); i++) {
		free(q->gone[i]);
	}
	free(q->items);
	vy_queue_init(q);
}

static struct vy_queue_item *find(const struct vy_queue *q, struct vy_str message)
{
	for (size_t i = 0; i < q->n; i++) {
		if (vy_str_eq(q->items[i].message, message)) {
			return &q->items[i];
		}
	}
	return NULL;
}

const struct vy_queue_item *vy_queue_find(const struct vy_queue *q, struct vy_str message)
{
	return find(q, message);
}

size_t vy_queue_waiting(const struct vy_queue *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		n += q->items[i].state == VY_ITEM_WAITING;
	}
	return n;
}

size_t vy_queue_bytes(const struct vy_queue *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		n += q->items[i].text.n;
	}
	return n;
}

static bool is_gone(const struct vy_queue *q, struct vy_str message)
{
	for (size_t i = 0; i < VY_COUNT(q->gone); i++) {
		if (q->gone[i] && vy_str_is(message, q->gone[i])) {
			return true;
		}
	}
	return false;
}

static void remember(struct vy_queue *q, struct vy_str message)
{
	char **at = &q->gone[q->ngone++ % VY_COUNT(q->gone)];

	free(*at);
	*at = vy_memdup0(message.p, message.n);
}

static void insert(struct vy_queue *q, size_t at, struct vy_queue_item it)
{
	q->items = vy_grow(q->items, &q->cap, q->n + 1, sizeof(*q->items));
	memmove(&q->items[at + 1], &q->items[at], (q->n - at) * sizeof(*q->items));
	q->items[at] = it;
	q->n++;
}

/* Out of the array; its strings are the caller's then. */
static struct vy_queue_item cut_out(struct vy_queue *q, const struct vy_queue_item *it)
{
	size_t at = (size_t)(it - q->items);
	struct vy_queue_item out = *it;

	memmove(&q->items[at], &q->items[at + 1], (q->n - at - 1) * sizeof(*q->items));
	q->n--;
	return out;
}

static void leave(struct vy_queue *q, struct vy_queue_item *it)
{
	struct vy_queue_item out = cut_out(q, it);

	remember(q, out.message);
	item_fini(&out);
}

const char *vy_send_mode_word(enum vy_send_mode m)
{
	return mode_words[m];
}

bool vy_send_mode_parse(struct vy_str word, enum vy_send_mode *out)
{
	int m = vy_word_index(mode_words, VY_COUNT(mode_words), word);

	if (m >= 0) {
		*out = (enum vy_send_mode)m;
	}
	return m >= 0;
}

/* ---- people's acts ---- */

static struct vy_queue_item copy_of(const struct vy_queue_item *it)
{
	struct vy_queue_item own = *it;

	own.message = keep(it->message);
	own.text = keep(it->text);
	own.images = keep(it->images);
	own.author = keep(it->author);
	own.surface = keep(it->surface);
	own.reply_to = keep(it->reply_to);
	own.parent = keep(it->parent);
	return own;
}

static int add(struct vy_queue *q, const struct vy_queue_item *it, size_t most, struct vy_err *e)
{
	if (it->message.n == 0 || it->message.n > VY_ID_MAX) {
		return vy_fail(
			e, VY_BAD_INPUT, "a message needs an id of 1 to %d bytes", VY_ID_MAX);
	}
	if (find(q, it->message) || is_gone(q, it->message)) {
		return vy_fail(e, VY_CONFLICT, "that message was sent before");
	}
	if (q->n >= most) {
		return vy_fail(e, VY_FULL,
			"%d messages are waiting: take one back or let some go first",
			VY_QUEUE_MAX);
	}
	struct vy_queue_item own = copy_of(it);

	own.urgent = it->urgent || it->mode == VY_SEND_NOW;
	insert(q, q->n, own);
	return 0;
}

int vy_queue_add(struct vy_queue *q, const struct vy_queue_item *it, struct vy_err *e)
{
	return add(q, it, VY_QUEUE_MAX, e);
}

/* The item when it still waits. */
static struct vy_queue_item *need_waiting(
	const struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = find(q, message);

	if (it && it->state == VY_ITEM_WAITING) {
		return it;
	}
	if (it || is_gone(q, message)) {
		(void)vy_fail(e, VY_CONFLICT,
			"that message is no longer waiting: say anew what is to change");
	} else {
		(void)vy_fail(e, VY_NOT_FOUND, "no such message is waiting");
	}
	return NULL;
}

int vy_queue_edit(struct vy_queue *q, struct vy_str message, struct vy_str text, struct vy_err *e)
{
	struct vy_queue_item *it = need_waiting(q, message, e);

	if (!it) {
		return -1;
	}
	struct vy_str own = keep(text);

	drop(&it->text);
	it->text = own;
	it->edited = true;
	return 0;
}

int vy_queue_unqueue(struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = need_waiting(q, message, e);

	if (!it) {
		return -1;
	}
	leave(q, it);
	return 0;
}

int vy_queue_move(struct vy_queue *q, struct vy_str message, struct vy_str before, struct vy_err *e)
{
	struct vy_queue_item *it = need_waiting(q, message, e);

	if (!it) {
		return -1;
	}
	if (before.n && !need_waiting(q, before, e)) {
		return vy_wrap(e, "params.before");
	}
	if (vy_str_eq(message, before)) {
		return 0;
	}
	struct vy_queue_item moved = cut_out(q, it);
	size_t at = before.n ? (size_t)(find(q, before) - q->items) : q->n;

	insert(q, at, moved);
	return 0;
}

int vy_queue_send_now(struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = need_waiting(q, message, e);

	if (!it) {
		return -1;
	}
	it->urgent = true;
	return 0;
}

void vy_queue_hold(struct vy_queue *q)
{
	q->held = true;
}

void vy_queue_calm(struct vy_queue *q)
{
	for (size_t i = 0; i < q->n; i++) {
		q->items[i].urgent = false;
	}
}

void vy_queue_release(struct vy_queue *q)
{
	q->held = false;
}

/* ---- the agent's acts ---- */

static bool may_go(const struct vy_queue *q, const struct vy_queue_item *it, bool busy)
{
	if (it->state != VY_ITEM_WAITING) {
		return false;
	}
	return it->urgent || (!q->held && (!busy || it->mode == VY_SEND_STEER));
}

const struct vy_queue_item *vy_queue_next(const struct vy_queue *q, bool busy)
{
	const struct vy_queue_item *next = NULL;

	for (size_t i = 0; i < q->n; i++) {
		const struct vy_queue_item *it = &q->items[i];

		if (!busy && it->state == VY_ITEM_TOLD) {
			return NULL; /* one turn at a time: what it was told begins the next */
		}
		if (may_go(q, it, busy) && (!next || (it->urgent && !next->urgent))) {
			next = it;
		}
	}
	return next;
}

/* The item in any state; a final one is a conflict. */
static struct vy_queue_item *need(const struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = find(q, message);

	if (it) {
		return it;
	}
	if (is_gone(q, message)) {
		(void)vy_fail(e, VY_CONFLICT, "that message left the queue before");
	} else {
		(void)vy_fail(e, VY_NOT_FOUND, "no such message in the queue");
	}
	return NULL;
}

int vy_queue_told(struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = need(q, message, e);

	if (!it) {
		return -1;
	}
	if (it->state == VY_ITEM_WAITING) {
		it->state = VY_ITEM_TOLD;
		it->tells++;
	}
	return 0;
}

int vy_queue_taken(struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = need(q, message, e);

	if (!it) {
		return -1;
	}
	leave(q, it);
	return 0;
}

int vy_queue_came_back(struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	struct vy_queue_item *it = need(q, message, e);

	if (!it) {
		return -1;
	}
	it->state = VY_ITEM_WAITING;
	it->urgent = false; /* it waits for a key like the others */
	return 0;
}

int vy_queue_cancelled(struct vy_queue *q, struct vy_str message, struct vy_err *e)
{
	return vy_queue_taken(q, message, e);
}

static void forget(struct vy_queue *q, struct vy_str message)
{
	for (size_t i = 0; i < VY_COUNT(q->gone); i++) {
		if (q->gone[i] && vy_str_is(message, q->gone[i])) {
			free(q->gone[i]);
			q->gone[i] = NULL;
		}
	}
}

int vy_queue_untaken(
	struct vy_queue *q, const struct vy_queue_item *it, size_t at, struct vy_err *e)
{
	if (find(q, it->message)) {
		return vy_fail(e, VY_CONFLICT, "that message is waiting");
	}
	if (q->n >= VY_QUEUE_BACK_MAX) {
		return vy_fail(e, VY_FULL, "too many messages are waiting");
	}
	struct vy_queue_item own = copy_of(it);

	own.state = VY_ITEM_WAITING;
	own.urgent = false;
	forget(q, it->message);
	insert(q, at < q->n ? at : q->n, own);
	return 0;
}

size_t vy_queue_all_came_back(struct vy_queue *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++) {
		if (q->items[i].state == VY_ITEM_TOLD) {
			q->items[i].state = VY_ITEM_WAITING;
			q->items[i].urgent = false;
			n++;
		}
	}
	return n;
}

/* ---- as JSON ---- */

void vy_queue_encode(const struct vy_queue *q, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kbool(w, "held", q->held);
	vy_jw_key(w, "items");
	vy_jw_arr(w);
	for (size_t i = 0; i < q->n; i++) {
		vy_jw_obj(w);
		vy_members_write(members, VY_COUNT(members), &q->items[i], w);
		vy_jw_end_obj(w);
	}
	vy_jw_end_arr(w);
	vy_jw_key(w, "gone"); /* oldest first, so that the ring goes on where it was */
	vy_jw_arr(w);
	for (size_t i = 0; i < VY_COUNT(q->gone); i++) {
		const char *id = q->gone[(q->ngone + i) % VY_COUNT(q->gone)];

		if (id) {
			vy_jw_str(w, vy_str_c(id));
		}
	}
	vy_jw_end_arr(w);
	vy_jw_end_obj(w);
}

int vy_queue_decode(struct vy_queue *q, const struct vy_json *v, struct vy_err *e)
{
	const struct vy_json *items = vy_json_get(v, "items"), *gone = vy_json_get(v, "gone");
	struct vy_arena a;
	int answer = 0;

	vy_queue_init(q);
	vy_arena_init(&a);
	q->held = vy_json_bool(v, "held", false);
	for (size_t i = 0; i < vy_json_len(items) && answer == 0; i++) {
		struct vy_queue_item it;

		vy_members_read(members, VY_COUNT(members), vy_json_at(items, i), &a, &it);
		bool urgent =
			it.urgent; /* adding takes it from the mode; here it is as it was left */

		answer = add(q, &it, VY_QUEUE_BACK_MAX, e);
		if (answer == 0) {
			q->items[q->n - 1].urgent = urgent;
		}
	}
	for (size_t i = 0; i < vy_json_len(gone); i++) {
		remember(q, vy_json_strval(vy_json_at(gone, i)));
	}
	vy_arena_fini(&a);
	if (answer < 0) {
		vy_queue_fini(q);
		return vy_wrap(e, "a stored queue");
	}
	return 0;
}
