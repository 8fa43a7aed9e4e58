/* pause.c -- see pause.h. */
#include "tui/words/pause.h"

#include <stddef.h>

#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct pause {
	const char *reason, *in_short;
	const char *says; /* NULL: the server says more than we could */
} pauses[] = {
	{ "disk-full", N_("paused: the disk is full"),
		N_("The disk of the server is full. Agents wait and lose nothing; questions and "
		   "interrupts go on. It goes on by itself when there is room.") },
	{ "disk-failed", N_("paused: the disk fails"),
		N_("The disk of the server fails. Agents wait and lose nothing; it is tried again, "
		   "and goes on by itself.") },
	{ "storage-slow", N_("paused: the storage is slow"),
		N_("The storage is slow: another program holds the server's database. Agents wait "
		   "and lose nothing; it goes on by itself.") },
	{ "damaged", N_("read only: the database is damaged"), NULL },
	{ "not-ours", N_("read only: start the server again"), NULL },
};

static const struct pause *find(struct vy_str reason)
{
	for (size_t i = 0; i < sizeof(pauses) / sizeof(*pauses); i++) {
		if (vy_str_is(reason, pauses[i].reason)) {
			return &pauses[i];
		}
	}
	return NULL;
}

struct vy_str words_pause(struct vy_str reason, struct vy_str note)
{
	const struct pause *p = find(reason);

	return p && (p->says || !note.n) ? vy_str_c(_(p->says ? p->says : p->in_short)) : note;
}

const char *words_pause_short(struct vy_str reason)
{
	const struct pause *p = find(reason);

	return p ? _(p->in_short) : _("paused");
}
