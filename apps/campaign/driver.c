// driver.c: see driver.h.
#include "driver.h"

#include "base/mr_assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct mr_driver *const drivers[] = {&mr_driver_served, &mr_driver_stepped};

const struct mr_driver *mr_driver_by_name(const char *name)
{
    const struct mr_driver *found = NULL;
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (strcmp(drivers[i]->name, name) == 0) {
            found = drivers[i];
        }
    }
    MR_ASSERT(found != NULL);
    return found;
}

enum mr_driver_result mr_trial_run_fail(struct mr_trial_run *run, enum mr_trial_outcome outcome,
                                        const char *format, ...)
{
    bool worse = run->trial.outcome == MR_TRIAL_EXCLUDED && outcome == MR_TRIAL_WRONG;
    if (run->trial.outcome == MR_TRIAL_COUNTED || worse) {
        run->trial.outcome = outcome;
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(run->trial.reason, sizeof run->trial.reason, format, arguments);
        va_end(arguments);
    }
    return MR_DRIVER_FAILED;
}
