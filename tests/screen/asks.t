# What an agent asks, in a whole client: the parts of a command and where a rule holds, the lines of a change, a question, a plan.
size 80 24
env VYRE_DEMO_FAST=1
sh mkdir -p work && seq 1 20 > work/n.txt
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --new --provider demo'
wait "your turn"

# each part with its rule, and the one that has none
type "bash:echo one && echo two > out.txt && echo three"
key Enter
wait "\"Always\" stores in this session:"
wait "echo one            Bash(echo one)"
wait "echo two > out.txt  no rule: it will be asked again"
wait "echo three          Bash(echo three)"
expect row 5 "  ◐ Bash  echo one && echo two > out.txt && echo three            waits for you"
expect row -1 has "? help"
key Tab
wait "y yes   n no   a always   w where   s skip   l later   esc fold"
key w
wait "\"Always\" stores in this project:"
key w
wait "2 Always in all your projects"
# "?" helps here as well, and comes back to the ask
key ?
wait "A question of the agent"
wait "ask-scope"
key Esc
wait "y yes   n no   a always"
key a
wait "your turn"
wait "allowed: Bash(echo one)"

# learnt: the parts need no word; what writes is asked about again
type "bash:echo three && echo one"
key Enter
wait "tool result(s): three"
type "bash:echo one && echo two > out.txt"
key Enter
wait "no rule: it will be asked again"
key Tab n
wait "enter sends this as the answer"
# from the answer back to the ask
key Tab
wait "y yes   n no"
key s
wait "skipped"

# a change with the file's own lines; its words twice in the file: no lines
type "edit:n.txt|12|twelve"
key Enter
wait "Change a file"
wait " 11    11"
wait " 12  + twelve"
key Tab y
wait "your turn"
sh test "$(sed -n 12p work/n.txt)" = twelve
type "edit:n.txt|1|one"
key Enter
wait "│ - 1 "
wait "│ + one "
key Tab y
wait "your turn"

# a question stands on the screen once
type "ask"
key Enter
wait "◐ Question"
wait "Which colour should it be?"
expect row -9 "│ Which colour should it be?                                                   │"
absent "AskUserQuestion"
key Tab 2
wait "space tick   enter go on"
key 1 3 Enter
wait "● Question"
wait "Which colour should it be?  Blue"
wait "Which parts?  Door, Wall"

# more than a frame holds is fetched: nothing is approved unseen
sh cd work && "$top_builddir/vyre-tui" send "bash:: $(printf %05000d 7) the-end"
wait "Bash wants to run"
key Tab
wait "52 more rows (pgdn)"
key pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn
wait "the-end"
absent "cut here"
key s
wait "skipped"

# a plan: markdown, a line of nothing before the choices; then in the transcript, too
type "plan"
key Enter
wait "3. Test"
wait "1 Yes, and accept edits"
expect row -7 "│                                                                              │"
key Tab
wait "y yes   n no   s skip   l later   esc fold"
key y
wait "● Plan"
wait "1. Look"
absent "# Plan"
absent "ExitPlanMode"
quit
