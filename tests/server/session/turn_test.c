/* turn_test.c -- scenarios of a turn: acts and events in, effects out, each a short line.
 *
 * A script line is an act or an event; "m1".."m9" stand for uuids, and a uuid that the turn makes
 * itself is shown, and may be named, as "u1", "u2" … in the order of appearance. Every scenario is
 * run again with an encode and decode after each line: the same effects must come out. */
#include "server/session/turn.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tests/check.h"

struct world {
	struct turn *t;
	struct vy_arena arena;
	struct vy_buf out;
	char made[9][VY_UUID_LEN + 1];
	size_t n_made;
	char ask[4][32];
	size_t n_asks;
};

static const char *uuid_of(struct world *w, const char *alias)
{
	static char ids[2][VY_UUID_LEN + 1];
	static unsigned next;
	char *id = ids[next++ % 2];

	if (alias[0] == 'u') {
		return w->made[alias[1] - '1'];
	}
	snprintf(id, sizeof(ids[0]), "00000000-0000-4000-8000-00000000000%c", alias[1]);
	return id;
}

static const char *alias_of(struct world *w, struct vy_str uuid)
{
	static char alias[24];

	if (vy_str_starts(uuid, "00000000-0000-4000-8000-")) {
		snprintf(alias, sizeof(alias), "m%c", uuid.p[VY_UUID_LEN - 1]);
		return alias;
	}
	for (size_t i = 0; i < w->n_made; i++) {
		if (vy_str_is(uuid, w->made[i])) {
			snprintf(alias, sizeof(alias), "u%zu", i + 1);
			return alias;
		}
	}
	snprintf(w->made[w->n_made++], VY_UUID_LEN + 1, "%.*s", VY_STR_ARG(uuid));
	snprintf(alias, sizeof(alias), "u%zu", w->n_made);
	return alias;
}

static const char *ask_alias(struct world *w, struct vy_str id)
{
	static char alias[24];
	size_t i = 0;

	while (i < w->n_asks && !vy_str_is(id, w->ask[i])) {
		i++;
	}
	if (i == w->n_asks) {
		snprintf(w->ask[w->n_asks++], sizeof(w->ask[0]), "%.*s", VY_STR_ARG(id));
	}
	snprintf(alias, sizeof(alias), "a%zu", i + 1);
	return alias;
}

/* ---- effects as lines ---- */

static void show_frame(struct world *w, const struct vy_frame *f)
{
	struct vy_str turn = f->turn;
	struct vy_str note = vy_frame_str(f, VY_F_NOTE), reason = vy_frame_str(f, VY_F_REASON);

	vy_buf_addf(&w->out, "%s", vy_kind_word(f->kind));
	if (turn.n) {
		vy_buf_addf(&w->out, "#%c", turn.p[turn.n - 1]);
	}
	switch (f->kind) {
	case VY_KIND_USER_MESSAGE:
		vy_buf_addf(&w->out, " %s %.*s \"%.*s\"",
			alias_of(w, vy_frame_str(f, VY_F_MESSAGE)),
			VY_STR_ARG(vy_frame_str(f, VY_F_STATE)),
			VY_STR_ARG(vy_frame_str(f, VY_F_TEXT)));
		if (vy_frame_has(f, VY_F_STEP)) {
			vy_buf_addf(&w->out, " step %d", (int)vy_frame_int(f, VY_F_STEP, 0));
		}
		if (vy_frame_has(f, VY_F_POSITION)) {
			vy_buf_addf(&w->out, " at %d", (int)vy_frame_int(f, VY_F_POSITION, 0));
		}
		break;
	case VY_KIND_TEXT_DELTA:
		vy_buf_addf(&w->out, " \"%.*s\"", VY_STR_ARG(vy_frame_str(f, VY_F_TEXT)));
		break;
	case VY_KIND_TOOL_STARTED:
		vy_buf_addf(&w->out, " %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_TOOL_ID)));
		break;
	case VY_KIND_TOOL_FINISHED:
		vy_buf_addf(&w->out, " %.*s %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_TOOL_ID)),
			VY_STR_ARG(vy_frame_str(f, VY_F_STATUS)));
		break;
	case VY_KIND_ASK:
		vy_buf_addf(&w->out, " %s", ask_alias(w, vy_frame_str(f, VY_F_ASK_ID)));
		break;
	case VY_KIND_ASK_ANSWERED:
		vy_buf_addf(&w->out, " %s %.*s %.*s", ask_alias(w, vy_frame_str(f, VY_F_ASK_ID)),
			VY_STR_ARG(vy_frame_str(f, VY_F_DECISION)),
			VY_STR_ARG(vy_frame_str(f, VY_F_BY)));
		break;
	case VY_KIND_STATUS:
		vy_buf_addf(&w->out, " %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_STATE)));
		if (vy_frame_has(f, VY_F_ORIGIN)) {
			vy_buf_addf(
				&w->out, " origin %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_ORIGIN)));
		}
		if (reason.n) {
			vy_buf_addf(&w->out, " (%.*s)", VY_STR_ARG(reason));
		}
		if (note.n) {
			vy_buf_addf(&w->out, " \"%.*s\"", VY_STR_ARG(note));
		}
		if (vy_frame_has(f, VY_F_MODE)) {
			vy_buf_addf(&w->out, " mode %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_MODE)));
		}
		if (vy_frame_has(f, VY_F_HELD)) {
			vy_buf_adds(&w->out, vy_frame_bool(f, VY_F_HELD) ? " held" : " released");
		}
		if (vy_frame_bool(f, VY_F_STOPPING)) {
			vy_buf_adds(&w->out, " stopping");
		}
		break;
	default: break;
	}
	vy_buf_addc(&w->out, '\n');
}

static void show_command(struct world *w, const struct agent_command *c)
{
	static const char *const names[] = { "HELLO", "SAY", "TAKE_BACK", "INTERRUPT", "ANSWER",
		"CHECKED", "MODE", "MODEL", "END" };
	static const char *const when[] = { "", " queue", " now" };

	vy_buf_addf(&w->out, "> %s", names[c->kind]);
	if (c->message.n) {
		vy_buf_addf(&w->out, " %s", alias_of(w, c->message));
	}
	if (c->text.n) {
		vy_buf_addf(&w->out, " \"%.*s\"", VY_STR_ARG(c->text));
	}
	if (c->request.n) {
		vy_buf_addf(&w->out, " %.*s", VY_STR_ARG(c->request));
	}
	if (c->decision.n) {
		vy_buf_addf(&w->out, " %.*s", VY_STR_ARG(c->decision));
	}
	vy_buf_addf(&w->out, "%s\n", c->kind == AC_SAY ? when[c->when] : "");
}

static void show(struct world *w, struct effects *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		const struct effect *e = &fx->v[i];

		switch (e->kind) {
		case FX_FRAME: show_frame(w, &e->frame); break;
		case FX_COMMAND: show_command(w, &e->command); break;
		case FX_START: vy_buf_adds(&w->out, "> start\n"); break;
		case FX_END: vy_buf_addf(&w->out, "> end %d\n", (int)e->grace_ms); break;
		case FX_CHECK: vy_buf_adds(&w->out, "> check\n"); break;
		case FX_ASK_OPEN:
		case FX_ASK_CLOSED: break; /* the frames beside them say it */
		}
	}
}

/* ---- script lines ---- */

static int act(struct world *w, char *const *v, struct effects *fx, struct vy_err *e)
{
	struct turn *t = w->t;
	struct vy_str a = vy_str_c(v[1][0] ? uuid_of(w, v[1]) : "");
	struct vy_str b = vy_str_c(v[2]);

	if (strncmp(v[0], "say", 3) == 0) {
		struct turn_say s = { .message = a,
			.text = b,
			.author = VY_STR_LIT("person:ana"),
			.when = strcmp(v[0], "say-queue") == 0 ? AGENT_QUEUE
				: strcmp(v[0], "say-now") == 0 ? AGENT_NOW
							       : AGENT_STEER };

		return turn_say(t, &s, fx, e);
	}
	if (strcmp(v[0], "edit") == 0) {
		return turn_edit(t, a, b, fx, e);
	}
	if (strcmp(v[0], "unqueue") == 0) {
		return turn_unqueue(t, a, fx, e);
	}
	if (strcmp(v[0], "send-now") == 0) {
		return turn_send_now(t, a, fx, e);
	}
	if (strcmp(v[0], "move") == 0) {
		return turn_move(t, a, vy_str_c(v[2][0] ? uuid_of(w, v[2]) : ""), fx, e);
	}
	if (strcmp(v[0], "release") == 0) {
		return turn_release(t, fx, e);
	}
	if (strcmp(v[0], "esc") == 0) {
		return turn_interrupt(t, fx, e);
	}
	if (strcmp(v[0], "stop") == 0) {
		return turn_stop(t, 5000, fx, e);
	}
	if (strcmp(v[0], "mode") == 0) {
		return turn_mode(t, vy_str_c(v[1]), fx, e);
	}
	if (strcmp(v[0], "rest") == 0) {
		turn_rest(t, 1500, fx);
		return 0;
	}
	if (strcmp(v[0], "answer") == 0) {
		bool already;
		struct vy_str decision;
		struct turn_answer an = { .ask = vy_str_c(w->ask[v[1][1] - '1']),
			.decision = b,
			.by = VY_STR_LIT("person:ana") };
		int rc = turn_answer(t, &an, &already, &decision, fx, e);

		if (rc == 0 && already) {
			vy_buf_addf(&w->out, "already %.*s\n", VY_STR_ARG(decision));
		}
		return rc;
	}
	return 1;
}

static bool event(struct world *w, char *const *v, struct effects *fx)
{
	struct agent_event ev = { 0 };
	VY_AUTO_JSON *json = NULL;

	if (strcmp(v[0], "started") == 0) {
		turn_started(w->t, fx);
		return true;
	}
	if (strcmp(v[0], "gone") == 0) {
		turn_gone(w->t, vy_str_c(v[1]), fx);
		return true;
	}
	if (strcmp(v[0], "again") == 0) {
		turn_again(w->t, fx);
		return true;
	}
	if (strcmp(v[0], "taken") == 0 || strcmp(v[0], "back") == 0) {
		ev.kind = v[0][0] == 't' ? AE_TAKEN : AE_CAME_BACK;
		ev.message = vy_str_c(uuid_of(w, v[1]));
	} else if (strcmp(v[0], "begin") == 0) {
		ev.kind = AE_TURN_BEGIN;
		ev.text = vy_str_c(v[1]);
	} else if (strcmp(v[0], "text") == 0) {
		ev = (struct agent_event){
			.kind = AE_TEXT, .message = VY_STR_LIT("msg"), .text = vy_str_c(v[1])
		};
	} else if (strcmp(v[0], "tool") == 0) {
		ev = (struct agent_event){ .kind = AE_TOOL_START,
			.tool = vy_str_c(v[1]),
			.name = VY_STR_LIT("Bash"),
			.tool_kind = "shell",
			.text = VY_STR_LIT("ls"),
			.parent = vy_str_c(v[2]) };
	} else if (strcmp(v[0], "tool-done") == 0) {
		ev = (struct agent_event){ .kind = AE_TOOL_DONE, .tool = vy_str_c(v[1]) };
	} else if (strcmp(v[0], "ask") == 0) {
		json = vy_json_parse(
			VY_STR_LIT("{\"kind\":\"permission\",\"summary\":\"rm x\","
				   "\"options\":[{\"id\":\"yes\",\"label\":\"Yes\"}]}"),
			NULL);
		ev = (struct agent_event){
			.kind = AE_ASK, .request = vy_str_c(v[1]), .json = json
		};
	} else if (strcmp(v[0], "ask-gone") == 0) {
		ev = (struct agent_event){ .kind = AE_ASK_GONE, .request = vy_str_c(v[1]) };
	} else if (strcmp(v[0], "end") == 0) {
		ev.kind = AE_TURN_END;
		ev.outcome = strcmp(v[1], "ok") == 0       ? AGENT_OK
			     : strcmp(v[1], "failed") == 0 ? AGENT_FAILED
							   : AGENT_CANCELED;
		ev.text = vy_str_c(v[2]);
	} else if (strcmp(v[0], "is-mode") == 0) {
		ev.kind = AE_MODE;
		ev.text = vy_str_c(v[1]);
	} else {
		return false;
	}
	turn_heard(w->t, &ev, fx);
	return true;
}

static void step(struct world *w, char *line)
{
	char *v[3] = { line, "", "" };
	struct effects fx;
	struct vy_err e = { 0 };

	for (size_t i = 1; i < 3; i++) { /* the last word takes the rest of the line */
		char *space = strchr(v[i - 1], ' ');

		if (!space) {
			break;
		}
		*space = '\0';
		v[i] = space + 1;
	}
	if (strcmp(v[0], "gone") == 0 && v[2][0]) {
		v[2][-1] = ' ';
	}
	effects_init(&fx, &w->arena);
	if (!event(w, v, &fx)) {
		int rc = act(w, v, &fx, &e);

		if (rc > 0) {
			fail_msg("no such line: %s", v[0]);
		}
		if (rc < 0) {
			vy_buf_addf(&w->out, "! %s\n", vy_code_kind(e.code));
		}
	}
	show(w, &fx);
	effects_fini(&fx);
}

static void reload(struct world *w)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *v = turn_encode(w->t);
	struct turn *again = turn_decode(v, &e);

	if (!again) {
		fail_msg("decode: %s", e.text);
	}
	turn_free(w->t);
	w->t = again;
}

static char *play(const char *script, bool reloading)
{
	struct world w = { .out = VY_BUF_INIT(65536) };
	char *copy = vy_strdup(script), *rest = copy, *line;

	vy_arena_init(&w.arena);
	w.t = turn_new(VY_STR_LIT("s"), VY_STR_LIT("salt"), VY_STR_LIT("assistant:demo"));
	while ((line = strsep(&rest, "\n"))) {
		if (*line) {
			step(&w, line);
			if (reloading) {
				reload(&w);
			}
		}
	}
	turn_free(w.t);
	vy_arena_fini(&w.arena);
	free(copy);
	return vy_buf_take(&w.out, NULL);
}

#define LIVE "say m1 hi\nstarted\ntaken m1\n"
#define LIVE_OUT                                                                                   \
	"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\nstatus#1 working\n"            \
	"> SAY m1 \"hi\"\n"
#define REST     LIVE "end ok\n"
#define REST_OUT LIVE_OUT "status#1 waiting\n"

static const struct {
	const char *name, *script, *out;
} rows[] = {
	{ "a first message starts the agent", LIVE "text a\nend ok",
		LIVE_OUT "text-delta#1 \"a\"\ntext-done#1\nstatus#1 waiting\n" },
	{ "a second message begins a turn at once", REST "say m2 more",
		REST_OUT "user-message#2 m2 sent \"more\"\nstatus#2 working\n> SAY m2 \"more\"\n" },
	{ "a steer goes to the agent and is taken at a step",
		LIVE "tool t1\nsay m2 also\ntool-done t1\ntaken m2\nend ok",
		LIVE_OUT
		"tool-started#1 t1\nuser-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
		"tool-finished#1 t1 completed\nuser-message#1 m2 picked-up \"also\" step 1\n"
		"status#1 waiting\n" },
	{ "a steer that comes too late is a turn of its own",
		LIVE "say m2 also\nend ok\ntaken m2\nbegin \ntext b\nend ok",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\nstatus#1 waiting\n"
			 "user-message#2 m2 picked-up \"also\"\nstatus#2 working\n"
			 "text-delta#2 \"b\"\ntext-done#2\nstatus#2 waiting\n" },
	{ "queued ones go one a turn",
		LIVE "say-queue m2 two\nsay-queue m3 three\nend ok\ntaken m2\n"
		     "end ok\ntaken m3\nend ok",
		LIVE_OUT
		"user-message m2 queued \"two\"\nuser-message m3 queued \"three\"\n"
		"status#1 waiting\n> SAY m2 \"two\"\nuser-message#2 m2 picked-up \"two\"\n"
		"status#2 working\nstatus#2 waiting\n> SAY m3 \"three\"\n"
		"user-message#3 m3 picked-up \"three\"\nstatus#3 working\nstatus#3 waiting\n" },
	{ "an interrupt holds the queue; release lets it go",
		LIVE "say-queue m2 two\nesc\nend canceled\nsay m3 x\nrelease\ntaken m2",
		LIVE_OUT
		"user-message m2 queued \"two\"\n> INTERRUPT\n"
		"status#1 waiting \"interrupted\" held\nuser-message m3 queued \"x\"\n"
		"status#1 waiting released\n> SAY m2 \"two\"\n"
		"user-message#2 m2 picked-up \"two\"\nstatus#2 working\n> SAY m3 \"x\"\n" },
	{ "a steer that an interrupt brought back is told again under a new uuid",
		LIVE "say m2 also\nesc\nback m2\nend canceled\nrelease\ntaken u1",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n> INTERRUPT\n"
			 "status#1 waiting \"interrupted\" held\nstatus#1 waiting released\n"
			 "> SAY u1 \"also\"\nuser-message#2 m2 picked-up \"also\"\n"
			 "status#2 working\n" },
	{ "an interrupt finishes tools and withdraws asks",
		LIVE "tool t1\nask r1\nesc\nend canceled",
		LIVE_OUT "tool-started#1 t1\nask#1 a1\nstatus#1 asking\n> INTERRUPT\n"
			 "ask-answered#1 a1 cancelled \ntool-finished#1 t1 canceled\n"
			 "status#1 waiting \"interrupted\"\n" },
	{ "an ask is answered once", LIVE "ask r1\nanswer a1 yes\nanswer a1 deny",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\n> ANSWER r1 yes\n"
			 "ask-answered#1 a1 yes person:ana\nstatus#1 working\nalready yes\n" },
	{ "several asks are open at once", LIVE "ask r1\nask r2\nanswer a2 allow\nanswer a1 deny",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\nask#1 a2\n> ANSWER r2 allow\n"
			 "ask-answered#1 a2 allow person:ana\n> ANSWER r1 deny\n"
			 "ask-answered#1 a1 deny person:ana\nstatus#1 working\n" },
	{ "an answer after a withdrawal is too late", LIVE "ask r1\nask-gone r1\nanswer a1 allow",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\nask-answered#1 a1 cancelled \n"
			 "status#1 working\n! gone\n" },
	{ "an unknown decision is refused", LIVE "ask r1\nanswer a1 maybe",
		LIVE_OUT "ask#1 a1\nstatus#1 asking\n! bad_input\n" },
	{ "a waiting one is edited, moved and taken back",
		LIVE "say-queue m2 two\nsay-queue m3 three\nedit m2 zwei\nmove m3 m2\nunqueue m2",
		LIVE_OUT
		"user-message m2 queued \"two\"\nuser-message m3 queued \"three\"\n"
		"user-message m2 queued \"zwei\"\nuser-message m3 queued \"three\" at 0\n"
		"user-message m2 queued \"zwei\" at 1\nuser-message m2 cancelled \"zwei\"\n" },
	{ "a told steer is taken back when the agent gives it",
		LIVE "say m2 also\nunqueue m2\nback m2\nend ok",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n> TAKE_BACK m2\n"
			 "user-message m2 cancelled \"also\"\nstatus#1 waiting\n" },
	{ "a told steer is edited: back, changed, told anew",
		LIVE "say m2 also\nedit m2 rather\nback m2\ntaken u1",
		LIVE_OUT "user-message m2 queued \"also\"\n> SAY m2 \"also\"\n> TAKE_BACK m2\n"
			 "user-message m2 queued \"rather\"\n> SAY u1 \"rather\"\n"
			 "user-message#1 m2 picked-up \"rather\" step 0\n" },
	{ "a taken one cannot be taken back", LIVE "unqueue m1", LIVE_OUT "! conflict\n" },
	{ "an unknown one is not found", LIVE "unqueue m7", LIVE_OUT "! not_found\n" },
	{ "a lost agent ends the turn as such, and holds what waits",
		LIVE "tool t1\nsay-queue m2 two\ngone it died",
		LIVE_OUT "tool-started#1 t1\nuser-message m2 queued \"two\"\n"
			 "tool-finished#1 t1 canceled\nstatus#1 failed (agent-lost) \"it died\"\n"
			 "status#1 waiting held\n" },
	{ "after a lost agent an untaken word keeps its uuid",
		LIVE "say m2 also\ngone it died\nrelease\nstarted\ntaken m2",
		LIVE_OUT
		"user-message m2 queued \"also\"\n> SAY m2 \"also\"\n"
		"status#1 failed (agent-lost) \"it died\"\nstatus#1 waiting held\n"
		"status#1 waiting released\n> start\nstatus#2 starting\n> SAY m2 \"also\"\n"
		"user-message#2 m2 picked-up \"also\"\nstatus#2 working\n" },
	{ "an agent that cannot start leaves the word held", "say m1 hi\ngone not installed",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"status#1 failed (agent-lost) \"not installed\"\nstatus#1 waiting held\n" },
	{ "a stop says so first, and ends after the turn's end", LIVE "tool t1\nstop\ngone ",
		LIVE_OUT "tool-started#1 t1\nstatus#1 working stopping\n> end 5000\n"
			 "tool-finished#1 t1 canceled\nstatus#1 waiting \"interrupted\"\n"
			 "status#1 stopped\n" },
	{ "a stopped session goes on with the next word", REST "stop\ngone \nsay m2 more\nstarted",
		REST_OUT "status#1 waiting stopping\n> end 5000\nstatus#1 stopped\n"
			 "user-message#2 m2 sent \"more\"\n> start\nstatus#2 starting\n"
			 "status#2 working\n> SAY m2 \"more\"\n" },
	{ "a resting agent is no stop, and what came meanwhile goes on",
		REST "rest\nsay m2 more\ngone \nstarted\ntaken m2",
		REST_OUT "> end 1500\nuser-message m2 queued \"more\"\n> start\nstatus#2 starting\n"
			 "> SAY m2 \"more\"\nuser-message#2 m2 picked-up \"more\"\n"
			 "status#2 working\n" },
	{ "a failed turn is said, then it is the person's turn", LIVE "end failed limit reached",
		LIVE_OUT "status#1 failed (agent-error) \"limit reached\"\nstatus#1 waiting\n" },
	{ "a turn the agent began itself has an origin", REST "begin task\ntext x\nend ok",
		REST_OUT "status#2 working origin task\ntext-delta#2 \"x\"\ntext-done#2\n"
			 "status#2 waiting\n" },
	{ "esc before the agent is there ends the turn", "say m1 hi\nesc\nstarted",
		"user-message#1 m1 sent \"hi\"\n> start\nstatus#1 starting\n"
		"status#1 waiting \"interrupted\"\n" },
	{ "esc with nothing running does nothing", REST "esc", REST_OUT },
	{ "now interrupts the order", LIVE "say-queue m2 two\nsay-now m3 three",
		LIVE_OUT "user-message m2 queued \"two\"\nuser-message m3 queued \"three\"\n"
			 "> SAY m3 \"three\" now\n" },
	{ "a mode is said and told", LIVE "mode plan\nis-mode default",
		LIVE_OUT
		"status#1 working mode plan\n> MODE \"plan\"\nstatus#1 working mode default\n" },
	{ "a mode that is not ours is refused", "mode bypassPermissions", "! bad_input\n" },
	{ "launched the wrong way round, it is started once more",
		"say m1 hi\nstarted\nagain\nstarted\ntaken m1",
		LIVE_OUT "> start\nstatus#1 starting\n> SAY m1 \"hi\"\n" },
	{ "a subagent's call outlives the turn", LIVE "tool t1 parent\nend ok\ntool-done t1",
		LIVE_OUT "tool-started#1 t1\nstatus#1 waiting\ntool-finished#1 t1 completed\n" },
	{ "a tool is finished once", LIVE "tool t1\ntool-done t1\ntool-done t1\nend ok",
		LIVE_OUT "tool-started#1 t1\ntool-finished#1 t1 completed\nstatus#1 waiting\n" },
};

static void scenarios(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *out = play(rows[i].script, false);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
	}
}

static void scenarios_cut_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *out = play(rows[i].script, true);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scenarios),
		cmocka_unit_test(scenarios_cut_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
