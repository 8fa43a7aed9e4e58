/* album_test.c -- which pictures are brought, kept, and forgotten. No decoder: prints are made up. */
#include "tui/ink/album.h"

#include "shared/base/mem.h"
#include "tests/check.h"
#include "shared/base/ban.h"

static const struct album_conf cells = {
	.look = ALBUM_CELLS, .rows = 12, .cell_w = 8, .cell_h = 16
};
static const struct album_conf pixels = {
	.look = ALBUM_PIXELS, .rows = 12, .cell_w = 8, .cell_h = 16
};

static struct album *new_album(const struct album_conf *conf)
{
	struct album *a = album_new();

	album_set(a, conf);
	return a;
}

static struct album_view view(struct album *a, const char *ref, int64_t w, int64_t h, int cols)
{
	struct album_ask ask = { vy_str_c(ref), w, h, cols, 1 };
	struct album_view v;

	album_get(a, &ask, &v);
	return v;
}

/* One paint in which this is in sight. */
static struct album_view see(struct album *a, const char *ref, int64_t w, int64_t h, int cols)
{
	struct album_view v = view(a, ref, w, h, cols);

	album_turn(a);
	album_see(a, v.id, v.size);
	return v;
}

/* The child's work: a print of the wanted size, of a picture that is w by h. */
static bool develop(struct album *a, int64_t w, int64_t h)
{
	struct album_job job;
	struct developed d = { .end = DECODE_OK, .own_w = w, .own_h = h };

	if (!album_next(a, ALBUM_DEVELOP, &job)) {
		return false;
	}
	if (job.want.kind == DEVELOP_PIXELS) {
		d.w = job.want.size.cols * 8;
		d.h = job.want.size.rows * 16;
		d.rgba = vy_calloc((size_t)d.w * (size_t)d.h, 4);
	} else {
		d.cells = vy_calloc(
			(size_t)job.want.size.cols * (size_t)job.want.size.rows, sizeof(*d.cells));
	}
	album_developed(a, &job, &d);
	return true;
}

static bool fetch(struct album *a, size_t n, int64_t w, int64_t h)
{
	struct album_job job;
	char *bytes = vy_calloc(1, n);
	bool is_wanted = album_next(a, ALBUM_FETCH, &job);

	if (is_wanted) {
		album_fetched(a, job.id, vy_str_n(bytes, n), w, h);
	}
	free(bytes);
	return is_wanted;
}

static bool wants(struct album *a, enum album_task task)
{
	struct album_job job;

	return album_next(a, task, &job);
}

/* ---- one picture ---- */

static void in_order(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);
	struct album_view v = view(a, "r", 80, 160, 40);

	check_int("room is kept", v.size.cols, 10);
	check_true("what is not in sight is not wanted", !wants(a, ALBUM_FETCH));
	see(a, "r", 80, 160, 40);
	check_true("not before its bytes", !wants(a, ALBUM_DEVELOP));
	uint64_t rev = album_rev(a);

	check_true("bytes", fetch(a, 100, 80, 160));
	check_true("once", !wants(a, ALBUM_FETCH));
	check_true("print", develop(a, 80, 160));
	check_true("it is drawn anew", album_rev(a) > rev);
	v = see(a, "r", 80, 160, 40);
	check_true("cells", v.cells != NULL);
	check_true("nothing more", !wants(a, ALBUM_FETCH) && !wants(a, ALBUM_DEVELOP));
	album_free(a);
}

static void size_is_learned(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);
	struct album_view v = see(a, "r", 0, 0, 40);

	check_int("no room", v.size.cols, 0);
	check_true("bytes", fetch(a, 100, 0, 0));
	see(a, "r", 0, 0, 40);
	check_true("the decoder says it", develop(a, 80, 160));
	v = see(a, "r", 0, 0, 40);
	check_int("room", v.size.cols, 10);
	check_true("not of that first size", v.cells == NULL);
	check_true("and once more", develop(a, 80, 160));
	check_true("cells", see(a, "r", 0, 0, 40).cells != NULL);
	check_true("that is all", !wants(a, ALBUM_DEVELOP));
	album_free(a);
}

/* Its beginning says how large it is: nothing is made before there is room for it. */
static void size_comes_with_bytes(void **state)
{
	(void)state;
	struct album *a = new_album(&pixels);

	see(a, "r", 0, 0, 40);
	check_true("bytes", fetch(a, 100, 80, 160));
	check_true("not before it is laid out", !wants(a, ALBUM_DEVELOP));
	see(a, "r", 0, 0, 40);
	check_true("once", develop(a, 80, 160) && !wants(a, ALBUM_DEVELOP));
	album_free(a);
}

static void said_wrong(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);

	see(a, "r", 640, 16, 80);
	fetch(a, 100, 0, 0);
	see(a, "r", 640, 16, 80);
	develop(a, 80, 160);
	check_int("the decoder knows better", see(a, "r", 640, 16, 80).size.cols, 10);
	check_true("so it is made again", develop(a, 80, 160));
	check_true("right", see(a, "r", 640, 16, 80).cells != NULL);
	album_free(a);
}

static void fails(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);
	struct developed d = { .end = DECODE_TOO_LARGE, .own_w = 60000, .own_h = 60000 };
	struct album_job job;

	see(a, "r", 60000, 60000, 40);
	fetch(a, 100, 60000, 60000);
	see(a, "r", 60000, 60000, 40);
	check_true("wanted", album_next(a, ALBUM_DEVELOP, &job));
	album_developed(a, &job, &d);
	struct album_view v = see(a, "r", 60000, 60000, 40);

	check_int("no room", v.size.cols, 0);
	check_str("why", v.why, "it is too large to be shown");
	check_true("not again", !wants(a, ALBUM_FETCH) && !wants(a, ALBUM_DEVELOP));
	album_free(a);
}

/* Two rows show one picture, each in its size: both get it, and then there is peace. */
static void two_sizes(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);
	struct album_view wide = { 0 }, narrow = { 0 };
	int made = 0;

	for (int paint = 0; paint < 10; paint++) {
		wide = view(a, "r", 800, 160, 60);
		narrow = view(a, "r", 800, 160, 30);
		album_turn(a);
		album_see(a, wide.id, wide.size);
		album_see(a, narrow.id, narrow.size);
		fetch(a, 100, 800, 160);
		made += develop(a, 800, 160);
	}
	check_true("both", wide.cells && narrow.cells && wide.size.cols != narrow.size.cols);
	check_int("each once", made, 2);
	album_free(a);
}

static void other_look(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);
	struct album_conf few = cells, off = cells;

	few.is_256 = true;
	off.look = ALBUM_CAPTIONS;
	see(a, "r", 80, 160, 40);
	fetch(a, 100, 80, 160);
	see(a, "r", 80, 160, 40);
	develop(a, 80, 160);
	album_set(a, &cells);
	check_true("the same look", see(a, "r", 80, 160, 40).cells != NULL);
	album_set(a, &few);
	check_true("made for it", see(a, "r", 80, 160, 40).cells == NULL);
	check_true("from the bytes that are here", !wants(a, ALBUM_FETCH) && develop(a, 80, 160));
	album_set(a, &off);
	check_int("nothing is shown", view(a, "r", 80, 160, 40).size.cols, 0);
	album_free(a);
}

/* ---- too much ---- */

static void bytes_are_bounded(void **state)
{
	(void)state;
	struct album *a = new_album(&cells);
	char ref[16];

	for (int i = 0; i < 12; i++) {
		snprintf(ref, sizeof(ref), "r%d", i);
		see(a, ref, 80, 160, 40);
		fetch(a, 5 * 1024 * 1024, 80, 160);
		see(a, ref, 80, 160, 40);
		develop(a, 80, 160);
	}
	check_true("its print is there", see(a, "r0", 80, 160, 40).cells != NULL);
	see(a, "r0", 80, 160, 20); /* the same size: the picture is small */
	check_true("and is enough", !wants(a, ALBUM_FETCH));
	see(a, "r0", 80, 160, 5);
	check_true("its bytes went first, and are fetched again", wants(a, ALBUM_FETCH));
	see(a, "r11", 80, 160, 5);
	check_true("the newest are here", !wants(a, ALBUM_FETCH) && wants(a, ALBUM_DEVELOP));
	album_free(a);
}

/* ---- a terminal that draws ---- */

static void images(void **state)
{
	(void)state;
	struct album *a = new_album(&pixels);
	struct album_job job;

	see(a, "r", 80, 160, 40);
	fetch(a, 100, 80, 160);
	see(a, "r", 80, 160, 40);
	develop(a, 80, 160);
	check_int("not before it is sent", (int)see(a, "r", 80, 160, 40).image, 0);
	check_true("to be sent", album_next(a, ALBUM_SEND, &job));
	check_int("its pixels", job.w, 80);
	uint32_t image = job.image;

	album_sent(a, image);
	check_int("now", (int)see(a, "r", 80, 160, 40).image, (int)image);
	check_true("once", !wants(a, ALBUM_SEND) && !wants(a, ALBUM_UNSEND));
	album_clear(a);
	check_true("another session: it may be forgotten", album_next(a, ALBUM_UNSEND, &job));
	check_int("that one", (int)job.image, (int)image);
	album_unsent(a, image);
	check_true("once", !wants(a, ALBUM_UNSEND));
	album_free(a);
}

static void far_away(void **state)
{
	(void)state;
	struct album *a = new_album(&pixels);
	struct album_job job;
	char ref[16];
	int forgotten = 0;

	for (int i = 0; i < 60; i++) {
		snprintf(ref, sizeof(ref), "r%d", i);
		see(a, ref, 800, 192, 100);
		fetch(a, 100, 800, 192);
		see(a, ref, 800, 192, 100);
		develop(a, 800, 192);
		see(a, ref, 800, 192, 100);
		if (album_next(a, ALBUM_SEND, &job)) {
			album_sent(a, job.image);
		}
		while (album_next(a, ALBUM_UNSEND, &job)) {
			album_unsent(a, job.image);
			forgotten++;
		}
	}
	check_int("of 60 the terminal has 32 MiB", forgotten,
		60 - 32 * 1024 * 1024 / (800 * 192 * 4));
	check_int("what went is sent again when it is seen", (int)see(a, "r0", 800, 192, 100).image,
		0);
	check_true("from its bytes", develop(a, 800, 192));
	album_free(a);
}

/* A picture that was seen, fetched, made, and is being sent: its number there. */
static uint32_t on_its_way(struct album *a)
{
	struct album_job job;

	see(a, "r", 80, 160, 40);
	fetch(a, 100, 80, 160);
	see(a, "r", 80, 160, 40);
	develop(a, 80, 160);
	see(a, "r", 80, 160, 40);
	check_true("it is to be sent", album_next(a, ALBUM_SEND, &job));
	return job.image;
}

/* The terminal was another's for a while. */
static void once_more(void **state)
{
	(void)state;
	struct album *a = new_album(&pixels);
	struct album_job job;

	uint32_t image = on_its_way(a);

	album_sent(a, image);
	album_again(a);
	check_true("the old one may go", album_next(a, ALBUM_UNSEND, &job) && job.image == image);
	check_int("it is not drawn", (int)see(a, "r", 80, 160, 40).image, 0);
	check_true("made from its bytes", !wants(a, ALBUM_FETCH) && develop(a, 80, 160));
	see(a, "r", 80, 160, 40);
	check_true("and sent, as another", album_next(a, ALBUM_SEND, &job) && job.image != image);
	album_free(a);
}

/* A picture goes while it is sent: when it has arrived it is forgotten. */
static void gone_on_its_way(void **state)
{
	(void)state;
	struct album *a = new_album(&pixels);
	struct album_job job;

	uint32_t image = on_its_way(a);

	album_clear(a);
	album_sent(a, image);
	check_true("forgotten", album_next(a, ALBUM_UNSEND, &job));
	check_int("that one", (int)job.image, (int)image);
	album_unsent(a, image);
	album_see(a, 77, (struct fit_size){ 1, 1 }); /* of the session before */
	album_free(a);
}

CHECK_MAIN(CHECK_TEST(in_order), CHECK_TEST(size_is_learned), CHECK_TEST(size_comes_with_bytes),
	CHECK_TEST(said_wrong), CHECK_TEST(fails), CHECK_TEST(two_sizes), CHECK_TEST(other_look),
	CHECK_TEST(bytes_are_bounded), CHECK_TEST(images), CHECK_TEST(far_away),
	CHECK_TEST(once_more), CHECK_TEST(gone_on_its_way))
