#!/usr/bin/env python3
"""csharp_idle.py: what a C# server needed for large payloads goes back when its connections have nothing more to say."""

import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from wire_client import ACCEPTED, Server  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("MR_BUILD_DIR", os.path.join(ROOT, "build", "release"))
CONNECTIONS = 8
PAYLOAD = b"[" + b" " * (12 << 20) + b"]"
PATIENCE_S = 15.0


def resident_bytes(pid: int) -> int:
    with open("/proc/%d/statm" % pid, encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def check(io: str, left: int) -> None:
    folder = os.environ["MR_CONTESTANT"]
    with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    command = [word.replace("${MR_BUILD_DIR}", BUILD) for word in manifest["run"]]
    with Server(command, ["--mode", "drain", "--io", io], folder=folder) as server:
        clients = [server.connect() for _ in range(CONNECTIONS)]
        for client in clients:
            assert client.batch(b"[]").status == ACCEPTED
        before = resident_bytes(server.process.pid)
        for client in clients:
            assert client.batch(PAYLOAD).status == ACCEPTED
        full = resident_bytes(server.process.pid)
        assert full - before > CONNECTIONS // 2 * len(PAYLOAD), "large payloads took no memory: %d, %d" % (before, full)
        allowed = before + left * len(PAYLOAD)
        end = time.monotonic() + PATIENCE_S
        while resident_bytes(server.process.pid) > allowed and time.monotonic() < end:
            time.sleep(0.1)
        idle = resident_bytes(server.process.pid)
        assert idle <= allowed, "%s: %d bytes before, %d with large payloads, still %d" % (io, before, full, idle)
        # Who was idle goes on as before.
        for client in clients:
            assert client.batch(PAYLOAD).status == ACCEPTED
        print("%s: %.1f MiB before, %.1f with large payloads, %.1f idle"
              % (io, before / 2**20, full / 2**20, idle / 2**20))


if __name__ == "__main__":
    check("inline", 1)
    # A thread that waits in a system call has stale references in frames that were not compiled anew yet.
    check("blocking", CONNECTIONS // 2)
