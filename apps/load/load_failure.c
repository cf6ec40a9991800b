// load_failure.c: see load_failure.h.
#include "load_failure.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool overlook(struct mr_load_failure *failure, enum mr_load_verdict verdict,
                     enum mr_load_gate gate)
{
    if (verdict != MR_LOAD_WRONG || !failure->gates.off[gate]) {
        return false;
    }
    failure->gates.overlooked[gate]++;
    return true;
}

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
    if (overlook(failure, verdict, gate)) {
        return true;
    }
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
    if (overlook(failure, MR_LOAD_WRONG, gate)) {
        return true;
    }
    if (set(failure, MR_LOAD_WRONG, gate, place)) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(failure->text, sizeof failure->text, format, arguments);
        va_end(arguments);
    }
    return false;
}

void mr_load_failure_take(struct mr_load_failure *whole, struct mr_load_failure *part_io)
{
    struct mr_load_gates_off gates = whole->gates;
    if (whole->verdict == MR_LOAD_OK) {
        *whole = *part_io;
    }
    for (int gate = 0; gate < MR_LOAD_GATE_COUNT; gate++) {
        gates.overlooked[gate] += part_io->gates.overlooked[gate];
        part_io->gates.overlooked[gate] = 0;
    }
    whole->gates = gates;
}

static int gate_by_name(const char *name, size_t bytes)
{
    for (int gate = 0; gate < MR_LOAD_GATE_COUNT; gate++) {
        const char *own = mr_load_gate_name((enum mr_load_gate)gate);
        if (strlen(own) == bytes && memcmp(own, name, bytes) == 0) {
            return gate;
        }
    }
    return -1;
}

bool mr_load_gates_off_parse(const char *names, struct mr_load_gates_off *gates_out,
                             const char **name_out)
{
    *gates_out = (struct mr_load_gates_off){0};
    for (*name_out = names;;) {
        size_t bytes = strcspn(*name_out, ",");
        int gate = gate_by_name(*name_out, bytes);
        if (gate < 0) {
            return false;
        }
        gates_out->off[gate] = true;
        if ((*name_out)[bytes] == '\0') {
            return true;
        }
        *name_out += bytes + 1;
    }
}

bool mr_load_any_gate_off(const struct mr_load_failure *failure)
{
    bool any = false;
    for (int gate = 0; gate < MR_LOAD_GATE_COUNT; gate++) {
        any = any || failure->gates.off[gate];
    }
    return any;
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

const char *mr_load_verdict_name(const struct mr_load_failure *failure)
{
    static const char *const names[] = {"ok", "wrong", "stalled", "interrupted", "failed"};
    if (failure->verdict == MR_LOAD_OK && mr_load_any_gate_off(failure)) {
        return "not verified";
    }
    return names[failure->verdict];
}
