/* message.c -- see message.h. */
#include "shared/model/message.h"

#include "shared/base/limits.h"
#include "shared/model/members.h"
#include "shared/base/ban.h"

static const char *const roles[] = { [VY_ROLE_USER] = "user", [VY_ROLE_ASSISTANT] = "assistant" };
static const char *const states[] = {
	[VY_MESSAGE_PENDING] = "pending",
	[VY_MESSAGE_STREAMING] = "streaming",
	[VY_MESSAGE_COMPLETED] = "completed",
	[VY_MESSAGE_FAILED] = "failed",
	[VY_MESSAGE_DELETED] = "deleted",
};
static const char *const changes[] = {
	[VY_MESSAGE_CREATED] = "session.message.created",
	[VY_MESSAGE_UPDATED] = "session.message.updated",
	[VY_MESSAGE_IS_COMPLETED] = "session.message.completed",
	[VY_MESSAGE_HAS_FAILED] = "session.message.failed",
	[VY_MESSAGE_IS_DELETED] = "session.message.deleted",
};

#define STR(m, key)  VY_MEMBER_STR(struct vy_message, m, key)
#define JSON(m, key) VY_MEMBER_JSON(struct vy_message, m, key)
#define INT(m, key)  VY_MEMBER_INT(struct vy_message, m, key, 0)

static const struct vy_member members[] = {
	STR(message, "message"),
	VY_MEMBER_ENUM(struct vy_message, role, "role", roles),
	VY_MEMBER_ENUM(struct vy_message, state, "state", states),
	INT(revision, "revision"),
	INT(position, "position"),
	INT(taken, "taken"),
	INT(folded, "folded"),
	INT(was, "was"),
	STR(author, "author"),
	STR(acts_for, "acts_for"),
	STR(turn, "turn"),
	STR(parent, "parent"),
	INT(created, "created"),
	INT(updated, "updated"),
	STR(text, "text"),
	INT(bytes, "bytes"),
	JSON(images, "images"),
	JSON(enc, "enc"),
	STR(reply_to, "reply_to"),
	VY_MEMBER_BOOL(struct vy_message, edited, "edited"),
	JSON(settled, "settled"),
	STR(reason, "reason"),
};

/* What a record has beside the fields that are always written. */
static const struct vy_member extras[] = {
	STR(acts_for, "acts_for"),
	STR(parent, "parent"),
	STR(reply_to, "reply_to"),
	JSON(images, "images"),
	JSON(enc, "enc"),
	INT(bytes, "bytes"),
	VY_MEMBER_BOOL(struct vy_message, edited, "edited"),
	STR(reason, "reason"),
};

const char *vy_message_role_word(enum vy_message_role r)
{
	return roles[r];
}

const char *vy_message_life_word(enum vy_message_life s)
{
	return states[s];
}

const char *vy_message_change_word(enum vy_message_change c)
{
	return changes[c];
}

bool vy_message_is_open(const struct vy_message *m)
{
	return m->state == VY_MESSAGE_PENDING || m->state == VY_MESSAGE_STREAMING;
}

/* ---- the fold ---- */

static bool replace(struct vy_str *at, struct vy_str s)
{
	bool differs = !vy_str_eq(*at, s);

	*at = s;
	return differs;
}

/* Into that state; what it is called depends on where it came from. */
static enum vy_message_change move(
	struct vy_message *m, enum vy_message_life to, bool has_changed, int64_t time)
{
	bool is_new = m->revision == 0, moves = is_new || m->state != to;

	if (!moves && !has_changed) {
		return VY_MESSAGE_SAME;
	}
	m->state = to;
	m->revision++;
	m->updated = time;
	if (is_new) {
		return VY_MESSAGE_CREATED;
	}
	if (!moves) {
		return VY_MESSAGE_UPDATED;
	}
	switch (to) {
	case VY_MESSAGE_COMPLETED: return VY_MESSAGE_IS_COMPLETED;
	case VY_MESSAGE_FAILED: return VY_MESSAGE_HAS_FAILED;
	case VY_MESSAGE_DELETED: return VY_MESSAGE_IS_DELETED;
	case VY_MESSAGE_PENDING:
	case VY_MESSAGE_STREAMING:
	case VY_MESSAGE_LIVES: break;
	}
	return VY_MESSAGE_UPDATED;
}

static void begin(struct vy_message *m, const struct vy_frame *f, enum vy_message_role role)
{
	*m = (struct vy_message){
		.message = vy_frame_str(f, VY_F_MESSAGE),
		.role = role,
		.position = (int64_t)f->cur,
		.author = f->author,
		.acts_for = f->acts_for,
		.parent = vy_frame_str(f, VY_F_PARENT),
		.created = f->time,
	};
}

static enum vy_message_life state_of(const struct vy_frame *f)
{
	return vy_frame_is(f, VY_F_STATE, "queued")      ? VY_MESSAGE_PENDING
	       : vy_frame_is(f, VY_F_STATE, "cancelled") ? VY_MESSAGE_DELETED
							 : VY_MESSAGE_COMPLETED;
}

enum vy_message_change vy_message_said(struct vy_message *m, const struct vy_frame *f)
{
	enum vy_message_life to = state_of(f);
	bool has_changed = false;

	if (m->revision > 0 && (m->state == VY_MESSAGE_DELETED || m->role != VY_ROLE_USER)) {
		return VY_MESSAGE_SAME;
	}
	if (m->revision == 0) {
		begin(m, f, VY_ROLE_USER);
	}
	if (to == VY_MESSAGE_DELETED) {
		m->text = m->images = m->enc = vy_str_n(NULL, 0);
		m->bytes = 0;
		return move(m, to, false, f->time);
	}
	has_changed |= replace(&m->text, vy_frame_str(f, VY_F_TEXT));
	has_changed |= replace(&m->enc, vy_frame_str(f, VY_F_ENC));
	has_changed |= replace(&m->images, vy_frame_str(f, VY_F_IMAGES));
	has_changed |= replace(&m->reply_to, vy_frame_str(f, VY_F_REPLY_TO));
	has_changed |= replace(&m->turn, f->turn);
	has_changed |= vy_frame_bool(f, VY_F_EDITED) != m->edited;
	m->edited = vy_frame_bool(f, VY_F_EDITED);
	m->taken = to == VY_MESSAGE_COMPLETED ? (int64_t)f->cur : 0;
	m->bytes = vy_frame_bool(f, VY_F_MORE) ? vy_frame_int(f, VY_F_BYTES, 0) : 0;
	return move(m, to, has_changed, f->time);
}

enum vy_message_change vy_message_streams(struct vy_message *m, const struct vy_frame *f)
{
	if (m->revision > 0 && (m->state == VY_MESSAGE_DELETED || m->role != VY_ROLE_ASSISTANT)) {
		return VY_MESSAGE_SAME;
	}
	if (m->revision == 0) {
		begin(m, f, VY_ROLE_ASSISTANT);
	}
	m->turn = f->turn;
	m->reason = vy_str_n(NULL, 0);
	return move(m, VY_MESSAGE_STREAMING, false, f->time);
}

enum vy_message_change vy_message_settled(
	struct vy_message *m, struct vy_str reason, int64_t seq, int64_t time, struct vy_arena *mem)
{
	size_t n = m->settled.n ? m->settled.n - 1 : 0; /* without its bracket */

	if (m->revision == 0 || m->role != VY_ROLE_ASSISTANT || m->state == VY_MESSAGE_DELETED) {
		return VY_MESSAGE_SAME;
	}
	m->settled = vy_str_c(vy_arena_printf(
		mem, "%.*s%s%lld]", (int)n, n ? m->settled.p : "", n ? "," : "[", (long long)seq));
	m->reason = reason;
	return move(m, reason.n ? VY_MESSAGE_FAILED : VY_MESSAGE_COMPLETED, true, time);
}

int64_t vy_message_stands_at(const struct vy_message *m)
{
	return m->taken ? m->taken : m->position;
}

static enum vy_message_life was_before(const struct vy_message *m)
{
	return m->was > 0 && m->was < VY_MESSAGE_LIVES ? (enum vy_message_life)m->was
						       : VY_MESSAGE_PENDING;
}

enum vy_message_change vy_message_rewind(struct vy_message *m, int64_t at, int64_t to, int64_t time)
{
	bool is_behind = vy_message_stands_at(m) > to;

	if (m->revision == 0 || vy_message_stands_at(m) >= at) {
		return VY_MESSAGE_SAME;
	}
	if (m->state == VY_MESSAGE_DELETED) {
		if (m->folded <= to || is_behind) { /* not at all, or before what is seen again */
			return VY_MESSAGE_SAME;
		}
		m->folded = 0;
		(void)move(m, was_before(m), true, time);
		m->was = 0;
		return VY_MESSAGE_UPDATED;
	}
	if (!is_behind || m->state == VY_MESSAGE_PENDING) {
		return VY_MESSAGE_SAME;
	}
	m->was = m->state;
	m->folded = at;
	return move(m, VY_MESSAGE_DELETED, false, time);
}

/* ---- storage and wire ---- */

void vy_message_encode(const struct vy_message *m, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_members_write(members, VY_COUNT(members), m, w);
	vy_jw_end_obj(w);
}

int vy_message_decode(
	struct vy_str json, struct vy_arena *mem, struct vy_message *out, struct vy_err *e)
{
	VY_AUTO_JSON *v = vy_json_parse(json, e);

	if (!v) {
		return -1;
	}
	vy_members_read(members, VY_COUNT(members), v, mem, out);
	if (out->message.n == 0 || out->revision < 1) {
		return vy_fail(e, VY_CORRUPT, "a message's record has no id or no revision");
	}
	return 0;
}

void vy_message_write(
	const struct vy_message *m, struct vy_str text, struct vy_str blocks, struct vy_jw *w)
{
	bool is_user = m->role == VY_ROLE_USER, is_gone = m->state == VY_MESSAGE_DELETED;
	struct vy_str nothing = vy_str_n(NULL, 0);
	struct vy_message shown = *m;

	vy_jw_obj(w);
	vy_jw_kstr(w, "message", m->message);
	vy_jw_kstr(w, "role", vy_str_c(roles[m->role]));
	vy_jw_kstr(w, "author", m->author);
	vy_jw_kstr(w, "state", vy_str_c(states[m->state]));
	if (m->enc.n == 0) {
		vy_jw_kstr(w, "text", is_gone ? nothing : is_user ? m->text : text);
	}
	vy_jw_key(w, "blocks");
	vy_jw_raw(w, !is_user && blocks.n && !is_gone ? blocks : VY_STR_LIT("[]"));
	vy_jw_kint(w, "messageRevision", m->revision);
	vy_jw_kstr(w, "turn", m->turn);
	vy_jw_kint(w, "created", m->created);
	vy_jw_kint(w, "updated", m->updated);
	if (is_gone) { /* of what is rewound the words are kept, and not shown */
		shown.images = shown.enc = nothing;
		shown.bytes = 0;
	}
	vy_members_write(extras, VY_COUNT(extras), &shown, w);
	vy_jw_end_obj(w);
}
