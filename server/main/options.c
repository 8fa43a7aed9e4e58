/* options.c -- see options.h. */
#include "server/main/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/base/ban.h"

static const struct option long_options[] = {
	{ "foreground", no_argument, NULL, 'f' },
	{ "config", required_argument, NULL, 'c' },
	{ "state-dir", required_argument, NULL, 's' },
	{ "socket", required_argument, NULL, 'S' },
	{ "listen", required_argument, NULL, 'l' },
	{ "log-level", required_argument, NULL, 'L' },
	{ "all", no_argument, NULL, 'a' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 },
};

void options_usage(void)
{
	puts("usage: vyred [--foreground] [--config FILE] [--state-dir DIR] [--socket PATH]\n"
	     "             [--listen ADDR:PORT] [--log-level debug|info|warn|error|none]\n"
	     "       vyred stop [--all]            end the server; --all ends every session first\n"
	     "       vyred doctor                  is everything there that sessions need?\n"
	     "       vyred verify                  is the journal as it was written?\n"
	     "       vyred backup FILE             copy the database, also while the server works\n"
	     "       vyred restore FILE            put a backup in its place; the old one is kept\n"
	     "       vyred secret set|list|remove  keys for agents, read from the terminal\n"
	     "       vyred hook install|remove|status  hooks for a claude in a terminal\n"
	     "       vyred provider check NAME     does that agent do what vyre promises of it?\n"
	     "       vyred agent-demo              the built-in agent (speaks on stdin and "
	     "stdout)\n"
	     "See vyred(8).");
}

int options_parse(struct options *o, int argc, char **argv, struct vy_err *e)
{
	int c;

	*o = (struct options){ .command = "serve" };
	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
		switch (c) {
		case 'f': o->is_foreground = true; break;
		case 'c': o->config = optarg; break;
		case 's': o->state_dir = optarg; break;
		case 'S': o->socket = optarg; break;
		case 'l': o->listen = optarg; break;
		case 'L': o->log_level = optarg; break;
		case 'a': o->is_all = true; break;
		case 'h': o->is_help = true; break;
		case 'V': o->is_version = true; break;
		case ':': return vy_fail(e, VY_BAD_INPUT, "%s needs a value", argv[optind - 1]);
		default: return vy_fail(e, VY_BAD_INPUT, "there is no option %s", argv[optind - 1]);
		}
	}
	if (optind < argc) {
		o->command = argv[optind++];
	}
	o->rest = (const char *const *)(argv + optind);
	o->n_rest = argc - optind;
	return 0;
}

int options_paths(const struct options *o, char **state_dir, char **config, struct vy_err *e)
{
	*state_dir = o->state_dir ? vy_place_absolute(o->state_dir)
				  : vy_place_xdg("XDG_STATE_HOME", ".local/state", "vyre");
	*config = o->config ? vy_place_absolute(o->config)
			    : vy_place_xdg("XDG_CONFIG_HOME", ".config", "vyre/vyred.conf");
	if (!*state_dir || !*config) {
		free(*state_dir);
		free(*config);
		*state_dir = *config = NULL;
		return vy_fail(e, VY_BAD_INPUT,
			"HOME is not set: give --state-dir and --config, or set it");
	}
	return 0;
}
