/* fake_hub.h -- hub.h over an array: one session "s", whose frames a test pushes by hand. */
#ifndef TESTS_WIRE_FAKE_HUB_H
#define TESTS_WIRE_FAKE_HUB_H

#include "server/hub/hub.h"

struct fake_hub;

struct hub *fake_hub_new(struct vy_loop *loop);
void fake_hub_free(struct hub *h);
void fake_hub_real(struct hub *h, const char *epoch); /* heartbeats and resets that are frames */
void fake_hub_push(struct fake_hub *h, struct vy_str bytes);
unsigned fake_hub_subscribers(const struct fake_hub *h);

#endif
