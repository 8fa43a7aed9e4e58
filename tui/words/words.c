/* words.c -- see words.h. */
#include "tui/words/words.h"

#include <locale.h>

#include "shared/base/ban.h"

void words_init(void)
{
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("vyre", LOCALEDIR);
	bind_textdomain_codeset("vyre", "UTF-8");
	textdomain("vyre");
}
