/* config_keys.h -- what stands in vyred.conf: the sections there are, and each key's kind of value.
 *
 * Knows no file and no lines: a sentence says what was expected, whoever reads the file puts its place
 * before it. Every key has a line in vyred(8). Pure. */
#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H

#include "server/main/config.h"

/* A section begins; one with a name of its own is there from now on, without keys too. VY_BAD_INPUT
 * when there is no such section. */
VY_MUST_USE int config_section(struct config *c, const char *name, struct vy_err *e);

/* One key of a section that has begun ("": of none). */
VY_MUST_USE int config_key(struct config *c, const char *section, const char *key,
	const char *value, struct vy_err *e);

#endif
