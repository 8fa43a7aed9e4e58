#!/bin/sh
# acp_test.sh -- the example agent of the library of the Agent Client Protocol, from npm, under a real vyred
# (acp.play). Ends with 77 where it cannot be had.
set -eu
top=${top_srcdir:?}
command -v node >/dev/null || { echo 'no node here: the example agent cannot run'; exit 77; }
agent=$(sh "$top/tests/real/get_acp" "${top_builddir:?}/tests/real/npm-acp" example)
[ -n "$agent" ] || exit 77
exec "$top_builddir/tests/play/play" --set AGENT="${agent#node }" "$top/tests/real/acp.play"
