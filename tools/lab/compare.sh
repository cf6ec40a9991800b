# compare.sh: who changed between two saved campaigns.
# summary: compares two saved campaigns by way of a contestant that ran in both
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab compare OLD NEW [--anchor NAME] [--contestant NAME]

Set-up and the release build where they are missing, then `matchrace compare`: for every contestant that ran in both
folders, how its ratio to the anchor (c-yyjson, unless another is named) has changed. Refused where CPU, cores, rules
or data are not the same. Two builds of one contestant are better raced in one campaign: ./lab versus.
Exit codes: 0; 1 environment; 2 usage, or not comparable.

Examples:
  ./lab compare out/smoke/MONDAY out/smoke/TUESDAY
  ./lab compare old new --anchor cpp-simdjson --contestant c-tuned
T
    own_help compare
}

main() {
    help_if_asked "$@"
    needs_words folders "$@"
    local word
    for word in "$@"; do
        [[ $word != --anchor && $word != --anchor=* ]] || pass_through compare "$@"
    done
    pass_through compare "$@" --anchor c-yyjson
}

main "$@"
