#!/usr/bin/env python3
# when_installed.py: runs a test of a contestant that may not be installable here.
"""when_installed.py FOLDER COMMAND…: builds the contestant where its sources changed and becomes COMMAND; where it can't be
installed here, says why and ends with 77, which CTest counts as skipped."""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> int:
    folder, command = sys.argv[1], sys.argv[2:]
    build_dir = os.environ.get("MR_BUILD_DIR", os.path.join(ROOT, "build", "release"))
    with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
        name = json.load(file)["name"]
    subprocess.run([sys.executable, os.path.join(ROOT, "tools", "contestants", "build_contestants.py"),
                    "--build-dir", build_dir, folder], check=True)
    reason = os.path.join(build_dir, "not-installed", name)
    if os.path.exists(reason):
        with open(reason, encoding="utf-8") as file:
            print(f"{name}: not installed: {file.read().strip()}")
        return 77
    os.execvp(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
