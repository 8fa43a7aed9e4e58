#!/bin/sh
# manual_test.sh -- the manual pages know what the programs know: every option and command that --help
# names, every option that the page names, and every key of the configuration; they are good mdoc. The tests that
# doc/TRAPS.md names are there.
set -eu
top=${top_srcdir:-.}
failed=0

complain() {
	echo "$*"
	failed=1
}

options_of_help() {
	grep -oE -- '--[a-z][a-z-]+' "$1" | sort -u
}

options_of_page() {
	grep -oE 'Fl -[a-z][a-z-]+' "$1" | sed 's/^Fl -/--/' | sort -u
}

check_program() { # PROGRAM PAGE
	help=$(mktemp)
	"./$1" --help >"$help" || complain "$1 --help failed"
	[ -s "$help" ] || complain "$1 --help says nothing"
	for option in $(options_of_help "$help"); do
		options_of_page "$2" | grep -qxF -- "$option" || complain "$2 does not name $option of $1 --help"
	done
	for option in $(options_of_page "$2" | grep -vxE -- '--(help|version)'); do
		options_of_help "$help" | grep -qxF -- "$option" || complain "$1 --help does not name $option of $2"
	done
	for word in $(sed -n "s/^ *\(usage: \)\{0,1\}$1 \([a-z][a-z-]*\).*/\2/p" "$help" | sort -u); do
		grep -qE "Cm $word( |$)" "$2" || complain "$2 does not name the word $word of $1 --help"
	done
	rm -f "$help"
}

[ ! -x ./vyred ] || check_program vyred "$top/doc/vyred.8"
[ ! -x ./vyre-tui ] || check_program vyre-tui "$top/doc/vyre-tui.1"

# What README.md calls vyre-tui with is there.
check_readme() {
	help=$(mktemp)
	./vyre-tui --help >"$help"
	grep -E '^    .*vyre-tui' "$top/README.md" | tr '|;' '\n\n' | sed 's/ *#.*//' | grep 'vyre-tui' >readme.tmp
	for word in $(sed -n 's/.*vyre-tui \([a-z][a-z]*\).*/\1/p' readme.tmp) $(grep -oE -- ' --[a-z-]+' readme.tmp); do
		grep -qE -- "( |\[|^)$word( |\]|:|\$)" "$help" || complain "README.md calls vyre-tui with $word"
	done
	grep -q 'send --new --wait' readme.tmp || complain 'found no calls in README.md'
	rm -f "$help" readme.tmp
}

[ ! -x ./vyre-tui ] || check_readme

# Each page is good mdoc: by mandoc where it is, else by groff.
for page in "$top"/doc/*.[178]; do
	if command -v mandoc >/dev/null; then
		said=$(mandoc -T lint -W warning "$page" 2>&1 | grep -v 'outdated mandoc.db') || true
	elif command -v groff >/dev/null; then
		said=$(groff -k -mandoc -Tutf8 -ww -z "$page" 2>&1) || true
	else
		echo 'manual_test: neither mandoc nor groff is here: the pages were not looked at'
		break
	fi
	[ -z "$said" ] || complain "$said"
done
grep -q 'doc/vyre-wire.7' "$top/Makefile.am" || complain 'vyre-wire(7) is not installed'

# The first example of vyred.8 is a whole configuration: the server starts with it.
check_example() {
	dir=$(mktemp -d "${TMPDIR:-/tmp}/vyre-manual-XXXXXX")
	sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$top/doc/vyred.8" | sed '1,/^\.Bd/d; /^\.Ed/d' >"$dir/vyred.conf"
	grep -q '^\[provider\.' "$dir/vyred.conf" || complain 'found no configuration in the examples of doc/vyred.8'
	if ./vyred --config "$dir/vyred.conf" --state-dir "$dir/state" 2>"$dir/said"; then
		./vyred stop --state-dir "$dir/state" || complain 'the server of the example does not stop'
	else
		complain "vyred does not take the example of doc/vyred.8: $(cat "$dir/said")"
	fi
	rm -rf "$dir"
}

[ ! -x ./vyred ] || [ ! -x ./vyre-holder ] || check_example

keys=$(sed -n 's/^[[:space:]]*KEY("[a-z]*", "\([a-z_]*\)".*/\1/p' "$top/server/main/config_keys.c")
[ -n "$keys" ] || complain 'found no keys in server/main/config_keys.c'
for key in $keys teammate subagent chat agent project capsule job memory planner learn \
	kind command args auth; do
	grep -qE "^\.It Cm (.*, )?$key( |$)" "$top/doc/vyred.8" ||
		complain "doc/vyred.8 has no item of the key $key"
done

names=$(sed -n 's/^[[:space:]]*{ "\([a-z_]*\)", .*AT(.*/\1/p' "$top/tui/app/settings.c")
[ -n "$names" ] || complain 'found no settings in tui/app/settings.c'
for name in $names; do
	grep -qE "^\.It Cm $name( |$)" "$top/doc/vyre-tui.1" ||
		complain "doc/vyre-tui.1 has no item of the setting $name"
done

# `X_test`: name, name
grep -oE '`[a-z_]+_test`(: [a-z_]+(, [a-z_]+)*)?' "$top/doc/TRAPS.md" | tr -d '`:,' >named.tmp
while read -r file functions; do
	for function in $functions ''; do
		find "$top/tests" -name "$file.c" -exec grep -qE "^static void (test_)?$function" {} \; -print |
			grep -q . || complain "doc/TRAPS.md names $file: $function, which is not there"
	done
done <named.tmp
[ -s named.tmp ] || complain 'found no tests in doc/TRAPS.md'
rm -f named.tmp
exit $failed
