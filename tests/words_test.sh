#!/bin/sh
# words_test.sh -- the catalogues are sound, and the check that says so can fail.
#
# Whether they hold every word of the source is asked by `make lint`: who adds a word need not speak
# every language.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "${top_srcdir:-$here/..}" && pwd)
for tool in msgfmt msgmerge msgattrib msgcat xgettext; do
	command -v $tool >/dev/null || exit 77
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

mkdir -p "$work/good/po" "$work/good/tui"
cd "$work/good"
echo de >po/LINGUAS
cp "$top/po/Makevars" po/
echo tui/a.c >po/POTFILES.in
printf 'x(_("press ctrl-g"));\nx(words_count("%%d row", "%%d rows", n));\n' >tui/a.c
printf 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n%s\n\n' \
	'"Plural-Forms: nplurals=2; plural=(n != 1);\n"' >po/de.po
printf 'msgid "press ctrl-g"\nmsgstr "ctrl-g drücken"\n\n' >>po/de.po
printf '#, c-format\nmsgid "%%d row"\nmsgid_plural "%%d rows"\nmsgstr[0] "%%d Eintrag"\nmsgstr[1] "%%d Einträge"\n' >>po/de.po
cd "$work"

# expect NAME STATUS WORDS: runs the check on a copy that case_NAME has changed.
expect() {
	rm -rf case && cp -r good case
	(cd case && "case_$1")
	status=0
	sh "$here/words_check" case >out 2>&1 || status=$?
	if [ "$status" != "$2" ] || ! grep -qF -- "$3" out; then
		echo "$1: wanted status $2 and '$3', got status $status and:"
		cat out
		failed=1
	fi
}

change() { # EXPRESSION: of po/de.po
	sed -i "$1" po/de.po
}

case_good() { :; }
case_empty() { change 's/drücken//; s/^msgstr "ctrl-g "/msgstr ""/'; }
case_fuzzy() { change 's/^msgid "press/#, fuzzy\n&/'; }
case_format() { change 's/%d Einträge/%s Einträge/'; }
case_plural() { change '/^msgstr\[1\]/d'; }
case_key() { change 's/ctrl-g drücken/strg-g drücken/'; }
case_option() { change 's/ctrl-g drücken/ctrl-g oder --hilfe/'; }
case_new() { echo 'x(_("one more"));' >>tui/a.c; }
case_gone() { sed -i /press/d tui/a.c; }

expect good 0 ""
expect empty 1 'press ctrl-g'
expect fuzzy 1 'press ctrl-g'
expect format 1 'format specifications'
expect plural 1 'only one plural form'
expect key 1 'its translation lost ctrl-g'
expect option 1 'its translation has a new --hilfe'
expect new 1 'one more'
expect gone 1 'press ctrl-g'

sh "$here/words_check" "$top" sound keys || failed=1
exit $failed
