/* wrap.c -- programs that run programs: sudo, env, timeout, xargs, find, ssh … Each is taken off, by
 * its row, and what it would run is judged in its place. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

/* find's results as far as they are known: each root, any folder, each name. */
#define FOUND_MAX (4 * VY_KIB)

void judge_found(const struct guard_strs *w, struct vy_buf *b)
{
	size_t roots = 1;

	while (roots < w->n && !is_flag(w->v[roots])) {
		roots++;
	}
	for (size_t r = 0; r < (roots > 1 ? roots - 1 : 1); r++) {
		struct vy_str root = roots > 1 ? w->v[1 + r] : VY_STR_LIT(".");
		bool has_name = false;

		for (size_t i = roots; i + 1 < w->n; i++) {
			if (b->len < FOUND_MAX &&
				judge_is_one_of(w->v[i], "-name -iname -path -wholename")) {
				vy_buf_addf(
					b, " %.*s/%.*s", VY_STR_ARG(root), VY_STR_ARG(w->v[i + 1]));
				has_name = true;
			}
		}
		if (!has_name && b->len < FOUND_MAX) {
			vy_buf_addf(b, " %.*s/" GUARD_ANYTHING, VY_STR_ARG(root));
		}
	}
}

enum wraps {
	W_COMMAND, /* its options, so many operands, then a command */
	W_ENV,     /* the same, with assignments between */
	W_XARGS,   /* the command's last words come in by a pipe */
	W_LINE,    /* its operands together are a line */
	W_TEXT,    /* each operand is a line of its own */
	W_FLAGGED, /* behind -c (or --command) is a line */
	W_FIND,
	W_SSH,
	W_CONTAINER,
};

static const struct {
	const char *program;
	enum wraps wraps;
	const char *valued; /* options that take the next word */
	size_t operands;
} wrappers[] = {
	{ "sudo", W_ENV, "-u -g -h -p -C -D -r -t -T -U -R --user --group", 0 },
	{ "doas", W_COMMAND, "-u -C", 0 },
	{ "env", W_ENV, "-u -C --unset --chdir", 0 },
	{ "nohup", W_COMMAND, "", 0 },
	{ "setsid", W_COMMAND, "", 0 },
	{ "command", W_COMMAND, "", 0 },
	{ "builtin", W_COMMAND, "", 0 },
	{ "exec", W_COMMAND, "-a", 0 },
	{ "time", W_COMMAND, "-o -f --output --format", 0 },
	{ "nice", W_COMMAND, "-n --adjustment", 0 },
	{ "ionice", W_COMMAND, "-c -n --class --classdata", 0 },
	{ "chrt", W_COMMAND, "", 1 },
	{ "taskset", W_COMMAND, "", 1 },
	{ "timeout", W_COMMAND, "-k -s --kill-after --signal", 1 },
	{ "gtimeout", W_COMMAND, "-k -s --kill-after --signal", 1 },
	{ "stdbuf", W_COMMAND, "-i -o -e", 0 },
	{ "unbuffer", W_COMMAND, "", 0 },
	{ "chronic", W_COMMAND, "", 0 },
	{ "catchsegv", W_COMMAND, "", 0 },
	{ "busybox", W_COMMAND, "", 0 },
	{ "toybox", W_COMMAND, "", 0 },
	{ "chroot", W_COMMAND, "--userspec --groups", 1 },
	{ "unshare", W_COMMAND, "", 0 },
	{ "setpriv", W_COMMAND, "", 0 },
	{ "prlimit", W_COMMAND, "", 0 },
	{ "fakeroot", W_COMMAND, "", 0 },
	{ "proxychains", W_COMMAND, "", 0 },
	{ "torsocks", W_COMMAND, "", 0 },
	{ "strace", W_COMMAND, "-e -o -s -p -P -u -E -a", 0 },
	{ "ltrace", W_COMMAND, "-e -o -s -p -u", 0 },
	{ "valgrind", W_COMMAND, "", 0 },
	{ "gdb", W_COMMAND, "-ex -x -iex", 0 },
	{ "flock", W_FLAGGED, "-w --timeout -E", 1 },
	{ "xargs", W_XARGS, "-I -i -n -P -d -a -E -L -l -s --max-args --max-procs --delimiter", 0 },
	{ "parallel", W_XARGS, "-j --jobs -N --colsep", 0 },
	{ "watch", W_LINE, "-n --interval", 0 },
	{ "entr", W_COMMAND, "", 0 },
	{ "eval", W_LINE, "", 0 },
	{ "trap", W_TEXT, "", 0 },
	{ "alias", W_TEXT, "", 0 },
	{ "su", W_FLAGGED, "-s -g -G", 99 },
	{ "runuser", W_FLAGGED, "-s -g -G -u", 99 },
	{ "script", W_FLAGGED, "", 99 },
	{ "find", W_FIND, "", 0 },
	{ "fd", W_FIND, "", 0 },
	{ "ssh", W_SSH, "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", 1 },
	{ "docker", W_CONTAINER, "", 0 },
	{ "podman", W_CONTAINER, "", 0 },
	{ "kubectl", W_CONTAINER, "", 0 },
};

static size_t wrapper_of(struct vy_str program)
{
	size_t i = 0;

	while (i < VY_COUNT(wrappers) && !vy_str_is(program, wrappers[i].program)) {
		i++;
	}
	return i;
}

/* Does the option take the next word? Of letters together ("-iu") the last may. */
static bool takes_next(struct vy_str w, const char *valued)
{
	if (w.n > 2 && w.p[1] != '-' && !(w.p[w.n - 1] >= '0' && w.p[w.n - 1] <= '9')) {
		char last[3] = { '-', w.p[w.n - 1], '\0' };

		return judge_is_one_of(w, valued) || judge_is_one_of(vy_str_n(last, 2), valued);
	}
	return judge_is_one_of(w, valued);
}

/* Where the command begins behind options and operands. */
static size_t command_at(const struct call *c, size_t w)
{
	size_t i = 0, operands = wrappers[w].operands;

	while (i < c->n) {
		if (vy_str_is(c->v[i], "--")) {
			i++;
		} else if (is_flag(c->v[i])) {
			i += 1 + takes_next(c->v[i], wrappers[w].valued);
		} else if (wrappers[w].wraps == W_ENV && guard_assignment(c->v[i])) {
			i++;
		} else if (operands > 0) {
			operands--;
			i++;
		} else {
			break;
		}
	}
	return i < c->n ? i : c->n;
}

static struct call rest_of(const struct call *c, size_t from)
{
	struct call rest = *c;

	rest.v += from;
	rest.n -= from;
	return rest;
}

static void env_options(struct judge *j, const struct call *c)
{
	for (size_t i = 0; i < c->n; i++) {
		size_t at = guard_assignment(c->v[i]);

		if (at) {
			judge_assign(j, c->v[i], at);
		}
		if ((judge_is_one_of(c->v[i], "-S --split-string") && i + 1 < c->n)) {
			judge_joined(j, c->v + i + 1, c->n - i - 1);
		} else if (vy_str_starts(c->v[i], "-S") ||
			   vy_str_starts(c->v[i], "--split-string=")) {
			judge_joined(j,
				&(struct vy_str){ c->v[i].p + (c->v[i].p[1] == 'S' ? 2 : 15),
					c->v[i].n - (c->v[i].p[1] == 'S' ? 2 : 15) },
				1);
		}
		if (!is_flag(c->v[i]) && !at) {
			break;
		}
	}
}

/* What is piped in becomes the last words, or stands for {}. */
static void with_piped(struct judge *j, struct call *c, size_t from)
{
	struct guard_strs w = { NULL, 0, 0 };
	struct vy_str text = c->piped.n ? c->piped : c->here;
	const struct vy_str *mark = NULL;

	for (size_t i = 0; i + 1 < from; i++) {
		mark = vy_str_is(c->v[i], "-I") ? &c->v[i + 1] : mark;
	}
	for (size_t i = from; i < c->n; i++) {
		if (!(mark && vy_str_eq(c->v[i], *mark)) && !vy_str_is(c->v[i], "{}")) {
			guard_strs_add(&w, c->v[i], j->scope.a);
		}
	}
	while (text.n && w.n < 4096) {
		size_t n = 0;

		while (n < text.n && !guard_is_any(" \t\n", text.p[n])) {
			n++;
		}
		if (n) {
			guard_strs_add(&w, vy_str_n(text.p, n), j->scope.a);
		}
		text = vy_str_from(text, n + 1);
	}
	struct call rest = { .v = w.v,
		.n = w.n,
		.is_piped_unknown = c->is_piped_unknown,
		.is_piped_from_ours = c->is_piped_from_ours };

	judge_words(j, &rest);
}

/* find … -exec COMMAND ;: what it finds stands for {}. */
static void find_exec(struct judge *j, const struct call *c)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	struct guard_strs all = { NULL, 0, 0 };
	bool deletes = false;

	guard_strs_add(&all, c->program, j->scope.a);
	for (size_t i = 0; i < c->n; i++) {
		guard_strs_add(&all, c->v[i], j->scope.a);
	}
	judge_found(&all, &b);
	struct call run = { .piped = vy_arena_str(j->scope.a, vy_buf_str(&b)) };

	for (size_t i = 0; i < c->n && !judge_is_done(j); i++) {
		if (vy_str_is(c->v[i], "-delete") && !deletes) {
			deletes = true;
			run.v = (struct vy_str[]){ VY_STR_LIT("rm") };
			run.n = 1;
			with_piped(j, &run, 0);
		}
		if (!judge_is_one_of(c->v[i], "-exec -execdir -ok -okdir -x -X --exec")) {
			continue;
		}
		if (j->lines-- <= 0) {
			judge_loose(j, c->v + i, c->n - i);
			return;
		}
		run.v = c->v + i + 1;
		run.n = 0;
		while (i + 1 + run.n < c->n && !judge_is_one_of(run.v[run.n], "; +")) {
			run.n++;
		}
		with_piped(j, &run, 0);
		i += run.n;
	}
}

/* docker exec NAME COMMAND, docker run … IMAGE COMMAND: in another world. What it brings along from
 * this one is looked at in runs.c. */
static void container(struct judge *j, const struct call *c)
{
	bool was_remote = j->is_remote;

	for (size_t i = 1; i < c->n; i++) {
		struct call rest = rest_of(c, i);

		if (judge_is_one_of(
			    judge_base(c->v[i]), "sh bash dash ash zsh rm python python3")) {
			j->is_remote = true;
			judge_words(j, &rest);
			j->is_remote = was_remote;
			return;
		}
	}
}

static void ssh(struct judge *j, const struct call *c, size_t at)
{
	bool was_remote = j->is_remote;

	if (at < c->n) {
		j->is_remote = true;
		judge_joined(j, c->v + at, c->n - at);
		j->is_remote = was_remote;
	}
}

/* True when all there is to say about the call was said; else *c is what is wrapped, if anything. */
static bool unwrap(struct judge *j, struct call *c, size_t w, size_t at)
{

	switch (wrappers[w].wraps) {
	case W_ENV:
		env_options(j, c);
		*c = rest_of(c, at);
		return false;
	case W_COMMAND: *c = rest_of(c, at); return false;
	case W_XARGS: with_piped(j, c, at); return true;
	case W_LINE: judge_joined(j, c->v + at, c->n - at); return true;
	case W_TEXT:
		for (size_t i = 0; i < c->n; i++) {
			size_t value = guard_assignment(c->v[i]);

			judge_line(j, vy_str_from(c->v[i], value));
		}
		return true;
	case W_FLAGGED:
		for (size_t i = 0; i < c->n; i++) {
			bool is_text = vy_str_is(c->v[i], "--command") ||
				       (is_flag(c->v[i]) && c->v[i].p[1] != '-' &&
					       c->v[i].p[c->v[i].n - 1] == 'c');

			if (is_text && i + 1 < c->n) {
				judge_line(j, c->v[i + 1]);
			} else if (vy_str_starts(c->v[i], "--command=")) {
				judge_line(j, vy_str_from(c->v[i], 10));
			}
		}
		*c = rest_of(c, at);
		return false;
	case W_FIND: find_exec(j, c); return true;
	case W_SSH: ssh(j, c, at); return true;
	case W_CONTAINER: container(j, c); return true;
	}
	return true;
}

bool judge_unwrap(struct judge *j, struct call *c, bool *is_done)
{
	size_t w = wrapper_of(c->program), at;

	*is_done = false;
	if (w == VY_COUNT(wrappers)) {
		return false;
	}
	if (wrappers[w].wraps >= W_FIND) {
		judge_destroy(j, c);
		judge_files(j, c);
	}
	/* "command -v rm" runs nothing */
	if (vy_str_is(c->program, "command") && c->n > 0 && judge_is_one_of(c->v[0], "-v -V")) {
		c->n = 0;
		return true;
	}
	at = command_at(c, w);
	*is_done = unwrap(j, c, w, at);
	return true;
}
