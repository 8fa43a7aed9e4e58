# --screen-reader: words that only grow, asks as numbered text, nothing drawn and nothing switched on.
size 100 50
env VYRE_DEMO_FAST=1
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
run sh -c 'cd work && exec "$top_builddir/vyre-tui" --screen-reader --new --provider demo'
wait "your turn: type a message"
expect mode alt off
expect mode paste off
expect mode mouse off
type "say:3\r"
wait "You said: say:3"
wait "Assistant: alpha bravo charlie"
wait "Note: your turn"
type "bash:echo hel''lo\r"
wait "Question:"
wait "1  Yes"
wait "type a number"
type "7\r"
wait "there is no such answer"
sh sleep 0.5
type "1\r"
wait "hello"
expect mode alt off

# going back, and other small acts: by number, and said
type "/rewind\r"
wait "1  bash:echo hel''lo"
wait "2  say:3"
wait "type /rewind and a number to go back"
type "/rewind 9\r"
wait "there is no message of that number"
type "/rewind 1\r"
wait "2 messages are folded away; /redo brings it back"
wait "what you said there: bash:echo hel''lo"
type "/redo\r"
sh sleep 0.3
type "/redo\r"
wait "there is nothing to redo"
type "/btw\r"
wait "the question belongs behind /btw"
type "/btw why so?\r"
wait "beside the conversation: Beside: why so?"
type "/effort low\r"
wait "how hard the agent tries: low"
type "/edit 2 say:2\r"
wait "You said: say:2"
wait "Assistant: alpha bravo"
wait "Note: your turn"

# a command of parts, a rule that holds elsewhere; a no with words
type "bash:echo one && echo two > out.txt\r"
wait "2  Always in this session: Bash(echo one)"
wait "echo two > out.txt: no rule: it will be asked again"
sh sleep 0.5
type "2 project\r"
wait "Note: allowed, by "
type "bash:rm x\r"
wait "3  No, and say"
sh sleep 0.5
type "3\r"
wait "type what to do instead"
type "leave it\r"
wait "tool result(s): leave it"

# a form: one question after the other, by number, in one's own words, several
type "ask\r"
wait "Question: Colour, 1 of 2: Which colour should it be?"
wait "1  Red: A warm colour"
wait "type a number and enter; /skip"
sh sleep 0.5
type "3\r"
wait "type your own answer, and enter"
type "light green\r"
wait "Question: Parts, 2 of 2: Which parts?"
wait "type numbers and enter, as in 1 3"
type "1 3\r"
wait "Which colour should it be?: light green"
wait "Which parts?: Door, Wall"

# a plan, and a change by its lines
type "plan\r"
wait "Question: A plan: Plan"
wait "1  Yes, and accept edits"
sh sleep 0.5
type "2\r"
wait "User has approved your plan"
sh printf 'a\nb\nc\n' > work/f.txt
type "edit:f.txt|b|B\r"
wait "Question: Change a file: f.txt"
wait "line 2 removed: b"
wait "line 2 added: B"
sh sleep 0.5
type "1\r"
wait "was written"
expect mode alt off

# who may run and what it costs
type "/budget 4\r"
wait "the budget is $4.00; $0.00 is spent"
type "/usage\r"
wait "$0.00 of $4.00"
type "/slots\r"
wait "subagent"
type "/models\r"
wait "planner"
type "/prompt\r"
wait "none is set"

# a turn is stopped by a word, and by ctrl-c
type "say:2000 delay=20\r"
wait "alpha bravo charlie delta"
type "/stop\r"
wait "interrupted"
type "/quit\r"
exit 0

# the past is there again, as it was; a pipe gets nothing but text, and leaves when the turn is over
run sh -c 'cd work && printf "say:2\n" | "$top_builddir/vyre-tui" --screen-reader > out 2>&1; echo left; grep -c "alpha bravo" out; grep -q "$(printf "\033")" out || echo no escape'
wait "left"
wait "no escape"
exit 0
