#!/usr/bin/env python3
"""reference_mutants.py: plants faults in copies of the reference and of the example; their tests must fail.

A mutant is a file, a text that stands in it once, what stands there instead, and the test that must see it.
A test that stays green with the fault in place proves nothing, and fails this one.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("reference", "contestants/example-python", "schemas", "tests/cases", "tests/support",
           "tests/scenario")
TIMEOUT_S = 100


class Mutant(NamedTuple):
    """See the file's head; `test` are words behind `python3 tests/scenario/reference_`."""

    file: str
    old: str
    new: str
    test: str


DIGEST, DECIMALS, TEXTS = (f"selftest.py {name}" for name in ("Digest", "Decimals", "Texts"))
PATHS, CASES, DATASET = "selftest.py Paths", "check.py Cases", "check.py Dataset"
TOTALS = "check.py Cases.test_all_cases"
EXAMPLE, WIRE, PARSE = "example_cases.py AllCases.test_one_by_one", "example_wire.py", "example_parse.py"
BETWEEN = "differential.py"

REFERENCE = (
    Mutant("xxh3.py", "b8fe6c39", "b8fe6c38", DIGEST),
    Mutant("xxh3.py", "lane >> 47", "lane >> 46", DIGEST),
    Mutant("xxh3.py", "(piece - 8) + 3", "(piece - 8) + 4", DIGEST),
    Mutant("xxh3.py", "(size - 1) // BLOCK_BYTES", "size // BLOCK_BYTES", DIGEST),
    Mutant("xxh3.py", "len(SECRET) - STRIPE_BYTES - 7", "len(SECRET) - STRIPE_BYTES", DIGEST),
    Mutant("decimal_exact.py", "twice == divisor and significand & 1", "twice == divisor", DECIMALS),
    Mutant("decimal_exact.py", 'rest.strip(b"0")', "False", DECIMALS),
    Mutant("decimal_exact.py", "DIGITS_KEPT = 800", "DIGITS_KEPT = 700", DECIMALS),
    Mutant("decimal_exact.py", "power = max(power, LOWEST_POWER)", "pass", DECIMALS),
    Mutant("decimal_exact.py", "FIRST_DIGIT_POWER_MIN = -326", "FIRST_DIGIT_POWER_MIN = -320", DECIMALS),
    Mutant("decimal_exact.py", "sign = SIGN_BIT if minus else 0", "sign = SIGN_BIT if token < b'-0' else 0",
           DECIMALS),
    Mutant("decimal_exact.py", "significand <= VALUE_LIMIT << -power",
           "significand >> -power <= VALUE_LIMIT", DECIMALS),
    Mutant("decimal_exact.py", "return -1 - (bits & ~SIGN_BIT)", "return -(bits & ~SIGN_BIT)", DECIMALS),
    Mutant("decimal_exact.py", "return -scaled", "return -scaled - 1", DECIMALS),
    Mutant("json_strict.py", "if 0xDC00 <= unit <= 0xDFFF:", "if False:", TEXTS),
    Mutant("json_strict.py", "if not 0xDC00 <= low <= 0xDFFF:", "if not 0xD800 <= low <= 0xDFFF:", TEXTS),
    Mutant("json_strict.py", r"\xed[\x80-\x9f]", r"\xed[\x80-\xbf]", TEXTS),
    Mutant("json_strict.py", r"\xf4[\x80-\x8f]", r"\xf4[\x80-\x90]", TEXTS),
    Mutant("json_strict.py", r"\xe0[\xa0-\xbf]", r"\xe0[\x9f-\xbf]", TEXTS),
    Mutant("json_strict.py", r"[\x20\x21\x23-\x5b\x5d-\x7f]+", r"[\x1f-\x21\x23-\x5b\x5d-\x7f]+", TEXTS),
    Mutant("json_strict.py", r"[\x20\x21\x23-\x5b\x5d-\x7f]+", r"[\x20\x21\x23-\x5b\x5d-\x7e]+", TEXTS),
    Mutant("json_strict.py", 'ord("f"): b"\\f"', 'ord("f"): b"\\v"', BETWEEN),
    Mutant("json_strict.py", 'rb"[ \\t\\n\\r]*"', 'rb"[ \\t\\n\\r\\f]*"', CASES),
    Mutant("json_strict.py", "if self.data.startswith(BYTE_ORDER_MARK):",
           "self.offset = 3 * self.data.startswith(BYTE_ORDER_MARK)\n        if False:", CASES),
    Mutant("json_strict.py", "if self.offset != len(self.data):", "if False:", TEXTS),
    Mutant("json_strict.py", "(?:0|[1-9][0-9]*)", "(?:[0-9]+)", TEXTS),
    Mutant("json_strict.py", r"(?:\.[0-9]+)?", r"(?:\.[0-9]*)?", TEXTS),
    Mutant("json_strict.py", r"(?:[eE][+-]?[0-9]+)?", r"(?:[eE][+-]?[0-9]*)?", TEXTS),
    Mutant("record.py", "if key.content in fields:", "if False:", CASES),
    Mutant("record.py", "if bits & bit:", "if False:", CASES),
    Mutant("record.py", "2**63 - 1", "2**63", CASES),
    Mutant("record.py", "TIMESTAMP_MAX = 253402300799999999", "TIMESTAMP_MAX = 253402300800000000", DECIMALS),
    Mutant("record.py", "SOURCE_BYTES_MAX = 64", "SOURCE_BYTES_MAX = 65", CASES),
    Mutant("record.py", "MESSAGE_BYTES_MAX = 4096", "MESSAGE_BYTES_MAX = 4097", CASES),
    Mutant("record.py", "RECORDS_MAX = 65535", "RECORDS_MAX = 65536", f"{TEXTS}.test_limit_of_records"),
    Mutant("record.py", '"<QQQBBHI"', '"<QQQBBIH"', DIGEST),
    Mutant("fast_path.py", "if 0xD800 <= code_point <= 0xDFFF:", "if False:", TEXTS),
    Mutant("fast_path.py", 'if end != b"}" or', "if", TEXTS),
    Mutant("fast_path.py", "bit is None or bits & bit", "bit is None", CASES),
    Mutant("fast_path.py", '_WS = rb"[ \\t\\n\\r]*"', '_WS = rb"[ \\t\\n\\r\\x00\\v]*"', CASES),
    Mutant("fast_path.py", r'_NEXT = re.compile(_WS + rb"(?:," + _WS + rb"\{|(\])" + _WS + rb"\Z)")',
           r'_NEXT = re.compile(_WS + rb"(?:," + _WS + rb"\{|(\]))")', TEXTS),
    Mutant("fast_path.py", 'payload.decode("utf-8", "strict")', "pass", CASES),
    Mutant("fast_path.py", r"""_RUN = rb'[^"\\\x00-\x1f]*'""", r"""_RUN = rb'[^"\\\x00-\x1e]*'""", TEXTS),
    Mutant("fast_path.py", "            return records\n", "            return None\n", PATHS),
    Mutant("totals.py", "RING_PLACES = 64", "RING_PLACES = 65", TOTALS),
    Mutant("totals.py", "record.flags >> bit & 1", "record.flags >> bit", TOTALS),
    Mutant("totals.py", "min(self.value_min, record.value, key=order_key)",
           "min(self.value_min, record.value)", TOTALS),
    Mutant("check.py", "if got[:3] != expected:", "if got[0] != expected[0]:",
           "check.py Cases.test_a_wrong_answer_is_named"),
    Mutant("check.py", "return EXIT_WRONG if wrong else EXIT_OK", "return EXIT_OK", CASES),
    Mutant("dataset_check.py", "if got[:3] != expected:", "if got[0] != expected[0]:", DATASET),
    Mutant("dataset_check.py", "index * (count - 1) // (sample - 1)", "index * count // sample", DATASET),
    Mutant("dataset.py", 'if digest != entry["sha256"].lower():', "if False:", DATASET),
    Mutant("dataset.py", "if manifest.get(name, counted) != counted:", "if False:", DATASET),
    Mutant("dataset.py", "if sequence != len(places):", "if False:", DATASET),
)

EXAMPLE_PYTHON = (
    Mutant("xxh3.py", "b8fe6c39", "b8fe6c38", EXAMPLE),
    Mutant("xxh3.py", "while size - at > 1024:", "while size - at >= 1024:", BETWEEN),
    Mutant("xxh3.py", "16 * i - 125", "16 * i - 128", EXAMPLE),
    Mutant("ingest.py", "source.encode(), message.encode()",
           'source.encode("utf-8", "surrogatepass"), message.encode("utf-8", "surrogatepass")', EXAMPLE),
    Mutant("ingest.py", 'str(payload, "utf-8")', 'str(payload, "utf-8-sig")', EXAMPLE),
    Mutant("ingest.py", 'value = float(fields["value"])',
           'value = float(int(fields["value"]) if type(fields["value"]) is Integer else fields["value"])',
           EXAMPLE),
    Mutant("ingest.py", "if not -1e15 <= value <= 1e15 or", "if", EXAMPLE),
    Mutant("ingest.py", "len(pairs) != 7 or", "", EXAMPLE),
    Mutant("ingest.py", "type(token) is not Integer or", "", EXAMPLE),
    Mutant("ingest.py", 'token[0] == "-" or', "", EXAMPLE),
    Mutant("ingest.py", "raise Rejected(name", "return Real(5) or Rejected(name", EXAMPLE),
    Mutant("ingest.py", "(ValueError, RecursionError)", "ValueError", EXAMPLE),
    Mutant("ingest.py", "bit == 0 or bits & bit", "bit == 0", EXAMPLE),
    Mutant("ingest.py", "RECORDS_MAX, RING_PLACES = 65535, 64", "RECORDS_MAX, RING_PLACES = 65536, 64",
           "example_limits.py Limits.test_number_of_records"),
    Mutant("ingest.py", "RECORDS_MAX, RING_PLACES = 65535, 64", "RECORDS_MAX, RING_PLACES = 65535, 63", EXAMPLE),
    Mutant("ingest.py", "return value, math.copysign(1, value)", "return value", f"{WIRE} Requests"),
    Mutant("ingest.py", "int(value * 1024)", "math.floor(value * 1024)", EXAMPLE),
    Mutant("ingest.py", "self.totals.batches_rejected += 1",
           "self.totals.batches_rejected += 1; ring.keep([])", EXAMPLE),
    Mutant("ingest.py", "self.digest += digest", "self.digest ^= digest", EXAMPLE),
    Mutant("ingest.py", "self.bytes -= len(oldest)", "pass", f"{WIRE} Limits"),
    Mutant("ingest.py", "if ring.bytes > self.max_kept:", "if False:", f"{WIRE} Limits.test_max_kept"),
    Mutant("server.py", "version != 1 or", "", f"{WIRE} Errors"),
    Mutant("server.py", "reserved != 0 or", "", f"{WIRE} Errors"),
    Mutant("server.py", "if kind == BATCH else 0", "if True else 0", f"{WIRE} Errors"),
    Mutant("server.py", "size > (self", "size > 1 + (self", f"{WIRE} Errors"),
    Mutant("server.py", "writer.write_eof()", "pass", f"{WIRE} Errors"),
    Mutant("server.py", "asyncio.timeout(1)", "asyncio.timeout(9)", f"{WIRE} Errors"),
    Mutant("server.py", "FRAME.pack(len(text), ERROR, 1, 0, sequence)",
           "FRAME.pack(len(text), ERROR, 1, 0, 0)", f"{WIRE} Errors"),
    Mutant("server.py", "await writer.drain()  # waits while", "# waits while",
           f"{WIRE} Ends.test_back_pressure_stops_that_connection_only"),
    Mutant("server.py", "self.rings.discard(ring)", "pass", f"{WIRE} Limits"),
    Mutant("server.py", "self.rings.discard(ring)\n            ring.places.clear()", "pass", f"{WIRE} Ends"),
    Mutant("server.py", "FRAME.pack(len(text), reply, 1, 0, sequence)",
           "FRAME.pack(len(text), reply, 1, 0, sequence & 0xFFFFFFFF)", f"{WIRE} Requests"),
    Mutant("server.py", "len(self.rings) < self.options.max_connections", "True", f"{WIRE} Limits"),
    Mutant("server.py", "lambda *_: os._exit(0)", "lambda *_: os._exit(15)", PARSE + " Ends"),
    Mutant("server.py", "signal.signal(signal.SIGTERM, lambda *_: os._exit(0))",
           "signal.signal(signal.SIGTERM, lambda *_: time.sleep(3))", PARSE + " Ends"),
    Mutant("server.py", "resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))", "pass", PARSE + " Ends"),
    Mutant("server.py", "self.exit(2,", "self.exit(1,", PARSE + " Ends"),
    Mutant("server.py", "zip(turns, sys.stdin) if options.step else turns", "turns[:9]", PARSE + " Parse"),
    Mutant("server.py", "(BATCH, 1, len(payloads))", "(BATCH, version, len(payloads))", PARSE + " Parse"),
    Mutant("server.py", "or at + size > len(data)", "", PARSE + " Parse"),
)


def survives(tree: str, folder: str, mutant: Mutant) -> bool:
    """Runs the mutant's test with the fault in place; whether the test stayed green."""
    path = os.path.join(tree, folder, mutant.file)
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    if whole.count(mutant.old) != 1:
        sys.exit("%s: %r stands there %d times, must be once" % (path, mutant.old, whole.count(mutant.old)))
    script, *names = mutant.test.split()
    command = [sys.executable, os.path.join(tree, "tests/scenario/reference_" + script), *names]
    try:
        changed = whole.replace(mutant.old, mutant.new)
        compile(changed, path, "exec")  # a mutant that is no Python would be caught by anything
        with open(path, "w", encoding="utf-8") as file:
            file.write(changed)
        environment = {**os.environ, "MR_SOURCE_DIR": tree, "PYTHONDONTWRITEBYTECODE": "1"}
        # The short forms, which every run of the tests has.
        for name in ("MR_CONTESTANT", "MR_LONG"):
            environment.pop(name, None)
        done = subprocess.run(command, env=environment, capture_output=True, timeout=TIMEOUT_S)
        return done.returncode in (0, 77)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(whole)


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    survivors = caught = 0
    with tempfile.TemporaryDirectory(prefix="mr-mutants-") as tree:
        for folder in FOLDERS:
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(tree, folder),
                            ignore=shutil.ignore_patterns("__pycache__"))
        for folder, mutants in (("reference", REFERENCE), ("contestants/example-python", EXAMPLE_PYTHON)):
            for mutant in mutants:
                name = "%s/%s: %s -> %s" % (folder, mutant.file, mutant.old, mutant.new)
                if wanted not in name:
                    continue
                survived = survives(tree, folder, mutant)
                survivors += survived
                caught += not survived
                print("%s by %s: %s" % ("NOT CAUGHT" if survived else "caught", mutant.test,
                                        name.replace("\n", " ")), flush=True)
    print("%d mutants caught, %d not" % (caught, survivors))
    return 1 if survivors or not caught else 0


if __name__ == "__main__":
    sys.exit(main())
