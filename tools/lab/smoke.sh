# smoke.sh: the first race, with everything it needs made where it is missing.
# summary: the first race: sets up, builds, makes data, races, writes a report (three minutes after set-up)
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab smoke [ARGUMENTS…]

Set-up, the release build and the datasets where they are missing (a second call does none of it), then
the race of matrices/smoke.json: three native servers and the drain on simple and messy JSON, and a short look at two
servers in C# where the .NET SDK is there; every reply verified. The report is out/smoke/TIME/report.html, and the same for
a terminal in report.md. ARGUMENTS go to `matchrace run`.
Exit codes: 0 ok; 1 environment; 3 a contestant answered wrongly; 5 the time budget ended first.

Examples:
  ./lab smoke
  ./lab doctor     says beforehand how long it takes here, and what the figures will be worth
T
}

main() {
    help_if_asked "$@"
    local program='' started=$SECONDS status=0
    prepare_matchrace race
    build_contestants "--matrix=$lab_root/matrices/smoke.json" "$lab_root"/contestants/*/
    race smoke matrices/smoke.json "./lab smoke" "$@" || status=$?
    ((status != 0)) || remember_time smoke $((SECONDS - started))
    return "$status"
}

main "$@"
