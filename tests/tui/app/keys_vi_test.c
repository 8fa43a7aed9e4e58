/* keys_vi_test.c -- vi's keys in the composer (keys_world.h). */
#include "tests/tui/app/keys_world.h"

static const struct keys_row rows[] = {
	{ "vi: esc of insert mode is no interrupt, the next one is",
		"vim\nstatus working\ntype abc\nsee insert\nsee esc normal mode\nkey esc\n"
		"see normal\nsee esc interrupt\nkey esc",
		"call threads.interrupt {}\n" },
	{ "vi: esc drops what is selected or half typed first",
		"vim\nstatus working\ntype abc\nkey esc\ntype 2d\nsee normal 2d\nsee esc drop\n"
		"key esc\nsee esc interrupt\ntype v\nsee visual\nkey esc\nsee > abc",
		"" },
	{ "vi: enter sends from normal mode, and the next is written at once",
		"vim\ntype one twoo\nkey esc\ntype x0cwTWO\nkey esc\nkey enter\nsee insert\n"
		"type hi\nsee > hi",
		"send steer TWO two\n" },
	{ "vi: enter sends no half of a command",
		"vim\ntype ab\nkey esc\ntype d\nkey enter\nsee > ab", "" },
	{ "vi: k in the first line is the up key",
		"vim\ntype one\nkey enter\ntype x\nkey esc\ntype k\nsee > one\ntype j\nsee > x",
		"send steer one\n" },
	{ "vi: k edits what waits, as up does",
		"vim\nstatus working\nqueued m1 later\nkey esc\ntype k\nsee > later\nsee insert",
		"" },
	{ "vi: a digit answers the ask in an empty composer, a count does not",
		"vim\nstatus asking\nask a1\nwait 500\ntype ab\nkey esc\nwait 500\ntype 2x\n"
		"see Bash wants\nkey ctrl-c\nwait 500\nkey 1",
		"notice ask Bash wants to run: rm x\ncall threads.answer "
		"{\"ask\":\"a1\",\"decision\":\"allow\"}\n" },
	{ "vi: help where nothing is written, its keys too",
		"vim\nkey esc\nkey ?\nsee The composer\nkey pgdn\n"
		"see vi's keys, in normal mode\nsee select characters, lines",
		"" },
	{ "vi: ctrl-u scrolls in normal mode and deletes nothing",
		"vim\ntype ab\nkey esc\nkey ctrl-d\nsee > ab\nkey ctrl-u\nsee browse:\nkey esc\n"
		"see > ab",
		"" },
	{ "vi: the cursor is a bar where it writes, a block where it does not",
		"shape bar\nvim\nshape bar\ntype ab\nkey esc\nshape block\ntype v\nshape block\n"
		"type c\nshape bar\nkey esc\ntype i\nshape bar",
		"" },
	{ "vi: esc and a key, faster than told apart",
		"vim\ntype ab\nkey alt-x\nsee > a\nnot > ab\nshape block\ntype A\ntype c\n"
		"key alt-b\nsee > ac\nshape bar",
		"" },
	{ "vi: the register + is the clipboard",
		"vim\ntype ab cd\nkey esc\ntype 0yw\ntype \"+yw\ntype \"ayw\ntype w\ntype \"*dw",
		"copy ab \ncopy cd\n" },
	{ "vi: a sign begins a text", "vim\nkey esc\ntype !ls\nsee insert\nsee runs it", "" },
	{ "vi: ctrl-r is redo in normal mode, history else",
		"vim\ntype ab\nkey esc\ntype xu\nsee > ab\nkey ctrl-r\nsee > a\nnot > ab", "" },
	{ "vi: a paste in normal mode is written where the cursor is",
		"vim\ntype ab\nkey esc\npaste X\nsee > aXb\nsee normal", "" },
	{ "vi: in a list the keys are the list's",
		"vim\nkey esc\nkey alt-s\n" THREADS "type x\n"
		"see 0 of 3\nkey esc\nsee normal",
		SWITCHER },
};

static void scripts(void **state)
{
	(void)state;
	keys_check(rows, VY_COUNT(rows));
}

CHECK_MAIN(CHECK_TEST(scripts))
