# conform.sh: the conformance kit against contestants.
# summary: checks contestants, here or anywhere, against the whole contract
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab conform [OPTIONS] [CONTESTANT…]

Runs `matchrace conform`: all cases by the wire in all modes, and every sentence of the contract about the
wire. A CONTESTANT is a name of contestants/, or the path of a folder with a contestant.json, also
outside this tree. Without one: every folder of contestants/. OPTIONS go to `matchrace conform`.
Exit code 3: a contestant does not conform.

Examples:
  ./lab conform
  ./lab conform c-tuned example-python
  ./lab conform ../my-server
  ./lab conform --mode keep c-yyjson
  ./lab conform --variant nativeaot csharp-stj
  ./lab conform --list                 every check with its sentence
T
    own_help conform
}

main() {
    help_if_asked "$@"
    local words=() folders=() variants=() word folder before='' found=0 program='' status=0
    for word in "$@"; do
        folder=$(contestant_folder "$word")
        if [[ -n $folder ]]; then
            words+=("$folder")
            folders+=("$folder")
            found=1
        # The word behind an option may be its value: that is the program's to judge.
        elif [[ $word == -* || $before == --* ]]; then
            words+=("$word")
            [[ $word != --list ]] || found=1
        else
            die $exit_usage "no contestant '$word': neither a name of contestants/ nor a folder with contestant.json"
        fi
        [[ $before != --variant ]] || variants=("--variant=$word")
        [[ $word != --variant=* ]] || variants=("$word")
        before=$word
    done
    if ((!found)); then
        for folder in "$lab_root"/contestants/*/; do
            [[ ! -f $folder/contestant.json ]] || folders+=("${folder%/}")
        done
        words+=("${folders[@]}")
    fi
    prepare_matchrace race
    build_contestants "${variants[@]}" "${folders[@]}"
    watched with_parent "$program" conform "${words[@]}" || status=$?
    return "$status"
}

main "$@"
