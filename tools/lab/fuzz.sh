# fuzz.sh: a fuzzer against the parsers, for as long as one likes.
# summary: every kernel against the specification and its rivals, on made-up batches: record, csharp
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab fuzz record [--seconds N] [--jobs N] [--corpus FOLDER]
       ./lab fuzz csharp [ARGUMENTS…]

csharp: batches changed by chance through C's specification and every kernel of csharp-tuned, in one process, between
forbidden pages: a million of them, or as the ARGUMENTS of tests/dotnet/Tuned.Fuzz say (--executions, --seconds, --seed,
--kernel, --corpus, --save). Needs the .NET SDK.

record: builds the fuzz target with clang (libFuzzer, address and undefined-behaviour sanitizers) and runs it: batches,
changed as their grammar has it, each of them through every kernel, a JSON library's reading of the contract, and
the native contestants: verdict, records, digest, totals and typed copies must be the same. The first difference
ends the run. A line on standard error says how far it is, at a terminal all the time, elsewhere once a minute.

Then the corpus is replayed with counters: which share of each kernel's lines it reaches, file by file, and which
lines it does not (docs/PARSER.md says why). The last line sums up. What was found worth keeping stays in the corpus
and makes the next run go on from there.

  --seconds N      fuzz for so long (60)
  --jobs N         processes that share the corpus (2)
  --corpus FOLDER  where the corpus is kept (out/fuzz/record/corpus)

Exit codes: 0 no difference; 1 clang or its fuzzer is missing; 3 a difference: the input is kept and named;
5 no difference, but less than 95 % of the lines of a kernel that runs here were reached.

Examples:
  ./lab fuzz record
  ./lab fuzz record --seconds 3600
  ./lab fuzz csharp --executions 10000000 --seed 7
T
}

folder=$lab_root/out/fuzz/record
readonly folder

# run_fuzzer SECONDS JOBS CORPUS LOG: libFuzzer's lines go to LOG.N, one a process. Every other process takes batches
# that are longer than a chunk of any kernel; short ones go faster. When one ends early, so do the others.
run_fuzzer() {
    local seconds=$1 jobs=$2 corpus=$3 log=$4 job pids=() status=0 longest
    # What is freed is kept from use for a while, but not all of it for an hour.
    export ASAN_OPTIONS=quarantine_size_mb=32:malloc_context_size=8
    for ((job = 1; job <= jobs; job++)); do
        longest=$((job % 2 == 1 ? 4000 : 24000))
        "$lab_root/build/fuzz/tests/fuzz/record_fuzz" "-max_total_time=$seconds" -max_len=$longest -timeout=60 \
            -print_final_stats=1 -reload=5 "-dict=$lab_root/tests/fuzz/record.dict" \
            "-artifact_prefix=$folder/found/" "$corpus" "$folder/seeds" >"$log.$job" 2>&1 &
        pids+=($!)
    done
    for ((job = 1; job <= jobs; job++)); do
        wait -n && continue
        ((status != 0)) || status=1
        kill "${pids[@]}" 2>/dev/null || true
    done
    return "$status"
}

# count_executions LOG: so many, or a few more: libFuzzer tells it when it finds something, or at powers of two.
count_executions() {
    local file
    for file in "$1".*; do
        tail -n 50 "$file" | grep -ao '^#[0-9]*' | tail -n 1 || true
    done | awk '{ n += substr($0, 2) } END { print n + 0 }'
}

# show_progress SECONDS LOG PID: one line that moves, where a person looks; elsewhere a line a minute.
show_progress() {
    local started=$SECONDS told=$SECONDS gone line
    while kill -0 "$3" 2>/dev/null; do
        sleep 0.5
        gone=$((SECONDS - started))
        [[ -t 2 ]] || ((SECONDS - told >= 60)) || continue
        told=$SECONDS
        line="$(duration "$gone"): at least $(count_executions "$2") executions;"
        line+=" $(duration $((gone < $1 ? $1 - gone : 0))) left"
        if [[ -t 2 ]]; then printf '\r%-78s' "$line" >&2; else printf '%s\n' "$line" >&2; fi
    done
    [[ ! -t 2 ]] || printf '\n' >&2
}

# tell_difference LOG: what was said, and where the input is.
tell_difference() {
    grep -haE '^DIFFERENCE|^a parser that|runtime error|^SUMMARY|Test unit written' "$1".* || tail -n 20 "$1".1
    say "The input is kept in ${folder#"$lab_root/"}/found/; it is replayed by"
    say "  build/fuzz/tests/fuzz/record_fuzz FILE"
}

# cover CORPUS: replays the corpus with counters; exit code 5 when too few lines are reached.
cover() {
    local program=$lab_root/build/coverage/tests/fuzz/record_replay
    LLVM_PROFILE_FILE=$folder/lines.profraw "$program" "$1" "$folder/seeds" >/dev/null
    llvm-profdata merge -o "$folder/lines.profdata" "$folder/lines.profraw"
    llvm-cov export -format=text "-instr-profile=$folder/lines.profdata" "$program" \
        "$lab_root/lib/record" >"$folder/lines.json"
    python3 "$lab_root/tests/fuzz/coverage.py" "$lab_root" "$folder/lines.json"
}

# prepare CORPUS: builds, and makes the seeds.
prepare() {
    local tool
    for tool in clang llvm-profdata llvm-cov; do
        command -v "$tool" >/dev/null || die $exit_environment "$tool is missing (apt install clang llvm)"
    done
    setup_if_missing
    build_preset fuzz record_fuzz >&2
    build_preset coverage record_replay >&2
    make_folder "$1" "$folder/seeds" "$folder/found"
    PYTHONDONTWRITEBYTECODE=1 python3 "$lab_root/tests/fuzz/make_corpus.py" "$lab_root/tests/cases" \
        "$folder/seeds" >/dev/null
    rm -f "$folder"/log.*
}

# fuzz SECONDS JOBS CORPUS: 0 where there is no difference.
fuzz() {
    local pid signal status=0
    set -m
    run_fuzzer "$@" "$folder/log" &
    pid=$!
    set +m
    # shellcheck disable=SC2064  # the process group of now is meant
    for signal in INT:130 TERM:143 HUP:129; do
        trap "kill -TERM -- -$pid 2>/dev/null || true; wait $pid || true; exit ${signal#*:}" "${signal%:*}"
    done
    show_progress "$1" "$folder/log" "$pid"
    wait "$pid" || status=$?
    trap - INT TERM HUP
    grep -ha '^kernel\|^rival' "$folder/log.1" || true
    return "$status"
}

# tell_executions SECONDS: how many there were.
tell_executions() {
    local executed
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder"/log.* | awk '{ n += $1 } END { print n + 0 }')
    echo "$executed executions in $(duration "$1"), $((executed / ($1 > 0 ? $1 : 1))) a second"
}

# fuzz_csharp ARGUMENTS…: becomes tests/dotnet/Tuned.Fuzz; the exit code is its own.
fuzz_csharp() {
    command -v dotnet >/dev/null || die $exit_environment "the .NET SDK is missing; './lab doctor' says more"
    setup_if_missing
    build_preset release mr_foreign >&2
    export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 MSBUILDDISABLENODEREUSE=1
    local project=tests/dotnet/Tuned.Fuzz/Tuned.Fuzz.csproj
    if ! (cd "$lab_root" && dotnet build -c Release -nologo -v quiet -p:UseSharedCompilation=false "$project") >&2; then
        die $exit_environment "$project could not be built"
    fi
    exec dotnet "$lab_root/build/dotnet/bin/Tuned.Fuzz/release/Tuned.Fuzz.dll" "$@"
}

main() {
    help_if_asked "$@"
    if [[ ${1:-} == csharp ]]; then
        fuzz_csharp "${@:2}"
    fi
    [[ ${1:-} == record ]] || wrong_usage "fuzz what? There are: record, csharp"
    shift
    local seconds=60 jobs=2 corpus=$folder/corpus status=0 started executions
    while (($# > 0)); do
        (($# >= 2)) || wrong_usage "$1 needs a value, or is unknown"
        case $1 in
        --seconds) seconds=$2 ;;
        --jobs) jobs=$2 ;;
        --corpus) corpus=$2 ;;
        *) wrong_usage "unknown option '$1'" ;;
        esac
        shift 2
    done
    if ! is_number "$seconds" || ! is_number "$jobs" || ((seconds == 0 || jobs == 0)); then
        wrong_usage "--seconds and --jobs take whole numbers from 1 on"
    fi
    prepare "$corpus"
    corpus=$(realpath "$corpus")
    started=$SECONDS
    fuzz "$seconds" "$jobs" "$corpus" || status=$?
    executions=$(tell_executions $((SECONDS - started)))
    if ((status != 0)); then
        tell_difference "$folder/log"
        say "$executions: a difference"
        exit 3
    fi
    cover "$corpus" >"$folder/lines.txt" || status=$?
    cat "$folder/lines.txt"
    say "$executions: no difference; lines reached:$(awk '/^[a-z0-9]+ +[0-9]/ && $1 != "shared" {
        printf "%s %s %s %%", n++ ? "," : "", $1, $3 }' "$folder/lines.txt")"
    exit "$status"
}

main "$@"
