# Vyre's wrapper for fish. vyred wrote this file and writes it anew; nothing of yours is changed.
# It is sourced behind your own configuration (fish -l -C).
set -g __vyre_key ''
if set -q VYRE_TERM_KEY
	read -g __vyre_key <$VYRE_TERM_KEY 2>/dev/null
	command rm -f -- $VYRE_TERM_KEY
	set -e VYRE_TERM_KEY
end

if test -n "$__vyre_key"
	function __vyre_word
		set -l s (string sub -l 8192 -- $argv[1] | string collect)
		set s (string replace -a '\\' '\\\\' -- $s | string join '\n')
		set s (string replace -a \t '\t' -- $s)
		string replace -ra '[[:cntrl:]]' '?' -- $s
	end
	function __vyre_prompt --on-event fish_prompt
		set -l code $status
		if set -q __vyre_code
			set code $__vyre_code
		end
		printf '\e]133;D;%s\a\e]7337;%s;P;%s;%s\a\e]133;A\a' $code $__vyre_key $code (__vyre_word $PWD)
	end
	function __vyre_began --on-event fish_preexec
		set -l said ''
		if not string match -q ' *' -- $argv[1]; and test -z "$fish_private_mode"
			set said (__vyre_word $argv[1])
		end
		printf '\e]7337;%s;C;%s\a\e]133;C\a' $__vyre_key "$said"
	end
	function __vyre_ended --on-event fish_postexec
		set -g __vyre_code $status
	end
end
