#!/usr/bin/env python3
# mute.py: a server that greets, takes every batch and never answers one.
"""The example contestant, but for the ACKs: `mute.py serve --mode keep`."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "contestants", "example-python"))
import server as example  # noqa: E402  (the example contestant, as a module)


class Mute(example.Server):
    """Says what it is, and nothing more."""

    async def talk(self, reader, writer, ring):
        while True:
            size, kind, _, _, sequence = example.FRAME.unpack(await reader.readexactly(example.FRAME.size))
            payload = await reader.readexactly(size)
            if kind != example.BATCH:
                reply, text = self.answer(kind, payload, ring)
                writer.write(example.FRAME.pack(len(text), reply, 1, 0, sequence) + text)
                await writer.drain()


if __name__ == "__main__":
    example.Server = Mute
    example.main()
