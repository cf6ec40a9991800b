# setup.sh: brings what building, testing and racing need; does nothing when all is there.
# summary: installs what is missing and builds what races (once); the other commands do both themselves where needed
# shellcheck shell=bash
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../setup/dotnet.sh"

readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
readonly apt_home=$lab_deps/apt
# The newer suites, in the order in which they are tried.
readonly newer_suites=(forky sid)
# Only the package index is wanted: no translations, no software-centre metadata, no file lists.
readonly apt_quick=(-q
    -o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=60
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
    -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false)
# Everything that apt writes goes below .deps/apt; what the machine prefers for itself does not count.
readonly apt_own=("${apt_quick[@]}"
    -o Dir::State="$apt_home/state" -o Dir::State::lists="$apt_home/state/lists"
    -o Dir::State::status="$apt_home/state/status" -o Dir::Cache="$apt_home/cache"
    -o Dir::Etc::sourcelist="$apt_home/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o APT::Sandbox::User=root)

usage() {
    cat <<'T'
usage: ./lab setup [--no-build]

Installs what is missing, then builds what the first race needs: the program, the native contestants and, where
there is a .NET SDK, those in C# that race in matrices/smoke.json (a minute on two cores). Only what changed is
built again. With --no-build nothing is built: that is what the other commands call, which build what they need.

Debian 12: installs the packages of tools/setup/packages.txt that are missing (needs root), then takes
those of tools/setup/newer.txt from the distribution's newer suite: apt fetches them with lists and a
cache of its own and checks the signature, and they are unpacked below .deps/root. The system's sources
stay as they are. What was unpacked, and whether it is the pinned build, stands in .deps/installed.txt.

The .NET SDK is not installed by it: where 10 or later is in PATH, the packages of the C# projects are restored
by their lock files; where it is not, that is said, and the C# contestants are "not installed".

Without root it prints the one command for an administrator; on another distribution it names what is
missing. Both end with exit code 1. It may be interrupted and called again at any moment.

Examples:
  ./lab setup
  ./lab setup --no-build
  MR_YYJSON_SOURCE=../yyjson/src ./lab setup    yyjson.c and yyjson.h of that folder instead of the package;
                                                no package is taken then, and what needs simdjson is not built
T
}

# Lines of a list file without comments.
list_lines() {
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$lab_root/tools/setup/$1"
}

install_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]} > 0)) || return 0
    if ((EUID != 0)); then
        say "These packages are missing: ${missing[*]}"
        say "An administrator brings them with this command; then call ./lab setup again:"
        say "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        die $exit_environment "packages are missing and this is not root"
    fi
    say "Installing ${#missing[@]} packages of the distribution: ${missing[*]}"
    local log=$lab_deps/packages.log
    # Cleaning the lists is left out: it would throw away the machine's own translations.
    if ! apt-get "${apt_quick[@]}" -o APT::Get::List-Cleanup=false update >"$log" 2>&1 ||
        ! DEBIAN_FRONTEND=noninteractive apt-get "${apt_quick[@]}" -o DPkg::Lock::Timeout=300 \
            install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
        tail -n 15 "$log" >&2
        die $exit_environment "apt-get could not install the packages; the log is .deps/packages.log"
    fi
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]} == 0)) || die $exit_environment "still missing after apt-get: ${missing[*]}"
}

# On another system only the tools themselves can be asked for.
name_missing_tools() {
    local missing=() tool module
    for tool in gcc g++ cmake ninja pkg-config python3 git gnuplot clang clang-format clang-tidy; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    for module in cmocka libmd libxxhash zlib; do
        pkg-config --exists "$module" 2>/dev/null || missing+=("the development files of $module")
    done
    [[ -n $(simde_version) ]] || missing+=("SIMDe 0.7.4 or later (headers only)")
    if ! yyjson_from_source && [[ ! -f $lab_deps/root/usr/include/yyjson.h ]]; then
        missing+=("yyjson 0.12 or later (set MR_YYJSON_SOURCE to the folder with yyjson.c and yyjson.h)")
    fi
    ((${#missing[@]} > 0)) || return 0
    say "This is not Debian 12, so ./lab setup installs nothing here. Missing:"
    printf '  %s\n' "${missing[@]}"
    die $exit_environment "what is listed above is missing"
}

# The mirrors that this machine's own apt configuration names for the running release, each once.
# apt itself is asked, so that both formats of its files (and whatever comes after them) are understood.
mirrors() {
    local codename
    codename=$(os_release_says | cut -d: -f2)
    # shellcheck disable=SC2016  # the names are apt's, not the shell's
    apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk -v codename="$codename" '
            ($2 == codename || $2 == "stable" || $2 == "oldstable") && !seen[$1]++ { print $1 }'
}

# candidate PACKAGE: "version sha256" of what apt would take from the suite, or nothing.
candidate() {
    apt-cache "${apt_own[@]}" show --no-all-versions "$1" 2>/dev/null |
        awk '$1 == "Version:" { version = $2 } $1 == "SHA256:" { print version, $2; exit }'
}

# suite_suffices MIRROR SUITE: fetches the suite's index; true when every package is there, new enough.
suite_suffices() {
    local mirror=$1 suite=$2 package minimum rest version
    rm -rf "$apt_home"
    make_folder "$apt_home"/{state/lists/partial,cache/archives/partial,files}
    : >"$apt_home/state/status"
    printf 'deb [arch=amd64 signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$suite" \
        >"$apt_home/sources.list"
    # apt-get reports an index that it cannot fetch as a warning; here it is a failure.
    if ! apt-get "${apt_own[@]}" -o APT::Update::Error-Mode=any update >"$lab_deps/apt.log" 2>&1; then
        say "  suite $suite: its index could not be fetched (.deps/apt.log):" \
            "$(grep -m1 '^E:' "$lab_deps/apt.log")"
        return 1
    fi
    while read -r package minimum rest; do
        version=$(candidate "$package" | cut -d' ' -f1)
        if [[ -z $version ]] || ! dpkg --compare-versions "$version" ge "$minimum"; then
            say "  suite $suite: $package is ${version:-not there}, needed is $minimum or later"
            return 1
        fi
    done < <(list_lines newer.txt)
}

choose_suite() {
    local mirror suite found=0
    while read -r mirror; do
        found=1
        for suite in "${newer_suites[@]}"; do
            if suite_suffices "$mirror" "$suite"; then
                chosen_suite=$suite
                return 0
            fi
        done
    done < <(mirrors)
    ((found)) || die $exit_environment "apt's configuration names no mirror of this release"
    die $exit_environment "no suite of ${newer_suites[*]} offers what tools/setup/newer.txt asks for"
}

fetch_newer() {
    local packages
    mapfile -t packages < <(list_lines newer.txt | awk '{ print $1 }')
    (cd "$apt_home/files" && apt-get "${apt_own[@]}" download "${packages[@]}") \
        >>"$lab_deps/apt.log" 2>&1 || {
        tail -n 5 "$lab_deps/apt.log" >&2
        die $exit_environment "apt-get could not download ${packages[*]}; the log is .deps/apt.log"
    }
}

# unpack_newer FOLDER: unpacks the fetched packages there and writes the list of them beside it.
unpack_newer() {
    local folder=$1 file package version hash pin
    : >"$folder.txt"
    for file in "$apt_home"/files/*.deb; do
        dpkg-deb -x "$file" "$folder"
        package=$(dpkg-deb -f "$file" Package)
        version=$(dpkg-deb -f "$file" Version)
        hash=$(sha256sum "$file" | cut -d' ' -f1)
        pin="not the pinned one"
        if list_lines pins.txt | awk '{ print $1, $2, $3 }' | grep -qxF "$package $version $hash"; then
            pin=pinned
        fi
        printf '%s\t%s\t%s\t%s\t%s\n' "$package" "$version" "$hash" "$chosen_suite" "$pin" \
            >>"$folder.txt"
    done
}

# check_unpacked FOLDER: the headers say the version asked for, and the libraries run on this system.
check_unpacked() {
    local folder=$1 package minimum header macro version library
    while read -r package minimum header macro; do
        [[ $header != - ]] || continue
        [[ -f $folder/$header ]] || die $exit_environment "$package brought no $header"
        version=$(sed -n "s/^#define $macro *\"\\([^\"]*\\)\".*/\\1/p" "$folder/$header")
        dpkg --compare-versions "${version:-0}" ge "$minimum" ||
            die $exit_environment "$header says $macro '$version', needed is $minimum or later"
    done < <(list_lines newer.txt)
    while read -r library; do
        if ldd "$library" 2>&1 | grep 'not found' >&2; then
            die $exit_environment "$(basename "$library") does not run on this system"
        fi
    done < <(find "$folder" -type f -name 'lib*.so*')
}

mark_newer_done() {
    setup_key >"$lab_stamp.new"
    mv "$lab_stamp.new" "$lab_stamp"
}

bring_newer() {
    say "Fetching $(list_lines newer.txt | awk '{ printf "%s%s", sep, $1; sep = ", " }')" \
        "from a newer suite of the distribution"
    [[ $(dpkg --print-architecture) == amd64 ]] ||
        die $exit_environment "the lab runs on x86-64 only, this is $(dpkg --print-architecture)"
    [[ -f $keyring ]] || die $exit_environment "no $keyring (package debian-archive-keyring)"
    choose_suite
    fetch_newer
    local fresh=$lab_deps/root.new
    rm -rf "$fresh" "$fresh.txt"
    make_folder "$fresh"
    unpack_newer "$fresh"
    check_unpacked "$fresh"
    rm -rf "$lab_stamp" "$lab_deps/root"
    mv "$fresh" "$lab_deps/root"
    mv "$fresh.txt" "$lab_deps/installed.txt"
    rm -rf "$apt_home/state" "$apt_home/cache"
    mark_newer_done
    awk -F'\t' '{ print "  " $1 " " $2 " from " $4 ": " $5 }' "$lab_deps/installed.txt"
}

bring_missing() {
    if setup_done; then
        restore_dotnet
        say "Set-up: nothing to do."
        return 0
    fi
    local started=$SECONDS chosen_suite=
    make_folder "$lab_deps"
    exec 9>"$lab_deps/lock"
    flock -n 9 || { say "Another set-up is running here; waiting for it." && flock 9; }
    if setup_done; then
        say "Set-up: the other one did it."
        return 0
    fi
    if is_debian_12; then
        install_packages
        newer_done || bring_newer
    else
        name_missing_tools
        newer_done || mark_newer_done
    fi
    restore_dotnet
    say "Set-up: done in $(duration $((SECONDS - started)))."
}

build_what_races() {
    local started=$SECONDS
    say "Building what races in ./lab smoke"
    build_preset release race
    build_contestants "--matrix=$lab_root/matrices/smoke.json" "$lab_root"/contestants/*/
    say "Built in $(duration $((SECONDS - started)))."
}

main() {
    help_if_asked "$@"
    local build=1
    if [[ ${1:-} == --no-build ]]; then
        build=0
        shift
    fi
    (($# == 0)) || wrong_usage "unexpected '$1'"
    bring_missing
    # Others need not wait for a build.
    { exec 9>&-; } 2>/dev/null
    ((build == 0)) || build_what_races
}

main "$@"
