/* key_test.c -- what terminals send, as keys; however the bytes are cut. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "tui/input/key.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)
#define LATER  "\xFE" /* in an input: nothing came until the time-out */

/* Events as words: keys that type stand for themselves, others in <>. */
static void say(void *ctx, const struct key_event *ev)
{
	static const char *const mouse[] = { "press", "release", "drag", "move", "wheel-up",
		"wheel-down", "wheel-left", "wheel-right" };
	struct vy_buf *out = ctx;
	char name[KEY_NAME_MAX];

	switch (ev->kind) {
	case KEY_EV_KEY:
		if (ev->text.n > 0 && ev->key.mods == 0) {
			vy_buf_addstr(out, ev->text);
		} else {
			vy_buf_addf(out, "<%s>", key_format(ev->key, false, name));
		}
		return;
	case KEY_EV_TEXT: vy_buf_addstr(out, ev->text); return;
	case KEY_EV_PASTE:
		vy_buf_addf(out, "<paste %.*s%s%s>", VY_STR_ARG(ev->text),
			ev->is_open ? " open" : "", ev->is_cut ? " cut" : "");
		return;
	case KEY_EV_MOUSE:
		vy_buf_addf(out, "<%s %d %d,%d", mouse[ev->mouse.kind], ev->mouse.button,
			ev->mouse.x, ev->mouse.y);
		vy_buf_addf(out, ev->mouse.mods ? " mods %d>" : ">", ev->mouse.mods);
		return;
	case KEY_EV_FOCUS: vy_buf_addf(out, "<focus %d>", ev->value); return;
	case KEY_EV_COLOR:
		vy_buf_addf(out, "<color %d %.*s>", ev->value, VY_STR_ARG(ev->text));
		return;
	case KEY_EV_DA: vy_buf_addf(out, "<da %.*s>", VY_STR_ARG(ev->text)); return;
	case KEY_EV_MODE: vy_buf_addf(out, "<mode %d %d>", ev->value, ev->state); return;
	case KEY_EV_KITTY: vy_buf_addf(out, "<kitty %d>", ev->value); return;
	case KEY_EV_VERSION: vy_buf_addf(out, "<version %.*s>", VY_STR_ARG(ev->text)); return;
	case KEY_EV_GRAPHICS: vy_buf_addf(out, "<graphics %.*s>", VY_STR_ARG(ev->text)); return;
	case KEY_EV_LOOK: vy_buf_addf(out, "<look %d>", ev->value); return;
	}
}

static void feed(struct key_parser *p, struct vy_str in, struct vy_buf *out)
{
	while (in.n > 0) {
		const char *later = memchr(in.p, LATER[0], in.n);
		size_t n = later ? (size_t)(later - in.p) : in.n;

		key_step(p, vy_str_n(in.p, n), say, out);
		if (later) {
			key_timeout(p, say, out);
		}
		in = vy_str_from(in, later ? n + 1 : n);
	}
}

static const struct {
	const char *name;
	struct vy_str in;
	const char *out;
} rows[] = {
	{ "letters", S("abC 1?"), "abC 1?" },
	{ "UTF-8", S("é中😀"), "é中😀" },
	{ "a family", S("👨‍👩‍👧‍👦!"), "👨‍👩‍👧‍👦!" },
	{ "bad bytes are dropped", S("a\xFF\x80z\xC3(\xC2\x9B"), "az(" },
	{ "cut character, then time", S("\xE4\xBD" LATER "x"), "x" },
	{ "control", S("\x01\x1a\0\x1c\x1d\x1e\x1f"),
		"<ctrl-a><ctrl-z><ctrl-space><ctrl-\\><ctrl-]><ctrl-^><ctrl-_>" },
	{ "enter, tab, backspace", S("\r\t\x7f\x08\n"), "<enter><tab><backspace><ctrl-h><ctrl-j>" },
	{ "esc, then time", S("\033" LATER), "<esc>" },
	{ "esc esc, then time", S("\033\033" LATER), "<esc><esc>" },
	{ "esc esc esc", S("\033\033\033" LATER), "<esc><esc><esc>" },
	{ "esc later a", S("\033" LATER "a"), "<esc>a" },
	{ "alt", S("\033a\033A\0331\033/\033\r\033\x7f\033\t\033 "),
		"<alt-a><alt-A><alt-1><alt-/><alt-enter><alt-backspace><alt-tab><alt-space>" },
	{ "alt, UTF-8", S("\033é\033中x"), "<alt-é><alt-中>x" },
	{ "ctrl and alt", S("\033\x01"), "<ctrl-alt-a>" },
	{ "esc and a quick letter after esc", S("\033\033a"), "<esc><alt-a>" },
	{ "arrows", S("\033[A\033[B\033[C\033[D\033OA\033OB\033OC\033OD"),
		"<up><down><right><left><up><down><right><left>" },
	{ "home and end, four ways", S("\033[H\033[F\033OH\033OF\033[1~\033[4~\033[7~\033[8~"),
		"<home><end><home><end><home><end><home><end>" },
	{ "editing keys", S("\033[2~\033[3~\033[5~\033[6~\033[E\033[29~"),
		"<insert><delete><pgup><pgdn><begin><menu>" },
	{ "with modifiers", S("\033[1;2A\033[1;3B\033[1;5C\033[1;6D\033[1;9A\033[3;5~\033[6;8~"),
		"<shift-up><alt-down><ctrl-right><ctrl-shift-left><super-up><ctrl-delete><ctrl-alt-"
		"shift-pgdn>" },
	{ "F keys", S("\033OP\033OQ\033OR\033OS\033[15~\033[17~\033[20~\033[21~\033[23~\033[24~"),
		"<f1><f2><f3><f4><f5><f6><f9><f10><f11><f12>" },
	{ "F keys, old and with modifiers", S("\033[11~\033[1;2P\033[1;5R\033[15;3~\033[[A\033[[E"),
		"<f1><shift-f1><ctrl-f3><alt-f5><f1><f5>" },
	{ "a cursor's place is no F3", S("\033[12;40R."), "." },
	{ "shift-tab", S("\033[Z\033[9;2u\033[27;2;9~"), "<shift-tab><shift-tab><shift-tab>" },
	{ "rxvt", S("\033[a\033[d\033Oa\033[3$\033[3^\033[3@\033[7^"),
		"<shift-up><shift-left><ctrl-up><shift-delete><ctrl-delete><ctrl-shift-delete><"
		"ctrl-home>" },
	{ "alt in front of a sequence", S("\033\033[A\033\033OD"), "<alt-up><alt-left>" },
	{ "keypad", S("\033Op\033Oy\033OM\033Ok\033Oj\033Oo"), "09<enter>+*/" },
	{ "kitty", S("\033[97;5u\033[13;2u\033[27u\033[127;3u\033[32;2u\033[97u"),
		"<ctrl-a><shift-enter><esc><alt-backspace> a" },
	{ "kitty, capital", S("\033[97;4u\033[97:65;4u\033[47:63;4u"), "<alt-A><alt-A><alt-?>" },
	{ "kitty, shift with ctrl stays", S("\033[97;6u\033[116;13u"),
		"<ctrl-shift-a><ctrl-super-t>" },
	{ "kitty, locks are no modifiers", S("\033[97;65u\033[97;133u"), "a<ctrl-a>" },
	{ "kitty, let go", S("\033[97;1:3u\033[97;5:2u\033[1;1:3A\033[3;1:3~"), "<ctrl-a>" },
	{ "kitty, keypad and more", S("\033[57400u\033[57414u\033[57376u\033[57358u\033[57441;2u"),
		"1<enter><f13>" },
	{ "kitty, no character", S("\033[55296u\033[1114112u\033[0u\033[u"), "" },
	{ "modifyOtherKeys",
		S("\033[27;5;9~\033[27;2;13~\033[27;5;97~\033[27;6;65~\033[27;4;65~\033[27;4;63~"
		  "\033[27;2;32~\033[27;5;8~"),
		"<ctrl-tab><shift-enter><ctrl-a><ctrl-shift-a><alt-A><alt-?> <ctrl-backspace>" },
	{ "modifyOtherKeys as CSI u", S("\033[63;4u\033[65;2u"), "<alt-?>A" },
	{ "paste", S("\033[200~hi\r\nyou\rthere\n\033[201~x"), "<paste hi\nyou\nthere\n>x" },
	{ "paste with escapes", S("\033[200~a\033[Ab\033[201\033[201~"),
		"<paste a\033[Ab\033[201>" },
	{ "paste of nothing", S("\033[200~\033[201~"), "<paste >" },
	{ "paste without an end", S("\033[200~abc\033[2" LATER "x\033[201~y"),
		"<paste abc\033[2 open>xy" },
	{ "two pastes", S("\033[200~a\r\033[201~\033[200~\nb\033[201~"), "<paste a\n><paste \nb>" },
	{ "late end alone", S("\033[201~"), "" },
	{ "mouse", S("\033[<0;3;4M\033[<0;3;4m\033[<2;1;1M\033[<32;5;6M\033[<35;5;6M"),
		"<press 1 2,3><release 1 2,3><press 3 0,0><drag 1 4,5><move 0 4,5>" },
	{ "wheel", S("\033[<64;1;2M\033[<65;1;2M\033[<66;1;2M\033[<80;1;2M"),
		"<wheel-up 0 0,1><wheel-down 0 0,1><wheel-left 0 0,1><wheel-up 0 0,1 mods 4>" },
	{ "mouse, more buttons and bad cells", S("\033[<128;1;1M\033[<0;0;1M\033[<;1;1M"),
		"<press 8 0,0>" },
	{ "mouse, old", S("\033[M !!\033[M#\"\"."), "<press 1 0,0><release 0 1,1>." },
	{ "focus", S("\033[I\033[O"), "<focus 1><focus 0>" },
	{ "background, both ends",
		S("\033]11;rgb:1616/1818/1a1a\033\\\033]11;rgb:ff/ff/ff\a\033]10;#fff\a"),
		"<color 11 rgb:1616/1818/1a1a><color 11 rgb:ff/ff/ff><color 10 #fff>" },
	{ "other strings are dropped", S("\033]52;c;aGk=\a\033P1$r0m\033\\."), "." },
	{ "answers",
		S("\033[?62;22c\033[?2026;2$y\033[?5u\033P>|XTerm(370)\033\\\033[?997;1n\033[>1;2;"
		  "3c"),
		"<da 62;22><mode 2026 2><kitty 5><version XTerm(370)><look 1>" },
	{ "an answer about pictures", S("\033_Gi=1;OK\033\\."), "<graphics Gi=1;OK>." },
	{ "a string that never ends", S("\033]11;rgb:16" LATER "x"), "x" },
	{ "a string cut by a key", S("\033]11;rgb\rx"), "<enter>x" },
	{ "a string cut by a sequence", S("\033]11;rgb\033[A"), "<up>" },
	{ "alt-[ and more that begin sequences",
		S("\033[" LATER "\033O" LATER "\033]" LATER "\033P" LATER "\033_" LATER),
		"<alt-[><alt-O><alt-]><alt-P><alt-_>" },
	{ "the same with quick letters", S("\033]a\033Pa\033_a\033[\r\033O!"),
		"<alt-]>a<alt-P>a<alt-_>a<alt-[><enter><alt-O>!" },
	{ "unknown sequences are dropped",
		S("\033[99~\033[1;2z\033[?25h\033[>0q\033[5n\033[=1;2c."), "." },
	{ "a sequence cut by esc", S("\033[1;\033[A"), "<up>" },
	{ "a sequence that never ends", S("\033[1;5" LATER "x"), "x" },
	{ "no key of numbers", S("\033[999999999999999999;99999999999A\033[3:::;;;;;;;;;;~."),
		"<up><delete>." },
};

static const char *keys_of(struct vy_str in, size_t cut, struct vy_buf *out)
{
	struct key_parser p;

	key_init(&p);
	vy_buf_clear(out);
	feed(&p, vy_str_n(in.p, cut), out);
	feed(&p, vy_str_from(in, cut), out);
	check_int("nothing is left unfinished", key_wait_ms(&p), -1);
	key_fini(&p);
	return vy_buf_c(out);
}

static void table(void **state)
{
	(void)state;
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		for (size_t cut = 0; cut <= rows[i].in.n; cut++) {
			check_str(rows[i].name, keys_of(rows[i].in, cut, &out), rows[i].out);
		}
	}
}

static void byte_by_byte(void **state)
{
	(void)state;
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct key_parser p;

		key_init(&p);
		vy_buf_clear(&out);
		for (size_t k = 0; k < rows[i].in.n; k++) {
			feed(&p, vy_str_n(rows[i].in.p + k, 1), &out);
		}
		check_str(rows[i].name, vy_buf_c(&out), rows[i].out);
		key_fini(&p);
	}
}

static void waits(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		int least, most;
	} waits_for[] = {
		{ "nothing", S("a"), -1, -1 },
		{ "a lone esc", S("\033"), 1, 50 },
		{ "alt-[", S("\033["), 1, 50 },
		{ "a sequence for sure", S("\033[20"), 100, 1000 },
		{ "a paste", S("\033[200~x"), 1000, 10000 },
		{ "esc on kitty", S("\033[?1u\033"), 100, 1000 },
		{ "esc where kitty is off", S("\033[?0u\033"), 1, 50 },
	};
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	for (size_t i = 0; i < VY_COUNT(waits_for); i++) {
		struct key_parser p;

		key_init(&p);
		key_step(&p, waits_for[i].in, say, &out);
		int ms = key_wait_ms(&p);

		check_true(waits_for[i].name, ms >= waits_for[i].least && ms <= waits_for[i].most);
		key_fini(&p);
	}
}

struct big {
	size_t pastes, bytes, total;
	bool is_cut;
};

static void count(void *ctx, const struct key_event *ev)
{
	struct big *b = ctx;

	if (ev->kind == KEY_EV_PASTE) {
		b->pastes++;
		b->bytes = ev->text.n;
		b->total = ev->total;
		b->is_cut = ev->is_cut;
	}
}

/* Longer than the maximum: one event, cut between characters, the length told. */
static void huge_paste(void **state)
{
	(void)state;
	struct key_parser p;
	struct big b = { 0 };
	char piece[65536];
	size_t n = KEY_PASTE_MAX / sizeof(piece) + 3;

	for (size_t i = 0; i + 4 <= sizeof(piece); i += 4) {
		memcpy(piece + i, "\033中", 4);
	}
	key_init(&p);
	key_step(&p, S("\033[200~a"), count, &b);
	for (size_t i = 0; i < n; i++) {
		key_step(&p, vy_str_n(piece, sizeof(piece)), count, &b);
	}
	key_step(&p, S("\033[201~"), count, &b);
	check_int("one event", (long long)b.pastes, 1);
	check_true("cut", b.is_cut);
	check_int("its length", (long long)b.total, (long long)(n * sizeof(piece) + 1));
	check_true("bounded", b.bytes <= KEY_PASTE_MAX && b.bytes > KEY_PASTE_MAX - 8);
	check_int("and whole characters",
		(long long)(b.bytes - 1) % 4 == 0 || (b.bytes - 1) % 4 == 1, 1);
	check_int("memory given back", (long long)p.paste.cap, 0);
	key_fini(&p);
}

static void names(void **state)
{
	(void)state;
	static const struct {
		const char *in, *name, *pretty; /* NULL: no key */
	} table_of[] = {
		{ "ctrl-t", "ctrl-t", "ctrl-t" },
		{ "Ctrl-T", "ctrl-t", "ctrl-t" },
		{ "C-x", "ctrl-x", "ctrl-x" },
		{ "^x", "ctrl-x", "ctrl-x" },
		{ "^", "^", "^" },
		{ "ctrl-/", "ctrl-_", "ctrl-_" },
		{ "ctrl-@", "ctrl-space", "ctrl-space" },
		{ "M-Enter", "alt-enter", "alt-enter" },
		{ "alt-up", "alt-up", "alt-↑" },
		{ "shift-a", "A", "A" },
		{ "S-Tab", "shift-tab", "shift-tab" },
		{ "ctrl-alt-shift-f12", "ctrl-alt-shift-f12", "ctrl-alt-shift-f12" },
		{ "f35", "f35", "f35" },
		{ "pageup", "pgup", "pgup" },
		{ "ctrl--", "ctrl--", "ctrl--" },
		{ "-", "-", "-" },
		{ "minus", "-", "-" },
		{ "ctrl+c", "ctrl-c", "ctrl-c" },
		{ "é", "é", "é" },
		{ "?", "?", "?" },
		{ "space", "space", "space" },
		{ "ctrl-\\", "ctrl-\\", "ctrl-\\" },
		{ "", NULL, NULL },
		{ "ctrl-", NULL, NULL },
		{ "f0", NULL, NULL },
		{ "f36", NULL, NULL },
		{ "ab", NULL, NULL },
		{ "hyper-a", NULL, NULL },
		{ "\033", NULL, NULL },
		{ " ", NULL, NULL },
	};
	for (size_t i = 0; i < VY_COUNT(table_of); i++) {
		struct key k;
		char out[KEY_NAME_MAX];
		bool ok = key_parse(vy_str_c(table_of[i].in), &k);

		check_int(table_of[i].in, ok, table_of[i].name != NULL);
		if (ok) {
			check_str(table_of[i].in, key_format(k, false, out), table_of[i].name);
			check_str(table_of[i].in, key_format(k, true, out), table_of[i].pretty);
			struct key again;

			check_true("a name reads back",
				key_parse(vy_str_c(table_of[i].name), &again) && key_eq(k, again));
		}
	}
}

CHECK_MAIN(CHECK_TEST(table), CHECK_TEST(byte_by_byte), CHECK_TEST(waits), CHECK_TEST(huge_paste),
	CHECK_TEST(names))
