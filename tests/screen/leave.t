# Who leaves finds one line on the shell: what becomes of the session, and how to come back.
size 100 24
sh mkdir -p work other
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && "$top_builddir/vyre-tui" --new --provider demo; echo "status $?"; read x'
wait "your turn"
type "say:2"
key Enter
wait "say:2  demo"
key C-c
wait "again to leave"
key C-c
wait "status 0"
expect mode alt off
expect row 1 has "\"say:2\" goes on; back to it: vyre-tui (from elsewhere: vyre-tui "
key Enter
exit 0

# from elsewhere, by its id; and an ask that is open
sh "$top_builddir/vyre-tui" send say:2 "bash:echo o''ne"
run sh -c 'cd other && "$top_builddir/vyre-tui" --socket "$XDG_STATE_HOME/vyre/vyred.sock" say:2; read x'
wait "tab to answer"
key C-c
wait "again to leave"
key C-c
wait "back to it"
expect mode alt off
expect row 1 has "\"say:2\" waits for your answer; back to it: vyre-tui --socket /"
absent "elsewhere"
key Enter
exit 0

# stopped
sh "$top_builddir/vyre-tui" stop say:2
run sh -c 'cd work && "$top_builddir/vyre-tui"; read x'
wait "stopped"
key C-c
wait "again to leave"
key C-c
wait "back to it"
expect row 1 has "\"say:2\" is stopped, a message starts it again; back to it: vyre-tui (from"
key Enter
exit 0

# where somebody else ended it, as where the terminal hung up, nobody is told
sh printf '%s\n' 'echo $$ >pid' 'cd work' 'exec "$top_builddir/vyre-tui"' >tui.sh
run sh -c 'sh ./tui.sh; echo "status $?"; read x'
wait "stopped"
sh kill -TERM "$(cat pid)"
wait "status 143"
expect mode alt off
absent "back to it"
key Enter
exit 0
