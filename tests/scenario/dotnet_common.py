# dotnet_common.py: what the tests of the .NET projects share: the SDK, where its output goes, skipping without it.
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("MR_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BUILD = Path(os.environ.get("MR_BUILD_DIR") or ROOT / "build/release")
LIBRARY = BUILD / "lib/record/libmatchrace.so"
SKIPPED = 77
# No process of a build outlives it, and nothing is sent anywhere.
QUIET = {"DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1", "MSBUILDDISABLENODEREUSE": "1",
         "DOTNET_SKIP_FIRST_TIME_EXPERIENCE": "1"}
ALONE = ["-nodeReuse:false", "-p:UseSharedCompilation=false"]


def skip_without_sdk():
    """Ends the test as skipped where it can't be done, saying why."""
    reason = None
    if shutil.which("dotnet") is None:
        reason = "the .NET SDK is not installed"
    elif not any(line.startswith("10.") for line in dotnet(ROOT, "--list-sdks").stdout.splitlines()):
        reason = "the .NET SDK has no version 10"
    elif not LIBRARY.is_file():
        reason = f"{LIBRARY.relative_to(ROOT)} is not built (target mr_shared)"
    if reason:
        print(f"{Path(sys.argv[0]).stem}: {reason}: skipped")
        sys.exit(SKIPPED)


def dotnet(folder, *words, **environment):
    return subprocess.run(["dotnet", *map(str, words)], cwd=folder, env={**os.environ, **QUIET, **environment},
                          capture_output=True, text=True, check=False)
