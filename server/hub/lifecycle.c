/* lifecycle.c -- see lifecycle.h. */
#include "server/hub/lifecycle.h"

#include "server/log/history.h"
#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define WORDS_MAX   (128 * VY_KIB) /* of a message, as JSON; longer ones are cut, history has all */
#define SETTLED_MAX VY_MIB /* what a message is settled as; more is not read for these planes */
#define WORDS_CUT   (32 * VY_KIB)

enum vy_control_type lifecycle_type(enum vy_message_change change)
{
	static const enum vy_control_type types[] = {
		[VY_MESSAGE_SAME] = VY_CONTROL_TYPES,
		[VY_MESSAGE_CREATED] = VY_CONTROL_MESSAGE_CREATED,
		[VY_MESSAGE_UPDATED] = VY_CONTROL_MESSAGE_UPDATED,
		[VY_MESSAGE_IS_COMPLETED] = VY_CONTROL_MESSAGE_COMPLETED,
		[VY_MESSAGE_HAS_FAILED] = VY_CONTROL_MESSAGE_FAILED,
		[VY_MESSAGE_IS_DELETED] = VY_CONTROL_MESSAGE_DELETED,
	};

	return types[change];
}

void lifecycle_id(const char *session, struct vy_str message, int64_t revision, struct vy_buf *out)
{
	vy_buf_addf(out, "evt_%s.%.*s.%lld", session, VY_STR_ARG(message), (long long)revision);
}

static void take_data(void *ctx, const struct vy_control *ev)
{
	vy_buf_addstr(ctx, ev->data);
}

int lifecycle_data(struct log *log, const char *session, struct vy_message *m,
	enum vy_message_change change, struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX), blocks = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_control_message in = { .session = vy_str_c(session), .change = change, .m = m };
	struct vy_arena mem;
	size_t size = 0;

	if (history_words(log, m, SETTLED_MAX, &text, &blocks, &size, e) < 0) {
		return -1;
	}
	if (m->enc.n) { /* that there is one; the history has it, for persons */
		m->enc = VY_STR_LIT("true");
	}
	in.text = vy_buf_str(&text);
	in.blocks = vy_buf_str(&blocks);
	if (blocks.len > WORDS_MAX) {
		in.text.n = vy_utf8_cut(in.text, WORDS_CUT);
		in.blocks = vy_str_n(NULL, 0);
		m->bytes = (int64_t)text.len;
	} else if (size > SETTLED_MAX) {
		m->bytes = (int64_t)size;
	}
	vy_arena_init(&mem);
	vy_control_of_message(&in, &mem, take_data, out);
	vy_arena_fini(&mem);
	return 0;
}
