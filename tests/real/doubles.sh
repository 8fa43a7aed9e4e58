# doubles.sh -- what a test of a real agent begins with (". doubles.sh"): a folder of its own, and stand-ins for
# the APIs of models.
#
# Gives: $work (a temporary folder: home/ tmp/ project/), and `double NAME`, which starts tests/doubles/NAME.mjs and
# sets $api to its address; its log is $work/NAME.log. All of it is gone at exit. Ends with 77 where there is no node.
set -eu
top=${top_srcdir:?}
command -v node >/dev/null || { echo 'no node here: the stand-ins for the APIs cannot run'; exit 77; }

work=$(mktemp -d)
doubles=
at_exit() {
	# shellcheck disable=SC2086 # a word is a process
	[ -z "$doubles" ] || kill $doubles 2>/dev/null || :
	rm -rf "$work"
}
trap at_exit EXIT
trap 'exit 1' INT TERM HUP
mkdir "$work/home" "$work/tmp" "$work/project"

double() { # NAME
	mkfifo "$work/$1.ready"
	node "$top/tests/doubles/$1.mjs" --log "$work/$1.log" >"$work/$1.ready" &
	doubles="$doubles $!"
	read -r ready <"$work/$1.ready" || { echo "$1.mjs did not start"; exit 1; }
	api=$(printf '%s\n' "$ready" | sed 's/.*"base_url":"\([^"]*\)".*/\1/')
}
