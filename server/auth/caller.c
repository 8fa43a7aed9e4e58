/* caller.c -- see caller.h.
 *
 * One walk from the peer up to the first process. Each process on the way is held against the
 * list of ours; the nearest agent wins, an agent program of nobody's is remembered meanwhile, and
 * a terminal's shell ends the walk as the person's. The walk is done again when a parent went away
 * under it: its child was handed to another. */
#include "server/auth/caller.h"

#include <stdio.h>
#include <string.h>

#include "server/io/cgroup.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

#define WALKS 4 /* a chain that changes this often under our eyes is not believed */

/* ---- one process against the list of ours ---- */

struct match {
	const struct caller_proc *proc;
	const char *unit; /* vyred's own cgroup, or NULL */
	struct caller *out;
	bool is_agent;  /* one of ours; out->session and person say whose */
	bool is_term;   /* a terminal's own processes */
	bool is_marked; /* its mark names a child of ours */
};

static bool same_id(pid_t a, pid_t b)
{
	return a > 0 && a == b;
}

static void set(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from ? from : "");
}

/* In a holder's own cgroup, or in one inside of it (io/cgroup.h). */
static bool is_in_group(const struct caller_proc *p, const char *unit, const char *hid)
{
	size_t n = unit ? strlen(unit) : 0, len = hid ? strlen(hid) : 0;

	if (n == 0 || len == 0 || strncmp(p->unit, unit, n) != 0) {
		return false;
	}
	const char *at = p->unit + n;

	return vy_str_starts(vy_str_c(at), "/" CGROUP_NAME) &&
	       strncmp(at + strlen("/" CGROUP_NAME), hid, len) == 0 &&
	       strchr("/", at[strlen("/" CGROUP_NAME) + len]);
}

static void match_one(void *arg, const struct caller_live *live)
{
	struct match *m = arg;
	const struct caller_proc *p = m->proc;
	bool is_marked = p->hid[0] && live->hid && strcmp(p->hid, live->hid) == 0;
	bool is_it = same_id(p->pid, live->pid) || same_id(p->pid, live->holder);
	bool is_near = same_id(p->pgid, live->pgid) || same_id(p->sid, live->sid) ||
		       same_id(p->pgid, live->pid) || same_id(p->sid, live->pid);

	m->is_marked |= is_marked;
	if (live->is_term) {
		m->is_term |= is_it; /* a mark can be forged towards a person; descent cannot */
		return;
	}
	if (!m->is_agent && (is_marked || is_it || is_near || is_in_group(p, m->unit, live->hid))) {
		m->is_agent = true;
		set(m->out->session, sizeof(m->out->session), live->session);
		if (live->person && live->person[0]) {
			set(m->out->person, sizeof(m->out->person), live->person);
		}
	}
}

static bool is_agent_program(const struct caller_proc *p, const char *const *programs)
{
	const char *const names[] = { p->comm, p->program, p->script, p->exe };

	for (; programs && *programs; programs++) {
		for (size_t i = 0; i < VY_COUNT(names); i++) {
			if (names[i][0] && strcmp(names[i], *programs) == 0) {
				return true;
			}
		}
	}
	return false;
}

/* The cgroup itself, or one inside it. */
static bool is_below(const char *path, const char *unit)
{
	size_t n = unit ? strlen(unit) : 0;

	return n > 0 && strncmp(path, unit, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* ---- the walk ---- */

enum verdict { GO_ON, AGAIN, DECIDED };

struct walk {
	const struct caller_world *w;
	struct caller *out;
	const char *why;
	bool is_stray_agent; /* an agent program of nobody's stands in the chain */
	bool is_branded;     /* a process of the chain bears an agent's brand */
	bool is_in_unit;     /* a process of the chain stands in vyred's own cgroup */
};

static enum verdict decide(struct walk *k, enum caller_kind kind, const char *why)
{
	k->out->kind = kind;
	k->why = why;
	return DECIDED;
}

/* The end of a chain in which nothing spoke against a person. */
static enum verdict top(struct walk *k)
{
	if (k->is_branded) {
		return decide(k, CALLER_UNKNOWN, "branded as an agent's, of none that is known");
	}
	if (k->is_stray_agent) {
		return decide(k, CALLER_AGENT, "below an agent program");
	}
	if (k->is_in_unit) {
		return decide(k, CALLER_UNKNOWN, "in vyred's own cgroup");
	}
	return decide(k, CALLER_PERSON, "no agent above it");
}

static enum verdict judge(struct walk *k, const struct caller_proc *p, bool is_peer)
{
	struct match m = { .proc = p, .unit = k->w->unit, .out = k->out };

	if (p->pid == k->w->self) {
		return decide(k, CALLER_UNKNOWN, "a stray below vyred");
	}
	if (k->w->live) {
		k->w->live(k->w->ctx, match_one, &m);
	}
	if (m.is_agent) {
		return decide(k, CALLER_AGENT, "a process of an agent");
	}
	if (p->hid[0] && !m.is_marked) {
		return decide(k, CALLER_UNKNOWN, "marked by a holder that is not known");
	}
	if (is_peer && !p->is_env_known) {
		return decide(k, CALLER_UNKNOWN, "its environment may not be read");
	}
	k->is_branded |= p->is_branded;
	k->is_stray_agent |= p->is_told || is_agent_program(p, k->w->programs);
	k->is_in_unit |= is_below(p->unit, k->w->unit);
	if (m.is_term) {
		k->is_in_unit = false; /* a person's shell stands there by right */
		return top(k);
	}
	return GO_ON;
}

/* The process above p. A parent born after its child is somebody else with its number. */
static enum verdict step_up(struct walk *k, struct caller_proc *p)
{
	struct caller_proc up, now;
	enum caller_look look;

	if (p->ppid <= 0) {
		return top(k);
	}
	look = k->w->proc(k->w->ctx, p->ppid, &up);
	if (look == CALLER_READ && up.born <= p->born) {
		*p = up;
		return GO_ON;
	}
	if (look == CALLER_HIDDEN && k->w->proc(k->w->ctx, p->pid, &now) == CALLER_READ &&
		now.born == p->born && now.ppid == p->ppid) {
		return top(k); /* another user's: no agent of ours runs as one */
	}
	return AGAIN;
}

static enum verdict walk_once(struct walk *k, const struct caller_peer *peer)
{
	struct caller_proc p;
	enum verdict v;

	if (k->w->proc(k->w->ctx, peer->pid, &p) != CALLER_READ) {
		return decide(k, CALLER_UNKNOWN, "it is gone");
	}
	if (peer->born && p.born != peer->born) {
		return decide(k, CALLER_UNKNOWN, "it is gone and its number is another's");
	}
	for (int depth = 0; depth < CALLER_DEPTH; depth++) {
		if ((v = judge(k, &p, depth == 0)) != GO_ON || (v = step_up(k, &p)) != GO_ON) {
			return v;
		}
	}
	return decide(k, CALLER_UNKNOWN, "its ancestors have no end");
}

void caller_place(struct caller *out, const struct caller_peer *peer, const struct caller_world *w,
	const char **why)
{
	struct walk k = { .w = w, .out = out, .why = "its ancestors keep changing" };
	enum verdict v = AGAIN;
	bool is_agents = w->has_agents && peer->uid == w->agents && peer->uid != w->uid;

	out->kind = CALLER_UNKNOWN;
	out->is_confined = false;
	set(out->device, sizeof(out->device), "local");
	if (peer->uid != w->uid && !is_agents) {
		k.why = "another user's";
		v = DECIDED;
	}
	for (int i = 0; v == AGAIN && i < WALKS; i++) {
		out->session[0] = '\0';
		set(out->person, sizeof(out->person), w->person);
		k.is_stray_agent = k.is_branded = k.is_in_unit = false;
		v = walk_once(&k, peer);
	}
	if (is_agents && out->kind == CALLER_PERSON) {
		decide(&k, CALLER_UNKNOWN, "the agents' user's");
	}
	if (out->kind != CALLER_AGENT) {
		out->session[0] = '\0';
		set(out->person, sizeof(out->person), peer->uid == w->uid ? w->person : "");
	}
	if (why) {
		*why = k.why;
	}
}

bool caller_program(
	const struct caller_peer *peer, const struct caller_world *w, struct caller_proc *out)
{
	struct caller unread = { 0 };
	struct walk k = { .w = w, .out = &unread };
	struct caller_proc p;

	if (w->proc(w->ctx, peer->pid, &p) != CALLER_READ || (peer->born && p.born != peer->born)) {
		return false;
	}
	for (int depth = 0; depth < CALLER_DEPTH; depth++) {
		if (p.ppid <= 0 || step_up(&k, &p) != GO_ON) {
			return false;
		}
		if (is_agent_program(&p, w->programs)) {
			*out = p;
			return true;
		}
	}
	return false;
}

/* ---- the value ---- */

const char *caller_kind_name(enum caller_kind kind)
{
	static const char *const names[] = { "unknown", "person", "agent", "service" };

	return names[kind];
}

void caller_author(const struct caller *c, char out[VY_UUID_LEN + CALLER_ID_MAX])
{
	if (c->kind == CALLER_AGENT) {
		snprintf(out, VY_UUID_LEN + CALLER_ID_MAX, "assistant:%s", c->session);
	} else {
		snprintf(out, VY_UUID_LEN + CALLER_ID_MAX, "person:%s", c->person);
	}
}

bool caller_same(const struct caller *a, const struct caller *b)
{
	return a->kind == b->kind && strcmp(a->person, b->person) == 0 &&
	       strcmp(a->device, b->device) == 0 && strcmp(a->session, b->session) == 0;
}
