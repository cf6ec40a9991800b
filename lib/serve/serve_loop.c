// serve_loop.c: waits, gives every ready connection its turn, accepts, looks after the idle.
//
// Fairness: epoll reports level-triggered and in rotation, a turn is bounded (session.h), and at
// most ACCEPTS_A_TURN connections are accepted at one time: nobody waits for more than one turn of
// each other ready connection.
#include "serve_loop.h"

#include "base/clock.h"
#include "base/mr_assert.h"
#include "dose.h"
#include "stop.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#define EVENTS_AT_ONCE 64
#define ACCEPTS_A_TURN 32
#define REST_NS        (100 * MR_NS_PER_MS)

static int watch(const struct mr_loop *loop, int file, uint32_t events, void *what)
{
    struct epoll_event event = {.events = events, .data.ptr = what};
    return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, file, &event) == 0 ? 0 : -errno;
}

static void need_rest(struct mr_loop *loop)
{
    if (loop->rest_ns == 0) {
        loop->rest_ns = mr_clock_ns() + REST_NS;
    }
}

static void list_add(struct mr_loop *loop, struct mr_connection *connection)
{
    (void)pthread_mutex_lock(&loop->list_mutex);
    connection->next = loop->first;
    if (loop->first != NULL) {
        loop->first->previous = connection;
    }
    loop->first = connection;
    (void)pthread_mutex_unlock(&loop->list_mutex);
}

static void list_remove(struct mr_loop *loop, struct mr_connection *connection)
{
    (void)pthread_mutex_lock(&loop->list_mutex);
    if (connection->previous == NULL) {
        MR_ASSERT(loop->first == connection);
        loop->first = connection->next;
    } else {
        connection->previous->next = connection->next;
    }
    if (connection->next != NULL) {
        connection->next->previous = connection->previous;
    }
    (void)pthread_mutex_unlock(&loop->list_mutex);
}

static void end_connection(struct mr_loop *loop, struct mr_connection *connection)
{
    list_remove(loop, connection);
    // Closing would not suffice if another process held a copy of the socket; nothing to do if the
    // epoll never knew it.
    (void)epoll_ctl(loop->epoll, EPOLL_CTL_DEL, connection->session.file, NULL);
    mr_session_fini(&connection->session, &loop->room);
    if (!connection->was_refused) {
        size_t before = atomic_fetch_sub(&loop->server->connections, 1);
        MR_ASSERT(before > 0);
    }
    free(connection);
}

static uint32_t wanted_events(const struct mr_connection *connection)
{
    unsigned wants = mr_session_wants(&connection->session);
    return ((wants & MR_WANTS_INPUT) != 0 ? (uint32_t)EPOLLIN : 0) |
           ((wants & MR_WANTS_OUTPUT) != 0 ? (uint32_t)EPOLLOUT : 0);
}

static void give_turn(struct mr_loop *loop, struct mr_connection *connection, uint32_t events)
{
    bool readable = (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0;
    mr_session_turn(&connection->session, &loop->room, readable);
    need_rest(loop);
    uint32_t wanted = wanted_events(connection);
    if (connection->session.state != MR_SESSION_OVER && wanted != connection->events) {
        struct epoll_event event = {.events = wanted, .data.ptr = connection};
        int failed = epoll_ctl(loop->epoll, EPOLL_CTL_MOD, connection->session.file, &event);
        MR_ASSERT(failed == 0);
        connection->events = wanted;
    }
    if (connection->session.state == MR_SESSION_OVER) {
        end_connection(loop, connection);
    }
}

// Puts a new connection into `loop`, which may be another thread's: from the moment that epoll
// knows it, it belongs to that thread.
static void hand_over(struct mr_loop *loop, struct mr_connection *connection)
{
    connection->events = EPOLLIN;
    list_add(loop, connection);
    if (watch(loop, connection->session.file, EPOLLIN, connection) != 0) {
        end_connection(loop, connection);
    }
}

// Accepts, ERROR, close: a connection over the limit, served by the accepting loop itself.
static void refuse(struct mr_loop *loop, struct mr_connection *connection)
{
    char text[96];
    (void)snprintf(text, sizeof text, "this server takes at most %zu connections at one time",
                   loop->server->max_connections);
    connection->was_refused = true;
    mr_session_fail(&connection->session, &loop->room, 0, text);
    list_add(loop, connection);
    if (watch(loop, connection->session.file, 0, connection) != 0) {
        end_connection(loop, connection);
        return;
    }
    give_turn(loop, connection, 0);
}

static void take_connection(struct mr_loop *loop, int file)
{
    struct mr_server *server = loop->server;
    struct mr_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        (void)close(file);
        return;
    }
    mr_session_init(&connection->session, file);
    if (atomic_load(&server->connections) >= server->max_connections) {
        refuse(loop, connection);
        return;
    }
    (void)atomic_fetch_add(&server->connections, 1);
    size_t index = server->loops_accepted++ % server->loops_count;
    hand_over(&server->loop[index], connection);
}

static int watch_listener(const struct mr_loop *loop, uint32_t events)
{
    struct mr_listener *listener = &loop->server->listener;
    struct epoll_event event = {.events = events, .data.ptr = listener};
    return epoll_ctl(loop->epoll, EPOLL_CTL_MOD, listener->file, &event) == 0 ? 0 : -errno;
}

// Without this a connection that cannot be accepted would wake the loop for ever.
static void pause_accepting(struct mr_loop *loop)
{
    int failed = watch_listener(loop, 0);
    MR_ASSERT(failed == 0);
    loop->accept_paused = true;
    need_rest(loop);
}

static void accept_some(struct mr_loop *loop)
{
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        int file = mr_listener_accept(&loop->server->listener);
        if (file == -EAGAIN) {
            return;
        }
        if (file == -ECONNABORTED) {
            continue;
        }
        if (file < 0) {
            pause_accepting(loop);
            return;
        }
        take_connection(loop, file);
    }
}

static void rest(struct mr_loop *loop)
{
    uint64_t now_ns = mr_clock_ns();
    if (loop->rest_ns == 0 || now_ns < loop->rest_ns) {
        return;
    }
    loop->rest_ns = 0;
    if (loop->accept_paused) {
        int failed = watch_listener(loop, EPOLLIN);
        MR_ASSERT(failed == 0);
        loop->accept_paused = false;
    }
    bool is_restless = false;
    (void)pthread_mutex_lock(&loop->list_mutex);
    struct mr_connection *connection = loop->first;
    (void)pthread_mutex_unlock(&loop->list_mutex);
    // Only this thread removes, and only the head changes by adding: the walk needs no lock.
    while (connection != NULL) {
        struct mr_connection *next = connection->next;
        is_restless |= mr_session_rest(&connection->session, now_ns);
        if (connection->session.state == MR_SESSION_OVER) {
            end_connection(loop, connection);
        }
        connection = next;
    }
    if (is_restless) {
        need_rest(loop);
    }
}

static int wait_ms(const struct mr_loop *loop)
{
    if (loop->rest_ns == 0) {
        return -1;
    }
    uint64_t now_ns = mr_clock_ns();
    return now_ns >= loop->rest_ns ? 0 : (int)((loop->rest_ns - now_ns) / MR_NS_PER_MS) + 1;
}

int mr_loop_init(struct mr_loop *loop_out, struct mr_server *server, bool accepts)
{
    *loop_out = (struct mr_loop){
        .server = server, .accepts = accepts, .list_mutex = PTHREAD_MUTEX_INITIALIZER};
    loop_out->epoll = epoll_create1(EPOLL_CLOEXEC);
    int result = loop_out->epoll < 0 ? -errno : 0;
    if (result == 0) {
        result = watch(loop_out, server->stop_event, EPOLLIN, NULL);
    }
    if (result == 0 && accepts) {
        result = watch(loop_out, server->listener.file, EPOLLIN, &server->listener);
    }
    return result;
}

void mr_loop_fini(struct mr_loop *loop)
{
    while (loop->first != NULL) {
        end_connection(loop, loop->first);
    }
    if (loop->epoll >= 0) {
        (void)close(loop->epoll);
    }
    (void)pthread_mutex_destroy(&loop->list_mutex);
}

int mr_loop_run(struct mr_loop *loop)
{
    struct epoll_event event[EVENTS_AT_ONCE];
    struct mr_dose dose;
    mr_dose_init(&dose, loop->dose_ppm);
    while (!mr_stop_requested()) {
        int count = epoll_wait(loop->epoll, event, EVENTS_AT_ONCE, wait_ms(loop));
        if (count < 0 && errno != EINTR) {
            return -errno;
        }
        for (int i = 0; i < count && !mr_stop_requested(); i++) {
            void *what = event[i].data.ptr;
            if (what == &loop->server->listener) {
                accept_some(loop);
            } else if (what != NULL) {
                give_turn(loop, what, event[i].events);
            }
        }
        rest(loop);
        mr_dose_settle(&dose);
    }
    return 0;
}
