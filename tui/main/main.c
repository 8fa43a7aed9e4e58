/* main.c -- vyre-tui: the screen, or one word without it. */
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "config.h"
#include "tui/app/app.h"
#include "tui/cmd/cmd.h"
#include "tui/main/options.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

int main(int argc, char **argv)
{
	struct options o;
	struct vy_err e;

	words_init();
	umask(077);
	signal(SIGPIPE, SIG_IGN);
	if (options_parse(&o, argc, argv, &e) != 0) {
		fprintf(stderr, "vyre-tui: %s (vyre-tui --help)\n", e.text);
		return CMD_USAGE;
	}
	if (o.is_help) {
		options_usage();
		return 0;
	}
	if (o.is_version) {
		puts("vyre-tui " PACKAGE_VERSION);
		return 0;
	}
	return o.cmd.word ? cmd_run(&o.cmd) : app_run(&o.app);
}
