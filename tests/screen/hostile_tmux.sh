#!/bin/sh
# hostile_tmux.sh -- the real client in a real terminal multiplexer, told every text of tests/corpus/hostile by a person and by
# an agent: title, bell, clipboard, modes and the frame of the screen stay what they were. Skipped without tmux.
set -eu
command -v tmux > /dev/null || exit 77
here=$(cd "$top_srcdir" && pwd)
bin=$(cd "$top_builddir" && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/vyre-tmux.XXXXXX")
export XDG_RUNTIME_DIR="$T/run" XDG_STATE_HOME="$T/state" XDG_CONFIG_HOME="$T/config" HOME="$T" VYRE_DEMO_FAST=1 LC_ALL=C.UTF-8
mkdir -p "$T/run" "$T/state" "$T/work" && chmod 700 "$T/run"
mux() { tmux -S "$T/tmux" -f /dev/null "$@"; }
clean() {
	mux kill-server 2> /dev/null || :
	"$bin/vyred" stop --all > /dev/null 2>&1 || :
	rm -rf "$T"
}
trap clean EXIT
fail() {
	echo "$1"
	mux capture-pane -p || :
	exit 1
}

# shows WORDS: they stand on the screen, within ten seconds
shows() {
	i=0
	until mux capture-pane -p | grep -qF -- "$1"; do
		i=$((i + 1))
		[ $i -lt 100 ] || fail "\"$1\" did not appear"
		sleep 0.1
	done
}

unset TMUX || :
mux new-session -d -x 90 -y 30 "cd '$T/work' && exec '$bin/vyre-tui' --new --provider demo"
mux set-option -g set-clipboard on
mux set-hook -g alert-bell "run-shell 'touch $T/rang'"
mux set-option -g bell-action any
shows 'your turn'
timeout 20 "$bin/vyre-tui" send --wait --cwd "$T/work" say:1 > /dev/null
shows alpha
shows ' say:1  demo' # the record's title

for text in "$here"/tests/corpus/hostile/*; do
	name=$(basename "$text")
	timeout 20 "$bin/vyre-tui" send --wait --cwd "$T/work" - < "$text" > /dev/null || fail "$name: it was not taken"
	timeout 20 "$bin/vyre-tui" send --wait --cwd "$T/work" "after $name" > /dev/null
	shows "You said: after $name"
	is=$(mux display-message -p '#{pane_title}|#{alternate_on}|#{mouse_all_flag}|#{cursor_y}|#{insert_flag}|#{origin_flag}|#{keypad_flag}|#{scroll_region_upper}-#{scroll_region_lower}')
	[ "$is" = 'say:1 · vyre|1|0|27|0|0|0|0-29' ] || fail "$name: $is"
	[ -z "$(mux list-buffers)" ] || fail "$name: it wrote to the clipboard"
	[ ! -e "$T/rang" ] || fail "$name: it rang"
	mux capture-pane -p | sed -n 1p | grep -q '^ say:1  demo .* your turn' || fail "$name: the first row"
	mux capture-pane -p | sed -n 28p | grep -q '^> type here, always$' || fail "$name: the composer"
	mux capture-pane -p | sed -n 30p | grep -q '^  shift-tab mode .* live' || fail "$name: the last row"
done
# the words without a screen, in a terminal
mux new-window -d "'$bin/vyre-tui' ls; '$bin/vyre-tui' asks; timeout 2 '$bin/vyre-tui' tail; printf 'at the %s' end; read x"
mux select-window -t :1
shows 'at the end'
[ "$(mux display-message -p '#{alternate_on}|#{mouse_all_flag}|#{origin_flag}')" = '0|0|0' ] || fail 'tail switched something on'
[ -z "$(mux list-buffers)" ] || fail 'tail wrote to the clipboard'
[ ! -e "$T/rang" ] || fail 'tail rang'
