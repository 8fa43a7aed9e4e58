# The composer: what stands in it survives a kill -9, what was said comes back, nothing is lost.
size 90 24
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "say:3"
key Enter
wait "alpha bravo charlie"

# a draft with a chip, and the client dies in the middle of the thought
type "half a thought "
paste "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\nl11\nl12"
wait "> half a thought [pasted 12 lines]"
wait "tab opens the pasted text"
signal KILL
exit any
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "> half a thought [pasted 12 lines]"
key Tab
wait "l12"
key ctrl-_
wait "> half a thought [pasted 12 lines]"

# backspace cuts a chip whole, and a yank brings it back, in the next client too
key Backspace
wait "half a thought"
absent "[pasted"
signal KILL
exit any
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "> half a thought"
key C-y
wait "l12"
key C-c
absent "l12"
signal KILL
exit any

# what ctrl-c cleared and what was said are in the history, though every client was killed
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "~/work"
wait "live"
key Up
wait "l12"
key C-Home
key Up
wait "> say:3"
key Down
key C-End
wait "l12"
key C-c
absent "l12"

# every newline key, as terminals send them
type "a"
key C-j
type "b"
type "\e\r"
type "c"
type "\e[13;2u"
type "d"
type "\e[27;2;13~"
type "e\\"
key Enter
type "f"
wait "  f"
expect row -8 "> a"
expect row -3 "  f"
