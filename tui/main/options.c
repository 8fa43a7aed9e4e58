/* options.c -- see options.h. */
#include "tui/main/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tui/words/words.h"
#include "shared/base/ban.h"

enum { NEW = 256, PROVIDER, MODEL, CWD, SOCKET, STATE_DIR, JSON, WAIT, HELP, VERSION };

static const struct option table[] = {
	{ "new", no_argument, NULL, NEW },
	{ "provider", required_argument, NULL, PROVIDER },
	{ "model", required_argument, NULL, MODEL },
	{ "cwd", required_argument, NULL, CWD },
	{ "socket", required_argument, NULL, SOCKET },
	{ "state-dir", required_argument, NULL, STATE_DIR },
	{ "json", no_argument, NULL, JSON },
	{ "wait", no_argument, NULL, WAIT },
	{ "help", no_argument, NULL, HELP },
	{ "version", no_argument, NULL, VERSION },
	{ NULL, 0, NULL, 0 },
};

void options_usage(void)
{
	puts("usage: vyre-tui [SESSION] [--new] [--provider NAME] [--model NAME] [--cwd FOLDER]\n"
	     "                [--socket PATH] [--state-dir FOLDER]\n"
	     "       vyre-tui ls\n"
	     "       vyre-tui new [TEXT] [--wait]\n"
	     "       vyre-tui send [SESSION] TEXT [-] [--new] [--wait]\n"
	     "       vyre-tui tail [SESSION]\n"
	     "       vyre-tui asks [SESSION]\n"
	     "       vyre-tui answer ASK DECISION [WORDS]\n"
	     "       vyre-tui interrupt [SESSION]\n"
	     "       vyre-tui stop [SESSION]\n"
	     "       vyre-tui status\n"
	     "       vyre-tui --help | --version");
	puts(_("Each word takes --json. Without SESSION it is the newest of this folder."));
}

static void take(struct options *o, int option, const char *value)
{
	switch (option) {
	case NEW: o->app.is_new = o->cmd.is_new = true; break;
	case PROVIDER: o->app.provider = o->cmd.provider = value; break;
	case MODEL: o->app.model = o->cmd.model = value; break;
	case CWD: o->app.cwd = o->cmd.cwd = value; break;
	case SOCKET: o->app.socket = o->cmd.socket = value; break;
	case STATE_DIR: o->app.state_dir = o->cmd.state_dir = value; break;
	case JSON: o->cmd.is_json = true; break;
	case WAIT: o->cmd.is_wait = true; break;
	case HELP: o->is_help = true; break;
	case VERSION: o->is_version = true; break;
	default: break;
	}
}

static int check(const struct options *o, int n, char **rest, struct vy_err *e)
{
	if (!o->cmd.word && n > 1) {
		return vy_fail(e, VY_BAD_INPUT, _("there is no word %s"), rest[0]);
	}
	if (!o->cmd.word && (o->cmd.is_json || o->cmd.is_wait)) {
		return vy_fail(e, VY_BAD_INPUT, _("--json and --wait belong to a word"));
	}
	if (!o->cmd.word && n == 1 && o->app.is_new) {
		return vy_fail(e, VY_BAD_INPUT, _("--new and a session exclude each other"));
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct vy_err *e)
{
	int option;

	*o = (struct options){ .is_help = false };
	opterr = 0;
	optind = 0; /* begins anew: a test parses many */
	while ((option = getopt_long(argc, argv, ":", table, NULL)) != -1) {
		const char *at = argv[optind - 1];

		if (option == ':') {
			return vy_fail(e, VY_BAD_INPUT, _("%s needs a value"), at);
		}
		if (option == '?') {
			return vy_fail(e, VY_BAD_INPUT, _("there is no option %s"), at);
		}
		take(o, option, optarg);
	}
	argc -= optind;
	argv += optind;
	if (argc > 0 && cmd_is_word(argv[0])) {
		o->cmd.word = argv[0];
		o->cmd.args = (const char *const *)argv + 1;
		o->cmd.n_args = argc - 1;
	} else if (argc > 0) {
		o->app.session = argv[0];
	}
	return o->is_help || o->is_version ? 0 : check(o, argc, argv, e);
}
