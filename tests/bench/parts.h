/* parts.h -- the command line of a bench: [--rounds N] [PART...]. */
#ifndef TESTS_BENCH_PARTS_H
#define TESTS_BENCH_PARTS_H

#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "shared/base/str.h"

/* --rounds, else *rounds as it is; false: it makes no sense. The parts are behind `optind` then. */
static inline bool parts_read(int argc, char **argv, int most, int *rounds)
{
	static const struct option options[] = { { "rounds", required_argument, NULL, 'r' },
		{ 0 } };
	long long n = *rounds;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c != 'r' || !vy_parse_i64(vy_str_c(optarg), &n) || n < 1 || n > most) {
			return false;
		}
	}
	*rounds = (int)n;
	return true;
}

/* Named, or none is. */
static inline bool parts_has(int argc, char **argv, const char *name)
{
	for (int i = optind; i < argc; i++) {
		if (strcmp(argv[i], name) == 0) {
			return true;
		}
	}
	return optind == argc;
}

#endif
