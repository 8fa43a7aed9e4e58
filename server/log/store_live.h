/* store_live.h -- where the state of a session's agent stands: beside its newest frame.
 *
 * A word of an agent changes two things for good: its session's log and its `live` row. In a table each
 * they are two pages a commit. So a state that is put again goes into `frame`, under LIVE_CUR, a cursor
 * that no frame has: behind the newest frame, in the page that the commit writes for that anyway.
 *
 * The row in `live` says who it is and stays; where a session's LIVE_CUR row names the same hid, that
 * one's state is the newer. It is of one process of a session, the first that puts a state again; others
 * go to `live` alone, as does a state that is too large. A process that is forgotten takes it along.
 *
 * Part of the SQLite store; server/log/store.h knows only the row. Inside a transaction. */
#ifndef STORE_LIVE_H
#define STORE_LIVE_H

#include "server/log/store.h"

/* Every statement that asks for frames stops before it. */
#define LIVE_CUR "9223372036854775807"
/* ?1: a hid; run it while its `live` row is still there. */
#define LIVE_FORGET                                                                                \
	"DELETE FROM frame WHERE cur = " LIVE_CUR                                                  \
	" AND sid = (SELECT s.sid FROM live l JOIN stream s ON s.session = l.session"              \
	"  WHERE l.hid = ?1)"                                                                      \
	" AND substr(bytes, 2, length(CAST(?1 AS BLOB))) = CAST(?1 AS BLOB)"
/* All of `live` as `l`, and as its last column what stands under LIVE_CUR. */
#define LIVE_BESIDE 7 /* that column */
#define LIVE_ALL                                                                                   \
	"SELECT l.*, f.bytes FROM live l LEFT JOIN stream s ON s.session = l.session"              \
	" LEFT JOIN frame f ON f.sid = s.sid AND f.cur = " LIVE_CUR

struct db;
struct fence;
struct vy_buf;

/* The row's state where it is cheapest; `scratch` (of any maximum) is used during the call. */
VY_MUST_USE int store_live_put(struct db *d, struct fence *known, const struct store_row *row,
	struct vy_buf *scratch, struct vy_err *e);
/* The newer state, when `bytes` of LIVE_CUR are this process's; borrowed. */
VY_MUST_USE int store_live_read(struct vy_str bytes, struct row_live *live, struct vy_err *e);

#endif
