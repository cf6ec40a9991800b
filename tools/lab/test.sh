# test.sh: proves that the answers are right: builds and runs every test, in release and under sanitizers.
# summary: builds and runs every test in release and asan; ends with CTest's closing lines
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab test [--quick | --long] [--only REGEX] [PRESET…]

Set-up where missing, then builds each preset (release and asan where none is named) and runs its tests
with CTest, five at a time (one that computes counts as two). About 19 minutes on two cores, builds included. Tests judge
correctness, never speed. Those labelled "long" are left out without --long, the sanitizer presets leave out
"release-only" (scripts that would run the very same thing again).
The last lines are CTest's own. Exit code 0: every test passed.

  --quick         the release preset only, without the tests labelled "slow"
  --long          also the tests labelled "long": more chance, longer input, planted faults; half an hour more
  --only REGEX    only the tests whose name matches

Examples:
  ./lab test
  ./lab test --quick
  ./lab test --only record asan
  ./lab test --long --only reference release
  ./lab test tsan
T
}

# show_results PRESET STARTED: CTest's lines, with the preset's total time put before its closing lines.
show_results() {
    local line
    while IFS= read -r line; do
        if [[ $line =~ ^[0-9]+%\ tests\ passed.*out\ of\ ([0-9]+)$ ]]; then
            say "Preset $1: ${BASH_REMATCH[1]} tests, $(duration $((SECONDS - $2))) with its build."
        fi
        printf '%s\n' "$line"
    done
}

# run_ctest PRESET STARTED CTEST-ARGUMENTS…
run_ctest() {
    (cd "$lab_root" && ctest --preset "$1" "${@:3}") 2>&1 |
        tee "$lab_root/build/$1/lab-test.log" | show_results "$1" "$2"
}

# run_preset PRESET CTEST-ARGUMENTS…; `long` says whether with the tests of that label.
run_preset() {
    local preset=$1 started=$SECONDS status=0
    shift
    # Takes the place of the preset's own filter.
    if ((long)); then
        local left_out='^release-only$'
        [[ $preset != release ]] || left_out='^$'
        set -- "$@" -LE "$left_out"
    fi
    say "Preset $preset: building"
    build_preset "$preset"
    watched run_ctest "$preset" "$started" "$@" || status=$?
    stop_if_signalled
    ((long)) || remember_time "test-$preset" $((SECONDS - started))
    return "$status"
}

main() {
    help_if_asked "$@"
    local presets=() arguments=() failed=() started=$SECONDS preset quick=0 long=0
    while (($# > 0)); do
        case $1 in
        --quick) quick=1 ;;
        --long) long=1 ;;
        --only)
            (($# >= 2)) || wrong_usage "--only needs a regular expression"
            arguments+=(-R "$2")
            shift
            ;;
        -*) wrong_usage "unknown option '$1'" ;;
        *)
            require_preset "$1"
            presets+=("$1")
            ;;
        esac
        shift
    done
    ((!quick || !long)) || wrong_usage "--quick leaves out what --long asks for"
    if ((quick)); then
        ((${#presets[@]} > 0)) || presets=(release)
        # This takes the place of the preset's own filter, so "long" is named again.
        arguments+=(-LE '^(long|slow)$')
    fi
    ((${#presets[@]} > 0)) || presets=(release asan)

    setup_if_missing
    for preset in "${presets[@]}"; do
        run_preset "$preset" "${arguments[@]}" || failed+=("$preset")
    done
    if ((${#failed[@]} > 0)); then
        die $exit_environment "tests failed in: ${failed[*]} (build/PRESET/lab-test.log has all their output)"
    fi
    if ((${#arguments[@]} == 0 && !long)) && [[ ${presets[*]} == "release asan" ]]; then
        remember_time test $((SECONDS - started))
    fi
}

main "$@"
