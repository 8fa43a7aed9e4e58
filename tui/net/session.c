/* session.c -- see session.h. */
#include "tui/net/session.h"

#include <ctype.h>
#include <stdlib.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tui/net/contact.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- names ---- */

bool session_is_id(struct vy_str name)
{
	if (name.n < SESSION_NAME_MIN || name.n > VY_UUID_LEN) {
		return false;
	}
	for (size_t i = 0; i < name.n; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (is_dash ? name.p[i] != '-' : !isxdigit((unsigned char)name.p[i])) {
			return false;
		}
	}
	return true;
}

static bool begins(const struct vy_json *record, struct vy_str name)
{
	struct vy_str id = vy_json_str(record, "session");

	return id.n >= name.n && strncasecmp(id.p, name.p, name.n) == 0;
}

const struct vy_json *session_match(
	const struct vy_json *threads, struct vy_str name, struct vy_err *e)
{
	const struct vy_json *by_id = NULL, *by_title = NULL;
	VY_AUTO_BUF several = VY_BUF_INIT(256);
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(threads); i++) {
		const struct vy_json *t = vy_json_at(threads, i);

		if (session_is_id(name) && begins(t, name)) {
			by_id = t;
			n++;
			vy_buf_addf(&several, " %.13s", vy_json_cstr(t, "session"));
		}
		if (!by_title && name.n && vy_str_eq(vy_json_str(t, "title"), name)) {
			by_title = t;
		}
	}
	if (n > 1) {
		vy_fail(e, VY_CONFLICT, _("several sessions begin with %.*s:%s"), VY_STR_ARG(name),
			vy_buf_c(&several));
		return NULL;
	}
	if (!by_id && !by_title) {
		vy_fail(e, VY_NOT_FOUND,
			_("there is no session called %.*s (vyre-tui ls lists them)"),
			VY_STR_ARG(name));
	}
	return by_id ? by_id : by_title;
}

static bool holds(struct vy_str title, struct vy_str word)
{
	for (size_t i = 0; i + word.n <= title.n; i++) {
		if (strncasecmp(title.p + i, word.p, word.n) == 0) {
			return true;
		}
	}
	return false;
}

static bool holds_all(struct vy_str title, struct vy_str words)
{
	bool has_word = false;

	while ((words = vy_str_trim(words)).n > 0) {
		const char *blank = memchr(words.p, ' ', words.n);
		size_t n = blank ? (size_t)(blank - words.p) : words.n;

		if (!holds(title, vy_str_n(words.p, n))) {
			return false;
		}
		has_word = true;
		words = vy_str_from(words, n);
	}
	return has_word;
}

const struct vy_json *session_match_words(
	const struct vy_json *threads, struct vy_str words, struct vy_err *e)
{
	const struct vy_json *found = NULL;
	VY_AUTO_BUF several = VY_BUF_INIT(512);
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(threads); i++) {
		const struct vy_json *t = vy_json_at(threads, i);

		if (!holds_all(vy_json_str(t, "title"), words)) {
			continue;
		}
		found = t;
		n++;
		vy_buf_addf(&several, " %.13s", vy_json_cstr(t, "session"));
	}
	if (n > 1) {
		vy_fail(e, VY_CONFLICT, _("the titles of several sessions hold %.*s:%s"),
			VY_STR_ARG(words), vy_buf_c(&several));
	} else if (n == 0) {
		vy_fail(e, VY_NOT_FOUND,
			_("there is no session called %.*s (vyre-tui ls lists them)"),
			VY_STR_ARG(words));
	}
	return n == 1 ? found : NULL;
}

void session_id_of(const struct vy_json *record, char id[VY_UUID_LEN + 1])
{
	snprintf(id, VY_UUID_LEN + 1, "%.*s", VY_STR_ARG(vy_json_str(record, "session")));
}

static int named(struct contact *c, const char *name, bool by_words, char id[VY_UUID_LEN + 1],
	struct vy_err *e)
{
	VY_AUTO_JSON *list = contact_ask(c, "threads.list", NULL, NULL, e);

	if (!list) {
		return -1;
	}
	const struct vy_json *threads = vy_json_get(list, "threads");
	struct vy_str word = vy_str_c(name);
	struct vy_err why = { 0 };
	const struct vy_json *record = session_match(threads, word, &why);

	if (!record && by_words && why.code == VY_NOT_FOUND && !vy_is_uuid(word)) {
		record = session_match_words(threads, word, &why);
	}
	if (record) {
		session_id_of(record, id);
		return 0;
	}
	if (why.code == VY_NOT_FOUND && vy_is_uuid(word)) { /* an archived one */
		struct vy_json *params = vy_json_new_obj();

		vy_json_set_c(params, "session", name);
		VY_AUTO_JSON *got = contact_ask(c, "threads.get", params, NULL, e);

		session_id_of(got, id);
		return got ? 0 : -1;
	}
	if (e) {
		*e = why;
	}
	return -1;
}

int session_named(struct contact *c, const char *name, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	return named(c, name, false, id, e);
}

int session_shown(struct contact *c, const char *name, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	return named(c, name, true, id, e);
}

int session_newest(struct contact *c, const char *cwd, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj(), *filter = vy_json_new_obj();

	vy_json_set_c(filter, "cwd", cwd);
	vy_json_take(params, "filter", filter);
	VY_AUTO_JSON *list = contact_ask(c, "threads.list", params, NULL, e);

	if (!list) {
		return -1;
	}
	const struct vy_json *newest = vy_json_at(vy_json_get(list, "threads"), 0);

	session_id_of(newest, id);
	return newest != NULL;
}

char *session_folder(const char *cwd, struct vy_err *e)
{
	char *real = realpath(cwd ? cwd : ".", NULL);

	if (!real) {
		vy_fail(e, VY_NOT_FOUND, _("there is no folder %s"), cwd ? cwd : ".");
	}
	return real;
}

/* ---- a new one ---- */

extern char **environ;

struct vy_json *session_env(void)
{
	static const char *const names[] = { "PATH", "LANG", "LANGUAGE", "TZ", "SSH_AUTH_SOCK" };
	struct vy_json *o = vy_json_new_obj();

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		vy_json_set_c(o, names[i], getenv(names[i]));
	}
	for (char **at = environ; *at; at++) {
		const char *value = strchr(*at, '=');

		if (value && strncmp(*at, "LC_", 3) == 0 && value - *at < 64) {
			char name[64];

			snprintf(name, sizeof(name), "%.*s", (int)(value - *at), *at);
			vy_json_set_c(o, name, value + 1);
		}
	}
	return o;
}

/* The first provider that can run here; the demo last, with the first other one's reason. */
static char *usable_provider(struct contact *c, char note[400], struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_take(params, "env", session_env());
	VY_AUTO_JSON *list = contact_ask(c, "providers.list", params, NULL, e);
	const struct vy_json *all = vy_json_get(list, "providers");
	const char *demo = NULL;

	if (!list) {
		return NULL;
	}
	for (size_t i = 0; i < vy_json_len(all); i++) {
		const struct vy_json *p = vy_json_at(all, i);
		bool is_demo = vy_str_is(vy_json_str(p, "driver"), "demo");

		if (vy_json_bool(p, "available", false) && !is_demo) {
			note[0] = '\0';
			return vy_strdup(vy_json_cstr(p, "name"));
		}
		if (is_demo) {
			demo = vy_json_cstr(p, "name");
		} else if (!note[0]) {
			snprintf(note, 400, "%.*s", VY_STR_ARG(vy_json_str(p, "why")));
		}
	}
	return vy_strdup(demo ? demo : "demo");
}

/* Says which there are, if the one that was asked for is none of them. */
static void name_providers(struct contact *c, const char *wanted, struct vy_err *e)
{
	VY_AUTO_JSON *list = contact_ask(c, "providers.list", NULL, NULL, NULL);
	const struct vy_json *all = vy_json_get(list, "providers");
	VY_AUTO_BUF names = VY_BUF_INIT(256);

	for (size_t i = 0; i < vy_json_len(all); i++) {
		struct vy_str name = vy_json_str(vy_json_at(all, i), "name");

		if (vy_str_is(name, wanted)) {
			return; /* it was something else */
		}
		vy_buf_addf(&names, "%s%.*s", i ? ", " : "", VY_STR_ARG(name));
	}
	if (names.len) {
		vy_fail(e, VY_NOT_FOUND, _("there is no provider %s; there are: %s"), wanted,
			vy_buf_c(&names));
	}
}

/* "Read,Bash(git *),Edit": a comma between brackets is a rule's own. */
static struct vy_json *tools_of(const char *words)
{
	struct vy_json *list = vy_json_new_arr();

	for (const char *at = words; *at;) {
		size_t n = 0;
		int deep = 0;

		while (at[n] && (at[n] != ',' || deep > 0)) {
			deep += (at[n] == '(') - (at[n] == ')');
			n++;
		}
		struct vy_str name = vy_str_trim(vy_str_n(at, n));

		if (name.n) {
			vy_json_add_take(list, vy_json_new_str(name));
		}
		at += n + (at[n] == ',');
	}
	return list;
}

static void put_bounds(struct vy_json *params, const struct session_new *s)
{
	if (s->project) {
		vy_json_set_c(params, "project", s->project);
	}
	if (s->purpose) {
		vy_json_set_c(params, "purpose", s->purpose);
	}
	if (s->tools) {
		vy_json_take(params, "tools", tools_of(s->tools));
	}
	if (s->budget_usd > 0) {
		vy_json_take(params, "budget_usd", vy_json_new_real(s->budget_usd));
	}
	if (s->is_once) {
		vy_json_set_bool(params, "once", true);
	}
}

struct vy_json *session_start(struct contact *c, struct session_new *s, struct vy_err *e)
{
	s->note[0] = '\0';
	char *provider = s->provider ? vy_strdup(s->provider) : usable_provider(c, s->note, e);
	struct vy_json *params;
	char key[VY_UUID_LEN + 1];

	if (!provider) {
		return NULL;
	}
	params = vy_json_new_obj();
	vy_uuid(key);
	vy_json_set_c(params, "provider", provider);
	vy_json_set_c(params, "model", s->model);
	vy_json_set_c(params, "cwd", s->cwd);
	if (s->text.n) {
		vy_json_set_str(params, "text", s->text);
	}
	put_bounds(params, s);
	vy_json_take(params, "env", session_env());
	free(provider);
	struct vy_json *record = contact_ask(c, "threads.start", params, key, e);

	if (!record && s->provider && e && e->code == VY_NOT_FOUND) {
		name_providers(c, s->provider, e);
	}
	return record;
}
