"""bench_null_sender.py: the table by which ./lab bench load tells the kernel's cost from the generator's own: medians,
intervals and growth of made-up trials come out as computed here, and trials that do not count stay out."""

import os
import random
import statistics
import subprocess

from data_common import main, path

SOURCE = os.environ["MR_SOURCE_DIR"]
COUNTS = (1, 16, 1000)


def table(rows: list) -> str:
    """What it prints for [(cell, row, entry, outcome, ns)]."""
    name = path("trials.csv")
    with open(name, "w", newline="") as out:
        out.write("number,cell,row,entry,outcome,batches_per_s,generator_ns_per_batch\r\n")
        for number, (cell, row, entry, outcome, ns) in enumerate(rows):
            out.write("%d,%s,%d,%s,%s,5,%s\r\n" % (number, cell, row, entry, outcome, ns))
    done = subprocess.run(["awk", "-f", os.path.join(SOURCE, "tools", "bench", "null-sender.awk"), name],
                          capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == "", done.stderr
    return done.stdout


def entry(kind: str, connections: int) -> str:
    words = "%d connection%s" % (connections, "" if connections == 1 else "s")
    return words if kind == "gen" else "null sender: " + words


def made(count: int) -> tuple:
    """Costs by row, kind and connections, and the trials that say them, in any order."""
    random.seed(3)
    costs = [{(kind, c): base * random.uniform(0.9, 1.1) for kind, c, base in
              (("gen", 1, 8000), ("gen", 16, 9000), ("gen", 1000, 12500), ("null", 1, 6000), ("null", 16, 7000),
               ("null", 1000, 10000))} for _ in range(count)]
    rows = [("cost by connections", row, entry(*key), "counted", repr(ns)) for row, one in enumerate(costs)
            for key, ns in one.items()]
    rows += [("another cell", 0, entry("gen", 1), "counted", "1"), ("cost by connections", 0, entry("gen", 1), "excluded", "1"),
             ("cost by connections", 3, entry("gen", 100), "counted", "9999")]
    random.shuffle(rows)
    return costs, rows


def expect(text: str, begin: str, values: list, digits: int, left_out: int) -> None:
    values = sorted(values)
    said = "%.*f" % (digits, statistics.median(values))
    bounds = "[%.*f to %.*f]" % (digits, values[left_out - 1], digits, values[-left_out])
    lines = [line for line in text.splitlines() if begin in line]
    assert lines and any(said in line and bounds in line for line in lines), (begin, said, bounds, text)


def test_table() -> None:
    # 12 rows: the third from either end, for 2 * (1 + 12 + 66) / 4096 < 5 %, and the fourth would be over.
    costs, rows = made(12)
    text = table(rows)
    gen = lambda c: [one["gen", c] for one in costs]
    null = lambda c: [one["null", c] for one in costs]
    for c in COUNTS:
        expect(text, "  %d " % c, [(a - b) / 1000 for a, b in zip(gen(c), null(c))], 2, 3)
        expect(text, "  %d " % c, [a / b for a, b in zip(gen(c), null(c))], 3, 3)
    assert text.count("From ") == 2 and "From 1 to 1000" in text and "From 16 to 1000" in text, text
    for few in (1, 16):
        expect(text, "the generator   ", [a / b for a, b in zip(gen(1000), gen(few))], 3, 3)
        expect(text, "the null sender ", [a / b for a, b in zip(null(1000), null(few))], 3, 3)
        expect(text, "one over the other", [a / b / (c / d) for a, b, c, d in
                                            zip(gen(1000), gen(few), null(1000), null(few))], 3, 3)
        expect(text, "generator's own", [(a - b - c + d) / 1000 for a, b, c, d in
                                         zip(gen(1000), null(1000), gen(few), null(few))], 2, 3)
    assert text.count("by the kernel alone") == 2, text


def test_little() -> None:
    _, rows = made(4)
    assert "[too few rows]" in table(rows) and "by the kernel alone" not in table(rows)
    assert table([row for row in rows if not row[2].startswith("null")]) == ""
    assert table([]) == ""


if __name__ == "__main__":
    main(globals())
