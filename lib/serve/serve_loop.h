// serve_loop.h: one thread's epoll loop over its connections; the first loop also accepts for all.
#ifndef MR_SERVE_LOOP_H
#define MR_SERVE_LOOP_H

#include "listener.h"
#include "session.h"

#include <matchrace/attributes.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A connection of a loop.
struct mr_connection {
    struct mr_session session;
    struct mr_connection *next;
    struct mr_connection *previous;
    uint32_t events;  // that epoll was told
    bool was_refused; // over --max-connections: not counted
};

struct mr_server;

// One loop. Its thread owns everything but the list, which the accepting thread appends to.
struct mr_loop {
    struct mr_server *server;
    int epoll;
    struct mr_session_room room;
    pthread_mutex_t list_mutex;
    struct mr_connection *first; // under list_mutex
    uint64_t dose_ppm;           // planted slowness; 0: none
    uint64_t rest_ns;            // when the connections are looked after next; 0: not needed
    bool accepts;
    bool accept_paused; // out of descriptors: the listener is looked at again with the next rest
};

// What the loops share. Written before they start, but for the two counters.
struct mr_server {
    struct mr_listener listener;
    int stop_event;
    struct mr_loop *loop;
    size_t loops_count;
    size_t loops_accepted; // connections handed out so far; accepting thread only
    size_t max_connections;
    atomic_size_t connections; // open now, without refused ones
    struct mr_books books;
    char *welcome;
    size_t welcome_bytes;
};

// Makes a loop's epoll, watching stop and, if `accepts`, the listener. The room is the caller's to
// fill. 0, or a negative errno. Ended with mr_loop_fini(), after its thread.
MR_NODISCARD int mr_loop_init(struct mr_loop *loop_out, struct mr_server *server, bool accepts);

// Ends all connections.
void mr_loop_fini(struct mr_loop *loop);

// Serves until SIGTERM. 0, or a negative errno: the loop itself failed.
MR_NODISCARD int mr_loop_run(struct mr_loop *loop);

#endif
