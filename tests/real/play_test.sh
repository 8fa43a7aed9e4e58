#!/bin/sh
# play_test.sh -- the real claude under a real vyred, against our stand-in for its API: what a person does all
# day (claude.play), a limit (limit.play), going back (rewind.play), a claude in a terminal (hook.play), taking over what was begun by hand (adopt.play).
. "${top_srcdir:?}/tests/real/real.sh"

for play in claude limit rewind adopt hook; do
	"${top_builddir:?}/tests/play/play" --set CLAUDE="$claude" --set API="$api" "$top/tests/real/$play.play"
done
