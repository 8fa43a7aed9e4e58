/* resume_test.c -- the client machine: scripts of events against what it does, and a storm. */
#include "tests/shared/frame/frames.h"

#include "shared/base/ban.h"
#include "shared/frame/merge.h"
#include "shared/frame/resume.h"

/* ---- a script: one word an event, "@ms" sets the clock ----
 *
 *	start  open:HEAD,FLOOR,EPOCH  f:CUR  m:CUR,SPAN (parts of one letter each)  hid:CUR,SPAN
 *	eph  hb:HEAD,EPOCH  reset  bytes  close:CODE  refuse:TEXT  taken:CUR,EPOCH  path  tick  stop
 *
 * What it does comes out as words: OPEN:LAST|none  SNAP  CLOSE  WAIT:MS  GONE(TEXT)
 *	d:CUR  d:CUR,SPAN(TEXT)  deph  dhb */
struct play {
	struct vy_arena a;
	struct vy_resume r;
	int64_t now;
	uint32_t random;
	struct vy_buf log;
};

static void log_delivery(struct play *p, const struct vy_frame *f)
{
	if (f->kind == VY_KIND_HEARTBEAT) {
		vy_buf_adds(&p->log, "dhb ");
	} else if (f->cur == 0) {
		vy_buf_adds(&p->log, "deph ");
	} else if (f->span == 1) {
		vy_buf_addf(&p->log, "d:%llu ", (unsigned long long)f->cur);
	} else {
		struct vy_str text = vy_frame_str(f, VY_F_TEXT);

		vy_buf_addf(&p->log, "d:%llu,%llu(%.*s) ", (unsigned long long)f->cur,
			(unsigned long long)f->span, VY_STR_ARG(text));
	}
}

static void log_effect(struct play *p, const struct vy_resume_effect *e)
{
	switch (e->type) {
	case VY_RESUME_DO_DELIVER: log_delivery(p, &e->frame); break;
	case VY_RESUME_DO_OPEN:
		if (p->r.has_last) {
			vy_buf_addf(&p->log, "OPEN:%llu ", (unsigned long long)p->r.last);
		} else {
			vy_buf_adds(&p->log, "OPEN:none ");
		}
		break;
	case VY_RESUME_DO_CLOSE: vy_buf_adds(&p->log, "CLOSE "); break;
	case VY_RESUME_DO_SNAPSHOT: vy_buf_adds(&p->log, "SNAP "); break;
	case VY_RESUME_DO_WAIT: vy_buf_addf(&p->log, "WAIT:%lld ", (long long)e->ms); break;
	case VY_RESUME_DO_GIVE_UP: vy_buf_addf(&p->log, "GONE(%s) ", e->text); break;
	}
}

static void feed(struct play *p, struct vy_resume_event ev)
{
	struct vy_resume_out out;

	ev.now_ms = p->now;
	ev.random = p->random;
	vy_resume_step(&p->r, &ev, &p->a, &out);
	for (size_t i = 0; i < out.n; i++) {
		log_effect(p, &out.e[i]);
	}
}

static void feed_frame(struct play *p, const struct vy_frame *f)
{
	feed(p, (struct vy_resume_event){ .type = VY_RESUME_FRAME, .frame = f });
}

/* A merged delta whose pieces are the letters a, b, c… by cursor. */
static struct vy_frame letters(struct vy_arena *a, uint64_t cur, uint64_t span)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	VY_AUTO_BUF parts = VY_BUF_INIT(4096);

	for (uint64_t c = cur - span + 1; c <= cur; c++) {
		vy_buf_addc(&text, (char)('a' + c % 26));
		vy_buf_adds(&parts, c == cur ? "1" : "1,");
	}
	struct vy_frame f = delta_of(a, cur, vy_buf_c(&text));

	f.span = span;
	if (span > 1) {
		vy_frame_set_json(
			&f, VY_F_PARTS, vy_str_c(vy_arena_printf(a, "[%s]", vy_buf_c(&parts))));
	}
	return f;
}

static void heartbeat(struct play *p, uint64_t head, const char *epoch)
{
	struct vy_frame f = frame_of(&p->a, 0, "heartbeat", "'head':0,'epoch':''");

	vy_frame_set_int(&f, VY_F_HEAD, (int64_t)head);
	vy_frame_set_str(&f, VY_F_EPOCH, vy_arena_str(&p->a, vy_str_c(epoch)));
	feed_frame(p, &f);
}

static bool is(const char *word, const char *verb)
{
	return strncmp(word, verb, strlen(verb)) == 0;
}

static void say(struct play *p, const char *word)
{
	unsigned long long x = 0, y = 0;
	char text[64] = "";
	const char *colon = strchr(word, ':');
	struct vy_frame f;

	if (is(word, "@")) {
		p->now = strtoll(word + 1, NULL, 10);
	} else if (is(word, "start")) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_START });
	} else if (is(word, "open") && sscanf(colon, ":%llu,%llu,%63s", &x, &y, text) == 3) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_OPENED,
				.head = x,
				.floor = y,
				.epoch = vy_str_c(text) });
	} else if (is(word, "f:")) {
		f = letters(&p->a, strtoull(colon + 1, NULL, 10), 1);
		feed_frame(p, &f);
	} else if (is(word, "m:") && sscanf(colon, ":%llu,%llu", &x, &y) == 2) {
		f = letters(&p->a, x, y);
		feed_frame(p, &f);
	} else if (is(word, "hid") && sscanf(colon, ":%llu,%llu", &x, &y) == 2) {
		f = frame_of(&p->a, x, "hidden", "");
		f.span = y;
		feed_frame(p, &f);
	} else if (is(word, "eph")) {
		f = frame_of(&p->a, 0, "presence", "'who':'person:p','state':'typing'");
		feed_frame(p, &f);
	} else if (is(word, "hb") && sscanf(colon, ":%llu,%63s", &x, text) == 2) {
		heartbeat(p, x, text);
	} else if (is(word, "reset")) {
		f = frame_of(&p->a, 0, "reset", "'reason':'behind','head':9,'floor':5,'epoch':'E'");
		feed_frame(p, &f);
	} else if (is(word, "bytes")) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_BYTES });
	} else if (is(word, "close")) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_CLOSED,
				.code = (int)strtol(colon + 1, NULL, 10) });
	} else if (is(word, "refuse")) {
		feed(p, (struct vy_resume_event){
				.type = VY_RESUME_REFUSED, .text = vy_str_c(colon + 1) });
	} else if (is(word, "taken") && sscanf(colon, ":%llu,%63s", &x, text) == 2) {
		feed(p, (struct vy_resume_event){
				.type = VY_RESUME_TAKEN, .head = x, .epoch = vy_str_c(text) });
	} else if (is(word, "path")) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_PATH });
	} else if (is(word, "tick")) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_TICK });
	} else if (is(word, "stop")) {
		feed(p, (struct vy_resume_event){ .type = VY_RESUME_STOP });
	} else {
		fail_msg("no such word: %s", word);
	}
}

/* `from` < 0: nothing is held yet. */
static void play(const char *name, int from, const char *script, const char *want)
{
	struct play p = { .log = VY_BUF_INIT(65536) };

	vy_arena_init(&p.a);
	if (from < 0) {
		vy_resume_init(&p.r);
	} else {
		vy_resume_init_from(&p.r, (uint64_t)from, vy_str_c("E"));
	}
	for (const char *s = script; *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		say(&p, vy_arena_dup(&p.a, s, n));
		s += n;
	}
	if (p.log.len) {
		vy_buf_truncate(&p.log, p.log.len - 1);
	}
	check_str(name, vy_buf_c(&p.log), want);
	vy_buf_fini(&p.log);
	vy_arena_fini(&p.a);
}

/* ---- the table ---- */

static const struct {
	const char *name;
	int from;
	const char *script, *want;
} rows[] = {
	{ "from the start", 0, "start open:2,1,E f:1 f:2 hb:2,E", "OPEN:0 d:1 d:2 dhb" },
	{ "on from where it was", 5, "start open:7,1,E f:6 f:7", "OPEN:5 d:6 d:7" },
	{ "a log of nothing, from 0", 0, "start open:0,1,E hb:0,E f:1", "OPEN:0 dhb d:1" },
	{ "a log of nothing, from none", -1, "start open:0,1,E hb:0,E f:1", "OPEN:none dhb d:1" },
	{ "a log of one, from 0", 0, "start open:1,1,E f:1 hb:1,E", "OPEN:0 d:1 dhb" },
	{ "a log of one, from 1", 1, "start open:1,1,E hb:1,E f:2", "OPEN:1 dhb d:2" },
	{ "none takes what is still held", -1, "start open:9,7,E f:7 f:8 f:9",
		"OPEN:none d:7 d:8 d:9" },
	{ "0 is not none: 1 to 6 are gone", 0, "start open:9,7,E", "OPEN:0 CLOSE SNAP" },
	{ "none and all trimmed away: nothing may be missed after the heartbeat", -1,
		"start open:9,10,E hb:9,E f:11", "OPEN:none dhb CLOSE WAIT:125" },

	{ "the past is dropped", 5, "start open:7,1,E f:4 f:5 f:6 f:6 f:5 f:7", "OPEN:5 d:6 d:7" },
	{ "a gap asks again from the last", 0, "start open:9,1,E f:1 f:3 f:4",
		"OPEN:0 d:1 CLOSE OPEN:1" },
	{ "a gap twice is paced", 0, "start open:9,1,E f:1 f:3 open:9,1,E f:3",
		"OPEN:0 d:1 CLOSE OPEN:1 CLOSE WAIT:125" },
	{ "a merged frame that fits", 0, "start open:9,1,E m:4,4 m:6,2",
		"OPEN:0 d:4,4(bcde) d:6,2(fg)" },
	{ "a merged frame half known", 2, "start open:9,1,E m:5,5", "OPEN:2 d:5,3(def)" },
	{ "a merged frame known but for one", 4, "start open:9,1,E m:5,5 f:6", "OPEN:4 d:5 d:6" },
	{ "a merged frame all known", 5, "start open:9,1,E m:5,5", "OPEN:5" },
	{ "a merged frame behind a gap", 2, "start open:9,1,E m:6,3", "OPEN:2 CLOSE WAIT:125" },
	{ "a hidden run", 2, "start open:9,1,E hid:6,5 f:7", "OPEN:2 d:6,4() d:7" },
	{ "a span that cannot be", 2, "start open:9,1,E hid:3,4", "OPEN:2 CLOSE WAIT:125" },

	{ "ephemeral frames move nothing", 1, "start open:1,1,E eph f:2 eph f:3",
		"OPEN:1 deph d:2 deph d:3" },
	{ "a heartbeat that is ahead is a gap", 1, "start open:3,1,E f:2 hb:3,E",
		"OPEN:1 d:2 CLOSE OPEN:2" },
	{ "a heartbeat that lags is none", 5, "start open:5,1,E hb:3,E", "OPEN:5 dhb" },
	{ "a heartbeat of another epoch", 5, "start open:5,1,E hb:5,F", "OPEN:5 CLOSE SNAP" },

	{ "behind, told by open", 3, "start open:9,5,E taken:9,E open:9,5,E f:10",
		"OPEN:3 CLOSE SNAP OPEN:9 d:10" },
	{ "just not behind", 4, "start open:9,5,E f:5", "OPEN:4 d:5" },
	{ "ahead, told by open", 9, "start open:8,1,E taken:8,E", "OPEN:9 CLOSE SNAP OPEN:8" },
	{ "another epoch, told by open", 5, "start open:9,1,F taken:9,F open:9,1,F f:10",
		"OPEN:5 CLOSE SNAP OPEN:9 d:10" },
	{ "a reset on the stream", 3, "start open:9,1,E reset close:1000 taken:9,E open:9,1,E f:10",
		"OPEN:3 CLOSE SNAP OPEN:9 d:10" },
	{ "a snapshot that fails is tried again", 3,
		"start open:9,5,E close:0 @1000 tick taken:9,E",
		"OPEN:3 CLOSE SNAP WAIT:250 SNAP OPEN:9" },
	{ "reset after reset is paced", 3,
		"start open:9,5,E taken:4,E open:9,6,E @9999 tick taken:4,E open:9,6,E",
		"OPEN:3 CLOSE SNAP OPEN:4 CLOSE WAIT:500 SNAP OPEN:4 CLOSE WAIT:2000" },
	{ "a snapshot of a shorter log", 9, "start open:0,1,F taken:0,F open:0,1,F hb:0,F f:1",
		"OPEN:9 CLOSE SNAP OPEN:0 dhb d:1" },

	{ "a blip: at once", 0, "start open:1,1,E f:1 close:1006", "OPEN:0 d:1 OPEN:1" },
	{ "a restart: at once", 0, "start open:1,1,E f:1 close:1012", "OPEN:0 d:1 OPEN:1" },
	{ "asked for patience: not at once", 0, "start open:1,1,E f:1 close:1013",
		"OPEN:0 d:1 WAIT:125" },
	{ "no server: slower and slower", 0,
		"start close:0 @1000 tick close:0 @2000 tick close:0 @4000 tick close:0 @8000 tick "
		"close:0"
		" @16000 tick close:0 @24000 tick close:0 @40000 tick close:0",
		"OPEN:0 WAIT:125 OPEN:0 WAIT:250 OPEN:0 WAIT:500 OPEN:0 WAIT:1000 OPEN:0 WAIT:2000 "
		"OPEN:0 WAIT:4000 OPEN:0 WAIT:7500 OPEN:0 WAIT:7500" },
	{ "a tick too early", 0, "start close:0 @124 tick @125 tick", "OPEN:0 WAIT:125 OPEN:0" },
	{ "the path appears", 0, "start close:0 path close:0 path",
		"OPEN:0 WAIT:125 OPEN:0 WAIT:250 OPEN:0" },
	{ "the path does not disturb", 0, "start path open:1,1,E path f:1 path", "OPEN:0 d:1" },
	{ "a frame makes the next one fast again", 0,
		"start close:0 path close:0 path open:1,1,E f:1 close:0",
		"OPEN:0 WAIT:125 OPEN:0 WAIT:250 OPEN:0 d:1 OPEN:1" },
	{ "an early heartbeat only half", 0,
		"start close:0 path close:0 path open:0,1,E hb:0,E close:0",
		"OPEN:0 WAIT:125 OPEN:0 WAIT:250 OPEN:0 dhb WAIT:125" },
	{ "one that lived was good", 0, "start open:0,1,E @25000 hb:0,E close:0",
		"OPEN:0 dhb OPEN:0" },

	{ "dead after 70 s", 0, "start open:1,1,E f:1 @69999 tick @70000 tick",
		"OPEN:0 d:1 CLOSE OPEN:1" },
	{ "bytes are life", 0, "start open:1,1,E f:1 @60000 bytes @129999 tick @130000 tick",
		"OPEN:0 d:1 CLOSE OPEN:1" },
	{ "an open that hangs is dead too", 0, "start @70000 tick", "OPEN:0 CLOSE WAIT:125" },

	{ "too big: past it by a snapshot", 3,
		"start open:9,1,E f:4 close:1009 taken:9,E open:9,1,E f:10",
		"OPEN:3 d:4 SNAP OPEN:9 d:10" },
	{ "too big again: given up", 3,
		"start open:9,1,E f:4 close:1009 taken:9,E open:9,1,E close:1009",
		"OPEN:3 d:4 SNAP OPEN:9 "
		"GONE(The server holds a message that is too big for this connection.)" },
	{ "access ended", 3, "start open:9,1,E close:4403 path tick close:0",
		"OPEN:3 GONE(You no longer have access to this session.)" },
	{ "refused", 3, "start refuse:no_such_session", "OPEN:3 GONE(no_such_session)" },
	{ "given up, then asked again", 3, "start close:4403 start open:3,1,E f:4",
		"OPEN:3 GONE(You no longer have access to this session.) OPEN:3 d:4" },

	{ "stopped", 0, "start open:9,1,E f:1 stop f:2 tick path close:0", "OPEN:0 d:1 CLOSE" },
	{ "a frame before the connection", 0, "start f:1 open:9,1,E f:1", "OPEN:0 d:1" },
	{ "a late answer", 0, "start open:9,1,E f:1 open:0,1,F f:2", "OPEN:0 d:1 d:2" },
	{ "started twice", 0, "start start", "OPEN:0" },
};

static void scripts(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		play(rows[i].name, rows[i].from, rows[i].script, rows[i].want);
	}
}

/* Equal jitter: never below half, never above the whole. */
static void jitter_is_equal(void **state)
{
	(void)state;
	uint64_t seed = 3;

	for (int i = 0; i < 2000; i++) {
		struct play p = { .log = VY_BUF_INIT(4096), .random = chance(&seed, UINT32_MAX) };
		int64_t full = 250;

		vy_arena_init(&p.a);
		vy_resume_init(&p.r);
		say(&p, "start");
		for (int n = 0; n<9; n++, full = full * 2> 15000 ? 15000 : full * 2) {
			say(&p, "close:0");
			int64_t ms = vy_resume_due(&p.r) - p.now;

			check_true("within", ms >= full / 2 && ms <= full);
			p.now += ms;
			say(&p, "tick");
		}
		vy_buf_fini(&p.log);
		vy_arena_fini(&p.a);
	}
}

/* ---- the storm: any cut, repetition and merge, and each cursor comes once and in order ---- */

struct storm {
	struct play p;
	uint64_t seed, head, floor, next; /* next: the cursor the reader must get */
	bool connected;
	uint64_t sent; /* up to here this connection was told */
};

static void storm_step(struct storm *s, struct vy_resume_event ev);

static void storm_effect(struct storm *s, const struct vy_resume_effect *e)
{
	switch (e->type) {
	case VY_RESUME_DO_DELIVER:
		if (e->frame.cur) {
			check_int("in order, none twice, none left out",
				(long long)vy_frame_first(&e->frame), (long long)s->next);
			s->next = e->frame.cur + 1;
			if (e->frame.kind == VY_KIND_TEXT_DELTA) {
				struct vy_frame want =
					letters(&s->p.a, e->frame.cur, e->frame.span);

				check_vstr("its own words", vy_frame_str(&e->frame, VY_F_TEXT),
					vy_frame_str(&want, VY_F_TEXT));
			}
		}
		break;
	case VY_RESUME_DO_OPEN:
		s->connected = chance(&s->seed, 4) != 0;
		if (s->connected) {
			s->sent = s->p.r.last;
			storm_step(s, (struct vy_resume_event){ .type = VY_RESUME_OPENED,
					      .head = s->head,
					      .floor = s->floor,
					      .epoch = vy_str_c("E") });
		} else {
			storm_step(s, (struct vy_resume_event){ .type = VY_RESUME_CLOSED });
		}
		break;
	case VY_RESUME_DO_CLOSE: s->connected = false; break;
	case VY_RESUME_DO_SNAPSHOT:
		s->next = s->head + 1; /* what the snapshot holds is held */
		storm_step(s,
			(struct vy_resume_event){
				.type = VY_RESUME_TAKEN, .head = s->head, .epoch = vy_str_c("E") });
		break;
	case VY_RESUME_DO_WAIT:
		s->p.now += e->ms;
		storm_step(s, (struct vy_resume_event){ .type = VY_RESUME_TICK });
		break;
	case VY_RESUME_DO_GIVE_UP: fail_msg("gave up: %s", e->text);
	}
}

static void storm_step(struct storm *s, struct vy_resume_event ev)
{
	struct vy_resume_out out;

	ev.now_ms = s->p.now;
	ev.random = chance(&s->seed, UINT32_MAX);
	vy_resume_step(&s->p.r, &ev, &s->p.a, &out);
	for (size_t i = 0; i < out.n; i++) {
		storm_effect(s, &out.e[i]);
	}
}

/* The server sends something that may be next, merged, repeated, or (a fault) too far on. */
static void storm_send(struct storm *s)
{
	uint64_t span = 1 + chance(&s->seed, 5), cur = s->sent + span;
	struct vy_frame f;

	if (chance(&s->seed, 5) == 0) {
		cur = 1 + chance(&s->seed, (uint32_t)s->head + 1); /* anything at all */
	}
	if (cur > s->head || span > cur) {
		return;
	}
	f = letters(&s->p.a, cur, span);
	if (chance(&s->seed, 8) == 0) {
		f = frame_of(&s->p.a, cur, "hidden", "");
		f.span = span;
	}
	s->sent = cur > s->sent ? cur : s->sent;
	storm_step(s, (struct vy_resume_event){ .type = VY_RESUME_FRAME, .frame = &f });
}

static void each_cursor_once_and_in_order(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct storm s = { .seed = seed, .floor = 1, .next = 1 };

		vy_arena_init(&s.p.a);
		vy_resume_init_from(&s.p.r, 0, vy_str_c("E"));
		storm_step(&s, (struct vy_resume_event){ .type = VY_RESUME_START });
		for (int i = 0; i < 400; i++) {
			s.head += chance(&s.seed, 3);
			if (chance(&s.seed, 100) == 0 && s.head > s.floor) {
				s.floor +=
					chance(&s.seed, (uint32_t)(s.head - s.floor)); /* trimmed */
			}
			if (s.connected && chance(&s.seed, 20) == 0) {
				s.connected = false;
				storm_step(&s, (struct vy_resume_event){
						       .type = VY_RESUME_CLOSED, .code = 1006 });
			}
			if (s.connected) {
				storm_send(&s);
			}
			if (i % 50 == 49) {
				vy_arena_reset(&s.p.a);
			}
		}
		/* calm at last: the rest comes */
		while (s.p.r.last < s.head) {
			struct vy_frame f = letters(&s.p.a, s.p.r.last + 1, 1);

			check_true("connected in the end", s.connected);
			storm_step(&s,
				(struct vy_resume_event){ .type = VY_RESUME_FRAME, .frame = &f });
		}
		check_int("all of it", (long long)s.next, (long long)s.head + 1);
		vy_arena_fini(&s.p.a);
	}
}

CHECK_MAIN(
	CHECK_TEST(scripts), CHECK_TEST(jitter_is_equal), CHECK_TEST(each_cursor_once_and_in_order))
