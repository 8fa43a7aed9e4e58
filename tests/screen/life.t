# Who may run: a session that rests, words that wait for a place, a budget, and the lists behind them.
size 100 26
env VYRE_DEMO_FAST=1
sh sh -c 'mkdir -p work && mkdir -p "$XDG_CONFIG_HOME/vyre" && printf "[sessions]\nmax_live=1\nidle_minutes=0.02\n\n[slots]\nsubagent=2\n" > "$XDG_CONFIG_HOME/vyre/vyred.conf"'
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"
type "echo:apple"
key Enter
wait "    apple"
wait "your turn"

# another wants the only place, and works on: this one rests, its words wait and say for what
sh sh -c 'cd work && "$top_builddir/vyre-tui" new --provider demo --purpose job "bash:echo b" > "$T/other"'
wait "○ resting"
type "echo:banana"
key Enter
wait "waits for a place: next in line"
wait "next in line · ↑ edit"
sh sh -c '"$top_builddir/vyre-tui" ls | grep -q "next in line"'
sh sh -c '"$top_builddir/vyre-tui" status | grep -q "1 waits"'
sh sh -c '"$top_builddir/vyre-tui" status --json | grep -q "\"waiting\":1"'
key M-s
wait "type to find"
key Esc
absent "type to find"
sh sh -c '"$top_builddir/vyre-tui" interrupt "$(cat "$T/other")"'
wait "    banana"
wait "your turn"

# what it costs, and a budget that is reached
type "/budget five"
key Enter
wait "an amount of dollars"
type "/budget 0.50"
key Enter
wait "the budget is $0.50"
type "spend:0.75"
key Enter
wait "paused: budget of $0.50 reached · /budget"
type "echo:cherry"
key Enter
wait "budget spent · ↑ edit"
sh sh -c '"$top_builddir/vyre-tui" ls | grep -q "budget spent"'
key M-i
wait "Use and limits"
wait "Cost so far"
wait "$0.75"
key Esc
absent "type to find"
type "/budget none"
key Enter
wait "    cherry"
sh sh -c 'cd work && "$top_builddir/vyre-tui" budget 3 && "$top_builddir/vyre-tui" usage | grep -q "of \$3.00"'

# places: a limit is another by a person, and the configuration's again
type "/slots "
key Enter
wait "Places of subagents"
wait "0 of 2 at work"
key Down Enter
wait "How many may work at once"
type "7"
key Enter
wait "0 of 7 at work"
sh sh -c '"$top_builddir/vyre-tui" slots | grep -q "subagent  0 of 7"'
key C-x
wait "0 of 2 at work"
key Esc
absent "type to find"

# models: for each purpose
type "/models "
key Enter
wait "Models for each purpose"
wait "as vyred has it"
type "job"
wait "1 of"
key Enter
wait "The model for it"
type "sonnet-of-ours"
key Enter
wait "sonnet-of-ours"
wait "set for all"
sh sh -c '"$top_builddir/vyre-tui" models job default'
absent "sonnet-of-ours"
key Esc
absent "type to find"

# a new session with bounds, as a job: finished with its turn; what is no amount, and half a sentence, is refused
sh sh -c 'cd work && "$top_builddir/vyre-tui" new --provider demo --budget 2.5 --purpose job --tools Read,Bash --once --json "echo:once" > "$T/job"'
sh grep -q "\"purpose\":\"job\"" job
sh grep -q "\"budget_usd\":2.5" job
sh sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$top_builddir/vyre-tui" ls | grep -q "finished.*echo:once" && exit 0; sleep 0.2; done; exit 1'
sh sh -c '! "$top_builddir/vyre-tui" new --provider demo --budget five 2> err && grep -q "amount of dollars" err'
sh sh -c '! "$top_builddir/vyre-tui" models job 2> err && grep -q usage: err'
sh sh -c '! "$top_builddir/vyre-tui" slots subagent many 2> err && grep -q "many is no number" err'
sh sh -c '! "$top_builddir/vyre-tui" ls --budget 3 2> err && grep -q "does not go with ls" err'

# the system prompt: edited outside, read, and brought back
key C-c C-c
exit
env EDITOR=./edit
sh sh -c 'printf "#!/bin/sh\nprintf \"Answer in verse.\" > \"\$1\"\n" > work/edit; chmod +x work/edit'
run sh -c 'cd work && exec "$top_builddir/vyre-tui" open echo:apple'
wait "    cherry"
type "/prompt "
key Enter
wait "none is set"
key Enter
wait "revision 1"
sh sh -c 'test "$("$top_builddir/vyre-tui" prompt)" = "Answer in verse." && echo "In prose." | "$top_builddir/vyre-tui" prompt set -'
type "/prompt "
key Enter
wait "● Revision 2"
wait "○ Revision 1"
key Down
key Enter
wait "In prose."
key q
absent "In prose."
type "/prompt "
key Enter
wait "○ Revision 1"
type "Revision 1"
wait "1 of"
key Enter
wait "revision 3"
sh sh -c 'test "$("$top_builddir/vyre-tui" prompt)" = "Answer in verse."'

# what runs in the background: its output, and its end
type "bashbg:echo tick; sleep 60"
key Enter
wait "tab to answer"
key Tab
key y
wait "1 in the background"
key M-g
wait "In the background"
key Enter
wait "its output"
wait "tick"
key q
absent "its output"
key M-g
wait "In the background"
key C-x
wait "ending"
absent "1 in the background"
key Esc
absent "In the background"

# a subagent waits for a place: its call says so, the list as it is, and more places let it go
sh sh -c '"$top_builddir/vyre-tui" slots subagent 1'
type "agentbg:say:2000 delay=20 ;; agentbg:say:2000 delay=20"
key Enter
wait "Waits for a subagent slot: number 1 in line"
type "/slots "
key Enter
wait "1 of 1 at work"
wait "next in line"
sh sh -c '"$top_builddir/vyre-tui" slots subagent 3'
wait "2 of 3 at work"
absent "next in line"
key Esc
absent "Waits for a subagent slot"
