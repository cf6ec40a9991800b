"""others.py: what everybody but this proof took of the machine: whether the host was quiet enough to say anything."""

import os
import time

# More of a core than that, and what went wrong may have been theirs.
OTHERS_MAX = 0.02


def others_s() -> float:
    """CPU time that everybody but this proof and its ended children took since the machine began, the hypervisor's
    other guests (steal) among them, where the kernel tells. No gate computes it like this, or over the same time."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    own = os.times()
    all_s = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return all_s - own.user - own.system - own.children_user - own.children_system


class Watch:
    """What others take from now on."""

    def __init__(self):
        self.begin_s, self.others_s = time.monotonic(), others_s()

    def share(self) -> float:
        """Of one core, in the mean."""
        return (others_s() - self.others_s) / max(time.monotonic() - self.begin_s, 1e-3)
