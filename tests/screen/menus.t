# The composer's menus against the real server: commands, files, what was said; a picture is sent.
size 90 24
env VYRE_DEMO_FAST=1
sh mkdir -p work/src work/build && cd work && git init -q . && printf 'build/\n*.o\n' > .gitignore
sh cd work && touch src/main.c src/main.o src/map.c "src/two words.c" build/out README.md
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
wait "~/work"

# files: fuzzy, what git ignores is not there, a folder is gone into, lines stand behind the path
type "@"
wait "README.md"
absent "main.o"
type "smain"
wait "src/main.c"
absent "README.md"
key Enter
type ":10-20 "
wait "> @src/main.c:10-20"
type "@sr"
wait "src/"
key Tab
wait "@src/"
type "two"
wait "two words.c"
key Enter
wait "> @src/main.c:10-20 @\"src/two words.c\""
key C-c
absent "main.c:10"

# commands: ours are done here
type "/pl"
wait "Commands"
key C-c
absent "Commands"
key C-c
type "/mode plan"
key Enter
wait "plan mode"
type "/mode default"
key Enter
wait "shift-tab mode"
type "/rename another name"
key Enter
wait "another name  demo"

# a line for the shell runs in the folder, and its output is seen
type "!echo hel''lo; ls src"
wait "enter runs it"
expect row -3 has "$ !echo"
key Enter
wait "hello"
wait "two words.c"

# a line for the memory says where it went
type "#always use tabs"
key Enter
wait "added to "

# a picture goes with its words, by reference
sh printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\001\100\0\0\0\360' > dot.png
type "echo:see "
paste "../dot.png"
wait "[image 1 · 320×240 · 1 kB]"
type " ;; images"
key Enter
wait "images: 1"

# what was said: ctrl-r, a few letters, enter
key C-r
wait "Said before"
type "modepl"
wait "/mode plan"
key Enter
wait "> /mode plan"
key C-c
absent "> /mode plan"

# a draft is on the server too: another machine, that has nothing on its disk, goes on with it
type "begun here"
wait "> begun here"
sh sleep 1
signal KILL
exit any
sh rm -rf "$XDG_STATE_HOME/vyre/drafts"
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "> begun here"
key C-c
absent "begun here"
key C-c
key C-c
exit 0
