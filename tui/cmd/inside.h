/* inside.h -- what the files of this room share. One struct cmd is one run of one word. */
#ifndef CMD_INSIDE_H
#define CMD_INSIDE_H

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/str.h"
#include "tui/cmd/cmd.h"
#include "tui/net/dial.h"
#include "tui/net/rpc.h"
#include "tui/net/spawn.h"

struct cmd {
	const struct cmd_options *o;
	struct vy_loop *loop;
	struct spawn_place place;
	struct dial *dial;
	struct rpc *rpc;
	char *cwd; /* absolute, links resolved */
	char session[VY_UUID_LEN + 1];
};

/* Each word: its exit code; with CMD_OK it has printed what was asked for. A failure with *e set is
 * printed by cmd.c, and its code is cmd_exit_of(e). */
typedef int cmd_fn(struct cmd *c, struct vy_err *e);
cmd_fn cmd_ls, cmd_new, cmd_send, cmd_tail, cmd_asks, cmd_answer, cmd_interrupt, cmd_stop,
	cmd_status;

int cmd_exit_of(const struct vy_err *e);

/* `name` NULL: the newest of the folder. Fills c->session; the record is the caller's. */
struct vy_json *cmd_session(struct cmd *c, const char *name, struct vy_err *e);
void cmd_take_session(struct cmd *c, const struct vy_json *record);

/* Result of one call; NULL with *e. */
struct vy_json *cmd_call(struct cmd *c, const char *method, struct vy_json *own_params,
	const char *key, struct vy_err *e);

void cmd_print_json(const struct vy_json *v); /* one line */
void cmd_print_line(struct vy_str text);      /* no newline; controls made visible */

/* Says `text` in c->session and prints the answer until the turn is over. */
int cmd_say_and_watch(struct cmd *c, struct vy_str text, struct vy_err *e);

#endif
