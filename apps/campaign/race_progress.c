// race_progress.c: see race_progress.h.
#include "race_progress.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void mr_race_progress_init(struct mr_race_progress *progress_out, size_t total)
{
    *progress_out = (struct mr_race_progress){
        .live = isatty(STDERR_FILENO) == 1, .total = total, .start_ns = mr_clock_ns()};
}

void mr_race_progress_show(struct mr_race_progress *progress, const char *format, ...)
{
    if (!progress->live) {
        return;
    }
    char what[96];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\r\033[K[%zu/%zu] %s", progress->done + 1, progress->total, what);
    if (progress->done > 0 && progress->total > progress->done) {
        double elapsed_s = (double)(mr_clock_ns() - progress->start_ns) / 1e9;
        double left_s =
            elapsed_s / (double)progress->done * (double)(progress->total - progress->done);
        (void)fprintf(stderr, "  %d:%02d left", (int)left_s / 60, (int)left_s % 60);
    }
    (void)fflush(stderr);
}

void mr_race_progress_step(struct mr_race_progress *progress)
{
    progress->done++;
}

void mr_race_progress_fini(struct mr_race_progress *progress)
{
    if (progress->live) {
        (void)fprintf(stderr, "\r\033[K");
        (void)fflush(stderr);
    }
}
