/* back.c -- rewind, retry, fork and branch; aside and compact: the small acts of a person. */
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/model/fold.h"
#include "shared/model/points.h"
#include "tui/cmd/verb.h"
#include "tui/words/changed.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TEXT_CELLS 48

static int session_of(struct cmd *c, size_t word, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	return cmd_session(c, c->o->n_words > word ? c->o->words[word] : NULL, id, e);
}

/* ---- the points ---- */

static void print_point(struct cmd *c, const struct vy_points *all, const struct vy_point *p)
{
	VY_AUTO_BUF files = VY_BUF_INIT(65536);
	char *text = out_fit(p->text, TEXT_CELLS);

	words_files(p->files, p->files ? all->files[p->file].path : vy_str_n(NULL, 0), p->added,
		p->removed, &files);
	out_addf(&c->out, "%.*s  %s%s%s\n", VY_STR_ARG(p->message), text, files.len ? "   " : "",
		vy_buf_c(&files));
	free(text);
}

static void json_point(struct cmd *c, const struct vy_points *all, const struct vy_point *p)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	struct vy_json *files = vy_json_new_arr();

	vy_json_set_str(o, "message", p->message);
	vy_json_set_int(o, "time", p->time);
	vy_json_set_str(o, "text", p->text);
	for (size_t i = 0; i < p->files; i++) {
		const struct vy_point_file *f = &all->files[p->file + i];
		struct vy_json *one = vy_json_new_obj();

		vy_json_set_str(one, "path", f->path);
		vy_json_set_int(one, "added", f->added);
		vy_json_set_int(one, "removed", f->removed);
		vy_json_add_take(files, one);
	}
	vy_json_take(o, "files", files);
	out_json(&c->out, o);
}

/* The session as a screen has it, and its points. known_fini() in any case. */
struct known {
	struct vy_fold *fold;
	struct vy_points all;
};

static int known_read(struct known *k, struct cmd *c, const char *id, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(256);

	k->fold = vy_fold_new();
	vy_points_init(&k->all);
	vy_buf_addf(&path, "/v1/sessions/%s/snapshot", id);
	VY_AUTO_JSON *snapshot = contact_get(&c->net, vy_buf_c(&path), e);

	if (!snapshot || vy_fold_load(k->fold, snapshot, e) != 0) {
		return -1;
	}
	vy_points_read(&k->all, k->fold);
	return 0;
}

static void known_fini(struct known *k)
{
	vy_points_fini(&k->all);
	vy_fold_free(k->fold);
}

static int list(struct cmd *c, const char *id, struct vy_err *e)
{
	struct known k;
	int rc = known_read(&k, c, id, e);

	for (size_t i = 0; i < k.all.n; i++) {
		(c->o->is_json ? json_point : print_point)(c, &k.all, &k.all.v[i]);
	}
	known_fini(&k);
	return rc;
}

/* ---- rewind ---- */

static void print_files(struct cmd *c, const struct vy_json *files)
{
	const struct vy_json *changed = vy_json_get(files, "changed");
	VY_AUTO_BUF line = VY_BUF_INIT(8192);

	if (!vy_json_bool(files, "can", true)) {
		const char *why = vy_json_cstr(files, "why");

		out_progress(&c->out, "%s", why ? why : _("they cannot be put back here"));
		return;
	}
	for (size_t i = 0; i < vy_json_len(changed); i++) {
		out_addf(&c->out, "%.*s\n", VY_STR_ARG(vy_json_strval(vy_json_at(changed, i))));
	}
	words_files(vy_json_len(changed), vy_str_n(NULL, 0), vy_json_int(files, "added", 0),
		vy_json_int(files, "removed", 0), &line);
	out_progress(&c->out, "%s", line.len ? vy_buf_c(&line) : _("none would change"));
}

/* Its words go to the standard output: to be said otherwise. */
static void print_back(struct cmd *c, const struct vy_json *result)
{
	struct vy_str text = vy_json_str(result, "text");

	if (c->o->is_json) {
		out_json(&c->out, result);
	} else if (c->o->is_dry) {
		print_files(c, vy_json_get(result, "files"));
	} else if (text.n) {
		out_add(&c->out, text);
		out_add(&c->out, VY_STR_LIT("\n"));
	}
}

int verb_rewind(struct cmd *c, struct vy_err *e)
{
	const struct cmd_options *o = c->o;
	char id[VY_UUID_LEN + 1];

	if (o->is_redo ? o->to || o->with_files || o->is_dry
		       : !o->to && (o->with_files || o->is_dry)) {
		return vy_fail(e, VY_BAD_INPUT,
			_("--files and --dry-run go with --to, --redo goes alone"));
	}
	if (session_of(c, 0, id, e) != 0) {
		return -1;
	}
	if (!o->to && !o->is_redo) {
		return list(c, id, e);
	}
	struct vy_json *params = cmd_params(id);

	if (o->is_redo) {
		vy_json_set_bool(params, "redo", true);
	} else {
		vy_json_set_c(params, "message", o->to);
		vy_json_set_c(params, "files",
			o->is_dry       ? "dry"
			: o->with_files ? "restore"
					: "no");
	}
	VY_AUTO_JSON *result = cmd_write(c, "threads.rewind", params, e);

	if (result) {
		print_back(c, result);
	}
	return result ? EXIT_OK : -1;
}

/* ---- on another way ---- */

static int done(struct cmd *c, const struct vy_json *result)
{
	if (result && c->o->is_json) {
		out_json(&c->out, result);
	}
	return result ? EXIT_OK : -1;
}

/* Which message is meant: --to, else the newest of one's own. Owned. */
static char *meant(struct cmd *c, const char *id, struct vy_err *e)
{
	struct known k;
	char *found = NULL;

	if (c->o->to) {
		return vy_strdup(c->o->to);
	}
	if (known_read(&k, c, id, e) == 0 && k.all.n == 0) {
		vy_fail(e, VY_NOT_FOUND, "%s", _("nothing was said here yet"));
	} else if (k.all.n) {
		found = vy_memdup0(k.all.v[0].message.p, k.all.v[0].message.n);
	}
	known_fini(&k);
	return found;
}

/* The words of a message that is said again as it was. Owned. */
static char *words_of(struct cmd *c, const char *id, struct vy_err *e)
{
	struct known k;
	char *found = NULL;

	if (known_read(&k, c, id, e) == 0) {
		for (size_t i = 0; i < k.all.n && !found; i++) {
			const struct vy_point *p = &k.all.v[i];

			found = vy_str_is(p->message, c->o->to) ? vy_memdup0(p->text.p, p->text.n)
								: NULL;
		}
		if (!found) {
			vy_fail(e, VY_NOT_FOUND, _("there is no message %s to say again"),
				c->o->to);
		}
	}
	known_fini(&k);
	return found;
}

int verb_retry(struct cmd *c, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];
	char *message = NULL, *text = NULL;
	VY_AUTO_JSON *result = NULL;

	if (session_of(c, 0, id, e) != 0) {
		return -1;
	}
	if (!c->o->to && !c->o->message) {
		result = cmd_write(c, "threads.retry", cmd_params(id), e);
		return done(c, result);
	}
	message = meant(c, id, e);
	text = !message ? NULL : c->o->message ? vy_strdup(c->o->message) : words_of(c, id, e);
	if (text) {
		struct vy_json *params = cmd_params(id);

		vy_json_set_c(params, "message", message);
		vy_json_set_c(params, "text", text);
		result = cmd_write(c, "threads.edit-retry", params, e);
	}
	free(message);
	free(text);
	return done(c, result);
}

/* A new session is told by its id, as `new` does. */
static int print_new(struct cmd *c, const struct vy_json *result)
{

	if (result && !c->o->is_json) {
		out_addf(&c->out, "%.*s\n", VY_STR_ARG(vy_json_str(result, "session")));
	}
	return done(c, result);
}

int verb_fork(struct cmd *c, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (session_of(c, 0, id, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *result = cmd_write(c, "threads.fork", cmd_params(id), e);

	return print_new(c, result);
}

int verb_branch(struct cmd *c, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (session_of(c, 0, id, e) != 0) {
		return -1;
	}
	char *message = meant(c, id, e);
	struct vy_json *params = message ? cmd_params(id) : NULL;

	if (!message) {
		return -1;
	}
	vy_json_set_c(params, "message", message);
	free(message);
	VY_AUTO_JSON *result = cmd_write(c, "threads.branch", params, e);

	return print_new(c, result);
}

/* ---- beside the conversation, and room in it ---- */

int verb_aside(struct cmd *c, struct vy_err *e)
{
	const struct cmd_options *o = c->o;
	char id[VY_UUID_LEN + 1];

	if (cmd_session(c, o->n_words > 1 ? o->words[0] : NULL, id, e) != 0) {
		return -1;
	}
	struct vy_json *params = cmd_params(id);

	vy_json_set_c(params, "question", o->words[o->n_words - 1]);
	VY_AUTO_JSON *result = cmd_read(c, "threads.aside", params, e);

	if (result && !o->is_json) {
		out_add(&c->out, vy_json_str(result, "answer"));
		out_add(&c->out, VY_STR_LIT("\n"));
	}
	return done(c, result);
}

int verb_compact(struct cmd *c, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (session_of(c, 0, id, e) != 0) {
		return -1;
	}
	struct vy_json *params = cmd_params(id);

	if (c->o->message) {
		vy_json_set_c(params, "hint", c->o->message);
	}
	VY_AUTO_JSON *result = cmd_write(c, "threads.compact", params, e);

	return done(c, result);
}
