/* keys_code_test.c -- long lines of code, wrapped or slid (keys_world.h). */
#include "tests/tui/app/keys_world.h"

static const struct keys_row rows[] = {
	{ "the turn's seconds are its own: not what a person took to answer",
		"status working\nwait 42000\nsee working 0:42\nstatus asking\nwait 60000\nsee asks "
		"you\nstatus working\nsee working 0:42\nwait 3000\nsee working 0:45",
		"" },
	{ "long code is wrapped, or cut at the edge: w",
		CODE "see END\nkey pgup\nkey w\nsee are cut\nsee START\nsee ›\nnot END\nkey "
		     "w\nsee are wrapped\nsee START\nsee END",
		"" },
	{ "a command does it too", CODE "see END\ntype /lines\nkey enter\nsee are cut\nnot END",
		"query threads.commands {}\n" },
	{ "cut code slides, and back",
		CODE "see START\nkey pgup\nkey w\nsee are cut\nkey right\nwait 9000\nsee "
		     "sideways\nsee ‹\nsee END\nnot "
		     "START\nkey left\nsee START\nnot END\nsee browse:",
		"" },
	{ "it stays where it is while more comes",
		CODE "see START\nkey pgup\nkey w\nsee are cut\nkey right\nsays m1 \\\\And "
		     "more.\nkey end\nsee And "
		     "more\nsee END\nnot START\nkey esc\nsee END\nnot START",
		"" },
	{ "wrapped code does not slide: a selection begins",
		CODE "see START\nkey pgup\nkey right\nsee selecting:", "" },
	{ "of what fits neither",
		"says m1 ab\nsee ab\nkey pgup\nkey w\nsee are cut\nkey right\nsee esc drop", "" },
	{ "a search brings what is hidden into sight",
		CODE "see START\nkey pgup\nkey w\nnot END\nkey /\ntype END\nsee match 1 of 1\nsee "
		     "‹\nsee END",
		"" },
	{ "the cursor too, and what is selected is whole",
		CODE "see START\nkey pgup\nkey w\nsee are cut\nkey v\nkey v\nkey down\nkey "
		     "down\nkey ctrl-e\nsee "
		     "END\nkey ctrl-a\nsee START\nkey ctrl-e\nkey y",
		"copy Look:\n\nSTART" X90 "END\n" },
	{ "the wheel that tilts, and the one with shift, slide what they are over",
		CODE "see START\ntype /lines\nkey enter\nsee are cut\ntilt 1 20 4\nsee ‹\nnot "
		     "START\ntilt -1 20 "
		     "4\nsee START\nshift-wheel 1 20 4\nnot START\nshift-wheel -1 20 4\nsee START",
		"query threads.commands {}\n" },
	{ "a drag at the edge slides what is cut, there and back, and all of it is selected",
		CODE "see START\ntype /lines\nkey enter\nsee are cut\npress 6 4\ndrag 9 89 4\nsee "
		     "END\nnot "
		     "START\ndrag 9 6 4\nsee START\nnot END\ndrag 9 89 4\nkey y",
		"query threads.commands {}\ncopy START" X90 "END\n" },
	{ "and nothing beside it",
		CODE
		"see START\ntype /lines\nkey enter\nsee are cut\ntilt 1 20 2\nsee START\nnot ‹",
		"query threads.commands {}\n" },
};

static void scripts(void **state)
{
	(void)state;
	keys_check(rows, VY_COUNT(rows));
}

CHECK_MAIN(CHECK_TEST(scripts))
