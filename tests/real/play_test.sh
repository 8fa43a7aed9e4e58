#!/bin/sh
# play_test.sh -- the real claude under a real vyred, against our stand-in for its API (claude.play, limit.play).
. "${top_srcdir:?}/tests/real/real.sh"

for play in claude limit; do
	"${top_builddir:?}/tests/play/play" --set CLAUDE="$claude" --set API="$api" "$top/tests/real/$play.play"
done
