/* main.c -- vyred: which program of the several in this binary, and how it runs.
 *
 * Without --foreground the server detaches: the caller gets its exit code once the server listens
 * (0) or has said why it cannot (1), and the log goes to <state-dir>/vyred.log. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <config.h>
#include "server/hook/hook.h"
#include "server/io/lock.h"
#include "server/main/config.h"
#include "server/main/options.h"
#include "server/main/server.h"
#include "server/ops/ops.h"
#include "server/provider/demo.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

extern char **environ;

/* No debugger, no core (what is not dumpable leaves none), and none of the environment we inherited
 * stays readable in /proc. */
static void shut_the_curtains(void)
{
	static const char *const kept[] = { "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"SYSTEMD_EXEC_PID" };
	char *values[VY_COUNT(kept)];

	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	for (size_t i = 0; i < VY_COUNT(kept); i++) {
		values[i] = vy_strdup(getenv(kept[i]));
	}
	for (char **e = environ; *e; e++) {
		vy_wipe(*e, strlen(*e));
	}
	clearenv();
	for (size_t i = 0; i < VY_COUNT(kept); i++) {
		if (values[i]) {
			setenv(kept[i], values[i], 1);
		}
		free(values[i]);
	}
}

/* ---- detaching ---- */

static int open_log_file(const char *state_dir)
{
	char path[4096];

	if (lock_make_dir(state_dir, NULL) != 0) {
		return -1; /* the server will say why */
	}
	snprintf(path, sizeof(path), "%s/vyred.log", state_dir);
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int log_fd = -1;

/* The file may have been moved away (logrotate); one that cannot be opened keeps the old. */
static void reopen_log(const char *state_dir)
{
	int fd = open_log_file(state_dir), old = log_fd;

	if (fd >= 0) {
		vy_log_to(fd);
		log_fd = fd;
		close(old);
	}
}

/* The waiting parent's end of the story: a byte is "ready", else the text is why not. */
static int wait_for_child(int fd)
{
	char text[1024];
	size_t n = 0;
	ssize_t got;

	while (n < sizeof(text) &&
		((got = read(fd, text + n, sizeof(text) - n)) > 0 || (got < 0 && errno == EINTR))) {
		n += got > 0 ? (size_t)got : 0;
	}
	if (n == 1 && text[0] == '\0') {
		return 0;
	}
	fprintf(stderr, "vyred: %.*s\n", (int)n, n ? text : "ended before it was ready");
	return 1;
}

/* In the child: the fd to report on; in the parent it does not return. */
static int detach(void)
{
	int ready[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || pipe2(ready, O_CLOEXEC) != 0) {
		fprintf(stderr, "vyred: detaching: %m\n");
		exit(1);
	}
	pid_t pid = fork();

	if (pid < 0) {
		fprintf(stderr, "vyred: detaching: %m\n");
		exit(1);
	}
	if (pid > 0) {
		close(ready[1]);
		exit(wait_for_child(ready[0]));
	}
	close(ready[0]);
	setsid();
	if (chdir("/") != 0) {
		fprintf(stderr, "vyred: entering /: %m\n");
	}
	for (int fd = 0; fd < 3; fd++) {
		dup2(null, fd);
	}
	close(null);
	return ready[1];
}

static void report(int fd, const char *why)
{
	ssize_t n = why ? write(fd, why, strlen(why)) : write(fd, "", 1);

	(void)n; /* a parent that is gone does not wait any more */
	close(fd);
}

static int serve(const struct options *o, const char *state_dir, const char *config)
{
	struct server_paths paths = {
		.state_dir = state_dir,
		.config = config,
		.socket = o->socket,
		.listen = o->listen,
		.log_level = o->log_level,
		.must_have_config = o->config != NULL,
	};
	struct vy_err e = { 0 };
	int ready = -1;

	shut_the_curtains();
	if (!o->is_foreground) {
		log_fd = open_log_file(state_dir);
		int why = errno;

		if (log_fd < 0 && access(state_dir, W_OK) == 0) {
			fprintf(stderr, "vyred: %s/vyred.log: %s: it runs without a log\n",
				state_dir, strerror(why));
		}
		paths.reopen_log = reopen_log;
		ready = detach();
		vy_log_to(log_fd);
	}
	struct server *s = server_new(&paths, &e);

	if (!s) {
		if (ready >= 0) {
			report(ready, e.text);
		} else {
			fprintf(stderr, "vyred: %s\n", e.text);
		}
		return 1;
	}
	if (ready >= 0) {
		report(ready, NULL);
	}
	int code = server_run(s);

	server_free(s);
	return code;
}

static int wrong_use(const char *why)
{
	fprintf(stderr, "vyred: %s (vyred --help)\n", why);
	return 2;
}

static int doctor(const struct options *o, const char *state_dir, const char *config)
{
	struct vy_err e = { 0 };
	struct config *c = config_read(config, o->config != NULL, &e);
	struct ops_doctor d = {
		.state_dir = state_dir,
		.socket = o->socket,
		.config = config,
		.config_trouble = c ? NULL : e.text,
		.providers = c ? c->providers : NULL,
		.n_providers = c ? c->n_providers : 0,
		.version = PACKAGE_VERSION,
	};
	int code = ops_doctor(&d);

	config_free(c);
	return code;
}

static int provider(const struct options *o, const char *state_dir, const char *config)
{
	struct vy_err e = { 0 };
	struct config *c = config_read(config, o->config != NULL, &e);

	if (!c) {
		fprintf(stderr, "vyred: %s\n", e.text);
		return 1;
	}
	struct ops_provider p = {
		.state_dir = state_dir,
		.user = c->user,
		.providers = c->providers,
		.n_providers = c->n_providers,
	};
	int code = ops_provider_check(&p, o->rest[1]);

	config_free(c);
	return code;
}

static int run(const struct options *o, const char *state_dir, const char *config)
{
	if (strcmp(o->command, "serve") == 0 && o->n_rest == 0) {
		return serve(o, state_dir, config);
	}
	if (strcmp(o->command, "stop") == 0 && o->n_rest == 0) {
		return ops_stop(state_dir, o->is_all);
	}
	if (strcmp(o->command, "secret") == 0) {
		return ops_secret(state_dir, o->rest, o->n_rest);
	}
	if (strcmp(o->command, "provider") == 0 && o->n_rest == 2 &&
		strcmp(o->rest[0], "check") == 0) {
		return provider(o, state_dir, config);
	}
	if (strcmp(o->command, "doctor") == 0 && o->n_rest == 0) {
		return doctor(o, state_dir, config);
	}
	if (strcmp(o->command, "verify") == 0 && o->n_rest == 0) {
		return ops_verify(state_dir, o->socket);
	}
	if (strcmp(o->command, "backup") == 0) {
		return ops_backup(state_dir, o->socket, o->rest, o->n_rest);
	}
	if (strcmp(o->command, "restore") == 0) {
		return ops_restore(state_dir, o->rest, o->n_rest);
	}
	if (strcmp(o->command, "hook") == 0) {
		const struct hook_conf hc = {
			.state_dir = state_dir,
			.config = config,
			.socket = o->socket,
			.said_state_dir = o->state_dir,
			.said_config = o->config,
		};

		return hook_main(&hc, o->rest, o->n_rest);
	}
	fprintf(stderr, "vyred: there is no command %s (vyred --help)\n", o->command);
	return 2;
}

int main(int argc, char **argv)
{
	char *state_dir = NULL, *config = NULL;
	struct options o;
	struct vy_err e = { 0 };

	if (argc > 1 && strcmp(argv[1], "agent-demo") == 0) {
		return demo_main(argc - 1, argv + 1);
	}
	umask(077);
	if (options_parse(&o, argc, argv, &e) != 0) {
		return wrong_use(e.text);
	}
	if (o.is_help) {
		options_usage();
		return 0;
	}
	if (o.is_version) {
		puts("vyred " PACKAGE_VERSION);
		return 0;
	}
	if (options_paths(&o, &state_dir, &config, &e) != 0) {
		return wrong_use(e.text);
	}
	int code = run(&o, state_dir, config);

	free(state_dir);
	free(config);
	return code;
}
