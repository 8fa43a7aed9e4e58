/* attic.c -- see attic.h. A job is a value that goes to the worker and comes back, again and again until it is
 * done; only its own hands touch it meanwhile. The dig is the worker's. */
#include "server/adopt/attic.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <time.h>

#include "server/adopt/dig.h"
#include "server/io/work.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define STEP_MS    40 /* of the worker's time at once */
#define ADDED_MOST (8 * 1024 * 1024)

struct job {
	struct attic *attic; /* NULL: nobody waits any more */
	struct dig *dig;
	struct dig_finds finds;
	size_t at, seen; /* of them listed; looked at */
	bool is_walked, is_done;
	LIST_ENTRY(job) link;
	/* a list: */
	attic_listed_fn *listed;
	char *cwd, *before_provider, *before_id;
	int64_t before_updated;
	size_t limit;
	struct attic_item *items;
	size_t n, cap;
	bool has_more;
	/* a reading: */
	attic_read_fn *read;
	const struct adopt_kind *kind;
	char *id, *session, *person, *assistant;
	struct past *past;
	struct dig_find *found;
	struct vy_err err;
	void *ctx;
};
LIST_HEAD(job_list, job);

struct attic {
	struct attic_conf conf;
	struct dig *dig;
	uid_t uid;
	struct job_list jobs;
};

/* ---- the worker ---- */

static int64_t tick_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct attic_item item_of(const struct dig_find *f)
{
	struct stat st;

	return (struct attic_item){ .provider = f->kind->kind,
		.id = f->id,
		.cwd = f->cwd,
		.title = f->title,
		.why = f->why,
		.path = f->path,
		.updated = f->mtime,
		.size = f->size,
		.is_archived = f->is_archived,
		.is_gone = f->cwd && (stat(f->cwd, &st) != 0 || !S_ISDIR(st.st_mode)) };
}

/* A session that stands in two places is one: the newer. */
static bool is_twice(const struct job *j, const struct dig_find *f)
{
	for (size_t i = 0; i < j->n; i++) {
		if (j->items[i].id && strcmp(j->items[i].id, f->id) == 0 &&
			strcmp(j->items[i].provider, f->kind->kind) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_behind(const struct job *j, const struct dig_find *f)
{
	int rc;

	if (!j->before_id || f->mtime != j->before_updated) {
		return !j->before_id || f->mtime < j->before_updated;
	}
	rc = strcmp(f->kind->kind, j->before_provider);
	return rc ? rc > 0 : strcmp(f->id, j->before_id) > 0;
}

/* In the order of the list: newest first, and of one time by name. */
static int in_order(const void *a, const void *b)
{
	const struct dig_find *x = a, *y = b;
	int rc;

	if (x->mtime != y->mtime) {
		return x->mtime < y->mtime ? 1 : -1;
	}
	rc = strcmp(x->kind->kind, y->kind->kind);
	return rc ? rc : strcmp(x->id ? x->id : "", y->id ? y->id : "");
}

/* Those of one time are looked at together, so that they can be brought in order. False: there was no time
 * for all of them yet. */
static bool order_from(struct job *j, int64_t until)
{
	size_t end = j->at;

	if (j->at > 0 && j->finds.v[j->at - 1].mtime == j->finds.v[j->at].mtime) {
		return true;
	}
	while (end < j->finds.n && j->finds.v[end].mtime == j->finds.v[j->at].mtime) {
		if (end >= j->seen) {
			if (tick_ms() >= until) {
				return false;
			}
			dig_glance(j->dig, &j->finds.v[end]);
			j->seen = end + 1;
		}
		end++;
	}
	if (end - j->at > 1) {
		qsort(&j->finds.v[j->at], end - j->at, sizeof(*j->finds.v), in_order);
	}
	return true;
}

static void list_one(struct job *j)
{
	struct dig_find *f = &j->finds.v[j->at];

	j->at++;
	if (!f->id && f->why && j->finds.n_notes < DIG_NOTES_MAX) {
		j->finds.notes = vy_grow(j->finds.notes, &j->finds.cap_notes, j->finds.n_notes + 1,
			sizeof(*j->finds.notes));
		j->finds.notes[j->finds.n_notes++] =
			(struct dig_note){ f->kind->kind, vy_strdup(f->path), vy_strdup(f->why) };
	}
	if (f->is_none || !f->id || !is_behind(j, f) || is_twice(j, f) ||
		(j->cwd && (!f->cwd || strcmp(j->cwd, f->cwd) != 0))) {
		return;
	}
	if (j->n == j->limit) {
		j->has_more = true;
		return;
	}
	j->items = vy_grow(j->items, &j->cap, j->n + 1, sizeof(*j->items));
	j->items[j->n++] = item_of(f);
}

static int run_list(void *ctx, struct vy_err *e)
{
	struct job *j = ctx;
	int64_t end = tick_ms() + STEP_MS;

	(void)e;
	if (!j->is_walked) {
		dig_walk(j->dig, NULL, &j->finds);
		j->is_walked = true;
	}
	while (j->at < j->finds.n && !j->has_more && order_from(j, end)) {
		list_one(j);
	}
	j->is_done = j->at == j->finds.n || j->has_more;
	if (j->is_done) {
		dig_keep(j->dig);
	}
	return 0;
}

/* Its name is in the file's for some, so nobody has to look into others. */
static bool may_be(const struct job *j, const struct dig_find *f)
{
	bool is_named = j->kind == &adopt_claude || j->kind == &adopt_codex;

	return !is_named || strstr(f->path, j->id) != NULL;
}

static void find(struct job *j)
{
	dig_walk(j->dig, j->kind, &j->finds);
	for (size_t i = 0; i < j->finds.n && !j->found; i++) {
		struct dig_find *f = &j->finds.v[i];

		if (may_be(j, f)) {
			dig_glance(j->dig, f);
			j->found = f->id && strcmp(f->id, j->id) == 0 && !f->is_none ? f : NULL;
			if (f->why && !f->id) {
				vy_fail(&j->err, VY_DENIED, "%s", f->why);
			}
		}
	}
}

static int run_read(void *ctx, struct vy_err *e)
{
	struct job *j = ctx;
	size_t n = 0;
	int64_t begin = 0, upto = 0;

	j->is_done = true;
	find(j);
	if (!j->found) {
		return j->err.code
			       ? vy_fail(e, j->err.code, "%s", j->err.text)
			       : vy_fail(e, VY_NOT_FOUND, "params.id: %s left no such session here",
					 j->kind->title);
	}
	char *text = dig_read(j->dig, j->found, 0, &n, &begin, &upto, e);

	if (!text) {
		return -1;
	}
	struct adopt_reading r = {
		.text = vy_str_n(text, n), .cwd = vy_str_c(j->found->cwd), .is_rest = begin > 0
	};
	const struct past_of of = { .session = j->session,
		.person = vy_str_c(j->person),
		.assistant = vy_str_c(j->assistant),
		.now = j->found->mtime };

	j->past = past_new(j->kind, &r, &of);
	j->past->upto = upto;
	free(text);
	return 0;
}

/* ---- the loop ---- */

static void job_free(struct job *j)
{
	if (j->attic) {
		LIST_REMOVE(j, link);
	}
	past_free(j->past);
	dig_finds_fini(&j->finds);
	free(j->cwd);
	free(j->before_provider);
	free(j->before_id);
	free(j->items);
	free(j->id);
	free(j->session);
	free(j->person);
	free(j->assistant);
	free(j);
}

static void tell_list(struct job *j)
{
	struct attic_unread *unread = vy_calloc(j->finds.n_notes + 1, sizeof(*unread));
	struct attic_list list = { .items = j->items,
		.n = j->n,
		.unread = unread,
		.n_unread = j->finds.n_notes,
		.has_more = j->has_more };

	for (size_t i = 0; i < j->finds.n_notes; i++) {
		unread[i] = (struct attic_unread){ j->finds.notes[i].kind, j->finds.notes[i].path,
			j->finds.notes[i].why };
	}
	j->listed(j->ctx, &list);
	free(unread);
}

static void tell_read(struct job *j, const struct vy_err *why)
{
	struct attic_item item = { 0 };
	struct past *past = j->past;

	j->past = NULL;
	if (past) {
		item = item_of(j->found);
	}
	j->read(j->ctx, past ? &item : NULL, past, past ? NULL : why);
}

static void on_step(void *ctx, int rc, const struct vy_err *e)
{
	struct job *j = ctx;

	(void)rc;
	if (j->attic && !j->is_done) {
		work_add(j->attic->conf.work, run_list, on_step, j);
		return;
	}
	if (j->attic && j->listed) {
		tell_list(j);
	} else if (j->attic) {
		tell_read(j, e);
	}
	job_free(j);
}

static struct job *job_new(struct attic *a, void *ctx)
{
	struct job *j = VY_NEW(struct job);

	j->attic = a;
	j->dig = a->dig;
	j->ctx = ctx;
	LIST_INSERT_HEAD(&a->jobs, j, link);
	return j;
}

static char *copied(struct vy_str s)
{
	return s.n ? vy_memdup0(s.p, s.n) : NULL;
}

void attic_list(struct attic *a, const struct attic_ask *ask, attic_listed_fn *fn, void *ctx)
{
	struct job *j = job_new(a, ctx);

	j->listed = fn;
	j->cwd = copied(ask->cwd);
	j->before_provider = copied(ask->before_provider);
	j->before_id = copied(ask->before_id);
	j->before_updated = ask->before_updated;
	j->limit = ask->limit;
	work_add(a->conf.work, run_list, on_step, j);
}

void attic_read(struct attic *a, const struct attic_reading *what, attic_read_fn *fn, void *ctx)
{
	struct job *j = job_new(a, ctx);

	j->read = fn;
	j->kind = what->kind;
	j->id = vy_memdup0(what->id.p, what->id.n);
	j->session = vy_strdup(what->session);
	j->person = vy_memdup0(what->person.p, what->person.n);
	j->assistant = vy_memdup0(what->assistant.p, what->assistant.n);
	work_add(a->conf.work, run_read, on_step, j);
}

struct past *attic_added(struct attic *a, const struct adopt_kind *kind, const char *path,
	const char *cwd, int64_t from, const struct past_of *of)
{
	size_t n = 0;
	int64_t begin = 0, upto = 0;
	struct stat st;

	if (kind == &adopt_opencode || from <= 0 || lstat(path, &st) != 0 || st.st_size <= from) {
		return NULL;
	}
	char *text = dig_read_file(path, a->uid, from, ADDED_MOST, &n, &begin, &upto, NULL);

	if (!text) {
		return NULL;
	}
	struct adopt_reading r = {
		.text = vy_str_n(text, n), .cwd = vy_str_c(cwd), .is_rest = true
	};
	struct past *p = past_new(kind, &r, of);

	p->upto = upto;
	free(text);
	return p;
}

/* ---- life ---- */

static char *in_home(const struct attic_conf *c, const char *given, const char *below)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	if (given && given[0] == '/') {
		return vy_strdup(given);
	}
	return c->home && vy_buf_addf(&b, "%s/%s", c->home, below) ? vy_buf_take(&b, NULL) : NULL;
}

struct attic *attic_new(const struct attic_conf *conf)
{
	struct attic *a = VY_NEW(struct attic);
	VY_AUTO_BUF own = VY_BUF_INIT(4096), data = VY_BUF_INIT(4096);
	char *base = in_home(conf, conf->data_dir, ".local/share");
	char *claude = in_home(conf, conf->claude_dir, ".claude");
	char *codex = in_home(conf, conf->codex_dir, ".codex");
	char *gemini = in_home(conf, NULL, ".gemini");

	vy_buf_addf(&own, "%s/adopt", conf->state_dir);
	vy_buf_addf(&data, "%s/opencode", base ? base : "");
	a->conf = *conf;
	a->uid = (uid_t)conf->uid;
	a->dig = dig_new(&(struct dig_conf){ .own_dir = vy_buf_c(&own),
		.claude = claude,
		.codex = codex,
		.gemini = gemini,
		.opencode = base ? vy_buf_c(&data) : NULL,
		.uid = a->uid });
	LIST_INIT(&a->jobs);
	free(base);
	free(claude);
	free(codex);
	free(gemini);
	return a;
}

void attic_free(struct attic *a)
{
	struct job *j;

	if (!a) {
		return;
	}
	while ((j = LIST_FIRST(&a->jobs))) { /* it comes back, and then finds nobody */
		LIST_REMOVE(j, link);
		j->attic = NULL;
		if (j->listed) {
			j->listed(j->ctx, NULL);
		}
	}
	work_drain(a->conf.work);
	dig_free(a->dig);
	free(a);
}
