#!/bin/sh
# bootstrap_test.sh -- what ./bootstrap says and leaves, on a tree whose packages, configure and make are
# stand-ins: the packages that are missing are named, a build that fails shows why, one that works says
# what to type next.
set -u
top=$(cd "${top_srcdir:-.}" && pwd)
[ -f "$top/bootstrap" ] || exit 77
T=$(mktemp -d "${TMPDIR:-/tmp}/vyre-bootstrap-XXXXXX") || exit 99
trap 'rm -rf "$T"' EXIT
trap 'exit 99' INT TERM HUP
bad=0

fail() {
	echo "bootstrap_test: $*"
	bad=1
}

says() { # NAME TEXT: the last run did
	grep -qF -- "$2" "$T/said" || fail "$1: no '$2' in: $(cat "$T/said")"
}

program() { # NAME LINE...: a stand-in in PATH
	name=$T/bin/$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"$name"
	chmod +x "$name"
}

run() { # FOLDER ARGUMENT...: bootstrap, from there
	from=$1
	shift
	(cd "$from" && PATH=$T/bin:$PATH "$T/tree/bootstrap" "$@") >"$T/said" 2>&1 </dev/null
}

mkdir -p "$T/bin" "$T/tree" "$T/else where"
cp "$top/bootstrap" "$T/tree/bootstrap"
chmod +x "$T/tree/bootstrap"
: >"$T/tree/configure.ac"
printf '%s\n' '#!/bin/sh' ': >config.status' >"$T/tree/configure"
chmod +x "$T/tree/configure"
program dpkg-query 'printf installed'
program make 'printf "%s\n" "#!/bin/sh" "echo opened: \"\$@\"" >vyre-tui; chmod +x vyre-tui'

run "$T/tree" || fail 'it fails'
says 'what to type next' 'built; build/vyre-tui opens a chat, make -C build install installs it'
run "$T/else where" || fail 'it fails from elsewhere'
says 'the same, from elsewhere' "built; $T/tree/build/vyre-tui opens a chat"
run "$T/else where" run || fail 'run fails'
says 'run without a word' 'opened: --new'
grep -q built "$T/said" && fail 'run says what it does next, and does it'
run "$T/else where" run 'fix login' || fail 'run with a word fails'
says 'run with a word' 'opened: fix login'

program make 'echo "x.c:1: error: no such thing"; exit 2'
run "$T/tree" && fail 'a build that failed is none'
says 'why it failed' 'error: no such thing'
says 'and where all of it is' 'build/make.log'

program dpkg-query '[ "$4" = libev-dev ] || printf installed' 'exit 0'
program id 'echo 1000'
program sudo 'exit 1'
run "$T/tree" && fail 'without a package it goes on'
says 'what is missing' 'as root:  apt-get install libev-dev'

run "$T/tree" nonsense && fail 'any word will do'
says 'a word that is none' 'no such word: nonsense'
exit $bad
