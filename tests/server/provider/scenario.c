/* scenario.c -- see scenario.h. */
#include "tests/server/provider/scenario.h"

#include <dirent.h>

#include "shared/base/limits.h"
#include "tests/check.h"
#include "tests/server/provider/replay.h"
#include "shared/base/ban.h"

static const struct provider_ops *played;

static const char *folder(void)
{
	static char path[4096];
	const char *top = getenv("top_srcdir");

	snprintf(path, sizeof(path), "%s/tests/server/provider/%s", top ? top : ".", played->kind);
	return path;
}

static bool read_file(const char *name, struct vy_buf *out)
{
	char path[8192], part[65536];
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", folder(), name);
	FILE *f = fopen(path, "re");

	if (!f) {
		return false;
	}
	while ((n = fread(part, 1, sizeof(part), f)) > 0) {
		vy_buf_add(out, part, n);
	}
	fclose(f);
	return true;
}

static void write_file(const char *name, struct vy_str text)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/%s", folder(), name);
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
	assert_int_equal(fclose(f), 0);
}

/* ---- steps ---- */

static void launch(struct replay *r, const struct vy_json *v)
{
	const struct provider_conf conf = {
		.name = played->kind, .kind = played->kind, .command = played->kind
	};
	struct provider_launch l = {
		.conf = &conf,
		.session = VY_STR_LIT("00000000-0000-4000-8000-000000000001"),
		.cwd = VY_STR_LIT("/w"),
		.is_trusted = vy_json_bool(v, "trusted", false),
		.mode = vy_json_str(v, "mode"),
		.model = vy_json_str(v, "model"),
		.is_resume = vy_json_bool(v, "resume", vy_json_str(v, "resume").n > 0),
		.agent_id = vy_json_str(v, "resume"),
		.system = vy_json_str(v, "system"),
		.fork_of = vy_json_str(v, "fork"),
		.mark = vy_json_str(v, "mark"),
	};

	if (r->agent) {
		r->ops->free(r->agent);
	}
	r->agent = r->ops->new (&l);
}

static bool command(struct replay *r, const struct vy_json *v)
{
	static const struct {
		const char *word;
		enum agent_command_kind kind;
	} kinds[] = { { "hello", AC_HELLO }, { "say", AC_SAY }, { "take-back", AC_TAKE_BACK },
		{ "interrupt", AC_INTERRUPT }, { "answer", AC_ANSWER }, { "checked", AC_CHECKED },
		{ "mode", AC_MODE }, { "model", AC_MODEL }, { "thinking", AC_THINKING },
		{ "kill-task", AC_KILL_TASK }, { "effort", AC_EFFORT }, { "aside", AC_ASIDE },
		{ "task-output", AC_TASK_OUTPUT }, { "forget", AC_FORGET }, { "end", AC_END } };
	struct vy_str when = vy_json_str(v, "when");
	struct agent_command cmd = {
		.message = vy_json_str(v, "message"),
		.text = vy_json_str(v, "text"),
		.context = vy_json_str(v, "context"),
		.request = vy_json_str(v, "request"),
		.decision = vy_json_str(v, "decision"),
		.when = vy_str_is(when, "queue") ? AGENT_QUEUE
			: vy_str_is(when, "now") ? AGENT_NOW
						 : AGENT_STEER,
		.json = vy_json_get(v, "json"),
	};

	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		if (vy_str_is(vy_json_str(v, "cmd"), kinds[i].word)) {
			cmd.kind = kinds[i].kind;
			replay_command(r, &cmd);
			return true;
		}
	}
	return false;
}

static bool step(struct replay *r, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (vy_json_get(v, "about")) {
		vy_buf_addf(&r->log, "\n# %s\n", vy_json_cstr(v, "about"));
	} else if (vy_json_get(v, "launch")) {
		launch(r, vy_json_get(v, "launch"));
	} else if (vy_json_get(v, "cmd")) {
		return command(r, v);
	} else if (vy_json_get(v, "out")) {
		vy_json_dump(vy_json_get(v, "out"), &b);
		replay_line(r, AGENT_STDOUT, vy_buf_str(&b));
	} else if (vy_json_get(v, "raw")) {
		replay_line(r, AGENT_STDOUT, vy_json_str(v, "raw"));
	} else if (vy_json_get(v, "err")) {
		replay_line(r, AGENT_STDERR, vy_json_str(v, "err"));
	} else if (vy_json_get(v, "long")) {
		replay_too_long(r, vy_json_int(v, "long", 0), vy_json_str(v, "head"));
	} else if (vy_json_get(v, "exit")) {
		replay_exit(r, (int)vy_json_int(v, "exit", 0), (int)vy_json_int(v, "signal", 0));
	} else {
		return false;
	}
	return true;
}

static void play(const char *name, struct vy_str file, bool is_cut, struct vy_buf *log)
{
	struct replay r;
	struct vy_err e = { 0 };

	replay_init(&r, played, is_cut);
	launch(&r, NULL);
	for (int line = 1; file.n; line++) {
		const char *nl = memchr(file.p, '\n', file.n);
		size_t n = nl ? (size_t)(nl - file.p) : file.n;
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(file.p, n), &e);

		if (!v || !step(&r, v)) {
			fail_msg("%s:%d: no step: %s", name, line, e.text);
		}
		file = vy_str_from(file, n + 1);
	}
	vy_buf_addstr(log, vy_buf_str(&r.log));
	replay_fini(&r);
}

static int is_scenario(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 6 && strcmp(d->d_name + n - 6, ".jsonl") == 0;
}

static void scenario(const char *name)
{
	VY_AUTO_BUF file = VY_BUF_INIT(VY_LINE_MAX), want = VY_BUF_INIT(VY_LINE_MAX);
	VY_AUTO_BUF whole = VY_BUF_INIT(VY_LINE_MAX), cut = VY_BUF_INIT(VY_LINE_MAX);
	char want_name[512];

	snprintf(want_name, sizeof(want_name), "%.*s.want", (int)strlen(name) - 6, name);
	assert_true(read_file(name, &file));
	play(name, vy_buf_str(&file), false, &whole);
	play(name, vy_buf_str(&file), true, &cut);
	check_vstr(name, vy_buf_str(&cut), vy_buf_str(&whole));
	if (getenv("VYRE_GOLDEN_UPDATE")) {
		write_file(want_name, vy_buf_str(&whole));
	}
	read_file(want_name, &want);
	check_vstr(name, vy_buf_str(&whole), vy_buf_str(&want));
}

void scenarios_play(const struct provider_ops *ops)
{
	struct dirent **names;
	int n;

	played = ops;
	n = scandir(folder(), &names, is_scenario, alphasort);
	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		print_message("  %s\n", names[i]->d_name);
		scenario(names[i]->d_name);
		free(names[i]);
	}
	free(names);
}
