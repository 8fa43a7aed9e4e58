/* demo_play.c -- the demo's messages: words in pieces, calls, and the steps of a script. */
#include <string.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

static const char *const words[] = { "alpha", "bravo", "charlie", "delta", "echo", "foxtrot",
	"golf", "hotel", "india", "juliett", "kilo", "lima", "mike", "november", "oscar", "papa",
	"quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey", "xray", "yankee",
	"zulu" };

static const char sample[] =
	"# A sample\n\nSome *emphasis*, some **strong** text and `code` in a line.\n\n"
	"- first\n- second\n  - nested\n\n| name | value |\n|------|-------|\n| one | 1 |\n| 二 | "
	"2 |\n\n"
	"```c\nint main(void)\n{\n\treturn 0;\n}\n```\n\n> A quote, and a "
	"[link](https://example.invalid/).\n";

/* ---- a message ---- */

void demo_message_begin(struct demo *d, const struct demo_where *w, struct demo_message *m)
{
	m->w = w;
	m->index = 0;
	m->id = vy_arena_printf(&d->arena, "msg-%s-%lld", d->life, (long long)++d->next_message);
	if (!w->parent) {
		demo_out_status(w, "requesting");
		demo_out_message_start(w, m->id);
	}
}

void demo_message_end(struct demo *d, struct demo_message *m, const char *stop_reason)
{
	d->usage.total_input += 100;
	d->usage.input += 100;
	if (!m->w->parent) {
		demo_out_message_end(m->w, stop_reason, &d->usage);
	}
}

void demo_message_said(
	struct demo *d, struct demo_message *m, bool is_thought, struct vy_str whole, bool goes_on)
{
	bool is_main = !m->w->parent;

	d->usage.output += (int64_t)(whole.n + 3) / 4;
	d->usage.total_output += (int64_t)(whole.n + 3) / 4;
	if (whole.n) {
		demo_out_words(m->w, m->id, is_thought, whole, !goes_on);
	}
	if (!goes_on && is_main) {
		demo_out_interrupted(m->w, false);
	}
	if (is_main) {
		demo_out_block_stop(m->w, m->index);
	}
	m->index++;
}

bool demo_message_words(struct demo *d, struct demo_message *m, bool is_thought,
	const struct vy_str *pieces, size_t n, int64_t delay)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(VY_LINE_MAX);
	bool is_main = !m->w->parent, goes_on = !demo_is_cut(d);

	if (is_main) {
		demo_out_block_start(m->w, m->index, is_thought ? "thinking" : "text");
	}
	for (size_t i = 0; i < n && goes_on; i++) {
		vy_buf_addstr(&whole, pieces[i]);
		if (is_main) {
			demo_out_delta(m->w, m->index, is_thought, pieces[i]);
		}
		goes_on = demo_pause(d, delay);
	}
	demo_message_said(d, m, is_thought, vy_buf_str(&whole), goes_on);
	return goes_on;
}

struct demo_call demo_message_call(
	struct demo *d, struct demo_message *m, const char *name, struct vy_json *own_input)
{
	struct demo_call call = { .name = name, .input = own_input };

	call.id = vy_arena_printf(&d->arena, "call-%s-%lld", d->life, (long long)++d->next_call);
	if (!m->w->parent) {
		demo_out_block_start(m->w, m->index, "tool_use");
	}
	demo_out_call(m->w, m->id, call.id, name, own_input);
	if (!m->w->parent) {
		demo_out_block_stop(m->w, m->index);
	}
	m->index++;
	return call;
}

/* ---- words in pieces ---- */

const char *demo_word(int64_t i)
{
	return words[i % (int64_t)VY_COUNT(words)];
}

struct vy_str *demo_pieces(struct demo *d, struct vy_str text, size_t *n)
{
	size_t max = 1, count = 0;

	for (size_t i = 0; i < text.n; i++) {
		max += text.p[i] == ' ' || text.p[i] == '\n';
	}
	struct vy_str *v = vy_arena_calloc(&d->arena, max, sizeof(*v));

	while (text.n) {
		size_t end = 0;

		while (end < text.n && text.p[end] != ' ' && text.p[end] != '\n') {
			end++;
		}
		while (end < text.n && (text.p[end] == ' ' || text.p[end] == '\n')) {
			end++;
		}
		v[count++] = vy_str_n(text.p, end);
		text = vy_str_from(text, end);
	}
	*n = count;
	return v;
}

/* n of the words above, `per` of them in a piece. */
static struct vy_str *counted(struct demo *d, int64_t n, int64_t per, size_t *count)
{
	size_t pieces = (size_t)((n + per - 1) / per);
	struct vy_str *v = vy_arena_calloc(&d->arena, pieces + 1, sizeof(*v));
	int64_t at = 0;

	for (*count = 0; at < n; (*count)++) {
		VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_TEXT_MAX);

		for (int64_t i = 0; i < per && at < n; i++, at++) {
			vy_buf_adds(&b, demo_word(at));
			vy_buf_addc(&b, ' ');
		}
		v[*count] = vy_arena_str(&d->arena, vy_buf_str(&b));
	}
	return v;
}

static struct vy_str *same_size(struct demo *d, struct vy_str text, size_t size, size_t *n)
{
	struct vy_str *v = vy_arena_calloc(&d->arena, text.n / size * 2 + 2, sizeof(*v));

	for (*n = 0; text.n; (*n)++) {
		size_t cut = text.n <= size ? text.n : vy_utf8_cut(text, size);

		v[*n] = vy_str_n(text.p, cut ? cut : size);
		text = vy_str_from(text, v[*n].n);
	}
	return v;
}

static struct vy_str repeated(struct demo *d, char ch, size_t n)
{
	char *p = vy_arena_alloc(&d->arena, n + 1);

	memset(p, ch, n);
	return vy_str_n(p, n);
}

static int64_t number(struct vy_str arg, int64_t none, int64_t max)
{
	int64_t n = (int64_t)script_number(arg, (double)none);

	return n > max ? max : n > 0 ? n : none;
}

/* ---- steps that speak ---- */

static bool thought(
	struct demo *d, struct demo_message *m, const struct script_step *s, int64_t delay)
{
	size_t n;
	struct vy_str *v = counted(d, number(s->arg, 8, 100000), 1, &n);
	struct vy_str after = VY_STR_LIT("I thought about it.");

	return demo_message_words(d, m, true, v, n, delay) &&
	       demo_message_words(d, m, false, &after, 1, 0);
}

static bool speak(struct demo *d, struct demo_message *m, const struct script_step *s)
{
	int64_t delay = s->delay_ms >= 0 ? s->delay_ms : d->is_fast ? 0 : DEMO_DELAY_MS;
	struct vy_str *v = NULL, one = s->arg;
	size_t n = 0;

	switch (s->verb) {
	case SCRIPT_THINK: return thought(d, m, s, delay);
	case SCRIPT_SAY:
		v = counted(d, number(s->arg, 10, 1000000), s->words > 0 ? s->words : 1, &n);
		break;
	case SCRIPT_SLOW:
		v = counted(d, (int64_t)(script_number(s->arg, 5) * 5 + 0.999), 1, &n);
		delay = s->delay_ms >= 0 ? s->delay_ms : 200;
		break;
	case SCRIPT_PACE:
		return demo_pace(d, m, number(s->arg, 100, 1000000), s->rate > 0 ? s->rate : 100);
	case SCRIPT_MARKDOWN: v = same_size(d, vy_str_c(sample), 12, &n); break;
	case SCRIPT_BIG:
		one = repeated(d, 'x', (size_t)number(s->arg, 0, 16 * VY_MIB));
		v = same_size(d, one, 4096, &n);
		delay = 0;
		break;
	case SCRIPT_RECALL:
		one = vy_str_c(demo_past_told(d));
		v = &one;
		n = one.n > 0;
		break;
	case SCRIPT_SPEND:
		d->usage.cost += script_number(s->arg, 0);
		one = vy_str_c(vy_arena_printf(&d->arena, "spent %g", d->usage.cost));
		v = &one;
		n = 1;
		break;
	case SCRIPT_IMAGES:
		one = vy_str_c(vy_arena_printf(&d->arena, "images: %lld", (long long)d->images));
		v = &one;
		n = 1;
		break;
	default: /* echo */
		v = &one;
		n = one.n > 0;
		break;
	}
	return demo_message_words(d, m, false, v, n, delay);
}

bool demo_say(struct demo *d, const struct demo_where *w, struct vy_str text, int64_t delay)
{
	struct demo_message m;
	size_t n = 1;
	struct vy_str *v = delay < 0 ? &text : demo_pieces(d, text, &n);

	demo_message_begin(d, w, &m);
	bool goes_on = demo_message_words(d, &m, false, v, n, delay);

	demo_message_end(d, &m, "end_turn");
	return goes_on;
}

/* ---- steps that end oddly ---- */

static bool hang(struct demo *d, const struct script_step *s)
{
	double seconds = script_number(s->arg, 3600);

	return demo_pause(d, (int64_t)(seconds * 1000));
}

/* Half a text, then the connection is cut: the message is made again under another id. */
static bool drop(struct demo *d, const struct demo_where *w, struct demo_message *m)
{
	struct vy_str half = VY_STR_LIT("half a sent");

	demo_out_block_start(w, m->index, "text");
	demo_out_delta(w, m->index, false, half);
	demo_out_block_stop(w, m->index);
	demo_out_retry(w, 0, 1, 1, 100);
	bool goes_on = demo_pause(d, d->is_fast ? 0 : 100);

	demo_message_begin(d, w, m);
	return goes_on && demo_message_words(d, m, false, &half, 1, 0);
}

static int failures(struct demo *d, struct vy_str key)
{
	const char *k = vy_arena_dup(&d->arena, key.p, key.n);
	int n = (int)vy_json_int(d->failures, k, 0) + 1;

	vy_json_set_int(d->failures, k, n);
	return n;
}

/* err:STATUS[*TIMES]: tried twice more, as long as it fails. */
static bool fail_(struct demo *d, const struct demo_where *w, struct demo_message *m,
	const struct script_step *s, bool *is_given_up)
{
	struct vy_str rest = s->arg;
	int64_t status = number(script_until(&rest, '*'), 500, 999);
	int64_t times = rest.n ? number(rest, 1, 1000000) : INT64_MAX;
	int64_t delay = s->retry_s >= 0 ? (int64_t)(s->retry_s * 1000) : d->is_fast ? 0 : 100;

	for (int attempt = 1; attempt <= 3; attempt++) {
		if (failures(d, s->arg) > times) {
			struct vy_str ok = vy_str_c(vy_arena_printf(
				&d->arena, "recovered after %lld", (long long)times));

			return demo_message_words(d, m, false, &ok, 1, 0);
		}
		if (attempt < 3) {
			demo_out_retry(w, status, attempt, 2, delay);
			if (!demo_pause(d, delay)) {
				return false;
			}
			demo_message_begin(d, w, m);
		}
	}
	d->api_status = status;
	*is_given_up = true;
	return false;
}

/* ---- a message of a script ---- */

static bool run_calls(
	struct demo *d, const struct demo_where *w, struct demo_calls *c, struct demo_done *last)
{
	bool goes_on = true;

	for (size_t i = 0; i < c->n; i++) {
		goes_on = goes_on && demo_call(d, w, &c->v[i], last);
		if (!goes_on && i + 1 < c->n) {
			demo_out_tool_result(w, c->v[i + 1].id,
				VY_STR_LIT("The user doesn't want to proceed with this tool use."),
				true, true, NULL);
		}
	}
	if (!goes_on && !w->parent) {
		demo_out_interrupted(w, true);
	}
	return goes_on;
}

/* The step that is no speech: it ends the message. */
static bool last_step(
	struct demo *d, struct demo_message *m, const struct script_step *s, struct demo_calls *c)
{
	bool is_given_up = false;

	switch (s->verb) {
	case SCRIPT_HANG: return hang(d, s);
	case SCRIPT_DROP: return drop(d, m->w, m);
	case SCRIPT_ERR: return fail_(d, m->w, m, s, &is_given_up);
	case SCRIPT_MAXTOKENS: {
		struct vy_str t = VY_STR_LIT("this text was cut");

		return demo_message_words(d, m, false, &t, 1, 0);
	}
	case SCRIPT_REFUSE: d->api_status = -1; return false;
	default: demo_calls_add(d, m, s, c); return !demo_is_cut(d);
	}
}

/* One message: the steps up to the first that is no speech. false: the turn is over, cut or
 * failed (d->api_status). */
static bool play_message(struct demo *d, const struct demo_where *w, const struct script *s,
	size_t *at, struct demo_done *last, size_t *n_calls)
{
	struct demo_message m;
	struct demo_calls c = { .n = 0 };
	bool goes_on = true, is_last = false;

	if (d->limit > 0) {
		demo_out_limit(w, d->limit, d->limit_after <= 0);
		if (d->limit_after-- <= 0) {
			d->api_status = 429;
			return false;
		}
	}
	demo_message_begin(d, w, &m);
	while (goes_on && !is_last && *at < s->n) {
		const struct script_step *step = &s->steps[(*at)++];

		is_last = !script_is_speech(step->verb);
		goes_on = is_last ? last_step(d, &m, step, &c) : speak(d, &m, step);
	}
	*n_calls = c.n;
	demo_message_end(d, &m, c.n ? "tool_use" : "end_turn");
	goes_on = goes_on && run_calls(d, w, &c, last);
	for (size_t i = 0; i < c.n; i++) {
		vy_json_free(c.v[i].input);
	}
	return goes_on;
}

/* ---- the script ---- */

bool demo_boundary(struct demo *d)
{
	struct demo_said *s;
	bool is_new = false;

	while ((s = demo_steer(d)) != NULL) {
		struct script own;

		demo_past_word(d, vy_str_c(s->uuid), s->text);
		demo_life(d, s->uuid, "started");
		vy_json_add_take(d->turn_uuids, vy_json_new_str(vy_str_c(s->uuid)));
		char *text = vy_arena_dup(
			&d->arena, s->text ? s->text : "", s->text ? strlen(s->text) : 0);

		if (script_parse(vy_str_c(text), &d->arena, &own)) {
			d->script = own;
			d->at = 0;
			d->images = s->images;
			is_new = true;
		}
		demo_said_del(d, s);
	}
	d->has_new_script |= is_new;
	return is_new;
}

static bool say_done(
	struct demo *d, const struct demo_where *w, size_t n_calls, const struct demo_done *last)
{
	struct vy_str tail = last->text;

	tail.n = tail.n > 60 ? vy_utf8_cut(tail, 60) : tail.n;
	return demo_say(d, w,
		vy_str_c(vy_arena_printf(
			&d->arena, "done: %zu tool result(s): %.*s", n_calls, VY_STR_ARG(tail))),
		-1);
}

bool demo_play(struct demo *d, const struct demo_where *w, const struct script *own)
{
	struct demo_done last = { .text = { NULL, 0 } };
	size_t own_at = 0, n_calls = 0;

	if (own) {
		while (own_at < own->n) {
			if (!play_message(d, w, own, &own_at, &last, &n_calls)) {
				return false;
			}
		}
		return !n_calls || say_done(d, w, n_calls, &last);
	}
	while (d->at < d->script.n) {
		struct script now = d->script;
		size_t at = d->at;

		if (!play_message(d, w, &now, &at, &last, &n_calls)) {
			return false;
		}
		d->at = at;
		if (n_calls && d->wants_now) {
			return false;
		}
		if (n_calls) {
			demo_boundary(d);
		}
	}
	return !n_calls || say_done(d, w, n_calls, &last);
}
