# The lists, in the real client with a real vyred: other sessions, models, todos, what runs in the background; and the
# person's own keys. A line of tui.conf that is wrong is named; the others are in force.
size 100 30
env VYRE_DEMO_FAST=1
sh mkdir -p work "$XDG_CONFIG_HOME/vyre"
sh printf 'nonsense = 1\n[keys]\nf5 = switcher\nctrl-_ = none\nv = none\nf8 = select\n' > "$XDG_CONFIG_HOME/vyre/tui.conf"
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "tui.conf:1: there is no setting nonsense"
wait "your turn"
type "say:3 first"
key Enter
wait "alpha bravo charlie"
type "a draft of the first"

# a new session, here; the draft stays with the first
key M-n
wait "This is the demo"
absent "a draft of the first"
type "say:2 second"
key Enter
wait "alpha bravo"

# the switcher by a key of one's own: found by letters, chosen
key F5
wait "Sessions"
expect row -1 has "esc close"
type "first"
wait "1 of 2"
key Enter
wait "> a draft of the first"
wait "alpha bravo charlie"
key C-u

# another name
key M-s
wait "say:2 second"
type "first"
wait "1 of 2"
key C-r
wait "Another name"
key C-u
type "the first one"
key Enter
wait "Sessions"
wait "the first one"
key Esc
absent "Sessions"
expect row 1 has "the first one"

# into the archive, and seen there
key M-s
wait "Sessions"
type "second"
wait "1 of 2"
key C-x
wait "0 of 1"
key M-a
wait "archived"
key Esc
absent "Sessions"

# the model
key M-m
wait "Model"
wait "Scripted, built in"
key Esc
absent "Scripted, built in"

# todos, and what runs in the background: seen, counted, ended
type "todo:a ;; bashbg:sleep 300"
key Enter
wait "tab to answer"
key Tab
key y
wait "1 in the background"
key M-t
wait "Second step"
key Esc
absent "Todos"
key M-g
wait "sleep 300"
wait "running"
key C-x
wait "ending: sleep 300"
wait "nothing runs in the background"
key Esc
absent "nothing runs"

# help names the key that was chosen
key F1
wait "The composer"
key End
wait "f5"
key q
absent "The composer"

# so does every line that tells of keys
key PageUp
wait "browse: esc back"
wait "f8 select"
key F8
wait "selecting rows: esc drop  ↑↓ more  f8 characters"
key Esc
wait "browse: esc back"
key Esc
wait "shift-tab mode"
type "gone"
wait "> gone"
key C-c
wait "cleared; alt-u brings it back"
key C-c
wait "ctrl-c again to leave"
key C-c
exit
