/* words.c -- see words.h. */
#include "tui/words/words.h"

#include <locale.h>
#include <stdlib.h>

#include "shared/base/ban.h"

void words_init(void)
{
	const char *dir = getenv("VYRE_LOCALEDIR");

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("vyre", dir && dir[0] == '/' ? dir : LOCALEDIR);
	bind_textdomain_codeset("vyre", "UTF-8");
	textdomain("vyre");
}
