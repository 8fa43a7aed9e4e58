# Every role of the theme and the hard glyphs, through the real painter; and the way out.
size 100 30
run $top_builddir/tests/screen/testcard
wait "also update the changelog"
expect title "vyre test card"
expect mode alt on
expect mode paste on
expect mode focus on
expect mode mouse off
expect style "working" fg=#7ee787 bg=#20242b
expect style "fix-login" bold
expect style "the router" underline link fg=#7dcfff
expect style "struck" strike
expect style "next" fg=#7dcfff
expect cursor 29 20
snapshot testcard-dark.screen

# looks and depths
key t
expect style "working" fg=#1a7f37
key t
expect style "working" fg=#5fff87 bg=#303030
key t d
expect style "working" fg=default reverse
snapshot testcard-none.screen
key d
expect style "working" fg=2
key d
expect style "working" fg=114 bg=235
snapshot testcard-256.screen
key d
expect style "working" fg=#7ee787

# keys
key C-t
expect row -2 "> ctrl-t"
key M-Enter
expect row -2 "> alt-enter"
key Up
expect row -2 "> up"
type "\e[13;2u"
expect row -2 "> shift-enter"
type "👩‍💻"
expect row -2 has "> text"
paste "one\ntwo\n"
expect row -2 "> paste of 8 bytes"
focus out
expect row -2 "> focus out"
key m
expect mode mouse on
type "\e"
expect row -2 "> esc"

# sizes: comfortable, wide, tiny, and back
resize 130 36
wait "needs you"
expect row -1 has "accept edits"
resize 40 12
absent "needs you"
expect row -1 has "accept"
resize 5 2
resize 100 30
expect row 1 has "$0.31"
expect row -2 "> esc"

# suspended, the shell has its terminal back; then it goes on
key z
expect mode alt off
expect mode paste off
signal CONT
expect mode alt on
expect row -2 "> z"

# scrolling
key n
expect row 3 ""
key n n
expect row 4 has "Plan"
key q
exit
expect mode alt off
expect mode paste off
expect mode focus off
expect mode mouse off
expect mode cursor on

# a light terminal is seen by its answer
background #ffffff
run $top_builddir/tests/screen/testcard
expect style "working" fg=#1a7f37
quit

# however it dies, the terminal is clean
background #16181a
run $top_builddir/tests/screen/testcard
wait "accept edits"
key x
exit 134
expect mode alt off
expect mode paste off
expect mode cursor on
run $top_builddir/tests/screen/testcard
wait "accept edits"
signal TERM
exit 143
expect mode alt off
expect mode focus off
run $top_builddir/tests/screen/testcard
wait "accept edits"
signal BUS
# a sanitizer has its own status
exit any
expect mode alt off
run $top_builddir/tests/screen/testcard
wait "accept edits"
signal HUP
exit 129
expect mode alt off


# killed, it cannot do it: its guard does, and leaves the line discipline as it was
run sh -c 'sh -c "echo \$\$ > pid; exec $top_builddir/tests/screen/testcard"; until stty -a | grep -q "^isig icanon"; do sleep 0.1; done; echo clean again; read x'
wait "accept edits"
key m
expect mode mouse on
sh kill -9 "$(cat pid)"
wait "clean again"
expect mode alt off
expect mode paste off
expect mode focus off
expect mode mouse off
expect mode cursor on
key Enter
exit 0

# a terminal that was given back is left alone
run sh -c 'sh -c "echo \$\$ > pid; exec $top_builddir/tests/screen/testcard"; echo left; printf "\033[?2004h"; read x; sleep 0.3; echo; echo end; read x'
wait "accept edits"
key z
expect mode alt off
sh until grep -q "^State:.T" "/proc/$(cat pid)/status"; do sleep 0.1; done
sh kill -9 "$(cat pid)"
wait "left"
expect mode paste on
key Enter
wait "end"
expect mode paste on
key Enter
exit 0

# that another program broke: --reset
run sh -c 'printf "\033[?1049;2004;1004;1002;1006h\033[?25l\033[>5u"; stty raw -echo; "$top_builddir/vyre-tui" --reset; stty -a | grep -q "^isig icanon" && echo repaired; read x'
wait "repaired"
expect mode alt off
expect mode paste off
expect mode mouse off
expect mode focus off
expect mode cursor on
key Enter
exit 0

# without true colour, without colour, without a terminal it knows
env COLORTERM=
run $top_builddir/tests/screen/testcard
expect style "working" fg=114
quit
env NO_COLOR=1
run $top_builddir/tests/screen/testcard
expect style "working" fg=default
quit
env TERM=no-such-terminal
run $top_builddir/tests/screen/testcard
wait "accept edits"
quit
env TERM=dumb
run $top_builddir/tests/screen/testcard
wait "cannot place its cursor"
exit 1
env TERM=xterm
env ASCII=1
run $top_builddir/tests/screen/testcard
wait "accept edits"
expect row -5 has "| 1 Yes"
expect row 1 has "* working"
quit
