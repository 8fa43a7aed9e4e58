#!/bin/sh
# house_test.sh -- the tree keeps the plan of the house, and the check that says so can fail.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=${top_srcdir:-$here/..}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# A house of four rooms, small enough to see whole.
mkdir -p "$work/good/doc" "$work/good/po" "$work/good/shared/base" "$work/good/shared/model" "$work/good/server/log" "$work/good/tui/ink"
cd "$work/good"
printf 'shared/base\tfloor\t-\nshared/model\tcores\tshared/base\nserver/log\tlog\tshared/base shared/model\ntui/ink\tcells\tshared/base\n' >doc/house.tsv
printf 'sqlite3.h\tSQLite\tserver/log/store.c\nstdio.h time.h\tthe C library\t*\n' >doc/libs.tsv
printf 'shared/model/*\n' >doc/pure.tsv
: >shared/base/ban.h
: >shared/base/log.h
: >shared/model/fold.h
printf '#include "shared/model/fold.h"\n#include <stdio.h>\n#include "shared/base/ban.h"\n' >shared/model/fold.c
printf '#include <sqlite3.h>\n#include "shared/model/fold.h"\n#include "shared/base/ban.h"\n#include "shared/base/codes.def"\n' >server/log/store.c
printf '#include "config.h"\n#include "shared/base/ban.h"\n' >tui/ink/cell.c
printf 'const char *said(void)\n{\n\treturn _("Hello");\n}\n' >>tui/ink/cell.c
echo tui/ink/cell.c >po/POTFILES.in
cd "$work"

# expect NAME STATUS WORDS: runs the check on a copy that case_NAME has changed.
expect() {
	rm -rf case && cp -r good case
	(cd case && "case_$1")
	status=0
	"$here/house_check" case >out 2>&1 || status=$?
	if [ "$status" != "$2" ] || ! grep -qF -- "$3" out; then
		echo "$1: wanted status $2 and '$3', got status $status and:"
		cat out
		failed=1
	fi
}

case_good() { :; }
case_arrow_up() { echo '#include "server/log/log.h"' >shared/base/up.h; }
case_sideways() { echo '#include "server/log/log.h"' >tui/ink/theme.h; }
case_no_room() { mkdir shared/attic && : >shared/attic/old.h; }
case_library() { echo '#include <sqlite3.h>' >server/log/log.h; }
case_unknown_library() { echo '#include <glib.h>' >server/log/log.h; }
case_impure_log() { echo '#include "shared/base/log.h"' >shared/model/fold.h; }
case_impure_clock() { echo '#include <time.h>' >shared/model/fold.h; }
case_no_ban() { echo '#include "config.h"' >tui/ink/cell.c; }
case_own_last() { printf '#include <stdio.h>\n#include "shared/model/fold.h"\n#include "shared/base/ban.h"\n' >shared/model/fold.c; }
case_short_path() { echo '#include "cell.h"' >tui/ink/theme.h; }
case_untold_words() { : >po/POTFILES.in; }
case_no_tables() { rm doc/libs.tsv; }

expect good 0 '6 files keep the plan'
expect arrow_up 1 'shared/base/up.h:1: shared/base may not include server/log'
expect sideways 1 'tui/ink/theme.h:1: tui/ink may not include server/log'
expect no_room 1 'shared/attic is no room'
expect library 1 'server/log/log.h:1: <sqlite3.h> belongs in the file'
expect unknown_library 1 '<glib.h> has no row'
expect impure_log 1 'pure core'
expect impure_clock 1 'pure core'
expect no_ban 1 'the last include must be'
expect own_last 1 'include "shared/model/fold.h" first'
expect short_path 1 'write the path from the top'
expect untold_words 1 'tui/ink/cell.c:5: words for a person: add tui/ink/cell.c to po/POTFILES.in'
expect no_tables 1 'no tables'
[ "$failed" = 0 ] || exit 1

exec "$here/house_check" "$top"
