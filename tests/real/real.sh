# real.sh -- what every tests/real/*_test.sh begins with (". real.sh"): a clean world for a real agent.
#
# Gives: $work (a temporary folder: home/ tmp/ project/), $api (address of the stand-in for the
# Messages API, whose log is $work/api.log), $claude (the real program), and clean_env, which runs a
# command with nothing but what an agent may have. All of it is gone at exit. Ends with 77 where there
# is no claude or no node.
set -eu
top=${top_srcdir:?}
claude=${VYRE_CLAUDE:-}
[ -n "$claude" ] || { echo 'no claude here (see make check-real)'; exit 77; }
command -v node >/dev/null || { echo 'no node here: the stand-in for the Messages API cannot run'; exit 77; }

work=$(mktemp -d)
api_pid=
at_exit() {
	[ -z "$api_pid" ] || kill "$api_pid" 2>/dev/null || :
	rm -rf "$work"
}
trap at_exit EXIT
trap 'exit 1' INT TERM HUP
mkdir "$work/home" "$work/tmp" "$work/project"

mkfifo "$work/ready"
node "$top/tests/doubles/messages_api.mjs" --log "$work/api.log" >"$work/ready" &
api_pid=$!
read -r ready <"$work/ready" || { echo 'the stand-in for the Messages API did not start'; exit 1; }
api=$(printf '%s\n' "$ready" | sed 's/.*"base_url":"\([^"]*\)".*/\1/')

clean_env() {
	env -i PATH="$PATH" HOME="$work/home" TMPDIR="$work/tmp" CLAUDE_CODE_TMPDIR="$work/tmp" LANG=C.UTF-8 \
		ANTHROPIC_BASE_URL="$api" ANTHROPIC_API_KEY=sk-ant-no-real-key \
		DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$@"
}
