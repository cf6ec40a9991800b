#!/usr/bin/env python3
# conform_bad_contestants.py: contestants that die, never listen, hang, or cannot be started: one clear message each.
"""Each must end in bounded time with the right exit code and message, and leave nothing running."""

import os
import sys
import tempfile

from conform_common import MUTANT, Run, check, check_nothing_left, finish, make_contestant

DIES = "import sys; print('no licence file', file=sys.stderr); sys.exit(7)"
CRASHES = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
NEVER_LISTENS = "import time; print('loading tables', flush=True); time.sleep(1000)"
HANGS = """
import socket, time
listener = socket.create_server(("127.0.0.1", 0))
print("listening 127.0.0.1:%d" % listener.getsockname()[1], flush=True)
time.sleep(1000)
"""
# Deaf to SIGTERM, with a child of its own.
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", sys.argv[1]])
time.sleep(1000)
"""
# Answers HELLO and nothing else.
MUTE = """
import sys
sys.path.insert(0, sys.argv[1])
import honest
answer = honest.Peer.answer
honest.Peer.answer = lambda self, kind, *rest: answer(self, kind, *rest) if kind == 1 else None
sys.argv = sys.argv[:1] + sys.argv[3:]
sys.exit(honest.main(sys.argv[1:]))
"""
DIES_LATER = """
import os, sys
sys.path.insert(0, sys.argv[1])
import honest
honest.Peer.batch = lambda self, payload: os.abort()
sys.exit(honest.main(sys.argv[3:]))
"""


def run(folder, program, *words, more=()):
    mark = os.path.join(folder, "mark")
    place = make_contestant(os.path.join(folder, "one"),
                            [sys.executable, "-c", program, *more, mark])
    result = Run("--patience", "1500ms", *words, place, stamps=folder)
    check_nothing_left(mark, program.strip().splitlines()[0])
    return result


def expect(result, code, seconds, *texts):
    check(result.code == code, "exit code %d, not %d:\n%s" % (result.code, code, result))
    check(result.seconds < seconds, "it took %.1f s, not %d" % (result.seconds, seconds))
    for text in texts:
        check(text in result.out + result.err, "no '%s' in: %s" % (text, result))


def main():
    kit = os.path.dirname(MUTANT)
    with tempfile.TemporaryDirectory() as folder:
        expect(run(folder, DIES), 3, 20, "honest", "exit code 7 before it listened", "no licence file")
        expect(run(folder, CRASHES), 3, 20, "signal 11", "before it listened", "printed nothing")
        expect(run(folder, NEVER_LISTENS), 3, 20, "did not say where it listens within 1.5 s",
               "loading tables")
        expect(run(folder, HANGS), 3, 20, "it listens on 127.0.0.1:",
               "but the reply to HELLO is nothing in time")
        expect(run(folder, STUBBORN), 3, 20, "did not say where it listens")
        expect(run(folder, MUTE, "--mode", "keep", more=(kit,)), 3, 110, "NOT CONFORMANT",
               "nothing in time")
        expect(run(folder, DIES_LATER, "--mode", "keep", "--only", "W5,W10,B1", more=(kit,)), 3, 60,
               "W5-sequence-echoed, keep: FAILED", "W10-batch-empty, keep: FAILED",
               "B1-cases-whole, keep: FAILED")

        place = os.path.join(folder, "missing")
        make_contestant(place, ["./no-such-program"])
        expect(Run(place), 3, 20, "./no-such-program", "cannot be run (is it built?)")
        make_contestant(place, ["true"], colour="red")
        expect(Run(place), 2, 20, "contestant.json", "colour")
        make_contestant(place, ["true"], conformance=["W99-unheard-of"])
        expect(Run(place), 2, 20, "W99-unheard-of", "neither a check")
        with open(os.path.join(place, "contestant.json"), "w", encoding="utf-8") as file:
            file.write('{"name": "cut')
        expect(Run(place), 2, 20, "contestant.json")
        expect(Run(os.path.join(folder, "nowhere")), 1, 20, "nowhere")
    finish()


if __name__ == "__main__":
    main()
