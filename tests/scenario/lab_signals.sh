#!/usr/bin/env bash
# lab_signals.sh: a signal to ./lab alone reaches all that it started, and nothing is left running.
set -euo pipefail
source_dir=$(cd "${MR_SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)

faults=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A command of the lab that runs a process with a child; both say who they are.
cat >"$scratch/command.sh" <<'T'
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
esac
T

fault() {
    echo "FAULT: $*"
    faults=$((faults + 1))
}

status=0
SOURCE_DIR=$source_dir SCRATCH=$scratch bash "$scratch/command.sh" ends || status=$?
[[ $status -eq 7 ]] || fault "exit code $status instead of the command's own 7"

for signal in INT:130 TERM:143 HUP:129; do
    name=${signal%:*} expected=${signal#*:}
    rm -f "$scratch/pids"
    # A shell without job control starts background commands with SIGINT ignored; a person's does not.
    SOURCE_DIR=$source_dir SCRATCH=$scratch env --default-signal=INT,QUIT \
        bash "$scratch/command.sh" stays >"$scratch/said" 2>&1 &
    pid=$!
    for _ in $(seq 200); do
        [[ ! -s $scratch/pids ]] || break
        sleep 0.05
    done
    [[ -s $scratch/pids ]] || fault "$name: the command did not start: $(<"$scratch/said")"
    kill "-$name" "$pid"
    status=0 sent=$SECONDS
    wait "$pid" || status=$?
    # Nothing here judges speed: without the signal it would take a minute.
    ((SECONDS - sent < 40)) || fault "$name: the signal did not end it"
    [[ $status -eq $expected ]] || fault "$name: exit code $status instead of $expected"
    grep -q "signal: $expected" "$scratch/said" || fault "$name: said: $(<"$scratch/said")"
    read -r parent child <"$scratch/pids"
    for left in "$parent" "$child"; do
        # A process that has just been killed may still wait for its parent's notice.
        for _ in $(seq 100); do
            [[ -d /proc/$left && $(awk '/^State:/ { print $2 }' "/proc/$left/status" 2>/dev/null) != Z ]] || continue 2
            sleep 0.05
        done
        fault "$name: process $left was left running"
        kill -9 "$left"
    done
done

echo "lab_signals: $faults faults"
[[ $faults -eq 0 ]]
