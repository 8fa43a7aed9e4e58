/* seen.c -- see seen.h. */
#include "tui/app/seen.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct seen_one {
	char *session;
	int64_t messages;
	UT_hash_handle hh;
};

void seen_init(struct seen *s)
{
	*s = (struct seen){ 0 };
}

static void drop(struct seen *s, struct seen_one *one)
{
	HASH_DEL(s->all, one);
	free(one->session);
	free(one);
	s->n--;
}

void seen_fini(struct seen *s)
{
	struct seen_one *one, *next;

	HASH_ITER (hh, s->all, one, next) {
		drop(s, one);
	}
}

static struct seen_one *find(const struct seen *s, const char *session)
{
	struct seen_one *one = NULL;

	HASH_FIND_STR(s->all, session, one);
	return one;
}

int64_t seen_get(const struct seen *s, const char *session)
{
	const struct seen_one *one = find(s, session);

	return one ? one->messages : 0;
}

/* False: that much was known. */
static bool put(struct seen *s, const char *session, int64_t messages)
{
	struct seen_one *one = find(s, session);

	if (messages <= (one ? one->messages : 0)) {
		return false;
	}
	if (one) {
		drop(s, one); /* to the end */
	} else if (s->n == SEEN_MAX) {
		drop(s, s->all);
	}
	one = VY_NEW(struct seen_one);
	one->session = vy_strdup(session);
	one->messages = messages;
	HASH_ADD_KEYPTR(hh, s->all, one->session, strlen(one->session), one);
	s->n++;
	return true;
}

void seen_set(struct seen *s, const char *session, int64_t messages)
{
	s->rev += put(s, session, messages);
}

struct vy_json *seen_pack(const struct seen *s)
{
	struct vy_json *o = vy_json_new_obj();

	for (const struct seen_one *one = s->all; one; one = one->hh.next) {
		vy_json_set_int(o, one->session, one->messages);
	}
	return o;
}

void seen_merge(struct seen *s, const struct vy_json *packed)
{
	const char *session;
	struct vy_json *messages;

	VY_JSON_EACH (packed, session, messages) {
		put(s, session, vy_json_intval(messages, 0));
	}
}
