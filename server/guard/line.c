/* line.c -- a shell's line: its commands in order, what one hands the next, and the programs that
 * only run another one, taken off until the one is left that does something. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

#define DEPTH_MAX     16 /* of lines and wrapped calls in each other */
#define WRAPPERS_MAX  24
#define PIPED_MAX     3000 /* commands looked at for what they print, in all */
#define FUNCTIONS_MAX 16
#define TEXT_MAX      (128 * VY_KIB) /* an argument of a program is no longer: execve(2) */
#define SHOWN_MAX     60
#define FILTERS_MAX   4

struct line {
	struct judge *j;
	const struct guard_commands *cmds;
	struct vy_str *folders; /* of each shell; empty: not there yet */
};

/* ---- what comes in by a pipe ---- */

static void add_joined(struct vy_buf *b, const struct guard_strs *w, size_t from)
{
	for (size_t i = from; i < w->n; i++) {
		if (i > from || b->len) {
			vy_buf_addc(b, ' ');
		}
		vy_buf_addstr(b, w->v[i]);
	}
}

static void expand_all(struct judge *j, const struct guard_command *cmd, struct guard_strs *w)
{
	for (size_t i = 0; i < cmd->n; i++) {
		guard_expand(&j->scope, cmd->words[i], w);
	}
}

static bool is_filter(struct vy_str program)
{
	return judge_is_one_of(
		program, "cat tee sort uniq head tail sed grep egrep tr cut awk sponge");
}

static bool is_decoder(struct vy_str program, const struct guard_strs *w)
{
	return judge_is_one_of(program,
		       "base64 base32 basenc xxd uudecode openssl gunzip zcat bunzip2 "
		       "xzcat unxz zstdcat rev curl wget nc ncat socat gpg") ||
	       (vy_str_is(program, "gzip") && judge_has_flag(w->v, w->n, 'd', "--decompress"));
}

static void pipe_in(
	struct line *l, size_t from, size_t until, int filters, struct vy_buf *b, struct call *to)
{
	for (size_t i = from; i < until && i < l->cmds->n; i++) {
		if (l->j->piped++ > PIPED_MAX) { /* more is not followed */
			to->is_piped_unknown = true;
			return;
		}
		const struct guard_command *cmd = &l->cmds->v[i];
		struct guard_strs w = { NULL, 0, 0 };

		expand_all(l->j, cmd, &w);
		if (w.n == 0) {
			continue;
		}
		struct vy_str program = judge_base(w.v[0]);

		if (judge_is_one_of(program, "echo printf")) {
			add_joined(b, &w, 1);
		} else if (vy_str_is(program, "find")) {
			judge_found(&w, b);
		} else if (judge_is_one_of(program, "ls realpath readlink")) {
			add_joined(b, &w, 1);
		}
		vy_buf_addc(b, '\n');
		vy_buf_addstr(b, cmd->here);
		to->is_piped_unknown |= is_decoder(program, &w);
		for (size_t k = 0; k < w.n; k++) {
			to->is_piped_from_ours |=
				judge_holds(w.v[k], "vyre") || judge_holds(w.v[k], "claude");
		}
		if (filters < FILTERS_MAX && cmd->until > cmd->from &&
			(is_filter(program) || is_decoder(program, &w))) {
			pipe_in(l, cmd->from, cmd->until, filters + 1, b, to);
		}
	}
}

/* ---- built in ---- */

/* Variables whose value other programs run. */
static bool is_command_variable(struct vy_str name)
{
	return judge_is_one_of(name,
		"GIT_SSH_COMMAND GIT_PAGER GIT_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS "
		"PAGER MANPAGER EDITOR VISUAL BROWSER SSH_ASKPASS PROMPT_COMMAND "
		"RSYNC_RSH");
}

void judge_assign(struct judge *j, struct vy_str word, size_t value_at)
{
	struct guard_strs values = { NULL, 0, 0 };
	size_t n = value_at - 1;
	const char *bracket = memchr(word.p, '[', n);

	n -= n > 0 && word.p[n - 1] == '+';
	n = bracket ? (size_t)(bracket - word.p) : n;
	guard_expand(&j->scope, vy_str_from(word, value_at), &values);
	guard_scope_set(&j->scope, vy_str_n(word.p, n), &values);
	if (is_command_variable(vy_str_n(word.p, n))) {
		judge_line(j, vy_str_from(word, value_at));
	}
	if (vy_str_starts(word, "VYRE_HOLDER=")) {
		judge_say(j, GUARD_DENY, "way-out", word);
	}
	if (vy_str_starts(word, "OPENCODE_PERMISSION=") || vy_str_starts(word, "GOOSE_MODE=auto")) {
		judge_say(j, GUARD_DENY, "lax-session", word);
	}
	if (vy_str_starts(word, "GIT_CONFIG_VALUE")) {
		judge_say(j, GUARD_ASK, "hidden", word);
	}
}

/* `read a b`, `for a in …`: words that become values. */
static void set_words(struct judge *j, struct vy_str name, struct vy_str text)
{
	struct guard_strs values = { NULL, 0, 0 };

	while (text.n && values.n < 64) {
		size_t n = 0;

		text = vy_str_trim(text);
		while (n < text.n && !guard_is_any(" \t\n", text.p[n])) {
			n++;
		}
		if (n) {
			guard_strs_add(&values, vy_str_n(text.p, n), j->scope.a);
		}
		text = vy_str_from(text, n);
	}
	guard_scope_set(&j->scope, name, &values);
}

static bool built_in(struct judge *j, const struct call *c)
{
	if (judge_is_one_of(c->program, "for select") && c->n > 1) {
		struct guard_strs values = { .v = (struct vy_str *)c->v + 1, .n = c->n - 1 };

		guard_scope_set(&j->scope, c->v[0], &values);
	} else if (judge_is_one_of(c->program, "read mapfile readarray")) {
		for (size_t i = 0; i < c->n && i < 16; i++) {
			if (!is_flag(c->v[i])) {
				set_words(j, c->v[i], c->here);
				set_words(j, c->v[i], c->piped);
			}
		}
	} else if (vy_str_is(c->program, "printf") && c->n > 1 && vy_str_is(c->v[0], "-v")) {
		struct guard_strs values = { .v = (struct vy_str *)c->v + 2, .n = c->n - 2 };

		guard_scope_set(&j->scope, c->v[1], &values);
	} else if (judge_is_one_of(c->program, "export declare typeset local readonly")) {
		for (size_t i = 0; i < c->n; i++) {
			size_t at = guard_assignment(c->v[i]);

			if (at) {
				judge_assign(j, c->v[i], at);
			}
		}
	} else if (vy_str_is(c->program, "set")) {
		for (size_t i = 0; i < c->n && i < 64; i++) {
			guard_strs_add(&j->scope.args, c->v[i], j->scope.a);
		}
	} else if (judge_is_one_of(c->program, "cd pushd chdir")) {
		if (c->n == 0 || !vy_str_is(c->v[c->n - 1], "-")) {
			j->scope.folder = guard_path(c->n ? c->v[c->n - 1] : VY_STR_LIT("~"),
				j->scope.folder, j->scope.c, j->scope.a);
		}
	} else {
		return false;
	}
	return true;
}

void judge_joined(struct judge *j, const struct vy_str *v, size_t n)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	add_joined(&b, &(struct guard_strs){ .v = (struct vy_str *)v, .n = n }, 0);
	judge_line(j, vy_arena_str(j->scope.a, vy_buf_str(&b)));
}

/* ---- a call ---- */

static void take_program(struct call *c)
{
	c->program = judge_base(c->v[0]);
	c->v++;
	c->n--;
}

static void words(struct judge *j, struct call *c)
{
	for (int i = 0; c->n > 0 && !judge_is_done(j); i++) {
		bool is_done;

		take_program(c);
		judge_runs(j, c);
		if (i == WRAPPERS_MAX) {
			judge_loose(j, c->v, c->n);
			return;
		}
		if (!judge_unwrap(j, c, &is_done)) {
			is_done = true;
			if (!built_in(j, c)) {
				judge_destroy(j, c);
				judge_files(j, c);
				judge_source(j, c);
			}
		}
		if (is_done) {
			return;
		}
	}
}

void judge_words(struct judge *j, struct call *c)
{
	if (j->depth >= DEPTH_MAX) {
		for (size_t i = 0; i < c->n && !judge_is_done(j); i++) {
			judge_path(j, c->v[i], GUARD_WRITE);
		}
		judge_loose(j, c->v, c->n);
		return;
	}
	j->depth++;
	words(j, c);
	j->depth--;
}

static void command(struct line *l, const struct guard_command *cmd)
{
	struct judge *j = l->j;
	struct guard_strs w = { NULL, 0, 0 };
	VY_AUTO_BUF piped = VY_BUF_INIT(VY_MIB);
	struct call c = { .here = cmd->here };
	size_t from = 0, at;

	while (from < cmd->n && (at = guard_assignment(cmd->words[from])) > 0) {
		judge_assign(j, cmd->words[from++], at);
	}
	for (size_t i = from; i < cmd->n; i++) {
		guard_expand_split(&j->scope, cmd->words[i], &w);
	}
	for (size_t i = 0; i < cmd->n_writes + cmd->n_reads; i++) {
		bool is_write = i < cmd->n_writes;
		struct guard_strs paths = { NULL, 0, 0 };

		guard_expand(&j->scope, is_write ? cmd->writes[i] : cmd->reads[i - cmd->n_writes],
			&paths);
		for (size_t k = 0; k < paths.n; k++) {
			judge_path(j, paths.v[k], is_write ? GUARD_WRITE : GUARD_READ);
		}
	}
	if (cmd->until > cmd->from) {
		c.is_piped = true;
		pipe_in(l, cmd->from, cmd->until, 0, &piped, &c);
		c.piped = vy_arena_str(j->scope.a, vy_str_trim(vy_buf_str(&piped)));
	}
	for (size_t i = from; i < cmd->n && !c.is_piped_from_ours; i++) { /* kill $(pgrep vyred) */
		c.is_piped_from_ours = judge_holds(cmd->words[i], "$(") &&
				       (judge_holds(cmd->words[i], "vyre") ||
					       judge_holds(cmd->words[i], "claude"));
	}
	bool is_hidden = false;

	for (size_t i = from; i < cmd->n; i++) { /* sh <(base64 -d …), eval "$(curl …)" */
		is_hidden |=
			(judge_holds(cmd->words[i], "$(") || judge_holds(cmd->words[i], "<(")) &&
			(judge_holds(cmd->words[i], "base64 -d") ||
				judge_holds(cmd->words[i], "base64 --decode") ||
				judge_holds(cmd->words[i], "xxd -r") ||
				judge_holds(cmd->words[i], "curl ") ||
				judge_holds(cmd->words[i], "wget "));
	}
	c.v = w.v;
	c.n = w.n;
	if (c.n > 0 && is_hidden &&
		judge_is_one_of(judge_base(c.v[0]), "eval . source sh bash zsh dash")) {
		judge_say(j, GUARD_ASK, "hidden", c.v[0]);
	}
	if (c.n > 0 && from < cmd->n && vy_str_starts(cmd->words[from], "$") &&
		c.n > cmd->n - from) {
		struct call split = c;

		split.v++; /* x='rm -rf y'; $x */
		split.n--;
		judge_words(j, &split);
	}
	judge_words(j, &c);
}

/* ---- functions ---- */

/* f() { f | f & }; f */
static bool is_bomb(const struct guard_commands *cmds, const struct guard_function *f)
{
	size_t calls = 0;

	for (size_t i = f->from; i < f->until && i < cmds->n; i++) {
		const struct guard_command *cmd = &cmds->v[i];

		if (cmd->n > 0 && vy_str_eq(cmd->words[0], f->name)) {
			calls++;
			if (cmd->until > cmd->from) {
				return true;
			}
		}
	}
	return calls > 1;
}

static void functions(struct line *l)
{
	const struct guard_commands *cmds = l->cmds;

	for (size_t f = 0; f < cmds->n_functions && f < FUNCTIONS_MAX; f++) {
		if (is_bomb(cmds, &cmds->functions[f])) {
			judge_say(l->j, GUARD_DENY, "destruction", cmds->functions[f].name);
		}
		for (size_t i = 0; i < cmds->n; i++) { /* what it may be called with */
			const struct guard_command *cmd = &cmds->v[i];

			if (cmd->n < 2 || !vy_str_eq(cmd->words[0], cmds->functions[f].name)) {
				continue;
			}
			for (size_t k = 1; k < cmd->n && l->j->scope.args.n < 64; k++) {
				guard_expand(&l->j->scope, cmd->words[k], &l->j->scope.args);
			}
		}
	}
}

/* ---- a line ---- */

void judge_line(struct judge *j, struct vy_str text)
{
	struct vy_str folder = j->scope.folder;
	struct guard_commands cmds;
	struct line l = { j, &cmds, NULL };

	if (text.n == 0 || judge_is_done(j)) {
		return;
	}
	if (text.n > TEXT_MAX) {
		judge_say(j, GUARD_DENY, "too-long", vy_str_n(text.p, SHOWN_MAX));
		return;
	}
	if (j->depth >= DEPTH_MAX || j->lines <= 0) {
		judge_every_word(j, text);
		return;
	}
	j->depth++;
	j->lines--;
	guard_words(text, j->scope.a, &cmds);
	l.folders = vy_arena_calloc(j->scope.a, cmds.n_shells, sizeof(*l.folders));
	l.folders[0] = folder;
	functions(&l);
	for (size_t i = 0; i < cmds.n && !judge_is_done(j); i++) {
		struct vy_str *f = &l.folders[cmds.v[i].shell];
		size_t up = cmds.v[i].shell;

		while (!l.folders[up].n && up != 0) {
			up = cmds.shells[up];
		}
		j->scope.folder = f->n ? *f : l.folders[up];
		command(&l, &cmds.v[i]);
		*f = j->scope.folder;
	}
	j->scope.folder = folder;
	j->depth--;
	if (cmds.is_cut) {
		judge_every_word(j, text);
	}
}

/* Whatever the order: any word may be a path that is written, or a program and what it is given. */
void judge_every_word(struct judge *j, struct vy_str text)
{
	static const char stops[] = " \t\r\n;&|()<>{}\"'`=,\\$";
	struct guard_strs words = { NULL, 0, 0 };
	size_t from = 0;

	if (j->lines < 0 || judge_is_done(j)) {
		return; /* said once for the whole */
	}
	for (size_t i = 0; i <= text.n; i++) {
		if (i < text.n && !memchr(stops, text.p[i], sizeof(stops) - 1)) {
			continue;
		}
		if (i > from) {
			guard_strs_add(&words, vy_str_n(text.p + from, i - from), j->scope.a);
		}
		from = i + 1;
	}
	for (size_t i = 0; i < words.n && !judge_is_done(j); i++) {
		if (!memchr(words.v[i].p, '.', words.v[i].n) &&
			!memchr(words.v[i].p, '/', words.v[i].n)) {
			continue;
		}
		judge_path(j, words.v[i], GUARD_WRITE);
		judge_path(j, words.v[i], GUARD_READ);
	}
	judge_loose(j, words.v, words.n);
}
