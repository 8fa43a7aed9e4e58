# vyre-tui term: the session's terminal and nothing else. Left and killed it leaves the terminal clean, and whoever
# comes again has the same screen; two of them share it.
size 80 24
env VYRE_DEMO_FAST=1
sh mkdir -p work
sh sh -c 'printf "PS1=ready\\>\\\\ \nunset PROMPT_COMMAND\n" >"$HOME/.bashrc"; cp "$HOME/.bashrc" "$HOME/.bash_profile"'
env SHELL=/bin/bash
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" term --new --provider demo'
wait "ready>"
expect row 1 "ready>"

# every row and every key is the program's
type "stty size\r"
wait "24 80"
type "echo g''o; cat -v\r"
wait "go"
key M-w
wait "^[w"
key ctrl-\
wait "Quit"
absent "type here"

# a program that takes the screen; its modes are there again for who comes
type "clear; printf '\\033[?1049h\\033[?1h\\033[2;3Hin the \\033[1malternate\\033[0m screen\\033[?25l'; read x; printf '\\033[?25h\\033[?1049l'\r"
wait "in the alternate screen"
expect mode cursor off
keep
type "\x1d"
wait "d leave"
type "d"
exit
expect mode alt off
expect mode mouse off
expect mode paste off
run sh -c 'cd work && exec "$top_builddir/vyre-tui" term'
wait "in the alternate screen"
expect kept
expect style "alternate" bold
expect mode cursor off
key Enter
wait "ready>"
absent "alternate"

# killed, hung up: clean, and it goes on
type "echo be''fore\r"
wait "before"
signal KILL
exit 137
expect mode alt off
expect mode mouse off
run sh -c 'cd work && exec "$top_builddir/vyre-tui" term'
wait "before"
signal HUP
exit
expect mode alt off
run sh -c 'cd work && exec "$top_builddir/vyre-tui" term'
wait "before"

# the size follows
resize 60 10
type "until [ \"`stty size`\" = \"10 60\" ]; do sleep 0.1; done; clear; stty size\r"
wait "10 60"

# the shell's end is its end
type "exit\r"
exit
expect mode alt off
