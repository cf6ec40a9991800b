#!/usr/bin/env python3
"""prove.py: every lie that can be told to the load generator, told: it is caught, and gets through without its gate.

`./lab prove lies` is this script. One row a lie: the gate that must catch it, whether it did, and whether the
lie gets through where that gate is switched off, so that the row shows that the gate does the work. Honest runs
must pass every gate. Where a second gate catches what the first let pass, it is switched off, too, and named.
Exit code 3: a row is not right.
"""

import argparse
import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import others  # noqa: E402
import table  # noqa: E402

WRONG = 3
ATTEMPTS = 3  # of a row that the host made say nothing
AGAIN_S = 240  # what all such attempts may take, so that the whole stays within some minutes
EXAMPLES = """examples:
  ./lab prove lies                                   every row: some minutes
  ./lab prove lies --list                            what there is
  ./lab prove lies --only stale-digest --only early  these rows
  ./lab prove lies --quick                           the part that is a test
"""


def all_rows() -> list:
    import rows_gates
    import rows_host
    import rows_race
    import rows_theory
    import rows_time
    rows = [*rows_gates.rows(), *rows_time.rows(), *rows_theory.rows(), *rows_host.rows(), *rows_race.rows()]
    names = [row.name for row in rows]
    assert len(names) == len(set(names)), "two rows have one name"
    return rows


def command_line() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./lab prove lies", description=__doc__.partition("\n\n")[2], epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the rows and do nothing")
    parser.add_argument("--only", action="append", metavar="NAME", help="this row; may be given again")
    parser.add_argument("--quick", action="store_true", help="the rows that are part of the tests")
    return parser.parse_args()


def chosen(options: argparse.Namespace, rows: list) -> list:
    if options.only:
        names = [row.name for row in rows]
        for name in options.only:
            if name not in names:
                print("prove lies: there is no row '%s'; there are: %s" % (name, " ".join(names)),
                      file=sys.stderr)
                sys.exit(2)
        rows = [row for row in rows if row.name in options.only]
    return [row for row in rows if row.quick or not options.quick]


def attempt(row: table.Row) -> tuple:
    """(outcome, what made the attempt say nothing or None). A row that is not right while others were at work may be
    their doing; what they took is read apart from all that the row itself judges by. A quiet host excuses nothing."""
    watch = others.Watch()
    try:
        outcome = row.prove()
    except table.Noisy as noise:
        return table.Outcome(False, None, "the host is too busy to say"), str(noise)
    except Exception as fault:  # noqa: BLE001
        text = "%s: %s" % (type(fault).__name__, str(fault).replace("\n", " "))
        outcome = table.Outcome(False, None, text[:200])
    share = watch.share()
    noisy = not outcome.right() and share > others.OTHERS_MAX
    return outcome, "others took %.0f %% of a core" % (share * 100) if noisy else None


def prove(row: table.Row, left_s: float) -> tuple:
    """(outcome, seconds that attempts took that said nothing). A row whose run goes wrong is not right; the others
    are still worth their while."""
    lost_s, said = 0.0, []
    for _ in range(ATTEMPTS):
        begin = time.monotonic()
        outcome, noise = attempt(row)
        if noise is None:
            break
        lost_s += time.monotonic() - begin
        said.append(noise)
        if lost_s > left_s:
            break
    if said:
        outcome = outcome._replace(figures="%s (%d of %d runs said nothing: %s)" % (
            outcome.figures, len(said), len(said) + (noise is None), said[-1]))
    return outcome, lost_s


def main() -> int:
    options = command_line()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = chosen(options, all_rows())
    if options.list:
        for row in rows:
            print("%-20s %-21s %s%s" % (row.name, row.gate, row.what, " (quick)" if row.quick else ""))
        return 0
    if not rows:
        print("no row is left of what was chosen (--quick leaves out the slow ones; see --list)", file=sys.stderr)
        return 2
    begin, left_s, wrong = time.monotonic(), AGAIN_S, []
    print(table.line(table.HEAD), flush=True)
    for number, row in enumerate(rows, 1):
        if sys.stderr.isatty():
            print("\r\033[K%d/%d %s (%.0f s)" % (number, len(rows), row.name, time.monotonic() - begin),
                  end="", file=sys.stderr, flush=True)
        outcome, lost_s = prove(row, left_s)
        left_s -= lost_s
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(table.line(table.words_of(row, outcome)), flush=True)
        if not outcome.right():
            wrong.append(row.name)
    print("%d rows, %d right, in %.0f s" % (len(rows), len(rows) - len(wrong), time.monotonic() - begin))
    if wrong:
        print("not right: %s (again: ./lab prove lies %s)" % (
            ", ".join(wrong), " ".join("--only " + name for name in wrong)))
    return WRONG if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
