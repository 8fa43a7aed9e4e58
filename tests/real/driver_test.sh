#!/bin/sh
# driver_test.sh -- the driver of claude with the real claude.
. "${top_srcdir:?}/tests/real/real.sh"

program=$PWD/tests/real/driver_test
[ -x "$program" ] || { echo 'cmocka is missing'; exit 77; }
cd "$work/project"
clean_env VYRE_CLAUDE="$claude" "$program"
