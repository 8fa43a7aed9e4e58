/* box.c -- see box.h. */
#include "tests/tui/net/box.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static void on_turn(void *ctx)
{
	struct box *b = ctx;

	b->turns++;
	if (b->until && !b->is_done && b->until(b)) {
		b->is_done = true;
		vy_loop_stop(b->loop);
	}
}

static void stop(void *ctx)
{
	vy_loop_stop(((struct box *)ctx)->loop);
}

void rest(struct box *b, int64_t ms)
{
	struct vy_timer *t = vy_loop_timer(b->loop, stop, b);

	vy_timer_set(t, ms);
	vy_loop_run(b->loop);
	vy_timer_del(t);
}

bool run(struct box *b, bool (*until)(struct box *b))
{
	b->is_done = false;
	b->until = until;
	rest(b, PATIENCE_MS);
	b->until = NULL;
	return b->is_done;
}

void serve(struct box *b)
{
	char frames[16];
	int leash[2];

	snprintf(frames, sizeof(frames), "%u", b->frames);
	assert_int_equal(pipe(leash), 0);
	b->server = fork();
	if (b->server == 0) {
		dup2(leash[0], 0);
		close(leash[1]);
		close(leash[0]);
		execl(getenv("STAND") ? getenv("STAND") : "tests/server/wire/stand", "stand",
			b->path, b->epoch ? b->epoch : "epoch-000001", frames, (char *)NULL);
		_exit(127);
	}
	close(leash[0]);
	b->leash = leash[1];
	for (int i = 0; access(b->path, F_OK) != 0 && i < 5000; i++) {
		usleep(1000);
	}
}

void unserve(struct box *b)
{
	int status = -1;

	close(b->leash);
	waitpid(b->server, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	b->server = 0;
}

void slay(struct box *b)
{
	kill(b->server, SIGKILL);
	waitpid(b->server, NULL, 0);
	close(b->leash);
	b->server = 0;
	unlink(b->path);
}

struct box *box_new(bool is_served)
{
	struct box *b = VY_NEW(struct box);
	struct vy_err e;

	snprintf(b->dir, sizeof(b->dir), "/tmp/vyre-dial-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	snprintf(b->path, sizeof(b->path), "%s/sock", b->dir);
	vy_buf_init(&b->said, 64 * VY_MIB);
	if (is_served) {
		serve(b);
	}
	b->loop = vy_loop_new();
	vy_loop_at_end(b->loop, on_turn, b);
	b->dial = dial_new(b->loop, b->path, &e);
	if (!b->dial) {
		fail_msg("%s", e.text);
	}
	b->rpc = rpc_new(b->dial);
	return b;
}

void box_free(struct box *b)
{
	rpc_free(b->rpc);
	dial_free(b->dial);
	vy_loop_free(b->loop);
	if (b->server) {
		unserve(b);
	}
	vy_json_free(b->result);
	vy_buf_fini(&b->said);
	assert_int_equal(rmdir(b->dir), 0);
	free(b);
}

/* ---- calls ---- */

void on_done(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct box *b = ctx;

	b->answers++;
	b->err = *e;
	vy_json_free(b->result);
	b->result = vy_json_copy(result);
	assert_true((result == NULL) == (e->code != VY_OK));
}

bool has_answer(struct box *b)
{
	return b->answers > 0;
}

void call(struct box *b, const char *method, struct vy_json *params, const char *key)
{
	b->answers = 0;
	rpc_call(b->rpc, method, params, key, 0, on_done, b);
	assert_int_equal(b->answers, 0); /* never from inside */
	assert_true(run(b, has_answer));
	rest(b, 5);
	assert_int_equal(b->answers, 1);
}

void push(struct box *b, const char *frame)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "frame", frame);
	call(b, "push", params, NULL);
}
