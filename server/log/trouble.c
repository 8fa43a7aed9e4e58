/* trouble.c -- see trouble.h. */
#include "server/log/trouble.h"

#include <ctype.h>

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

/* ---- said ---- */

const char *trouble_reason(const struct trouble *t)
{
	switch ((int)t->why.code) {
	case VY_FULL: return "disk-full";
	case VY_IO: return "disk-failed";
	case VY_RETRY: return "storage-slow";
	case VY_CORRUPT: return "damaged";
	default: return "not-ours"; /* another writer, or a mistake of our own */
	}
}

/* What is so, then what it means. */
void trouble_note(const struct trouble *t, struct vy_buf *out)
{
	static const struct {
		const char *reason, *means;
	} meanings[] = {
		{ "disk-full", "Agents wait and lose nothing, questions and interrupts go on; all "
			       "goes on by itself when there is room" },
		{ "disk-failed", "Agents wait and lose nothing; it is tried again" },
		{ "storage-slow", "Agents wait and lose nothing" },
		{ "damaged", "What can be read is shown, nothing new is taken" },
		{ "not-ours", "What is there is shown, nothing new is taken: start vyred again" },
	};
	const char *reason = trouble_reason(t);

	vy_buf_addc(out, (char)toupper((unsigned char)t->why.text[0]));
	vy_buf_adds(out, t->why.text[0] ? t->why.text + 1 : "");
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		if (strcmp(meanings[i].reason, reason) == 0) {
			vy_buf_addf(out, ". %s.", meanings[i].means);
		}
	}
}
