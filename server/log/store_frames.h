/* store_frames.h -- the SQL of frames; part of the SQLite store (store.h tells what each does). */
#ifndef STORE_FRAMES_H
#define STORE_FRAMES_H

#include "server/log/store.h"

struct db;

struct fence;
struct runs;

VY_MUST_USE int store_frames_append(struct db *d, struct fence *known, struct vy_str session,
	int64_t prev, const char *epoch, const struct store_frame *frames, size_t n,
	struct vy_err *e);
VY_MUST_USE int store_frames_fill(struct db *d, struct vy_str session,
	const struct store_frame *frames, size_t n, struct vy_err *e);
VY_MUST_USE int store_frames_trim(
	struct db *d, struct vy_str session, int64_t floor, struct vy_err *e);
VY_MUST_USE int store_frames_bounds(
	struct db *d, struct vy_str session, struct store_bounds *out, struct vy_err *e);
VY_MUST_USE int store_frames_read(struct db *d, struct runs *runs, struct vy_str session,
	int64_t from, const struct store_reading *how, store_frame_fn *fn, void *ctx,
	struct vy_err *e);
/* The session's row takes in what came since it was written. */
VY_MUST_USE int store_frames_stock(struct db *d, struct vy_str session, struct vy_err *e);
VY_MUST_USE int store_frames_delete(struct db *d, struct vy_str session, struct vy_err *e);

#endif
