#!/usr/bin/env python3
"""lab_versus.py: `./lab versus` on git refs: of a repository of somebody else, of one like this tree whose contestant needs no
build, and of one that CMake has a part in; and --again, which takes no builds."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, ROOT, Race, expect, skip_unless_built


def git(place: str, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *words], cwd=place, check=True, capture_output=True)


def versus(race: Race, place: str, *words: str, codes=(0, 5)) -> str:
    done = subprocess.run([os.path.join(ROOT, "lab"), "versus", *words], cwd=place, capture_output=True, text=True, timeout=100, check=False)
    expect(done.returncode in codes, "%s: exit code %d, wanted %s: %s%s" % (" ".join(words), done.returncode, codes, done.stdout, done.stderr))
    return done.stdout + done.stderr


def repository(race: Race, name: str, run: list, files: dict, **more) -> tuple:
    """Of two commits, with one contestant; and the manifest of the base's build as it raced."""
    place = race.path(name)
    race.contestants = place
    os.mkdir(place)
    race.add_contestant("mine", run, **more)
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(place, path)), exist_ok=True)
        with open(os.path.join(place, path), "w", encoding="utf-8") as file:
            file.write(text)
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-q", "-m", "one")
    git(place, "commit", "-q", "--allow-empty", "-m", "two")
    out = race.path(name + "-out")
    versus(race, place, "HEAD~1", "HEAD", "--contestant", "mine", "--measure", "simulated", "--max-minutes", "1", "--skip-conform",
           "--data-dir", race.path("data"), "--out", out)
    with open(os.path.join(out, "builds", "base", "mine", "contestant.json"), encoding="utf-8") as file:
        return place, out, json.load(file)


def worktree(place: str) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD~1"], cwd=place, check=True, capture_output=True, text=True)
    return os.path.join(place, "build", "versus", done.stdout.strip())


def main() -> None:
    skip_unless_built()
    # What a tree like this one shows; its CMake notes that it was asked, and makes no program.
    tree = {"tools/lab/common.sh": "", "CMakePresets.json": json.dumps({
        "version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]}),
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(small NONE)\nadd_custom_target(shared)\n"}
    with Race() as race:
        place, out, manifest = repository(race, "foreign", ["python3", "server.py"], {"CMakePresets.json": "{}"}, env={"LAB": "${MR_BUILD_DIR}/x"})
        expect(manifest["env"] == {"LAB": BUILD_DIR + "/x"}, "a foreign tree: the lab's own build folder: %s" % manifest["env"])
        said = versus(race, place, "--again", out)
        expect("Passed: " in said or "Not resolved: " in said, "--again: %s" % said)

        place, _, manifest = repository(race, "plain", ["python3", "server.py"], tree)
        expect(manifest["run"] == ["python3", "server.py"], "nothing to build: %s" % manifest["run"])
        expect(not os.path.exists(os.path.join(worktree(place), "build", "release", "build.ninja")), "so nothing was configured")

        place, _, manifest = repository(race, "built", ["true", "${MR_BUILD_DIR}/x"], tree,
                                        build='cmake --build "$MR_BUILD_DIR" --target shared')
        there = os.path.join(worktree(place), "build")
        expect(manifest["run"] == ["true", os.path.join(there, "release", "x")], "a tree's own build folder: %s" % manifest["run"])
        expect(os.path.exists(os.path.join(there, "versus-build.log")), "its log is in build/")


main()
