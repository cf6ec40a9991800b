# fuzz.sh: a fuzzer against the parsers, for as long as one likes.
# summary: `fuzz record`: every kernel against the specification and its rivals, on made-up batches
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab fuzz record [--seconds N] [--jobs N] [--corpus FOLDER]

Builds the fuzz target with clang (libFuzzer, address and undefined-behaviour sanitizers) and runs it: batches,
changed as their grammar has it, through every kernel, a JSON library's reading of the contract, and the native
contestants: verdict, records, digest, totals and typed copies must be the same.

Then the corpus is replayed with counters: which share of each kernel's lines it reaches, and which lines it does
not. What was found worth keeping stays in the corpus and makes the next run go on from there.

  --seconds N      fuzz for so long (60)
  --jobs N         processes that share the corpus (2)
  --corpus FOLDER  where the corpus is kept (out/fuzz/record/corpus)

Exit codes: 0 no difference; 1 clang or its fuzzer is missing; 3 a difference: the input is kept and named;
5 no difference, but less than 95 % of the lines of a kernel that runs here were reached.

Examples:
  ./lab fuzz record
  ./lab fuzz record --seconds 3600
T
}

folder=$lab_root/out/fuzz/record
readonly folder

# run_fuzzer SECONDS JOBS CORPUS LOG: libFuzzer's lines go to LOG.N, one a process. Every other process takes batches
# that are longer than a chunk of any kernel; short ones go faster.
run_fuzzer() {
    local seconds=$1 jobs=$2 corpus=$3 log=$4 job pids=() pid status=0 longest
    for ((job = 1; job <= jobs; job++)); do
        longest=$((job % 2 == 1 ? 4000 : 24000))
        "$lab_root/build/fuzz/tests/fuzz/record_fuzz" "-max_total_time=$seconds" -max_len=$longest -timeout=60 \
            -print_final_stats=1 -reload=5 "-dict=$lab_root/tests/fuzz/record.dict" \
            "-artifact_prefix=$folder/found/" "$corpus" "$folder/seeds" >"$log.$job" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || status=$?
    done
    return "$status"
}

# show_progress SECONDS LOG PID: one line that moves, where a person looks.
show_progress() {
    local started=$SECONDS
    while kill -0 "$3" 2>/dev/null; do
        [[ ! -t 2 ]] || printf '\r%d of %d s; %s ' $((SECONDS - started)) "$1" \
            "$(tail -qn 1 "$2.1" 2>/dev/null | grep -o '^#[0-9]*' | tr -d '#') executions" >&2
        sleep 0.5
    done
    [[ ! -t 2 ]] || printf '\n' >&2
}

# tell_difference LOG: what was said, and where the input is.
tell_difference() {
    grep -hE '^DIFFERENCE|^a parser that|runtime error|^SUMMARY|Test unit written' "$1".* || tail -n 20 "$1".1
    say "The input is kept in ${folder#"$lab_root/"}/found/; it is replayed by"
    say "  build/fuzz/tests/fuzz/record_fuzz FILE"
}

# cover CORPUS: replays the corpus with counters; exit code 5 when too few lines are reached.
cover() {
    local program=$lab_root/build/coverage/tests/fuzz/record_replay
    build_preset coverage record_replay >&2
    LLVM_PROFILE_FILE=$folder/lines.profraw "$program" "$1" "$folder/seeds" >/dev/null
    llvm-profdata merge -o "$folder/lines.profdata" "$folder/lines.profraw"
    llvm-cov export -format=lcov "-instr-profile=$folder/lines.profdata" "$program" \
        "$lab_root/lib/record" >"$folder/lines.lcov"
    python3 "$lab_root/tests/fuzz/coverage.py" "$lab_root" "$folder/lines.lcov"
}

main() {
    help_if_asked "$@"
    [[ ${1:-} == record ]] || wrong_usage "fuzz what? There is: record"
    shift
    local seconds=60 jobs=2 corpus=$folder/corpus tool status=0 pid signal started
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
    for tool in clang llvm-profdata llvm-cov; do
        command -v "$tool" >/dev/null || die $exit_environment "$tool is missing (apt install clang llvm)"
    done
    setup_if_missing
    build_preset fuzz record_fuzz >&2
    mkdir -p "$corpus" "$folder/seeds" "$folder/found"
    corpus=$(realpath "$corpus")
    python3 "$lab_root/tests/fuzz/make_corpus.py" "$lab_root/tests/cases" "$folder/seeds" >/dev/null
    rm -f "$folder"/log.*
    started=$SECONDS
    set -m
    run_fuzzer "$seconds" "$jobs" "$corpus" "$folder/log" &
    pid=$!
    set +m
    # shellcheck disable=SC2064  # the process group of now is meant
    for signal in INT:130 TERM:143 HUP:129; do
        trap "kill -TERM -- -$pid 2>/dev/null || true; wait $pid || true; exit ${signal#*:}" "${signal%:*}"
    done
    show_progress "$seconds" "$folder/log" "$pid"
    wait "$pid" || status=$?
    trap - INT TERM HUP
    grep -h '^kernel\|^rival' "$folder/log.1" || true
    say "$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder"/log.* |
        awk '{ n += $1 } END { print n + 0 }') executions in $(duration $((SECONDS - started)))"
    if ((status != 0)); then
        tell_difference "$folder/log"
        exit 3
    fi
    say "no difference"
    cover "$corpus"
}

main "$@"
