/* view.c -- see view.h. How one is carried; what there is to be carried is in views.c and files of their own. */
#include "server/hub/view.h"

#include "shared/base/ban.h"

void view_mind(struct view *v, struct access *access, const struct caller *who,
	void (*ready)(void *ctx), void *ready_ctx)
{
	v->pass = access_pass_new(access, who, v->session, ready, ready_ctx);
}

enum view_got view_next(struct view *v, struct vy_buf *out)
{
	return access_ok(v->pass) ? v->ops->next(v->sub, out) : VIEW_CLOSED;
}

int view_code(const struct view *v)
{
	return access_ok(v->pass) ? v->ops->code(v->sub) : HUB_ACCESS_ENDED;
}

void view_end_access(struct view *v)
{
	access_end(v->pass);
}

void view_close(struct view *v)
{
	access_pass_free(v->pass);
	v->pass = NULL;
	v->ops->close(v->sub);
}
