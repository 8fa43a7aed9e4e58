#!/bin/sh
# codex_test.sh -- the real codex under a real vyred, against our stand-in for the Responses API.
codex=${VYRE_CODEX:-}
[ -n "$codex" ] || { echo 'no codex here (see make check-real)'; exit 77; }
. "${top_srcdir:?}/tests/real/doubles.sh"
double responses_api

"${top_builddir:?}/tests/play/play" --set CODEX="$codex" --set API="$api" "$top/tests/real/codex.play"
