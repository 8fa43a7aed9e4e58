/* views.c -- the control plane, a session's frames, its rows and its agent's lines as views (view.h). */
#include "server/hub/view.h"

#include <stdio.h>

#include "server/hub/observe.h"
#include "server/hub/ui.h"
#include "shared/base/ban.h"

/* ---- the control plane ---- */

static enum view_got control_item(void *sub, struct vy_buf *out)
{
	return control_next(sub, out) ? VIEW_ITEM : VIEW_EMPTY;
}

static int control_code(void *sub)
{
	(void)sub;
	return HUB_DONE;
}

static void control_close(void *sub)
{
	control_unsubscribe(sub);
}

static void control_tag(void *sub, struct view_tag *out)
{
	snprintf(out->id, sizeof(out->id), "%lld", (long long)control_at(sub));
}

const struct view_ops view_control = {
	.method = "control.event",
	.is_urgent = true,
	.next = control_item,
	.code = control_code,
	.close = control_close,
	.tag = control_tag,
};

/* ---- a session's frames ---- */

static enum view_got stream_item(void *sub, struct vy_buf *out)
{
	struct hub_item it;

	switch (hub_next(sub, SIZE_MAX, &it)) {
	case HUB_ITEM: break;
	case HUB_CLOSED: return VIEW_CLOSED;
	case HUB_EMPTY:
	case HUB_LARGE:
	default: return VIEW_EMPTY;
	}
	vy_buf_addstr(out, frame_ref_str(it.frame));
	hub_item_done(&it);
	return VIEW_ITEM;
}

static int stream_code(void *sub)
{
	return hub_code(sub);
}

static void stream_close(void *sub)
{
	hub_unsubscribe(sub);
}

const struct view_ops view_stream = {
	.method = "stream.frame",
	.next = stream_item,
	.code = stream_code,
	.close = stream_close,
};

/* ---- a session's rows ---- */

static enum view_got ui_item(void *sub, struct vy_buf *out)
{
	return ui_next(sub, out) ? VIEW_ITEM : ui_code(sub) ? VIEW_CLOSED : VIEW_EMPTY;
}

static int ui_code_of(void *sub)
{
	return ui_code(sub);
}

static void ui_close(void *sub)
{
	ui_unsubscribe(sub);
}

static void ui_tag(void *sub, struct view_tag *out)
{
	out->event = ui_said(sub);
}

const struct view_ops view_ui = {
	.method = "ui.event",
	.next = ui_item,
	.code = ui_code_of,
	.close = ui_close,
	.tag = ui_tag,
};

/* ---- what an agent and vyred say to each other ---- */

static enum view_got observe_item(void *sub, struct vy_buf *out)
{
	return observe_next(sub, out) ? VIEW_ITEM : VIEW_EMPTY;
}

static int observe_code(void *sub)
{
	(void)sub;
	return HUB_DONE;
}

static void observe_close(void *sub)
{
	observe_unsubscribe(sub);
}

static void observe_tag(void *sub, struct view_tag *out)
{
	snprintf(out->id, sizeof(out->id), "%lld", (long long)observe_cursor(sub));
}

static void observe_page(void *sub, struct vy_jw *w)
{
	VY_AUTO_BUF epoch = VY_BUF_INIT(64);

	observe_epoch(sub, &epoch);
	vy_jw_kstr(w, "epoch", vy_buf_str(&epoch));
	vy_jw_kint(w, "next", observe_cursor(sub));
}

const struct view_ops view_observe = {
	.method = "observe.event",
	.next = observe_item,
	.code = observe_code,
	.close = observe_close,
	.tag = observe_tag,
	.page = observe_page,
};
