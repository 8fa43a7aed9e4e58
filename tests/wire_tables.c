/* wire_tables.c -- prints the tables of doc/wire.md from the same .def files the code is made of.
 *
 * tests/wire_doc_test.sh holds the manual against it; `make wire-doc` writes it into the manual. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "shared/frame/frame.h"
#include "shared/model/registry.h"

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
	const char *name, *text;
} types[] = {
#define VY_RPC_TYPE(name, text) { name, text },
#include "shared/rpc/types.def"
#undef VY_RPC_TYPE
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

static void print_types(void)
{
	for (size_t i = 0; i < COUNT(types); i++) {
		printf("\n**`%s`**\n`%s`\n", types[i].name, types[i].text);
	}
}

static void print_codes(void)
{
	printf("\n| code | `data.kind` |\n|---|---|\n");
	for (size_t i = 0; i < COUNT(codes); i++) {
		printf("| %d | `%s` |\n", codes[i].rpc, codes[i].kind);
	}
}

static void print_field(const struct vy_has *has, const char *between)
{
	printf("%s`%s%s`", between, vy_field_word(has->field), has->need ? "" : "?");
	if (vy_field_type(has->field) != VY_TYPE_STR || has->as == NULL) {
		return;
	}
	printf(": ");
	for (const char *w = has->as; *w != '\0'; w++) {
		fputs(*w == '|' ? ", " : (char[]){ *w, '\0' }, stdout);
	}
}

static void print_kinds(void)
{
	static const char *const classes[] = {
		[VY_CLASS_LOGGED] = "",
		[VY_CLASS_EPHEMERAL] = " ephemeral",
		[VY_CLASS_CONTROL] = " control",
	};

	printf("\n| kind | data (`?` may be absent) |\n|---|---|\n");
	for (unsigned k = VY_KIND_UNKNOWN + 1; k < VY_KIND_COUNT; k++) {
		size_t n;
		const struct vy_has *has = vy_kind_has((enum vy_kind)k, &n);

		printf("| `%s`%s | ", vy_kind_word((enum vy_kind)k),
			classes[vy_kind_class((enum vy_kind)k)]);
		for (size_t i = 0; i < n; i++) {
			print_field(&has[i], i == 0 ? "" : " · ");
		}
		printf(" |\n");
	}
}

/* Of those that this plane carries. */
static void print_control(void)
{
	printf("\n| type | comes from | data |\n|---|---|---|\n");
	for (int t = 0; t < VY_CONTROL_TYPES; t++) {
		const struct vy_control_row *row = vy_control_row((enum vy_control_type)t);

		if (row->delivery == VY_DELIVERY_GENERATION) {
			continue;
		}
		printf("| `%s` | %s | `", row->word, row->from);
		for (const char *c = row->data; *c; c++) {
			fputs(*c == '|' ? "\\|" : (char[]){ *c, '\0' }, stdout);
		}
		printf("` |\n");
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "methods") == 0) {
		print_methods();
	} else if (strcmp(what, "types") == 0) {
		print_types();
	} else if (strcmp(what, "codes") == 0) {
		print_codes();
	} else if (strcmp(what, "kinds") == 0) {
		print_kinds();
	} else if (strcmp(what, "control") == 0) {
		print_control();
	} else {
		fprintf(stderr, "usage: wire_tables methods|types|codes|kinds|control\n");
		return 2;
	}
	return 0;
}
