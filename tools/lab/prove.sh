# prove.sh: proofs that a checker catches what it is there for.
# summary: `prove conform`: the table of mutant servers and which check caught each
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab prove conform [ARGUMENTS…]

conform: every sentence of the contract's section on the wire has a check and a mutant server that breaks
just this sentence. The conformance kit is run against all of them; a table says who caught whom.
Exit code 3: a mutant was not caught, or not by its own check. ARGUMENTS go to tests/conformance/prove.py.

Examples:
  ./lab prove conform
  ./lab prove conform --help
T
}

main() {
    # Only the first word is ours: the rest, --help too, belongs to the proof.
    help_if_asked "${1:-}"
    case ${1:-} in
    conform) ;;
    '') wrong_usage "which proof? There is: conform" ;;
    *) wrong_usage "there is no proof '$1'; there is: conform" ;;
    esac
    local program=''
    prepare_matchrace
    cd "$lab_root"
    MR_BUILD_DIR=$lab_root/build/release MR_SOURCE_DIR=$lab_root PYTHONDONTWRITEBYTECODE=1 \
        exec python3 tests/conformance/prove.py "${@:2}"
}

main "$@"
