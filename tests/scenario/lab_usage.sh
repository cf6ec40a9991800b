#!/usr/bin/env bash
# lab_usage.sh: every command of ./lab explains itself, and wrong usage is one line and exit code 2.
set -euo pipefail
cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}"

faults=0
fault() {
    echo "FAULT: $*"
    faults=$((faults + 1))
}

# expect_usage_error WORDS…: exit code 2, nothing on standard output, one line on standard error.
expect_usage_error() {
    local status=0 out err
    err=$(mktemp)
    out=$(./lab "$@" 2>"$err" </dev/null) || status=$?
    [[ $status -eq 2 ]] || fault "lab $*: exit code $status instead of 2"
    [[ -z $out ]] || fault "lab $*: standard output: $out"
    [[ $(wc -l <"$err") -eq 1 ]] || fault "lab $*: not one line on standard error: $(<"$err")"
    rm -f "$err"
}

commands=()
for file in tools/lab/*.sh; do
    name=$(basename "$file" .sh)
    [[ $name == common ]] || commands+=("$name")
done
[[ ${#commands[@]} -ge 13 ]] || fault "only ${#commands[@]} commands: ${commands[*]}"

listing=$(./lab)
[[ $listing == "$(./lab help)" && $listing == "$(./lab --help)" ]] || fault "help, --help and nothing differ"
readme=$(<README.md)
for name in "${commands[@]}"; do
    [[ $readme == *$'\n'"    ./lab $name "* ]] || fault "README.md does not list $name"
    [[ $listing =~ (^|$'\n')"  $name "[^$'\n']*[a-z] ]] || fault "./lab does not list $name with a sentence"
    for words in "$name --help" "$name -h" "help $name"; do
        # shellcheck disable=SC2086  # words are meant to be split
        text=$(./lab $words </dev/null) || fault "lab $words: exit code $?"
        [[ $text == "usage: ./lab $name"* ]] || fault "lab $words does not begin with its usage"
        [[ $text == *$'\nExamples:\n  ./lab '* ]] || fault "lab $words shows no example"
    done
done

# Pages of the program itself show commands as they are typed here.
if [[ -x build/release/apps/matchrace/matchrace ]]; then
    text=$(./lab data import --help </dev/null) || fault "lab data import --help: exit code $?"
    [[ $text == *$'\nUsage: ./lab data import '*$'\nExamples:\n  ./lab data import '* ]] ||
        fault "lab data import --help does not show its own page"
    # The checks are the same ones of every form.
    text=$(./lab conform --variants --list </dev/null) || fault "lab conform --variants --list: exit code $?"
    [[ -n $text && $text == "$(./lab conform --list </dev/null)" ]] || fault "lab conform --variants --list is no list"
    # An @ in a path is no variant's.
    folder=$(mktemp -d)
    mkdir "$folder/a@b"
    ln -s "$PWD/contestants/example-python" "$folder/a@b/example-python"
    text=$(./lab race --data "$folder/none.json" --contestants "$folder/a@b/example-python,c-yyjson" 2>&1 </dev/null) && fault "no data, and a race"
    [[ $text == *none.json* ]] || fault "lab race takes the @ of a path for a variant's: $text"
    rm -r "$folder"
fi

expect_usage_error nosuch
expect_usage_error common
expect_usage_error ../lab/setup
expect_usage_error help nosuch
expect_usage_error --nosuch
expect_usage_error setup nosuch
expect_usage_error doctor nosuch
expect_usage_error build nosuch
expect_usage_error test --nosuch
expect_usage_error test nosuch
expect_usage_error test --quick --long
expect_usage_error test --only
expect_usage_error check nosuch
expect_usage_error clean nosuch
expect_usage_error fuzz
expect_usage_error fuzz nosuch
expect_usage_error fuzz record --seconds
expect_usage_error fuzz record --seconds x
expect_usage_error fuzz record --seconds 08
expect_usage_error run
expect_usage_error report
expect_usage_error sweep
expect_usage_error sweep nosuch --loads 50
expect_usage_error conform nosuch
expect_usage_error bench
expect_usage_error bench nosuch
expect_usage_error prove
expect_usage_error prove nosuch

echo "lab_usage: ${#commands[@]} commands, $faults faults"
[[ $faults -eq 0 ]]
