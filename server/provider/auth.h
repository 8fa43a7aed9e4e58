/* auth.h -- the ways an agent's start can be paid for: login, setup-token, api-key.
 *
 * `login` is what the agent was logged in with by its own program: nothing is handed to it. The two
 * others are secrets of the store, read when an agent is started. A provider has one of them (auth=)
 * and perhaps a second for when the first has reached its limit (fallback=). Pure; any thread. */
#ifndef PROVIDER_AUTH_H
#define PROVIDER_AUTH_H

#include <stdbool.h>

#include "server/provider/provider.h"

#define AUTH_SECRET_MAX 160 /* a name in the secret store, as the configuration may give it */

bool auth_is(const char *word);
bool auth_has_secret(const char *word);
const char *auth_of(const struct provider_conf *pc); /* auth=, or login */
/* Which secret `auth` (auth= or fallback= of it) needs: as the file says, else the provider's name,
 * and for the fallback NAME-api-key or NAME-setup-token. False, and out empty, when it needs none. */
bool auth_secret(const struct provider_conf *pc, const char *auth, char out[AUTH_SECRET_MAX]);

/* As it is called in a sentence: "the subscription", "the API key". */
const char *auth_says(const char *word);

#endif
