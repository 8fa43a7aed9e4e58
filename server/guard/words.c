/* words.c -- see words.h. One pass; a word is gathered in a buffer, a command in growing arrays.
 * Substitutions are read where they stand, by the same function one level deeper. */
#include "server/guard/words.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define DEPTH_MAX    8
#define COMMANDS_MAX 2000

struct list {
	struct vy_str *v;
	size_t n, cap;
};

/* A here-document that was announced and begins behind the line's end. */
struct here {
	struct vy_str delimiter;
	size_t command;
	bool is_open;
};

struct reader {
	struct vy_str in;
	size_t at;
	struct vy_arena *a;
	struct guard_commands *out;
	size_t cap;
	int depth;
	struct list words, writes;
	struct vy_buf word;
	bool in_word, is_write; /* the next word is a redirection's target */
	bool is_here;           /* the next word is a here-document's delimiter */
	struct here here;
};

static void push(struct list *l, struct vy_str s, struct vy_arena *a)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 8;
		struct vy_str *v = vy_arena_calloc(a, cap, sizeof(*v));

		if (l->n) {
			memcpy(v, l->v, l->n * sizeof(*v));
		}
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n++] = s;
}

/* ---- ends ---- */

static void end_word(struct reader *r)
{
	if (!r->in_word) {
		return;
	}
	struct vy_str w = vy_arena_str(r->a, vy_buf_str(&r->word));

	if (r->is_here) {
		r->here = (struct here){ w, r->out->n, true };
	} else {
		push(r->is_write ? &r->writes : &r->words, w, r->a);
	}
	vy_buf_clear(&r->word);
	r->in_word = r->is_write = r->is_here = false;
}

static void end_command(struct reader *r)
{
	end_word(r);
	if (r->words.n + r->writes.n == 0 || r->out->n >= COMMANDS_MAX) {
		return;
	}
	if (r->out->n == r->cap) {
		size_t cap = r->cap ? r->cap * 2 : 8;
		struct guard_command *v = vy_arena_calloc(r->a, cap, sizeof(*v));

		if (r->out->n) {
			memcpy(v, r->out->v, r->out->n * sizeof(*v));
		}
		r->out->v = v;
		r->cap = cap;
	}
	r->out->v[r->out->n++] = (struct guard_command){ r->words.v, r->words.n, r->writes.v,
		r->writes.n, { NULL, 0 } };
	r->words = r->writes = (struct list){ NULL, 0, 0 };
}

/* ---- characters ---- */

static char peek(const struct reader *r, size_t ahead)
{
	return r->at + ahead < r->in.n ? r->in.p[r->at + ahead] : '\0';
}

static void keep(struct reader *r, char ch)
{
	vy_buf_addc(&r->word, ch);
	r->in_word = true;
}

static void read_commands(struct reader *r, char closer);

/* The commands of a substitution join the list; the word keeps a mark for what they print. */
static void substitution(struct reader *r, char closer)
{
	struct reader inner = *r;

	keep(r, '$');
	if (r->depth >= DEPTH_MAX) {
		return;
	}
	inner.depth++;
	inner.words = inner.writes = (struct list){ NULL, 0, 0 };
	inner.in_word = inner.is_write = inner.is_here = false;
	inner.here = (struct here){ .is_open = false };
	vy_buf_init(&inner.word, VY_LINE_MAX);
	read_commands(&inner, closer);
	vy_buf_fini(&inner.word);
	r->at = inner.at;
	r->cap = inner.cap;
}

static void double_quoted(struct reader *r)
{
	r->in_word = true;
	while (r->at < r->in.n && peek(r, 0) != '"') {
		char ch = r->in.p[r->at++];

		if (ch == '\\' && r->at < r->in.n && strchr("\"\\$`\n", peek(r, 0))) {
			ch = r->in.p[r->at++];
			if (ch != '\n') {
				keep(r, ch);
			}
		} else if (ch == '$' && peek(r, 0) == '(') {
			r->at++;
			substitution(r, ')');
		} else if (ch == '`') {
			substitution(r, '`');
		} else {
			keep(r, ch);
		}
	}
	r->at++;
}

static void single_quoted(struct reader *r)
{
	r->in_word = true;
	while (r->at < r->in.n && peek(r, 0) != '\'') {
		keep(r, r->in.p[r->at++]);
	}
	r->at++;
}

/* ---- operators ---- */

/* Behind ">" or "<": which kind it is, and what the next word means. */
static void redirection(struct reader *r, char ch)
{
	bool is_number = r->in_word;

	for (size_t i = 0; is_number && i < r->word.len; i++) {
		is_number = r->word.data[i] >= '0' && r->word.data[i] <= '9';
	}
	if (is_number) { /* 2>file: the digit is no word */
		vy_buf_clear(&r->word);
		r->in_word = false;
	}
	end_word(r);
	if (ch == '<' && peek(r, 0) == '<') {
		r->at++;
		r->is_here = peek(r, 0) != '<'; /* "<<<" is a word */
		r->at += peek(r, 0) == '<' || peek(r, 0) == '-';
		return;
	}
	if (peek(r, 0) == '(') { /* a process: its commands are read as a group */
		return;
	}
	r->is_write = ch == '>' || peek(r, 0) == '>';
	while (peek(r, 0) == '>' || peek(r, 0) == '|') {
		r->at++;
	}
	if (peek(r, 0) == '&') { /* 2>&1 names no file, >&file does */
		r->at++;
	}
}

/* The lines up to the delimiter belong to the command that announced it. */
static void here_document(struct reader *r)
{
	struct here h = r->here;
	size_t from = r->at;

	r->here.is_open = false;
	while (r->at < r->in.n) {
		size_t line = r->at, end = line;

		while (end < r->in.n && r->in.p[end] != '\n') {
			end++;
		}
		r->at = end < r->in.n ? end + 1 : end;
		while (line < end && r->in.p[line] == '\t') {
			line++;
		}
		if (vy_str_eq(vy_str_n(r->in.p + line, end - line), h.delimiter)) {
			if (h.command < r->out->n) {
				r->out->v[h.command].here = vy_str_n(r->in.p + from, line - from);
			}
			return;
		}
	}
	if (h.command < r->out->n) {
		r->out->v[h.command].here = vy_str_from(r->in, from);
	}
}

static void comment(struct reader *r)
{
	while (r->at < r->in.n && peek(r, 0) != '\n') {
		r->at++;
	}
}

/* One character outside quotes. */
static void plain(struct reader *r, char ch)
{
	switch (ch) {
	case '\\':
		if (r->at < r->in.n && r->in.p[r->at++] != '\n') {
			keep(r, r->in.p[r->at - 1]);
		}
		break;
	case '\'': single_quoted(r); break;
	case '"': double_quoted(r); break;
	case '`': substitution(r, '`'); break;
	case '$':
		if (peek(r, 0) == '(') {
			r->at++;
			substitution(r, ')');
		} else {
			keep(r, ch);
		}
		break;
	case ' ':
	case '\t':
	case '\r': end_word(r); break;
	case '\n':
		end_command(r);
		if (r->here.is_open) {
			here_document(r);
		}
		break;
	case '&':
		if (peek(r, 0) == '>') { /* &>file */
			end_word(r);
			break;
		}
		end_command(r);
		break;
	case ';':
	case '|':
	case '(':
	case ')': end_command(r); break;
	case '<':
	case '>': redirection(r, ch); break;
	case '#':
		if (!r->in_word) {
			comment(r);
			break;
		}
		keep(r, ch);
		break;
	default: keep(r, ch); break;
	}
}

static void read_commands(struct reader *r, char closer)
{
	int open = 0;

	while (r->at < r->in.n) {
		char ch = r->in.p[r->at++];

		if (closer && ch == closer && open == 0) {
			break;
		}
		open += closer == ')' && ch == '(';
		open -= closer == ')' && ch == ')';
		plain(r, ch);
	}
	end_command(r);
}

void guard_words(struct vy_str line, struct vy_arena *a, struct guard_commands *out)
{
	struct reader r = { .in = line, .a = a, .out = out };

	*out = (struct guard_commands){ NULL, 0 };
	vy_buf_init(&r.word, VY_LINE_MAX);
	read_commands(&r, '\0');
	vy_buf_fini(&r.word);
}
