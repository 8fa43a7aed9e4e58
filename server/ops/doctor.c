/* doctor.c -- vyred doctor: is everything there that sessions need? One line for each thing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "server/io/backups.h"
#include "server/io/hold.h"
#include "server/io/hold_dial.h"
#include "server/io/secret.h"
#include "server/log/reserve.h"
#include "server/log/store.h"
#include "server/log/wal.h"
#include "server/ops/call.h"
#include "server/ops/held.h"
#include "server/ops/ops.h"
#include "server/provider/auth.h"
#include "server/provider/provider.h"
#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define ROOM_LEAST (4LL * RESERVE_BYTES) /* less than this is soon nothing */
#define BACKUP_OLD (30LL * 24 * 3600)

enum verdict { DOCTOR_OK, DOCTOR_WRONG, DOCTOR_KNOW };

struct doctor {
	const struct ops_doctor *conf;
	const char *socket;
	bool is_wrong, is_running;
};

VY_PRINTF(4, 5)
static void say(struct doctor *d, enum verdict v, const char *what, const char *fmt, ...)
{
	static const char *const marks[] = { "ok", "!", "-" };
	va_list ap;

	d->is_wrong |= v == DOCTOR_WRONG;
	printf("%-2s  %-10s  ", marks[v], what);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* ---- the folder and who has it ---- */

static bool look_at_folder(struct doctor *d)
{
	const char *dir = d->conf->state_dir;
	struct stat st;

	if (stat(dir, &st) != 0) {
		say(d, errno == ENOENT ? DOCTOR_KNOW : DOCTOR_WRONG, "folder", "%s: %s", dir,
			errno == ENOENT ? "not there yet; the first start makes it"
					: strerror(errno));
		return false;
	}
	if (st.st_uid != geteuid() || (st.st_mode & 077)) {
		say(d, DOCTOR_WRONG, "folder", "%s: %s", dir,
			st.st_uid != geteuid() ? "belongs to another user"
					       : "others may look into it (chmod 700)");
	} else if (access(dir, W_OK) != 0) {
		say(d, DOCTOR_WRONG, "folder", "%s: cannot be written: %s", dir, strerror(errno));
	} else {
		say(d, DOCTOR_OK, "folder", "%s", dir);
	}
	return true;
}

static void look_at_lock(struct doctor *d)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/lock", d->conf->state_dir);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	long pid = fd < 0 ? 0 : held_by(fd);

	if (fd >= 0) {
		close(fd);
	}
	d->is_running = pid != 0;
	if (pid > 0) {
		say(d, DOCTOR_OK, "lock", "held by vyred, process %ld", pid);
	} else if (pid < 0) {
		say(d, DOCTOR_WRONG, "lock", "%s is locked, but does not say by whom", path);
	} else {
		say(d, DOCTOR_KNOW, "lock", "free: no server runs");
	}
}

static void look_at_socket(struct doctor *d)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *info = ops_call(d->socket, "server.info", "{}", &e);
	const char *version = vy_json_cstr(info, "version");
	const char *paused = vy_json_cstr(vy_json_get(info, "paused"), "note");

	if (!info) {
		say(d, d->is_running || e.code != VY_GONE ? DOCTOR_WRONG : DOCTOR_KNOW, "socket",
			"%s", e.text);
	} else if (version && strcmp(version, d->conf->version) != 0) {
		say(d, DOCTOR_WRONG, "socket",
			"%s: version %s answers, this one is %s: vyred stop, and the next one is "
			"new",
			d->socket, version, d->conf->version);
	} else {
		say(d, DOCTOR_OK, "socket", "%s: version %s answers", d->socket,
			version ? version : "?");
	}
	if (paused) {
		say(d, DOCTOR_WRONG, "sessions", "%s", paused);
	}
}

/* ---- what is stored ---- */

static int64_t size_of(const char *dir, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
}

static void look_at_database(struct doctor *d)
{
	const char *dir = d->conf->state_dir;
	int64_t bytes = size_of(dir, "vyre.db");
	double mib = (double)bytes / VY_MIB;
	char path[PATH_MAX];
	struct vy_err e = { 0 };

	snprintf(path, sizeof(path), "%s/vyre.db", dir);
	if (bytes < 0) {
		say(d, DOCTOR_KNOW, "database", "%s: not there yet", path);
	} else if (d->is_running) {
		say(d, DOCTOR_KNOW, "database",
			"%s: %.1f MiB, in use; every page is read when no server runs", path, mib);
	} else if (store_sqlite_check(path, &e) == 0) {
		say(d, DOCTOR_OK, "database", "%s: %.1f MiB, every page is whole", path, mib);
	} else {
		say(d, DOCTOR_WRONG, "database", "%s", e.text);
	}
}

/* Nothing of ours reads for long, so a log that large says that somebody else does, or that the disk
 * does not keep up. */
static void look_at_wal(struct doctor *d)
{
	int64_t bytes = size_of(d->conf->state_dir, "vyre.db-wal");

	if (bytes > 2LL * WAL_HARD) {
		say(d, DOCTOR_WRONG, "log",
			"%.1f MiB wait to be copied into the database: does "
			"another program have it open?",
			(double)bytes / VY_MIB);
	} else {
		say(d, DOCTOR_OK, "log", "%.1f MiB wait to be copied into the database",
			bytes > 0 ? (double)bytes / VY_MIB : 0.0);
	}
}

static void look_at_disk(struct doctor *d)
{
	const char *dir = d->conf->state_dir;
	struct statvfs room;

	if (statvfs(dir, &room) != 0) {
		say(d, DOCTOR_WRONG, "disk", "%s: %s", dir, strerror(errno));
		return;
	}
	int64_t left = (int64_t)(room.f_bavail * room.f_frsize);
	bool has_reserve = size_of(dir, "reserve") == RESERVE_BYTES;

	if (left < ROOM_LEAST) {
		say(d, DOCTOR_WRONG, "disk", "%.1f MiB are left%s: sessions pause when it is full",
			(double)left / VY_MIB, has_reserve ? "" : ", and the reserve is used up");
	} else {
		say(d, DOCTOR_OK, "disk", "%.1f GiB are left%s", (double)left / VY_MIB / 1024,
			has_reserve ? ", and a reserve for asks" : "");
	}
}

static void look_at_backups(struct doctor *d)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	int64_t ms, age;

	if (!backups_newest(d->conf->state_dir, &path, &ms)) {
		say(d, DOCTOR_KNOW, "backup", "none is known: vyred backup FILE makes one");
		return;
	}
	age = (int64_t)time(NULL) - ms / 1000;
	say(d, age > BACKUP_OLD ? DOCTOR_KNOW : DOCTOR_OK, "backup", "%s, %lld hours old",
		vy_buf_c(&path), (long long)(age > 0 ? age / 3600 : 0));
}

/* ---- agents ---- */

static void look_at_config(struct doctor *d)
{
	if (d->conf->config_trouble) {
		say(d, DOCTOR_WRONG, "config", "%s", d->conf->config_trouble);
	} else {
		say(d, DOCTOR_OK, "config", "%s%s", d->conf->config,
			access(d->conf->config, F_OK) == 0 ? "" : ": not there, so the defaults");
	}
}

static void look_at_provider(struct doctor *d, const struct provider_conf *pc)
{
	const struct provider_ops *ops = provider_find(pc->kind);
	const char *path = getenv("PATH");
	struct vy_arena a;

	if (!ops) {
		say(d, DOCTOR_WRONG, "agent", "%s: this vyred has no driver %s", pc->name,
			pc->kind);
		return;
	}
	vy_arena_init(&a);
	const char *missing = ops->missing(pc, path ? path : "", &a);

	if (missing) {
		say(d, DOCTOR_KNOW, "agent", "%s: %s", pc->name, missing);
	} else {
		bool is_own = strcmp(pc->kind, "demo") == 0;

		say(d, DOCTOR_OK, "agent", "%s: %s%s", pc->name,
			is_own ? "" : "found, tested with version ",
			ops->tested ? ops->tested : "?");
	}
	vy_arena_fini(&a);
}

/* Who pays, and whether what pays is there. The store is not opened for it. */
static void look_at_credential(
	struct doctor *d, const struct provider_conf *pc, const char *auth, const char *when)
{
	char secret[AUTH_SECRET_MAX];

	if (!auth_secret(pc, auth, secret)) {
		say(d, DOCTOR_OK, "credential", "%s: %s%s", pc->name, auth, when);
	} else if (secret_is_there(d->conf->state_dir, secret)) {
		say(d, DOCTOR_OK, "credential", "%s: %s%s, by the secret %s", pc->name, auth, when,
			secret);
	} else {
		say(d, DOCTOR_WRONG, "credential",
			"%s: %s%s, but the secret %s is not set: `vyred secret set %s`", pc->name,
			auth, when, secret, secret);
	}
}

static void look_at_credentials(struct doctor *d, const struct provider_conf *pc)
{
	const struct provider_ops *ops = provider_find(pc->kind);

	if (ops && ops->is_paid) {
		look_at_credential(d, pc, auth_of(pc), "");
		if (pc->fallback) {
			look_at_credential(d, pc, pc->fallback, " at its limit");
		}
	}
}

static void look_at_holders(struct doctor *d)
{
	char path[PATH_MAX];
	struct dirent *en;
	int alive = 0, dead = 0;

	snprintf(path, sizeof(path), "%s/h", d->conf->state_dir);
	DIR *h = opendir(path);

	while (h && (en = readdir(h))) {
		struct vy_err e = { 0 };
		pid_t pid;

		if (strlen(en->d_name) == HOLD_HID_LEN) {
			int fd = hold_dial(d->conf->state_dir, en->d_name, &pid, &e);

			alive += fd >= 0;
			dead += fd < 0;
			if (fd >= 0) {
				close(fd);
			}
		}
	}
	if (h) {
		closedir(h);
	}
	say(d, dead ? DOCTOR_KNOW : DOCTOR_OK, "holders", "%d alive%s", alive,
		dead ? "; some that ended left their sockets, the next start clears them away"
		     : "");
}

int ops_doctor(const struct ops_doctor *conf)
{
	VY_AUTO_BUF own = VY_BUF_INIT(PATH_MAX);
	struct doctor d = { .conf = conf };

	vy_buf_addf(&own, "%s/vyred.sock", conf->state_dir);
	d.socket = conf->socket ? conf->socket : vy_buf_c(&own);
	look_at_config(&d);
	if (look_at_folder(&d)) {
		look_at_lock(&d);
		look_at_socket(&d);
		look_at_database(&d);
		look_at_wal(&d);
		look_at_disk(&d);
		look_at_backups(&d);
		look_at_holders(&d);
	}
	for (size_t i = 0; i < conf->n_providers; i++) {
		look_at_provider(&d, &conf->providers[i]);
		look_at_credentials(&d, &conf->providers[i]);
	}
	return d.is_wrong ? 1 : 0;
}
