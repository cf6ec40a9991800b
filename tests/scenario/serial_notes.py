#!/usr/bin/env python3
"""serial_notes.py: a contestant of the job `notes` by its command line: every form, corpus and profile that it has.

The contestant is the folder MR_CONTESTANT. Sizes and digests of all sixteen variants must be those of the reference's
table, the first text must be read back by another parser; wrong words get a clear line and exit code 2.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
from reference import notes as reference, xxh3  # noqa: E402

BUILD_DIR = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
FOLDER = os.environ["MR_CONTESTANT"]
FORMS = {"bytes-reuse": "utf8", "bytes-fresh": "utf8", "string-fresh": "utf16"}
COUNT, SEED = 1000, 42
SKIPPED = 77
SUMMARY_KEYS = ("contestant", "version", "language", "runtime", "kernel", "build_flags", "libraries", "form", "corpus",
                "escape", "count", "seed", "iterations", "first_ns", "ten_ns", "steady_ns", "unsteady",
                "data_peak_rss_bytes", "peak_rss_bytes", "allocated_bytes_per_iteration", "minor_faults",
                "major_faults", "gc_collections", "gc_pause_ns", "gc_mode", "compiled_methods")


def command():
    with open(os.path.join(FOLDER, "contestant.json"), encoding="utf-8") as file:
        contestant = json.load(file)
    return [word.replace("${MR_BUILD_DIR}", BUILD_DIR) for word in contestant["run"]], contestant


def run(words, **more):
    return subprocess.run([*command()[0], "notes", *words], cwd=FOLDER, capture_output=True, text=True, timeout=100,
                          check=False, **more)


def lines_of(done):
    assert done.returncode == 0 and done.stderr == "", (done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_summary(summary, form, corpus, profile, iterations):
    assert tuple(summary) == SUMMARY_KEYS, tuple(summary)
    said = [summary[key] for key in ("contestant", "form", "corpus", "escape", "count", "seed", "iterations")]
    assert said == [os.path.basename(FOLDER), form, corpus, profile, COUNT, SEED, iterations], said
    assert summary["ten_ns"] > 0 and summary["first_ns"] > 0
    assert summary["peak_rss_bytes"] >= summary["data_peak_rss_bytes"] > 0


def check_texts(form, corpus, profile, scratch):
    """False where the contestant has no such form."""
    output = os.path.join(scratch, "text.json")
    done = run(["--form", form, "--corpus", corpus, "--escape", profile, "--count", str(COUNT), "--seed", str(SEED),
                "--repeat", "18", "--output", output])
    if done.returncode == 2:
        assert done.stdout == "" and "no such form" in done.stderr and done.stderr.count("\n") == 1, done.stderr
        return False
    *iterations, summary = lines_of(done)
    known = reference.known(COUNT, SEED, corpus)
    right = known["texts"]["%s %s" % (profile, FORMS[form])]
    assert len(iterations) == 18
    for number, line in enumerate(iterations):
        assert line["iteration"] == number and line["ns"] > 0, line
        assert [line["bytes"], line["digest"]] == right[number % reference.VARIANTS], (form, corpus, profile, line)
    check_summary(summary, form, corpus, profile, 18)
    with open(output, "rb") as file:
        text = file.read().decode("utf-8" if FORMS[form] == "utf8" else "utf-16-le")
    decoded = reference.decoded_bytes(reference.read_back(text))
    assert "%016x" % xxh3.xxh3_64(decoded) == known["decoded"]
    return True


def check_all(scratch):
    had = set()
    for form in FORMS:
        for corpus in reference.CORPORA:
            for profile in reference.PROFILES:
                if check_texts(form, corpus, profile, scratch):
                    had.add((form, profile))
    assert ("bytes-reuse" in {form for form, _ in had}) or ("bytes-fresh" in {form for form, _ in had}), had
    return sorted(had)


def check_step():
    words = ["--count", "10", "--step"]
    *iterations, summary = lines_of(run(words, input="\n" * 3))
    assert [line["iteration"] for line in iterations] == [0, 1, 2] and summary["iterations"] == 3
    assert summary["steady_ns"] is None and summary["unsteady"] is None
    *iterations, summary = lines_of(run([*words, "--repeat", "2"], input="\n" * 3))
    assert len(iterations) == 2
    *iterations, summary = lines_of(run(words, input=""))
    assert iterations == [] and summary["iterations"] == 0
    *iterations, summary = lines_of(run(["--count", "0", "--repeat", "1"]))
    assert iterations[0]["bytes"] in (2, 4)


def check_refusals():
    for words in (["--form", "nothing"], ["--corpus", "latin"], ["--escape", "none"], ["--count", "-1"],
                  ["--count", "10000001"], ["--seed", "x"], ["--repeat", "0"], ["--unknown"], ["word"], ["--form"],
                  ["--kernel", "none", "--count", "1"]):
        done = run(words)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, (words, done)
    done = run(["--help"])
    assert done.returncode == 0 and "Examples:" in done.stdout and done.stderr == ""
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*command()[0], "notes", "--count", "1", "--repeat", "1"], cwd=FOLDER, stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=100, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done


def main():
    program = command()[0][-1]
    if not os.path.exists(program):
        print("%s is not built: skipped" % os.path.relpath(program, ROOT))
        return SKIPPED
    check_refusals()
    check_step()
    with tempfile.TemporaryDirectory(prefix="mr-notes-") as scratch:
        had = check_all(scratch)
    print("%s: %s" % (os.path.basename(FOLDER), ", ".join("%s %s" % pair for pair in had)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
