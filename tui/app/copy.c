/* copy.c -- see copy.h. */
#include "tui/app/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "tui/ink/screen.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define WORDS     8
#define POLL_MS   5
#define FILE_NAME "copied.txt"

/* ---- which way ---- */

static bool is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

enum copy_door copy_door_of(const struct copy_env *env)
{
	if (env->tmux && *env->tmux) {
		if (is(env->set_clipboard, "on")) {
			return COPY_RAW;
		}
		if (is(env->allow_passthrough, "on") || is(env->allow_passthrough, "all")) {
			return COPY_PASSED;
		}
		return COPY_BUFFER;
	}
	if (!env->term || !*env->term || is(env->term, "dumb") || is(env->term, "linux") ||
		strncmp(env->term, "vt", 2) == 0) {
		return COPY_NO_DOOR;
	}
	return COPY_RAW;
}

void copy_osc52(struct vy_str text, enum copy_door door, struct vy_buf *out)
{
	size_t room = 4 * ((text.n + 2) / 3) + 1;
	char *code = vy_calloc(1, room);

	vy_base64(text.p, text.n, code);
	vy_buf_adds(out, door == COPY_PASSED ? "\033Ptmux;\033\033]52;c;" : "\033]52;c;");
	vy_buf_adds(out, code);
	vy_buf_adds(out, door == COPY_PASSED ? "\a\033\\" : "\a");
	free(code);
}

/* ---- tools ---- */

static pid_t start(const char *const *argv, int in, int out)
{
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		setsid(); /* keys are not for it */
		dup2(in >= 0 ? in : null, STDIN_FILENO);
		dup2(out >= 0 ? out : null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		signal(SIGPIPE, SIG_DFL);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	return pid;
}

/* Waits for its end, COPY_TOOL_MS at most; one that takes longer is ended. */
static bool ends_well(pid_t pid)
{
	struct timespec nap = { 0, POLL_MS * 1000000L };
	int status = 0;

	if (pid < 0) {
		return false;
	}
	for (int ms = 0; ms < COPY_TOOL_MS; ms += POLL_MS) {
		pid_t got = waitpid(pid, &status, WNOHANG);

		if (got == pid || (got < 0 && errno != EINTR)) {
			return got == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
		}
		nanosleep(&nap, NULL);
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return false;
}

static int put_in_memory(struct vy_str text)
{
	int fd = memfd_create("copied", MFD_CLOEXEC);

	while (fd >= 0 && text.n) {
		ssize_t n = write(fd, text.p, text.n);

		if (n < 0 && errno != EINTR) {
			close(fd);
			return -1;
		}
		text = vy_str_from(text, n > 0 ? (size_t)n : 0);
	}
	if (fd >= 0) {
		lseek(fd, 0, SEEK_SET);
	}
	return fd;
}

static bool give_to(const char *const *argv, struct vy_str text)
{
	int in = put_in_memory(text);
	bool done = in >= 0 && ends_well(start(argv, in, -1));

	if (in >= 0) {
		close(in);
	}
	return done;
}

static bool give_to_tool(struct vy_str text)
{
	static const struct {
		const char *needs; /* in the environment */
		const char *argv[WORDS];
	} tools[] = {
		{ "WAYLAND_DISPLAY", { "wl-copy" } },
		{ "DISPLAY", { "xclip", "-selection", "clipboard", "-in" } },
		{ "DISPLAY", { "xsel", "--clipboard", "--input" } },
	};

	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		const char *there = getenv(tools[i].needs);

		if (there && *there && vy_place_on_path(tools[i].argv[0]) &&
			give_to(tools[i].argv, text)) {
			return true;
		}
	}
	return false;
}

/* The first word a program prints. */
static void ask(const char *const *argv, char *out, size_t room)
{
	int fd = memfd_create("answer", MFD_CLOEXEC);

	out[0] = '\0';
	if (fd >= 0 && ends_well(start(argv, -1, fd))) {
		ssize_t n = pread(fd, out, room - 1, 0);

		out[n > 0 ? n : 0] = '\0';
		out[strcspn(out, " \n")] = '\0';
	}
	if (fd >= 0) {
		close(fd);
	}
}

static enum copy_door door_here(void)
{
	static const char *const clip[] = { "tmux", "show-options", "-sv", "set-clipboard", NULL };
	static const char *const pass[] = { "tmux", "show-options", "-pAv", "allow-passthrough",
		NULL };
	static int known = -1;
	char set[32] = "", through[32] = "";
	struct copy_env env = { getenv("TERM"), getenv("TMUX"), set, through };

	if (known < 0) {
		if (env.tmux && *env.tmux) {
			ask(clip, set, sizeof(set));
			ask(pass, through, sizeof(through));
		}
		known = (int)copy_door_of(&env);
	}
	return (enum copy_door)known;
}

/* ---- a file ---- */

static bool write_file(const char *dir, struct vy_str text, struct vy_buf *path)
{
	vy_buf_addf(path, "%s/" FILE_NAME, dir);
	unlink(vy_buf_c(path)); /* a link is not followed, another's file not written to */

	int fd = open(vy_buf_c(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!f) {
		if (fd >= 0) {
			close(fd);
		}
		return false;
	}
	bool done = fwrite(text.p ? text.p : "", 1, text.n, f) == text.n;

	return (fclose(f) == 0) && done;
}

/* ---- all ways ---- */

static bool to_terminal(struct screen *screen, struct vy_str text)
{
	static const char *const buffer[] = { "tmux", "load-buffer", "-w", "-", NULL };
	struct vy_buf escape = VY_BUF_INIT(2 * COPY_OSC_MAX);
	enum copy_door door = door_here();
	bool fits = 4 * ((text.n + 2) / 3) <= COPY_OSC_MAX;

	if (door == COPY_BUFFER) {
		return give_to(buffer, text);
	}
	if (door == COPY_NO_DOOR || !fits) {
		return false;
	}
	copy_osc52(text, door, &escape);
	screen_send(screen, vy_buf_str(&escape));
	vy_buf_fini(&escape);
	return true;
}

static size_t lines_of(struct vy_str s)
{
	size_t n = s.n > 0;

	for (size_t i = 0; i + 1 < s.n; i++) {
		n += s.p[i] == '\n';
	}
	return n;
}

void copy_out(struct screen *screen, const char *dir, struct vy_str text, struct vy_buf *said)
{
	struct vy_buf path = VY_BUF_INIT(PATH_MAX);
	bool by_terminal = to_terminal(screen, text), by_tool = give_to_tool(text);
	size_t n = lines_of(text);

	if (by_terminal || by_tool) {
		vy_buf_addf(said,
			words_count("%zu line sent to the clipboard",
				"%zu lines sent to the clipboard", n),
			n);
	} else if (write_file(dir, text, &path)) {
		vy_buf_addf(said,
			words_count("no clipboard takes it here: %zu line in %s",
				"no clipboard takes it here: %zu lines in %s", n),
			n, vy_buf_c(&path));
	} else {
		vy_buf_addf(said, _("no clipboard takes it here, and %s cannot be written"),
			vy_buf_c(&path));
	}
	vy_buf_fini(&path);
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0];
}

bool copy_open_link(const char *url)
{
	const char *browser = getenv("BROWSER");
	bool has_screen = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
	const char *program = browser && *browser && vy_place_on_path(browser) ? browser
			      : has_screen && vy_place_on_path("xdg-open")     ? "xdg-open"
									       : NULL;

	if (!program) {
		return false;
	}
	/* by a child that ends at once, so that nobody waits for the program or has to reap it */
	pid_t pid = fork();

	if (pid == 0) {
		const char *const argv[] = { program, url, NULL };

		_exit(start(argv, -1, -1) > 0 ? 0 : 1);
	}
	return ends_well(pid);
}
