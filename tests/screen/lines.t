# Long lines of code: wrapped, or cut at the edge and slid, by the setting, a key, a command and the wheel.
size 80 24
env VYRE_DEMO_FAST=1
env "PAGER=cat >>../paged; echo SEEN; read x </dev/tty"
sh mkdir -p work "$XDG_CONFIG_HOME/vyre"
sh echo "code_lines = scroll" >"$XDG_CONFIG_HOME/vyre/tui.conf"
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
paste "echo:Look:\n\n```c\nint first = 1; /* 本地 0123456789 0123456789 0123456789 0123456789 0123456789 */ int last = 2;\n```\n\nDone."
key Enter
wait "   Done."
wait "your turn"

# the setting cuts it; browsing, the arrow keys slide it
wait "›"
key PageUp
wait "browse:"
key Right
wait "int last = 2;"
wait "‹"
key Left
wait "   ▏ int first = 1;"
absent "int last = 2; "

# a search goes sideways, and what is copied is whole
key /
type "last = 2;"
key Enter
wait "match 1 of 2"
key n
wait "match 2 of 2"
wait "‹"
key Esc
wait "browse:"
key c
wait "sent to the clipboard"
expect clipboard "aW50IGZpcnN0ID0gMTsgLyog5pys5ZywIDAxMjM0NTY3ODkgMDEyMzQ1Njc4OSAwMTIzNDU2Nzg5IDAxMjM0NTY3ODkgMDEyMzQ1Njc4OSAqLyBpbnQgbGFzdCA9IDI7"

# w wraps it at once, and cuts it again where it was
key w
wait "are wrapped"
absent "‹"
key w
wait "are cut"
wait "‹"

# what goes to the pager has all of it
key p
wait "SEEN"
sh sh -c "test `tr -d '\\n ' <paged | grep -o '0123456789\*/intlast=2;' | wc -l` = 2"
key Enter
wait "browse:"
key Esc
wait "shift-tab mode"

# a resize keeps what is seen within the code
resize 60 20
wait "int last = 2;"
resize 160 50
absent "‹"
wait "   ▏ int first = 1;"
resize 80 24
wait "int last = 2;"
key C-c
wait "ctrl-c again"
key C-c
exit 0
