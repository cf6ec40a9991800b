// own_memory.c: see own_memory.h.
#define _GNU_SOURCE
#include "own_memory.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/resource.h>

uint64_t mr_own_peak_rss_bytes(void)
{
    uint64_t kib = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && kib == 0 && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "VmHWM: %" SCNu64 " kB", &kib);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kib << 10;
}

uint64_t mr_own_held_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return (uint64_t)info.uordblks + info.hblkhd;
}

struct mr_own_faults mr_own_faults(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    return (struct mr_own_faults){.minor = (uint64_t)usage.ru_minflt,
                                  .major = (uint64_t)usage.ru_majflt};
}
