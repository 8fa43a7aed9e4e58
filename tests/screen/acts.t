# The small acts against the real server: side questions, how hard it tries, compact; on the screen and without one.
size 80 24
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "echo:apple"
key Enter
wait "    apple"

# a side question: its answer is in the panel; the draft stays, the session hears nothing
type "a draft"
wait "> a draft"
key M-a
wait "Beside the conversation"
type "what is it?"
wait "? what is it?"
key Enter
wait "Beside: what is it?"
wait "esc close"
type "and more?"
wait "? and more?"
key Enter
wait "Beside: and more?"
key M-c
expect clipboard "QmVzaWRlOiBhbmQgbW9yZT8="
key Esc
absent "Beside"
wait "> a draft"
key C-c
wait "cleared"
type "/btw once again "
wait "> /btw once again"
key Enter
wait "Beside: once again"
key Esc
absent "Beside"
type "recall"
key Enter
wait "I remember: echo:apple | recall"

# how hard it tries: from the list, and by its word; auto is as it likes
key M-e
wait "as the agent likes"
key Down Down
key Enter
absent "How hard it tries"
sh sleep 0.5
key M-e
wait "● medium"
key Esc
absent "How hard it tries"
type "/effort auto"
wait "> /effort auto"
key Enter
absent "> /effort"
sh sleep 0.5
key M-m
wait "How hard it tries   as the agent likes"
key Esc
absent "How hard"

# a key asks before it compacts
key M-c
wait "Sum up what was said"
key Enter
wait "made shorter for the agent"

# without a screen: the points, back and forth, said again, beside it
sh sh -c 'cd work && "$top_builddir/vyre-tui" rewind | grep -q "  echo:apple$"'
sh sh -c 'cd work && "$top_builddir/vyre-tui" rewind --json | grep -c "\"message\"" | grep -qx 3'
sh sh -c 'cd work && "$top_builddir/vyre-tui" aside "why so?" | grep -qx "Beside: why so?"'
sh sh -c 'cd work && "$top_builddir/vyre-tui" aside --json "why so?" | grep -q "{\"answer\":\"Beside: why so?\"}"'
sh sh -c 'cd work && "$top_builddir/vyre-tui" send --wait "echo:banana" >/dev/null'
wait "    banana"
sh sh -c 'cd work && M=`"$top_builddir/vyre-tui" rewind | sed -n "1s/ .*//p"` && "$top_builddir/vyre-tui" rewind --to $M | grep -qx "echo:banana"'
absent "    banana"
wait "folded away   alt-Z bring back"
sh sh -c 'cd work && "$top_builddir/vyre-tui" rewind --redo'
wait "    banana"
absent "folded away"
sh sh -c 'cd work && "$top_builddir/vyre-tui" rewind --redo 2>&1 | grep -q "nothing to redo"'
sh sh -c 'cd work && ! "$top_builddir/vyre-tui" rewind --files 2>/dev/null'
sh sh -c 'cd work && "$top_builddir/vyre-tui" retry --message "echo:cherry"'
wait "    cherry"
absent "    banana"
wait "your turn"
sh sh -c 'cd work && "$top_builddir/vyre-tui" compact --message "the fruit"'
key C-c
key C-c
exit 0
