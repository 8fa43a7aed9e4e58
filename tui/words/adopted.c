/* adopted.c -- see adopted.h. */
#include "tui/words/adopted.h"

#include <string.h>

#include "shared/base/ban.h"

/* By the kind of the agent: what stands before the id of its session. */
static const struct {
	const char *driver, *command;
} commands[] = {
	{ "claude", "claude --resume " },
	{ "codex", "codex resume " },
	{ "opencode", "opencode --session " },
};

struct vy_str adopted_from(const struct vy_json *record)
{
	return vy_json_str(vy_json_get(record, "adopted"), "provider");
}

/* How many bytes from here on a terminal would obey, and not show: controls, C1, what turns the
 * direction of a line. A folder's name is a stranger's word, and this line is shown, copied, pasted. */
static size_t obeyed(struct vy_str s)
{
	unsigned char a = (unsigned char)s.p[0], b = s.n > 1 ? (unsigned char)s.p[1] : 0,
		      c = s.n > 2 ? (unsigned char)s.p[2] : 0;

	if (a < 0x20 || a == 0x7f) {
		return 1;
	}
	if (a == 0xc2 && b >= 0x80 && b < 0xa0) {
		return 2;
	}
	return a == 0xe2 && ((b == 0x80 &&
				     ((c >= 0x8b && c <= 0x8f) || (c >= 0xa8 && c <= 0xae))) ||
				    (b == 0x81 && c >= 0xa6 && c <= 0xa9))
		       ? 3
		       : 0;
}

/* As bash, zsh and ksh read it: $'\x1b'. */
static void add_spelled(struct vy_buf *out, struct vy_str word)
{
	vy_buf_adds(out, "$'");
	while (word.n) {
		size_t n = obeyed(word);

		for (size_t i = 0; i < n; i++) {
			vy_buf_addf(out, "\\x%02x", (unsigned char)word.p[i]);
		}
		if (n == 0) {
			vy_buf_adds(out, word.p[0] == '\'' || word.p[0] == '\\' ? "\\" : "");
			vy_buf_addc(out, word.p[0]);
		}
		word = vy_str_from(word, n ? n : 1);
	}
	vy_buf_addc(out, '\'');
}

static void add_word(struct vy_buf *out, struct vy_str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./+:@%,";
	bool is_plain = word.n > 0;

	for (size_t i = 0; i < word.n; i++) {
		if (obeyed(vy_str_from(word, i))) {
			add_spelled(out, word);
			return;
		}
		is_plain &= strchr(plain, word.p[i]) != NULL;
	}
	if (is_plain) {
		vy_buf_addstr(out, word);
		return;
	}
	vy_buf_addc(out, '\'');
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '\'') {
			vy_buf_adds(out, "'\\''");
		} else {
			vy_buf_addc(out, word.p[i]);
		}
	}
	vy_buf_addc(out, '\'');
}

/* What kind of agent, and by which name it knows the session. */
static struct vy_str of_row(const struct vy_json *record, struct vy_str *id)
{
	bool is_row = vy_json_str(record, "id").n > 0;

	const char *own = vy_json_cstr(record, "agent_session") ? "agent_session" : "session";
	bool is_begun = vy_json_int(record, "messages", 0) > 0 || adopted_from(record).n;

	*id = is_row ? vy_json_str(record, "id") : vy_json_str(record, is_begun ? own : "");
	if (is_row) {
		return vy_json_str(record, "provider");
	}
	return adopted_from(record).n ? adopted_from(record) : vy_json_str(record, "driver");
}

bool adopted_command(const struct vy_json *record, struct vy_buf *out)
{
	struct vy_str id, kind = of_row(record, &id), cwd = vy_json_str(record, "cwd");

	for (size_t i = 0; id.n && i < VY_COUNT(commands); i++) {
		if (!vy_str_is(kind, commands[i].driver)) {
			continue;
		}
		if (cwd.n) {
			vy_buf_adds(out, "cd ");
			add_word(out, cwd);
			vy_buf_adds(out, " && ");
		}
		vy_buf_adds(out, commands[i].command);
		add_word(out, id);
		return true;
	}
	return false;
}
