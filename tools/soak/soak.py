#!/usr/bin/env python3
"""soak.py: one server under verified load for a while: its resident size and its descriptors must stay flat.

The load keeps its two connections, so that rings fill once, and their places, which are used again and again, soon have
met their largest batch; beside it other connections come, say HELLO and go. The time is cut into 30 bins: of each count
the median resident size and the fewest descriptors. The first half is warm-up. Flat is what is not surely rising:
the lower end of the slope's interval (95 %), over the time that counts, stays within the allowance.

What a garbage collector has not collected yet is no leak, and a server that allocates 200 KB a second takes minutes to fill
its youngest generation for the first time (20 MiB by default). So a managed server runs with a youngest generation of
1 MiB, unless the environment says otherwise, and time counts only from its second collection on. Where a rise is, the kinds
of memory tell: the collector's heap, code, files, and the rest.
"""

import argparse
import json
import os
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

from memory_kinds import kinds_of
from slope import Slope, theil_sen

BINS = 30
SAMPLES_A_BIN = 20
SECONDS_MIN = 3
GUEST_S = 0.2  # from one guest's connection to the next one's
START_S = 30.0
END_S = 5.0
LOAD_SLACK_S = 60.0
EXIT_OK, EXIT_ENVIRONMENT, EXIT_WRONG, EXIT_INCOMPLETE = 0, 1, 3, 5
RSS_ALLOWED_SHARE = 0.02  # of the median; what a heap's own ups and downs leave in half a soak
RSS_ALLOWED_BYTES = 1 << 20
DESCRIPTORS_ALLOWED = 0.5
YOUNGEST_GENERATION = {"DOTNET_GCgen0size": "100000"}  # bytes, hexadecimal
COLLECTIONS_BEFORE = 2
BINS_COUNTED_MIN = 10  # of which a slope can be told
HEAD = struct.Struct("<IBBHQ")
HELLO = HEAD.pack(0, 0x01, 1, 0, 0)  # docs/PROTOCOL.md, section 1
WELCOME = 0x81
STATS = HEAD.pack(0, 0x03, 1, 0, 0)


class Bin(NamedTuple):
    """What was seen in one of the bins."""

    end_s: float
    rss_bytes: float
    descriptors: int
    kinds: dict  # bytes in memory by kind, at the bin's end
    collections: int  # of the youngest generation since the start; -1: it has none


class Failure(Exception):
    """The soak could not go on; the exit code says whose fault it is."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


class Server:
    """The contestant, started as its contestant.json says."""

    def __init__(self, folder: str, variant: str, build_dir: str, words: list):
        with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        if variant and variant not in manifest.get("variants", {}):
            raise Failure(EXIT_ENVIRONMENT, f"{manifest['name']} has no variant '{variant}'")
        chosen = manifest.get("variants", {}).get(variant, {})
        self.name = manifest["name"] + (f"@{variant}" if variant else "")
        command = [word.replace("${MR_BUILD_DIR}", build_dir) for word in chosen.get("run", manifest["run"])]
        youngest = YOUNGEST_GENERATION if manifest.get("managed") else {}
        environment = {**youngest, **os.environ, **manifest.get("env", {}), **chosen.get("env", {})}
        try:
            self.process = subprocess.Popen([*command, "serve", "--listen", "127.0.0.1:0", *words, *chosen.get("args", [])],
                                            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        except OSError as error:
            raise Failure(EXIT_ENVIRONMENT, f"{command[0]}: {error.strerror} (is it built?)") from error
        self.address = self._address()

    def _address(self) -> str:
        ready, _, _ = select.select([self.process.stdout], [], [], START_S)
        words = self.process.stdout.readline().decode().split() if ready else []
        if len(words) != 2 or words[0] != "listening":
            self.process.kill()
            raise Failure(EXIT_WRONG, f"{self.name} does not say where it listens")
        return words[1]

    def rss_bytes(self) -> int:
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def collections(self) -> int:
        """How often the runtime has collected; -1 of one that has no such thing."""
        host, port = self.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=START_S) as connection:
            connection.sendall(STATS)
            with connection.makefile("rb") as answer:
                reply = json.loads(answer.read(HEAD.unpack(answer.read(HEAD.size))[0]))
        counts = (reply["runtime"] or {}).get("gc_collections")
        return int(counts[0], 16) if counts else -1

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Guests(threading.Thread):
    """Connections that come, say HELLO, hear WELCOME, and go: what a connection leaves behind adds up."""

    def __init__(self, address: str):
        super().__init__(daemon=True)
        host, port = address.rsplit(":", 1)
        self.target, self.count, self.fault, self.stopped = (host, int(port)), 0, "", threading.Event()

    def run(self) -> None:
        while not self.stopped.wait(GUEST_S) and not self.fault:
            try:
                self._visit()
                self.count += 1
            except (OSError, ValueError) as error:
                self.fault = f"guest {self.count}: {error}"

    def _visit(self) -> None:
        with socket.create_connection(self.target, timeout=START_S) as connection:
            connection.sendall(HELLO)
            head = connection.recv(HEAD.size, socket.MSG_WAITALL)
            if len(head) != HEAD.size or HEAD.unpack(head)[1] != WELCOME:
                raise ValueError("no WELCOME")
            connection.recv(HEAD.unpack(head)[0], socket.MSG_WAITALL)

    def end(self) -> None:
        self.stopped.set()
        self.join()


def watch(server: Server, load: subprocess.Popen, seconds: float) -> list:
    """The bins of `seconds` from now; fewer where the load or the server ends before."""
    bins, collections = [], 0
    start = time.monotonic()
    for number in range(BINS):
        sizes, descriptors = [], []
        for sample in range(SAMPLES_A_BIN):
            due = start + (number + (sample + 1) / SAMPLES_A_BIN) * seconds / BINS
            time.sleep(max(0.0, due - time.monotonic()))
            if load.poll() is not None:
                return bins
            try:
                sizes.append(server.rss_bytes())
                descriptors.append(server.descriptors())
            except (OSError, IndexError):
                return bins  # it has ended, and /proc with it
        try:
            kinds = kinds_of(server.process.pid)
            # Asking takes its turn behind batches: only as long as the answer can matter.
            if not bins or 0 <= collections < COLLECTIONS_BEFORE:
                collections = server.collections()
        except (OSError, struct.error):
            return bins  # it has ended, with or without half a reply
        except (ValueError, LookupError, TypeError) as error:
            raise Failure(EXIT_WRONG, f"{server.name}: its answer to STATS is none: {error}") from error
        bins.append(Bin(time.monotonic() - start, statistics.median(sizes), min(descriptors), kinds, collections))
        if sys.stderr.isatty():
            print(f"\r{server.name}: {number + 1} of {BINS}", end="\n" if number + 1 == BINS else "", file=sys.stderr)
    return bins


def soak(server: Server, options) -> tuple:
    """Bins, and the records a second of the load."""
    guests = Guests(server.address)
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "load.json")
        words = [options.program, "load", "--connect", server.address, "--data", options.data, "--mode", options.mode,
                 "--connections", "2", "--depth", "32", "--warmup", "0ms", "--window", f"{options.seconds + 1:.3f}s", "--out", out, "--trust-hashes"]
        load = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        guests.start()
        try:
            bins = watch(server, load, options.seconds)
            _, complaint = load.communicate(timeout=LOAD_SLACK_S)
        finally:
            load.kill()
            guests.end()
        if load.returncode != 0:
            raise Failure(load.returncode, f"{server.name}: the load ended with code {load.returncode}: {complaint.strip()}")
        if guests.fault or len(bins) < BINS:
            raise Failure(EXIT_WRONG, f"{server.name}: {guests.fault or 'it ended before the soak did'}")
        with open(out, encoding="utf-8") as file:
            return bins, json.load(file)["window"]["records_per_s"], guests.count


def judge(what: str, unit: str, bins: list, values: list, scale: float, allowed: float) -> bool:
    """Prints one line; True: flat."""
    seconds = [one.end_s for one in bins]
    span = seconds[-1] - seconds[0]
    slope: Slope = theil_sen(seconds, values)
    flat = slope.low * span <= allowed
    print(f"  {what}: median {statistics.median(values) / scale:.2f}{unit}, slope over {span:.0f} s "
          f"{slope.estimate * span / scale:+.3f}{unit} [{slope.low * span / scale:+.3f}, {slope.high * span / scale:+.3f}], "
          f"allowed {allowed / scale:.2f}{unit}: {'flat' if flat else 'RISING'}")
    return flat


def counted_of(bins: list) -> list:
    """The later half, from the second collection on; those of a runtime without collections all count."""
    return [one for one in bins[len(bins) // 2:] if not 0 <= one.collections < COLLECTIONS_BEFORE]


def kinds_text(bins: list) -> str:
    first, last = bins[0].kinds, bins[-1].kinds
    return ", ".join(f"{kind} {last[kind] / 2**20:.1f} MiB ({(last[kind] - first[kind]) / 2**20:+.2f})" for kind in last)


def report(server: Server, bins: list, records_per_s: float, guests: int) -> bool:
    counted = counted_of(bins)
    if len(counted) < BINS_COUNTED_MIN:
        raise Failure(EXIT_INCOMPLETE, f"{server.name}: its collector ran {bins[-1].collections} times, too seldom or too late to tell a leak "
                                       "from what is not collected yet; --seconds must be longer")
    sizes = [one.rss_bytes for one in counted]
    print(f"{server.name}: {bins[-1].end_s:.0f} s, of which the last {counted[-1].end_s - counted[0].end_s:.0f} s count; "
          f"{records_per_s:.0f} records/s, {guests} guests")
    rss = judge("resident size", " MiB", counted, sizes, 1 << 20,
                max(RSS_ALLOWED_BYTES, RSS_ALLOWED_SHARE * statistics.median(sizes)))
    print(f"  by kind at its end, and since the time that counts began: {kinds_text(counted)}")
    descriptors = judge("descriptors", "", counted, [one.descriptors for one in counted], 1, DESCRIPTORS_ALLOWED)
    return rss and descriptors


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="soak.py", description=__doc__.splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", help="of a contestant.json")
    parser.add_argument("--seconds", type=float, default=300, help="of load, in all; 300")
    parser.add_argument("--mode", default="keep", choices=["drain", "totals", "keep", "fresh"], help="keep by default")
    parser.add_argument("--variant", default="", metavar="NAME", help="run it as this variant")
    parser.add_argument("--program", required=True, metavar="FILE", help="matchrace")
    parser.add_argument("--data", required=True, metavar="DATASET", help="without .batches")
    parser.add_argument("--build-dir", required=True, metavar="FOLDER", help="what ${MR_BUILD_DIR} stands for")
    parser.add_argument("--json", metavar="FILE", help="write the bins, too")
    options = parser.parse_args()
    if not options.seconds >= SECONDS_MIN:
        parser.error(f"--seconds must be at least {SECONDS_MIN}")
    return options


def run(options: argparse.Namespace) -> int:
    server = Server(os.path.realpath(options.folder), options.variant, os.path.realpath(options.build_dir),
                    ["--mode", options.mode])
    try:
        bins, records_per_s, guests = soak(server, options)
    finally:
        code = server.end()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"contestant": server.name, "mode": options.mode, "bins": [one._asdict() for one in bins]}, file,
                      indent=2)
    flat = report(server, bins, records_per_s, guests)
    if code != 0:
        print(f"  it ended with code {code} on SIGTERM instead of 0")
    return EXIT_OK if flat and code == 0 else EXIT_WRONG


def main() -> int:
    try:
        return run(arguments())
    except Failure as failure:
        print(f"soak: {failure}", file=sys.stderr)
        return failure.code


if __name__ == "__main__":
    sys.exit(main())
