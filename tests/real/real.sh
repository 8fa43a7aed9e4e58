# real.sh -- what a test of the real claude begins with (". real.sh"): doubles.sh, and claude in a clean world.
#
# Gives beside it: $api (address of the stand-in for the Messages API), $claude (the real program), and clean_env, which
# runs a command with nothing but what an agent may have. Ends with 77 where there is no claude.
claude=${VYRE_CLAUDE:-}
[ -n "$claude" ] || { echo 'no claude here (see make check-real)'; exit 77; }
. "${top_srcdir:?}/tests/real/doubles.sh"
double messages_api

clean_env() {
	env -i PATH="$PATH" HOME="$work/home" TMPDIR="$work/tmp" CLAUDE_CODE_TMPDIR="$work/tmp" LANG=C.UTF-8 \
		ANTHROPIC_BASE_URL="$api" ANTHROPIC_API_KEY=sk-ant-no-real-key \
		DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$@"
}
