/* suite_test.c -- what terminals agree on, case by case: the emulator against the standards.
 *
 * Cases are after ECMA-48, the manuals of the VT100 to VT510 and xterm's control sequences, in the
 * way of the public suites. Screens are rows joined by "/", blanks at ends left out; "place" is column,row
 * from 1. A row that is marked CANNOT says what should be: it must fail, so that the day it passes is
 * seen; doc/terminal-conformance.md lists those. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/vt/vt.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)
#define CSI    "\033["
#define FOUR   "aaaa\r\nbbbb\r\ncccc\r\ndddd" /* fills 4 columns and rows */
#define DIGITS "12345678"
#define CANNOT true

struct row {
	const char *name;
	int cols, rows;
	struct vy_str in;
	const char *screen; /* NULL: any */
	int x, y;           /* 0: anywhere */
	const char *answer; /* NULL: any */
	bool cannot;
};

static const struct row cursor[] = {
	{ "CUP", 8, 4, S(CSI "3;4HX"), "//   X", 5, 3 },
	{ "CUP without numbers is home", 8, 4, S("ab" CSI "HX"), "Xb", 2, 1 },
	{ "CUP 0;0 is home", 8, 4, S("ab" CSI "0;0HX"), "Xb", 2, 1 },
	{ "CUP stops at the corner", 8, 4, S(CSI "99;99HX"), "///       X", 8, 4 },
	{ "CUP row alone", 8, 4, S("ab" CSI "2HX"), "ab/X", 2, 2 },
	{ "HVP is CUP", 8, 4, S(CSI "3;4fX"), "//   X", 5, 3 },
	{ "CUU", 8, 4, S(CSI "4;4H" CSI "2AX"), "/   X", 5, 2 },
	{ "CUU 0 is 1", 8, 4, S(CSI "4;4H" CSI "0A"), NULL, 4, 3 },
	{ "CUU stops at the top", 8, 4, S(CSI "2;4H" CSI "9A"), NULL, 4, 1 },
	{ "CUU stops at the margin", 8, 4, S(CSI "2;4r" CSI "3;1H" CSI "9A"), NULL, 1, 2, NULL },
	{ "CUU above the margin goes to the top", 8, 4, S(CSI "3;4r" CSI "2;1H" CSI "9A"), NULL, 1,
		1 },
	{ "CUD", 8, 4, S(CSI "2B"), NULL, 1, 3 },
	{ "CUD stops at the bottom", 8, 4, S(CSI "9B"), NULL, 1, 4 },
	{ "CUD stops at the margin", 8, 4, S(CSI "1;3r" CSI "9B"), NULL, 1, 3, NULL },
	{ "CUF", 8, 4, S(CSI "3C"), NULL, 4, 1 },
	{ "CUF stops at the edge", 8, 4, S(CSI "30C"), NULL, 8, 1 },
	{ "CUB", 8, 4, S("abcd" CSI "2D"), NULL, 3, 1 },
	{ "CUB stops at the edge", 8, 4, S("abcd" CSI "20D"), NULL, 1, 1 },
	{ "CNL", 8, 4, S("abc" CSI "2E"), NULL, 1, 3 },
	{ "CPL", 8, 4, S(CSI "4;4H" CSI "2F"), NULL, 1, 2 },
	{ "CHA", 8, 4, S("ab" CSI "5GX"), "ab  X", 6, 1 },
	{ "HPA", 8, 4, S("ab" CSI "5`X"), "ab  X", 6, 1 },
	{ "HPR", 8, 4, S("ab" CSI "2aX"), "ab  X", 6, 1 },
	{ "VPA", 8, 4, S("ab" CSI "3dX"), "ab//  X", 4, 3 },
	{ "VPR", 8, 4, S("ab" CSI "2eX"), "ab//  X", 4, 3 },
	{ "HPB", 8, 4, S("abcd" CSI "2j"), NULL, 3, 1 },
	{ "VPB", 8, 4, S(CSI "4;1H" CSI "2k"), NULL, 1, 2 },
	{ "BS", 8, 4, S("abc\b\bX"), "aXc", 3, 1 },
	{ "BS stops at the edge", 8, 4, S("a\b\b\bX"), "X", 2, 1 },
	{ "CR", 8, 4, S("abc\rX"), "Xbc", 2, 1 },
	{ "LF keeps the column", 8, 4, S("abc\nX"), "abc/   X", 5, 2 },
	{ "VT and FF are LF", 8, 4, S("a\vb\fc"), "a/ b/  c", 4, 3 },
	{ "LNM: LF does CR", 8, 4, S(CSI "20ha\nb"), "a/b", 2, 2 },
	{ "IND", 8, 4, S("ab\033DX"), "ab/  X", 4, 2 },
	{ "NEL", 8, 4, S("ab\033EX"), "ab/X", 2, 2 },
	{ "RI", 8, 4, S("ab\r\ncd\033MX"), "abX/cd", 4, 1 },
	{ "RI at the top scrolls", 4, 3, S("a\r\nb" CSI "H\033MX"), "X/a/b", 2, 1 },
	{ "DECSC, DECRC", 8, 4, S("ab\0337" CSI "4;4Hx\0338X"), "abX///   x", 4, 1 },
	{ "DECRC alone is home", 8, 4, S("abc\0338X"), "Xbc", 2, 1 },
	{ "DECRC again", 8, 4, S("ab\0337cd\0338\0338X"), "abXd", 4, 1 },
	{ "DECSC keeps the origin mode", 8, 4,
		S(CSI "2;3r" CSI "?6h\0337" CSI "?6l" CSI "4;1H\0338" CSI "HX"), "/X", 2, 2 },
	{ "DECSC keeps the character set", 8, 4, S("\033(0\0337\033(B\0338q"), "─", 2, 1 },
	{ "each screen has its own", 8, 4, S("ab\0337" CSI "?1047hcd\0337" CSI "?1047l\0338X"),
		"abX", 4, 1 },
	{ "1048", 8, 4, S("ab" CSI "?1048h" CSI "4;4H" CSI "?1048lX"), "abX", 4, 1 },
	{ "a control in the middle", 8, 4, S(CSI "2\b;3HX"), "/  X", 4, 2 },
	{ "CPR", 8, 4, S(CSI "3;4H" CSI "6n"), NULL, 4, 3, "\033[3;4R" },
	{ "CPR counts from the origin", 8, 4, S(CSI "2;4r" CSI "?6h" CSI "2;3H" CSI "6n"), NULL, 3,
		3, "\033[2;3R" },
};

static const struct row wrapping[] = {
	{ "a full row waits", 4, 3, S("abcd"), "abcd", 4, 1 },
	{ "and then wraps", 4, 3, S("abcde"), "abcd/e", 2, 2 },
	{ "at the bottom it scrolls", 4, 2, S("abcdefghi"), "efgh/i", 2, 2 },
	{ "a CR ends it", 4, 3, S("abcd\rX"), "Xbcd", 2, 1 },
	{ "a LF ends it", 4, 3, S("abcd\nX"), "abcd/   X", 4, 2 },
	{ "a BS ends it", 4, 3, S("abcd\bX"), "abXd", 4, 1 },
	{ "CUP to the same place ends it", 4, 3, S("abcd" CSI "1;4HX"), "abcX", 4, 1 },
	{ "CUF ends it", 4, 3, S("abcd" CSI "CX"), "abcX", 4, 1 },
	{ "EL ends it", 4, 3, S("abcd" CSI "KX"), "abcX", 4, 1 },
	{ "ED ends it", 4, 3, S("abcd" CSI "JX"), "abcX", 4, 1 },
	{ "ECH ends it", 4, 3, S("abcd" CSI "XX"), "abcX", 4, 1 },
	{ "DCH ends it", 4, 3, S("abcd" CSI "PX"), "abcX", 4, 1 },
	{ "a LF on the last row ends it", 4, 2, S("a\r\nabcd\nX"), "abcd/   X", 4, 2 },
	{ "a tab does not", 4, 3, S("abcd\tX"), "abcd/X", 2, 2 },
	{ "colours do not", 4, 3, S("abcd" CSI "31mX"), "abcd/X", 2, 2 },
	{ "nor does hiding the cursor", 4, 3, S("abcd" CSI "?25lX"), "abcd/X", 2, 2 },
	{ "nor a query", 4, 3, S("abcd" CSI "6nX"), "abcd/X", 2, 2, "\033[1;4R" },
	{ "DECAWM off overwrites", 4, 3, S(CSI "?7labcdef"), "abcf", 4, 1 },
	{ "DECAWM off ends it", 4, 3, S("abcd" CSI "?7lX"), "abcX", 4, 1 },
	{ "on again", 4, 3, S(CSI "?7labcd" CSI "?7hef"), "abce/f", 2, 2 },
	{ "DECAWM off: no room for a wide one", 4, 3, S(CSI "?7labc中"), "ab中", 4, 1, NULL,
		CANNOT },
	{ "reverse wrap (45)", 4, 3, S(CSI "?45habcde\b\bX"), "abcX/e", 4, 1, NULL, CANNOT },
	{ "outside of the margins nothing scrolls", 4, 3, S(CSI "1;2r" CSI "3;1Habcdef"), "//efcd",
		3, 3 },
};

static const struct row erasing[] = {
	{ "ED 0", 4, 4, S(FOUR CSI "2;3H" CSI "J"), "aaaa/bb", 3, 2 },
	{ "ED 1", 4, 4, S(FOUR CSI "2;3H" CSI "1J"), "/   b/cccc/dddd", 3, 2 },
	{ "ED 2 leaves the cursor", 4, 4, S(FOUR CSI "2;3H" CSI "2J"), "", 3, 2 },
	{ "ED 3 leaves the screen", 4, 4, S(FOUR CSI "2;3H" CSI "3J"), "aaaa/bbbb/cccc/dddd", 3,
		2 },
	{ "EL 0", 4, 4, S(FOUR CSI "2;3H" CSI "K"), "aaaa/bb/cccc/dddd", 3, 2 },
	{ "EL 1", 4, 4, S(FOUR CSI "2;3H" CSI "1K"), "aaaa/   b/cccc/dddd", 3, 2 },
	{ "EL 2", 4, 4, S(FOUR CSI "2;3H" CSI "2K"), "aaaa//cccc/dddd", 3, 2 },
	{ "ECH", 8, 2, S(DIGITS CSI "3G" CSI "2X"), "12  5678", 3, 1 },
	{ "ECH 0 is 1", 8, 2, S(DIGITS CSI "3G" CSI "0X"), "12 45678", 3, 1 },
	{ "ECH stops at the edge", 8, 2, S(DIGITS CSI "7G" CSI "99X"), "123456", 7, 1 },
	{ "erasing does not mind the margins", 4, 4, S(FOUR CSI "2;3r" CSI "2J"), "", 1, 1 },
	{ "DECSEL spares what is protected", 4, 2, S(CSI "1\"qab" CSI "0\"qcd" CSI "?2K"), "ab", 4,
		1, NULL, CANNOT },
	{ "DECSED too", 4, 2, S(CSI "1\"qab" CSI "0\"qcd" CSI "?2J"), "ab", 4, 1, NULL, CANNOT },
	{ "DECALN", 3, 2, S("\033#8"), "EEE/EEE", 1, 1 },
	{ "DECALN takes margins away and goes home", 3, 3,
		S(CSI "2;3r" CSI "3;3H\033#8" CSI "3;1H\nX"), "EEE/EEE/X", 2, 3 },
};

static const struct row editing[] = {
	{ "ICH", 8, 2, S(DIGITS CSI "3G" CSI "2@"), "12  3456", 3, 1 },
	{ "ICH stops at the edge", 8, 2, S(DIGITS CSI "3G" CSI "99@"), "12", 3, 1 },
	{ "DCH", 8, 2, S(DIGITS CSI "3G" CSI "2P"), "125678", 3, 1 },
	{ "DCH stops at the edge", 8, 2, S(DIGITS CSI "3G" CSI "99P"), "12", 3, 1 },
	{ "IRM", 8, 2, S("abcd" CSI "2G" CSI "4hXY"), "aXYbcd", 4, 1 },
	{ "IRM pushes out", 4, 2, S("abcd" CSI "2G" CSI "4hX"), "aXbc", 3, 1 },
	{ "IRM off", 8, 2, S("abcd" CSI "2G" CSI "4hX" CSI "4lY"), "aXYcd", 4, 1 },
	{ "IL", 4, 4, S(FOUR CSI "2;3H" CSI "L"), "aaaa//bbbb/cccc", 0, 0 },
	{ "IL goes to column 1", 4, 4, S(FOUR CSI "2;3H" CSI "L"), NULL, 1, 2, NULL },
	{ "IL 2", 4, 4, S(FOUR CSI "2;1H" CSI "2L"), "aaaa///bbbb", 1, 2 },
	{ "IL within the margins", 4, 4, S(FOUR CSI "2;3r" CSI "2;1H" CSI "L"), "aaaa//bbbb/dddd",
		1, 2 },
	{ "IL outside of them does nothing", 4, 4, S(FOUR CSI "2;3r" CSI "4;1H" CSI "L"),
		"aaaa/bbbb/cccc/dddd", 1, 4 },
	{ "DL", 4, 4, S(FOUR CSI "2;1H" CSI "M"), "aaaa/cccc/dddd", 1, 2 },
	{ "DL 99", 4, 4, S(FOUR CSI "2;1H" CSI "99M"), "aaaa", 1, 2 },
	{ "DL within the margins", 4, 4, S(FOUR CSI "2;3r" CSI "2;1H" CSI "M"), "aaaa/cccc//dddd",
		1, 2 },
	{ "REP", 8, 2, S("ab" CSI "3b"), "abbbb", 6, 1 },
	{ "REP wraps", 4, 2, S("ab" CSI "4b"), "abbb/bb", 3, 2 },
	{ "REP repeats clusters", 8, 2, S("e\u0301" CSI "2b"), "e\u0301e\u0301e\u0301", 4, 1 },
	{ "DECIC", 4, 3, S("abcd\r\nefgh" CSI "1;2H" CSI "2'}"), "a  b/e  f", 2, 1 },
	{ "DECDC", 4, 3, S("abcd\r\nefgh" CSI "1;2H" CSI "2'~"), "ad/eh", 2, 1 },
	{ "SL moves left", 4, 2, S("abcd" CSI "2 @"), "cd", 4, 1, NULL, CANNOT },
	{ "SR moves right", 4, 2, S("abcd" CSI "2 A"), "  ab", 4, 1, NULL, CANNOT },
	{ "DECBI scrolls right at the left edge", 4, 2, S("abcd\r\0336"), " abc", 1, 1, NULL,
		CANNOT },
	{ "DECFI scrolls left at the right edge", 4, 2, S("abcd\0339"), "bcd", 4, 1, NULL, CANNOT },
	{ "DECFRA fills", 4, 2, S(CSI "88;1;1;2;2$x"), "XX/XX", 1, 1, NULL, CANNOT },
	{ "DECERA erases", 4, 2, S("abcd" CSI "1;2;1;3$z"), "a  d", 4, 1, NULL, CANNOT },
	{ "DECCRA copies", 4, 2, S("abcd" CSI "1;1;1;2;1;2;3;1$v"), "abcd/  ab", 4, 1, NULL,
		CANNOT },
};

static const struct row scrolling[] = {
	{ "LF at the bottom", 4, 4, S(FOUR "\nX"), "bbbb/cccc/dddd/   X", 4, 4 },
	{ "margins: LF scrolls between", 4, 4, S(FOUR CSI "2;3r" CSI "3;1H\n"), "aaaa/cccc//dddd",
		1, 3 },
	{ "margins go home", 4, 4, S(FOUR CSI "2;3r"), NULL, 1, 1 },
	{ "LF below them does not scroll", 4, 4, S(FOUR CSI "2;3r" CSI "4;1H\n"),
		"aaaa/bbbb/cccc/dddd", 1, 4 },
	{ "RI at the upper one", 4, 4, S(FOUR CSI "2;3r" CSI "2;1H\033M"), "aaaa//bbbb/dddd", 1,
		2 },
	{ "one row is no region", 4, 4, S(FOUR CSI "3;2H" CSI "2;2r\nX"), "aaaa/bbbb/cccc/dXdd", 3,
		4 },
	{ "nor is one upside down", 4, 4, S(FOUR CSI "3;2H" CSI "3;2r"), NULL, 2, 3 },
	{ "0 and too much are the whole", 4, 4, S(CSI "0;99r" FOUR "\n"), "bbbb/cccc/dddd", 4, 4 },
	{ "SU", 4, 4, S(FOUR CSI "2S"), "cccc/dddd", 4, 4 },
	{ "SU between margins", 4, 4, S(FOUR CSI "2;3r" CSI "S"), "aaaa/cccc//dddd", 1, 1 },
	{ "SD", 4, 4, S(FOUR CSI "2T"), "//aaaa/bbbb", 4, 4 },
	{ "SD between margins", 4, 4, S(FOUR CSI "2;3r" CSI "T"), "aaaa//bbbb/dddd", 1, 1 },
	{ "DECOM: home is the margin", 4, 4, S(CSI "2;3r" CSI "?6hX"), "/X", 2, 2 },
	{ "DECOM: no way out", 4, 4, S(CSI "2;3r" CSI "?6h" CSI "9;1HX"), "//X", 2, 3 },
	{ "DECOM: VPA counts from it", 4, 4, S(CSI "2;4r" CSI "?6h" CSI "2dX"), "//X", 2, 3 },
	{ "DECOM off goes home", 4, 4, S(CSI "2;3r" CSI "?6h" CSI "?6lX"), "X", 2, 1 },
	{ "DECSLRM: left and right margins", 6, 2, S(CSI "?69h" CSI "2;4s" CSI "1;2Habcd"),
		" abc/ d", 3, 2, NULL, CANNOT },
	{ "what scrolls in has the colour behind", 4, 2, S("a\r\n" CSI "44m\n" CSI "mX"), "/X", 2,
		2 },
};

static const struct row tabs[] = {
	{ "each eighth", 20, 2, S("a\tb\tc"), "a       b       c", 18, 1 },
	{ "from a stop to the next", 20, 2, S(CSI "9G\tX"), "                X", 18, 1 },
	{ "no stop: the edge", 20, 2, S("\t\t\t\tX"), "                   X", 20, 1 },
	{ "HTS", 20, 2, S(CSI "4G\033H\r\tX"), "   X", 5, 1 },
	{ "TBC 0", 20, 2, S(CSI "9G" CSI "g\r\tX"), "                X", 18, 1 },
	{ "TBC 3", 20, 2, S(CSI "3g\r\tX"), "                   X", 20, 1 },
	{ "CHT", 20, 2, S(CSI "2IX"), "                X", 18, 1 },
	{ "CBT", 20, 2, S(CSI "19G" CSI "2ZX"), "        X", 10, 1 },
	{ "CBT stops at the edge", 20, 2, S(CSI "5G" CSI "9ZX"), "X", 2, 1 },
	{ "a tab erases nothing", 20, 2, S("abcdefghij\r\tX"), "abcdefghXj", 10, 1 },
	{ "RIS sets them again", 20, 2, S(CSI "3g\033c\tX"), "        X", 10, 1 },
	{ "DECSTR leaves them", 20, 2, S(CSI "3g" CSI "!p\tX"), "                   X", 20, 1 },
};

static const struct row characters[] = {
	{ "wide", 6, 2, S("中文x"), "中文x", 6, 1 },
	{ "wide wraps early", 5, 2, S("abcd中"), "abcd/中", 3, 2 },
	{ "over the left half", 6, 2, S("中文\rx"), "x 文", 2, 1 },
	{ "over the right half", 6, 2, S("中文" CSI "2Gx"), " x文", 3, 1 },
	{ "ECH on a half", 6, 2, S("中文" CSI "2G" CSI "X"), "  文", 2, 1 },
	{ "DCH of a half", 6, 2, S("中文x" CSI "2G" CSI "P"), " 文x", 2, 1 },
	{ "ICH into a wide one", 6, 2, S("中文" CSI "2G" CSI "@"), "   文", 2, 1 },
	{ "combining", 6, 2, S("e\u0301x"), "e\u0301x", 3, 1 },
	{ "combining at the edge", 4, 2, S("abce\u0301x"), "abce\u0301/x", 2, 2 },
	{ "decomposed kana", 6, 2, S("か\u3099x"), "か\u3099x", 4, 1 },
	{ "a joiner joins", 6, 2, S("👩\u200d💻x"), "👩\u200d💻x", 4, 1, NULL, CANNOT },
	{ "a flag is one", 6, 2, S("🇩🇪x"), "🇩🇪x", 4, 1 },
	{ "a heart with VS16 is wide", 6, 2, S("❤\uFE0Fx"), "❤\uFE0Fx", 4, 1, NULL, CANNOT },
	{ "G0: line drawing", 6, 2, S("\033(0lqk\033(Bq"), "┌─┐q", 5, 1 },
	{ "G1 by SO and SI", 6, 2, S("\033)0\016q\017q"), "─q", 3, 1 },
	{ "G2 by SS2", 6, 2, S("\033*0\033Nqq"), "─q", 3, 1 },
	{ "G3 by SS3", 6, 2, S("\033+0\033Oqq"), "─q", 3, 1 },
	{ "G2 by LS2", 6, 2, S("\033*0\033nqq"), "──", 3, 1 },
	{ "G3 by LS3", 6, 2, S("\033+0\033oqq"), "──", 3, 1 },
	{ "United Kingdom", 6, 2, S("\033(A#\033(B#"), "£#", 3, 1 },
	{ "sets leave UTF-8 alone", 6, 2, S("\033(0ä中"), "ä中", 4, 1 },
	{ "bad UTF-8", 6, 2, S("a\xC3(\xE4\xB8"), "a\uFFFD(", 0, 0 },
	{ "DECDWL makes a row half as long", 8, 2, S("\033#6abcdef"), "abcd/ef", 3, 2, NULL,
		CANNOT },
};

static const struct row resets[] = {
	{ "RIS", 4, 4, S(FOUR CSI "2;3r" CSI "?6h\033cX"), "X", 2, 1 },
	{ "RIS leaves the alternate screen", 4, 2, S("ab" CSI "?1049hcd\033cX"), "X", 2, 1 },
	{ "80 and 132 columns begin anew where that is allowed (40)", 4, 3,
		S("ab" CSI "2;3r" CSI "?6h" CSI "?40h" CSI "?3hX" CSI "2;2HY"), "X/ Y", 3, 2 },
	{ "… and do nothing where it is not", 4, 2, S("ab" CSI "?3hX"), "abX", 4, 1 },
	{ "DECSTR keeps screen and place", 4, 2, S("ab" CSI "!pX"), "abX", 4, 1 },
	{ "DECSTR: margins", 4, 3, S(CSI "1;2r" CSI "2;1H" CSI "!p\nX"), "//X", 2, 3 },
	{ "DECSTR: origin", 4, 3, S(CSI "2;3r" CSI "?6h" CSI "!p" CSI "HX"), "X", 2, 1 },
	{ "DECSTR: insert", 4, 2, S("ab\r" CSI "4h" CSI "!pX"), "Xb", 2, 1 },
	{ "DECSTR: character sets", 4, 2, S("\033(0" CSI "!pq"), "q", 2, 1 },
	{ "DECSTR: saved cursor", 4, 2, S("ab\0337" CSI "!p\0338X"), "Xb", 2, 1 },
	{ "alternate screen, 1049", 4, 2, S("ab" CSI "?1049hxy" CSI "?1049lc"), "abc", 4, 1 },
	{ "1047 leaves the cursor", 4, 2, S("a" CSI "?1047hxy" CSI "?1047lc"), "a  c", 4, 1 },
	{ "47", 4, 2, S("a" CSI "?47hxy" CSI "?47l"), "a", 4, 1 },
	{ "1049 comes blank", 4, 2, S(CSI "?1049hxy" CSI "?1049l" CSI "?1049h"), "", 1, 1 },
};

static const struct row queries[] = {
	{ "DA", 4, 2, S(CSI "c"), NULL, 0, 0, "\033[?1;2c" },
	{ "DA 2", 4, 2, S(CSI ">c"), NULL, 0, 0, "\033[>0;100;0c" },
	{ "DA 3", 4, 2, S(CSI "=c"), NULL, 0, 0, "\033P!|00000000\033\\" },
	{ "DSR", 4, 2, S(CSI "5n"), NULL, 0, 0, "\033[0n" },
	{ "DECRQM 7", 4, 2, S(CSI "?7$p" CSI "?7l" CSI "?7$p"), NULL, 0, 0,
		"\033[?7;1$y\033[?7;2$y" },
	{ "DECRQM of no mode", 4, 2, S(CSI "?9999$p"), NULL, 0, 0, "\033[?9999;0$y" },
	{ "DECRQM 1049", 4, 2, S(CSI "?1049$p"), NULL, 0, 0, "\033[?1049;2$y" },
	{ "DECRQM 4, of ANSI", 4, 2, S(CSI "4$p"), NULL, 0, 0, "\033[4;2$y" },
	{ "DECRQSS m", 4, 2, S(CSI "1;31m\033P$qm\033\\"), NULL, 0, 0, "\033P1$r0;1;31m\033\\" },
	{ "DECRQSS r", 4, 4, S(CSI "2;3r\033P$qr\033\\"), NULL, 0, 0, "\033P1$r2;3r\033\\" },
	{ "S8C1T is not obeyed: programs speak UTF-8", 4, 2, S("\033 G" CSI "5n"), NULL, 0, 0,
		"\033[0n" },
};

/* ---- */

static void add_answer(void *ctx, struct vy_str bytes)
{
	vy_buf_addstr(ctx, bytes);
}

static void add_row(const struct vy_grid *g, int y, struct vy_buf *out)
{
	const struct vy_vt_row *r = vy_grid_row(g, y);
	size_t end = out->len;

	for (int x = 0; x < r->n; x++) {
		char t[VY_GRID_TEXT_MAX];

		if (r->cells[x].width > 0) {
			vy_buf_add(out, t, vy_grid_text(g, &r->cells[x], t));
		}
		end = r->cells[x].ch ? out->len : end;
	}
	vy_buf_truncate(out, end);
}

static void screen_of(const struct vy_vt *v, struct vy_buf *out)
{
	const struct vy_grid *g = vy_vt_grid(v);
	int cols, rows;

	vy_grid_size(g, &cols, &rows);
	for (int y = 0; y < rows; y++) {
		vy_buf_adds(out, y ? "/" : "");
		add_row(g, y, out);
	}
	while (out->len > 0 && out->data[out->len - 1] == '/') {
		vy_buf_truncate(out, out->len - 1);
	}
}

static bool passes(const struct row *r, struct vy_buf *got)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(4096);
	VY_AUTO_BUF screen = VY_BUF_INIT(4096);
	struct vy_vt_events ev = { .output = add_answer, .ctx = &answer };
	struct vy_vt *v = vy_vt_new(r->cols, r->rows, 0, &ev);
	int x, y;

	vy_vt_feed(v, r->in);
	vy_vt_cursor(v, &x, &y);
	screen_of(v, &screen);
	vy_vt_free(v);
	vy_buf_addf(got, "\"%s\" at %d,%d, answers \"%s\"", vy_buf_c(&screen), x + 1, y + 1,
		vy_buf_c(&answer));
	return (!r->screen || strcmp(vy_buf_c(&screen), r->screen) == 0) &&
	       (!r->x || (x + 1 == r->x && y + 1 == r->y)) &&
	       (!r->answer || strcmp(vy_buf_c(&answer), r->answer) == 0);
}

static void check_rows(const char *what, const struct row *rows, size_t n)
{
	size_t bad = 0, cannot = 0;

	for (size_t i = 0; i < n; i++) {
		VY_AUTO_BUF got = VY_BUF_INIT(16384);

		cannot += rows[i].cannot;
		if (passes(&rows[i], &got) == rows[i].cannot) {
			fprintf(stderr, "%s: %s: %s\n  got  %s\n  want \"%s\" at %d,%d\n", what,
				rows[i].name, rows[i].cannot ? "it can now: say so" : "fails",
				vy_buf_c(&got), rows[i].screen ? rows[i].screen : "(any)",
				rows[i].x, rows[i].y);
			bad++;
		}
	}
	printf("%s: %zu of %zu\n", what, n - bad - cannot, n);
	check_int(what, (int)bad, 0);
}

#define SUITE(name)                                                                                \
	static void test_##name(void **state)                                                      \
	{                                                                                          \
		(void)state;                                                                       \
		check_rows(#name, name, VY_COUNT(name));                                           \
	}

SUITE(cursor)
SUITE(wrapping)
SUITE(erasing)
SUITE(editing)
SUITE(scrolling)
SUITE(tabs)
SUITE(characters)
SUITE(resets)
SUITE(queries)

CHECK_MAIN(CHECK_TEST(test_cursor), CHECK_TEST(test_wrapping), CHECK_TEST(test_erasing),
	CHECK_TEST(test_editing), CHECK_TEST(test_scrolling), CHECK_TEST(test_tabs),
	CHECK_TEST(test_characters), CHECK_TEST(test_resets), CHECK_TEST(test_queries))
