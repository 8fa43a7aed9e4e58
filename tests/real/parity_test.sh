#!/bin/sh
# parity_test.sh -- the real claude under a real vyred, row by row of what it does in a terminal (parity.play).
. "${top_srcdir:?}/tests/real/real.sh"

"${top_builddir:?}/tests/play/play" --set CLAUDE="$claude" --set API="$api" "$top/tests/real/parity.play"
