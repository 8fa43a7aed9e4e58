/* soak.c -- many viewers of many sessions, over a line with faults, for long.
 *
 * usage: soak [--viewers N] [--sessions N] [--seconds S] [--seed X]
 *
 * One vyred with its real holders and demo agents, all of which talk all the time. Each session has one
 * who looks on undisturbed; all others come by the line with faults (tests/play/proxy.h), which changes
 * its mind every moment: late, chopped, slow, cut anywhere, dropped. By every way there is (conn.h).
 * A frame that leaves a gap or comes twice ends it at once. In the end every viewer has the digest of who
 * was undisturbed; vyred's memory, when all is quiet, is at the end what it was at half; its descriptors
 * are those it had in front of the first viewer. No time is asserted. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/box.h"
#include "tests/play/proxy.h"
#include "tests/soak/crowd.h"
#include "tests/soak/watcher.h"
#include "shared/base/ban.h"

enum {
	SESSIONS_MAX = 64,
	FAULT_MS = 700,   /* at most; then the line is another */
	PATIENCE_S = 240, /* in the end, for those who lag */
	TURN_MS = 10,
	LONG_S = 60,
	QUIET_MS =
		7000, /* vyred gives back what it kept for work; a short soak does not wait for it */
	SLACK_KB = 2048, /* what memory may differ by, and … */
	SLACK_PERCENT = 8,
};

static struct {
	int n_viewers, n_sessions, seconds;
	struct box box;
	char proxy[128];
	struct hall *hall; /* its first seats are the undisturbed, one a session */
	int crowds;
	uint64_t said_at[SESSIONS_MAX]; /* where the undisturbed one was then */
	char sessions[SESSIONS_MAX][64];
	bool is_talking; /* sessions that rest are told to say more */
	uint64_t seed, random;
	int64_t fault_ms;
} s = { .n_viewers = 150, .n_sessions = 8, .seconds = 6 };

static void fail(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static uint32_t draw(uint32_t below)
{
	s.random ^= s.random << 13;
	s.random ^= s.random >> 7;
	s.random ^= s.random << 17;
	return (uint32_t)(s.random >> 16) % below;
}

static void fail(const char *fmt, ...)
{
	va_list ap;
	char command[200];
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	fprintf(stderr, "soak: seed %llu: ", (unsigned long long)s.seed);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	snprintf(command, sizeof(command), "grep -v level=info '%s' | tail -n 20 | cut -c -300",
		s.box.err);
	box_shell(&s.box, command, &out);
	fprintf(stderr, "\nvyred said:\n%s", vy_buf_c(&out));
	box_fini(&s.box, false);
	exit(1);
}

/* ---- vyred, as seen from outside ---- */

static long rss_kb(void)
{
	char path[64], line[128];
	long kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)s.box.vyred);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "VmRSS:", 6) == 0) {
			kb = strtol(line + 6, NULL, 10);
		}
	}
	if (f) {
		fclose(f);
	}
	return kb;
}

/* But for those of databases: a worker opens them once more when it first has something to do. */
static int count_fds(void)
{
	char path[400], to[512];
	DIR *dir;
	struct dirent *d;
	int n = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)s.box.vyred);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", (int)s.box.vyred, d->d_name);
		ssize_t len = readlink(path, to, sizeof(to) - 1);

		to[len > 0 ? len : 0] = '\0';
		n += len > 0 && !strstr(to, ".db");
	}
	if (dir) {
		closedir(dir);
	}
	return n;
}

/* The least of a while: what is just being closed does not count. */
static int least_fds(void)
{
	int least = count_fds();

	for (int i = 0; i < 50; i++) {
		int n = (poll(NULL, 0, 20), count_fds());

		least = n < least ? n : least;
	}
	return least;
}

/* What it holds when nothing moves: the least of a while in which it gives back what it needs no more. */
static long quiet_kb(void)
{
	int ms = s.seconds >= LONG_S ? QUIET_MS : QUIET_MS / 10;
	long least = rss_kb();

	for (int i = 0; i < ms / 100; i++) {
		long kb = (poll(NULL, 0, 100), rss_kb());

		least = kb < least ? kb : least;
	}
	return least;
}

/* ---- those who talk ---- */

static void start_sessions(void)
{
	for (int i = 0; i < s.n_sessions; i++) {
		VY_AUTO_BUF params = VY_BUF_INIT(4096);

		vy_buf_addf(&params, "{\"provider\":\"demo\",\"cwd\":\"%s\"}", s.box.work);
		VY_AUTO_JSON *record = watcher_call(s.box.sock, "threads.start", vy_buf_c(&params));
		const char *id = vy_json_cstr(record, "session");

		if (!id) {
			fail("no session");
		}
		snprintf(s.sessions[i], sizeof(s.sessions[i]), "%s", id);
	}
}

static void say(const char *session, const char *words)
{
	VY_AUTO_BUF params = VY_BUF_INIT(4096);

	vy_buf_addf(&params, "{\"session\":\"%s\",\"text\":\"%s\"}", session, words);
	VY_AUTO_JSON *result = watcher_call(s.box.sock, "threads.send", vy_buf_c(&params));

	if (!result) {
		fail("nothing can be said to %s", session);
	}
}

static void say_more(int session)
{
	static const char *const words[] = { "say:40 delay=60",
		"think:10 delay=50 ;; say:20 delay=80", "markdown ;; say:20 delay=50",
		"big:20000 ;; say:10 delay=100", "todo ;; say:30 delay=60",
		"echo:\\u00e4\\ud83d\\ude00 ;; say:30 delay=60" };

	s.said_at[session] = s.hall->seats[session].last;
	say(s.sessions[session], words[draw(VY_COUNT(words))]);
}

static bool rests(const char *session)
{
	char params[128];

	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", session);
	VY_AUTO_JSON *record = watcher_call(s.box.sock, "threads.get", params);

	return vy_str_is(vy_json_str(record, "state"), "idle");
}

/* ---- those who watch ---- */

static void another_fault(int64_t now)
{
	static const char *const faults[] = { "pass", "delay 15", "chop 60", "slow 60000",
		"cut 60000", "cut 4000", "wild 40000", "drop", "delay 60", "wild 200000" };

	if (now >= s.fault_ms) {
		s.fault_ms = now + 100 + draw(FAULT_MS);
		if (!proxy_say(s.box.aside_fd, faults[draw(VY_COUNT(faults))])) {
			fail("the line with faults is gone");
		}
	}
}

/* One round of us who look on: sessions that rest speak again. */
static void turn(void)
{
	poll(NULL, 0, TURN_MS);
	for (int i = 0; i < s.n_sessions && s.is_talking; i++) {
		const struct seat *seat = &s.hall->seats[i];

		if (seat->is_idle && seat->last > s.said_at[i]) {
			say_more(i);
		}
	}
	if (s.hall->has_failed) {
		fail("%s", s.hall->why);
	}
	box_reap(&s.box);
	if (s.box.is_ended) {
		fail("vyred ended with %d", s.box.status);
	}
}

static void all_come(void)
{
	bool is_there = false;

	s.hall->n = s.n_sessions + s.n_viewers;
	s.hall->sock = s.box.sock;
	s.hall->proxy = s.proxy;
	s.hall->seed = s.seed;
	for (int i = 0; i < s.hall->n; i++) {
		struct seat *seat = &s.hall->seats[i];

		seat->number = i % s.n_sessions;
		seat->session = s.sessions[seat->number];
		seat->is_via = i >= s.n_sessions;
		seat->form = seat->is_via ? (enum conn_form)((i / s.n_sessions) % CONN_FORMS)
					  : CONN_SINGLE;
	}
	s.crowds = hall_open(s.hall);
	while (!is_there) {
		turn();
		is_there = true;
		for (int i = 0; i < s.hall->n; i++) {
			is_there &= s.hall->seats[i].is_there;
		}
	}
}

/* All are told to leave, and have left. */
static void all_leave(void)
{
	s.hall->is_over = true;
	while (s.hall->gone < s.crowds) {
		turn();
	}
}

/* ---- the end ---- */

static bool is_level(void)
{
	for (int i = 0; i < s.hall->n; i++) {
		const struct seat *seat = &s.hall->seats[i], *first = &s.hall->seats[seat->number];

		if (seat->last != first->last || !first->is_idle ||
			first->last <= s.said_at[seat->number]) {
			return false;
		}
	}
	return true;
}

static void say_who_lags(void)
{
	for (int i = 0; i < s.hall->n; i++) {
		const struct seat *seat = &s.hall->seats[i], *first = &s.hall->seats[seat->number];

		if (seat->last != first->last || (seat == first && !first->is_idle)) {
			fprintf(stderr, "viewer %d of %d by %s: %s, at %llu of %llu%s\n", i,
				seat->number, conn_words[seat->form],
				seat->is_there ? "there" : "away", (unsigned long long)seat->last,
				(unsigned long long)first->last,
				first->is_idle ? "" : ", which does not rest");
		}
	}
}

static uint64_t losses(void)
{
	uint64_t n = 0;

	for (int i = 0; i < s.hall->n; i++) {
		n += s.hall->seats[i].losses;
	}
	return n;
}

/* So many were cut that it is worth comparing. */
static bool is_disturbed(void)
{
	return losses() >= (uint64_t)s.hall->n / 4;
}

static void compare(void)
{
	uint64_t pieces = 0;

	for (int i = 0; i < s.hall->n; i++) {
		const struct seat *seat = &s.hall->seats[i], *first = &s.hall->seats[seat->number];

		pieces += seat->pieces;
		if (seat->digest != first->digest || seat->pieces != first->pieces ||
			seat->pieces != seat->last) {
			fail("viewer %d of %d by %s saw %llu pieces to %llu, who was undisturbed "
			     "%llu to %llu%s",
				i, seat->number, conn_words[seat->form],
				(unsigned long long)seat->pieces, (unsigned long long)seat->last,
				(unsigned long long)first->pieces, (unsigned long long)first->last,
				seat->digest != first->digest ? ", and other ones" : "");
		}
	}
	printf("soak: %d viewers of %d sessions saw %llu frames, the same each; they were cut %llu "
	       "times\n",
		s.hall->n, s.n_sessions, (unsigned long long)pieces, (unsigned long long)losses());
	if (!is_disturbed()) {
		fail("the faults did not do their work");
	}
}

static void is_flat(long half_kb, long end_kb)
{
	printf("soak: vyred had %ld kB at half, %ld kB at the end\n", half_kb, end_kb);
#ifndef __SANITIZE_ADDRESS__
	if (end_kb > half_kb + half_kb * SLACK_PERCENT / 100 + SLACK_KB) {
		fail("vyred's memory grows");
	}
#endif
}

static void half(void)
{
	int64_t begun = now_ms(), end = begun + s.seconds * 500LL;

	s.is_talking = true;
	for (int i = 0; i < s.n_sessions; i++) {
		say_more(i);
	}
	while (now_ms() < end || (!is_disturbed() && now_ms() < begun + PATIENCE_S * 1000LL)) {
		turn();
		another_fault(now_ms());
	}
	s.is_talking = false;
	proxy_say(s.box.aside_fd, "pass");
	for (end = now_ms() + PATIENCE_S * 1000LL; !is_level();) {
		turn();
		if (now_ms() > end) {
			say_who_lags();
			compare();
			fail("they do not come to the end");
		}
	}
}

static void soak(void)
{
	long half_kb, end_kb;

	half();
	half_kb = quiet_kb();
	half();
	end_kb = quiet_kb();
	all_leave();
	compare();
	is_flat(half_kb, end_kb);
}

static void begin(const char *self)
{
	struct rlimit r;
	struct proxy_conf conf = { .listen = s.proxy };

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
	signal(SIGPIPE, SIG_IGN);
	vy_random(&s.seed, 4);
	s.hall = hall_new();
	box_init(&s.box, self);
	box_start(&s.box, NULL, 0);
	while (!box_answers(&s.box)) {
		poll(NULL, 0, 10);
		box_reap(&s.box);
		if (s.box.is_ended) {
			fail("vyred does not start");
		}
	}
	conf.sock = s.box.sock;
	conf.seed = s.seed;
	snprintf(s.proxy, sizeof(s.proxy), "%s/proxy", s.box.dir);
	if (!proxy_start(&conf, &s.box.aside, &s.box.aside_fd)) {
		fail("no line with faults: %s", strerror(errno));
	}
}

/* All have left: vyred has what it had, and ends well. */
static void leave(int fds)
{
	int64_t end = now_ms() + PATIENCE_S * 1000LL;
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	while (least_fds() > fds) {
		if (now_ms() > end) {
			fail("vyred has %d descriptors open, not %d", least_fds(), fds);
		}
	}
	kill(s.box.vyred, SIGTERM);
	while (!s.box.is_ended) {
		poll(NULL, 0, 10);
		box_reap(&s.box);
	}
	if (s.box.status != 0) {
		fail("told to end, vyred ended with %d", s.box.status);
	}
	box_shell(&s.box, "$BIN/vyred verify --state-dir \"$STATE\"", &out);
	if (strstr(vy_buf_c(&out), "does not fit")) {
		fail("the journal: %s", vy_buf_c(&out));
	}
	box_fini(&s.box, false);
}

static int number(const char *text, int least, int most)
{
	long long n = 0;

	if (!vy_parse_i64(vy_str_c(text), &n) || n < least || n > most) {
		fprintf(stderr, "soak: %s is not between %d and %d\n", text, least, most);
		exit(2);
	}
	return (int)n;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "viewers", required_argument, NULL, 'v' },
		{ "sessions", required_argument, NULL, 's' },
		{ "seconds", required_argument, NULL, 't' },
		{ "seed", required_argument, NULL, 'r' }, { 0 } };
	int c, fds, seed = 0;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'v': s.n_viewers = number(optarg, 1, 1000); break;
		case 's': s.n_sessions = number(optarg, 1, SESSIONS_MAX); break;
		case 't': s.seconds = number(optarg, 1, 86400); break;
		case 'r': seed = number(optarg, 1, INT32_MAX); break;
		default:
			fputs("usage: soak [--viewers N] [--sessions N] [--seconds S] [--seed X]\n",
				stderr);
			return 2;
		}
	}
	begin(argv[0]);
	s.seed = seed ? (uint64_t)seed : s.seed;
	s.random = s.seed | 1;
	start_sessions();
	for (int i = 0; i < s.n_sessions; i++) { /* each has its agent */
		say(s.sessions[i], "say:2");
		while (!rests(s.sessions[i])) {
			poll(NULL, 0, 10);
		}
	}
	fds = least_fds();
	all_come();
	soak();
	leave(fds);
	return 0;
}
