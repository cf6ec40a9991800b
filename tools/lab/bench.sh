# bench.sh: benches of one part, run as a matrix by the campaign app like every other race.
# summary: `bench parse`: the parsers alone, without a socket, with ratio and interval
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab bench NAME [ARGUMENTS…]

Runs matrices/bench-NAME.json with `matchrace run`; the folder of results is out/bench-NAME/TIME unless
--out names another. ARGUMENTS go to `matchrace run`, which makes the datasets where they are missing.

Examples:
  ./lab bench parse
  ./lab bench parse --out out/before-my-change
T
}

main() {
    help_if_asked "$@"
    (($# > 0)) || wrong_usage "which bench? There are: $(bench_names)"
    local name=$1 program=''
    [[ -f $lab_root/matrices/bench-$name.json ]] ||
        wrong_usage "there is no bench '$name'; there are: $(bench_names)"
    shift
    prepare_matchrace
    race "bench-$name" "matrices/bench-$name.json" "./lab bench $name" "$@"
}

bench_names() {
    (cd "$lab_root/matrices" && ls bench-*.json 2>/dev/null) | sed -e 's/^bench-//' -e 's/\.json$//' |
        tr '\n' ' ' | sed 's, $,,'
}

main "$@"
