/* procfs.h -- what /proc says about one process, and about all of them.
 *
 * Facts of one moment. A name with spaces or brackets is read right; a process that is gone, or that
 * the system hides, is -1. */
#ifndef HOLDER_PROCFS_H
#define HOLDER_PROCFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct procfs_stat {
	pid_t pid, ppid, pgid, sid;
	char state;    /* 'Z': over, not waited for yet */
	uint64_t born; /* ticks since boot */
	char comm[64];
};

/* The text of /proc/PID/stat. -1: it is not such a text. */
VY_MUST_USE int procfs_parse_stat(struct vy_str text, struct procfs_stat *out);
VY_MUST_USE int procfs_stat(pid_t pid, struct procfs_stat *out);

/* Reads at most `room` bytes of /proc/PID/<name>: how many, or -1. Not terminated. */
long procfs_read(pid_t pid, const char *name, char *out, size_t room);

/* All processes there are, in an array to free(); how many, or -1. */
long procfs_all(struct procfs_stat **own);

/* `pid` is `root` or below it: 1, 0, or -1 when /proc would not say. */
int procfs_descends(pid_t pid, pid_t root);

#endif
