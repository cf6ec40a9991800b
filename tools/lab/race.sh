# race.sh: races contestants on the reader's own data.
# summary: races contestants on a file of your own (JSON or NDJSON), and writes a report
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab race --data FILE --contestants A,B [--minutes N] [ARGUMENTS…]

Set-up, the release build and the contestants' own builds where they are missing, then `matchrace race`: it imports
FILE (a JSON array, or NDJSON: a record a line; a second race on it imports nothing), races the contestants for some
N minutes (5), and leaves a report in out/race/TIME of the folder you stand in. A contestant is a name of contestants/
or the path of a folder with a contestant.json.
A record that does not fit the schema is named with its line, number and field; docs/DATASETS.md has the schema.
Exit codes: 0 ok; 1 environment; 2 usage; 3 a record or a contestant is wrong; 5 incomplete.

Examples:
  ./lab race --data today.ndjson --contestants c-tuned,c-yyjson
  ./lab race --data today.json --contestants c-yyjson,../my-server --minutes 15
T
    own_help race
}

# The values of --contestants among ARGUMENTS…, one name or path a line.
contestant_words() {
    local word before=''
    for word in "$@"; do
        [[ $before != --contestants ]] || printf '%s\n' "${word//,/$'\n'}"
        [[ $word != --contestants=* ]] || printf '%s\n' "${word#*=}" | tr , '\n'
        before=$word
    done
}

main() {
    help_if_asked "$@"
    local program='' status=0 name folder words=() folders=() variants=()
    while IFS= read -r name; do
        [[ -n $name ]] || continue
        # An @ may be part of a path.
        folder=$(contestant_folder "$name")
        if [[ -n $folder ]]; then
            folders+=("$folder")
            continue
        fi
        folder=$(contestant_folder "${name%@*}")
        [[ -n $folder ]] ||
            die $exit_usage "no contestant '${name%@*}': neither a name of contestants/ nor a folder with contestant.json"
        folders+=("$folder")
        [[ $name != *@* ]] || variants+=("--variant=${name##*@}")
    done < <(contestant_words "$@")
    words=("$@" --contestants-dir "$lab_root/contestants" --data-dir "$lab_root/data")
    prepare_matchrace race
    build_contestants "${variants[@]}" "${folders[@]}"
    MR_REPRODUCE="./lab race $(printf '%q ' "$@")"
    export MR_REPRODUCE=${MR_REPRODUCE% }
    watched with_parent "$program" race "${words[@]}" || status=$?
    stop_if_signalled
    return "$status"
}

main "$@"
