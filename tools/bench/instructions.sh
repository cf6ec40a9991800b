# instructions.sh: `./lab bench instructions`: instructions a record under callgrind, which no neighbour disturbs.
# shellcheck shell=bash
# Read by tools/lab/bench.sh, which has read common.sh before.
# shellcheck disable=SC2154

usage() {
    cat <<'T2'
usage: ./lab bench instructions [--batches N] [--out FOLDER]

Counts the instructions that each parser runs for a record of simple and of messy data (mode totals, one
core), by callgrind: exact and the same on a loaded machine. Instructions are no time: use it to compare a
change with what was there before. callgrind has no AVX-512, so those kernels are missing.

The difference between three passes and one is divided by two passes' records, so start-up is not counted.

  --batches N    batches of 256 records (default 4)
  --out FOLDER   where instructions.json goes (default out/bench-instructions/TIME)

Examples:
  ./lab bench instructions
  ./lab bench instructions --batches 16 --out out/before-my-change
T2
}

# What is counted: contestant, kernel ("-": its only one).
rows() {
    cat <<'T2'
c-tuned scalar
c-tuned avx2
c-yyjson -
cpp-simdjson fallback
cpp-simdjson westmere
cpp-simdjson haswell
T2
}

# collected PASSES PROGRAM ARGUMENTS…: instructions of a whole run; nothing where it fails.
collected() {
    local passes=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" --repeat "$passes" 2>&1 >/dev/null |
        sed -n 's/^==[0-9]*== Collected : \([0-9]*\).*/\1/p'
}

# count_row SHAPE RECORDS CONTESTANT KERNEL: prints its line and appends it to the JSON.
count_row() {
    local shape=$1 records=$2 contestant=$3 kernel=$4 words one three per_record
    local path=$lab_root/build/release/contestants/$contestant/$contestant
    if [[ ! -x $path ]]; then
        printf '%-8s %-14s %-9s %s\n' "$shape" "$contestant" "$kernel" "not built here"
        return 0
    fi
    words=("$path" parse --data "$folder/$shape" --mode totals)
    [[ $kernel == - ]] || words+=(--kernel "$kernel")
    if ! why=$("${words[@]}" --repeat 1 2>&1 >/dev/null); then
        printf '%-8s %-14s %-9s %s\n' "$shape" "$contestant" "$kernel" "left out: ${why#*: }"
        return 0
    fi
    one=$(collected 1 "${words[@]}")
    three=$(collected 3 "${words[@]}")
    if [[ -z $one || -z $three ]]; then
        printf '%-8s %-14s %-9s %s\n' "$shape" "$contestant" "$kernel" "left out: callgrind cannot run it"
        return 0
    fi
    per_record=$(awk -v a="$one" -v b="$three" -v n="$records" 'BEGIN { printf "%.1f", (b - a) / 2 / n }')
    printf '%-8s %-14s %-9s %10s\n' "$shape" "$contestant" "$kernel" "$per_record"
    printf '%s\n    { "shape": "%s", "contestant": "%s", "kernel": "%s", "instructions_per_record": %s }' \
        "$separator" "$shape" "$contestant" "$kernel" "$per_record" >>"$json"
    separator=,
}

count_instructions() {
    help_if_asked "$@"
    local batches=4 folder='' program='' shape contestant kernel separator='' json records
    while (($# > 0)); do
        case $1 in
        --batches) batches=${2:-} && shift 2 ;;
        --out) folder=${2:-} && shift 2 ;;
        *) wrong_usage "unknown word '$1' (./lab bench instructions --help)" ;;
        esac
    done
    if ! is_number "$batches" || ((batches == 0)); then
        wrong_usage "--batches takes a number above 0"
    fi
    folder=${folder:-$lab_root/out/bench-instructions/$(date -u +%Y%m%dT%H%M%SZ)}
    [[ ! -e $folder ]] || wrong_usage "$folder exists already: results never overwrite others"
    command -v valgrind >/dev/null || die "$exit_environment" "valgrind is missing: ./lab setup installs it"
    prepare_matchrace race
    mkdir -p "$folder"
    json=$folder/instructions.json records=$((256 * batches))
    printf '{\n  "valgrind": "%s",\n  "commit": "%s",\n  "records": %s,\n  "rows": [' \
        "$(valgrind --version)" "$MR_COMMIT" "$records" >"$json"
    printf '%-8s %-14s %-9s %10s\n' data contestant kernel "instructions a record"
    for shape in simple messy; do
        "$program" data make --shape "$shape" --seed 42 --batches "$batches" --out "$folder/$shape" >/dev/null
        while read -r contestant kernel; do
            count_row "$shape" "$records" "$contestant" "$kernel"
        done < <(rows)
    done
    printf '\n  ]\n}\n' >>"$json"
    say "raw figures: ${json#"$lab_root"/}"
}
