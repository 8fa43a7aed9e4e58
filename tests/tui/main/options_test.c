/* options_test.c -- vyre-tui's command line: what is meant, and what is wrong with it. */
#include "tests/check.h"

#include "shared/base/mem.h"
#include "tui/main/options.h"
#include "shared/base/ban.h"

#define ARGS_MAX 12

struct line {
	char *argv[ARGS_MAX];
	int argc;
};

/* Words with spaces between; "_" stands for a space within one. */
static struct line split(const char *text)
{
	struct line l = { .argc = 1 };

	l.argv[0] = vy_strdup("vyre-tui");
	while (*text) {
		size_t n = strcspn(text, " ");

		l.argv[l.argc] = vy_memdup0(text, n);
		for (char *p = l.argv[l.argc]; *p; p++) {
			*p = *p == '_' ? ' ' : *p;
		}
		l.argc++;
		text += n + (text[n] == ' ');
	}
	return l;
}

/* The value as text: "screen session=… new" or "send a|b json wait …"; or the error. */
static const char *parsed(const char *text)
{
	static char out[512];
	struct line l = split(text), kept = l;
	struct options o;
	struct vy_err e = { 0 };
	size_t n = 0;

#define ADD(...) (n += (size_t)snprintf(out + n, sizeof(out) - n, __VA_ARGS__))
	if (options_parse(&o, l.argc, l.argv, &e) != 0) {
		ADD("! %s", e.text);
	} else if (o.is_help || o.is_version || o.is_reset) {
		ADD("%s", o.is_help ? "help" : o.is_version ? "version" : "reset");
	} else if (o.shell) {
		ADD("completion %s", o.shell);
	} else if (o.verb) {
		ADD("%s", cmd_name(o.verb));
		for (size_t i = 0; i < o.cmd.n_words; i++) {
			ADD("%s%s", i ? "|" : " ", o.cmd.words[i]);
		}
		ADD("%s%s%s", o.cmd.is_new ? " +new" : "", o.cmd.is_json ? " +json" : "",
			o.cmd.is_waiting ? " +wait" : "");
		ADD("%s%s", o.cmd.message ? " message=" : "", o.cmd.message ? o.cmd.message : "");
		ADD("%s%s", o.cmd.cwd ? " cwd=" : "", o.cmd.cwd ? o.cmd.cwd : "");
		ADD("%s%s", o.cmd.socket ? " socket=" : "", o.cmd.socket ? o.cmd.socket : "");
	} else {
		ADD("screen %s", o.app.session ? o.app.session : "-");
		ADD("%s", o.app.is_new ? " +new" : "");
		ADD("%s%s", o.app.provider ? " provider=" : "",
			o.app.provider ? o.app.provider : "");
		ADD("%s%s", o.app.model ? " model=" : "", o.app.model ? o.app.model : "");
		ADD("%s%s", o.app.connect ? " connect=" : "", o.app.connect ? o.app.connect : "");
		ADD("%s%s", o.app.state_dir ? " dir=" : "", o.app.state_dir ? o.app.state_dir : "");
	}
#undef ADD
	for (int i = 0; i < kept.argc; i++) {
		free(kept.argv[i]);
	}
	return out;
}

static void lines(void **unused)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "", "screen -" },
		{ "--new --provider demo --model opus", "screen - +new provider=demo model=opus" },
		{ "fix-login", "screen fix-login" },
		{ "--state-dir /s --connect=http://127.0.0.1:8 3f2a",
			"screen 3f2a connect=http://127.0.0.1:8 dir=/s" },
		{ "open ls", "screen ls" },
		{ "-- ls", "screen ls" },
		{ "-- open", "screen open" },
		{ "ls", "ls" },
		{ "--json ls", "ls +json" },
		{ "ls --json --cwd /x", "ls +json cwd=/x" },
		{ "send hello --wait", "send hello +wait" },
		{ "--wait send --json 3f2a hello_world --socket=/s",
			"send 3f2a|hello world +json +wait socket=/s" },
		{ "send -", "send -" },
		{ "send review_this -", "send review this|-" },
		{ "send --new --wait review_this -", "send review this|- +new +wait" },
		{ "send -- --wait", "send --wait" },
		{ "send -- -- x", "send --|x" },
		{ "-- send x", "! there is no command send" },
		{ "answer A deny --message not_there", "answer A|deny message=not there" },
		{ "send --message x y", "! --message does not go with send" },
		{ "ls --wait", "! --wait does not go with ls" },
		{ "tail --new", "! --new does not go with tail" },
		{ "new --wait say:1", "new say:1 +wait" },
		{ "--json", "! --json goes with a command: send, tail …" },
		{ "--wait fix", "! --wait goes with a command: send, tail …" },
		{ "--new fix", "! --new and a session exclude each other" },
		{ "fix login", "! there is no command fix" },
		{ "open", "! open which session? (vyre-tui ls lists them)" },
		{ "open fix the_login", "screen fix the login" },
		{ "open ls --state-dir /s", "screen ls dir=/s" },
		{ "open a --new", "! --new and a session exclude each other" },
		{ "open a --wait", "! --wait goes with a command: send, tail …" },
		{ "completion zsh", "completion zsh" },
		{ "completion", "! usage: vyre-tui completion bash|zsh|fish" },
		{ "completion tcsh", "! usage: vyre-tui completion bash|zsh|fish" },
		{ "completion bash fish", "! usage: vyre-tui completion bash|zsh|fish" },
		{ "--bogus", "! there is no option --bogus" },
		{ "ls --bogus=3", "! there is no option --bogus=3" },
		{ "-x", "! there is no option -x" },
		{ "ls --cwd", "! --cwd needs a value" },
		{ "--help", "help" },
		{ "send a b c d e -h", "help" },
		{ "--version ls", "version" },
		{ "--reset", "reset" },
	};

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_str(rows[i].line, parsed(rows[i].line), rows[i].want);
	}
}

CHECK_MAIN(CHECK_TEST(lines))
