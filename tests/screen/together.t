# Somebody else on the same session: a script answers the question that stands on the screen, and the screen
# says by whom; what is said elsewhere comes, too.
size 100 24
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "bash:echo fr''om the tool ;; say:3"
key Enter
wait "tab to answer"
sh "$top_builddir/vyre-tui" asks --json >asks; ask=$(sed 's/.*"ask":"\([^"]*\)".*/\1/;q' asks); "$top_builddir/vyre-tui" answer "$ask" allow
wait "allowed, by "
wait "from the tool"
wait "alpha bravo charlie"
absent "tab to answer"
wait "your turn"
sh cd work && "$top_builddir/vyre-tui" send --wait "say:5" >../said; grep -q "alpha bravo charlie delta" ../said
wait "say:5"
wait "delta echo"
key C-c
key C-c
exit 0
