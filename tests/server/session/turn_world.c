/* turn_world.c -- see turn_world.h. */
#include "tests/server/session/turn_world.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"

#define UUID_PREFIX "00000000-0000-4000-8000-"

static size_t number_of(const char *alias)
{
	long long n = 0;

	vy_parse_i64(vy_str_c(alias + 1), &n);
	return (size_t)n;
}

static const char *uuid_of(struct turn_world *w, const char *alias)
{
	static char ids[2][VY_UUID_LEN + 1];
	static unsigned next;
	char *id = ids[next++ % 2];
	size_t n = number_of(alias);

	if (alias[0] == 'u') {
		assert_true(n >= 1 && n <= w->n_made);
		return w->made[n - 1];
	}
	snprintf(id, sizeof(ids[0]), UUID_PREFIX "%012u", (unsigned)n);
	return id;
}

/* Its place in the list of those seen so far; a new one goes to its end. */
static size_t place_of(char *list, size_t size, size_t *n, struct vy_str id)
{
	size_t i = 0;

	while (i < *n && !vy_str_is(id, list + i * size)) {
		i++;
	}
	if (i == *n) {
		assert_true(*n < TURN_WORLD_MADE && id.n < size);
		snprintf(list + i * size, size, "%.*s", VY_STR_ARG(id));
		++*n;
	}
	return i + 1;
}

const char *turn_world_alias(struct turn_world *w, struct vy_str uuid)
{
	static char alias[24];
	long long n = 0;

	if (vy_str_starts(uuid, UUID_PREFIX)) {
		vy_parse_i64(vy_str_from(uuid, strlen(UUID_PREFIX)), &n);
		snprintf(alias, sizeof(alias), "m%lld", n);
	} else {
		snprintf(alias, sizeof(alias), "u%zu",
			place_of(w->made[0], sizeof(w->made[0]), &w->n_made, uuid));
	}
	return alias;
}

static const char *ask_alias(struct turn_world *w, struct vy_str id)
{
	static char alias[24];

	snprintf(alias, sizeof(alias), "a%zu",
		place_of(w->ask[0], sizeof(w->ask[0]), &w->n_asks, id));
	return alias;
}

/* ---- effects as lines ---- */

/* Wire 5: `status waiting` is the turn's last frame. */
static void judge_turn(struct turn_world *w, const struct vy_frame *f)
{
	const char *colon = f->turn.n ? memrchr(f->turn.p, ':', f->turn.n) : NULL;
	long long number = 0;

	if (!colon) {
		return;
	}
	assert_true(vy_parse_i64(vy_str_from(f->turn, (size_t)(colon + 1 - f->turn.p)), &number));
	assert_true(number > w->over);
	if (f->kind == VY_KIND_STATUS && vy_frame_is(f, VY_F_STATE, "waiting")) {
		w->over = number;
	}
}

static void show_frame(struct turn_world *w, const struct vy_frame *f)
{
	struct vy_str turn = f->turn;
	struct vy_str note = vy_frame_str(f, VY_F_NOTE), reason = vy_frame_str(f, VY_F_REASON);

	judge_turn(w, f);
	vy_buf_addf(&w->out, "%s", vy_kind_word(f->kind));
	if (turn.n) {
		vy_buf_addf(&w->out, "#%c", turn.p[turn.n - 1]);
	}
	switch (f->kind) {
	case VY_KIND_USER_MESSAGE:
		vy_buf_addf(&w->out, " %s %.*s \"%.*s\"",
			turn_world_alias(w, vy_frame_str(f, VY_F_MESSAGE)),
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
		vy_buf_adds(&w->out, vy_frame_has(f, VY_F_DELIVERED) ? " lost" : "");
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
		if (vy_frame_has(f, VY_F_UNTIL)) {
			vy_buf_addf(&w->out, " until %d", (int)vy_frame_int(f, VY_F_UNTIL, 0));
		}
		if (vy_frame_bool(f, VY_F_STOPPING)) {
			vy_buf_adds(&w->out, " stopping");
		}
		if (vy_frame_has(f, VY_F_TASKS)) {
			VY_AUTO_JSON *tasks = vy_json_parse(vy_frame_str(f, VY_F_TASKS), NULL);

			vy_buf_addf(&w->out, " tasks %zu", vy_json_len(tasks));
		}
		break;
	default: break;
	}
	vy_buf_addc(&w->out, '\n');
}

static void show_command(struct turn_world *w, const struct agent_command *c)
{
	static const char *const names[] = { "HELLO", "SAY", "TAKE_BACK", "INTERRUPT", "ANSWER",
		"CHECKED", "MODE", "MODEL", "THINKING", "KILL_TASK", "END" };
	static const char *const when[] = { "", " queue", " now" };

	vy_buf_addf(&w->out, "> %s", names[c->kind]);
	if (c->message.n) {
		vy_buf_addf(&w->out, " %s", turn_world_alias(w, c->message));
	}
	if (c->context.n) {
		vy_buf_addf(&w->out, " (%.*s…)", (int)vy_utf8_cut(c->context, 18), c->context.p);
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

static void show(struct turn_world *w, struct effects *fx)
{
	for (size_t i = 0; i < fx->n; i++) {
		const struct effect copy = fx->v[i], *e = &copy; /* the list may move under us */

		if (w->seen) {
			w->seen(w, e);
		}
		switch (e->kind) {
		case FX_WANT:
			if (w->has_places) {
				turn_go(w->t, fx);
			} else {
				vy_buf_adds(&w->out, "> want\n");
			}
			break;
		case FX_UNWANT: vy_buf_adds(&w->out, "> unwant\n"); break;
		case FX_FRAME: show_frame(w, &e->frame); break;
		case FX_COMMAND: show_command(w, &e->command); break;
		case FX_START: vy_buf_adds(&w->out, "> start\n"); break;
		case FX_END: vy_buf_addf(&w->out, "> end %d\n", (int)e->grace_ms); break;
		case FX_CHECK: vy_buf_adds(&w->out, "> check\n"); break;
		case FX_ASK_OPEN:
		case FX_ASK_CLOSED:
		case FX_ASK_LOST:
		case FX_MARK:
		case FX_FILES:
		case FX_UNDO_OVER: break; /* the frames beside them say it */
		}
	}
}

/* ---- script lines ---- */

static int act(struct turn_world *w, char *const *v, struct effects *fx, struct vy_err *e)
{
	struct turn *t = w->t;
	struct vy_str a = vy_str_c(v[1][0] ? uuid_of(w, v[1]) : "");
	struct vy_str b = vy_str_c(v[2]);

	if (strncmp(v[0], "say", 3) == 0) {
		struct turn_say s = { .message = a,
			.text = b,
			.author = VY_STR_LIT("person:ana"),
			.now_ms = ++w->now,
			.has_no_place = !w->has_places && !w->has_one_soon,
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
		turn_rest(t, v[1][0] ? v[1] : "idle", 1500, fx);
		return 0;
	}
	if (strcmp(v[0], "answer") == 0 || strcmp(v[0], "answer-mode") == 0) {
		VY_AUTO_JSON *mode = vy_json_parse(VY_STR_LIT("{\"mode\":\"plan\"}"), NULL);
		struct turn_outcome was;
		struct turn_answer an = { .ask = vy_str_c(w->ask[number_of(v[1]) - 1]),
			.decision = b,
			.by = VY_STR_LIT("person:ana"),
			.json = v[0][6] ? mode : NULL };
		int rc = turn_answer(t, &an, &was, fx, e);

		if (rc == 0 && was.already) {
			vy_buf_addf(&w->out, "already %.*s by %.*s%s\n", VY_STR_ARG(was.decision),
				VY_STR_ARG(was.by), was.is_lost ? " lost" : "");
		}
		return rc;
	}
	return 1;
}

static void limit(struct turn_world *w, char *const *v, struct effects *fx)
{
	const struct agent_event ev = { .kind = AE_TURN_END,
		.outcome = AGENT_FAILED,
		.text = VY_STR_LIT("its own words"),
		.is_limit = true };
	const struct turn_limit l = {
		.goes_on = strcmp(v[1], "on") == 0, .note = vy_str_c(v[2]), .until = 7
	};

	turn_limited(w->t, &ev, &l, fx);
}

/* Of its process, and of who gives them out. */
static bool process(struct turn_world *w, char *const *v, struct effects *fx)
{
	if (strcmp(v[0], "started") == 0) {
		turn_started(w->t, fx);
	} else if (strcmp(v[0], "no-places") == 0) {
		w->has_places = false;
		w->has_one_soon = v[1][0] != '\0';
	} else if (strcmp(v[0], "go") == 0) {
		turn_go(w->t, fx);
	} else if (strcmp(v[0], "soon") == 0) {
		turn_soon(w->t, fx);
	} else if (strcmp(v[0], "waits") == 0) {
		turn_waits(w->t, v[2][0] ? v[2] : "live-cap", strtol(v[1], NULL, 10),
			"2 are at work", fx);
	} else if (strcmp(v[0], "spent") == 0) {
		turn_spent(w->t, vy_str_c(v[1]), fx);
	} else if (strcmp(v[0], "cut") == 0) {
		turn_spent_cut(w->t, fx);
	} else if (strcmp(v[0], "leave-line") == 0) {
		turn_leave_line(w->t, fx);
	} else if (strcmp(v[0], "told") == 0) {
		turn_answer_told(
			w->t, vy_str_c(w->ask[number_of(v[1]) - 1]), strtol(v[2], NULL, 10));
	} else if (strcmp(v[0], "untold") == 0) {
		turn_untold(w->t, strtol(v[1], NULL, 10), fx);
	} else if (strcmp(v[0], "gone") == 0) {
		turn_gone(w->t, vy_str_c(v[1]), fx);
	} else if (strcmp(v[0], "limit") == 0) {
		limit(w, v, fx);
	} else if (strcmp(v[0], "again") == 0) {
		turn_again(w->t, fx);
	} else if (strcmp(v[0], "unborn") == 0) {
		turn_unborn(w->t, fx);
	} else {
		return false;
	}
	return true;
}

/* What a call does, and the files with it. */
static bool of_call(struct turn_world *w, char *const *v, struct effects *fx)
{
	struct agent_event ev = { .tool = vy_str_c(v[1]) };

	if (strcmp(v[0], "tool") == 0) {
		ev.kind = AE_TOOL_START;
		ev.name = VY_STR_LIT("Bash");
		ev.tool_kind = "shell";
		ev.text = VY_STR_LIT("ls");
		ev.parent = vy_str_c(v[2]);
	} else if (strcmp(v[0], "tool-progress") == 0) {
		ev.kind = AE_TOOL_PROGRESS;
		ev.text = vy_str_c(v[2]);
	} else if (strcmp(v[0], "tool-done") == 0) {
		ev.kind = AE_TOOL_DONE;
	} else if (strcmp(v[0], "file") == 0) {
		ev = (struct agent_event){
			.kind = AE_FILE_CHANGED, .name = vy_str_c(v[1]), .text = VY_STR_LIT("edit")
		};
	} else {
		return false;
	}
	turn_heard(w->t, &ev, fx);
	return true;
}

static bool event(struct turn_world *w, char *const *v, struct effects *fx)
{
	struct agent_event ev = { 0 };
	VY_AUTO_JSON *json = NULL;

	if (process(w, v, fx) || of_call(w, v, fx)) {
		return true;
	}
	if (strcmp(v[0], "taken") == 0 || strcmp(v[0], "back") == 0) {
		ev.kind = v[0][0] == 't' ? AE_TAKEN : AE_CAME_BACK;
		ev.message = vy_str_c(uuid_of(w, v[1]));
	} else if (strcmp(v[0], "begin") == 0) {
		ev.kind = AE_TURN_BEGIN;
		ev.text = vy_str_c(v[1]);
	} else if (strcmp(v[0], "text") == 0) {
		ev = (struct agent_event){ .kind = AE_TEXT,
			.message = VY_STR_LIT("msg"),
			.text = vy_str_c(v[1]),
			.parent = vy_str_c(v[2]) };
	} else if (strcmp(v[0], "text-done") == 0 || strcmp(v[0], "void") == 0) {
		ev.kind = v[0][0] == 't' ? AE_TEXT_DONE : AE_TEXT_VOID;
		ev.message = VY_STR_LIT("msg");
	} else if (strcmp(v[0], "tasks") == 0) {
		json = vy_json_parse(vy_str_c(v[1]), NULL);
		ev = (struct agent_event){ .kind = AE_TASKS, .json = json };
	} else if (strcmp(v[0], "broken") == 0) {
		ev = (struct agent_event){ .kind = AE_BROKEN, .text = vy_str_c(v[1]) };
	} else if (strcmp(v[0], "ask") == 0 || strcmp(v[0], "ask-plan") == 0) {
		json = vy_json_parse(
			VY_STR_LIT("{\"kind\":\"permission\",\"summary\":\"rm x\","
				   "\"options\":[{\"id\":\"yes\",\"label\":\"Yes\"}]}"),
			NULL);
		if (v[0][3]) {
			vy_json_set_c(json, "kind", "plan");
		}
		ev = (struct agent_event){ .kind = AE_ASK,
			.request = vy_str_c(v[1]),
			.json = json,
			.parent = vy_str_c(v[2]) };
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

void turn_world_step(struct turn_world *w, char *line)
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

void turn_world_reload(struct turn_world *w)
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

void turn_world_init(struct turn_world *w)
{
	*w = (struct turn_world){ .out = VY_BUF_INIT(1 << 20), .has_places = true };
	vy_arena_init(&w->arena);
	w->t = turn_new(VY_STR_LIT("s"), VY_STR_LIT("salt"), VY_STR_LIT("assistant:demo"));
}

void turn_world_fini(struct turn_world *w)
{
	turn_free(w->t);
	vy_arena_fini(&w->arena);
	vy_buf_fini(&w->out);
}

char *turn_world_play(const char *script, bool reloading)
{
	struct turn_world w;
	char *copy = vy_strdup(script), *rest = copy, *line;

	turn_world_init(&w);
	while ((line = strsep(&rest, "\n"))) {
		if (*line) {
			turn_world_step(&w, line);
			if (reloading) {
				turn_world_reload(&w);
			}
		}
	}
	char *out = vy_buf_take(&w.out, NULL);

	turn_world_fini(&w);
	free(copy);
	return out;
}
