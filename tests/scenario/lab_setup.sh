#!/usr/bin/env bash
# lab_setup.sh: set-up on machines of every kind, played with stand-ins for apt and dpkg-query; no network.
set -euo pipefail
source_dir=$(cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)

# The packages that the stand-in makes are then the same bytes each time.
export SOURCE_DATE_EPOCH=1

faults=0
scratch=$(mktemp -d)
chmod 755 "$scratch"
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
fake=$scratch/bin
mkdir -p "$fake"

fault() {
    echo "FAULT: $*"
    faults=$((faults + 1))
}

# fresh_tree: a checkout where nothing was set up, all packages installed, one mirror, a good suite.
fresh_tree() {
    rm -rf "$tree"
    mkdir -p "$tree"
    cp -r "$source_dir/lab" "$source_dir/tools" "$tree"
    printf 'ID=debian\nVERSION_CODENAME=bookworm\n' >"$scratch/os-release"
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$source_dir/tools/setup/packages.txt" >"$scratch/installed"
    printf 'http://127.0.0.1:9/debian/ bookworm\n' >"$scratch/mirrors"
    printf 'forky 0.12.0-1 0.12.0\nsid 0.12.1-1 0.12.1\n' >"$scratch/suites"
    : >"$scratch/calls"
}

make_stand_ins() {
    # Prints what is installed of the packages asked for; fails like the real one where some are not.
    cat >"$fake/dpkg-query" <<'T'
#!/usr/bin/env bash
missing=0
for name in "${@:3}"; do
    if grep -qx -- "$name" "$SCRATCH/installed"; then echo "ii  $name"; else missing=1; fi
done
exit $missing
T
    # Suites are lines "name package-version header-version", of yyjson; simdjson is the same everywhere.
    # A download makes a real package of it.
    cat >"$fake/apt-get" <<'T'
#!/usr/bin/env bash
set -euo pipefail
echo "apt-get $*" >>"$SCRATCH/calls"
own=0 list=''
for word in "$@"; do
    case $word in
    Dir::Etc::sourcelist=*) own=1 list=${word#*=} ;;
    indextargets) cat "$SCRATCH/mirrors"; exit 0 ;;
    install)
        [[ ! -e $SCRATCH/apt-broken ]] || { echo "E: broken" >&2; exit 100; }
        printf '%s\n' "$@" | grep -v '^-' >>"$SCRATCH/installed"
        exit 0
        ;;
    update)
        ((own)) || exit 0
        suite=$(awk '{ print $(NF - 1) }' "$list")
        echo "update $suite" >>"$SCRATCH/calls"
        grep -q "^$suite " "$SCRATCH/suites" && exit 0
        # As with the real one: a warning only, unless it was told otherwise.
        [[ $* != *APT::Update::Error-Mode=any* ]] || exit 100
        exit 0
        ;;
    download)
        [[ ! -e $SCRATCH/killed-in-download ]] || { rm "$SCRATCH/killed-in-download"; kill -9 "$PPID"; exit 1; }
        read -r version header < <(awk -v s="$(awk '{ print $(NF - 1) }' "$list")" '$1 == s { print $2, $3 }' "$SCRATCH/suites")
        for name in libyyjson0 libyyjson-dev libsimdjson-dev; do
            [[ $name != libsimdjson-dev ]] || version=4.6.11-1
            folder=$(mktemp -d)
            mkdir -p "$folder/DEBIAN" "$folder/usr/include" "$folder/usr/lib/x86_64-linux-gnu"
            [[ $name != libyyjson0 ]] || : >"$folder/usr/lib/x86_64-linux-gnu/libyyjson.so.0"
            printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: none <none@localhost>\nDescription: test\n' \
                "$name" "$version" >"$folder/DEBIAN/control"
            case $name in
            libyyjson-dev) echo "#define YYJSON_VERSION_STRING \"$header\"" >"$folder/usr/include/yyjson.h" ;;
            libsimdjson-dev) echo '#define SIMDJSON_VERSION "4.6.11"' >"$folder/usr/include/simdjson.h" ;;
            esac
            dpkg-deb -b "$folder" "$name.deb" >/dev/null 2>&1
            rm -rf "$folder"
        done
        exit 0
        ;;
    esac
done
T
    cat >"$fake/apt-cache" <<'T'
#!/usr/bin/env bash
for word in "$@"; do
    case $word in Dir::Etc::sourcelist=*) list=${word#*=} ;; esac
done
version=$(awk -v s="$(awk '{ print $(NF - 1) }' "$list")" '$1 == s { print $2 }' "$SCRATCH/suites")
[[ -z $version || ${!#} != libsimdjson-dev ]] || version=4.6.11-1
[[ -z $version ]] || printf 'Version: %s\nSHA256: none\n' "$version"
T
    chmod +x "$fake"/*
}

# run_setup EXPECTED-CODE [PREFIX…]: sets `text` to all that it says.
run_setup() {
    local expected=$1 status=0
    shift
    text=$(SCRATCH=$scratch PATH=$fake:$PATH MR_OS_RELEASE=$scratch/os-release MR_YYJSON_SOURCE='' \
        "$@" "$tree/lab" setup --no-build 2>&1 </dev/null) || status=$?
    [[ $status -eq $expected ]] || fault "$case: exit code $status instead of $expected: $text"
}

says() {
    [[ $text == *"$1"* ]] || fault "$case: does not say '$1': $text"
}

never_called() {
    ! grep -qE -- "$1" "$scratch/calls" || fault "$case: called: $(grep -E -- "$1" "$scratch/calls")"
}

make_stand_ins

case="a fresh machine"
fresh_tree
run_setup 0
says "libyyjson-dev 0.12.0-1 from forky: not the pinned one"
never_called ' install '
says "libsimdjson-dev 4.6.11-1 from forky: not the pinned one"
[[ -f $tree/.deps/root/usr/include/yyjson.h && -f $tree/.deps/root/usr/include/simdjson.h && -f $tree/.deps/setup.ok ]] || fault "$case: not unpacked"

case="the second call"
: >"$scratch/calls"
run_setup 0
says "nothing to do"
[[ ! -s $scratch/calls ]] || fault "$case: called $(<"$scratch/calls")"

case="a list that changed"
echo '# a line more' >>"$tree/tools/setup/newer.txt"
run_setup 0
says "Set-up: done"

case="a package removed since"
sed -i '/^cmake$/d' "$scratch/installed"
: >"$scratch/calls"
if ((EUID == 0)); then
    run_setup 0
    says "Installing 1 packages of the distribution: cmake"
    grep -q 'install -y --no-install-recommends cmake$' "$scratch/calls" || fault "$case: $(<"$scratch/calls")"

    case="apt-get fails"
    sed -i '/^cmake$/d' "$scratch/installed"
    touch "$scratch/apt-broken"
    run_setup 1
    says "E: broken"
    says "the log is .deps/packages.log"
    rm "$scratch/apt-broken"
    run_setup 0
    says "Installing 1 packages"
    never_called ' download '
fi

case="the pinned build"
fresh_tree
run_setup 0
awk -F'\t' '{ print $1, $2, $3 }' "$tree/.deps/installed.txt" >"$tree/tools/setup/pins.txt"
run_setup 0
says "libyyjson0 0.12.0-1 from forky: pinned"

case="without root"
fresh_tree
sed -i -e '/^cmake$/d' -e '/^gnuplot-nox$/d' "$scratch/installed"
chmod -R a+rwX "$scratch"
if ((EUID == 0)); then
    run_setup 1 setpriv --reuid 65534 --regid 65534 --clear-groups
else
    run_setup 1
fi
says "  apt-get update && apt-get install -y --no-install-recommends cmake gnuplot-nox"
[[ ! -s $scratch/calls ]] || fault "$case: called $(<"$scratch/calls")"

case="another distribution"
fresh_tree
printf 'ID=other\n' >"$scratch/os-release"
run_setup 1
says "This is not Debian 12"
says "yyjson 0.12 or later"
[[ ! -s $scratch/calls ]] || fault "$case: called $(<"$scratch/calls")"

case="the newer suite is gone"
fresh_tree
sed -i '/^forky/d' "$scratch/suites"
run_setup 0
says "suite forky: its index could not be fetched"
says "0.12.1-1 from sid"

case="no suite is new enough"
fresh_tree
printf 'forky 0.10.0-1 0.10.0\nsid 0.11.1-1 0.11.1\n' >"$scratch/suites"
run_setup 1
says "suite sid: libyyjson0 is 0.11.1-1, needed is 0.12 or later"
[[ ! -e $tree/.deps/root && ! -f $tree/.deps/setup.ok ]] || fault "$case: taken for done"

case="a header older than its package says"
fresh_tree
printf 'forky 0.12.0-1 0.9.0\n' >"$scratch/suites"
run_setup 1
says "usr/include/yyjson.h says YYJSON_VERSION_STRING '0.9.0', needed is 0.12 or later"
[[ ! -e $tree/.deps/root ]] || fault "$case: unpacked all the same"

case="no mirror"
fresh_tree
: >"$scratch/mirrors"
run_setup 1
says "apt's configuration names no mirror of this release"

case="interrupted, then again"
fresh_tree
touch "$scratch/killed-in-download"
run_setup 137
[[ ! -f $tree/.deps/setup.ok ]] || fault "$case: taken for done"
run_setup 0
says "Set-up: done"

case="the package from source"
fresh_tree
mkdir "$scratch/yyjson"
touch "$scratch/yyjson"/yyjson.{c,h}
SCRATCH=$scratch PATH=$fake:$PATH MR_OS_RELEASE=$scratch/os-release MR_YYJSON_SOURCE=$scratch/yyjson \
    "$tree/lab" setup --no-build >/dev/null || fault "$case: exit code $?"
[[ ! -s $scratch/calls ]] || fault "$case: called $(<"$scratch/calls")"
text=$(SCRATCH=$scratch PATH=$fake:$PATH MR_OS_RELEASE=$scratch/os-release MR_YYJSON_SOURCE=$scratch/nowhere \
    "$tree/lab" setup --no-build 2>&1) && fault "$case: a folder without yyjson.c was accepted"
says "no yyjson.c and yyjson.h in"

echo "lab_setup: $faults faults"
[[ $faults -eq 0 ]]
