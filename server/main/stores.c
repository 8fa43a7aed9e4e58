/* stores.c -- see stores.h. */
#include "server/main/stores.h"

#include "server/io/backups.h"
#include "server/log/store.h"
#include "shared/base/ban.h"

void stores_remedy(const char *state_dir, struct vy_buf *out)
{
	backups_say(state_dir, out);
	vy_buf_addc(out, '.');
}

struct log_store *stores_open(const char *state_dir, struct vy_loop *loop, struct work *work,
	struct vy_err *damaged, struct vy_err *e)
{
	VY_AUTO_BUF hint = VY_BUF_INIT(8192);
	struct log_store *s = store_sqlite_open(state_dir, loop, work, e);
	struct vy_err why;

	if (s || e->code != VY_CORRUPT) {
		return s;
	}
	why = *e;
	s = store_sqlite_open_read(state_dir, e);
	if (s) {
		*damaged = why;
		return s;
	}
	stores_remedy(state_dir, &hint);
	vy_fail(e, VY_CORRUPT, "%s, and nothing in it can be read. %s", why.text, vy_buf_c(&hint));
	return NULL;
}
