# build.sh: configures and builds one preset into build/<preset>.
# summary: configures and builds a preset: release (the default), dev, asan, tsan, fuzz
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab build [--variants] [PRESET [TARGET…]]

Configures (where needed) and builds a preset of CMakePresets.json into build/PRESET; nothing is rebuilt
that did not change. Presets: release (what races), dev, asan, tsan, fuzz. Set-up runs first where missing.
Behind `release` come the build lines of contestant.json files, each where its sources changed; a contestant
that can't be built here is "not installed", with the reason, and everything else goes on. With --variants
come the programs of their variants, too (other published forms of the C# contestants: 30 s each); without it
they are built by the bench or race that names them.
CMake alone does the same: cmake --preset release && cmake --build build/release

Examples:
  ./lab build
  ./lab build asan
  ./lab build release matchrace
  ./lab build --variants
  MR_YYJSON_SOURCE=../yyjson/src ./lab build    yyjson compiled from source with the lab's own flags
T
}

main() {
    help_if_asked "$@"
    local variants=()
    if [[ ${1:-} == --variants ]]; then
        variants=(--all-variants)
        shift
    fi
    local preset=${1:-release}
    require_preset "$preset"
    ((${#variants[@]} == 0)) || [[ $preset == release && $# -le 1 ]] ||
        wrong_usage "--variants belongs to the whole preset release"
    setup_if_missing
    build_preset "$preset" "${@:2}"
    # What races is made by other languages' builds, too; named targets are CMake's alone.
    [[ $preset != release ]] || (($# > 1)) || build_contestants "${variants[@]}" "$lab_root"/contestants/*/
    say "Built: build/$preset"
}

main "$@"
