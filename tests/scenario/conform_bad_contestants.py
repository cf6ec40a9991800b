#!/usr/bin/env python3
# conform_bad_contestants.py: contestants that die, never listen, hang, or cannot be started: one clear message each.
"""Each must end in bounded time with the right exit code and message, and leave nothing running."""

import concurrent.futures
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


def run(folder, name, program, *words, more=(), patience="1500ms"):
    mark = os.path.join(folder, name + "-mark")
    place = make_contestant(os.path.join(folder, name),
                            [sys.executable, "-c", program, *more, mark])
    result = Run("--patience", patience, *words, place, stamps=folder)
    check_nothing_left(mark, name)
    return result


def expect(result, code, seconds, *texts):
    check(result.code == code, "exit code %d, not %d:\n%s" % (result.code, code, result))
    check(result.seconds < seconds, "it took %.1f s, not %d" % (result.seconds, seconds))
    for text in texts:
        check(text in result.out + result.err, "no '%s' in: %s" % (text, result))


def running_ones(folder):
    """What is started and goes wrong. Nearly all of it is waiting, so all of them wait at once."""
    kit = os.path.dirname(MUTANT)

    def one(name, program, *words, code=3, seconds=20, texts, **more):
        expect(run(folder, name, program, *words, **more), code, seconds, *texts)
    with concurrent.futures.ThreadPoolExecutor(7) as pool:
        tasks = [
            # Every check of the kit waits for it, the patience long. Who serves has longer to begin beside the others.
            pool.submit(one, "mute", MUTE, "--mode", "keep", more=(kit,), patience="2s", seconds=110,
                        texts=("NOT CONFORMANT", "nothing in time")),
            pool.submit(one, "dies-later", DIES_LATER, "--mode", "keep", "--only", "W5,W10,B1", more=(kit,),
                        patience="4s", seconds=60,
                        texts=("W5-sequence-echoed, keep: FAILED", "W10-batch-empty, keep: FAILED",
                               "B1-cases-whole, keep: FAILED")),
            pool.submit(one, "dies", DIES, texts=("honest", "exit code 7 before it listened", "no licence file")),
            pool.submit(one, "crashes", CRASHES, texts=("signal 11", "before it listened", "printed nothing")),
            pool.submit(one, "never-listens", NEVER_LISTENS,
                        texts=("did not say where it listens within ", "loading tables")),
            pool.submit(one, "hangs", HANGS,
                        texts=("it listens on 127.0.0.1:", "but the reply to HELLO is nothing in time")),
            pool.submit(one, "stubborn", STUBBORN, texts=("did not say where it listens",)),
        ]
        for task in tasks:
            task.result()


def main():
    with tempfile.TemporaryDirectory() as folder:
        running_ones(folder)

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
        expect(Run(os.path.join(folder, "nowhere")), 2, 20, "nowhere")
    finish()


if __name__ == "__main__":
    main()
