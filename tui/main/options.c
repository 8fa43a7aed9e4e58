/* options.c -- see options.h. */
#include "tui/main/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "shared/base/str.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

enum {
	O_NEW = 256,
	O_PROVIDER,
	O_MODEL,
	O_CWD,
	O_CONNECT,
	O_SOCKET,
	O_STATE_DIR,
	O_JSON,
	O_WAIT,
	O_MESSAGE,
	O_PLANE,
	O_TO,
	O_FILES,
	O_DRY,
	O_REDO,
	O_PROJECT,
	O_BUDGET,
	O_PURPOSE,
	O_TOOLS,
	O_ONCE,
	O_ADOPT,
	O_RESET,
	O_READER,
	O_VERSION,
};

static const struct option long_options[] = {
	{ "new", no_argument, NULL, O_NEW },
	{ "provider", required_argument, NULL, O_PROVIDER },
	{ "model", required_argument, NULL, O_MODEL },
	{ "cwd", required_argument, NULL, O_CWD },
	{ "connect", required_argument, NULL, O_CONNECT },
	{ "socket", required_argument, NULL, O_SOCKET },
	{ "state-dir", required_argument, NULL, O_STATE_DIR },
	{ "json", no_argument, NULL, O_JSON },
	{ "wait", no_argument, NULL, O_WAIT },
	{ "message", required_argument, NULL, O_MESSAGE },
	{ "plane", required_argument, NULL, O_PLANE },
	{ "to", required_argument, NULL, O_TO },
	{ "files", no_argument, NULL, O_FILES },
	{ "dry-run", no_argument, NULL, O_DRY },
	{ "redo", no_argument, NULL, O_REDO },
	{ "project", required_argument, NULL, O_PROJECT },
	{ "budget", required_argument, NULL, O_BUDGET },
	{ "purpose", required_argument, NULL, O_PURPOSE },
	{ "tools", required_argument, NULL, O_TOOLS },
	{ "once", no_argument, NULL, O_ONCE },
	{ "adopt", no_argument, NULL, O_ADOPT },
	{ "screen-reader", no_argument, NULL, O_READER },
	{ "reset", no_argument, NULL, O_RESET },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, O_VERSION },
	{ 0 },
};

const struct option *options_all(void)
{
	return long_options;
}

unsigned options_bit(const struct option *o)
{
	switch (o->val) {
	case O_NEW: return CMD_NEW;
	case O_PROVIDER:
	case O_MODEL: return CMD_START;
	case O_WAIT: return CMD_WAIT;
	case O_MESSAGE: return CMD_MESSAGE;
	case O_PLANE: return CMD_PLANE;
	case O_TO: return CMD_TO;
	case O_FILES:
	case O_DRY:
	case O_REDO: return CMD_BACK;
	case O_PROJECT: return CMD_PROJECT;
	case O_BUDGET:
	case O_PURPOSE:
	case O_TOOLS:
	case O_ONCE: return CMD_BOUNDS;
	default: return 0;
	}
}

/* Which of those that not every use takes were given, as bits of cmd.h and this one. */
enum { GIVEN_JSON = 512 };

struct given {
	unsigned bits;
	const char *last[10]; /* by bit: how it was spelled */
};

static void give(struct given *g, unsigned bit, const char *as)
{
	size_t i = 0;

	while (!(bit >> i & 1)) {
		i++;
	}
	g->bits |= bit;
	g->last[i] = as;
}

static void take_option(struct options *o, struct given *g, int c)
{
	switch (c) {
	case O_NEW:
		o->app.is_new = o->cmd.is_new = true;
		give(g, CMD_NEW, "--new");
		break;
	case O_PROVIDER:
		o->app.provider = o->cmd.provider = optarg;
		give(g, CMD_START, "--provider");
		break;
	case O_MODEL:
		o->app.model = o->cmd.model = optarg;
		give(g, CMD_START, "--model");
		break;
	case O_CWD: o->app.cwd = o->cmd.cwd = optarg; break;
	case O_CONNECT: o->app.connect = o->cmd.connect = optarg; break;
	case O_SOCKET: o->app.socket = o->cmd.socket = optarg; break;
	case O_STATE_DIR: o->app.state_dir = o->cmd.state_dir = optarg; break;
	case O_JSON:
		o->cmd.is_json = true;
		give(g, GIVEN_JSON, "--json");
		break;
	case O_WAIT:
		o->cmd.is_waiting = true;
		give(g, CMD_WAIT, "--wait");
		break;
	case O_MESSAGE:
		o->cmd.message = optarg;
		give(g, CMD_MESSAGE, "--message");
		break;
	case O_PLANE:
		o->cmd.plane = optarg;
		give(g, CMD_PLANE, "--plane");
		break;
	case O_TO:
		o->cmd.to = optarg;
		give(g, CMD_TO, "--to");
		break;
	case O_FILES:
		o->cmd.with_files = true;
		give(g, CMD_BACK, "--files");
		break;
	case O_DRY:
		o->cmd.is_dry = true;
		give(g, CMD_BACK, "--dry-run");
		break;
	case O_REDO:
		o->cmd.is_redo = true;
		give(g, CMD_BACK, "--redo");
		break;
	case O_PROJECT:
		o->cmd.project = optarg;
		give(g, CMD_PROJECT, "--project");
		break;
	case O_BUDGET:
		o->cmd.budget = optarg;
		give(g, CMD_BOUNDS, "--budget");
		break;
	case O_PURPOSE:
		o->cmd.purpose = optarg;
		give(g, CMD_BOUNDS, "--purpose");
		break;
	case O_TOOLS:
		o->cmd.tools = optarg;
		give(g, CMD_BOUNDS, "--tools");
		break;
	case O_ONCE:
		o->cmd.is_once = true;
		give(g, CMD_BOUNDS, "--once");
		break;
	case O_ADOPT: o->app.adopt = ""; break;
	case O_READER: o->is_reader = true; break;
	case O_RESET: o->is_reset = true; break;
	case O_VERSION: o->is_version = true; break;
	default: o->is_help = true; break;
	}
}

/* Everything given must be of use. */
static int check_given(const struct options *o, const struct given *g, struct vy_err *e)
{
	unsigned takes = o->verb ? cmd_takes(o->verb) | GIVEN_JSON : CMD_NEW | CMD_START;

	for (size_t i = 0; i < VY_COUNT(g->last); i++) {
		if ((g->bits & ~takes) >> i & 1) {
			return o->verb ? vy_fail(e, VY_BAD_INPUT, _("%s does not go with %s"),
						 g->last[i], cmd_name(o->verb))
				       : vy_fail(e, VY_BAD_INPUT,
						 _("%s goes with a command: send, tail …"),
						 g->last[i]);
		}
	}
	return 0;
}

/* open SESSION, term [SESSION]: its id, or its title, which may be several words. */
static int take_open(struct options *o, size_t n, const char *const *words, struct vy_err *e)
{
	size_t len = 0;

	if (n == 0 && o->app.is_term) {
		return 0;
	}
	if (n == 0) {
		return vy_fail(e, VY_BAD_INPUT, _("open which session? (vyre-tui ls lists them)"));
	}
	for (size_t i = 0; i < n && len < sizeof(o->joined); i++) {
		int got = snprintf(
			o->joined + len, sizeof(o->joined) - len, "%s%s", i ? " " : "", words[i]);

		len += got > 0 ? (size_t)got : 0;
	}
	o->app.session = n > 1 ? o->joined : words[0];
	return 0;
}

static int take_shell(struct options *o, size_t n, const char *const *words, struct vy_err *e)
{
	o->shell = n == 1 ? words[0] : "";
	if (strcmp(o->shell, "bash") == 0 || strcmp(o->shell, "zsh") == 0 ||
		strcmp(o->shell, "fish") == 0) {
		return 0;
	}
	return vy_fail(e, VY_BAD_INPUT, _("usage: vyre-tui %s %s"), cmd_name(o->verb),
		cmd_synopsis(o->verb));
}

/* --adopt [FILTER]: words of one that another program left. */
static int take_sought(struct options *o, int n, const char *const *words, struct vy_err *e)
{
	if (n > 1) {
		return vy_fail(e, VY_BAD_INPUT, _("usage: vyre-tui %s %s"), "--adopt", "[FILTER]");
	}
	o->app.adopt = n > 0 ? words[0] : "";
	return 0;
}

static int take_words(
	struct options *o, int n, const char *const *words, bool is_plain, struct vy_err *e)
{
	o->verb = n > 0 && !is_plain && !o->app.adopt ? cmd_find(words[0]) : NULL;
	if (o->verb && strcmp(words[0], "completion") == 0) {
		return take_shell(o, (size_t)n - 1, words + 1, e);
	}
	if (o->verb && (strcmp(words[0], "open") == 0 || strcmp(words[0], "term") == 0)) {
		o->app.is_term = words[0][0] == 't';
		o->verb = NULL; /* the screen it is */
		if (take_open(o, (size_t)n - 1, words + 1, e) != 0) {
			return -1;
		}
	} else if (o->verb) {
		o->cmd.words = words + 1;
		o->cmd.n_words = (size_t)n - 1;
		return 0;
	} else if (o->app.adopt) {
		return take_sought(o, n, words, e);
	} else if (n > 1) {
		return vy_fail(e, VY_BAD_INPUT, _("there is no command %s"), words[0]);
	} else {
		o->app.session = n > 0 ? words[0] : NULL;
	}
	if (o->app.session && o->app.is_new) {
		return vy_fail(e, VY_BAD_INPUT, _("--new and a session exclude each other"));
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct vy_err *e)
{
	struct given g = { 0 };
	int c, n = 0; /* words so far, which move to the front of argv */

	*o = (struct options){ 0 };
	opterr = 0;
	optind = 0; /* anew, as glibc wants it */
	while ((c = getopt_long(argc, argv, "-:h", long_options, NULL)) != -1) {
		if (c == ':') {
			return vy_fail(e, VY_BAD_INPUT, _("%s needs a value"), argv[optind - 1]);
		}
		if (c == '?') {
			return vy_fail(
				e, VY_BAD_INPUT, _("there is no option %s"), argv[optind - 1]);
		}
		if (c == 1) {
			argv[1 + n++] = optarg;
		} else {
			take_option(o, &g, c);
		}
	}
	bool is_plain = n == 0 && optind < argc; /* the first word stands behind "--" */

	while (optind < argc) {
		argv[1 + n++] = argv[optind++];
	}
	if (o->is_help || o->is_version || o->is_reset) {
		return 0;
	}
	if (take_words(o, n, (const char *const *)argv + 1, is_plain, e) != 0) {
		return -1;
	}
	if (o->app.adopt && (o->is_reader || o->app.is_new)) {
		return vy_fail(e, VY_BAD_INPUT, _("%s does not go with %s"), "--adopt",
			o->is_reader ? "--screen-reader" : "--new");
	}
	if (o->is_reader && o->verb) {
		return vy_fail(e, VY_BAD_INPUT, _("%s does not go with %s"), "--screen-reader",
			cmd_name(o->verb));
	}
	return check_given(o, &g, e);
}
