// topology.c: see topology.h.
#define _GNU_SOURCE
#include "topology.h"

#include "proc_text.h"
#include "slurp.h"

#include <base/mr_assert.h>

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A core has at most this many caches (index0 …).
#define CACHES_MAX 8

static bool read_cores(struct mr_cores *cores_out, const char *root, unsigned core,
                       const char *file)
{
    char *text;
    bool known = false;
    if (mr_slurp(&text, "%s/sys/devices/system/cpu/cpu%u/%s", root, core, file) == 0) {
        text[strcspn(text, "\n")] = '\0';
        known = mr_cores_parse(text, cores_out) == 0 && cores_out->count > 0;
    }
    free(text);
    return known;
}

// The folder of a core has an entry node0, node1 … that leads to its NUMA node.
static struct mr_reading read_node(const char *root, unsigned core)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%u", root, core);
    DIR *folder = opendir(path);
    struct mr_reading node = {0};
    const struct dirent *entry;
    while (folder != NULL && !node.known && (entry = readdir(folder)) != NULL) {
        const char *at = entry->d_name + 4;
        node.known = strncmp(entry->d_name, "node", 4) == 0 && mr_proc_number(&at, &node.value) &&
                     *at == '\0';
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return node;
}

static struct mr_reading read_cache_bytes(const char *root, unsigned core, unsigned cache)
{
    struct mr_reading_text size =
        mr_slurp_line("%s/sys/devices/system/cpu/cpu%u/cache/index%u/size", root, core, cache);
    const char *at = size.text;
    uint64_t number;
    if (!size.known || !mr_proc_number(&at, &number)) {
        return (struct mr_reading){0};
    }
    unsigned shift = *at == 'K' ? 10 : *at == 'M' ? 20 : *at == 'G' ? 30 : 0;
    return mr_reading_of(number << shift);
}

// The cache of the highest level that holds data.
static void read_last_cache(const char *root, struct mr_topology *topology)
{
    unsigned core = topology->core[0].core;
    uint64_t highest = 0;
    for (unsigned cache = 0; cache < CACHES_MAX; cache++) {
        struct mr_reading level = mr_slurp_number(
            "%s/sys/devices/system/cpu/cpu%u/cache/index%u/level", root, core, cache);
        struct mr_reading_text type =
            mr_slurp_line("%s/sys/devices/system/cpu/cpu%u/cache/index%u/type", root, core, cache);
        if (!level.known || level.value <= highest || strcmp(type.text, "Instruction") == 0) {
            continue;
        }
        highest = level.value;
        topology->llc_bytes = read_cache_bytes(root, core, cache);
        char file[64];
        struct mr_cores sharing;
        (void)snprintf(file, sizeof file, "cache/index%u/shared_cpu_list", cache);
        topology->llc_cores = (struct mr_reading){0};
        if (read_cores(&sharing, root, core, file)) {
            topology->llc_cores = mr_reading_of(sharing.count);
        }
    }
}

void mr_topology_read(const char *root, const struct mr_cores *usable,
                      struct mr_topology *topology_out)
{
    topology_out->count = usable->count;
    topology_out->siblings_known = usable->count > 0;
    topology_out->llc_bytes = (struct mr_reading){0};
    topology_out->llc_cores = (struct mr_reading){0};
    for (size_t i = 0; i < usable->count; i++) {
        unsigned core = usable->core[i];
        struct mr_cores siblings;
        bool known = read_cores(&siblings, root, core, "topology/thread_siblings_list");
        topology_out->siblings_known &= known;
        topology_out->core[i] = (struct mr_topology_core){
            .core = core, .group = known ? siblings.core[0] : core, .node = read_node(root, core)};
    }
    if (usable->count > 0) {
        read_last_cache(root, topology_out);
    }
}

static unsigned group_of(const struct mr_topology *topology, unsigned core)
{
    for (size_t i = 0; i < topology->count; i++) {
        if (topology->core[i].core == core) {
            return topology->core[i].group;
        }
    }
    MR_ASSERT(false);
    return 0;
}

void mr_topology_join(struct mr_topology *topology, unsigned core, unsigned other)
{
    unsigned first = group_of(topology, core);
    unsigned second = group_of(topology, other);
    unsigned joined = first < second ? first : second;
    for (size_t i = 0; i < topology->count; i++) {
        if (topology->core[i].group == first || topology->core[i].group == second) {
            topology->core[i].group = joined;
        }
    }
}
