// core_lock.c: see core_lock.h.
#define _GNU_SOURCE
#include "core_lock.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// The address of a core's name; returns its length.
static socklen_t address_of(unsigned core, struct sockaddr_un *address_out)
{
    *address_out = (struct sockaddr_un){.sun_family = AF_UNIX};
    // A zero byte first makes the name abstract.
    int length = snprintf(address_out->sun_path + 1, sizeof address_out->sun_path - 1,
                          "matchrace-core-%u", core);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

// The process that holds the name, 0 where it cannot be told.
static pid_t holder_of(const struct sockaddr_un *address, socklen_t length)
{
    struct ucred holder = {0};
    socklen_t size = sizeof holder;
    // Nobody accepts, so those who asked before stay in the queue: a full one is not waited for.
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)address, length) != 0 ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &holder, &size) != 0) {
        holder.pid = 0;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return holder.pid;
}

static int take(unsigned core, struct mr_trial_fault *fault)
{
    struct sockaddr_un address;
    socklen_t length = address_of(core, &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, length) == 0 &&
        listen(fd, SOMAXCONN) == 0) {
        return 0; // held until this process ends
    }
    int result = errno == EADDRINUSE ? -EBUSY : -errno;
    if (result == -EBUSY) {
        char holder[32] = "an unknown one";
        pid_t pid = holder_of(&address, length);
        if (pid != 0) {
            (void)snprintf(holder, sizeof holder, "%d", (int)pid);
        }
        mr_trial_fault_set(fault,
                           "core %u: another run is at work on it (process %s), and each would "
                           "measure the other: wait until that one ended",
                           core, holder);
    } else {
        mr_trial_fault_set(fault, "core %u cannot be locked: %s", core, strerror(-result));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return result;
}

int mr_core_lock_take(const struct mr_cores *cores, struct mr_trial_fault *fault)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < cores->count; i++) {
        result = take(cores->core[i], fault);
    }
    return result;
}

bool mr_core_lock_is_waived(void)
{
    const char *waived = getenv("MR_SHARE_CORES");
    return waived != NULL && strcmp(waived, "1") == 0;
}
