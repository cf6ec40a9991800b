// core_thread.c: see core_thread.h.
#define _GNU_SOURCE
#include "core_thread.h"

#include <base/mr_assert.h>
#include <base/pin.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>

int mr_core_thread_start(pthread_t *thread_out, unsigned core, mr_core_work *work, void *context)
{
    if (core >= MR_PIN_MAX_CORES) {
        return -EINVAL;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0) {
        return -result;
    }
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    if (result == 0) {
        result = pthread_create(thread_out, &attributes, work, context);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return -result;
}

void mr_core_thread_join(pthread_t thread)
{
    int result = pthread_join(thread, NULL);
    MR_ASSERT(result == 0);
}
