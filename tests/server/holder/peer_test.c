/* peer_test.c -- who hangs up while much is on its way to them is heard to the end. */
#include "server/holder/peer.h"

#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "tests/check.h"
#include "shared/base/ban.h"

static struct peer p;
static int other;

static void meet(void)
{
	int socks[2];

	assert_int_equal(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, socks), 0);
	peer_init(&p);
	p.fd = socks[0];
	other = socks[1];
	vy_cut_init(&p.cut, VY_CUT_U32, VY_HOLD_MSG_MAX);
	vy_buf_init(&p.out, VY_MIB);
}

static void says(const struct msg *m)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_KIB);

	assert_true(msg_encode(m, &b));
	assert_int_equal(write(other, b.data, b.len), (long long)b.len);
}

static void heard(void *ctx, struct peer *from, struct vy_str body)
{
	struct vy_buf *all = ctx;
	struct msg m;
	struct vy_err e;

	(void)from;
	assert_int_equal(msg_decode(body, &m, &e), 0);
	if (m.type == MSG_SIGNAL) {
		vy_buf_addf(all, "signal %d ", m.signal.sig);
	} else {
		vy_buf_adds(all, m.type == MSG_BYE ? "bye " : "? ");
	}
}

static void test_last_words(void **state)
{
	static const struct {
		const char *name;
		int sent, behind; /* to them: before they hang up, unread; after it */
	} rows[] = {
		{ "nothing on its way", 0, 0 },
		{ "something unread", 1, 0 },
		{ "something they never get", 0, 1 },
		{ "both", 1, 3 },
	};
	struct msg out = { .type = MSG_INACK };
	struct msg kill = { .type = MSG_SIGNAL, .signal = { .sig = 9, .tree = 1 } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF all = VY_BUF_INIT(VY_KIB);

		meet();
		for (int n = 0; n < rows[i].sent; n++) {
			peer_send(&p, &out);
			peer_flush(&p);
		}
		says(&kill);
		says(&(struct msg){ .type = MSG_BYE });
		close(other);
		for (int n = 0; n < rows[i].behind; n++) {
			peer_send(&p, &out);
			peer_flush(&p);
			check_int(rows[i].name, (long long)peer_unsent(&p), 0);
		}
		for (int n = 0; n < 3 && p.fd >= 0; n++) {
			peer_read(&p, heard, &all);
		}
		check_vstr(rows[i].name, vy_buf_str(&all), vy_str_c("signal 9 bye "));
		check_int(rows[i].name, p.fd, -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
