# bench.sh: benches of one part, run as a matrix by the campaign app like every other race.
# summary: `bench parse`: the parsers alone, with ratio and interval; `bench load`: the generator itself
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab bench NAME [ARGUMENTS…]

Runs matrices/bench-NAME.json with `matchrace run`; the folder of results is out/bench-NAME/TIME unless
--out names another. ARGUMENTS go to `matchrace run`, which makes the datasets where they are missing.

  parse  the contestants' parsers alone, without a socket: kernels beside each other over the forms of data that
         the targets name, parts of the job that say where the time goes, and the floor under it. 5 to 8 minutes.
  parse-avx2    the forms of data of `parse` with the AVX2 kernels of both, on any machine that has AVX2. About 4 minutes.
  parse-quick   two cells of it on small data, for a first look: a minute
  parse-sweep   the same over record size, escapes, characters beyond ASCII and batch size. About 5 minutes.
  parse-csharp  the C# contestants beside C and beside each other, totals and keep, each warmed for 8 s in every row;
                those that are not installed are named. An hour a sitting at most.
  dotnet        the .NET runtime's rows behind sockets: ReadyToRun, NativeAOT, the next runtime, garbage collection's and
                the JIT's knobs, each built where it is missing; drain beside C's; start-up, warm-up (warmup.svg), memory
                and collections as managed.md. 38 minutes of warm-up and windows alone.
  serve         the strongest parsers behind sockets, from the generator on another core. About 4 minutes
         a pair of kernels.
  instructions  instructions a record by callgrind, for machines on which time says nothing
  load   the load generator: what one core of it carries against a server that only drains, what verifying,
         recording and varying cost it, its cost from 1 to 1000 connections beside that of a loop that does
         nothing but system calls, how late it is at half load beside the host's own overshoot; targets
         are told as met, missed, or open where the interval cannot tell. 5 minutes, 7 at most, and only
         a quiet machine says anything.

Examples:
  ./lab bench parse
  ./lab bench parse-sweep
  ./lab bench parse-csharp
  ./lab bench instructions
  ./lab bench load
  ./lab bench parse --out out/before-my-change
T
}

main() {
    [[ ${1:-} == instructions ]] || help_if_asked "$@"
    (($# > 0)) || wrong_usage "which bench? There are: $(bench_names)"
    local name=$1 program=''
    if [[ $name == instructions ]]; then
        . "$lab_root/tools/bench/instructions.sh"
        count_instructions "${@:2}"
        return
    fi
    [[ -f $lab_root/matrices/bench-$name.json ]] ||
        wrong_usage "there is no bench '$name'; there are: $(bench_names)"
    shift
    local status=0 parts=()
    grep -q '"parse-parts@' "$lab_root/matrices/bench-$name.json" && parts=(bench-parts)
    prepare_matchrace race "${parts[@]}"
    build_contestants "--matrix=$lab_root/matrices/bench-$name.json" "$lab_root"/contestants/*/
    race "bench-$name" "matrices/bench-$name.json" "./lab bench $name" --contestants contestants \
        --contestants apps/bench "$@" || status=$?
    show_open_cells
    show_null_sender
    show_parts
    [[ $name != dotnet ]] || show_managed || status=$exit_environment
    return "$status"
}

# Figures of the cells with an open plan: they have no ratio above, for the plan fixes their throughput.
show_open_cells() {
    local page=${race_folder:-}/report.md
    [[ -f $page ]] || return 0
    awk '/^## / { open = 0 }
         /^### / { title = substr($0, 5); open = 0 }
         /^Offered to all alike: / { printf "\n%s. %s\n", title, $0; open = 1 }
         open && /^\| contestant / && !/lateness/ {
             print "No lateness p99: it needs 10,000 batches in each window, and here fewer were due."
         }
         open && /^\|/' "$page"
}

# What part of a batch's cost no generator can avoid.
show_null_sender() {
    [[ -f ${race_folder:-}/trials.csv ]] || return 0
    awk -f "$lab_root/tools/bench/null-sender.awk" "$race_folder/trials.csv"
}

# Where the time goes, and how steady the machine was, where the bench looked.
show_parts() {
    [[ -f ${race_folder:-}/report.md && -f $race_folder/trials.csv ]] || return 0
    awk -f "$lab_root/tools/bench/parts.awk" "$race_folder/report.md" "$race_folder/trials.csv"
}

# Start-up, warm-up, memory and collections of servers.
show_managed() {
    [[ -d ${race_folder:-}/trials ]] || return 0
    PYTHONDONTWRITEBYTECODE=1 python3 "$lab_root/tools/bench/managed.py" "$race_folder"
}

bench_names() {
    (cd "$lab_root/matrices" && ls bench-*.json 2>/dev/null) | sed -e 's/^bench-//' -e 's/\.json$//' |
        tr '\n' ' ' | sed 's, $,,'
}

main "$@"
