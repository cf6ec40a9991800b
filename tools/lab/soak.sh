# soak.sh: one contestant under load for minutes.
# summary: load for minutes: a contestant's resident size and descriptors must stay flat
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab soak CONTESTANT [OPTIONS]

Starts the contestant and loads it with messy batches, every reply verified, for five minutes (--seconds N); beside that
connections come and go. Its resident size and its descriptors must not rise: slopes with interval are printed.
OPTIONS: --seconds N, --mode M, --variant NAME, --json FILE.
Exit codes: 0 flat; 3 rising, wrong answers, or a server that ended; 5 too short to tell; 1 environment; 2 usage.

Examples:
  ./lab soak csharp-tuned
  ./lab soak csharp-stj --seconds 60 --mode fresh
  ./lab soak csharp-stj --variant server-gc
T
}

# make_soak_data: small batches, so that rings are full within seconds whoever serves.
make_soak_data() {
    [[ -f $lab_root/data/soak-messy.json ]] ||
        "$program" data make --shape messy --seed 42 --bytes 8MiB --batch-records 16 --out "$lab_root/data/soak-messy" >&2
}

main() {
    help_if_asked "$@"
    (($# > 0)) || wrong_usage "which contestant?"
    local contestant=$1 program='' word before='' variants=() status=0
    [[ -f $lab_root/contestants/$contestant/contestant.json ]] || wrong_usage "there is no contestant '$contestant'"
    for word in "$@"; do
        [[ $before != --variant ]] || variants=("--variant=$word")
        [[ $word != --variant=* ]] || variants=("$word")
        before=$word
    done
    prepare_matchrace race
    build_contestants "${variants[@]}" "$lab_root/contestants/$contestant"
    make_soak_data
    watched with_parent env PYTHONDONTWRITEBYTECODE=1 python3 "$lab_root/tools/soak/soak.py" --program "$program" \
        --data "$lab_root/data/soak-messy" --build-dir "$lab_root/build/release" \
        "$lab_root/contestants/$contestant" "${@:2}" || status=$?
    return "$status"
}

main "$@"
