# conform.sh: the conformance kit against contestants.
# summary: checks contestants, here or anywhere, against the whole contract
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<'T'
usage: ./lab conform [--variants] [OPTIONS] [CONTESTANT…]

Runs `matchrace conform`: all cases by the wire in all modes, and every sentence of the contract about the
wire. A CONTESTANT is a name of contestants/, or the path of a folder with a contestant.json, also
outside this tree. Without one: every folder of contestants/ that takes part in the job "ingest". OPTIONS go to
`matchrace conform`.
With --variants each is judged as it is and as every variant of its contestant.json, whose programs are built where
they are missing; a line for each, behind its end, and all of them once more below each other. What the kit said of
each is kept in build/conform/said/.
Exit code 3: a contestant does not conform.

Examples:
  ./lab conform
  ./lab conform c-tuned example-python
  ./lab conform ../my-server
  ./lab conform --mode keep c-yyjson
  ./lab conform --variant nativeaot csharp-stj
  ./lab conform --variants csharp-stj csharp-tuned
  ./lab conform --list                 every check with its sentence
T
    own_help conform
}

# forms_of FOLDER: its contestant without a variant (an empty line), then its variants, one a line.
forms_of() {
    python3 -c 'import json, sys
print("", *json.load(open(sys.argv[1], encoding="utf-8")).get("variants", {}), sep="\n")' "$1/contestant.json"
}

# conform_form FOLDER VARIANT OPTIONS…: the kit on one form; prints its verdict alone. Returns the kit's exit code.
conform_form() {
    local folder=$1 variant=$2 name status=0 words=() said
    name=$(basename "$folder")${variant:+@$variant}
    [[ -z $variant ]] || words=(--variant "$variant")
    said=$lab_root/build/conform/said/$name.txt
    watched with_parent "$program" conform "${@:3}" "${words[@]}" "$folder" >"$said" 2>&1 || status=$?
    # The last line but that of the stamp.
    verdict=$(grep -v ': stamped in ' "$said" | tail -n 1)
    ((lab_signal == 0)) || exit "$lab_signal"
    # Who does not come as far as the first check, like a kernel that this machine has not: why, and no verdict.
    if [[ $verdict == *": 0 passed, 0 failed, "* ]]; then
        verdict="$name: cannot be run here:$(sed -n "s/^  $name:\( it .*\)/\1/p" "$said")"
        status=$exit_environment
    fi
    say "$verdict"
    return "$status"
}

# takes_part FOLDER: whether its contestant takes part in the job "ingest", whose contract this is.
takes_part() {
    python3 -c 'import json, sys
sys.exit("ingest" not in json.load(open(sys.argv[1], encoding="utf-8")).get("jobs", []))' "$1/contestant.json"
}

# rank CODE: exit codes by how bad they are; a wrong answer is the worst.
rank() {
    (($1 == 3)) && echo 256 || echo "$1"
}

# conform_forms OPTIONS…: every form of `folders`, then all verdicts below each other. The worst exit code.
conform_forms() {
    local folder variant verdict code worst=0 verdicts=()
    make_folder "$lab_root/build/conform/said"
    for folder in "${folders[@]}"; do
        while IFS= read -r -u 3 variant; do
            code=0
            conform_form "$folder" "$variant" "$@" || code=$?
            verdicts+=("$verdict")
            (($(rank "$code") <= $(rank "$worst"))) || worst=$code
        done 3< <(forms_of "$folder")
    done
    say ''
    printf '%s\n' "${verdicts[@]}"
    return "$worst"
}

main() {
    help_if_asked "$@"
    local words=() options=() folders=() variants=() word folder before='' found=0 program='' status=0 all=0 list=0
    for word in "$@"; do
        if [[ $word == --variants ]]; then
            all=1
            variants=(--all-variants)
            continue
        fi
        folder=$(contestant_folder "$word")
        if [[ -n $folder ]]; then
            words+=("$folder")
            folders+=("$folder")
            found=1
        # The word behind an option may be its value: that is the program's to judge.
        elif [[ $word == -* || $before == --* ]]; then
            words+=("$word")
            options+=("$word")
            [[ $word != --list ]] || found=1 list=1
        else
            die $exit_usage "no contestant '$word': neither a name of contestants/ nor a folder with contestant.json"
        fi
        [[ $before != --variant ]] || variants=("--variant=$word")
        [[ $word != --variant=* ]] || variants=("$word")
        before=$word
    done
    if ((!found)); then
        for folder in "$lab_root"/contestants/*/; do
            [[ ! -f $folder/contestant.json ]] || ! takes_part "$folder" || folders+=("${folder%/}")
        done
        words+=("${folders[@]}")
    fi
    prepare_matchrace race
    build_contestants "${variants[@]}" "${folders[@]}"
    if ((all && !list)); then
        conform_forms "${options[@]}" || status=$?
        return "$status"
    fi
    watched with_parent "$program" conform "${words[@]}" || status=$?
    return "$status"
}

main "$@"
