// load_failure.c: see load_failure.h.
#include "load_failure.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static bool set(struct mr_load_failure *failure, enum mr_load_verdict verdict,
                enum mr_load_gate gate, const struct mr_load_place *place)
{
    if (failure->verdict != MR_LOAD_OK) {
        return false;
    }
    failure->verdict = verdict;
    failure->gate = gate;
    failure->has_place = place != NULL;
    if (place != NULL) {
        failure->place = *place;
    }
    return true;
}

bool mr_load_fail(struct mr_load_failure *failure, enum mr_load_verdict verdict,
                  enum mr_load_gate gate, const char *format, ...)
{
    if (set(failure, verdict, gate, NULL)) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(failure->text, sizeof failure->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool mr_load_fail_at(struct mr_load_failure *failure, enum mr_load_gate gate,
                     const struct mr_load_place *place, const char *format, ...)
{
    if (set(failure, MR_LOAD_WRONG, gate, place)) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(failure->text, sizeof failure->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool mr_load_is_the_servers(const struct mr_load_failure *failure)
{
    return failure->verdict == MR_LOAD_WRONG || failure->verdict == MR_LOAD_STALLED;
}

const char *mr_load_gate_name(enum mr_load_gate gate)
{
    static const char *const names[MR_LOAD_GATE_COUNT] = {"answers", "early", "lost",
                                                          "stats",   "kept",  "protocol"};
    return names[gate];
}

const char *mr_load_verdict_name(enum mr_load_verdict verdict)
{
    static const char *const names[] = {"ok", "wrong", "stalled", "interrupted", "failed"};
    return names[verdict];
}
