/* cmd.c -- see cmd.h. The table of words, and what each of them needs before it can begin. */
#include "tui/cmd/cmd.h"

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

static const struct word {
	const char *name;
	int min, max;   /* arguments behind it */
	bool may_start; /* a server, when none runs */
	cmd_fn *run;
} words[] = {
	{ "ls", 0, 0, false, cmd_ls },
	{ "new", 0, 2, true, cmd_new },
	{ "send", 1, 3, true, cmd_send },
	{ "tail", 0, 1, false, cmd_tail },
	{ "asks", 0, 1, false, cmd_asks },
	{ "answer", 2, 3, false, cmd_answer },
	{ "interrupt", 0, 1, false, cmd_interrupt },
	{ "stop", 0, 1, false, cmd_stop },
	{ "status", 0, 0, false, cmd_status },
};

static const struct word *find_word(const char *s)
{
	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strcmp(words[i].name, s) == 0) {
			return &words[i];
		}
	}
	return NULL;
}

bool cmd_is_word(const char *s)
{
	return find_word(s) != NULL;
}

int cmd_exit_of(const struct vy_err *e)
{
	switch ((int)e->code) {
	case VY_OK: return CMD_OK;
	case VY_NOT_FOUND:
	case VY_GONE: return CMD_NOT_FOUND;
	case VY_DENIED:
	case VY_PERSON_ONLY: return CMD_DENIED;
	case VY_RETRY: return CMD_NO_SERVER;
	default: return CMD_FAILED;
	}
}

/* ---- printing ---- */

void cmd_print_json(const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_RPC_ANSWER_MAX);

	vy_json_dump(v, &b);
	fwrite(vy_buf_c(&b), 1, b.len, stdout);
	putchar('\n');
}

void cmd_print_line(struct vy_str text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_RPC_ANSWER_MAX);

	vy_utf8_visible(text, VY_UTF8_LINE, &b);
	fwrite(vy_buf_c(&b), 1, b.len, stdout);
}

/* ---- sessions and calls ---- */

struct vy_json *cmd_call(struct cmd *c, const char *method, struct vy_json *own_params,
	const char *key, struct vy_err *e)
{
	return ask_call(c->loop, c->rpc, method, own_params, key, e);
}

void cmd_take_session(struct cmd *c, const struct vy_json *record)
{
	struct vy_str id = vy_json_str(record, "session");

	snprintf(c->session, sizeof(c->session), "%.*s", VY_STR_ARG(id));
}

struct vy_json *cmd_session(struct cmd *c, const char *name, struct vy_err *e)
{
	struct vy_json *record =
		name ? ask_named(c->loop, c->rpc, name, e) : ask_newest(c->loop, c->rpc, c->cwd, e);

	if (record) {
		cmd_take_session(c, record);
	}
	return record;
}

/* ---- one run ---- */

static int open_all(struct cmd *c, const struct word *w, struct vy_err *e)
{
	const struct cmd_options *o = c->o;

	c->loop = vy_loop_new();
	c->cwd = realpath(o->cwd ? o->cwd : ".", NULL);
	if (!c->cwd) {
		vy_fail(e, VY_BAD_INPUT, _("there is no folder %s"), o->cwd ? o->cwd : ".");
		return CMD_USAGE;
	}
	if (spawn_place_init(&c->place, o->state_dir, o->socket, e) != 0) {
		return CMD_FAILED;
	}
	if (w->may_start ? ask_server(c->loop, &c->place, e) != 0
			 : !spawn_is_running(&c->place, e)) {
		return CMD_NO_SERVER;
	}
	c->dial = dial_new(c->loop, c->place.socket, e);
	if (!c->dial) {
		return CMD_FAILED;
	}
	c->rpc = rpc_new(c->dial);
	return CMD_OK;
}

static void close_all(struct cmd *c)
{
	rpc_free(c->rpc);
	dial_free(c->dial);
	spawn_place_fini(&c->place);
	free(c->cwd);
	if (c->loop) {
		vy_loop_free(c->loop);
	}
}

static void complain(const struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	vy_utf8_visible(vy_str_c(e->text), VY_UTF8_PROSE, &b);
	fprintf(stderr, "vyre-tui: %s\n", vy_buf_c(&b));
}

int cmd_run(const struct cmd_options *o)
{
	const struct word *w = find_word(o->word);
	struct cmd c = { .o = o };
	struct vy_err e = { .code = VY_OK };
	int code;

	if (o->n_args < w->min || o->n_args > w->max) {
		fprintf(stderr, _("vyre-tui: %s: wrong number of arguments (vyre-tui --help)\n"),
			w->name);
		return CMD_USAGE;
	}
	code = open_all(&c, w, &e);
	if (code == CMD_OK) {
		code = w->run(&c, &e);
	}
	if (e.code != VY_OK) {
		complain(&e);
		code = code == CMD_OK ? cmd_exit_of(&e) : code;
	}
	close_all(&c);
	if (fflush(stdout) != 0 && code == CMD_OK) {
		code = CMD_FAILED; /* nobody got what was asked for */
	}
	return code;
}
