// topology.h: the cores that we may use and what they share.
#ifndef MR_HOST_TOPOLOGY_H
#define MR_HOST_TOPOLOGY_H

#include "reading.h"

#include <matchrace/attributes.h>
#include <base/pin.h>

#include <stdbool.h>
#include <stddef.h>

// One usable core, that is one hardware thread. Cores with the same `group` share execution units:
// hyper-threads of one physical core.
struct mr_topology_core {
    unsigned core;
    unsigned group;         // lowest number of a core, usable or not, with which it shares
    struct mr_reading node; // NUMA node
};

// The usable cores, ascending.
struct mr_topology {
    struct mr_topology_core core[MR_PIN_MAX_CORES];
    size_t count;
    bool siblings_known;         // the kernel lists the siblings of every core; a hypervisor may
                                 // still hide them: mr_probe_pair() finds out
    struct mr_reading llc_bytes; // last-level cache that the first usable core reaches
    struct mr_reading llc_cores; // number of cores that share it
};

// Reads what /sys tells about the `usable` cores (mr_pin_allowed()); what it does not tell is
// unavailable, every core then being a group of its own. `root` is put before /sys: "" for this
// machine, a folder with a made-up tree in tests.
void mr_topology_read(const char *root, const struct mr_cores *usable,
                      struct mr_topology *topology_out);

// Puts the groups of two usable cores (asserted) together, because measuring showed that they share
// hardware.
void mr_topology_join(struct mr_topology *topology, unsigned core, unsigned other);

#endif
