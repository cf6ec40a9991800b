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

# has_option NAME ARGUMENTS…
has_option() {
    local name=$1 word
    shift
    for word in "$@"; do
        [[ $word != "$name" && $word != "$name="* ]] || return 0
    done
    return 1
}

main() {
    help_if_asked "$@"
    needs_words matrix "$@"
    local program='' words=("$@") word matrices=()
    for word in "$@"; do
        [[ $word != *.json || ! -f $word ]] || matrices+=("--matrix=$word")
    done
    # The programs that race are this tree's, wherever the person stands.
    has_option --contestants "$@" || words+=(--contestants "$lab_root/contestants")
    has_option --data-dir "$@" || words+=(--data-dir "$lab_root/data")
    prepare_matchrace race
    # Without a matrix there is no race, and nothing to build.
    ((${#matrices[@]} == 0)) || build_contestants "${matrices[@]}" "$lab_root"/contestants/*/
    exec "$program" run "${words[@]}"
}

main "$@"
