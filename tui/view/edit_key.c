/* edit_key.c -- see edit_key.h. */
#include "tui/view/edit_key.h"

#include "shared/base/ban.h"

bool edit_key(struct edit *e, enum keymap_action a)
{
	static void (*const verbs[ACTION_COUNT])(struct edit *) = {
		[ACTION_LEFT] = edit_left,
		[ACTION_RIGHT] = edit_right,
		[ACTION_WORD_LEFT] = edit_word_left,
		[ACTION_WORD_RIGHT] = edit_word_right,
		[ACTION_LINE_START] = edit_line_start,
		[ACTION_LINE_END] = edit_line_end,
		[ACTION_TEXT_START] = edit_text_start,
		[ACTION_TEXT_END] = edit_text_end,
		[ACTION_DELETE_BACK] = edit_delete_back,
		[ACTION_DELETE] = edit_delete,
		[ACTION_KILL_WORD_BACK] = edit_kill_word_back,
		[ACTION_KILL_WORD] = edit_kill_word,
		[ACTION_KILL_LINE] = edit_kill_line,
		[ACTION_KILL_START] = edit_kill_start,
		[ACTION_YANK] = edit_yank,
		[ACTION_YANK_POP] = edit_yank_pop,
	};

	if (a == ACTION_UNDO || a == ACTION_REDO) {
		(a == ACTION_UNDO ? edit_undo : edit_redo)(e);
		return true;
	}
	if (!verbs[a]) {
		return false;
	}
	verbs[a](e);
	return true;
}
