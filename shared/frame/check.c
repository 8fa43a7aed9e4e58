/* check.c -- see check.h. */
#include "shared/frame/check.h"

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/frame/parts.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* Room for everything of a frame that is not its text: ids, keys, numbers. */
#define FIELD_NAME   64
#define ENVELOPE_MAX (32 * VY_KIB)
#define WRITTEN_MAX  6 /* bytes that one byte becomes at most */

static int wrong(const struct vy_frame *f, struct vy_err *e, const char *what, const char *why)
{
	return vy_fail(e, VY_BAD_INPUT, "%s: %s %s", vy_kind_word(f->kind), what, why);
}

/* ---- sizes ---- */

/* Bytes the text takes as a JSON string, without the quotes (as jw writes it). */
static size_t written(struct vy_str s)
{
	size_t n = s.n;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t') {
			n += 1;
		} else if (c < 0x20) {
			n += 5;
		}
	}
	return n;
}

size_t vy_frame_text_fit(struct vy_str s)
{
	size_t max = vy_utf8_cut(s, VY_FRAME_TEXT_MAX), at = 0, cost = 0;

	if (max <= (VY_FRAME_MAX - ENVELOPE_MAX) / WRITTEN_MAX) {
		return max; /* whatever is in it */
	}
	while (at < max) {
		uint32_t cp;
		size_t len = vy_utf8_get(s, at, &cp);

		cost += written(vy_str_n(s.p + at, len));
		if (cost > VY_FRAME_MAX - ENVELOPE_MAX) {
			break;
		}
		at += len;
	}
	return at;
}

/* The size of the frame as encoded, or a little more. */
static size_t frame_size(const struct vy_frame *f)
{
	const struct vy_str texts[] = { f->word, f->id, f->session, f->turn, f->corr, f->author,
		f->acts_for, f->message };
	size_t n = 256; /* keys, numbers and brackets of the envelope */

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		n += written(texts[i]);
	}
	for (size_t i = 0; i < f->n; i++) {
		const struct vy_field *v = &f->f[i];

		n += 32;
		if (vy_field_type(v->id) == VY_TYPE_STR) {
			n += written(v->str);
		} else if (vy_field_type(v->id) == VY_TYPE_JSON) {
			n += v->str.n;
		}
	}
	return n;
}

/* ---- one field ---- */

/* Is `s` one of the words in "a|b|c"? */
static bool is_one_of(struct vy_str s, const char *words)
{
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, "|");

		if (vy_str_eq(s, vy_str_n(w, n))) {
			return true;
		}
		w += n + (w[n] == '|');
	}
	return false;
}

static int check_text(
	const struct vy_frame *f, const char *what, struct vy_str s, size_t max, struct vy_err *e)
{
	if (s.n > max) {
		return vy_fail(e, VY_BAD_INPUT, "%s: %s has %zu bytes, at most %zu are allowed",
			vy_kind_word(f->kind), what, s.n, max);
	}
	return vy_utf8_is_valid(s) ? 0 : wrong(f, e, what, "is not UTF-8");
}

static int check_json(const struct vy_frame *f, const struct vy_has *has, struct vy_str s,
	const char *what, struct vy_err *e)
{
	/* by the door itself: whoever reads the field later must be able to, repeated keys and all */
	VY_AUTO_JSON *v = vy_json_parse(s, NULL);

	if (!v) {
		return wrong(f, e, what, "is not JSON");
	}
	if (has->as && vy_json_type(v) != (has->as[0] == '[' ? VY_JSON_ARR : VY_JSON_OBJ)) {
		return wrong(
			f, e, what, has->as[0] == '[' ? "must be an array" : "must be an object");
	}
	return 0;
}

/* As a person is told; made for each field of each frame, so not by printf. */
static void name_field(enum vy_fid id, char what[FIELD_NAME])
{
	const char *word = vy_field_word(id);
	size_t n = strnlen(word, FIELD_NAME - sizeof("data."));

	memcpy(what, "data.", 5);
	memcpy(what + 5, word, n);
	what[5 + n] = '\0';
}

static int check_field(const struct vy_frame *f, const struct vy_has *has, const struct vy_field *v,
	struct vy_err *e)
{
	char what[FIELD_NAME];
	enum vy_type type = vy_field_type(has->field);

	name_field(has->field, what);
	switch (type) {
	case VY_TYPE_BOOL: return 0;
	case VY_TYPE_INT:
		if (v->num < 0 && !has->as) {
			return wrong(f, e, what, "must not be negative");
		}
		return v->num <= has->max ? 0 : wrong(f, e, what, "is too big");
	case VY_TYPE_STR:
	case VY_TYPE_JSON:
		if (check_text(f, what, v->str, (size_t)has->max, e) < 0) {
			return -1;
		}
		if (type == VY_TYPE_JSON) {
			return check_json(f, has, v->str, what, e);
		}
		if (has->as && !is_one_of(v->str, has->as)) {
			return vy_fail(e, VY_BAD_INPUT, "%s: %s is \"%.*s\", expected %s",
				vy_kind_word(f->kind), what, (int)(v->str.n > 40 ? 40 : v->str.n),
				v->str.n ? v->str.p : "", has->as);
		}
		return 0;
	}
	return 0;
}

/* An id that something hangs on may not be empty. */
static bool is_id(enum vy_fid id)
{
	return id == VY_F_MESSAGE || id == VY_F_TOOL_ID || id == VY_F_ASK_ID || id == VY_F_TERM;
}

static int check_fields(const struct vy_frame *f, struct vy_err *e)
{
	size_t n, known = 0;
	const struct vy_has *has = vy_kind_has(f->kind, &n);
	bool expired = vy_frame_is_expired(f);

	for (size_t i = 0; i < n; i++) {
		const struct vy_field *v = vy_frame_get(f, has[i].field);
		bool empty = v && is_id(has[i].field) && v->str.n == 0;

		if ((!v || empty) && has[i].need && !expired) {
			char what[FIELD_NAME];

			name_field(has[i].field, what);
			return wrong(f, e, what, empty ? "is empty" : "is missing");
		}
		if (v && check_field(f, &has[i], v, e) < 0) {
			return -1;
		}
		known += v != NULL;
	}
	if (known + vy_frame_has(f, VY_F_EXPIRED) != f->n) {
		return wrong(f, e, "data", "has a field that this kind does not know");
	}
	return 0;
}

/* ---- rules between fields ---- */

static int check_words(const struct vy_frame *f, struct vy_err *e)
{
	bool enc = vy_frame_has(f, VY_F_ENC), text = vy_frame_has(f, VY_F_TEXT);

	if (f->kind != VY_KIND_USER_MESSAGE || vy_frame_is_expired(f) || enc != text) {
		return 0;
	}
	return wrong(f, e, "data.text", enc ? "stands beside data.enc" : "is missing");
}

static int check_author(const struct vy_frame *f, struct vy_err *e)
{
	bool model = vy_str_starts(f->author, "assistant:") || vy_str_starts(f->author, "model:");
	bool person = vy_str_starts(f->author, "person:");

	if (f->author.n && (!(model || person) || f->author.p[f->author.n - 1] == ':')) {
		return wrong(f, e, "author", "must be person:ID, assistant:ID or model:ID");
	}
	if (!f->acts_for.n) {
		return 0;
	}
	if (!vy_str_starts(f->acts_for, "person:") || f->acts_for.n == strlen("person:")) {
		return wrong(f, e, "acts_for", "must be person:ID");
	}
	return model ? 0 : wrong(f, e, "acts_for", "stands only beside an assistant or a model");
}

/* Parts are as many as the span and as long as the text together. */
static int check_parts(const struct vy_frame *f, struct vy_err *e)
{
	struct vy_parts p;
	uint64_t n = 0, sum = 0;
	size_t len;
	long b64 = f->kind == VY_KIND_TERM_CHUNK ? vy_b64_len(vy_frame_str(f, VY_F_B64)) : 0;

	if (b64 < 0) {
		return wrong(f, e, "data.b64", "is not base64");
	}
	if (!vy_frame_has(f, VY_F_PARTS)) {
		return f->span == 1 ? 0 : wrong(f, e, "data.parts", "is missing beside a span");
	}
	vy_parts_init(&p, vy_frame_str(f, VY_F_PARTS));
	while (vy_parts_next(&p, &len)) {
		n++;
		sum += len;
	}
	if (!p.ok) {
		return wrong(f, e, "data.parts", "must be lengths");
	}
	if (n != f->span) {
		return wrong(f, e, "data.parts", "are not as many as the span");
	}
	if (sum != (f->kind == VY_KIND_TERM_CHUNK ? (uint64_t)b64
						  : vy_utf16_len(vy_frame_str(f, VY_F_TEXT)))) {
		return wrong(f, e, "data.parts", "are not as long as the text");
	}
	return 0;
}

static int check_cursor(const struct vy_frame *f, bool new, struct vy_err *e)
{
	bool merges = f->kind == VY_KIND_TEXT_DELTA || f->kind == VY_KIND_TERM_CHUNK;

	if (vy_kind_class(f->kind) != VY_CLASS_LOGGED) {
		return f->cur == 0 && f->span == 1 ? 0 : wrong(f, e, "cur", "must be 0");
	}
	/* A pause, and its end, are told beside the log: it may be what cannot be written. */
	if (f->cur == 0 && !new && f->kind == VY_KIND_STATUS) {
		return f->span == 1 ? 0 : wrong(f, e, "span", "must be 1");
	}
	if (f->kind == VY_KIND_UNKNOWN && f->cur == 0) {
		return f->span == 1 ? 0 : wrong(f, e, "span", "must be 1");
	}
	if (new != (f->cur == 0)) {
		return wrong(f, e, "cur", new ? "is the log's to give" : "must be 1 or more");
	}
	if (f->span < 1 || (!new && f->span > f->cur) || (new && f->span != 1)) {
		return wrong(f, e, "span", "does not fit the cursor");
	}
	if (f->span > 1 && !merges && f->kind != VY_KIND_HIDDEN) {
		return wrong(f, e, "span", "must be 1: this kind is never merged");
	}
	return merges && !vy_frame_is_expired(f) ? check_parts(f, e) : 0;
}

static int check_envelope(const struct vy_frame *f, bool new, struct vy_err *e)
{
	const struct {
		const char *what;
		struct vy_str s;
		bool need;
	} texts[] = {
		{ "the kind", f->word, f->kind == VY_KIND_UNKNOWN },
		{ "id", f->id,
			!new &&vy_kind_class(f->kind) == VY_CLASS_LOGGED &&
				!(f->kind == VY_KIND_STATUS && f->cur == 0) },
		{ "session", f->session, true },
		{ "turn", f->turn, false },
		{ "corr", f->corr, false },
		{ "author", f->author, false },
		{ "acts_for", f->acts_for, false },
		{ "message", f->message, false },
	};

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		if (texts[i].need && texts[i].s.n == 0) {
			return wrong(f, e, texts[i].what, "is missing");
		}
		if (check_text(f, texts[i].what, texts[i].s, VY_ID_MAX, e) < 0) {
			return -1;
		}
	}
	return check_author(f, e);
}

static int check(const struct vy_frame *f, bool new, struct vy_err *e)
{
	if (check_envelope(f, new, e) < 0 || check_fields(f, e) < 0 || check_words(f, e) < 0 ||
		check_cursor(f, new, e) < 0) {
		return -1;
	}
	return frame_size(f) <= VY_FRAME_MAX ? 0 : wrong(f, e, "it", "is over 256 KiB");
}

int vy_frame_check(const struct vy_frame *f, struct vy_err *e)
{
	return check(f, false, e);
}

int vy_frame_check_new(const struct vy_frame *f, struct vy_err *e)
{
	return check(f, true, e);
}
