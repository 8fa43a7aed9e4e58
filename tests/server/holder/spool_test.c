/* spool_test.c -- against a model in plain memory: whatever is added, read and forgotten, the bytes and
 * their streams are the same; full and out of disk it takes nothing and loses nothing. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/holder/spool.h"
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"

enum { MODEL = 4 * 1024 * 1024 };

struct model {
	char bytes[MODEL];
	char streams[MODEL];
	uint64_t end;
};

static uint32_t seed;

static uint32_t dice(uint32_t sides)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % sides;
}

/* Adds up to n bytes as far as there is room; to both. */
static size_t add(struct spool *s, struct model *m, int stream, size_t n)
{
	size_t room = spool_room(s, stream);

	n = n < room ? n : room;
	for (size_t i = 0; i < n; i++) {
		m->bytes[m->end + i] = (char)dice(256);
		m->streams[m->end + i] = (char)stream;
	}
	spool_add(s, stream, m->bytes + m->end, n);
	m->end += n;
	return n;
}

/* Reads [from, to) in pieces of random size and compares. */
static void compare(const struct spool *s, const struct model *m, uint64_t from, uint64_t to)
{
	static char piece[100 * 1024];

	while (from < to) {
		size_t room = 1 + dice(dice(2) ? 100 : sizeof(piece) - 1);
		int stream = 0;
		long n = spool_read(s, from, piece, room, &stream, NULL);

		assert_true(n > 0 && (size_t)n <= room);
		assert_memory_equal(piece, m->bytes + from, (size_t)n);
		for (long i = 0; i < n; i++) {
			assert_int_equal(m->streams[from + (uint64_t)i], stream);
		}
		from += (uint64_t)n;
	}
}

static void random_life(struct tempdir *d, size_t mem_max, uint64_t max, uint32_t start)
{
	struct model *m = VY_NEW(struct model);
	struct spool *s = spool_new(d->path, mem_max, max);

	seed = start;
	while (m->end < MODEL - SPOOL_PIECE) {
		uint64_t floor = spool_floor(s), kept = m->end - floor;

		switch (dice(6)) {
		case 0:
		case 1: add(s, m, 1 + (int)dice(2), 1 + dice(200)); break;
		case 2: add(s, m, 1 + (int)dice(2), SPOOL_PIECE); break;
		case 3: compare(s, m, floor + dice((uint32_t)kept + 1), m->end); break;
		case 4: spool_forget(s, floor + dice((uint32_t)kept + 1)); break;
		case 5:
			if (dice(4) == 0) {
				spool_forget(s, m->end);
			}
			break;
		}
		assert_int_equal(spool_end(s), m->end);
		assert_true(m->end - spool_floor(s) <= max);
		assert_false(spool_is_stuck(s));
	}
	compare(s, m, spool_floor(s), m->end);
	spool_free(s);
	free(m);
}

static void test_like_the_model(void **state)
{
	struct tempdir d = tempdir_make();

	(void)state;
	for (uint32_t i = 1; i <= 4; i++) {
		random_life(&d, 1000, 5000, i);                       /* turns round many times */
		random_life(&d, 64 * 1024, 300 * 1024, i);            /* mostly in memory */
		random_life(&d, 1, 2 * 1024 * 1024, i);               /* nearly all in the file */
		random_life(&d, 4 * 1024 * 1024, 4 * 1024 * 1024, i); /* never a file */
	}
	tempdir_remove(d.path);
}

static void test_streams(void **state)
{
	struct spool *s = spool_new("/nonexistent", 100, 100);
	char out[100];
	int stream = 0;

	(void)state;
	spool_add(s, 1, "abc", 3);
	spool_add(s, 1, "def", 3);
	spool_add(s, 2, "XYZ", 3);
	spool_add(s, 1, "ghi", 3);
	check_int("one run of one stream", spool_read(s, 0, out, 100, &stream, NULL), 6);
	check_int("its stream", stream, 1);
	check_int("from the middle", spool_read(s, 7, out, 100, &stream, NULL), 2);
	check_int("its stream", stream, 2);
	check_vstr("its bytes", vy_str_n(out, 2), VY_STR_LIT("YZ"));
	spool_forget(s, 8);
	check_int("after forgetting", spool_read(s, 8, out, 100, &stream, NULL), 1);
	check_int("its stream", stream, 2);
	check_int("at the end", spool_read(s, 12, out, 100, &stream, NULL), 0);
	spool_forget(s, 1000);
	check_int("all is forgotten", (long long)spool_floor(s), 12);
	spool_add(s, 2, "q", 1);
	check_int("offsets go on", spool_read(s, 12, out, 100, &stream, NULL), 1);
	check_int("its stream", stream, 2);
	spool_free(s);
}

static int count_files(const char *path)
{
	DIR *dir = opendir(path);
	int n = -2;

	while (readdir(dir)) {
		n++;
	}
	closedir(dir);
	return n;
}

static void test_full(void **state)
{
	struct tempdir d = tempdir_make();
	struct model *m = VY_NEW(struct model);
	struct spool *s = spool_new(d.path, 1000, 3000);

	(void)state;
	while (add(s, m, 1, 700) > 0) {
	}
	check_int("takes all of its maximum", (long long)m->end, 3000);
	check_int("then nothing", (long long)spool_room(s, 1), 0);
	check_int("and no file can be seen", count_files(d.path), 0);
	compare(s, m, 0, m->end);
	spool_forget(s, 1);
	check_int("one byte makes room for one", (long long)spool_room(s, 1), 1);
	spool_free(s);
	free(m);
	tempdir_remove(d.path);
}

/* Changing the stream with each byte costs memory that no byte limit sees. */
static void test_many_changes(void **state)
{
	struct spool *s = spool_new("/nonexistent", 1024 * 1024, 1024 * 1024);
	size_t n = 0;

	(void)state;
	while (spool_room(s, 1 + (int)(n % 2))) {
		spool_add(s, 1 + (int)(n % 2), "x", 1);
		n++;
	}
	check_true("it stops some time", n < 1024 * 1024);
	check_true("the stream it is in may go on", spool_room(s, 1 + (int)((n - 1) % 2)) > 0);
	spool_forget(s, 10);
	check_true("and forgetting helps", spool_room(s, 1 + (int)(n % 2)) > 0);
	spool_free(s);
}

static void set_file_limit(rlim_t bytes)
{
	struct rlimit l = { bytes, RLIM_INFINITY };

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

static void test_disk_full(void **state)
{
	struct tempdir d = tempdir_make();
	struct model *m = VY_NEW(struct model);
	struct spool *s = spool_new(d.path, 1000, 1000 * 1000);
	uint64_t was;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	set_file_limit(5000);
	while (add(s, m, 1 + (int)dice(2), 700) > 0) {
	}
	was = m->end;
	check_true("stuck", spool_is_stuck(s));
	check_true("with the piece that did not fit in the hand", was > 6000);
	check_true("trying again does not help yet", !spool_retry(s));
	compare(s, m, 0, m->end);
	set_file_limit(RLIM_INFINITY);
	check_true("the disk has room again", spool_retry(s));
	check_true("so it takes more", add(s, m, 2, 700) == 700);
	compare(s, m, 0, m->end);

	set_file_limit(1);
	while (add(s, m, 1, 700) > 0) {
	}
	check_true("stuck once more", spool_is_stuck(s));
	spool_forget(s, m->end - 10);
	check_true("what is committed frees the memory for the rest", !spool_is_stuck(s));
	compare(s, m, m->end - 10, m->end);
	check_true("and for more", add(s, m, 1, 500) == 500);
	compare(s, m, spool_floor(s), m->end);
	set_file_limit(RLIM_INFINITY);
	spool_free(s);
	free(m);
	tempdir_remove(d.path);
}

static void test_no_folder(void **state)
{
	struct model *m = VY_NEW(struct model);
	struct spool *s = spool_new("/nonexistent", 100, 1000);

	(void)state;
	while (add(s, m, 1, 30) > 0) {
	}
	check_true("without a file it is stuck, not broken", spool_is_stuck(s));
	compare(s, m, 0, m->end);
	spool_forget(s, m->end);
	check_true("and memory goes on serving", add(s, m, 1, 30) == 30);
	compare(s, m, spool_floor(s), m->end);
	spool_free(s);
	free(m);
}

CHECK_MAIN(CHECK_TEST(test_like_the_model), CHECK_TEST(test_streams), CHECK_TEST(test_full),
	CHECK_TEST(test_many_changes), CHECK_TEST(test_disk_full), CHECK_TEST(test_no_folder))
