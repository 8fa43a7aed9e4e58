/* mark.c -- see mark.h. */
#include "tui/block/mark.h"

#include "shared/base/ban.h"

static const struct {
	const char *utf8, *ascii;
} marks[] = {
#define BLOCK_MARK(name, utf8, ascii) { utf8, ascii },
#include "tui/block/marks.def"
#undef BLOCK_MARK
};

const char *mark_look(enum block_mark m, bool is_plain)
{
	return is_plain ? marks[m].ascii : marks[m].utf8;
}

const char *mark_of(const struct block_sheet *s, enum block_mark m)
{
	return mark_look(m, s->is_plain);
}
