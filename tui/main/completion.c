/* completion.c -- see completion.h.
 *
 * Each script walks the line the same way: options and their values are passed over, the first
 * word is the verb, and how many stand behind it says which word of its synopsis is asked for.
 * "md|jsonl|html" there is a choice, SESSION, ASK and FOLDER are looked for, the rest is a person's
 * own. All a shell has to do beside is in the texts below. */
#include "tui/main/completion.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"
#include "tui/cmd/cmd.h"
#include "tui/main/options.h"
#include "tui/net/contact.h"
#include "shared/base/ban.h"

/* ---- what the tables say ---- */

/* The words behind a verb: "SESSION TEXT" of "[--new] [SESSION] TEXT [-]". */
static void add_kinds(const struct cmd_verb *v, struct vy_buf *out)
{
	const char *at = cmd_synopsis(v);
	bool has_one = false;

	while (*at) {
		size_t n = strcspn(at, " ");
		bool is_option = strncmp(at, "[-", 2) == 0;

		if (is_option) { /* with its value */
			n = strcspn(at, "]") + 1;
		} else {
			struct vy_str word = vy_str_n(at, n);

			if (word.p[0] == '[') {
				word = vy_str_n(word.p + 1, word.n - 2);
			}
			vy_buf_addf(out, "%s%.*s", has_one ? " " : "", VY_STR_ARG(word));
			has_one = true;
		}
		at += n;
		at += strspn(at, " ");
	}
}

static bool has_value(const struct option *o)
{
	return o->has_arg == required_argument;
}

/* "--cwd|--socket" */
static void add_value_options(const char *between, struct vy_buf *out)
{
	bool has_one = false;

	for (const struct option *o = options_all(); o->name; o++) {
		if (has_value(o)) {
			vy_buf_addf(out, "%s--%s", has_one ? between : "", o->name);
			has_one = true;
		}
	}
}

static bool is_screens(const struct option *o)
{
	return strcmp(o->name, "screen-reader") == 0 || strcmp(o->name, "adopt") == 0 ||
	       strcmp(o->name, "reset") == 0 || strcmp(o->name, "help") == 0 ||
	       strcmp(o->name, "version") == 0;
}

/* NULL: the screen's own. What main does by itself prints no JSON; what takes a server's place is
 * for what asks one. */
static bool goes_with(const struct option *o, const struct cmd_verb *v)
{
	bool is_json = strcmp(o->name, "json") == 0;

	if (!v) {
		return !is_json && (options_bit(o) & ~(unsigned)(CMD_NEW | CMD_START)) == 0;
	}
	if (cmd_is_mains(v) && (is_json || cmd_takes(v) == 0)) {
		return false;
	}
	return !is_screens(o) && (options_bit(o) & ~cmd_takes(v)) == 0;
}

static void add_options(const struct cmd_verb *v, struct vy_buf *out)
{
	bool has_one = false;

	for (const struct option *o = options_all(); o->name; o++) {
		if (goes_with(o, v)) {
			vy_buf_addf(out, "%s--%s", has_one ? " " : "", o->name);
			has_one = true;
		}
	}
}

/* In single quotes, as all three shells read them. */
static void add_quoted(const char *s, struct vy_buf *out)
{
	vy_buf_addc(out, '\'');
	for (; *s; s++) {
		if (*s == '\'') {
			vy_buf_adds(out, "'\\''");
		} else {
			vy_buf_addc(out, *s);
		}
	}
	vy_buf_addc(out, '\'');
}

/* verb) kinds='…' options='…' ;;  as bash and zsh both read it */
static void add_cases(struct vy_buf *out)
{
	const struct cmd_verb *v;

	for (size_t i = 0; (v = cmd_at(i)); i++) {
		vy_buf_addf(out, "\t%s) kinds='", cmd_name(v));
		add_kinds(v, out);
		vy_buf_adds(out, "' options='");
		add_options(v, out);
		vy_buf_adds(out, "' ;;\n");
	}
	vy_buf_adds(out, "\t'') kinds='' options='");
	add_options(NULL, out);
	vy_buf_adds(out, "' ;;\n");
}

/* ---- bash ---- */

static void add_bash(struct vy_buf *out)
{
	const struct cmd_verb *v;

	vy_buf_adds(out, "_vyre_tui() {\n"
			 "\tlocal i word value= verb= kinds= options= kind at=0\n"
			 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} server=()\n"
			 "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
			 "\t\tword=${COMP_WORDS[i]}\n"
			 "\t\tcase $word in\n"
			 "\t\t");
	add_value_options("|", out);
	vy_buf_adds(out,
		")\n"
		"\t\t\t[[ ${COMP_WORDS[i + 1]} != = ]] || ((i++))\n"
		"\t\t\t((++i < COMP_CWORD)) || { value=$word; break; }\n"
		"\t\t\tcase $word in\n"
		"\t\t\t--cwd|--socket|--state-dir|--connect) server+=(\"$word\" "
		"\"${COMP_WORDS[i]}\") ;;\n"
		"\t\t\tesac ;;\n"
		"\t\t--) [[ $verb ]] || verb=--; continue ;;\n"
		"\t\t-*) ;;\n"
		"\t\t*) if [[ $verb ]]; then ((at++)); else verb=$word; fi ;;\n"
		"\t\tesac\n"
		"\tdone\n"
		"\t[[ $cur != = ]] || cur=\n"
		"\tCOMPREPLY=()\n"
		"\tcase $value in\n"
		"\t--cwd|--state-dir) kind=FOLDER ;;\n"
		"\t--socket) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f "
		"-- \"$cur\"); return ;;\n"
		"\t-*) return ;;\n"
		"\tesac\n"
		"\tcase $verb in\n");
	add_cases(out);
	vy_buf_adds(out, "\t--) kinds='' ;;\n"
			 "\tesac\n"
			 "\tif [[ ! $kind && $cur == -* && $verb != -- ]]; then\n"
			 "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
			 "\t\treturn\n"
			 "\tfi\n"
			 "\t[[ $kind ]] || { kinds=($kinds); kind=${kinds[at]}; }\n"
			 "\t[[ $verb != -- ]] || kind=SESSION\n"
			 "\t[[ $verb ]] || [[ $kind ]] || kind=VERB\n"
			 "\tcase $kind in\n"
			 "\tVERB) word='");
	for (size_t i = 0; (v = cmd_at(i)); i++) {
		vy_buf_addf(out, "%s%s", i ? " " : "", cmd_name(v));
	}
	vy_buf_adds(out,
		"'\n"
		"\t\t[[ ! $cur ]] || word+=\" $(vyre-tui \"${server[@]}\" ls 2>/dev/null "
		"</dev/null | cut -d ' ' -f 1)\" ;;\n"
		"\tSESSION) word=$(vyre-tui \"${server[@]}\" ls 2>/dev/null </dev/null | cut "
		"-d ' ' -f 1) ;;\n"
		"\tASK) word=$(vyre-tui \"${server[@]}\" asks --json 2>/dev/null </dev/null |\n"
		"\t\tsed -n 's/.*\"ask\":\"\\([A-Za-z0-9_-]*\\)\".*/\\1/p') ;;\n"
		"\tDECISION) word='allow deny skip' ;;\n"
		"\tFOLDER) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen "
		"-d -- \"$cur\"); return ;;\n"
		"\t*\\|*) word=${kind//|/ } ;;\n"
		"\t*) return ;;\n"
		"\tesac\n"
		"\tmapfile -t COMPREPLY < <(compgen -W \"$word\" -- \"$cur\")\n"
		"}\n"
		"complete -F _vyre_tui vyre-tui\n");
}

/* ---- zsh ---- */

static void add_zsh(struct vy_buf *out)
{
	const struct cmd_verb *v;

	vy_buf_adds(out,
		"#compdef vyre-tui\n"
		"_vyre_tui() {\n"
		"\temulate -L zsh -o extended_glob\n"
		"\tlocal i word value= verb= kinds= options= kind= at=1\n"
		"\tlocal -a server list verbs\n"
		"\tfor ((i = 2; i < CURRENT; i++)); do\n"
		"\t\tword=$words[i]\n"
		"\t\tcase $word in\n"
		"\t\t(--cwd=*|--socket=*|--state-dir=*|--connect=*) server+=(${(Q)word}) ;;\n"
		"\t\t(");
	add_value_options("|", out);
	vy_buf_adds(out,
		")\n"
		"\t\t\tif ((++i >= CURRENT)); then value=$word; break; fi\n"
		"\t\t\tcase $word in\n"
		"\t\t\t(--cwd|--socket|--state-dir|--connect) server+=($word ${(Q)words[i]}) ;;\n"
		"\t\t\tesac ;;\n"
		"\t\t(--) [[ -n $verb ]] || verb=-- ;;\n"
		"\t\t(-*) ;;\n"
		"\t\t(*) if [[ -n $verb ]]; then ((at++)); else verb=$word; fi ;;\n"
		"\t\tesac\n"
		"\tdone\n"
		"\tcase $value in\n"
		"\t(--cwd|--state-dir) _files -/; return ;;\n"
		"\t(--socket) _files; return ;;\n"
		"\t(-*) return 1 ;;\n"
		"\tesac\n"
		"\tcase $verb in\n");
	add_cases(out);
	vy_buf_adds(out, "\tesac\n"
			 "\tif [[ $words[CURRENT] == -* && $verb != -- ]]; then\n"
			 "\t\tlist=(${=options}); _describe option list; return\n"
			 "\tfi\n"
			 "\tlist=(${=kinds}); kind=${list[at]}\n"
			 "\t[[ $verb != -- ]] || kind=SESSION\n"
			 "\tif [[ -z $verb ]]; then\n"
			 "\t\tverbs=(\n");
	for (size_t i = 0; (v = cmd_at(i)); i++) {
		VY_AUTO_BUF both = VY_BUF_INIT(1024);

		vy_buf_addf(&both, "%s:%s", cmd_name(v), cmd_help(v));
		vy_buf_adds(out, "\t\t\t");
		add_quoted(vy_buf_c(&both), out);
		vy_buf_addc(out, '\n');
	}
	vy_buf_adds(out,
		"\t\t)\n"
		"\t\t_describe word verbs\n"
		"\t\t[[ -n $words[CURRENT] ]] || return\n"
		"\t\tkind=SESSION\n"
		"\tfi\n"
		"\tcase $kind in\n"
		"\t(SESSION) list=(${${(f)\"$(vyre-tui $server ls 2>/dev/null "
		"</dev/null)\"}/ ##/:}) ;;\n"
		"\t(ASK) list=(${(f)\"$(vyre-tui $server asks --json 2>/dev/null </dev/null |\n"
		"\t\tsed -n 's/.*\"ask\":\"\\([A-Za-z0-9_-]*\\)\".*/\\1/p')\"}) ;;\n"
		"\t(DECISION) list=(allow deny skip) ;;\n"
		"\t(FOLDER) _files -/; return ;;\n"
		"\t(*\\|*) list=(${(s:|:)kind}) ;;\n"
		"\t(*) return 1 ;;\n"
		"\tesac\n"
		"\t_describe argument list\n"
		"}\n"
		"if [[ $funcstack[1] == _vyre-tui ]]; then _vyre_tui \"$@\"; else compdef "
		"_vyre_tui "
		"vyre-tui; fi\n");
}

/* ---- fish ---- */

static void add_fish_verb(const struct cmd_verb *v, struct vy_buf *out)
{
	VY_AUTO_BUF kinds = VY_BUF_INIT(1024);
	int at = 0;

	vy_buf_addf(out, "complete -c vyre-tui -n '__vyre_tui_at \"\" 0' -a %s -d ", cmd_name(v));
	add_quoted(cmd_help(v), out);
	vy_buf_addc(out, '\n');
	add_kinds(v, &kinds);
	for (const char *word = vy_buf_c(&kinds); *word; at++) {
		struct vy_str kind = vy_str_n(word, strcspn(word, " "));
		const char *what = vy_str_is(kind, "SESSION")    ? "(__vyre_tui_sessions)"
				   : vy_str_is(kind, "ASK")      ? "(__vyre_tui_asks)"
				   : vy_str_is(kind, "FOLDER")   ? "(__fish_complete_directories)"
				   : vy_str_is(kind, "DECISION") ? "allow deny skip"
								 : NULL;

		if (what || memchr(kind.p, '|', kind.n)) {
			vy_buf_addf(out, "complete -c vyre-tui -n '__vyre_tui_at %s %d' -a '",
				cmd_name(v), at);
			for (size_t i = 0; !what && i < kind.n; i++) {
				vy_buf_addc(out, kind.p[i] == '|' ? ' ' : kind.p[i]);
			}
			vy_buf_addf(out, "%s'\n", what ? what : "");
		}
		word += kind.n;
		word += strspn(word, " ");
	}
}

/* Offered behind the verbs it goes with; "": where none is yet. */
static void add_fish_option(const struct option *o, struct vy_buf *out)
{
	bool is_folder = strcmp(o->name, "cwd") == 0 || strcmp(o->name, "state-dir") == 0;
	const struct cmd_verb *v;

	vy_buf_addf(out, "complete -c vyre-tui -l %s", o->name);
	if (has_value(o)) {
		vy_buf_adds(out, is_folder ? " -x -a '(__fish_complete_directories)'"
				 : strcmp(o->name, "socket") == 0 ? " -r -F"
								  : " -x");
	}
	vy_buf_adds(out, " -n '__vyre_tui_verb");
	if (goes_with(o, NULL)) {
		vy_buf_adds(out, " \"\"");
	}
	for (size_t i = 0; (v = cmd_at(i)); i++) {
		if (goes_with(o, v)) {
			vy_buf_addf(out, " %s", cmd_name(v));
		}
	}
	vy_buf_adds(out, "'\n");
}

static void add_fish(struct vy_buf *out)
{
	const struct cmd_verb *v;

	vy_buf_adds(out, "function __vyre_tui_line\n"
			 "\tset -l words (commandline -opc)\n"
			 "\tset -l verb ''; set -l at 0; set -l skip 0\n"
			 "\tfor word in $words[2..-1]\n"
			 "\t\tif test $skip = 1; set skip 0; continue; end\n"
			 "\t\tswitch $word\n"
			 "\t\t\tcase ");
	add_value_options(" ", out);
	vy_buf_adds(out,
		"\n"
		"\t\t\t\tset skip 1\n"
		"\t\t\tcase '-*'\n"
		"\t\t\tcase '*'\n"
		"\t\t\t\tif test -n \"$verb\"; set at (math $at + 1); else; set verb $word; end\n"
		"\t\tend\n"
		"\tend\n"
		"\techo $verb\n"
		"\techo $at\n"
		"end\n"
		"function __vyre_tui_at\n"
		"\tset -l line (__vyre_tui_line)\n"
		"\ttest \"$line[1]\" = \"$argv[1]\" -a \"$line[2]\" = \"$argv[2]\"\n"
		"end\n"
		"function __vyre_tui_verb\n"
		"\tset -l line (__vyre_tui_line)\n"
		"\tcontains -- \"$line[1]\" $argv\n"
		"end\n"
		"function __vyre_tui_server\n"
		"\tset -l words (commandline -opc)\n"
		"\tset -l is_value 0\n"
		"\tfor word in $words[2..-1]\n"
		"\t\tif test $is_value = 1; echo $word; set is_value 0; continue; end\n"
		"\t\tswitch $word\n"
		"\t\t\tcase --cwd --socket --state-dir --connect\n"
		"\t\t\t\techo $word; set is_value 1\n"
		"\t\t\tcase '--cwd=*' '--socket=*' '--state-dir=*' '--connect=*'\n"
		"\t\t\t\techo $word\n"
		"\t\tend\n"
		"\tend\n"
		"end\n"
		"function __vyre_tui_sessions\n"
		"\tvyre-tui (__vyre_tui_server) ls 2>/dev/null </dev/null | string replace -r "
		"'^(\\S+) +' '$1\\t'\n"
		"end\n"
		"function __vyre_tui_asks\n"
		"\tvyre-tui (__vyre_tui_server) asks --json 2>/dev/null </dev/null | string match "
		"-r "
		"-g '\"ask\":\"([A-Za-z0-9_-]*)\"'\n"
		"end\n"
		"complete -c vyre-tui -f\n"
		"complete -c vyre-tui -n '__vyre_tui_at \"\" 0; and string length -q -- "
		"(commandline -ct)' -a '(__vyre_tui_sessions)'\n");
	for (size_t i = 0; (v = cmd_at(i)); i++) {
		add_fish_verb(v, out);
	}
	for (const struct option *o = options_all(); o->name; o++) {
		add_fish_option(o, out);
	}
}

int completion_print(const char *shell)
{
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	if (strcmp(shell, "bash") == 0) {
		add_bash(&out);
	} else if (strcmp(shell, "zsh") == 0) {
		add_zsh(&out);
	} else {
		add_fish(&out);
	}
	bool ok = fwrite(vy_buf_c(&out), 1, out.len, stdout) == out.len && fflush(stdout) == 0;

	return ok ? EXIT_OK : EXIT_FAILED;
}
