/* main.c -- vyre-tui: the screen, or a command. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <sys/stat.h>
#include <unistd.h>

#include <config.h>
#include "shared/base/log.h"
#include "tui/app/app.h"
#include "tui/cmd/cmd.h"
#include "tui/cmd/reader.h"
#include "tui/ink/rescue.h"
#include "tui/main/completion.h"
#include "tui/main/config.h"
#include "tui/main/options.h"
#include "tui/net/contact.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define USAGE_CELLS 36 /* of a verb and its words; what it does stands behind, or below */

static void usage(void)
{
	const struct cmd_verb *v;

	fputs(_("usage: vyre-tui [SESSION] [--new] [--provider NAME] [--model NAME]\n"), stdout);
	for (size_t i = 0; (v = cmd_at(i)); i++) {
		char left[80];
		int n = snprintf(left, sizeof(left), "%s %s", cmd_name(v), cmd_synopsis(v));

		printf("       vyre-tui %-*s%s%*s %s\n", USAGE_CELLS, left,
			n > USAGE_CELLS ? "\n" : "", n > USAGE_CELLS ? USAGE_CELLS + 16 : 0, "",
			cmd_help(v));
	}
	fputs(_("       vyre-tui --adopt [FILTER]                     what other programs left, to "
		"choose "
		"from\n"),
		stdout);
	fputs(_("       vyre-tui --reset                              a terminal in disorder\n"
		"       vyre-tui --screen-reader [SESSION]            the chat as words that only "
		"grow\n"
		"       vyre-tui --help | --version\n"
		"\n"
		"SESSION is an id, the beginning of one, or a title; without it, it is the newest "
		"of\n"
		"this folder. Each command takes --json: one object a line. send and new take "
		"--wait:\n"
		"the answer as it comes, and its outcome as the exit status.\n"
		"Everywhere: --cwd FOLDER, --socket PATH, --state-dir FOLDER, --connect URL.\n"),
		stdout);
}

/* A terminal that another program left in disorder. */
static int reset_terminal(void)
{
	struct termios t;

	if (!isatty(1)) {
		fputs(_("vyre-tui: --reset is for a terminal\n"), stderr);
		return EXIT_FAILED;
	}
	fputs(rescue_string, stdout);
	fflush(stdout);
	if (tcgetattr(1, &t) != 0) {
		return EXIT_FAILED;
	}
	t.c_iflag = (t.c_iflag & ~(tcflag_t)(INLCR | IGNCR | ISTRIP)) | BRKINT | ICRNL | IXON;
	t.c_oflag |= OPOST | ONLCR;
	t.c_cflag |= CREAD;
	t.c_lflag = (t.c_lflag & ~(tcflag_t)NOFLSH) | ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK;
	return tcsetattr(1, TCSADRAIN, &t) == 0 ? EXIT_OK : EXIT_FAILED;
}

/* A caller may have closed these; then the first file we open would be taken for one of them. */
static void have_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= 2);
	if (fd > 2) {
		close(fd);
	}
}

static int run_screen(const struct app_options *given)
{
	struct app_options o = *given;
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	struct tui_config c;

	tui_config_init(&c);
	tui_config_path(getenv("XDG_CONFIG_HOME"), getenv("HOME"), &path);
	tui_config_read(&c, vy_buf_c(&path));
	o.settings = &c.settings;
	o.keymap = &c.keymap;
	o.trouble = c.trouble;
	int code = app_run(&o);

	tui_config_fini(&c);
	return code;
}

int main(int argc, char **argv)
{
	struct options o;
	struct vy_err e = { 0 };

	have_standard_files();
	umask(077);
	words_init();
	vy_log_set_level(VY_LOG_ERROR);
	if (options_parse(&o, argc, argv, &e) != 0) {
		fprintf(stderr, "vyre-tui: %s (vyre-tui --help)\n", e.text);
		return EXIT_USAGE;
	}
	if (o.is_help) {
		usage();
		return EXIT_OK;
	}
	if (o.is_version) {
		puts("vyre-tui " PACKAGE_VERSION);
		return EXIT_OK;
	}
	if (o.is_reset) {
		return reset_terminal();
	}
	if (o.is_reader) {
		return reader_run(o.app.session, &o.cmd);
	}
	if (o.shell) {
		return completion_print(o.shell);
	}
	return o.verb ? cmd_run(o.verb, &o.cmd) : run_screen(&o.app);
}
