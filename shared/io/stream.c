/* stream.c -- see stream.h.
 *
 * What is sent during a turn waits for the turn's end (a deferred flush), so that many small sends are
 * one write. Input is read into one buffer for all streams and cut from there; what a pause leaves of
 * it is kept and given first when reading goes on. Freeing is deferred as well: by then no flush of
 * the same stream is outstanding. */
#include "shared/io/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shared/base/cut.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define STREAM 0x57AEA001u

enum {
	READ_MAX = 64 * VY_KIB,
	CHUNK_MIN = 4 * VY_KIB, /* small sends share a chunk */
	WRITE_CHUNKS = 16,
};

struct chunk {
	TAILQ_ENTRY(chunk) link;
	size_t at, n, cap; /* bytes [at, n) are to be written */
	bool is_secret;
	char bytes[];
};

struct vy_stream {
	VY_MAGIC;
	struct vy_loop *loop;
	struct vy_stream_conf conf;
	const struct vy_stream_ops *ops;
	void *ctx;

	struct vy_watch *in, *out; /* the same one for a socket */
	struct vy_cut cut;
	struct vy_buf held; /* read, and not given because of a pause */
	bool is_paused, resume_is_due;

	TAILQ_HEAD(chunk_list, chunk) chunks;
	size_t queued;
	bool wants_room, flush_is_due, is_finishing, out_is_over, in_is_over;

	bool is_ended; /* on_end was called */
	bool is_freed; /* the caller's, that is; ours is to come */
};

static bool is_silent(const struct vy_stream *s)
{
	return s->is_ended || s->is_freed;
}

static bool is_socket(const struct vy_stream *s)
{
	return s->conf.in_fd == s->conf.out_fd;
}

/* ---- what the loop watches ---- */

static void watch_again(struct vy_stream *s)
{
	bool reads = !s->is_paused && !is_silent(s) && s->held.len == 0 && !s->in_is_over;
	bool writes = !TAILQ_EMPTY(&s->chunks) && !is_silent(s) && !s->out_is_over;

	if (s->in && s->in == s->out) {
		vy_watch_set(s->in, (reads ? VY_READ : 0) | (writes ? VY_WRITE : 0));
		return;
	}
	if (s->in) {
		vy_watch_set(s->in, reads ? VY_READ : 0);
	}
	if (s->out) {
		vy_watch_set(s->out, writes ? VY_WRITE : 0);
	}
}

static void unwatch(struct vy_stream *s)
{
	if (s->out != s->in) {
		vy_watch_del(s->out);
	}
	vy_watch_del(s->in);
	s->in = s->out = NULL;
}

static void drop_chunk(struct vy_stream *s)
{
	struct chunk *c = TAILQ_FIRST(&s->chunks);

	TAILQ_REMOVE(&s->chunks, c, link);
	s->queued -= c->n - c->at;
	if (c->is_secret) {
		vy_wipe(c->bytes, c->n);
	}
	free(c);
}

static void drop_chunks(struct vy_stream *s)
{
	while (!TAILQ_EMPTY(&s->chunks)) {
		drop_chunk(s);
	}
}

static void end(struct vy_stream *s, const struct vy_err *why)
{
	if (is_silent(s)) {
		return;
	}
	s->is_ended = true;
	unwatch(s);
	drop_chunks(s);
	s->ops->on_end(s->ctx, why);
}

/* ---- in ---- */

/* Gives the pieces of `in`; false: stopped on the way, `in` is what is left. */
static bool give(struct vy_stream *s, struct vy_str *in)
{
	struct vy_str piece;

	while (!is_silent(s) && !s->is_paused && in->n) {
		if (s->conf.kind == VY_STREAM_BYTES) {
			piece = *in;
			*in = vy_str_from(*in, in->n);
			s->ops->on_piece(s->ctx, piece);
			continue;
		}
		switch (vy_cut_next(&s->cut, in, &piece)) {
		case VY_CUT_PIECE: s->ops->on_piece(s->ctx, piece); break;
		case VY_CUT_TOO_LONG: s->ops->on_too_long(s->ctx, piece); break;
		case VY_CUT_MORE: break;
		}
	}
	return in->n == 0;
}

static void give_rest(struct vy_stream *s)
{
	struct vy_str piece;

	if (!is_silent(s) && vy_cut_rest(&s->cut, &piece)) {
		s->ops->on_piece(s->ctx, piece);
	}
}

static void end_of_input(struct vy_stream *s)
{
	if (!s->ops->on_eof || s->out_is_over) {
		end(s, NULL);
	} else if (!is_silent(s)) {
		s->in_is_over = true;
		s->ops->on_eof(s->ctx);
	}
}

/* One read; false when there is nothing (more) to read now, or ever. */
static bool read_once(struct vy_stream *s)
{
	static char chunk[READ_MAX];
	ssize_t n = read(s->conf.in_fd, chunk, sizeof(chunk));
	struct vy_err e;

	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return false;
	}
	if (n < 0 && errno == EIO && isatty(s->conf.in_fd)) {
		n = 0; /* the last user of a PTY is gone */
	}
	if (n < 0) {
		vy_fail_errno(&e, errno, "reading");
		end(s, &e);
		return false;
	}
	if (n == 0) {
		give_rest(s);
		end_of_input(s);
		return false;
	}
	struct vy_str in = vy_str_n(chunk, (size_t)n);

	if (!give(s, &in) && !is_silent(s)) {
		vy_buf_addstr(&s->held, in);
	}
	return true;
}

static void give_held(struct vy_stream *s)
{
	struct vy_str in = vy_buf_str(&s->held);

	give(s, &in);
	vy_buf_consume(&s->held, s->held.len - in.n);
}

static void resume(void *ctx)
{
	struct vy_stream *s = ctx;

	s->resume_is_due = false;
	if (!is_silent(s) && !s->is_paused) {
		give_held(s);
		watch_again(s);
	}
}

void vy_stream_pause(struct vy_stream *s, bool paused)
{
	VY_CHECK(s, STREAM);
	s->is_paused = paused;
	if (!paused && s->held.len && !s->resume_is_due) {
		s->resume_is_due = true;
		vy_loop_defer(s->loop, resume, s);
	}
	watch_again(s);
}

/* ---- out ---- */

static void wrote(struct vy_stream *s, size_t n)
{
	while (n) {
		struct chunk *c = TAILQ_FIRST(&s->chunks);
		size_t part = n < c->n - c->at ? n : c->n - c->at;

		c->at += part;
		s->queued -= part;
		n -= part;
		if (c->at == c->n) {
			drop_chunk(s);
		}
	}
}

static ssize_t write_some(struct vy_stream *s)
{
	struct iovec v[WRITE_CHUNKS];
	struct msghdr m = { .msg_iov = v };
	struct chunk *c;
	int n = 0;

	TAILQ_FOREACH (c, &s->chunks, link) {
		v[n++] = (struct iovec){ c->bytes + c->at, c->n - c->at };
		if (n == WRITE_CHUNKS) {
			break;
		}
	}
	m.msg_iovlen = (size_t)n;
	return is_socket(s) ? sendmsg(s->conf.out_fd, &m, MSG_NOSIGNAL)
			    : writev(s->conf.out_fd, v, n);
}

/* The other side takes nothing any more; what it said before is still given. */
static void out_failed(struct vy_stream *s, int err)
{
	struct vy_err e;

	vy_fail_errno(&e, err, "writing");
	s->out_is_over = true;
	give_held(s);
	while (s->conf.in_fd >= 0 && !is_silent(s) && !s->is_paused && read_once(s)) {
	}
	end(s, &e);
}

static void close_out(struct vy_stream *s)
{
	s->out_is_over = true;
	if (is_socket(s)) {
		shutdown(s->conf.out_fd, SHUT_WR);
		return;
	}
	vy_watch_del(s->out);
	s->out = NULL;
	close(s->conf.out_fd);
	s->conf.out_fd = -1;
}

static void flush(struct vy_stream *s)
{
	while (!is_silent(s) && !s->out_is_over && !TAILQ_EMPTY(&s->chunks)) {
		ssize_t n = write_some(s);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0 && errno != EAGAIN) {
			out_failed(s, errno);
			return;
		}
		if (n < 0) {
			break;
		}
		wrote(s, (size_t)n);
	}
	if (is_silent(s)) {
		return;
	}
	if (s->is_finishing && TAILQ_EMPTY(&s->chunks) && !s->out_is_over) {
		close_out(s);
		if (s->in_is_over) {
			end(s, NULL);
			return;
		}
	}
	watch_again(s);
	if (s->wants_room && s->queued <= s->conf.room_at) {
		s->wants_room = false;
		if (s->ops->on_room) {
			s->ops->on_room(s->ctx);
		}
	}
}

static void flush_due(void *ctx)
{
	struct vy_stream *s = ctx;

	s->flush_is_due = false;
	flush(s);
}

static void flush_later(struct vy_stream *s)
{
	if (!s->flush_is_due) {
		s->flush_is_due = true;
		vy_loop_defer(s->loop, flush_due, s);
	}
}

static struct chunk *chunk_for(struct vy_stream *s, size_t n, bool is_secret)
{
	struct chunk *c = TAILQ_LAST(&s->chunks, chunk_list);
	size_t cap = n > CHUNK_MIN ? n : CHUNK_MIN;

	if (c && !is_secret && !c->is_secret && c->cap - c->n >= n) {
		return c;
	}
	c = vy_alloc(sizeof(*c) + cap);
	c->cap = cap;
	c->is_secret = is_secret;
	TAILQ_INSERT_TAIL(&s->chunks, c, link);
	return c;
}

static bool queue(struct vy_stream *s, struct vy_str bytes, bool is_secret)
{
	struct chunk *c;

	VY_CHECK(s, STREAM);
	vy_assert(s->conf.out_fd >= 0 && !s->is_finishing);
	if (s->out_is_over || is_silent(s) || bytes.n == 0) {
		return true; /* nobody is there to take it; on_end says so */
	}
	if (bytes.n > s->conf.queue_max || s->queued > s->conf.queue_max - bytes.n) {
		s->wants_room = true;
		return false;
	}
	c = chunk_for(s, bytes.n, is_secret);
	memcpy(c->bytes + c->n, bytes.p, bytes.n);
	c->n += bytes.n;
	s->queued += bytes.n;
	s->wants_room |= s->queued > s->conf.room_at;
	flush_later(s);
	return true;
}

bool vy_stream_send(struct vy_stream *s, struct vy_str bytes)
{
	return queue(s, bytes, false);
}

bool vy_stream_send_secret(struct vy_stream *s, struct vy_str bytes)
{
	return queue(s, bytes, true);
}

size_t vy_stream_queued(const struct vy_stream *s)
{
	return s->queued;
}

void vy_stream_finish(struct vy_stream *s)
{
	VY_CHECK(s, STREAM);
	s->is_finishing = true;
	flush_later(s);
}

/* ---- life ---- */

static void on_fd(void *ctx, int fd, unsigned events)
{
	struct vy_stream *s = ctx;

	(void)fd;
	if ((events & VY_READ) && !s->is_paused && s->held.len == 0 && !is_silent(s)) {
		read_once(s);
	}
	if (events & VY_WRITE) {
		flush(s);
	}
	if (!is_silent(s)) {
		watch_again(s);
	}
}

static void nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && !(flags & O_NONBLOCK)) {
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	}
}

struct vy_stream *vy_stream_new(struct vy_loop *l, const struct vy_stream_conf *conf,
	const struct vy_stream_ops *ops, void *ctx)
{
	struct vy_stream *s = VY_NEW(struct vy_stream);

	VY_MAGIC_SET(s, STREAM);
	s->loop = l;
	s->conf = *conf;
	s->conf.room_at = conf->room_at ? conf->room_at : conf->queue_max / 2;
	s->ops = ops;
	s->ctx = ctx;
	TAILQ_INIT(&s->chunks);
	vy_buf_init(&s->held, READ_MAX);
	vy_cut_init(
		&s->cut, conf->kind == VY_STREAM_U32 ? VY_CUT_U32 : VY_CUT_LINES, conf->piece_max);
	if (conf->in_fd >= 0) {
		nonblocking(conf->in_fd);
		s->in = vy_loop_watch(l, conf->in_fd, VY_READ, on_fd, s);
	}
	if (conf->out_fd >= 0 && conf->out_fd != conf->in_fd) {
		nonblocking(conf->out_fd);
		s->out = vy_loop_watch(l, conf->out_fd, 0, on_fd, s);
	} else {
		s->out = conf->out_fd >= 0 ? s->in : NULL;
	}
	return s;
}

/* What was sent in this turn and its fd takes without waiting. */
static void write_last(struct vy_stream *s)
{
	while (!is_silent(s) && !s->out_is_over && !TAILQ_EMPTY(&s->chunks)) {
		ssize_t n = write_some(s);

		if (n < 0) {
			return;
		}
		wrote(s, (size_t)n);
	}
}

static void free_now(void *ctx)
{
	struct vy_stream *s = ctx;

	drop_chunks(s);
	vy_cut_fini(&s->cut);
	vy_buf_fini(&s->held);
	free(s);
}

void vy_stream_free(struct vy_stream *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, STREAM);
	VY_MAGIC_CLEAR(s);
	write_last(s);
	unwatch(s);
	s->is_freed = true;
	if (s->conf.out_fd >= 0 && !is_socket(s)) {
		close(s->conf.out_fd);
	}
	if (s->conf.in_fd >= 0) {
		close(s->conf.in_fd);
	}
	vy_loop_defer(s->loop, free_now, s);
}

int vy_stream_fd(const struct vy_stream *s)
{
	return s->conf.in_fd;
}
