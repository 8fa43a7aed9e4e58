/* trouble.c -- see trouble.h. */
#include "server/log/trouble.h"

#include "shared/base/ban.h"

static bool tell(struct trouble *t, enum vy_code code, const char *prefix, const struct vy_err *e)
{
	bool is_news = t->why.code != code;

	vy_fail(&t->why, code, "%s%s", prefix, e->text);
	return is_news;
}

bool trouble_failed(struct trouble *t, const struct vy_err *e, int64_t now_ms)
{
	int64_t most = e->code == VY_RETRY ? TROUBLE_RETRY_BUSY_MS : TROUBLE_RETRY_MAX_MS;
	bool is_news = false;

	if (t->retry_ms == 0) {
		t->since = now_ms;
	}
	switch ((int)e->code) {
	case VY_RETRY:
		if (now_ms - t->since >= TROUBLE_SLOW_MS) {
			is_news = tell(t, VY_RETRY, "the storage is slow: ", e);
		}
		break;
	case VY_FULL:
	case VY_IO: is_news = tell(t, e->code, "", e); break;
	default:
		t->is_broken = true;
		t->retry_ms = 0;
		return tell(t, e->code, "", e);
	}
	t->retry_ms = t->retry_ms ? t->retry_ms * 2 : TROUBLE_RETRY_MIN_MS;
	if (t->retry_ms > most) {
		t->retry_ms = most;
	}
	return is_news;
}

bool trouble_end(struct trouble *t)
{
	bool was = t->why.code != VY_OK;

	vy_err_clear(&t->why);
	return was;
}

bool trouble_passed(struct trouble *t)
{
	t->retry_ms = 0;
	return t->why.code != VY_FULL && trouble_end(t);
}
