/* err.h -- an error on its way to a person: a code for the caller, one sentence for the reader.
 *
 * Lives on the caller's stack, needs no memory. Set where it is known (vy_fail), prefixed where
 * the subject is known (vy_wrap), logged once where it stops. A function that can fail takes
 * `struct vy_err *e` last and returns 0 or -1 (or NULL); `e` may be NULL where nobody asks why.
 * Any thread. */
#ifndef VY_ERR_H
#define VY_ERR_H

#include <stdbool.h>

#define VY_MUST_USE     __attribute__((warn_unused_result))
#define VY_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define VY_NEVER_NULL   __attribute__((returns_nonnull))

enum vy_code {
	VY_OK = 0,
#define VY_CODE(name, kind, rpc) VY_##name,
#include "shared/base/codes.def"
#undef VY_CODE
	VY_CODE_COUNT
};

struct vy_err {
	enum vy_code code;
	char text[400]; /* cut between characters, always terminated */
	/* What vy_fail() was given, a literal: which sentence it is (shared/rpc/msg.h). NULL once
	 * something stands before it, and for what the system said. */
	const char *format;
};

/* Sets code and text; returns -1 so that `return vy_fail(…)` reads as one step. */
int vy_fail(struct vy_err *e, enum vy_code code, const char *fmt, ...) VY_PRINTF(3, 4);

/* As vy_fail with VY_IO (VY_FULL for a full disk), and strerror(err) behind the text. */
int vy_fail_errno(struct vy_err *e, int err, const char *fmt, ...) VY_PRINTF(3, 4);

/* Puts "<prefix>: " before the text already there; keeps the code; returns -1. */
int vy_wrap(struct vy_err *e, const char *fmt, ...) VY_PRINTF(2, 3);

void vy_err_clear(struct vy_err *e);

const char *vy_code_name(enum vy_code code); /* "NOT_FOUND" */
const char *vy_code_kind(enum vy_code code); /* the wire's word: "not_found" */
int vy_code_rpc(enum vy_code code);          /* the JSON-RPC number */

/* Our own mistakes only, never what a peer, file or agent sent. Stays in release builds. */
#define vy_assert(x) ((x) ? (void)0 : vy_assert_failed(#x, __FILE__, __LINE__))
void vy_assert_failed(const char *what, const char *file, int line) __attribute__((noreturn));

#endif
