# Terminals that nobody knows, and those that cannot be drawn on: a plain screen, or one sentence,
# status 2, and no session begun.
size 100 20
env VYRE_DEMO_FAST=1
sh mkdir -p work empty
finally "$top_builddir/vyred" stop --all

# not to be drawn on: said in one line, whatever else was wanted, and nothing is left behind
run sh -c 'cd work && TERM=dumb exec "$top_builddir/vyre-tui" --new --provider demo'
wait "vyre-tui: TERM=dumb cannot place its cursor"
wait "; --screen-reader needs lines alone"
exit 2
run sh -c 'cd work && TERM= exec "$top_builddir/vyre-tui" --new --provider demo'
wait "vyre-tui: TERM is not set: which terminal is this?"
exit 2
run sh -c 'cd work && unset TERM && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "vyre-tui: TERM is not set: which terminal is this?"
exit 2
run sh -c 'cd work && TERM=dumb TERMINFO="$T/empty" TERMINFO_DIRS="$T/empty" exec "$top_builddir/vyre-tui" --new --provider demo'
wait "vyre-tui: TERM=dumb cannot place its cursor"
exit 2
run sh -c '"$top_builddir/vyre-tui" ls; test $? -eq 5 && echo no server was started'
wait "no server was started"
exit 0

# a name that no machine knows, one that this machine does not, and no terminfo at all: it works
run sh -c 'cd work && TERM=of-tomorrow exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
expect mode alt on
type "say:3"
key Enter
wait "alpha bravo charlie"
key C-c
key C-c
exit 0
run sh -c 'cd work && TERM=xterm-256color TERMINFO="$T/empty" TERMINFO_DIRS="$T/empty" HOME="$T/empty" exec "$top_builddir/vyre-tui"'
wait "alpha bravo charlie"
expect mode alt on
expect style "say:3" bold
type "say:5"
key Enter
wait "delta echo"
resize 60 15
wait "delta echo"
key C-c
key C-c
exit 0

# an old one that has fewer ways: no strings, no alternate screen of xterm's
run sh -c 'cd work && TERM=vt220 exec "$top_builddir/vyre-tui"'
wait "delta echo"
type "say:6"
key Enter
wait "echo foxtrot"
expect mode paste off
key C-c
key C-c
exit 0

# the person's folders may not be written to (a terminfo folder, a configuration): nothing needs them
sh sh -c "mkdir -p locked/.terminfo locked/.config && chmod 500 locked locked/.terminfo locked/.config"
run sh -c 'cd work && TERM=of-tomorrow HOME="$T/locked" XDG_CONFIG_HOME="$T/locked/.config" exec "$top_builddir/vyre-tui"'
wait "echo foxtrot"
type "say:7"
key Enter
wait "foxtrot golf"
key C-c
key C-c
exit 0
sh chmod -R 700 locked
