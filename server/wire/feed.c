/* feed.c -- see feed.h. */
#include "server/wire/feed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "shared/base/crash.h"
#include "shared/base/jw.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define FEED_MAGIC 0x66656564u

struct entry {
	struct feed *feed;
	char id[FEED_ID_MAX];
	uint64_t request; /* not answered yet; 0: it is */
	struct view view;
	bool has_more; /* it is not known to be dry */
	TAILQ_ENTRY(entry) link;
};
TAILQ_HEAD(entry_list, entry);

struct feed {
	VY_MAGIC;
	struct access *access;
	void (*wants_write)(void *ctx);
	void *ctx;
	unsigned n, named;
	struct entry_list few, many; /* control events; all else, in turn */
};

struct feed *feed_new(struct access *access, void (*wants_write)(void *ctx), void *ctx)
{
	struct feed *f = VY_NEW(struct feed);

	VY_MAGIC_SET(f, FEED_MAGIC);
	f->access = access;
	f->wants_write = wants_write;
	f->ctx = ctx;
	TAILQ_INIT(&f->few);
	TAILQ_INIT(&f->many);
	return f;
}

static struct entry_list *list_of(struct entry *en)
{
	return en->view.ops->is_urgent ? &en->feed->few : &en->feed->many;
}

static void drop(struct entry *en)
{
	TAILQ_REMOVE(list_of(en), en, link);
	en->feed->n--;
	view_close(&en->view);
	free(en);
}

void feed_free(struct feed *f)
{
	struct entry *en;

	if (!f) {
		return;
	}
	VY_CHECK(f, FEED_MAGIC);
	while ((en = TAILQ_FIRST(&f->few)) || (en = TAILQ_FIRST(&f->many))) {
		drop(en);
	}
	VY_MAGIC_CLEAR(f);
	free(f);
}

/* May end the connection, and so the feed. */
static void on_ready(void *ctx)
{
	struct entry *en = ctx;
	struct feed *f = en->feed;

	VY_CHECK(f, FEED_MAGIC);
	en->has_more = true;
	if (!en->request) {
		f->wants_write(f->ctx);
	}
}

int feed_open(struct feed *f, const struct feed_open *o, char id[FEED_ID_MAX], struct vy_err *e)
{
	struct entry *en;

	VY_CHECK(f, FEED_MAGIC);
	if (f->n >= FEED_MAX) {
		return vy_fail(
			e, VY_BUSY, "a connection may have %d subscriptions; end one", FEED_MAX);
	}
	en = VY_NEW(struct entry);
	en->feed = f;
	en->request = o->request;
	if (o->open(o->ctx, on_ready, en, &en->view, e) != 0) {
		free(en);
		return -1;
	}
	view_mind(&en->view, f->access, o->who, on_ready, en);
	snprintf(en->id, sizeof(en->id), "sub_%u", ++f->named);
	snprintf(id, FEED_ID_MAX, "%s", en->id);
	TAILQ_INSERT_TAIL(list_of(en), en, link);
	f->n++;
	return 0;
}

static struct entry *find(struct entry_list *list, struct vy_str id)
{
	struct entry *en;

	TAILQ_FOREACH (en, list, link) {
		if (vy_str_is(id, en->id)) {
			return en;
		}
	}
	return NULL;
}

bool feed_close(struct feed *f, struct vy_str id)
{
	struct entry *en = find(&f->few, id);

	en = en ? en : find(&f->many, id);
	if (en) {
		drop(en);
	}
	return en != NULL;
}

static bool let_go(struct entry_list *list, uint64_t request)
{
	struct entry *en;
	bool has_more = false;

	TAILQ_FOREACH (en, list, link) {
		if (en->request == request) {
			en->request = 0;
			has_more |= en->has_more;
		}
	}
	return has_more;
}

void feed_answered(struct feed *f, uint64_t request)
{
	bool few = let_go(&f->few, request), many = let_go(&f->many, request);

	if (few || many) {
		f->wants_write(f->ctx);
	}
}

static void end_access(struct entry_list *list)
{
	struct entry *en;

	TAILQ_FOREACH (en, list, link) {
		view_end_access(&en->view);
	}
}

void feed_end_access(struct feed *f)
{
	VY_CHECK(f, FEED_MAGIC);
	end_access(&f->few);
	end_access(&f->many);
}

/* ---- taking ---- */

static void head(struct vy_buf *out, const char *method, const struct entry *en)
{
	vy_buf_addf(out,
		"{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"subscription\":\"%s\",",
		method, en->id);
}

/* The item's own members follow the subscription's name. */
static void add_item(struct vy_buf *out, const struct entry *en, struct vy_str item)
{
	vy_assert(item.n > 2 && item.p[0] == '{');
	head(out, en->view.ops->method, en);
	vy_buf_addstr(out, vy_str_from(item, 1));
	vy_buf_addc(out, '}');
}

static bool take_from(struct entry *en, struct vy_buf *out)
{
	VY_AUTO_BUF item = VY_BUF_INIT(FEED_ITEM);

	switch (view_next(&en->view, &item)) {
	case VIEW_ITEM:
		add_item(out, en, vy_buf_str(&item));
		VY_CRASH(FEED_TAKEN);
		return true;
	case VIEW_EMPTY: en->has_more = false; return false;
	case VIEW_CLOSED:
	default: break;
	}
	head(out, "subscription.closed", en);
	vy_buf_addf(out, "\"code\":%d}}", view_code(&en->view));
	drop(en);
	return true;
}

static bool take(struct entry_list *list, struct vy_buf *out)
{
	struct entry *en, *next;

	for (en = TAILQ_FIRST(list); en; en = next) {
		next = TAILQ_NEXT(en, link);
		if (en->request || !en->has_more) {
			continue;
		}
		TAILQ_REMOVE(list, en, link); /* each in turn */
		TAILQ_INSERT_TAIL(list, en, link);
		if (take_from(en, out)) {
			return true;
		}
	}
	return false;
}

bool feed_take(struct feed *f, struct vy_buf *out)
{
	VY_CHECK(f, FEED_MAGIC);
	return take(&f->few, out) || take(&f->many, out);
}
