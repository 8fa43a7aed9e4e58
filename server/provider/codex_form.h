/* codex_form.h -- questions of codex and forms of MCP servers, and the answers to them.
 *
 * A person answers by a question's words; what each of them is at the other end is kept beside:
 * {question: {id, type}}. `keep` gets it, owned. Pure. */
#ifndef PROVIDER_CODEX_FORM_H
#define PROVIDER_CODEX_FORM_H

#include "shared/base/arena.h"
#include "shared/base/json.h"

/* [{header, question, multi, free, options}] of requestUserInput's, and of a JSON schema's. Owned. */
struct vy_json *codex_form_questions(const struct vy_json *questions, struct vy_json **keep);
struct vy_json *codex_form_fields(
	const struct vy_json *schema, struct vy_json **keep, struct vy_arena *a);

/* {ID: {answers: [text]}}; {field: value} in the types of the schema. Unanswered ones are left out. */
struct vy_json *codex_form_answers(const struct vy_json *keep, const struct vy_json *answers);
struct vy_json *codex_form_content(const struct vy_json *keep, const struct vy_json *answers);

#endif
