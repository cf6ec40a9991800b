"""results_verify.py: every published campaign below results/ is what its raw trials say."""

import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import PROGRAM, ROOT, expect, skip_unless_built


def main() -> None:
    skip_unless_built()
    logs = glob.glob(os.path.join(ROOT, "results", "**", "run.log"), recursive=True)
    if not logs:
        print("skipped: results/ holds no campaign")
        sys.exit(77)
    for log in logs:
        folder = os.path.dirname(log)
        done = subprocess.run([PROGRAM, "verify", folder], capture_output=True, text=True, timeout=300, check=False)
        expect(done.returncode == 0, "%s%s" % (done.stdout, done.stderr))


main()
