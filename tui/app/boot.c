/* boot.c -- see boot.h. */
#include "tui/app/boot.h"

#include <stdlib.h>
#include <string.h>

#include "tui/net/session.h"
#include "shared/base/ban.h"

static int start_new(struct boot *b, const struct app_options *o, const char *cwd, struct vy_err *e)
{
	struct session_new s = { .provider = o->provider, .model = o->model, .cwd = cwd };
	VY_AUTO_JSON *record = session_start(&b->net, &s, e);

	if (!record) {
		return -1;
	}
	session_id_of(record, b->session);
	memcpy(b->note, s.note, sizeof(b->note));
	return 0;
}

static int choose(struct boot *b, const struct app_options *o, struct vy_err *e)
{
	char *cwd;
	int rc;

	if (o->session) {
		return session_shown(&b->net, o->session, b->session, e);
	}
	cwd = session_folder(o->cwd, e);
	if (!cwd) {
		return -1;
	}
	rc = o->is_new || o->provider ? 0 : session_newest(&b->net, cwd, b->session, e);
	rc = rc == 0 ? start_new(b, o, cwd, e) : rc < 0 ? -1 : 0;
	free(cwd);
	return rc;
}

int boot_up(struct boot *b, const struct app_options *o, struct vy_err *e)
{
	struct contact_conf conf = { .connect = o->connect,
		.socket = o->socket,
		.state_dir = o->state_dir,
		.may_start = true };

	*b = (struct boot){ 0 };
	return contact_open(&b->net, &conf, e) == 0 ? choose(b, o, e) : -1;
}

void boot_fini(struct boot *b)
{
	contact_close(&b->net);
	*b = (struct boot){ 0 };
}
