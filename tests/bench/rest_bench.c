/* rest_bench.c -- what sessions cost that nobody works in, and what a spare agent saves.
 *
 * usage: rest_bench [PART…]    one JSON object a line
 * Parts: known (200 sessions, each of which had a turn, 6 of them with an agent: vyred's memory, beside
 * the same vyred before the first of them, and beside one that was started anew), spare (from
 * threads.start to the first word, with a warm spare and without, in turns). */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "tests/bench/world.h"
#include "shared/base/ban.h"

enum { KNOWN = 200, LIVE = 6, QUIET_MS = 7000, WAIT_MS = 20000 };

#define KB_MOST (40.0 * 1024)

static struct world the_world;

static struct vy_json *call(const char *method, const char *params)
{
	char *answer = world_call(&the_world, method, params);
	struct vy_json *v = vy_json_parse(vy_str_c(answer), NULL);
	struct vy_json *result = vy_json_ref(vy_json_get(v, "result"));

	if (!result) {
		world_fail("%s: %.300s", method, answer);
	}
	vy_json_free(v);
	free(answer);
	return result;
}

static void start(const char *text, char id[40])
{
	char params[1200];

	snprintf(params, sizeof(params),
		"{\"provider\":\"demo\",\"cwd\":\"%s/work\",\"text\":\"%s\"}", the_world.dir.path,
		text);
	VY_AUTO_JSON *r = call("threads.start", params);

	snprintf(id, 40, "%.*s", VY_STR_ARG(vy_json_str(r, "session")));
}

/* Until the record says so. */
static void await(const char *id, const char *key, const char *value)
{
	char params[80];

	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", id);
	for (int ms = 0; ms < WAIT_MS; ms += 2) {
		VY_AUTO_JSON *r = call("threads.get", params);

		if (vy_str_is(vy_json_str(r, key), value) && vy_json_int(r, "messages", 0) > 0) {
			return;
		}
		poll(NULL, 0, 2);
	}
	world_fail("session %s: %s is not %s", id, key, value);
}

static size_t live(void)
{
	VY_AUTO_JSON *r = call("threads.pids", "{}");

	return vy_json_len(vy_json_get(r, "pids"));
}

static double rss_kb(void)
{
	poll(NULL, 0, QUIET_MS); /* what was only for speed is given back */
	return (double)world_rss_kb(the_world.vyred);
}

static void known(void)
{
	char id[40], params[200];

	world_open(&the_world);
	world_configure(&the_world, "[sessions]\nmax_live=6\n");
	world_start_vyred(&the_world);
	start("say:20", id);
	await(id, "state", "idle");
	double bare = rss_kb();

	for (int i = 1; i < KNOWN; i++) {
		start("say:20 ;; bash:echo hi", id);
		await(id, "state", "waiting");
		snprintf(params, sizeof(params), "{\"session\":\"%s\"}", id);
		VY_AUTO_JSON *asks = call("threads.asks", params);
		struct vy_str ask = vy_json_str(vy_json_at(vy_json_get(asks, "asks"), 0), "ask");

		snprintf(params, sizeof(params), "{\"ask\":\"%.*s\",\"decision\":\"allow\"}",
			VY_STR_ARG(ask));
		vy_json_free(call("threads.answer", params));
		await(id, "state", "idle");
	}
	double all = rss_kb();
	size_t living = live();

	world_stop_vyred(&the_world);
	world_start_vyred(&the_world);
	VY_AUTO_JSON *list = call("threads.list", "{}");
	double anew = rss_kb();

	for (size_t i = 0; i < KNOWN; i++) { /* each is read from the store, and stays */
		struct vy_str of =
			vy_json_str(vy_json_at(vy_json_get(list, "threads"), i), "session");

		snprintf(params, sizeof(params), "{\"session\":\"%.*s\"}", VY_STR_ARG(of));
		vy_json_free(call("threads.get", params));
	}
	double loaded = rss_kb();

	printf("{\"bench\":\"rest\",\"part\":\"known\",\"sessions\":%d,\"live\":%zu,\"rss_kb\":%."
	       "0f,"
	       "\"rss_kb_limit\":%.0f,\"rss_kb_met\":%s,\"rss_kb_of_1\":%.0f,\"kb_a_session\":%.1f,"
	       "\"rss_kb_anew\":%.0f,\"kb_a_session_read\":%.1f}\n",
		KNOWN, living, all, KB_MOST, all < KB_MOST && living == LIVE ? "true" : "false",
		bare, (all - bare) / (KNOWN - 1), anew, (loaded - anew) / KNOWN);
	world_close(&the_world);
}

/* ---- a spare ---- */

enum { ROUNDS = 15, WARM_MS = 400 };

static void configure(bool has_spare)
{
	world_configure(&the_world, has_spare ? "[sessions]\nmax_live=0\nwarm_spare=yes\n"
					      : "[sessions]\nmax_live=0\nwarm_spare=no\n");
	if (the_world.vyred > 0) {
		kill(the_world.vyred, SIGHUP);
		poll(NULL, 0, 50);
	}
}

/* From the call to the first word of the answer, and the session goes again. */
static double first_word_ms(void)
{
	char id[40], params[80];
	int64_t begin = world_now_us();
	double ms = -1;

	start("say:200 delay=1", id);
	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", id);
	while (ms < 0) {
		VY_AUTO_JSON *r = call("threads.get", params);

		if (vy_json_int(r, "messages", 0) > 0) {
			ms = (double)(world_now_us() - begin) / 1e3;
		}
	}
	await(id, "state", "idle");
	poll(NULL, 0, WARM_MS); /* the next spare is there */
	vy_json_free(call("threads.stop", params));
	return ms;
}

static void spare(void)
{
	double with[ROUNDS], without[ROUNDS];

	world_open(&the_world);
	configure(false);
	world_start_vyred(&the_world);
	first_word_ms();
	for (int i = 0; i < ROUNDS; i++) {
		configure(false);
		without[i] = first_word_ms();
		configure(true);
		first_word_ms(); /* which leaves one behind it */
		with[i] = first_word_ms();
	}
	double cold = world_median(without, ROUNDS), warm = world_median(with, ROUNDS);

	printf("{\"bench\":\"rest\",\"part\":\"spare\",\"rounds\":%d,\"first_word_ms\":%.1f,"
	       "\"first_word_ms_spare\":%.1f,\"spare_ratio\":%.2f}\n",
		ROUNDS, cold, warm, warm / cold);
	world_close(&the_world);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = { { "known", known }, { "spare", spare } };

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		bool is_wanted = argc == 1;

		for (int k = 1; k < argc; k++) {
			is_wanted |= strcmp(argv[k], parts[i].name) == 0;
		}
		if (is_wanted) {
			parts[i].run();
		}
	}
	return 0;
}
