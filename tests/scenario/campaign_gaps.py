"""campaign_gaps.py: who declares gaps races in tables headed "unequal work", with the gaps beside the figures and without a verdict."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from json_schema import Checker
from small_race import BUILD_DIR, ROOT, Race, expect, skip_unless_built

# Another program by its hash, that becomes c-tuned.
ALIAS = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
GAPS = [{"gap": "A comma too many is taken", "cases": ["schema/flag/comma/", "schema/lenient/trailing-comma-object"]}, "W44"]


def matrix_of(race: Race, primary: bool) -> str:
    return race.stepped_matrix(("c-tuned", "lenient"), cell={
        "rows": 6, "comparisons": [{"a": "c-tuned", "b": "lenient", "primary": primary}]})


def main() -> None:
    skip_unless_built()
    with Race() as race:
        race.add_contestant("lenient", [sys.executable, "-c", ALIAS, os.path.join(BUILD_DIR, "contestants", "c-tuned", "c-tuned")],
                            conformance=GAPS)
        done = race.run(matrix_of(race, primary=True))
        expect(done.returncode == 2 and "gets no verdict" in done.stderr,
               "no verdict is promised: %d %s" % (done.returncode, done.stderr[-300:]))
        done = race.run(matrix_of(race, primary=False))
        expect(done.returncode == 0, "it races: %d %s" % (done.returncode, done.stderr[-300:]))
        results = race.results()
        with open(os.path.join(ROOT, "schemas", "manifest.schema.json"), encoding="utf-8") as file:
            faults = Checker(json.load(file)).faults(results["manifest"])
        expect(not faults, "the manifest obeys its schema: %s" % faults)
        gaps = {one["entry"]: one["gaps"] for one in results["manifest"]["contestants"]}
        expect(gaps == {"c-tuned": [], "lenient": [{"gap": GAPS[0]["gap"], "shown_by": GAPS[0]["cases"]},
                                                   {"gap": "", "shown_by": ["W44"]}]}, "the manifest tells them: %s" % gaps)
        page = race.text("report.md")
        wanted = ("### simple/keep: unequal work\n", "lenient does less than the others.",
                  "- A comma too many is taken (schema/flag/comma/ and 1 more)\n- W44\n", "shown without verdict")
        for part in wanted:
            expect(part in page, "the report says %r" % part)
        html = race.text("report.html")
        for part in ("<strong>Unequal work</strong>: lenient does less than the others.",
                     "<li>A comma too many is taken <code>schema/flag/comma/</code> and 1 more</li>", "<code>W44</code>"):
            expect(part in html, "the page says %r" % part)
        done = race.run(race.stepped_matrix())
        expect(done.returncode in (0, 5) and "unequal work" not in race.text("report.md") + race.text("report.html").lower(),
               "a race of equals says nothing of it")


if __name__ == "__main__":
    main()
