#!/usr/bin/env python3
"""worked_bytes.py: plays the conversation of docs/PROTOCOL.md, byte by byte, against contestants.

`worked_bytes.py FOLDER…` starts each contestant by its contestant.json. Also checked: that the canonical form
in the page has the digest in the page, and that page and `matchrace conform --list` have the same numbers.
`worked_bytes.py --self-test` plays it against servers with a fault: each must be found out.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "PROTOCOL.md")
BUILD = os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release")
TIMEOUT_S = 20
# Mutations of mutant.py that the conversation must notice.
FAULTS = ("reply-reserved", "sequence-own", "welcome-no-knobs", "ack-error-stays", "ack-status-2",
          "ack-40-bytes", "stats-number", "stats-key-more", "sum-floors", "kept-key-more",
          "error-overtakes", "error-sequence-0", "error-silent", "banner")
sys.path.insert(0, os.path.join(ROOT, "contestants", "example-python"))
from xxh3 import xxh3  # noqa: E402


class Wrong(Exception):
    """What did not come as the page says."""


def blocks(page, kind):
    return re.findall(r"^```%s\n(.*?)^```$" % kind, page, re.M | re.S)


class Step:
    """Bytes to send ('C'), bytes to receive ('S', None where open), or a word: json, text, end."""

    def __init__(self, who, word, line):
        self.who, self.word, self.bytes, self.text, self.line = who, word, [], "", line


def read_steps(page):
    steps = []
    for block in blocks(page, "wire"):
        for line in block.splitlines():
            start = re.fullmatch(r"([CS]) (json \w+|text|end)", line)
            if start:
                steps.append(Step(start[1], start[2], line))
            elif line[:2] in ("C ", "S "):
                steps.append(Step(line[0], "bytes", line))
                steps[-1].bytes += hex_bytes(line[2:])
            elif steps[-1].word == "bytes":
                steps[-1].bytes += hex_bytes(line[2:])
            else:
                steps[-1].text += line + "\n"
    return steps


def hex_bytes(line):
    """The bytes of a line; the text to the right must show them."""
    digits, bar, shown = line.partition("|")
    found = [None if pair == ".." else int(pair, 16) for pair in digits.split()]
    if bar and None not in found:
        text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in found)
        if shown[1:].rstrip() != text.rstrip():
            raise Wrong("the page: '%s' is not the text of %s" % (shown, digits))
    return found


def same_shape(shown, got, path, exact):
    """Keys must be the same; below `exact` the values too, else their types."""
    if isinstance(shown, dict):
        if not isinstance(got, dict) or got.keys() != shown.keys():
            raise Wrong("%s: keys %s, not %s" % (path, sorted(shown), sorted(got)))
        for key, value in shown.items():
            open_keys = path == "json" and key in ("knobs", "libraries", "runtime") and exact != "exact"
            if not open_keys:
                same_shape(value, got[key], path + "." + key, "exact" if key == exact else exact)
    elif exact == "exact" and shown != got:
        raise Wrong("%s: %s, not %s" % (path, shown, got))
    elif exact != "exact" and type(got) is not type(shown) and got is not None:
        raise Wrong("%s: another type than %r" % (path, shown))


class Player:
    """A connection that follows the steps."""

    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)
        self.announced = 0  # bytes of payload in the last header received

    def receive(self, count):
        data = b""
        while len(data) < count:
            more = self.sock.recv(count - len(data))
            if not more:
                raise Wrong("the connection ends after %d of %d bytes" % (len(data), count))
            data += more
        return data

    def play(self, step):
        if step.who == "C":
            self.sock.sendall(bytes(step.bytes))
        elif step.word == "bytes":
            got = self.receive(len(step.bytes))
            for at, (wanted, byte) in enumerate(zip(step.bytes, got)):
                if wanted is not None and wanted != byte:
                    raise Wrong("byte %d behind '%s': %02x, not %02x (%s)" % (
                        at, step.line[:20], byte, wanted, got.hex(" ")))
            self.announced = int.from_bytes(got[:4], "little")
        elif step.word == "end":
            if self.sock.recv(1):
                raise Wrong("something comes behind ERROR")
        else:
            payload = self.receive(self.announced).decode("utf-8")
            if step.word.startswith("json"):
                same_shape(json.loads(step.text), json.loads(payload), "json", step.word.split()[1])
            elif not payload:
                raise Wrong("an ERROR without text")


def start(folder):
    with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
        contestant = json.load(file)
    words = [word.replace("${MR_BUILD_DIR}", os.path.abspath(BUILD)) for word in contestant["run"]]
    words += ["serve", "--listen", "127.0.0.1:0", "--mode", "keep", "--threads", "1"]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                            env={**os.environ, **contestant.get("env", {})})


def play_against(folder, steps):
    process = start(folder)
    try:
        line = process.stdout.readline().decode()
        found = re.fullmatch(r"listening 127\.0\.0\.1:(\d+)\n", line)
        if not found:
            raise Wrong("it prints %r, not where it listens" % line)
        player = Player(int(found[1]))
        for step in steps:
            player.play(step)
        player.sock.close()
    except OSError as fault:
        raise Wrong(str(fault)) from None
    finally:
        process.terminate()
        try:
            code = process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
    if code != 0:
        raise Wrong("exit code %d after SIGTERM" % code)


def check_canonical(page):
    form = bytes(int(pair, 16) for pair in blocks(page, "canonical")[0].split())
    digest = "%016x" % xxh3(form)
    if page.count(digest) < 4:
        raise Wrong("the canonical form of section 2 has digest %s, which the page does not say" % digest)


def check_numbers(page):
    """Every number of the page has a check, every check a sentence, in one place."""
    program = os.path.join(BUILD, "apps", "matchrace", "matchrace")
    text = subprocess.run([program, "conform", "--list"], check=True, capture_output=True, text=True,
                          timeout=TIMEOUT_S).stdout
    checks = re.findall(r"^([BNMWC]\d+)-\S+ ", text, re.M)
    numbers = re.findall(r"\*\*([BNMWC]\d+)\*\*", page)
    twice = {number for number in numbers if numbers.count(number) > 1}
    if twice or set(numbers) != set(checks) or not checks:
        raise Wrong("numbers twice: %s; without a check: %s; without a sentence: %s" % (
            sorted(twice), sorted(set(numbers) - set(checks)), sorted(set(checks) - set(numbers))))
    return len(checks)


def self_test(steps):
    """Faults that pass unseen; the server without a fault must hold."""
    unseen = []
    for name in (None, *FAULTS):
        words = [sys.executable, os.path.join(ROOT, "tests", "conformance", "mutant.py")]
        words += ["--mutation", name] if name else []
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
                json.dump({"run": words}, file)
            try:
                play_against(folder, steps)
                unseen += [name] if name else []
            except Wrong as fault:
                print("%s: %s" % (name, fault))
                unseen += [] if name else ["the server without a fault: %s" % fault]
    print("unseen: %s" % (", ".join(unseen) or "none"))
    return 1 if unseen else 0


def main(folders):
    if not folders:
        print("usage: worked_bytes.py CONTESTANT-FOLDER… | --self-test", file=sys.stderr)
        return 2
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    failed = False
    try:
        check_canonical(page)
        print("page: the canonical form has its digest; %d numbered sentences, each with a check"
              % check_numbers(page))
        steps = read_steps(page)
    except Wrong as fault:
        print("page: %s" % fault)
        return 1
    if folders == ["--self-test"]:
        return self_test(steps)
    for folder in folders:
        try:
            play_against(os.path.abspath(folder), steps)
            print("%s: the worked bytes hold (%d steps)" % (folder, len(steps)))
        except Wrong as fault:
            print("%s: %s" % (folder, fault))
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
