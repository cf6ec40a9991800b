# status.sh: says how far a run is, from another terminal or behind it.
# summary: says how far a run is, from another terminal or behind it
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab status ARGUMENTS…

Set-up and the release build where they are missing, then `matchrace status ARGUMENTS…`, which
says how far a run is, from another terminal or behind it. The exit code is its own.

Examples:
  ./lab status out/campaign/TIME
  ./lab status --help                     also shows what `matchrace status` itself says
T
    own_help status
}

main() {
    help_if_asked "$@"
    needs_words folder "$@"
    pass_through status "$@"
}

main "$@"
