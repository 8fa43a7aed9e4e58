/* reel_test.c -- what a ring holds, what leaves it, and where it is cut. */
#include "server/term/reel.h"

#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* What all bytes are: byte o of the stream. Lines of `line` bytes; 0: none ends. */
static char at(uint64_t o, unsigned line)
{
	return line && o % line == line - 1 ? '\n' : (char)('a' + o % 23);
}

static void put(struct reel *r, uint64_t n, size_t piece, unsigned line, uint64_t *left)
{
	char *room = vy_alloc(piece);
	uint64_t to = r->end + n;

	while (r->end < to) {
		size_t m = to - r->end < piece ? (size_t)(to - r->end) : piece;
		struct vy_str rest = vy_str_n(room, m);

		for (size_t i = 0; i < m; i++) {
			room[i] = at(r->end + i, line);
		}
		while (rest.n) {
			struct vy_str old;

			rest = vy_str_from(rest, reel_add(r, rest));
			while ((old = reel_old(r)).n) {
				for (size_t i = 0; i < old.n; i++) {
					assert_int_equal(old.p[i], at(*left + i, line));
				}
				*left += old.n;
				reel_drop(r, old.n);
			}
		}
	}
	free(room);
}

static const struct {
	const char *name;
	uint64_t from, n;
	size_t piece;
	unsigned line;
} rows[] = {
	{ "nothing", 0, 0, 1, 80 },
	{ "a little", 0, 1000, 7, 80 },
	{ "just what it holds", 0, REEL_BYTES, 4096, 80 },
	{ "one more", 0, REEL_BYTES + 1, 4096, 80 },
	{ "much", 0, 20u * 1024 * 1024, 65536, 80 },
	{ "in large pieces", 12345, 12u * 1024 * 1024, 1u << 20, 1000 },
	{ "long lines", 0, 9u * 1024 * 1024, 50000, 60000 },
	{ "lines longer than it looks", 0, 9u * 1024 * 1024, 50000, 100000 },
	{ "no end of a line", 1u << 31, 40u * 1024 * 1024, 65535, 0 },
};

static void holds_the_newest(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct reel r;
		uint64_t left = rows[i].from;

		reel_init(&r, rows[i].from);
		put(&r, rows[i].n, rows[i].piece, rows[i].line, &left);
		check_true(rows[i].name, r.end == rows[i].from + rows[i].n);
		check_true(rows[i].name, r.floor == left);
		check_true(rows[i].name, r.end - r.floor <= REEL_BYTES);
		check_true(rows[i].name,
			r.end - r.floor + REEL_LINE >= REEL_BYTES || r.floor == rows[i].from);
		check_true(rows[i].name, r.cap <= REEL_BYTES + REEL_LINE + REEL_ADD);
		if (r.floor > rows[i].from && rows[i].line && rows[i].line < REEL_LINE) {
			check_int(rows[i].name, at(r.floor - 1, rows[i].line), '\n');
		}
		for (uint64_t o = r.floor; o < r.end;) {
			struct vy_str s = reel_at(&r, o, 5000);

			check_true(rows[i].name, s.n > 0 && s.n <= 5000);
			for (size_t k = 0; k < s.n; k++) {
				check_int(rows[i].name, s.p[k], at(o + k, rows[i].line));
			}
			o += s.n;
		}
		check_int(rows[i].name, (long long)reel_at(&r, r.end, 10).n, 0);
		if (r.floor) {
			check_int(rows[i].name, (long long)reel_at(&r, r.floor - 1, 10).n, 0);
		}
		reel_fini(&r);
	}
}

/* A line without an end is cut between two characters. */
static void characters(void **state)
{
	static const char euro[] = "\xe2\x82\xac";
	VY_AUTO_BUF b = VY_BUF_INIT(REEL_ADD + 8);
	struct reel r;
	struct vy_str old;

	(void)state;
	reel_init(&r, 0);
	while (b.len + 3 <= REEL_ADD) {
		vy_buf_adds(&b, euro);
	}
	for (int i = 0; i < 200; i++) {
		assert_int_equal(reel_add(&r, vy_buf_str(&b)), b.len);
		while ((old = reel_old(&r)).n) {
			reel_drop(&r, old.n);
			if (reel_old(&r).n == 0) {
				assert_int_equal(r.floor % 3, 0);
			}
		}
	}
	assert_true(r.floor > 0);
	reel_fini(&r);
}

/* Bytes that go on for ever within one character do not hold it up. */
static void junk(void **state)
{
	char room[4096];
	struct reel r;
	struct vy_str old;

	(void)state;
	memset(room, 0x80, sizeof(room));
	reel_init(&r, 0);
	for (int i = 0; i < 3000; i++) {
		reel_add(&r, vy_str_n(room, sizeof(room)));
		while ((old = reel_old(&r)).n) {
			reel_drop(&r, old.n);
		}
		assert_true(r.end - r.floor <= REEL_BYTES);
	}
	reel_fini(&r);
}

static void before(void **state)
{
	struct reel r;
	size_t n = 0;

	(void)state;
	reel_init(&r, 10);
	reel_add(&r, VY_STR_LIT("abcdef"));
	check_vstr("before", reel_before(&r, 13), VY_STR_LIT("abc"));
	check_vstr("all", reel_before(&r, 99), VY_STR_LIT("abcdef"));
	assert_int_equal(reel_before(&r, 10).n, 0);
	assert_int_equal(reel_before(&r, 3).n, 0);
	while ((n = reel_before(&r, 16).n)) {
		reel_drop(&r, n);
	}
	assert_true(r.floor == 16 && r.end == 16);
	reel_fini(&r);
}

CHECK_MAIN(
	CHECK_TEST(holds_the_newest), CHECK_TEST(characters), CHECK_TEST(junk), CHECK_TEST(before))
