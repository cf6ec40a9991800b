#!/usr/bin/env python3
"""check.py: the reference's command line: answers cases, datasets or one batch and compares."""

import argparse
import base64
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from concurrent.futures.process import BrokenProcessPool  # noqa: E402

from reference import batch, dataset_check  # noqa: E402
from reference.dataset import Dataset, DatasetFault  # noqa: E402
from reference.totals import Ring, Totals, hex16  # noqa: E402

EXIT_OK, EXIT_ENVIRONMENT, EXIT_USAGE, EXIT_WRONG = 0, 1, 2, 3
EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143
KEPT_BATCHES = 64

EXAMPLES = """examples:
  python3 reference/check.py cases tests/cases
  python3 reference/check.py dataset data/messy
  python3 reference/check.py dataset data/messy --sample 50
  python3 reference/check.py batch suspicious.json

exit codes: 0 agrees, 1 files can't be used, 2 wrong usage, 3 a disagreement, 130 and 143 signals
"""


def expected_kept(cases: list) -> dict:
    """KEPT_REPLY by the answers of the case file itself."""
    kept = [case for case in cases if case["status"] == batch.ACCEPTED][-KEPT_BATCHES:]
    return {
        "batches": hex16(len(kept)),
        "records": hex16(sum(case["records"] for case in kept)),
        "digest": hex16(sum(int(case["digest"], 16) for case in kept)),
    }


def check_case_file(path: str, totals_wanted: dict) -> list:
    """Answers every case of `path` by both paths; returns what is wrong, as lines."""
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    if not cases:
        raise ValueError("%s holds no case" % path)
    wrong = []
    totals, ring = Totals(), Ring()
    for case in cases:
        payload = base64.b64decode(case["payload_b64"], validate=True)
        expected = (case["status"], case["records"], int(case["digest"], 16))
        judged = batch.judge(payload)
        for way, got in (("", judged.answer), (" (general path)", batch.judge(payload, False).answer)):
            if got[:3] != expected:
                wrong.append("%s%s: expected %s, got %s" % (case["name"], way, expected, got))
        if judged.answer.status == batch.ACCEPTED:
            totals.accept(len(payload), judged.records, judged.answer.digest)
            ring.keep(judged.records)
        else:
            totals.reject()
    for name, got, expected in (("totals", totals.as_reply(), totals_wanted),
                                ("kept", ring.as_reply(), expected_kept(cases))):
        if got != expected:
            wrong.append("%s of %s: expected %s, got %s" % (name, path, expected, got))
    print("%s: %d cases, %s" % (path, len(cases), "all agree, totals and kept agree" if not wrong
                                else "%d disagreements" % len(wrong)))
    return wrong


def command_cases(options: argparse.Namespace) -> int:
    try:
        with open(os.path.join(options.folder, "totals.json"), encoding="utf-8") as file:
            totals = json.load(file)
        if not totals:
            raise ValueError("totals.json names no file")
        wrong = []
        for name, wanted in totals.items():
            wrong += check_case_file(os.path.join(options.folder, name), wanted)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print("check.py: %s: not a folder of cases: %r" % (options.folder, error), file=sys.stderr)
        return EXIT_ENVIRONMENT
    for line in wrong:
        print(line)
    return EXIT_WRONG if wrong else EXIT_OK


def command_dataset(options: argparse.Namespace) -> int:
    begin = time.monotonic()
    try:
        dataset = Dataset(options.data)
        hashed = dataset.check_manifest()
    except DatasetFault as fault:
        print("check.py: %s" % fault, file=sys.stderr)
        return EXIT_ENVIRONMENT
    indexes = dataset_check.spread(len(dataset), options.sample)
    jobs = min(options.jobs, len(indexes))
    try:
        found = dataset_check.check(dataset, indexes, jobs, options.both_paths, options.progress)
    except BrokenProcessPool:
        print("check.py: a process of the check died, perhaps for lack of memory; try --jobs 1",
              file=sys.stderr)
        return EXIT_ENVIRONMENT
    if found.wrong:
        print("%s: WRONG: %s" % (options.data, found.wrong))
        return EXIT_WRONG
    print("%s: the reference agrees: %d of %d batches, %d records, %d payload bytes, digest %016x,"
          " %s, %.1f s" % (options.data, found.batches, len(dataset), found.records,
                           found.payload_bytes, found.digest,
                           "SHA-256 as in the manifest" if hashed else "manifest names no SHA-256",
                           time.monotonic() - begin))
    return EXIT_OK


def command_batch(options: argparse.Namespace) -> int:
    try:
        if options.file == "-":
            payload = sys.stdin.buffer.read()
        else:
            with open(options.file, "rb") as file:
                payload = file.read()
    except OSError as error:
        print("check.py: %s: %s" % (options.file, error.strerror), file=sys.stderr)
        return EXIT_ENVIRONMENT
    answer = batch.answer(payload)
    if answer.status == batch.ACCEPTED:
        print("accepted: %d records, digest %016x" % (answer.records, answer.digest))
    else:
        print("rejected: %s" % answer.error)
    return EXIT_OK


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError("'%s' is not a count of 1 or more" % text)
    return int(text)


def parse_command_line(words: list) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="check.py", allow_abbrev=False, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="The independent reference of the job ingest: what is the right answer?")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    cases = commands.add_parser("cases", help="answer all cases of a folder, their totals and KEPT")
    cases.add_argument("folder", help="with totals.json and the files that it names")
    cases.set_defaults(run=command_cases)
    dataset = commands.add_parser("dataset", help="compare with the answers of a dataset")
    dataset.add_argument("data", help="the common part NAME of NAME.batches, NAME.answers, …")
    which = dataset.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="every batch (the default)")
    which.add_argument("--sample", type=count, metavar="N", help="N batches at even distances")
    dataset.add_argument("--jobs", type=count, metavar="N", default=len(os.sched_getaffinity(0)),
                         help="processes (default: the number of cores)")
    dataset.add_argument("--both-paths", action="store_true",
                         help="answer by the reference's general path, too; three times slower")
    dataset.add_argument("--progress", action="store_true",
                         help="tell the time left also where standard error is no terminal")
    dataset.set_defaults(run=command_dataset)
    one = commands.add_parser("batch", help="print the verdict on one JSON text")
    one.add_argument("file", help="'-' for standard input")
    one.set_defaults(run=command_batch)
    return parser.parse_args(words)


def end_at_once(code: int) -> None:
    """Ends in the middle of anything; the processes of a dataset's check end with their parent."""
    os.write(sys.stderr.fileno(), b"\ncheck.py: interrupted\n")
    os._exit(code)


def main() -> int:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda *_: end_at_once(EXIT_INTERRUPTED))
    signal.signal(signal.SIGTERM, lambda *_: end_at_once(EXIT_TERMINATED))
    options = parse_command_line(sys.argv[1:])
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
