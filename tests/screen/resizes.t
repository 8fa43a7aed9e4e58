# 200 resizes in two seconds while words stream: the end is exact, to the glyph and the colour.
size 100 30
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "pace:1200 rate=500 ;; markdown"
key Enter
wait "esc interrupt"
resizes 200 2000
wait "your turn"
wait "shift-tab mode"
keep

# drawn anew from nothing it is the same; the letter says that the new drawing has come
key C-l
type "Z"
wait "> Z"
key C-u
wait "type here, always"
expect kept

# scrolled to somewhere in the middle and resized again, it is the same too
key PgUp
key PgUp
wait "end"
resizes 50 500
type "Y"
wait "> Y"
key C-u
wait "type here, always"
keep
key C-l
type "Z"
wait "> Z"
key C-u
wait "type here, always"
expect kept
