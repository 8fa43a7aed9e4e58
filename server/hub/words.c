/* words.c -- see words.h. */
#include "server/hub/words.h"

#include "server/log/history.h"
#include "server/log/log.h"
#include "shared/model/settle.h"
#include "shared/base/ban.h"

struct reading {
	struct words *to;
	struct vy_str message;
};

const char *channel_word(enum channel c)
{
	return c == CHANNEL_REASONING ? "reasoning" : "text";
}

const char *words_between(const struct channel_at *at, int64_t block)
{
	return at->n > 0 && at->block != block ? HISTORY_BETWEEN : "";
}

static void add_block(struct words *w, const struct vy_settled_block *b)
{
	enum channel c = b->is_reasoning ? CHANNEL_REASONING : CHANNEL_TEXT;
	struct channel_at *at = &w->at[c];

	vy_buf_adds(&w->text[c], w->text[c].len ? HISTORY_BETWEEN : NULL);
	vy_buf_addstr(&w->text[c], b->text);
	if (w->held[c] > at->n) {
		w->held_block[c] = b->index;
	}
	at->n += (int64_t)b->n;
	at->block = b->index;
}

static void add(void *ctx, const struct vy_settlement *s)
{
	struct reading *r = ctx;

	if (!vy_str_eq(s->message, r->message)) {
		return;
	}
	for (size_t i = 0; i < s->n_blocks; i++) {
		add_block(r->to, &s->blocks[i]);
	}
	r->to->until = s->to;
}

int words_read(struct log *l, const char *session, const struct vy_message *m, struct words *out,
	struct vy_err *e)
{
	struct reading r = { out, m->message };

	for (int c = 0; c < CHANNELS; c++) {
		vy_buf_init(&out->text[c], WORDS_MOST);
	}
	if (history_settled(l, m, add, &r, e) < 0) {
		return -1;
	}
	if (m->state == VY_MESSAGE_STREAMING) {
		if (!out->is_ahead_too && log_staged(l, session) != log_head(l, session)) {
			return vy_fail(e, VY_RETRY, "%s", "frames wait to be stored");
		}
		if (log_attempts(l, session, add, &r, e) < 0) {
			return -1;
		}
	}
	if (m->role == VY_ROLE_USER) {
		vy_buf_addstr(&out->text[CHANNEL_TEXT], m->text);
	}
	for (int c = 0; c < CHANNELS; c++) {
		if (vy_buf_is_over(&out->text[c])) {
			return vy_fail(e, VY_FULL, "%s", "more words than are streamed");
		}
	}
	return 0;
}

void words_fini(struct words *w)
{
	for (int c = 0; c < CHANNELS; c++) {
		vy_buf_fini(&w->text[c]);
	}
}
