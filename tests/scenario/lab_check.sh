#!/usr/bin/env bash
# lab_check.sh: the check of clang and clang-tidy sees faults, remembers what passed and looks again when it must.
set -euo pipefail
source_dir=$(cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)
for tool in clang clang-tidy; do
    command -v $tool >/dev/null || { echo "lab_check: no $tool: skipped" && exit 77; }
done

faults=0
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{tools,lib/room,include,build}
cp -r "$source_dir/tools/check" "$tree/tools"
cp "$source_dir/.clang-tidy" "$tree"
cat >"$tree/include/deep.h" <<'T'
static inline int twice(int a) { return 2 * a; }
T
echo '#include <deep.h>' >"$tree/lib/room/near.h"
printf '#include "room/near.h"\nint one(int a);\nint one(int a)\n{\n    return twice(a);\n}\n' >"$tree/lib/room/one.c"
printf 'int two(int a);\nint two(int a)\n{\n    return a + 1;\n}\n' >"$tree/lib/room/two.c"
for name in one two; do
    printf '{"directory": "%s/build", "command": "cc -Wall -Wshadow -I../include -I../lib -o x.o -c ../lib/room/%s.c", "file": "../lib/room/%s.c"}\n' \
        "$tree" $name $name
done | sed -e '1s/^/[/' -e '1s/$/,/' -e '$s/$/]/' >"$tree/build/compile_commands.json"

# expect CODE TEXT: one run of the checks ends with the code and says the text.
expect() {
    local status=0 text
    text=$(python3 "$tree/tools/check/clang_checks.py" --cache "$tree/build/passed" \
        "$tree/build/compile_commands.json" 2>&1) || status=$?
    if [[ $status -ne $1 || $text != *"$2"* ]]; then
        echo "FAULT: $case: exit code $status instead of $1, or no '$2' in: $text"
        faults=$((faults + 1))
    fi
}

case="the first run"
expect 0 "0 failed, 0 of 4 known to pass"
case="the second run"
expect 0 "0 failed, 4 of 4 known to pass"

case="a warning in a header two steps away"
sed -i 's/return 2/int b; return 2/' "$tree/include/deep.h"
expect 1 "one.c (clang)"
expect 1 "1 failed, 3 of 4 known to pass"
sed -i 's/int b; //' "$tree/include/deep.h"
expect 0 "4 of 4 known to pass"

case="a fault that only clang-tidy sees"
sed -i 's/return a + 1/int *b = 0; return *b + a/' "$tree/lib/room/two.c"
expect 1 "two.c (clang-tidy)"
sed -i 's/int \*b = 0; return \*b + a/return a + 1/' "$tree/lib/room/two.c"

case="other rules for clang-tidy"
echo '# one line more' >>"$tree/.clang-tidy"
expect 0 "2 of 4 known to pass"

case="other flags"
sed -i 's/-Wshadow/-Wshadow -Wextra/' "$tree/build/compile_commands.json"
expect 0 "0 of 4 known to pass"

case="a database without a source"
echo '[]' >"$tree/build/compile_commands.json"
expect 1 "name no source"

echo "lab_check: $faults faults"
[[ $faults -eq 0 ]]
