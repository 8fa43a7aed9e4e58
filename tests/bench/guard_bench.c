/* guard_bench.c -- what a tool call costs before it runs: the floor's judgement beside the reading of
 * the line it comes in.
 *
 * usage: guard_bench [ROUNDS]    prints one JSON object
 * Commands as agents run them; of each the median time of a judgement and of a parse of the call's
 * JSON, in microseconds, over all commands; `ratio` is what does not depend on the machine. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "server/guard/rules.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define ROUNDS_MAX 100000

static const char *const commands[] = {
	"ls -la",
	"git status --short && git diff --stat",
	"cd /home/u/app && make -j4 2>&1 | tail -20",
	"grep -rn \"TODO\\|FIXME\" --include=*.c src | head -50",
	"for f in src/*.c; do clang-format -i \"$f\"; done",
	"npm test -- --runInBand 2>&1 | tee test.log",
	"find . -name '*.o' -not -path './build/*' -delete",
	"git commit -m \"$(cat <<'EOF'\nparser: reads empty lines\n\nThey were skipped.\nEOF\n)\"",
	"python3 -c \"import json; print(json.load(open('package.json'))['version'])\"",
	"curl -s https://api.example.org/v1/items?page=2 | jq '.items[] | .name'",
	"docker compose up -d db && sleep 2 && ./run-migrations.sh --env test",
	"sed -n '120,180p' src/server/session.c",
};

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static double median_us(int64_t *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_size);
	return (double)v[n / 2] / 1000;
}

static void measure(const char *command, size_t rounds, int64_t *judged, int64_t *parsed)
{
	static const struct guard_context c = {
		.cwd = { "/home/u/app", 11 },
		.home = { "/home/u", 7 },
		.state_dir = { "/home/u/.local/state/vyre", 25 },
		.config_file = { "/home/u/.config/vyre/vyred.conf", 31 },
	};
	VY_AUTO_BUF line = VY_BUF_INIT(VY_MIB);
	VY_AUTO_JSON *call = vy_json_new_obj();
	struct vy_arena a;

	vy_json_set_c(call, "tool_name", "Bash");
	vy_json_set_c(call, "command", command);
	vy_json_dump(call, &line);
	vy_arena_init(&a);
	for (size_t i = 0; i < rounds; i++) {
		int64_t from = now_ns(), between;
		struct vy_json *input = vy_json_parse(vy_buf_str(&line), NULL);

		between = now_ns();
		if (guard_check(VY_STR_LIT("Bash"), input, &c, &a).verdict != GUARD_NOTHING) {
			fprintf(stderr, "guard_bench: denied: %s\n", command);
			exit(1);
		}
		judged[i] = now_ns() - between;
		parsed[i] = between - from;
		vy_json_free(input);
		vy_arena_reset(&a);
	}
	vy_arena_fini(&a);
}

int main(int argc, char **argv)
{
	long long rounds = 2000;
	double judge = 0, parse = 0, worst = 0;

	if (argc > 2 || (argc == 2 && (!vy_parse_i64(vy_str_c(argv[1]), &rounds) || rounds < 1 ||
					      rounds > ROUNDS_MAX))) {
		fprintf(stderr, "usage: guard_bench [ROUNDS]\n");
		return 2;
	}
	int64_t *judged = calloc((size_t)rounds, sizeof(*judged));
	int64_t *parsed = calloc((size_t)rounds, sizeof(*parsed));

	vy_assert(judged && parsed);
	for (size_t i = 0; i < VY_COUNT(commands); i++) {
		measure(commands[i], (size_t)rounds, judged, parsed);
		double us = median_us(judged, (size_t)rounds);

		judge += us;
		worst = us > worst ? us : worst;
		parse += median_us(parsed, (size_t)rounds);
	}
	printf("{\"bench\":\"guard\",\"commands\":%zu,\"judge_us\":%.2f,\"worst_us\":%.2f,"
	       "\"parse_us\":%.2f,\"ratio\":%.2f}\n",
		VY_COUNT(commands), judge / VY_COUNT(commands), worst, parse / VY_COUNT(commands),
		judge / parse);
	free(judged);
	free(parsed);
	return 0;
}
