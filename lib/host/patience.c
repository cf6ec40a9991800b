// patience.c: see patience.h.
#define _GNU_SOURCE
#include "patience.h"

#include <base/clock.h>

#include <errno.h>
#include <poll.h>
#include <time.h>

struct mr_patience mr_patience_for(uint64_t duration_ns)
{
    uint64_t now_ns = mr_clock_ns();
    uint64_t left_ns = MR_FOREVER - now_ns;
    return (struct mr_patience){
        .deadline_ns = duration_ns < left_ns ? now_ns + duration_ns : MR_FOREVER, .wake_fd = -1};
}

int mr_patience_poll(const struct mr_patience *patience, int fd, short events)
{
    struct pollfd watched[2] = {{.fd = fd, .events = events},
                                {.fd = patience->wake_fd, .events = POLLIN}};
    for (;;) {
        uint64_t now_ns = mr_clock_ns();
        uint64_t left_ns = patience->deadline_ns > now_ns ? patience->deadline_ns - now_ns : 0;
        struct timespec left = {.tv_sec = (time_t)(left_ns / MR_NS_PER_S),
                                .tv_nsec = (long)(left_ns % MR_NS_PER_S)};
        int ready = ppoll(watched, 2, patience->deadline_ns == MR_FOREVER ? NULL : &left, NULL);
        if (ready < 0 && errno != EINTR) {
            return -errno;
        }
        if (ready > 0 && watched[1].revents != 0) {
            return -EINTR;
        }
        if (ready > 0) {
            return watched[0].revents & POLLNVAL ? -EBADF : 0;
        }
        if (ready == 0) {
            return -ETIMEDOUT;
        }
    }
}
