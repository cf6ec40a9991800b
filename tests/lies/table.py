"""table.py: what a row of the proof is, and how rows become a table."""

from typing import Callable, NamedTuple

YES, NO, NOTHING = "yes", "NO", "-"


class Outcome(NamedTuple):
    """What came of a row."""

    caught: bool          # with the gate on: by the named gate; an honest one: it passed every gate
    through: bool | None  # with the gate off the lie got through; None: there is nothing to switch off
    figures: str          # one line: what was seen
    others: tuple = ()    # other gates that tripped while the named one was on
    off: tuple = ()       # what was switched off so that the lie got through

    def right(self) -> bool:
        return self.caught and self.through is not False


class Row(NamedTuple):
    """One lie or disturbance, or an honest run."""

    name: str
    gate: str  # that must catch it, or the figure that must show it; "none": every gate must pass
    what: str  # a sentence
    prove: Callable[[], Outcome]
    quick: bool = False  # is part of the tests


class Noisy(Exception):
    """The host took so much time for itself that the row would say nothing: it is run again.

    Decided by what the host did (recorded pauses), never by what came out.
    """


HEAD = ("lie", "gate expected", "caught", "through without", "figures")
WIDTHS = (20, 21, 7, 22)


def line(words: tuple) -> str:
    return "  ".join([word.ljust(width) for word, width in zip(words, WIDTHS)] + [words[-1]]).rstrip()


def words_of(row: Row, outcome: Outcome) -> tuple:
    caught = YES if outcome.caught else NO
    through = NOTHING
    if outcome.through is not None:
        through = (YES if outcome.through else NO) + (": " + ",".join(outcome.off) if outcome.off else "")
    figures = outcome.figures
    if outcome.others:
        figures += " [also tripped: %s]" % ", ".join(outcome.others)
    return row.name, row.gate, caught, through, figures
