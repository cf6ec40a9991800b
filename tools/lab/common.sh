# common.sh: what the commands of ./lab share: places, messages, set-up and builds where missing.
# shellcheck shell=bash

lab_root=${lab_root:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
lab_command=$(basename "$0" .sh)
lab_deps=$lab_root/.deps
lab_stamp=$lab_deps/setup.ok
lab_times=$lab_root/build/times
readonly lab_root lab_command lab_deps lab_stamp lab_times

# Exit codes of every program of the lab (docs/ARCHITECTURE.md); each command uses some of them.
# shellcheck disable=SC2034
readonly exit_environment=1 exit_usage=2

# shellcheck disable=SC2120
say() {
    printf '%s\n' "$*"
}

# die CODE MESSAGE…: one line on standard error, then the end.
die() {
    local code=$1
    shift
    printf 'lab %s: %s\n' "$lab_command" "$*" >&2
    exit "$code"
}

# help_if_asked ARGUMENTS…: prints the command's own `usage` where --help stands before any `--`.
help_if_asked() {
    local word
    for word in "$@"; do
        case $word in
        --) return 0 ;;
        --help | -h)
            usage
            exit 0
            ;;
        esac
    done
}

wrong_usage() {
    die $exit_usage "$*; './lab $lab_command --help' shows examples"
}

# A whole number as people write it: no leading zero, which arithmetic would read as octal.
is_number() {
    [[ $1 =~ ^(0|[1-9][0-9]{0,17})$ ]]
}

# duration SECONDS: as people read it.
duration() {
    if (($1 < 120)); then
        printf '%d s' "$1"
    else
        printf '%d min %d s' $(($1 / 60)) $(($1 % 60))
    fi
}

# remember_time WHAT SECONDS: doctor tells the next person how long it took here.
remember_time() {
    make_folder "$lab_times"
    printf '%s\n' "$2" >"$lab_times/$1"
}

# What set-up depends on: when this changes, set-up runs again.
setup_key() {
    (cd "$lab_root/tools" && cat setup/packages.txt setup/newer.txt setup/pins.txt lab/setup.sh) |
        sha256sum | cut -d' ' -f1
}

# Names of the packages of packages.txt that are not installed, one a line.
missing_packages() {
    local wanted
    mapfile -t wanted < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$lab_root/tools/setup/packages.txt")
    # dpkg-query fails as soon as one name is unknown to it, which is what is asked here.
    { dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null || true; } |
        awk -v wanted="${wanted[*]}" '
            $1 == "ii" { have[$2] = 1 }
            END { n = split(wanted, name, " ")
                  for (i = 1; i <= n; i++) if (!(name[i] in have)) print name[i] }'
}

# "ID:CODENAME" of this system; MR_OS_RELEASE stands in for its file in the tests.
os_release_says() {
    # shellcheck source=/dev/null
    (. "${MR_OS_RELEASE:-/etc/os-release}" && echo "${ID:-}:${VERSION_CODENAME:-}") 2>/dev/null || true
}

is_debian_12() {
    [[ $(os_release_says) == debian:bookworm ]]
}

# True where MR_YYJSON_SOURCE names a folder with yyjson's source: then its package is not needed.
yyjson_from_source() {
    [[ -n ${MR_YYJSON_SOURCE:-} ]] || return 1
    [[ -f $MR_YYJSON_SOURCE/yyjson.c && -f $MR_YYJSON_SOURCE/yyjson.h ]] ||
        die $exit_environment "MR_YYJSON_SOURCE: no yyjson.c and yyjson.h in '$MR_YYJSON_SOURCE'"
}

# True when the packages of newer.txt are unpacked (or not needed), and nobody has taken them away since.
newer_done() {
    yyjson_from_source && return 0
    [[ -f $lab_stamp && $(<"$lab_stamp") == "$(setup_key)" ]] || return 1
    ! is_debian_12 || [[ -f $lab_deps/root/usr/include/yyjson.h &&
        -e $lab_deps/root/usr/lib/x86_64-linux-gnu/libyyjson.so.0 ]]
}

# The version that SIMDe's header says, or nothing. (It is headers alone, without a file for pkg-config.)
simde_version() {
    { echo '#include <simde/simde-common.h>'; echo 'simde=SIMDE_VERSION_MAJOR.SIMDE_VERSION_MINOR.SIMDE_VERSION_MICRO'; } |
        gcc -E -P -x c - 2>/dev/null | sed -n 's/^simde=//p' | tr -d ' ' || true
}

# True when nothing is left for set-up to do.
setup_done() {
    newer_done || return 1
    ! is_debian_12 || [[ -z $(missing_packages) ]]
}

setup_if_missing() {
    setup_done || bash "$lab_root/tools/lab/setup.sh" --no-build
}

preset_names() {
    sed -n 's/^ *{ "name": "\([a-z]*\)", "displayName".*/\1/p' "$lab_root/CMakePresets.json"
}

require_preset() {
    preset_names | grep -qx -- "$1" ||
        wrong_usage "there is no preset '$1'; there are: $(preset_names | tr '\n' ' ')"
}

# watched COMMAND…: runs it in a process group of its own, hands SIGINT, SIGTERM and SIGHUP on to all of
# it, and waits until it has ended, so that nothing is left running. Returns its exit code; `lab_signal` is
# then 0, or 128 and the number of the signal.
watched() {
    local pid='' status=0 again name number
    lab_signal=0
    # The traps stand before there is anybody to tell: a signal in between is handed on behind the start.
    for name in INT:2 TERM:15 HUP:1; do
        number=${name#*:} name=${name%:*}
        # shellcheck disable=SC2064  # the values of now are meant
        trap "again=1; lab_signal=$((128 + number)); tell_watched $name" "$name"
    done
    set -m
    "$@" </dev/null &
    pid=$!
    set +m
    ((lab_signal == 0)) || tell_watched TERM
    again=1
    while ((again)); do
        # A trap ends the wait early, and then the process is still there.
        again=0
        wait "$pid" && status=0 || status=$?
    done
    trap - INT TERM HUP
    return "$status"
}

# tell_watched SIGNAL: `pid` is that of watched().
tell_watched() {
    # shellcheck disable=SC2154
    [[ -z $pid ]] || kill "-$1" -- "-$pid" 2>/dev/null || true
}

# with_parent COMMAND…: becomes COMMAND, which gets SIGTERM when the script that started it is gone, even
# by SIGKILL.
with_parent() {
    if command -v setpriv >/dev/null; then
        exec setpriv --pdeathsig TERM -- "$@"
    fi
    exec "$@"
}

# make_folder FOLDER…: with what is missing above them.
make_folder() {
    mkdir -p -- "$@" 2>/dev/null ||
        die $exit_environment "cannot write below '$lab_root' ('$*'); work in a checkout of your own"
}

# Ends the command as the signal would have, where one came.
stop_if_signalled() {
    ((lab_signal == 0)) || exit "$lab_signal"
}

# run_ninja TREE WORDS…: a terminal gets Ninja's one moving line; anything else only what compilers say.
run_ninja() {
    local words=(--build "$1" -j "$(nproc)" "${@:2}")
    if [[ -t 1 ]]; then
        cmake "${words[@]}"
    else
        cmake "${words[@]}" -- --quiet | { grep -v '^ninja: no work to do' || true; }
    fi
}

# configure_preset PRESET: does nothing where it is configured; Ninja itself sees later changes, except
# those of the presets and of MR_YYJSON_SOURCE.
configure_preset() {
    local tree=$lab_root/build/$1 log=$lab_root/build/$1/lab-configure.log yyjson=''
    [[ -z ${MR_YYJSON_SOURCE:-} ]] || yyjson=$(realpath "$MR_YYJSON_SOURCE")
    if [[ -f $tree/build.ninja && ! $lab_root/CMakePresets.json -nt $tree/build.ninja &&
        $(sed -n 's/^MR_YYJSON_SOURCE:PATH=//p' "$tree/CMakeCache.txt") == "$yyjson" ]]; then
        return 0
    fi
    make_folder "$tree"
    if ! (cd "$lab_root" && cmake --preset "$1" "-DMR_YYJSON_SOURCE:PATH=$yyjson") >"$log" 2>&1; then
        cat "$log" >&2
        die $exit_environment "configuring '$1' failed; the log is build/$1/lab-configure.log"
    fi
    touch "$tree/build.ninja"
}

# build_preset PRESET [TARGET…]: configures where needed, then builds; quiet when there is nothing to do. One
# build of a preset at a time: a second one waits, and says so.
build_preset() {
    local preset=$1 targets=() lock
    shift
    (($# == 0)) || targets=(--target "$@")
    make_folder "$lab_root/build/$preset"
    { exec {lock}>"$lab_root/build/$preset/lab-build.lock"; } 2>/dev/null ||
        die $exit_environment "cannot write into '$lab_root/build/$preset'; work in a checkout of your own"
    if ! flock -n "$lock"; then
        say "Another build of '$preset' is running in this tree; waiting for it." >&2
        flock "$lock"
    fi
    configure_preset "$preset"
    local status=0
    watched run_ninja "$lab_root/build/$preset" "${targets[@]}" || status=$?
    exec {lock}>&-
    stop_if_signalled
    ((status == 0)) || die $exit_environment "building '$preset' failed"
}

# contestant_folder WORD: the folder that a name of contestants/ or a path means, or nothing.
contestant_folder() {
    local folder
    for folder in "$lab_root/contestants/$1" "${1%/contestant.json}"; do
        if [[ -f $folder/contestant.json ]]; then
            realpath "$folder"
            return 0
        fi
    done
}

# build_contestants [OPTION…] FOLDER…: runs the build lines of those contestants whose sources changed. Who can't be built
# is not installed, which is said and hinders nobody else. OPTIONs are the builder's, each in one word: --variant=NAME,
# --all-variants, --matrix=FILE.
build_contestants() {
    local words=() folders=() word status=0
    for word in "$@"; do
        if [[ $word == --* ]]; then
            words+=("$word")
        elif [[ -f $word/contestant.json ]]; then
            folders+=("$word")
        fi
    done
    ((${#folders[@]} > 0)) || return 0
    watched python3 "$lab_root/tools/contestants/build_contestants.py" \
        --build-dir "$lab_root/build/release" "${words[@]}" "${folders[@]}" || status=$?
    stop_if_signalled
    ((status == 0)) || die $exit_environment "the builds of contestants could not be looked after"
}

matchrace_path() {
    echo "$lab_root/build/release/apps/matchrace/matchrace"
}

# prepare_matchrace TARGET…: set-up and the release build of the targets (`race` is what a race needs) where missing; then
# `program` is the one to run.
prepare_matchrace() {
    setup_if_missing
    build_preset release "$@" >&2
    program=$(matchrace_path)
    [[ -x $program ]] || die $exit_environment "the build made no $program"
    export MR_COMMIT
    MR_COMMIT=$(commit_text)
}

# The commit of this tree, for reports; with a remark where the tree differs from it.
commit_text() {
    local commit
    commit=$(git -C "$lab_root" rev-parse HEAD 2>/dev/null) || commit=unavailable
    if [[ $commit != unavailable && -n $(git -C "$lab_root" status --porcelain --untracked-files=no 2>/dev/null) ]]; then
        commit="$commit (with uncommitted changes)"
    fi
    printf '%s' "$commit"
}

# needs_words WHAT ARGUMENTS…: a wrong usage is told before anything is set up or built.
needs_words() {
    (($# > 1)) || wrong_usage "which $1?"
}

# needs_contestants FLAGS WORD…: a name among the words that is no contestant of this tree is told before anything is set
# up or built. FLAGS are the options that take no value, between blanks. With --contestants names may be anybody's.
needs_contestants() {
    local flags=$1 word before='' name known=() named=()
    shift
    for word in "$@"; do
        [[ $word != --contestants && $word != --contestants=* ]] || return 0
        [[ $word == -* || ($before == --* && $before != *=* && $flags != *" $before "*) ]] || named+=("${word%%@*}")
        before=$word
    done
    for name in "$lab_root"/contestants/*/contestant.json; do
        name=${name%/contestant.json}
        known+=("${name##*/}")
    done
    for name in "${named[@]}"; do
        [[ " ${known[*]} " == *" $name "* ]] || wrong_usage "there is no contestant '$name'; there are: ${known[*]}"
    done
}

# pass_through ARGUMENTS…: becomes `matchrace ARGUMENTS…`, run where the person stands.
pass_through() {
    prepare_matchrace race
    exec "$program" "$@"
}

# own_help COMMAND [WORD]: what `matchrace COMMAND [WORD] --help` says, where the program is built, with its commands
# as they are typed here.
own_help() {
    local binary
    binary=$(matchrace_path)
    [[ -x $binary ]] || return 0
    say ''
    "$binary" "$@" --help | sed "s|\<matchrace $1\>|./lab $1|g"
}

# race NAME MATRIX COMMAND ARGUMENTS…: runs the matrix and says how it ended; the exit code is the run's.
# COMMAND is what the report names to reproduce it. Needs `program`; `race_folder` is then where results are.
race() {
    local name=$1 matrix=$2 reproduce=$3 out='' status=0 words word
    shift 3
    for word in "$@"; do
        case $word in
        --out=*) out=${word#*=} ;;
        --out) out=next ;;
        *) [[ $out != next ]] || out=$word ;;
        esac
    done
    words=("$@")
    if [[ -z $out ]]; then
        out=out/$name/$(date -u +%Y%m%dT%H%M%SZ)
        words=(--out "$out" "${words[@]}")
    fi
    cd "$lab_root" || exit
    # shellcheck disable=SC2034  # for the caller
    race_folder=$out
    export MR_REPRODUCE=$reproduce
    watched with_parent "$program" run "$matrix" "${words[@]}" || status=$?
    if [[ -f $out/report.md ]]; then
        # What stands above the first section: the verdicts, and what was wrong or is missing.
        say ''
        sed -e '/^## /,$d' -e '1d' -e 's/\*\*//g' -e '/^$/d' "$out/report.md"
        say "To look at: $out/report.html (any browser, no network needed)."
    fi
    return "$status"
}
