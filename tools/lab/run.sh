# run.sh: runs a campaign: a matrix of trials, written as raw trials and results.json.
# summary: runs a matrix of trials (matrices/*.json)
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab run ARGUMENTS…

Set-up, the release build and the contestants' own builds where they are missing, then `matchrace run ARGUMENTS…`, which
runs a campaign: a matrix of trials, written as raw trials and results.json. The exit code is its own.

Examples:
  ./lab run matrices/smoke.json --out out/mine
  ./lab run --help                     also shows what `matchrace run` itself says
T
    own_help run
}

main() {
    help_if_asked "$@"
    local program=''
    prepare_matchrace
    build_contestants "$lab_root"/contestants/*/
    exec "$program" run "$@"
}

main "$@"
