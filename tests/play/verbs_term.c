/* verbs_term.c -- people at terminals of a session (README.md, Terminals). */
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/vt/vt_prologue.h"
#include "tests/play/play.h"
#include "tests/play/sitter.h"
#include "tests/screen/shot.h"
#include "shared/base/ban.h"

static long long num(const char *word)
{
	long long n = -1;

	return vy_parse_i64(vy_str_c(word), &n) ? n : -1;
}

static struct sitter *sitter(struct play *p, const char *name)
{
	for (size_t i = 0; i < p->n_sitters; i++) {
		if (strcmp(p->sitters[i]->name, name) == 0) {
			return p->sitters[i];
		}
	}
	play_fail(p, "nobody of that name sits at a terminal: %s", name);
	return NULL;
}

static struct sitter *add(struct play *p, const char *name, const char *term)
{
	for (size_t i = 0; i < p->n_sitters; i++) {
		if (strcmp(p->sitters[i]->name, name) == 0) { /* somebody new */
			sitter_free(p->sitters[i]);
			return p->sitters[i] = sitter_new(name, term);
		}
	}
	if (p->n_sitters == PLAY_VIEWERS) {
		play_fail(p, "too many sit at terminals");
		return NULL;
	}
	return p->sitters[p->n_sitters++] = sitter_new(name, term);
}

static bool come(struct play *p, struct sitter *s)
{
	struct vy_err e = { 0 };
	int status = sitter_open(s, p->box.sock, vy_json_cstr(p->it, "path"), p->patience_ms, &e);

	if (status == 0 && s->cols) {
		sitter_say(s, &(struct vy_term_msg){
				      .type = VY_TERM_RESIZE, .cols = s->cols, .rows = s->rows });
	}
	return status == 0 || play_fail(p, "its stream was refused: %d %s", status, e.text);
}

/* One after the other: while this one waits for vyred to be up again, nobody comes back by himself, least of all
 * the same one, who would go on from there while this call says an offset that is over. */
static bool attach(struct play *p, struct sitter *s)
{
	char params[160];
	uint64_t from;

	if (vy_term_from(&s->at, &from)) {
		snprintf(params, sizeof(params), "{\"term\":\"%s\",\"from\":%llu,\"keys\":%s}",
			s->term, (unsigned long long)from, s->at.has_keys ? "true" : "false");
	} else {
		snprintf(params, sizeof(params), "{\"term\":\"%s\"}", s->term);
	}
	p->is_sitting = true;
	bool ok = play_call(p, "term.attach", params) && come(p, s);

	p->is_sitting = false;
	return ok;
}

static bool is_back(struct play *p, void *ctx)
{
	struct sitter *s = ctx;

	return s->conn.fd >= 0 || attach(p, s);
}

/* shell NAME SESSION [COLS ROWS]: opens a terminal and sits down there; sets NAME. */
static bool do_shell(struct play *p, const struct words *w)
{
	struct vy_term_msg m = { .cols = 80, .rows = 24 };
	char params[160];
	struct sitter *s;

	if (w->n > 4) {
		m.cols = (unsigned)num(w->v[3]);
		m.rows = (unsigned)num(w->v[4]);
	}
	snprintf(params, sizeof(params), "{\"session\":\"%s\",\"cols\":%u,\"rows\":%u}", w->v[2],
		m.cols, m.rows);
	bool ok = play_call(p, "term.open", params);

	free((char *)(uintptr_t)p->key);
	p->key = NULL;
	if (!ok) {
		return false;
	}
	play_set(p, w->v[1], vy_json_cstr(p->it, "term"));
	s = add(p, w->v[1], vy_json_cstr(p->it, "term"));
	if (s) {
		s->cols = m.cols;
		s->rows = m.rows;
	}
	return s && (come(p, s) || play_until(p, is_back, s));
}

/* sits NAME TERM [light]: looks at it, too. */
static bool do_sits(struct play *p, const struct words *w)
{
	struct sitter *s = add(p, w->v[1], w->v[2]);

	if (s) {
		s->is_light = w->n > 3 && strcmp(w->v[3], "light") == 0;
	}
	return s && attach(p, s);
}

static bool is_greeted(struct play *p, void *ctx)
{
	struct sitter *s = ctx;

	(void)p;
	return s->conn.fd >= 0 && s->at.is_open;
}

/* keys NAME "TEXT": once it sees its terminal. */
static bool do_keys(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	if (s && !play_until(p, is_greeted, s)) {
		return play_fail(p, "it sees no terminal%s%s", s->why[0] ? ": " : "", s->why);
	}
	if (s) {
		sitter_keys(s, vy_str_c(w->v[2]));
	}
	return s != NULL;
}

/* floods NAME N: so many bytes of keys, in messages of 64 KiB. */
static bool do_floods(struct play *p, const struct words *w)
{
	static char room[VY_KIB * 64];
	struct sitter *s = sitter(p, w->v[1]);
	long long left = num(w->v[2]);

	memset(room, 'k', sizeof(room));
	while (s && left > 0) {
		size_t n = left < (long long)sizeof(room) ? (size_t)left : sizeof(room);

		sitter_keys(s, vy_str_n(room, n));
		left -= (long long)n;
	}
	return s != NULL;
}

static bool do_takes(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	if (s) {
		sitter_say(s, &(struct vy_term_msg){ .type = VY_TERM_TAKE });
	}
	return s != NULL;
}

/* fits NAME COLS ROWS */
static bool do_fits(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	if (s) {
		s->cols = (unsigned)num(w->v[2]);
		s->rows = (unsigned)num(w->v[3]);
		sitter_say(s, &(struct vy_term_msg){
				      .type = VY_TERM_RESIZE, .cols = s->cols, .rows = s->rows });
	}
	return s != NULL;
}

/* ---- in the end ---- */

struct asked {
	struct sitter *s;
	const struct words *w;
};

static bool in_the_end(struct play *p, const struct words *w, play_holds *holds, const char * not )
{
	struct asked a = { sitter(p, w->v[1]), w };

	if (!a.s) {
		return false;
	}
	if (play_until(p, holds, &a)) {
		return true;
	}
	VY_AUTO_BUF dump = VY_BUF_INIT(VY_MIB);

	if (a.s->vt) {
		shot_text(a.s->vt, &dump);
	}
	return play_fail(p, "%s; it is at %llu, %ux%u, code %d, %u hellos, %u with a screen\n%s",
		not, (unsigned long long)a.s->at.at, a.s->at.cols, a.s->at.rows, a.s->conn.code,
		a.s->hellos, a.s->screens, vy_buf_c(&dump));
}

static bool has_text(struct play *p, void *ctx)
{
	struct asked *a = ctx;
	VY_AUTO_BUF all = VY_BUF_INIT(16 * VY_MIB);

	(void)p;
	if (a->s->is_light) {
		struct vy_str log = vy_buf_str(&a->s->log);

		return log.n && memmem(log.p, log.n, a->w->v[2], strlen(a->w->v[2]));
	}
	if (a->s->vt) {
		shot_text(a->s->vt, &all);
	}
	return strstr(vy_buf_c(&all), a->w->v[2]) != NULL;
}

/* displays NAME "TEXT": on its screen; of one that has none, among what came. */
static bool do_displays(struct play *p, const struct words *w)
{
	return in_the_end(p, w, has_text, "it is not there");
}

static bool is_sized(struct play *p, void *ctx)
{
	struct asked *a = ctx;

	(void)p;
	return a->s->at.is_open && a->s->at.cols == (unsigned)num(a->w->v[2]) &&
	       a->s->at.rows == (unsigned)num(a->w->v[3]);
}

/* sized NAME COLS ROWS: what its terminal is. */
static bool do_sized(struct play *p, const struct words *w)
{
	return in_the_end(p, w, is_sized, "it has another size");
}

static bool has_keys(struct play *p, void *ctx)
{
	struct asked *a = ctx;

	(void)p;
	return a->s->at.is_open && a->s->at.has_keys == (strcmp(a->w->v[2], "keys") == 0);
}

/* holding NAME keys|nothing */
static bool do_holding(struct play *p, const struct words *w)
{
	return in_the_end(p, w, has_keys, "it is not so");
}

static bool has_exit(struct play *p, void *ctx)
{
	const struct asked *a = ctx;
	const struct vy_term_msg *m = &a->s->at.exit;
	const char *how = a->w->v[2];
	long long n = a->w->n > 3 ? num(a->w->v[3]) : 0;

	(void)p;
	if (!a->s->at.has_ended) {
		return false;
	}
	if (strcmp(how, "status") == 0) {
		return m->has_status && m->status == n;
	}
	return strcmp(how, "signal") == 0 ? m->has_signal && m->signal == n
					  : !m->has_status && !m->has_signal && m->why[0];
}

/* exits NAME status|signal N · exits NAME somehow: nobody knows how. */
static bool do_exits(struct play *p, const struct words *w)
{
	return in_the_end(p, w, has_exit, "it did not end so");
}

static bool is_shut(struct play *p, void *ctx)
{
	const struct asked *a = ctx;

	(void)p;
	return a->s->conn.fd < 0 && a->s->conn.code == num(a->w->v[2]);
}

/* shut NAME CODE: vyred ended its stream so. */
static bool do_shut(struct play *p, const struct words *w)
{
	return in_the_end(p, w, is_shut, "it was not");
}

static bool was_skipped(struct play *p, void *ctx)
{
	const struct asked *a = ctx;

	(void)p;
	return a->s->screens >= (unsigned)num(a->w->v[2]);
}

/* skipped NAME N: it began anew with a screen so often at least. */
static bool do_skipped(struct play *p, const struct words *w)
{
	return in_the_end(p, w, was_skipped, "it was not");
}

/* ---- coming and going ---- */

static bool do_leaves(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	if (s) {
		p->cuts += s->conn.fd >= 0;
		conn_close(&s->conn);
	}
	return s != NULL;
}

/* returns NAME: from where it was; a vyred that is just being started is waited for. */
static bool do_returns(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	return s && (play_until(p, is_back, s) || play_fail(p, "it could not come back"));
}

static bool do_looks(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	if (s) {
		s->is_slow = strcmp(w->v[2], "away") == 0;
	}
	return s != NULL;
}

static bool do_stays(struct play *p, const struct words *w)
{
	struct sitter *s = sitter(p, w->v[1]);

	if (s) {
		s->is_faithful = true;
	}
	return s != NULL;
}

void play_resit(struct play *p)
{
	for (size_t i = 0; i < p->n_sitters && !p->is_sitting; i++) {
		struct sitter *s = p->sitters[i];

		if (s->is_faithful && s->conn.fd < 0 && box_answers(&p->box)) {
			struct vy_json *it = vy_json_ref(p->it);

			(void)attach(p, s);
			vy_buf_clear(&p->why);
			play_it(p, it);
		}
	}
}

/* ---- what it all came to ---- */

/* Their terminals show the same and are in the same state. */
static bool is_same_screen(const struct sitter *a, const struct sitter *b)
{
	VY_AUTO_BUF one = VY_BUF_INIT(64 * VY_MIB), two = VY_BUF_INIT(64 * VY_MIB);

	if (!a->vt || !b->vt) {
		return false;
	}
	shot_text(a->vt, &one);
	shot_text(b->vt, &two);
	if (!vy_str_eq(vy_buf_str(&one), vy_buf_str(&two))) {
		return false;
	}
	vy_buf_clear(&one);
	vy_buf_clear(&two);
	vy_vt_prologue(a->vt, &one);
	vy_vt_prologue(b->vt, &two);
	return vy_str_eq(vy_buf_str(&one), vy_buf_str(&two));
}

static bool is_alike(struct play *p, void *ctx)
{
	struct asked *a = ctx;
	const struct sitter *b = sitter(p, a->w->v[2]);

	return b && a->s->at.at == b->at.at && is_same_screen(a->s, b);
}

/* mirrors NAME NAME: both stand at the same byte, and their terminals are in the same state. */
static bool do_mirrors(struct play *p, const struct words *w)
{
	return in_the_end(p, w, is_alike, "they differ");
}

static bool is_like(struct play *p, void *ctx)
{
	struct asked *a = ctx;
	const struct sitter *b = sitter(p, a->w->v[2]);

	return b && is_same_screen(a->s, b);
}

/* resembles NAME NAME: their terminals are in the same state, be they two. */
static bool do_resembles(struct play *p, const struct words *w)
{
	return in_the_end(p, w, is_like, "they differ");
}

static bool has_file(struct play *p, void *ctx)
{
	const struct asked *a = ctx;
	VY_AUTO_BUF file = VY_BUF_INIT(SITTER_LOG_MAX);
	VY_AUTO_BUF command = VY_BUF_INIT(8192);
	struct vy_str log = vy_buf_str(&a->s->log);

	vy_buf_addf(&command, "cat %s", a->w->v[2]);
	return box_shell(&p->box, vy_buf_c(&command), &file) == 0 && file.len && log.n &&
	       memmem(log.p, log.n, file.data, file.len);
}

/* printed NAME FILE: the bytes of that file came to it in one piece, each once. */
static bool do_printed(struct play *p, const struct words *w)
{
	return in_the_end(p, w, has_file, "they did not come so");
}

static bool is_at(struct play *p, void *ctx)
{
	const struct asked *a = ctx;

	(void)p;
	return a->s->at.at >= (uint64_t)num(a->w->v[2]);
}

/* reaches NAME OFFSET: it has come that far. */
static bool do_reaches(struct play *p, const struct words *w)
{
	return in_the_end(p, w, is_at, "it has not come that far");
}

const struct play_entry verbs_term[] = {
	{ "shell", 2, do_shell },
	{ "sits", 2, do_sits },
	{ "keys", 2, do_keys },
	{ "floods", 2, do_floods },
	{ "takes", 1, do_takes },
	{ "fits", 3, do_fits },
	{ "displays", 2, do_displays },
	{ "sized", 3, do_sized },
	{ "holding", 2, do_holding },
	{ "exits", 2, do_exits },
	{ "shut", 2, do_shut },
	{ "skipped", 2, do_skipped },
	{ "leaves", 1, do_leaves },
	{ "returns", 1, do_returns },
	{ "looks", 2, do_looks },
	{ "stays", 1, do_stays },
	{ "mirrors", 2, do_mirrors },
	{ "resembles", 2, do_resembles },
	{ "printed", 2, do_printed },
	{ "reaches", 2, do_reaches },
	{ 0 },
};
