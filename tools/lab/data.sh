# data.sh: makes, imports and verifies datasets.
# summary: makes, imports and verifies datasets (data/)
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab data ARGUMENTS…

Set-up and the release build where they are missing, then `matchrace data ARGUMENTS…`, which
makes, imports and verifies datasets. The exit code is its own.

Examples:
  ./lab data make --shape simple --seed 42 --batches 64 --out data/mine
  ./lab data verify data/mine
  ./lab data import today.ndjson --out data/today
  ./lab data import --help             the options of one of them, once it is built
T
    own_help data ${part:+"$part"}
}

main() {
    local part=${1:-}
    [[ $part =~ ^(make|import|show|verify)$ ]] || part=''
    help_if_asked "$@"
    pass_through data "$@"
}

main "$@"
