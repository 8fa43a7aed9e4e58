# --screen-reader: words that only grow, asks as numbered text, nothing drawn and nothing switched on.
size 100 40
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --screen-reader --new --provider demo'
wait "your turn: type a message"
expect mode alt off
expect mode paste off
expect mode mouse off
type "say:3\r"
wait "You said: say:3"
wait "Assistant: alpha bravo charlie"
wait "Note: your turn"
type "bash:echo hel''lo\r"
wait "Question:"
wait "1  Yes"
wait "type a number"
type "7\r"
wait "there is no such answer"
sh sleep 0.5
type "1\r"
wait "hello"
expect mode alt off

# a turn is stopped by a word, and by ctrl-c
type "say:2000 delay=20\r"
wait "alpha bravo charlie delta"
type "/stop\r"
wait "interrupted"
type "/quit\r"
exit 0

# the past is there again, as it was; a pipe gets nothing but text, and leaves when the turn is over
run sh -c 'cd work && printf "say:2\n" | "$top_builddir/vyre-tui" --screen-reader > out 2>&1; echo left; grep -c "alpha bravo" out; grep -q "$(printf "\033")" out || echo no escape'
wait "left"
wait "no escape"
exit 0
