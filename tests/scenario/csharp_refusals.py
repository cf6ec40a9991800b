#!/usr/bin/env python3
"""csharp_refusals.py: what a safe C# contestant must not build with, and what a Debug build must not do.

A copy of the projects is built as it is (Debug), then with planted faults; each must be refused with its own words.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROJECT = "csharp-stj"

# A use of what is banned, and the name that the refusal must have.
BANNED = {
    "Unsafe": "public static int A(object one) => System.Runtime.CompilerServices.Unsafe.As<string>(one).Length;",
    "MemoryMarshal": "public static ref byte B(System.Span<byte> bytes) => "
                     "ref System.Runtime.InteropServices.MemoryMarshal.GetReference(bytes);",
    "Marshal": "public static byte C(nint at) => System.Runtime.InteropServices.Marshal.ReadByte(at);",
    "DllImportAttribute": "[System.Runtime.InteropServices.DllImport(\"libc\")] public static extern int getpid();",
    "AllocateUninitializedArray": "public static byte[] D() => System.GC.AllocateUninitializedArray<byte>(1);",
}
faults = []


def expect(true: bool, what: str) -> None:
    print(("ok: " if true else "FAULT: ") + what)
    if not true:
        faults.append(what)


def build(tree: str, configuration: str) -> subprocess.CompletedProcess:
    return subprocess.run(["dotnet", "build", os.path.join("contestants", PROJECT), "-c", configuration, "-nologo",
                           "-v", "quiet", "-nodeReuse:false", "-p:UseSharedCompilation=false"], cwd=tree,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def plant(tree: str, text: str) -> str:
    path = os.path.join(tree, "contestants", PROJECT, "Planted.cs")
    with open(path, "w", encoding="utf-8") as file:
        file.write("namespace MatchRace.Stj;\n\ninternal static class Planted\n{\n    " + text + "\n}\n")
    return path


def main() -> int:
    if shutil.which("dotnet") is None:
        print("the .NET SDK is not in PATH")
        return 77
    with tempfile.TemporaryDirectory() as tree:
        for name in ("csharp-common", PROJECT):
            shutil.copytree(os.path.join(ROOT, "contestants", name), os.path.join(tree, "contestants", name))
        for name in ("Directory.Build.props", "Directory.Packages.props"):
            shutil.copy(os.path.join(ROOT, name), tree)

        done = build(tree, "Debug")
        expect(done.returncode == 0, f"it builds as it is {done.stdout[-300:]}")
        program = os.path.join(tree, "build", "dotnet", "bin", PROJECT, "debug", PROJECT + ".dll")
        run = subprocess.run(["dotnet", program, "parse", "--data", "nothing"], capture_output=True, text=True, check=False)
        expect(run.returncode == 1 and "Debug build" in run.stderr and run.stdout == "",
               f"a Debug build is not timed: {run.returncode} {run.stderr.strip()}")

        plant(tree, "\n    ".join(BANNED.values()))
        done = build(tree, "Debug")
        refusals = [line for line in done.stdout.splitlines() if "error RS0030" in line]
        expect(done.returncode != 0, "planted uses of what is banned fail the build")
        for name in BANNED:
            expect(any(re.search(rf"'{name}\b|\b{name}[<(']", line) for line in refusals), f"{name} is refused by name")

        plant(tree, "public static unsafe byte E(byte* at) => *at;")
        done = build(tree, "Debug")
        expect(done.returncode != 0 and "error CS0227" in done.stdout, "a pointer fails the build")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
