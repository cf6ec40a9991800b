// dose.c: see dose.h.
#include "dose.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <time.h>

#define SETTLE_NS (500 * MR_NS_PER_US)

// Turns between two looks at the CPU clock, which is a system call: some 0.1 us.
#define SPIN_TURNS 50

static uint64_t thread_cpu_ns(void)
{
    struct timespec now;
    int failed = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    MR_ASSERT(failed == 0);
    return (uint64_t)now.tv_sec * MR_NS_PER_S + (uint64_t)now.tv_nsec;
}

void mr_dose_init(struct mr_dose *dose_out, uint64_t ppm)
{
    MR_ASSERT(ppm <= MR_DOSE_PPM_MAX);
    *dose_out = (struct mr_dose){.ppm = ppm};
    if (ppm > 0) {
        dose_out->settled_ns = mr_clock_ns();
        dose_out->cpu_ns = thread_cpu_ns();
    }
}

void mr_dose_settle(struct mr_dose *dose)
{
    if (dose->ppm == 0 || mr_clock_ns() - dose->settled_ns < SETTLE_NS) {
        return;
    }
    uint64_t cpu_ns = thread_cpu_ns();
    dose->work_ns += cpu_ns - dose->cpu_ns;
    uint64_t owed_ns = dose->work_ns / MR_DOSE_PPM_MAX * dose->ppm +
                       dose->work_ns % MR_DOSE_PPM_MAX * dose->ppm / MR_DOSE_PPM_MAX;
    while (dose->spun_ns < owed_ns) {
        for (volatile int turn = 0; turn < SPIN_TURNS; turn++) {
        }
        uint64_t now_ns = thread_cpu_ns();
        dose->spun_ns += now_ns - cpu_ns;
        cpu_ns = now_ns;
    }
    dose->cpu_ns = cpu_ns;
    dose->settled_ns = mr_clock_ns();
}
