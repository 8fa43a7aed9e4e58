# An agent that is not installed: how to get it stands on the screen, what was said waits, and goes on
# once it is there.
size 130 20
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && PATH="$T/bin" exec "$top_builddir/vyre-tui" --new --provider claude'
wait "your turn"
type "say:3"
key Enter
wait "Claude Code is not installed. Get it with `npm install -g"
wait "1 queued, held"
sh mkdir bin; { echo '#!/bin/sh'; echo 'for a do'; echo 'shift'; echo 'case $a in --session-id=* | --resume=* | --permission-mode=* | --model=*) set -- "$@" "$a" ;; esac'; echo 'done'; echo "VYRE_DEMO_DIR=$T exec \"$(realpath "$top_builddir")/vyred\" agent-demo \"\$@\""; } >bin/claude; chmod 755 bin/claude
key Enter
wait "alpha bravo charlie"
absent "queued"
key C-c
key C-c
exit 0
