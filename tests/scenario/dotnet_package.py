#!/usr/bin/env python3
# dotnet_package.py: packs MatchRace.Record and uses it from a folder, with the files that docs/DOTNET.md shows.
"""Packs the binding, looks into the package, and does what docs/DOTNET.md tells: a program in an empty folder, the
package from a local folder alone, an empty cache of packages. --self-test plants faults that must be seen."""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import dotnet_common as lab

PROJECT = "bindings/dotnet/MatchRace.Record"
NATIVE = "runtimes/linux-x64/native/libmatchrace.so"
WANTED = {"MatchRace.Record.nuspec", "lib/net10.0/MatchRace.Record.dll", "lib/net10.0/MatchRace.Record.xml", NATIVE,
          "README.md", "LICENSE", "THIRD-PARTY-NOTICES.txt"}
NOT_OURS = re.compile(r"^(_rels/|package/|\[Content_Types\]\.xml$)")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def shown():
    """The files that the page shows, and what it says they print."""
    page = (lab.ROOT / "docs/DOTNET.md").read_text(encoding="utf-8")
    config, project = blocks(page, "xml")
    [program], [output] = blocks(page, "csharp"), blocks(page, "text")
    return {"nuget.config": config, "batch.csproj": project, "Program.cs": program}, output


def copy_sources(folder):
    """What `dotnet pack` needs of the tree, in a folder of its own, so that nothing of the tree is written."""
    folder.mkdir(parents=True)
    for name in ("Directory.Build.props", "Directory.Packages.props", "LICENSE"):
        shutil.copy(lab.ROOT / name, folder)
    shutil.copytree(lab.ROOT / "bindings", folder / "bindings")
    return folder


def pack(tree, library, out):
    """Returns what the compiler said, or None when there is a package."""
    done = lab.dotnet(tree / PROJECT, "pack", "-c", "Release", "-o", out, *lab.ALONE, f"-p:MatchRaceNativeLibrary={library}")
    return None if done.returncode == 0 else done.stdout + done.stderr


def look_into(package, library):
    with zipfile.ZipFile(package) as content:
        names = {name for name in content.namelist() if not NOT_OURS.match(name)}
        faults = [f"the package has no {name}" for name in sorted(WANTED - names)]
        faults += [f"the package has {name}" for name in sorted(names - WANTED)]
        if faults:
            return faults
        if content.read(NATIVE) != library.read_bytes():
            faults.append("the native library in the package is not the one that was built")
        nuspec = content.read("MatchRace.Record.nuspec").decode()
        faults += [f"the nuspec does not say {words}" for words in (
            '<license type="expression">MIT AND BSD-2-Clause</license>', "<readme>README.md</readme>") if words not in nuspec]
        if "<dependency " in nuspec or "<repository " in nuspec:
            faults.append("the nuspec names another package or a repository")
    return faults


def assembly_hash(package):
    with zipfile.ZipFile(package) as content:
        return hashlib.sha256(content.read("lib/net10.0/MatchRace.Record.dll")).hexdigest()


def use(folder, package, files):
    """Runs the page's program beside nothing but the package. Returns (exit code, output, errors)."""
    (folder / "packages").mkdir(parents=True)
    shutil.copy(package, folder / "packages")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = lab.dotnet(folder, "build", "-c", "Release", "-o", "out", *lab.ALONE, NUGET_PACKAGES=str(folder / "cache"))
    if done.returncode == 0:
        done = lab.dotnet(folder, "out/batch.dll")
    return done.returncode, done.stdout, done.stderr


def without(package, target, dropped):
    """The package again, without one of its files."""
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != dropped:
                new.writestr(name, old.read(name))
    return target


def check(scratch):
    """The faults of the tree; and the package, for the self-test."""
    files, output = shown()
    wrong = pack(copy_sources(scratch / "tree"), lab.LIBRARY, scratch / "out")
    if wrong:
        return [f"dotnet pack failed: {wrong}"], None
    [package] = (scratch / "out").glob("*.nupkg")
    faults = look_into(package, lab.LIBRARY)
    readme = (lab.ROOT / "bindings/dotnet/README.md").read_text(encoding="utf-8")
    if blocks(readme, "csharp") != [files["Program.cs"]]:
        faults.append("bindings/dotnet/README.md and docs/DOTNET.md show different programs")
    if len([line for line in files["Program.cs"].splitlines() if line.strip()]) > 11:
        faults.append("the program has more than ten lines and a brace")
    code, printed, errors = use(scratch / "user", package, files)
    if (code, printed) != (0, output):
        faults.append(f"the program ended with {code} and printed {printed!r}, not {output!r}: {errors[-800:]}")
    return faults, package


def same_elsewhere(scratch, package):
    """The same source in another folder gives the same assembly."""
    other = scratch / "another/and/longer/path"
    wrong = pack(copy_sources(other), lab.LIBRARY, scratch / "out2")
    [second] = (scratch / "out2").glob("*.nupkg") if not wrong else [None]
    if wrong or assembly_hash(second) != assembly_hash(package):
        return [wrong or "the same source gave two different assemblies"]
    return []


STRANGER = """#include <stdint.h>
const uint32_t *mr_abi(void);
const uint32_t *mr_abi(void) { static const uint32_t abi[11] = {7, 44}; return abi; }
"""


def plant_undocumented(scratch):
    tree = scratch / "undocumented"
    source = copy_sources(tree) / PROJECT / "RecordBatch.cs"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("    // Room for the records", "    public int Planted => 1;\n\n    // Room for the records"),
                      encoding="utf-8")
    return pack(tree, lab.LIBRARY, scratch / "none") or "it was packed"


def plant_stranger(scratch, files):
    """A package with a native library of another version."""
    library = scratch / "libmatchrace.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)], input=STRANGER, text=True, check=True)
    wrong = pack(copy_sources(scratch / "stranger"), library, scratch / "strange")
    if wrong:
        return wrong
    [package] = (scratch / "strange").glob("*.nupkg")
    return "; ".join(look_into(package, lab.LIBRARY)) + str(use(scratch / "user-stranger", package, files))


def self_test(scratch):
    faults, package = check(scratch)
    if faults:
        print("\n".join(faults))
        return 1
    files, output = shown()
    bare = without(package, scratch / package.name, NATIVE)
    other = {**files, "Program.cs": files["Program.cs"].replace("{batch.Count}", "{batch.Count + 1}")}
    plants = [
        ("a package without the native library", "; ".join(look_into(bare, lab.LIBRARY)), f"has no {NATIVE}"),
        ("using it", str(use(scratch / "user-bare", bare, files)), "DllNotFoundException"),
        ("a native library of another version", plant_stranger(scratch, files),
         r"not the one that was built.*NotSupportedException.*has version 7"),
        ("a program that prints something else",
         "differs" if use(scratch / "user-other", package, other)[:2] == (0, output.replace("1 record", "2 record")) else "",
         "differs"),
        ("a public member without a comment", plant_undocumented(scratch), "error CS1591.*Planted"),
    ]
    missed = 0
    for name, seen, pattern in plants:
        good = re.search(pattern, seen, re.S)
        print(f"{'caught' if good else 'MISSED'}: {name}{'' if good else ': ' + seen[-1500:]}")
        missed += not good
    return 1 if missed else 0


def main():
    lab.skip_without_sdk()
    with tempfile.TemporaryDirectory(prefix="mr-package-") as name:
        scratch = Path(name)
        if sys.argv[1:] == ["--self-test"]:
            return self_test(scratch)
        faults, package = check(scratch)
        if package and not faults:
            faults = same_elsewhere(scratch, package)
        for fault in faults:
            print(fault)
        print(f"dotnet_package: {len(faults)} faults")
        return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
