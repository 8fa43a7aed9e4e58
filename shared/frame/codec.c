/* codec.c -- see codec.h. */
#include "shared/frame/codec.h"

#include "shared/base/limits.h"
#include "shared/frame/scan.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define TYPE_PREFIX "session."
#define HEAD        "{\"v\":1,\"id\":\"" /* what every encoded frame begins with */

/* ---- writing ---- */

static const struct vy_str types[] = {
#define VY_KIND(name, word, ...) [VY_KIND_##name] = VY_STR_LIT("\"" TYPE_PREFIX word "\""),
#include "shared/frame/kinds.def"
#undef VY_KIND
};

/* A line break in JSON can only stand between its parts, and must not end our line. */
static void write_json(struct vy_jw *w, struct vy_str json)
{
	size_t from = w->b->len;

	vy_jw_raw(w, json);
	if (json.n && (memchr(json.p, '\n', json.n) || memchr(json.p, '\r', json.n))) {
		for (size_t i = from; i < w->b->len; i++) {
			char *c = &w->b->data[i];

			*c = *c == '\n' || *c == '\r' ? ' ' : *c;
		}
	}
}

static void write_field(const struct vy_field *f, struct vy_jw *w)
{
	vy_jw_key(w, vy_field_word(f->id));
	switch (vy_field_type(f->id)) {
	case VY_TYPE_STR: vy_jw_str(w, f->str); break;
	case VY_TYPE_INT: vy_jw_int(w, f->num); break;
	case VY_TYPE_BOOL: vy_jw_bool(w, f->num != 0); break;
	case VY_TYPE_JSON: write_json(w, f->str); break;
	}
}

/* In the order of the table, whatever order they were set in: equal frames are equal bytes. */
static void write_data(const struct vy_frame *f, struct vy_jw *w)
{
	size_t n;
	const struct vy_has *has = vy_kind_has(f->kind, &n);

	vy_jw_key(w, "data");
	if (f->kind == VY_KIND_UNKNOWN && vy_frame_has(f, VY_F_DATA)) {
		write_json(w, vy_frame_str(f, VY_F_DATA));
		return;
	}
	vy_jw_obj(w);
	for (size_t i = 0; i < n; i++) {
		const struct vy_field *v = vy_frame_get(f, has[i].field);

		if (v) {
			write_field(v, w);
		}
	}
	if (vy_frame_is_expired(f)) {
		vy_jw_kbool(w, "expired", true);
	}
	vy_jw_end_obj(w);
}

static void write_or_null(struct vy_jw *w, const char *key, struct vy_str s)
{
	vy_jw_key(w, key);
	if (s.n) {
		vy_jw_str(w, s);
	} else {
		vy_jw_null(w);
	}
}

static void write_if(struct vy_jw *w, const char *key, struct vy_str s)
{
	if (s.n) {
		vy_jw_kstr(w, key, s);
	}
}

static void write_type(const struct vy_frame *f, struct vy_jw *w)
{
	vy_jw_key(w, "type");
	if (f->kind != VY_KIND_UNKNOWN) {
		vy_jw_raw(w, types[f->kind]);
		return;
	}
	char type[sizeof(TYPE_PREFIX) + VY_ID_MAX];
	size_t n = f->word.n;

	vy_assert(n <= VY_ID_MAX);
	memcpy(type, TYPE_PREFIX, sizeof(TYPE_PREFIX) - 1);
	if (n) {
		memcpy(type + sizeof(TYPE_PREFIX) - 1, f->word.p, n);
	}
	vy_jw_str(w, vy_str_n(type, sizeof(TYPE_PREFIX) - 1 + n));
}

void vy_frame_write(const struct vy_frame *f, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kint(w, "v", VY_FRAME_VERSION);
	vy_jw_kstr(w, "id", f->id);
	vy_jw_kint(w, "cur", (int64_t)f->cur);
	vy_jw_kstr(w, "session", f->session);
	write_or_null(w, "turn", f->turn);
	write_type(f, w);
	vy_jw_kint(w, "time", f->time);
	write_or_null(w, "corr", f->corr);
	write_data(f, w);
	if (f->span != 1) {
		vy_jw_kint(w, "span", (int64_t)f->span);
	}
	write_if(w, "author", f->author);
	write_if(w, "acts_for", f->acts_for);
	write_if(w, "message", f->message);
	vy_jw_end_obj(w);
}

bool vy_frame_encode(const struct vy_frame *f, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);
	size_t before = out->len;

	if (vy_buf_is_over(out)) {
		return false;
	}
	vy_frame_write(f, &w);
	if (vy_buf_is_over(out)) {
		vy_buf_truncate(out, before);
		return false;
	}
	return true;
}

bool vy_frame_recur(struct vy_str line, uint64_t cur, struct vy_buf *out)
{
	static const struct vy_str key = VY_STR_LIT("\",\"cur\":");
	size_t before = out->len, at = sizeof(HEAD) - 1;

	vy_assert(vy_str_starts(line, HEAD));
	while (at < line.n && line.p[at] != '"') {
		at += line.p[at] == '\\' ? 2 : 1;
	}
	vy_assert(line.n - at > key.n && memcmp(line.p + at, key.p, key.n) == 0);
	at += key.n;
	struct vy_jw w = VY_JW(out);

	vy_buf_add(out, line.p, at);
	vy_jw_int(&w, (int64_t)cur);
	while (at < line.n && line.p[at] >= '0' && line.p[at] <= '9') {
		at++;
	}
	vy_buf_addstr(out, vy_str_from(line, at));
	if (vy_buf_is_over(out)) {
		vy_buf_truncate(out, before);
		return false;
	}
	return true;
}

/* ---- reading ---- */

struct reader {
	struct vy_scan s;
	struct vy_frame *f;
	struct vy_err *e;
	struct vy_str data; /* as text, when it stands before the type */
	int64_t version;
	bool typed;  /* the type was read */
	bool filled; /* the data was met */
	bool judged; /* `e` says what is wrong: not the scanner's words */
};

static bool refuse(
	struct reader *r, const char *where, struct vy_str word, const char *want, const char *got)
{
	vy_fail(r->e, VY_BAD_INPUT, "%s%.*s: expected %s, got %s", where, VY_STR_ARG(word), want,
		got);
	r->judged = true;
	return false;
}

/* The next value into *v; one of another type is refused by name. */
static bool read_value(struct reader *r, struct vy_scan *s, enum vy_type type, const char *where,
	struct vy_str word, struct vy_field *v)
{
	static const char *const want[] = {
		[VY_TYPE_STR] = "a string",
		[VY_TYPE_INT] = "a whole number",
		[VY_TYPE_BOOL] = "a boolean",
	};
	const char *got = vy_scan_type(s);
	bool b, ok = false;

	switch (type) {
	case VY_TYPE_JSON: return vy_scan_raw(s, &v->str);
	case VY_TYPE_STR:
		if (vy_scan_peek(s) == '"') {
			return vy_scan_str(s, &v->str); /* if not: no JSON at all */
		}
		break;
	case VY_TYPE_INT: ok = vy_scan_int(s, &v->num); break;
	case VY_TYPE_BOOL:
		ok = vy_scan_bool(s, &b);
		v->num = b;
		break;
	}
	return ok || refuse(r, where, word, want[type], got);
}

/* The field of this kind that is spelt so; NULL: none that we know. */
static const struct vy_has *field_of(enum vy_kind kind, struct vy_str word)
{
	size_t n;
	const struct vy_has *has = vy_kind_has(kind, &n);

	for (size_t i = 0; i < n; i++) {
		if (vy_str_is(word, vy_field_word(has[i].field))) {
			return &has[i];
		}
	}
	return NULL;
}

static void put(struct vy_frame *f, enum vy_fid id, const struct vy_field *v)
{
	switch (vy_field_type(id)) {
	case VY_TYPE_STR: vy_frame_set_str(f, id, v->str); break;
	case VY_TYPE_JSON: vy_frame_set_json(f, id, v->str); break;
	case VY_TYPE_INT: vy_frame_set_int(f, id, v->num); break;
	case VY_TYPE_BOOL: vy_frame_set_bool(f, id, v->num != 0); break;
	}
}

static bool read_field(struct reader *r, struct vy_scan *s, struct vy_str word)
{
	const struct vy_has *has = field_of(r->f->kind, word);
	struct vy_field v = { 0 };
	enum vy_fid id;

	if (has) {
		id = has->field;
	} else if (vy_str_is(word, "expired")) {
		id = VY_F_EXPIRED;
	} else {
		return vy_scan_raw(s, NULL);
	}
	if (vy_scan_peek(s) == 'n') {
		return vy_scan_null(s);
	}
	if (!read_value(r, s, vy_field_type(id), "data.", word, &v)) {
		return false;
	}
	put(r->f, id, &v);
	return true;
}

static bool read_data(struct reader *r, struct vy_scan *s)
{
	struct vy_str word, raw;

	if (vy_scan_peek(s) != '{') {
		return refuse(r, "", VY_STR_LIT("data"), "an object", vy_scan_type(s));
	}
	if (r->f->kind == VY_KIND_UNKNOWN) {
		if (!vy_scan_raw(s, &raw)) {
			return false;
		}
		vy_frame_set_json(r->f, VY_F_DATA, raw);
		return true;
	}
	(void)vy_scan_open(s, '{');
	while (vy_scan_member(s, &word)) {
		if (!read_field(r, s, word)) {
			return false;
		}
	}
	return !s->wrong;
}

static bool read_type(struct reader *r)
{
	struct vy_field v = { 0 };

	if (!read_value(r, &r->s, VY_TYPE_STR, "", VY_STR_LIT("type"), &v)) {
		return false;
	}
	if (!vy_str_starts(v.str, TYPE_PREFIX)) {
		return refuse(r, "", VY_STR_LIT("type"), "\"session.\" and a kind", "another word");
	}
	v.str = vy_str_from(v.str, sizeof(TYPE_PREFIX) - 1);
	if (v.str.n > VY_ID_MAX) {
		return refuse(r, "", VY_STR_LIT("type"), "at most 256 bytes", "more");
	}
	r->f->kind = vy_kind_of(v.str);
	r->f->word = r->f->kind == VY_KIND_UNKNOWN ? v.str : vy_str_n(NULL, 0);
	r->typed = true;
	return true;
}

static struct vy_str *text_of(struct vy_frame *f, struct vy_str key)
{
	const struct {
		const char *word;
		struct vy_str *at;
	} texts[] = {
		{ "id", &f->id },
		{ "session", &f->session },
		{ "turn", &f->turn },
		{ "corr", &f->corr },
		{ "author", &f->author },
		{ "acts_for", &f->acts_for },
		{ "message", &f->message },
	};

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		if (vy_str_is(key, texts[i].word)) {
			return texts[i].at;
		}
	}
	return NULL;
}

static bool read_number(struct reader *r, struct vy_str key)
{
	struct vy_field v = { 0 };

	if (!read_value(r, &r->s, VY_TYPE_INT, "", key, &v)) {
		return false;
	}
	if (v.num < 0 && !vy_str_is(key, "time")) {
		return refuse(r, "", key, "a whole number from 0 on", "a negative one");
	}
	switch (key.p[0]) {
	case 'c': r->f->cur = (uint64_t)v.num; break;
	case 's': r->f->span = (uint64_t)v.num; break;
	case 't': r->f->time = v.num; break;
	default: r->version = v.num; break;
	}
	return true;
}

static bool read_member(struct reader *r, struct vy_str key)
{
	struct vy_str *text = text_of(r->f, key);
	struct vy_field v = { 0 };

	if (text) {
		if (vy_scan_peek(&r->s) == 'n') {
			return vy_scan_null(&r->s);
		}
		if (!read_value(r, &r->s, VY_TYPE_STR, "", key, &v)) {
			return false;
		}
		*text = v.str;
		return true;
	}
	if (vy_str_is(key, "cur") || vy_str_is(key, "span") || vy_str_is(key, "time") ||
		vy_str_is(key, "v")) {
		return read_number(r, key);
	}
	bool type = vy_str_is(key, "type"), data = vy_str_is(key, "data");

	if ((type && r->typed) ||
		(data && r->filled)) { /* one would be read by the other's rules */
		return refuse(r, "", key, "one", "two of them");
	}
	if (type) {
		return read_type(r);
	}
	if (data) {
		r->filled = true;
		return r->typed ? read_data(r, &r->s) : vy_scan_raw(&r->s, &r->data);
	}
	return vy_scan_raw(&r->s, NULL);
}

static bool read_frame(struct reader *r)
{
	struct vy_str key;

	if (vy_scan_peek(&r->s) != '{') {
		return refuse(r, "a frame", VY_STR_LIT(""), "an object", vy_scan_type(&r->s));
	}
	(void)vy_scan_open(&r->s, '{');
	while (vy_scan_member(&r->s, &key)) {
		if (!read_member(r, key)) {
			return false;
		}
	}
	if (!vy_scan_end(&r->s)) {
		return false;
	}
	if (!r->typed) {
		return refuse(r, "", VY_STR_LIT("type"), "a string", "nothing");
	}
	if (r->version != VY_FRAME_VERSION) {
		return refuse(
			r, "", VY_STR_LIT("v"), "1", r->version ? "another version" : "nothing");
	}
	if (r->data.n) {
		struct vy_scan s;

		vy_scan_init(&s, r->data, r->s.a);
		return read_data(r, &s);
	}
	return true;
}

int vy_frame_decode(struct vy_str json, struct vy_arena *a, struct vy_frame *out, struct vy_err *e)
{
	struct reader r = { .f = out, .e = e };

	vy_frame_init(out, VY_KIND_UNKNOWN);
	if (!vy_utf8_is_valid(json)) {
		return vy_fail(e, VY_BAD_INPUT, "a frame is not UTF-8");
	}
	vy_scan_init(&r.s, json, a);
	if (read_frame(&r)) {
		return 0;
	}
	if (!r.judged) {
		vy_fail(e, VY_BAD_INPUT, "a frame is not JSON: %s (byte %zu)", r.s.wrong,
			(size_t)(r.s.p - r.s.begin));
	}
	return -1;
}
