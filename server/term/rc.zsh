# Vyre's wrapper for zsh. vyred wrote this file and writes it anew; nothing of yours is changed.
# It is read as .zshenv; from here on ZDOTDIR is yours again, so zsh reads the rest from there.
if [[ -n ${VYRE_ZDOTDIR+x} ]]; then
	builtin export ZDOTDIR=$VYRE_ZDOTDIR
else
	builtin unset ZDOTDIR
fi
builtin unset VYRE_ZDOTDIR
builtin typeset -gH __vyre_key=
if [[ -n ${VYRE_TERM_KEY-} ]]; then
	IFS= builtin read -r __vyre_key <"$VYRE_TERM_KEY" 2>/dev/null
	builtin command rm -f -- "$VYRE_TERM_KEY"
fi
builtin unset VYRE_TERM_KEY

if [[ -n $__vyre_key && -o interactive ]]; then
	__vyre_word() {
		builtin emulate -L zsh
		builtin setopt extendedglob
		builtin local s="${1[1,8192]}"
		s=${s//\\/\\\\}
		s=${s//$'\n'/\\n}
		s=${s//$'\t'/\\t}
		builtin typeset -g __vyre_said=${s//[[:cntrl:]]/?}
	}
	__vyre_precmd() {
		builtin local __vyre_status=$?
		builtin emulate -L zsh
		builtin setopt no_xtrace
		__vyre_word "$PWD"
		builtin printf '\e]133;D;%s\a\e]7337;%s;P;%s;%s\a\e]133;A\a' \
			"$__vyre_status" "$__vyre_key" "$__vyre_status" "$__vyre_said"
	}
	__vyre_preexec() {
		if [[ -o histignorespace && $1 == ' '* ]]; then
			builtin set -- ''
		fi
		builtin emulate -L zsh
		builtin setopt no_xtrace
		__vyre_word "$1"
		builtin printf '\e]7337;%s;C;%s\a\e]133;C\a' "$__vyre_key" "$__vyre_said"
	}
	builtin typeset -ga precmd_functions preexec_functions
	precmd_functions=(__vyre_precmd $precmd_functions)
	preexec_functions=(__vyre_preexec $preexec_functions)
fi

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
	builtin source "${ZDOTDIR:-$HOME}/.zshenv"
fi
