# The terminal pane: a shell in the session's folder, with the chat beside it; programs that take the
# whole pane; looking back; several of them; the shell goes on without the pane and without vyred.
size 80 24
env VYRE_DEMO_FAST=1
env PS1=
sh mkdir -p work
sh sh -c 'printf "PS1=ready\\>\\\\ \nunset PROMPT_COMMAND\n" >"$HOME/.bashrc"; cp "$HOME/.bashrc" "$HOME/.bash_profile"'
env SHELL=/bin/bash
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "type here, always"

# there, with the keys
key ctrl-t
wait "ready>"
expect row -1 has "ctrl-t back to the chat"
type "echo one; pwd\r"
wait "/work"
expect row -1 has "ctrl-] more"

# a key of ours as it is, behind the prefix: cat shows it
type "echo g''o; cat -v\r"
wait "go"
type "\x1d\x14"
type "\x1d\x1d"
key Esc
wait "^["
key Enter
wait "^T^]^["
type "\x04"
wait "ready>"

# colours, wide and combining characters
type "clear; printf '\\033[38;2;1;2;3mtr''ue\\033[0m \\033[48;5;200min''dex\\033[0m \\344\\270\\255e\\314\\201.\\n'\r"
wait "true index"
expect style "true" fg=#010203
expect style "index" bg=200

# the alternate screen comes and goes
type "printf '\\033[?1049h\\033[Hfull '; echo scr''een; read x; printf '\\033[?1049l'\r"
wait "full screen"
absent "true index"
key Enter
wait "true index"
absent "full screen"

# below, beside, full, and back; the shell knows its room
key ctrl-\
wait "┌"
type "stty size\r"
wait "21 39"
key ctrl-\
absent "┌"
type "stty size\r"
wait "21 80"
key ctrl-\
wait "type here, always"

# the chat has the keys; nothing of them reaches the shell
key alt-w
type "for the chat"
wait "> for the chat"
key alt-w
type "echo for the sh'ell'\r"
wait "for the shell"
wait "> for the chat"

# looking back, a search, a copy
type "clear; seq 100 200; echo all' 'out\r"
wait "all out"
key shift-pgup
wait "↓"
key x
absent "↓"
key C-u
type "\x1d/"
wait "/"
type "123"
wait "match 1 of 1"
key Enter
key V
key y
wait "sent to the clipboard"
expect clipboard "MTIz"

# a second one, and its end
type "\x1dc"
wait "2 "
wait "ready>"
type "exit 3\r"
wait "the shell has ended with status 3"
key Enter
absent "has ended"
wait "ready>"
type "\x1dx"
wait "once more ends the shell"
type "\x1dx"
absent "once more"

# away and there again: the same shell
type "x=kept\r"
key ctrl-t
absent "ready>"
wait "for the chat"
key ctrl-t
wait "ready>"
type "echo $x.\r"
wait "kept."

# vyred is killed: its next one has the same shell (keys in flight are lost, so there are none)
sh sh -c 'lock=$XDG_STATE_HOME/vyre/lock; was=$(cat "$lock"); kill -9 "$was"; until [ "$(cat "$lock" 2>/dev/null)" -gt 0 ] 2>/dev/null && [ "$(cat "$lock")" != "$was" ]; do sleep 0.05; done'
type "echo still' 'here\r"
wait "still here" 30000
quit
