/* expand.c -- see expand.h. A word is walked once; each piece of it is put behind every alternative
 * so far, or, when it has several values, multiplies them. */
#include "server/guard/expand.h"

#include <string.h>

#include "server/guard/places.h"
#include "server/guard/words.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define VARIABLES_MAX 64
#define VALUES_MAX    16   /* of one variable */
#define WAYS_MAX      24   /* of one word */
#define SPENT_MAX     6000 /* alternatives in one judgement */
#define PIECES_MAX    32   /* of one word */
#define WORD_MAX      4096 /* a longer one is no path */
#define DEPTH_MAX     4

struct guard_variable {
	struct vy_str name;
	struct guard_strs values;
};

void guard_strs_add(struct guard_strs *l, struct vy_str s, struct vy_arena *a)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 8;
		struct vy_str *v = vy_arena_alloc(a, cap * sizeof(*v));

		if (l->n) {
			memcpy(v, l->v, l->n * sizeof(*v));
		}
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n++] = s;
}

/* ---- variables ---- */

static bool is_name_char(char ch, bool is_first)
{
	return ch == '_' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
	       (!is_first && ch >= '0' && ch <= '9');
}

static size_t name_length(struct vy_str s)
{
	size_t n = 0;

	while (n < s.n && is_name_char(s.p[n], n == 0)) {
		n++;
	}
	return n;
}

size_t guard_assignment(struct vy_str w)
{
	size_t n = name_length(w);

	if (n > 0 && n < w.n && w.p[n] == '[') { /* a[i]= */
		const char *end = memchr(w.p + n, ']', w.n - n);

		n = end ? (size_t)(end - w.p) + 1 : w.n;
	}
	n += n > 0 && n + 1 < w.n && w.p[n] == '+' && w.p[n + 1] == '=';
	return n > 0 && n < w.n && w.p[n] == '=' ? n + 1 : 0;
}

static struct guard_variable *find(struct guard_scope *s, struct vy_str name)
{
	for (size_t i = 0; i < s->n_variables; i++) {
		if (vy_str_eq(s->variables[i].name, name)) {
			return &s->variables[i];
		}
	}
	return NULL;
}

void guard_scope_set(struct guard_scope *s, struct vy_str name, const struct guard_strs *values)
{
	struct guard_variable *v = find(s, name);

	if (!s->variables) {
		s->variables = vy_arena_calloc(s->a, VARIABLES_MAX, sizeof(*s->variables));
	}
	if (!v && s->n_variables == VARIABLES_MAX) {
		return; /* then it is one that nobody knows */
	}
	if (!v) {
		v = &s->variables[s->n_variables++];
		*v = (struct guard_variable){ .name = name };
	}
	for (size_t i = 0; i < values->n && v->values.n <= VALUES_MAX; i++) {
		bool is_there = false;

		for (size_t k = 0; k < v->values.n; k++) {
			is_there |= vy_str_eq(v->values.v[k], values->v[i]);
		}
		if (is_there) {
			continue;
		}
		guard_strs_add(&v->values,
			v->values.n == VALUES_MAX ? VY_STR_LIT(GUARD_ANYTHING) : values->v[i],
			s->a);
	}
}

static struct vy_str base_of(struct vy_str path)
{
	size_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/') {
		at--;
	}
	return vy_str_from(path, at);
}

/* Variables that stand without being set. */
static bool known(struct guard_scope *s, struct vy_str name, struct vy_str *out)
{
	static const struct {
		const char *name, *below_home;
	} below[] = {
		{ "HOME", "" },
		{ "CLAUDE_CONFIG_DIR", "/.claude" },
		{ "CODEX_HOME", "/.codex" },
		{ "XDG_CONFIG_HOME", "/.config" },
		{ "XDG_STATE_HOME", "/.local/state" },
		{ "XDG_DATA_HOME", "/.local/share" },
		{ "GNUPGHOME", "/.gnupg" },
	};

	if (vy_str_is(name, "IFS")) {
		*out = VY_STR_LIT(" ");
	} else if (vy_str_is(name, "HOSTNAME")) {
		*out = VY_STR_LIT("localhost");
	} else if (vy_str_is(name, "PWD")) {
		*out = s->folder;
	} else if (vy_str_is(name, "USER") || vy_str_is(name, "LOGNAME")) {
		*out = base_of(s->c->home);
	} else if (vy_str_is(name, "CLAUDE_PROJECT_DIR")) {
		*out = s->c->cwd;
	} else if (vy_str_is(name, "CLAUDE_CONFIG_DIR") && s->c->agent_config_dir.n) {
		*out = s->c->agent_config_dir;
	} else {
		for (size_t i = 0; i < VY_COUNT(below); i++) {
			if (vy_str_is(name, below[i].name) && s->c->home.n) {
				*out = vy_str_c(vy_arena_printf(s->a, "%.*s%s",
					VY_STR_ARG(s->c->home), below[i].below_home));
				return true;
			}
		}
		return false;
	}
	return out->n > 0;
}

static bool values_of(struct guard_scope *s, struct vy_str name, struct guard_strs *out)
{
	const struct guard_variable *v = find(s, name);
	struct vy_str value;

	for (size_t i = 0; v && i < v->values.n; i++) {
		guard_strs_add(out, v->values.v[i], s->a);
	}
	if (!v && known(s, name, &value)) {
		guard_strs_add(out, value, s->a);
	}
	return out->n > 0;
}

static void any(struct guard_scope *s, struct guard_strs *out)
{
	guard_strs_add(out, VY_STR_LIT(GUARD_ANYTHING), s->a);
}

static void args_of(struct guard_scope *s, struct guard_strs *out)
{
	for (size_t i = 0; i < s->args.n && i < VALUES_MAX; i++) {
		guard_strs_add(out, s->args.v[i], s->a);
	}
	if (out->n == 0 || s->args.n > VALUES_MAX) {
		any(s, out);
	}
}

/* ---- pieces ---- */

/* How long what begins behind "$(" or "${" is, up to and with its end. */
static size_t inside(struct vy_str s, char open, char close)
{
	int n = 1;
	size_t i = 0;
	char quote = '\0';

	for (; i < s.n && n > 0; i++) {
		if (quote) {
			quote = s.p[i] == quote ? '\0' : quote;
		} else if (s.p[i] == '\\') {
			i++;
		} else if (open == '(' && (s.p[i] == '\'' || s.p[i] == '"')) {
			quote = s.p[i];
		} else {
			n += (s.p[i] == open) - (s.p[i] == close);
		}
	}
	return i < s.n ? i : s.n;
}

static struct vy_str without_end(struct vy_str s, char close)
{
	return s.n && s.p[s.n - 1] == close ? vy_str_n(s.p, s.n - 1) : s;
}

/* "${text}". */
static void parameter(struct guard_scope *s, struct vy_str text, struct guard_strs *out)
{
	size_t n = name_length(text);
	struct vy_str name = vy_str_n(text.p, n), rest = vy_str_from(text, n);
	bool is_arg = n == 0 && text.n && guard_is_any("123456789@*", text.p[0]);
	bool is_known = is_arg ? (args_of(s, out), true) : n > 0 && values_of(s, name, out);

	if (is_arg || (rest.n && rest.p[0] == '[')) {
		rest = vy_str_n(NULL, 0);
	}
	if (rest.n && rest.p[0] == ':') {
		rest = vy_str_from(rest, 1);
	}
	if (rest.n && guard_is_any("-=+", rest.p[0])) {
		if (rest.p[0] == '+') {
			out->n = 0;
		}
		guard_expand(s, vy_str_from(rest, 1), out);
	} else if (rest.n && rest.p[0] == '?') {
		if (!is_known) {
			any(s, out);
		}
	} else if (rest.n && is_known && guard_values_change(s->a, rest, out)) {
		return;
	} else if (rest.n || !is_known) { /* cut, replaced, indirect: who knows */
		out->n = rest.n ? 0 : out->n;
		any(s, out);
	}
}

static void expand_words(
	struct guard_scope *s, const struct guard_command *cmd, size_t from, struct guard_strs *out)
{
	for (size_t i = from; i < cmd->n; i++) {
		if (vy_str_starts(cmd->words[i], "-") && cmd->words[i].n < 4) {
			continue;
		}
		guard_expand(s, cmd->words[i], out);
	}
}

/* printf: the first "%s" of each alternative is the next word. */
static struct vy_str printed(struct guard_scope *s, const struct guard_strs *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(WORD_MAX);
	struct vy_str f = w->v[0];
	size_t next = 1;

	for (size_t i = 0; i < f.n; i++) {
		if (f.p[i] == '%' && i + 1 < f.n && f.p[i + 1] == 's') {
			vy_buf_addstr(&b, next < w->n ? w->v[next] : vy_str_n(NULL, 0));
			next++;
			i++;
		} else if (f.p[i] == '\\' && i + 1 < f.n && f.p[i + 1] == 'n') {
			i++;
		} else {
			vy_buf_addc(&b, f.p[i]);
		}
	}
	return vy_arena_str(s->a, vy_buf_str(&b));
}

static struct vy_str joined(struct guard_scope *s, const struct guard_strs *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(WORD_MAX);

	for (size_t i = 0; i < w->n; i++) {
		vy_buf_adds(&b, i ? " " : "");
		vy_buf_addstr(&b, w->v[i]);
	}
	return vy_arena_str(s->a, vy_buf_str(&b));
}

static struct vy_str parent_of(struct vy_str path)
{
	size_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/') {
		at--;
	}
	return at > 1 ? vy_str_n(path.p, at - 1) : at ? VY_STR_LIT("/") : VY_STR_LIT(".");
}

/* What a substitution prints, where that is certain. */
/* Programs whose words come out again. */
static bool passes_on(struct vy_str program)
{
	static const char *const names[] = { "realpath", "readlink", "dirname", "basename", "which",
		"command", "type" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (vy_str_is(program, names[i])) {
			return true;
		}
	}
	return false;
}

static bool output(struct guard_scope *s, const struct guard_commands *cmds, struct guard_strs *out)
{
	const struct guard_command *cmd = cmds->n ? &cmds->v[cmds->n - 1] : NULL;
	struct guard_strs w = { NULL, 0, 0 };

	if (!cmd || cmd->n == 0 || cmd->until > cmd->from) {
		return false;
	}
	struct vy_str program = base_of(cmd->words[0]);

	if (vy_str_is(program, "cat") && cmd->here.n && cmd->here.n < WORD_MAX) {
		guard_strs_add(out, vy_str_trim(cmd->here), s->a);
		return true;
	}
	if (vy_str_is(program, "pwd")) {
		const struct guard_command *cd = cmds->n > 1 ? cmd - 1 : NULL;

		if (cd && cd->n > 1 && vy_str_is(cd->words[0], "cd")) {
			guard_expand(s, cd->words[cd->n - 1], out);
		} else {
			guard_strs_add(out, s->folder, s->a);
		}
		return true;
	}
	if (vy_str_is(program, "hostname") || vy_str_is(program, "uname")) {
		guard_strs_add(out, VY_STR_LIT("localhost"), s->a);
		return true;
	}
	if (vy_str_is(program, "git") && cmd->n > 2 &&
		vy_str_is(cmd->words[cmd->n - 1], "--show-toplevel")) {
		guard_strs_add(out, s->c->cwd, s->a);
		return true;
	}
	expand_words(s, cmd, 1, &w);
	if (w.n == 0) {
		return false;
	}
	if (vy_str_is(program, "printf")) {
		guard_strs_add(out, printed(s, &w), s->a);
	} else if (vy_str_is(program, "echo")) {
		guard_strs_add(out, joined(s, &w), s->a);
	} else if (!passes_on(program)) {
		return false;
	}
	for (size_t i = 0; i < w.n && i < VALUES_MAX; i++) {
		guard_strs_add(out,
			vy_str_is(program, "dirname")    ? parent_of(w.v[i])
			: vy_str_is(program, "basename") ? base_of(w.v[i])
							 : w.v[i],
			s->a);
	}
	return true;
}

static bool substitution(struct guard_scope *s, struct vy_str text, struct guard_strs *out)
{
	struct guard_commands cmds;
	bool is_certain = false;

	if (s->depth < DEPTH_MAX && !vy_str_starts(text, "(")) {
		s->depth++;
		guard_words(text, s->a, &cmds);
		is_certain = output(s, &cmds, out);
		s->depth--;
	}
	if (!is_certain) {
		any(s, out);
	}
	return is_certain;
}

/* "{a,b}" behind its "{": the alternatives, each expanded; false when it is none. */
static bool braces(struct guard_scope *s, struct vy_str text, struct guard_strs *out)
{
	size_t from = 0;
	int open = 0;
	bool has_comma = false;

	if (s->depth >= DEPTH_MAX) {
		any(s, out);
		return true;
	}
	for (size_t i = 0; i <= text.n; i++) {
		char ch = i < text.n ? text.p[i] : ',';

		open += (ch == '{') - (ch == '}');
		if (ch != ',' || open > 0 || (i == text.n && !has_comma)) {
			continue;
		}
		has_comma = true;
		s->depth++;
		guard_expand(s, vy_str_n(text.p + from, i - from), out);
		s->depth--;
		from = i + 1;
	}
	if (!has_comma && text.n > 3 && memmem(text.p, text.n, "..", 2)) {
		any(s, out);
		return true;
	}
	return has_comma;
}

/* ---- a word ---- */

/* Each alternative of *all goes on in each way. */
static void multiply(struct guard_scope *s, struct guard_strs *all, const struct guard_strs *ways)
{
	struct guard_strs to = { NULL, 0, 0 };
	struct guard_strs one = { .v = (struct vy_str[]){ VY_STR_LIT(GUARD_ANYTHING) }, .n = 1 };

	if (all->n * ways->n > WAYS_MAX || s->spent > SPENT_MAX) {
		ways = &one;
	}
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < ways->n; k++) {
			struct vy_str a = all->v[i], b = ways->v[k];
			char *p;

			if (a.n + b.n > WORD_MAX) {
				b = vy_str_n(b.p, 0);
			}
			p = vy_arena_alloc(s->a, a.n + b.n + 1);
			memcpy(p, a.n ? a.p : "", a.n);
			memcpy(p + a.n, b.n ? b.p : "", b.n);
			guard_strs_add(&to, vy_str_n(p, a.n + b.n), s->a);
		}
	}
	s->spent += to.n;
	*all = to;
}

/* The piece at the front of `w`: its values, and how long it is. 0: a plain character. */
static size_t piece(struct guard_scope *s, struct vy_str w, bool has_blank, struct guard_strs *out)
{
	char next = w.n > 1 ? w.p[1] : '\0';
	struct vy_str rest = vy_str_from(w, 2);
	size_t n;

	if (w.p[0] == '{' && !has_blank && w.n > 2) {
		n = inside(vy_str_from(w, 1), '{', '}');
		return w.p[n] == '}' && braces(s, vy_str_n(w.p + 1, n - 1), out) ? n + 1 : 0;
	}
	if (next == '(' && (w.p[0] == '$' || w.p[0] == '<' || w.p[0] == '>')) {
		n = inside(rest, '(', ')');
		if (w.p[0] == '$') {
			if (!substitution(s, without_end(vy_str_n(rest.p, n), ')'), out) &&
				has_blank) {
				return 0; /* of a program's text: it will be read again */
			}
		} else {
			any(s, out);
		}
		return n + 2;
	}
	if (w.p[0] != '$' || w.n < 2) {
		return 0;
	}
	if (next == '{') {
		n = inside(rest, '{', '}');
		parameter(s, without_end(vy_str_n(rest.p, n), '}'), out);
		if (has_blank && out->n == 1 && vy_str_is(out->v[0], GUARD_ANYTHING)) {
			return 0;
		}
		return n + 2;
	}
	if (guard_is_any("123456789@*", next)) {
		if (has_blank && s->args.n == 0) {
			return 0;
		}
		args_of(s, out);
		return 2;
	}
	n = name_length(vy_str_from(w, 1));
	if (n == 0 || (n == 4 && vy_str_is(vy_str_n(w.p + 1, 4), "PPID"))) {
		return 0; /* "$$", "$!" and "$PPID" are what they are */
	}
	if (!values_of(s, vy_str_n(w.p + 1, n), out)) {
		if (has_blank) {
			return 0;
		}
		any(s, out);
	}
	return n + 1;
}

/* Is it more than one word? Blanks in a substitution are not its own. */
static bool is_sentence(struct vy_str w)
{
	for (size_t i = 0; i < w.n; i++) {
		if (w.p[i] == ' ' || w.p[i] == '\n') {
			return true;
		}
		if (i + 1 < w.n && w.p[i] == '$' && (w.p[i + 1] == '(' || w.p[i + 1] == '{')) {
			char open = w.p[i + 1];

			i += 1 + inside(vy_str_from(w, i + 2), open, open == '(' ? ')' : '}');
		}
	}
	return false;
}

static bool is_plain(struct vy_str w)
{
	for (size_t i = 0; i < w.n; i++) {
		if (w.p[i] == '$' || w.p[i] == '{' || (w.p[i] == '(' && i > 0)) {
			return false;
		}
	}
	return true;
}

void guard_expand_split(struct guard_scope *s, struct vy_str word, struct guard_strs *out)
{
	const struct guard_variable *ifs = find(s, VY_STR_LIT("IFS"));
	size_t first = out->n, last;

	guard_expand(s, word, out);
	last = out->n;
	if (!word.n || !memchr(word.p, '$', word.n)) {
		return;
	}
	for (size_t i = first; i < last; i++) {
		struct vy_str w = out->v[i];
		size_t from = 0;

		for (size_t k = 0; k <= w.n && out->n < last + 256; k++) {
			bool is_end = k == w.n || guard_is_any(" \t\n", w.p[k]);

			for (size_t v = 0; ifs && !is_end && v < ifs->values.n; v++) {
				struct vy_str set = ifs->values.v[v];

				is_end |= set.n && memchr(set.p, w.p[k], set.n);
			}
			if (is_end && k > from && k - from < w.n) {
				guard_strs_add(out, vy_str_n(w.p + from, k - from), s->a);
			}
			from = is_end ? k + 1 : from;
		}
	}
}

void guard_expand(struct guard_scope *s, struct vy_str word, struct guard_strs *out)
{
	struct guard_strs all = { .v = (struct vy_str[]){ { "", 0 } }, .n = 1 };
	bool has_blank;
	size_t from = 0, pieces = 0;

	if (word.n > WORD_MAX || is_plain(word)) {
		guard_strs_add(out, word, s->a);
		return;
	}
	has_blank = is_sentence(word);
	for (size_t i = 0; i < word.n;) {
		struct guard_strs values = { NULL, 0, 0 };
		struct vy_str plain = vy_str_n(word.p + from, i - from);
		size_t n = guard_is_any("${<>", word.p[i])
				   ? piece(s, vy_str_from(word, i), has_blank, &values)
				   : 0;

		if (n == 0) {
			i++;
			continue;
		}
		if (++pieces > PIECES_MAX) {
			values = (struct guard_strs){ NULL, 0, 0 };
			any(s, &values);
			n = word.n - i;
		}
		multiply(s, &all, &(struct guard_strs){ .v = &plain, .n = 1 });
		multiply(s, &all, &values);
		i += n;
		from = i;
	}
	struct vy_str plain = vy_str_from(word, from);

	multiply(s, &all, &(struct guard_strs){ .v = &plain, .n = 1 });
	for (size_t i = 0; i < all.n; i++) {
		guard_strs_add(out, all.v[i], s->a);
	}
}
