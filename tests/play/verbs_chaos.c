/* verbs_chaos.c -- crash points, what is left behind, and a line with faults (tests/chaos). */
#include "config.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/holder/procfs.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/play.h"
#include "tests/play/proxy.h"
#include "shared/base/ban.h"

/* ---- crash points (shared/base/crash.h) ---- */

static void crash_file(const struct play *p, char *out, size_t room)
{
	snprintf(out, room, "%s/crash", p->box.state);
}

#ifndef VY_CRASH_POINTS
/* A build without them has not one: not even their names. */
static bool has_none(struct play *p)
{
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	p->is_skipped = true;
	printf("%s: skipped: built without crash points (configure --enable-crash-points)\n",
		p->path);
	return box_shell(&p->box,
		       "test -x $BIN/vyred && ! grep -q commit.frames $BIN/vyred && "
		       "! grep -q holder.forked $BIN/vyre-holder",
		       &out) == 0 ||
	       play_fail(p, "there are crash points in a build without them");
}
#endif

/* crash [POINT N]…: the next programs die there, one line after the other; none: nobody does. */
static bool do_crash(struct play *p, const struct words *w)
{
	char path[128];
	FILE *f;

#ifndef VY_CRASH_POINTS
	return has_none(p);
#endif
	crash_file(p, path, sizeof(path));
	unlink(path);
	if (w->n < 3) {
		return true;
	}
	f = fopen(path, "we");
	for (int i = 1; f && i + 1 < w->n; i += 2) {
		fprintf(f, "%s %s\n", w->v[i], w->v[i + 1]);
	}
	return (f && fclose(f) == 0) || play_fail(p, "%s: %m", path);
}

/* crashed TEXT…: prints it when somebody died of the last `crash`; takes what is left of that. */
static bool do_crashed(struct play *p, const struct words *w)
{
	char path[128];

	crash_file(p, path, sizeof(path));
	if (unlink(path) != 0) {
		printf("reached %s\n", w->n > 1 ? w->rest[1] : "");
		fflush(stdout);
	}
	return true;
}

/* storm MS: vyred is killed again and again, each time within so long; calm [OF WHAT]: no more. */
static bool do_storm(struct play *p, const struct words *w)
{
	long long ms = 0;

	if (!vy_parse_i64(vy_str_c(w->v[1]), &ms) || ms < 1) {
		return play_fail(p, "expected: storm MILLISECONDS");
	}
#ifdef __SANITIZE_ADDRESS__
	ms *= 4; /* it takes so much longer to start */
#endif
	p->is_steady = true;
	p->cuts = 0;
	box_storm(&p->box, (int)ms, play_random(p, UINT32_MAX));
	return true;
}

static bool do_calm(struct play *p, const struct words *w)
{
	unsigned n = box_calm(&p->box);

	(void)w;
	printf("kills %u of vyred\n", n);
	if (p->cuts) {
		printf("cuts %u of viewers\n", p->cuts);
	}
	fflush(stdout);
	play_pump(p, 1);
	play_revive(p);
	return true;
}

static bool is_killed(struct play *p, void *ctx)
{
	(void)p;
	return box_kills() >= *(const long long *)ctx;
}

/* killed N: in the end the storm has killed it so often at least. */
static bool do_killed(struct play *p, const struct words *w)
{
	long long n = 0;

	if (!vy_parse_i64(vy_str_c(w->v[1]), &n) || n < 0) {
		return play_fail(p, "expected: killed TIMES");
	}
	return play_until(p, is_killed, &n) ||
	       play_fail(p, "it was killed %u times alone", box_kills());
}

/* ---- what is left ---- */

static pid_t pid_named(struct play *p, const char *word)
{
	long long n = 0;

	if (strcmp(word, "vyred") == 0) {
		return p->box.vyred;
	}
	return vy_parse_i64(vy_str_c(word), &n) ? (pid_t)n : 0;
}

/* Of a database: its worker opens it once more with its first checkpoint, and keeps it. */
static bool is_database(const char *dir, const char *fd)
{
	char path[384], to[512];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, fd);
	n = readlink(path, to, sizeof(to) - 1);
	to[n > 0 ? n : 0] = '\0';
	return strstr(to, "/vyre.db") != NULL || strstr(to, "/search.db") != NULL;
}

enum { DATABASE_MOST = 2 * 2 + 1 }; /* two connections, each the file and its log; one index */

/* Listed where we may look; else counted, which Linux tells anybody since 6.2. -1: neither. */
static long count_fds(pid_t pid, bool *is_listed)
{
	char path[64];
	struct stat st;
	const struct dirent *d;
	long n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	*is_listed = dir != NULL;
	if (!dir) {
		return stat(path, &st) == 0 && st.st_size > 0 ? (long)st.st_size : -1;
	}
	while ((d = readdir(dir))) {
		n += d->d_name[0] != '.' && !is_database(path, d->d_name);
	}
	closedir(dir);
	return n;
}

/* fds WHO NAME: how many descriptors vyred or PID has open; NAME is "?" where that cannot be seen. */
static bool do_fds(struct play *p, const struct words *w)
{
	char text[32] = "?";
	bool is_listed;
	long n = count_fds(pid_named(p, w->v[1]), &is_listed);

	for (int i = 0; i < 30; i++) { /* what is just being closed does not count */
		long now = (play_pump(p, 5), count_fds(pid_named(p, w->v[1]), &is_listed));

		n = now < n ? now : n;
	}
	if (n >= 0) {
		snprintf(text, sizeof(text), "%ld", n);
	}
	play_set(p, w->v[2], text);
	return true;
}

struct counting {
	const char *who;
	long want;
};

static bool has_fds(struct play *p, void *ctx)
{
	const struct counting *c = ctx;
	bool is_listed;
	long n = count_fds(pid_named(p, c->who), &is_listed);

	return n == c->want || (!is_listed && labs(n - c->want) <= DATABASE_MOST);
}

/* rested WHO COUNT: in the end it has as many open as then. */
static bool do_rested(struct play *p, const struct words *w)
{
	struct counting c = { w->v[1], 0 };
	VY_AUTO_BUF out = VY_BUF_INIT(65536);
	long long want = 0;
	char command[64];

	if (strcmp(w->v[2], "?") == 0) {
		return true;
	}
	if (!vy_parse_i64(vy_str_c(w->v[2]), &want)) {
		return play_fail(p, "expected: rested WHO COUNT");
	}
	c.want = (long)want;
	if (play_until(p, has_fds, &c)) {
		return true;
	}
	snprintf(command, sizeof(command), "ls -l /proc/%d/fd", (int)pid_named(p, c.who));
	box_shell(&p->box, command, &out);
	return play_fail(
		p, "%s has other than %ld descriptors open: %s", c.who, c.want, vy_buf_c(&out));
}

/* parent PID NAME */
static bool do_parent(struct play *p, const struct words *w)
{
	struct procfs_stat st;
	char text[32];

	if (procfs_stat(pid_named(p, w->v[1]), &st) != 0) {
		return play_fail(p, "there is no process %s", w->v[1]);
	}
	snprintf(text, sizeof(text), "%d", (int)st.ppid);
	play_set(p, w->v[2], text);
	return true;
}

/* Below us, dead, and its parent is not us, who have not looked yet. */
static pid_t first_zombie(void)
{
	struct procfs_stat *all = NULL;
	long n = procfs_all(&all);
	pid_t found = 0;

	for (long i = 0; i < n && !found; i++) {
		if (all[i].state == 'Z' && all[i].ppid != getpid() &&
			procfs_descends(all[i].ppid, getpid()) == 1) {
			found = all[i].pid;
		}
	}
	free(all);
	return found;
}

static bool is_buried(struct play *p, void *ctx)
{
	(void)p, (void)ctx;
	return first_zombie() == 0;
}

/* buried: in the end nothing of ours is dead and not waited for. */
static bool do_buried(struct play *p, const struct words *w)
{
	(void)w;
	return play_until(p, is_buried, NULL) ||
	       play_fail(p, "process %d is dead, and nobody waits for it", (int)first_zombie());
}

/* ---- a line with faults (proxy.h) ---- */

/* proxy [PORT]: viewers and programs may take it ($PROXY) to vyred's socket, or to its TCP. */
static bool do_proxy(struct play *p, const struct words *w)
{
	struct proxy_conf conf = { .sock = p->box.sock, .seed = play_random(p, UINT32_MAX) };
	char path[128];
	long long port = 0;

	if (w->n > 1 && !vy_parse_i64(vy_str_c(w->v[1]), &port)) {
		return play_fail(p, "expected: proxy [PORT]");
	}
	conf.port = (int)port;
	conf.listen = path;
	snprintf(path, sizeof(path), "%s/proxy", p->box.dir);
	play_set(p, "PROXY", path);
	box_end_aside(&p->box);
	return proxy_start(&conf, &p->box.aside, &p->box.aside_fd) ||
	       play_fail(p, "the line with faults: %m");
}

/* port NAME: one on the loopback that nobody has. */
static bool do_port(struct play *p, const struct words *w)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t n = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char text[16];
	bool ok;

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ok = fd >= 0 && bind(fd, (struct sockaddr *)&in, sizeof(in)) == 0 &&
	     getsockname(fd, (struct sockaddr *)&in, &n) == 0;
	close(fd);
	snprintf(text, sizeof(text), "%d", ntohs(in.sin_port));
	play_set(p, w->v[1], text);
	return ok || play_fail(p, "no port: %m");
}

/* fault WORD…: what the line does from now on. */
static bool do_fault(struct play *p, const struct words *w)
{
	return proxy_say(p->box.aside_fd, w->rest[1]) || play_fail(p, "there is no proxy");
}

/* via NAME: that viewer comes by $PROXY, and comes back whenever it is cut. */
static bool do_via(struct play *p, const struct words *w)
{
	struct viewer *v = play_viewer(p, w->v[1]);

	if (v) {
		v->is_via = true;
		conn_close(&v->conn);
	}
	return v && play_open(p, v);
}

/* losses NAME LEAST: it was cut so often at least, or the fault did not do its work. */
static bool do_losses(struct play *p, const struct words *w)
{
	const struct viewer *v = play_viewer(p, w->v[1]);
	long long least = 0;

	if (!v || !vy_parse_i64(vy_str_c(w->v[2]), &least)) {
		return v && play_fail(p, "expected: losses VIEWER LEAST");
	}
	return v->losses >= (unsigned)least || play_fail(p, "it was cut %u times", v->losses);
}

const struct play_entry verbs_chaos[] = {
	{ "crash", 0, do_crash },
	{ "crashed", 0, do_crashed },
	{ "storm", 1, do_storm },
	{ "calm", 0, do_calm },
	{ "killed", 1, do_killed },
	{ "fds", 2, do_fds },
	{ "rested", 2, do_rested },
	{ "parent", 2, do_parent },
	{ "buried", 0, do_buried },
	{ "port", 1, do_port },
	{ "proxy", 0, do_proxy },
	{ "fault", 1, do_fault },
	{ "via", 1, do_via },
	{ "losses", 2, do_losses },
	{ 0 },
};
