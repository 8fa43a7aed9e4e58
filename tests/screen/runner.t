# The runner itself: what it types arrives, what it sees is there.
size 40 6
env GREETING=hello
sh echo "$GREETING there" > file
run cat file -
wait "hello there"
expect row 1 "hello there"
expect cursor 2 1
type "abc"
key Enter
# the line discipline echoes, cat repeats
expect row 2 "abc"
expect row 3 has "bc"
expect row -1 ""
key C-d
exit 0

# modes, colours, titles, queries
run sh -c 'printf "\033]2;a title\a\033[?1049;2004h\033[1;38;2;1;2;3mred\033[m \033[3;42mgreen\033[m\a"; read x; printf "\033[?1049;2004lbye"; exit 3'
wait "green"
expect title "a title"
expect mode alt on
expect mode paste on
expect bells 1
expect style "red" bold fg=#010203 !italic bg=default
expect style "green" italic bg=2 !bold
paste "x\ny"
absent "red"
expect row 1 has "bye"
expect mode alt off
exit 3

# a size, a new size, a signal
run sh -c 'trap "stty size" WINCH; stty size; while :; do sleep 0.1; done'
wait "6 40"
resize 50 10
wait "10 50"
signal TERM
exit 143

# text that is wider than bytes
run printf '\344\270\255\346\226\207 e\314\201 end\n'
wait "中文 e\xcc\x81 end"
expect style "中文" !bold
exit
