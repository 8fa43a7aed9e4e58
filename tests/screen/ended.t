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
type "echo:back again"
key Enter
wait "live"
wait "● live"
absent "the server was ended"
wait "back again"

# with nothing to say, enter alone does it
sh "$top_builddir/vyred" stop
wait "the server was ended; enter starts it"
key Enter
wait "● live"
sh "$top_builddir/vyre-tui" ls
quit
