/* ask_panel.h -- the question of an agent above the composer: seen, weighed, answered by one key.
 *
 * Never modal. Letters answer only while the panel has the focus; digits also while the composer
 * is empty, if the panel has been in sight for ASK_PANEL_SAFE_MS and no key fell in that time, so
 * no stray key approves. Folding and "later" leave the ask open; nothing here ever times out.
 *
 * The panel shows one ask at a time (the i-th open one); what was answered in a form is kept while
 * it is folded or another ask is looked at. Pure; init/fini. ask_panel_read.c reads the ask,
 * ask_panel.c takes keys, ask_panel_draw.c shows it. */
#ifndef VIEW_ASK_PANEL_H
#define VIEW_ASK_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/model/row.h"
#include "tui/block/draw.h"
#include "tui/input/keymap.h"
#include "tui/view/ask_form.h"
#include "tui/view/ask_rules.h"

#define ASK_PANEL_SAFE_MS 400
#define ASK_PANEL_CHOICES (ASK_FORM_OPTIONS + 1) /* and "Other…" */
#define ASK_PANEL_FORMS   8                      /* asks whose partial answers are kept */

/* What a choice comes to, whatever the provider calls it: the meaning of y, a and n. */
enum ask_effect { ASK_ALLOW, ASK_ALWAYS, ASK_DENY };

/* One choice as it is shown: an option of a permission or plan, or a label of a question. */
struct ask_choice {
	enum ask_effect effect; /* of an option */
	struct vy_str id, label;
	struct vy_str rule, scope; /* what an "always" stores, a line a rule; and where, in words */
	bool has_table;            /* the panel's rules say what it stores */
	struct vy_str detail;      /* of a label: its description */
	bool says;                 /* takes words: "No, and say", "Other…" */
};

struct ask_panel {
	const struct keymap *keymap; /* borrowed; NULL: no key is named */
	char *ask;                   /* id of the ask shown; NULL: none */
	size_t index, count;         /* which of how many open ones */
	bool is_focused, is_folded;
	bool is_reachable;        /* not focused: its key (tab) leads here from where one is */
	bool is_fetched;          /* the app's: the rest of what is cut was asked for */
	int sel;                  /* choice under the cursor */
	int scroll;               /* first row shown of what will happen */
	int64_t shown_ms, key_ms; /* when it came into sight, when a key last fell */

	struct ask_form forms[ASK_PANEL_FORMS];
	struct ask_form *form; /* of the ask shown; NULL: none */
	size_t n_questions;    /* 0: it is no form */

	/* of the ask shown, in the arena */
	struct vy_arena arena;
	struct vy_ask copy;
	struct vy_json *questions; /* owned; NULL */
	struct ask_choice choices[ASK_PANEL_CHOICES];
	int n_choices;
	int always; /* the choice whose rules these are; -1: none */
	struct ask_rules rules;
	bool is_multi;
	struct vy_str head, body; /* body: of a form, the question */

	/* what ask_panel_rows() laid out: what will happen, and the choices */
	struct block_sheet above, below;
	int laid_cols; /* the sheet above is of this width, and as the ask is; 0: neither */
	bool has_sheets;
};

enum ask_outcome {
	ASK_PANEL_NOTHING, /* not ours: the key goes on */
	ASK_PANEL_DONE,    /* eaten; draw again */
	ASK_PANEL_ANSWER,  /* decision and answers are set */
	ASK_PANEL_SAY,     /* this choice wants words from the composer: see ask_panel_said() */
	ASK_PANEL_LEAVE,   /* the focus goes back to the composer */
	ASK_PANEL_NEXT,    /* look at the next open ask; PREV at the one before */
	ASK_PANEL_PREV
};

struct ask_answer {
	/* live until the next call */
	struct vy_str decision;  /* allow, deny, skip or an option's id */
	struct vy_str scope;     /* where its rule shall hold; empty: as the ask says */
	struct vy_json *answers; /* {question: label | [labels]}; owned by the caller; NULL: none */
};

void ask_panel_init(struct ask_panel *p, const struct keymap *keymap);
void ask_panel_fini(struct ask_panel *p);

/* What is open now: `row` is the ask to show (NULL: none), the index-th of `count`. */
void ask_panel_sync(
	struct ask_panel *p, const struct vy_row *row, size_t index, size_t count, int64_t now_ms);
bool ask_panel_is_open(const struct ask_panel *p); /* there is one and it is not folded */
bool ask_panel_is_cut(const struct ask_panel *p);  /* there is more of it than the row holds … */
void ask_panel_whole(struct ask_panel *p, struct vy_str detail); /* … and this is all; copied */

/* A key fell anywhere; said before anything else sees it. */
void ask_panel_touched(struct ask_panel *p, int64_t now_ms);
/* May a digit answer without the focus? */
bool ask_panel_takes_digit(const struct ask_panel *p, bool composer_is_empty, int64_t now_ms);

enum ask_outcome ask_panel_action(
	struct ask_panel *p, enum keymap_action a, struct key k, struct ask_answer *out);
/* Words typed for the choice that wanted them (ASK_PANEL_SAY). */
enum ask_outcome ask_panel_said(struct ask_panel *p, struct vy_str words, struct ask_answer *out);

/* Lays it out and says how many rows it takes, border included, at most `max`; 0 when there is
 * nothing to show. A folded one is one row. Draw into a window of that many rows and columns. */
int ask_panel_rows(struct ask_panel *p, struct cell_pool *pool, int cols, int max);
void ask_panel_draw(struct ask_panel *p, struct cell_win w);

#endif
