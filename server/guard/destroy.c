/* destroy.c -- rule "destruction": what no project owns, and would be gone. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

#define RULE "destruction"

static bool is_root_folder(struct vy_str p)
{
	return judge_is_one_of(p,
		"/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /mnt /media /opt /proc /root /run "
		"/sbin "
		"/srv /sys /usr /usr/bin /usr/lib /usr/lib64 /usr/local /usr/sbin /usr/share /var "
		"/var/lib /var/log /Users /System /Applications /Library");
}

/* "/home/x", "/Users/x". */
static bool is_a_home(struct vy_str p)
{
	size_t slashes = 0;

	for (size_t i = 0; i < p.n; i++) {
		slashes += p.p[i] == '/';
	}
	return slashes == 2 && (vy_str_starts(p, "/home/") || vy_str_starts(p, "/Users/"));
}

/* Without the wildcard that means all in it: "x/" and then "*", ".*", "{*,.*}". */
static struct vy_str folder_of(struct vy_str p)
{
	while (p.n && guard_is_any("*." GUARD_ANYTHING, p.p[p.n - 1]) && memchr(p.p, '*', p.n)) {
		p.n--;
	}
	return p;
}

static bool is_nobodys(struct judge *j, struct vy_str path)
{
	const struct guard_context *c = j->scope.c;
	struct vy_str name = judge_base(path);
	struct vy_str p = path;

	if (name.n && name.p[0] != '.' && folder_of(name).n == 0) {
		p = vy_str_n(path.p, path.n - name.n);
	} else if (vy_str_is(name, ".*") || vy_str_is(name, ".[!.]*") || vy_str_is(name, ".??*")) {
		p = vy_str_n(path.p, path.n - name.n);
	}
	if (path.n == 0) {
		return false;
	}
	p = guard_path(p.n ? p : VY_STR_LIT("."), j->scope.folder, c, j->scope.a);
	if (j->is_remote) { /* whose folder is whose is known for this machine alone */
		return is_root_folder(p) || vy_str_is(path, "~") || vy_str_starts(path, "~/*");
	}
	return is_root_folder(p) || is_a_home(p) || (c->home.n > 1 && vy_str_eq(p, c->home)) ||
	       (guard_is_in(c->cwd, p) && !vy_str_eq(p, c->cwd));
}

static void each(struct judge *j, const struct call *c, size_t from)
{
	for (size_t i = from; i < c->n; i++) {
		if (!is_flag(c->v[i]) && is_nobodys(j, c->v[i])) {
			judge_say(j, GUARD_DENY, RULE, c->v[i]);
		}
	}
}

/* rm -r, chmod -R and their like, and mv. */
static void folders(struct judge *j, const struct call *c)
{
	bool is_deep = judge_has_flag(c->v, c->n, 'r', "--recursive") ||
		       judge_has_flag(c->v, c->n, 'R', NULL);
	size_t operand = 0;

	if (vy_str_is(c->program, "rm") && is_deep) {
		each(j, c, 0);
	} else if (judge_is_one_of(c->program, "chmod chown chgrp setfacl") &&
		   judge_has_flag(c->v, c->n, 'R', "--recursive")) {
		while (operand < c->n && is_flag(c->v[operand])) {
			operand++;
		}
		each(j, c, operand + 1);
	} else if (vy_str_is(c->program, "mv") && c->n > 1) {
		struct call sources = *c;

		sources.n--;
		each(j, &sources, 0);
	} else if (judge_is_one_of(c->program, "shred wipe srm")) {
		each(j, c, 0);
	} else if (vy_str_is(c->program, "rsync") && judge_has_flag(c->v, c->n, '\0', "--del") &&
		   c->n > 0 && is_nobodys(j, c->v[c->n - 1])) {
		judge_say(j, GUARD_DENY, RULE, c->v[c->n - 1]);
	}
}

static bool is_device(struct vy_str w)
{
	return vy_str_starts(w, "/dev/") &&
	       !judge_is_one_of(w, "/dev/null /dev/zero /dev/stdin "
				   "/dev/stdout /dev/stderr /dev/full "
				   "/dev/random /dev/urandom /dev/tty") &&
	       !vy_str_starts(w, "/dev/shm/") && !vy_str_starts(w, "/dev/fd/") &&
	       !vy_str_starts(w, "/dev/pts/");
}

/* Programs that are for disks, given one. */
static void disks(struct judge *j, const struct call *c)
{
	bool is_disk_tool =
		vy_str_starts(c->program, "mkfs") ||
		judge_is_one_of(c->program,
			"mke2fs mkswap wipefs fdisk sfdisk cfdisk gdisk sgdisk parted blkdiscard "
			"cryptsetup pvremove pvcreate shred hdparm nvme badblocks tune2fs");
	bool is_harmless = judge_has_flag(c->v, c->n, '\0', "-l") ||
			   judge_has_flag(c->v, c->n, '\0', "--list") ||
			   judge_has_flag(c->v, c->n, '\0', "-p") ||
			   (c->n > 0 && judge_is_one_of(c->v[0], "list smart-log id-ctrl status"));

	if (is_disk_tool && is_harmless && !vy_str_starts(c->program, "mk")) {
		return;
	}
	for (size_t i = 0; i < c->n && is_disk_tool; i++) {
		if (is_device(c->v[i])) {
			judge_say(j, GUARD_DENY, RULE, c->v[i]);
		}
	}
	if (judge_is_one_of(c->program, "vgremove lvremove") ||
		(judge_is_one_of(c->program, "zpool zfs") && c->n > 0 &&
			vy_str_is(c->v[0], "destroy"))) {
		judge_say(j, GUARD_DENY, RULE, c->program);
	}
	if (judge_is_one_of(c->program, "userdel deluser")) {
		judge_say(j, GUARD_DENY, RULE, c->program);
	}
}

/* find ROOT… -delete, -exec rm: with nothing that narrows it, all of ROOT. */
static void find(struct judge *j, const struct call *c)
{
	bool is_narrow = false, is_end = false;

	if (!vy_str_is(c->program, "find")) {
		return;
	}
	for (size_t i = 0; i < c->n; i++) {
		is_narrow |=
			judge_is_one_of(c->v[i], "-name -iname -path -regex -newer -mtime -mmin "
						 "-size -empty -inum -user -samefile");
		is_end |= vy_str_is(c->v[i], "-delete") ||
			  (i > 0 && judge_is_one_of(c->v[i - 1], "-exec -execdir -ok") &&
				  judge_is_one_of(judge_base(c->v[i]), "rm shred unlink rmdir"));
	}
	for (size_t i = 0; i < c->n && is_end && !is_flag(c->v[i]); i++) {
		if (is_nobodys(j, c->v[i])) {
			judge_say(j, is_narrow ? GUARD_ASK : GUARD_DENY, RULE, c->v[i]);
		}
	}
}

void judge_destroy(struct judge *j, const struct call *c)
{
	folders(j, c);
	disks(j, c);
	find(j, c);
}

void judge_gone(struct judge *j, struct vy_str path)
{
	if (path.n && (path.p[0] == '/' || path.p[0] == '~' || vy_str_starts(path, "..")) &&
		is_nobodys(j, path)) {
		judge_say(j, GUARD_DENY, RULE, path);
	}
}
