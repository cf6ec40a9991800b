# check.sh: everything that is judged without running the programs: format, lints, warnings, structure.
# summary: format, clang-tidy, shellcheck, warnings of two compilers, structure of the tree
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab check [STEP…]

Steps, all of them where none is named:
  format      clang-format on every source and header of C and C++
  shell       shellcheck on every shell script
  python      every Python file compiles
  gcc         the dev preset builds without a warning
  clang       clang's warnings and clang-tidy; what passed is remembered in build/check by its content
  structure   the sentences of docs/ARCHITECTURE.md and the style rules (tests/scenario/structure_*.py)

Every step runs even when an earlier one fails. Exit code 1: a step failed.

Examples:
  ./lab check
  ./lab check format shell
T
}

# Files of the project by pattern, tracked or not yet; nothing that git ignores.
project_files() {
    (cd "$lab_root" && git ls-files -co --exclude-standard --deduplicate -- "$@" |
        while read -r file; do [[ ! -f $file ]] || echo "$file"; done)
}

step_format() {
    (cd "$lab_root" && project_files '*.c' '*.h' '*.cpp' '*.hpp' | xargs -r clang-format --dry-run -Werror)
}

step_shell() {
    if ! command -v shellcheck >/dev/null; then
        say "shellcheck is not installed (./lab setup brings it): skipped"
        return 0
    fi
    (cd "$lab_root" && project_files '*.sh' lab .ci/run | xargs -r shellcheck)
}

step_python() {
    (cd "$lab_root" && project_files '*.py' |
        PYTHONPYCACHEPREFIX=$lab_root/build/check/pycache xargs -r python3 -m py_compile)
}

step_gcc() {
    build_preset dev
}

step_clang() {
    # The fuzz preset adds the sources that only clang compiles; configuring it is enough.
    configure_preset dev
    configure_preset fuzz
    python3 "$lab_root/tools/check/clang_checks.py" --cache "$lab_root/build/check/passed" \
        "$lab_root/build/dev/compile_commands.json" "$lab_root/build/fuzz/compile_commands.json"
}

step_structure() {
    local script status failed=0
    for script in "$lab_root"/tests/scenario/structure_*.py; do
        status=0
        MR_SOURCE_DIR=$lab_root MR_BUILD_DIR=$lab_root/build/release PYTHONDONTWRITEBYTECODE=1 \
            python3 "$script" || status=$?
        ((status == 0 || status == 77)) || failed=1
    done
    return "$failed"
}

main() {
    help_if_asked "$@"
    local all=(format shell python structure gcc clang) steps=("$@") step failed=() started status
    ((${#steps[@]} > 0)) || steps=("${all[@]}")
    for step in "${steps[@]}"; do
        [[ " ${all[*]} " == *" $step "* ]] || wrong_usage "there is no step '$step'; there are: ${all[*]}"
    done
    setup_if_missing
    for step in "${steps[@]}"; do
        say "check $step"
        started=$SECONDS
        status=0
        watched "step_$step" || status=$?
        stop_if_signalled
        if ((status == 0)); then
            say "  ok, $((SECONDS - started)) s"
        else
            say "  FAILED"
            failed+=("$step")
        fi
    done
    ((${#failed[@]} == 0)) || die $exit_environment "failed: ${failed[*]}"
    say "All checks passed."
}

main "$@"
