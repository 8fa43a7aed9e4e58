/* tidy.c -- see tidy.h. Tables of places; the first that holds a string is it. */
#include "server/provider/tidy.h"

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define SUMMARY_MAX 200

/* What makes a kind narrower than its `type` (or, of JSON-RPC, its `method`). */
static const char *const narrower[] = { "subtype", "event.type", "request.subtype",
	"response.subtype", "params.update.sessionUpdate" };

/* Where a line has its words, the most telling first. */
static const char *const words[] = {
	"event.delta.text",
	"event.delta.thinking",
	"event.delta.partial_json",
	"event.content_block.name",
	"event.delta.stop_reason",
	"request.tool_name",
	"request.mode",
	"request.model",
	"response.error",
	"response.request_id",
	"result",
	"error.message",
	"params.update.content.text",
	"params.update.title",
	"message.content",
	"status",
	"model",
	"request_id",
};

/* Of one block of a message's content. */
static const char *const block_words[] = { "text", "thinking", "name", "content" };

static struct vy_str first_of(const struct vy_json *v, const char *const *places, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct vy_str s = vy_json_strval(vy_json_path(v, places[i]));

		if (s.n) {
			return s;
		}
	}
	return vy_str_n(NULL, 0);
}

static struct vy_str of_blocks(const struct vy_json *list)
{
	struct vy_str s = { NULL, 0 };

	for (size_t i = 0; i < vy_json_len(list) && s.n == 0; i++) {
		const struct vy_json *block = vy_json_at(list, i);
		const struct vy_json *inner = vy_json_get(block, "content");

		s = first_of(block, block_words, VY_COUNT(block_words));
		if (s.n == 0 && vy_json_type(inner) == VY_JSON_ARR) {
			s = first_of(vy_json_at(inner, 0), block_words, VY_COUNT(block_words));
		}
	}
	return s;
}

static void add_cut(struct vy_buf *out, struct vy_str s)
{
	size_t n = vy_utf8_cut(s, SUMMARY_MAX);

	vy_utf8_visible(vy_str_n(s.p, n), VY_UTF8_LINE, out);
	vy_buf_adds(out, n < s.n ? "…" : NULL);
}

void tidy_line(
	const struct vy_json *v, struct vy_str line, struct vy_buf *kind, struct vy_buf *summary)
{
	struct vy_str type = vy_json_str(v, "type"), s;

	if (vy_json_type(v) != VY_JSON_OBJ) {
		vy_buf_adds(kind, "text");
		add_cut(summary, line);
		return;
	}
	type = type.n ? type : vy_json_str(v, "method");
	add_cut(kind, type.n ? type : VY_STR_LIT("json"));
	s = first_of(v, narrower, VY_COUNT(narrower));
	if (s.n) {
		vy_buf_addc(kind, '/');
		add_cut(kind, s);
	}
	s = of_blocks(vy_json_path(v, "message.content"));
	add_cut(summary, s.n ? s : first_of(v, words, VY_COUNT(words)));
}
