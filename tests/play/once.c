/* once.c -- see once.h. */
#include "tests/play/once.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "tests/play/conn.h"
#include "shared/base/ban.h"

static void add_file(struct vy_buf *to, const char *path)
{
	FILE *f = fopen(path, "re");
	char room[65536];
	size_t n;

	while (f && (n = fread(room, 1, sizeof(room), f)) > 0) {
		vy_buf_add(to, room, n);
	}
	if (f) {
		fclose(f);
	}
}

static int say(const char *sock, const struct conn_ask *ask, int patience_ms)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_err e = { 0 };

	if (conn_request(sock, ask, patience_ms, &answer, &e) < 0) {
		printf("%s\n", e.text);
		return 1;
	}
	puts(vy_buf_c(&answer));
	return 0;
}

static int call(char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF body = VY_BUF_INIT(CONN_ANSWER_MAX);

	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":", argv[1]);
	if (n > 2 && argv[2][0] != '{') {
		add_file(&body, argv[2]);
	} else {
		vy_buf_adds(&body, n > 2 ? argv[2] : "{}");
	}
	vy_buf_addc(&body, '}');
	return say(argv[0], &(struct conn_ask){ "POST", "/v1/rpc", NULL, vy_buf_str(&body) },
		patience_ms);
}

static int get(char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF head = VY_BUF_INIT(1024);

	vy_buf_addf(&head, "Accept: %s\r\n", n > 2 ? argv[2] : "application/json");
	struct conn_ask ask = { .method = "GET", .head = vy_buf_c(&head), .path = argv[1] };

	return say(argv[0], &ask, patience_ms);
}

static int post(char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_str rest;
	int status = 0;

	(void)n;
	add_file(&text, argv[1]);
	for (rest = vy_buf_str(&text); rest.n && status == 0;) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		struct vy_str line = vy_str_n(rest.p, nl ? (size_t)(nl - rest.p) : rest.n);

		rest = vy_str_from(rest, line.n + (nl != NULL));
		status = say(
			argv[0], &(struct conn_ask){ "POST", "/v1/rpc", NULL, line }, patience_ms);
	}
	return status;
}

/* Each line of a file to a line socket, by one connection; an answer is a line, too. */
static int line(char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct vy_err e = { 0 };
	int fd = conn_dial(argv[0], patience_ms, &e);
	size_t at = 0;
	ssize_t one = 0;
	char room[65536];

	(void)n;
	add_file(&text, argv[1]);
	while (fd >= 0 && at < text.len && one >= 0) {
		one = write(fd, vy_buf_c(&text) + at, text.len - at);
		at += one > 0 ? (size_t)one : 0;
	}
	if (fd < 0 || at < text.len || shutdown(fd, SHUT_WR) != 0) {
		puts(fd < 0 ? e.text : "it was closed");
		return 1;
	}
	while ((one = read(fd, room, sizeof(room))) > 0) { /* to its end, behind the last answer */
		fwrite(room, 1, (size_t)one, stdout);
	}
	close(fd);
	return 0;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : 0;
}

static int raw(char **argv, int n, int patience_ms)
{
	struct vy_err e = { 0 };
	int fd = conn_dial(argv[0], patience_ms, &e);
	ssize_t got;
	char room[4096];
	size_t len = 0;

	(void)n;
	for (const char *h = argv[1]; h[0] && h[1] && len < sizeof(room); h += 2) {
		room[len++] = (char)(hex_digit(h[0]) << 4 | hex_digit(h[1]));
	}
	if (fd < 0 || write(fd, room, len) != (ssize_t)len) {
		return 1; /* closed before it could say a word */
	}
	while ((got = read(fd, room, sizeof(room))) > 0) {
		fwrite(room, 1, (size_t)got, stdout);
	}
	close(fd);
	return 0;
}

/* What comes is printed as it comes, until it is over. */
static int pass_on(int fd)
{
	char room[65536];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, room, sizeof(room))) > 0) {
		fwrite(room, 1, (size_t)n, stdout);
		fflush(stdout);
	}
	return fd < 0;
}

static int stream(char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF ask = VY_BUF_INIT(65536);
	struct vy_err e = { 0 };
	int fd = conn_dial(argv[0], patience_ms, &e);

	(void)n;
	vy_buf_addf(
		&ask, "GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n", argv[1]);
	if (fd < 0 || write(fd, ask.data, ask.len) != (ssize_t)ask.len) {
		puts(fd < 0 ? e.text : "it was closed");
		return 1;
	}
	return pass_on(fd);
}

static void print_message(void *ctx, struct vy_str text, int64_t id)
{
	(void)ctx;
	(void)id;
	printf("%.*s\n", VY_STR_ARG(text));
	fflush(stdout);
}

/* Requests on a connection of its own, one after the other; each message that comes is a line. */
static int listen_to(enum conn_form form, char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct conn c = { .fd = -1 };
	struct vy_err e = { 0 };

	if (conn_ask(&c, argv[0], form, vy_str_c(argv[1]), patience_ms, &answer, &e) != 0) {
		puts(e.text);
		return 1;
	}
	puts(vy_buf_c(&answer));
	for (int i = 2; i < n; i++) {
		conn_say(&c, vy_str_c(argv[i]));
	}
	while (conn_read(&c, print_message, NULL)) {
		poll(&(struct pollfd){ c.fd, POLLIN, 0 }, 1, -1);
	}
	puts("ended");
	conn_close(&c);
	return 0;
}

static void count_message(void *ctx, struct vy_str text, int64_t id)
{
	++*(unsigned *)ctx;
	print_message(NULL, text, id);
}

/* Each line of a file as a message of one control WebSocket; an answer is a line, too. */
static int talks(char **argv, int n, int patience_ms)
{
	VY_AUTO_BUF text = VY_BUF_INIT(CONN_ANSWER_MAX), answer = VY_BUF_INIT(CONN_ANSWER_MAX);
	struct conn c = { .fd = -1 };
	struct vy_err e = { 0 };
	unsigned said = 0, answered = 0;

	(void)n;
	add_file(&text, argv[1]);
	for (struct vy_str rest = vy_buf_str(&text); rest.n;) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		struct vy_str line = vy_str_n(rest.p, nl ? (size_t)(nl - rest.p) : rest.n);

		rest = vy_str_from(rest, line.n + (nl != NULL));
		if (said++ == 0) {
			if (conn_ask(&c, argv[0], CONN_TALK, line, patience_ms, &answer, &e) != 0) {
				puts(e.text);
				return 1;
			}
			count_message(&answered, vy_buf_str(&answer), -1);
		} else {
			conn_say(&c, line);
		}
		while (answered < said && conn_read(&c, count_message, &answered)) {
			if (answered < said) {
				poll(&(struct pollfd){ c.fd, POLLIN, 0 }, 1, patience_ms);
			}
		}
	}
	conn_close(&c);
	return answered < said;
}

static int listen_socket(char **argv, int n, int patience_ms)
{
	return listen_to(CONN_SOCKET, argv, n, patience_ms);
}

static int listen_talk(char **argv, int n, int patience_ms)
{
	return listen_to(CONN_TALK, argv, n, patience_ms);
}

static const struct {
	const char *word;
	int (*run)(char **argv, int n, int patience_ms);
} words[] = { { "call", call }, { "post", post }, { "line", line }, { "raw", raw }, { "get", get },
	{ "stream", stream }, { "socket", listen_socket }, { "talk", listen_talk },
	{ "talks", talks } };

bool once_has(const char *word)
{
	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strcmp(words[i].word, word) == 0) {
			return true;
		}
	}
	return false;
}

int once_run(const char *word, char **argv, int n, int patience_ms)
{
	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strcmp(words[i].word, word) == 0) {
			return words[i].run(argv, n, patience_ms);
		}
	}
	return 2;
}
