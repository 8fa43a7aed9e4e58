/* hilite.c -- see hilite.h: the doors of the highlighter. */
#include "shared/text/hilite.h"

#include "shared/text/hilite_lang.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

const struct vy_hilite_lang *vy_hilite_lang(struct vy_str name)
{
	for (size_t i = 0; vy_hl_langs[i]; i++) {
		if (vy_hl_lists(vy_hl_langs[i]->aliases, name)) {
			return vy_hl_langs[i];
		}
	}
	return NULL;
}

const struct vy_hilite_lang *vy_hilite_lang_of_path(struct vy_str path)
{
	size_t from = path.n;

	while (from > 0 && path.p[from - 1] != '/') {
		from--;
	}
	struct vy_str file = vy_str_from(path, from);
	size_t dot = file.n;

	for (size_t i = 0; vy_hl_langs[i]; i++) {
		if (vy_hl_lists(vy_hl_langs[i]->files, file)) {
			return vy_hl_langs[i];
		}
	}
	while (dot > 0 && file.p[dot - 1] != '.') {
		dot--;
	}
	return dot > 1 ? vy_hilite_lang(vy_str_from(file, dot)) : NULL;
}

const char *vy_hilite_name(const struct vy_hilite_lang *lang)
{
	return lang->name;
}

size_t vy_hilite_line(const struct vy_hilite_lang *lang, struct vy_str line,
	struct vy_hilite_state *st, struct vy_hilite_span *spans, size_t max)
{
	struct vy_hl_pen pen = { .line = vy_str_n(line.p, vy_utf8_cut(line, VY_HILITE_LINE_MAX)),
		.spans = spans,
		.max = max };

	(lang->scan ? lang->scan : vy_hl_scan)(lang, st, &pen, 0);
	return pen.n;
}
