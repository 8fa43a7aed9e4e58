#!/bin/sh
# msgs_test.sh -- every sentence that an answer of the server may carry has an id, and every id has
# its sentence in the code (shared/rpc/msgs.def). Damage and bugs of our own are said in English only, and
# so is what only the log hears (server/term/rc.c).
set -eu
cd "${top_srcdir:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# vy_fail(e, CODE, "…" "…", …) and the like, on one line, as CODE and the joined literal.
sentences() {
	cat server/rpc/*.c server/hub/*.c server/session/*.c server/term/[!r]*.c server/term/reel.c server/files/*.c server/auth/ticket.c server/log/history.c server/log/export.c server/log/search.c server/adopt/attic.c shared/model/queue.c shared/model/route.c \
		shared/rpc/envelope.c shared/rpc/schema_check.c |
		tr '\n\t' '  ' | sed 's/\(vy_fail\|judge\)(/\n&/g' |
		sed -n 's/^\(vy_fail\|judge\)(\([^"]*\)"/\2"/p' | awk '
	{
		code = $0
		sub(/".*/, "", code)
		rest = substr($0, length(code) + 1)
		text = ""
		while (match(rest, /^"([^"\\]|\\.)*"/)) {
			text = text substr(rest, 2, RLENGTH - 2)
			rest = substr(rest, RLENGTH + 1)
			sub(/^ */, "", rest)
			sub(/^PRId64 */, "", rest)
		}
		if (code !~ /VY_CORRUPT|VY_BUG|;|\{/ && text != "%s" && text != "") print text
	}' | sort -u
}

# VY_MSG("id", "…" "…")
table() {
	sed 's,^/\*.*,,; s,^ \*.*,,' shared/rpc/msgs.def | tr '\n\t' '  ' | sed 's/VY_MSG(/\n&/g' |
		sed -n 's/^VY_MSG("[a-z0-9._]*", *"/"/p' | sed 's/") *$//; s/^"//; s/" *"//g' | sort -u
}

sentences >"$work/code"
table >"$work/table"
[ "$(wc -l <"$work/table")" -gt 50 ] || { echo 'the table could not be read'; exit 1; }
if ! diff "$work/table" "$work/code" >"$work/diff"; then
	echo 'shared/rpc/msgs.def is not what the code says ("<" only in the table, ">" only in the code):'
	grep '^[<>]' "$work/diff"
	exit 1
fi
twice=$(sed -n 's/^VY_MSG("\([a-z0-9._]*\)".*/\1/p' shared/rpc/msgs.def | sort | uniq -d)
[ -z "$twice" ] || { echo "an id stands twice: $twice"; exit 1; }
echo "msgs_test: $(wc -l <"$work/table") sentences have their ids"
