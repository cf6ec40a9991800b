#!/usr/bin/env python3
"""make_corpus.py: writes the batches of tests/cases/, and rare ones, as one file each: seeds for the fuzz target.

Usage: make_corpus.py CASES_FOLDER CORPUS_FOLDER
"""
import base64
import hashlib
import json
import pathlib
import sys

from rare_batches import rare_batches

CASES = ("cases.jsonl", "schema.jsonl")


def main(arguments):
    if len(arguments) != 2 or "--help" in arguments:
        print(__doc__.strip(), file=sys.stdout if "--help" in arguments else sys.stderr)
        return 0 if "--help" in arguments else 2
    cases, corpus = map(pathlib.Path, arguments)
    corpus.mkdir(parents=True, exist_ok=True)
    payloads = [base64.b64decode(json.loads(line)["payload_b64"], validate=True)
                for name in CASES for line in (cases / name).read_text(encoding="utf-8").splitlines()]
    if not payloads:
        print(f"no cases in {cases}", file=sys.stderr)
        return 1
    payloads += rare_batches()
    for payload in payloads:
        (corpus / hashlib.sha256(payload).hexdigest()[:16]).write_bytes(payload)
    print(f"{len(payloads)} seeds in {corpus}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
