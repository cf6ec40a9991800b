"""wire_client_test.py: the tests' own Server: whoever crashes, says more or does not end is not taken for right."""

import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from wire_client import Server, WireFault  # noqa: E402

READY = "import os, signal, sys, time; print('listening 127.0.0.1:9', flush=True); "


def server(code: str) -> Server:
    return Server([sys.executable, "-c", READY + code])


class EndOfServer(unittest.TestCase):
    """How the end of a `with` block judges the server's."""

    def gone(self, code: str) -> None:
        with server(code) as one:
            one.process.wait(10)

    def test_crash(self):
        for code in ("sys.exit(3)", "os.abort()"):
            with self.assertRaisesRegex(WireFault, "ended by itself with code (3|-6)"):
                self.gone(code)

    def test_end_in_order(self):
        self.gone("sys.exit(0)")

    def test_sigterm(self):
        with server("signal.signal(signal.SIGTERM, lambda *_: os._exit(0)); time.sleep(60)"):
            time.sleep(0.2)
        with self.assertRaisesRegex(WireFault, "exit code -15"):
            with server("time.sleep(60)"):
                pass

    def test_killed_by_the_test(self):
        with server("time.sleep(60)") as one:
            one.kill()

    def test_failure_of_the_block_comes_first(self):
        with self.assertRaises(KeyError):
            with server("sys.exit(3)") as one:
                one.process.wait(10)
                raise KeyError


if __name__ == "__main__":
    unittest.main()
