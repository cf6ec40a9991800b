// listener.c: resolves, binds, listens, accepts.
#define _GNU_SOURCE
#include "listener.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define HOST_BYTES 256

// Host and port out of "HOST:PORT" or "[HOST]:PORT".
struct target {
    char host[HOST_BYTES];
    const char *port;
};

static bool split(const char *words, struct target *target_out)
{
    const char *colon = strrchr(words, ':');
    if (colon == NULL) {
        return false;
    }
    const char *host = words;
    size_t length = (size_t)(colon - words);
    bool is_bracketed = length >= 2 && host[0] == '[' && host[length - 1] == ']';
    if (is_bracketed) {
        host++;
        length -= 2;
    } else if (memchr(host, ':', length) != NULL) {
        return false;
    }
    size_t digits = strspn(colon + 1, "0123456789");
    bool is_port = digits >= 1 && digits <= 5 && colon[1 + digits] == '\0' &&
                   strtoul(colon + 1, NULL, 10) <= 65535;
    if (length == 0 || length >= sizeof target_out->host || !is_port) {
        return false;
    }
    memcpy(target_out->host, host, length);
    target_out->host[length] = '\0';
    target_out->port = colon + 1;
    return true;
}

static int open_socket(const struct addrinfo *address)
{
    int file = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file < 0) {
        return -errno;
    }
    int one = 1;
    int result = 0;
    if (setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(file, address->ai_addr, address->ai_addrlen) != 0 || listen(file, SOMAXCONN) != 0) {
        result = -errno;
        (void)close(file);
    }
    return result == 0 ? file : result;
}

static void write_address(int file, char text_out[MR_ADDRESS_TEXT_BYTES])
{
    struct sockaddr_storage address = {0};
    socklen_t bytes = sizeof address;
    char host[64];
    char port[8];
    int failed = getsockname(file, (struct sockaddr *)&address, &bytes);
    MR_ASSERT(failed == 0);
    failed = getnameinfo((struct sockaddr *)&address, bytes, host, sizeof host, port, sizeof port,
                         NI_NUMERICHOST | NI_NUMERICSERV);
    MR_ASSERT(failed == 0);
    (void)snprintf(text_out, MR_ADDRESS_TEXT_BYTES,
                   address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

int mr_listener_init(struct mr_listener *listener_out, const char *words,
                     struct mr_listener_fault *fault_out)
{
    *listener_out = (struct mr_listener){.file = -1};
    *fault_out = (struct mr_listener_fault){0};
    struct target target;
    if (!split(words, &target)) {
        fault_out->is_usage = true;
        (void)snprintf(fault_out->text, sizeof fault_out->text,
                       "--listen takes HOST:PORT or [HOST]:PORT, not '%s'", words);
        return -EINVAL;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(target.host, target.port, &hints, &found);
    if (failed != 0) {
        (void)snprintf(fault_out->text, sizeof fault_out->text, "cannot listen on %s: %s", words,
                       gai_strerror(failed));
        return -EADDRNOTAVAIL;
    }
    int file = open_socket(found);
    freeaddrinfo(found);
    if (file < 0) {
        (void)snprintf(fault_out->text, sizeof fault_out->text, "cannot listen on %s: %s", words,
                       strerror(-file));
        return file;
    }
    listener_out->file = file;
    write_address(file, listener_out->address);
    return 0;
}

void mr_listener_fini(struct mr_listener *listener)
{
    if (listener->file >= 0) {
        (void)close(listener->file);
    }
    listener->file = -1;
}

int mr_listener_accept(const struct mr_listener *listener)
{
    int file = accept4(listener->file, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) {
        switch (errno) {
        case EAGAIN:
            return -EAGAIN;
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM:
            return -errno;
        default: // errors of the one connection, see accept(2)
            return -ECONNABORTED;
        }
    }
    int one = 1;
    if (setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0) {
        (void)close(file);
        return -ECONNABORTED;
    }
    return file;
}

size_t mr_descriptors_raise(void)
{
    struct rlimit limit;
    int failed = getrlimit(RLIMIT_NOFILE, &limit);
    MR_ASSERT(failed == 0);
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            limit = raised;
        }
    }
    return limit.rlim_cur;
}
