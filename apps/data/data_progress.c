// data_progress.c: see data_progress.h.
#include "data_progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <unistd.h>

#define FIRST_LOOK_NS (1 * MR_NS_PER_S) // before, nobody knows how long it takes
#define EVERY_NS      (500 * MR_NS_PER_MS)
#define LONG_S        5.0

void mr_progress_init(struct mr_progress *progress_out, const char *what)
{
    uint64_t now = mr_clock_ns();
    *progress_out = (struct mr_progress){.what = what,
                                         .terminal = isatty(STDERR_FILENO) == 1,
                                         .start_ns = now,
                                         .next_ns = now + FIRST_LOOK_NS};
}

void mr_progress_show(struct mr_progress *progress, uint64_t done, uint64_t total)
{
    if (!progress->terminal || done == 0 || done > total) {
        return;
    }
    uint64_t now = mr_clock_ns();
    if (now < progress->next_ns) {
        return;
    }
    progress->next_ns = now + EVERY_NS;
    double elapsed_s = (double)(now - progress->start_ns) / (double)MR_NS_PER_S;
    double share = (double)done / (double)total;
    if (!progress->shown && elapsed_s / share < LONG_S) {
        return;
    }
    (void)fprintf(stderr, "\r%s: %3.0f %%, %.0f s left   ", progress->what, share * 100,
                  elapsed_s / share - elapsed_s);
    progress->shown = true;
}

void mr_progress_fini(struct mr_progress *progress)
{
    if (progress->shown) {
        (void)fprintf(stderr, "\r\033[K");
        progress->shown = false;
    }
}
