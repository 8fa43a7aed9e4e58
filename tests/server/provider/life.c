/* life.c -- see life.h. */
#include "tests/server/provider/life.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 30000 /* then something hangs, and the test says where it stood */

/* ---- speaking ---- */

static void on_event(void *ctx, const struct agent_event *ev)
{
	struct life *l = ctx;

	if (ev->kind == AE_ASK) {
		vy_buf_addf(&l->asks, "%.*s\n", VY_STR_ARG(ev->request));
	} else if (ev->kind == AE_CHECK) {
		vy_buf_addf(&l->checks, "%.*s\n", VY_STR_ARG(ev->request));
	}
}

static void tell(struct life *l)
{
	struct vy_str s = vy_buf_str(&l->r.last_tell);

	while (s.n && l->in >= 0) {
		ssize_t n = write(l->in, s.p, s.n);

		if (n < 0) {
			break;
		}
		s = vy_str_from(s, (size_t)n);
	}
}

void life_command(struct life *l, struct agent_command cmd)
{
	replay_command(&l->r, &cmd);
	tell(l);
}

void life_say(struct life *l, const char *uuid, const char *text, enum agent_when when)
{
	life_command(l, (struct agent_command){ .kind = AC_SAY,
				.message = vy_str_c(uuid),
				.text = vy_str_c(text),
				.when = when });
}

/* The first line of the list, taken off; NULL when it is empty. */
static char *take(struct vy_buf *list)
{
	const char *nl = list->len ? memchr(list->data, '\n', list->len) : NULL;

	if (!nl) {
		return NULL;
	}
	size_t n = (size_t)(nl - list->data);
	char *line = vy_memdup0(list->data, n);

	vy_buf_consume(list, n + 1);
	return line;
}

void life_answer(struct life *l)
{
	char *id;

	while ((id = take(&l->checks)) != NULL) {
		life_command(l, (struct agent_command){ .kind = AC_CHECKED,
					.request = vy_str_c(id),
					.decision = vy_str_c(l->verdict),
					.text = VY_STR_LIT("a floor rule says so") });
		free(id);
	}
	while (l->decision && (id = take(&l->asks)) != NULL) {
		life_command(l, (struct agent_command){ .kind = AC_ANSWER,
					.request = vy_str_c(id),
					.decision = vy_str_c(l->decision),
					.json = l->answer });
		free(id);
	}
}

static void ended(struct life *l)
{
	int st;

	waitpid(l->pid, &st, 0);
	l->status = WIFEXITED(st) ? WEXITSTATUS(st) : -1;
	l->is_ended = true;
	replay_exit(&l->r, WIFEXITED(st) ? WEXITSTATUS(st) : 0, WIFSIGNALED(st) ? WTERMSIG(st) : 0);
}

/* Feeds lines of one stream; false at its end. */
static bool feed(struct life *l, enum agent_stream stream)
{
	char part[65536];
	ssize_t n = read(stream == AGENT_STDOUT ? l->out : l->err, part, sizeof(part));
	struct vy_cut *cut = stream == AGENT_STDOUT ? &l->cut : &l->err_cut;
	struct vy_str in = vy_str_n(part, n > 0 ? (size_t)n : 0), piece;

	while (vy_cut_next(cut, &in, &piece) == VY_CUT_PIECE) {
		replay_line(&l->r, stream, piece);
		life_answer(l);
	}
	return n > 0;
}

/* One look at what the demo printed. */
void life_step(struct life *l)
{
	struct pollfd fds[] = { { l->out, POLLIN, 0 }, { l->err, POLLIN, 0 } };

	if (poll(fds, 2, PATIENCE_MS) == 0) {
		fputs(vy_buf_c(&l->r.log), stderr);
		fail_msg("the agent is silent before \"%s\"",
			l->waits_for ? l->waits_for : "its end");
	}
	if (fds[1].revents && !feed(l, AGENT_STDERR)) {
		close(l->err);
		l->err = -1;
	}
	if (fds[0].revents && !feed(l, AGENT_STDOUT)) {
		while (l->err >= 0 && feed(l, AGENT_STDERR)) {
		}
		ended(l);
	}
}

/* Until the log holds `what` behind byte `from`; gives the byte behind it. */
size_t life_until(struct life *l, size_t from, const char *what)
{
	l->waits_for = what;
	for (;;) {
		const char *at = strstr(vy_buf_c(&l->r.log) + from, what);

		if (at) {
			return (size_t)(at - l->r.log.data) + strlen(what);
		}
		if (l->is_ended) {
			fputs(vy_buf_c(&l->r.log) + from, stderr);
			fail_msg("the agent ended without \"%s\"", what);
		}
		life_step(l);
	}
}

bool life_told(const struct life *l, const char *what)
{
	return strstr(vy_buf_c(&l->r.log), what) != NULL;
}

/* ---- begin and end ---- */

static void child(
	const struct provider_spawn *spawn, const char *program, const char *dir, const int fds[3])
{
	char path[4096];

	if (!realpath(program, path) || chdir(dir) < 0) {
		_exit(126);
	}
	for (int i = 0; i < 3; i++) {
		dup2(fds[i], i);
	}
	for (size_t i = 0; spawn->env[i]; i++) {
		putenv((char *)(uintptr_t)spawn->env[i]);
	}
	execv(path, (char **)(uintptr_t)spawn->argv);
	_exit(127);
}

static void life_init(struct life *l, const struct provider_ops *ops)
{
	memset(l, 0, sizeof(*l));
	l->decision = "allow";
	l->verdict = "";
	vy_buf_init(&l->asks, VY_MIB);
	vy_buf_init(&l->checks, VY_MIB);
	vy_cut_init(&l->cut, VY_CUT_LINES, VY_LINE_MAX);
	vy_cut_init(&l->err_cut, VY_CUT_LINES, VY_LINE_MAX);
	replay_init(&l->r, ops, true);
	l->r.on_event = on_event;
	l->r.ctx = l;
}

void life_start(struct life *l, const struct provider_ops *ops,
	const struct provider_launch *launch, const char *program)
{
	int in[2], out[2], err[2];
	struct provider_spawn spawn;
	struct vy_arena a;
	char *dir = vy_memdup0(launch->cwd.p, launch->cwd.n);

	life_init(l, ops);
	vy_arena_init(&a);
	assert_int_equal(ops->launch(launch, &spawn, &a, NULL), 0);
	l->r.agent = ops->new (launch);
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC) | pipe2(err, O_CLOEXEC), 0);
	l->pid = fork();
	if (l->pid == 0) {
		child(&spawn, program, dir, (int[]){ in[0], out[1], err[1] });
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	l->in = in[1];
	l->out = out[0];
	l->err = err[0];
	vy_arena_fini(&a);
	free(dir);
	life_command(l, (struct agent_command){ .kind = AC_HELLO });
}

void life_finish(struct life *l)
{
	if (l->in >= 0) {
		close(l->in);
		l->in = -1;
	}
	while (!l->is_ended) {
		life_step(l);
	}
	close(l->out);
	if (l->err >= 0) {
		close(l->err);
	}
	replay_fini(&l->r);
	vy_buf_fini(&l->asks);
	vy_buf_fini(&l->checks);
	vy_cut_fini(&l->cut);
	vy_cut_fini(&l->err_cut);
}
