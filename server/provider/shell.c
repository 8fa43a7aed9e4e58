/* shell.c -- see shell.h. */
#include "server/provider/shell.h"

#include <inttypes.h>

#include "server/guard/redact.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define SHELL_VERSION 1

struct agent {
	char *term, *command, *author;
	int64_t shown, bytes; /* of the output that is shown; of all */
	bool in_key;          /* between the two lines of a private key: nothing is shown */
	bool is_cut;          /* it was said that no more is shown */
	struct vy_buf head, tail;
};

/* ---- life ---- */

static struct agent *make(void)
{
	struct agent *a = VY_NEW(struct agent);

	vy_buf_init(&a->head, SHELL_HEAD_MAX + SHELL_LINE_MAX * 2);
	vy_buf_init(&a->tail, SHELL_TAIL_MAX * 2 + SHELL_LINE_MAX * 2);
	return a;
}

struct agent *shell_new(const struct shell_facts *f)
{
	struct agent *a = make();

	a->term = vy_memdup0(f->term.p, f->term.n);
	a->command = vy_memdup0(f->command.p, f->command.n);
	a->author = vy_memdup0(f->author.p, f->author.n);
	return a;
}

struct shell_facts shell_facts(const struct agent *a)
{
	return (struct shell_facts){ vy_str_c(a->term), vy_str_c(a->command), vy_str_c(a->author) };
}

static void shell_free(struct agent *a)
{
	if (a) {
		free(a->term);
		free(a->command);
		free(a->author);
		vy_buf_fini(&a->head);
		vy_buf_fini(&a->tail);
		free(a);
	}
}

/* ---- as a value ---- */

static void shell_encode(const struct agent *a, struct vy_jw *w)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_set_c(o, "driver", "shell");
	vy_json_set_int(o, "v", SHELL_VERSION);
	vy_json_set_c(o, "term", a->term);
	vy_json_set_c(o, "command", a->command);
	vy_json_set_c(o, "author", a->author);
	vy_json_set_int(o, "shown", a->shown);
	vy_json_set_int(o, "bytes", a->bytes);
	vy_json_set_bool(o, "in_key", a->in_key);
	vy_json_set_bool(o, "cut", a->is_cut);
	vy_json_set_str(o, "head", vy_buf_str(&a->head));
	vy_json_set_str(o, "tail", vy_buf_str(&a->tail));
	vy_json_dump(o, &text);
	vy_jw_raw(w, vy_buf_str(&text));
}

bool shell_is_state(const struct vy_json *v)
{
	return vy_str_is(vy_json_str(v, "driver"), "shell");
}

static struct agent *shell_decode(const struct vy_json *v, struct vy_err *e)
{
	struct shell_facts f = { vy_json_str(v, "term"), vy_json_str(v, "command"),
		vy_json_str(v, "author") };

	if (!shell_is_state(v) || vy_json_int(v, "v", 0) != SHELL_VERSION || !f.term.n) {
		vy_fail(e, VY_CORRUPT, "the stored state of a command is damaged");
		return NULL;
	}
	struct agent *a = shell_new(&f);

	a->shown = vy_json_int(v, "shown", 0);
	a->bytes = vy_json_int(v, "bytes", 0);
	a->in_key = vy_json_bool(v, "in_key", false);
	a->is_cut = vy_json_bool(v, "cut", false);
	vy_buf_addstr(&a->head, vy_json_str(v, "head"));
	vy_buf_addstr(&a->tail, vy_json_str(v, "tail"));
	return a;
}

/* ---- its output ---- */

/* Clean UTF-8 without secrets; what a screen must not obey is the client's to mark. */
static void say_line(struct agent *a, struct vy_str line, const char *behind, struct vy_buf *out)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(SHELL_LINE_MAX * 4);

	vy_utf8_clean(line, &clean);
	if (guard_redact_line(&a->in_key, vy_buf_str(&clean), behind[0] != '\n', out)) {
		vy_buf_adds(out, behind);
	}
}

/* The begin is kept, and a window of the end. */
static void keep(struct agent *a, struct vy_str text)
{
	if (a->tail.len == 0 && a->head.len + text.n <= SHELL_HEAD_MAX) {
		vy_buf_addstr(&a->head, text);
		return;
	}
	vy_buf_addstr(&a->tail, text);
	if (a->tail.len > SHELL_TAIL_MAX) {
		struct vy_str all = vy_buf_str(&a->tail);
		size_t from = all.n - SHELL_TAIL_MAX;

		while (from < all.n && ((unsigned char)all.p[from] & 0xC0) == 0x80) {
			from++;
		}
		vy_buf_consume(&a->tail, from);
	}
}

static void show(struct agent *a, struct vy_str text, struct agent_out *out)
{
	struct agent_event *ev;

	if (text.n == 0 || a->is_cut) {
		return;
	}
	if (a->shown + (int64_t)text.n > SHELL_SHOWN_MAX) {
		text = VY_STR_LIT("… no more of it is shown\n");
		a->is_cut = true;
	}
	ev = agent_out_add(out, AE_TEXT);
	ev->index = a->shown;
	ev->text = vy_arena_str(out->arena, text);
	a->shown += (int64_t)text.n;
}

static void shell_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	VY_AUTO_BUF text = VY_BUF_INIT(SHELL_LINE_MAX * 4);

	(void)stream;
	a->bytes += (int64_t)line.n + 1;
	say_line(a, line, "\n", &text);
	keep(a, vy_buf_str(&text));
	show(a, vy_buf_str(&text), out);
}

static void shell_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	VY_AUTO_BUF text = VY_BUF_INIT(SHELL_LINE_MAX * 4);

	a->bytes += bytes;
	say_line(a, head, " … the rest of this line is left out\n", &text);
	keep(a, vy_buf_str(&text));
	show(a, vy_buf_str(&text), out);
}

/* ---- its end ---- */

static void shell_command(struct agent *a, const struct agent_command *c, struct agent_out *out)
{
	(void)a; /* nothing is told to it: it has no stdin */
	(void)c;
	(void)out;
}

static void shell_exited(struct agent *a, int status, int signo, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TOOL_DONE);

	ev->tool = vy_arena_str(out->arena, vy_str_c(a->term));
	ev->outcome = signo ? AGENT_CANCELED : status ? AGENT_FAILED : AGENT_OK;
	ev->json = vy_json_new_obj();
	vy_json_set_int(ev->json, "exit", signo ? 128 + signo : status);
	if (signo) {
		vy_json_set_int(ev->json, "signal", signo);
	}
	vy_json_set_int(ev->json, "bytes", a->bytes);
	vy_json_set_str(ev->json, "head", vy_buf_str(&a->head));
	vy_json_set_str(ev->json, "tail", vy_buf_str(&a->tail));
}

const struct provider_ops shell_ops = {
	.kind = "shell",
	.tested = "any",
	.free = shell_free,
	.line = shell_line,
	.command = shell_command,
	.line_too_long = shell_too_long,
	.exited = shell_exited,
	.encode = shell_encode,
	.decode = shell_decode,
};

/* ---- what is run, and what is told of it ---- */

const char **shell_argv(const char *shell, struct vy_str command, struct vy_arena *a)
{
	const char **argv = vy_arena_calloc(a, 6, sizeof(*argv));

	argv[0] = "/bin/sh";
	argv[1] = "-c";
	argv[2] = "exec \"$0\" -c \"$1\" </dev/null 2>&1";
	argv[3] = shell;
	argv[4] = vy_arena_dup(a, command.p, command.n);
	return argv;
}

void shell_tell(struct vy_str command, const struct vy_json *end, struct vy_buf *out)
{
	struct vy_str head = vy_json_str(end, "head"), tail = vy_json_str(end, "tail");
	int64_t left = vy_json_int(end, "bytes", 0) - (int64_t)(head.n + tail.n);

	vy_buf_addf(out, "The user ran this command in the session's folder themselves:\n$ %.*s\n",
		VY_STR_ARG(command));
	vy_buf_addf(out, "It ended with status %" PRId64 ".", vy_json_int(end, "exit", -1));
	if (head.n + tail.n == 0) {
		vy_buf_adds(out, " It printed nothing.\n");
		return;
	}
	vy_buf_adds(out, " It printed:\n");
	vy_buf_addstr(out, head);
	if (tail.n && left > 0) {
		vy_buf_addf(out, "… about %" PRId64 " bytes are left out here …\n", left);
	}
	vy_buf_addstr(out, tail);
}
