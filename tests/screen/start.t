# What is wrong before there is a screen is said in a sentence, with an exit code a script can use.
size 100 10
run "$top_builddir/vyre-tui" no-such-session
wait "there is no session called no-such-session"
exit 3
finally "$top_builddir/vyred" stop --all

run "$top_builddir/vyre-tui" --provider nothere
wait "there is no provider"
exit 3

run "$top_builddir/vyre-tui" --frobnicate
wait "frobnicate"
exit 2
