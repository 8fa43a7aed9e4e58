/* verbs_person.c -- whole kinds of methods of the method table, tried at once from wherever one likes.
 *
 * `bodies` writes what is sent: batches, one a line, with parameters that a person would get through
 * with; the id of each call is its method. `answers` reads what came back. A method that is added to
 * methods.def is tried with them by itself. The kinds: `person`, those that a person alone may call;
 * and about a session `own`, `read` and `write` (that is for one's own alone, for anyone). */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/rpc/method.h"
#include "tests/play/play.h"
#include "shared/base/ban.h"

#define BATCH_MAX 50

static bool is_of(const char *kind, const struct vy_method *m)
{
	bool is_of_session = strstr(m->params_text, "session: id") != NULL;

	return strcmp(kind, "person") == 0 ? m->reach == VY_REACH_PERSON
	       : strcmp(kind, "own") == 0  ? m->reach == VY_REACH_OWN && is_of_session
					   : m->reach == VY_REACH_ANYONE && is_of_session &&
						    m->writes == (strcmp(kind, "write") == 0);
}

/* ---- what is sent ---- */

/* What a parameter of that name is given; NULL: by its type. */
static const char *named(const struct play *p, const struct words *w, struct vy_str name)
{
	static const char *const names[] = { "session", "ask", "queued", "task" };

	for (int i = 0; i < (int)VY_COUNT(names); i++) {
		if (vy_str_is(name, names[i])) {
			return i + 3 < w->n ? w->v[i + 3] : "x";
		}
	}
	return vy_str_is(name, "cwd")        ? p->box.work
	       : vy_str_is(name, "decision") ? "allow"
	       : vy_str_is(name, "mime")     ? "image/png"
	       : vy_str_is(name, "b64")      ? "iVBORw0KGgo="
					     : NULL;
}

/* A value of a type in the language of schema.h: "int>=1", "str<=64", "on|off", "[str]", "{...}". */
static struct vy_json *typed(struct vy_str type)
{
	size_t n = 0;

	while (n < type.n &&
		strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-", type.p[n])) {
		n++;
	}
	struct vy_str word = vy_str_n(type.p, n);

	if (vy_str_starts(type, "[")) {
		return vy_json_new_arr();
	}
	if (vy_str_starts(type, "{") || vy_str_is(word, "obj")) {
		return vy_json_new_obj();
	}
	if (vy_str_is(word, "int") || vy_str_is(word, "num")) {
		return vy_json_new_int(1);
	}
	if (vy_str_is(word, "bool")) {
		return vy_json_new_bool(true);
	}
	if (vy_str_is(word, "str") || vy_str_is(word, "id")) {
		return vy_json_new_str(VY_STR_LIT("stolen"));
	}
	return vy_json_new_str(word); /* the first of several words */
}

/* One "name: type" of "{a: id, b?: {x: str}, c: str}"; false: there is none any more. */
static bool next_param(struct vy_str *s, struct vy_str *name, struct vy_str *type)
{
	int depth = 0;
	size_t n = 0;

	while (s->n && strchr(" ,", s->p[0])) {
		*s = vy_str_from(*s, 1);
	}
	while (n < s->n && (depth > 0 || s->p[n] != ',')) {
		depth += strchr("[{", s->p[n]) != NULL;
		depth -= strchr("]}", s->p[n]) != NULL;
		n++;
	}
	const char *colon = n ? memchr(s->p, ':', n) : NULL;

	if (!colon) {
		return false;
	}
	size_t at = (size_t)(colon - s->p);

	*name = vy_str_n(s->p, at);
	*type = vy_str_from(vy_str_n(s->p, n), at + 2);
	*s = vy_str_from(*s, n);
	return true;
}

static struct vy_json *params_for(
	const struct play *p, const struct vy_method *m, const struct words *w)
{
	struct vy_json *o = vy_json_new_obj();
	struct vy_str s = vy_str_n(m->params_text + 1, strlen(m->params_text) - 2), name, type;
	char key[64];

	while (next_param(&s, &name, &type)) {
		const char *value = named(p, w, name);

		if (name.p[name.n - 1] == '?') {
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", VY_STR_ARG(name));
		vy_json_take(o, key, value ? vy_json_new_str(vy_str_c(value)) : typed(type));
	}
	return o;
}

/* bodies KIND PATH SESSION [ASK [QUEUED [TASK]]] */
static bool do_bodies(struct play *p, const struct words *w)
{
	struct vy_methods *methods = vy_methods_new();
	VY_AUTO_BUF out = VY_BUF_INIT(4 * VY_MIB);
	FILE *f = fopen(w->v[2], "we");
	int n = 0;
	bool ok = f != NULL;

	for (size_t i = 0; i < vy_methods_len(methods); i++) {
		const struct vy_method *m = vy_methods_at(methods, i);
		VY_AUTO_JSON *params = is_of(w->v[1], m) ? params_for(p, m, w) : NULL;
		struct vy_err e = { 0 };

		if (!params) {
			continue;
		}
		if (vy_method_check(m, params, &e) != 0) {
			ok = play_fail(p, "%s: %s", m->name, e.text);
		}
		vy_buf_adds(&out, n % BATCH_MAX ? "," : n ? "]\n[" : "[");
		vy_buf_addf(&out,
			"{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":", m->name,
			m->name);
		vy_json_dump(params, &out);
		vy_buf_addc(&out, '}');
		n++;
	}
	vy_buf_adds(&out, "]\n");
	vy_methods_free(methods);
	ok = ok && fputs(vy_buf_c(&out), f) >= 0;
	if (f) {
		ok = fclose(f) == 0 && ok;
	}
	return ok || play_fail(p, "%s: %s", w->v[2], p->why.len ? vy_buf_c(&p->why) : "no file");
}

/* ---- what came back ---- */

static bool read_file(const char *path, struct vy_buf *out)
{
	FILE *f = fopen(path, "re");
	char room[65536];
	size_t n;

	while (f && (n = fread(room, 1, sizeof(room), f)) > 0) {
		vy_buf_add(out, room, n);
	}
	if (f) {
		fclose(f);
	}
	return f != NULL;
}

/* {method: answer} of all the batches in a file; NULL: some line is no answer. */
static struct vy_json *answers_of(const char *path, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(16 * VY_MIB);
	struct vy_json *all = vy_json_new_obj();
	struct vy_str rest;

	read_file(path, &text);
	for (rest = vy_buf_str(&text); rest.n;) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		struct vy_str line = vy_str_n(rest.p, nl ? (size_t)(nl - rest.p) : rest.n);
		VY_AUTO_JSON *arr = line.n ? vy_json_parse(line, e) : NULL;

		rest = vy_str_from(rest, line.n + (nl != NULL));
		if (line.n && !arr) {
			vy_json_free(all);
			return NULL;
		}
		for (size_t i = 0; i < vy_json_len(arr); i++) {
			const struct vy_json *one = vy_json_at(arr, i);
			const char *id = vy_json_cstr(one, "id");

			if (id) {
				vy_json_take(all, id, vy_json_copy(one));
			}
		}
	}
	return all;
}

/* Is the answer to one method what it must be? */
static bool is_kind(const struct vy_json *answer, const char *want)
{
	const struct vy_json *error = vy_json_get(answer, "error");
	struct vy_str kind = vy_json_str(vy_json_get(error, "data"), "kind");
	struct vy_str message = vy_json_str(error, "message");

	if (strcmp(want, "allowed") == 0) {
		return answer && !vy_str_is(kind, "person_only") && !vy_str_is(kind, "denied") &&
		       !vy_str_is(kind, "not_found");
	}
	if (strcmp(want, "reached") == 0) {
		return answer && !vy_str_is(kind, "person_only") && !vy_str_is(kind, "denied");
	}
	return vy_str_is(kind, want) &&
	       (strcmp(want, "person_only") != 0 || vy_str_starts(message, "Only a person "));
}

static bool check_file(struct play *p, const char *kind, const char *path, const char *want)
{
	struct vy_methods *methods = vy_methods_new();
	struct vy_err e = { 0 };
	VY_AUTO_JSON *all = answers_of(path, &e);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	bool ok = all || play_fail(p, "%s: %s", path, e.text);

	for (size_t i = 0; ok && i < vy_methods_len(methods); i++) {
		const struct vy_method *m = vy_methods_at(methods, i);
		const struct vy_json *answer = vy_json_get(all, m->name);

		if (is_of(kind, m) && !is_kind(answer, want)) {
			if (answer) {
				vy_json_dump(answer, &text);
			}
			ok = play_fail(p, "%s: %s: expected %s, got %s", path, m->name, want,
				answer ? vy_buf_c(&text) : "no answer");
		}
	}
	vy_methods_free(methods);
	return ok;
}

/* answers KIND N PATTERN WHAT: N files of that name, and in each every method was refused as WHAT, or
 * was "allowed", or at least "reached" what it names or does not find. */
static bool do_answers(struct play *p, const struct words *w)
{
	glob_t found = { 0 };
	long long n = 0;
	bool ok = vy_parse_i64(vy_str_c(w->v[2]), &n) ||
		  play_fail(p, "expected: answers KIND N PATTERN WHAT");

	(void)glob(w->v[3], 0, NULL, &found);
	if (ok && (long long)found.gl_pathc != n) {
		ok = play_fail(p, "%zu files, not %lld", found.gl_pathc, n);
	}
	for (size_t i = 0; ok && i < found.gl_pathc; i++) {
		ok = check_file(p, w->v[1], found.gl_pathv[i], w->v[4]);
	}
	globfree(&found);
	return ok;
}

/* ---- nothing changed ---- */

/* still NAME SESSION: what a person can see of it; the same as when it was seen first. */
static bool do_still(struct play *p, const struct words *w)
{
	static const char *const methods[] = { "threads.get", "threads.queue", "threads.asks",
		"threads.draft.get", "threads.tasks" };
	VY_AUTO_BUF all = VY_BUF_INIT(16 * VY_MIB), params = VY_BUF_INIT(1024);

	vy_buf_addf(&params, "{\"session\":\"%s\"}", w->v[2]);
	for (size_t i = 0; i < VY_COUNT(methods); i++) {
		if (!play_call(p, methods[i], vy_buf_c(&params))) {
			return false;
		}
		vy_json_dump_canonical(p->it, &all);
		vy_buf_addc(&all, '\n');
	}
	if (!vy_json_get(p->kept, w->v[1])) {
		vy_json_set_c(p->kept, w->v[1], vy_buf_c(&all));
		return true;
	}
	return vy_str_is(vy_buf_str(&all), vy_json_cstr(p->kept, w->v[1])) ||
	       play_fail(
		       p, "it was\n%s\nand is\n%s", vy_json_cstr(p->kept, w->v[1]), vy_buf_c(&all));
}

const struct play_entry verbs_person[] = {
	{ "bodies", 3, do_bodies },
	{ "answers", 4, do_answers },
	{ "still", 2, do_still },
	{ 0 },
};
