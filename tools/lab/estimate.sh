# estimate.sh: computes results.json of a run again from its manifest and trials.
# summary: computes results.json of a run again from its manifest and trials
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab estimate ARGUMENTS…

Set-up and the release build where they are missing, then `matchrace estimate ARGUMENTS…`, which
computes results.json of a run again from its manifest and trials. The exit code is its own.

Examples:
  ./lab estimate out/smoke/TIME
  ./lab estimate --help                   also shows what `matchrace estimate` itself says
T
    own_help estimate
}

main() {
    help_if_asked "$@"
    needs_words folder "$@"
    pass_through estimate "$@"
}

main "$@"
