#!/bin/sh
# doubles_test.sh -- the stand-ins for the APIs of models obey their script language.
command -v node >/dev/null || { echo 'no node here: the stand-in cannot run'; exit 77; }
exec node "${top_srcdir:-.}/tests/doubles/script_test.mjs"
