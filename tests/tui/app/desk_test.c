/* desk_test.c -- the client dies before its k-th step on the disk, and the next one before its j-th: the
 * words are then in the composer or with the outbox, never in both, never in neither.
 *
 * The files are real; what writes them here (in place of tui/net/keep) counts, and ends the process
 * like kill -9 when the count is reached. */
#include "tests/check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "tui/app/desk.h"
#include "tui/net/keep.h"
#include "shared/base/ban.h"

#define SESSION "11111111-2222-4333-8444-555555555555"
#define MESSAGE "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
#define WORDS   "please look at this"

enum { DIED = 9, STEPS = 12 };

static struct tempdir dir;
static int steps_left; /* 0: nobody dies */
static bool is_full;   /* nothing can be written */

static void step(void)
{
	if (steps_left && --steps_left == 0) {
		_exit(DIED);
	}
}

/* ---- tui/net/keep, with its deaths ---- */

static void path_of(char out[1024], const char *folder, const char *name)
{
	snprintf(out, 1024, "%s/%s", folder, name);
}

bool keep_all(int fd, struct vy_str bytes)
{
	return write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n;
}

int keep_write(const char *folder, const char *name, struct vy_str bytes, struct vy_err *e)
{
	char path[1024], fresh[1100];

	step();
	if (is_full) {
		return vy_fail(e, VY_FULL, "no room");
	}
	path_of(path, folder, name);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	mkdir(folder, 0700);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0 && keep_all(fd, bytes));
	close(fd);
	step();
	assert_int_equal(rename(fresh, path), 0);
	return 0;
}

bool keep_read(const char *folder, const char *name, struct vy_buf *out)
{
	char path[1024], piece[4096];

	path_of(path, folder, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, piece, sizeof(piece)) : -1;

	if (fd >= 0) {
		close(fd);
	}
	return n >= 0 && vy_buf_add(out, piece, (size_t)n);
}

void keep_remove(const char *folder, const char *name)
{
	char path[1024];

	step();
	path_of(path, folder, name);
	unlink(path);
}

/* ---- an outbox: it has the message when its file is there ---- */

static bool has_message(void)
{
	return access(tempdir_file(&dir, "message"), F_OK) == 0;
}

static void take_message(void)
{
	step();
	int fd = open(tempdir_file(&dir, "message"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static bool is_kept(void *ctx, const char *id)
{
	(void)ctx;
	return strcmp(id, MESSAGE) == 0 && has_message();
}

static void ignored(void *ctx)
{
	(void)ctx;
}

/* ---- clients ---- */

struct client {
	struct vy_loop *loop;
	struct composer c;
	struct desk *desk;
};

static void client_open(struct client *k)
{
	static const struct desk_events events = { .changed = ignored, .is_kept = is_kept };

	k->loop = vy_loop_new();
	composer_init(&k->c);
	k->desk = desk_new(&(struct desk_conf){ .loop = k->loop,
				   .clock = &vy_clock_real,
				   .state_dir = dir.path,
				   .c = &k->c },
		&events, NULL);
	desk_open(k->desk, SESSION);
}

static void client_close(struct client *k)
{
	desk_free(k->desk);
	composer_fini(&k->c);
	vy_loop_free(k->loop);
}

/* The words are typed, kept, sent, and put away. */
static void say_it(struct client *k)
{
	edit_insert(&k->c.edit, VY_STR_LIT(WORDS));
	desk_turn(k->desk);
	desk_sends(k->desk, MESSAGE);
	take_message();
	edit_clear(&k->c.edit);
	desk_turn(k->desk);
}

/* A client that dies before its `at`th step; true: it came so far. */
static bool dies(void (*does)(struct client *k), int at)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct client k;

		steps_left = at;
		client_open(&k);
		if (does) {
			does(&k);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == DIED));
	return WEXITSTATUS(status) == DIED;
}

static void what_is_there(char *out, size_t size)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	struct client k;

	client_open(&k);
	assert_true(edit_whole(&k.c.edit, &text));
	snprintf(out, size, "%s", vy_buf_c(&text));
	client_close(&k);
}

static void killed_and_killed_again(void **unused)
{
	char left[64], name[64];
	int deaths = 0;

	(void)unused;
	for (int k = 1; k <= STEPS; k++) {
		for (int j = 1; j <= STEPS; j++) {
			dir = tempdir_make();
			bool died = dies(say_it, k), again = dies(NULL, j);

			what_is_there(left, sizeof(left));
			snprintf(name, sizeof(name), "killed before step %d, then %d", k, j);
			if (has_message()) {
				check_str(name, left, "");
			} else if (k > 2) { /* the draft was there before it was seen */
				check_str(name, left, WORDS);
			}
			deaths += died + again;
			tempdir_remove(dir.path);
		}
	}
	check_true("each step was one's last", deaths > STEPS);
}

/* The words were sent and their draft could not be put away: the next one knows. */
static void no_room_to_forget(void **unused)
{
	struct client k;
	char left[64];

	(void)unused;
	dir = tempdir_make();
	client_open(&k);
	edit_insert(&k.c.edit, VY_STR_LIT(WORDS));
	desk_turn(k.desk);
	desk_sends(k.desk, MESSAGE);
	take_message();
	is_full = true;
	edit_clear(&k.c.edit);
	edit_insert(&k.c.edit, VY_STR_LIT("more")); /* empty, it would be removed: that has room */
	desk_turn(k.desk);
	is_full = false;
	what_is_there(left, sizeof(left));
	check_str("they are not there twice", left, "");
	client_close(&k);
	tempdir_remove(dir.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_and_killed_again),
		cmocka_unit_test(no_room_to_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
