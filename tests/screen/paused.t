# A disk that is full, then a database that is damaged, as a person sees them.
size 100 30
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "type this to see what an assistant can do here"
type "say:3"
key Enter
wait "alpha bravo charlie"
wait "your turn"

# nothing may grow: the turn waits, and says why where one looks
sh "$top_builddir/vyred" backup kept.db
sh prlimit --pid "$(cat "$XDG_STATE_HOME/vyre/lock")" --fsize="$(stat -c %s "$XDG_STATE_HOME/vyre/vyre.db-wal")":
type "say:900 delay=5"
key Enter
wait "The disk of the server is full. Agents wait and lose nothing;"
wait "paused: the disk is full"
expect style "The disk of the server is full" fg=#e3b341
sh "$top_builddir/vyre-tui" status | grep -q "paused: the disk is full"
sh "$top_builddir/vyre-tui" ls 2>&1 | grep -q "The disk of the server is full"
sh timeout 3 "$top_builddir/vyre-tui" tail --cwd work | grep -q "The disk of the server is full"
sh "$top_builddir/vyred" doctor | grep -q "sessions .*disk is full"

# there is room: it goes on by itself, nothing is missing
sh prlimit --pid "$(cat "$XDG_STATE_HOME/vyre/lock")" --fsize=unlimited:
absent "The disk of the server is full" 20000
wait "your turn" 20000
sh "$top_builddir/vyre-tui" status
type "echo:all is well"
key Enter
wait "    all is well"
wait "your turn"
quit

# the page with what was said and packed is lost: the rest is read, and the backup is named
sh "$top_builddir/vyred" stop
sh dd if=/dev/zero of="$XDG_STATE_HOME/vyre/vyre.db" bs=4096 seek=27 count=1 conv=notrunc status=none
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --cwd "$PWD"'
wait "read only: the database is damaged"
wait "nothing new is taken"
wait "kept.db"
wait "all is well"
type "hello"
key Enter
wait "take back"
sh "$top_builddir/vyred" stop
wait "the server was ended; enter starts it"
absent "read only: the database is damaged"
sh "$top_builddir/vyred" restore kept.db
key Enter
wait "● live"
wait "alpha bravo charlie"
absent "read only: the database is damaged"
absent "all is well"
quit
