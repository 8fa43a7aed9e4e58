/* say.c -- new and send: what is said, and to whom. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/cmd/ledger.h"
#include "tui/cmd/verb.h"
#include "tui/cmd/wait.h"
#include "tui/net/session.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- the text ---- */

static int too_long(struct vy_err *e)
{
	return vy_fail(e, VY_FULL, _("a message may have 8 MiB, this one has more"));
}

int cmd_input(struct vy_buf *out, struct vy_err *e)
{
	char piece[65536];
	ssize_t n;

	while ((n = read(0, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno != EINTR) {
			return vy_fail_errno(e, errno, _("reading the standard input"));
		}
		if (n > 0 && !vy_buf_add(out, piece, (size_t)n)) {
			return too_long(e);
		}
	}
	while (out->len && out->data[out->len - 1] == '\n') {
		vy_buf_truncate(out, out->len - 1);
	}
	return 0;
}

/* TEXT, or what stands on the standard input, or one below the other. */
static int make_text(const char *word, bool and_input, struct vy_buf *out, struct vy_err *e)
{
	bool is_input = word && strcmp(word, "-") == 0;
	VY_AUTO_BUF input = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	if (word && !is_input && !vy_buf_adds(out, word)) {
		return too_long(e);
	}
	if (is_input || and_input) {
		if (cmd_input(&input, e) != 0) {
			return -1;
		}
		if (out->len && input.len) {
			vy_buf_adds(out, "\n\n");
		}
		vy_buf_addstr(out, vy_buf_str(&input));
	}
	if (vy_buf_is_over(out)) {
		return too_long(e);
	}
	return out->len ? 0 : vy_fail(e, VY_BAD_INPUT, _("there is nothing to send"));
}

/* ---- starting a session ---- */

static struct vy_json *start(struct cmd *c, struct vy_str text, struct vy_err *e)
{
	struct session_new s = { .provider = c->o->provider,
		.model = c->o->model,
		.project = c->o->project,
		.purpose = c->o->purpose,
		.tools = c->o->tools,
		.is_once = c->o->is_once,
		.text = text };
	struct vy_json *record;

	if (c->o->budget && ledger_amount(c->o->budget, &s.budget_usd, e) != 0) {
		return NULL;
	}
	char *cwd = session_folder(c->o->cwd, e);

	if (!cwd) {
		return NULL;
	}
	s.cwd = cwd;
	record = session_start(&c->net, &s, e);
	free(cwd);
	if (record && s.note[0]) {
		out_progress(&c->out, "vyre-tui: %s", s.note);
	}
	return record;
}

static int print_started(struct cmd *c, const struct vy_json *record)
{
	if (c->o->is_json) {
		out_json(&c->out, record);
	} else {
		out_addf(&c->out, "%s\n", vy_json_cstr(record, "session"));
	}
	return EXIT_OK;
}

/* With --wait the text is said once somebody listens, else at once. */
static int start_and_say(struct cmd *c, struct vy_str text, struct vy_err *e)
{
	VY_AUTO_JSON *record = start(c, c->o->is_waiting ? vy_str_c(NULL) : text, e);
	char id[VY_UUID_LEN + 1];

	if (!record) {
		return -1;
	}
	if (!c->o->is_waiting) {
		return print_started(c, record);
	}
	session_id_of(record, id);
	out_progress(&c->out, _("vyre-tui: session %s"), id);
	return wait_for_answer(c, id, text, e);
}

int verb_new(struct cmd *c, struct vy_err *e)
{
	size_t n = c->o->n_words;
	const char *const *words = c->o->words;
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	if (n == 2 && strcmp(words[1], "-") != 0) {
		return vy_fail(e, VY_BAD_INPUT, _("the text is one word: put it in quotes"));
	}
	if (n > 0 && make_text(words[0], n == 2, &text, e) != 0) {
		return -1;
	}
	if (n == 0 && c->o->is_waiting) {
		return vy_fail(e, VY_BAD_INPUT, _("--wait needs something to wait for: a text"));
	}
	return start_and_say(c, vy_buf_str(&text), e);
}

/* ---- send ---- */

struct said {
	const char *session; /* a name; NULL: the newest of this folder */
	const char *text;    /* NULL: only what is read */
	bool and_input;
};

/* [SESSION] TEXT [-]. Of two words with "-" behind, the first is the text, unless it is an id. */
static int read_words(struct cmd *c, struct said *s, struct vy_err *e)
{
	const char *const *words = c->o->words;
	size_t n = c->o->n_words;

	*s = (struct said){ 0 };
	if (n > 1 && strcmp(words[n - 1], "-") == 0) {
		s->and_input = true;
		n--;
	}
	if (n > 2) {
		return vy_fail(e, VY_BAD_INPUT, _("the text is one word: put it in quotes"));
	}
	if (n == 2) {
		s->session = words[0];
		s->text = words[1];
	} else if (s->and_input && !c->o->is_new && session_is_id(vy_str_c(words[0]))) {
		s->session = words[0];
	} else {
		s->text = words[0];
	}
	if (s->session && c->o->is_new) {
		return vy_fail(e, VY_BAD_INPUT,
			_("--new starts a session: it goes with a text alone (put it in quotes)"));
	}
	if ((c->o->provider || c->o->model) && !c->o->is_new) {
		return vy_fail(e, VY_BAD_INPUT, _("--provider and --model go with --new"));
	}
	return 0;
}

/* What could begin an id and begins none was a text after all. */
static int find_session(struct cmd *c, struct said *s, char id[VY_UUID_LEN + 1], struct vy_err *e)
{
	int rc = cmd_session(c, s->session, id, e);

	if (rc != 0 && s->session && !s->text && e->code == VY_NOT_FOUND &&
		!vy_is_uuid(vy_str_c(s->session))) {
		s->text = s->session;
		s->session = NULL;
		vy_err_clear(e);
		rc = cmd_session(c, NULL, id, e);
	}
	if (rc != 0 && !s->session && e->code == VY_NOT_FOUND) {
		vy_fail(e, VY_NOT_FOUND,
			_("there is no session of this folder yet: vyre-tui send --new says it to "
			  "a "
			  "new one"));
	}
	return rc;
}

static int say(struct cmd *c, const char *session, struct vy_str text, struct vy_err *e)
{
	struct vy_json *params;

	if (c->o->is_waiting) {
		return wait_for_answer(c, session, text, e);
	}
	params = cmd_params(session);
	vy_json_set_str(params, "text", text);
	VY_AUTO_JSON *result = cmd_write(c, "threads.send", params, e);

	if (!result) {
		return -1;
	}
	if (c->o->is_json) {
		vy_json_set_c(result, "session", session);
		out_json(&c->out, result);
	} else if (vy_str_is(vy_json_str(result, "state"), "queued")) {
		struct vy_str reason = words_said(vy_json_str(result, "reason"));

		out_progress(&c->out, _("queued%s%.*s"), reason.n ? ": " : "", VY_STR_ARG(reason));
	}
	return EXIT_OK;
}

static int send_to_new(struct cmd *c, const struct said *s, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	if (make_text(s->text, s->and_input, &text, e) != 0) {
		return -1;
	}
	return start_and_say(c, vy_buf_str(&text), e);
}

int verb_send(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	char id[VY_UUID_LEN + 1];
	struct said s;

	if (read_words(c, &s, e) != 0) {
		return -1;
	}
	if (c->o->is_new) {
		return send_to_new(c, &s, e);
	}
	if (find_session(c, &s, id, e) != 0 || make_text(s.text, s.and_input, &text, e) != 0) {
		return -1;
	}
	return say(c, id, vy_buf_str(&text), e);
}
