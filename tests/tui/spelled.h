/* spelled.h -- the short forms of long texts in the cases of tests (golden.h), written out. */
#ifndef TESTS_TUI_SPELLED_H
#define TESTS_TUI_SPELLED_H

#include "shared/base/json.h"

/* A copy in which {"lines": […]} and {"b64": […]} are the texts they stand for; owned. */
struct vy_json *spelled(const struct vy_json *v);

#endif
