/* proxy.c -- see proxy.h. */
#include "tests/play/proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/str.h"
#include "shared/base/ban.h"

enum { LINKS_MAX = 1100, ROOM = 16384, TICK_MS = 5, AT_ONCE = 64 };

enum fault { PASS, DELAY, CHOP, SLOW, HOLE, HOLD, CUT, REFUSE, WILD, LOSE, TWICE, FAULTS };
enum door { MAIN, LINE, DOORS };

struct way { /* one direction: what was read and not written */
	char bytes[ROOM];
	size_t at, n;
	int64_t due;            /* of its next byte */
	bool is_ended, is_shut; /* nothing comes any more; and that was passed on */
};

struct link {
	int client, server; /* -1: free */
	struct way up, down;
	enum fault fault; /* of `wild`: its own; else the line's */
	long arg;
	long left; /* bytes until it is cut; -1: it is not */
	/* of one that came for lose or twice: what comes back is taken apart */
	bool is_framed, has_head;
	size_t ready;     /* bytes behind down.at that may leave */
	uint64_t passing; /* of a message that is too long for us: so much still passes */
};

static struct {
	struct proxy_conf conf;
	char line[108]; /* vyred's line socket */
	int listen[DOORS], control;
	struct link links[LINKS_MAX];
	int n; /* none is in use from there on */
	enum fault fault;
	long arg;
	uint64_t random;
} px;

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static long draw(long most) /* 1 to most */
{
	px.random ^= px.random << 13;
	px.random ^= px.random >> 7;
	px.random ^= px.random << 17;
	return most > 1 ? 1 + (long)((px.random >> 16) % (uint64_t)most) : 1;
}

/* ---- connections ---- */

static int dial(enum door door)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)px.conf.port) };
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	bool is_tcp = px.conf.port != 0 && door == MAIN;
	int fd = socket(is_tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s", door == MAIN ? px.conf.sock : px.line);
	rc = is_tcp ? connect(fd, (struct sockaddr *)&in, sizeof(in))
		    : connect(fd, (struct sockaddr *)&un, sizeof(un));
	if (rc != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static void choose(struct link *l)
{
	static const struct {
		enum fault fault;
		long arg;
	} wild[] = { { PASS, 0 }, { DELAY, 30 }, { CHOP, 7 }, { SLOW, 20000 }, { CHOP, 200 } };

	l->fault = px.fault;
	l->arg = px.arg;
	l->left = -1;
	if (px.fault == CUT || px.fault == WILD) {
		l->left = draw(px.arg);
	}
	if (px.fault == WILD) {
		size_t i = (size_t)draw((long)VY_COUNT(wild)) - 1;

		l->fault = wild[i].fault;
		l->arg = wild[i].arg;
	}
}

static void hang_up(struct link *l, bool is_reset)
{
	struct linger none = { 1, 0 };

	if (is_reset) {
		setsockopt(l->client, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	}
	close(l->client);
	close(l->server);
	l->client = l->server = -1;
}

static void way_reset(struct way *w) /* its bytes are as they are */
{
	w->at = w->n = 0;
	w->due = 0;
	w->is_ended = w->is_shut = false;
}

/* False: nobody waits at that door. */
static bool take_in(enum door door)
{
	int client = accept4(px.listen[door], NULL, NULL, SOCK_CLOEXEC);
	struct link *l = px.links;

	if (client < 0) {
		return false;
	}
	while (l < px.links + LINKS_MAX && l->client >= 0) {
		l++;
	}
	if (px.fault == REFUSE || l == px.links + LINKS_MAX) {
		close(client);
		return true;
	}
	way_reset(&l->up);
	way_reset(&l->down);
	l->server = dial(door);
	l->client = client;
	choose(l);
	l->is_framed = l->fault == LOSE || l->fault == TWICE;
	l->has_head = false;
	l->ready = 0;
	l->passing = 0;
	if (l->server < 0) {
		close(client);
		l->client = -1;
	} else if (l - px.links >= px.n) {
		px.n = (int)(l - px.links) + 1;
	}
	return true;
}

/* ---- bytes ---- */

static void fill(struct way *w, int from)
{
	ssize_t n;

	if (w->at == w->n) {
		w->at = w->n = 0;
	}
	n = recv(from, w->bytes + w->n, ROOM - w->n, MSG_DONTWAIT);
	if (n > 0) {
		w->n += (size_t)n;
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		w->is_ended = true;
	}
}

/* Writes at most `most`; how many. */
static size_t pour(struct way *w, int to, size_t most)
{
	size_t n = w->n - w->at < most ? w->n - w->at : most;
	ssize_t done = n ? send(to, w->bytes + w->at, n, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;

	if (done < 0 && errno != EAGAIN && errno != EINTR) {
		w->is_ended = true;
		w->at = w->n;
	}
	w->at += done > 0 ? (size_t)done : 0;
	return done > 0 ? (size_t)done : 0;
}

static bool is_shut(const struct link *l)
{
	return l->fault == HOLE || l->fault == HOLD;
}

/* The length of the WebSocket frame that begins there; 0: more of it is needed. */
static uint64_t frame_len(const unsigned char *p, size_t n)
{
	size_t extra = n < 2 ? 0 : (p[1] & 0x7F) == 126 ? 2 : (p[1] & 0x7F) == 127 ? 8 : 0;
	uint64_t len = 0;

	if (n < 2 + extra) {
		return 0;
	}
	for (size_t i = 0; i < extra; i++) {
		len = len << 8 | p[2 + i];
	}
	return 2 + extra + (extra ? len : p[1] & 0x7F);
}

/* A whole message stands at `at`: it leaves, twice, or not at all. */
static void decide(struct link *l, size_t at, size_t n)
{
	struct way *w = &l->down;
	/* frames of a session alone: who loses an answer has another trouble */
	bool is_text = (w->bytes[at] & 0x0F) == 1 &&
		       memmem(w->bytes + at, n < 24 ? n : 24, "{\"v\":1", 6) != NULL;

	if (is_text && l->fault == LOSE && draw(l->arg) == 1) {
		memmove(w->bytes + at, w->bytes + at + n, w->n - at - n);
		w->n -= n;
		return;
	}
	if (is_text && l->fault == TWICE && w->n + n <= ROOM && draw(l->arg) == 1) {
		memmove(w->bytes + at + n, w->bytes + at, w->n - at);
		w->n += n;
		l->ready += n;
	}
	l->ready += n;
}

/* One thing that is whole there; false: there is none. */
static bool sift_one(struct link *l)
{
	struct way *w = &l->down;
	size_t n = w->n - l->ready;
	const char *p = w->bytes + l->ready, *end;
	uint64_t len;

	if (n == 0) {
		return false;
	}
	if (l->passing) {
		len = l->passing < n ? l->passing : n;
		l->passing -= len;
		l->ready += len;
		return true;
	}
	if (!l->has_head) {
		end = memmem(p, n, "\r\n\r\n", 4);
		l->has_head = end != NULL;
		if (end) { /* what is no WebSocket passes as it is */
			l->ready += (size_t)(end - p) + 4;
			l->passing = memcmp(p, "HTTP/1.1 101", 12) == 0 ? 0 : UINT64_MAX;
		}
		return end != NULL;
	}
	len = frame_len((const unsigned char *)p, n);
	if (len > ROOM / 4) {
		l->passing = len;
		return true;
	}
	if (len == 0 || len > n) {
		return false;
	}
	decide(l, l->ready, (size_t)len);
	return true;
}

/* What came since, message by message. */
static void sift(struct link *l)
{
	struct way *w = &l->down;

	memmove(w->bytes, w->bytes + w->at, w->n - w->at);
	w->n -= w->at;
	w->at = 0;
	while (sift_one(l)) {
	}
}

/* How many bytes may go back to the client now; when the next may, is noted. */
static size_t allowance(struct link *l, int64_t now)
{
	size_t may = l->left >= 0 && l->left < ROOM ? (size_t)l->left : ROOM;
	size_t part = l->is_framed ? l->ready : ROOM;

	if (is_shut(l) || now < l->down.due) {
		return 0;
	}
	if (l->fault == DELAY) {
		l->down.due = now + l->arg;
	} else if (l->fault == CHOP) {
		part = (size_t)draw(l->arg);
	} else if (l->fault == SLOW) {
		part = (size_t)(l->arg * TICK_MS / 1000) + 1;
		l->down.due = now + TICK_MS;
	}
	return part < may ? part : may;
}

static void move(struct link *l, int64_t now)
{
	size_t n;

	pour(&l->up, l->server, ROOM);
	n = l->down.at < l->down.n ? pour(&l->down, l->client, allowance(l, now)) : 0;
	l->ready -= l->is_framed ? n : 0;
	if (l->left >= 0 && (l->left -= (long)n) <= 0) {
		hang_up(l, true);
	} else if (l->up.is_ended && l->up.at == l->up.n && !l->up.is_shut) {
		shutdown(l->server, SHUT_WR);
		l->up.is_shut = true;
	}
	if (l->client >= 0 && l->down.is_ended && l->down.at == l->down.n) {
		hang_up(l, false);
	}
}

/* ---- what it is told ---- */

static void drop_all(void)
{
	for (int i = 0; i < px.n; i++) {
		if (px.links[i].client >= 0) {
			hang_up(&px.links[i], true);
		}
	}
}

static void obey(char *line)
{
	static const char *const words[FAULTS] = { "pass", "delay", "chop", "slow", "hole", "hold",
		"cut", "refuse", "wild", "lose", "twice" };
	char *arg = strpbrk(line, " =");

	if (arg) {
		*arg++ = '\0';
	}
	if (strcmp(line, "drop") == 0) {
		drop_all();
		px.fault = PASS;
	}
	for (int i = 0; i < FAULTS; i++) {
		if (strcmp(line, words[i]) == 0) {
			px.fault = (enum fault)i;
			px.arg = arg ? strtol(arg, NULL, 10) : 0;
		}
	}
	for (int i = 0; i < px.n; i++) { /* those that are there too */
		if (px.links[i].client >= 0 && px.links[i].fault != HOLE) {
			choose(&px.links[i]);
		}
	}
}

static void hear(void)
{
	char line[128];
	ssize_t n = recv(px.control, line, sizeof(line) - 1, 0);

	if (n <= 0) {
		_exit(0);
	}
	line[n] = '\0';
	obey(line);
	(void)!send(px.control, "", 1, MSG_NOSIGNAL);
}

static bool wants_more(const struct way *w)
{
	return !w->is_ended && (w->n < ROOM || w->at == w->n);
}

static void turn(void)
{
	static struct pollfd fds[1 + DOORS + 2 * LINKS_MAX];
	static struct way *ways[1 + DOORS + 2 * LINKS_MAX];
	static struct link *links[1 + DOORS + 2 * LINKS_MAX];
	nfds_t n = 1 + DOORS;
	bool is_busy = false;

	fds[0] = (struct pollfd){ px.control, POLLIN, 0 };
	fds[1] = (struct pollfd){ px.listen[MAIN], POLLIN, 0 };
	fds[2] = (struct pollfd){ px.listen[LINE], POLLIN, 0 };
	for (int i = 0; i < px.n; i++) {
		struct link *l = &px.links[i];

		if (l->client < 0) {
			continue;
		}
		is_busy |= l->up.at < l->up.n || (l->down.at < l->down.n && !is_shut(l));
		if (wants_more(&l->up)) {
			links[n] = l;
			ways[n] = &l->up;
			fds[n++] = (struct pollfd){ l->client, POLLIN, 0 };
		}
		if (wants_more(&l->down) && l->fault != HOLE) {
			links[n] = l;
			ways[n] = &l->down;
			fds[n++] = (struct pollfd){ l->server, POLLIN, 0 };
		}
	}
	poll(fds, n, is_busy ? 1 : -1);
	for (nfds_t i = 1 + DOORS; i < n; i++) {
		if (fds[i].revents) {
			fill(ways[i], fds[i].fd);
			if (links[i]->is_framed && ways[i] == &links[i]->down) {
				sift(links[i]);
			}
		}
	}
	for (int i = 0; i < px.n; i++) {
		if (px.links[i].client >= 0) {
			move(&px.links[i], now_ms());
		}
	}
	for (enum door door = MAIN; door < DOORS; door++) {
		for (int i = 0; i < AT_ONCE && fds[1 + door].revents && take_in(door); i++) {
		}
	}
	if (fds[0].revents) {
		hear();
	}
}

static void run(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < LINKS_MAX; i++) {
		px.links[i].client = -1;
	}
	for (;;) {
		turn();
	}
}

static int door(const char *path)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(un.sun_path, sizeof(un.sun_path), "%s", path);
	unlink(path);
	return fd >= 0 && bind(fd, (struct sockaddr *)&un, sizeof(un)) == 0 &&
			       listen(fd, LINKS_MAX) == 0
		       ? fd
		       : -1;
}

static void beside(const char *sock, char *out, size_t room)
{
	const char *slash = strrchr(sock, '/');

	snprintf(out, room, "%.*srpc.sock", slash ? (int)(slash - sock) + 1 : 0, sock);
}

bool proxy_start(const struct proxy_conf *conf, pid_t *pid, int *control)
{
	char line[128];
	int socks[2];

	px.conf = *conf;
	px.random = conf->seed | 1;
	px.fault = PASS;
	beside(conf->sock, px.line, sizeof(px.line));
	beside(conf->listen, line, sizeof(line));
	px.listen[MAIN] = door(conf->listen);
	px.listen[LINE] = door(line);
	if (px.listen[MAIN] < 0 || px.listen[LINE] < 0 ||
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks) != 0 ||
		(*pid = fork()) < 0) {
		return false;
	}
	if (*pid == 0) {
		px.control = socks[1];
		close(socks[0]);
		run();
	}
	close(socks[1]);
	close(px.listen[MAIN]);
	close(px.listen[LINE]);
	*control = socks[0];
	return true;
}

bool proxy_say(int control, const char *words)
{
	char done;

	return control >= 0 && send(control, words, strlen(words), MSG_NOSIGNAL) > 0 &&
	       recv(control, &done, 1, 0) == 1;
}
