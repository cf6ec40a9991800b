// assignment.c: see assignment.h.
#include "assignment.h"

#include <base/mr_assert.h>

#include <stdbool.h>

#define GROUPS_OF_GRADE_A 8

// Groups below this number have no spare one.
#define GROUPS_WITH_SPARE 3

static bool is_on_node(const struct mr_topology_core *core, const struct mr_reading *node)
{
    if (node == NULL) {
        return true;
    }
    return core->node.known == node->known && (!node->known || core->node.value == node->value);
}

// The lowest usable core of each group on `node` (NULL: on any), ascending.
static void group_cores(const struct mr_topology *topology, const struct mr_reading *node,
                        struct mr_cores *cores_out)
{
    cores_out->count = 0;
    for (size_t i = 0; i < topology->count; i++) {
        bool taken = !is_on_node(&topology->core[i], node);
        for (size_t j = 0; j < i && !taken; j++) {
            taken = topology->core[j].group == topology->core[i].group &&
                    is_on_node(&topology->core[j], node);
        }
        if (!taken) {
            cores_out->core[cores_out->count++] = topology->core[i].core;
        }
    }
}

static void best_cores(const struct mr_topology *topology, struct mr_cores *best_out)
{
    best_out->count = 0;
    for (size_t i = 0; i < topology->count; i++) {
        struct mr_cores cores;
        group_cores(topology, &topology->core[i].node, &cores);
        if (cores.count > best_out->count) {
            *best_out = cores;
        }
    }
    if (best_out->count < GROUPS_WITH_SPARE) {
        group_cores(topology, NULL, best_out);
    }
}

static const unsigned *take(struct mr_cores *cores_out, const unsigned *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cores_out->core[i] = from[i];
    }
    cores_out->count = count;
    return from + count;
}

void mr_assign(const struct mr_topology *topology, struct mr_reading quota_millicores,
               struct mr_assignment *assignment_out)
{
    struct mr_cores cores;
    best_cores(topology, &cores);
    size_t groups = cores.count < GROUPS_OF_GRADE_A ? cores.count : GROUPS_OF_GRADE_A;
    if (quota_millicores.known && quota_millicores.value / 1000 < groups) {
        groups = (size_t)(quota_millicores.value / 1000);
    }
    assignment_out->server.count = 0;
    assignment_out->generator.count = 0;
    assignment_out->spare.count = 0;
    assignment_out->grade = MR_GRADE_NONE;
    if (groups < 2) {
        return;
    }
    size_t spare = groups >= GROUPS_WITH_SPARE ? 1 : 0;
    size_t server = (groups - spare + 1) / 2;
    const unsigned *next = take(&assignment_out->spare, cores.core, spare);
    next = take(&assignment_out->generator, next, groups - spare - server);
    (void)take(&assignment_out->server, next, server);
    assignment_out->grade = groups == GROUPS_OF_GRADE_A ? MR_GRADE_A
                            : spare == 1                ? MR_GRADE_B
                                                        : MR_GRADE_C;
}

char mr_grade_letter(enum mr_grade grade)
{
    static const char letters[] = "-ABC";
    MR_ASSERT((unsigned)grade < sizeof letters - 1);
    return letters[grade];
}
