# Another session asks: the column says so at once, without a key and without the focus.
size 130 30
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
wait "sessions"
wait "1 ○ new session"
type "/rename first"
key Enter
wait "1 ○ first"
sh cd work && "$top_builddir/vyre-tui" new --provider demo "bash:echo on''e"
wait "needs you"
wait "1 ◐ "
expect row 3 has "needs you"
expect row 4 has "2 ○ first"
