"""bench_parts.py: the parts that ./lab bench parse races beside parsers do what their names say: floors are
computed here once more, kernels that leave nothing out of the answer give the dataset's digest, and the others
do not."""

import json
import os
import subprocess
import sys

from data_common import BUILD, answers, main, path, payloads, run

PROGRAM = os.path.join(BUILD, "apps", "bench", "parse-parts")
MASK = (1 << 64) - 1


def part(name: str, part_name: str, code: int = 0, repeat: int = 2) -> list:
    """The lines that it prints, or what it says."""
    done = subprocess.run([PROGRAM, "parse", "--data", name, "--part", part_name, "--repeat", str(repeat)],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (part_name, done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()] if code == 0 else [done.stderr]


def digest(name: str, part_name: str) -> int:
    lines = part(name, part_name)
    assert len(lines) == 2 and all(line["ns"] > 0 for line in lines)
    assert lines[0]["digest"] == lines[1]["digest"], lines
    return int(lines[0]["digest"], 16)


def dataset(shape: str) -> str:
    name = path("parts-" + shape)
    if not os.path.exists(name + ".json"):
        run("make", "--shape", shape, "--seed", "5", "--batches", "5", "--batch-records", "100",
            "--out", name)
    return name


def expected(name: str) -> int:
    return sum(one[2] for one in answers(name)) & MASK


def test_floor():
    for shape in ("simple", "messy"):
        name = dataset(shape)
        texts = payloads(name)
        words = sum(int.from_bytes(text[at:at + 8], "little") for text in texts
                    for at in range(0, len(text), 8)) & MASK
        assert digest(name, "floor-read") == words
        assert digest(name, "floor-utf8") == len(texts)
        assert digest(name, "floor-digest") == expected(name)
        assert digest(name, "floor") == (words + len(texts) + expected(name)) & MASK
        line = part(name, "floor-read")[0]
        assert line["records"] == 500 and line["bytes"] == sum(map(len, texts))


def test_kernels():
    for shape in ("simple", "messy"):
        name = dataset(shape)
        for what in ("whole", "without-utf8", "without-guess", "without-totals", "batches-of-16",
                     "batches-of-64", "batches-of-256", "batches-of-1024", "batches-of-4096"):
            assert digest(name, what) == expected(name), (shape, what)
        assert digest(name, "without-digest") == 0
        # Whatever stands where no text was put goes into the digest.
        assert all(int(line["digest"], 16) != expected(name) for line in part(name, "without-copies"))
        assert digest(name, "rejected") == 0


def test_batches_are_joined():
    """By hand: two brackets a batch, and a comma between any two of its records."""
    name = dataset("simple")
    bare = sum(map(len, payloads(name))) - 5 * 2 - 5 * 99
    for size in (16, 4096):
        batches = -(-500 // size)
        assert part(name, "batches-of-%d" % size)[0]["bytes"] == bare + 2 * batches + 500 - batches


def test_wrong_data():
    name = path("parts-rejects")
    run("make", "--shape", "rejects", "--batches", "20", "--batch-records", "5", "--force", "--out", name)
    assert "no fault can be planted" in part(name, "rejected", 1)[0]
    assert "--data takes" in part(path("parts-none"), "floor", 1)[0]
    assert "no such part" in part(name, "ceiling", 2)[0]


def test_parts_that_are_absent():
    """The tables behind a bench whose parts did not run: "unavailable", and no file of that name."""
    report, trials, folder = path("absent.md"), path("absent.csv"), path("absent")
    with open(report, "w", encoding="utf-8") as file:
        file.write("## Results\n### simple, what is left out\n"
                   "| parse-parts@without-digest : parse-parts@whole | \u2013 | \u2013 to \u2013 | \u2013 % | 0 | x |\n"
                   "### simple, the floor\n| parse-parts@floor | 0 | \u2013 | \u2013 | \u2013 |\n"
                   "| parse-parts@floor-read | 12 | 1 | 7.5 | 2 |\n")
    with open(trials, "w", encoding="utf-8") as file:
        file.write("cell,entry,ns_per_record\n")
    os.makedirs(folder, exist_ok=True)
    awk = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "bench", "parts.awk")
    done = subprocess.run(["awk", "-f", awk, report, trials], cwd=folder, capture_output=True, text=True, check=True)
    words = [line.split() for line in done.stdout.splitlines() if line.startswith("  ")]
    assert words == [["digest", "unavailable"], ["floor", "unavailable"], ["floor-read", "7.5"]], done.stdout
    assert os.listdir(folder) == []


def has_kernel() -> bool:
    done = subprocess.run([PROGRAM, "parse", "--data", "none", "--part", "whole"], capture_output=True,
                          text=True, check=False)
    return "cannot run" not in done.stderr


if __name__ == "__main__":
    if not os.path.exists(PROGRAM):
        print("skipped: parse-parts is not built (it needs simdjson below .deps/)")
        sys.exit(77)
    if not has_kernel():
        print("this machine has no AVX-512: only the floor is looked at")
        del test_kernels, test_batches_are_joined, test_wrong_data
    main(globals())
