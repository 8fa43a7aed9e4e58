/* demo_shell.c -- the demo's commands: real ones, each in a session of its own, as claude does.
 *
 * A command is over when its shell has ended, not when its output did: what it started behind
 * itself may hold the pipe open for ever. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define OUTPUT_MAX (30 * 1000) /* bytes a command may say, as with claude */

static const struct field task_fields[] = {
	{ "id", FIELD_STR, offsetof(struct demo_task, id), NULL },
	{ "tool", FIELD_STR, offsetof(struct demo_task, tool), NULL },
	{ "what", FIELD_STR, offsetof(struct demo_task, what), NULL },
};
static const struct field_set task_set = FIELD_SET(task_fields, struct demo_task);

static const struct field notice_fields[] = {
	{ "uuid", FIELD_STR, offsetof(struct demo_said, uuid), NULL },
	{ "text", FIELD_STR, offsetof(struct demo_said, text), NULL },
};
static const struct field_set notice_set = FIELD_SET(notice_fields, struct demo_said);

/* ---- one child ---- */

static void child_of(const char *command, int out)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	dup2(null, 0);
	dup2(out, 1);
	dup2(out, 2);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static bool start(struct demo_child *c, const char *command)
{
	int ends[2];

	memset(c, 0, sizeof(*c));
	vy_buf_init(&c->out, OUTPUT_MAX);
	c->fd = -1;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) {
		return false;
	}
	fcntl(ends[1], F_SETFL, 0);
	c->pid = fork();
	if (c->pid == 0) {
		child_of(command, ends[1]);
	}
	close(ends[1]);
	if (c->pid < 0) {
		close(ends[0]);
		c->pid = 0;
		return false;
	}
	c->fd = ends[0];
	return true;
}

void demo_shell_read(struct demo_child *c)
{
	char part[16384];
	ssize_t n = 0;

	while (c->fd >= 0 && (n = read(c->fd, part, sizeof(part))) > 0) {
		size_t room = c->out.max - c->out.len;

		vy_buf_add(&c->out, part, (size_t)n < room ? (size_t)n : room);
	}
	if (c->fd >= 0 && (n == 0 || (errno != EAGAIN && errno != EINTR))) {
		close(c->fd);
		c->fd = -1;
	}
}

static void ended(struct demo_child *c, int status)
{
	demo_shell_read(c);
	if (c->fd >= 0) {
		close(c->fd);
		c->fd = -1;
	}
	c->is_ended = true;
	c->status = status;
}

static void end_now(struct demo_child *c)
{
	int status = 0;

	if (c->pid > 0 && !c->is_ended) {
		kill(-c->pid, SIGKILL);
		kill(c->pid, SIGKILL); /* it may not have made its session yet */
		waitpid(c->pid, &status, 0);
		ended(c, status);
	}
}

void demo_shell_clear(struct demo_child *c)
{
	end_now(c);
	vy_buf_fini(&c->out);
	memset(c, 0, sizeof(*c));
	c->fd = -1;
}

/* ---- in front ---- */

bool demo_shell(struct demo *d, const char *command)
{
	if (!start(&d->front, command)) {
		vy_buf_adds(&d->front.out, "the command could not be started");
		d->front.is_ended = true;
		d->front.status = 126 << 8;
		return true;
	}
	while (!d->front.is_ended && !demo_is_cut(d)) {
		demo_wait(d, -1);
	}
	end_now(&d->front);
	return !demo_is_cut(d);
}

/* ---- behind ---- */

void demo_task_new_id(struct demo *d, char out[32])
{
	snprintf(out, 32, "task-%lld", (long long)++d->next_task);
}

struct vy_json *demo_tasks(const struct demo *d)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < d->tasks.n; i++) {
		struct vy_json *t = vy_json_new_obj();

		vy_json_set_c(t, "task_id", d->tasks.v[i].id);
		vy_json_set_c(t, "task_type", "local_bash");
		vy_json_set_c(t, "description", d->tasks.v[i].what);
		vy_json_add_take(list, t);
	}
	for (size_t i = 0; i < d->errands.n; i++) {
		struct vy_json *t = vy_json_new_obj();

		vy_json_set_c(t, "task_id", d->errands.v[i].task);
		vy_json_set_c(t, "task_type", "local_agent");
		vy_json_set_c(t, "description", "A small errand");
		vy_json_add_take(list, t);
	}
	return list;
}

void demo_shell_behind(struct demo *d, const char *command, const char *tool, const char *what)
{
	struct demo_task *t = fields_list_add(&d->tasks, &task_set);
	char id[32];

	demo_task_new_id(d, id);
	fields_str_set(&t->id, vy_str_c(id));
	fields_str_set(&t->tool, vy_str_c(tool));
	fields_str_set(&t->what, vy_str_c(what));
	t->child = VY_NEW(struct demo_child);
	if (!start(t->child, command)) {
		ended(t->child, 126 << 8);
	}
	demo_out_tasks(&d->main, demo_tasks(d));
	demo_out_task_started(&d->main, id, tool, what, "local_bash", true);
}

/* Says that a task ended, and leaves a notice that will begin a turn. */
static void task_ended(struct demo *d, size_t i, const char *status)
{
	struct demo_task *t = &d->tasks.v[i];
	int code = WIFEXITED(t->child->status) ? WEXITSTATUS(t->child->status) : -1;
	char summary[512];

	snprintf(summary, sizeof(summary), "Background command \"%.300s\" %s (exit code %d)",
		t->what, status, code);
	demo_out_task_ended(&d->main, t->id, t->tool, status, vy_str_c(summary));
	fields_str_set(&((struct demo_said *)fields_list_add(&d->notices, &notice_set))->text,
		vy_str_c(summary));
	demo_shell_clear(t->child);
	free(t->child);
	t->child = NULL;
	fields_list_del(&d->tasks, &task_set, i);
	demo_out_tasks(&d->main, demo_tasks(d));
}

bool demo_task_stop(struct demo *d, struct vy_str id)
{
	for (size_t i = 0; i < d->tasks.n; i++) {
		if (vy_str_is(id, d->tasks.v[i].id)) {
			end_now(d->tasks.v[i].child);
			task_ended(d, i, "stopped");
			return true;
		}
	}
	return false;
}

/* ---- all ---- */

static bool reap(struct demo_child *c)
{
	int status;

	if (c->pid > 0 && !c->is_ended && waitpid(c->pid, &status, WNOHANG) == c->pid) {
		ended(c, status);
	}
	return c->is_ended;
}

void demo_shell_reap(struct demo *d)
{
	reap(&d->front);
	for (size_t i = 0; i < d->tasks.n;) {
		if (reap(d->tasks.v[i].child)) {
			bool is_ok = d->tasks.v[i].child->status == 0;

			task_ended(d, i, is_ok ? "completed" : "failed");
		} else {
			i++;
		}
	}
}

void demo_shell_kill(struct demo *d)
{
	demo_shell_clear(&d->front);
	for (size_t i = 0; i < d->tasks.n; i++) {
		demo_shell_clear(d->tasks.v[i].child);
		free(d->tasks.v[i].child);
	}
	fields_list_clear(&d->tasks, &task_set);
	fields_list_clear(&d->notices, &notice_set);
}
