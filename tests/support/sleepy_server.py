#!/usr/bin/env python3
"""sleepy_server.py: the example contestant, asleep for 5 ms a batch: never above 200 batches/s, on any machine."""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "contestants", "example-python"))
import server as example  # noqa: E402  (the example contestant, as a module)

NAP_S = 0.005


class Sleepy(example.Server):
    """The example's server, honest and slow."""

    def answer(self, kind, payload, ring):
        if kind == example.BATCH:
            time.sleep(NAP_S)
        return super().answer(kind, payload, ring)


if __name__ == "__main__":
    example.Server = Sleepy
    example.main()
