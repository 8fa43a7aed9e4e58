#!/bin/sh
# check_test.sh -- vyred provider check with every real agent that can be had, each with nothing but what it needs, against
# our stand-ins for the APIs of their models. What one gives nothing to see for is named here.
. "${top_srcdir:?}/tests/real/doubles.sh"
vyred=${top_builddir:?}/vyred
folder=$top_builddir/tests/real/npm-acp
n=0

clean() { # NAME COMMAND...
	name=$1
	shift
	mkdir -p "$work/$name"
	env -i PATH="$PATH" HOME="$work/$name" TMPDIR="$work/tmp" "$@"
}

may= # a row that may have nothing to see

check() { # NAME [ROW]...: of those rows there is nothing to see; its section is $work/NAME.conf
	name=$1
	shift
	set -- "$@" says
	clean "$name" timeout 300 "$vyred" --config "$work/$name.conf" --state-dir "$work/$name-state" provider check "$name" >"$work/rows" ||
		{ echo "$name:"; cat "$work/rows"; exit 1; }
	[ "$(sed -n 's/^- *\([a-z]*\) .*/\1/p' "$work/rows" | grep -vx "$may" | xargs)" = "$*" ] ||
		{ echo "$name: nothing was to be seen for other rows than $*:"; cat "$work/rows"; exit 1; }
	n=$((n + 1))
}

survive() { # NAME: vyred is killed in its replies
	"$top_builddir/tests/play/play" --set COMMAND="$work/$1.sh" "$top/tests/real/survive.play"
}

acp() { # NAME COMMAND VARIABLE=VALUE...: three lines, and a script for what a person has in their environment
	name=$1 command=$2
	shift 2
	printf '#!/bin/sh\nexec env HOME=%s %s %s "$@"\n' "$work/$name" "$*" "$command" >"$work/$name.sh"
	chmod +x "$work/$name.sh"
	printf '[provider.%s]\nkind=acp\ncommand=%s\n' "$name" "$work/$name.sh" >"$work/$name.conf"
}

codex_home() { # NAME
	mkdir -p "$work/$1/.codex"
	cat >"$work/$1/.codex/config.toml" <<END
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "Fake"
base_url = "$responses/v1"
wire_api = "responses"
requires_openai_auth = false
END
}

get() { # AGENT
	sh "$top/tests/real/get_acp" "$folder" "$1"
}

double messages_api
messages=$api
double responses_api
responses=$api
double other_apis
others=$api

claude_env="ANTHROPIC_BASE_URL=$messages ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1"
if [ -n "${VYRE_CLAUDE:-}" ]; then
	printf '[provider.claude]\ncommand=%s\nauth=api-key\nenv.ANTHROPIC_BASE_URL=%s\nenv.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1\n' \
		"$VYRE_CLAUDE" "$messages" >"$work/claude.conf"
	echo sk-ant-no-real-key | clean claude "$vyred" --state-dir "$work/claude-state" secret set claude
	check claude
	command=$(get claude-agent-acp)
	# shellcheck disable=SC2086
	[ -z "$command" ] || { acp claude-agent-acp "$command" $claude_env CLAUDE_CODE_EXECUTABLE="$VYRE_CLAUDE"; check claude-agent-acp; survive claude-agent-acp; }
fi
if [ -n "${VYRE_CODEX:-}" ]; then
	codex_home codex
	printf '[provider.codex]\nkind=codex\ncommand=%s\n' "$VYRE_CODEX" >"$work/codex.conf"
	check codex
	command=$(get codex-acp)
	[ -z "$command" ] || { codex_home codex-acp; acp codex-acp "$command" CODEX_PATH="$VYRE_CODEX"; check codex-acp; survive codex-acp; }
fi

# what it says is fixed: it runs no command, and keeps nothing
command=$(get example)
[ -z "$command" ] || { acp example "$command"; check example detached resume tree; }

command=$(get opencode)
if [ -n "$command" ]; then
	mkdir -p "$work/opencode/.config/opencode"
	cat >"$work/opencode/.config/opencode/opencode.json" <<END
{ "autoupdate": false, "share": "disabled", "model": "fake/fake-model", "small_model": "fake/fake-model",
  "permission": { "bash": "ask", "edit": "ask" },
  "provider": { "fake": { "npm": "@ai-sdk/openai-compatible", "name": "Fake", "options": { "baseURL": "$others/v1", "apiKey": "none" },
    "models": { "fake-model": { "name": "Fake", "tool_call": true, "limit": { "context": 128000, "output": 8000 } } } } } }
END
	acp opencode "$command acp" OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1
	check opencode
	survive opencode
fi

# within the minute it began in, its file of a conversation is written over by the process that would go on with it
command=$(get gemini)
if [ -n "$command" ]; then
	mkdir -p "$work/gemini/.gemini"
	echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}}' \
		>"$work/gemini/.gemini/settings.json"
	acp gemini "$command --acp" GOOGLE_GEMINI_BASE_URL="$others" GEMINI_API_KEY=none
	may=resume
	check gemini
	survive gemini
fi
[ $n -gt 0 ] || { echo 'no agent could be had'; exit 77; }
echo "$n agents keep the contract"
