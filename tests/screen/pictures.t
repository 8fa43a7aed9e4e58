# Pictures: what a tool looked at and what a person sent, as cells of colour; hostile ones; a terminal that draws them itself.
size 90 30
env VYRE_DEMO_FAST=1
sh mkdir -p work "$XDG_CONFIG_HOME/vyre" && cp "$top_srcdir"/tests/corpus/picture/*.png "$top_srcdir"/tests/corpus/picture/*.jpg work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "read:clear.png"
key Enter
wait "▄▄▄▄▄▄"
expect style "▄▄▄▄▄▄" fg=#ffa000 bg=default
expect row 5 "  ● Read  clear.png"
expect row 6 "       ▄▄▄▄▄▄"
expect row 8 "       ▀▘  ▗▄"
wait "done: 1 tool result"

# a person's, by its path, and its row opens nothing else
type "see "
paste "~/work/clear.png"
wait "[image 1 · 64×64"
key Enter
wait "[1 picture]"
wait "You said: see"
expect style "▀▀▀▀▀▀" fg=#ffa000
type "echo:that was it"
key Enter
wait "that was it"

# the same in a smaller window, and large again
resize 60 16
wait "that was it"
resize 90 30
wait "▄▄▄▄▄▄"

# what is no picture, or a bomb, is a sentence
type "read:cut.png ;; read:bomb.png ;; read:jpeg-inside.png ;; read:bomb.jpg ;; echo:still here"
key Enter
wait "picture  it is broken"
wait "picture  it is too large to be shown"
wait "still here"
type "a key is a key"
wait "> a key is a key"
key C-c C-c C-c
exit

# not at all, by a setting; and without colours
sh echo "pictures = off" >"$XDG_CONFIG_HOME/vyre/tui.conf"
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "read:clear.png ;; echo:seen"
key Enter
wait "seen"
wait "picture"
absent "▄▄▄▄▄▄" 300
quit
sh rm "$XDG_CONFIG_HOME/vyre/tui.conf"
env NO_COLOR=1
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "read:clear.png ;; echo:seen"
key Enter
wait "seen"
wait "picture"
absent "▄▄▄▄▄▄" 300
quit
env NO_COLOR=

# a terminal that draws: it is sent the picture once, and the cells say where it stands
graphics on
sh printf '#!/bin/sh\necho edited >"$1"\n' >ed && chmod +x ed
run sh -c 'cd work && EDITOR="$T/ed" exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "read:card.png ;; echo:seen"
key Enter
wait "seen"
expect images 1
type "read:card.jpg ;; echo:both seen"
key Enter
wait "both seen"
expect images 2

# an editor had the screen: who knows what the terminal still has
key ctrl-g
wait "> edited"
expect images 2
key ctrl-l
type " twice"
wait "> edited twice"
expect images 2
key C-u
wait "type here, always"

# scrolled out of sight, and back; cut by the edge of a smaller window
type "say:1000"
key Enter
absent "● Read"
wait "your turn"
key ctrl-up
wait "browse:"
key Home
wait "● Read  card.png"
expect images 2
key Escape
absent "browse:"
resize 70 18
key ctrl-up
wait "browse:"
key Home
wait "● Read  card.png"
expect images 2

# and when we go it has none of ours
key Escape
absent "browse:"
key C-c C-c
exit
expect images 0
