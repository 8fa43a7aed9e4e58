/* wire_tables.c -- prints the tables of doc/wire.md from the same .def files the code is made of.
 *
 * tests/wire_doc_test.sh holds the manual against it; `make wire-doc` writes it into the manual. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "server/wire/endpoints.h"
#include "shared/base/limits.h"
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

/* What a field of JSON holds. */
static const char *shape_of(enum vy_fid field)
{
	static const char *const shapes[VY_F_COUNT] = {
#define VY_SHAPE(field, text) [VY_F_##field] = (text),
#include "shared/frame/shapes.def"
#undef VY_SHAPE
	};

	return shapes[field] ? shapes[field] : "any";
}

/* In a cell of a table a bar is the end of it. */
static void print_cell(const char *s)
{
	for (; *s; s++) {
		fputs(*s == '|' ? "\\|" : (char[]){ *s, '\0' }, stdout);
	}
}

/* In the language of the methods: "text?: str<=65536". */
static void print_field(const struct vy_has *has, const char *between)
{
	printf("%s%s%s: ", between, vy_field_word(has->field), has->need ? "" : "?");
	switch (vy_field_type(has->field)) {
	case VY_TYPE_STR:
		if (has->as) {
			print_cell(has->as);
		} else if (has->max == VY_ID_MAX) {
			printf("id");
		} else {
			printf("str<=%lld", (long long)has->max);
		}
		break;
	case VY_TYPE_INT:
		printf("int%s", has->as ? "" : ">=0");
		if (has->max < INT64_MAX) {
			printf("<=%lld", (long long)has->max);
		}
		break;
	case VY_TYPE_BOOL: printf("bool"); break;
	case VY_TYPE_JSON: print_cell(shape_of(has->field)); break;
	}
}

static void print_kinds(void)
{
	static const char *const classes[] = {
		[VY_CLASS_LOGGED] = "",
		[VY_CLASS_EPHEMERAL] = " ephemeral",
		[VY_CLASS_CONTROL] = " control",
	};

	printf("\n| kind | data |\n|---|---|\n");
	for (unsigned k = VY_KIND_UNKNOWN + 1; k < VY_KIND_COUNT; k++) {
		size_t n;
		const struct vy_has *has = vy_kind_has((enum vy_kind)k, &n);

		printf("| `%s`%s | `{", vy_kind_word((enum vy_kind)k),
			classes[vy_kind_class((enum vy_kind)k)]);
		for (size_t i = 0; i < n; i++) {
			print_field(&has[i], i == 0 ? "" : ", ");
		}
		printf("}` |\n");
	}
}

static void print_blocks(void)
{
	static const struct {
		const char *word, *members;
	} rows[] = {
#define VY_BLOCK(name, word, members) { word, members },
#include "shared/model/blocks.def"
#undef VY_BLOCK
	};

	printf("\n| `type` | members |\n|---|---|\n");
	for (size_t i = 0; i < COUNT(rows); i++) {
		printf("| `%s` | `{", rows[i].word);
		print_cell(rows[i].members);
		printf("}` |\n");
	}
}

static void print_args(const struct endpoint *at)
{
	for (size_t i = 0; i < ENDPOINT_ARGS && at->args[i].name; i++) {
		static const char *const values[] = {
			[ENDPOINT_CURSOR] = "N",
			[ENDPOINT_TEXT] = "TEXT",
			[ENDPOINT_FLAG] = "0|1",
		};

		printf("%s[%s=", i ? "" : "?", at->args[i].name);
		print_cell(values[at->args[i].kind]);
		printf("]");
	}
}

/* Every path that is answered. */
static void print_endpoints(void)
{
	static const struct {
		const char *method, *path, *args, *what;
	} rows[] = {
#define VY_ROUTE(name, method, path, args, what) { method, path, args, what },
#include "server/wire/routes.def"
#undef VY_ROUTE
	};
	const struct endpoint *at;

	printf("\n| request | is |\n|---|---|\n");
	for (size_t i = 0; i < COUNT(rows); i++) {
		printf("| `%s %s%s%s` | %s |\n", rows[i].method, rows[i].path,
			rows[i].args[0] ? "?" : "", rows[i].args, rows[i].what);
	}
	for (size_t i = 0; (at = endpoint_at(i)); i++) {
		printf("| `GET %s", at->path);
		print_args(at);
		printf("` | `%s` as server-sent events%s%s (9)", at->method,
			at->forms & ENDPOINT_WS ? ", or as a WebSocket" : "",
			at->forms & ENDPOINT_PAGE ? ", or a page of it" : "");
		if (at->place) {
			printf("; `Last-Event-ID` is `%s`", at->place);
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
		print_cell(row->data);
		printf("` |\n");
	}
}

static const struct {
	const char *what;
	void (*print)(void);
} tables[] = {
	{ "endpoints", print_endpoints },
	{ "methods", print_methods },
	{ "types", print_types },
	{ "codes", print_codes },
	{ "kinds", print_kinds },
	{ "control", print_control },
	{ "blocks", print_blocks },
};

/* Without a word: which tables there are. */
int main(int argc, char **argv)
{
	for (size_t i = 0; i < COUNT(tables); i++) {
		if (argc < 2) {
			puts(tables[i].what);
		} else if (strcmp(argv[1], tables[i].what) == 0) {
			tables[i].print();
			return 0;
		}
	}
	if (argc > 1) {
		fprintf(stderr, "usage: wire_tables [TABLE]\n");
	}
	return argc < 2 ? 0 : 2;
}
