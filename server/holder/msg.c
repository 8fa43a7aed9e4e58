/* msg.c -- see msg.h.
 *
 * One table names the fields of every type in the order of the wire; encoder and decoder both walk
 * it, so they cannot differ. A number takes the width of its member. A message that ends at the
 * border of a field has the defaults of those that follow, but only behind the first `must`. */
#include "server/holder/msg.h"

#include <stddef.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

enum field_kind { NUM, FIX, BYTES, LIST };

struct field {
	const char *name;
	enum field_kind kind;
	size_t at, size; /* the member; of BYTES and LIST, size is the most bytes it may have */
};

struct shape {
	const char *name;
	unsigned type;
	unsigned must; /* this many fields cannot be left out */
	struct field fields[11];
};

#define SIZE(m) sizeof(((struct msg *)0)->m)
#define N(m)                                                                                       \
	{                                                                                          \
#m, NUM, offsetof(struct msg, m), SIZE(m)                                          \
	}
#define F(m)                                                                                       \
	{                                                                                          \
#m, FIX, offsetof(struct msg, m), SIZE(m)                                          \
	}
#define B(m, maximum)                                                                              \
	{                                                                                          \
#m, BYTES, offsetof(struct msg, m), (maximum)                                      \
	}
#define L(m, maximum)                                                                              \
	{                                                                                          \
#m, LIST, offsetof(struct msg, m), (maximum)                                       \
	}

static const struct shape shapes[] = {
	{ "HELLO", MSG_HELLO, 9,
		{ N(hello.proto), B(hello.hid, MSG_HID_MAX), N(hello.state), N(hello.pid),
			N(hello.pgid), N(hello.sid), N(hello.floor), N(hello.end), N(hello.in_next),
			N(hello.status), N(hello.signal) } },
	{ "STARTED", MSG_STARTED, 0, { N(started.pid), N(started.pgid), N(started.sid) } },
	{ "REFUSED", MSG_REFUSED, 1, { B(refused.text, VY_KIB), N(refused.is_end) } },
	{ "OUT", MSG_OUT, 3, { N(out.off), N(out.stream), B(out.bytes, VY_HOLD_MSG_MAX) } },
	{ "INACK", MSG_INACK, 1, { N(inack.seq) } },
	{ "EXIT", MSG_EXIT, 2, { N(exit.status), N(exit.signal) } },
	{ "ATTACH", MSG_ATTACH, 4,
		{ N(attach.proto), F(attach.token), N(attach.epoch), N(attach.from) } },
	{ "START", MSG_START, 7,
		{ N(start.kind), L(start.argv, VY_ARGV_MAX), L(start.env, VY_ENV_MAX),
			B(start.cwd, 4 * VY_KIB), N(start.cols), N(start.rows), N(start.orphan_s),
			B(start.secret, VY_SECRET_MAX), N(start.umask), N(start.is_agent),
			B(start.user, MSG_USER_MAX) } },
	{ "CREDIT", MSG_CREDIT, 1, { N(credit.off) } },
	{ "ACK", MSG_ACK, 1, { N(ack.off) } },
	{ "IN", MSG_IN, 2, { N(in.seq), B(in.bytes, VY_HOLD_MSG_MAX) } },
	{ "SIGNAL", MSG_SIGNAL, 2, { N(signal.sig), N(signal.tree) } },
	{ "RESIZE", MSG_RESIZE, 2, { N(resize.cols), N(resize.rows) } },
	{ "BYE", MSG_BYE, 0, { { 0 } } },
};

static const struct shape *shape_of(unsigned type)
{
	for (size_t i = 0; i < VY_COUNT(shapes); i++) {
		if (shapes[i].type == type) {
			return &shapes[i];
		}
	}
	return NULL;
}

const char *msg_name(unsigned type)
{
	const struct shape *s = shape_of(type);

	return s ? s->name : "?";
}

static bool is_last(const struct shape *s, size_t i)
{
	return i == VY_COUNT(s->fields) || s->fields[i].name == NULL;
}

/* ---- numbers in their places ---- */

static uint64_t load(const void *p, size_t size)
{
	switch (size) {
	case 1: return *(const uint8_t *)p;
	case 2: return *(const uint16_t *)p;
	case 4: return *(const uint32_t *)p;
	default: return *(const uint64_t *)p;
	}
}

static void store(void *p, size_t size, uint64_t v)
{
	switch (size) {
	case 1: *(uint8_t *)p = (uint8_t)v; break;
	case 2: *(uint16_t *)p = (uint16_t)v; break;
	case 4: *(uint32_t *)p = (uint32_t)v; break;
	default: *(uint64_t *)p = v; break;
	}
}

static bool put(struct vy_buf *out, uint64_t v, size_t size)
{
	uint8_t be[8];

	for (size_t i = 0; i < size; i++) {
		be[i] = (uint8_t)(v >> (8 * (size - 1 - i)));
	}
	return vy_buf_add(out, be, size);
}

static uint64_t get(const char *p, size_t size)
{
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++) {
		v = v << 8 | (uint8_t)p[i];
	}
	return v;
}

/* ---- encode ---- */

static bool put_field(struct vy_buf *out, const struct field *f, const char *base)
{
	const struct vy_str *s;

	switch (f->kind) {
	case NUM: return put(out, load(base + f->at, f->size), f->size);
	case FIX: return vy_buf_add(out, base + f->at, f->size);
	case BYTES:
	case LIST: break;
	}
	s = (const void *)(base + f->at);
	return s->n <= f->size && put(out, s->n, 4) && vy_buf_addstr(out, *s);
}

bool msg_encode(const struct msg *m, struct vy_buf *out)
{
	const struct shape *s = shape_of(m->type);
	size_t start = out->len;
	bool ok;

	vy_assert(s != NULL);
	ok = put(out, 0, 4) && put(out, m->type, 1);
	for (size_t i = 0; ok && !is_last(s, i); i++) {
		ok = put_field(out, &s->fields[i], (const char *)m);
	}
	if (!ok || out->len - start - 4 > VY_HOLD_MSG_MAX) {
		vy_buf_truncate(out, start);
		return false;
	}
	for (unsigned i = 0; i < 4; i++) {
		out->data[start + i] = (char)((out->len - start - 4) >> (8 * (3 - i)));
	}
	return true;
}

/* ---- decode ---- */

static int get_bytes(struct vy_str *in, const struct field *f, struct vy_str *out, struct vy_err *e)
{
	uint64_t n;

	if (in->n < 4) {
		return vy_fail(e, VY_BAD_INPUT, "%s is cut off", f->name);
	}
	n = get(in->p, 4);
	*in = vy_str_from(*in, 4);
	if (n > f->size) {
		return vy_fail(e, VY_BAD_INPUT, "%s has over %zu bytes", f->name, f->size);
	}
	if (n > in->n) {
		return vy_fail(e, VY_BAD_INPUT, "%s is cut off", f->name);
	}
	*out = vy_str_n(in->p, (size_t)n);
	*in = vy_str_from(*in, (size_t)n);
	if (f->kind == LIST && n && out->p[n - 1] != '\0') {
		return vy_fail(e, VY_BAD_INPUT, "the last string of %s has no end", f->name);
	}
	return 0;
}

static int get_field(struct vy_str *in, const struct field *f, char *base, struct vy_err *e)
{
	if (f->kind == BYTES || f->kind == LIST) {
		return get_bytes(in, f, (void *)(base + f->at), e);
	}
	if (in->n < f->size || !in->p) {
		return vy_fail(e, VY_BAD_INPUT, "%s is cut off", f->name);
	}
	if (f->kind == NUM) {
		store(base + f->at, f->size, get(in->p, f->size));
	} else {
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): n >= size > 0, so p is set */
		memcpy(base + f->at, in->p, f->size);
	}
	*in = vy_str_from(*in, f->size);
	return 0;
}

/* What a number may be, where the wire gives it more room than it has meanings. */
static int check_values(const struct msg *m, struct vy_err *e)
{
	switch (m->type) {
	case MSG_HELLO:
		if (!msg_hid_is_valid(m->hello.hid)) {
			return vy_fail(e, VY_BAD_INPUT, "hello.hid is no holder's name");
		}
		if (m->hello.state > MSG_EXITED) {
			return vy_fail(
				e, VY_BAD_INPUT, "hello.state %u is unknown", m->hello.state);
		}
		return 0;
	case MSG_START:
		if (m->start.kind > MSG_PTY) {
			return vy_fail(e, VY_BAD_INPUT, "start.kind %u is unknown", m->start.kind);
		}
		if (m->start.argv.n == 0) {
			return vy_fail(e, VY_BAD_INPUT, "start.argv is empty");
		}
		if (memchr(m->start.user.n ? m->start.user.p : "", '\0', m->start.user.n)) {
			return vy_fail(e, VY_BAD_INPUT, "start.user holds a NUL");
		}
		if (memchr(m->start.cwd.n ? m->start.cwd.p : "", '\0', m->start.cwd.n)) {
			return vy_fail(e, VY_BAD_INPUT, "start.cwd holds a NUL");
		}
		return 0;
	default: return 0;
	}
}

int msg_decode(struct vy_str body, struct msg *out, struct vy_err *e)
{
	const struct shape *s;
	struct vy_str in;

	memset(out, 0, sizeof(*out));
	if (body.n == 0) {
		return vy_fail(e, VY_BAD_INPUT, "a holder message without a type");
	}
	out->type = (uint8_t)body.p[0];
	s = shape_of(out->type);
	if (!s) {
		return 0;
	}
	if (s->type == MSG_START) {
		out->start.umask = MSG_UMASK;
	}
	in = vy_str_from(body, 1);
	for (size_t i = 0; !is_last(s, i) && (i < s->must || in.n); i++) {
		if (get_field(&in, &s->fields[i], (char *)out, e) < 0) {
			return vy_wrap(e, "a holder message %s", s->name);
		}
	}
	if (check_values(out, e) < 0) {
		return vy_wrap(e, "a holder message %s", s->name);
	}
	return 0;
}

/* ---- lists and names ---- */

bool msg_list_next(struct vy_str *list, const char **item)
{
	if (list->n == 0) {
		return false;
	}
	*item = list->p;
	*list = vy_str_from(*list, strnlen(list->p, list->n - 1) + 1);
	return true;
}

size_t msg_list_count(struct vy_str list)
{
	const char *item;
	size_t n = 0;

	while (msg_list_next(&list, &item)) {
		n++;
	}
	return n;
}

bool msg_hid_is_valid(struct vy_str hid)
{
	static const char set[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	if (hid.n == 0 || hid.n > MSG_HID_MAX) {
		return false;
	}
	for (size_t i = 0; i < hid.n; i++) {
		if (!hid.p[i] || !strchr(set, hid.p[i])) {
			return false;
		}
	}
	return true;
}
