/* house.c -- see house.h. */
#include "server/ops/house.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/io/secret.h"
#include "server/provider/auth.h"
#include "server/provider/provider.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

#define UP_MS   15000 /* until it listens */
#define DOWN_MS 30000 /* until it has ended its agents and itself */
#define CALL_MS 60000

struct house {
	char root[PATH_MAX - 64], state[PATH_MAX - 32], work[PATH_MAX - 32];
	pid_t pid;
	int fd; /* the line socket */
	int64_t last_id;
	struct vy_buf in;
	struct vy_json *frames; /* came while an answer was waited for */
	bool is_gone;
};

static volatile sig_atomic_t is_told_to_end;

static void on_signal(int signo)
{
	(void)signo;
	is_told_to_end = 1;
}

bool house_is_over(const struct house *h)
{
	return h->is_gone || is_told_to_end;
}

const char *house_folder(const struct house *h)
{
	return h->work;
}

static int64_t now_ms(void)
{
	return vy_boot_ms(&vy_clock_real);
}

/* ---- its folder ---- */

static void key_of(FILE *f, const char *key, const char *value)
{
	if (value) {
		fprintf(f, "%s=%s\n", key, value);
	}
}

static int write_config(
	const char *path, const struct provider_conf *pc, const char *user, struct vy_err *e)
{
	FILE *f = fopen(path, "wxe");
	const char *name;
	struct vy_json *value;

	if (!f) {
		return vy_fail_errno(e, errno, "writing %s", path);
	}
	fprintf(f, "[sessions]\nwarm_spare=no\n");
	key_of(f, "user", user);
	fprintf(f, "[provider.%s]\n", pc->name);
	key_of(f, "kind", pc->kind);
	key_of(f, "command", pc->command);
	key_of(f, "args", pc->args);
	key_of(f, "auth", pc->auth);
	key_of(f, "secret", pc->secret);
	VY_JSON_EACH (pc->env, name, value) {
		fprintf(f, "env.%s=%.*s\n", name, VY_STR_ARG(vy_json_strval(value)));
	}
	return fclose(f) == 0 ? 0 : vy_fail_errno(e, errno, "writing %s", path);
}

static int bring_secret(const struct house *h, const struct provider_conf *pc,
	const char *state_dir, struct vy_err *e)
{
	VY_AUTO_BUF value = VY_BUF_INIT(64 * VY_KIB);
	char name[AUTH_SECRET_MAX];

	if (!provider_find(pc->kind)->is_paid || !auth_secret(pc, auth_of(pc), name)) {
		return 0;
	}
	int rc = secret_get(state_dir, name, &value, e) == 0
			 ? secret_set(h->state, name, vy_buf_str(&value), e)
			 : -1;

	if (value.data) {
		vy_wipe(value.data, value.len);
	}
	return rc;
}

/* Where agents are another user, that one must come through to its folder and may write there. */
static int furnish(struct house *h, const struct provider_conf *pc, const char *state_dir,
	const char *user, char config[PATH_MAX], struct vy_err *e)
{
	const char *tmp = getenv("TMPDIR");
	int n = snprintf(h->root, sizeof(h->root), "%s/vyre-check-XXXXXX",
		tmp && tmp[0] == '/' ? tmp : "/tmp");

	if (n < 0 || (size_t)n >= sizeof(h->root) || !mkdtemp(h->root)) {
		h->root[0] = '\0';
		return vy_fail_errno(e, errno, "making a folder in %s", tmp ? tmp : "/tmp");
	}
	snprintf(h->state, sizeof(h->state), "%s/state", h->root);
	snprintf(h->work, sizeof(h->work), "%s/work", h->root);
	snprintf(config, PATH_MAX, "%s/vyred.conf", h->root);
	if (mkdir(h->state, 0700) != 0 || mkdir(h->work, 0700) != 0 ||
		(user && (chmod(h->root, 0711) != 0 || chmod(h->work, 0777) != 0))) {
		return vy_fail_errno(e, errno, "furnishing %s", h->root);
	}
	return write_config(config, pc, user, e) != 0 ? -1 : bring_secret(h, pc, state_dir, e);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

/* ---- the process ---- */

/* A group of its own, so that a terminal's Ctrl-C is for us to hear, and it is told in our way. */
static void become(const struct house *h, const char *config, pid_t parent)
{
	char log[PATH_MAX];

	snprintf(log, sizeof(log), "%s/log", h->root);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGUSR1); /* as `vyred stop --all` */
	int in = open("/dev/null", O_RDWR), out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (in < 0 || out < 0 || getppid() != parent) {
		_exit(1);
	}
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	execl("/proc/self/exe", "vyred", "--foreground", "--state-dir", h->state, "--config",
		config, "--log-level", "warn", (char *)NULL);
	_exit(127);
}

static bool has_ended(struct house *h)
{
	if (h->pid > 0 && waitpid(h->pid, NULL, WNOHANG) == h->pid) {
		h->pid = 0;
	}
	return h->pid == 0;
}

static void wait_a_bit(void)
{
	const struct timespec step = { .tv_nsec = 10 * 1000000 };

	nanosleep(&step, NULL);
}

/* Why it ended is the last line that it said. */
static int ended_since(const struct house *h, struct vy_err *e)
{
	char path[PATH_MAX], line[1024] = "it says nothing", next[1024];

	snprintf(path, sizeof(path), "%s/log", h->root);
	FILE *f = fopen(path, "re");

	while (f && fgets(next, sizeof(next), f)) {
		memcpy(line, next, sizeof(line));
	}
	if (f) {
		fclose(f);
	}
	line[strcspn(line, "\n")] = '\0';
	return vy_fail(e, VY_GONE, "the vyred of this check ended: %s", line);
}

static int dial(struct house *h, struct vy_err *e)
{
	char path[PATH_MAX];
	struct sockaddr_un at;

	snprintf(path, sizeof(path), "%s/rpc.sock", h->state);
	if (vy_sock_addr(path, &at, e) != 0) {
		return -1;
	}
	for (int64_t end = now_ms() + UP_MS; now_ms() < end; wait_a_bit()) {
		if (house_is_over(h) || has_ended(h)) {
			return ended_since(h, e);
		}
		h->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (h->fd >= 0 && connect(h->fd, (const struct sockaddr *)&at, sizeof(at)) == 0) {
			return 0;
		}
		if (h->fd >= 0) {
			close(h->fd);
			h->fd = -1;
		}
	}
	return vy_fail(e, VY_RETRY, "the vyred of this check does not listen");
}

struct house *house_open(
	const struct provider_conf *pc, const char *state_dir, const char *user, struct vy_err *e)
{
	const struct sigaction heard = { .sa_handler = on_signal };
	struct house *h = VY_NEW(struct house);
	char config[PATH_MAX];
	pid_t me = getpid();

	h->fd = -1;
	h->frames = vy_json_new_arr();
	vy_buf_init(&h->in, VY_RPC_ANSWER_MAX);
	sigaction(SIGINT, &heard, NULL);
	sigaction(SIGTERM, &heard, NULL);
	sigaction(SIGHUP, &heard, NULL);
	if (furnish(h, pc, state_dir, user, config, e) == 0) {
		h->pid = fork();
		if (h->pid == 0) {
			become(h, config, me);
		}
		if (h->pid < 0) {
			h->pid = 0;
			vy_fail_errno(e, errno, "starting a vyred");
		} else if (dial(h, e) == 0) {
			return h;
		}
	}
	house_close(h);
	return NULL;
}

void house_close(struct house *h)
{
	if (!h) {
		return;
	}
	if (h->fd >= 0) {
		close(h->fd);
	}
	if (h->pid > 0) {
		kill(h->pid, SIGUSR1);
	}
	for (int64_t end = now_ms() + DOWN_MS; !has_ended(h) && now_ms() < end; wait_a_bit()) {
	}
	if (h->pid > 0) {
		kill(h->pid, SIGKILL);
		waitpid(h->pid, NULL, 0);
	}
	if (h->root[0]) {
		nftw(h->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	vy_json_free(h->frames);
	vy_buf_fini(&h->in);
	free(h);
}

/* ---- what is said to it, and what it says ---- */

static int tell(struct house *h, struct vy_str text, struct vy_err *e)
{
	while (text.n) {
		ssize_t n = send(h->fd, text.p, text.n, MSG_NOSIGNAL);

		if (n < 0 && (errno != EINTR || is_told_to_end)) {
			h->is_gone = true;
			return vy_fail_errno(e, errno, "asking the vyred of this check");
		}
		text = vy_str_from(text, n > 0 ? (size_t)n : 0);
	}
	return 0;
}

static struct vy_json *take_line(struct house *h)
{
	const char *end = h->in.len ? memchr(h->in.data, '\n', h->in.len) : NULL;
	struct vy_json *v;

	if (!end) {
		return NULL;
	}
	v = vy_json_parse(vy_str_n(h->in.data, (size_t)(end - h->in.data)), NULL);
	vy_buf_consume(&h->in, (size_t)(end - h->in.data) + 1);
	return v ? v : vy_json_new_null();
}

/* The next line, whatever it is; NULL: none by then. */
static struct vy_json *hear(struct house *h, int64_t until)
{
	struct vy_json *line;

	while (!(line = take_line(h)) && !house_is_over(h)) {
		int64_t left = until - now_ms();
		struct pollfd p = { .fd = h->fd, .events = POLLIN };
		ssize_t n;

		if (poll(&p, 1, left > 0 ? (int)left : 0) <= 0) {
			if (now_ms() >= until) {
				return NULL;
			}
			continue;
		}
		if (!vy_buf_reserve(&h->in, 64 * VY_KIB) ||
			(n = read(h->fd, h->in.data + h->in.len, 64 * VY_KIB)) == 0 ||
			(n < 0 && errno != EINTR && errno != EAGAIN)) {
			h->is_gone = true;
		} else {
			h->in.len += n > 0 ? (size_t)n : 0;
		}
	}
	return line;
}

static bool is_frame(const struct vy_json *line)
{
	return vy_str_is(vy_json_str(line, "method"), "stream.frame");
}

static struct vy_json *answer_in(const struct vy_json *line, struct vy_err *e)
{
	const char *why = vy_json_cstr(vy_json_get(line, "error"), "message");

	if (why) {
		vy_fail(e, VY_BAD_INPUT, "%s", why);
		return NULL;
	}
	return vy_json_ref(vy_json_get(line, "result"));
}

struct vy_json *house_call(
	struct house *h, const char *method, struct vy_json *own_params, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	VY_AUTO_JSON *ask = vy_json_new_obj();
	int64_t until = now_ms() + CALL_MS, id = ++h->last_id;

	vy_json_set_c(ask, "jsonrpc", "2.0");
	vy_json_set_int(ask, "id", id);
	vy_json_set_c(ask, "method", method);
	vy_json_take(ask, "params", own_params);
	vy_json_dump(ask, &text);
	vy_buf_addc(&text, '\n');
	if (tell(h, vy_buf_str(&text), e) != 0) {
		return NULL;
	}
	for (;;) {
		VY_AUTO_JSON *line = hear(h, until);

		if (!line) {
			vy_fail(e, VY_GONE, "%s: no answer", method);
			return NULL;
		}
		if (vy_json_int(line, "id", 0) == id) {
			return answer_in(line, e);
		}
		if (is_frame(line)) {
			vy_json_add_take(h->frames, vy_json_ref(vy_json_get(line, "params")));
		}
	}
}

struct vy_json *house_frame(struct house *h, int ms)
{
	struct vy_json *frame = vy_json_ref(vy_json_at(h->frames, 0));
	int64_t until = now_ms() + ms;

	if (frame) {
		vy_json_del_at(h->frames, 0);
	}
	while (!frame) {
		VY_AUTO_JSON *line = hear(h, until);

		if (!line) {
			break;
		}
		frame = is_frame(line) ? vy_json_ref(vy_json_get(line, "params")) : NULL;
	}
	return frame;
}
