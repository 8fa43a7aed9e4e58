/* proc.c -- see proc.h. */
#include "server/auth/proc.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "server/holder/brand.h"
#include "server/io/peercred.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

/* Programs that run the file named by their first argument, under their own name. */
static bool is_interpreter(const char *program)
{
	static const char *const names[] = { "node", "nodejs", "bun", "deno", "sh", "bash", "dash",
		"zsh", "ksh", "ruby", "perl" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (strcmp(program, names[i]) == 0) {
			return true;
		}
	}
	return strncmp(program, "python", 6) == 0;
}

static void base_name(char out[CALLER_PROG_MAX + 1], const char *path, size_t n)
{
	const char *slash = memrchr(path, '/', n);
	size_t skip = slash ? (size_t)(slash - path) + 1 : 0;
	size_t len = n - skip < CALLER_PROG_MAX ? n - skip : CALLER_PROG_MAX;

	memcpy(out, path + skip, len);
	out[len] = '\0';
}

static void read_names(pid_t pid, struct caller_proc *out)
{
	char text[4096];
	long n = peercred_args(pid, text, sizeof(text));
	size_t first;

	out->program[0] = out->script[0] = out->exe[0] = '\0';
	if (n > 0) {
		first = strnlen(text, (size_t)n);
		base_name(out->program, text, first);
		/* a login shell's argv[0] begins with a dash */
		if (out->program[0] == '-') {
			memmove(out->program, out->program + 1, strlen(out->program));
		}
		if (first + 1 < (size_t)n && is_interpreter(out->program)) {
			base_name(out->script, text + first + 1,
				strnlen(text + first + 1, (size_t)n - first - 1));
		}
	}
	n = peercred_exe(pid, text, sizeof(text));
	if (n > 0) {
		base_name(out->exe, text, (size_t)n);
	}
}

/* What agent programs set for the tools they run; these detach as well, and then nothing else tells them
 * from a person's. Of claude measured, of the others as they say themselves. */
static const char *const told_by[] = { "CLAUDECODE=", "AI_AGENT=", "CODEX_SANDBOX=",
	"CODEX_SANDBOX_NETWORK_DISABLED=", "GEMINI_CLI=", NULL };

/* It does not change while we live. */
static uint64_t our_brand(void)
{
	static uint64_t brand;
	static bool is_known;

	if (!is_known) {
		brand = brand_of_ours();
		is_known = true;
	}
	return brand;
}

enum caller_look proc_read(void *unused, pid_t pid, struct caller_proc *out)
{
	struct peercred_proc p, again;
	int marker;

	(void)unused;
	if (peercred_proc(pid, &p, NULL) != 0) {
		return kill(pid, 0) != 0 && errno == ESRCH ? CALLER_NO_PROC : CALLER_HIDDEN;
	}
	*out = (struct caller_proc){
		.pid = pid, .ppid = p.ppid, .pgid = p.pgid, .sid = p.sid, .born = p.born
	};
	snprintf(out->comm, sizeof(out->comm), "%s", p.comm);
	read_names(pid, out);
	if (peercred_cgroup(pid, out->unit, sizeof(out->unit)) < 0) {
		out->unit[0] = '\0';
	}
	out->is_branded = brand_is_on(pid, our_brand()) != 0;
	out->is_told = peercred_has_env(pid, told_by) == 1;
	marker = peercred_marker(pid, out->hid, sizeof(out->hid));
	out->is_env_known = marker >= 0;
	if (marker <= 0) {
		out->hid[0] = '\0';
	}
	if (peercred_proc(pid, &again, NULL) != 0 || again.born != p.born) {
		return CALLER_NO_PROC;
	}
	return CALLER_READ;
}
