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

# why no server starts is said while it is so, and not when one is back
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "the end"
sh mkdir -p "$XDG_CONFIG_HOME/vyre"
sh echo '[server' >"$XDG_CONFIG_HOME/vyre/vyred.conf"
sh kill -9 "$(cat "$XDG_STATE_HOME/vyre/lock")"
wait "vyred did not start: "
sh rm "$XDG_CONFIG_HOME/vyre/vyred.conf"
wait "● live" 20000
absent "did not start" 2000
key C-c
key C-c
exit 0
