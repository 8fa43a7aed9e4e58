/* orient_test.c -- which way up a photograph is. */
#include "tui/ink/orient.h"

#include "tests/check.h"
#include "shared/base/ban.h"

#define S(s)                                                                                       \
	{                                                                                          \
		(s), sizeof(s) - 1                                                                 \
	}

static void notes(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str exif;
		int want;
	} rows[] = {
		{ "little end first",
			S("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"), 6 },
		{ "big end first",
			S("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0"), 8 },
		{ "behind another entry",
			S("Exif\0\0II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\x01\0\0\0\x41\0\0\0"
			  "\x12\x01\x03\0\x01\0\0\0\x03\0\0\0"),
			3 },
		{ "none of the eight",
			S("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x09\0\0\0"), 1 },
		{ "cut in the entry", S("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"),
			1 },
		{ "a directory far away", S("Exif\0\0II*\0\xff\xff\xff\xff\x01\0"), 1 },
		{ "many entries that are not there", S("Exif\0\0II*\0\x08\0\0\0\xff\xff"), 1 },
		{ "no order of bytes", S("Exif\0\0XX*\0\x08\0\0\0"), 1 },
		{ "no TIFF", S("Exif\0\0"), 1 },
		{ "another marker", S("http://ns.adobe.com/xap/1.0/\0"), 1 },
		{ "nothing", S(""), 1 },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, orient_of(rows[i].exif), rows[i].want);
	}
}

/* The letters of 3 by 2 pixels: "abc" above "def". */
static void turns(void **state)
{
	(void)state;
	static const struct {
		int how;
		const char *want;
		int w;
	} rows[] = { { 1, "abcdef", 3 }, { 2, "cbafed", 3 }, { 3, "fedcba", 3 }, { 4, "defabc", 3 },
		{ 5, "adbecf", 2 }, { 6, "daebfc", 2 }, { 7, "fcebda", 2 }, { 8, "cfbead", 2 } };

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct decode_pixels p = { 3, 2, 30, 20, calloc(6, 4) };
		char name[16], got[7] = "";

		for (size_t k = 0; k < 6; k++) {
			p.rgba[k * 4] = (uint8_t) "abcdef"[k];
		}
		snprintf(name, sizeof(name), "%d", rows[i].how);
		check_true(name, orient_turn(&p, rows[i].how));
		for (size_t k = 0; k < 6; k++) {
			got[k] = (char)p.rgba[k * 4];
		}
		check_str(name, got, rows[i].want);
		check_int(name, p.w, rows[i].w);
		check_int(name, p.own_w, rows[i].w == 3 ? 30 : 20);
		free(p.rgba);
	}
}

CHECK_MAIN(CHECK_TEST(notes), CHECK_TEST(turns))
