/* err.c -- see err.h. */
#include "shared/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/ban.h"

static const struct {
	const char *name, *kind;
	int rpc;
} codes[VY_CODE_COUNT] = {
	[VY_OK] = { "OK", "", 0 },
#define VY_CODE(name, kind, rpc) [VY_##name] = { #name, kind, rpc },
#include "shared/base/codes.def"
#undef VY_CODE
};

/* Cuts back to the start of a character that a full buffer may have split. */
static void trim_split_char(char *s)
{
	size_t n = strlen(s), i = n;

	while (i > 0 && ((unsigned char)s[i - 1] & 0xC0) == 0x80) {
		i--;
	}
	if (i == 0) {
		return;
	}
	unsigned char lead = (unsigned char)s[i - 1];
	size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;

	if (n - (i - 1) < want) {
		s[i - 1] = '\0';
	}
}

int vy_fail(struct vy_err *e, enum vy_code code, const char *fmt, ...)
{
	if (e) {
		va_list ap;

		va_start(ap, fmt);
		vsnprintf(e->text, sizeof(e->text), fmt, ap);
		va_end(ap);
		e->code = code;
		e->format = fmt;
		trim_split_char(e->text);
	}
	return -1;
}

int vy_fail_errno(struct vy_err *e, int err, const char *fmt, ...)
{
	if (e) {
		va_list ap;
		char text[300];

		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		e->format = NULL;
		e->code = err == ENOSPC || err == EDQUOT ? VY_FULL : VY_IO;
		snprintf(e->text, sizeof(e->text), "%s: %s", text, strerror(err));
		trim_split_char(e->text);
	}
	return -1;
}

int vy_wrap(struct vy_err *e, const char *fmt, ...)
{
	if (e) {
		va_list ap;
		char old[sizeof(e->text)], prefix[160];

		memcpy(old, e->text, sizeof(old));
		e->format = NULL;
		va_start(ap, fmt);
		vsnprintf(prefix, sizeof(prefix), fmt, ap);
		va_end(ap);
		if ((size_t)snprintf(e->text, sizeof(e->text), "%s: %s", prefix, old) >=
			sizeof(e->text)) {
			trim_split_char(e->text);
		}
	}
	return -1;
}

void vy_err_clear(struct vy_err *e)
{
	if (e) {
		e->code = VY_OK;
		e->text[0] = '\0';
		e->format = NULL;
	}
}

const char *vy_code_name(enum vy_code code)
{
	return (unsigned)code < VY_CODE_COUNT ? codes[code].name : "?";
}

const char *vy_code_kind(enum vy_code code)
{
	return (unsigned)code < VY_CODE_COUNT ? codes[code].kind : "internal";
}

int vy_code_rpc(enum vy_code code)
{
	return (unsigned)code < VY_CODE_COUNT ? codes[code].rpc : -32603;
}

void vy_assert_failed(const char *what, const char *file, int line)
{
	fprintf(stderr, "vyre: a rule of our own is broken: %s (%s:%d)\n", what, file, line);
	abort();
}
