#!/usr/bin/env python3
# conform_stamp.py: a native contestant in full, from a folder outside the tree; its stamp, and what makes it void.
"""c-tuned is copied out of the tree, passes everything, is stamped, and then each of its parts is changed."""

import json
import os
import shutil
import tempfile

from conform_common import BUILD, ROOT, Run, check, finish, make_contestant


def rewrite(path, change):
    """Changes a file for a moment: the stamp must be void, and valid again when it is back."""
    with open(path, "rb") as file:
        before = file.read()
    status = os.stat(path)
    with open(path, "wb") as file:
        file.write(change(before))
    yield
    with open(path, "wb") as file:
        file.write(before)
    os.chmod(path, status.st_mode)


def main():
    source = os.path.join(ROOT, "contestants", "c-tuned")
    with tempfile.TemporaryDirectory() as folder:
        stamps, place, cases = (os.path.join(folder, name) for name in ("stamps", "mine", "cases"))
        shutil.copytree(os.path.join(ROOT, "tests", "cases"), cases)
        os.mkdir(place)
        shutil.copy(os.path.join(BUILD, "contestants", "c-tuned", "c-tuned"), place)
        shutil.copy(os.path.join(source, "main.c"), place)
        make_contestant(place, ["./c-tuned"], name="c-tuned", language="C", parser_files=["main.c"])
        words = ("--cases", cases, place)

        result = Run("--stamped", *words, stamps=stamps)
        check(result.code == 3 and "no stamp" in result.out, "before the run: %s" % result)
        # One mode first: its stamp is good for that mode only, and stays when the others have passed.
        result = Run("--mode", "drain", *words, stamps=stamps)
        check(result.code == 0, "drain: %s" % result)
        check(Run("--stamped", "--mode", "drain", *words, stamps=stamps).code == 0, "drain is not stamped")
        for modes in ((), ("--mode", "keep"), ("--mode", "drain", "--mode", "keep")):
            result = Run("--stamped", *modes, *words, stamps=stamps)
            check(result.code == 3 and "has not passed yet" in result.out, "drain alone: %s: %s" % (modes, result))
        result = Run("--mode", "keep", "--mode", "totals", "--mode", "fresh", *words, stamps=stamps)
        print(result)
        check(result.code == 0 and "c-tuned: conformant" in result.out and ", 0 failed" in result.out,
              "it does not pass")
        with open(os.path.join(stamps, "c-tuned.json"), encoding="utf-8") as file:
            check(json.load(file)["modes"] == ["drain", "totals", "keep", "fresh"], "modes of the stamp")
        check(" skipped" not in result.out.splitlines()[-2], "something was skipped: see above")
        with open(os.path.join(stamps, "c-tuned.json"), encoding="utf-8") as file:
            check(len(json.load(file)["files"]) == 2, "the stamp does not hold program and parser")
        result = Run("--stamped", *words, stamps=stamps)
        print("stamped: %.0f ms" % (result.seconds * 1000))
        check(result.code == 0, "after the run: %s" % result)
        result = Run("--quick", *words, stamps=stamps)
        print("quick: %.0f ms" % (result.seconds * 1000))
        check(result.code == 0, "quick: %s" % result)

        parts = [os.path.join(place, name) for name in ("c-tuned", "main.c", "contestant.json")]
        for path in (*parts, os.path.join(cases, "cases.jsonl"), os.path.join(cases, "totals.json")):
            for _ in rewrite(path, lambda before: before + b"\n"):
                result = Run("--stamped", *words, stamps=stamps)
                check(result.code == 3, "%s changed: %s" % (path, result))
            result = Run("--stamped", *words, stamps=stamps)
            check(result.code == 0, "%s back: %s" % (path, result))
        os.rename(parts[0], parts[0] + ".away")
        result = Run("--stamped", *words, stamps=stamps)
        check(result.code == 3 and "is it built" in result.out, "program missing: %s" % result)
        os.rename(parts[0] + ".away", parts[0])
        # Modes of before a change are no longer good when another one passes after it.
        for _ in rewrite(parts[1], lambda before: before + b"\n"):
            other = os.path.join(folder, "other")
            shutil.copytree(stamps, other)
            result = Run("--mode", "drain", *words, stamps=other)
            check(result.code == 0 and Run("--stamped", "--mode", "keep", *words, stamps=other).code == 3,
                  "a stamp of before the change: %s" % result)
        # A part of the checks is no pass, and takes no stamp away.
        result = Run("--only", "W1", *words, stamps=stamps)
        check(result.code == 0 and Run("--stamped", *words, stamps=stamps).code == 0, "%s" % result)
    finish()


if __name__ == "__main__":
    main()
