/* codex_result.h -- an item of codex as blocks of the wire (wire 11), and its change of files as text.
 *
 * Codex gives of an updated file a bare hunk, of a new or deleted one its bare content (A5). Never
 * JSON for a person: an item nobody knows becomes a short text. Pure. */
#ifndef PROVIDER_CODEX_RESULT_H
#define PROVIDER_CODEX_RESULT_H

#include "server/provider/provider.h"

struct codex_change {
	struct vy_str path; /* as a person knows it */
	const char *op;     /* create, edit, delete */
	int64_t added, removed;
};

/* What ran inside `/bin/bash -lc '…'`, in the arena; the whole when it is anything else. */
struct vy_str codex_command(struct vy_str command, struct vy_arena *a);

/* Of an item that has ended; owned. A fileChange has codex_diff() for each of its changes. */
struct vy_json *codex_block(const struct vy_json *item, struct vy_str cwd, struct vy_arena *a);
struct vy_json *codex_diff(const struct vy_json *change, struct vy_str cwd,
	struct codex_change *out, struct vy_arena *a);

/* Unified text of all of them, for an ask; and as the floor reads a patch: the paths whole. */
void codex_patch_print(
	const struct vy_json *changes, struct vy_str cwd, struct vy_arena *a, struct vy_buf *out);
void codex_patch_paths(const struct vy_json *changes, struct vy_buf *out);

#endif
