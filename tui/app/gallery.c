/* gallery.c -- see gallery.h. */
#include "tui/app/gallery.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/io/loop.h"
#include "tui/ink/kitty.h"
#include "tui/ink/screen.h"
#include "tui/net/rpc.h"
#include "tui/view/image.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define PIECE      (192 * 1024) /* asked for at once: its JSON is read in 2 ms */
#define BYTES_MAX  (IMAGE_MAX + VY_MIB)
#define AGAIN_MS   2000        /* after the server was not there */
#define SEND_BYTES (24 * 1024) /* of pixels, between two paints */
#define SEND_MS    2
#define REAP_MS    5
#define AROUND     6 /* rows that are never the transcript's: what is opened is seen whole */
#define CELL_W     8 /* pixels of a picture that a cell of blocks stands for */

struct gallery {
	struct gallery_conf conf;
	const char *session;

	/* fetching */
	char *ref; /* NULL: nothing is under way */
	uint32_t fetching;
	struct rpc_call *call;
	struct vy_buf bytes;    /* so far */
	struct vy_timer *again; /* set: the server was not there */

	/* developing */
	struct album_job job;
	char program[VY_PLACE_MAX]; /* "": there is none, and pictures are captions */
	pid_t pid;                  /* 0: none, or its end is known */
	int fd;                     /* -1: none */
	struct vy_buf answer;
	struct vy_watch *watch;
	struct vy_timer *limit, *reap;

	/* sending */
	bool is_known, says_yes; /* it draws such cells; it takes pictures */
	struct kitty_sending sending;
	uint8_t *pixels; /* of it; NULL: nothing is under way */
	struct vy_timer *next;
};

/* ---- the terminal ---- */

static bool may_ask(const struct gallery *g)
{
	struct theme_env env = screen_theme_env(g->conf.screen);

	return g->conf.settings->pictures == SETTINGS_PICTURES_AUTO && g->program[0] &&
	       theme_depth_of(&env) == THEME_DEPTH_RGB;
}

/* First its name: some of the others would show the question about pictures, or take it for a title. */
void gallery_event(struct gallery *g, const struct key_event *ev)
{
	if (ev->kind == KEY_EV_VERSION && !g->is_known && may_ask(g) && kitty_is_name(ev->text)) {
		g->is_known = true;
		screen_send(g->conf.screen, VY_STR_LIT(KITTY_ASK));
	}
	if (ev->kind == KEY_EV_GRAPHICS && g->is_known && !g->says_yes) {
		g->says_yes = kitty_is_yes(ev->text);
		g->conf.changed(g->conf.ctx);
	}
}

static enum album_look look_of(const struct gallery *g, enum theme_depth depth)
{
	if (!g->program[0] || g->conf.settings->pictures == SETTINGS_PICTURES_OFF ||
		depth < THEME_DEPTH_256) {
		return ALBUM_CAPTIONS;
	}
	return g->says_yes && depth == THEME_DEPTH_RGB ? ALBUM_PIXELS : ALBUM_CELLS;
}

void gallery_wear(struct gallery *g, int rows)
{
	static const uint32_t grounds[] = { [THEME_LOOK_DARK] = 0x16181a,
		[THEME_LOOK_LIGHT] = 0xffffff,
		[THEME_LOOK_CONTRAST] = 0x000000 };
	struct theme t = screen_theme(g->conf.screen);
	struct album_conf c = { .look = look_of(g, t.depth),
		.is_256 = t.depth != THEME_DEPTH_RGB,
		.rows = (rows - AROUND) / 2,
		.ground = grounds[t.look] };

	screen_cell(g->conf.screen, &c.cell_w, &c.cell_h);
	if (c.look == ALBUM_CELLS && c.cell_w > 0) {
		/* A cell shows no more for being large: many of them show a picture, few do not. */
		c.cell_h = c.cell_h * CELL_W / c.cell_w;
		c.cell_w = CELL_W;
	}
	album_set(g->conf.album, &c);
}

/* ---- fetching ---- */

/* Its memory too: a picture may have been large, and there may be no other. */
static void empty(struct vy_buf *b, size_t most)
{
	vy_buf_fini(b);
	vy_buf_init(b, most);
}

static void end_fetch(struct gallery *g)
{
	rpc_cancel(g->call);
	g->call = NULL;
	free(g->ref);
	g->ref = NULL;
	empty(&g->bytes, BYTES_MAX);
}

static void on_piece(void *ctx, const struct vy_json *result, const struct vy_err *e);

static void fetch_piece(struct gallery *g)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", g->session);
	vy_json_set_c(params, "ref", g->ref);
	vy_json_set_int(params, "offset", (int64_t)g->bytes.len);
	vy_json_set_int(params, "limit", PIECE);
	g->call = rpc_call(g->conf.rpc, "threads.output", params, NULL, 0, on_piece, g);
}

/* A piece that happens to be text comes as text. False: too much, or nothing with more behind it. */
static bool take_piece(struct gallery *g, const struct vy_json *result)
{
	struct vy_str text = vy_json_str(result, "text"), b64 = vy_json_str(result, "b64");
	size_t had = g->bytes.len;

	if (b64.n == 0) {
		return vy_buf_addstr(&g->bytes, text) &&
		       (text.n > 0 || !vy_json_bool(result, "more", false));
	}
	if (!vy_buf_reserve(&g->bytes, b64.n)) {
		return false;
	}
	long n = vy_base64_decode(b64, g->bytes.data + had, b64.n);

	g->bytes.len = had + (n > 0 ? (size_t)n : 0);
	return n > 0;
}

static void on_piece(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct gallery *g = ctx;
	struct image_head head = { 0 };

	g->call = NULL;
	if (e->code == VY_RETRY) {
		end_fetch(g);
		vy_timer_set(g->again, AGAIN_MS);
		return;
	}
	if (e->code != VY_OK) {
		album_missed(g->conf.album, g->fetching, e->text);
	} else if (!take_piece(g, result)) {
		album_missed(g->conf.album, g->fetching, _("it is too large to be shown"));
	} else if (vy_json_bool(result, "more", false)) {
		fetch_piece(g);
		return;
	} else {
		image_head(vy_buf_str(&g->bytes), &head);
		album_fetched(g->conf.album, g->fetching, vy_buf_str(&g->bytes), head.w, head.h);
	}
	end_fetch(g);
	g->conf.changed(g->conf.ctx);
}

static void fetch_next(struct gallery *g)
{
	struct album_job job;

	if (!g->ref && !vy_timer_is_set(g->again) && album_next(g->conf.album, ALBUM_FETCH, &job)) {
		g->fetching = job.id;
		g->ref = vy_strdup(job.ref);
		fetch_piece(g);
	}
}

/* ---- developing ---- */

/* It has ended, or will in a moment: a loop that reaps by itself may have been first. */
static void on_reap(void *ctx)
{
	struct gallery *g = ctx;

	if (g->pid > 0 && waitpid(g->pid, NULL, WNOHANG) == 0) {
		vy_timer_set(g->reap, REAP_MS);
	} else {
		g->pid = 0;
	}
}

static void end_child(struct gallery *g)
{
	vy_watch_del(g->watch);
	g->watch = NULL;
	vy_timer_set(g->limit, -1);
	if (g->fd >= 0) {
		close(g->fd);
		g->fd = -1;
	}
	if (g->pid > 0 && waitpid(g->pid, NULL, WNOHANG) == 0) {
		kill(g->pid, SIGKILL);
		while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR) {
		}
	}
	g->pid = 0;
	empty(&g->answer, DEVELOP_MAX);
}

/* The answer ends with the descriptor, and the child right behind it. */
static void take_answer(struct gallery *g)
{
	struct developed d;

	vy_watch_del(g->watch);
	g->watch = NULL;
	vy_timer_set(g->limit, -1);
	close(g->fd);
	g->fd = -1;
	develop_read(vy_buf_str(&g->answer), &g->job.want, &d);
	empty(&g->answer, DEVELOP_MAX);
	album_developed(g->conf.album, &g->job, &d);
	on_reap(g);
	g->conf.changed(g->conf.ctx);
}

static void on_answer(void *ctx, int fd, unsigned events)
{
	struct gallery *g = ctx;
	char piece[65536];
	ssize_t n = read(fd, piece, sizeof(piece));

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (n > 0 && vy_buf_add(&g->answer, piece, (size_t)n)) {
		return;
	}
	take_answer(g);
}

static void on_limit(void *ctx)
{
	struct gallery *g = ctx;

	end_child(g);
	album_missed(g->conf.album, g->job.id, _("it takes too long to be shown"));
	g->conf.changed(g->conf.ctx);
}

static void develop_next(struct gallery *g)
{
	if (g->fd >= 0 || g->pid > 0 || !album_next(g->conf.album, ALBUM_DEVELOP, &g->job)) {
		return;
	}
	g->fd = develop_start(g->program, g->job.bytes, &g->job.want, &g->pid);
	if (g->fd < 0) {
		g->pid = 0;
		album_missed(g->conf.album, g->job.id, _("there is no process left to show it"));
		g->conf.changed(g->conf.ctx);
		return;
	}
	g->watch = vy_loop_watch(g->conf.loop, g->fd, VY_READ, on_answer, g);
	vy_timer_set(g->limit, DEVELOP_MS);
}

/* ---- sending ---- */

static void end_sending(struct gallery *g)
{
	free(g->pixels);
	g->pixels = NULL;
}

static void begin_sending(struct gallery *g)
{
	struct album_job job;

	if (!album_next(g->conf.album, ALBUM_SEND, &job)) {
		return;
	}
	size_t n = (size_t)job.w * (size_t)job.h * 4;

	g->pixels = vy_calloc(1, n); /* the album may drop its own meanwhile */
	memcpy(g->pixels, job.rgba, n);
	g->sending = (struct kitty_sending){ .image = job.image,
		.rgba = g->pixels,
		.w = job.w,
		.h = job.h,
		.cols = job.want.size.cols,
		.rows = job.want.size.rows };
}

static void forget_dead(struct gallery *g, struct vy_buf *out)
{
	struct album_job job;

	while (album_next(g->conf.album, ALBUM_UNSEND, &job)) {
		kitty_forget(job.image, out);
		album_unsent(g->conf.album, job.image);
	}
}

/* One piece, when the terminal has taken all that was before it. */
static void send_next(struct gallery *g)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1024 * 1024);

	if (screen_is_pending(g->conf.screen) || vy_timer_is_set(g->next)) {
		return;
	}
	if (!g->pixels) {
		forget_dead(g, &out); /* not between the pieces of another */
		begin_sending(g);
	}
	if (g->pixels && kitty_send(&g->sending, SEND_BYTES, &out)) {
		end_sending(g);
		album_sent(g->conf.album, g->sending.image);
		g->conf.changed(g->conf.ctx);
	} else if (g->pixels) {
		vy_timer_set(g->next, SEND_MS);
	}
	if (out.len) {
		screen_send(g->conf.screen, vy_buf_str(&out));
	}
}

/* ---- turns ---- */

void gallery_turn(struct gallery *g)
{
	fetch_next(g);
	develop_next(g);
	if (g->says_yes) {
		send_next(g);
	}
}

void gallery_again(struct gallery *g)
{
	if (g->says_yes) {
		end_sending(g);
		album_again(g->conf.album);
	}
}

void gallery_open(struct gallery *g, const char *session)
{
	end_fetch(g);
	end_child(g);
	vy_timer_set(g->again, -1);
	g->session = session;
}

/* ---- life ---- */

/* Its end is the end of a loop turn, where the turn's work is done. */
static void on_again(void *ctx)
{
	(void)ctx;
}

struct gallery *gallery_new(const struct gallery_conf *conf)
{
	struct gallery *g = VY_NEW(struct gallery);

	g->conf = *conf;
	g->fd = -1;
	vy_buf_init(&g->bytes, BYTES_MAX);
	vy_buf_init(&g->answer, DEVELOP_MAX);
	g->again = vy_loop_timer(conf->loop, on_again, g);
	g->next = vy_loop_timer(conf->loop, on_again, g);
	g->limit = vy_loop_timer(conf->loop, on_limit, g);
	g->reap = vy_loop_timer(conf->loop, on_reap, g);
	if (!develop_find(g->program, sizeof(g->program))) {
		g->program[0] = '\0';
	}
	if (may_ask(g)) {
		screen_send(conf->screen, VY_STR_LIT(KITTY_ASK_NAME));
	}
	return g;
}

void gallery_free(struct gallery *g)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1024 * 1024);

	if (!g) {
		return;
	}
	end_fetch(g);
	end_child(g);
	end_sending(g);
	album_clear(g->conf.album);
	if (g->says_yes) {
		forget_dead(g, &out);
		screen_send(g->conf.screen, vy_buf_str(&out));
	}
	vy_timer_del(g->again);
	vy_timer_del(g->next);
	vy_timer_del(g->limit);
	vy_timer_del(g->reap);
	vy_buf_fini(&g->bytes);
	vy_buf_fini(&g->answer);
	free(g);
}
