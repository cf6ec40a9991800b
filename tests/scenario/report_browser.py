#!/usr/bin/env python3
# report_browser.py: report.html in headless Chromium, where one is installed: used as a reader does, and with faults.
"""Races small and opens its report in a browser; then one with hostile texts, and pages at fault, each of which must be noticed."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from report_run import make_hostile, page_of, report, three_cells  # noqa: E402
from small_race import ROOT, Race, expect, skip_unless_built  # noqa: E402

SCRIPT = os.path.join(ROOT, "tests", "browser", "report_page.mjs")
NODE_LEAST = 20
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
# What is wrong with the page, and what the browser's test says of it.
PLANTED = [
    ("a picture from elsewhere", "</main>", '<img alt="" src="https://elsewhere.invalid/x.png"></main>', "elsewhere.invalid"),
    ("a script that fails", '"use strict";', '"use strict"; setTimeout(() => { throw new Error("planted"); }, 0);', "planted"),
    ("sorting that does not sort", "return direction * (a - b);", "return 0;", "sorts"),
    ("a filter that hides nothing", 'classList.toggle("filtered", gone)', 'classList.toggle("other", gone)', "switched off is gone"),
    ("text that is too pale", "--soft: #55595e", "--soft: #c5c9ce", "color-contrast"),
    ("a part that a telephone cannot hold", "</style>", "main { min-width: 60rem; }</style>", "a telephone shows it"),
]


def node_suffices() -> bool:
    if shutil.which("node") is None:
        return False
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    return told.startswith("v") and int(told[1:].split(".")[0]) >= NODE_LEAST


def skip_unless_installed() -> None:
    lacks = []
    if not node_suffices():
        lacks.append("node %d or later" % NODE_LEAST)
    if not any(shutil.which(name) for name in BROWSERS):
        lacks.append("a browser (package chromium-headless-shell)")
    if not os.path.exists(os.path.join(ROOT, ".deps", "browser", "node_modules", "playwright-core")):
        lacks.append("the driver (tools/setup/browser.sh brings it)")
    if lacks:
        print("skipped: not installed: %s" % ", ".join(lacks))
        sys.exit(77)


def use(folder: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(["node", SCRIPT, os.path.join(folder, "report.html"), *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=200, check=False)


def check_well(folder: str, *words: str) -> None:
    done = use(folder, *words)
    print(done.stdout, end="")
    expect(done.returncode == 0, "the browser's test passes: %s" % done.stderr)


def check_planted(folder: str, race: Race) -> None:
    text = page_of(folder)
    for what, old, new, said in PLANTED:
        expect(old in text, "a place for %s" % what)
        planted = race.path("planted")
        os.makedirs(planted, exist_ok=True)
        with open(os.path.join(planted, "report.html"), "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        done = use(planted)
        expect(done.returncode == 1 and said in done.stderr, "%s is noticed: %s" % (what, done.stderr[:300]))


def main() -> None:
    skip_unless_built()
    skip_unless_installed()
    with Race() as race:
        done = race.run(three_cells(race))
        expect(done.returncode == 0, "the race ends well: %s" % done.stderr)
        check_well(race.out)
        check_planted(race.out, race)
        make_hostile(race.out, "c-tuned")
        report(race.out)
        check_well(race.out, "--hostile")


if __name__ == "__main__":
    main()
