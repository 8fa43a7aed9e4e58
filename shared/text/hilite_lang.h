/* hilite_lang.h -- a language as a table, and the pen that every scanner draws with.
 *
 * Inside of the highlighter: hilite_scan.c scans programs by these tables, hilite_markup.c and
 * hilite_config.c have a function for each language that is no program, hilite_langs.c lists all. */
#ifndef VY_HILITE_LANG_H
#define VY_HILITE_LANG_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/str.h"
#include "shared/text/hilite.h"

struct vy_hl_words {
	const char *const *at; /* in the order of strcmp */
	size_t n;
};

#define VY_HL_WORDS(...)                                                                           \
	{                                                                                          \
		(const char *const[]){ __VA_ARGS__ },                                              \
			sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *)        \
	}

enum vy_hl_quote_flag {
	VY_HL_ESCAPES = 1,  /* a backslash hides the next character */
	VY_HL_LINES = 2,    /* goes on over the end of the line */
	VY_HL_DOLLARS = 4,  /* $x and ${x} are variables in it */
	VY_HL_TEMPLATE = 8, /* ${…} is code in it */
};

struct vy_hl_quote {
	const char *open, *close;
	unsigned flags;
};

enum vy_hl_flag {
	VY_HL_NOCASE = 1 << 0,     /* SELECT is select; the tables are in lower case */
	VY_HL_CALLS = 1 << 1,      /* a word before "(" is a function */
	VY_HL_CAMEL = 1 << 2,      /* a Word that begins large is a type */
	VY_HL_CAPS = 1 << 3,       /* a WORD all in capitals is a constant */
	VY_HL_SUFFIX_T = 1 << 4,   /* so is size_t a type */
	VY_HL_HASH_LINES = 1 << 5, /* #include, #define */
	VY_HL_AT_WORDS = 1 << 6,   /* @decorator */
	VY_HL_DOLLAR = 1 << 7,     /* $x */
	VY_HL_REGEX = 1 << 8,      /* /x/ where a value is expected */
	VY_HL_HEREDOC = 1 << 9,    /* <<END */
	VY_HL_KEYS = 1 << 10,      /* a string before ":" is a key */
	VY_HL_SHELL = 1 << 11,     /* words and comments as a shell cuts them */
	VY_HL_RUST = 1 << 12,      /* 'lifetime, r#"raw"#, name!, #[attribute] */
	VY_HL_CPP_RAW = 1 << 13,   /* R"x(raw)x", 1'000 */
};

struct vy_hl_pen {
	struct vy_str line;
	struct vy_hilite_span *spans;
	size_t n, max;
};

struct vy_hilite_lang {
	const char *name;
	const char *aliases; /* " cpp c++ " words behind a fence and endings of files */
	const char *files;   /* " makefile " whole names of files */
	/* colours a line from `from` on; NULL: vy_hl_scan, by the tables below */
	void (*scan)(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
		struct vy_hl_pen *pen, size_t from);
	struct vy_hl_words keywords, types, constants, builtins;
	const char *comments[2]; /* to the end of the line */
	struct {
		const char *open, *close;
		bool nests;
	} block;
	struct vy_hl_quote quotes[6]; /* longer openings first */
	const char *prefixes;         /* " r b f " letters that may stand before a quote */
	unsigned flags;
};

/* ---- the pen ---- */

/* [start, end) has this role; called in order, an empty range draws nothing. */
void vy_hl_draw(struct vy_hl_pen *pen, size_t start, size_t end, enum vy_hilite_role role);
bool vy_hl_at(struct vy_str line, size_t at, const char *s); /* does `s` (not "") stand at `at`? */
bool vy_hl_is_word(char c);                                  /* letters, digits, _, beyond ASCII */
bool vy_hl_is_blank(char c);
size_t vy_hl_word_end(struct vy_str line, size_t at);
size_t vy_hl_blanks(struct vy_str line, size_t at);              /* behind the blanks at `at` */
size_t vy_hl_find(struct vy_str line, size_t at, const char *s); /* line.n if not there */
size_t vy_hl_number(struct vy_str line, size_t at, bool ticks);  /* end of the number at `at` */
size_t vy_hl_variable(struct vy_str line, size_t at); /* end of $x, ${x}, $1; `at` if it is none */
bool vy_hl_lists(const char *list, struct vy_str word); /* in " a b c ", case of the word aside */
bool vy_hl_has(const struct vy_hl_words *words, struct vy_str word, bool nocase);

/* A string from its opening quote at `at` to its end, escapes and variables drawn; returns where it
 * stops. *open is true when the line ends inside it. */
size_t vy_hl_string(
	struct vy_hl_pen *pen, size_t start, size_t at, const struct vy_hl_quote *q, bool *open);

/* ---- scanners: one by tables, the others for languages that are no programs ---- */

#define VY_HL_SCANNER(name)                                                                        \
	void name(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,                   \
		struct vy_hl_pen *pen, size_t from)

VY_HL_SCANNER(vy_hl_scan);
VY_HL_SCANNER(vy_hl_html);
VY_HL_SCANNER(vy_hl_markdown);
VY_HL_SCANNER(vy_hl_diff);
VY_HL_SCANNER(vy_hl_css);
VY_HL_SCANNER(vy_hl_yaml);
VY_HL_SCANNER(vy_hl_toml);
VY_HL_SCANNER(vy_hl_make);

extern const struct vy_hilite_lang vy_hl_javascript; /* for <script> */
extern const struct vy_hilite_lang vy_hl_stylesheet; /* for <style> */

/* Every language; ends in one without a name. */
extern const struct vy_hilite_lang *const vy_hl_langs[];

#endif
