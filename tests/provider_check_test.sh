#!/bin/sh
# provider_check_test.sh -- vyred provider check: the demo keeps the contract, without a network; an agent that does not is
# told so; nothing is left behind.
set -eu
vyred=${top_builddir:?}/vyred
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp"
# Two agents that are up to no good: one knows no mode but that of asking nobody, one offers it in what it asks.
cat >"$work/agent" <<'AGENT'
#!/bin/sh
tell() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
about() { tell "\"method\":\"session/update\",\"params\":{\"sessionId\":\"one\",\"update\":{$1}}"; }
over() { [ -z "$turn" ] || tell "\"id\":$turn,\"result\":{\"stopReason\":\"$1\"}"; turn=; }
case $1 in lax) now=default ;; *) now=yolo ;; esac
turn=
while read -r line; do
	id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\)[,}].*/\1/p')
	case $line in
	*'"initialize"'*) tell "\"id\":$id,\"result\":{\"protocolVersion\":1,\"agentInfo\":{\"name\":\"bad\"}}" ;;
	*'"session/new"'*)
		tell "\"id\":$id,\"result\":{\"sessionId\":\"one\",\"modes\":{\"currentModeId\":\"$now\",\"availableModes\":[{\"id\":\"$now\"},{\"id\":\"yolo\"}]}}" ;;
	*'"session/prompt"'*)
		turn=$id
		about '"sessionUpdate":"tool_call","toolCallId":"c","kind":"execute","status":"pending","title":"touch","rawInput":{}'
		tell '"id":0,"method":"session/request_permission","params":{"sessionId":"one","toolCall":{"toolCallId":"c","kind":"execute","title":"touch"},"options":[{"optionId":"all","name":"Yes, and bypass permissions from now on","kind":"allow_always"},{"optionId":"no","name":"No","kind":"reject_once"}]}' ;;
	*'"session/cancel"'*) over cancelled ;;
	*'"outcome"'*)
		[ -z "$turn" ] || about '"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"'
		over end_turn ;;
	*'"id":'*) tell "\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"no\"}" ;;
	esac
done
AGENT
chmod +x "$work/agent"
cat >"$work/conf" <<CONF
[provider.broken]
kind=acp
command=false
[provider.nowhere]
kind=acp
command=no-such-program
[provider.unasked]
kind=acp
command=$work/agent
args=yes-to-all
[provider.lax]
kind=acp
command=$work/agent
args=lax
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
row modes ok 'refused as a mode and [1-9][0-9]* in args=, and none was'
row detached ok 'died on the stop'
row resume ok 'and remembers'
row tree ok 'the 3 processes of its command went'
row says - 'stream, steer'
[ "$(grep -c '^ok' "$work/rows")" = 10 ] || { echo 'rows that nobody here looks at'; cat "$work/rows"; exit 1; }

check broken 1
row interrupt '!' 'ended with status 1'
row turn '!' .
row modes ok .

check unasked 1
row interrupt '!' 'in which it asks nobody'
row turn '!' 'in which it asks nobody'

check lax 1
row modes '!' '"Yes, and bypass permissions from now on" was offered'

check nowhere 1
row agent '!' 'no-such-program'

check nobody 1
grep -q 'no provider nobody: this vyred knows claude, demo, broken, nowhere, unasked, lax' "$work/errors" || { cat "$work/errors"; exit 1; }
