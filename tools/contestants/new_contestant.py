#!/usr/bin/env python3
"""new_contestant.py: writes the skeleton of a contestant: a working one of this tree, under a name and at a place of one's own.

A skeleton that already keeps the contract is worth more than an empty one: every step from it can be checked.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
CONTESTANTS = os.path.join(ROOT, "contestants")
TEXT_FILES = (".py", ".c", ".h", ".cs", ".csproj", ".txt")

C_BUILD = ('tree="$MR_BUILD_DIR/../.."; deps="$tree/.deps/root/usr"; yyjson="$deps/lib/x86_64-linux-gnu"; '
           'cc -std=gnu17 -O3 -march=x86-64-v2 -fno-strict-aliasing -ffp-contract=off -Wall -Wextra '
           '-DMR_BUILD_FLAGS=\'"-O3 -march=x86-64-v2"\' -DMR_CONTESTANT_VERSION=\'"0.1.0"\' '
           '-I"$tree/include" -I"$deps/include" *.c -o {name} '
           '"$MR_BUILD_DIR"/lib/serve/libmr_serve.a "$MR_BUILD_DIR"/lib/contract/libmr_contract.a '
           '"$MR_BUILD_DIR"/lib/wire/libmr_wire.a "$MR_BUILD_DIR"/lib/base/libmr_base.a '
           '-Wl,-rpath,"$yyjson" "$yyjson/libyyjson.so.0" -ldl -lm -lpthread')
CSHARP_BUILD = "dotnet publish {name}.csproj -c Release -nologo -v quiet -nodeReuse:false -p:UseSharedCompilation=false"
CSHARP_IMPORT = """<Project>
  <!-- What the projects of the lab share: versions, warnings as errors. -->
  <Import Project="{path}" />{more}
</Project>
"""
# Not beside the output of the lab's projects, where a second contestant of this name would overwrite the first.
CSHARP_OUTPUT = """
  <PropertyGroup>
    <ArtifactsPath>$(MSBuildThisFileDirectory)bin</ArtifactsPath>
  </PropertyGroup>"""

# Where the skeleton of a language comes from, and what its contestant.json has otherwise.
LANGUAGES = {
    "python": ("example-python", {}),
    "c": ("c-yyjson", {"build": C_BUILD, "needs": ["cc"], "run": ["./{name}"]}),
    "csharp": ("csharp-stj", {"build": CSHARP_BUILD, "build_inputs": [os.path.join(CONTESTANTS, "csharp-common")],
                              "run": ["dotnet", "./bin/publish/{name}/release/{name}.dll"]}),
}
# The job "notes" is left out of skeletons: whole files of these names, and the lines from [notes] to [/notes] of others.
NOTES_FILE = re.compile(r".*_notes\.[ch]|Notes")
NOTES_LINES = re.compile(r"^[^\n]*\[notes\].*?\[/notes\][^\n]*\n", re.MULTILINE | re.DOTALL)
LEFT_OUT = {"contestant.json", "CMakeLists.txt", "NOTES.md", "packages.lock.json", "__pycache__", "bin", "obj"}


def fail(text: str) -> None:
    print("lab new-contestant: " + text, file=sys.stderr)
    sys.exit(2)


def fill_in(value, name: str):
    if isinstance(value, str):
        return value.format(name=name)
    return [fill_in(item, name) for item in value]


def manifest_of(source: str, name: str, changes: dict) -> dict:
    with open(os.path.join(CONTESTANTS, source, "contestant.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    manifest.update({key: fill_in(value, name) if key != "build_inputs" else value for key, value in changes.items()})
    manifest.update(name=name, jobs=["ingest"], variants={}, how="A copy of %s: say here what yours does." % source)
    return manifest


def is_left_out(name: str) -> bool:
    return name in LEFT_OUT or NOTES_FILE.fullmatch(name) is not None


def copy_folder(source: str, place: str, old: str, new: str) -> None:
    for name in sorted(os.listdir(source)):
        if is_left_out(name):
            continue
        path, target = os.path.join(source, name), os.path.join(place, name.replace(old, new))
        if os.path.isdir(path):
            os.mkdir(target)
            copy_folder(path, target, old, new)
        else:
            copy_file(path, target, old, new)


def copy_file(source: str, place: str, old: str, new: str) -> None:
    if not source.endswith(TEXT_FILES):
        shutil.copy(source, place)
        return
    with open(source, encoding="utf-8") as file:
        text = NOTES_LINES.sub("", file.read())
    if source.endswith(".csproj"):
        text = text.replace('Include="../', 'Include="%s/' % CONTESTANTS)
    with open(place, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def write(folder: str, name: str, language: str) -> None:
    source, changes = LANGUAGES[language]
    copy_folder(os.path.join(CONTESTANTS, source), folder, source, name)
    with open(os.path.join(folder, "contestant.json"), "w", encoding="utf-8") as file:
        json.dump(manifest_of(source, name, changes), file, indent=2)
        file.write("\n")
    if language == "csharp":
        for props, more in (("Directory.Build.props", CSHARP_OUTPUT), ("Directory.Packages.props", "")):
            with open(os.path.join(folder, props), "w", encoding="utf-8") as file:
                file.write(CSHARP_IMPORT.format(path=os.path.join(ROOT, props), more=more))


def write_whole(folder: str, name: str, language: str) -> None:
    """All of it or nothing: it takes its name when it is whole."""
    above = os.path.dirname(folder) or "."
    os.makedirs(above, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=above, prefix=".new-contestant-") as scratch:
        made = os.path.join(scratch, name)
        os.mkdir(made)
        write(made, name, language)
        os.rename(made, folder)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./lab new-contestant", description="Writes the skeleton of a contestant, which works and "
                                     "passes the conformance kit: then it is yours to change.",
                                     epilog="Example: ./lab new-contestant my-server --language python --in ..")
    parser.add_argument("name", metavar="NAME", help="lower case, digits, single hyphens; becomes the folder's name")
    parser.add_argument("--language", required=True, choices=sorted(LANGUAGES), help="what it is written in")
    parser.add_argument("--in", dest="place", default=".", metavar="FOLDER", help="where its folder goes; here by default")
    options = parser.parse_args()
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", options.name) or len(options.name) > 48:
        fail("'%s': a name is of lower-case letters, digits and single hyphens, at most 48" % options.name)
    folder = os.path.join(options.place, options.name)
    if os.path.exists(folder):
        fail("%s exists already: nothing is overwritten" % folder)
    try:
        write_whole(folder, options.name, options.language)
    except OSError as error:
        print("lab new-contestant: %s: %s" % (folder, error.strerror), file=sys.stderr)
        return 1
    print("%s: a working contestant in %s. Next:\n  ./lab conform %s        does it keep the contract? (--quick: a first look)\n"
          "  ./lab race --data FILE --contestants %s,c-yyjson" % (folder, options.language, folder, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
