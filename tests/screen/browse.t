# Browsing the chat: selecting and copying, searching, the pager, links, an editor, the mouse, the print.
size 100 30
env VYRE_DEMO_FAST=1
env "EDITOR=! cp -t .."
env "PAGER=cat >>../paged; echo SEEN `grep -c 'alpha bravo' ../paged`; read x </dev/tty"
sh mkdir -p work
sh sh -c "printf 'one\ntwo\n' > work/notes.txt"
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"

type "echo:the first words, see notes.txt ;; bash:seq 1 400"
key Enter
wait "tab to answer"
key Tab
key y
absent "tab to answer"
wait "your turn"
type "say:12"
key Enter
wait "alpha bravo charlie"
wait "your turn"

# what was said is copied as it was said; the words say "sent", never "copied"
key PageUp
wait "browse:"
key [
key y
wait "sent to the clipboard"
expect clipboard "c2F5OjEy"

# characters: three words to the right from the beginning of the row
key Down
key v
wait "selecting rows"
key v
wait "selecting: esc drop"
key M-f
key M-f
key Left
key Left
key y
wait "1 line sent"
expect clipboard "YWxwaGEgYnJhdm8="

# esc drops the selection first, then leaves
key v
wait "selecting rows"
key Esc
wait "browse:"
key Esc
wait "type here, always"
wait "shift-tab mode"

# a search finds what is far above, counts it, goes on and back, and ends
key M-/
type "FIRST"
wait "not found"
key C-u
type "first"
wait "match 1 of 2"
key Enter
wait "n next"
key n
wait "match 2 of 2"
key N
wait "match 1 of 2"
expect style "first" bold
key Esc
wait "browse:"

# a long output has a pager: it searches, scrolls, copies whole
key [
key Down
key Down
key Enter
wait "lines 1 to"
wait "of 400"
key /
type "39"
wait "match 1 of 14"
key Enter
key n
wait "match 2 of 14"
key y
wait "lines sent to the clipboard"
key Esc
key Esc
wait "browse:"

# the path of a row in the editor, and back
key [
key Down
key o
wait "ended with a failure"
sh cmp work/notes.txt notes.txt

# the transcript in the terminal's own scrollback
key P
wait "enter goes back to it"
expect mode alt off
key Enter
wait "browse:"
expect mode alt on

# and to a pager: the whole of it, as text alone
key p
wait "SEEN 1"
expect mode alt off
sh grep -q "alpha bravo" paged
sh grep -q "the first words, see notes.txt" paged
sh sh -c "LC_ALL=C tr -d '\\n\\040-\\176\\200-\\377' <paged | cmp -s - /dev/null"
key Enter
wait "browse:"
expect mode alt on
key Esc
wait "shift-tab mode"
type "/pager "
wait "> /pager"
key Enter
wait "SEEN 2"
key Enter
wait "type here, always"

# the mouse: a drag selects, and F12 hands it back
expect mode mouse on
type "\e[<0;5;3M\e[<32;12;3M\e[<0;12;3m"
wait "selecting: esc drop"
key y
wait "sent to the clipboard"
key F12
expect mode mouse off
key F12
expect mode mouse on
key Esc
wait "shift-tab mode"
key C-c
wait "ctrl-c again"
key C-c
exit 0
