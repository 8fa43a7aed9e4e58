/* verb.h -- what every verb gets. Private to tui/cmd.
 *
 * A verb's function returns the exit code, or -1 with *e: then the error is printed and becomes
 * one. Words are counted already; the server is there, started if the verb may. */
#ifndef CMD_VERB_H
#define CMD_VERB_H

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "tui/cmd/cmd.h"
#include "tui/cmd/out.h"
#include "tui/net/contact.h"

struct cmd {
	const struct cmd_options *o;
	struct contact net;
	struct out out;
};

int verb_ls(struct cmd *c, struct vy_err *e);
int verb_status(struct cmd *c, struct vy_err *e);
int verb_new(struct cmd *c, struct vy_err *e);
int verb_send(struct cmd *c, struct vy_err *e);
int verb_search(struct cmd *c, struct vy_err *e);
int verb_export(struct cmd *c, struct vy_err *e);
int verb_tail(struct cmd *c, struct vy_err *e);
int verb_asks(struct cmd *c, struct vy_err *e);
int verb_answer(struct cmd *c, struct vy_err *e);
int verb_interrupt(struct cmd *c, struct vy_err *e);
int verb_stop(struct cmd *c, struct vy_err *e);
int verb_rewind(struct cmd *c, struct vy_err *e);
int verb_retry(struct cmd *c, struct vy_err *e);
int verb_fork(struct cmd *c, struct vy_err *e);
int verb_branch(struct cmd *c, struct vy_err *e);
int verb_aside(struct cmd *c, struct vy_err *e);
int verb_compact(struct cmd *c, struct vy_err *e);
int verb_slots(struct cmd *c, struct vy_err *e);
int verb_models(struct cmd *c, struct vy_err *e);
int verb_prompt(struct cmd *c, struct vy_err *e);
int verb_budget(struct cmd *c, struct vy_err *e);
int verb_adopt(struct cmd *c, struct vy_err *e);
int verb_resume(struct cmd *c, struct vy_err *e);
int verb_usage(struct cmd *c, struct vy_err *e);
int verb_trust(struct cmd *c, struct vy_err *e);
int verb_distrust(struct cmd *c, struct vy_err *e);

/* The session that is meant: `name`, or without one the newest of this folder (--cwd). */
VY_MUST_USE int cmd_session(
	struct cmd *c, const char *name, char id[VY_UUID_LEN + 1], struct vy_err *e);

/* {"session": id} */
struct vy_json *cmd_params(const char *session);

/* A call with a key of its own, or without one. */
struct vy_json *cmd_read(
	struct cmd *c, const char *method, struct vy_json *own_params, struct vy_err *e);
struct vy_json *cmd_write(
	struct cmd *c, const char *method, struct vy_json *own_params, struct vy_err *e);

/* The standard input, without the last newlines. */
VY_MUST_USE int cmd_input(struct vy_buf *out, struct vy_err *e);

#endif
