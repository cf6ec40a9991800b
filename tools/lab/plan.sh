# plan.sh: says what a matrix will run, how long it takes, and how many rows a difference needs.
# summary: says what a matrix will run, how long it takes, and how many rows a difference needs
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab plan ARGUMENTS…

Set-up and the release build where they are missing, then `matchrace plan ARGUMENTS…`, which
says what a matrix will run, how long it takes, and how many rows a difference needs. The exit code is its own.

Examples:
  ./lab plan matrices/fair-2x2.json
  ./lab plan matrices/fair-2x2.json --from out/fair-2x2/TIME
  ./lab plan --help                       also shows what `matchrace plan` itself says
T
    own_help plan
}

main() {
    help_if_asked "$@"
    needs_words matrix "$@"
    local program='' words=("$@")
    # The contestants are this tree's, wherever the person stands.
    [[ " $* " == *" --contestants"* ]] || words+=(--contestants "$lab_root/contestants")
    prepare_matchrace race
    exec "$program" plan "${words[@]}"
}

main "$@"
