# vi's keys in the composer: by tui.conf and by /vim; Esc of insert mode interrupts nobody.
size 90 24
env VYRE_DEMO_FAST=1
sh mkdir -p work
sh sh -c 'mkdir -p "$XDG_CONFIG_HOME/vyre"; echo "editing = vim" >"$XDG_CONFIG_HOME/vyre/tui.conf"'
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
wait "insert"
wait "esc normal mode"

# written, changed by commands, sent from normal mode; the next text is written at once
type "say:1 two three"
key Esc
absent "normal mode"
type "0f1cw"
wait "insert"
type "4"
wait "> say:4 two three"
key Esc
absent "normal mode"
type "ldW"
type "D"
absent "two"
key Enter
wait "alpha bravo charlie delta"
wait "insert"

# what waits for an answer, and Esc: normal mode, then the ask is folded, then the turn is interrupted
type "bash:sleep 60"
key Enter
wait "tab to answer"
type "later"
key Esc
wait "esc fold"
key Esc
absent "1 Yes"
wait "esc interrupt"
key Esc
wait "your turn"

# what was cut in one mode comes back in the other; undo takes a whole insert
type "cc"
wait "esc normal mode"
type "alpha beta"
wait "> alpha beta"
key Esc
absent "normal mode"
type "b"
type "dw"
absent "beta"
type "i"
wait "esc normal mode"
key C-y
wait "> alphabeta"
key Esc
absent "normal mode"
type "u"
wait "> alpha"
absent "alphabeta"
type "vb"
wait "visual"
wait "esc drop"
key Esc
absent "visual"

# above the first line is what was said before
type "k"
wait "> bash:sleep 60"
type "j"
wait "> alpha"

# emacs' keys again, for this once
type "ddi/vim "
key Enter
wait "emacs' keys in the composer"
absent "insert"
type "abc"
key C-a
type "x"
wait "> xabc"
key C-c
key C-c
key C-c
exit 0
