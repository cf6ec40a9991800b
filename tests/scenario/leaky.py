#!/usr/bin/env python3
"""leaky.py: the example contestant with a leak, for the proof that a soak sees it: `leaky.py LEAK serve …`; LEAK is none,
memory (some of every batch stays) or descriptors (one of every connection stays)."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "contestants", "example-python")
sys.path.insert(0, EXAMPLE)
import server as example  # noqa: E402  (the example contestant, as a module)

LEAKED_BYTES = 4096


class Leaky(example.Server):
    """Does all that the example does."""

    leak = "none"
    left = []

    def answer(self, kind, payload, ring):
        if self.leak == "memory":
            self.left.append(os.urandom(LEAKED_BYTES))
        return super().answer(kind, payload, ring)

    async def connection(self, reader, writer):
        if self.leak == "descriptors":
            self.left.append(os.dup(0))
        await super().connection(reader, writer)


def main():
    Leaky.leak = sys.argv.pop(1)
    example.Server = Leaky
    example.main()


if __name__ == "__main__":
    main()
