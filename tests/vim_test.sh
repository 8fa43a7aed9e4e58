#!/bin/sh
# vim_test.sh -- the rows of tests/tui/view/edit_vim.rows are vim's own: it is asked again.
#
# edit_vim_test reads the same file, so what we do is what vim does. `--write` takes what vim says
# as the expected texts (of new rows, whose fourth field is anything).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "${top_srcdir:-$here/..}" && pwd)
rows=$top/tests/tui/view/edit_vim.rows
command -v vim >/dev/null || exit 77
vim --version | grep -q '^VIM - Vi IMproved 9' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
HOME=$work LC_ALL=C.UTF-8 ROWS=$rows OUT=$work/out timeout 60 \
	vim -u NONE -i NONE -N -n -X -es -S "$top/tests/tui/view/edit_vim.vim" </dev/null || status=$?
[ -s "$work/out" ] || { echo "vim said nothing (status $status)"; exit 99; }
if [ "${1-}" = --write ]; then
	cp "$work/out" "$rows"
	exit 0
fi
diff -u "$rows" "$work/out" && [ $status -eq 0 ]
