#!/bin/sh
# direct_test.sh -- the real claude talks to our stand-in as to its own API: what later tests rely on.
. "${top_srcdir:?}/tests/real/real.sh"

(cd "$work/project" && clean_env node "$top/tests/real/direct.mjs" "$claude")
grep -q '"kind":"ask"' "$work/messages_api.log"
