/* long_bench.c -- a session with a long past: how soon its end is on the screen, in how much memory.
 *
 * usage: long_bench [ROWS]    one JSON object a line; 100,000 rows unless said otherwise
 * The same client opens a session of 3 rows and the long one, in turns, medians of several, beside one
 * that asks for the same page of it and drops the bytes; then it is scrolled to its beginning, page by
 * page. `long_bench 3000` is a session of 2,000 messages. */
#include <stdlib.h>

#include "shared/base/json.h"
#include "shared/base/str.h"
#include "shared/base/buf.h"
#include "tests/bench/fill.h"
#include "tests/bench/watch.h"
#include "shared/base/ban.h"

#define ROUNDS    9
#define MS_MOST   100.0
#define PAGE_ROWS 400
#define KB_MOST   (60.0 * 1024)

static struct world the_world;

static void new_session(char id[40])
{
	char params[1200];

	snprintf(params, sizeof(params), "{\"provider\":\"demo\",\"cwd\":\"%s/work\"}",
		the_world.dir.path);
	char *answer = world_call(&the_world, "threads.start", params);
	VY_AUTO_JSON *v = vy_json_parse(vy_str_c(answer), NULL);

	snprintf(id, 40, "%.*s", VY_STR_ARG(vy_json_str(vy_json_get(v, "result"), "session")));
	char said[201];

	snprintf(said, sizeof(said), "%s", answer);
	free(answer);
	if (!id[0]) {
		world_fail("no session was started: %.200s", said);
	}
}

/* From the start of the client to the session's last words; its memory then. */
static double open_ms(const char *session, double *kb)
{
	struct watch t;
	char line[2048];

	snprintf(line, sizeof(line), "%s/vyre-tui --state-dir %s/s %s", the_world.bin,
		the_world.dir.path, session);
	watch_start(&t, &the_world, line, 120, 40);
	int64_t begin = t.begun_us;

	if (!watch_wait(&t, "the very last words", 30000)) {
		world_fail("the session did not come up");
	}
	double ms = (double)(world_now_us() - begin) / 1e3;

	watch_quiet(&t, 200, 3000);
	*kb = (double)world_rss_kb(t.term.pid);
	watch_end(&t);
	return ms;
}

/* The page that a client begins with, asked for and read, and nothing done with it. */
static double read_ms(const char *session, size_t *bytes)
{
	char target[200];
	int64_t begin = world_now_us();

	snprintf(target, sizeof(target), "/v1/sessions/%s/snapshot?rows=%d", session, PAGE_ROWS);
	*bytes = world_get(&the_world, target);
	return (double)(world_now_us() - begin) / 1e3;
}

/* Upwards for a while: pages come in; the memory then. */
static void scroll(const char *session, int rows)
{
	struct watch t;
	char line[2048];
	int64_t begin;

	snprintf(line, sizeof(line), "%s/vyre-tui --state-dir %s/s %s", the_world.bin,
		the_world.dir.path, session);
	watch_start(&t, &the_world, line, 120, 40);
	if (!watch_wait(&t, "the very last words", 30000)) {
		world_fail("the session did not come up");
	}
	begin = world_now_us();
	for (int i = 0; i < 300; i++) {
		watch_type(&t, "\033[5~"); /* page up */
		watch_sleep(&t, 10);
	}
	watch_quiet(&t, 200, 3000);
	printf("{\"bench\":\"long\",\"who\":\"vyre\",\"rows\":%d,\"pages_up\":300,\"ms\":%.0f,"
	       "\"rss_kb\":%lld}\n",
		rows, (double)(world_now_us() - begin) / 1e3, (long long)world_rss_kb(t.term.pid));
	watch_end(&t);
}

int main(int argc, char **argv)
{
	char small[40], big[40];
	double small_ms[ROUNDS], big_ms[ROUNDS], small_kb[ROUNDS], big_kb[ROUNDS];
	long long rows = 100000;
	double bytes_ms[ROUNDS];
	size_t bytes = 0;
	char state[600];

	if (argc > 2 || (argc == 2 && (!vy_parse_i64(vy_str_c(argv[1]), &rows) || rows < 3 ||
					      rows > 1000000))) {
		fputs("usage: long_bench [ROWS]\n", stderr);
		return 2;
	}
	world_open(&the_world);
	snprintf(state, sizeof(state), "%s/s", the_world.dir.path);
	world_start_vyred(&the_world);
	new_session(small);
	new_session(big);
	world_stop_vyred(&the_world);
	fill_session(state, small, 3);
	fill_session(state, big, (int)rows);
	world_start_vyred(&the_world);
	open_ms(small,
		&small_kb
			[0]); /* all is in the machine's memory now, as with the first of the day it is not */
	open_ms(big, &big_kb[0]);
	for (int i = 0; i < ROUNDS; i++) {
		small_ms[i] = open_ms(small, &small_kb[i]);
		big_ms[i] = open_ms(big, &big_kb[i]);
		bytes_ms[i] = read_ms(big, &bytes);
	}
	double ms = world_median(big_ms, ROUNDS), kb = world_median(big_kb, ROUNDS);
	double bare = world_median(small_ms, ROUNDS), page = world_median(bytes_ms, ROUNDS);

	printf("{\"bench\":\"long\",\"who\":\"vyre\",\"rows\":%lld,\"first_ms\":%.1f,"
	       "\"first_ms_limit\":%.0f,\"first_ms_met\":%s,\"of_3_rows\":%.2f,\"page_bytes\":%zu,"
	       "\"page_ms\":%.1f,\"of_page\":%.2f,\"rss_kb\":%.0f,"
	       "\"rss_kb_limit\":%.0f,\"rss_kb_met\":%s,\"rss_kb_3_rows\":%.0f}\n",
		rows, ms, MS_MOST, ms <= MS_MOST ? "true" : "false", ms / bare, bytes, page,
		ms / page, kb, KB_MOST, kb <= KB_MOST ? "true" : "false",
		world_median(small_kb, ROUNDS));
	scroll(big, (int)rows);
	world_close(&the_world);
	return 0;
}
