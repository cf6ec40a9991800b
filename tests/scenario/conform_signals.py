#!/usr/bin/env python3
# conform_signals.py: Ctrl-C, SIGTERM and SIGKILL in the middle of a run: nothing is left, nothing is stamped.
"""The kit is stopped at several moments, with a contestant that obeys and with one that does not."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import tempfile
import time

from conform_common import (MUTANT, PROGRAM, TIMEOUT_S, check, check_nothing_left, finish, make_contestant,
                            running)

# Deaf to SIGTERM, and its child would outlive it.
STUBBORN = """
import signal, subprocess, sys
sys.path.insert(0, sys.argv[1])
import honest
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", sys.argv[2]])
honest.Server.terminate = lambda *_: None
sys.exit(honest.main(sys.argv[3:]))
"""


def stop(folder, place, mark, number, moment_s):
    """Starts the kit, waits until a contestant runs and the moment has passed, sends the signal."""
    kit = subprocess.Popen([PROGRAM, "conform", "--patience", "4s", "--stamp-dir", folder, place],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not running(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(moment_s)
    check(kit.poll() is None, "the kit ended before the signal")
    kit.send_signal(number)
    begin = time.monotonic()
    out, err = kit.communicate(timeout=TIMEOUT_S)
    return kit.returncode, out, err, time.monotonic() - begin


def contestant(folder, name, program):
    """A contestant of its own, with a mark of its own."""
    mark = os.path.join(folder, name + "-mark")
    words = [sys.executable, "-c", program, os.path.dirname(MUTANT), mark]
    return make_contestant(os.path.join(folder, name), words), mark


def stop_and_look(folder, name, program, number, wanted, moment_s):
    what = "%s at %.1f s of %s" % (number.name, moment_s, name)
    place, mark = contestant(folder, "%s-%d-%.1f" % (name, number, moment_s), program)
    code, out, err, seconds = stop(folder, place, mark, number, moment_s)
    check(code == wanted, "%s: exit code %d, not %d:\n%s%s" % (what, code, wanted, out, err))
    check(seconds < 5, "%s: it took %.1f s to end" % (what, seconds))
    check("interrupted" in out and ": conformant" not in out and "FAILED" not in out, "%s: %s" % (what, out))
    check_nothing_left(mark, what)


def main():
    with tempfile.TemporaryDirectory() as folder:
        # Most of it is waiting for the moment, and for those who do not obey: several wait at once.
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            tasks = [pool.submit(stop_and_look, folder, name, program, number, wanted, moment_s)
                     for moment_s in (2.5, 0.7, 0.0)
                     for name, program in (("obeys", STUBBORN.replace("honest.Server.term", "#")),
                                           ("stubborn", STUBBORN))
                     for number, wanted in ((signal.SIGINT, 130), (signal.SIGTERM, 143))]
            for task in tasks:
                task.result()
        # Killed, the kit can do nothing more; the contestant dies with it. Descendants of a contestant are
        # out of reach then, so this one has none.
        plain, mark = contestant(folder, "plain", STUBBORN.replace("subprocess.Popen", "str"))
        code = stop(folder, plain, mark, signal.SIGKILL, 0.7)[0]
        check(code == -signal.SIGKILL, "SIGKILL: exit code %d" % code)
        check_nothing_left(mark, "SIGKILL")
        check(not [name for name in os.listdir(folder) if name.endswith(".json")], "a stamp was written")
    finish()


if __name__ == "__main__":
    main()
