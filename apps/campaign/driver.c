// driver.c: see driver.h.
#include "driver.h"

#include "base/mr_assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct mr_driver *const drivers[] = {&mr_driver_served, &mr_driver_stepped,
                                                  &mr_driver_simulated};

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

// Bytes of a well-formed UTF-8 sequence at `text`, 0 when there is none. A contestant's words reach
// the trial's file, which must be JSON whatever they are.
static size_t utf8_bytes(const unsigned char *text)
{
    if (text[0] < 0x80) {
        return text[0] >= 0x20 ? 1 : 0;
    }
    size_t bytes = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC2 || text[0] > 0xF4) {
        return 0;
    }
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xF0 && text[1] < 0x90);
    bool outside = (text[0] == 0xED && text[1] >= 0xA0) || (text[0] == 0xF4 && text[1] >= 0x90);
    return overlong || outside ? 0 : bytes;
}

static void clean(char *text)
{
    unsigned char *at = (unsigned char *)text;
    while (*at != '\0') {
        size_t bytes = utf8_bytes(at);
        if (bytes == 0) {
            *at = '?';
        }
        at += bytes == 0 ? 1 : bytes;
    }
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
        clean(run->trial.reason);
    }
    return MR_DRIVER_FAILED;
}
