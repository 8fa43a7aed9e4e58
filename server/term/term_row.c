/* term_row.c -- a terminal's rows (term_in.h): what is known of it, and its last checkpoint.
 *
 * The checkpoint's offset stands in both: they are written in one transaction, and a row of facts that is
 * written between two checkpoints says the offset of the one that is there. */
#include <stdio.h>
#include <string.h>

#include "server/log/log.h"
#include "server/term/term_in.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/term.h"
#include "shared/vt/vt.h"
#include "shared/base/ban.h"

#define SPACE_FACTS  VY_STR_LIT("term")
#define SPACE_SCREEN VY_STR_LIT("term-screen")
#define VERSION      1

void term_put(struct term *t)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(256 * VY_KIB);
	const struct term_facts *f = &t->facts;
	char token[2 * HOLD_TOKEN_LEN + 1];

	vy_hex(t->token, sizeof(t->token), token);
	vy_json_set_int(o, "v", VERSION);
	vy_json_set_c(o, "session", f->session);
	vy_json_set_c(o, "person", f->person);
	vy_json_set_c(o, "hid", f->hid);
	vy_json_set_c(o, "token", token);
	vy_json_set_c(o, "asked", t->asked);
	vy_json_set_int(o, "pid", f->pid);
	vy_json_set_int(o, "pgid", f->pgid);
	vy_json_set_int(o, "sid", f->sid);
	vy_json_set_int(o, "started", f->started);
	vy_json_set_int(o, "ended", f->ended);
	vy_json_set_bool(o, "closing", f->is_closing);
	vy_json_set_bool(o, "code", f->has_code);
	vy_json_set_int(o, "status", f->status);
	vy_json_set_int(o, "signal", f->signal);
	vy_json_set_c(o, "why", f->why);
	vy_json_set_bool(o, "unheld", t->is_unheld);
	vy_json_take(o, "sizes", sizes_encode(&t->sizes));
	vy_json_take(o, "marks", marks_encode(t->marks));
	vy_json_set_int(o, "marked", (int64_t)t->marked);
	vy_json_dump(o, &text);
	LOG_PUT(t->terms->conf.log, ROW_KV, kv, .space = SPACE_FACTS, .name = vy_str_c(f->id),
		.value = vy_buf_str(&text));
	vy_wipe(token, sizeof(token));
}

bool term_read(struct term *t, struct vy_str doc)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *o = vy_json_parse(doc, &e);
	struct term_facts *f = &t->facts;
	struct vy_str token = vy_json_str(o, "token"), hid = vy_json_str(o, "hid");
	struct vy_str session = vy_json_str(o, "session"), person = vy_json_str(o, "person");
	struct vy_str why = vy_json_str(o, "why");

	if (!o || vy_json_int(o, "v", 0) != VERSION || session.n >= sizeof(f->session) ||
		person.n >= sizeof(f->person) || hid.n != HOLD_HID_LEN ||
		vy_hex_decode(token, t->token, sizeof(t->token)) != HOLD_TOKEN_LEN ||
		!sizes_decode(&t->sizes, vy_json_get(o, "sizes"))) {
		vy_log(VY_LOG_ERROR, "term.row", "term=%s why=%s", f->id, vy_log_q(e.text));
		return false;
	}
	snprintf(f->session, sizeof(f->session), "%.*s", VY_STR_ARG(session));
	snprintf(f->person, sizeof(f->person), "%.*s", VY_STR_ARG(person));
	snprintf(f->hid, sizeof(f->hid), "%.*s", VY_STR_ARG(hid));
	snprintf(f->why, sizeof(f->why), "%.*s", VY_STR_ARG(why));
	f->pid = (pid_t)vy_json_int(o, "pid", 0);
	f->pgid = (pid_t)vy_json_int(o, "pgid", 0);
	f->sid = (pid_t)vy_json_int(o, "sid", 0);
	f->started = vy_json_int(o, "started", 0);
	f->ended = vy_json_int(o, "ended", 0);
	f->is_closing = vy_json_bool(o, "closing", false);
	f->has_code = vy_json_bool(o, "code", false);
	f->status = (int)vy_json_int(o, "status", 0);
	f->signal = (int)vy_json_int(o, "signal", 0);
	t->is_unheld = vy_json_bool(o, "unheld", false);
	t->marked = (uint64_t)vy_json_int(o, "marked", 0);
	t->marks = marks_decode(vy_json_get(o, "marks"));
	if (!t->marks) { /* of an earlier release: nothing is known of its shell */
		t->marks = marks_new(NULL);
	}
	t->asked = vy_strdup(vy_json_cstr(o, "asked"));
	return true;
}

/* ---- the checkpoint: eight bytes of its offset, then the prologue ---- */

void term_put_screen(struct term *t, struct vy_str prologue)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_TERM_PROLOGUE_MAX + VY_TERM_HEAD);
	unsigned char head[VY_TERM_HEAD];

	vy_term_head(t->ring.floor, head);
	vy_buf_add(&b, head, sizeof(head));
	vy_buf_addstr(&b, prologue);
	LOG_PUT(t->terms->conf.log, ROW_KV, kv, .space = SPACE_SCREEN,
		.name = vy_str_c(t->facts.id), .value = vy_buf_str(&b));
}

/* Behind its facts. Sizes up to there have gone into it. */
void term_read_screen(struct term *t, struct vy_str value)
{
	struct vy_str prologue = vy_str_n(NULL, 0);
	uint64_t at = 0;
	struct size size;

	if (value.n && !vy_term_split(value, &at, &prologue)) {
		vy_log(VY_LOG_ERROR, "term.screen", "term=%s bytes=%zu", t->facts.id, value.n);
	}
	while (t->sizes.n && t->sizes.later[0].offset <= at) {
		sizes_shift(&t->sizes);
	}
	t->shown = t->sizes.no;
	t->kept = t->keeping = at;
	t->kept_bytes = prologue.n;
	size = t->sizes.first;
	reel_fini(&t->ring);
	reel_init(&t->ring, at);
	t->shadow = vy_vt_new((int)size.cols, (int)size.rows, 0, NULL);
	vy_vt_feed(t->shadow, prologue);
}

void term_delete_rows(struct log *log, struct vy_str id)
{
	LOG_DEL(log, ROW_KV, kv, .space = SPACE_FACTS, .name = id);
	LOG_DEL(log, ROW_KV, kv, .space = SPACE_SCREEN, .name = id);
}
