# The client wears what the terminal says it is, at once when that changes, and the hints hold in 16 and none.
size 90 24
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
expect style "demo" bg=#20242b
background #ffffff
# "my theme changed": it is asked which colour the ground has now
type "\e[?997;2n"
expect style "demo" bg=#eceff3
background #101010
type "\e[?997;1n"
expect style "demo" bg=#20242b
key C-c C-c
exit 0

# before a terminal has answered, COLORFGBG is believed
env COLORFGBG=0;15
env COLORTERM=
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "your turn"
expect style "demo" bg=235
key C-c C-c
exit 0

env NO_COLOR=1
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "your turn"
expect style "demo" fg=default bg=default reverse
key C-c C-c
exit 0

# where the locale is not UTF-8, marks and borders are ASCII
env LANG=C
env LC_ALL=C
run sh -c 'cd work && exec "$top_builddir/vyre-tui"'
wait "your turn"
expect row 1 has "o your turn"
key C-c C-c
exit 0
