/* words_chars.c -- the inside of words: quotes, parameters, substitutions, here-documents. */
#include "server/guard/words_in.h"

#include <string.h>

#include "server/guard/quotes.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define DEPTH_MAX  12
#define SHELLS_MAX 2000
#define AHEAD_MAX  65536 /* bytes looked at, in all, to tell $((1+2)) from $((a) | b) */

static void keep_all(struct reader *r, struct vy_str s)
{
	vy_buf_addstr(&r->word, s);
	r->in_word = true;
}

/* The commands of `text` join the list; ends behind `closer`. How far it came. */
static size_t read_inside(struct reader *r, struct vy_str text, char closer)
{
	struct reader *inner;

	if (r->depth >= DEPTH_MAX || r->out->n_shells >= SHELLS_MAX) {
		r->out->is_cut = true;
		return text.n;
	}
	inner = vy_arena_calloc(r->a, 1, sizeof(*inner));
	*inner = (struct reader){ .in = text,
		.a = r->a,
		.out = r->out,
		.cap = r->cap,
		.ahead = r->ahead,
		.depth = r->depth + 1,
		.shell = r->shell };
	inner->shell = words_new_shell(inner);
	vy_buf_init(&inner->word, VY_LINE_MAX);
	words_run(inner, closer);
	vy_buf_fini(&inner->word);
	return inner->at < text.n ? inner->at : text.n; /* an open quote ends behind it */
}

/* Behind "$(", "<(" or ">(": read, and kept in the word as it is written. */
void words_substitution(struct reader *r, char mark)
{
	size_t from = r->at;

	r->at += read_inside(r, vy_str_from(r->in, from), ')');
	words_keep(r, mark);
	words_keep(r, '(');
	keep_all(r, vy_str_n(r->in.p + from, r->at - from));
}

/* `…`: one level of backslashes is taken off first. */
void words_backquoted(struct reader *r, bool is_in_quotes)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	while (r->at < r->in.n && words_peek(r, 0) != '`') {
		char ch = r->in.p[r->at++], next = words_peek(r, 0);

		if (ch == '\\' && r->at < r->in.n &&
			(next == '`' || next == '\\' || next == '$' ||
				(is_in_quotes && next == '"'))) {
			ch = r->in.p[r->at++];
		}
		vy_buf_addc(&b, ch);
	}
	r->at++;
	struct vy_str text = vy_arena_str(r->a, vy_buf_str(&b));

	read_inside(r, text, '\0');
	keep_all(r, VY_STR_LIT("$("));
	keep_all(r, text);
	words_keep(r, ')');
}

bool words_is_arithmetic(struct reader *r, size_t i)
{
	int open = 2;

	while (open > 0 && r->at + i < r->in.n && *r->ahead < AHEAD_MAX) {
		char ch = words_peek(r, i++);

		(*r->ahead)++;
		open += (ch == '(') - (ch == ')');
		if (open == 1 && ch == ')') {
			return words_peek(r, i) == ')';
		}
	}
	return false;
}

/* Behind "((": up to "))"; what is substituted in it is read. */
void words_arithmetic(struct reader *r)
{
	int open = 2;

	while (open > 0 && r->at < r->in.n) {
		char ch = r->in.p[r->at++];

		open += (ch == '(') - (ch == ')');
		if (ch == '$') {
			words_dollar(r, true);
		} else if (ch == '`') {
			words_backquoted(r, true);
		} else {
			words_keep(r, ch);
		}
	}
}

/* Behind "${": up to its "}". */
static void parameter(struct reader *r)
{
	int open = 1;

	keep_all(r, VY_STR_LIT("${"));
	while (open > 0 && r->at < r->in.n) {
		char ch = r->in.p[r->at++];

		if (ch == '\\' && r->at < r->in.n) {
			words_keep(r, r->in.p[r->at++]);
		} else if (ch == '`') {
			words_backquoted(r, true);
		} else if (ch == '$' && words_peek(r, 0) == '(') {
			r->at++;
			words_substitution(r, '$');
		} else {
			open += ch == '{' && r->in.p[r->at - 2] == '$';
			open -= ch == '}';
			if (ch != '\'' && ch != '"') {
				words_keep(r, ch);
			}
		}
	}
}

/* Behind "$". */
void words_dollar(struct reader *r, bool is_in_quotes)
{
	char next = words_peek(r, 0);

	if (next == '(' && words_peek(r, 1) == '(' && words_is_arithmetic(r, 2)) {
		r->at += 2;
		keep_all(r, VY_STR_LIT("$(("));
		words_arithmetic(r);
	} else if (next == '(') {
		r->at++;
		words_substitution(r, '$');
	} else if (next == '{') {
		r->at++;
		parameter(r);
	} else if (next == '\'' && !is_in_quotes) {
		r->at++;
		r->is_quoted = r->in_word = true;
		r->at += guard_quotes_ansi(vy_str_from(r->in, r->at), &r->word);
	} else if (next != '"' || is_in_quotes) {
		words_keep(r, '$');
	}
}

void words_double_quoted(struct reader *r)
{
	r->in_word = r->is_quoted = true;
	while (r->at < r->in.n && words_peek(r, 0) != '"') {
		char ch = r->in.p[r->at++];

		if (ch == '\\' && r->at < r->in.n && memchr("\"\\$`\n", words_peek(r, 0), 5)) {
			ch = r->in.p[r->at++];
			if (ch != '\n') {
				words_keep(r, ch);
			}
		} else if (ch == '$') {
			words_dollar(r, true);
		} else if (ch == '`') {
			words_backquoted(r, true);
		} else {
			words_keep(r, ch);
		}
	}
	r->at++;
}

void words_single_quoted(struct reader *r)
{
	struct vy_str rest = vy_str_from(r->in, r->at);
	const char *end = rest.n ? memchr(rest.p, '\'', rest.n) : NULL;
	size_t n = end ? (size_t)(end - rest.p) : rest.n;

	r->is_quoted = true;
	keep_all(r, vy_str_n(rest.p, n));
	r->at += n + 1;
}

/* ---- here-documents ---- */

/* A body in which $(…) and `…` are run. */
static void here_substitutions(struct reader *r, struct vy_str body)
{
	struct reader *inner = vy_arena_calloc(r->a, 1, sizeof(*inner));

	*inner = (struct reader){ .in = body,
		.a = r->a,
		.out = r->out,
		.cap = r->cap,
		.ahead = r->ahead,
		.depth = r->depth,
		.shell = r->shell };
	vy_buf_init(&inner->word, VY_LINE_MAX);
	while (inner->at < body.n) {
		char ch = body.p[inner->at++];

		if (ch == '\\') {
			inner->at++;
		} else if (ch == '$') {
			words_dollar(inner, true);
		} else if (ch == '`') {
			words_backquoted(inner, false);
		}
		vy_buf_clear(&inner->word);
	}
	vy_buf_fini(&inner->word);
}

/* The lines up to the delimiter belong to the command that announced it. */
void words_here_document(struct reader *r, const struct here *h)
{
	size_t from = r->at, until = r->in.n;

	while (r->at < r->in.n) {
		size_t line = r->at;
		const char *nl = memchr(r->in.p + line, '\n', r->in.n - line);
		size_t end = nl ? (size_t)(nl - r->in.p) : r->in.n;

		r->at = nl ? end + 1 : end;
		while (line < end && r->in.p[line] == '\t') {
			line++;
		}
		if (vy_str_eq(vy_str_n(r->in.p + line, end - line), h->delimiter)) {
			until = line;
			break;
		}
		if (!nl && end > line && r->in.p[end - 1] == ')' && /* EOF) ends both */
			vy_str_eq(vy_str_n(r->in.p + line, end - line - 1), h->delimiter)) {
			until = line;
			r->at = end - 1;
			break;
		}
	}
	struct vy_str body = vy_str_n(r->in.p + from, until - from);

	if (h->command < r->out->n) {
		r->out->v[h->command].here = body;
	}
	if (!h->is_raw && body.n) {
		here_substitutions(r, body);
	}
}
