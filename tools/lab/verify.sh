# verify.sh: is the folder of a run what its raw trials say?
# summary: checks a run: hashes, gates, exclusions, verdicts and report again from its raw trials
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab verify ARGUMENTS…

Set-up and the release build where they are missing, then `matchrace verify ARGUMENTS…`, which says whether
everything in the folder of a run follows from its raw trials, byte for byte. The exit code is its own.

Examples:
  ./lab verify out/smoke/TIME
  ./lab verify --help                  also shows what `matchrace verify` itself says
T
    own_help verify
}

main() {
    help_if_asked "$@"
    needs_words folder "$@"
    pass_through verify "$@"
}

main "$@"
