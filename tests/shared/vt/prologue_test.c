/* prologue_test.c -- a stream cut at any byte: a fresh emulator with the prologue goes on exactly as
 * the undisturbed one; hand-made cases, and streams by chance from all that terminals know. */
#include "tests/check.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/vt/vt.h"
#include "shared/vt/vt_prologue.h"
#include "tests/shared/vt/twin.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

static void print_bytes(const char *what, struct vy_str s)
{
	fprintf(stderr, "%s: \"", what);
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\') {
			fprintf(stderr, "\\%03o", c);
		} else {
			fputc(c, stderr);
		}
	}
	fprintf(stderr, "\"\n");
}

static void check_same(
	const char *name, const struct vy_vt *a, const struct vy_vt *b, struct vy_str in, size_t at)
{
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	if (!twin_same(a, b, &why)) {
		VY_AUTO_BUF p = VY_BUF_INIT(1 << 20);

		fprintf(stderr, "%s, cut at %zu: %s", name, at, vy_buf_c(&why));
		print_bytes("in", in);
		vy_vt_prologue(a, &p);
		print_bytes("prologue", vy_buf_str(&p));
		fail();
	}
}

/* Cuts at `at`; then the rest, then other sizes. */
static void check_cut(const char *name, const struct vy_vt *a, struct vy_str in, size_t at)
{
	struct vy_vt *b = twin_of(a);

	check_same(name, a, b, in, at);
	vy_vt_free(b);
}

static struct vy_vt *fed(int cols, int rows, int scrollback, struct vy_str in)
{
	struct vy_vt *v = vy_vt_new(cols, rows, scrollback, NULL);

	vy_vt_feed(v, in);
	return v;
}

static void check_rest(
	const char *name, int cols, int rows, int scrollback, struct vy_str in, size_t at)
{
	struct vy_vt *half = fed(cols, rows, scrollback, vy_str_n(in.p, at)), *b = twin_of(half);
	struct vy_vt *a = fed(cols, rows, scrollback, in);

	vy_vt_feed(b, vy_str_from(in, at));
	check_same(name, a, b, in, at);
	vy_vt_resize(a, cols + 3, rows + 1);
	vy_vt_resize(b, cols + 3, rows + 1);
	check_same(name, a, b, in, at);
	vy_vt_resize(a, cols / 2 + 1, rows);
	vy_vt_resize(b, cols / 2 + 1, rows);
	check_same(name, a, b, in, at);
	vy_vt_free(a);
	vy_vt_free(b);
	vy_vt_free(half);
}

static void check_stream(const char *name, int cols, int rows, int scrollback, struct vy_str in)
{
	struct vy_vt *a = vy_vt_new(cols, rows, scrollback, NULL);

	for (size_t at = 0; at <= in.n; at++) {
		check_cut(name, a, in, at);
		if (at < in.n) {
			vy_vt_feed(a, vy_str_n(in.p + at, 1));
		}
	}
	vy_vt_free(a);
}

static const struct {
	const char *name;
	struct vy_str in;
} cases[] = {
	{ "nothing", S("") },
	{ "words", S("hello\r\nworld") },
	{ "waits to wrap", S("abcdefghij") },
	{ "waits behind a wide one", S("abcdefgh中") },
	{ "waits, with a colour", S("abcdefghi\033[31;44mj\033[0;1mk") },
	{ "wraps", S("abcdefghijklmnopqrstuvwxyz") },
	{ "wraps before a wide one", S("abcdefghi中文") },
	{ "wraps, and its line was cut", S("abcdefghijklm\033[A\033[3G\033[2X") },
	{ "wraps, and the row was made new", S("abcdefghijklm\033[1;1H\033[2Kxy") },
	{ "blank that goes on", S("abcdefghij   \033[H\033[9CX") },
	{ "colours", S("\033[31ma\033[42mb\033[1;38;5;200mc\033[48;2;1;2;3md\033[me") },
	{ "all attributes", S("\033[1;2;3;4;5;7;8;9mx\033[22;27my") },
	{ "erased in a colour",
		S("\033[44mab\033[K\r\n\033[2Kx\033[m\r\nz\033[3;1H\033[46m\033[J") },
	{ "a run", S("------------\033[7m          x") },
	{ "clusters", S("e\u0301o\u0302\u0323x👩\u200d💻") },
	{ "a mark behind the last column", S("abcdefghie\u0301\u0302") },
	{ "more marks than there is room for",
		S("e\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308x") },
	{ "a mark that comes late", S("ab\u0301") },
	{ "a mark on what moved", S("a\r\033[C\u0301b\033[2K\033[2G\u0302") },
	{ "a mark with no one", S("\u0301a") },
	{ "repeat", S("ab\r\n\033[3b\033[2J\033[3b") },
	{ "links", S("\033]8;id=a;http://x/\033\\ab\033]8;;\033\\c\033]8;;y:\aD") },
	{ "saved", S("ab\033[31;2m\033)0\0167\033[2;3H\0337\033[m\017\033[3;5Hx\0338q") },
	{ "saved with the origin", S("\033[2;4r\033[?6h\033[2;2H\0337\033[?6l\033[r\0338x") },
	{ "saved on both", S("a\0337b\033[?1047hc\033[3;3H\0337d\0338e\033[?1047l\0338f") },
	{ "1049", S("ab\033[1mcd\033[?1049h\033[Hxyz\033[?25l\033[?1049lq") },
	{ "alternate, wrapped", S("abcdefghijk\033[?1049h\033[2Habcdefghijkl") },
	{ "47", S("ab\033[?47hcd\033[?47lef") },
	{ "margins", S("a\r\nb\r\nc\r\nd\033[2;3r\033[3;1H\n\n") },
	{ "margins, origin", S("\033[2;4r\033[?6h\033[2;9Hxy\033[9;9Hz") },
	{ "tab stops", S("\033[3g\033[4G\033H\033[6G\033H\r\tx\ty\033[g\r\tz") },
	{ "insert", S("abc\033[4h\033[Hxyz\033[9Gq") },
	{ "no wrap", S("\033[?7labcdefghijklm") },
	{ "new line mode", S("\033[20hab\ncd") },
	{ "line drawing", S("\033(0lqqk\033(Bx\033)0\016x\017x\033*0\033nq\033o\033Nq") },
	{ "single shift", S("\033*0\033Nqq\033+A\033O##") },
	{ "modes", S("\033[?1h\033=\033[?5h\033[?12l\033[?25l\033[?1002h\033[?1006h\033[?1004h"
		     "\033[?2004h\033[?2026h\033[5 q\033[?1003h\033[?1015h\033[?1000l") },
	{ "palette", S("\033]4;1;#ff0000;200;rgb:a/bb/"
		       "cccc\a\033]10;#123\a\033]11;#000011112222\a\033]4;2;red;3;#00\a"
		       "\033]104;1\a\033]4;300;#123\a\033]110\ax") },
	{ "title", S("\033]0;a title\a\033]2;another\033\\") },
	{ "soft reset", S("\033[2;3r\033[?6h\033[4h\033[1mab\033[!pcd") },
	{ "reset", S("\033[?1049h\033[2;3r\033[?1003;1006;5h\033(0\033[3gab\033cx\ty") },
	{ "aligned", S("\033[2;3r\033[?6h\033#8x\u0301") },
	{ "no end: CSI", S("ab\033[12;3") },
	{ "no end: a string", S("ab\033]2;abc\033") },
	{ "no end: a picture", S("\033Pq#0;2;0;0;0~~@@vv\033") },
	{ "no end: a character", S("\xF0\x9F\x91") },
	{ "broken characters", S("\xE4\xF8\x80\x80x\xC0\x80\xED\xA0\x80\xE0\x80z\xFF") },
	{ "own strings by someone else",
		S("ab\033P=vr0,9,1;r-3,1,1;r9,9,9;l3,1,97,769;m;x;;l\033\\c\u0301") },
	{ "a line feed at the bottom waits for nothing", S("\033[4Habcdefghij\nk") },
	{ "an erase ends the waiting", S("abcdefghij\033[Kk") },
	{ "deleted lines", S("abcdefghijklmn\r\nxyz\033[H\033[M\033[2L") },
};

static void hand_made(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(cases); i++) {
		check_stream(cases[i].name, 10, 4, 0, cases[i].in);
		check_stream(cases[i].name, 10, 4, 5, cases[i].in);
		check_stream(cases[i].name, 4, 2, 3, cases[i].in);
		for (size_t at = 0; at <= cases[i].in.n; at++) {
			check_rest(cases[i].name, 10, 4, 0, cases[i].in, at);
			check_rest(cases[i].name, 4, 2, 3, cases[i].in, at);
		}
	}
}

/* ---- by chance ---- */

struct chance {
	uint64_t x;
};

static unsigned dice(struct chance *c, unsigned n)
{
	c->x = c->x * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(c->x >> 33) % n;
}

static void add_piece(struct chance *c, struct vy_buf *b)
{
	static const char *const texts[] = { "a", "word", "abcdefghijklmnop", "中", "文字",
		"e\u0301", "\u0301", "👩\u200d💻", "\u0302\u0323", "  ", "-------------", "🇩🇪",
		"\u1ab0", "\u302a", "\xff", "\xe4", "x", "y" };
	static const char *const controls[] = { "\r\n", "\r\n", "\r", "\n", "\b", "\t", "\016",
		"\017", "\v" };
	static const char *const escs[] = { "7", "8", "D", "E", "M", "H", "=", ">", "(0", "(B",
		")0", "N", "n", "c", "#8", "*A", "#3" };
	static const int modes[] = { 1, 5, 6, 7, 12, 25, 47, 1000, 1002, 1003, 1004, 1005, 1006,
		1015, 1047, 1048, 1049, 1049, 2004, 2026, 6, 7, 66 };
	static const char *const sgrs[] = { "", "0", "1", "2", "31", "44", "38;5;99", "48;2;9;8;7",
		"7", "22", "27", "39;49", "4:3", "8", "107" };
	static const char *const strings[] = { "]2;t\a", "]8;;http://a\033\\", "]8;id=1;b:\a",
		"]8;;\a", "Pq~~\033\\", "]133;A\a", "P=vr1,3,1;l2,1,98;\033\\", "]2;u" };
	static const char finals[] = "@ABCDEFGHIJKLMPSTXZ`abdefgjkrsu";

	switch (dice(c, 12)) {
	case 0:
	case 1:
	case 2:
	case 3: vy_buf_adds(b, texts[dice(c, VY_COUNT(texts))]); break;
	case 4: vy_buf_adds(b, controls[dice(c, VY_COUNT(controls))]); break;
	case 5:
	case 6:
		vy_buf_addf(b, "\033[%u;%u%c", dice(c, 6), dice(c, 12),
			finals[dice(c, sizeof(finals) - 1)]);
		break;
	case 7:
		vy_buf_addf(b, "\033[%u%c", dice(c, 12), finals[dice(c, sizeof(finals) - 1)]);
		break;
	case 8: vy_buf_addf(b, "\033[%sm", sgrs[dice(c, VY_COUNT(sgrs))]); break;
	case 9:
		vy_buf_addf(
			b, "\033[?%d%c", modes[dice(c, VY_COUNT(modes))], dice(c, 2) ? 'h' : 'l');
		break;
	case 10: vy_buf_addf(b, "\033%s", escs[dice(c, VY_COUNT(escs))]); break;
	default:
		if (dice(c, 4) == 0) {
			vy_buf_addf(b, "\033[%u%c", dice(c, 2) ? 4 : 20, dice(c, 2) ? 'h' : 'l');
		} else if (dice(c, 8) == 0) {
			vy_buf_adds(b, "\033[!p");
		} else {
			vy_buf_addf(b, "\033%s", strings[dice(c, VY_COUNT(strings))]);
		}
		break;
	}
}

static void by_chance(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 150; seed++) {
		struct chance c = { seed * 7919 + 1 };
		VY_AUTO_BUF b = VY_BUF_INIT(65536);
		char name[32];
		int cols = 2 + (int)dice(&c, 14), rows = 2 + (int)dice(&c, 5);

		for (unsigned i = 0; i < 60; i++) {
			add_piece(&c, &b);
		}
		snprintf(name, sizeof(name), "seed %u (%dx%d)", seed, cols, rows);
		check_stream(name, cols, rows, seed % 3 ? 0 : 6, vy_buf_str(&b));
		for (int i = 0; i < 10; i++) {
			check_rest(name, cols, rows, seed % 3 ? 0 : 6, vy_buf_str(&b),
				dice(&c, (unsigned)b.len));
		}
	}
}

/* ---- real programs ---- */

/* What a program writes while somebody uses it: each key after it has been quiet for a moment. */
static void record(const char *const *argv, const char *const *keys, struct vy_buf *out)
{
	struct winsize ws = { .ws_row = 24, .ws_col = 80 };
	char buf[4096];
	int fd;
	pid_t pid = forkpty(&fd, NULL, NULL, &ws);

	assert_true(pid >= 0);
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LESSHISTFILE", "-", 1);
		execvp(argv[0], (char **)argv);
		_exit(127);
	}
	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int ready = poll(&p, 1, 300);
		ssize_t n = ready > 0 ? read(fd, buf, sizeof(buf)) : 0;

		if (n < 0 || (ready > 0 && n == 0)) {
			break;
		}
		if (n > 0) {
			vy_buf_add(out, buf, (size_t)n);
		} else if (!*keys) {
			break;
		} else {
			size_t len = strlen(*keys);

			assert_int_equal(write(fd, *keys, len), (ssize_t)len);
			keys++;
		}
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

static void check_recording(const char *name, struct vy_str in)
{
	struct vy_vt *a = vy_vt_new(80, 24, 0, NULL);
	size_t from = 0;

	for (size_t at = 0; at <= in.n; at += 1 + at % 13) {
		vy_vt_feed(a, vy_str_n(in.p + from, at - from));
		from = at;
		check_cut(name, a, in, at);
	}
	vy_vt_free(a);
	for (size_t i = 0; i <= 16; i++) {
		check_rest(name, 80, 24, 50, in, in.n * i / 16);
	}
}

static void real_programs(void **state)
{
	(void)state;
	static const struct {
		const char *name, *argv[5], *keys[12];
	} programs[] = {
		{ "less", { "less", "-N", "/etc/passwd", "/etc/passwd" },
			{ " ", "b", "/root\r", "G", "g", "\033[B", ":n\r", "-S", "q" } },
		{ "vi", { "vi", "-n" },
			{ "ione two three\rfour 中文 e\u0301\033", ":set number\r", "yyp", "kdd",
				"u", "10ixyzzy \033", ":syntax on\r", "/two\r", "gg", ":q!\r" } },
		{ "top", { "top", "-d", "1" }, { "1", "c", "", "q" } },
	};
	for (size_t i = 0; i < VY_COUNT(programs); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(1 << 20);

		record(programs[i].argv, programs[i].keys, &out);
		if (out.len < 500) {
			fprintf(stderr, "%s says too little here: skipped\n", programs[i].name);
			continue;
		}
		check_recording(programs[i].name, vy_buf_str(&out));
	}
}

CHECK_MAIN(CHECK_TEST(hand_made), CHECK_TEST(by_chance), CHECK_TEST(real_programs))
