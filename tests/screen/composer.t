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
key C-c
absent "  f"

# a dropped picture becomes a chip, and undo makes a path of it again; what is no picture stays a path
sh printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\001\100\0\0\0\360' > "one two.png"
sh echo words > words.png
type "look at "
paste "'../one two.png' "
wait "> look at [image 1 · 320×240 · 1 kB]"
key ctrl-_ ctrl-_
wait "> look at '../one two.png'"
key C-c
paste "../words.png"
wait "> ../words.png"
key C-c
absent "words.png"

# the clipboard: nothing there, a text, a picture
key C-v
wait "neither wl-paste nor xclip can be used"
key C-c
key C-c
exit 0
env WAYLAND_DISPLAY=wayland-9
sh mkdir bin && printf '#!/bin/sh\ncase "$*" in *png) test -e picture && cat "one two.png";; *text) printf "a\\r\\nb";; *) exit 1;; esac\n' > bin/wl-paste && chmod +x bin/wl-paste
run sh -c 'PATH=$T/bin:$PATH exec "$top_builddir/vyre-tui" --cwd work'
wait "~/work"
key C-v
wait "  b"
sh touch picture
key C-c C-v
wait "> [image 1 · 320×240 · 1 kB]"
signal KILL
exit any
run sh -c 'PATH=$T/bin:$PATH exec "$top_builddir/vyre-tui" --cwd work'
wait "> [image 1 · 320×240 · 1 kB]"
key C-c
key C-c

# a paste from a terminal that does not say so sends nothing on its way
sh rm -f picture
run sh -c 'exec "$top_builddir/vyre-tui" --cwd work'
wait "~/work"
type "one\rtwo\rthree\rfour\rfive"
wait "  five"
key C-Home
wait "> one"
key C-c
