/* say.c -- what is told to a session: new, send, answer, interrupt, stop. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/cmd/inside.h"
#include "tui/net/ask.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- what is said ---- */

static int read_stdin(struct vy_buf *out, struct vy_err *e)
{
	char piece[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			return vy_fail_errno(e, errno, _("reading the standard input"));
		}
		if (!vy_buf_add(out, piece, (size_t)n)) {
			return vy_fail(e, VY_FULL, _("a message may have 8 MiB"));
		}
	}
	return 0;
}

static bool is_dash(const char *s)
{
	return strcmp(s, "-") == 0;
}

/* The words given, with the standard input in place of "-" or behind what stands before it. */
static int gather(const char *const *args, int n, struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF raw = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	for (int i = 0; i < n; i++) {
		if (!is_dash(args[i])) {
			vy_buf_adds(&raw, args[i]);
			continue;
		}
		if (raw.len) {
			vy_buf_adds(&raw, "\n\n");
		}
		if (read_stdin(&raw, e) != 0) {
			return -1;
		}
	}
	if (vy_buf_is_over(&raw) || !vy_utf8_clean(vy_buf_str(&raw), out)) {
		return vy_fail(e, VY_FULL, _("a message may have 8 MiB"));
	}
	while (out->len && (out->data[out->len - 1] == '\n' || out->data[out->len - 1] == ' ')) {
		vy_buf_truncate(out, out->len - 1);
	}
	return out->len ? 0 : vy_fail(e, VY_BAD_INPUT, _("there is nothing to send"));
}

/* ---- new ---- */

static struct vy_json *start(struct cmd *c, struct vy_err *e)
{
	struct ask_start s = { .provider = c->o->provider, .model = c->o->model, .cwd = c->cwd };
	struct vy_json *record = ask_start(c->loop, c->rpc, &s, e);

	if (record) {
		cmd_take_session(c, record);
	}
	return record;
}

static struct vy_json *send(struct cmd *c, struct vy_str text, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();
	char key[VY_UUID_LEN + 1];

	vy_uuid(key);
	vy_json_set_c(params, "session", c->session);
	vy_json_set_str(params, "text", text);
	return cmd_call(c, "threads.send", params, key, e);
}

int cmd_new(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	if (c->o->n_args > 0 && gather(c->o->args, c->o->n_args, &text, e) != 0) {
		return cmd_exit_of(e);
	}
	VY_AUTO_JSON *record = start(c, e);

	if (!record) {
		return cmd_exit_of(e);
	}
	if (text.len && c->o->is_wait) {
		return cmd_say_and_watch(c, vy_buf_str(&text), e);
	}
	if (text.len) {
		VY_AUTO_JSON *sent = send(c, vy_buf_str(&text), e);

		if (!sent) {
			return cmd_exit_of(e);
		}
	}
	if (c->o->is_json) {
		cmd_print_json(record);
	} else {
		puts(c->session);
	}
	return CMD_OK;
}

/* ---- send ---- */

/* "SESSION TEXT", "SESSION TEXT -", "SESSION -"; but "TEXT -" where no session is called so. */
static int find_session(struct cmd *c, int *first, struct vy_err *e)
{
	const struct cmd_options *o = c->o;
	struct vy_json *record;

	*first = 0;
	if (o->is_new) {
		record = start(c, e);
	} else if (o->n_args == 1) {
		record = cmd_session(c, NULL, e);
	} else {
		*first = 1;
		record = cmd_session(c, o->args[0], e);
		if (!record && e->code == VY_NOT_FOUND && o->n_args == 2 && is_dash(o->args[1])) {
			*first = 0;
			vy_err_clear(e);
			record = cmd_session(c, NULL, e);
		}
	}
	vy_json_free(record);
	return record ? 0 : -1;
}

int cmd_send(struct cmd *c, struct vy_err *e)
{
	const struct cmd_options *o = c->o;
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	int first;

	if (find_session(c, &first, e) != 0 ||
		gather(o->args + first, o->n_args - first, &text, e) != 0) {
		return cmd_exit_of(e);
	}
	if (o->is_wait) {
		return cmd_say_and_watch(c, vy_buf_str(&text), e);
	}
	VY_AUTO_JSON *sent = send(c, vy_buf_str(&text), e);

	if (!sent) {
		return cmd_exit_of(e);
	}
	if (o->is_json) {
		cmd_print_json(sent);
	} else {
		cmd_print_line(vy_json_str(sent, "state"));
		putchar('\n');
	}
	return CMD_OK;
}

/* ---- answer, interrupt, stop ---- */

int cmd_answer(struct cmd *c, struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();
	char key[VY_UUID_LEN + 1];

	vy_uuid(key);
	vy_json_set_c(params, "ask", c->o->args[0]);
	vy_json_set_c(params, "decision", c->o->args[1]);
	vy_json_set_c(params, "message", c->o->n_args > 2 ? c->o->args[2] : NULL);
	VY_AUTO_JSON *done = cmd_call(c, "threads.answer", params, key, e);

	if (!done) {
		return cmd_exit_of(e);
	}
	if (c->o->is_json) {
		cmd_print_json(done);
	} else if (vy_json_bool(done, "already", false)) {
		printf(_("already answered: "));
		cmd_print_line(vy_json_str(done, "decision"));
		putchar('\n');
	}
	return CMD_OK;
}

static int simple(struct cmd *c, const char *method, struct vy_err *e)
{
	VY_AUTO_JSON *record = cmd_session(c, c->o->n_args > 0 ? c->o->args[0] : NULL, e);
	struct vy_json *params;
	char key[VY_UUID_LEN + 1];

	if (!record) {
		return cmd_exit_of(e);
	}
	vy_uuid(key);
	params = vy_json_new_obj();
	vy_json_set_c(params, "session", c->session);
	VY_AUTO_JSON *done = cmd_call(c, method, params, key, e);

	if (!done) {
		return cmd_exit_of(e);
	}
	if (c->o->is_json) {
		cmd_print_json(done);
	}
	return CMD_OK;
}

int cmd_interrupt(struct cmd *c, struct vy_err *e)
{
	return simple(c, "threads.interrupt", e);
}

int cmd_stop(struct cmd *c, struct vy_err *e)
{
	return simple(c, "threads.stop", e);
}
