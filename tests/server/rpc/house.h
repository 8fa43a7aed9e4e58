/* house.h -- requests on sessions in memory (stand.h), by a caller who is what the test says.
 *
 * Every result is compared with the schema that methods.def promises. One house at a time. */
#ifndef TESTS_RPC_HOUSE_H
#define TESTS_RPC_HOUSE_H

#include "server/rpc/rpc.h"
#include "shared/rpc/method.h"
#include "tests/check.h"
#include "tests/server/session/stand.h"

#define M1 "00000000-0000-4000-8000-000000000001"
#define M2 "00000000-0000-4000-8000-000000000002"

struct hub;
struct ticket_table;

extern struct house {
	struct rpc *rpc;
	struct hub *hub;
	struct ticket_table *tickets;
	struct vy_methods *methods;
	struct vy_buf body; /* of the last reply */
	int status, replies;
	bool may_start, is_away, is_durable;
	struct caller now; /* how place_again sees the caller */
	bool is_placed_otherwise;
} house;

extern char house_id[VY_UUID_LEN + 1]; /* of its first session */

/* ---- life: a test's setup and teardown ---- */

int house_open(void **state);
int house_close(void **state);

/* ---- callers ---- */

struct caller house_person(const char *name);
struct caller house_agent(const char *session);
extern const struct caller house_unknown;

/* ---- asking ---- */

void house_send(const struct caller *who, const char *body, const char *key);
/* The parsed answer; owned. "%s" in params is the session's id. */
struct vy_json *house_ask(
	const struct caller *who, const char *method, const char *params, const char *key);
const char *house_kind(const struct vy_json *answer);
void house_check_kind(const char *name, const struct caller *who, const char *method,
	const char *params, const char *kind);
/* The result; a failure fails the test. */
struct vy_json *house_get(const struct caller *who, const char *method, const char *params);
void house_begin(void); /* a first word is said, and taken */

#endif
