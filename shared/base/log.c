/* log.c -- see log.h. One write() a line, so lines of several threads never mix. */
#include "shared/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/str.h"
#include "shared/base/ban.h"

static enum vy_log_level least_level = VY_LOG_INFO;
static int log_fd = STDERR_FILENO;
static const char *const level_names[] = { "debug", "info", "warn", "error", "none" };

void vy_log_set_level(enum vy_log_level least)
{
	least_level = least;
}

bool vy_log_parse_level(const char *word, enum vy_log_level *out)
{
	for (size_t i = 0; i < VY_COUNT(level_names); i++) {
		if (strcmp(word, level_names[i]) == 0) {
			*out = (enum vy_log_level)i;
			return true;
		}
	}
	return false;
}

void vy_log_to(int fd)
{
	log_fd = fd;
}

bool vy_log_on(enum vy_log_level level)
{
	return level >= least_level && log_fd >= 0;
}

void vy_log(enum vy_log_level level, const char *event, const char *fmt, ...)
{
	char line[2048];
	struct timespec ts;
	struct tm tm;
	va_list ap;

	if (!vy_log_on(level)) {
		return;
	}
	clock_gettime(CLOCK_REALTIME, &ts);
	gmtime_r(&ts.tv_sec, &tm);
	size_t n = strftime(line, sizeof(line), "ts=%Y-%m-%dT%H:%M:%S", &tm);

	n += (size_t)snprintf(line + n, sizeof(line) - n, ".%03ldZ level=%s ev=%s ",
		ts.tv_nsec / 1000000, level_names[level], event);
	va_start(ap, fmt);
	int m = vsnprintf(line + n, sizeof(line) - n - 1, fmt, ap);

	va_end(ap);
	n += m < 0 ? 0 : (size_t)m < sizeof(line) - n - 1 ? (size_t)m : sizeof(line) - n - 2;
	line[n++] = '\n';
	if (write(log_fd, line, n) < 0) {
		return; /* nowhere left to say it */
	}
}

const char *vy_log_q(const char *s)
{
	static char slots[8][260];
	static unsigned next;
	char *out = slots[next++ % 8];
	size_t n = 0, i = 0;
	bool quote;

	if (!s) {
		return "-";
	}
	quote = s[0] == '\0' || strpbrk(s, " \"=\\") != NULL;
	if (quote) {
		out[n++] = '"';
	}
	for (; s[i] && n < 200; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x20 || c == 0x7F) {
			n += (size_t)snprintf(out + n, 8, "\\x%02x", c);
		} else {
			if (c == '"' || c == '\\') {
				out[n++] = '\\';
			}
			out[n++] = (char)c;
		}
	}
	if (s[i]) {
		memcpy(out + n, "…", 3);
		n += 3;
	}
	if (quote) {
		out[n++] = '"';
	}
	out[n] = '\0';
	return out;
}
