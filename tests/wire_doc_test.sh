#!/bin/sh
# wire_doc_test.sh -- the tables in doc/wire.md are those that the code is made of.
#
# usage: wire_doc_test.sh [--write]    --write puts them there (make wire-doc)
set -eu
doc=${top_srcdir:-.}/doc/wire.md
tables=./tests/wire_tables
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for what in methods types codes kinds control; do
	"$tables" "$what" >"$work/$what"
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

[ "$(grep -c '^<!-- /\{0,1\}[a-z]* -->$' "$work/wire.md")" = 10 ] || { echo "$doc: a table lost its marks"; exit 1; }
if [ "${1:-}" = --write ]; then
	cp "$work/wire.md" "$doc"
elif ! diff "$doc" "$work/wire.md"; then
	echo 'doc/wire.md is not what the code says: run  make wire-doc  and read what changed'
	exit 1
fi
