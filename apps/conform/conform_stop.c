// conform_stop.c: see conform_stop.h.
#include "conform_stop.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t stop_fd = -1;

static void remember(int number)
{
    int error = errno;
    stop_signal = number;
    uint64_t one = 1;
    if (write(stop_fd, &one, sizeof one) < 0) {
        stop_signal = number; // the flag is enough for whoever looks at it
    }
    errno = error;
}

int mr_conform_stop_catch(void)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) {
        return -errno;
    }
    stop_fd = fd;
    struct sigaction action = {.sa_handler = remember};
    MR_ASSERT(sigaction(SIGINT, &action, NULL) == 0);
    MR_ASSERT(sigaction(SIGTERM, &action, NULL) == 0);
    MR_ASSERT(sigaction(SIGHUP, &action, NULL) == 0);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    MR_ASSERT(sigaction(SIGPIPE, &ignore, NULL) == 0);
    return 0;
}

int mr_conform_stop_fd(void)
{
    return stop_fd;
}

bool mr_conform_stop_asked(void)
{
    return stop_signal != 0;
}

int mr_conform_stop_exit_code(void)
{
    return stop_signal == 0 ? 0 : 128 + (int)stop_signal;
}
