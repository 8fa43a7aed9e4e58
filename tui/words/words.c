/* words.c -- see words.h. */
#include "tui/words/words.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shared/base/ban.h"

#define LANGUAGE_MAX 16 /* "zh_CN" */

static const char *set_in(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] ? value : NULL;
}

/* What the environment wants for a category, as setlocale() looks for it. */
static const char *wanted(const char *category)
{
	const char *name = set_in("LC_ALL");

	name = name ? name : set_in(category);
	return name ? name : set_in("LANG");
}

static bool is_utf8(const char *name)
{
	const char *dot = strrchr(name, '.');
	const char *codeset = dot ? dot + 1 : name; /* a Mac's "UTF-8" is all of its name */

	return strcasecmp(codeset, "UTF-8") == 0 || strcasecmp(codeset, "utf8") == 0;
}

/* The machine has no such locale, which ssh brought along: its name is still what the person's
 * terminal and language are. */
static void take_by_name(void)
{
	const char *signs = wanted("LC_CTYPE"), *words = wanted("LC_MESSAGES");
	char language[LANGUAGE_MAX];

	if (!setlocale(LC_CTYPE, "") && signs && is_utf8(signs)) {
		setlocale(LC_CTYPE, "C.UTF-8");
	}
	if (!setlocale(LC_MESSAGES, "") && words && setlocale(LC_MESSAGES, "C.UTF-8")) {
		snprintf(language, sizeof(language), "%.*s", (int)strcspn(words, ".@"), words);
		if (!set_in("LANGUAGE")) {
			setenv("LANGUAGE", language, 1);
		}
	}
}

void words_init(void)
{
	const char *dir = getenv("VYRE_LOCALEDIR");

	if (!setlocale(LC_ALL, "")) {
		take_by_name();
	}
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("vyre", dir && dir[0] == '/' ? dir : LOCALEDIR);
	bind_textdomain_codeset("vyre", "UTF-8");
	textdomain("vyre");
}
