/* demo_calls.c -- the steps of a script that call a tool: what each puts into its message. */
#include <string.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- inputs ---- */

static struct vy_json *object(const char *key, struct vy_str value)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, key, value);
	return o;
}

static struct vy_json *bash(struct vy_str command, const char *what)
{
	struct vy_json *o = object("command", command);

	vy_json_set_c(o, "description", what);
	return o;
}

/* "\n" spelled out becomes a newline. */
static struct vy_str unescaped(struct demo *d, struct vy_str s)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	for (size_t i = 0; i < s.n; i++) {
		bool is_nl = s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] == 'n';

		vy_buf_addc(&b, is_nl ? '\n' : s.p[i]);
		i += is_nl;
	}
	return vy_arena_str(&d->arena, vy_buf_str(&b));
}

static struct vy_json *write_input(struct demo *d, struct vy_str arg)
{
	bool has_content = arg.n && memchr(arg.p, '=', arg.n);
	struct vy_json *o = object("file_path", script_until(&arg, '='));

	vy_json_set_str(o, "content",
		has_content ? unescaped(d, arg) : VY_STR_LIT("line one\nline two\nline three\n"));
	return o;
}

static struct vy_json *edit_input(struct vy_str arg)
{
	struct vy_json *o = object("file_path", script_until(&arg, '|'));
	struct vy_str from = script_until(&arg, '|');

	vy_json_set_str(o, "old_string", from.n ? from : VY_STR_LIT("line two"));
	vy_json_set_str(o, "new_string", from.n ? arg : VY_STR_LIT("line 2 (edited)"));
	vy_json_set_bool(o, "replace_all", false);
	return o;
}

static struct vy_json *agent_input(struct demo *d, const struct script_step *s)
{
	struct vy_str script = s->arg.n ? s->arg : VY_STR_LIT("say:5");
	struct vy_json *o = object("description", VY_STR_LIT("A small errand"));
	char *p = vy_arena_dup(&d->arena, script.p, script.n);

	for (char *at = p; (at = strstr(at, " ,, ")) != NULL; at += 4) {
		memcpy(at, " ;; ", 4);
	}
	vy_json_set_c(o, "prompt", p);
	vy_json_set_c(o, "subagent_type", "general-purpose");
	if (s->verb != SCRIPT_AGENT) {
		vy_json_set_bool(o, "run_in_background", s->verb == SCRIPT_AGENTBG);
	}
	return o;
}

static struct vy_json *from_text(const char *json)
{
	return vy_json_parse(vy_str_c(json), NULL);
}

static const char todo_input[] =
	"{\"todos\":["
	"{\"content\":\"First step\",\"status\":\"completed\",\"activeForm\":\"Doing the first "
	"step\"},"
	"{\"content\":\"Second step\",\"status\":\"in_progress\",\"activeForm\":\"Doing the second "
	"step\"},"
	"{\"content\":\"Third step\",\"status\":\"pending\",\"activeForm\":\"Doing the third "
	"step\"}]}";

static const char ask_input[] =
	"{\"questions\":[{\"question\":\"Which colour should it be?\",\"header\":\"Colour\","
	"\"multiSelect\":false,\"options\":[{\"label\":\"Red\",\"description\":\"A warm colour\"},"
	"{\"label\":\"Blue\",\"description\":\"A cold colour\"}]},"
	"{\"question\":\"Which parts?\",\"header\":\"Parts\",\"multiSelect\":true,\"options\":["
	"{\"label\":\"Door\",\"description\":\"The "
	"door\"},{\"label\":\"Roof\",\"description\":\"The roof\"},"
	"{\"label\":\"Wall\",\"description\":\"The wall\"}]}]}";

static void add(struct demo *d, struct demo_message *m, struct demo_calls *c, const char *name,
	struct vy_json *own_input)
{
	c->v[c->n++] = demo_message_call(d, m, name, own_input);
}

static void add_tool(
	struct demo *d, struct demo_message *m, struct demo_calls *c, struct vy_str arg)
{
	struct vy_str name = script_until(&arg, ' ');
	struct vy_json *input = vy_json_parse_lenient(arg, NULL);

	if (vy_json_type(input) != VY_JSON_OBJ) {
		vy_json_free(input);
		input = vy_json_new_obj();
	}
	add(d, m, c, name.n ? vy_arena_dup(&d->arena, name.p, name.n) : "Bash", input);
}

static void add_multi(struct demo *d, struct demo_message *m, struct demo_calls *c, bool is_second)
{
	struct vy_str words_before = VY_STR_LIT("Three things at once.");

	if (is_second) {
		add(d, m, c, "Bash", bash(VY_STR_LIT("touch multi-one"), "First"));
		add(d, m, c, "Bash", bash(VY_STR_LIT("touch multi-two"), "Second"));
		return;
	}
	if (!demo_message_words(d, m, false, &words_before, 1, 0)) {
		return;
	}
	add(d, m, c, "Bash", bash(VY_STR_LIT("echo one"), "First"));
	add(d, m, c, "Bash", bash(VY_STR_LIT("echo two"), "Second"));
	add(d, m, c, "Read", object("file_path", VY_STR_LIT("/etc/hostname")));
}

static struct vy_str plan_text(const struct script_step *s)
{
	return s->arg.n ? s->arg : VY_STR_LIT("# Plan\n\n1. Look\n2. Change\n3. Test\n");
}

/* A plan is a file first, as with claude; it is the demo's own and not asked about. */
static void add_planfile(
	struct demo *d, struct demo_message *m, struct demo_calls *c, const struct script_step *s)
{
	const char *tmp = getenv("TMPDIR");
	struct vy_json *o;

	fields_str_set(&d->last_plan, vy_str_c(vy_arena_printf(&d->arena, "%s/vyre-demo-plan-%s.md",
					      tmp && tmp[0] == '/' ? tmp : "/tmp", d->session)));
	o = object("file_path", vy_str_c(d->last_plan));
	vy_json_set_str(o, "content", plan_text(s));
	add(d, m, c, "Write", o);
}

void demo_calls_add(
	struct demo *d, struct demo_message *m, const struct script_step *s, struct demo_calls *c)
{
	struct vy_json *o;

	switch (s->verb) {
	case SCRIPT_BASH: add(d, m, c, "Bash", bash(s->arg, "Run a test command")); break;
	case SCRIPT_BASHBG:
		o = bash(s->arg, "Run in the background");
		vy_json_set_bool(o, "run_in_background", true);
		add(d, m, c, "Bash", o);
		break;
	case SCRIPT_READ: add(d, m, c, "Read", object("file_path", s->arg)); break;
	case SCRIPT_WRITE: add(d, m, c, "Write", write_input(d, s->arg)); break;
	case SCRIPT_EDIT: add(d, m, c, "Edit", edit_input(s->arg)); break;
	case SCRIPT_TODO: add(d, m, c, "TodoWrite", from_text(todo_input)); break;
	case SCRIPT_ASK: add(d, m, c, "AskUserQuestion", from_text(ask_input)); break;
	case SCRIPT_PLAN: add(d, m, c, "ExitPlanMode", object("plan", plan_text(s))); break;
	case SCRIPT_PLANFILE: add_planfile(d, m, c, s); break;
	case SCRIPT_AGENT:
	case SCRIPT_AGENTBG:
	case SCRIPT_AGENTFG: add(d, m, c, "Agent", agent_input(d, s)); break;
	case SCRIPT_MULTI: add_multi(d, m, c, false); break;
	case SCRIPT_MULTI2: add_multi(d, m, c, true); break;
	case SCRIPT_TOOL: add_tool(d, m, c, s->arg); break;
	default: break;
	}
}
