// stop.c: the handler of SIGTERM and what it leaves behind.
#include "stop.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>

#define LAST_RESORT_US 500000 // behind the first second

static atomic_bool stop_requested;
static int stop_event = -1;

void mr_stop_request(void)
{
    atomic_store_explicit(&stop_requested, true, memory_order_release);
    uint64_t one = 1;
    ssize_t written = write(stop_event, &one, sizeof one);
    (void)written; // it fails only when the event is set as high as can be
}

static void on_sigterm(int signal_number)
{
    (void)signal_number;
    int saved = errno;
    mr_stop_request();
    struct itimerval patience = {.it_value = {.tv_sec = 1, .tv_usec = LAST_RESORT_US}};
    (void)setitimer(ITIMER_REAL, &patience, NULL);
    errno = saved;
}

static void on_sigalrm(int signal_number)
{
    (void)signal_number;
    _exit(0);
}

int mr_stop_init(int *event_out)
{
    MR_ASSERT(stop_event == -1);
    stop_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (stop_event < 0) {
        return -errno;
    }
    // SA_RESETHAND is not used: a second SIGTERM must not kill what is about to end well.
    struct sigaction alarm_action = {.sa_handler = on_sigalrm};
    struct sigaction term_action = {.sa_handler = on_sigterm, .sa_flags = SA_RESTART};
    if (sigaction(SIGALRM, &alarm_action, NULL) != 0 ||
        sigaction(SIGTERM, &term_action, NULL) != 0) {
        return -errno;
    }
    *event_out = stop_event;
    return 0;
}

bool mr_stop_requested(void)
{
    return atomic_load_explicit(&stop_requested, memory_order_acquire);
}
