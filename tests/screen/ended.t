# vyred stop, with a viewer open: it ends and stays ended, says so, and a person's next word brings it back.
size 100 30
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "type this to see what an assistant can do here"
type "say:3"
key Enter
wait "alpha bravo charlie"
sh "$top_builddir/vyred" stop
wait "the server was ended; enter starts it"
sh ! "$top_builddir/vyre-tui" ls
type "say:4"
key Enter
wait "alpha bravo charlie delta"
wait "● live"
wait "your turn"
absent "the server was ended"

# with nothing to say, enter alone does it
sh "$top_builddir/vyred" stop
wait "the server was ended; enter starts it"
key Enter
wait "● live"
sh "$top_builddir/vyre-tui" ls
quit
