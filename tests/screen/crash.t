# The server dies with -9 while a reply streams and an ask is open: the screen goes on as if nothing was.
size 90 24
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "say:150 delay=20 ;; bash:echo ma''rk ;; echo:the end"
key Enter
wait "juliett"
sh kill -9 "$(cat "$XDG_STATE_HOME/vyre/lock")"
wait "tab to answer" 20000
sh kill -9 "$(cat "$XDG_STATE_HOME/vyre/lock")"
key Tab
key y
wait "mark" 20000
wait "the end"
wait "your turn"
expect row -1 has "live"
key C-c
key C-c
exit 0

# the client dies with -9: the next one shows the same
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "the end"
type "half a thought"
signal KILL
exit any
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "the end"
key C-c
key C-c
exit 0
