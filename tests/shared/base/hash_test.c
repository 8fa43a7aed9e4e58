/* hash_test.c -- digests, ids and spellings against known values and their own inverse. */
#include "shared/base/hash.h"
#include "tests/check.h"

static void test_sha256(void **state)
{
	static const struct {
		const char *in, *hex;
	} rows[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		uint8_t digest[VY_SHA256_LEN];
		char hex[2 * VY_SHA256_LEN + 1];

		vy_sha256(rows[i].in, strlen(rows[i].in), digest);
		vy_hex(digest, sizeof(digest), hex);
		check_str(rows[i].in, hex, rows[i].hex);
	}
}

static void test_base64_both_ways(void **state)
{
	static const struct {
		const char *plain, *padded, *url;
	} rows[] = {
		{ "", "", "" },
		{ "f", "Zg==", "Zg" },
		{ "fo", "Zm8=", "Zm8" },
		{ "foo", "Zm9v", "Zm9v" },
		{ "\xff\xef\xfe", "/+/+", "_-_-" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		size_t n = strlen(rows[i].plain);
		char text[16], back[16];

		check_int(rows[i].url, (long long)vy_base64(rows[i].plain, n, text),
			(long long)strlen(rows[i].padded));
		check_str(rows[i].url, text, rows[i].padded);
		vy_base64url(rows[i].plain, n, text);
		check_str(rows[i].url, text, rows[i].url);

		const char *spelt[] = { rows[i].padded, rows[i].url };

		for (size_t k = 0; k < 2; k++) {
			long got = vy_base64_decode(vy_str_c(spelt[k]), back, sizeof(back));

			check_int(spelt[k], got, (long long)n);
			check_vstr(
				spelt[k], vy_str_n(back, (size_t)got), vy_str_n(rows[i].plain, n));
		}
	}
}

static void test_bad_spellings(void **state)
{
	static const char *const base64[] = { "Z", "Zg=a", "Z g", "Zm9v!", "_-/+" };
	static const char *const hex[] = { "0", "0g", "00 ", "zz" };
	char out[16];

	(void)state;
	for (size_t i = 0; i < VY_COUNT(base64); i++) {
		check_int(base64[i], vy_base64_decode(vy_str_c(base64[i]), out, sizeof(out)), -1);
	}
	for (size_t i = 0; i < VY_COUNT(hex); i++) {
		check_int(hex[i], vy_hex_decode(vy_str_c(hex[i]), out, sizeof(out)), -1);
	}
	check_int("no room", vy_base64_decode(vy_str_c("Zm9v"), out, 2), -1);
	check_int("no room", vy_hex_decode(vy_str_c("001122"), out, 2), -1);
	check_int("upper case", vy_hex_decode(vy_str_c("fF"), out, 1), 1);
	check_int("upper case", (unsigned char)out[0], 0xFF);
	check_int("empty", vy_hex_decode(vy_str_n(NULL, 0), out, 1), 0);
}

static void test_uuids(void **state)
{
	static const struct {
		const char *text;
		bool is_one;
	} rows[] = {
		{ "123e4567-e89b-42d3-a456-426614174000", true },
		{ "123E4567-E89B-42D3-A456-426614174000", true },
		{ "123e4567-e89b-42d3-a456-42661417400", false },
		{ "123e4567-e89b-42d3-a456-4266141740000", false },
		{ "123e4567ee89b-42d3-a456-426614174000", false },
		{ "123e4567-e89b-42d3-a456-42661417400g", false },
		{ "", false },
	};
	char a[VY_UUID_LEN + 1], b[VY_UUID_LEN + 1];

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].text, vy_is_uuid(vy_str_c(rows[i].text)), rows[i].is_one);
	}
	vy_uuid(a);
	vy_uuid(b);
	check_true("random ones are uuids", vy_is_uuid(vy_str_c(a)) && a[14] == '4');
	check_true("and differ", strcmp(a, b) != 0);
	vy_uuid_of(VY_STR_LIT("seed"), a);
	vy_uuid_of(VY_STR_LIT("seed"), b);
	check_str("the same seed", a, b);
	check_true("made from a seed", vy_is_uuid(vy_str_c(a)) && a[14] == '8');
	vy_uuid_of(VY_STR_LIT("seec"), b);
	check_true("another seed", strcmp(a, b) != 0);
}

static void test_random_ids_and_equality(void **state)
{
	char a[13], b[13];

	(void)state;
	vy_random_id(9, a);
	vy_random_id(9, b);
	check_int("length", (long long)strlen(a), 12);
	check_true("differ", strcmp(a, b) != 0);
	check_true("no padding", strpbrk(a, "=+/") == NULL);
	check_true("equal", vy_equal_ct("abc", "abc", 3) && vy_equal_ct(NULL, NULL, 0));
	check_true("not equal", !vy_equal_ct("abc", "abd", 3));
}

CHECK_MAIN(CHECK_TEST(test_sha256), CHECK_TEST(test_base64_both_ways),
	CHECK_TEST(test_bad_spellings), CHECK_TEST(test_uuids),
	CHECK_TEST(test_random_ids_and_equality))
