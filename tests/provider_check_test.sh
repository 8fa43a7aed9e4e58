#!/bin/sh
# provider_check_test.sh -- vyred provider check: the demo keeps the contract, without a network; an agent that does not is
# told so; nothing is left behind.
set -eu
vyred=${top_builddir:?}/vyred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp"
cat >"$work/conf" <<'CONF'
[provider.broken]
kind=acp
command=false
[provider.nowhere]
kind=acp
command=no-such-program
CONF

check() { # NAME STATUS: its rows are in $work/rows then
	status=0
	env -i PATH="$PATH" HOME="$work/home" TMPDIR="$work/tmp" timeout 300 "$vyred" --config "$work/conf" \
		--state-dir "$work/state" provider check "$1" >"$work/rows" 2>"$work/errors" || status=$?
	[ $status = "$2" ] || { echo "check $1 ended with $status, not $2"; cat "$work/rows" "$work/errors"; exit 1; }
	[ -z "$(ls "$work/tmp")" ] || { echo "check $1 left its folder"; exit 1; }
	[ ! -e "$work/state" ] || { echo "check $1 made a state folder that is none of its own"; exit 1; }
}

row() { # WHAT MARK WORDS
	grep -q "^$2 *$1  .*$3" "$work/rows" || { echo "no row \"$2 $1 $3\" in"; cat "$work/rows"; exit 1; }
}

check demo 0
row agent ok 'demo, by the driver demo'
row unknown ok 'no-such-agent.*demo'
row process ok 'known before it said a word'
row ask ok 'ran once allowed'
row interrupt ok 'the same process answered'
row turn ok 'pieces, .* of session'
row modes ok 'were refused'
row detached ok 'died on the stop'
row resume ok 'and remembers'
row tree ok 'the 3 processes of its command went'
row says - 'stream, steer'
[ "$(grep -c '^ok' "$work/rows")" = 10 ] || { echo 'rows that nobody here looks at'; cat "$work/rows"; exit 1; }

check broken 1
row interrupt '!' 'ended with status 1'
row turn '!' .
row modes ok .

check nowhere 1
row agent '!' 'no-such-program'

check nobody 1
grep -q 'no provider nobody: this vyred knows claude, demo, broken, nowhere' "$work/errors" || { cat "$work/errors"; exit 1; }
