"""campaign_conform.py: a race's own checks of conformance: in the modes raced, stamped once, asked for again each time."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from small_race import BUILD_DIR, ROOT, Race, expect, skip_unless_built

# Right in every mode, until the file FLAG is there: then wrong in one. In sh, for the kit starts it a hundred times.
TURNCOAT = """
flag=$1 right=$2 wrong=$3 python=$4
shift 4
case "$(test -e "$flag" && echo turned) $* " in
"turned "*" totals "*) exec "$python" -S -E "$wrong" --mutation sequence-own "$@" ;;
esac
exec "$right" "$@"
"""
NAME = "c-tuned"  # whom it says it is in its WELCOME


def main() -> None:
    skip_unless_built()
    # Where the kit keeps its stamps; the real one comes back in the end.
    stamp = os.path.join(ROOT, "build", "conform", NAME + ".json")
    before = None
    if os.path.exists(stamp):
        with open(stamp, "rb") as file:
            before = file.read()
        os.unlink(stamp)
    with Race() as race:
        flag = race.path("flag")
        right = os.path.join(BUILD_DIR, "contestants", "c-tuned", "c-tuned")
        race.add_contestant(NAME, ["sh", "-c", TURNCOAT, NAME, flag, right,
                                   os.path.join(ROOT, "tests", "conformance", "mutant.py"), sys.executable],
                            variants={"other": {"run": [right]}})

        # One by another name in the table: the check is of whom it stands for.
        def run(other={"contestant": NAME + "@drain", "as": "its ceiling"}):
            matrix = race.matrix((NAME, other["as"]), cell={
                "mode": "totals", "rows": 6, "contestants": [NAME, other],
                "comparisons": [{"a": NAME, "b": other["as"]}]})
            command = race.command(matrix)
            at = command.index("--contestants")
            command = [word for word in command[:at] + command[at + 2:] if word != "--skip-conform"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            expect(os.path.exists(race.out), "it begins: %s" % done.stderr)
            with open(os.path.join(race.out, "manifest.json"), encoding="utf-8") as file:
                return done, [one["conformance"] for one in json.load(file)["contestants"]]

        try:
            done, found = run()
            expect(done.returncode in (0, 5) and found == ["full in the modes raced"] * 2,
                   "it passes: %d %s %s" % (done.returncode, found, done.stderr))
            with open(stamp, encoding="utf-8") as file:
                expect(json.load(file)["modes"] == ["drain", "totals"], "the modes raced are stamped, no others")
            with open(flag, "w", encoding="utf-8"):
                pass
            done, found = run()
            expect(done.returncode == 3 and found == ["failed"] * 2,
                   "the short check sees a mode that went wrong: %d %s %s" % (done.returncode, found, done.stderr))
            done, found = run({"contestant": NAME + "@other", "as": "another program"})
            expect(done.returncode == 3 and found == ["failed", "full in the modes raced"],
                   "a variant that is a program of its own is judged by itself: %d %s %s"
                   % (done.returncode, found, done.stderr))
        finally:
            for made in (stamp, os.path.join(os.path.dirname(stamp), NAME + "@other.json")):
                if os.path.exists(made):
                    os.unlink(made)
            if before is not None:
                with open(stamp, "wb") as file:
                    file.write(before)


if __name__ == "__main__":
    main()
