/* term_bench.c -- the terminal the whole way, beside tmux; attaching; the chat beside a flood.
 *
 * usage: term_bench [--rounds N] [whole|attach|keys]    one JSON object a line
 * "whole": a shell in `vyre-tui term` (shell, holder, vyred, client, screen) and one in an attached
 * tmux print the same in turns; a time is from Enter to where the last line stands on the screen
 * of the terminal around them. The median of each; the ratio says how many times as fast we are.
 * "attach": a terminal whose ring is full is attached by the client's own link and pane, in this
 * process; beside it the bytes that came, parsed alone.
 * "keys": a key in the chat's composer while `yes` runs in the pane, from the key to its glyph; and what
 * client and server keep in memory before and behind that. Nothing is asserted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "tests/bench/watch.h"
#include "tests/bench/world.h"
#include "tui/net/contact.h"
#include "tui/net/rpc.h"
#include "tui/net/term_link.h"
#include "tui/view/pane.h"
#include "shared/base/ban.h"

enum {
	COLS = 100,
	ROWS = 30,
	ROUNDS = 5,
	ROUNDS_MAX = 50,
	FILE_BYTES = 24 * 1024 * 1024,
	FRAMES = 3000,
	RING = 4 * 1024 * 1024,
	KEYS = 200,
	KEY_EVERY_MS = 40,
	PATIENCE_MS = 120000,
};

static struct world world;
static int rounds = ROUNDS;

/* ---- what is printed ---- */

static void ansi_lines(FILE *f)
{
	static const char *const words[] = { "static", "void", "paint_frame", "(", "struct", "cell",
		"*c", ")", "{", "return", "0x3f", "\"text\"", ";", "}" };
	unsigned seed = 7;

	for (long n = 0; n < FILE_BYTES;) {
		for (int i = 0; i < 9; i++) {
			seed = seed * 1103515245 + 12345;
			n += fprintf(f, "\033[%s38;5;%um%s\033[0m ", seed & 64 ? "1;" : "",
				seed >> 16 & 255, words[(seed >> 8) % VY_COUNT(words)]);
		}
		n += fprintf(f, "\r\n");
	}
}

static void utf8_lines(FILE *f)
{
	static const char *const words[] = { "会话", "终端", "größer", "naïve", "Ελλάδα", "日本語",
		"кириллица", "e\xCC\x81te\xCC\x81", "😀", "ab", "한국어", "→", "…" };
	unsigned seed = 3;

	for (long n = 0; n < FILE_BYTES;) {
		for (int i = 0; i < 11; i++) {
			seed = seed * 1103515245 + 12345;
			n += fprintf(f, "%s ", words[(seed >> 12) % VY_COUNT(words)]);
		}
		n += fprintf(f, "\r\n");
	}
}

/* As a monitor of processes does it: every cell anew. */
static void repaints(FILE *f)
{
	for (int frame = 0; frame < FRAMES; frame++) {
		fprintf(f, "\033[H");
		for (int y = 0; y < ROWS - 1; y++) {
			fprintf(f, "\033[%d;1H\033[38;5;%dm%6d \033[7m user%02d \033[0m", y + 1,
				(frame + y) % 256, frame * 31 + y * 7, y);
			for (int x = 0; x < 8; x++) {
				fprintf(f, "\033[3%dm%8d", x % 8,
					(frame * 17 + y * 13 + x * 101) % 99999999);
			}
			fprintf(f, "\033[K");
		}
	}
	fprintf(f, "\033[0m\033[2J\033[H");
}

static void write_file(const char *name, void (*fill)(FILE *f))
{
	char path[700];
	FILE *f;

	snprintf(path, sizeof(path), "%s/work/%s", world.dir.path, name);
	f = fopen(path, "we");
	if (!f) {
		world_fail("%s cannot be written", path);
	}
	fill(f);
	fclose(f);
}

static void script(FILE *f)
{
	fputs("case $1 in\n"
	      "seq) seq 1 1000000 ;;\n"
	      "*) cat $1.txt ;;\n"
	      "esac\n"
	      "printf '\\nend=%s=\\n' $2\n",
		f);
}

/* ---- a shell in each of them ---- */

static const char *vyre_command(const char *what)
{
	static char line[2048];

	snprintf(line, sizeof(line), "%s/vyre-tui %s --state-dir %s/s --cwd %s/work", world.bin,
		what, world.dir.path, world.dir.path);
	return line;
}

static const char *tmux_command(void)
{
	static char line[2048];

	snprintf(line, sizeof(line),
		"sh -c 'cd %s/work && exec tmux -S %s/tmux -f /dev/null new-session'",
		world.dir.path, world.dir.path);
	return line;
}

static void shell_in(struct watch *t, const char *command)
{
	watch_start(t, &world, command, COLS, ROWS);
	watch_quiet(t, 500, 10000);
	watch_type(t, "PS1='rea''dy> '; stty -echo; clear\r");
	if (!watch_wait(t, "ready>", 20000)) {
		VY_AUTO_BUF screen = VY_BUF_INIT(1 << 20);

		term_text(&t->term, &screen);
		world_fail("no shell comes:\n%s", vy_buf_c(&screen));
	}
	watch_quiet(t, 300, 5000);
}

/* From Enter to the end on the screen, in ms. */
static double run(struct watch *t, const char *what)
{
	static int serial;
	char line[200], end[40];
	int64_t from;

	snprintf(end, sizeof(end), "end=%d=", ++serial);
	snprintf(line, sizeof(line), "sh show.sh %s %d\r", what, serial);
	from = world_now_us();
	watch_type(t, line);
	if (!watch_wait(t, end, PATIENCE_MS)) {
		world_fail("%s never ends", what);
	}
	double ms = (double)(world_now_us() - from) / 1e3;

	watch_quiet(t, 200, 2000);
	return ms;
}

static void whole(void)
{
	static const struct {
		const char *name;
		double limit;
	} all[] = { { "seq", 0.8 }, { "ansi", 2 }, { "utf8", 2 }, { "repaint", 1.5 } };
	struct watch ours, theirs;

	if (system("tmux -V >/dev/null 2>&1") != 0) {
		fprintf(stderr, "bench: no tmux here to stand beside\n");
		return;
	}
	write_file("show.sh", script);
	write_file("ansi.txt", ansi_lines);
	write_file("utf8.txt", utf8_lines);
	write_file("repaint.txt", repaints);
	shell_in(&ours, vyre_command("term --new --provider demo"));
	shell_in(&theirs, tmux_command());
	for (size_t i = 0; i < VY_COUNT(all); i++) {
		double us[ROUNDS_MAX], them[ROUNDS_MAX];
		double our_ms, their_ms;

		for (int r = 0; r < rounds; r++) {
			us[r] = run(&ours, all[i].name);
			them[r] = run(&theirs, all[i].name);
		}
		our_ms = world_median(us, (size_t)rounds);
		their_ms = world_median(them, (size_t)rounds);
		printf("{\"bench\":\"term\",\"what\":\"%s\",\"rounds\":%d,\"vyre_ms\":%.0f,\"tmux_"
		       "ms\":%.0f,"
		       "\"ratio\":%.2f,\"ratio_limit\":%.2f,\"met\":%s}\n",
			all[i].name, rounds, our_ms, their_ms, their_ms / our_ms, all[i].limit,
			their_ms / our_ms >= all[i].limit ? "true" : "false");
		fflush(stdout);
	}
	watch_type(&ours, "\035d");
	watch_type(&theirs, "exit\r");
	watch_end(&ours);
	watch_end(&theirs);
}

/* ---- attaching ---- */

static struct {
	struct vy_loop *loop;
	struct pane *pane;
	struct vy_term_viewer viewer;
	struct vy_buf bytes;
	int cols, rows;
	int64_t live_us;
	bool keeps;
} at;

static void on_effect(void *ctx, const struct vy_term_effect *e)
{
	(void)ctx;
	if (e->what == VY_TERM_DO_RESET) {
		at.cols = (int)e->cols;
		at.rows = (int)e->rows;
		pane_reset(at.pane, at.cols, at.rows);
	} else if (e->what == VY_TERM_DO_SIZE) {
		pane_resize(at.pane, (int)e->cols, (int)e->rows);
	} else if (e->what == VY_TERM_DO_FEED) {
		pane_feed(at.pane, e->bytes);
		if (at.keeps) {
			vy_buf_addstr(&at.bytes, e->bytes);
		}
	}
}

static void on_line(void *ctx, enum term_link_state s, const struct vy_err *why)
{
	(void)ctx;
	if (s == TERM_LINK_LIVE) {
		at.live_us = world_now_us();
		vy_loop_stop(at.loop);
	} else if (s == TERM_LINK_GONE) {
		world_fail("attach: %s", why ? why->text : "gone");
	}
}

static double attach_once(struct contact *c, const char *term, bool keeps)
{
	static const struct term_link_events events = { on_effect, on_line };
	struct term_link_conf conf = { .loop = c->loop,
		.dial = c->dial,
		.rpc = c->rpc,
		.clock = &vy_clock_real,
		.term = term,
		.viewer = &at.viewer,
		.cols = COLS,
		.rows = ROWS };
	int64_t from = world_now_us();

	at.loop = c->loop;
	at.keeps = keeps;
	vy_term_viewer_init(&at.viewer);
	struct term_link *l = term_link_new(&conf, &events, NULL);

	vy_loop_run(c->loop);
	term_link_free(l);
	return (double)(at.live_us - from) / 1e3;
}

static double parse_once(void)
{
	int64_t from;

	pane_reset(at.pane, at.cols, at.rows);
	from = world_now_us();
	pane_feed(at.pane, vy_buf_str(&at.bytes));
	return (double)(world_now_us() - from) / 1e3;
}

static void attach(void)
{
	char socket[700], term[64] = "";
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct contact_conf conf = { .socket = socket };
	double whole_ms[ROUNDS_MAX], parse_ms[ROUNDS_MAX];
	struct contact c = { 0 };
	struct vy_err e = { 0 };
	struct watch t;

	write_file("show.sh", script);
	write_file("ansi.txt", ansi_lines);
	shell_in(&t, vyre_command("term --new --provider demo"));
	run(&t, "ansi");
	watch_type(&t, "\035d");
	watch_end(&t);
	snprintf(socket, sizeof(socket), "%s/s/vyred.sock", world.dir.path);
	if (contact_open(&c, &conf, &e) != 0) {
		world_fail("%s", e.text);
	}
	VY_AUTO_JSON *list = contact_ask(&c, "term.list", vy_json_new_obj(), NULL, &e);
	const char *id = vy_json_cstr(vy_json_at(vy_json_get(list, "terms"), 0), "term");

	snprintf(term, sizeof(term), "%s", id ? id : "");
	at.pane = pane_new(pool, COLS, ROWS);
	pane_set_muted(at.pane, true);
	at.bytes = VY_BUF_INIT(4 * RING);
	attach_once(&c, term, true);
	for (int r = 0; r < rounds; r++) {
		whole_ms[r] = attach_once(&c, term, false);
		parse_ms[r] = parse_once();
	}
	double ours = world_median(whole_ms, (size_t)rounds);
	double alone = world_median(parse_ms, (size_t)rounds);

	printf("{\"bench\":\"term\",\"what\":\"attach\",\"rounds\":%d,\"bytes\":%zu,\"attach_ms\":%"
	       ".1f,"
	       "\"parse_ms\":%.1f,\"ratio\":%.2f,\"ratio_limit\":1.50,\"met\":%s}\n",
		rounds, at.bytes.len, ours, alone, ours / alone,
		ours / alone <= 1.5 ? "true" : "false");
	pane_free(at.pane);
	vy_buf_fini(&at.bytes);
	cell_pool_free(pool);
	contact_close(&c);
}

/* ---- the chat beside a flood ---- */

/* Until the text is on the screen, in ms since `from`. */
static double seen_ms(struct watch *t, const char *text, int64_t from)
{
	while (!watch_has(t, text)) {
		watch_pump(t, 1);
		if (world_now_us() - from > 10000000) {
			world_fail("\"%s\" never comes", text);
		}
	}
	return (double)(world_now_us() - from) / 1e3;
}

static void press_keys(struct watch *t, double *late)
{
	char want[64] = "> ";
	size_t n = 2;

	for (int i = 0; i < KEYS; i++) {
		char key[2] = { (char)('a' + i % 26), '\0' };

		if (i % 26 == 0) { /* a line of its own */
			watch_type(t, "\025");
			seen_ms(t, "> type here", world_now_us());
			n = 2;
		}
		want[n++] = key[0];
		want[n] = '\0';
		watch_sleep(t, KEY_EVERY_MS);
		int64_t from = world_now_us();

		watch_type(t, key);
		late[i] = seen_ms(t, want, from);
	}
}

static void keys(void)
{
	static double late[KEYS], still[KEYS];
	struct watch t;
	int64_t tui_kb, vyred_kb;

	watch_start(&t, &world, vyre_command("--new --provider demo"), COLS, ROWS);
	if (!watch_wait(&t, "type here", 30000)) {
		world_fail("no chat comes");
	}
	press_keys(&t, still);
	watch_type(&t, "\024");
	watch_sleep(&t, 1500);
	watch_type(&t, "PS1='rea''dy> '; clear\r");
	if (!watch_wait(&t, "ready>", 20000)) {
		world_fail("no shell comes");
	}
	watch_type(&t, "yes a flood of words that never ends\r");
	watch_sleep(&t, 3000);
	watch_type(&t, "\033w");
	watch_sleep(&t, 500);
	tui_kb = world_rss_kb(t.term.pid);
	vyred_kb = world_rss_kb(world.vyred);
	press_keys(&t, late);
	watch_sleep(&t, 5000);

	double p50 = world_quantile(late, KEYS, 0.5), p99 = world_quantile(late, KEYS, 0.99);

	printf("{\"bench\":\"term\",\"what\":\"keys\",\"keys\":%d,\"still_p50_ms\":%.1f,\"p50_ms\":"
	       "%.1f,"
	       "\"p99_ms\":%.1f,\"p99_limit\":20,\"met\":%s,\"tui_kb\":%lld,\"tui_kb_end\":%lld,"
	       "\"vyred_kb\":%lld,\"vyred_kb_end\":%lld}\n",
		KEYS, world_quantile(still, KEYS, 0.5), p50, p99, p99 <= 20 ? "true" : "false",
		(long long)tui_kb, (long long)world_rss_kb(t.term.pid), (long long)vyred_kb,
		(long long)world_rss_kb(world.vyred));
	watch_end(&t);
}

/* ---- which ---- */

int main(int argc, char **argv)
{
	const char *what = NULL;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
			rounds = (int)strtol(argv[++i], NULL, 10);
		} else {
			what = argv[i];
		}
	}
	if (rounds < 1 || rounds > ROUNDS_MAX || (what && !strstr(" whole attach keys ", what))) {
		fputs("usage: term_bench [--rounds N] [whole|attach|keys]\n", stderr);
		return 2;
	}
	world_open(&world);
	world_start_vyred(&world);
	if (!what || strcmp(what, "whole") == 0) {
		whole();
	}
	if (!what || strcmp(what, "attach") == 0) {
		attach();
	}
	if (!what || strcmp(what, "keys") == 0) {
		keys();
	}
	world_close(&world);
	return 0;
}
