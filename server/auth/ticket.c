/* ticket.c -- see ticket.h.
 *
 * A plain array: the table is small, tickets live seconds, and going through all of it is what
 * makes the comparison constant. */
#include "server/auth/ticket.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct entry {
	uint8_t digest[VY_SHA256_LEN];
	int64_t due_ms; /* on the boot clock */
	struct ticket_grant grant;
};

struct ticket_table {
	const struct vy_clock *clock;
	struct entry *entries;
	size_t n, cap;
};

struct ticket_table *ticket_table_new(const struct vy_clock *clock)
{
	struct ticket_table *t = VY_NEW(struct ticket_table);

	t->clock = clock;
	return t;
}

void ticket_table_free(struct ticket_table *t)
{
	if (t) {
		if (t->entries) {
			vy_wipe(t->entries, t->cap * sizeof(*t->entries));
		}
		free(t->entries);
		free(t);
	}
}

static void drop(struct ticket_table *t, size_t i)
{
	t->entries[i] = t->entries[--t->n];
	vy_wipe(&t->entries[t->n], sizeof(t->entries[t->n]));
}

static void drop_old(struct ticket_table *t, int64_t now)
{
	for (size_t i = t->n; i-- > 0;) {
		if (t->entries[i].due_ms <= now) {
			drop(t, i);
		}
	}
}

int ticket_issue(struct ticket_table *t, const struct ticket_grant *grant, char out[TICKET_LEN + 1],
	struct vy_err *e)
{
	int64_t now = vy_boot_ms(t->clock);
	struct entry *new;

	drop_old(t, now);
	if (t->n == TICKET_TABLE) {
		return vy_fail(e, VY_BUSY,
			"%d tickets wait to be used; open the streams you asked for, or try again "
			"in a "
			"few seconds",
			TICKET_TABLE);
	}
	t->entries = vy_grow(t->entries, &t->cap, t->n + 1, sizeof(*t->entries));
	new = &t->entries[t->n++];
	vy_random_id(32, out);
	vy_sha256(out, TICKET_LEN, new->digest);
	new->due_ms = now + VY_TICKET_LIFE_MS;
	new->grant = *grant;
	return 0;
}

/* Index of the ticket, or t->n. Looks at every entry, whatever it finds. */
static size_t find(const struct ticket_table *t, struct vy_str ticket)
{
	uint8_t digest[VY_SHA256_LEN];
	size_t found = t->n;

	vy_sha256(ticket.p, ticket.n, digest);
	for (size_t i = 0; i < t->n; i++) {
		if (vy_equal_ct(t->entries[i].digest, digest, sizeof(digest))) {
			found = i;
		}
	}
	return found;
}

int ticket_redeem(struct ticket_table *t, struct vy_str ticket, const struct caller *who,
	struct ticket_grant *out, struct vy_err *e)
{
	size_t i = find(t, ticket);
	int64_t due;

	if (i == t->n) {
		return vy_fail(
			e, VY_DENIED, "this ticket is not known; each opens one stream, once");
	}
	due = t->entries[i].due_ms;
	*out = t->entries[i].grant;
	drop(t, i);
	if (due <= vy_boot_ms(t->clock)) {
		return vy_fail(e, VY_DENIED, "this ticket was too old");
	}
	if (who && !caller_same(who, &out->caller)) {
		return vy_fail(e, VY_DENIED, "this ticket was made for another caller");
	}
	return 0;
}
