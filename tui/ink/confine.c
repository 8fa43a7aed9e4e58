/* confine.c -- see confine.h.
 *
 * Limits first, which hold everywhere: no descriptors means no file, no socket, no pipe. Then a
 * filter of system calls where the kernel's number for this processor is known here: it takes away
 * what needs no descriptor (signals, tracing, processes, other users' memory). A call that is not
 * on the list fails with EPERM and is not made. */
#include "tui/ink/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/str.h"
#include "shared/base/ban.h"

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#else
#define ARCH 0 /* no filter */
#endif

#if defined(__SANITIZE_ADDRESS__)
#define IS_WATCHED 1 /* a sanitizer maps terabytes, and reports by calls of its own */
#else
#define IS_WATCHED 0
#endif

static bool limit(int what, rlim_t most)
{
	struct rlimit r = { most, most };

	return setrlimit((__rlimit_resource_t)what, &r) == 0;
}

static bool keep_output(void)
{
	return close(STDIN_FILENO) == 0 && syscall(SYS_close_range, 2U, ~0U, 0U) == 0;
}

/* ---- the filter ---- */

static const int calls[] = { SYS_write, SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect,
	SYS_madvise, SYS_futex, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_getrandom, SYS_sysinfo,
	SYS_clock_gettime, SYS_sched_yield, SYS_sched_getaffinity, SYS_exit, SYS_exit_group };

#define N_CALLS   (sizeof(calls) / sizeof(calls[0]))
#define N_FILTERS (N_CALLS + 6)

static struct sock_filter load(size_t at)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)at);
}

static struct sock_filter answer(uint32_t with)
{
	return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, with);
}

/* On equal goes `yes` further, else `no`. */
static struct sock_filter is(uint32_t value, size_t yes, size_t no)
{
	return (struct sock_filter)BPF_JUMP(
		BPF_JMP | BPF_JEQ | BPF_K, value, (uint8_t)yes, (uint8_t)no);
}

static bool filter(void)
{
	struct sock_filter f[N_FILTERS];
	size_t n = 0;

	f[n++] = load(offsetof(struct seccomp_data, arch));
	f[n++] = is(ARCH, 1, 0);
	f[n++] = answer(SECCOMP_RET_KILL_PROCESS);
	f[n++] = load(offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < N_CALLS; i++) {
		f[n++] = is((uint32_t)calls[i], N_CALLS - i, 0);
	}
	f[n++] = answer(SECCOMP_RET_ERRNO | EPERM);
	f[n++] = answer(SECCOMP_RET_ALLOW);
	struct sock_fprog program = { .len = (unsigned short)n, .filter = f };

	/* A kernel without filters has the limits still. */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL;
}

bool confine(void)
{
	bool ok = keep_output() && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
		  limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_CPU, CONFINE_CPU_S) &&
		  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;

	if (!ok || IS_WATCHED) {
		return ok;
	}
	return limit(RLIMIT_DATA, (rlim_t)CONFINE_DATA_MB << 20) && (ARCH == 0 || filter());
}
