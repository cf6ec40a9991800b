"""planting.py: what the mutants share: their register, and ways to replace a method of honest.py.

The mutants are in mutants_*.py, by the part of docs/PROTOCOL.md that they break.
"""

import functools
import select

import honest

WAIT_FOR_NOTHING = select.EPOLLPRI  # an event that never comes keeps a connection open
MUTANTS = {}


class Mutant:
    """A mutation: the check that it breaks, what it does, and its side effects."""

    def __init__(self, check, what, mode, also, apply):
        self.check, self.what, self.mode, self.also, self.apply = check, what, mode, also, apply


def mutant(check, what, mode="keep", also=None):
    """Registers a function that plants the fault. `also`: {check: why it fails too}."""
    def register(apply):
        MUTANTS[apply.__name__.replace("_", "-")] = Mutant(check, what, mode, also or {}, apply)
        return apply
    return register


def around(owner, name):
    """Replaces owner.name by the decorated function, which gets the original first."""
    original = getattr(owner, name)

    def replace(function):
        setattr(owner, name, functools.wraps(original)(
            lambda *words, **more: function(original, *words, **more)))
        return function
    return replace


def repack(change):
    """Replies with another header: change(size, kind, version, reserved, sequence) gives all five."""
    @around(honest.Peer, "put")
    def put(original, self, kind, sequence, payload):
        at = len(self.output)
        original(self, kind, sequence, payload)
        honest.FRAME.pack_into(self.output, at, *change(len(payload), kind, 1, 0, sequence))
