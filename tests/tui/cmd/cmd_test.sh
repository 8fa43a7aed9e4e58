#!/bin/sh
# cmd_test.sh -- vyre-tui's words against a real server with the demo: what they print, how they end.
set -u
here=$(pwd)
work=$(mktemp -d /tmp/vyre-cmd-XXXXXX)
mkdir "$work/a" "$work/b"
HOME=$work XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export HOME XDG_STATE_HOME XDG_CONFIG_HOME
unset VYRE_SOCKET VYRE_HOLDER LANGUAGE
LC_ALL=C.UTF-8
export LC_ALL
state=$XDG_STATE_HOME/vyre
failed=0

finish() {
	[ ! -e "$state/lock" ] || "$here/vyred" stop --all --state-dir "$state" >/dev/null 2>&1
	rm -rf "$work"
}
trap finish EXIT

tui() {
	"$here/vyre-tui" "$@"
}

bad() {
	echo "cmd_test: $*"
	failed=1
}

ends() { # CODE WORD...: ends with that code; what it said is in out and err
	want=$1
	shift
	tui "$@" >"$work/out" 2>"$work/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || bad "vyre-tui $*: ended with $got, not $want: $(cat "$work/out" "$work/err")"
}

says() { # TEXT: the last one said it
	cat "$work/out" "$work/err" | grep -qF -- "$1" || bad "no \"$1\" in: $(cat "$work/out" "$work/err")"
}

soon() { # COMMAND...: true before long
	for _ in $(seq 200); do
		if "$@" >/dev/null 2>&1; then
			return 0
		fi
		sleep 0.05
	done
	bad "never: $*"
	return 1
}

has_asks() { # NUMBER
	[ "$(tui asks --json | wc -l)" = "$1" ]
}

is_state() { # WORD
	tui ls --json | head -n 1 | grep -q "\"state\":\"$1\""
}

# ---- without a server, and the command line --------------------------------------------------
cd "$work/a" || exit 1
ends 5 ls
says 'vyred.sock'
ends 5 tail
ends 5 status
ends 2 send
ends 2 send a b c d
ends 2 answer x
ends 2 ls more
ends 2 --nonsense
says '--nonsense'
ends 2 --provider
ends 2 one two
ends 2 --json
ends 0 --help
says 'vyre-tui send'
ends 0 --version
says 'vyre-tui '
[ ! -e "$state" ] || bad 'a word that only looks made a state folder'

# ---- a session, by all its names -------------------------------------------------------------
ends 0 new --provider demo
session=$(cat "$work/out")
[ ${#session} = 36 ] || bad "new printed $session"
ends 0 ls
says "$(echo "$session" | cut -c1-8)"
ends 0 ls --json
says "\"session\":\"$session\""
ends 3 send nosuch hello
says 'nosuch'
ends 3 tail nosuch
ends 3 new --provider nosuch
(cd "$work/b" && tui tail >/dev/null 2>&1)
[ $? = 3 ] || bad 'a folder without a session has one'

# ---- saying something ------------------------------------------------------------------------
words='alpha bravo charlie delta echo'
ends 0 send --wait 'say:5'
[ "$(sed 's/ *$//' "$work/out")" = "$words" ] || bad "say:5 said: $(cat "$work/out")"
[ ! -s "$work/err" ] || bad "progress on stderr that is no terminal: $(cat "$work/err")"
ends 0 send --wait "$session" 'say:5'
ends 0 send --wait "$(echo "$session" | cut -c1-6)" 'echo:by its beginning'
says 'by its beginning'
printf 'echo:from stdin' | tui send --wait - >"$work/out" || bad 'send - failed'
says 'from stdin'
printf 'second' | tui send --wait "$session" 'echo:first' - >"$work/out" || bad 'send SESSION TEXT - failed'
says 'first'
printf 'second' | tui send --wait 'echo:first' - >"$work/out" || bad 'send TEXT - failed'
says 'first'
ends 2 send --wait "$session" ''
says 'nothing to send'
ends 0 send --wait --json 'say:2'
head -n 1 "$work/out" | grep -q '"type":"session\.' || bad "no frames: $(head -c 300 "$work/out")"
ends 1 send --wait 'err:500'
says '500'
(cd "$work/b" && git --version 2>&1 | tui send --new --provider demo --wait 'echo:review this' -) >"$work/out" ||
	bad 'send --new --wait TEXT - failed'
says 'review this'
ends 0 status
says '2 sessions'
ends 0 status --json
says '"asking":0'

# ---- asks ------------------------------------------------------------------------------------
ends 0 send 'bash:echo hello'
soon has_asks 1
ends 0 asks
says 'echo hello'
ask=$(head -n 1 "$work/out" | cut -d' ' -f1)
ends 0 status
says '1 needs you'
ends 3 answer nosuch allow
ends 0 answer "$ask" allow
soon has_asks 0
ends 1 answer "$ask" deny --json # the first answer stands
says '"already":true'
soon is_state idle

# ---- what no agent may do, however it goes about it ------------------------------------------
(cd "$work/b" && tui send 'bash:echo secret') >/dev/null 2>&1
soon sh -c "cd '$work/b' && '$here/vyre-tui' asks | grep -q secret"
guarded=$(cd "$work/b" && tui asks | head -n 1 | cut -d' ' -f1)
go="$here/vyre-tui --socket $state/vyred.sock --state-dir $state answer $guarded allow"
cat >"$work/plot.sh" <<PLOT
$go; echo "plain \$?"
setsid $go; echo "setsid \$?"
env -i setsid sh -c '$go; echo "bare \$?"'
env -i setsid sh -c '(sleep 0.1; $go; echo "orphan \$?") >$work/orphan 2>&1 &'
PLOT
ends 0 send "bash:sh $work/plot.sh"
soon has_asks 1
ends 0 answer "$(tui asks | head -n 1 | cut -d' ' -f1)" allow
soon grep -q orphan "$work/orphan"
soon is_state idle
"$here/vyre-tui" tail "$session" >"$work/tail" 2>/dev/null &
tail_pid=$!
soon grep -q 'done: 1 tool' "$work/tail"
kill "$tail_pid"
grep -q 'orphan 4' "$work/orphan" || bad "an orphan of an agent answered: $(cat "$work/orphan")"
(cd "$work/b" && tui asks) | grep -q "$guarded" || bad 'an agent answered an ask'
cat >"$work/plot2.sh" <<PLOT
env -i setsid sh -c '(sleep 1; $go; echo "heir \$?") >$work/heir 2>&1 </dev/null &'
p=\$\$
while [ "\$p" -gt 1 ] && [ "\$(cat /proc/\$p/comm)" != vyre-holder ]; do
	p=\$(sed 's/.*) //' /proc/\$p/stat | cut -d' ' -f2)
done
kill -9 "\$p"
PLOT
ends 0 send "bash:sh $work/plot2.sh"
soon has_asks 1
ends 0 answer "$(tui asks | head -n 1 | cut -d' ' -f1)" allow
soon grep -q heir "$work/heir"
grep -q 'heir 4' "$work/heir" || bad "an heir of a killed holder answered: $(cat "$work/heir")"

# ---- tail, interrupt, stop -------------------------------------------------------------------
"$here/vyre-tui" tail --json "$session" >"$work/frames" 2>/dev/null &
tail_pid=$!
ends 0 send 'say:400 delay=30'
soon is_state running
ends 0 interrupt
soon is_state idle
ends 0 send --wait 'echo:after all'
ends 0 stop
soon is_state stopped
ends 0 send --wait 'echo:and again'
says 'and again'
soon grep -q 'and again' "$work/frames"
kill "$tail_pid"
sed -n 's/.*"cur":\([0-9]*\),.*/\1/p' "$work/frames" | awk '
	{ span = 1 }
	NR > 1 && $1 <= last { print "cursor " $1 " after " last; exit 1 }
	{ last = $1 }' || bad 'tail went backwards'

# ---- the server dies in the middle -----------------------------------------------------------
(sleep 0.7 && kill -9 "$(cat "$state/lock")") &
ends 0 send --wait 'say:60 delay=30'
[ "$(wc -w <"$work/out")" = 60 ] || bad "a reply over a crash has $(wc -w <"$work/out") words"
wait
exit $failed
