#!/bin/sh
# completion_test.sh -- what bash, zsh and fish complete of vyre-tui's words, with a real server's sessions.
#
# The installed files (doc/completion) are read, and with them what the program prints. zsh and fish are
# tried where they are. Run from the build directory.
set -u

[ -x ./vyred ] && [ -x ./vyre-tui ] && [ -x ./vyre-holder ] || exit 77
top=$(cd "${top_srcdir:-.}" && pwd)
PATH=$PWD:$PATH
T=$(mktemp -d "${TMPDIR:-/tmp}/vyre-completion-XXXXXX") || exit 99
HOME=$T/home
state=$T/state
export PATH HOME
unset XDG_STATE_HOME XDG_CONFIG_HOME VYRE_SOCKET VYRE_HOLDER LANGUAGE
LC_ALL=C.UTF-8
export LC_ALL
mkdir -p "$HOME" "$T/work/inside" && cd "$T/work" || exit 99
bad=0

clean_up() {
	vyred stop --all --state-dir "$state" >/dev/null 2>&1 || true
	cd / && rm -rf "$T"
}
trap clean_up EXIT
trap 'exit 99' INT TERM HUP

fail() {
	echo "completion_test: $*"
	bad=1
}

# ---- what is typed, word by word, into each shell; the answers sorted on one line ------------------
try_bash() {
	bash --norc -c '
		. "$1"; shift
		COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		_vyre_tui
		printf "%s\n" "${COMPREPLY[@]}"' bash "$top/doc/completion/vyre-tui.bash" "$@"
}

# Its completion system is stood in for: only what would be offered counts.
try_zsh() {
	zsh -f -c '
		_describe() { local -a offered; offered=(${(P)2}); print -l -- ${offered%%:*} }
		_files() { print -l -- *(N-/:t) }
		compdef() { }
		file=$1; shift
		words=("$@"); CURRENT=$#
		_try() { eval "$(<$file)" } # as the completion system runs it: the first call defines it
		_try' zsh "$top/doc/completion/_vyre-tui" "$@" | awk -v begin="$(eval "printf %s \"\${$#}\"")" 'index($0, begin) == 1'
}

try_fish() {
	line=$*
	HOME=$HOME fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$top/doc/completion/vyre-tui.fish" "$line" | cut -f 1
}

# offers WANT WORD...: in every shell; the last word is what is being typed
offers() {
	want=$1
	shift
	for shell in $shells; do
		got=$("try_$shell" vyre-tui "$@" 2>"$T/err" | sed 's,/$,,' | sort | tr '\n' ' ')
		[ "${got% }" = "$want" ] || fail "$shell, vyre-tui $*: '${got% }', want '$want'; $(cat "$T/err")"
	done
}

shells=
for shell in bash zsh fish; do
	if command -v $shell >/dev/null; then
		shells="$shells $shell"
	else
		echo "completion_test: there is no $shell here: what it completes was not tried"
	fi
done
[ -n "$shells" ] || exit 77

# ---- nobody there: words, and no server is started ---------------------------------------------------
offers 'export' --state-dir "$state" exp
offers 'distrust' distr
offers 'interrupt' int
offers '' tail --state-dir "$state" ''
[ ! -e "$state" ] || fail 'a completion started a server'
offers 'completion' compl
offers 'bash fish zsh' completion ''
offers 'html' export h
offers 'html jsonl md' export ''
offers 'allow' answer A al
offers '' status ''
offers '--message' answer --me
offers '' ls --me
offers '--wait' send --wa
offers '--reset' --res
offers '--json' ls --js
offers '' completion --js
offers 'inside' trust i
offers 'inside' ls --cwd i

# ---- sessions of the server that is meant ----------------------------------------------------------
one=$(vyre-tui new --provider demo --state-dir "$state" 'say:1' </dev/null) || fail 'no session'
two=$(vyre-tui new --provider demo --state-dir "$state" 'ask' </dev/null) || fail 'no second session'
one=$(echo "$one" | cut -c1-8)
two=$(echo "$two" | cut -c1-8)
both=$(printf '%s\n' "$one" "$two" | sort | tr '\n' ' ')
both=${both% }
for word in open tail stop interrupt asks send; do
	offers "$both" --state-dir "$state" $word ''
	offers "$one" $word --state-dir "$state" "$(echo "$one" | cut -c1-7)"
done
offers "$both" --state-dir "$state" export md ''
offers "$one" --state-dir "$state" "$(echo "$one" | cut -c1-7)"
offers '' tail --state-dir "$T/elsewhere" ''
offers '' --state-dir "$state" tail "$one" ''

# ---- every word of --help is offered, and the other way round ---------------------------------------
help=$(vyre-tui --help | sed -n 's/^ *vyre-tui \([a-z][a-z]*\).*/\1/p' | sort | tr '\n' ' ')
offers "${help% }" ''

# ---- wrong use ---------------------------------------------------------------------------------------
for words in completion 'completion tcsh' 'completion bash zsh'; do
	vyre-tui $words >/dev/null 2>&1
	[ $? = 2 ] || fail "vyre-tui $words is no usage error"
done
exit $bad
