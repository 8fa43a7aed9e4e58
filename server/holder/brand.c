/* brand.c -- see brand.h. */
#include "server/holder/brand.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/holder/procfs.h"
#include "shared/base/buf.h"
#include "shared/base/ban.h"

#define BRAND 0x56595245 /* any number that nobody's configuration comes below */

int brand_put(uint64_t brand)
{
	struct rlimit to = { brand, brand };

	return brand ? setrlimit(RLIMIT_LOCKS, &to) : 0;
}

/* "Max file locks            unlimited            unlimited            locks": the second. */
static int read_hard(struct vy_str text, uint64_t *out)
{
	static const char name[] = "Max file locks";
	const char *at = text.n ? memmem(text.p, text.n, name, sizeof(name) - 1) : NULL;
	const char *end = text.p + text.n;
	struct vy_str word = { NULL, 0 };
	long long n;

	for (int i = 0; at && i < 2; i++) {
		at = i == 0 ? at + sizeof(name) - 1 : word.p + word.n;
		while (at < end && *at == ' ') {
			at++;
		}
		word = vy_str_n(at, 0);
		while (at + word.n < end && at[word.n] != ' ' && at[word.n] != '\n') {
			word.n++;
		}
	}
	if (!at || word.n == 0) {
		return -1;
	}
	if (vy_str_is(word, "unlimited")) {
		*out = UINT64_MAX;
		return 0;
	}
	if (!vy_parse_i64(word, &n) || n < 0) {
		return -1;
	}
	*out = (uint64_t)n;
	return 0;
}

static int look(pid_t pid, uint64_t *hard)
{
	char text[4096];
	long n = procfs_read(pid, "limits", text, sizeof(text));

	return n < 0 ? -1 : read_hard(vy_str_n(text, (size_t)n), hard);
}

/* Where it cannot be set, or not be seen, nobody has it. */
uint64_t brand_of_ours(void)
{
	struct rlimit own;
	uint64_t seen;

	if (getrlimit(RLIMIT_LOCKS, &own) < 0 || setrlimit(RLIMIT_LOCKS, &own) < 0 ||
		look(getpid(), &seen) < 0 || own.rlim_max == 0) {
		return 0;
	}
	return own.rlim_max > BRAND ? BRAND : own.rlim_max - 1;
}

int brand_is_on(pid_t pid, uint64_t brand)
{
	uint64_t hard;

	if (!brand) {
		return 0;
	}
	return look(pid, &hard) < 0 ? -1 : hard <= brand;
}
