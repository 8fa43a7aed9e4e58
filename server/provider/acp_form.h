/* acp_form.h -- elicitation/create: a JSON schema as questions for a person, and back. Pure. */
#ifndef PROVIDER_ACP_FORM_H
#define PROVIDER_ACP_FORM_H

#include "server/provider/acp_state.h"

/* The ask's `questions`; `keep` gets {question: {key, custom, type, values: {label: value}}}. */
struct vy_json *acp_form_questions(
	const struct vy_json *params, struct vy_json **keep, struct vy_arena *a);

/* The form's content from the answers; empty when nothing was answered. Owned by the caller. */
struct vy_json *acp_form_content(const struct vy_json *keep, const struct vy_json *answers);

#endif
