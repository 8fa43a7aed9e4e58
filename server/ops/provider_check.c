/* provider_check.c -- vyred provider check: an agent held against the contract (provider/provider.h).
 *
 * What the contract promises is seen from outside: in a vyred of its own (house.h), in a session as anybody
 * has one (trial.h). The agent is told what to do in words a person could say; the last line of each is a
 * script (provider/script.h), which the demo and the stand-ins of the tests go by. A row for which the agent
 * gives nothing to see says so, and fails nobody. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/ops/house.h"
#include "server/ops/ops.h"
#include "server/ops/trial.h"
#include "server/provider/provider.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define COME_MS 1000 /* what a command leaves running may just be starting */
#define GONE_MS 3000 /* from the word that a session has stopped to the last of its processes */

#define SAY    "Say exactly this, and use no tool.\nsay:alpha bravo charlie delta echo foxtrot"
#define RECALL "What did I ask you for in this conversation, word by word? Use no tool.\nrecall"
#define RUN    "Run this command with your shell tool, once and as it stands, then say so.\nbash:"
/* What does not end, with a word to find it by; no plain sleep, which claude refuses to wait for. */
#define STAYS "tail -s %s -f /dev/null"
#define MADE  "vyre-check-made"
#define NEVER "vyre-check-never"

enum verdict { ROW_OK, ROW_WRONG, ROW_KNOW };

struct check {
	const struct provider_conf *conf;
	const struct provider_ops *driver;
	struct trial r;
	int n_wrong, n_words;
};

VY_PRINTF(4, 5)
static void say(struct check *c, enum verdict v, const char *what, const char *fmt, ...)
{
	static const char *const marks[] = { "ok", "!", "-" };
	va_list ap;

	c->n_wrong += v == ROW_WRONG;
	printf("%-2s  %-10s  ", marks[v], what);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

/* The turn went wrong in a way that no row is about; the session is left. */
static void went_wrong(struct check *c, const char *what, const struct vy_err *e)
{
	const struct heard *t = &c->r.t;

	say(c, ROW_WRONG, what, "%s",
		e->text[0]      ? e->text
		: !t->is_failed ? "the turn does not end"
		: t->note       ? t->note
				: "the turn failed");
	trial_leave(&c->r);
}

static bool is_made(const struct check *c, const char *name)
{
	return seen_file(house_folder(c->r.house), name);
}

/* ---- what is looked at ---- */

static void row_unknown(struct check *c)
{
	struct vy_json *params = vy_json_new_obj();
	struct vy_err e = { 0 };

	vy_json_set_c(params, "provider", "no-such-agent");
	VY_AUTO_JSON *record = house_call(c->r.house, "threads.start", params, &e);

	say(c, !record && strstr(e.text, c->conf->name) ? ROW_OK : ROW_WRONG, "unknown", "%s",
		record ? "a provider that is not there was taken" : e.text);
}

/* Of the turn that begins here the next row sees the end. */
static void row_process(struct check *c)
{
	int64_t until = vy_boot_ms(&vy_clock_real) + TRIAL_MS;
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };
	struct pids p = { 0 };

	if (trial_tell(&c->r, RUN "touch " MADE, &e) != 0) {
		went_wrong(c, "process", &e);
		return;
	}
	while (!(p = trial_pids(&c->r)).pid && !t->is_over && vy_boot_ms(&vy_clock_real) < until) {
		trial_step(&c->r, 2);
	}
	if (!seen_process(p.pid)) {
		(void)!trial_listen(&c->r, false); /* why it went */
		went_wrong(c, "process", &e);
	} else if (t->pieces) {
		say(c, ROW_WRONG, "process", "it spoke before its process %d was known",
			(int)p.pid);
	} else if (getpgid(p.pid) != p.group || getsid(p.pid) != p.session) {
		say(c, ROW_WRONG, "process", "process %d is not of group %d and session %d",
			(int)p.pid, (int)p.group, (int)p.session);
	} else {
		say(c, ROW_OK, "process",
			"process %d, group %d and session %d were known before it said a word",
			(int)p.pid, (int)p.group, (int)p.session);
	}
}

static void row_ask(struct check *c)
{
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };
	char about[80];

	if (!c->r.session) {
		say(c, ROW_WRONG, "ask", "there was no turn to see it in");
		return;
	}
	bool is_heard = trial_listen(&c->r, true);
	bool is_early = t->ask && is_made(c, MADE);

	snprintf(about, sizeof(about), "%s", t->about ? t->about : "");
	if (!is_heard || (t->ask && !trial_let(&c->r)) || t->is_failed) {
		went_wrong(c, "ask", &e);
	} else if (is_early) {
		say(c, ROW_WRONG, "ask", "the command had run when it was asked about");
	} else if (!t->asks && is_made(c, MADE)) {
		say(c, ROW_KNOW, "ask", "the command ran unasked: this agent asks about others");
	} else if (!t->asks && t->shells) {
		say(c, ROW_KNOW, "ask", "the command failed unasked: its sandbox holds it");
	} else if (!t->asks) {
		say(c, ROW_KNOW, "ask", "told to run a command it ran none, and asked nothing");
	} else if (!t->done) {
		say(c, ROW_WRONG, "ask", "\"%s\" was allowed, and no call went well", about);
	} else if (is_made(c, MADE)) {
		say(c, ROW_OK, "ask", "\"%s\" was asked about, and ran once allowed", about);
	} else {
		say(c, ROW_OK, "ask", "\"%s\", which nobody told it; done once allowed", about);
	}
}

static void row_interrupt(struct check *c)
{
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };

	if (!c->driver->caps.can_interrupt) {
		say(c, ROW_KNOW, "interrupt", "its driver cannot interrupt a turn");
		return;
	}
	if (trial_tell(&c->r, RUN "touch " NEVER, &e) != 0 || !trial_listen(&c->r, true) ||
		t->is_failed) {
		went_wrong(c, "interrupt", &e);
		return;
	}
	if (!t->ask) {
		say(c, ROW_KNOW, "interrupt", "nothing was asked, so there is no ask to withdraw");
		return;
	}
	pid_t was = trial_pids(&c->r).pid;
	VY_AUTO_JSON *done = trial_call(&c->r, "threads.interrupt", NULL, NULL, &e);

	if (!done || !trial_listen(&c->r, false) || t->is_failed) {
		went_wrong(c, "interrupt", &e);
	} else if (!t->withdrawn || is_made(c, NEVER)) {
		say(c, ROW_WRONG, "interrupt", "%s",
			t->withdrawn ? "the command ran all the same" : "the ask stays open");
	} else if (trial_tell(&c->r, SAY, &e) != 0 || !trial_let(&c->r) || t->is_failed) {
		went_wrong(c, "interrupt", &e);
	} else {
		say(c, t->pieces ? ROW_OK : ROW_WRONG, "interrupt",
			"the ask was withdrawn, the turn ended, and %s %s the next word",
			trial_pids(&c->r).pid == was ? "the same process" : "another process",
			t->pieces ? "answered" : "had no answer to");
	}
}

static void row_turn(struct check *c)
{
	int64_t begun = vy_boot_ms(&vy_clock_real), first;
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };

	if (trial_tell(&c->r, SAY, &e) != 0) {
		went_wrong(c, "turn", &e);
		return;
	}
	while (!t->pieces && !t->is_over && !t->ask && trial_step(&c->r, TRIAL_MS)) {
	}
	first = vy_boot_ms(&vy_clock_real) - begun;
	if (!trial_let(&c->r) || t->is_failed) {
		went_wrong(c, "turn", &e);
		return;
	}
	char *id = trial_agents_id(&c->r);
	bool is_own = strcmp(id, c->r.session) != 0;

	if (t->foreign || !t->pieces) {
		say(c, ROW_WRONG, "turn", "%s",
			t->foreign ? "frames of another session came" : "it ended without a word");
	} else {
		say(c, t->pieces > 1 ? ROW_OK : ROW_KNOW, "turn",
			"%zu piece%s, %zu bytes, the first after %lld ms, all of session %s%s%s",
			t->pieces, t->pieces > 1 ? "s" : "", t->words.len, (long long)first,
			c->r.session, is_own ? ", the agent's " : "", is_own ? id : "");
	}
	free(id);
}

static bool is_among(const char *const *list, const char *word)
{
	while (list && *list && strcmp(*list, word) != 0) {
		list++;
	}
	return list && *list;
}

/* Whether the last word of such args= gets past the driver: when the configuration is read, or on its way to the agent. */
static bool lets_through(const struct check *c, const char *args)
{
	struct provider_conf conf = *c->conf;
	struct provider_launch l = { .conf = &conf,
		.session = VY_STR_LIT("0b0e3a52-0000-4000-8000-000000000000"),
		.self = "vyred",
		.cwd = VY_STR_LIT("/") };
	const char *space = strrchr(args, ' '), *word = space ? space + 1 : args;
	struct provider_spawn spawn = { 0 };
	struct vy_err e = { 0 };
	struct vy_arena a;

	conf.args = args;
	vy_arena_init(&a);
	bool is_let = !c->driver->bad_arg(args, &a) ||
		      (c->driver->launch(&l, &spawn, &a, &e) == 0 && is_among(spawn.argv, word));

	vy_arena_fini(&a);
	return is_let;
}

/* Each bypass as a flag, and as the value of one; the caller frees what was let through. */
static char *taken_arg(const struct check *c, size_t *n)
{
	static const char *const before[] = { "", "--mode=", "--debug " };

	for (const char *const *w = provider_bypasses(); *w; w++) {
		for (size_t i = 0; i < VY_COUNT(before); i++, (*n)++) {
			VY_AUTO_BUF arg = VY_BUF_INIT(256);

			vy_buf_addf(
				&arg, "%s%s%s", before[i], **w == '-' || i == 1 ? "" : "--", *w);
			if (lets_through(c, vy_buf_c(&arg))) {
				return vy_strdup(vy_buf_c(&arg));
			}
		}
	}
	return NULL;
}

static char *taken_mode(struct check *c, size_t *n)
{
	/* no bypass by their names, and none of the house's */
	static const char *const more[] = { "auto", "autoEdit", "never", "agent" };
	const char *const *all = provider_bypasses();
	struct vy_err e = { 0 };
	size_t i = 0;

	for (; all[i]; i++, (*n)++) {
		VY_AUTO_JSON *m = trial_call(&c->r, "threads.mode", "mode", all[i], &e);

		if (m) {
			return vy_strdup(all[i]);
		}
	}
	for (i = 0; i < VY_COUNT(more); i++, (*n)++) {
		VY_AUTO_JSON *m = trial_call(&c->r, "threads.mode", "mode", more[i], &e);

		if (m) {
			return vy_strdup(more[i]);
		}
	}
	return NULL;
}

/* What the running agent has to choose from: its commands, and how hard it tries. */
static char *offered(struct check *c, size_t *n)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *commands = trial_call(&c->r, "threads.commands", NULL, NULL, &e);
	VY_AUTO_JSON *model = trial_call(&c->r, "threads.model", NULL, NULL, &e);
	const struct vy_json *list = vy_json_get(commands, "commands");
	const struct vy_json *models = vy_json_get(model, "models");

	for (size_t i = 0; i < vy_json_len(list); i++, (*n)++) {
		struct vy_str name = vy_json_str(vy_json_at(list, i), "name");

		if (provider_bypass(name)) {
			return vy_memdup0(name.p, name.n);
		}
	}
	for (size_t i = 0; i < vy_json_len(models); i++) {
		const struct vy_json *efforts = vy_json_get(vy_json_at(models, i), "efforts");

		for (size_t k = 0; k < vy_json_len(efforts); k++, (*n)++) {
			struct vy_str word = vy_json_strval(vy_json_at(efforts, k));

			if (provider_bypass(word)) {
				return vy_memdup0(word.p, word.n);
			}
		}
	}
	return NULL;
}

/* No mode but ours can be had: not by asking for it, not by configuration, not of what the agent offers. */
static void row_modes(struct check *c)
{
	size_t n_modes = 0, n_args = 0, n_offers = 0;
	struct vy_err e = { 0 };

	if (!c->r.session && trial_begin(&c->r, &e) != 0) {
		went_wrong(c, "modes", &e);
		return;
	}
	char *mode = taken_mode(c, &n_modes), *arg = taken_arg(c, &n_args);
	char *offer = c->r.odd_mode ? vy_strdup(c->r.odd_mode) : offered(c, &n_offers);
	VY_AUTO_JSON *record = trial_call(&c->r, "threads.get", NULL, NULL, &e);
	const char *now = vy_json_cstr(record, "mode");

	if (mode) {
		say(c, ROW_WRONG, "modes", "%s was taken as a mode", mode);
	} else if (arg) {
		say(c, ROW_WRONG, "modes", "its driver lets \"%s\" through in args=", arg);
	} else if (offer) {
		say(c, ROW_WRONG, "modes", "\"%s\" was offered", offer);
	} else if (!heard_is_mode(vy_str_c(now))) {
		say(c, ROW_WRONG, "modes", "%s is none of the house's", now ? now : "(none)");
	} else {
		say(c, ROW_OK, "modes",
			"in %s; of those that ask nobody %zu were refused as a mode and %zu in "
			"args=, and none was among %zu commands and efforts that it has, nor in an "
			"ask",
			now, n_modes, n_args, n_offers);
	}
	free(mode);
	free(arg);
	free(offer);
}

/* A word that only the next command has. */
static void new_word(struct check *c, char out[32])
{
	snprintf(out, 32, "3600.%07d%02d", (int)getpid(), ++c->n_words);
}

static void row_detached(struct check *c)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };
	char word[32];

	new_word(c, word);
	vy_buf_addf(&text, RUN "setsid -f " STAYS " </dev/null >/dev/null 2>&1", word);
	if (trial_tell(&c->r, vy_buf_c(&text), &e) != 0 || !trial_let(&c->r) || t->is_failed) {
		went_wrong(c, "detached", &e);
		return;
	}
	bool is_left = t->shells && seen_come(word, COME_MS);

	if (!t->shells) {
		say(c, ROW_KNOW, "detached", "told to run a command it ran none");
	} else if (trial_stop(&c->r, &e) != 0) {
		went_wrong(c, "detached", &e);
	} else if (!seen_gone(word, 0, GONE_MS)) {
		say(c, ROW_WRONG, "detached", "what a tool left running outlives the session");
	} else {
		say(c, ROW_OK, "detached", "what a tool left running %s",
			is_left ? "in a session of its own died on the stop"
				: "had died with its command");
	}
}

static void row_resume(struct check *c)
{
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };

	if (!c->driver->caps.can_resume || !c->r.session) {
		say(c, c->r.session ? ROW_KNOW : ROW_WRONG, "resume", "%s",
			c->r.session ? "its driver cannot resume a conversation"
				     : "there was no conversation to go on with");
		return;
	}
	char *was = trial_agents_id(&c->r), *is = NULL;

	if ((!t->is_stopped && trial_stop(&c->r, &e) != 0) || trial_tell(&c->r, RECALL, &e) != 0 ||
		!trial_let(&c->r) || t->is_failed) {
		went_wrong(c, "resume", &e);
		free(was);
		return;
	}
	is = trial_agents_id(&c->r);
	if (strcmp(was, is) != 0) {
		say(c, t->note ? ROW_KNOW : ROW_WRONG, "resume", "%s",
			t->note ? t->note : "another id, and nothing was said about it");
	} else if (!t->is_resumed) {
		say(c, ROW_WRONG, "resume", "it was begun anew");
	} else {
		say(c, ROW_OK, "resume", "a new process went on with %s%s", is,
			t->words.len && strstr(vy_buf_c(&t->words), "alpha")
				? ", and remembers"
				: "; what it remembers it did not say");
	}
	free(was);
	free(is);
}

static void row_tree(struct check *c)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	int64_t until = vy_boot_ms(&vy_clock_real) + TRIAL_MS;
	const struct heard *t = &c->r.t;
	struct vy_err e = { 0 };
	char word[32];
	size_t n = 0;

	new_word(c, word);
	vy_buf_addf(&text, RUN STAYS " & setsid -f " STAYS "; " STAYS, word, word, word);
	if (trial_tell(&c->r, vy_buf_c(&text), &e) != 0) {
		went_wrong(c, "tree", &e);
		return;
	}
	while (n < 3 && !t->is_over && vy_boot_ms(&vy_clock_real) < until &&
		(!t->ask || trial_allow(&c->r, &e) == 0)) {
		trial_step(&c->r, 20);
		n = seen_with(word);
	}
	struct pids p = trial_pids(&c->r);

	if (t->is_failed || (!n && t->shells)) {
		went_wrong(c, "tree", &e);
	} else if (!n) {
		say(c, ROW_KNOW, "tree", "told to run a command it ran none");
	} else if (trial_stop(&c->r, &e) != 0) {
		went_wrong(c, "tree", &e);
	} else if (!seen_gone(word, p.session, GONE_MS)) {
		say(c, ROW_WRONG, "tree", "processes of it outlive the stop");
	} else {
		say(c, ROW_OK, "tree",
			"the agent and the %zu processes of its command went on the stop", n);
	}
}

static void add_word(struct vy_buf *b, const char *word)
{
	vy_buf_addf(b, "%s%s", b->len ? ", " : "", word);
}

static void row_says(struct check *c)
{
	const struct provider_caps *caps = &c->driver->caps;
	VY_AUTO_BUF yes = VY_BUF_INIT(2048), no = VY_BUF_INIT(2048);

#define PROVIDER_CAP(member, name, what) add_word(caps->member ? &yes : &no, name);
#include "server/provider/caps.def"
#undef PROVIDER_CAP
	say(c, ROW_KNOW, "says", "it can %s%s%s", vy_buf_c(&yes), no.len ? "; not " : "",
		vy_buf_c(&no));
}

/* ---- the program ---- */

static void run_rows(struct check *c)
{
	/* each begins in the session where the one before ended, or, if that was left, in a new one */
	static void (*const rows[])(struct check * c) = { row_unknown, row_process, row_ask,
		row_interrupt, row_turn, row_modes, row_detached, row_resume, row_tree, row_says };

	for (size_t i = 0; i < VY_COUNT(rows) && !house_is_over(c->r.house); i++) {
		rows[i](c);
	}
	if (house_is_over(c->r.house)) {
		say(c, ROW_WRONG, "house", "it was ended before all was looked at");
	}
	trial_fini(&c->r);
}

static const struct provider_conf *named(const struct ops_provider *p, const char *name)
{
	for (size_t i = 0; i < p->n_providers; i++) {
		if (strcmp(p->providers[i].name, name) == 0) {
			return &p->providers[i];
		}
	}
	fprintf(stderr, "vyred: there is no provider %s: this vyred knows ", name);
	for (size_t i = 0; i < p->n_providers; i++) {
		fprintf(stderr, "%s%s", i ? ", " : "", p->providers[i].name);
	}
	fputc('\n', stderr);
	return NULL;
}

static const char *missing(const struct check *c, struct vy_arena *a)
{
	const char *path = getenv("PATH"), *own = vy_json_cstr(c->conf->env, "PATH");

	return c->driver->missing(c->conf, own ? own : path ? path : "", a);
}

int ops_provider_check(const struct ops_provider *p, const char *name)
{
	struct check c = { .conf = named(p, name), .r.provider = name };
	struct vy_err e = { 0 };
	struct vy_arena a;

	if (!c.conf) {
		return 1;
	}
	c.driver = provider_find(c.conf->kind);
	vy_arena_init(&a);
	const char *why = missing(&c, &a);

	if (why) {
		say(&c, ROW_WRONG, "agent", "%s: %s", name, why);
	} else if (!(c.r.house = house_open(c.conf, p->state_dir, p->user, &e))) {
		say(&c, ROW_WRONG, "house", "%s", e.text);
	} else {
		say(&c, ROW_OK, "agent", "%s, by the driver %s (%s)", name, c.driver->kind,
			c.driver->tested ? c.driver->tested : "?");
		run_rows(&c);
		house_close(c.r.house);
	}
	vy_arena_fini(&a);
	return c.n_wrong ? 1 : 0;
}
