/* image_test.c -- heads of pictures, whole, cut and false; paths of pictures among pasted words. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/view/image.h"

#define S(lit) VY_STR_LIT(lit)

static const struct {
	const char *name;
	struct vy_str bytes;
	const char *mime;
	unsigned w, h;
} heads[] = {
	{ "PNG", S("\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\1\x40\0\0\0\xF0\x08"), "image/png", 320,
		240 },
	{ "GIF", S("GIF89a\x0A\0\x05\1rest"), "image/gif", 10, 261 },
	{ "JPEG, the frame behind other pieces",
		S("\xFF\xD8\xFF\xE0\0\x06JFIF\xFF\xFF\xC4\0\x03x\xFF\xC2\0\x11\x08\0\x20\0\x30\3"),
		"image/jpeg", 48, 32 },
	{ "JPEG without a frame", S("\xFF\xD8\xFF\xE0\xFF\xFFJFIF"), "image/jpeg", 0, 0 },
	{ "JPEG, a piece of no length", S("\xFF\xD8\xFF\xE0\0\0\xFF\xE0\0\0\xFF"), "image/jpeg", 0,
		0 },
	{ "WebP, lossy", S("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9D\1\x2A\x40\1\xF0\0"),
		"image/webp", 320, 240 },
	{ "WebP, lossless", S("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F\x3F\xC1\x3B\0"), "image/webp", 320,
		240 },
	{ "WebP, extended", S("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x3F\1\0\xEF\0\0"), "image/webp",
		320, 240 },
	{ "a text", S("hello"), NULL, 0, 0 },
	{ "nothing", S(""), NULL, 0, 0 },
	{ "SVG is no picture for an agent", S("<svg width='3'/>"), NULL, 0, 0 },
};

static void test_heads(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(heads); i++) {
		struct image_head h;

		check_true(
			heads[i].name, image_head(heads[i].bytes, &h) == (heads[i].mime != NULL));
		check_str(heads[i].name, h.mime ? h.mime : "", heads[i].mime ? heads[i].mime : "");
		check_int(heads[i].name, h.w, heads[i].w);
		check_int(heads[i].name, h.h, heads[i].h);
	}
}

/* Cut anywhere, nothing is read behind the end (ASan looks). */
static void test_cut_heads(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(heads); i++) {
		for (size_t n = 0; n <= heads[i].bytes.n; n++) {
			char *copy = vy_alloc(n ? n : 1);
			struct image_head h;

			memcpy(copy, heads[i].bytes.p, n);
			image_head(vy_str_n(copy, n), &h);
			free(copy);
		}
	}
}

static const struct {
	const char *name, *text, *path;
} paths[] = {
	{ "bare", "/tmp/a.png", "/tmp/a.png" },
	{ "with the blank a terminal adds", "/tmp/a.PNG ", "/tmp/a.PNG" },
	{ "single quotes", "'/tmp/a b.jpg'", "/tmp/a b.jpg" },
	{ "double quotes", "\"/tmp/a b.jpeg\"", "/tmp/a b.jpeg" },
	{ "backslashes", "/tmp/a\\ b\\(1\\).gif", "/tmp/a b(1).gif" },
	{ "a URL", "file:///tmp/a%20b.webp", "/tmp/a b.webp" },
	{ "a URL with a host", "file://localhost/tmp/a.png", "/tmp/a.png" },
	{ "home", "~/a.png", "~/a.png" },
	{ "relative", "./a.png", "./a.png" },
	{ "somebody else's host", "file://far/tmp/a.png", NULL },
	{ "a URL with a NUL", "file:///tmp/%00a.png", NULL },
	{ "a URL cut off", "file:///tmp/a.png%2", NULL },
	{ "a name is no path", "a.png", NULL },
	{ "a sentence", "/tmp/a.png is broken.png", NULL },
	{ "two paths", "/tmp/a.png /tmp/b.png", NULL },
	{ "two lines", "/tmp/a.png\n/tmp/b.png", NULL },
	{ "no picture", "/etc/passwd", NULL },
	{ "nothing", "", NULL },
	{ "one quote", "'", NULL },
};

static void test_paths(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(paths); i++) {
		struct vy_buf b = VY_BUF_INIT(8192);
		bool is = image_path(vy_str_c(paths[i].text), &b);

		check_true(paths[i].name, is == (paths[i].path != NULL));
		if (is) {
			check_str(paths[i].name, vy_buf_c(&b), paths[i].path);
		}
		vy_buf_fini(&b);
	}
}

CHECK_MAIN(CHECK_TEST(test_heads), CHECK_TEST(test_cut_heads), CHECK_TEST(test_paths))
