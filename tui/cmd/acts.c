/* acts.c -- see acts.h. */
#include "tui/cmd/acts.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/model/points.h"
#include "tui/cmd/ledger.h"
#include "tui/cmd/out.h"
#include "tui/words/changed.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TEXT_CELLS 60
#define LISTED     20

/* The line as it is read: its next word, and what stands behind. */
static struct vy_str next_word(struct vy_str *line)
{
	struct vy_str word = vy_str_trim(*line);
	size_t n = 0;

	while (n < word.n && word.p[n] != ' ') {
		n++;
	}
	*line = vy_str_trim(vy_str_from(word, n));
	return vy_str_n(word.p, n);
}

/* ---- the points ---- */

static void say_points(const struct vy_points *all, struct vy_buf *say)
{
	for (size_t i = 0; i < all->n && i < LISTED; i++) {
		const struct vy_point *p = &all->v[i];
		char *text = out_fit(p->text, TEXT_CELLS);

		vy_buf_addf(say, "%zu  %s", i + 1, text);
		if (p->files) {
			vy_buf_adds(say, ": ");
			words_files(p->files, all->files[p->file].path, p->added, p->removed, say);
		}
		vy_buf_addc(say, '\n');
		free(text);
	}
	vy_buf_adds(say, all->n ? _("type /rewind and a number to go back before that message; "
				    "with files behind it, the files too")
				: _("nothing was said here yet"));
}

/* Which one a number means; false, and said, where there is none. */
static bool point_of(
	const struct vy_fold *f, struct vy_str number, struct vy_str *message, struct vy_buf *say)
{
	struct vy_points all;
	long long n = 0;
	bool is_there;

	vy_points_init(&all);
	vy_points_read(&all, f);
	is_there = vy_parse_i64(number, &n) && n >= 1 && n <= (long long)all.n;
	if (is_there) {
		*message = all.v[n - 1].message; /* the fold's */
	} else if (number.n) {
		vy_buf_adds(say, _("there is no message of that number; /rewind lists them"));
	} else {
		say_points(&all, say);
	}
	vy_points_fini(&all);
	return is_there;
}

/* ---- lines ---- */

struct line {
	const struct vy_fold *fold;
	struct vy_str rest;
	struct vy_json *params;
	struct vy_buf *say;
};

static bool on_rewind(struct line *l)
{
	struct vy_str message, number = next_word(&l->rest);
	bool with_files = vy_str_is(l->rest, "files");

	if (!point_of(l->fold, number, &message, l->say)) {
		return false;
	}
	vy_json_set_str(l->params, "message", message);
	vy_json_set_c(l->params, "files", with_files ? "restore" : "no");
	return true;
}

static bool on_redo(struct line *l)
{
	vy_json_set_bool(l->params, "redo", true);
	return true;
}

static bool on_branch(struct line *l)
{
	struct vy_str message;

	if (!point_of(l->fold, next_word(&l->rest), &message, l->say)) {
		return false;
	}
	vy_json_set_str(l->params, "message", message);
	return true;
}

static bool on_edit(struct line *l)
{
	if (!on_branch(l)) {
		return false;
	}
	if (!l->rest.n) {
		vy_buf_adds(l->say, _("the new words belong behind the number"));
		return false;
	}
	vy_json_set_str(l->params, "text", l->rest);
	return true;
}

static bool on_aside(struct line *l)
{
	if (!l->rest.n) {
		vy_buf_adds(l->say, _("the question belongs behind /btw"));
		return false;
	}
	vy_json_set_str(l->params, "question", l->rest);
	return true;
}

static bool on_compact(struct line *l)
{
	if (l->rest.n) {
		vy_json_set_str(l->params, "hint", l->rest);
	}
	return true;
}

static bool on_effort(struct line *l)
{
	if (l->rest.n) {
		vy_json_set_str(
			l->params, "effort", vy_str_is(l->rest, "auto") ? VY_STR_LIT("") : l->rest);
	}
	return true;
}

static bool on_budget(struct line *l)
{
	VY_AUTO_BUF word = VY_BUF_INIT(4096);
	struct vy_err e = { 0 };
	double usd;

	vy_buf_addstr(&word, l->rest);
	if (ledger_amount(vy_buf_c(&word), &usd, &e) != 0) {
		vy_buf_adds(l->say, e.text);
		return false;
	}
	if (usd > 0) {
		vy_json_take(l->params, "budget_usd", vy_json_new_real(usd));
	}
	return true;
}

/* Of all sessions, not of this one. */
static bool on_all(struct line *l)
{
	vy_json_del(l->params, "session");
	return true;
}

static bool on_nothing(struct line *l)
{
	(void)l;
	return true;
}

static const struct {
	const char *word, *method;
	bool (*read)(struct line *l);
	bool takes_words;
} acts[] = {
	{ "/rewind", "threads.rewind", on_rewind, true },
	{ "/redo", "threads.rewind", on_redo, false },
	{ "/retry", "threads.retry", on_nothing, false },
	{ "/edit", "threads.edit-retry", on_edit, true },
	{ "/branch", "threads.branch", on_branch, true },
	{ "/fork", "threads.fork", on_nothing, false },
	{ "/btw", "threads.aside", on_aside, true },
	{ "/compact", "threads.compact", on_compact, true },
	{ "/effort", "threads.model", on_effort, true },
	{ "/usage", "threads.get", on_nothing, false },
	{ "/budget", "threads.budget", on_budget, true },
	{ "/slots", "sessions.slots", on_all, false },
	{ "/models", "sessions.models.get", on_all, false },
	{ "/prompt", "sessions.prompt.get", on_all, false },
};

enum acts_said acts_line(const struct vy_fold *f, const char *session, struct vy_str line,
	const char **method, struct vy_json **params, struct vy_buf *say)
{
	struct line l = { .fold = f, .rest = line, .say = say };
	struct vy_str word = next_word(&l.rest);

	for (size_t i = 0; i < VY_COUNT(acts); i++) {
		if (!vy_str_is(word, acts[i].word) || (l.rest.n && !acts[i].takes_words)) {
			continue;
		}
		l.params = vy_json_new_obj();
		vy_json_set_c(l.params, "session", session);
		if (!acts[i].read(&l)) {
			vy_json_free(l.params);
			return ACTS_NOTE;
		}
		*method = acts[i].method;
		*params = l.params;
		return ACTS_CALL;
	}
	return ACTS_NOTHING;
}

/* ---- what comes of them ---- */

static void say_effort(const struct vy_json *result, struct vy_buf *say)
{
	struct vy_str now = vy_json_str(result, "effort");

	vy_buf_addf(say, _("how hard the agent tries: %.*s"),
		VY_STR_ARG(now.n ? now : vy_str_c(_("as the agent likes"))));
}

static void say_budget(const struct vy_json *result, struct vy_buf *say)
{
	double usd = vy_json_num(result, "budget_usd", 0),
	       spent = vy_json_num(result, "spent_usd", 0);

	if (usd > 0) {
		vy_buf_addf(say, _("the budget is $%.2f; $%.2f is spent"), usd, spent);
	} else {
		vy_buf_addf(say, _("no budget; $%.2f is spent"), spent);
	}
}

/* Who may run and what it costs. False: that was not asked for. */
static bool told_ledger(
	const char *method, const struct vy_json *result, int64_t now, struct vy_buf *say)
{
	if (strcmp(method, "threads.get") == 0) {
		ledger_say_usage(result, now, say);
	} else if (strcmp(method, "threads.budget") == 0) {
		say_budget(result, say);
	} else if (strcmp(method, "sessions.slots") == 0) {
		ledger_say_slots(result, say);
	} else if (strcmp(method, "sessions.models.get") == 0) {
		ledger_say_models(result, say);
	} else if (strcmp(method, "sessions.prompt.get") == 0) {
		struct vy_str prompt = vy_json_str(result, "text");

		if (prompt.n) {
			vy_buf_addstr(say, prompt);
		} else {
			vy_buf_adds(say, _("none is set"));
		}
	} else {
		return false;
	}
	if (say->len && say->data[say->len - 1] == '\n') {
		vy_buf_truncate(say, say->len - 1);
	}
	return true;
}

void acts_told(const char *method, const struct vy_json *result, int64_t now, struct vy_buf *say)
{
	struct vy_str text = vy_json_str(result, "text"), answer = vy_json_str(result, "answer");
	const struct vy_json *files = vy_json_get(result, "files");
	size_t n = vy_json_len(vy_json_get(files, "changed"));

	if (told_ledger(method, result, now, say)) {
		return;
	}
	if (strcmp(method, "threads.aside") == 0) {
		vy_buf_addf(say, _("beside the conversation: %.*s"), VY_STR_ARG(answer));
	} else if (strcmp(method, "threads.model") == 0) {
		say_effort(result, say);
	} else if (strcmp(method, "threads.fork") == 0 || strcmp(method, "threads.branch") == 0) {
		struct vy_str id = vy_json_str(result, "session");

		vy_buf_addf(say, _("the copy is session %.*s"), VY_STR_ARG(id));
	} else if (strcmp(method, "threads.rewind") == 0) {
		if (n) {
			vy_buf_addf(say,
				words_count("%lld file is as it was", "%lld files are as they were",
					(long long)n),
				(long long)n);
			words_lines(vy_json_int(files, "added", 0),
				vy_json_int(files, "removed", 0), say);
		}
		if (text.n) {
			vy_buf_addf(say, "%s", n ? "\n" : "");
			vy_buf_addf(say, _("what you said there: %.*s"), VY_STR_ARG(text));
		}
	}
}

void acts_frame(const struct vy_fold *f, const struct vy_frame *frame, struct vy_buf *say)
{
	struct vy_fold_back back;

	if (!vy_frame_has(frame, VY_F_REWOUND) || !vy_fold_back(f, &back) || !back.messages) {
		return;
	}
	vy_buf_addf(say,
		words_count("%lld message is folded away", "%lld messages are folded away",
			(long long)back.messages),
		(long long)back.messages);
	vy_buf_adds(say, "; ");
	vy_buf_adds(say, _("/redo brings it back"));
}
