# A person is needed: the bell, the desktop while the terminal has not the focus, the title's count.
size 90 24
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
expect mode focus on
expect bells 0

# who looks at it hears the bell, and the desktop is left alone
type "bash:echo on''e"
key Enter
wait "tab to answer"
expect bells 1
expect osc ""
expect title "(1) bash:echo on''e · vyre"
key Tab
key y
wait "your turn"
expect bells 1
expect title "bash:echo on''e · vyre"

# who looks elsewhere gets a notification too, and one at the end of the turn
focus out
type "bash:echo tw''o"
key Enter
wait "tab to answer"
expect bells 2
expect osc "9;bash:echo on''e: Run a command: echo tw''o"
key Tab
key y
wait "your turn"
expect osc "9;bash:echo on''e: your turn"
expect bells 2

# ctrl-z with no shell to come back to stops nothing, and F12 hands the mouse over and back
expect mode mouse on
key F12
expect mode mouse off
key F12
expect mode mouse on
# a flood of "your size may have changed" is one frame and no loop
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
signal WINCH
resize 90 30
resize 60 20
resize 90 24
expect row -1 has "live"
expect cursor 22 3
key C-z
# until the terminal is ours again a ctrl-c is the signal, and nothing on the screen tells when that is
sh sleep 1
expect mode alt on
wait "type here, always"
key C-c
key C-c
exit 0
expect mode mouse off
expect mode focus off

# with a shell behind it, ctrl-z gives the terminal back and fg takes it again
run sh -c 'cd work && exec env PS1=ready: ENV= sh -i'
wait "ready:"
type "\x22$top_builddir/vyre-tui\x22\r"
wait "type here, always"
key C-z
expect mode alt off
expect mode paste off
wait "Stopped"
expect row 3 "ready:"
type "fg\r"
expect mode alt on
wait "type here, always"
key C-c C-c
expect mode alt off
expect mode paste off
expect row 5 has "goes on; back to it: vyre-tui (from elsewhere: vyre-tui "
expect row 6 "ready:"
quit
