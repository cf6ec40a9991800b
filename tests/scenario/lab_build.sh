#!/usr/bin/env bash
# lab_build.sh: a race builds no tests, two builds of one tree take turns, and packages that were taken away are missed.
set -euo pipefail
source_dir=$(cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)

faults=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree

fault() {
    echo "FAULT: $*"
    faults=$((faults + 1))
}

# A tree with the lab's own scripts and presets, and a project whose targets leave a mark.
make_tree() {
    mkdir -p "$tree/cmake" "$tree/apps/matchrace"
    cp -r "$source_dir/lab" "$source_dir/tools" "$source_dir/CMakePresets.json" "$tree"
    cp "$source_dir/cmake/yyjson.cmake" "$tree/cmake"
    cat >"$tree/CMakeLists.txt" <<'T'
cmake_minimum_required(VERSION 3.25)
project(small NONE)
add_custom_target(race COMMAND bash $ENV{SCRATCH}/mark.sh begin 0.5 end)
add_custom_target(tests ALL COMMAND bash $ENV{SCRATCH}/mark.sh tests 0 tests)
T
    printf 'ID=other\nVERSION_CODENAME=other\n' >"$scratch/os-release"
    cat >"$scratch/mark.sh" <<'T'
echo "$1" >>"$SCRATCH/marks"
sleep "$2"
echo "$3" >>"$SCRATCH/marks"
T
    : >"$scratch/marks"
}

# lab_bash WORDS…: common.sh's functions in the small tree.
lab_bash() {
    SCRATCH=$scratch MR_OS_RELEASE=${os_release:-$scratch/os-release} lab_root=$tree \
        bash -c 'set -euo pipefail; . "$lab_root/tools/lab/common.sh"; "$@"' lab "$@"
}

make_tree
mkdir -p "$tree/.deps"
lab_bash setup_key >"$tree/.deps/setup.ok"

# The program that a race would run stands there already: only what is built for it matters here.
mkdir -p "$tree/build/release/apps/matchrace"
install -m 755 /bin/true "$tree/build/release/apps/matchrace/matchrace"
lab_bash prepare_matchrace race >"$scratch/said" 2>&1 || fault "preparing a race: $(<"$scratch/said")"
[[ $(tr '\n' ' ' <"$scratch/marks") == "begin end " ]] || fault "a race builds: $(tr '\n' ' ' <"$scratch/marks")"

# Two at once: the second waits, says so, and builds after the first.
: >"$scratch/marks"
lab_bash build_preset release race >/dev/null 2>"$scratch/first" &
for ((i = 0; i < 500; i++)); do
    [[ ! -s $scratch/marks ]] || break
    sleep 0.02
done
lab_bash build_preset release race >/dev/null 2>"$scratch/second" || fault "the second build failed"
wait $! || fault "the first build failed"
[[ $(tr '\n' ' ' <"$scratch/marks") == "begin end begin end " ]] ||
    fault "two builds at once: $(tr '\n' ' ' <"$scratch/marks")"
grep -q "Another build of 'release' is running" "$scratch/second" || fault "the second says: $(<"$scratch/second")"

# Set-up is not done where its packages are gone.
printf 'ID=debian\nVERSION_CODENAME=bookworm\n' >"$scratch/debian"
root=$tree/.deps/root/usr
mkdir -p "$root/include" "$root/lib/x86_64-linux-gnu"
: >"$root/include/yyjson.h"
: >"$root/lib/x86_64-linux-gnu/libyyjson.so.0"
os_release=$scratch/debian lab_bash newer_done || fault "packages that are there are missed"
for file in include/yyjson.h lib/x86_64-linux-gnu/libyyjson.so.0; do
    mv "$root/$file" "$scratch/away"
    ! os_release=$scratch/debian lab_bash newer_done || fault "$file is gone and set-up says it is done"
    mv "$scratch/away" "$root/$file"
done

# CMake alone says what to do, and finds them once they are back.
cat >"$tree/CMakeLists.txt" <<'T'
cmake_minimum_required(VERSION 3.25)
project(small NONE)
include(cmake/yyjson.cmake)
T
mv "$root/lib/x86_64-linux-gnu/libyyjson.so.0" "$scratch/away"
! cmake -S "$tree" -B "$scratch/own" >"$scratch/said" 2>&1 || fault "CMake takes a library that is gone"
grep -q './lab setup brings it' "$scratch/said" || fault "CMake says: $(<"$scratch/said")"
mv "$scratch/away" "$root/lib/x86_64-linux-gnu/libyyjson.so.0"
cmake -S "$tree" -B "$scratch/own" >"$scratch/said" 2>&1 || fault "CMake misses what is back: $(<"$scratch/said")"

echo "lab_build: $faults faults"
[[ $faults -eq 0 ]]
