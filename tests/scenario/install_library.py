#!/usr/bin/env python3
"""install_library.py: what `cmake --install` leaves: a C program builds against it by pkg-config and by CMake and parses; man
pages and completion know every subcommand."""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, PROGRAM, ROOT, expect, skip_unless_built

EXAMPLE = os.path.join(ROOT, "tests", "support", "installed_example.c")
SAYS = "accepted: 1 records, digest 954a84d7a74fbbb4\n"
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES C)
find_package(matchrace 0.1 REQUIRED)
add_executable(example %s)
target_link_libraries(example PRIVATE matchrace::record)
""" % EXAMPLE


def run(*words: str, **more) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False, **more)
    expect(done.returncode == 0, "%s: %s" % (words[:3], done.stdout[-500:] + done.stderr))
    return done.stdout


def by_pkg_config(folder: str, lib: str) -> None:
    env = {**os.environ, "PKG_CONFIG_PATH": os.path.join(lib, "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "matchrace", env=env).split()
    program = os.path.join(folder, "example")
    run("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", EXAMPLE, "-o", program, *flags)
    expect(run(program, env={**os.environ, "LD_LIBRARY_PATH": lib}) == SAYS, "by pkg-config: %s" % SAYS.strip())
    run("pkg-config", "--exists", "matchrace-serve >= 0.1", env=env)


def by_cmake(folder: str) -> None:
    project = os.path.join(folder, "project")
    os.mkdir(project)
    with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(PROJECT)
    run("cmake", "-G", "Ninja", "-S", project, "-B", project, "-DCMAKE_PREFIX_PATH=" + os.path.join(folder, "prefix"))
    run("cmake", "--build", project)
    expect(run(os.path.join(project, "example")) == SAYS, "by the CMake package: %s" % SAYS.strip())


def pages_and_completion() -> None:
    help_text = run(PROGRAM, "--help")
    subcommands = set(re.findall(r"^  ([a-z]+) {2,}", help_text, re.M))
    with open(os.path.join(ROOT, "docs", "man", "matchrace.1"), encoding="utf-8") as file:
        listed = set(re.findall(r"^\.TP\n\.B ([a-z]+)$", file.read(), re.M))
    expect(listed == subcommands and len(listed) > 10, "the man page has every subcommand: %s" % (listed ^ subcommands))
    script = """. %s; PATH=%s:$PATH
        COMP_WORDS=(matchrace ver) COMP_CWORD=1; _matchrace; echo "${COMPREPLY[*]}"
        COMP_WORDS=(matchrace versus --count) COMP_CWORD=2; _matchrace; echo "${COMPREPLY[*]}"
        COMP_WORDS=(%s/lab comp) COMP_CWORD=1; _matchrace; echo "${COMPREPLY[*]}"
    """ % (os.path.join(ROOT, "tools", "completion", "matchrace.bash"), os.path.dirname(PROGRAM), ROOT)
    said = run("bash", "-c", script).splitlines()
    expect(sorted(said[0].split()) == ["verify", "versus"], "completion of subcommands: %s" % said)
    expect(said[1] == "--count" and said[2] == "compare", "of options, and of ./lab: %s" % said)


def main() -> None:
    skip_unless_built()
    if not os.path.exists(os.path.join(BUILD_DIR, "lib", "serve", "libmatchrace_serve.so")):
        print("skipped: the shared libraries are not built")
        sys.exit(77)
    pages_and_completion()
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "prefix")
        run("cmake", "--install", BUILD_DIR, "--prefix", prefix, "--component", "library")
        found = [place for place, _, names in os.walk(prefix) if "libmatchrace.so" in names]
        expect(len(found) == 1, "the library is there: %s" % found)
        by_pkg_config(folder, found[0])
        by_cmake(folder)
        run("cmake", "--install", BUILD_DIR, "--prefix", prefix, "--component", "program")
        said = run(os.path.join(prefix, "bin", "matchrace"), "--version")
        expect(said.startswith("matchrace "), "the installed program runs: %s" % said)


main()
