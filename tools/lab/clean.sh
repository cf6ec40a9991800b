# clean.sh: removes what the other commands made.
# summary: removes build/; with --all also .deps/, data/ and out/
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab clean [--all]

Removes build/ (every preset, the logs and the times that doctor knows). With --all also what set-up
unpacked (.deps/), the datasets (data/) and every result (out/). Packages of the system stay.

Examples:
  ./lab clean
  ./lab clean --all
T
}

main() {
    help_if_asked "$@"
    local folders=(build) folder
    case ${1:-} in
    '') ;;
    --all) folders+=(.deps data out) ;;
    *) wrong_usage "unexpected '$1'" ;;
    esac
    (($# <= 1)) || wrong_usage "unexpected '$2'"
    for folder in "${folders[@]}"; do
        [[ -e $lab_root/$folder ]] || continue
        rm -rf -- "${lab_root:?}/$folder"
        say "Removed $folder/"
    done
}

main "$@"
