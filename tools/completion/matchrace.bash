# matchrace.bash: completion of `matchrace` and `./lab` in bash; everything is asked of the program, so that nothing here ages.
# shellcheck shell=bash

# _matchrace_words PROGRAM [SUBCOMMAND]: subcommands or options, as its help lists them.
_matchrace_words() {
    "$@" --help 2>/dev/null | sed -n -e 's/^  \(--[a-z-]*\).*/\1/p' -e 's/^  \([a-z][a-z-]*\)  *[^ ].*/\1/p'
}

_matchrace() {
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} words=''
    program=${program/#\~/$HOME}
    COMPREPLY=()
    command -v -- "$program" >/dev/null || return 0
    if ((COMP_CWORD == 1)); then
        words=$(_matchrace_words "$program")
    elif [[ $word == -* ]]; then
        words=$(_matchrace_words "$program" "${COMP_WORDS[1]}" | grep '^--')
    fi
    # shellcheck disable=SC2207  # no word of a help has blanks
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}

complete -o default -F _matchrace matchrace lab ./lab
