"""contestant_server.py: starts the contestant under test as its contestant.json says.

The example in Python by default; MR_CONTESTANT=FOLDER names another one, so that every test of the
example's wire can be run on any contestant by hand.
"""

import json
import os
import subprocess

import wire_client
from case_files import ROOT

FOLDER = os.path.abspath(os.environ.get("MR_CONTESTANT")
                         or os.path.join(ROOT, "contestants", "example-python"))
BUILD_DIR = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))


def manifest(folder: str = FOLDER) -> dict:
    with open(os.path.join(folder, "contestant.json"), encoding="utf-8") as file:
        return json.load(file)


def command(folder: str = FOLDER) -> list:
    return [word.replace("${MR_BUILD_DIR}", BUILD_DIR) for word in manifest(folder)["run"]]


def serve(mode: str = "keep", *args: str, folder: str = FOLDER) -> wire_client.Server:
    """A server of the contestant, for a `with` block."""
    return wire_client.Server(command(folder), ["--mode", mode, *args], folder=folder,
                              env=manifest(folder).get("env"))


def start(*words: str, **options) -> subprocess.Popen:
    """The contestant with `words` behind its command; its output and errors are pipes of text."""
    return subprocess.Popen([*command(), *words], cwd=FOLDER, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env={**os.environ, **manifest().get("env", {})},
                            **options)


def run(*words: str, timeout_s: float = 60.0) -> tuple:
    """Runs it to its end: (exit code, output, errors)."""
    process = start(*words, stdin=subprocess.DEVNULL)
    try:
        output, errors = process.communicate(timeout=timeout_s)
    except BaseException:
        process.kill()
        process.communicate()
        raise
    return process.returncode, output, errors
