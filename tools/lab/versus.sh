# versus.sh: two builds of one contestant, raced: is the change slower?
# summary: races two builds of one contestant (folders, or git refs that it builds): is the change slower?
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab versus BASE CHANGE [--contestant FOLDER] [ARGUMENTS…]

Races two builds of one contestant in turn, with the base a second time as a check, and says whether the change is
slower. BASE and CHANGE are each
  - a folder with a contestant.json, as it is (its build line runs where its sources changed), or
  - a git ref (branch, tag, commit) of the repository that you stand in; --contestant is the contestant's folder in it.
    The ref is checked out in a worktree below that repository's build/versus/ and built there.
ARGUMENTS go to `matchrace versus`; results go to out/versus/TIME of the folder you stand in.
Exit codes: 0 the same or faster; 4 slower beyond --fail-if (slower:3%); 5 not resolved within --max-minutes (10);
3 wrong answers; 1 environment; 2 usage. docs/CI.md has a whole workflow.

Examples:
  ./lab versus main HEAD --contestant contestants/c-tuned
  ./lab versus main contestants/c-tuned --contestant contestants/c-tuned     the change is what lies here
  ./lab versus ../old-build ../new-build --measure parse --fail-if slower:2%
  ./lab versus main HEAD --contestant my-server --count instructions
  ./lab versus --again out/versus/20260101T120000Z     says once more what came of it
T
    own_help versus
}

# is_lab_tree TREE: whether a source tree is one of this project; those of others have no build folder of its kind.
is_lab_tree() {
    [[ -f $1/tools/lab/common.sh && -f $1/CMakePresets.json ]]
}

# build_kind FOLDER: what makes the contestant's program: "line" (its build line), "tree" (its build line, out of what CMake
# makes of the tree), "target" (CMake's target of its name) or "nothing".
build_kind() {
    python3 -c 'import json, sys
manifest = json.load(open(sys.argv[1], encoding="utf-8"))
line, here = manifest.get("build"), "MR_BUILD_DIR"
if line is not None:
    print("tree" if here in line else "line")
else:
    print("target" if any(here in word for word in manifest.get("run", [])) else "nothing")' "$1/contestant.json" ||
        die $exit_usage "$1/contestant.json is none"
}

# in_tree TREE COMMAND…: runs it in the tree, whose log of it is build/versus-build.log.
in_tree() {
    local log=$1/build/versus-build.log
    (cd "$1" && "${@:2}") >>"$log" 2>&1 || die $exit_environment "$1 cannot be built: see $log"
}

# prepare_tree TREE: configured, with the packages of this tree; none of it where that was done.
prepare_tree() {
    mkdir -p -- "$1/build" 2>/dev/null || die $exit_environment "cannot write below '$1'"
    : >"$1/build/versus-build.log"
    [[ ! -d $lab_deps || -e $1/.deps ]] || ln -s "$lab_deps" "$1/.deps"
    [[ -f $1/build/release/build.ninja ]] || in_tree "$1" cmake --preset release
}

# build_here FOLDER BUILD_DIR TREE: builds the contestant in FOLDER of the source tree TREE.
build_here() {
    local folder=$1 build_dir=$2 tree=$3 kind
    kind=$(build_kind "$folder")
    if [[ $kind == t* ]] && is_lab_tree "$tree"; then
        prepare_tree "$tree"
    fi
    case $kind in
    nothing) ;;
    target)
        is_lab_tree "$tree" || return 0
        say "Building $(basename "$folder") in $tree" >&2
        in_tree "$tree" cmake --build build/release -j "$(nproc)" --target "$(basename "$folder")"
        ;;
    *)
        python3 "$lab_root/tools/contestants/build_contestants.py" --build-dir "$build_dir" "$folder" ||
            die $exit_environment "the build of $folder could not be looked after"
        ;;
    esac
}

# fail_if_not_installed FOLDER BUILD_DIR: a build that failed has left its reason.
fail_if_not_installed() {
    local name reason
    name=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["name"])' "$1/contestant.json")
    reason=$2/not-installed/$name
    [[ ! -f $reason ]] || die $exit_environment "$1: $(head -n 1 "$reason")"
}

# ref_folder REF: checks the ref out below build/versus/ where it is not yet; prints the worktree.
ref_folder() {
    local commit tree
    commit=$(git rev-parse --verify --quiet "$1^{commit}") ||
        die $exit_usage "'$1' is neither a folder with contestant.json nor a git ref of this repository"
    tree=$repository/build/versus/$commit
    if [[ ! -e $tree/.git ]]; then
        make_folder "$repository/build/versus"
        # A worktree that was removed by hand is still on git's list.
        git -C "$repository" worktree prune
        git -C "$repository" worktree add --detach --force "$tree" "$commit" >&2 ||
            die $exit_environment "'$1' cannot be checked out in $tree"
    fi
    printf '%s' "$tree"
}

# prepare_build WORD: sets `folder` and `build_dir` to the build that WORD means, built.
prepare_build() {
    local word=$1 tree
    if [[ -f $word/contestant.json ]]; then
        folder=$(realpath "$word")
        tree=$(git -C "$folder" rev-parse --show-toplevel 2>/dev/null) || tree=$folder
    else
        [[ -n $repository ]] || die $exit_usage "'$word' is no folder with contestant.json, and here is no git repository"
        [[ -n $contestant ]] || die $exit_usage "'$word' is a git ref: which folder of it? --contestant FOLDER"
        tree=$(ref_folder "$word")
        folder=$tree/$contestant
        [[ -f $folder/contestant.json ]] ||
            die $exit_usage "'$word' has no $contestant/contestant.json"
    fi
    build_dir=$lab_root/build/release
    ! is_lab_tree "$tree" || build_dir=$tree/build/release
    build_here "$folder" "$build_dir" "$tree"
    fail_if_not_installed "$folder" "$build_dir"
}

main() {
    help_if_asked "$@"
    local program='' status=0 repository='' contestant='' folder build_dir words=() builds=() before='' word
    repository=$(git rev-parse --show-toplevel 2>/dev/null) || repository=''
    for word in "$@"; do
        [[ $word != --again && $word != --again=* ]] || pass_through versus "$@"
    done
    # The first two words that belong to no option are the builds.
    for word in "$@"; do
        if [[ $before == --contestant ]]; then
            contestant=$word
        elif [[ $word == --contestant=* ]]; then
            contestant=${word#*=}
        elif [[ $word == --contestant ]]; then
            :
        elif [[ $word != -* && ( $before != --* || $before == *=* || $before == --skip-conform ) && ${#builds[@]} -lt 2 ]]; then
            builds+=("$word")
        else
            words+=("$word")
        fi
        before=$word
    done
    ((${#builds[@]} == 2)) || wrong_usage "which two builds?"
    # Of a folder below the one that a person stands in, the path from the repository's root.
    if [[ -n $contestant && -n $repository ]]; then
        contestant=$(realpath -m --relative-to="$repository" "$contestant")
    fi
    prepare_matchrace race
    local options=() names=(base change) index
    for index in 0 1; do
        prepare_build "${builds[index]}"
        options+=("$folder" "--build-dir-${names[index]}" "$build_dir" "--call-${names[index]}" "${builds[index]}")
    done
    MR_REPRODUCE="./lab versus $(printf '%q ' "$@")"
    export MR_REPRODUCE=${MR_REPRODUCE% }
    watched with_parent "$program" versus "${options[@]}" --data-dir "$lab_root/data" "${words[@]}" || status=$?
    stop_if_signalled
    return "$status"
}

main "$@"
