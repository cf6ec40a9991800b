#!/usr/bin/env bash
# lab_doctor.sh: doctor says cores, grade, versions and what is missing, and changes nothing.
set -euo pipefail
cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}"

faults=0
# expect TEXT PATTERN WHAT
expect() {
    if ! grep -qE -- "$2" <<<"$1"; then
        echo "FAULT: $3: nothing matches '$2' in:"
        echo "$1"
        faults=$((faults + 1))
    fi
}

usable=$(nproc)
status=0
text=$(./lab doctor) || status=$?
expect "$text" '^  cores +[0-9]+ usable' "cores"
expect "$text" '^  grade +(A|B|C|none):' "grade"
expect "$text" '^  instructions +[a-z]' "instruction sets"
expect "$text" '^  gcc +[0-9]+\.[0-9]+' "version of gcc"
expect "$text" '^  libxxhash +[0-9]+\.[0-9]+' "version of xxHash"
expect "$text" '^  \./lab smoke +about [0-9]+' "how long smoke takes"
expect "$text" '^  \./lab test +about [0-9]+' "how long test takes"
if [[ -f .deps/setup.ok ]]; then
    expect "$text" '^  missing +nothing' "what is missing"
    expect "$text" 'yyjson.*pinned' "whether yyjson is the pinned build"
    expect "$text" 'simdjson-dev +4\.[0-9.]+.*pinned' "whether simdjson is the pinned build"
    [[ $usable -lt 2 || $status -eq 0 ]] || { echo "FAULT: exit code $status" && faults=$((faults + 1)); }
else
    expect "$text" '^  to bring it +\./lab setup' "how to bring what is missing"
fi

# One core cannot race: doctor says so and fails.
status=0
text=$(taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" ./lab doctor) || status=$?
expect "$text" '^  grade +none: .* 1$' "grade of one core"
[[ $status -eq 1 ]] || { echo "FAULT: one core: exit code $status instead of 1" && faults=$((faults + 1)); }

# A folder where nothing was set up: the command that brings it, exit code 1, and no file made.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
cp -r lab tools CMakePresets.json "$empty"
before=$(find "$empty" | sort)
status=0
text=$("$empty/lab" doctor) || status=$?
expect "$text" '^  to bring it +\./lab setup' "a fresh folder"
[[ $status -eq 1 ]] || { echo "FAULT: fresh folder: exit code $status instead of 1" && faults=$((faults + 1)); }
[[ $before == "$(find "$empty" | sort)" ]] || { echo "FAULT: doctor made files" && faults=$((faults + 1)); }

echo "lab_doctor: $faults faults"
[[ $faults -eq 0 ]]
