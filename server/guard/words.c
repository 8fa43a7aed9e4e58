/* words.c -- see words.h. One pass; a word is gathered in a buffer, a command in growing arrays.
 * Substitutions are read where they stand, by a reader one level deeper. What is open (a group, a
 * loop, a case) is a stack of frames: it tells a ")" that ends a pattern from one that ends a
 * subshell, and where the output of a group that is piped on comes from. */
#include "server/guard/words.h"

#include <string.h>

#include "server/guard/words_in.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define COMMANDS_MAX 2000

static void push(struct list *l, struct vy_str s, struct vy_arena *a)
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

static struct frame *top(struct reader *r)
{
	return r->n_frames ? &r->frames[r->n_frames - 1] : NULL;
}

static bool is_top(struct reader *r, enum frame_kind kind)
{
	const struct frame *f = top(r);

	return f && f->kind == kind;
}

static bool in_pattern(struct reader *r)
{
	const struct frame *f = top(r);

	return f && f->kind == FRAME_CASE && f->is_pattern;
}

/* ---- shells, functions, frames ---- */

size_t words_new_shell(struct reader *r)
{
	struct guard_commands *o = r->out;

	if ((o->n_shells & (o->n_shells - 1)) == 0) { /* a power of two is full */
		size_t *v = vy_arena_calloc(r->a, o->n_shells ? o->n_shells * 2 : 1, sizeof(*v));

		if (o->n_shells) {
			memcpy(v, o->shells, o->n_shells * sizeof(*v));
		}
		o->shells = v;
	}
	o->shells[o->n_shells] = r->shell;
	return o->n_shells++;
}

static void define(struct reader *r, struct vy_str name)
{
	struct guard_commands *o = r->out;

	if ((o->n_functions & (o->n_functions - 1)) == 0) {
		struct guard_function *v =
			vy_arena_calloc(r->a, o->n_functions ? o->n_functions * 2 : 1, sizeof(*v));

		if (o->n_functions) {
			memcpy(v, o->functions, o->n_functions * sizeof(*v));
		}
		o->functions = v;
	}
	o->functions[o->n_functions++] = (struct guard_function){ name, o->n, o->n };
	r->function = o->n_functions;
}

static void open_frame(struct reader *r, enum frame_kind kind)
{
	struct pipe pipe = r->pipe;

	if (r->n_frames == FRAMES_MAX) {
		r->out->is_cut = true;
		r->at = r->in.n;
		return;
	}
	if (pipe.from == pipe.until && top(r)) {
		pipe = top(r)->pipe;
	}
	r->frames[r->n_frames++] =
		(struct frame){ kind, r->out->n, r->shell, pipe, r->function, kind == FRAME_CASE };
	r->pipe = (struct pipe){ 0, 0 };
	r->function = 0;
	if (kind == FRAME_SHELL) {
		r->shell = words_new_shell(r);
	}
}

static void close_frame(struct reader *r)
{
	struct frame *f = top(r);

	if (!f) {
		return;
	}
	r->shell = f->shell;
	r->last_from = f->from;
	r->n_frames--;
	if (f->function) {
		r->out->functions[f->function - 1].until = r->out->n;
	}
}

/* ---- ends ---- */

static void end_command(struct reader *r)
{
	struct guard_commands *o = r->out;
	struct pipe pipe = r->pipe;

	if (r->words.n + r->writes.n + r->reads.n + r->here_string.n + r->n_heres == 0) {
		return;
	}
	if (o->n >= COMMANDS_MAX) {
		o->is_cut = true;
		r->at = r->in.n;
		return;
	}
	if (o->n == *r->cap) {
		size_t cap = *r->cap ? *r->cap * 2 : 8;
		struct guard_command *v = vy_arena_alloc(r->a, cap * sizeof(*v));

		if (o->n) {
			memcpy(v, o->v, o->n * sizeof(*v));
		}
		o->v = v;
		*r->cap = cap;
	}
	bool is_ours = false; /* a here-document alone may belong to a command that was read */

	for (size_t i = 0; i < r->n_heres; i++) {
		is_ours |= r->heres[i].command == HERE_OPEN;
		r->heres[i].command = r->heres[i].command == HERE_OPEN ? o->n : r->heres[i].command;
	}
	if (r->words.n + r->writes.n + r->reads.n + r->here_string.n == 0 && !is_ours) {
		return;
	}
	if (pipe.from == pipe.until && top(r)) {
		pipe = top(r)->pipe;
	}
	r->last_from = o->n;
	o->v[o->n++] = (struct guard_command){ r->words.v, r->words.n, r->writes.v, r->writes.n,
		r->reads.v, r->reads.n, r->here_string, pipe.from, pipe.until, r->shell };
	r->words = r->writes = r->reads = (struct list){ NULL, 0, 0 };
	r->here_string = vy_str_n(NULL, 0);
	r->pipe = (struct pipe){ 0, 0 };
}

/* Words of the grammar: true when `w` was one, where a command begins. */
static bool keyword(struct reader *r, struct vy_str w)
{
	static const char *const plain[] = { "then", "else", "elif", "do", "!", "coproc" };
	static const char *const opens[] = { "{", "if", "while", "until" };
	static const char *const closes[] = { "}", "fi", "done", "esac" };

	if (w.n == 0 || w.n > 8) {
		return false;
	}
	for (size_t i = 0; i < VY_COUNT(plain); i++) {
		if (vy_str_is(w, plain[i])) {
			return true;
		}
	}
	for (size_t i = 0; i < VY_COUNT(opens); i++) {
		if (vy_str_is(w, opens[i])) {
			open_frame(r, FRAME_GROUP);
			return true;
		}
	}
	for (size_t i = 0; i < VY_COUNT(closes); i++) {
		if (vy_str_is(w, closes[i]) && (is_top(r, FRAME_GROUP) || is_top(r, FRAME_CASE))) {
			close_frame(r);
			return true;
		}
	}
	if (vy_str_is(w, "for") || vy_str_is(w, "select")) {
		open_frame(r, FRAME_GROUP);
	}
	return false;
}

/* What a word behind others may mean: `case x in`, `function f`. */
static void second_word(struct reader *r, struct vy_str w)
{
	if (r->words.n == 3 && vy_str_is(w, "in") && vy_str_is(r->words.v[0], "case")) {
		r->words.n--;
		end_command(r);
		open_frame(r, FRAME_CASE);
	} else if (r->words.n == 2 && vy_str_is(r->words.v[0], "function")) {
		r->words.n = 0;
		define(r, w);
	}
}

static bool is_number(struct vy_str w)
{
	for (size_t i = 0; i < w.n; i++) {
		if ((w.p[i] < '0' || w.p[i] > '9') && !(w.p[i] == '-' && i + 1 == w.n)) {
			return false;
		}
	}
	return w.n > 0;
}

static void plain_word(struct reader *r, struct vy_str w)
{
	if (is_top(r, FRAME_ARRAY)) {
		push(&r->words,
			vy_str_c(vy_arena_printf(
				r->a, "%.*s%.*s", VY_STR_ARG(r->name), VY_STR_ARG(w))),
			r->a);
		return;
	}
	if (in_pattern(r)) {
		if (!r->is_quoted && vy_str_is(w, "esac")) {
			close_frame(r);
		}
		return;
	}
	if (r->words.n == 0 && !r->is_quoted && keyword(r, w)) {
		return;
	}
	push(&r->words, w, r->a);
	second_word(r, w);
}

static void end_word(struct reader *r)
{
	enum role role = r->role;

	if (!r->in_word) {
		return;
	}
	struct vy_str w = vy_arena_str(r->a, vy_buf_str(&r->word));

	r->in_word = false;
	r->role = ROLE_WORD;
	switch (role) {
	case ROLE_COPY: /* 2>&1 names no file, >&file does */
	case ROLE_WRITE:
		if (role == ROLE_WRITE || !(is_number(w) || vy_str_is(w, "-"))) {
			push(&r->writes, w, r->a);
		}
		break;
	case ROLE_READ: push(&r->reads, w, r->a); break;
	case ROLE_HERE:
		if (r->n_heres < HERES_MAX) {
			r->heres[r->n_heres++] = (struct here){ w, HERE_OPEN, r->is_quoted };
		}
		break;
	case ROLE_HERE_STRING: r->here_string = w; break;
	case ROLE_WORD: plain_word(r, w); break;
	}
	vy_buf_clear(&r->word);
	r->is_quoted = false;
}

static void end_all(struct reader *r)
{
	end_word(r);
	if (!is_top(r, FRAME_ARRAY) && !in_pattern(r)) {
		end_command(r);
	}
}

/* ---- operators ---- */

/* Behind ">" or "<": which kind it is, and what the next word means. */
static void redirection(struct reader *r, char ch)
{
	char next = words_peek(r, 0);

	if (next == '(') { /* a process, which is a word */
		r->at++;
		words_substitution(r, ch);
		return;
	}
	if (r->in_word && !r->is_quoted && is_number(vy_buf_str(&r->word))) {
		vy_buf_clear(&r->word); /* 2>file: the digit is no word */
		r->in_word = false;
	}
	end_word(r);
	if (ch == '<' && next == '<') {
		bool is_string = words_peek(r, 1) == '<';

		r->at += 1 + (is_string || words_peek(r, 1) == '-');
		r->role = is_string ? ROLE_HERE_STRING : ROLE_HERE;
		return;
	}
	r->role = ch == '>' || next == '>' ? ROLE_WRITE : ROLE_READ;
	while (words_peek(r, 0) == '>' || words_peek(r, 0) == '|') {
		r->at++;
	}
	if (words_peek(r, 0) == '&') {
		r->at++;
		r->role = ch == '<' ? ROLE_READ : ROLE_COPY;
	}
}

static bool is_array_name(struct vy_str w)
{
	for (size_t i = 0; i + 1 < w.n; i++) {
		char ch = w.p[i];

		if (!(ch == '_' || ch == '+' || (ch >= 'a' && ch <= 'z') ||
			    (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9'))) {
			return false;
		}
	}
	return w.n > 1 && w.p[w.n - 1] == '=';
}

/* "@(a|b)" in a word: any of them. */
static bool is_extended_glob(const struct reader *r)
{
	return r->in_word && r->word.len && memchr("?*+@!", r->word.data[r->word.len - 1], 5) &&
	       !(r->words.n == 0 && r->word.len == 1);
}

/* `f()`, `f ( )` */
static bool is_function(const struct reader *r)
{
	size_t i = 0;

	if (r->in_word ? r->words.n != 0 : r->words.n != 1) {
		return false;
	}
	while (words_peek(r, i) == ' ') {
		i++;
	}
	return words_peek(r, i) == ')';
}

/* `=~ (a|b)`: a pattern in parentheses, up to the blank behind it. */
static bool regex(struct reader *r)
{
	int open = 1;

	if (r->words.n == 0 || !vy_str_is(r->words.v[r->words.n - 1], "=~")) {
		return false;
	}
	words_keep(r, '(');
	while (open > 0 && r->at < r->in.n && !memchr(" \t\n", words_peek(r, 0), 3)) {
		open += words_peek(r, 0) == '(';
		open -= words_peek(r, 0) == ')';
		words_keep(r, r->in.p[r->at++]);
	}
	return true;
}

static void open_paren(struct reader *r)
{
	struct vy_str w = vy_buf_str(&r->word);

	if (in_pattern(r) || regex(r)) {
		return;
	}
	if (is_extended_glob(r)) {
		const char *end = memchr(r->in.p + r->at, ')', r->in.n - r->at);

		r->at = end ? (size_t)(end - r->in.p) + 1 : r->in.n;
		vy_buf_truncate(&r->word, r->word.len - 1);
		words_keep(r, '*');
	} else if (r->in_word && !r->is_quoted && is_array_name(w)) {
		r->name = vy_arena_str(r->a, w);
		vy_buf_clear(&r->word);
		r->in_word = false;
		open_frame(r, FRAME_ARRAY);
	} else if (is_function(r)) {
		define(r, r->in_word ? vy_arena_str(r->a, w) : r->words.v[0]);
		r->words.n = 0;
		vy_buf_clear(&r->word);
		r->in_word = false;
		while (words_peek(r, 0) == ' ' || words_peek(r, 0) == ')') {
			r->at++;
		}
	} else if (!r->in_word && r->words.n == 0 && words_peek(r, 0) == '(' &&
		   words_is_arithmetic(r, 1)) {
		r->at++;
		words_arithmetic(r);
		vy_buf_clear(&r->word);
		r->in_word = false;
	} else {
		end_all(r);
		open_frame(r, FRAME_SHELL);
	}
}

static void close_paren(struct reader *r)
{
	end_all(r);
	if (in_pattern(r)) {
		top(r)->is_pattern = false;
		return;
	}
	while (r->n_frames && !is_top(r, FRAME_SHELL) && !is_top(r, FRAME_ARRAY)) {
		close_frame(r);
	}
	if (is_top(r, FRAME_SHELL) || is_top(r, FRAME_ARRAY)) {
		close_frame(r);
	}
}

static void newline(struct reader *r)
{
	size_t n;

	end_word(r);
	if (is_top(r, FRAME_ARRAY)) {
		return;
	}
	end_all(r);
	n = r->n_heres;
	r->n_heres = 0;
	for (size_t i = 0; i < n; i++) {
		words_here_document(r, &r->heres[i]);
	}
}

/* Behind the first of `;` `&` `|`. */
static void operator(struct reader *r, char ch)
{
	char next = words_peek(r, 0);

	if (ch == '&' && next == '>') { /* &>file */
		end_word(r);
		return;
	}
	end_all(r);
	if (in_pattern(r)) {
		return;
	}
	if (ch == ';' && (next == ';' || next == '&')) {
		r->at++;
		if (is_top(r, FRAME_CASE)) {
			top(r)->is_pattern = true;
		}
		r->at += words_peek(r, 0) == '&';
	} else if (ch == '|' && next != '|') {
		r->at += next == '&';
		r->pipe = (struct pipe){ r->last_from, r->out->n };
	} else {
		r->at += next == ch;
	}
}

static void escaped(struct reader *r)
{
	if (r->at < r->in.n && r->in.p[r->at++] != '\n') {
		r->is_quoted = true;
		words_keep(r, r->in.p[r->at - 1]);
	}
}

static void comment(struct reader *r)
{
	const char *nl = memchr(r->in.p + r->at, '\n', r->in.n - r->at);

	r->at = nl ? (size_t)(nl - r->in.p) : r->in.n;
}

/* One character outside quotes. */
static void plain(struct reader *r, char ch)
{
	switch (ch) {
	case '\\': escaped(r); break;
	case '\'': words_single_quoted(r); break;
	case '"': words_double_quoted(r); break;
	case '`': words_backquoted(r, false); break;
	case '$': words_dollar(r, false); break;
	case ' ':
	case '\t':
	case '\r': end_word(r); break;
	case '\n': newline(r); break;
	case '&':
	case ';':
	case '|': operator(r, ch); break;
	case '(': open_paren(r); break;
	case ')': close_paren(r); break;
	case '<':
	case '>': redirection(r, ch); break;
	case '#':
		if (!r->in_word) {
			comment(r);
			break;
		}
		words_keep(r, ch);
		break;
	default: words_keep(r, ch); break;
	}
}

static bool has_paren(struct reader *r)
{
	for (size_t i = 0; i < r->n_frames; i++) {
		if (r->frames[i].kind == FRAME_SHELL || r->frames[i].kind == FRAME_ARRAY) {
			return true;
		}
	}
	return in_pattern(r);
}

void words_run(struct reader *r, char closer)
{
	while (r->at < r->in.n) {
		char ch = r->in.p[r->at++];

		if (closer && ch == closer) {
			end_word(r); /* esac) */
		}
		if (closer && ch == closer && !has_paren(r)) {
			break;
		}
		plain(r, ch);
	}
	end_word(r);
	end_command(r);
	while (r->n_frames) {
		close_frame(r);
	}
	for (size_t i = 0; i < r->n_heres; i++) { /* announced, and no line came behind */
		r->heres[i].command = HERE_OPEN;
	}
}

void guard_words(struct vy_str line, struct vy_arena *a, struct guard_commands *out)
{
	size_t cap = 0, ahead = 0;
	struct reader *r = vy_arena_calloc(a, 1, sizeof(*r));

	*out = (struct guard_commands){ .v = NULL };
	*r = (struct reader){ .in = line, .a = a, .out = out, .cap = &cap, .ahead = &ahead };
	words_new_shell(r);
	vy_buf_init(&r->word, VY_LINE_MAX);
	words_run(r, '\0');
	vy_buf_fini(&r->word);
}
