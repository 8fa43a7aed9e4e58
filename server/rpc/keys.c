/* keys.c -- see keys.h. */
#include "server/rpc/keys.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "server/auth/caller.h"
#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define ANSWER_MAX VY_RPC_ANSWER_MAX

struct done_key {
	char *id; /* scope, method and key */
	char *input, *result;
	TAILQ_ENTRY(done_key) link;
};

struct keys {
	struct log *log;
	const struct vy_clock *clock;
	TAILQ_HEAD(done_list, done_key) done;
};

/* ---- names ---- */

static void input_of(const struct vy_json *params, char out[2 * VY_SHA256_LEN + 1])
{
	VY_AUTO_JSON *bare = params ? vy_json_copy(params) : vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(ANSWER_MAX);
	uint8_t digest[VY_SHA256_LEN];

	vy_json_del(bare, "_key");
	vy_json_dump_canonical(bare, &text);
	vy_sha256(text.data, text.len, digest);
	vy_hex(digest, sizeof(digest), out);
}

struct key_name *key_name_new(const struct caller *who, const char *method, struct vy_str key,
	const struct vy_json *params)
{
	struct key_name *n = VY_NEW(struct key_name);
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	vy_buf_addf(&b, "%s/%s/%s/%s", caller_kind_name(who->kind), who->person, who->device,
		who->session);
	n->scope = vy_buf_take(&b, NULL);
	n->method = vy_strdup(method);
	n->key = vy_memdup0(key.p, key.n);
	input_of(params, n->input);
	return n;
}

void key_name_free(struct key_name *n)
{
	if (n) {
		free(n->scope);
		free(n->method);
		free(n->key);
		free(n);
	}
}

bool key_name_is(const struct key_name *a, const struct key_name *b)
{
	return strcmp(a->scope, b->scope) == 0 && strcmp(a->method, b->method) == 0 &&
	       strcmp(a->key, b->key) == 0;
}

static void id_of(const struct key_name *n, struct vy_buf *out)
{
	vy_buf_addf(out, "%s %s %s", n->scope, n->method, n->key);
}

/* ---- found ---- */

struct stored {
	char *input, *result;
};

static bool read_key(void *ctx, const struct store_row *row)
{
	struct stored *s = ctx;

	s->input = vy_memdup0(row->key.input.p, row->key.input.n);
	s->result = vy_memdup0(row->key.result.p, row->key.result.n);
	return false;
}

int keys_find(struct keys *k, const struct key_name *n, struct vy_json **result, struct vy_err *e)
{
	struct stored s = { 0 };
	struct store_row like = { .kind = ROW_KEY,
		.key = { .scope = vy_str_c(n->scope),
			.method = vy_str_c(n->method),
			.key = vy_str_c(n->key) } };
	VY_AUTO_BUF id = VY_BUF_INIT(4096);
	struct done_key *d;
	int rc = 0;

	id_of(n, &id);
	TAILQ_FOREACH (d, &k->done, link) {
		if (strcmp(d->id, id.data) == 0) {
			s.input = vy_strdup(d->input);
			s.result = vy_strdup(d->result);
		}
	}
	if (!s.input && log_each(k->log, &like, read_key, &s, e) != 0) {
		return -1;
	}
	if (s.input && strcmp(s.input, n->input) != 0) {
		rc = vy_fail(e, VY_CONFLICT, "this idempotency key was used for another request");
	} else if (s.input) {
		*result = vy_json_parse(vy_str_c(s.result), e);
		rc = *result ? 1 : -1;
	}
	free(s.input);
	free(s.result);
	return rc;
}

/* ---- kept ---- */

static void free_done(struct keys *k, struct done_key *d)
{
	TAILQ_REMOVE(&k->done, d, link);
	free(d->id);
	free(d->input);
	free(d->result);
	free(d);
}

static void forget_done(void *ctx, bool committed)
{
	struct keys *k = ctx;

	(void)committed; /* a log that ends without takes the whole program along */
	free_done(k, TAILQ_FIRST(&k->done));
}

void keys_keep(struct keys *k, const struct key_name *n, const struct vy_json *result)
{
	VY_AUTO_BUF text = VY_BUF_INIT(ANSWER_MAX), id = VY_BUF_INIT(4096);
	struct done_key *d = VY_NEW(struct done_key);
	int64_t now = vy_wall_ms(k->clock);

	vy_json_dump(result, &text);
	LOG_PUT(k->log, ROW_KEY, key, .scope = vy_str_c(n->scope), .method = vy_str_c(n->method),
		.key = vy_str_c(n->key), .input = vy_str_c(n->input), .result = vy_buf_str(&text),
		.expires = now + VY_KEY_LIFE_MS);
	LOG_DEL(k->log, ROW_KEY, key, .expires = now);
	id_of(n, &id);
	d->id = vy_buf_take(&id, NULL);
	d->input = vy_strdup(n->input);
	d->result = vy_buf_take(&text, NULL);
	TAILQ_INSERT_TAIL(&k->done, d, link);
	log_after(k->log, forget_done, k);
}

/* ---- life ---- */

struct keys *keys_new(struct log *l, const struct vy_clock *clock)
{
	struct keys *k = VY_NEW(struct keys);

	k->log = l;
	k->clock = clock;
	TAILQ_INIT(&k->done);
	return k;
}

void keys_free(struct keys *k)
{
	struct done_key *d;

	while (k && (d = TAILQ_FIRST(&k->done))) {
		free_done(k, d);
	}
	free(k);
}
