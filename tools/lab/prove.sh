# prove.sh: proofs that a checker catches what it is there for.
# summary: `prove conform`, `prove answers`, `prove lies`, `prove mutations`, `prove doubles`, `prove aa`, `prove chaos`, `prove controls`: that the checkers see what they are there for
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab prove conform|answers|lies|mutations|doubles|aa|chaos|controls [ARGUMENTS…]

conform: every sentence of the contract's section on the wire has a check and a mutant server that breaks
just this sentence. The conformance kit is run against all of them; a table says who caught whom.
Exit code 3: a mutant was not caught, or not by its own check. ARGUMENTS go to tests/conformance/prove.py.

answers: 100,000 records of each shape are made; the independent reference computes every answer again, and each
contestant that is built parses them all: the same digest, or exit code 3. ARGUMENTS go to tests/differential/agree.py.

lies: every lie that can be told to the load generator is told: the gate that must catch it does, and without
that gate it gets through. Stops, freezes, hogs, and a server whose service time is known, against arithmetic.
Exit code 3: a row is not right. Some minutes, on a machine that does nothing else. ARGUMENTS go to tests/lies/prove.py.

mutations: faults planted in the parser and the contract, one at a time; some test must fail for each. Long.
ARGUMENTS go to tests/mutation/run.py.

doubles: 10^8 random numbers, and numbers halfway between two doubles or right beside that in every binary exponent,
through every kernel: the same bits as strtod(), or exit code 3. Some minutes. ARGUMENTS: --random N, --halfway N.

aa: 100,000 synthetic campaigns from recorded pairs of twins, by sign flips: false verdicts, coverage of the intervals,
orders of trials on a machine that wanders, the number of pairs that a difference needs; and planted faults that must
show. Exit code 3: a row is not as it must be. Some minutes. ARGUMENTS: --campaigns N, --seed N.

chaos: campaigns of simulated trials, killed at 100 random moments, go on and come to the results of one that nobody
disturbed; what may not go on is refused. Exit code 3: not so. Some minutes. ARGUMENTS go to tests/truth/chaos.py.

controls: short real campaigns whose truth is known: 40 of a contestant beside itself, 20 with doses of 1, 2 and 5 % more
work and a liar; a table of what was found. Exit code 3: a lie was believed, or too many equal pairs were told apart. About
40 minutes on a machine that does nothing else. ARGUMENTS go to tests/truth/controls.py.

Examples:
  ./lab prove conform
  ./lab prove conform --help
  ./lab prove answers
  ./lab prove lies
  ./lab prove lies --only stop-load-50
  ./lab prove mutations
  ./lab prove doubles
  ./lab prove aa --campaigns 10000
  ./lab prove chaos --kills 20
  ./lab prove controls --equal 5 --planted 5
T
}

main() {
    # Only the first word is ours: the rest, --help too, belongs to the proof.
    help_if_asked "${1:-}"
    local script='' more=()
    case ${1:-} in
    conform) script=tests/conformance/prove.py ;;
    answers) script=tests/differential/agree.py ;;
    lies) script=tests/lies/prove.py ;;
    mutations) script=tests/mutation/run.py ;;
    doubles) more=(mr_doubles) ;;
    aa) more=(mr_aa) ;;
    chaos) script=tests/truth/chaos.py ;;
    controls) script=tests/truth/controls.py ;;
    '') wrong_usage "which proof? There are: conform answers lies mutations doubles aa chaos controls" ;;
    *) wrong_usage "there is no proof '$1'; there are: conform answers lies mutations doubles aa chaos controls" ;;
    esac
    local program=''
    prepare_matchrace race "${more[@]}"
    cd "$lab_root"
    # Of an option given twice the first one counts.
    case $1 in
    doubles) exec build/release/tests/differential/mr_doubles "${@:2}" --random 100000000 --halfway 30 ;;
    aa) exec build/release/tests/truth/mr_aa "${@:2}" ;;
    esac
    MR_BUILD_DIR=$lab_root/build/release MR_SOURCE_DIR=$lab_root PYTHONDONTWRITEBYTECODE=1 \
        exec python3 "$script" "${@:2}"
}

main "$@"
