/* fence.c -- see fence.h. */
#include "server/log/fence.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void fence_forget(struct fence *f)
{
	for (unsigned i = 0; i < FENCE_STREAMS; i++) {
		f->known[i].sid = 0;
	}
}

void fence_begin(struct fence *f, unsigned version)
{
	if (version != f->version) {
		fence_forget(f);
	}
}

void fence_commit(struct fence *f, unsigned version)
{
	f->version = version;
}

static int place_of(const struct fence *f, struct vy_str session)
{
	for (int i = 0; i < FENCE_STREAMS; i++) {
		if (f->known[i].sid && vy_str_is(session, f->known[i].session)) {
			return i;
		}
	}
	return -1;
}

int64_t fence_find(const struct fence *f, struct vy_str session, int64_t head, const char *epoch)
{
	int i = place_of(f, session);

	return i >= 0 && f->known[i].head == head && strcmp(f->known[i].epoch, epoch) == 0
		       ? f->known[i].sid
		       : 0;
}

void fence_note(
	struct fence *f, struct vy_str session, int64_t sid, int64_t head, const char *epoch)
{
	int i = place_of(f, session);

	if (session.n >= FENCE_ID_MAX || strlen(epoch) > FENCE_EPOCH) {
		return;
	}
	if (i < 0) {
		i = (int)(f->next++ % FENCE_STREAMS);
		f->known[i].live[0] = '\0';
	}
	memcpy(f->known[i].session, session.p, session.n);
	f->known[i].session[session.n] = '\0';
	memcpy(f->known[i].epoch, epoch, strlen(epoch) + 1);
	f->known[i].sid = sid;
	f->known[i].head = head;
}

int64_t fence_live(const struct fence *f, struct vy_str session, struct vy_str hid)
{
	int i = place_of(f, session);

	return i >= 0 && hid.n > 0 && vy_str_is(hid, f->known[i].live) ? f->known[i].sid : 0;
}

void fence_note_live(struct fence *f, struct vy_str session, struct vy_str hid)
{
	int at = place_of(f, session);

	for (int i = 0; i < FENCE_STREAMS; i++) {
		if (i == at || vy_str_is(hid, f->known[i].live)) {
			f->known[i].live[0] = '\0';
		}
	}
	if (at >= 0 && hid.n < FENCE_ID_MAX) {
		memcpy(f->known[at].live, hid.p, hid.n);
		f->known[at].live[hid.n] = '\0';
	}
}
