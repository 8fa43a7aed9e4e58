/* reply_bench.c -- one reply of 3,000 words on the screen: what it costs, and how late it is.
 *
 * usage: reply_bench [--rounds N] [--words N] [--rate N] [--keys]    one JSON object a line
 * A real vyred and vyre-tui with the demo agent, the real Claude Code, the floor (floor.c) and, where
 * VYRE_CODEX and VYRE_OPENCODE say where they are, Codex and opencode show
 * the same words at the same pace, one after the other in each round, in a terminal of 200x50. The last line
 * compares medians. With --keys: how long a key takes to its glyph while words stream. */
#include <getopt.h>
#include <stdlib.h>

#include "shared/base/buf.h"
#include "shared/base/jw.h"
#include "tests/bench/watch.h"
#include "shared/base/ban.h"

#define COLS       200
#define ROWS       50
#define ROUNDS_MAX 32
#define MARK_EVERY 50
#define KEYS       48

enum figure { CPU, SERVER, BYTES, P50, P95, KEY_P50, KEY_P95, RSS, FIGURES };

static const char *const figure_names[] = { "cpu_us_word", "server_cpu_us_word", "bytes",
	"token_p50_ms", "token_p95_ms", "key_p50_ms", "key_p95_ms", "rss_kb" };

static struct {
	struct world world;
	int rounds, words, rate;
	bool keys;
	double figures[WORLD_PEERS][FIGURES][ROUNDS_MAX];
	size_t n[WORLD_PEERS];
} b = { .rounds = 3, .words = 3000, .rate = 100 };

static void add(enum world_who who, enum figure f, double v)
{
	b.figures[who][f][b.n[who]] = v;
}

static void print_round(enum world_who who, int round)
{
	printf("{\"bench\":\"%s\",\"who\":\"%s\",\"round\":%d,\"words\":%d,\"rate\":%d",
		b.keys ? "keys" : "reply", world_name(who), round, b.words, b.rate);
	for (int f = 0; f < FIGURES; f++) {
		double v = b.figures[who][f][b.n[who]];

		if (v >= 0) {
			printf(",\"%s\":%.*f", figure_names[f], v < 1000 ? 2 : 0, v);
		}
	}
	puts("}");
	fflush(stdout);
}

/* ---- keys ---- */

/* Until the typed text stands on the screen; its time in ms. */
static double key_ms(struct watch *t, const char *typed, char key)
{
	char one[2] = { key, '\0' };
	int64_t begin = world_now_us(), seen = -1;

	watch_type(t, one);
	while (world_now_us() - begin < 5000000) {
		if (t->term.bytes != seen && watch_has(t, typed)) {
			return (double)(world_now_us() - begin) / 1e3;
		}
		seen = t->term.bytes;
		watch_pump(t, 20);
	}
	world_fail("a key was not seen: %s", typed);
}

static void type_keys(struct watch *t, enum world_who who)
{
	char typed[KEYS + 8] = "=#=";
	double ms[KEYS];
	size_t n = 3;

	watch_type(t, typed);
	watch_wait(t, typed, 5000);
	for (size_t i = 0; i < KEYS; i++) {
		watch_sleep(t, 60 + (int)(i * 37 % 41)); /* no multiple of anybody's frame */
		typed[n++] = (char)('a' + i * 7 % 26);
		typed[n] = '\0';
		ms[i] = key_ms(t, typed, typed[n - 1]);
	}
	add(who, KEY_P50, world_quantile(ms, KEYS, 0.5));
	add(who, KEY_P95, world_quantile(ms, KEYS, 0.95));
}

/* ---- a round ---- */

static int64_t server_cpu(enum world_who who)
{
	return who == WORLD_VYRE ? world_tree_cpu_us(b.world.vyred, "vyre-demo") : 0;
}

static void play(enum world_who who, int round)
{
	struct watch t;
	char prompt[64];
	size_t marks = (size_t)(b.words / MARK_EVERY);

	for (int f = 0; f < FIGURES; f++) {
		add(who, (enum figure)f, -1);
	}
	if (!watch_peer(&t, &b.world, who, COLS, ROWS)) {
		world_fail("nothing to compare with");
	}
	snprintf(prompt, sizeof(prompt), "pace:%d rate=%d", b.words, b.rate);
	watch_prompt(&t, prompt);
	watch_marks(&t, 1, 20000);

	int64_t cpu = world_tree_cpu_us(t.term.pid, NULL), server = server_cpu(who);
	int64_t bytes = t.term.bytes;

	if (b.keys) {
		type_keys(&t, who);
	} else if (!watch_marks(&t, marks, 20000 + b.words * 2000 / b.rate)) {
		fprintf(stderr, "bench: %s showed %zu of %zu marks\n", world_name(who), t.n, marks);
	}
	watch_quiet(&t, 300, 3000);
	if (!b.keys) {
		int shown = b.words - MARK_EVERY;

		add(who, CPU, (double)(world_tree_cpu_us(t.term.pid, NULL) - cpu) / shown);
		if (who == WORLD_VYRE) {
			add(who, SERVER, (double)(server_cpu(who) - server) / shown);
		}
		add(who, BYTES, (double)(t.term.bytes - bytes));
		add(who, P50, world_quantile(t.late_ms, t.n, 0.5));
		add(who, P95, world_quantile(t.late_ms, t.n, 0.95));
		add(who, RSS, (double)world_tree_rss_kb(t.term.pid));
	}
	watch_end(&t);
	print_round(who, round);
	b.n[who]++;
}

/* ---- the comparison ---- */

static void compare(enum figure f, enum world_who with, const char *name, double most)
{
	double ours = world_median(b.figures[WORLD_VYRE][f], b.n[WORLD_VYRE]);
	double theirs = with == WORLD_VYRE ? 1 : world_median(b.figures[with][f], b.n[with]);

	if (with != WORLD_VYRE && b.n[with] == 0) {
		return;
	}
	printf(",\"%s\":%.3f,\"%s_limit\":%.3f,\"%s_met\":%s", name, ours / theirs, name, most,
		name, ours / theirs <= most ? "true" : "false");
}

static void print_comparison(void)
{
	printf("{\"bench\":\"%s\",\"compared\":\"medians of %d\"", b.keys ? "keys" : "reply",
		b.rounds);
	if (b.keys) {
		compare(KEY_P95, WORLD_CLAUDE, "key_p95_of_claude", 1.0 / 5);
	} else {
		compare(CPU, WORLD_CLAUDE, "cpu_of_claude", 1.0 / 15);
		compare(CPU, WORLD_FLOOR, "cpu_of_floor", 3);
		compare(BYTES, WORLD_CLAUDE, "bytes_of_claude", 1);
		compare(BYTES, WORLD_CODEX, "bytes_of_codex", 1);
		compare(BYTES, WORLD_OPENCODE, "bytes_of_opencode", 1);
		compare(P50, WORLD_VYRE, "token_p50_ms", 16);
		compare(P95, WORLD_VYRE, "token_p95_ms", 32);
		compare(RSS, WORLD_VYRE, "rss_kb", 20 * 1024);
	}
	puts("}");
}

static int number(const char *s)
{
	long long n;

	if (!vy_parse_i64(vy_str_c(s), &n) || n < 1 || n > 100000) {
		world_fail("%s is no number for this", s);
	}
	return (int)n;
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = { { "rounds", required_argument, NULL, 'r' },
		{ "words", required_argument, NULL, 'w' }, { "rate", required_argument, NULL, 'p' },
		{ "keys", no_argument, NULL, 'k' }, { 0 } };
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'r': b.rounds = number(optarg); break;
		case 'w': b.words = number(optarg); break;
		case 'p': b.rate = number(optarg); break;
		case 'k':
			b.keys = true;
			b.words = 6000;
			b.rate = 500;
			break;
		default: exit(2);
		}
	}
	b.rounds = b.rounds > ROUNDS_MAX ? ROUNDS_MAX : b.rounds;
}

int main(int argc, char **argv)
{
	read_options(argc, argv);
	world_open(&b.world);
	world_start_vyred(&b.world);
	if (!world_start_api(&b.world)) {
		fputs("bench: no node here: vyre stands alone\n", stderr);
	}
	if (!b.world.program[WORLD_CLAUDE]) {
		fputs("bench: no claude here (VYRE_CLAUDE): not compared with it\n", stderr);
	}
	for (int round = 1; round <= b.rounds; round++) {
		for (int who = 0; who < WORLD_PEERS; who++) {
			if (world_has(&b.world, (enum world_who)who)) {
				play((enum world_who)who, round);
			}
		}
	}
	print_comparison();
	world_close(&b.world);
	return 0;
}
