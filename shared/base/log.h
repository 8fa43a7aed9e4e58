/* log.h -- key=value lines for whoever runs the program.
 *
 *	vy_log(VY_LOG_INFO, "session.move", "session=%s from=%s to=%s", id, a, b);
 *
 * prints  ts=2026-11-30T02:28:36.123Z level=info ev=session.move session=… from=idle to=running
 * Values that may hold spaces, quotes or control bytes go through vy_log_q(), which quotes them.
 * Never called by a pure core; never given a secret. Goes to stderr until vy_log_to(). Any thread. */
#ifndef VY_LOG_H
#define VY_LOG_H

#include <stdbool.h>

#include "shared/base/err.h"

enum vy_log_level { VY_LOG_DEBUG, VY_LOG_INFO, VY_LOG_WARN, VY_LOG_ERROR, VY_LOG_NONE };

void vy_log_set_level(enum vy_log_level least);
bool vy_log_parse_level(const char *word, enum vy_log_level *out);
void vy_log_to(int fd); /* borrowed; -1 is silence */
bool vy_log_on(enum vy_log_level level);
void vy_log(enum vy_log_level level, const char *event, const char *fmt, ...) VY_PRINTF(3, 4);

/* `s` quoted for a log line, in one of eight static slots: use within one vy_log call only.
 * NULL is "-"; longer than 200 bytes is cut with "…". Loop thread only. */
const char *vy_log_q(const char *s);

#endif
