#!/bin/sh
# codex_test.sh -- the real codex under a real vyred, against our stand-in for the Responses API.
set -eu
top=${top_srcdir:?}
codex=${VYRE_CODEX:-}
[ -n "$codex" ] || { echo 'no codex here (see make check-real)'; exit 77; }
command -v node >/dev/null || { echo 'no node here: the stand-in for the Responses API cannot run'; exit 77; }

work=$(mktemp -d)
api_pid=
at_exit() {
	[ -z "$api_pid" ] || kill "$api_pid" 2>/dev/null || :
	rm -rf "$work"
}
trap at_exit EXIT
trap 'exit 1' INT TERM HUP

mkfifo "$work/ready"
node "$top/tests/doubles/responses_api.mjs" --log "$work/api.log" >"$work/ready" &
api_pid=$!
read -r ready <"$work/ready" || { echo 'the stand-in for the Responses API did not start'; exit 1; }
api=$(printf '%s\n' "$ready" | sed 's/.*"base_url":"\([^"]*\)".*/\1/')

"${top_builddir:?}/tests/play/play" --set CODEX="$codex" --set API="$api" "$top/tests/real/codex.play"
