# new-contestant.sh: the skeleton of a contestant of one's own.
# summary: writes a contestant of your own to start from (python, c, csharp), which works already
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab new-contestant NAME --language python|c|csharp [--in FOLDER]

Writes FOLDER/NAME (FOLDER is where you stand): a contestant that works and passes the conformance kit, as a start.
contestants/README.md goes on from there. Exit codes: 0; 1 environment; 2 usage.

Examples:
  ./lab new-contestant my-server --language python --in ..
  ./lab new-contestant my-parser --language c --in ~/race
T
}

main() {
    help_if_asked "$@"
    needs_words NAME "$@"
    exec python3 "$lab_root/tools/contestants/new_contestant.py" "$@"
}

main "$@"
