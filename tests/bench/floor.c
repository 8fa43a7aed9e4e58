/* floor.c -- the least a terminal client can do: the yardstick that the real one stands beside.
 *
 * usage: floor PORT    types a prompt to the Messages API at 127.0.0.1:PORT and shows the answer
 * One file of ncurses: no Markdown, no colour, no history, no server, nothing that is kept. It reads the
 * stream's text deltas, wraps at words, and paints the rows that changed in one synchronized update,
 * at most every 16 ms, as the real one does. A measurement only; nothing is built on it. */
#include <arpa/inet.h>
#include <curses.h>
#include <locale.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/ban.h"

#define FRAME_MS 16
#define ROWS_MAX 4096
#define COLS_MAX 512
#define BELOW    3 /* a rule, the prompt, a status line */

static struct {
	char rows[ROWS_MAX][COLS_MAX]; /* a ring of the answer's lines */
	size_t last, painted;          /* newest line; newest line at the last paint */
	int at;                        /* column behind the last word */
	char prompt[COLS_MAX];
	int prompt_n, port, fd;
	char in[1 << 16]; /* of the stream, until its line is whole */
	size_t in_n;
	bool is_dirty;
	int64_t painted_ms;
} f = { .fd = -1 };

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- words ---- */

static char *row(size_t i)
{
	return f.rows[i % ROWS_MAX];
}

static void new_row(void)
{
	f.last++;
	row(f.last)[0] = '\0';
	f.at = 0;
}

/* The word that has no room goes to the next line. */
static void wrap(void)
{
	char *old = row(f.last), *blank = strrchr(old, ' ');
	char word[COLS_MAX] = "";

	if (blank) {
		snprintf(word, sizeof(word), "%s", blank + 1);
		*blank = '\0';
	}
	new_row();
	f.at = snprintf(row(f.last), COLS_MAX, "%s", word);
}

static void add(char ch)
{
	if (ch == '\n') {
		new_row();
		return;
	}
	if (f.at >= COLS - 1) {
		wrap();
	}
	row(f.last)[f.at++] = ch;
	row(f.last)[f.at] = '\0';
}

/* ---- the screen ---- */

static void paint(void)
{
	size_t high = (size_t)(LINES - BELOW), top = f.last + 1 > high ? f.last + 1 - high : 0;
	size_t was_top = f.painted + 1 > high ? f.painted + 1 - high : 0;
	size_t from = top == was_top ? f.painted : top;

	for (size_t i = from; i <= f.last; i++) {
		mvaddstr((int)(i - top), 0, row(i));
		clrtoeol();
	}
	mvhline(LINES - 3, 0, '-', COLS);
	mvprintw(LINES - 2, 0, "> %s", f.prompt);
	clrtoeol();
	mvaddstr(LINES - 1, 0, "the floor");
	move(LINES - 2, 2 + f.prompt_n);
	f.painted = f.last;
	(void)!write(1, "\033[?2026h", 8);
	refresh();
	(void)!write(1, "\033[?2026l", 8);
	f.painted_ms = now_ms();
	f.is_dirty = false;
}

/* ---- the API ---- */

static void ask(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)f.port) };
	char body[1024];
	int n = snprintf(body, sizeof(body),
		"{\"model\":\"m\",\"stream\":true,\"max_tokens\":9999,\"tools\":[{\"name\":"
		"\"Bash\"}],"
		"\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}",
		f.prompt);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	f.fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(f.fd, (struct sockaddr *)&a, sizeof(a)) == 0) {
		dprintf(f.fd,
			"POST /v1/messages HTTP/1.1\r\nHost: floor\r\nContent-Length: %d\r\n\r\n%s",
			n, body);
	}
	f.prompt_n = 0;
	f.prompt[0] = '\0';
}

static void take_line(char *line)
{
	static const char mark[] = "\"text_delta\",\"text\":\"";
	char *at = strstr(line, mark);

	for (at = at ? at + sizeof(mark) - 1 : NULL; at && *at && *at != '"'; at++) {
		if (*at == '\\') {
			at++;
			add(*at == 'n' ? '\n' : *at);
		} else {
			add(*at);
		}
		f.is_dirty = true;
	}
}

static void take_stream(void)
{
	ssize_t n = read(f.fd, f.in + f.in_n, sizeof(f.in) - f.in_n - 1);
	char *from = f.in, *end;

	if (n <= 0) {
		close(f.fd);
		f.fd = -1;
		return;
	}
	f.in_n += (size_t)n;
	f.in[f.in_n] = '\0';
	while ((end = strchr(from, '\n')) != NULL) {
		*end = '\0';
		take_line(from);
		from = end + 1;
	}
	f.in_n -= (size_t)(from - f.in);
	memmove(f.in, from, f.in_n);
	f.in_n = f.in_n + 1 < sizeof(f.in) ? f.in_n : 0;
}

/* false: leave */
static bool take_keys(void)
{
	char keys[256];
	ssize_t n = read(0, keys, sizeof(keys));

	for (ssize_t i = 0; i < n; i++) {
		if (keys[i] == '\r') {
			ask();
		} else if (keys[i] == 3) {
			return false;
		} else if (keys[i] >= ' ' && f.prompt_n < COLS - 4) {
			f.prompt[f.prompt_n++] = keys[i];
			f.prompt[f.prompt_n] = '\0';
		}
	}
	paint();
	return n > 0;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: floor PORT\n", stderr);
		return 2;
	}
	f.port = (int)strtol(argv[1], NULL, 10);
	setlocale(LC_ALL, "");
	initscr();
	raw();
	noecho();
	paint();
	for (;;) {
		struct pollfd p[2] = { { 0, POLLIN, 0 }, { f.fd, POLLIN, 0 } };
		int64_t left = f.painted_ms + FRAME_MS - now_ms();

		poll(p, f.fd >= 0 ? 2 : 1, !f.is_dirty ? -1 : left > 0 ? (int)left : 0);
		if (p[0].revents && !take_keys()) {
			break;
		}
		if (f.fd >= 0 && p[1].revents) {
			take_stream();
		}
		if (f.is_dirty && now_ms() - f.painted_ms >= FRAME_MS) {
			paint();
		}
	}
	endwin();
	return 0;
}
