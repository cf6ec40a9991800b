#!/usr/bin/env bash
# lab_signals.sh: a signal to ./lab alone reaches all that it started, and nothing is left running.
set -euo pipefail
source_dir=$(cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)

faults=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A command of a lab that runs a process with a child; both say who they are.
mkdir -p "$scratch/tools/lab"
cp "$source_dir/lab" "$scratch/lab"
cat >"$scratch/tools/lab/command.sh" <<'T'
set -euo pipefail
. "$SOURCE_DIR/tools/lab/common.sh"
family() {
    # As a program's own child: one that the shell starts behind & would ignore SIGINT.
    env --default-signal=INT,QUIT sleep 60 &
    echo "$BASHPID $!" >"$SCRATCH/pids"
    wait
}
case $1 in
ends) watched bash -c 'exit 7' || exit $? ;;
stays)
    status=0
    watched family || status=$?
    echo "ended: $status, signal: $lab_signal"
    stop_if_signalled
    ;;
alone) watched with_parent bash -c 'echo "$BASHPID" >"$SCRATCH/pids"; exec sleep 60' ;;
soon)
    # Told of when the process group of what is watched is there, and nothing else of it.
    echo "$BASHPID" >"$SCRATCH/pids"
    watched sleep 60 || exit $?
    ;;
esac
T

fault() {
    echo "FAULT: $*"
    faults=$((faults + 1))
}

status=0
SOURCE_DIR=$source_dir SCRATCH=$scratch bash "$scratch/tools/lab/command.sh" ends || status=$?
[[ $status -eq 7 ]] || fault "exit code $status instead of the command's own 7"

# wait_for_pids WHAT: until the command has said who they are.
wait_for_pids() {
    for _ in $(seq 200); do
        [[ ! -s $scratch/pids ]] || return 0
        sleep 0.05
    done
    fault "$1: the command did not start: $(<"$scratch/said")"
}

# expect_gone WHAT PID…: a process that has just been killed may still wait for its parent's notice.
expect_gone() {
    local what=$1 left
    shift
    for left in "$@"; do
        for _ in $(seq 100); do
            [[ -d /proc/$left && $(awk '/^State:/ { print $2 }' "/proc/$left/status" 2>/dev/null) != Z ]] || continue 2
            sleep 0.05
        done
        fault "$what: process $left was left running"
        kill -9 "$left"
    done
}

# expect_end WHAT SIGNAL CODE COMMAND…: the signal to the command alone ends it with that code, and all of its family.
expect_end() {
    local what=$1 name=$2 expected=$3 status=0 sent pid family
    shift 3
    rm -f "$scratch/pids"
    SOURCE_DIR=$source_dir SCRATCH=$scratch "$@" >"$scratch/said" 2>&1 &
    pid=$!
    wait_for_pids "$what"
    kill "-$name" "$pid"
    sent=$SECONDS
    wait "$pid" || status=$?
    # Nothing here judges speed: without the signal it would take a minute.
    ((SECONDS - sent < 40)) || fault "$what: the signal did not end it"
    [[ $status -eq $expected ]] || fault "$what: exit code $status instead of $expected"
    read -ra family <"$scratch/pids"
    expect_gone "$what" "${family[@]}"
}

for signal in INT:130 TERM:143 HUP:129; do
    # A shell without job control starts background commands with SIGINT ignored; a person's does not.
    expect_end "${signal%:*}" "${signal%:*}" "${signal#*:}" env --default-signal=INT,QUIT \
        bash "$scratch/tools/lab/command.sh" stays
    grep -q "signal: ${signal#*:}" "$scratch/said" || fault "$signal: said: $(<"$scratch/said")"
done

# Started by a script in its background, with SIGINT ignored: the lab is ended by it all the same, and cleanly.
printf '. "%s/tools/lab/common.sh"\n' "$source_dir" >"$scratch/tools/lab/common.sh"
expect_end "SIGINT ignored at the start" INT 130 env --ignore-signal=INT,QUIT bash "$scratch/lab" command stays

# The script itself is killed: what it ran does not race on.
expect_end "kill -9" KILL 137 bash "$scratch/tools/lab/command.sh" alone

# orphans PID: the processes whose group a shell with this session made, other than the shell.
orphans() {
    ps -o pid= --sid "$1" | awk -v self="$1" '$1 != self { print $1 }'
}

# A signal at any moment of the start: nobody is left behind, whenever it comes.
for try in $(seq 40); do
    rm -f "$scratch/pids"
    SOURCE_DIR=$source_dir SCRATCH=$scratch setsid env --default-signal=INT,QUIT \
        bash "$scratch/tools/lab/command.sh" soon >"$scratch/said" 2>&1 &
    pid=$!
    wait_for_pids "at the start"
    read -r leader <"$scratch/pids"
    sleep "0.00$((try % 10))"
    kill -INT "$leader"
    wait "$pid" || true
    # shellcheck disable=SC2046  # one word a process
    expect_gone "at the start, try $try" $(orphans "$leader")
done

echo "lab_signals: $faults faults"
[[ $faults -eq 0 ]]
