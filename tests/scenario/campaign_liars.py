"""campaign_liars.py: liars in a race: each fails its trial by the named gate; made honest, it passes."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import liar
from small_race import Race, expect, skip_unless_built

CHOSEN = ("skip-records", "stale-digest", "remember", "reject-all", "early", "close", "wrong-stats", "wrong-kept")
# An early answer is a guess, which is right in drain alone.
MODES = {"early": "drain"}


# Few batches, so that each comes back soon: who remembers what it has answered is caught by that.
def make_matrix(race: Race, name: str, mode: str) -> str:
    return race.matrix(("c-tuned", name),
                       cell={"mode": mode, "data": {"shape": "simple", "seed": 1, "bytes": "16KiB", "batch_records": 4},
                             "load": {"connections": 4, "depth": 2}},
                       rules={"warmup_s": 0.3, "window_s": 0.3})


def main() -> None:
    skip_unless_built()
    with Race() as race:
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "liar.py")
        subprocess.run([sys.executable, script, "manifests", race.path("liars")], check=True, timeout=30)
        more = ("--contestants", race.path("liars"))
        for lie in CHOSEN:
            mode = MODES.get(lie, "keep")
            done = race.run(make_matrix(race, "liar-" + lie, mode), *more)
            expect(done.returncode == 3, "%s: exit code 3 (got %d: %s)" % (lie, done.returncode, done.stderr))
            results = race.results()
            trials = [t for t in results["trials"] if t["entry"] == "liar-" + lie]
            expect(len(trials) == 1 and trials[0]["outcome"] == "wrong", "%s is wrong at once and not run again: %s" % (lie, [t["reason"] for t in trials]))
            expect(trials[0]["reason"].startswith(liar.LIES[lie].gate + ":"), "%s by its gate: %s" % (lie, trials[0]["reason"]))
            expect("liar\\-" + lie in race.text("report.md") or "liar-" + lie in race.text("report.md"), "the report names it")
        done = race.run(make_matrix(race, "liar-honest", "keep"), *more)
        expect(done.returncode == 0, "made honest, it passes: %d %s" % (done.returncode, done.stderr))
        expect(race.results()["cells"][0]["rows_counted"] == 6, "all its rows count")


if __name__ == "__main__":
    main()
