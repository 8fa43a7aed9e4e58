#!/bin/sh
# cmd_test.sh -- vyre-tui's commands against a real vyred and the demo, in a home of their own.
#
# Starting a server (several at once, too), what is said and answered, exit codes, tails, and a
# server that is killed in the middle of an answer. Run from the build directory.
set -u

vyred=$PWD/vyred
tui=$PWD/vyre-tui
[ -x "$vyred" ] && [ -x "$tui" ] && [ -x "$PWD/vyre-holder" ] || exit 77

T=$(mktemp -d "${TMPDIR:-/tmp}/vyre-cmd-XXXXXX") || exit 99
HOME=$T/home
state=$HOME/.local/state/vyre
export HOME
unset XDG_STATE_HOME XDG_CONFIG_HOME VYRE_SOCKET VYRE_HOLDER LANGUAGE
LC_ALL=C.UTF-8
export LC_ALL
mkdir -p "$HOME" "$T/work" "$T/other" && cd "$T/work" || exit 99
bad=0
background=

clean_up() {
	for p in $background; do kill -9 "$p" 2>/dev/null; done
	"$vyred" stop --all >/dev/null 2>&1 || true
	[ -s "$state/lock" ] && kill -9 "$(cat "$state/lock")" 2>/dev/null
	cd / && rm -rf "$T"
}
trap clean_up EXIT
trap 'exit 99' INT TERM HUP

fail() {
	echo "cmd_test: $*"
	bad=1
}

# same NAME GOT WANT
same() {
	[ "$2" = "$3" ] || fail "$1: got '$2', want '$3'"
}

# exits CODE ARGUMENT...: output into $out, what was complained of into $T/err
exits() {
	want=$1
	shift
	out=$(timeout 60 "$tui" "$@" 2>"$T/err" </dev/null)
	code=$?
	[ $code = "$want" ] || fail "vyre-tui $*: exit $code, want $want: $out $(cat "$T/err")"
}

# until_true COMMAND...: waits for it; the patience is no measure of anything
until_true() {
	n=0
	until "$@" >/dev/null 2>&1; do
		n=$((n + 1))
		[ $n -lt 600 ] || { fail "never: $*"; return 1; }
		sleep 0.05
	done
}

field() { # NAME: of the JSON object on stdin
	sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"
}

state_is() { # SESSION STATE
	"$tui" ls --json | grep -F "\"session\":\"$1\"" | grep -qF "\"state\":\"$2\""
}

ask_of() { # SESSION
	"$tui" asks --json "$1" | field ask
}

has_ask() {
	[ -n "$(ask_of "$1")" ]
}

vyreds() {
	for f in /proc/[0-9]*/cmdline; do
		cat "$f" 2>/dev/null | tr '\0' ' ' | grep -F -- "$state" | grep '^[^ ]*vyred --socket'
	done | wc -l
}

# ---- nobody there -------------------------------------------------------------------------------
for word in ls status asks tail interrupt stop; do
	exits 5 $word
	same "$word says nothing" "$out" ""
	grep -q 'no server runs' "$T/err" || fail "$word does not say why: $(cat "$T/err")"
done
exits 5 answer A allow
grep -q 'vyre-tui, its new and its send start one' "$T/err" || fail "who starts one: $(cat "$T/err")"
exits 5 ls --connect http://127.0.0.1:9
[ ! -e "$state/lock" ] || fail 'a word that only looks started a server'

# ---- wrong use ------------------------------------------------------------------------------------
exits 2 --bogus
exits 2 ls too many
exits 2 send
exits 2 answer A
exits 2 ls --wait
exits 2 send --provider demo x
exits 2 new --wait
exits 2 new one two
exits 2 --connect nonsense ls
exits 2 one two
exits 2 --json
exits 0 --help
echo "$out" | grep -q 'vyre-tui send' || fail "--help: $out"
exits 0 --version
exits 3 --cwd "$T/nowhere" new
[ ! -s "$state/vyre.db" ] || [ -s "$state/lock" ] || fail 'wrong use left something behind'

# ---- who comes first starts it; several at once start one ------------------------------------------
for i in 1 2 3 4; do
	"$tui" new --provider demo >"$T/new.$i" 2>"$T/new.err.$i" &
	eval "p$i=$!"
done
for i in 1 2 3 4; do
	eval "wait \$p$i" || fail "new $i: $(cat "$T/new.err.$i")"
done
same 'one server' "$(vyreds)" 1
same 'four sessions' "$(sort -u "$T"/new.[1-4] | grep -cE '^[0-9a-f-]{36}$')" 4
tr '\0' '\n' <"/proc/$(cat "$state/lock")/environ" | grep -q PATH && fail 'vyred has our environment'
exits 3 new --provider nosuch
grep -q 'there is no provider nosuch; there are: claude, demo' "$T/err" || fail "nosuch: $(cat "$T/err")"
exits 0 ls --json
same 'an object a line' "$(echo "$out" | grep -c '^{"session":"[0-9a-f-]*".*}$')" 4
exits 0 ls
same 'a line each' "$(echo "$out" | wc -l)" 4
exits 0 ls --cwd "$T/other"
same 'none of another folder' "$out" ""
exits 0 status
same status "$out" '4 sessions'
[ $bad = 0 ] || exit 1 # the rest would only repeat it

# ---- which session ---------------------------------------------------------------------------------
one=$(cat "$T/new.1")
exits 0 send "$one" 'say:1'
until_true state_is "$one" idle
exits 3 send nosuch text
exits 3 tail 00000000-0000-4000-8000-000000000000
exits 3 --cwd "$T/other" interrupt
exits 3 --cwd "$T/other" send hi
grep -q 'vyre-tui send --new' "$T/err" || fail "send where no session is: $(cat "$T/err")"
exits 0 stop "$(echo "$one" | cut -c1-8)"
exits 0 interrupt say:1 # its title
exits 3 send 00000000-0000-4000-8000-000000000000 -

# ---- said and answered ----------------------------------------------------------------------------
exits 0 send --wait "$one" 'echo:hello   world'
same 'the answer and nothing else' "$out" 'hello   world'
same 'no progress into a file' "$(cat "$T/err")" ''
same 'from a pipe' "$(echo 'echo:piped' | "$tui" send --wait -)" piped
same 'behind the text' "$(echo 'input' | "$tui" send --wait 'echo:text' -)" "text

input"
same 'to an id' "$(echo 'echo:to an id' | "$tui" send --wait "$one" -)" 'to an id'
same 'text and input to an id' "$(echo input | "$tui" send --wait "$one" 'echo:x' -)" "x

input"
: | "$tui" send --wait - 2>/dev/null
same 'nothing to send' $? 2
esc=$(printf '\033')
same 'bytes as they are' "$("$tui" send --wait "echo:a ${esc}[31mb")" "a ${esc}[31mb"
head -c 9000000 /dev/zero | tr '\0' x | "$tui" send - 2>"$T/err"
same 'too long' $? 1
grep -q '8 MiB' "$T/err" || fail "too long: $(cat "$T/err")"
exits 0 send --new --wait --provider demo 'echo:in a new one'
same 'a new one' "$out" 'in a new one'
exits 0 send --new --wait --json --provider demo 'echo:whose'
same 'a script learns its id' "$(echo "$out" | field session | sort -u)" \
	"$("$tui" ls --json | head -1 | field session)"
exits 0 new --wait --provider demo 'echo:in another'
same 'another' "$out" 'in another'
exits 0 send --new --provider demo 'say:2'
new=$out
same 'its id' "$(echo "$new" | grep -cE '^[0-9a-f-]{36}$')" 1
exits 0 send --json "$one" 'say:1'
same 'a result' "$(echo "$out" | field state)" sent
exits 0 send --wait --json "$one" 'say:3'
same 'the message first' "$(echo "$out" | head -1 | field type)" session.user-message
same 'its end last' "$(echo "$out" | tail -1 | field state)" waiting
exits 1 send --wait "$one" 'err:400'
[ -s "$T/err" ] || fail 'a failed turn does not say why'

# ---- asks -------------------------------------------------------------------------------------------
"$tui" send --wait "$one" 'bash:echo it ran' >"$T/out.ask" 2>"$T/err.ask" &
waiter=$!
background="$background $waiter"
until_true has_ask "$one"
exits 0 status
echo "$out" | grep -q '1 needs you' || fail "status: $out"
exits 0 asks "$one"
echo "$out" | grep -q 'Bash: echo it ran' || fail "asks: $out"
ask=$(ask_of "$one")
exits 2 answer "$ask" perhaps
exits 2 answer "$ask" allow deny
exits 0 answer "$ask" allow --json
same 'answered' "$(echo "$out" | field decision)" allow
wait $waiter
same 'then it went on' $? 0
grep -q 'it ran' "$T/out.ask" || fail "the answer: $(cat "$T/out.ask")"
grep -q "vyre-tui answer $ask" "$T/err.ask" ||
	fail "it did not say what it waits for: $(cat "$T/err.ask")"
exits 3 answer "$ask" allow
grep -q "answered before: allow, by $(id -un)" "$T/err" || fail "answered before: $(cat "$T/err")"
exits 3 answer "$ask" deny --json
echo "$out" | grep -qF '"already":true' || fail "the first answer stands: $out"
grep -q 'answered before: allow' "$T/err" || fail "answered before: $(cat "$T/err")"
exits 3 answer nosuchask allow
grep -q 'there is no ask nosuchask' "$T/err" || fail "no such ask: $(cat "$T/err")"
exits 0 asks "$one"
same 'nothing is open' "$out" ''

# Of a folder all sessions' asks, not the newest's; where no session is, those of all folders.
exits 0 --cwd "$T/other" send --new --provider demo 'bash:echo elsewhere'
far=$out
for i in 2 4; do
	exits 0 send "$(cat "$T/new.$i")" "bash:echo from $i"
	until_true has_ask "$(cat "$T/new.$i")"
done
until_true has_ask "$far"
exits 0 asks
same "the asks of a folder" "$(echo "$out" | grep -o 'Bash: echo .*' | sort)" \
	'Bash: echo from 2  -- bash:echo from 2
Bash: echo from 4  -- bash:echo from 4'
exits 0 --cwd / asks
same 'of all folders' "$(echo "$out" | grep -c '^[^ ].*  -- .*, [~/]')" 3
exits 0 asks "$far"
echo "$out" | grep -qF -- "-- bash:echo elsewhere, $T/other" || fail "an ask of elsewhere: $out"
exits 0 asks --json
same 'an object each' "$(echo "$out" | grep -c '"session_title":"bash:echo from .*"cwd":"'"$T/work"'"')" 2
for ask in $("$tui" --cwd / asks --json | field ask); do
	exits 0 answer "$ask" deny
done
exits 0 --cwd / asks
same 'all answered' "$out" ''

exits 0 send "$one" ask
until_true has_ask "$one"
ask=$(ask_of "$one")
exits 2 answer "$ask" Red
exits 0 answer "$ask" Red 'Door, Roof'
until_true state_is "$one" idle
"$tui" tail "$one" >"$T/out.tail" &
background="$background $!"
until_true grep -q 'Which parts?: Door, Roof' "$T/out.tail" || fail 'a question is not answered with its label'

# ---- what no agent may do, however it goes about it -------------------------------------------------
two=$(cat "$T/new.2")
exits 0 send "$two" 'bash:echo secret'
until_true has_ask "$two"
guarded=$(ask_of "$two")
go="$tui --socket $state/vyred.sock answer $guarded allow"
cat >hand.sh <<END
$go; echo "plain \$?"
setsid $go; echo "setsid \$?"
env -i HOME=$HOME setsid sh -c '$go; echo "bare \$?"'
echo "own \$('$tui' ls --json | grep -c '"session":"$one"') \$VYRE_SOCKET"
env -i HOME=$HOME setsid sh -c '(sleep 0.1; $go; echo "orphan \$?") >$T/orphan 2>&1 &'
END
"$tui" send --wait "$one" 'bash:sh ./hand.sh 2>&1' >"$T/out.hand" 2>/dev/null &
waiter=$!
background="$background $waiter"
until_true has_ask "$one"
exits 0 answer "$(ask_of "$one")" allow
wait $waiter
until_true grep -q orphan "$T/orphan"
"$tui" tail "$one" >"$T/tail.hand" &
background="$background $!"
until_true grep -q 'bare [0-9]' "$T/tail.hand"
grep -q 'own 1 /' "$T/tail.hand" || fail "an agent does not see its own session: $(cat "$T/tail.hand")"
for way in plain setsid bare; do
	grep -q "$way 4" "$T/tail.hand" || fail "an agent may answer: $way: $(cat "$T/tail.hand")"
done
grep -q 'orphan 4' "$T/orphan" || fail "an orphan of an agent may answer: $(cat "$T/orphan")"

# Its holder killed first: what vyred inherits of it is an agent's still.
cat >heir.sh <<END
env -i HOME=$HOME setsid sh -c '(sleep 1; $go; echo "heir \$?") >$T/heir 2>&1 </dev/null &'
p=\$\$
while [ "\$p" -gt 1 ] && [ "\$(cat /proc/\$p/comm)" != vyre-holder ]; do
	p=\$(sed 's/.*) //' /proc/\$p/stat | cut -d' ' -f2)
done
kill -9 "\$p"
END
exits 0 send "$one" 'bash:sh ./heir.sh'
until_true has_ask "$one"
exits 0 answer "$(ask_of "$one")" allow
until_true grep -q heir "$T/heir"
grep -q 'heir 4' "$T/heir" || fail "an heir of a killed holder may answer: $(cat "$T/heir")"
same 'nobody answered' "$(ask_of "$two")" "$guarded"
exits 0 answer "$guarded" deny
until_true state_is "$two" idle
until_true state_is "$one" failed
exits 0 send --wait "$one" 'echo:a new agent'
same 'and its session goes on' "$out" 'a new agent'

# ---- trust -------------------------------------------------------------------------------------------
exits 0 trust --json "$T/other"
same trusted "$out" "{\"cwd\":\"$T/other\",\"trusted\":true}"
exits 0 --cwd "$T/other" --json distrust
same distrusted "$out" "{\"cwd\":\"$T/other\",\"trusted\":false}"
exits 3 trust "$T/nowhere"
exits 2 trust a b

# ---- interrupt, stop ---------------------------------------------------------------------------------
"$tui" send --wait "$one" 'slow:30' >"$T/out.cut" 2>"$T/err.cut" &
waiter=$!
background="$background $waiter"
until_true test -s "$T/out.cut"
"$tui" send --wait "$one" 'say:1' >/dev/null 2>"$T/err.held" & # it steers, or waits
steering=$!
background="$background $steering"
has_queued() { "$tui" ls --json | grep -F "$one" | grep -qF '"queued":1'; }
until_true has_queued
exits 0 interrupt --json "$one"
same interrupted "$out" "{\"interrupted\":true,\"session\":\"$one\"}"
wait $waiter
same 'an interrupted turn' $? 1
grep -q interrupted "$T/err.cut" || fail "interrupted: $(cat "$T/err.cut")"
wait $steering
same 'and what is held behind it' $? 1
grep -q 'queue is held' "$T/err.held" || fail "held: $(cat "$T/err.held")"
exits 0 interrupt --json "$one"
same 'nothing to interrupt' "$out" "{\"interrupted\":false,\"session\":\"$one\"}"

"$tui" send --wait "$two" 'slow:30' >"$T/out.stop" 2>/dev/null &
waiter=$!
background="$background $waiter"
until_true test -s "$T/out.stop"
exits 0 stop "$two"
wait $waiter
same 'a stopped turn' $? 1
until_true state_is "$two" stopped
exits 0 send --wait "$two" 'echo:back again'
same 'a message brings it back' "$out" 'back again'

# ---- tails, and a server that dies ------------------------------------------------------------------
three=$(cat "$T/new.3")
"$tui" tail --json "$three" >"$T/tail.1" 2>/dev/null &
background="$background $!"
exits 0 send --wait "$three" 'slow:2'
whole=$out
"$tui" send --wait "$three" 'slow:2' >"$T/out.kill" 2>"$T/err.kill" &
waiter=$!
background="$background $waiter"
until_true test -s "$T/out.kill"
kill -9 "$(cat "$state/lock")"
wait $waiter
same 'a killed server is no end' "$? $(cat "$T/err.kill")" '0 '
same 'and no letter is lost or doubled' "$(cat "$T/out.kill")" "$whole"
exits 0 send --wait "$three" 'echo:the end'
"$tui" tail --json "$three" >"$T/tail.2" 2>/dev/null &
background="$background $!"
has_end() { grep -q '"the end"' "$1" && tail -1 "$1" | grep -q '"waiting"'; }
until_true has_end "$T/tail.1"
until_true has_end "$T/tail.2"

# Cursors without a gap, and one text whoever watched when (a replay may join deltas).
for i in 1 2; do
	sed 's/.*"cur":\([0-9]*\),.*/\1 &/' "$T/tail.$i" |
		awk '{ span = 1; if (match($0, /"span":[0-9]+/)) span = substr($0, RSTART + 7, RLENGTH - 7);
			if ($1 - span != last) { print "gap before " $1; exit 1 } last = $1 }' >"$T/gap" ||
		fail "tail $i: $(cat "$T/gap")"
	grep '"session.text-delta"' "$T/tail.$i" | sed 's/.*"text":"\([^"]*\)".*/\1/' | tr -d '\n' >"$T/text.$i"
	sed -n 's/.*"type":"session.status".*"state":"\([a-z]*\)".*/\1/p' "$T/tail.$i" >"$T/states.$i"
done
cmp -s "$T/text.1" "$T/text.2" || fail 'two tails hold different words'
cmp -s "$T/states.1" "$T/states.2" || fail 'two tails hold different states'

# ---- the other planes ----------------------------------------------------------------------------------
for plane in control ui follow raw; do
	[ $plane = control ] && of= || of=$three
	"$tui" tail --plane $plane $of >"$T/plane.$plane" 2>/dev/null &
	background="$background $!"
done
until_true grep -q '"type":"ui.reset"' "$T/plane.ui"
until_true grep -q '"type":"assistant.message"' "$T/plane.follow"
exits 0 send --wait "$three" 'echo:first plane'
has_all() {
	grep -q "$1 plane" "$T/plane.ui" && grep -q "$1 plane" "$T/plane.raw" &&
		grep -q "\"attempt.chunk\".*$1 plane\|\"baseline\".*$1 plane\|\"assistant.message\".*$1 plane" "$T/plane.follow"
}
runs() { [ "$(grep -c '"type":"session.run.completed"' "$T/plane.control")" -ge "$1" ]; }
until_true runs 1
until_true has_all first
kill -9 "$(cat "$state/lock")"
exits 0 send --wait "$three" 'echo:second plane'
until_true has_all second
until_true grep -q '"type":"control.reset"\|second plane' "$T/plane.control"
exits 0 send --wait "$three" 'echo:third plane'
until_true runs 2
until_true has_all third
for plane in control ui follow raw; do
	grep -qv '^{.*}$' "$T/plane.$plane" && fail "plane $plane: a line that is no object: $(grep -v '^{.*}$' "$T/plane.$plane" | head -1)"
done
sed -n 's/^{"type":"[a-z]*\.[a-z]*","seq":\([0-9]*\),.*/\1/p' "$T/plane.follow" >"$T/seqs"
sort -nu "$T/seqs" | cmp -s - "$T/seqs" || fail 'an event of the follow plane is there twice'
exits 2 tail --plane nowhere "$three"
exits 2 ls --plane follow

same 'one server again' "$(vyreds)" 1

exit $bad
