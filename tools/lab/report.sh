# report.sh: writes the report of a finished or interrupted campaign again from its files.
# summary: writes report.html, report.md, trials.csv and the pictures of a run again
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab report ARGUMENTS…

Set-up and the release build where they are missing, then `matchrace report ARGUMENTS…`, which
writes the report of a finished or interrupted campaign again from its files. The exit code is its own.

Examples:
  ./lab report out/smoke/TIME
  ./lab report --help                  also shows what `matchrace report` itself says
T
    own_help report
}

main() {
    help_if_asked "$@"
    needs_words folder "$@"
    pass_through report "$@"
}

main "$@"
