// progress.c: see progress.h.
#include "progress.h"

#include "clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define FIRST_LOOK_NS (1 * MR_NS_PER_S) // before, nobody knows how long it takes
#define EVERY_NS      (500 * MR_NS_PER_MS)
#define LONG_S        5.0

void mr_progress_init(struct mr_progress *progress_out, const char *what)
{
    uint64_t now = mr_clock_ns();
    *progress_out = (struct mr_progress){
        .terminal = isatty(STDERR_FILENO) == 1, .start_ns = now, .next_ns = now + FIRST_LOOK_NS};
    mr_progress_say(progress_out, "%s", what);
}

void mr_progress_say(struct mr_progress *progress, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(progress->what, sizeof progress->what, format, arguments);
    va_end(arguments);
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
    (void)fprintf(stderr, "\r\033[K%s: %.0f %%, %.0f s left", progress->what, share * 100,
                  elapsed_s / share - elapsed_s);
    (void)fflush(stderr);
    progress->shown = true;
}

void mr_progress_fini(struct mr_progress *progress)
{
    if (progress->shown) {
        (void)fprintf(stderr, "\r\033[K");
        (void)fflush(stderr);
        progress->shown = false;
    }
}
