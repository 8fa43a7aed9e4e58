# The chat, in the real client with a real vyred and the demo agent: say, see, answer, steer, interrupt.
size 100 30
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
expect row 1 has "demo"
expect row -1 has "shift-tab mode"
expect row -1 has "live"
expect cursor 28 3
expect mode alt on
expect mode paste on
wait "type this to see what an assistant can do here"


# what is said is shown, and answered
type "say:3"
key Enter
wait "alpha bravo charlie"
absent "type this to see"
expect style "say:3" bold
expect title "say:3 · vyre"

# an ask does not stop the typing, and a key answers it
type "bash:echo hel''lo ;; echo:after"
key Enter
wait "tab to answer"
wait "asks you"
type "typed beside it"
wait "> typed beside it"
key C-u
key Tab
key y
wait "hello"
wait "after"
absent "tab to answer"
expect title "say:3 · vyre"

# a queued word waits for the end of the turn; esc ends the turn and holds it; enter lets it go
type "say:2000 delay=20"
key Enter
wait "esc interrupt"
type "&later: say so"
key Enter
wait "next turn"
key Esc
wait "interrupted"
wait "held"
key Enter
wait "You said: later: say so"
wait "waited, taken in as turn "
absent "held"

# the mode goes round
key shift-tab
wait "accept edits"
key shift-tab
wait "plan mode"
key shift-tab
wait "shift-tab mode"

# any size, at any time
resize 50 14
wait "your turn"
expect row -1 has "live"
resize 39 14
expect row 1 "too small: 40x12 at least"
resize 100 30
wait "shift-tab mode"

# help is about the place it was asked for
key F1
wait "composer"
expect row -1 has "esc close"
key Esc
wait "type here, always"

# leaving: the text is cleared first, then twice ctrl-c; the terminal is as it was
type "not sent"
key C-c
absent "not sent"
key C-c
wait "ctrl-c again"
key C-c
exit 0
expect mode alt off
expect mode paste off
