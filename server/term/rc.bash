# Vyre's wrapper for bash. vyred wrote this file and writes it anew; nothing of yours is changed.
# It is read in place of the login files (bash --posix --noprofile -l, ENV), which it then reads itself.
builtin set +o posix
builtin shopt -u inherit_errexit 2>/dev/null
builtin unset ENV
__vyre_key=
if [ -n "${VYRE_TERM_KEY-}" ]; then
	IFS= builtin read -r __vyre_key <"$VYRE_TERM_KEY" 2>/dev/null
	builtin command rm -f -- "$VYRE_TERM_KEY"
fi
builtin unset VYRE_TERM_KEY
if [ "${HISTFILE-}" = ~/.sh_history ]; then HISTFILE=~/.bash_history; fi

if [ -r /etc/profile ]; then . /etc/profile; fi
if [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi

# Words of a report: no control but those written with a backslash.
__vyre_word() {
	builtin local s="${1:0:8192}"
	s=${s//\\/\\\\}
	s=${s//$'\n'/\\n}
	s=${s//$'\t'/\\t}
	__vyre_said=${s//[[:cntrl:]]/?}
}

# Before each prompt, and before whatever else PROMPT_COMMAND does: it must see the same $?.
__vyre_prompt() {
	builtin local __vyre_status=$?
	{ builtin local -; builtin set +x; } 2>/dev/null
	builtin local q='\!' n # the number of the last line that the history took
	n=${q@P}
	if [[ ${HISTCONTROL-} != "${__vyre_history-}" || ! -v __vyre_history ]]; then
		__vyre_dups=
		case :${HISTCONTROL-}: in
		*:ignoreboth:* | *:ignoredups:*) __vyre_dups=1 ;;
		esac
		if [[ $__vyre_dups ]]; then # a command that is said twice is told twice: see below
			HISTCONTROL=${HISTCONTROL//ignoreboth/ignorespace}
			HISTCONTROL=${HISTCONTROL//ignoredups/}
		fi
		__vyre_history=${HISTCONTROL-}
	elif [[ $__vyre_dups && $n -eq $((${__vyre_last:-0} + 1)) && $n -gt 1 ]]; then
		builtin local s
		s=$(HISTTIMEFORMAT= builtin history 2)
		if [[ $s =~ ^[[:space:]]*[0-9]+[*[:space:]]\ (.*)$'\n'[[:space:]]*$n[*[:space:]]\ (.*)$ &&
			${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]]; then # forgotten, as it would have been
			builtin history -d "$n" 2>/dev/null
			n=${q@P}
		fi
	fi
	__vyre_last=$n
	if [[ $n -le 1 && -z $(HISTTIMEFORMAT= builtin history 1) ]]; then __vyre_last=0; fi
	case ${PS0-} in
	*__vyre_began*) ;;
	*) PS0='$(${__vyre_key:+__vyre_began})'${PS0-} ;;
	esac
	__vyre_word "$PWD"
	builtin printf '\e]133;D;%s\a\e]7337;%s;P;%s;%s\a\e]133;A\a' \
		"$__vyre_status" "$__vyre_key" "$__vyre_status" "$__vyre_said"
	builtin return "$__vyre_status"
}

# From PS0, in a subshell: a line was read and will be run. What the history did not take is not said.
__vyre_began() {
	{ builtin local -; builtin set +x; } 2>/dev/null
	builtin local q='\!' n s
	n=${q@P}
	__vyre_said=
	if [[ $n -gt ${__vyre_last:-0} ]]; then
		s=$(HISTTIMEFORMAT= builtin history 1)
		if [[ $s =~ ^[[:space:]]*[0-9]+[*[:space:]]\ ?(.*)$ ]]; then
			__vyre_word "${BASH_REMATCH[1]}"
		fi
	fi
	builtin printf '\e]7337;%s;C;%s\a\e]133;C\a' "$__vyre_key" "$__vyre_said"
}

if [[ $__vyre_key && ${BASH_VERSINFO[0]} -ge 5 ]] ||
	[[ $__vyre_key && ${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4 ]]; then
	if [[ "$(builtin declare -p PROMPT_COMMAND 2>/dev/null)" == 'declare -a'* ]]; then
		PROMPT_COMMAND=('${__vyre_key:+__vyre_prompt}' "${PROMPT_COMMAND[@]}")
	else
		PROMPT_COMMAND='${__vyre_key:+__vyre_prompt}'${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
	fi
fi
