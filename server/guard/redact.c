/* redact.c -- see redact.h. The table says what a key begins with and what it is made of; what has
 * more shape than that (a JWT, a key block, NAME=value) is a function below it. */
#include "server/guard/redact.h"

#include <string.h>

#include "shared/base/ban.h"

/* ---- what keys are made of ---- */

enum alphabet { ALNUM, UPPER, URL /* base64url */, DASHED /* alnum and "-" */, TOKEN };

static bool is_alnum(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
}

static bool is_in(enum alphabet alphabet, char ch)
{
	switch (alphabet) {
	case ALNUM: return is_alnum(ch);
	case UPPER: return (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
	case URL: return is_alnum(ch) || ch == '_' || ch == '-';
	case DASHED: return is_alnum(ch) || ch == '-';
	case TOKEN: return ch > ' ' && ch < 0x7f && ch != '"' && ch != '\'' && ch != '`';
	}
	return false;
}

static size_t run(struct vy_str s, size_t at, enum alphabet alphabet)
{
	size_t n = 0;

	while (at + n < s.n && is_in(alphabet, s.p[at + n])) {
		n++;
	}
	return n;
}

/* ---- the table ---- */

static const struct {
	const char *name, *prefix;
	enum alphabet alphabet;
	size_t min; /* characters behind the prefix */
} shapes[] = {
	{ "anthropic key", "sk-ant-", URL, 10 },
	{ "openai key", "sk-proj-", URL, 20 },
	{ "openai key", "sk-svcacct-", URL, 20 },
	{ "api key", "sk-", ALNUM, 20 },
	{ "github token", "ghp_", ALNUM, 20 },
	{ "github token", "gho_", ALNUM, 20 },
	{ "github token", "ghu_", ALNUM, 20 },
	{ "github token", "ghs_", ALNUM, 20 },
	{ "github token", "ghr_", ALNUM, 20 },
	{ "github token", "github_pat_", URL, 20 },
	{ "gitlab token", "glpat-", URL, 16 },
	{ "aws key", "AKIA", UPPER, 16 },
	{ "aws key", "ASIA", UPPER, 16 },
	{ "slack token", "xoxb-", DASHED, 10 },
	{ "slack token", "xoxp-", DASHED, 10 },
	{ "slack token", "xoxa-", DASHED, 10 },
	{ "slack token", "xoxs-", DASHED, 10 },
	{ "slack token", "xapp-", DASHED, 10 },
	{ "google key", "AIza", URL, 30 },
	{ "google token", "ya29.", URL, 20 },
	{ "npm token", "npm_", ALNUM, 30 },
	{ "hugging face token", "hf_", ALNUM, 30 },
	{ "stripe key", "sk_live_", ALNUM, 16 },
	{ "stripe key", "rk_live_", ALNUM, 16 },
	{ "bearer token", "Bearer ", TOKEN, 16 },
	{ "bearer token", "bearer ", TOKEN, 16 },
};

/* ---- finding ---- */

/* What was found at a place: how much to keep of it, how much to hide behind that. */
struct find {
	const char *name;
	size_t keep, hide;
};

static bool begins(struct vy_str s, size_t at, const char *what)
{
	return vy_str_starts(vy_str_from(s, at), what);
}

static bool find_shape(struct vy_str s, size_t at, struct find *f)
{
	for (size_t i = 0; i < VY_COUNT(shapes); i++) {
		if (!begins(s, at, shapes[i].prefix)) {
			continue;
		}
		size_t p = strlen(shapes[i].prefix);
		size_t n = run(s, at + p, shapes[i].alphabet);

		if (n >= shapes[i].min) {
			bool is_word = shapes[i].prefix[p - 1] == ' ';

			*f = (struct find){ shapes[i].name, is_word ? p : 0, is_word ? n : p + n };
			return true;
		}
	}
	return false;
}

/* Three runs of base64url joined by dots, the first of which begins a JSON object. */
static bool find_jwt(struct vy_str s, size_t at, struct find *f)
{
	if (!begins(s, at, "eyJ")) {
		return false;
	}
	size_t n = run(s, at, URL), parts = 1;

	while (parts < 3 && n >= 8 && at + n < s.n && s.p[at + n] == '.') {
		size_t more = run(s, at + n + 1, URL);

		if (more < 8) {
			return false;
		}
		n += 1 + more;
		parts++;
	}
	*f = (struct find){ "token", 0, n };
	return parts == 3;
}

static bool find_block(struct vy_str s, size_t at, struct find *f)
{
	static const char mark[] = "PRIVATE KEY-----", end[] = "-----END ";
	size_t i = at;

	if (!begins(s, at, "-----BEGIN ")) {
		return false;
	}
	while (i < s.n && s.p[i] != '\n' && i < at + 60 && !begins(s, i, mark)) {
		i++;
	}
	if (!begins(s, i, mark)) {
		return false;
	}
	for (i += sizeof(mark) - 1; i < s.n && !begins(s, i, end); i++) {
	}
	while (i < s.n && !begins(s, i, mark)) {
		i++;
	}
	i += sizeof(mark) - 1;
	*f = (struct find){ "private key", 0, (i < s.n ? i : s.n) - at };
	return true;
}

static const char *const secret_words[] = { "KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD",
	"CREDENTIAL", "CREDENTIALS", "PASSPHRASE" };

/* The last part of NAME_OF_IT; AWS_ACCESS_KEY_ID names the key, and is told by its shape. */
bool guard_is_secret_name(struct vy_str name)
{
	size_t n = name.n;

	while (n > 0 && name.p[n - 1] != '_') {
		n--;
	}
	for (size_t i = 0; i < VY_COUNT(secret_words); i++) {
		struct vy_str last = vy_str_from(name, n);

		if (last.n == strlen(secret_words[i]) &&
			strncasecmp(last.p, secret_words[i], last.n) == 0) {
			return true;
		}
	}
	return name.n > 6 && strncasecmp(name.p + name.n - 6, "APIKEY", 6) == 0;
}

/* NAME=value with a name like API_KEY. */
static bool find_assignment(struct vy_str s, size_t at, struct find *f)
{
	size_t n = 0;

	while (at + n < s.n && (is_alnum(s.p[at + n]) || s.p[at + n] == '_')) {
		n++;
	}
	if (n < 3 || at + n >= s.n || s.p[at + n] != '=' ||
		!guard_is_secret_name(vy_str_n(s.p + at, n))) {
		return false;
	}
	size_t quote = at + n + 1 < s.n && (s.p[at + n + 1] == '"' || s.p[at + n + 1] == '\'');
	size_t hide = run(s, at + n + 1 + quote, TOKEN);

	*f = (struct find){ "secret", n + 1 + quote, hide };
	return hide >= 6;
}

static bool find_at(struct vy_str s, size_t at, struct find *f)
{
	if (at > 0 && (is_alnum(s.p[at - 1]) || s.p[at - 1] == '_')) {
		return false;
	}
	return find_shape(s, at, f) || find_jwt(s, at, f) || find_block(s, at, f) ||
	       find_assignment(s, at, f);
}

/* ---- the doors ---- */

bool guard_redact(struct vy_str in, struct vy_buf *out)
{
	size_t from = 0, i = 0;
	struct find f;

	while (i < in.n) {
		if (!find_at(in, i, &f)) {
			i++;
			continue;
		}
		vy_buf_add(out, in.p + from, i + f.keep - from);
		vy_buf_addf(out, "[redacted: %s]", f.name);
		i += f.keep + f.hide;
		from = i;
	}
	if (from < in.n) {
		vy_buf_add(out, in.p + from, in.n - from);
	}
	return !vy_buf_is_over(out);
}

bool guard_has_secret(struct vy_str in)
{
	struct find f;

	for (size_t i = 0; i < in.n; i++) {
		if (find_at(in, i, &f)) {
			return true;
		}
	}
	return false;
}
