/* claude_todo.c -- see claude_todo.h. */
#include "server/provider/claude_todo.h"

#include "server/provider/brief.h"
#include "shared/base/ban.h"

#define TODOS_MAX 200
#define TEXT_MAX  400

static const char *const status_words[] = { "pending", "running", "done" };

static int64_t status_of(struct vy_str word)
{
	return vy_str_is(word, "completed") ? 2 : vy_str_is(word, "in_progress") ? 1 : 0;
}

static struct claude_todo *find(struct claude *c, struct vy_str id)
{
	for (size_t i = 0; i < c->todos.n; i++) {
		if (vy_str_eq(fields_str(c->todos.v[i].id), id)) {
			return &c->todos.v[i];
		}
	}
	return NULL;
}

static void add(struct claude *c, struct vy_str id, struct vy_str text, struct vy_str status)
{
	if (c->todos.n >= TODOS_MAX) {
		return;
	}
	struct claude_todo *t = fields_list_add(&c->todos, &claude_todo_set);

	fields_str_set(&t->id, id);
	fields_str_set(&t->text, brief_cut(text, TEXT_MAX));
	t->status = status_of(status);
}

static void replace(struct claude *c, const struct vy_json *list, const char *text_key)
{
	fields_list_clear(&c->todos, &claude_todo_set);
	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *t = vy_json_at(list, i);

		add(c, vy_json_str(t, "id"), vy_json_str(t, text_key), vy_json_str(t, "status"));
	}
}

static void update(struct claude *c, const struct vy_json *input)
{
	struct claude_todo *t = find(c, vy_json_str(input, "taskId"));
	struct vy_str status = vy_json_str(input, "status");
	struct vy_str subject = vy_json_str(input, "subject");

	if (!t) {
		return;
	}
	if (vy_str_is(status, "deleted")) {
		fields_list_del(&c->todos, &claude_todo_set, (size_t)(t - c->todos.v));
		return;
	}
	if (status.n) {
		t->status = status_of(status);
	}
	if (subject.n) {
		fields_str_set(&t->text, brief_cut(subject, TEXT_MAX));
	}
}

bool claude_todo_fold(struct claude *c, struct vy_str tool, const struct vy_json *input,
	const struct vy_json *twin)
{
	if (vy_str_is(tool, "TodoWrite") && vy_json_get(twin, "newTodos")) {
		replace(c, vy_json_get(twin, "newTodos"), "content");
	} else if (vy_str_is(tool, "TaskList") && vy_json_get(twin, "tasks")) {
		replace(c, vy_json_get(twin, "tasks"), "subject");
	} else if (vy_str_is(tool, "TaskCreate") && vy_json_get(twin, "task")) {
		const struct vy_json *t = vy_json_get(twin, "task");

		add(c, vy_json_str(t, "id"), vy_json_str(t, "subject"), VY_STR_LIT("pending"));
	} else if (vy_str_is(tool, "TaskUpdate") && vy_json_bool(twin, "success", false)) {
		update(c, input);
	} else {
		return false;
	}
	return true;
}

struct vy_json *claude_todo_block(const struct claude *c)
{
	struct vy_json *b = vy_json_new_obj(), *items = vy_json_new_arr();

	vy_json_set_c(b, "type", "task");
	for (size_t i = 0; i < c->todos.n; i++) {
		const struct claude_todo *t = &c->todos.v[i];
		struct vy_json *item = vy_json_new_obj();

		vy_json_set_str(item, "text", fields_str(t->text));
		vy_json_set_c(item, "status",
			status_words[t->status >= 0 && t->status <= 2 ? t->status : 0]);
		vy_json_add_take(items, item);
	}
	vy_json_take(b, "items", items);
	return b;
}
