# The sessions beside the chat: who needs a person first, what is new; a switch keeps draft and place.
size 130 30
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
wait "sessions"
wait "1 ○ new session"
type "say:500"
key Enter
wait "1 ● say:500"
wait "1 ○ say:500"
type "/rename long"
key Enter
wait "1 ○ long"

# a second one, that asks: it stands first
key M-n
expect row 1 has "new session"
wait "1 ○ new session"
type "bash:echo on''e"
key Enter
wait "tab to answer"
wait "1 ◐ bash:echo on''e"
type "/rename asker"
key Enter
wait "1 ◐ asker"
expect row 3 has "needs you"
expect row 4 has "2 ○ long"
type "half a thought"
wait "> half a thought"

# alt-2, up in it, and words begun there
key M-2
wait " long  demo"
absent "half a thought"
wait "1 ◐ asker"
expect row 3 has "needs you"
wait "sierra tango"
key PageUp
key PageUp
wait "↓ end"
type "begun"
wait "> begun"
keep
key M-1
wait "> half a thought"
wait "tab to answer"
key M-2
wait "> begun"
expect kept
key M-1
wait "> half a thought"

# what is said there meanwhile is counted at once
sh cd work && "$top_builddir/vyre-tui" send long say:3 --wait
wait "1 new"
expect row 4 has "2 ○ long"

# back by a click: the words and the place are as they were, the rest is below
type "\e[<0;8;4M\e[<0;8;4m"
wait "> begun"
wait "↓ 2 new"
absent "1 new"
key M-1
wait "> half a thought"
absent " new"

# its key hides it, and brings it where it does not come by itself
key M-l
absent "sessions"
resize 100 30
key M-l
wait "sessions"
expect row 3 has "needs you"
key M-l
absent "sessions"
resize 130 30
key M-l
wait "sessions"

# another client knows what this one has shown
key C-c
absent "half a thought"
key C-c C-c
exit 0
run sh -c 'cd work && exec "$top_builddir/vyre-tui" asker'
wait "tab to answer"
wait "1 ◐ asker"
wait "2 ○ long"
absent " new"
quit
