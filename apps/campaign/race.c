// race.c: see race.h.
#include "race.h"

#include "base/clock.h"

#include <stdarg.h>
#include <unistd.h>

struct mr_patience mr_race_patience(const struct mr_race *race, uint64_t duration_ns)
{
    struct mr_patience patience = mr_patience_for(duration_ns);
    if (patience.deadline_ns > race->deadline_ns) {
        patience.deadline_ns = race->deadline_ns;
    }
    patience.wake_fd = race->wake_fd;
    return patience;
}

void mr_race_log(const struct mr_race *race, const char *format, ...)
{
    if (race->log == NULL) {
        return;
    }
    char now[21];
    mr_clock_utc_text(now);
    (void)fprintf(race->log, "%s ", now);
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(race->log, format, arguments);
    va_end(arguments);
    (void)fprintf(race->log, "\n");
    (void)fflush(race->log);
    (void)fdatasync(fileno(race->log));
}
