"""rows_race.py: a lie that no single answer shows: the gate of a race's trials that must catch it."""

import os
import sys

import clocked  # noqa: F401  (the path of what is imported below)
import liar
from rows_host import HOST_GATES, read_trials
from small_race import Race
from table import Noisy, Outcome, Row

HONEST = "example-python"
LIE = "remember-texts"
# Of a batch that it knows the liar parses nothing; warm-up and window must go through the dataset more than once.
RULES = {"warmup_s": 2, "window_s": 1, "retries_max": 0}
DATA = {"shape": "simple", "seed": 1, "bytes": "512KiB", "batch_records": 16}


def race(action: str) -> tuple:
    """(exit code, trials of the honest one, trials of the liar) with the gate `action`."""
    with Race() as small:
        script = os.path.abspath(liar.__file__)
        small.add_contestant("liar", [sys.executable, script, "--lie", LIE])
        gates = {gate: {"action": "off"} for gate in HOST_GATES} | {"novelty": {"action": action}}
        matrix = small.matrix((HONEST, "liar"), rules={**RULES, "gates": gates},
                              cell={"rows": 2, "data": DATA, "load": {"connections": 4, "depth": 4},
                                    "comparisons": [{"a": HONEST, "b": "liar", "primary": False}]})
        done = small.run(matrix)
        trials = read_trials(small.out)
        return (done.returncode, [trial for trial in trials if trial["entry"] == HONEST],
                [trial for trial in trials if trial["entry"] == "liar"])


def passes(trial: dict) -> float:
    """How often the dataset went through the server: from the second time on there is something to remember."""
    seen = trial["details"]["generator"]
    return seen["verification"]["replies_verified"] / seen["inputs"]["dataset_batches"]


def figures(trials: list) -> str:
    return ", ".join("%.2f" % trial["observation"]["unseen_over_seen"] for trial in trials)


def prove() -> Outcome:
    gate = liar.RACE_LIES[LIE].gate
    _, honest, lying = race("exclude")
    least = min(map(passes, lying), default=0)
    if least < 2:
        raise Noisy("the dataset went through the liar %.1f times only" % least)
    caught = (bool(lying) and all(trial["outcome"] == "excluded" and trial["gates"][gate]["outcome"] == "failed"
                                  for trial in lying)
              and bool(honest) and all(trial["gates"][gate]["outcome"] == "passed" for trial in honest))
    code, _, through = race("off")
    passed = code == 0 and len(through) == 2 and all(trial["outcome"] == "counted" for trial in through)
    return Outcome(caught, passed, "unseen over known: liar %s; honest %s; at most %s" % (
        figures(lying), figures(honest), lying[0]["gates"][gate]["threshold"]), off=(gate,))


def rows() -> list:
    return [Row(LIE, liar.RACE_LIES[LIE].gate, liar.RACE_LIES[LIE].what, prove)]
