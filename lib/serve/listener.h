// listener.h: the listening socket: from the words of --listen to a port, and accepting.
#ifndef MR_SERVE_LISTENER_H
#define MR_SERVE_LISTENER_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// "[" + IPv6 text with zone + "]:" + port.
#define MR_ADDRESS_TEXT_BYTES 96

struct mr_listener {
    int file;
    char address[MR_ADDRESS_TEXT_BYTES]; // as bound: "127.0.0.1:40123", "[::1]:40123"
};

// What is wrong, for people.
struct mr_listener_fault {
    char text[160];
    bool is_usage; // the words are wrong, not the environment
};

// Listens on `words`: HOST:PORT or [HOST]:PORT; port 0 takes any free one. 0, or a negative errno
// with *fault_out set. Ended with mr_listener_fini().
MR_NODISCARD int mr_listener_init(struct mr_listener *listener_out, const char *words,
                                  struct mr_listener_fault *fault_out);
void mr_listener_fini(struct mr_listener *listener);

// Accepts one connection: a non-blocking socket with TCP_NODELAY. -EAGAIN: none waits (now);
// -ECONNABORTED: one that is gone already, try the next; another negative errno: the system lacks
// something, most often descriptors, and the connection waits on.
MR_NODISCARD int mr_listener_accept(const struct mr_listener *listener);

// Raises the soft limit of descriptors to the hard one. The limit that holds now.
size_t mr_descriptors_raise(void);

#endif
