# What another program left: the list shows it beside ours, with the program it is of; chosen, it is opened as history; what is
# said while that program has it open waits, which is said; and the command that goes on with it in a terminal.
size 140 26
env VYRE_DEMO_FAST=1
sh sh -c 'mkdir -p work fruit .claude/projects/-fruit "$XDG_CONFIG_HOME/vyre" && printf "#!/bin/sh\nexec sleep 600\n" > claude && chmod +x claude && printf "[provider.claude]\ncommand=%s/claude\n" "$PWD" > "$XDG_CONFIG_HOME/vyre/vyred.conf"'
sh sh -c 'P=$(cd fruit && pwd); printf "%s\n" "{\"parentUuid\":null,\"isSidechain\":false,\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"which fruit is red?\"},\"uuid\":\"aaaaaaaa-0000-4000-8000-000000000001\",\"timestamp\":\"2026-01-02T03:04:05.100Z\",\"cwd\":\"$P\",\"sessionId\":\"11111111-2222-4333-8444-555555555501\",\"version\":\"2.1.332\"}" "{\"parentUuid\":\"aaaaaaaa-0000-4000-8000-000000000001\",\"isSidechain\":false,\"type\":\"assistant\",\"message\":{\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"The cherry is red.\"}]},\"uuid\":\"aaaaaaaa-0000-4000-8000-000000000002\",\"timestamp\":\"2026-01-02T03:04:06.000Z\"}" > "$HOME/.claude/projects/-fruit/11111111-2222-4333-8444-555555555501.jsonl"'
sh sh -c 'touch -d 2026-01-02T03:04:06Z "$HOME"/.claude/projects/-fruit/*.jsonl'
sh sh -c 'mkdir -p term && printf "#!/bin/sh\nwhile :; do sleep 1; done\n" > term/claude && chmod +x term/claude'
finally sh -c '"$top_builddir/vyred" stop --all; kill $(cat held) 2>/dev/null || :'
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
key M-s
wait "which fruit is red?"
wait "terminal: claude"
key Down
wait "claude --resume 11111111-2222-4333-8444-555555555501"
type "fruit"
key Enter
wait "The cherry is red."

# one in a terminal has it open
sh sh -c '(term/claude --resume 11111111-2222-4333-8444-555555555501 </dev/null >/dev/null 2>&1 & echo $! >held); until tr "\0" " " </proc/$(cat held)/cmdline | grep -q resume; do :; done'
type "and which is blue?"
key Enter
wait "has this conversation open"
wait "open elsewhere"
sh sh -c '"$top_builddir/vyre-tui" ls | grep -q "open elsewhere.*terminal: claude"'
sh sh -c '"$top_builddir/vyre-tui" adopt | grep -q "here already"'

# and back into a terminal
type "/resume"
key Enter
wait "&& claude --resume 11111111-2222-4333-8444-555555555501"
sh sh -c '"$top_builddir/vyre-tui" resume "which fruit is red?" | grep -q "^cd .*/fruit && claude --resume 11111111"'
key C-c
wait "ctrl-c again"
key C-c
exit

# the list at once, with what is sought
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --adopt fruit'
wait "Sessions"
wait "which fruit is red?"
key Esc
wait "shift-tab mode"
key C-c
wait "ctrl-c again"
key C-c
exit
