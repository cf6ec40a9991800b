// throttle.c: see throttle.h.
#include "throttle.h"

#include "cgroup_walk.h"
#include "proc_text.h"
#include "slurp.h"

#include <stddef.h>
#include <stdlib.h>

static void add(struct mr_reading *sum, struct mr_reading part, uint64_t unit_ns)
{
    if (part.known) {
        *sum = mr_reading_of(sum->value + part.value * unit_ns);
    }
}

static void add_group(const char *folder, bool v2, void *context)
{
    struct mr_throttle *throttle = context;
    char *text;
    if (mr_slurp(&text, "%s/cpu.stat", folder) == 0) {
        add(&throttle->count, mr_proc_key(text, "nr_throttled"), 1);
        if (v2) {
            add(&throttle->ns, mr_proc_key(text, "throttled_usec"), 1000);
        } else {
            add(&throttle->ns, mr_proc_key(text, "throttled_time"), 1);
        }
    }
    free(text);
}

void mr_throttle_read(const char *root, struct mr_throttle *throttle_out)
{
    *throttle_out = (struct mr_throttle){.count.known = false};
    (void)mr_cgroup_walk(root, "cpu", add_group, throttle_out);
}
