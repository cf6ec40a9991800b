// pin.c: see pin.h.
#define _GNU_SOURCE
#include "pin.h"

#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

_Static_assert(MR_PIN_MAX_CORES <= CPU_SETSIZE, "cpu_set_t must hold every core number");

static void cores_from_set(const cpu_set_t *set, struct mr_cores *cores_out)
{
    cores_out->count = 0;
    for (unsigned core = 0; core < MR_PIN_MAX_CORES; core++) {
        if (CPU_ISSET(core, set)) {
            cores_out->core[cores_out->count++] = core;
        }
    }
}

int mr_pin_allowed(struct mr_cores *cores_out)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return -errno;
    }
    cores_from_set(&set, cores_out);
    return 0;
}

int mr_pin_self(const struct mr_cores *cores)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t i = 0; i < cores->count; i++) {
        CPU_SET(cores->core[i], &set);
    }
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : -errno;
}

static int parse_core(const char **text, unsigned *core_out)
{
    if (!isdigit((unsigned char)**text)) {
        return -EINVAL;
    }
    char *end;
    unsigned long core = strtoul(*text, &end, 10);
    if (core >= MR_PIN_MAX_CORES) {
        return -EINVAL;
    }
    *core_out = (unsigned)core;
    *text = end;
    return 0;
}

int mr_cores_parse(const char *text, struct mr_cores *cores_out)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (;;) {
        unsigned first;
        if (parse_core(&text, &first) != 0) {
            return -EINVAL;
        }
        unsigned last = first;
        if (*text == '-') {
            text++;
            if (parse_core(&text, &last) != 0 || last < first) {
                return -EINVAL;
            }
        }
        for (unsigned core = first; core <= last; core++) {
            CPU_SET(core, &set);
        }
        if (*text == '\0') {
            cores_from_set(&set, cores_out);
            return 0;
        }
        if (*text++ != ',') {
            return -EINVAL;
        }
    }
}

void mr_cores_text(const struct mr_cores *cores, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    for (size_t i = 0; i < cores->count; i++) {
        mr_text_printf(&text, "%s%u", i == 0 ? "" : ",", cores->core[i]);
    }
}
