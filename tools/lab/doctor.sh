# doctor.sh: says what this machine is good for, what is installed and missing, and how long things take.
# summary: this machine's cores and grade, versions, what is missing, how long smoke and test take
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Stated for a machine of two cores; a run of one's own replaces them (build/times/).
readonly estimate_smoke=185 estimate_test=1130

usage() {
    cat <<'T'
usage: ./lab doctor

Changes nothing. Says: usable cores and the grade of this machine (A, B or C: what a race here may
conclude), instruction sets, versions of tools and libraries and whether yyjson and simdjson are the pinned
builds, what is missing with the command that brings it, and how long ./lab smoke and ./lab test will take. Where the
release build is there, `matchrace doctor` goes on: which counters can be read here and how fine they are,
which gates that allows to judge, and for about three seconds what the host did to this process.
Exit code 1: something is missing, or this machine cannot race.

Examples:
  ./lab doctor
  taskset -c 0 ./lab doctor     what it would say with one core
T
}

row() {
    printf '  %-16s %s\n' "$1" "$2"
}

# The CPUs this process may use, one a line ("Cpus_allowed_list: 0-3,6").
usable_cpus() {
    local ranges range
    ranges=$(awk '/^Cpus_allowed_list:/ { print $2 }' /proc/self/status)
    for range in ${ranges//,/ }; do
        seq "${range%-*}" "${range#*-}"
    done
}

# Sibling hyper-threads count once: a race never splits them.
usable_cores() {
    local cpu siblings
    while read -r cpu; do
        siblings=/sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list
        if [[ -r $siblings ]]; then cat "$siblings"; else echo "$cpu"; fi
    done < <(usable_cpus) | sort -u | wc -l
}

# Whole cores that the tightest cpu.max of our control group and those above it allows; nothing: no limit.
quota_cores() {
    local folder
    folder=/sys/fs/cgroup$(awk -F: '$1 == "0" { print $3 }' /proc/self/cgroup)
    while [[ $folder == /sys/fs/cgroup/* ]]; do
        [[ ! -r $folder/cpu.max ]] || awk '$1 != "max" { print int($1 / $2) }' "$folder/cpu.max"
        folder=${folder%/*}
    done | sort -n | head -n 1
}

# What a race may conclude by the number of cores; lib/host decides by the same numbers for each campaign.
show_grade() {
    local cores=$1
    if ((cores >= 8)); then
        row grade "A: 4 cores for the server, 3 for the generator, 1 spare"
    elif ((cores >= 3)); then
        row grade "B: server and generator on cores of their own, 1 spare"
    elif ((cores == 2)); then
        row grade "C: one core for the server, one for the generator, none spare"
        row "" "verdicts for throughput and parsing only; latency is indicative, without verdict"
    else
        row grade "none: a race needs two cores, this process may use $cores"
        trouble=1
    fi
}

has_flag() {
    [[ " $flags " == *" $1 "* ]]
}

show_instruction_sets() {
    local flag have="" lacking=""
    flags=$(awk -F': ' '/^flags/ { print $2; exit }' /proc/cpuinfo)
    for flag in avx2 bmi1 bmi2 pclmulqdq avx512f avx512bw avx512dq avx512vl avx512vbmi avx512_vbmi2; do
        if has_flag "$flag"; then have+=" $flag"; else lacking+=" $flag"; fi
    done
    row instructions "${have:- none of those a kernel may use}"
    [[ -z $lacking ]] || row "" "not here:$lacking"
    for flag in cx16 lahf_lm popcnt ssse3 sse4_1 sse4_2; do
        has_flag "$flag" || {
            row "" "this processor lacks $flag: everything is built for x86-64-v2 and would not run"
            trouble=1
        }
    done
}

show_machine() {
    local cores cpus model memory quota
    cores=$(usable_cores)
    quota=$(quota_cores)
    cpus=$(usable_cpus | wc -l)
    model=$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)
    memory=$(awk '/^MemTotal:/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo)
    say "Machine"
    row processor "${model:-unavailable}"
    row cores "$cores usable ($cpus of the kernel's $(getconf _NPROCESSORS_ONLN) CPUs)"
    if [[ -n $quota ]] && ((quota < cores)); then
        row quota "the control group lets us use $quota of them"
        cores=$quota
    fi
    show_grade "$cores"
    show_instruction_sets
    row memory "$memory"
    row kernel "$(uname -r)$(grep -q '^flags.* hypervisor' /proc/cpuinfo && echo ', in a virtual machine')"
    row "disk free here" "$(df -Ph "$lab_root" | awk 'NR == 2 { print $4 }')"
}

# tool NAME COMMAND…: one row with the first version number that the command prints.
tool() {
    local name=$1 version
    shift
    if ! command -v "$1" >/dev/null; then
        row "$name" "missing"
        return 0
    fi
    version=$("$@" 2>&1 | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1) || true
    row "$name" "${version:-version unknown}"
}

library() {
    local version
    version=$(pkg-config --modversion "$1" 2>/dev/null) || version=missing
    row "$1" "$version"
}

show_versions() {
    say "Tools and libraries"
    tool gcc gcc -dumpfullversion
    tool clang clang --version
    tool clang-format clang-format --version
    tool clang-tidy clang-tidy --version
    tool cmake cmake --version
    tool ninja ninja --version
    tool python3 python3 --version
    tool gnuplot gnuplot --version
    tool shellcheck shellcheck --version
    tool git git --version
    if command -v dotnet >/dev/null; then
        row dotnet "SDK $(dotnet --version 2>/dev/null || echo 'missing: C# contestants are not installed')"
    else
        row dotnet "missing: C# contestants are not installed"
    fi
    library libxxhash
    library cmocka
    library libmd
    library zlib
    local simde
    simde=$(simde_version)
    row simde "${simde:-missing}"
    if yyjson_from_source; then
        row yyjson "source in $MR_YYJSON_SOURCE: not the pinned one"
        row simdjson "not set up: its contestant is left out"
    elif [[ -f $lab_deps/installed.txt ]]; then
        while IFS=$'\t' read -r package version _ suite pin; do
            row "$package" "$version from $suite: $pin"
        done <"$lab_deps/installed.txt"
    else
        row "yyjson, simdjson" missing
    fi
}

show_missing() {
    say "Set-up"
    if setup_done; then
        row missing nothing
        return 0
    fi
    trouble=1
    if is_debian_12; then
        local missing
        missing=$(missing_packages | tr '\n' ' ')
        row packages "${missing:-none missing}"
    fi
    newer_done || row "yyjson, simdjson" "not set up in this folder"
    row "to bring it" "./lab setup"
}

# time_row NAME ESTIMATE
time_row() {
    if [[ -f $lab_times/$1 ]]; then
        row "./lab $1" "about $(duration "$(<"$lab_times/$1")"), as last time here"
    else
        row "./lab $1" "about $(duration "$2") (estimate for two cores; not yet run here)"
    fi
}

# What the program itself finds out, where it is built; an older build has no such command.
show_counters() {
    local program
    program=$(matchrace_path)
    say
    if [[ -x $program ]] && "$program" doctor --help >/dev/null 2>&1; then
        "$program" doctor || trouble=1
    else
        say "Counters and gates"
        row "not looked at" "./lab build brings the program that does"
    fi
}

main() {
    help_if_asked "$@"
    (($# == 0)) || wrong_usage "unexpected '$1'"
    local trouble=0 flags
    show_machine
    say
    show_versions
    say
    show_missing
    say
    say "How long"
    setup_done || row "./lab setup" "about 10 s, or 1 min where all packages are missing"
    time_row smoke $estimate_smoke
    time_row test $estimate_test
    show_counters
    return $trouble
}

main "$@"
