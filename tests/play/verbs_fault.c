/* verbs_fault.c -- what a machine does to its programs: no room, no descriptors, a lock held by
 * somebody, a clock that jumps, a connection that breaks. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

static bool skip(struct play *p, const char *why)
{
	printf("%s: skipped: %s (%s)\n", p->path, why, strerror(errno));
	p->is_skipped = true;
	return true;
}

static pid_t pid_named(struct play *p, const char *word)
{
	long long n = 0;

	if (strcmp(word, "vyred") == 0) {
		return p->box.vyred;
	}
	return vy_parse_i64(vy_str_c(word), &n) ? (pid_t)n : 0;
}

/* ---- a disk of one's own ---- */

/* Root alone: in a user namespace of one's own nobody is placed as the person they are. */
static bool own_mounts(void)
{
	return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* disk MIB: the state folder is a disk of its own, of that size; before the first start. */
static bool do_disk(struct play *p, const struct words *w)
{
	char options[64];
	long long mib = 0;

	if (!vy_parse_i64(vy_str_c(w->v[1]), &mib)) {
		return play_fail(p, "expected: disk MIB");
	}
	if (!own_mounts()) {
		return skip(p, "no file system can be mounted here");
	}
	snprintf(options, sizeof(options), "size=%lldm,mode=0700", mib);
	mkdir(p->box.state, 0700);
	if (mount("chaos", p->box.state, "tmpfs", 0, options) != 0) {
		return skip(p, "no tmpfs can be mounted here");
	}
	p->has_disk = true;
	return true;
}

/* ---- limits ---- */

/* limit WHO fsize|nofile|nproc N|none: from now on. */
static bool do_limit(struct play *p, const struct words *w)
{
	int what = strcmp(w->v[2], "fsize") == 0   ? RLIMIT_FSIZE
		   : strcmp(w->v[2], "nproc") == 0 ? RLIMIT_NPROC
						   : RLIMIT_NOFILE;
	pid_t pid = pid_named(p, w->v[1]);
	struct rlimit l;
	long long n = 0;

	if (w->n < 4 || pid <= 0 || prlimit(pid, what, NULL, &l) != 0) {
		return play_fail(
			p, "expected: limit WHO fsize|nofile|nproc N, of one that is there");
	}
	if (strcmp(w->v[3], "none") == 0) {
		l.rlim_cur = l.rlim_max;
	} else if (vy_parse_i64(vy_str_c(w->v[3]), &n)) {
		l.rlim_cur = (rlim_t)n;
	}
	return prlimit(pid, what, &l, NULL) == 0 || play_fail(p, "%m");
}

/* ---- a lock ---- */

/* SQLite's own bytes (sqlite.org/fileformat2.html, "the lock-byte page"). */
enum { LOCK_AT = 0x40000000, LOCK_LEN = 512 };

/* lock · unlock: another program has the database for itself, while no vyred runs. */
static bool do_lock(struct play *p, const struct words *w)
{
	struct flock l = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_AT, .l_len = LOCK_LEN
	};
	char path[128];

	if (strcmp(w->v[0], "unlock") == 0) {
		close(p->lock_fd);
		p->lock_fd = 0;
		return true;
	}
	snprintf(path, sizeof(path), "%s/vyre.db", p->box.state);
	p->lock_fd = open(path, O_RDWR | O_CLOEXEC);
	return (p->lock_fd > 0 && fcntl(p->lock_fd, F_SETLK, &l) == 0) || play_fail(p, "%m");
}

/* ---- a clock (jump.c) ---- */

/* jump wall|boot SECONDS: vyred's clock is so far off, from now on; before the first start: 0. */
static bool do_jump(struct play *p, const struct words *w)
{
	char path[128];
	long long s = 0;
	int fd;

#ifdef __SANITIZE_ADDRESS__
	errno = 0;
	return skip(p, "nothing can be preloaded below ASan");
#endif
	if (!vy_parse_i64(vy_str_c(w->v[2]), &s)) {
		return play_fail(p, "expected: jump wall|boot SECONDS");
	}
	snprintf(path, sizeof(path), "%s/clock", p->box.dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || (lseek(fd, 0, SEEK_END) < 16 && ftruncate(fd, 16) != 0) ||
		pwrite(fd, &(int64_t){ s }, 8, strcmp(w->v[1], "boot") == 0 ? 8 : 0) != 8) {
		return play_fail(p, "%s: %m", path);
	}
	close(fd);
	p->box.has_clock = true;
	return true;
}

/* ---- a connection ---- */

static bool is_peer(int fd, pid_t pid)
{
	struct ucred who;
	socklen_t n = sizeof(who);
	int type = 0;
	socklen_t m = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &type, &m) == 0 && type == AF_UNIX &&
	       getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.pid == pid;
}

/* How many connections were cut; -1: nobody may. */
static int cut_with(const struct play *p, pid_t holder)
{
	int pidfd = (int)syscall(SYS_pidfd_open, p->box.vyred, 0), cut = 0;

	for (int i = 0; pidfd >= 0 && i < 1024 && cut == 0; i++) {
		int fd = (int)syscall(SYS_pidfd_getfd, pidfd, i, 0);

		if (fd >= 0) {
			cut = is_peer(fd, holder) && shutdown(fd, SHUT_RDWR) == 0;
			close(fd);
		} else if (errno == EPERM || errno == ENOSYS) {
			cut = -1;
		}
	}
	if (pidfd >= 0) {
		close(pidfd);
	}
	return cut;
}

struct severing {
	pid_t holder;
	int cut;
};

static bool is_cut(struct play *p, void *ctx)
{
	struct severing *s = ctx;

	s->cut = cut_with(p, s->holder);
	return s->cut != 0;
}

/* sever PID [perhaps]: the connection of vyred with that holder breaks, and both live on. */
static bool do_sever(struct play *p, const struct words *w)
{
	struct severing s = { pid_named(p, w->v[1]), 0 };

	if (w->n > 2) {
		is_cut(p, &s);
	} else if (!play_until(p, is_cut, &s)) { /* it may just be making it anew */
		return play_fail(p, "vyred has no connection with %d", (int)s.holder);
	}
	if (s.cut < 0) {
		return skip(p, "no descriptor of another process can be had here");
	}
	printf("cuts %d of connections\n", s.cut);
	return true;
}

const struct play_entry verbs_fault[] = {
	{ "disk", 1, do_disk },
	{ "limit", 3, do_limit },
	{ "lock", 0, do_lock },
	{ "unlock", 0, do_lock },
	{ "jump", 2, do_jump },
	{ "sever", 1, do_sever },
	{ 0 },
};
