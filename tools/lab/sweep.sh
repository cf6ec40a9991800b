# sweep.sh: response time of contestants against the load that they are offered.
# summary: measures response time against offered load, and the load that a latency limit allows
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab sweep CONTESTANT… [ARGUMENTS…]

Set-up and the release build where they are missing, then `matchrace sweep`, run in this folder: the
maximum of each contestant in a closed loop, then its latency at ten loads from 10 % to 110 % of it, three
times each and in turn (about four minutes a contestant). Results are in out/sweep/TIME: latency.svg,
sweep.txt, sweep.csv, sweep.json. The exit code is its own.

Examples:
  ./lab sweep c-tuned c-yyjson
  ./lab sweep c-tuned c-yyjson --slo 5ms     also the highest rate of each that keeps p99 within 5 ms
  ./lab sweep --help                         also shows what `matchrace sweep` itself says
T
    own_help sweep
}

main() {
    help_if_asked "$@"
    local program='' status=0
    needs_words contestant "$@"
    needs_contestants ' --skip-conform ' "$@"
    prepare_matchrace race
    build_contestants "$lab_root"/contestants/*/
    cd "$lab_root"
    watched with_parent "$program" sweep "$@" || status=$?
    return "$status"
}

main "$@"
