# Going back, against the real server: the list by esc esc, rewind, redo, edit and send again, say again, fork.
size 90 26
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
absent "esc esc go back"
type "echo:apple"
key Enter
wait "    apple"
wait "esc esc go back"
type "echo:banana"
key Enter
wait "    banana"
type "echo:cherry"
key Enter
wait "    cherry"
wait "your turn"

# esc twice in the empty composer: the newest first; letters find; esc closes
type "a draft"
wait "> a draft"
key Esc Esc
sh sleep 0.3
absent "Go back to"
key C-u
wait "esc esc go back"
key Esc
wait "esc go back"
key Esc
wait "Go back to"
wait "echo:cherry"
type "ban"
wait "1 of 3"
key Esc
absent "Go back to"
wait "esc esc go back"

# gone back to: what came after is folded away, the words are in the composer, the draft in the history
type "a draft"
wait "> a draft"
key M-z
wait "Go back to"
type "ban"
key Enter
wait "Go back to: echo:banana"
wait "The conversation alone"
key Enter
wait "4 messages are folded away   alt-Z bring back"
wait "> echo:banana"
absent "    cherry"
expect row -3 "> echo:banana"
key C-u
key Up
wait "> a draft"
key C-c
wait "cleared"

# and brought back, as it was
key M-Z
wait "    cherry"
absent "folded away"

# after another word there is no way back
type "/rewind "
key Enter
wait "Go back to"
type "cherry"
key Enter
wait "The conversation alone"
key Enter
wait "2 messages are folded away"
wait "> echo:cherry"
key C-u
absent "> echo"
type "echo:elder"
key Enter
wait "    elder"
absent "folded away"
type "/redo "
key Enter
wait "nothing is folded away here"

# edited and sent again, in place of what was said; given up by esc before that
key Tab
wait "browse:"
key [
wait "z go back"
key e
wait "> echo:elder"
wait "goes back there and says this"
key Esc
absent "> echo:elder"
key Tab
wait "browse:"
key [
key e
wait "> echo:elder"
type "berry"
key Enter
wait "    elderberry"
absent "folded away"
wait "your turn"

# said again: the agent does not know that it was said
type "/retry "
wait "> /retry"
key Enter
absent "> /retry"
wait "    elderberry"
wait "your turn"
type "recall"
key Enter
wait "echo:apple | echo:banana | echo:elderberry | recall"
wait "your turn"

# by its key it asks first
key Tab
wait "browse:"
key R
wait "Say again: recall"
key Enter
absent "Say again"
wait "echo:apple | echo:banana | echo:elderberry | recall"
wait "your turn"

# while a turn runs it is refused, in a sentence
type "say:400 delay=30"
key Enter
wait "alpha bravo"
wait "esc interrupt"
key M-z
wait "Go back to"
key Enter
wait "The conversation alone"
key Enter
wait "a turn runs"
key Esc
wait "your turn"

# all of it once more after the client was killed: the way back is there again
key M-z
wait "Go back to"
type "elderberry"
wait "1 of"
key Enter
wait "The conversation alone"
key Enter
wait "are folded away   alt-Z"
signal KILL
exit any
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "folded away   alt-Z bring back"
absent "    elderberry"
key M-Z
wait "    elderberry"
absent "folded away"

# a fork from a message: a session with what came before it, its words in the composer; it says where it is from
key M-z
wait "Go back to"
type "banana"
wait "1 of"
key Enter
wait "Fork from here"
key Up
wait "this one stays as it is"
key Enter
wait "forked from echo:apple"
wait "> echo:banana"
absent "    banana"
key C-u
key M-s
wait "Sessions"
wait "⎇ forked from echo:apple"
key Esc
absent "Sessions"
type "recall"
key Enter
wait "I remember: echo:apple | recall"
absent "forked from"

# a copy of the whole, by its word
wait "your turn"
type "/fork "
wait "> /fork"
key Enter
wait "forked from"
wait "I remember: echo:apple | recall"
type "echo:fig"
key Enter
wait "    fig"

# files: what would change is said before, they go back, and by a redo forth
wait "your turn"
type "write:notes.txt=one"
key Enter
wait "tab to answer"
key Tab
key y
wait "your turn"
sh grep -qx one work/notes.txt
type "edit:notes.txt|one|two"
key Enter
wait "tab to answer"
key Tab
key y
wait "your turn"
sh grep -qx two work/notes.txt
key M-z
wait "notes.txt +1 −1"
key Down
key Enter
wait "The conversation and the files  1 file"
key Down
wait "    notes.txt"
key Enter
wait "> write:notes.txt=one"
wait "1 file is as it was"
sh test ! -e work/notes.txt
key M-Z
absent "folded away"
sh sleep 0.5
sh grep -qx two work/notes.txt
key C-c
key C-c
key C-c
exit 0
