/* export.c -- see export.h. One writer a format, each of three functions; the table is at the end. */
#include "shared/model/export.h"

#include "shared/base/jw.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define DAY_S     86400LL
#define MARCH_1_0 719468LL /* days from 1 March of the year 0 to 1970 */
#define ERA_DAYS  146097LL /* 400 years */

/* "2026-11-30 11:31 UTC": a document says the same to everybody. Years begin in March here, so the
 * day that some lack is the last. */
static void add_time(int64_t ms, struct vy_buf *out)
{
	int64_t s = ms > 0 ? ms / 1000 : 0, days = s / DAY_S + MARCH_1_0, minute = s % DAY_S / 60;
	int64_t era = days / ERA_DAYS, in_era = days % ERA_DAYS;
	int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int64_t day = in_era - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;

	day -= (153 * month + 2) / 5 - 1;
	month = month < 10 ? month + 3 : month - 9;
	year += era * 400 + (month <= 2);
	vy_buf_addf(out, "%04d-%02d-%02d %02d:%02d UTC", (int)year, (int)month, (int)day,
		(int)(minute / 60), (int)(minute % 60));
}

/* Fit for an eye; without lines it is one. */
static void add_seen(struct vy_str s, bool lines, struct vy_buf *out)
{
	vy_utf8_visible(s, lines ? VY_UTF8_PROSE : VY_UTF8_LINE, out);
}

/* ---- Markdown ---- */

/* As code that its own backticks cannot end. */
static void md_code(struct vy_str s, struct vy_buf *out)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(s.n * 8 + 16);
	size_t most = 0, run = 0;

	add_seen(s, false, &seen);
	for (size_t i = 0; i < seen.len; i++) {
		run = seen.data[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	for (size_t i = 0; i <= most; i++) {
		vy_buf_addc(out, '`');
	}
	vy_buf_addf(out, "%s%s%s", most ? " " : "", vy_buf_c(&seen), most ? " " : "");
	for (size_t i = 0; i <= most; i++) {
		vy_buf_addc(out, '`');
	}
}

/* Every line behind "> ", so nothing in it can begin something of the document's. */
static void md_quote(struct vy_str s, struct vy_buf *out)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(s.n * 8 + 16);
	struct vy_str rest;

	add_seen(s, true, &seen);
	rest = vy_buf_str(&seen);
	do {
		const char *nl = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
		size_t n = nl ? (size_t)(nl - rest.p) : rest.n;

		vy_buf_adds(out, "> ");
		vy_buf_addstr(out, vy_str_n(rest.p, n));
		vy_buf_addc(out, '\n');
		rest = vy_str_from(rest, n + (nl != NULL));
	} while (rest.n);
	vy_buf_addc(out, '\n');
}

static void md_begin(const struct vy_export_head *h, struct vy_buf *out)
{
	vy_buf_adds(out, "# ");
	md_code(h->title.n ? h->title : h->session, out);
	vy_buf_adds(out, "\n\n");
	md_code(h->provider, out);
	if (h->model.n) {
		vy_buf_adds(out, " · ");
		md_code(h->model, out);
	}
	vy_buf_adds(out, " · ");
	add_time(h->created, out);
	vy_buf_adds(out, "\n\n");
}

static void md_heading(const struct vy_export_item *it, struct vy_buf *out)
{
	vy_buf_adds(out, it->parent.n ? "### " : "## ");
	md_code(it->author, out);
	vy_buf_adds(out, " · ");
	add_time(it->time, out);
	vy_buf_adds(out, "\n\n");
}

static void md_item(const struct vy_export_item *it, struct vy_buf *out)
{
	if (it->kind == VY_EXPORT_TOOL) {
		vy_buf_adds(out, "- ");
		md_code(it->name, out);
		vy_buf_addc(out, ' ');
		md_code(it->text, out);
		vy_buf_adds(out, " (");
		md_code(it->status, out);
		vy_buf_adds(out, ")\n\n");
		return;
	}
	md_heading(it, out);
	if (it->kind == VY_EXPORT_USER) {
		md_quote(it->text, out);
		vy_buf_adds(out, it->is_cut ? "> […]\n\n" : "");
		return;
	}
	for (size_t i = 0; i < it->said->n_blocks; i++) {
		const struct vy_settled_block *b = &it->said->blocks[i];

		if (b->is_reasoning) {
			md_quote(b->text, out);
		} else {
			add_seen(b->text, true, out);
			vy_buf_adds(out, "\n\n");
		}
	}
	if (it->said->reason.n) {
		vy_buf_adds(out, "*[");
		md_code(it->said->reason, out);
		vy_buf_adds(out, "]*\n\n");
	}
}

/* ---- HTML ---- */

static void html_text(struct vy_str s, bool lines, struct vy_buf *out)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(s.n * 8 + 16);

	add_seen(s, lines, &seen);
	for (size_t i = 0; i < seen.len; i++) {
		switch (seen.data[i]) {
		case '<': vy_buf_adds(out, "&lt;"); break;
		case '>': vy_buf_adds(out, "&gt;"); break;
		case '&': vy_buf_adds(out, "&amp;"); break;
		case '"': vy_buf_adds(out, "&quot;"); break;
		case '\'': vy_buf_adds(out, "&#39;"); break;
		default: vy_buf_addc(out, seen.data[i]); break;
		}
	}
}

static void html_begin(const struct vy_export_head *h, struct vy_buf *out)
{
	vy_buf_adds(out, "<!doctype html>\n<html><head><meta charset=\"utf-8\">\n"
			 "<meta http-equiv=\"Content-Security-Policy\""
			 " content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	html_text(h->title.n ? h->title : h->session, false, out);
	vy_buf_adds(out,
		"</title>\n<style>\n"
		":root{color-scheme:light dark}\n"
		"body{font:16px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;"
		"padding:0 1em}\n"
		"h1{font-size:1.3em}\n"
		".by{font-size:.8em;opacity:.65;margin-top:1.6em}\n"
		".text{white-space:pre-wrap;overflow-wrap:anywhere}\n"
		".user{border-left:3px solid #888;padding-left:.8em}\n"
		".sub{margin-left:2em}\n"
		".thinking{opacity:.65;font-style:italic}\n"
		".tool{font:13px/1.5 ui-monospace,monospace;opacity:.8;overflow-wrap:anywhere}\n"
		".cut{opacity:.65}\n"
		"</style></head><body>\n<h1>");
	html_text(h->title.n ? h->title : h->session, false, out);
	vy_buf_adds(out, "</h1>\n<div class=\"by\">");
	html_text(h->provider, false, out);
	if (h->model.n) {
		vy_buf_adds(out, " · ");
		html_text(h->model, false, out);
	}
	vy_buf_adds(out, " · ");
	add_time(h->created, out);
	vy_buf_adds(out, "</div>\n");
}

static void html_block(const char *class, struct vy_str text, struct vy_buf *out)
{
	vy_buf_addf(out, "<div class=\"text%s\">", class);
	html_text(text, true, out);
	vy_buf_adds(out, "</div>\n");
}

static void html_said(const struct vy_settlement *s, struct vy_buf *out)
{
	for (size_t i = 0; i < s->n_blocks; i++) {
		html_block(s->blocks[i].is_reasoning ? " thinking" : "", s->blocks[i].text, out);
	}
	if (s->reason.n) {
		vy_buf_adds(out, "<div class=\"cut\">[");
		html_text(s->reason, false, out);
		vy_buf_adds(out, "]</div>\n");
	}
}

static void html_item(const struct vy_export_item *it, struct vy_buf *out)
{
	vy_buf_adds(out, it->parent.n ? "<div class=\"sub\">\n" : "<div>\n");
	if (it->kind == VY_EXPORT_TOOL) {
		vy_buf_adds(out, "<div class=\"tool\">");
		html_text(it->name, false, out);
		vy_buf_addc(out, ' ');
		html_text(it->text, false, out);
		vy_buf_adds(out, " (");
		html_text(it->status, false, out);
		vy_buf_adds(out, ")</div>\n");
	} else {
		vy_buf_adds(out, "<div class=\"by\">");
		html_text(it->author, false, out);
		vy_buf_adds(out, " · ");
		add_time(it->time, out);
		vy_buf_adds(out, "</div>\n");
	}
	if (it->kind == VY_EXPORT_USER) {
		html_block(" user", it->text, out);
		vy_buf_adds(out, it->is_cut ? "<div class=\"cut\">[…]</div>\n" : "");
	} else if (it->kind == VY_EXPORT_ASSISTANT) {
		html_said(it->said, out);
	}
	vy_buf_adds(out, "</div>\n");
}

static void html_end(struct vy_buf *out)
{
	vy_buf_adds(out, "</body></html>\n");
}

/* ---- JSON lines ---- */

static void json_if(const char *key, struct vy_str s, struct vy_jw *w)
{
	if (s.n) {
		vy_jw_kstr(w, key, s);
	}
}

static void json_begin(const struct vy_export_head *h, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "kind", VY_STR_LIT("session"));
	vy_jw_kstr(&w, "session", h->session);
	vy_jw_kstr(&w, "title", h->title);
	vy_jw_kstr(&w, "provider", h->provider);
	json_if("model", h->model, &w);
	vy_jw_kint(&w, "created", h->created);
	vy_jw_end_obj(&w);
	vy_buf_addc(out, '\n');
}

static void json_said(const struct vy_settlement *s, struct vy_jw *w)
{
	vy_jw_key(w, "blocks");
	vy_jw_arr(w);
	for (size_t i = 0; i < s->n_blocks; i++) {
		vy_jw_obj(w);
		vy_jw_kstr(w, "kind",
			s->blocks[i].is_reasoning ? VY_STR_LIT("reasoning") : VY_STR_LIT("text"));
		vy_jw_kstr(w, "text", s->blocks[i].text);
		vy_jw_end_obj(w);
	}
	vy_jw_end_arr(w);
	json_if("reason", s->reason, w);
}

static void json_item(const struct vy_export_item *it, struct vy_buf *out)
{
	static const struct vy_str kinds[] = { [VY_EXPORT_USER] = VY_STR_LIT("user"),
		[VY_EXPORT_ASSISTANT] = VY_STR_LIT("assistant"),
		[VY_EXPORT_TOOL] = VY_STR_LIT("tool") };
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "kind", kinds[it->kind]);
	vy_jw_kint(&w, "time", it->time);
	json_if("message", it->message, &w);
	json_if("author", it->author, &w);
	json_if("parent", it->parent, &w);
	if (it->kind == VY_EXPORT_USER) {
		vy_jw_kstr(&w, "text", it->text);
		if (it->is_cut) {
			vy_jw_kbool(&w, "more", true);
		}
	} else if (it->kind == VY_EXPORT_TOOL) {
		vy_jw_kstr(&w, "name", it->name);
		vy_jw_kstr(&w, "summary", it->text);
		vy_jw_kstr(&w, "status", it->status);
	} else {
		json_said(it->said, &w);
	}
	vy_jw_end_obj(&w);
	vy_buf_addc(out, '\n');
}

/* ---- the table ---- */

static void no_end(struct vy_buf *out)
{
	(void)out;
}

static const struct {
	const char *word, *mime;
	void (*begin)(const struct vy_export_head *h, struct vy_buf *out);
	void (*item)(const struct vy_export_item *it, struct vy_buf *out);
	void (*end)(struct vy_buf *out);
} formats[] = {
	[VY_EXPORT_MD] = { "md", "text/markdown", md_begin, md_item, no_end },
	[VY_EXPORT_JSONL] = { "jsonl", "application/jsonl", json_begin, json_item, no_end },
	[VY_EXPORT_HTML] = { "html", "text/html", html_begin, html_item, html_end },
};

bool vy_export_parse(struct vy_str word, enum vy_export_format *out)
{
	for (size_t i = 0; i < VY_COUNT(formats); i++) {
		if (vy_str_is(word, formats[i].word)) {
			*out = (enum vy_export_format)i;
			return true;
		}
	}
	return false;
}

const char *vy_export_word(enum vy_export_format f)
{
	return formats[f].word;
}

const char *vy_export_mime(enum vy_export_format f)
{
	return formats[f].mime;
}

void vy_export_begin(enum vy_export_format f, const struct vy_export_head *head, struct vy_buf *out)
{
	formats[f].begin(head, out);
}

void vy_export_item(enum vy_export_format f, const struct vy_export_item *it, struct vy_buf *out)
{
	formats[f].item(it, out);
}

void vy_export_end(enum vy_export_format f, struct vy_buf *out)
{
	formats[f].end(out);
}
