/* wire_tables.c -- prints the tables of doc/wire.md from the same .def files the code is made of.
 *
 * tests/wire_doc_test.sh holds the manual against it; `make wire-doc` writes it into the manual. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"

static const struct {
	const char *name, *reach, *key, *params, *result;
	bool writes;
} methods[] = {
#define VY_METHOD(name, reach, writes, key, params, result)                                        \
	{ name, #reach, #key, params, result, writes },
#include "shared/rpc/methods.def"
#undef VY_METHOD
};

static const struct {
	const char *word, *class;
} kinds[] = {
	[VY_KIND_UNKNOWN] = { "unknown", "" },
#define VY_KIND(name, word, class) [VY_KIND_##name] = { word, #class },
#include "shared/frame/kinds.def"
#undef VY_KIND
};

static const struct {
	const char *word, *type;
} fields[] = {
#define VY_FIELD(name, word, type) [VY_F_##name] = { word, #type },
#include "shared/frame/fields.def"
#undef VY_FIELD
};

enum need { NEED, MAY };
static const struct {
	enum vy_kind kind;
	enum vy_fid field;
	enum need need;
	const char *words;
} has[] = {
#define VY_HAS(kind, field, need, max, words) { VY_KIND_##kind, VY_F_##field, need, words },
#include "shared/frame/schema.def"
#undef VY_HAS
};

static const struct {
	const char *name, *kind;
	int rpc;
} codes[] = {
#define VY_CODE(name, kind, rpc) { #name, kind, rpc },
#include "shared/base/codes.def"
#undef VY_CODE
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Lower case, as the wire spells it. */
static const char *lower(const char *s)
{
	static char out[32];
	size_t i = 0;

	for (; s[i] != '\0' && i + 1 < sizeof(out); i++) {
		out[i] = (char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + ('a' - 'A') : s[i]);
	}
	out[i] = '\0';
	return out;
}

static void print_methods(void)
{
	for (size_t i = 0; i < COUNT(methods); i++) {
		printf("\n**`%s`** · %s%s", methods[i].name, lower(methods[i].reach),
			methods[i].writes ? " · writes" : "");
		if (strcmp(methods[i].key, "NONE") != 0) {
			printf(" · key %s", lower(methods[i].key));
		}
		printf("\n`%s`\n→ `%s`\n", methods[i].params, methods[i].result);
	}
}

static void print_codes(void)
{
	printf("\n| code | `data.kind` |\n|---|---|\n");
	for (size_t i = 0; i < COUNT(codes); i++) {
		printf("| %d | `%s` |\n", codes[i].rpc, codes[i].kind);
	}
}

static void print_kinds(void)
{
	printf("\n| kind | data (`?` may be absent) |\n|---|---|\n");
	for (size_t k = 1; k < COUNT(kinds); k++) {
		const char *between = "";

		printf("| `%s`%s%s | ", kinds[k].word,
			strcmp(kinds[k].class, "LOGGED") != 0 ? " " : "",
			strcmp(kinds[k].class, "LOGGED") != 0 ? lower(kinds[k].class) : "");
		for (size_t i = 0; i < COUNT(has); i++) {
			if (has[i].kind != k) {
				continue;
			}
			printf("%s`%s%s`", between, fields[has[i].field].word,
				has[i].need == MAY ? "?" : "");
			if (has[i].words != NULL) {
				printf(": ");
				for (const char *w = has[i].words; *w != '\0'; w++) {
					fputs(*w == '|' ? ", " : (char[]){ *w, '\0' }, stdout);
				}
			}
			between = " · ";
		}
		printf(" |\n");
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "methods") == 0) {
		print_methods();
	} else if (strcmp(what, "codes") == 0) {
		print_codes();
	} else if (strcmp(what, "kinds") == 0) {
		print_kinds();
	} else {
		fprintf(stderr, "usage: wire_tables methods|codes|kinds\n");
		return 2;
	}
	return 0;
}
