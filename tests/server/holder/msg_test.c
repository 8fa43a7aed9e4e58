/* msg_test.c -- the bytes of every message, what is left out, what is refused. */
#include "server/holder/msg.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "tests/check.h"

static const char token_hex[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/* Every type once, with its bytes as doc/wire.md has them. */
static const struct {
	const char *name;
	struct msg m;
	const char *hex; /* length, type, fields */
} rows[] = {
	{ "HELLO",
		{ .type = MSG_HELLO,
			.hello = { .proto = 1,
				.hid = { "ab", 2 },
				.state = MSG_EXITED,
				.pid = 2,
				.pgid = 3,
				.sid = 4,
				.floor = 5,
				.end = 6,
				.in_next = 7,
				.status = -1,
				.signal = 9 } },
		"00000038"
		"01"
		"00000001"
		"000000026162"
		"02"
		"00000002"
		"00000003"
		"00000004"
		"0000000000000005"
		"0000000000000006"
		"0000000000000007"
		"ffffffff"
		"00000009" },
	{ "STARTED", { .type = MSG_STARTED, .started = { 1, 2, 3 } },
		"0000000d"
		"02"
		"00000001"
		"00000002"
		"00000003" },
	{ "REFUSED", { .type = MSG_REFUSED, .refused = { { "no", 2 }, 1 } },
		"00000008"
		"03"
		"000000026e6f"
		"01" },
	{ "OUT", { .type = MSG_OUT, .out = { 0x0102030405060708, 2, { "hi", 2 } } },
		"00000010"
		"04"
		"0102030405060708"
		"02"
		"000000026869" },
	{ "INACK", { .type = MSG_INACK, .inack = { 258 } },
		"00000009"
		"05"
		"0000000000000102" },
	{ "EXIT", { .type = MSG_EXIT, .exit = { 1, 15 } },
		"00000009"
		"06"
		"00000001"
		"0000000f" },
	{ "START",
		{ .type = MSG_START,
			.start = { .kind = MSG_PTY,
				.argv = { "sh\0-c\0", 6 },
				.env = { "A=b\0", 4 },
				.cwd = { "/", 1 },
				.cols = 80,
				.rows = 24,
				.orphan_s = 86400,
				.secret = { "key", 3 },
				.umask = 077,
				.is_agent = 1,
				.user = { "ann", 3 } } },
		"00000034"
		"42"
		"01"
		"000000067368002d6300"
		"00000004413d6200"
		"000000012f"
		"0050"
		"0018"
		"00015180"
		"000000036b6579"
		"0000003f"
		"01"
		"00000003616e6e" },
	{ "CREDIT", { .type = MSG_CREDIT, .credit = { 1 } },
		"00000009"
		"43"
		"0000000000000001" },
	{ "ACK", { .type = MSG_ACK, .ack = { 2 } },
		"00000009"
		"44"
		"0000000000000002" },
	{ "IN", { .type = MSG_IN, .in = { 3, { "x\n", 2 } } },
		"0000000f"
		"45"
		"0000000000000003"
		"00000002780a" },
	{ "SIGNAL", { .type = MSG_SIGNAL, .signal = { 9, 1 } },
		"00000003"
		"46"
		"09"
		"01" },
	{ "RESIZE", { .type = MSG_RESIZE, .resize = { 120, 40 } },
		"00000005"
		"47"
		"0078"
		"0028" },
	{ "BYE", { .type = MSG_BYE },
		"00000001"
		"48" },
};

static void check_hex(const char *name, struct vy_str bytes, const char *want)
{
	VY_AUTO_BUF hex = VY_BUF_INIT(4096);

	vy_buf_reserve(&hex, 2 * bytes.n + 1);
	vy_hex(bytes.p, bytes.n, hex.data);
	check_str(name, hex.data, want);
}

static void test_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF first = VY_BUF_INIT(4096);
		VY_AUTO_BUF again = VY_BUF_INIT(4096);
		struct msg back;
		struct vy_err e;

		check_true(rows[i].name, msg_encode(&rows[i].m, &first));
		check_hex(rows[i].name, vy_buf_str(&first), rows[i].hex);
		if (msg_decode(vy_str_from(vy_buf_str(&first), 4), &back, &e) < 0) {
			fail_msg("%s: %s", rows[i].name, e.text);
		}
		check_true(rows[i].name, msg_encode(&back, &again));
		check_vstr(rows[i].name, vy_buf_str(&again), vy_buf_str(&first));
		check_str(rows[i].name, msg_name(back.type), rows[i].name);
	}
}

static void test_attach(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(4096);
	struct msg m = { .type = MSG_ATTACH }, back;
	char want[200];

	(void)state;
	m.attach.proto = 1;
	m.attach.epoch = 2;
	m.attach.from = 3;
	vy_hex_decode(vy_str_c(token_hex), m.attach.token, MSG_TOKEN_LEN);
	assert_true(msg_encode(&m, &out));
	snprintf(want, sizeof(want), "%s%s%s",
		"0000003541"
		"00000001",
		token_hex,
		"0000000000000002"
		"0000000000000003");
	check_hex("ATTACH", vy_buf_str(&out), want);
	assert_int_equal(msg_decode(vy_str_from(vy_buf_str(&out), 4), &back, NULL), 0);
	assert_memory_equal(back.attach.token, m.attach.token, MSG_TOKEN_LEN);
	check_int("from", (long long)back.attach.from, 3);
}

static int decode_hex(const char *hex, struct msg *m, struct vy_err *e)
{
	static char bytes[1024];
	long n = vy_hex_decode(vy_str_c(hex), bytes, sizeof(bytes));

	assert_true(n >= 0);
	return msg_decode(vy_str_n(bytes, (size_t)n), m, e);
}

/* Older and newer writers. */
static void test_added_fields(void **state)
{
	struct msg m;

	(void)state;
	assert_int_equal(decode_hex("02", &m, NULL), 0);
	check_int("STARTED without fields", m.started.pid, 0);
	assert_int_equal(decode_hex("42"
				    "00"
				    "000000026100"
				    "00000000"
				    "000000012f"
				    "0000"
				    "0000"
				    "00000000",
				 &m, NULL),
		0);
	check_int("START without secret", (long long)m.start.secret.n, 0);
	check_int("START without umask", (long long)m.start.umask, MSG_UMASK);
	check_int("START of a vyred that did not brand", m.start.is_agent, 0);
	assert_int_equal(decode_hex("05"
				    "0000000000000001"
				    "cafe",
				 &m, NULL),
		0);
	check_int("INACK with a later field", (long long)m.inack.seq, 1);
	assert_int_equal(decode_hex("c8"
				    "0102",
				 &m, NULL),
		0);
	check_int("a type of the future is told, not refused", m.type, 0xc8);
	check_str("and has no name here", msg_name(m.type), "?");
}

static const struct {
	const char *name, *hex, *says;
} bad[] = {
	{ "nothing", "", "without a type" },
	{ "a number cut off",
		"05"
		"00000000000000",
		"inack.seq is cut off" },
	{ "bytes longer than the message",
		"45"
		"0000000000000001"
		"00000009"
		"61",
		"in.bytes is cut off" },
	{ "bytes without length",
		"45"
		"0000000000000001"
		"0000",
		"in.bytes is cut off" },
	{ "a needed field missing",
		"06"
		"00000001",
		"exit.signal is cut off" },
	{ "an added field cut off",
		"02"
		"0000",
		"started.pid is cut off" },
	{ "a length of all ones",
		"45"
		"0000000000000001"
		"ffffffff",
		"in.bytes has over" },
	{ "a list without end",
		"42"
		"00"
		"0000000161"
		"00000000"
		"00000000"
		"0000"
		"0000"
		"00000000",
		"start.argv has no end" },
	{ "no program",
		"42"
		"00"
		"00000000"
		"00000000"
		"00000000"
		"0000"
		"0000"
		"00000000",
		"start.argv is empty" },
	{ "a kind nobody knows",
		"42"
		"07"
		"000000026100"
		"00000000"
		"00000000"
		"0000"
		"0000"
		"00000000",
		"start.kind 7" },
	{ "a folder with NUL",
		"42"
		"00"
		"000000026100"
		"00000000"
		"000000032f0061"
		"0000"
		"0000"
		"00000000",
		"start.cwd holds a NUL" },
	{ "a state nobody knows",
		"01"
		"00000001"
		"000000026162"
		"03"
		"00000002"
		"00000003"
		"00000004"
		"0000000000000005"
		"0000000000000006"
		"0000000000000007",
		"hello.state 3" },
	{ "a name with a slash",
		"01"
		"00000001"
		"000000022f62"
		"00"
		"00000002"
		"00000003"
		"00000004"
		"0000000000000005"
		"0000000000000006"
		"0000000000000007",
		"no holder's name" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(bad); i++) {
		struct vy_err e;
		struct msg m;

		check_int(bad[i].name, decode_hex(bad[i].hex, &m, &e), -1);
		check_int(bad[i].name, e.code, VY_BAD_INPUT);
		if (!strstr(e.text, bad[i].says)) {
			check_str(bad[i].name, e.text, bad[i].says);
		}
	}
}

static void test_limits(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(64);
	static char secret[VY_SECRET_MAX + 1];
	struct msg m = { .type = MSG_IN, .in = { 1, { secret, 100 } } };

	(void)state;
	vy_buf_adds(&out, "before");
	check_true("the buffer is full", !msg_encode(&m, &out));
	check_str("and as it was", vy_buf_c(&out), "before");
	vy_buf_fini(&out);
	out.max = 2 * sizeof(secret);
	m = (struct msg){ .type = MSG_START };
	m.start.argv = VY_STR_LIT("a\0");
	m.start.secret = vy_str_n(secret, sizeof(secret));
	check_true("a field over its limit", !msg_encode(&m, &out));
	m.start.secret.n--;
	check_true("and at it", msg_encode(&m, &out));
}

static void test_lists(void **state)
{
	struct vy_str list = VY_STR_LIT("one\0\0three\0");
	const char *item;
	static const char *const want[] = { "one", "", "three" };
	size_t n = 0;

	(void)state;
	check_int("count", (long long)msg_list_count(list), 3);
	while (msg_list_next(&list, &item)) {
		check_str("item", item, want[n++]);
	}
	check_int("walked", (long long)n, 3);
	check_int("an empty list", (long long)msg_list_count(vy_str_n("", 0)), 0);
}

static void test_names(void **state)
{
	static const struct {
		const char *hid;
		bool is_good;
	} names[] = {
		{ "0123456789abcdef", true },
		{ "a_b-C", true },
		{ "", false },
		{ "a/b", false },
		{ "..", false },
		{ "a b", false },
		{ "abcdefghijklmnopqrstuvwxyz0123456", false },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		check_int(names[i].hid, msg_hid_is_valid(vy_str_c(names[i].hid)), names[i].is_good);
	}
	check_true("a NUL", !msg_hid_is_valid(vy_str_n("a\0b", 3)));
}

CHECK_MAIN(CHECK_TEST(test_bytes), CHECK_TEST(test_attach), CHECK_TEST(test_added_fields),
	CHECK_TEST(test_refused), CHECK_TEST(test_limits), CHECK_TEST(test_lists),
	CHECK_TEST(test_names))
