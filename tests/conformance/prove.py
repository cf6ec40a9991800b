#!/usr/bin/env python3
"""prove.py: runs the conformance kit against every mutant server: each must fail its own check and no other.

`./lab prove conform` is this script. A mutant (mutant.py) breaks one sentence of docs/PROTOCOL.md. It is
caught when the check of that number fails; a check that fails beside it must be listed with the mutant, with
a reason. The server without a mutation must pass everything, and every check must have a mutant.
Exit code 3: a mutant was not caught, or not by its own check alone.
"""

import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import mutant  # noqa: E402

WRONG = 3
RUN_TIMEOUT_S = 150
MODES = ("drain", "totals", "keep", "fresh")
# For a test of a minute: of every kind of check some, and only the neighbours of the check run.
SUBSET = ("burst-takes-infinity", "records-65536", "rejected-adds-bytes", "drain-looks", "ring-of-63",
          "rings-stay", "payload-limit-late", "sequence-32-bits", "welcome-pid", "ack-status-2",
          "stats-upper-case", "reserved-low-byte", "error-overtakes", "stats-overtake", "stats-torn",
          "reply-waits", "half-close-drops", "cut-off-counted", "over-limit-silent", "nagle",
          "logs-rejected", "sigterm-idle-1", "usage-exit-1", "parse-adds-up", "step-ignored")

EXAMPLES = """examples:
  ./lab prove conform                         all mutants, the whole kit against each
  ./lab prove conform --mutation nagle        one of them
  ./lab prove conform --check W5 --check W32  the mutants of two checks
  ./lab prove conform --near                  quicker: only the checks around the broken one
  ./lab prove conform --list                  what there is
"""


class Kit:
    """The program, and the children that run."""

    def __init__(self, program):
        self.program, self.running, self.lock, self.stopped = program, set(), threading.Lock(), False
        self.checks = re.findall(r"^(([BNMWC]\d+)-\S+) +(\S+)", self.output("conform", "--list"), re.M)
        self.numbers = [number for _, number, _ in self.checks]

    def output(self, *words):
        return subprocess.run([self.program, *words], check=True, capture_output=True, text=True,
                              timeout=RUN_TIMEOUT_S).stdout

    def run(self, words):
        with self.lock:
            if self.stopped:
                return "stopped"
            child = subprocess.Popen([self.program, *words], stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True)
            self.running.add(child)
        try:
            return child.communicate(timeout=RUN_TIMEOUT_S)[0]
        except subprocess.TimeoutExpired:
            child.terminate()  # the kit ends its server
            return child.communicate()[0]
        finally:
            with self.lock:
                self.running.discard(child)

    def stop(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # a second one may not cut the clearing up short
        with self.lock:
            self.stopped = True
            for child in self.running:
                child.terminate()


def write_contestant(folder, name):
    """A contestant.json outside the tree, as a stranger's would be."""
    # Started some thousand times: as a module it is compiled once, outside the tree.
    cache = os.path.join(os.path.dirname(folder), "pycache")
    program = "import sys; sys.path.insert(0, %r); import mutant; sys.exit(mutant.main(sys.argv[1:]))"
    words = [sys.executable, "-S", "-E", "-X", "pycache_prefix=" + cache, "-c", program % HERE]
    if name != "honest":
        words += ["--mutation", name]
    os.mkdir(folder)
    with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
        json.dump({"name": "honest", "jobs": ["ingest"], "language": "Python", "class": "stock",
                   "how": "A server made to be broken.", "licence": "MIT", "text": "utf8",
                   "run": words, "parser_files": [], "memory_safety": "by the language",
                   "any_json": True, "conformance": "full"}, file)


def neighbours(kit, entry):
    """The check, its side effects, and what stands beside them in the list."""
    near = set()
    for number in (entry.check, *entry.also):
        at = kit.numbers.index(number)
        near |= set(kit.numbers[max(0, at - 2):at + 3])
    return sorted(near, key=kit.numbers.index)


class Outcome:
    """What the kit found in one run."""

    def __init__(self, text, file):
        self.text, self.failed, self.seconds, self.complete = text, {}, 0.0, False
        try:
            with open(file, encoding="utf-8") as handle:
                found = json.load(handle)["contestants"][0]
        except (OSError, ValueError, LookupError):
            return
        self.complete = "trouble" not in found
        self.seconds = found["seconds"]
        self.trouble = found.get("trouble", "")
        for check in found["checks"]:
            if check["outcome"] == "failed":
                number = check["check"].split("-")[0]
                self.failed.setdefault(number, "%s: expected %s; got %s" % (
                    check["mode"], check["expected"], check["got"]))


def run(kit, folder, name, modes, only, sample):
    place = os.path.join(folder, name)
    write_contestant(place, name)
    file = os.path.join(place, "findings.json")
    words = ["conform", "--patience", "3s", "--sample", str(sample), "--json", file,
             "--stamp-dir", place, "--limit", "120s"]
    for mode in modes:
        words += ["--mode", mode]
    if only:
        words += ["--only", ",".join(only)]
    return Outcome(kit.run([*words, place]), file)


def judge(entry, outcome):
    """'' when the mutant was caught as it must be, else what is wrong."""
    if not outcome.complete:
        return "not run to the end: " + outcome.text[-300:]
    if entry.check not in outcome.failed:
        return "ESCAPED: %s passed" % entry.check
    stray = sorted(set(outcome.failed) - {entry.check} - set(entry.also))
    if stray:
        return "TRIPS TOO: " + "; ".join("%s (%s)" % (check, outcome.failed[check]) for check in stray)
    return ""


def choose(options, kit):
    names = list(mutant.MUTANTS)
    if options.subset:
        names = list(SUBSET)
    if options.mutation:
        names = options.mutation
    if options.check:
        names = [name for name in names if mutant.MUTANTS[name].check in options.check]
    unknown = [name for name in names if name not in mutant.MUTANTS]
    unknown += [check for check in options.check or () if check not in kit.numbers]
    if unknown or not names:
        print("prove.py: unknown: %s (--list shows them)" % ", ".join(unknown or ["nothing chosen"]),
              file=sys.stderr)
        sys.exit(2)
    return names


def show_progress(done, total, started, what):
    if sys.stderr.isatty():
        left = (time.monotonic() - started) / done * (total - done) if done else 0
        print("\r\033[K[%d/%d] %s%s" % (done, total, what, ", about %d s left" % left if done else ""),
              end="", file=sys.stderr, flush=True)


def clear_progress():
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def prove_honest(kit, folder, near):
    """Without a mutation nothing may fail, or the table proves nothing."""
    outcome = run(kit, folder, "honest", ("keep",) if near else MODES, (), 16)
    good = outcome.complete and not outcome.failed
    print("%-26s %-6s %s" % ("(no mutation)", "all" if not near else "keep",
                             "passes every check" if good else "FAILS"), flush=True)
    if not good:
        print(outcome.text)
    return good


def report(kit, name, outcome):
    """Prints the mutant's lines; what is wrong with its outcome, or ''."""
    entry, fault = mutant.MUTANTS[name], judge(mutant.MUTANTS[name], outcome)
    caught = " ".join(sorted(outcome.failed, key=kit.numbers.index)) or "nobody"
    print("%-26s %-6s %-30s %s" % (name, entry.mode, caught, entry.what), flush=True)
    if fault:
        print("    %s" % fault, flush=True)
    for check in sorted(set(entry.also) & set(outcome.failed)):
        print("    %s too: %s" % (check, entry.also[check]), flush=True)
    return fault


def prove(kit, options, names, folder):
    started, faults, done = time.monotonic(), [], 0
    print("%-26s %-6s %-30s %s" % ("mutant", "mode", "caught by", "what it breaks"), flush=True)
    if not prove_honest(kit, folder, options.near or options.subset):
        faults.append("the server without a mutation fails")
    near = options.near or options.subset
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = {pool.submit(run, kit, folder, name, (mutant.MUTANTS[name].mode,),
                             neighbours(kit, mutant.MUTANTS[name]) if near else (), 16): name
                 for name in names}
        try:
            for task in concurrent.futures.as_completed(tasks):
                done += 1
                clear_progress()
                fault = report(kit, tasks[task], task.result())
                faults += ["%s: %s" % (tasks[task], fault.split(":")[0])] if fault else []
                show_progress(done, len(names), started, "mutants")
        except (KeyboardInterrupt, SystemExit):
            kit.stop()  # before the pool waits for what runs
            raise
    clear_progress()
    return faults, time.monotonic() - started


def without_mutant(kit):
    broken = {entry.check for entry in mutant.MUTANTS.values()}
    return [number for number in kit.numbers if number not in broken]


def parse_words():
    parser = argparse.ArgumentParser(
        prog="./lab prove conform", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutation", action="append", metavar="NAME", help="only this one; again for more")
    parser.add_argument("--check", action="append", metavar="CHECK", help="only mutants of this check (W5)")
    parser.add_argument("--near", action="store_true",
                        help="run only the checks around the broken one, not the whole kit")
    parser.add_argument("--subset", action="store_true", help="some mutants of every kind, as --near")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="mutants at one time; default 2")
    parser.add_argument("--list", action="store_true", help="print the mutants and end")
    return parser.parse_args()


def main():
    options = parse_words()
    if options.list:
        mutant.print_list()
        return 0
    build = os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release")
    program = os.path.join(build, "apps", "matchrace", "matchrace")
    if not os.access(program, os.X_OK):
        print("prove.py: no program %s; ./lab build makes it" % program, file=sys.stderr)
        return 1
    kit = Kit(program)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="matchrace-prove-", ignore_cleanup_errors=True) as folder:
        try:
            names = choose(options, kit)
            faults, seconds = prove(kit, options, names, folder)
        except (KeyboardInterrupt, SystemExit) as end:
            kit.stop()
            print("prove.py: interrupted", file=sys.stderr)
            return end.code if isinstance(end, SystemExit) else 130
    if not options.mutation and not options.check:
        faults += ["%s has no mutant" % number for number in without_mutant(kit)]
    print("\n%d mutants, %d checks: %s (%.0f s)" % (
        len(names), len(kit.checks),
        "every mutant was caught by its own check" if not faults else "NOT PROVEN", seconds))
    for fault in faults:
        print("  " + fault)
    return WRONG if faults else 0


if __name__ == "__main__":
    sys.exit(main())
