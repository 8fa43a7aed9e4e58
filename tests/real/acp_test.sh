#!/bin/sh
# acp_test.sh -- the example agent of the library of the Agent Client Protocol, from npm, under a real vyred
# (acp.play). Ends with 77 where it cannot be had.
set -eu
top=${top_srcdir:?}
version=0.28.1
folder=${top_builddir:?}/tests/real/npm-acp
agent=$folder/node_modules/@agentclientprotocol/sdk/dist/examples/agent.js

command -v node >/dev/null || { echo 'no node here: the example agent cannot run'; exit 77; }
if [ ! -f "$agent" ]; then
	command -v npm >/dev/null || { echo 'no npm here to install the example agent with'; exit 77; }
	mkdir -p "$folder"
	npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
		"@agentclientprotocol/sdk@$version" zod@4 </dev/null >"$folder/npm.log" 2>&1 ||
		{ echo "npm cannot install the example agent ($folder/npm.log)"; exit 77; }
fi
folder=$(cd "$folder" && pwd)
exec "$top_builddir/tests/play/play" --set AGENT="$folder/node_modules/@agentclientprotocol/sdk/dist/examples/agent.js" \
	"$top/tests/real/acp.play"
