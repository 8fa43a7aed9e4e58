/* redact_named.c -- secrets that their name tells: API_KEY=…, "password": "…", --token …, user:…@host.
 *
 * A name promises little: programs are full of `token = next()`. So the value must look like one, by
 * how sure the way of writing is: after "=" without blanks a password is anything, elsewhere it has a
 * digit or a sign in it; tokens and keys have a digit; what is called just some KEY looks random. */
#include <stdint.h>
#include <string.h>

#include "server/guard/redact.h"
#include "server/guard/redact_in.h"
#include "shared/base/ban.h"

#define NAME_MAX_LEN 64
#define VALUE_MIN    6
#define RANDOM_MIN   16

/* ---- names ---- */

enum meaning { NOTHING, SOME_KEY, TOKEN, PASSWORD };

static const struct {
	const char *word;
	enum meaning meaning;
} words[] = {
	{ "KEY", SOME_KEY },
	{ "APIKEY", TOKEN },
	{ "TOKEN", TOKEN },
	{ "SECRET", PASSWORD },
	{ "PASSWORD", PASSWORD },
	{ "PASSWD", PASSWORD },
	{ "PWD", PASSWORD },
	{ "PASSPHRASE", PASSWORD },
	{ "CREDENTIAL", PASSWORD },
	{ "CREDENTIALS", PASSWORD },
};

/* What stands before KEY and makes it one that opens something. */
static const char *const keys[] = { "API", "SECRET", "ACCESS", "PRIVATE", "AUTH", "ENCRYPTION",
	"SIGNING", "MASTER", "ACCOUNT", "SHARED", "SERVICE", "DEPLOY", "LICENSE" };

static const struct {
	const char *end; /* of a name in camelCase */
	enum meaning meaning;
} camels[] = {
	{ "apiKey", TOKEN },
	{ "secretKey", TOKEN },
	{ "accessKey", TOKEN },
	{ "privateKey", TOKEN },
	{ "AccountKey", TOKEN },
	{ "SharedAccessKey", TOKEN },
	{ "authToken", TOKEN },
	{ "accessToken", TOKEN },
	{ "refreshToken", TOKEN },
	{ "bearerToken", TOKEN },
	{ "idToken", TOKEN },
	{ "sessionToken", TOKEN },
	{ "clientSecret", PASSWORD },
	{ "userPassword", PASSWORD },
	{ "dbPassword", PASSWORD },
};

static bool is_word(struct vy_str s, const char *word)
{
	return s.n == strlen(word) && strncasecmp(s.p, word, s.n) == 0;
}

/* The last part of a_name-like.this; what is before it is left in *s. */
static struct vy_str last_part(struct vy_str *s)
{
	size_t n = s->n;

	while (n > 0 && !strchr("_-.", s->p[n - 1])) {
		n--;
	}
	struct vy_str part = vy_str_from(*s, n);

	*s = vy_str_n(s->p, n > 0 ? n - 1 : 0);
	return part;
}

static enum meaning meaning_of(struct vy_str name)
{
	struct vy_str rest = name, last = last_part(&rest), before = last_part(&rest);

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (!is_word(last, words[i].word)) {
			continue;
		}
		for (size_t k = 0; words[i].meaning == SOME_KEY && k < VY_COUNT(keys); k++) {
			if (is_word(before, keys[k])) {
				return TOKEN;
			}
		}
		return words[i].meaning;
	}
	for (size_t i = 0; i < VY_COUNT(camels); i++) {
		size_t n = strlen(camels[i].end);

		if (last.n >= n && memcmp(last.p + last.n - n, camels[i].end, n) == 0) {
			return camels[i].meaning;
		}
	}
	return last.n > 6 && strncasecmp(last.p + last.n - 6, "APIKEY", 6) == 0 ? TOKEN : NOTHING;
}

bool guard_is_secret_name(struct vy_str name)
{
	return meaning_of(name) != NOTHING;
}

/* ---- values ---- */

struct look {
	bool has_digit, has_letter, has_sign, has_blank, is_code, is_random, is_one_char;
};

static struct look look_at(struct vy_str v)
{
	struct look l = { .is_random = true, .is_one_char = true };

	for (size_t i = 0; i < v.n; i++) {
		char ch = v.p[i];
		bool is_digit = ch >= '0' && ch <= '9';
		bool is_letter = !is_digit && guard_is_in(GUARD_ALNUM, ch);

		l.has_digit |= is_digit;
		l.has_letter |= is_letter;
		l.has_blank |= ch == ' ' || ch == '\t';
		l.has_sign |= !is_digit && !is_letter && ch != ' ';
		l.is_code |= ch && strchr("()[]{};,", ch);
		l.is_random &= guard_is_in(GUARD_BASE64, ch) || ch == '_' || ch == '-';
		l.is_one_char &= ch == v.p[0];
	}
	l.is_random &= v.n >= RANDOM_MIN && l.has_digit && l.has_letter;
	return l;
}

/* Stands for a value, or is none. */
static bool is_placeholder(struct vy_str v, struct vy_str name)
{
	static const char *const nothing[] = { "none", "null", "true", "false", "undefined",
		"required", "optional", "string", "redacted" };
	static const char *const begins[] = { "your", "my-", "os.", "self.", "args.", "process.",
		"config.", "settings.", "env." };

	if (v.n == 0 || strchr("$<{%*[(&", v.p[0]) || look_at(v).is_one_char) {
		return true;
	}
	while (v.n && strchr(",;)", v.p[v.n - 1])) {
		v.n--;
	}
	for (size_t i = 0; i < VY_COUNT(nothing); i++) {
		if (is_word(v, nothing[i])) {
			return true;
		}
	}
	for (size_t i = 0; i < VY_COUNT(begins); i++) {
		size_t n = strlen(begins[i]);

		if (v.n >= n && strncasecmp(v.p, begins[i], n) == 0) {
			return true;
		}
	}
	return v.n == name.n && strncasecmp(v.p, name.p, v.n) == 0;
}

/* How a name and its value are written; the surest first. */
enum way { PLAIN /* NAME=value */, QUOTED /* NAME='value' */, SAID /* "name": "value" */, LOOSE };

static bool is_secret(enum meaning meaning, enum way way, struct vy_str v, struct vy_str name)
{
	struct look l = look_at(v);

	if (is_placeholder(v, name) || (l.is_code && (way == PLAIN || way == LOOSE)) ||
		(l.has_blank && way != QUOTED)) {
		return false;
	}
	if (way == LOOSE && (v.n < 8 || !l.has_digit || !l.has_letter || memchr(v.p, '.', v.n))) {
		return false;
	}
	switch (meaning) {
	case SOME_KEY: return l.is_random;
	case TOKEN: return l.has_digit;
	case PASSWORD:
		return way == PLAIN ? l.has_digit || !memchr(v.p, '.', v.n)
				    : way == QUOTED || l.has_digit || l.has_sign;
	case NOTHING: break;
	}
	return false;
}

/* ---- the ways of writing ---- */

static char char_at(struct vy_str s, size_t at)
{
	return at < s.n ? s.p[at] : '\0';
}

static size_t blanks(struct vy_str s, size_t at)
{
	size_t n = 0;

	while (char_at(s, at + n) == ' ' || char_at(s, at + n) == '\t') {
		n++;
	}
	return n;
}

static bool is_quote(char ch)
{
	return ch == '"' || ch == '\'';
}

/* To the quote that closes it, on the same line. */
static size_t in_quotes(const struct redact_text *t, size_t at, char quote, size_t most)
{
	size_t n = 0;

	while (n < most && at + n < t->s.n && t->s.p[at + n] != quote && t->s.p[at + n] != '\n' &&
		t->s.p[at + n] != '\\') {
		n++;
	}
	return n;
}

struct place {
	size_t value; /* where it begins */
	enum way way;
	char quote; /* it stands in; 0 */
};

/* From behind the name to the value; false: none follows. */
static bool find_value(struct vy_str s, size_t name_at, size_t at, struct place *p)
{
	bool is_option = name_at >= 2 && s.p[name_at - 1] == '-' && s.p[name_at - 2] == '-';
	size_t closed = is_quote(char_at(s, at)), before = blanks(s, at + closed);
	size_t sign = at + closed + before;
	char ch = char_at(s, sign);

	*p = (struct place){ .way = PLAIN };
	if (ch == '=' && char_at(s, sign + 1) != '=') {
		size_t behind = blanks(s, sign + 1);

		p->value = sign + 1 + behind;
		p->way = closed + before + behind ? LOOSE : PLAIN;
	} else if (ch == ':' && !strchr(":=/", char_at(s, sign + 1))) {
		p->value = sign + 1 + blanks(s, sign + 1);
		p->way = LOOSE;
	} else if (is_option && !closed && before == 1) {
		p->value = sign;
		p->way = LOOSE;
	} else {
		return false;
	}
	if (is_quote(char_at(s, p->value))) {
		p->quote = char_at(s, p->value++);
		p->way = p->way == PLAIN ? QUOTED : SAID;
	}
	return true;
}

static size_t value_len(const struct redact_text *t, const struct place *p, size_t most)
{
	return p->quote ? in_quotes(t, p->value, p->quote, most)
			: redact_run(t->s, p->value, GUARD_TOKEN, most);
}

bool redact_named(const struct redact_text *t, size_t at, struct redact_find *f)
{
	size_t n = redact_run(t->s, at, GUARD_DOTTED, NAME_MAX_LEN + 1);
	struct vy_str name = vy_str_n(t->s.p + at, n);
	struct place p;

	if (n < 3 || n > NAME_MAX_LEN) {
		return false;
	}
	if (!find_value(t->s, at, at + n, &p)) { /* as with most words */
		return false;
	}
	enum meaning meaning = meaning_of(name);

	if (meaning == NOTHING) {
		return false;
	}
	size_t len = value_len(t, &p, REDACT_LOOK);
	struct vy_str v = vy_str_n(t->s.p + p.value, len);
	bool is_open = p.value + len == t->s.n;

	if (p.way == LOOSE && !is_open && len < REDACT_LOOK &&
		!strchr(" \t\r\n", t->s.p[p.value + len])) {
		return false;
	}
	if (!(t->is_cut && is_open ? len > 0 && !is_placeholder(v, name)
				   : len >= VALUE_MIN && is_secret(meaning, p.way, v, name))) {
		return false;
	}
	*f = (struct redact_find){ "secret", p.value - at, value_len(t, &p, SIZE_MAX) };
	return true;
}

/* "://user:password@"; `at` is at the colon. */
bool redact_login(const struct redact_text *t, size_t at, struct redact_find *f)
{
	static const char stops[] = " \t\r\n/@:\"'`<>\\?#";
	size_t user = 0, pass = 0;
	struct vy_str s = vy_str_from(t->s, at);

	if (!vy_str_starts(s, "://")) {
		return false;
	}
	while (3 + user < s.n && s.p[3 + user] && !strchr(stops, s.p[3 + user])) {
		user++;
	}
	if (char_at(s, 3 + user) != ':') {
		return false;
	}
	size_t from = 3 + user + 1;

	while (from + pass < s.n && s.p[from + pass] &&
		(!strchr(stops, s.p[from + pass]) || s.p[from + pass] == ':')) {
		pass++;
	}
	struct vy_str v = vy_str_n(s.p + from, pass);
	struct look l = look_at(v);

	*f = (struct redact_find){ "password", from, pass };
	if (from + pass == s.n) { /* a port, as far as we know */
		return t->is_cut && pass > 0 && (l.has_letter || l.has_sign);
	}
	return pass > 0 && s.p[from + pass] == '@' && !is_placeholder(v, vy_str_n(NULL, 0));
}
