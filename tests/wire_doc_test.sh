#!/bin/sh
# wire_doc_test.sh -- the tables in doc/wire.md are those that the code is made of, and the manual page
# vyre-wire(7) is that document.
#
# usage: wire_doc_test.sh [--write]    --write puts them there (make wire-doc)
set -eu
doc=${top_srcdir:-.}/doc/wire.md
page=${top_srcdir:-.}/doc/vyre-wire.7
tables=./tests/wire_tables
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for what in $("$tables"); do
	"$tables" "$what" >"$work/$what"
	[ -s "$work/$what" ] || { echo "the table $what is empty"; exit 1; }
done

# Each table stands between <!-- NAME --> and <!-- /NAME -->.
awk -v work="$work" '
	/^<!-- \/[a-z]+ -->$/ { skipping = 0 }
	!skipping { print }
	/^<!-- [a-z]+ -->$/ {
		file = work "/" $2
		while ((getline row < file) > 0) print row
		skipping = 1
	}' "$doc" >"$work/wire.md"

for what in $("$tables"); do
	[ "$(grep -cxF -e "<!-- $what -->" -e "<!-- /$what -->" "$work/wire.md")" = 2 ] || {
		echo "$doc: the table $what lost its marks"
		exit 1
	}
done
./tests/wire_man "$work/wire.md" >"$work/vyre-wire.7"

if [ "${1:-}" = --write ]; then
	cp "$work/wire.md" "$doc"
	cp "$work/vyre-wire.7" "$page"
	exit
fi
for file in wire.md vyre-wire.7; do
	if ! diff "${doc%/*}/$file" "$work/$file"; then
		echo "doc/$file is not what the code says: run  make wire-doc  and read what changed"
		exit 1
	fi
done
