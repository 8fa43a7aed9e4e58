/* holder_test.c -- a real holder with real children: how they start, speak, listen and end. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/holder/brand.h"
#include "server/holder/procfs.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/holder/rig.h"

static struct rig rig;
static struct client c;

static void begin(const char *const *limits)
{
	rig_open(&rig, limits);
	client_attach(&c, &rig, 1, 0);
}

static int finish(void **state)
{
	(void)state;
	client_close(&c);
	rig_close(&rig);
	return 0;
}

static const char *out(int stream)
{
	return vy_buf_c(&c.out[stream]);
}

/* The child says all it has to say, ends by itself, and the holder is let go. */
static void run_sh(const char *script)
{
	begin(NULL);
	client_sh(&c, script);
	client_until(&c, MSG_EXIT);
}

/* ---- start ---- */

static void test_streams_and_status(void **state)
{
	(void)state;
	run_sh("printf one; printf two >&2; printf three; exit 7");
	check_int("it began empty", c.hello.hello.state, MSG_EMPTY);
	check_str("stdout", out(MSG_STDOUT), "onethree");
	check_str("stderr", out(MSG_STDERR), "two");
	check_int("one offset for both", (long long)c.end, 11);
	check_true("both are told to be over", c.closed[1] && c.closed[2]);
	check_int("status", c.last.exit.status, 7);
	check_int("signal", c.last.exit.signal, 0);
	client_bye(&c);
	rig_wait_end(&rig);
}

static void test_end_by_signal(void **state)
{
	(void)state;
	run_sh("kill -USR1 $$");
	check_int("signal", c.last.exit.signal, SIGUSR1);
	check_int("status", c.last.exit.status, 0);
}

static void test_own_session(void **state)
{
	struct procfs_stat st;
	pid_t pid;

	(void)state;
	begin(NULL);
	client_sh(&c, "read x");
	pid = (pid_t)c.last.started.pid;
	assert_int_equal(procfs_stat(pid, &st), 0);
	check_int("leads its group", st.pgid, pid);
	check_int("leads its session", st.sid, pid);
	check_int("both are told", c.last.started.pgid, pid);
	check_int("both are told", c.last.started.sid, pid);
	check_int("its parent is the holder", st.ppid, rig.pid);
	assert_int_equal(procfs_stat(rig.pid, &st), 0);
	check_int("which leads a session of its own", st.sid, rig.pid);
}

static void test_environment(void **state)
{
	struct msg m = client_start_of(VY_STR_LIT("/usr/bin/env\0"));
	char want[200];

	(void)state;
	begin(NULL);
	m.start.env = VY_STR_LIT("B=two words\0VYRE_HOLDER=forged\0A=1\0");
	client_credit(&c, 1000);
	client_send(&c, &m);
	client_until(&c, MSG_EXIT);
	snprintf(want, sizeof(want), "B=two words\nA=1\nVYRE_HOLDER=%s\n", rig.hid);
	check_str("as given, and the mark", out(1), want);
}

static void test_clean_start(void **state)
{
	struct rlimit core;
	char want[200];

	(void)state;
	getrlimit(RLIMIT_CORE, &core);
	run_sh("ls /proc/$$/fd; grep -E 'Sig(Blk|Ign)' /proc/$$/status | tr -d "
	       "'\\t';"
	       "umask; pwd; ulimit -c");
	snprintf(want, sizeof(want),
		"0\n1\n2\nSigBlk:0000000000000000\nSigIgn:0000000000000000\n0022\n/\n");
	check_vstr("no fd but three, signals as new, umask, folder", vy_str_n(out(1), strlen(want)),
		vy_str_c(want));
	if (core.rlim_cur == RLIM_INFINITY) {
		snprintf(want, sizeof(want), "unlimited\n");
	} else {
		snprintf(want, sizeof(want), "%llu\n", (unsigned long long)core.rlim_cur / 512);
	}
	check_str("the core limit it would have had", strrchr(out(1), '/') + 2, want);
}

/* An agent, and what it starts; a person's shell is as we are. */
static void test_brand(void **state)
{
	struct msg m = client_start_of(
		VY_STR_LIT("sh\0-c\0(setsid env -i /bin/sh -c 'exec sleep 1000' &); "
			   "sleep 1000 & echo $!; wait\0"));
	long long pid = 0;
	pid_t child;

	(void)state;
	for (int is_agent = 0; is_agent < 2; is_agent++) {
		if (is_agent) {
			finish(NULL);
		}
		begin(NULL);
		m.start.is_agent = (uint8_t)is_agent;
		client_credit(&c, 1000);
		client_send(&c, &m);
		client_until(&c, MSG_STARTED);
		child = (pid_t)c.last.started.pid;
		client_until_out(&c, 1, "\n");
		assert_true(vy_parse_i64(vy_str_n(out(1), strlen(out(1)) - 1), &pid));
		check_int("the child", brand_is_on(child, brand_of_ours()), is_agent);
		check_int("its child", brand_is_on((pid_t)pid, brand_of_ours()), is_agent);
		check_int("we", brand_is_on(getpid(), brand_of_ours()), 0);
	}
}

static void test_umask_and_folder(void **state)
{
	struct msg m = client_start_of(VY_STR_LIT("sh\0-c\0umask; pwd\0"));

	(void)state;
	begin(NULL);
	m.start.umask = 027;
	m.start.cwd = VY_STR_LIT("/usr");
	client_credit(&c, 1000);
	client_send(&c, &m);
	client_until(&c, MSG_EXIT);
	check_str("umask and folder", out(1), "0027\n/usr\n");
}

static void test_secret(void **state)
{
	struct msg m = client_start_of(
		VY_STR_LIT("sh\0-c\0"
			   "cat <&3; echo; cat <&3; env; tr '\\0' ' ' </proc/$$/cmdline\0"));

	(void)state;
	begin(NULL);
	m.start.secret = VY_STR_LIT("hunter2");
	client_credit(&c, 10000);
	client_send(&c, &m);
	client_until(&c, MSG_EXIT);
	check_vstr("it can be read", vy_str_n(out(1), 8), VY_STR_LIT("hunter2\n"));
	check_true("once, and stands in neither environment nor arguments",
		strstr(out(1) + 8, "hunter2") == NULL);
	check_true("the child did say what it has", strstr(out(1), "VYRE_HOLDER=") != NULL);
}

static void test_refused(void **state)
{
	struct tempdir d = tempdir_make();
	char script[TEMPDIR_MAX + 64], says[TEMPDIR_MAX + 128];
	const struct {
		const char *name, *program, *cwd, *says;
	} rows[] = {
		{ "not in PATH", "no-such-agent", "/",
			"no-such-agent: No such file or directory (searched in /usr/bin:/bin)" },
		{ "not at its path", "/no/such/agent", "/",
			"/no/such/agent: No such file or directory" },
		{ "not a program", "/etc", "/", "/etc: Permission denied" },
		{ "a script whose shell is missing", script, "/", says },
		{ "no folder", "sh", "/no/such/folder",
			"cannot enter /no/such/folder: No such file or directory" },
	};
	FILE *f;

	(void)state;
	snprintf(script, sizeof(script), "%s/script", d.path);
	snprintf(says, sizeof(says),
		"%s: No such file or directory (the program it is to be run by)", script);
	f = fopen(script, "w");
	assert_non_null(f);
	fputs("#!/no/such/shell\n", f);
	fclose(f);
	chmod(script, 0755);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct msg m =
			client_start_of(vy_str_n(rows[i].program, strlen(rows[i].program) + 1));

		begin(NULL);
		m.start.cwd = vy_str_c(rows[i].cwd);
		client_send(&c, &m);
		client_until(&c, MSG_REFUSED);
		check_str(rows[i].name, c.text, rows[i].says);
		check_int(rows[i].name, c.last.refused.is_end, 0);
		client_send(&c, &m);
		client_until(&c, MSG_REFUSED);
		check_str("asked again, it says the same", c.text, rows[i].says);
		client_bye(&c);
		rig_wait_end(&rig);
		finish(NULL);
	}
	tempdir_remove(d.path);
	begin(NULL); /* for the teardown */
}

/* No terminal is left, in a mount name space of our own with a devpts that has one. */
static void test_no_terminal_left(void **state)
{
	struct msg m = client_start_of(VY_STR_LIT("sh\0-c\0tty <&2\0"));
	int here = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC), only;
	int cwd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	if (geteuid() != 0 || here < 0 || cwd < 0 || unshare(CLONE_NEWNS) != 0 ||
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		mount("devpts", "/dev/pts", "devpts", 0, "newinstance,ptmxmode=666,max=1") != 0 ||
		mount("/dev/pts/ptmx", "/dev/ptmx", NULL, MS_BIND, NULL) != 0) {
		(void)setns(here, CLONE_NEWNS);
		close(here);
		close(cwd);
		begin(NULL); /* for the teardown */
		skip();      /* it needs root */
	}
	only = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(only >= 0);
	begin(NULL);
	m.start.kind = MSG_PTY;
	client_send(&c, &m);
	client_until(&c, MSG_REFUSED);
	check_str("it is said", c.text, "cannot open a terminal: No space left on device");
	check_int("and the holder is no end of it", c.last.refused.is_end, 0);
	client_send(&c, &m);
	client_until(&c, MSG_REFUSED);
	client_bye(&c);
	rig_wait_end(&rig);
	finish(NULL);

	close(only); /* when there is one again, the next has it */
	begin(NULL);
	client_credit(&c, 1000);
	client_send(&c, &m);
	client_until(&c, MSG_EXIT);
	check_str("its terminal", out(1), "/dev/pts/0\r\n");
	assert_return_code(setns(here, CLONE_NEWNS), errno);
	assert_return_code(fchdir(cwd), errno);
	close(here);
	close(cwd);
}

static void test_start_once(void **state)
{
	struct msg m = client_start_of(VY_STR_LIT("sh\0-c\0echo again\0"));
	uint32_t pid;

	(void)state;
	begin(NULL);
	client_sh(&c, "echo ready; read x");
	pid = c.last.started.pid;
	client_send(&c, &m);
	client_until(&c, MSG_STARTED);
	check_int("the same child", c.last.started.pid, pid);
	client_in(&c, 0, VY_STR_LIT("\n"));
	client_until(&c, MSG_EXIT);
	check_str("and nothing else ran", out(1), "ready\n");
}

/* ---- input ---- */

static void test_input_and_its_end(void **state)
{
	(void)state;
	begin(NULL);
	client_in(&c, 0, VY_STR_LIT("before the start\n"));
	client_sh(&c, "cat; exit 4");
	client_in(&c, 1, VY_STR_LIT("one\n"));
	client_in(&c, 1, VY_STR_LIT("one\n"));
	client_in(&c, 2, VY_STR_LIT("two\n"));
	client_in(&c, 3, VY_STR_LIT(""));
	client_until(&c, MSG_EXIT);
	check_str("each once, in order", out(1), "before the start\none\ntwo\n");
	check_int("the end of input ends it", c.last.exit.status, 4);
	check_int("all was acknowledged", (long long)c.inacked, 4);
}

static void test_large_input(void **state)
{
	enum { N = 3 * VY_MIB };
	char *bytes = vy_alloc(N);

	(void)state;
	memset(bytes, 'x', N);
	begin(NULL);
	client_sh(&c, "wc -c");
	client_in(&c, 0, vy_str_n(bytes, N));
	client_in(&c, 1, VY_STR_LIT(""));
	client_until(&c, MSG_EXIT);
	check_str("all of one message", out(1), "3145728\n");
	free(bytes);
}

/* A child that never reads must not stop anything but its own writer. */
static void test_input_nobody_reads(void **state)
{
	enum { N = VY_MIB / 2, COUNT = 8 };
	char *bytes = vy_alloc(N);

	(void)state;
	begin(NULL);
	client_sh(&c, "echo ready; exec sleep 1000");
	for (uint64_t i = 0; i < COUNT; i++) {
		client_in(&c, i, vy_str_n(bytes, N));
	}
	client_signal(&c, SIGTERM, false); /* behind all of it */
	client_until(&c, MSG_EXIT);
	check_int("the signal arrived", c.last.exit.signal, SIGTERM);
	check_true("the first were acknowledged", c.inacked >= 2);
	check_true("the last were not", c.inacked < COUNT);
	free(bytes);
}

static void test_input_after_the_end(void **state)
{
	(void)state;
	run_sh("exit 0");
	client_in(&c, 5, VY_STR_LIT("late\n"));
	client_close(&c);
	client_attach(&c, &rig, 1, 0);
	check_int("is not taken", (long long)c.hello.hello.in_next, 0);
	check_int("and it is known to be over", c.hello.hello.state, MSG_EXITED);
}

/* ---- output ---- */

static void test_end_before_output_is_read(void **state)
{
	enum { N = 3000000 };

	(void)state;
	begin(NULL);
	struct msg m =
		client_start_of(VY_STR_LIT("sh\0-c\0head -c 3000000 /dev/zero | tr '\\0' x\0"));

	client_send(&c, &m);
	client_until(&c, MSG_STARTED);
	wait_gone((pid_t)c.last.started.pid);
	client_close(&c);
	client_attach(&c, &rig, 1, 0);
	check_int("over", c.hello.hello.state, MSG_EXITED);
	client_credit(&c, UINT64_MAX);
	client_until(&c, MSG_EXIT);
	check_int("nothing is missing", (long long)c.out[1].len, N);
	check_int("nothing is else", (long long)strspn(out(1), "x"), N);
}

static void test_credit(void **state)
{
	struct msg m = client_start_of(VY_STR_LIT("printf\0%s\0abcdefghij\0"));

	(void)state;
	begin(NULL);
	client_credit(&c, 3);
	client_send(&c, &m);
	client_until_out(&c, 1, "abc");
	client_credit(&c, 2); /* never takes back */
	client_credit(&c, 4);
	client_until_out(&c, 1, "abcd");
	check_int("not one more than allowed", (long long)c.end, 4);
	client_credit(&c, 10);
	client_until(&c, MSG_EXIT);
	check_str("then the rest", out(1), "abcdefghij");
}

static void test_stops_when_full(void **state)
{
	static const char *const limits[] = { "spool_mem=4096", "spool_max=65536", NULL };
	uint64_t end = 0;

	(void)state;
	begin(limits);
	struct msg m =
		client_start_of(VY_STR_LIT("sh\0-c\0i=0; while :; do echo $i; i=$((i+1)); done\0"));

	client_send(&c, &m);
	client_until(&c, MSG_STARTED);
	while (end < 65536) {
		client_close(&c);
		client_attach(&c, &rig, 1, 0);
		end = c.hello.hello.end;
	}
	usleep(20000);
	client_close(&c);
	client_attach(&c, &rig, 1, 0);
	check_int("it stays at its limit", (long long)c.hello.hello.end, 65536);
	client_credit(&c, UINT64_MAX);
	while (c.end < 400000) {
		client_until(&c, MSG_OUT);
		client_ack(&c, c.end);
	}
	for (long long i = 0, at = 0; at + 20 < (long long)c.out[1].len; i++) {
		char line[24];
		int n = snprintf(line, sizeof(line), "%lld\n", i);

		check_vstr("line by line", vy_str_n(out(1) + at, (size_t)n),
			vy_str_n(line, (size_t)n));
		at += n;
	}
}

static void test_closes_stdout_and_lives(void **state)
{
	(void)state;
	begin(NULL);
	client_sh(&c, "echo hi; exec >&-; read x; exit 5");
	while (!c.closed[1]) {
		client_until(&c, MSG_OUT);
	}
	check_str("it said", out(1), "hi\n");
	check_true("stderr is open", !c.closed[2]);
	client_in(&c, 0, VY_STR_LIT("\n"));
	client_until(&c, MSG_EXIT);
	check_int("it lived on", c.last.exit.status, 5);
}

/* A background process keeps the pipe open after its shell is over. */
static void test_open_after_the_end(void **state)
{
	static const char *const limits[] = { "drain_ms=50", NULL };
	pid_t pid;

	(void)state;
	begin(limits);
	client_sh(&c, "sleep 1000 & echo $!; exit 3");
	client_until(&c, MSG_EXIT);
	check_int("its end is told all the same", c.last.exit.status, 3);
	pid = (pid_t)strtol(out(1), NULL, 10);
	check_true("what it left behind lives", pid > 1 && !is_gone(pid));
	client_bye(&c);
	client_until_closed(&c);
	check_true("also when the holder was let go", !is_gone(pid));
	check_true("which stays as long", !is_gone(rig.pid));
	kill(pid, SIGKILL);
	rig_wait_end(&rig);
}

static void test_many_on_stderr_first(void **state)
{
	(void)state;
	run_sh("head -c 200000 /dev/zero >&2; echo first");
	check_str("stdout", out(1), "first\n");
	check_int("stderr", (long long)c.out[2].len, 200000);
}

/* ---- PTY ---- */

static void test_pty(void **state)
{
	struct msg m = client_start_of(
		VY_STR_LIT("sh\0-c\0stty size; tty <&2; read x; stty size; echo $x; exit 2\0"));

	(void)state;
	begin(NULL);
	m.start.kind = MSG_PTY;
	m.start.cols = 80;
	m.start.rows = 24;
	client_credit(&c, 10000);
	client_send(&c, &m);
	client_until_out(&c, 1, "/dev/pts/");
	check_vstr("its size", vy_str_n(out(1), 7), VY_STR_LIT("24 80\r\n"));
	client_send(&c, &(struct msg){ .type = MSG_RESIZE, .resize = { 132, 50 } });
	client_in(&c, 0, VY_STR_LIT("typed\n"));
	client_until(&c, MSG_EXIT);
	check_true("the new size", strstr(out(1), "50 132\r\n") != NULL);
	check_true("what was typed",
		strstr(out(1), "typed\r\ntyped\r\n") || strstr(out(1), "132\r\ntyped\r\n"));
	check_int("status", c.last.exit.status, 2);
	check_true("a terminal has no stderr of its own", c.out[2].len == 0 && !c.closed[2]);
}

static void test_pty_controls(void **state)
{
	struct msg m = client_start_of(VY_STR_LIT("sh\0-c\0trap 'echo caught; exit 6' INT; echo "
						  "ready; while :; do sleep 0.01; done\0"));

	(void)state;
	begin(NULL);
	m.start.kind = MSG_PTY;
	client_credit(&c, 100000);
	client_send(&c, &m);
	client_until_out(&c, 1, "ready");
	client_in(&c, 0, VY_STR_LIT("\003"));
	client_until(&c, MSG_EXIT);
	check_true("a key is a signal: it is the controlling terminal",
		strstr(out(1), "caught") != NULL);
	check_int("status", c.last.exit.status, 6);
}

/* ---- signals and trees ---- */

static void test_ignores_term(void **state)
{
	pid_t pid;

	(void)state;
	begin(NULL);
	client_sh(&c, "trap '' TERM; echo ready; while :; do sleep 0.01; echo alive; done");
	pid = (pid_t)c.hello.hello.pid;
	client_until_out(&c, 1, "ready");
	client_signal(&c, SIGTERM, false);
	vy_buf_clear(&c.out[1]);
	client_until_out(&c, 1, "alive\nalive\nalive");
	check_true("it goes on", !is_gone(pid));
	client_signal(&c, SIGKILL, true);
	client_until(&c, MSG_EXIT);
	check_int("until KILL", c.last.exit.signal, SIGKILL);
}

/* Every way out at once: double fork, nohup, a session of its own, a child that forks all the time. */
static const char escape[] =
	"(setsid sh -c 'trap \"\" TERM HUP; echo $$; while :; do (setsid sleep 1000 &) ; sleep "
	"0.02; done' &)\n"
	"(nohup sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 1000\" & sleep 0.1' >&1 2>&1 &)\n"
	"sleep 0.1; echo done; exec sleep 1000";

static void test_tree_kill(void **state)
{
	pid_t pids[2] = { 0, 0 };
	struct procfs_stat *all;
	long n, left = 0;
	char *at;

	(void)state;
	begin(NULL);
	client_sh(&c, escape);
	client_until_out(&c, 1, "done");
	at = c.out[1].data;
	for (int i = 0; i < 2; i++) {
		pids[i] = (pid_t)strtol(at, &at, 10);
		check_true("a way out", pids[i] > 1 && !is_gone(pids[i]));
	}
	client_signal(&c, SIGKILL, true);
	client_until(&c, MSG_EXIT);
	check_int("the child", c.last.exit.signal, SIGKILL);
	n = procfs_all(&all);
	for (long i = 0; i < n; i++) {
		left += all[i].pid != rig.pid && procfs_descends(all[i].pid, rig.pid) == 1;
	}
	free(all);
	check_int("when EXIT comes not one is left", left, 0);
	client_bye(&c);
	rig_wait_end(&rig);
}

static void test_tree_term(void **state)
{
	(void)state;
	begin(NULL);
	client_sh(&c, "trap 'exit 9' TERM\n"
		      "(setsid sh -c 'trap \"echo bye; exit\" TERM; echo ready; while :; do sleep "
		      "0.01; done' &)\n"
		      "while :; do sleep 0.01; done");
	client_until_out(&c, 1, "ready");
	client_signal(&c, SIGTERM, true);
	client_until(&c, MSG_EXIT);
	check_int("the child", c.last.exit.status, 9);
	check_str("and what left it", out(1), "ready\nbye\n");
}

/* ---- ends of the holder ---- */

static void test_alone(void **state)
{
	static const char *const limits[] = { "alone_ms=50", NULL };

	(void)state;
	begin(limits);
	usleep(100000);
	check_true("not while a vyred is here", !is_gone(rig.pid));
	client_close(&c);
	rig_wait_end(&rig);
	tempdir_remove(rig.dir.path);
	begin(NULL); /* for the teardown */
}

static void test_linger(void **state)
{
	static const char *const limits[] = { "linger_ms=50", NULL };

	(void)state;
	begin(limits);
	client_sh(&c, "exit 0");
	client_until(&c, MSG_EXIT);
	client_until_closed(&c);
	rig_wait_end(&rig);
}

static void test_bye_before_the_end(void **state)
{
	pid_t pid;

	(void)state;
	begin(NULL);
	client_sh(&c, "echo ready; read x");
	pid = (pid_t)c.hello.hello.pid;
	client_bye(&c);
	client_until_closed(&c);
	check_true("the child lives", !is_gone(pid) && !is_gone(rig.pid));
	kill(pid, SIGTERM);
	rig_wait_end(&rig);
}

static void test_orphan(void **state)
{
	static const char *const limits[] = { "quiet_ms=20", "term_ms=50", NULL };
	struct msg m = client_start_of(
		VY_STR_LIT("sh\0-c\0trap '' TERM; echo ready; while :; do sleep 0.01; done\0"));

	(void)state;
	begin(limits);
	m.start.orphan_s = 1;
	client_credit(&c, 1000);
	client_send(&c, &m);
	client_until_out(&c, 1, "ready");
	pid_t pid = 0;

	client_send(&c, &m);
	client_until(&c, MSG_STARTED);
	pid = (pid_t)c.last.started.pid;
	client_close(&c);
	wait_gone(pid);
	client_attach(&c, &rig, 1, 0);
	check_int("an orphan was ended", c.hello.hello.state, MSG_EXITED);
	check_int("by force, since it would not", c.hello.hello.signal, SIGKILL);
	client_credit(&c, 1000);
	client_until(&c, MSG_EXIT);
	check_str("and what it said is still here", out(1), "ready\n");
}

static void test_term_to_the_holder(void **state)
{
	(void)state;
	begin(NULL);
	client_sh(&c, "trap 'echo bye; exit 8' TERM; echo ready; while :; do sleep 0.01; done");
	client_until_out(&c, 1, "ready");
	kill(rig.pid, SIGTERM);
	client_until(&c, MSG_EXIT);
	check_str("the child had time to end", out(1), "ready\nbye\n");
	check_int("and vyred hears of it", c.last.exit.status, 8);
	client_until_closed(&c);
	rig_wait_end(&rig);
}

static long switches(pid_t pid)
{
	char text[8192];
	long n = procfs_read(pid, "status", text, sizeof(text) - 1);
	char *at;

	assert_true(n > 0);
	text[n] = '\0';
	at = strstr(text, "voluntary_ctxt_switches:");
	assert_non_null(at);
	return strtol(at + strlen("voluntary_ctxt_switches:"), NULL, 10);
}

static void test_sleeps(void **state)
{
	long before;

	(void)state;
	begin(NULL);
	client_sh(&c, "echo ready; read x");
	client_until_out(&c, 1, "ready");
	usleep(50000);
	before = switches(rig.pid);
	usleep(300000);
	check_int("with nothing to do it does not wake up", switches(rig.pid), before);
}

#define T(fn) cmocka_unit_test_teardown(fn, finish)

CHECK_MAIN(T(test_streams_and_status), T(test_end_by_signal), T(test_own_session),
	T(test_environment), T(test_clean_start), T(test_brand), T(test_umask_and_folder),
	T(test_secret), T(test_refused), T(test_no_terminal_left), T(test_start_once),
	T(test_input_and_its_end), T(test_large_input), T(test_input_nobody_reads),
	T(test_input_after_the_end), T(test_end_before_output_is_read), T(test_credit),
	T(test_stops_when_full), T(test_closes_stdout_and_lives), T(test_open_after_the_end),
	T(test_many_on_stderr_first), T(test_pty), T(test_pty_controls), T(test_ignores_term),
	T(test_tree_kill), T(test_tree_term), T(test_alone), T(test_linger),
	T(test_bye_before_the_end), T(test_orphan), T(test_term_to_the_holder), T(test_sleeps))
