/* source.c -- the text of a program that an interpreter is given on its command line, by a pipe or
 * a here-document. It is not parsed: its strings are paths and commands, and whether it writes or
 * runs anything is told by the words it would need for that. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

#define STRINGS_MAX 2000
#define GAP_MAX     40 /* between strings that are put together */

static const struct {
	const char *program;
	const char *flags; /* letters behind which its program stands; "": its first operand */
	bool is_shell;
} interpreters[] = {
	{ "sh", "c", true },
	{ "bash", "c", true },
	{ "dash", "c", true },
	{ "ash", "c", true },
	{ "zsh", "c", true },
	{ "ksh", "c", true },
	{ "mksh", "c", true },
	{ "rbash", "c", true },
	{ "fish", "c", true },
	{ "python", "c", false },
	{ "perl", "eE", false },
	{ "ruby", "e", false },
	{ "node", "ep", false },
	{ "nodejs", "ep", false },
	{ "bun", "e", false },
	{ "deno", NULL, false },
	{ "php", "rR", false },
	{ "lua", "e", false },
	{ "luajit", "e", false },
	{ "tclsh", "", false },
	{ "osascript", "e", false },
	{ "Rscript", "e", false },
	{ "guile", "c", false },
	{ "emacs", NULL, false },
	{ "make", "\1", true }, /* a makefile that is piped in */
	{ "sqlite3", NULL, false },
	{ "awk", "", false },
	{ "gawk", "", false },
	{ "mawk", "", false },
	{ "sed", "ef", false },
	{ "sed", "", false },
	{ "vim", NULL, false },
	{ "nvim", NULL, false },
	{ "ex", NULL, false },
	{ "ed", NULL, false },
};

/* ---- what a text can do ---- */

static bool holds_one(struct vy_str text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (judge_holds(text, words[i])) {
			return true;
		}
	}
	return false;
}

/* `print > "f"`, `open(F, ">f")`, and no arrow. */
static bool has_redirection(struct vy_str text)
{
	for (size_t i = 0; i + 1 < text.n; i++) {
		size_t k = i + 1;

		if (text.p[i] != '>' || (i > 0 && guard_is_any("=-", text.p[i - 1]))) {
			continue;
		}
		k += k < text.n && text.p[k] == '>';
		k += k < text.n && text.p[k] == ' ';
		if (k < text.n && (guard_is_any("\"'./~", text.p[k]) ||
					  (i > 0 && guard_is_any("\"'", text.p[i - 1])))) {
			return true;
		}
	}
	return false;
}

static bool is_writing(struct vy_str text)
{
	static const char *const words[] = { "write", "'w", "\"w", "'a'", "\"a\"", "'a+", "'r+",
		"\"r+", "'x'", "\"x\"", "unlink", "remove", "rename", "replace(", "rmtree", "copy",
		"move(", "shutil", "truncate", "chmod", "symlink", "link(", "dump(", "save", "rm(",
		"rm_", "rmSync", "append", "+<", "put_contents", "mkdir", "touch" };

	return holds_one(text, words, VY_COUNT(words)) || has_redirection(text);
}

static bool is_running(struct vy_str text)
{
	static const char *const words[] = { "system", "exec", "popen", "Popen", "spawn",
		"subprocess", "check_output", "check_call", "run(", "`", "qx", "%x", "pty.",
		"shell", "call(", "do shell script", "|getline", "| getline", ":!", "kill" };

	return holds_one(text, words, VY_COUNT(words));
}

static bool is_taking(struct vy_str text)
{
	static const char *const words[] = { "rmtree", "rm_rf", "rm_r(", "rmSync", "fs.rm(",
		"rimraf", "remove_tree", "remove_dir_all", "RemoveAll" };

	return holds_one(text, words, VY_COUNT(words));
}

/* ---- its strings ---- */

/* What it could do. */
struct can {
	bool write, run, take; /* take: with all that is in a folder */
};

struct literals {
	struct vy_str v[4]; /* the newest last */
	size_t n;
	const char *end; /* where the newest ended */
};

static struct vy_str put_together(
	struct judge *j, struct vy_str a, const char *between, struct vy_str b)
{
	return vy_str_c(
		vy_arena_printf(j->scope.a, "%.*s%s%.*s", VY_STR_ARG(a), between, VY_STR_ARG(b)));
}

/* A string alone, and behind the one or two before it: 'a' + 'b', join('a', 'b'), 'a' / 'b'. */
static void as_path(struct judge *j, const struct literals *l, enum guard_use use)
{
	struct vy_str s = l->v[l->n - 1];

	judge_path(j, s, use);
	if (s.n > 256) {
		return;
	}
	for (size_t i = l->n - 1; i > 0; i--) {
		struct vy_str before = l->v[i - 1];

		if (before.n > 256 || s.n > 512) {
			return;
		}
		judge_path(j, put_together(j, before, "", s), use);
		s = put_together(j, before, "/", s);
		judge_path(j, s, use);
	}
}

/* ["rm", "-rf", "/"]: the strings that stand together are one command, too. */
static void as_command(struct judge *j, struct guard_strs *list)
{
	if (list->n > 1) {
		struct call c = { .v = list->v, .n = list->n };

		judge_words(j, &c);
	}
	list->n = 0;
}

static bool is_near(const struct literals *l, const char *at)
{
	if (!l->end || at - l->end > GAP_MAX) {
		return false;
	}
	for (const char *p = l->end; p < at; p++) {
		if (*p == ';' || *p == '\n') {
			return false;
		}
	}
	return true;
}

/* %q(…), qx{…}: where the string behind text[i] ends, if one begins there. */
static size_t bracketed(struct vy_str text, size_t i)
{
	static const char open[] = "({[", close[] = ")}]";
	const char *at = memchr(open, text.p[i], 3);
	int depth = 1;
	size_t k = i + 1;

	if (!at || i < 2 || !guard_is_any("qQxwW", text.p[i - 1]) ||
		!guard_is_any("%q (=;{", text.p[i - 2])) {
		return 0;
	}
	for (; k < text.n && depth > 0; k++) {
		depth += (text.p[k] == text.p[i]) - (text.p[k] == close[at - open]);
	}
	return depth == 0 ? k - 1 : 0;
}

static void each_string(struct judge *j, struct vy_str text, struct can can)
{
	struct literals l = { .n = 0 };
	struct guard_strs list = { NULL, 0, 0 };
	size_t found = 0;

	for (size_t i = 0; i < text.n && found < STRINGS_MAX && !judge_is_done(j); i++) {
		char quote = text.p[i];
		size_t from = i + 1, at = bracketed(text, i);

		if (at == 0 && quote != '\'' && quote != '"' && quote != '`') {
			continue;
		}
		if (at == 0) {
			at = from;
			while (at < text.n && text.p[at] != quote) {
				at += 1 + (text.p[at] == '\\');
			}
		}
		if (at > text.n) {
			at = text.n;
		}
		struct vy_str s = vy_str_n(text.p + from, at - from);

		if (!is_near(&l, text.p + i)) {
			l.n = 0;
			if (can.run) {
				as_command(j, &list);
			}
		}
		if (l.n == VY_COUNT(l.v)) {
			memmove(l.v, l.v + 1, sizeof(l.v) - sizeof(l.v[0]));
			l.n--;
		}
		l.v[l.n++] = s;
		l.end = text.p + at;
		guard_strs_add(&list, s, j->scope.a);
		as_path(j, &l, can.take ? GUARD_REPLACE : can.write ? GUARD_WRITE : GUARD_READ);
		if (can.take) {
			judge_gone(j, s);
		}
		if (can.run && s.n > 1) {
			judge_line(j, s);
		}
		found++;
		i = at;
	}
	if (can.run) {
		as_command(j, &list);
	}
	if (found >= STRINGS_MAX) {
		judge_every_word(j, text);
	}
}

/* Words outside of strings that are paths: `qw(…)`, a patch's names, sed's "w file". */
static void each_path(struct judge *j, struct vy_str text, bool writes)
{
	static const char stops[] = " \t\n\"'`(),;=<>|[]{}";
	size_t from = 0;

	for (size_t i = 0; i <= text.n && !judge_is_done(j); i++) {
		if (i < text.n && !memchr(stops, text.p[i], sizeof(stops) - 1)) {
			continue;
		}
		struct vy_str w = vy_str_n(text.p + from, i - from);

		if (w.n > 4 && w.n < 1024 && (memchr(w.p, '/', w.n) || w.p[0] == '.')) {
			judge_path(j, w, writes ? GUARD_WRITE : GUARD_READ);
			if (w.n > 2 && w.p[1] == '/') { /* "b/x" of a patch */
				judge_path(j, vy_str_from(w, 2), writes ? GUARD_WRITE : GUARD_READ);
			}
		}
		from = i + 1;
	}
}

static void program(struct judge *j, struct vy_str text, bool writes)
{
	struct can can = { writes, is_running(text), is_taking(text) };
	const char *rule = writes ? guard_place_in_text(text, j->scope.c) : NULL;

	if (text.n == 0) {
		return;
	}
	if (rule) {
		judge_say(j, GUARD_DENY, rule, text);
	}
	each_string(j, text, can);
	each_path(j, text, writes);
}

void judge_program(struct judge *j, struct vy_str text)
{
	program(j, text, is_writing(text));
}

/* ---- where it stands ---- */

/* Editors write what they are told to; sed where it has a "w". */
static bool is_editor(struct vy_str program, struct vy_str text)
{
	if (vy_str_is(program, "sqlite3")) {
		return judge_holds(text, ".o") || judge_holds(text, ".backup") ||
		       judge_holds(text, ".save") || judge_holds(text, "writefile");
	}
	return judge_is_one_of(program, "ed ex vim nvim emacs");
}

/* sed's "w file", alone or behind a substitution. */
static void sed_writes(struct judge *j, struct vy_str text)
{
	for (size_t i = 0; i + 2 < text.n; i++) {
		bool begins = i == 0 || guard_is_any("/;}| \n0123456789$gpIi,#", text.p[i - 1]);
		size_t n = i + 2;

		if (!begins || !guard_is_any("wW", text.p[i]) || text.p[i + 1] != ' ') {
			continue;
		}
		while (n < text.n && !guard_is_any("\n;}", text.p[n])) {
			n++;
		}
		judge_path(j, vy_str_trim(vy_str_n(text.p + i + 2, n - i - 2)), GUARD_WRITE);
	}
}

static void text_of(struct judge *j, const struct call *c, bool is_shell, struct vy_str text)
{
	if (is_shell) {
		judge_line(j, text);
	} else {
		if (vy_str_is(c->program, "sed")) {
			sed_writes(j, text);
			return;
		}
		program(j, text, is_editor(c->program, text) || is_writing(text));
		if (judge_is_one_of(c->program, "ed ex vim nvim")) { /* :!command */
			const char *bang = text.n ? memchr(text.p, '!', text.n) : NULL;

			judge_line(j, bang ? vy_str_from(text, (size_t)(bang - text.p) + 1)
					   : vy_str_n(NULL, 0));
		}
		if (vy_str_is(c->program, "sqlite3") &&
			(vy_str_starts(text, ".shell ") || vy_str_starts(text, ".system "))) {
			judge_line(j, vy_str_from(text, 7));
		}
	}
}

/* A letter of `flags` at the end of others ("-lc", "-pe"); `rest` is what stands behind it ("-eX"). */
static bool is_program_flag(struct vy_str w, const char *flags, struct vy_str *rest)
{
	*rest = vy_str_n(NULL, 0);
	if (!is_flag(w)) {
		return false;
	}
	if (w.p[1] == '-') {
		return judge_is_one_of(w, "--eval --print --command --expression --execute");
	}
	for (size_t i = 1; i < w.n && i < 8; i++) {
		if (guard_is_any(flags, w.p[i])) {
			*rest = vy_str_from(w, i + 1);
			return true;
		}
	}
	return false;
}

static void set_args(struct judge *j, const struct call *c, size_t from)
{
	for (size_t i = from; i < c->n && i < from + 64; i++) {
		guard_strs_add(&j->scope.args, c->v[i], j->scope.a);
	}
}

/* Of a shell: "-o pipefail", "-euo pipefail". */
static bool takes_word(struct vy_str w)
{
	return judge_is_one_of(w, "+o +O --rcfile --init-file") ||
	       (is_flag(w) && w.p[1] != '-' && guard_is_any("oO", w.p[w.n - 1]));
}

static void flagged(struct judge *j, const struct call *c, const char *flags, bool is_shell)
{
	struct vy_str rest;

	for (size_t i = 0; i < c->n && !judge_is_done(j); i++) {
		if (is_program_flag(c->v[i], flags, &rest)) {
			if (is_shell) {
				set_args(j, c, i + 2);
			}
			text_of(j, c, is_shell,
				rest.n && !is_shell ? rest
				: i + 1 < c->n      ? c->v[i + 1]
						    : rest);
			if (is_shell) {
				return;
			}
		} else if (is_shell && takes_word(c->v[i])) {
			i++;
		} else if (!is_flag(c->v[i]) && is_shell) {
			return; /* a script: its words are its own */
		}
	}
}

static bool reads_stdin(const struct call *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!is_flag(c->v[i]) || vy_str_is(c->v[i], "-c")) {
			return vy_str_is(c->v[i], "-") || vy_str_is(c->v[i], "/dev/stdin");
		}
		if (vy_str_is(c->v[i], "-s") || vy_str_is(c->v[i], "-")) {
			return true;
		}
	}
	return true;
}

static bool is_named(struct vy_str program, const char *name)
{
	size_t n = strlen(name);

	if (!vy_str_starts(program, name)) {
		return false;
	}
	for (size_t i = n; i < program.n; i++) { /* python3.11 */
		if (!guard_is_any("0123456789.", program.p[i])) {
			return false;
		}
	}
	return true;
}

void judge_source(struct judge *j, const struct call *c)
{
	for (size_t i = 0; i < VY_COUNT(interpreters) && !judge_is_done(j); i++) {
		const char *flags = interpreters[i].flags;
		bool is_shell = interpreters[i].is_shell;

		if (!is_named(c->program, interpreters[i].program)) {
			continue;
		}
		if (flags && *flags) {
			flagged(j, c, flags, is_shell);
		}
		for (size_t k = 0; k < c->n && (!flags || !*flags); k++) {
			if (!is_flag(c->v[k]) || !flags) {
				text_of(j, c, is_shell, c->v[k]);
				if (flags) {
					break;
				}
			}
		}
		text_of(j, c, is_shell, c->here);
		if (c->piped.n && (reads_stdin(c) || !is_shell)) {
			text_of(j, c, is_shell, c->piped);
		}
		if (c->is_piped_unknown && reads_stdin(c) && flags && *flags) {
			judge_say(j, GUARD_ASK, "hidden", c->program);
		}
	}
}
