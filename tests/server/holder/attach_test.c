/* attach_test.c -- who may have a holder, what comes after a vyred's death, and that it costs nothing. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/holder/brand.h"
#include "server/holder/procfs.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/holder/rig.h"

static struct rig rig;
static struct client c;

static void begin(const char *const *limits)
{
	rig_open(&rig, limits);
	client_attach(&c, &rig, 5, 0);
}

static int finish(void **state)
{
	(void)state;
	client_close(&c);
	rig_close(&rig);
	return 0;
}

/* ---- who may have it ---- */

static void send_raw(struct client *to, struct vy_str bytes)
{
	assert_int_equal(write(to->fd, bytes.p, bytes.n), (long long)bytes.n);
}

/* Below the agent of another holder: not even with the right token. */
static void test_branded(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	rig_open(&rig, NULL);
	pid = fork();
	if (pid == 0) {
		struct client other;
		char byte;

		if (brand_put(brand_of_ours()) < 0 || brand_is_on(getpid(), brand_of_ours()) < 0) {
			_exit(2);
		}
		client_dial(&other, &rig);
		_exit(read(other.fd, &byte, 1) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	check_int("closed without a word", status, 0);
	client_attach(&c, &rig, 5, 0);
}

static void test_first_message(void **state)
{
	static const struct {
		const char *name;
		struct vy_str bytes;
		const char *says;
	} rows[] = {
		{ "another message", VY_STR_LIT("\0\0\0\1\110"),
			"the first message must be ATTACH" },
		{ "one of the future", VY_STR_LIT("\0\0\0\1\310"),
			"the first message must be ATTACH" },
		{ "no type", VY_STR_LIT("\0\0\0\0"), "a holder message without a type" },
		{ "half an ATTACH", VY_STR_LIT("\0\0\0\3\101\0\0"), "attach.proto is cut off" },
		{ "HTTP", VY_STR_LIT("GET / HTTP/1.1\r\n\r\n"), "" },
	};

	(void)state;
	begin(NULL);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct client other;

		client_dial(&other, &rig);
		send_raw(&other, rows[i].bytes);
		client_until_closed(&other);
		if (!strstr(other.text, rows[i].says)) {
			check_str(rows[i].name, other.text, rows[i].says);
		}
		client_close(&other);
	}
	client_sh(&c, "echo undisturbed");
	client_until(&c, MSG_EXIT);
	check_str("the one that is attached", vy_buf_c(&c.out[1]), "undisturbed\n");
}

static void try_attach(uint64_t epoch, bool right_token, const char *says)
{
	struct client other;
	struct rig as = rig;

	as.token[31] ^= !right_token;
	client_dial(&other, &rig);
	client_send_attach(&other, &as, epoch, 0);
	client_until_closed(&other);
	check_str("turned away", other.text, says);
	check_int("that is meant for the peer", other.last.refused.is_end, 1);
	client_close(&other);
}

static void test_token_and_epoch(void **state)
{
	struct client next;

	(void)state;
	begin(NULL);
	try_attach(5, false, "this is not the holder's token");
	try_attach(6, false, "this is not the holder's token");
	try_attach(4, true, "a vyred that started later has this holder");
	client_attach(&next, &rig, 5, 0); /* the same vyred again */
	client_until_closed(&c);
	check_str("the one before hears why", c.text, "another vyred took this holder over");
	client_close(&c);
	client_attach(&c, &rig, 7, 0); /* a later one */
	client_until_closed(&next);
	client_close(&next);
	client_close(&c);
	try_attach(
		6, true, "a vyred that started later has this holder"); /* though nobody is here */
	client_attach(&c, &rig, 7, 0);
}

static void test_second_attach(void **state)
{
	(void)state;
	begin(NULL);
	client_send_attach(&c, &rig, 9, 0);
	client_until_closed(&c);
	check_true("says so", strstr(c.text, "ATTACH, and no other") != NULL);
}

static void test_strangers(void **state)
{
	static const char *const limits[] = { "attach_ms=50", NULL };
	struct client silent[6];

	(void)state;
	begin(limits);
	for (size_t i = 0; i < VY_COUNT(silent); i++) { /* more than there are places */
		client_dial(&silent[i], &rig);
	}
	client_sh(&c, "echo served");
	client_until(&c, MSG_EXIT);
	check_str("they hinder nobody", vy_buf_c(&c.out[1]), "served\n");
	for (size_t i = 0; i < VY_COUNT(silent); i++) {
		client_until_closed(&silent[i]); /* all of them, though they say nothing */
		client_close(&silent[i]);
	}
}

static void test_unknown_type_is_skipped(void **state)
{
	(void)state;
	begin(NULL);
	send_raw(&c, VY_STR_LIT("\0\0\0\5\310abcd"));
	client_sh(&c, "exit 1");
	client_until(&c, MSG_EXIT);
	check_int("and the next is heard", c.last.exit.status, 1);
}

static void test_ack_of_the_future(void **state)
{
	(void)state;
	begin(NULL);
	client_ack(&c, 1);
	client_until_closed(&c);
	check_str("is refused", c.text, "ACK of bytes that were not sent");
}

/* This program again, as a child of the holder that knows the token. */
static int intrude(const char *path, const char *token_hex)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct msg m = { .type = MSG_ATTACH };
	VY_AUTO_BUF b = VY_BUF_INIT(1000);
	char answer[16];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(addr.sun_path, path, strlen(path) + 1);
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) < 0) {
		puts("no connection");
		return 1;
	}
	m.attach.proto = MSG_PROTO;
	m.attach.epoch = 100;
	vy_hex_decode(vy_str_c(token_hex), m.attach.token, MSG_TOKEN_LEN);
	msg_encode(&m, &b);
	send(fd, b.data, b.len, MSG_NOSIGNAL);
	puts(recv(fd, answer, sizeof(answer), 0) > 0 ? "let in" : "kept out");
	return 0;
}

static void test_descendants_are_kept_out(void **state)
{
	char self[1024], hex[2 * MSG_TOKEN_LEN + 1], script[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)state;
	self[n] = '\0';
	begin(NULL);
	vy_hex(rig.token, MSG_TOKEN_LEN, hex);
	snprintf(script, sizeof(script),
		"%s --intrude %s %s; (setsid sh -c '%s --intrude %s %s' &); sleep 0.3", self,
		rig_socket(&rig), hex, self, rig_socket(&rig), hex);
	client_sh(&c, script);
	client_until(&c, MSG_EXIT);
	check_str("near and far", vy_buf_c(&c.out[1]), "kept out\nkept out\n");
}

/* ---- after a vyred's death ---- */

static char expect_out[3][2 * VY_MIB];

static void expect_numbers(int stream, int from, int to)
{
	char *at = expect_out[stream] + strlen(expect_out[stream]);

	for (int i = from; i <= to; i++) {
		at += snprintf(at, 16, "%d\n", i);
	}
}

/* Every byte of every attachment stands where it stood before, whatever was acknowledged. */
static void test_reattach_anywhere(void **state)
{
	static char bytes[3 * VY_MIB], streams[3 * VY_MIB];
	static const char *const limits[] = { "spool_mem=65536", NULL };
	uint64_t acked = 0, end = 0;
	uint32_t seed = 1;
	bool over = false;
	struct msg m = client_start_of(VY_STR_LIT(
		"sh\0-c\0seq 1 60000; seq 1 60000 >&2; for i in 1 2 3 4 5 6 7 8 9; do seq 1 999; "
		"echo x >&2; done; seq 60001 120000\0"));

	(void)state;
	begin(limits);
	client_send(&c, &m);
	for (int round = 0; !over; round++) {
		uint64_t from, stop;

		client_close(&c);
		seed = seed * 1664525u + 1013904223u;
		from = acked + (end > acked ? (seed >> 8) % (end - acked + 1) : 0);
		client_attach(&c, &rig, 5, from);
		stop = from + 1 + (seed >> 4) % 200000;
		client_credit(&c, stop);
		while (c.end < stop && !over) {
			struct msg out;

			assert_true(client_next(&c, &out));
			over = out.type == MSG_EXIT;
			if (out.type != MSG_OUT) {
				continue;
			}
			check_int("no hole", (long long)out.out.off, (long long)c.end);
			for (size_t i = 0; i < out.out.bytes.n; i++, c.end++) {
				assert_true(c.end < stop);
				if (c.end < end) { /* seen before */
					assert_int_equal(bytes[c.end], out.out.bytes.p[i]);
					assert_int_equal(streams[c.end], out.out.stream);
				}
				bytes[c.end] = out.out.bytes.p[i];
				streams[c.end] = (char)out.out.stream;
			}
			end = c.end > end ? c.end : end;
		}
		if (round % 3 == 0) {
			acked = from + (c.end - from) / 2;
			client_ack(&c, acked);
		}
	}
	expect_numbers(1, 1, 60000);
	expect_numbers(2, 1, 60000);
	for (int i = 0; i < 9; i++) {
		expect_numbers(1, 1, 999);
		memcpy(expect_out[2] + strlen(expect_out[2]), "x\n", 3);
	}
	expect_numbers(1, 60001, 120000);
	size_t at[3] = { 0 };

	for (uint64_t i = 0; i < end; i++) {
		int s = streams[i];

		assert_int_equal(bytes[i], expect_out[s][at[s]]);
		at[s]++;
	}
	check_int("all of stdout", (long long)at[1], (long long)strlen(expect_out[1]));
	check_int("all of stderr", (long long)at[2], (long long)strlen(expect_out[2]));
}

static void test_forgotten_is_gone(void **state)
{
	(void)state;
	begin(NULL);
	client_sh(&c, "printf 0123456789; read x");
	client_until_out(&c, 1, "9");
	client_ack(&c, 6);
	client_ack(&c, 2); /* never takes back */
	client_close(&c);
	client_attach(&c, &rig, 5, 8);
	check_int("floor", (long long)c.hello.hello.floor, 6);
	check_int("end", (long long)c.hello.hello.end, 10);
	client_credit(&c, 100);
	client_until_out(&c, 1, "89");
	check_str("from where it was asked", vy_buf_c(&c.out[1]), "89");
}

static void test_input_after_a_crash(void **state)
{
	uint64_t next = 0;
	VY_AUTO_BUF want = VY_BUF_INIT(VY_MIB);

	(void)state;
	begin(NULL);
	client_sh(&c, "cat");
	while (next < 200) {
		uint64_t again = next > 3 ? next - 3 : 0; /* rows that were not deleted yet */

		for (uint64_t seq = again; seq < next + 20; seq++) {
			char line[16];
			int n = snprintf(line, sizeof(line), "%llu\n", (unsigned long long)seq);

			client_in(&c, seq, vy_str_n(line, (size_t)n));
			if (seq >= next) {
				vy_buf_add(&want, line, (size_t)n);
			}
		}
		next += 20;
		while (c.inacked < next) {
			client_until(&c, MSG_INACK);
		}
		shutdown(c.fd, SHUT_RDWR); /* killed */
		client_close(&c);
		client_attach(&c, &rig, 5, 0);
		check_int("what it has", (long long)c.hello.hello.in_next, (long long)next);
	}
	client_in(&c, next, VY_STR_LIT(""));
	client_credit(&c, UINT64_MAX);
	client_until(&c, MSG_EXIT);
	check_vstr("each line once", vy_buf_str(&c.out[1]), vy_buf_str(&want));
}

static void test_vyred_is_killed(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	rig_open(&rig, NULL);
	pid = fork();
	if (pid == 0) {
		client_attach(&c, &rig, 1, 0);
		client_sh(&c, "echo before; read x; echo after; exit 3");
		client_until_out(&c, 1, "before");
		client_in(&c, 0, VY_STR_LIT("\n"));
		raise(SIGKILL);
	}
	waitpid(pid, &status, 0);
	check_true("it was", WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	client_attach(&c, &rig, 2, 0);
	client_credit(&c, 1000);
	client_until(&c, MSG_EXIT);
	check_str("the child did not notice", vy_buf_c(&c.out[1]), "before\nafter\n");
	check_int("status", c.last.exit.status, 3);
}

/* One that stops reading is no burden to the child or to the next. */
static void test_vyred_does_not_read(void **state)
{
	(void)state;
	begin(NULL);
	client_sh(&c, "seq 1 300000; echo over >&2");
	struct client next;

	client_attach(&next, &rig, 6, 0);
	client_credit(&next, UINT64_MAX);
	client_until(&next, MSG_EXIT);
	check_int("another gets all", (long long)next.out[1].len, 1988895);
	client_close(&next);
}

/* ---- what it costs and what it shows ---- */

static void test_no_fd_is_lost(void **state)
{
	struct rlimit few = { 24, 24 };

	(void)state;
	begin(NULL);
	client_sh(&c, "cat");
	assert_int_equal(prlimit(rig.pid, RLIMIT_NOFILE, &few, NULL), 0);
	for (int i = 0; i < 100; i++) {
		client_close(&c);
		client_attach(&c, &rig, 5, 0);
		client_in(&c, (uint64_t)i, VY_STR_LIT("x\n"));
	}
	client_in(&c, 1000, VY_STR_LIT(""));
	client_credit(&c, 1000);
	client_until(&c, MSG_EXIT);
	check_int("after a hundred vyreds", (long long)c.out[1].len, 200);
}

static void test_out_of_fds(void **state)
{
	struct rlimit few = { 8,
		1024 }; /* it has more than that, and poll() takes no more entries */
	struct client other[3];
	struct procfs_stat st;

	(void)state;
	begin(NULL);
	client_sh(&c, "echo ready; cat");
	client_until_out(&c, 1, "ready");
	assert_int_equal(prlimit(rig.pid, RLIMIT_NOFILE, &few, NULL), 0);
	for (int i = 0; i < 3; i++) {
		client_dial(&other[i], &rig);
	}
	client_in(&c, 0, VY_STR_LIT("still served\n"));
	client_until_out(&c, 1, "still served");
	usleep(20000);
	assert_int_equal(procfs_stat(rig.pid, &st), 0);
	check_int("it sleeps meanwhile", st.state, 'S');
	few.rlim_cur = 1024;
	assert_int_equal(prlimit(rig.pid, RLIMIT_NOFILE, &few, NULL), 0);
	client_send_attach(&other[2], &rig, 6, 0);
	client_until(&other[2], MSG_HELLO); /* the last newcomer is let in after all */
	for (int i = 0; i < 3; i++) {
		client_close(&other[i]);
	}
}

static void test_shows_nothing(void **state)
{
	char text[8192];
	struct rlimit core;
	long n;

	(void)state;
	begin(NULL);
	n = procfs_read(rig.pid, "environ", text, sizeof(text));
	check_true("its environment cannot be read, or is wiped",
		n <= 0 || memmem(text, (size_t)n, "hunter2", 7) == NULL);
	n = procfs_read(rig.pid, "cmdline", text, sizeof(text));
	check_true("its arguments can",
		n > 0 && memmem(text, (size_t)n, rig.hid, RIG_HID_LEN) != NULL);
	assert_int_equal(prlimit(rig.pid, RLIMIT_CORE, NULL, &core), 0);
	check_int("it leaves no core", (long long)core.rlim_cur, 0);
	check_int("and its socket is its own", access(rig_socket(&rig), F_OK), 0);
}

static int run_program(const char *const *words, char *said, size_t room)
{
	int fds[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		dup2(fds[1], 1);
		dup2(fds[1], 2);
		close(3);
		execv(VYRE_HOLDER_PROGRAM, (char *const *)words);
		_exit(99);
	}
	close(fds[1]);
	while ((got = read(fds[0], said + n, room - 1 - n)) > 0) {
		n += (size_t)got;
	}
	said[n] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_words(void **state)
{
	static const struct {
		const char *name;
		const char *words[8];
		int status;
		const char *says;
	} rows[] = {
		{ "help", { "h", "--help" }, 0, "Usage: vyre-holder" },
		{ "version", { "h", "--version" }, 0, "vyre-holder " },
		{ "nothing", { "h" }, 1, "--dir must name a folder" },
		{ "a short path", { "h", "--dir", "x", "--hid", "a" }, 1, "by its whole path" },
		{ "no name", { "h", "--dir", "/tmp" }, 1, "--hid must be a name" },
		{ "a name with a slash", { "h", "--dir", "/tmp", "--hid", "../x" }, 1,
			"--hid must be a name" },
		{ "a word too many", { "h", "--dir", "/tmp", "--hid", "a", "more" }, 1,
			"more: no word is expected" },
		{ "an unknown option", { "h", "--colour" }, 1, "try --help" },
		{ "no token", { "h", "--dir", "/tmp", "--hid", "a" }, 1, "no token of 32 bytes" },
		{ "no such limit", { "h", "--limit", "x=1" }, 1,
			"--limit x=1: expected a known name" },
	};
	char said[4096];

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, run_program(rows[i].words, said, sizeof(said)),
			rows[i].status);
		if (!strstr(said, rows[i].says)) {
			check_str(rows[i].name, said, rows[i].says);
		}
	}
}

#define T(fn) cmocka_unit_test_teardown(fn, finish)

static const struct CMUnitTest all_tests[] = { T(test_first_message), T(test_branded),
	T(test_token_and_epoch), T(test_second_attach), T(test_strangers),
	T(test_unknown_type_is_skipped), T(test_ack_of_the_future),
	T(test_descendants_are_kept_out), T(test_reattach_anywhere), T(test_forgotten_is_gone),
	T(test_input_after_a_crash), T(test_vyred_is_killed), T(test_vyred_does_not_read),
	T(test_no_fd_is_lost), T(test_out_of_fds), T(test_shows_nothing), CHECK_TEST(test_words) };

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "--intrude") == 0) {
		return intrude(argv[2], argv[3]);
	}
	return cmocka_run_group_tests(all_tests, NULL, NULL);
}
