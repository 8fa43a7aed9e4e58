/* adopt_bench.c -- what other programs left, listed and opened.
 *
 * usage: adopt_bench [FILES [KIB]]    one JSON object; 1,000 transcripts of 2,048 KiB unless said otherwise
 * The files are real ones: written whole, of many lines, in forty folders. Listed cold (nothing of them in the
 * machine's memory, a vyred that never saw them), then warm, medians of several. Then one of 2,000 messages is
 * chosen in the client's list, as a person does it: from the key to its last words on the screen it is found,
 * read, stored, answered, attached to and painted. One figure, the median of several, each of a file of its own. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "tests/bench/watch.h"
#include "shared/base/ban.h"

#define FOLDERS  40
#define ROUNDS   9
#define MESSAGES 2000
#define OPENED   7 /* times */
#define WARM_MS  200.0
#define COLD_MS  2000.0
#define OPEN_MS  150.0
#define ID_OF    "22222222-2222-4333-8444-%012d"

static struct world the_world;

static const char *yes(bool is)
{
	return is ? "true" : "false";
}

/* ---- transcripts ---- */

static void folder(int i, char out[700])
{
	snprintf(out, 700, "%s/home/.claude", the_world.dir.path);
	mkdir(out, 0700);
	snprintf(out, 700, "%s/home/.claude/projects", the_world.dir.path);
	mkdir(out, 0700);
	snprintf(out, 700, "%s/home/.claude/projects/-work-project-%d", the_world.dir.path, i);
	mkdir(out, 0700);
}

static void line(struct vy_buf *b, int n, const char *type, const char *text, size_t pad)
{
	char up[60] = "null";

	if (n > 0) {
		snprintf(up, sizeof(up), "\"00000000-0000-4000-8000-%012d\"", n - 1);
	}
	vy_buf_addf(b,
		"{\"parentUuid\":%s,\"isSidechain\":false,\"type\":\"%s\",\"uuid\":\"00000000-0000-"
		"4000-8000-"
		"%012d\",\"timestamp\":\"2026-01-02T03:04:05.000Z\",\"cwd\":\"%s/"
		"work\",\"message\":{\"id\":"
		"\"msg_%d\",\"role\":\"%s\",\"content\":[{\"type\":\"text\",\"text\":\"%s",
		up, type, n, the_world.dir.path, n, type, text);
	for (size_t i = 0; i < pad; i++) {
		vy_buf_addc(b, i % 8 == 7 ? ' ' : (char)('a' + (i * 7 + (size_t)n) % 26));
	}
	vy_buf_adds(b, "\"}]}}\n");
}

static void write_file(const char *path, struct vy_str text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text.p, text.n) != (ssize_t)text.n || fdatasync(fd) != 0) {
		world_fail("writing %s", path);
	}
	close(fd);
}

static void write_many(int files, size_t bytes)
{
	VY_AUTO_BUF text = VY_BUF_INIT(bytes * 2 + 65536);

	for (int i = 0; i < files; i++) {
		char dir[700], path[800], word[80];

		vy_buf_clear(&text);
		snprintf(word, sizeof(word), "the first word of the session %d ", i);
		for (int n = 0; text.len < bytes; n++) {
			line(&text, n, n % 2 ? "assistant" : "user", n ? "" : word, 3000);
		}
		folder(i % FOLDERS, dir);
		snprintf(path, sizeof(path), "%s/11111111-2222-4333-8444-%012d.jsonl", dir, i);
		write_file(path, vy_buf_str(&text));
	}
}

static void write_long(int which)
{
	VY_AUTO_BUF text = VY_BUF_INIT(64 << 20);
	char dir[700], path[800], first[80], last[80];

	snprintf(first, sizeof(first), "number %d of those that are chosen ", which);
	snprintf(last, sizeof(last), "the very last words of %d ", which);
	for (int n = 0; n < MESSAGES; n++) {
		line(&text, n, n % 2 ? "assistant" : "user",
			n == 0              ? first
			: n == MESSAGES - 1 ? last
					    : "",
			400);
	}
	folder(FOLDERS, dir);
	snprintf(path, sizeof(path), "%s/" ID_OF ".jsonl", dir, which);
	write_file(path, vy_buf_str(&text));
}

/* Nothing of them is in memory any more: they are on the disk. */
static void forget(int files)
{
	for (int i = 0; i < files; i++) {
		char dir[700], path[800];

		folder(i % FOLDERS, dir);
		snprintf(path, sizeof(path), "%s/11111111-2222-4333-8444-%012d.jsonl", dir, i);
		int fd = open(path, O_RDONLY);

		if (fd < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0) {
			world_fail("forgetting %s", path);
		}
		close(fd);
	}
}

/* ---- the list ---- */

static double list_ms(int files)
{
	int64_t begin = world_now_us();
	char *answer = world_call(&the_world, "threads.adoptable", "{\"limit\":1000}");
	double ms = (double)(world_now_us() - begin) / 1e3;
	VY_AUTO_JSON *v = vy_json_parse(vy_str_c(answer), NULL);
	size_t n = vy_json_len(vy_json_path(v, "result.sessions"));

	if (n < (files < 1000 ? (size_t)files : 1000) ||
		!vy_json_str(vy_json_at(vy_json_path(v, "result.sessions"), 0), "title").n) {
		world_fail("the list: %.300s", answer);
	}
	free(answer);
	return ms;
}

/* ---- one of them ---- */

static void needs(struct watch *t, const char *text)
{
	if (!watch_wait(t, text, 30000)) {
		VY_AUTO_BUF all = VY_BUF_INIT(1 << 20);

		term_text(&t->term, &all);
		fprintf(stderr, "%s\n", vy_buf_c(&all));
		world_fail("nowhere: %s", text);
	}
}

/* What the one before left to be done (its words into the search, its frames packed) is done. */
static void rest(void)
{
	int64_t before, now = world_cpu_us(the_world.vyred);
	int left = 60;

	do {
		struct timespec half = { 0, 500000000 };

		before = now;
		nanosleep(&half, NULL);
		now = world_cpu_us(the_world.vyred);
	} while (now - before > 5000 && --left > 0);
}

/* The client stands with its list, as it does for a person, who then takes the one that was sought. */
static double open_one(int which, double *cpu_ms)
{
	char command[2048], first[80], last[80];
	struct watch t;

	write_long(which);
	rest();
	snprintf(first, sizeof(first), "number %d of those", which);
	snprintf(last, sizeof(last), "the very last words of %d", which);
	snprintf(command, sizeof(command), "%s/vyre-tui --state-dir %s/s --adopt \"number %d\"",
		the_world.bin, the_world.dir.path, which);
	watch_start(&t, &the_world, command, 120, 40);
	needs(&t, first);
	watch_quiet(&t, 300, 5000);
	if (watch_has(&t, last)) {
		world_fail("its last words are on the screen before it is opened");
	}
	int64_t begin = world_now_us(), cpu = world_cpu_us(the_world.vyred);

	watch_type(&t, "\r");
	needs(&t, last);
	double ms = (double)(world_now_us() - begin) / 1e3;

	*cpu_ms = (double)(world_cpu_us(the_world.vyred) - cpu) / 1e3;
	watch_end(&t);
	return ms;
}

int main(int argc, char **argv)
{
	long long files = 1000, kib = 2048;
	double warm[ROUNDS], opened[OPENED], cpu[OPENED], cold, anew;

	if (argc > 3 || (argc > 1 && !vy_parse_i64(vy_str_c(argv[1]), &files)) ||
		(argc > 2 && !vy_parse_i64(vy_str_c(argv[2]), &kib)) || files < 1 || kib < 1) {
		fputs("usage: adopt_bench [FILES [KIB]]\n", stderr);
		return 2;
	}
	world_open(&the_world);
	write_many((int)files, (size_t)kib * 1024);
	forget((int)files);
	world_start_vyred(&the_world);
	cold = list_ms((int)files);
	for (int i = 0; i < ROUNDS; i++) {
		warm[i] = list_ms((int)files);
	}
	world_stop_vyred(&the_world);
	world_start_vyred(&the_world);
	anew = list_ms((int)files); /* a vyred that has only its table */
	for (int i = 0; i < OPENED; i++) {
		opened[i] = open_one(i, &cpu[i]);
	}
	double ms = world_median(warm, ROUNDS), open = world_median(opened, OPENED);

	printf("{\"bench\":\"adopt\",\"files\":%lld,\"kib\":%lld,\"cold_ms\":%.0f,\"cold_ms_"
	       "limit\":%.0f,"
	       "\"cold_ms_met\":%s,\"warm_ms\":%.1f,\"warm_ms_limit\":%.0f,\"warm_ms_met\":%s,"
	       "\"anew_ms\":%.1f,\"messages\":%d,\"open_ms\":%.1f,\"open_best_ms\":%.1f,\"open_cpu_"
	       "ms\":%.1f,"
	       "\"open_ms_limit\":%.0f,\"open_ms_met\":%s}\n",
		files, kib, cold, COLD_MS, yes(cold <= COLD_MS), ms, WARM_MS, yes(ms <= WARM_MS),
		anew, MESSAGES, open, opened[0], world_median(cpu, OPENED), OPEN_MS,
		yes(open <= OPEN_MS));
	world_close(&the_world);
	return 0;
}
