#!/usr/bin/env python3
"""reference_contestant_json.py: every contestant.json follows schemas/contestant.schema.json and its folder.

Planted faults prove that the schema would say so if one did not.
"""

import copy
import json
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]

from json_schema import Checker  # noqa: E402

CONTESTANTS = os.path.join(ROOT, "contestants")


def load(*words: str):
    with open(os.path.join(ROOT, *words), encoding="utf-8") as file:
        return json.load(file)


def manifests() -> dict:
    """Folder name to manifest."""
    found = {}
    for name in sorted(os.listdir(CONTESTANTS)):
        if os.path.exists(os.path.join(CONTESTANTS, name, "contestant.json")):
            found[name] = load("contestants", name, "contestant.json")
    return found


def planted(change) -> dict:
    """The example's manifest with a change."""
    manifest = copy.deepcopy(load("contestants", "example-python", "contestant.json"))
    change(manifest)
    return manifest


WRONG = {
    "an unknown key": lambda m: m.update(speed="very"),
    "no name": lambda m: m.pop("name"),
    "a name with a capital": lambda m: m.update(name="Example"),
    "no job": lambda m: m.update(jobs=[]),
    "a job twice": lambda m: m.update(jobs=["ingest", "ingest"]),
    "an unknown job": lambda m: m.update(jobs=["ingest", "digest"]),
    "a path as a need": lambda m: m.update(needs=["bin/dotnet"]),
    "a need twice": lambda m: m.update(needs=["make", "make"]),
    "build inputs as a word": lambda m: m.update(build_inputs="../lib"),
    "an empty run of a variant": lambda m: m.update(variants={"x": {"run": []}}),
    "an unknown class": lambda m: m.update({"class": "best"}),
    "an unknown text": lambda m: m.update(text="utf32"),
    "a run line that is no list": lambda m: m.update(run="python3 server.py"),
    "an empty run": lambda m: m.update(run=[]),
    "an empty build": lambda m: m.update(build=""),
    "a number in env": lambda m: m.update(env={"A": 1}),
    "a name in env that is none": lambda m: m.update(env={"A-B": "1"}),
    "no parser file": lambda m: m.update(parser_files=[]),
    "managed as a word": lambda m: m.update(managed="yes"),
    "any_json as a word": lambda m: m.update(any_json="yes"),
    "memory_safety as a truth": lambda m: m.update(memory_safety=True),
    "a mode as a variant": lambda m: m.update(variants={"keep": {}}),
    "a variant with an unknown key": lambda m: m.update(variants={"x": {"arguments": []}}),
    "an empty build of a variant": lambda m: m.update(variants={"x": {"build": "", "run": ["./x"]}}),
    "a variant that is a list": lambda m: m.update(variants={"x": []}),
    "half a conformance": lambda m: m.update(conformance="half"),
    "an empty list of gaps": lambda m: m.update(conformance=[]),
    "a gap without a case": lambda m: m.update(conformance=[{"gap": "takes octal", "cases": []}]),
    "a gap without a sentence": lambda m: m.update(conformance=[{"cases": ["number/id/"]}]),
}
RIGHT = {
    "variants": lambda m: m.update(variants={"fast": {"args": ["--kernel", "x"], "env": {"A": "b"}}}),
    "gaps": lambda m: m.update(conformance=["kept-limit"]),
    "gaps with a sentence": lambda m: m.update(conformance=["B2", {"gap": "takes octal", "cases": ["number/id/"]}]),
    "no env, no variants, no build": lambda m: [m.pop(key) for key in ("env", "variants", "build")],
    "a need, inputs, and a variant that runs another program": lambda m: m.update(
        needs=["make"], build_inputs=["../lib"], variants={"aot": {"build": "make aot", "run": ["./aot"], "args": []}}),
    "a build line": lambda m: m.update(build="make -s"),
}


class ContestantJson(unittest.TestCase):
    def setUp(self):
        self.checker = Checker(load("schemas", "contestant.schema.json"))

    def test_all_follow_the_schema(self):
        self.assertIn("example-python", manifests())
        for folder, manifest in manifests().items():
            self.assertEqual(self.checker.faults(manifest), [], folder)

    def test_all_are_as_their_folder(self):
        for folder, manifest in manifests().items():
            self.assertEqual(manifest["name"], folder)
            for name in manifest["parser_files"]:
                self.assertTrue(os.path.isfile(os.path.join(CONTESTANTS, folder, name)), name)

    def test_faults_are_found(self):
        for what, change in WRONG.items():
            self.assertEqual(len(self.checker.faults(planted(change))), 1, what)

    def test_what_is_right_is_taken(self):
        for what, change in RIGHT.items():
            self.assertEqual(self.checker.faults(planted(change)), [], what)


if __name__ == "__main__":
    unittest.main()
