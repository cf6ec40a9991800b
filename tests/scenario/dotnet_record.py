#!/usr/bin/env python3
# dotnet_record.py: runs the xunit tests of MatchRace.Record on the native library of this build.
"""`dotnet test` of tests/dotnet/MatchRace.Record.Tests. Skipped (77) without the .NET SDK or the library."""

import re
import sys

import dotnet_common as lab

AT_LEAST = 35  # a run that finds no tests is no success


def main():
    lab.skip_without_sdk()
    done = lab.dotnet(lab.ROOT / "tests/dotnet/MatchRace.Record.Tests", "test", "-c", "Release", *lab.ALONE,
                      f"-p:MatchRaceNativeLibrary={lab.LIBRARY}")
    passed = re.search(r"Passed!.*Passed: +(\d+)", done.stdout)
    if done.returncode != 0 or not passed or int(passed[1]) < AT_LEAST:
        print(done.stdout[-6000:], done.stderr[-2000:])
        return 1
    print(f"dotnet_record: {passed[1]} tests passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
