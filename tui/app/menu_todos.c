/* menu_todos.c -- what the assistant means to do: the newest list it wrote, as it stands now. */
#include "tui/app/menu.h"

#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/model/block.h"
#include "tui/app/state.h"
#include "tui/block/mark.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static void add(struct app_state *s, const struct vy_block_task *t)
{
	static const struct {
		enum block_mark mark;
		enum theme_role role;
	} looks[] = {
		[VY_TASK_DONE] = { MARK_TICKED, THEME_OK },
		[VY_TASK_RUNNING] = { MARK_NOW, THEME_WARN },
		[VY_TASK_PENDING] = { MARK_OPEN, THEME_DIM },
	};
	char *text = vy_memdup0(t->text.p, t->text.n);
	struct picker_item it = { .id = text,
		.mark = mark_look(looks[t->status].mark, s->is_ascii),
		.mark_role = (int)looks[t->status].role,
		.label = text,
		.is_here = t->status == VY_TASK_RUNNING,
		.is_done = t->status == VY_TASK_DONE };

	picker_add(&s->menu.picker, &it);
	free(text);
}

static void list(struct app_state *s)
{
	struct vy_str key = vy_fold_state(s->fold)->todo;
	const struct vy_row *row = key.n ? vy_fold_find(s->fold, key) : NULL;
	struct vy_arena arena = { 0 };
	struct vy_block b = { .kind = VY_BLOCK_TASK };

	picker_clear(&s->menu.picker);
	if (!row || row->kind != VY_ROW_TODO || !row->todo.items.n) {
		return;
	}
	vy_arena_init(&arena);
	vy_block_parse(row->todo.items, &arena, &b);
	for (size_t i = 0; b.kind == VY_BLOCK_TASK && i < b.task.n; i++) {
		add(s, &b.task.items[i]);
	}
	vy_arena_fini(&arena);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	(void)fx;
	list(s);
}

const struct menu_kind menu_todos = {
	.title = N_("Todos"),
	.empty = N_("the assistant keeps no list now"),
	.fill = fill,
	.changed = list,
};
