/* access.c -- see access.h.
 *
 * A change only marks passes: it may be told from the middle of what is changing, so nobody is judged
 * and nobody is called back there. `over` may end any holder, so the marked ones are worked off
 * from the head of their list. */
#include "server/auth/access.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define ACCESS_MAGIC 0x61636373u
#define PASS_MAGIC   0x70617373u

struct access_pass {
	VY_MAGIC;
	struct access *access; /* NULL: nobody judges it */
	struct caller who;
	char *session;
	bool is_marked; /* stands in `marked`: to be judged, or to be told */
	bool is_judged, is_over;
	void (*over)(void *ctx);
	void *ctx;
	TAILQ_ENTRY(access_pass) link, in_marked;
};
TAILQ_HEAD(pass_list, access_pass);

struct access {
	VY_MAGIC;
	struct vy_loop *loop;
	access_may_fn *may;
	void *ctx;
	struct pass_list passes, marked;
	bool is_deferred;
};

/* ---- judging ---- */

bool access_ok(struct access_pass *p)
{
	VY_CHECK(p, PASS_MAGIC);
	if (!p->is_judged && !p->is_over) {
		p->is_judged = true;
		p->is_over = !p->access->may(p->access->ctx, &p->who, p->session);
	}
	return !p->is_over;
}

static void work_off(void *ctx)
{
	struct access *a = ctx;
	struct access_pass *p;

	a->is_deferred = false;
	while ((p = TAILQ_FIRST(&a->marked))) {
		TAILQ_REMOVE(&a->marked, p, in_marked);
		p->is_marked = false;
		if (!access_ok(p)) {
			p->over(p->ctx);
		}
	}
}

static void mark(struct access *a, struct access_pass *p)
{
	if (!p->is_marked) {
		p->is_marked = true;
		TAILQ_INSERT_TAIL(&a->marked, p, in_marked);
	}
	if (!a->is_deferred) {
		a->is_deferred = true;
		vy_loop_defer(a->loop, work_off, a);
	}
}

/* It is about what it looks at, or about where it comes from. */
static bool is_about(const struct access_pass *p, const char *session)
{
	return !session || strcmp(p->session, session) == 0 || strcmp(p->who.session, session) == 0;
}

void access_changed(struct access *a, const char *session)
{
	struct access_pass *p;

	VY_CHECK(a, ACCESS_MAGIC);
	TAILQ_FOREACH (p, &a->passes, link) {
		if (!p->is_over && is_about(p, session)) {
			p->is_judged = false;
			mark(a, p);
		}
	}
}

void access_end(struct access_pass *p)
{
	VY_CHECK(p, PASS_MAGIC);
	if (!p->is_over) {
		p->is_over = true;
		if (p->access) {
			mark(p->access, p);
		}
	}
}

/* ---- life ---- */

struct access_pass *access_pass_new(struct access *a, const struct caller *who, const char *session,
	void (*over)(void *ctx), void *ctx)
{
	struct access_pass *p = VY_NEW(struct access_pass);

	VY_MAGIC_SET(p, PASS_MAGIC);
	p->access = a;
	p->who = *who;
	p->session = vy_strdup(session ? session : "");
	p->over = over;
	p->ctx = ctx;
	p->is_judged = true; /* by whoever let it in */
	if (a) {
		TAILQ_INSERT_TAIL(&a->passes, p, link);
	}
	return p;
}

void access_pass_free(struct access_pass *p)
{
	if (!p) {
		return;
	}
	VY_CHECK(p, PASS_MAGIC);
	if (p->is_marked) {
		TAILQ_REMOVE(&p->access->marked, p, in_marked);
	}
	if (p->access) {
		TAILQ_REMOVE(&p->access->passes, p, link);
	}
	free(p->session);
	VY_MAGIC_CLEAR(p);
	free(p);
}

struct access *access_new(struct vy_loop *loop, access_may_fn *may, void *ctx)
{
	struct access *a = VY_NEW(struct access);

	VY_MAGIC_SET(a, ACCESS_MAGIC);
	a->loop = loop;
	a->may = may;
	a->ctx = ctx;
	TAILQ_INIT(&a->passes);
	TAILQ_INIT(&a->marked);
	return a;
}

void access_free(struct access *a)
{
	if (!a) {
		return;
	}
	VY_CHECK(a, ACCESS_MAGIC);
	vy_assert(TAILQ_EMPTY(&a->passes));
	vy_loop_forget(a->loop, work_off, a);
	VY_MAGIC_CLEAR(a);
	free(a);
}
