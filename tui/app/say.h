/* say.h -- for the files of the state: effects, and what enter does with the words. */
#ifndef APP_SAY_H
#define APP_SAY_H

#include "tui/app/state.h"
#include "tui/view/ask_panel.h"

struct app_effect *app_effect(struct app_effects *fx, enum app_effect_kind kind);
/* A call of this session; its parameters, for more of them. Lent. */
struct vy_json *app_call(struct app_state *s, struct app_effects *fx, const char *method);

/* A call whose answer comes back by app_reply(); its parameters, for more of them. Lent. */
struct vy_json *app_query(struct app_effects *fx, const char *method, struct app_tag tag);

void app_next_mode(struct app_state *s, struct app_effects *fx);

/* Enter: sends, answers, runs, remembers or breaks the line, as the text and the place say. */
void app_say(struct app_state *s, struct app_effects *fx);
/* Sends it as a message, whatever it begins with; mode "steer", "queue" or "now". */
void app_say_as(struct app_state *s, const char *mode, struct app_effects *fx);
/* The composer's words are what the chosen answer wanted to hear. */
void app_say_to_ask(struct app_state *s, struct app_effects *fx);
void app_answer(struct app_state *s, const struct ask_answer *a, struct vy_str words,
	struct app_effects *fx);

/* What the composer's text is here: a message, whatever its first sign, while it is meant for an
 * ask or for the queue. */
enum composer_kind app_kind(const struct app_state *s);

/* What became of "#words": said, for nothing else shows it. */
void app_remembered(struct app_state *s, const struct vy_json *result, const struct vy_err *e);

/* Text into the composer, as typed or pasted; a dropped picture's path asks for the picture. */
void app_type(struct app_state *s, struct vy_str text, struct app_effects *fx);
void app_paste(struct app_state *s, struct vy_str text, struct app_effects *fx);

#endif
