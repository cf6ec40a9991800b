// assignment.h: which cores the server, the generator and nobody get, and the machine's grade for
// it.
#ifndef MR_HOST_ASSIGNMENT_H
#define MR_HOST_ASSIGNMENT_H

#include "topology.h"

#include <base/pin.h>

// What a machine is good for.
enum mr_grade {
    MR_GRADE_NONE, // one core or less: nobody can race
    MR_GRADE_A,    // 4 cores for the server, 3 for the generator, a spare one
    MR_GRADE_B,    // disjoint cores and a spare one
    MR_GRADE_C, // one for the server, one for the generator, no spare: latency is indicative only
};

// Disjoint sets of cores, never two of one group; siblings of cores in use stay idle.
struct mr_assignment {
    enum mr_grade grade;
    struct mr_cores server;
    struct mr_cores generator;
    struct mr_cores
        spare; // for the runner, the pause watch and the kernel's chores; none in grade C
};

// Assigns groups (physical cores) of one NUMA node, the one with most groups, or of all nodes where
// none has three. Of n groups, at most 8 counting, one is spare from 3 on, the server gets the
// larger half of the rest, the generator the smaller: 8 → 4 + 3 + 1, 4 → 2 + 1 + 1, 2 → 1 + 1. The
// spare is the lowest core, where interrupts and chores tend to land; the generator's follow, then
// the server's. A quota counts as that many whole groups at most; an unknown one limits nothing.
// Deterministic.
void mr_assign(const struct mr_topology *topology, struct mr_reading quota_millicores,
               struct mr_assignment *assignment_out);

// 'A', 'B', 'C', or '-' for MR_GRADE_NONE.
char mr_grade_letter(enum mr_grade grade);

#endif
