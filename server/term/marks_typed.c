/* marks_typed.c -- see marks_typed.h.
 *
 * A line begins with its first key. Then the terminal must stand behind the prompt: for the very first
 * line whatever looks like one (it ends in "$ ", "# ", "% " or "> " and asks for no secret), for
 * each later one exactly the same bytes. From there on what is shown is laid out as a terminal would,
 * but of letters and backspaces alone; anything else, and it is not sure. */
#include "server/term/marks_typed.h"

#include <strings.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

static void wipe(struct vy_buf *b)
{
	if (b->data) {
		vy_wipe(b->data, b->cap);
	}
	b->over = false;
	b->len = 0;
}

void typed_init(struct typed *t)
{
	vy_buf_init(&t->shown, TYPED_PROMPT_MAX + 1);
	vy_buf_init(&t->prompt, TYPED_PROMPT_MAX + 1);
	vy_buf_init(&t->keys, TYPED_LINE_MAX);
	vy_buf_init(&t->echo, TYPED_LINE_MAX + 64);
}

void typed_settle(struct typed *t)
{
	wipe(&t->keys);
	wipe(&t->echo);
	wipe(&t->shown);
	t->at = 0;
	t->is_typing = t->is_sure = t->is_entered = false;
}

void typed_forget(struct typed *t)
{
	typed_settle(t);
	wipe(&t->prompt);
}

void typed_fini(struct typed *t)
{
	typed_forget(t);
	vy_buf_fini(&t->shown);
	vy_buf_fini(&t->prompt);
	vy_buf_fini(&t->keys);
	vy_buf_fini(&t->echo);
}

struct vy_str typed_prompt(const struct typed *t)
{
	return vy_buf_str(&t->prompt);
}

void typed_resume(struct typed *t, struct vy_str prompt)
{
	vy_buf_addstr(&t->prompt, prompt);
	t->is_typing = true; /* somebody may be in the middle of one */
}

struct vy_str typed_line(const struct typed *t)
{
	return vy_str_trim(vy_buf_str(&t->keys));
}

/* ---- the prompt ---- */

static bool has_word(struct vy_str s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++) {
		if (strncasecmp(s.p + i, word, n) == 0) {
			return true;
		}
	}
	return false;
}

static bool asks_for_secret(struct vy_str s)
{
	return has_word(s, "pass") || has_word(s, "pin") || has_word(s, "secret") ||
	       has_word(s, "token") || has_word(s, "code");
}

static bool looks_like_prompt(struct vy_str s)
{
	return s.n >= 2 && s.p[s.n - 1] == ' ' && strchr("$#%>", s.p[s.n - 2]) &&
	       s.p[s.n - 2] != '\0' && !asks_for_secret(s);
}

static bool is_at_prompt(struct typed *t)
{
	struct vy_str shown = vy_buf_str(&t->shown);

	if (vy_buf_is_over(&t->shown)) {
		return false;
	}
	if (t->prompt.len == 0 && looks_like_prompt(shown)) {
		vy_buf_addstr(&t->prompt, shown);
	}
	return t->prompt.len > 0 && vy_str_eq(shown, vy_buf_str(&t->prompt));
}

/* ---- keys ---- */

static void rub_out(struct typed *t)
{
	size_t n = t->keys.len;

	if (n > 0 && (unsigned char)t->keys.data[n - 1] >= 0x80) {
		t->is_sure = false; /* how wide was it? */
	} else if (n > 0) {
		vy_buf_truncate(&t->keys, n - 1);
	}
}

void typed_key(struct typed *t, char c)
{
	unsigned char u = (unsigned char)c;

	if (!t->is_typing) {
		t->is_typing = true;
		t->is_sure = is_at_prompt(t);
	} else if (t->is_entered) {
		t->is_sure = false; /* typed ahead: the two lines are mixed on the screen */
	}
	if (c == '\r' || c == '\n') {
		t->is_entered = true;
	} else if (u == 0x7f || u == '\b') {
		rub_out(t);
	} else if (u < 0x20 || !vy_buf_addc(&t->keys, c)) {
		t->is_sure = false;
	}
}

/* ---- what is shown ---- */

static void lay(struct typed *t, char c)
{
	if (c == '\b') {
		t->at -= t->at > 0;
	} else if ((unsigned char)c < 0x20 || (unsigned char)c == 0x7f) {
		t->is_sure = false;
	} else if (t->at < t->echo.len) {
		t->echo.data[t->at++] = c;
	} else if (vy_buf_addc(&t->echo, c)) {
		t->at++;
	} else {
		t->is_sure = false;
	}
}

/* What was rubbed out stays in the echo as blanks behind the cursor. */
static bool is_echoed(const struct typed *t)
{
	struct vy_str keys = vy_buf_str(&t->keys);

	for (size_t i = t->at; i < t->echo.len; i++) {
		if (t->echo.data[i] != ' ') {
			return false;
		}
	}
	return keys.n > 0 && t->at == keys.n && memcmp(t->echo.data, keys.p, keys.n) == 0 &&
	       vy_utf8_is_valid(keys);
}

bool typed_hear(struct typed *t, char c)
{
	if (c == '\r') {
		return false;
	}
	if (c == '\n') {
		bool sure = t->is_typing && t->is_entered && t->is_sure && is_echoed(t);

		if (!sure) {
			typed_settle(t);
		}
		return sure;
	}
	if (t->is_typing) {
		lay(t, c);
	} else {
		vy_buf_addc(&t->shown, c);
	}
	return false;
}
